"""Regions: one region = one partial = one id. The same partial makes the page, the answer to a POST and the live update."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, TypeVar

from flask import Flask, current_app, g, request, url_for
from flask_babel import format_date, get_locale
from flask_wtf.csrf import generate_csrf
from jinja2 import Environment
from markupsafe import Markup

from companion.games import GAMES, title_of
from companion.games.base import SKIP, Text, Value
from companion.games.cards import COLOURS
from companion.models import Match, Person
from companion.nights import called
from companion.web.assets import asset, keep_for_a_year, own_assets
from companion.web.i18n import speak, tongue
from companion.web.region_cache import MAX_KEPT, kept

T = TypeVar("T")
PICTURES = ("seat", "named", "placed", "round", "track", "tick", "dots", "undo", "crown", "phone", "eye", "rule")  # the same whoever looks
ROUNDS = 12  # shown at the table


def install(app: Flask) -> None:
    app.jinja_env.globals.update(
        asset=asset,
        GAMES=GAMES,
        LETTERS=LETTERS,
        word=word,
        own_assets=own_assets,
        SKIP=SKIP,
        encoded=encoded,
        quoted=json.dumps,
        get_locale=get_locale,
        on_day=on_day,
        url_for=address,
    )
    app.jinja_env.globals.update(_=_gettext, gettext=_gettext, ngettext=_ngettext)
    app.jinja_env.filters.update(speak=_speak, signed=signed, title_of=_title_of, day=format_date, called=_called)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    icons = _macros(app, "_icons.html", PICTURES)
    icons.csrf, icons.rounds = csrf_field, lambda rounds, match: _rows(icons.round, rounds, match)
    app.jinja_env.globals.update(icons=icons, keypad=_macros(app, "_keypad.html"))
    app.after_request(keep_for_a_year)


def _macros(app: Flask, template: str, kept: Iterable[str] = ()) -> SimpleNamespace:
    """The macros of a template for all others, without an import in each; those that depend on nothing but what they are given are kept."""
    macros = app.jinja_env.get_template(template).module
    found = {name: getattr(macros, name) for name in dir(macros) if not name.startswith("_")}
    return SimpleNamespace(**found | {name: lru_cache(MAX_KEPT)(found[name]) for name in kept})


def address(endpoint: str, **values: Any) -> str:
    """Flask's `url_for` for templates: an address that was built before is not built again."""
    return _addresses(request.script_root)(endpoint, **values)


@lru_cache(100)
def _addresses(root: str) -> Callable[..., str]:
    """The same for all that is served under that part of the address."""
    built = lru_cache(MAX_KEPT)(url_for)

    def address(endpoint: str, **values: Any) -> str:
        try:
            return built(endpoint, **values)
        except TypeError:  # a list of values
            return url_for(endpoint, **values)

    return address


def signed(number: int) -> str:
    """A number with a real minus sign."""
    return str(number).replace("-", "−")


def _rows(row: Callable[[int, tuple[int, ...], str], Markup], rounds: Sequence[tuple[int, ...]], match: str) -> Markup:
    """The last rounds, the newest first."""
    newest = range(len(rounds), max(0, len(rounds) - ROUNDS), -1)
    return Markup("".join(row(n, rounds[n - 1], match) for n in newest))


LETTERS = {"red": Text("R"), "orange": Text("O"), "yellow": Text("Y"), "green": Text("G"), "blue": Text("B"), "purple": Text("P")}


def csrf_field() -> Markup:
    """The hidden field that every form has; the same in all forms of a request."""
    if "csrf_field" not in g:
        token = request.form.get("csrf_token") or generate_csrf()  # one that came with a form was checked before anything else
        g.csrf_field = Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)
    found: Markup = g.csrf_field
    return found


def word(value: str) -> Text:
    """A word of the rules, such as a colour; anything else as it stands."""
    return COLOURS.get(value) or Text("{word}", word=value)


def on_day(moment: datetime) -> str:
    """A date as people at this machine call it."""
    return str(format_date(moment.astimezone().date(), "long"))


