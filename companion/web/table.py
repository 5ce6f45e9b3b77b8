"""What a table shows to whom: the facts for its regions, the questions somebody may answer, the keys of the forms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

from flask import session
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from companion.games import AnyGame
from companion.games.base import EVERYBODY, Ask
from companion.match_log import PlayerView, Told
from companion.models import Match
from companion.nights import NightSnapshot, called
from companion.store import MatchSnapshot
from companion.web.disputes import open_at, remarks
from companion.web.guests import Guest, is_current
from companion.web.i18n import speak, tongue
from companion.web.region_cache import kept
from companion.web.render import once, partial, regions, shared_regions

TABLE = ("waiting", "board", "standings", "story", "enter", "undo", "dispute")
STORY = 10  # entries shown at the table; the whole story has a page of its own


def table_regions(seated: MatchSnapshot, guest: Guest, tick: int) -> dict[str, Markup]:
    return regions("table", TABLE, table_facts(seated, guest, tick), shared_by(seated, guest, tick))


def table_in_turns(seated: MatchSnapshot, guest: Guest, tick: int) -> tuple[Callable[[], dict[str, Markup]], ...]:
    """First what all look at, so that it is on every phone at once; then what lies below, and the forms of this one."""
    facts, shared = once(lambda: table_facts(seated, guest, tick)), shared_by(seated, guest, tick)
    first = at_once(seated)
    rest = [name for name in TABLE if name not in first]
    return lambda: shared_regions("table", first, facts, shared), lambda: regions("table", rest, facts(), shared_by(seated, guest, tick))


def at_once(seated: MatchSnapshot) -> tuple[str, ...]:
    """What all look at: whose turn it is, what lies on the table, who is ahead."""
    return TABLE[:2] if seated.position.game.standings_on_board else TABLE[:3]


def shared_by(seated: MatchSnapshot, guest: Guest, tick: int) -> tuple[Any, ...]:
    """Who gets the same regions: everybody, but in a game with secrets every seat its own; nobody where they are old already."""
    if not is_current(guest, seated):
        return ()
    return (tick, seated.match.id, guest.seat_at(seated.match) if _has_secrets(seated.position.game) else None)


@cache
def _has_secrets(game: AnyGame) -> bool:
    return any(kind.secret for kind in game.actions)


def table_facts(seated: MatchSnapshot, guest: Guest, tick: int) -> dict[str, Any]:
    match, seen = seated.match, seated.position.seen_by(guest.viewer(seated.match))
    may_enter, undoable = guest.may_enter(match), _undoable(seen, guest)
    facts = _facts(guest.room, match, seen, tick)
    return facts | {
        "guest": guest,
        "seat": guest.seat_at(match),
        "may_enter": may_enter,
        "asks": once(lambda: open_asks(seen, guest, match)),
        "own": (
            *(("enter",) if may_enter else ()),
            *(("dispute",) if may_enter and facts["disputes"]() else ()),
            *(("undo",) if undoable else ()),
        ),  # with forms; what others see there is the same for all
        "whose": _whose(guest),
        "key_of": lambda ask: form_key(seated, guest, ask),
        "undoable": undoable,
        "typed": {},
        "error": None,
        "field": None,
        "ask": None,
        "open_ask": None,
    }


def _whose(guest: Guest) -> tuple[str, ...]:
    """A person's phone: forms have a token in them that is right for its session alone."""
    token = session.get("csrf_token")
    return (guest.person.id, token) if token else ()


def _facts(room: NightSnapshot, match: Match, seen: PlayerView, tick: int) -> dict[str, Any]:
    names = room.names(match.seats)
    call = match.call if match.call and match.call.get("round") == len(seen.rounds) + 1 else None
    facts: dict[str, Any] = {
        "room": room, "night": room.night, "match": match, "game": seen.game, "seen": seen, "names": names, "tick": tick, "call": call,
        "story": once(lambda: seen.story(STORY)), "state": seen.state, "screen": seen.game.screen(seen.state),
        "lines": _lines, "STORY": STORY,
        "phones": [room.everybody[id].phone is not None for id in match.seats],
        "person": lambda id: speak(called(room.everybody[id])) if id in room.everybody else "",
        "disputes": once(lambda: open_at(room, match, seen._position)), "remarks": once(lambda: remarks(room, match, seen._position)),
    }  # fmt: skip
    return facts


@pass_context
def _lines(context: Context) -> Markup:
    """The lines of the story: each stays the same until something is undone or corrected."""
    facts = context.parent
    match, changes, spoken = facts["match"].id, facts["seen"].changes, tongue()

    def line(told: Told) -> Markup:
        stamp = (changes, facts["remarks"]().get(told.n))
        return kept(("told", spoken, match, told.n, told.action is None), stamp, lambda: drawn(told))

    def drawn(told: Told) -> Markup:
        return partial("table", "told", facts | {"told": told})

    return Markup("".join(map(line, facts["story"]())))


def looked_at(room: NightSnapshot, seated: MatchSnapshot) -> dict[str, Any]:
    """A match as somebody sees it who only looks."""
    return _facts(room, seated.match, seated.position.seen_by(EVERYBODY), 0) | {"seat": None, "guest": None, "may_enter": False}


def open_asks(seen: PlayerView, guest: Guest, match: Match) -> list[Ask]:
    return [ask for ask in seen._position.asks.values() if may_answer(ask, seen, guest, match)] if guest.may_enter(match) else []


def may_answer(ask: Ask, seen: PlayerView, guest: Guest, match: Match) -> bool:
    """A seat's own question is its own, unless the seat has no phone; a secret is nobody else's in any case."""
    if not ask.seats or seen.viewer.intersection(ask.seats):
        return True
    secret = any(kind.secret for kind in seen.game.actions if kind.do == ask.do)
    return not secret and all(guest.room.everybody[match.seats[seat]].phone is None for seat in ask.seats)


def form_key(seated: MatchSnapshot, guest: Guest, ask: str) -> str:
    """The key of a form: the same however often it is drawn, another one after every undo and once it was used."""
    said = json.dumps([seated.match.id, guest.person.id, ask, seated.position.changes])
    key = hashlib.sha256(said.encode()).hexdigest()[:32]
    while key in seated.keys:  # the question came back: 5, corrected to 6, corrected to 5 again
        key = hashlib.sha256(key.encode()).hexdigest()[:32]
    return key


def _undoable(seen: PlayerView, guest: Guest) -> Told | None:
    """The newest entry, where this person may undo it."""
    newest = seen.story(1)
    return newest[0] if newest and (guest.is_host or newest[0].by == guest.person.id) else None
