"""From the rules' sentences to what people read: the language of a request, names put in, translated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from flask import current_app, g, request, session
from flask_babel import get_translations
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion.games.base import Text, Tongue, Value, say

_t = Text  # a sentence of the pages; gettext finds it like those of the rules


def language() -> str:
    """As chosen on this phone, else as the phone is set."""
    offered: tuple[str, ...] = current_app.config["LANGUAGES"]
    chosen: str = session.get("language", "")
    return chosen if chosen in offered else _best_of(request.headers.get("Accept-Language"), offered)


@lru_cache(1_000)
def _best_of(accepted: str | None, offered: tuple[str, ...]) -> str:
    """Of the languages a browser asks for, whatever the country: de-AT is German. Every phone asks for the same ones all evening."""
    wanted = (tag.partition("-")[0].lower() for tag in parse_accept_header(accepted, LanguageAccept).values())
    return next((each for each in wanted if each in offered), offered[0])


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
