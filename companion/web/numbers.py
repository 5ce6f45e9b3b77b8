"""Numbers as people type them, read strictly: ASCII digits, and sums such as 9+4+3."""

from __future__ import annotations

import re

from companion.nights import UserError
from companion.web.i18n import _t

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
        raise UserError(_t("“{typed}” is no whole number.", typed=typed[:40]))
    return found
