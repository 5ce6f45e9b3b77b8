"""From the rules' sentences to what people read: names put in, translated, numbers parsed strictly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from flask import g
from flask_babel import get_translations

from companion.database import DiskFull, NotStored
from companion.games.base import RuleError, Text, Tongue, Value, say
from companion.log import LogError
from companion.nights import Refused
from companion.web import language


def tongue() -> Tongue:
    """The language of this request, looked up once."""
    try:
        found: Tongue | None = g.get("tongue")
    except RuntimeError:  # no request
        return get_translations()  # type: ignore[no-any-return]
    if found is None:
        found = g.tongue = _translations(language())
    return found


@cache
def _translations(language: str) -> Tongue:
    """As Flask-Babel finds them in the first request that asks for this language."""
    return get_translations()  # type: ignore[no-any-return]


def speak(value: Value, players: Sequence[str] = ()) -> str:
    return say(value, players, tongue())


_t = Text  # a sentence of the pages; gettext finds it like those of the rules

DISK_FULL = _t("The disk of the laptop is full: this was not saved. Make room, then send it again.")
UNREACHABLE = _t("The database does not answer: this may not have been saved. Send it again; it is booked once.")


def not_stored(error: NotStored) -> Text:
    return DISK_FULL if isinstance(error, DiskFull) else UNREACHABLE


_SUM = re.compile(r"[0-9]{1,6}( ?\+ ?[0-9]{1,6}){0,40}", re.ASCII)
_SIGNED_SUM = re.compile(r"-?[0-9]{1,6}( ?[+-] ?[0-9]{1,6}){0,40}", re.ASCII)


def number(typed: str) -> int | None:
    """A whole number in ASCII digits, or a sum such as 9+4+3; None for everything else, whatever `int` would make of it."""
    text = typed.strip(" ")
    return sum(map(int, text.split("+"))) if _SUM.fullmatch(text) else None


def signed_number(typed: str) -> int | None:
    """The same where a score may be below zero: -5, and sums such as 12-3+4. The minus is the ASCII one."""
    text = typed.strip(" ")
    return sum(map(int, re.findall(r"[+-]?[0-9]+", text.replace(" ", "")))) if _SIGNED_SUM.fullmatch(text) else None


def whole(typed: str, signed: bool = False) -> int:
    found = signed_number(typed) if signed else number(typed)
    if found is None:
        raise Refused(_t("“{typed}” is no whole number.", typed=typed[:40]))
    return found


class InWords(str):
    """What is wrong, as people read it, and the rule that says so."""

    rule = ""


def in_words(error: RuleError | Refused | LogError, names: list[str]) -> InWords:
    said = InWords(speak(error.text, names))
    said.rule = getattr(error, "rule", "")
    return said
