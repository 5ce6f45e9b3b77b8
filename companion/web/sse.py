"""One stream per visible page: a full set of regions on connect, then those that changed, finished for their viewer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache

from flask import Blueprint, Response, g, request, stream_with_context
from markupsafe import Markup

from companion.database import NotStored
from companion.live import Watch
from companion.store import MatchSnapshot
from companion.web.guests import Guest, guest_of
from companion.web.lobby import lobby_regions, tv_regions
from companion.web.permissions import allow
from companion.web.services import nights, store
from companion.web.table import table_in_turns, table_regions

views = Blueprint("live", __name__)

LIFE = 15 * 60  # seconds; then the page opens a new one
HEARTBEAT = 15
LATEST = 1.0  # seconds after which what waits for a lull is sent all the same: where the server has too much to do
Regions = Callable[[Guest, int], dict[str, Markup]]
Turn = Callable[[], dict[str, Markup]]
Turns = Callable[[Guest, int], Iterable[Turn]]  # what is sent at once, then what waits for a lull
Now = Callable[[], tuple[int, list[Turn]] | None]


@views.get("/n/<night>/live")
@allow("watcher")
def night(night: str) -> Response:
    return _stream(night, g.guest, _at_once(lobby_regions))


@views.get("/n/<night>/tv/live")
@allow("watcher")
def tv(night: str) -> Response:
    return _stream(night, g.guest, _at_once(tv_regions))


@views.get("/m/<match>/live")
@allow("watcher")
def match(match: str) -> Response:
    return _stream(g.guest.room.night.id, g.guest, lambda guest, tick: table_in_turns(_seated(match), guest, tick))


@views.get("/n/<night>/now")
@allow("watcher")
def night_now(night: str) -> Response:
    return _now(night, g.guest, lobby_regions)


@views.get("/n/<night>/tv/now")
@allow("watcher")
def tv_now(night: str) -> Response:
    return _now(night, g.guest, tv_regions)


@views.get("/m/<match>/now")
@allow("watcher")
def match_now(match: str) -> Response:
    return _now(g.guest.room.night.id, g.guest, lambda guest, tick: table_regions(_seated(match), guest, tick))


def _seated(match: str) -> MatchSnapshot:
    seated = store().match(match)
    assert seated is not None
    return seated


def _at_once(make: Regions) -> Turns:
    return lambda guest, tick: (lambda: make(guest, tick),)


def _now(topic: str, guest: Guest, make: Regions) -> Response:
    """The same as a stream's first message: the safety net where no stream gets through."""
    tick = nights().live.tick(topic)
    return Response(_message(tick, make(guest, tick)), mimetype="application/json")


def _stream(topic: str, guest: Guest, make: Turns) -> Response:
    frames = stream_with_context(_until_lost(_frames(topic, guest, make, request.args.get("has", ""))))
    return Response(frames, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _until_lost(frames: Iterator[bytes]) -> Iterator[bytes]:
    """A database that no longer answers ends the stream without a farewell; the page says that it is cut off, and comes again."""
    with suppress(NotStored):
        yield from frames


def _frames(topic: str, guest: Guest, make: Turns, has: str) -> Iterator[bytes]:
    """Subscribe first, then read: nothing falls between. A page that was loaded just now `has` everything of its tick."""
    live, ends, sent = nights().live, time.monotonic() + LIFE, dict[str, Markup]()

    def now() -> tuple[int, list[Turn]] | None:
        """What there is to be drawn, with its tick; nothing where the seat is lost."""
        nonlocal guest
        tick, seated = live.tick(topic), _as_now(topic, guest)
        if seated is None:
            return None
        guest = seated
        return tick, list(make(guest, tick))

    with live.watch(topic, guest.person.id) as watch:
        yield b"retry: 1000\n\n"
        woken: bool | None = True
        waiting = 0.0  # since when something has waited for a lull
        while woken is not False and time.monotonic() < ends:
            if woken:
                waiting = waiting or time.monotonic()
                if has == str(live.tick(topic)):
                    woken = None
                    yield _event(int(has), ())
                else:
                    woken = yield from _in_turn(watch, now, sent, waiting + LATEST)
            else:
                live.saw(guest.person.id)
                yield b": still here\n\n"
            if woken is None:
                waiting, woken = 0.0, watch.wait(HEARTBEAT)
        yield b"event: bye\ndata: \n\n"


def _in_turn(watch: Watch, now: Now, sent: dict[str, Markup], latest: float) -> Generator[bytes, None, bool | None]:
    """Where something changes again before the last turn, that comes first: four people who count at once draw the forms once."""
    if (found := now()) is None:
        return False
    tick, (*first, _) = found
    for turn in first:
        yield _changed(tick, turn(), sent)
    if first:
        if (woken := watch.lull(latest)) is not None:
            return woken
        if (found := now()) is None:
            return False
    tick, turns = found
    yield _changed(tick, {name: html for turn in turns for name, html in turn().items()}, sent)
    return None


def _as_now(topic: str, guest: Guest) -> Guest | None:
    """The guest with the room as it is now; None when the seat is lost."""
    room = nights().room(topic)
    if room is guest.room:
        return guest
    return guest_of(room) if room else None


def _changed(tick: int, parts: dict[str, Markup], sent: dict[str, Markup]) -> bytes:
    """What this page has not been sent yet."""
    fresh = {name: html for name, html in parts.items() if sent.get(name) != html}
    sent.update(fresh)
    return _event(tick, tuple(fresh.items())) if fresh else b": nothing new\n\n"


@lru_cache(200)
def _event(tick: int, parts: tuple[tuple[str, Markup], ...]) -> bytes:
    """What goes to everybody is put together once."""
    return f"event: regions\ndata: {_message(tick, dict(parts))}\n\n".encode()


def _message(tick: int, parts: dict[str, Markup]) -> str:
    regions = ", ".join(f"{json.dumps(name)}: {_encoded(html)}" for name, html in parts.items())
    return f'{{"tick": {tick}, "regions": {{{regions}}}}}'


@lru_cache(500)
def _encoded(html: Markup) -> str:
    """What several phones get among other things is put into this form once."""
    return json.dumps(html)