def encoded(value: Any) -> str:
    """A value as it travels in a form."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


@lru_cache(100)
def _words(tongue: Any) -> dict[str, Callable[..., Markup]]:
    """What templates call to translate, for one language."""

    @lru_cache(2_000)
    def translated(message: str) -> Markup:
        return Markup(tongue.gettext(message))

    def gettext(message: str, /, **values: Any) -> Markup:
        return translated(message) % values if values else translated(message)

    def ngettext(one: str, more: str, n: int, /, **values: Any) -> Markup:
        return Markup(tongue.ngettext(one, more, n)) % {"num": n, **values}

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}


def _gettext(message: str, /, **values: Any) -> Markup:
    return _words(tongue())["_"](message, **values)


def _ngettext(one: str, more: str, n: int, /, **values: Any) -> Markup:
    return _words(tongue())["ngettext"](one, more, n, **values)


def _speak(value: Value, players: Iterable[str] = ()) -> str:
    return speak(value, list(players))


def _called(person: Person) -> str:
    return speak(called(person))


def _title_of(match: Match) -> str:
    """What a match goes by: its game, or the name that the table gave it."""
    return speak(title_of(match.game, match.options, len(match.seats)))


# ---- regions ---------------------------------------------------------------------------------------------------------


def regions(folder: str, names: Iterable[str], facts: dict[str, Any], shared: tuple[Any, ...] = ()) -> dict[str, Markup]:
    """The finished regions of a page by their ids. With `shared`, a tick and for whom it counts,
    those that look the same to all of them are rendered once a tick; the `own` ones once for a phone that says `whose` they are."""
    env, facts, shared = current_app.jinja_env, _with_words(facts), (tongue(), *shared) if shared else ()
    return {name: _region(env, folder, name, facts, shared) for name in names}


def _region(env: Environment, folder: str, name: str, facts: dict[str, Any], shared: tuple[Any, ...]) -> Markup:
    own = name in facts.get("own", ())
    whose = facts.get("whose", ()) if own else ()
    if not shared or (own and not whose):
        return _drawn(env, folder, name, facts)
    spoken, tick, *whom = shared
    return kept((folder, name, spoken, *whom, *whose), tick, lambda: _drawn(env, folder, name, facts))


def shared_regions(folder: str, names: Iterable[str], facts: Callable[[], dict[str, Any]], shared: tuple[Any, ...]) -> dict[str, Markup]:
    """The same for regions without forms; the facts are only gathered where one has to be rendered."""
    env, everything = current_app.jinja_env, once(lambda: _with_words(facts()))
    if not shared:
        return {name: _drawn(env, folder, name, everything()) for name in names}
    (tick, *whom), spoken = shared, tongue()

    def found(name: str) -> Markup:
        return kept((folder, name, spoken, *whom), tick, lambda: _drawn(env, folder, name, everything()))

    return {name: found(name) for name in names}


def partial(folder: str, name: str, facts: dict[str, Any]) -> Markup:
    """A game's own partial where it has one, else the one for all games."""
    return _drawn(current_app.jinja_env, folder, name, _with_words(facts))


def page(name: str, facts: dict[str, Any]) -> Markup:
    """A template filled in."""
    return Markup(current_app.jinja_env.get_template(name).render(_with_words(facts)))


def _with_words(facts: dict[str, Any]) -> dict[str, Any]:
    """With the words of this phone's language and the addresses of this request, looked for once for all regions."""
    return {**_words(tongue()), "url_for": _addresses(request.script_root), **facts}


def _drawn(env: Environment, folder: str, name: str, facts: dict[str, Any]) -> Markup:
    game = facts.get("game")
    return Markup(env.get_template(_path(env, folder, name, game.id if game else "")).render(facts))


@lru_cache(1_000)
def _path(env: Environment, folder: str, name: str, game: str) -> str:
    own, common = f"games/{game.replace('-', '_')}/_{name}.html", f"{folder}/_{name}.html"
    return env.select_template([own, common]).name or common


def once(make: Callable[[], T]) -> Callable[[], T]:
    """Made when it is asked for, and only the first time; `functools.cache` takes longer to set up than most of it to make."""
    made: list[T] = []

    def found() -> T:
        if not made:
            made.append(make())
        return made[0]

    return found
