"""What a night shows to whom between its matches: the regions of the lobby and of the TV."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any

from markupsafe import Markup

from companion.models import Match, now
from companion.nights import NightSnapshot, played
from companion.standings import lasted, of_night, scheme_of
from companion.web.guests import Guest, is_current
from companion.web.qr import join_url, qr
from companion.web.recap import result_facts
from companion.web.render import regions
from companion.web.services import nights, store
from companion.web.table import looked_at

LOBBY = ("invite", "people", "claims", "matches", "standings", "host", "next")
OWN = ("claims", "host", "people", "matches", "next")  # look different to different people
TV = ("tv",)
A_WHILE = timedelta(hours=12)  # after that a match is paused, and the night was another one


def lobby_regions(guest: Guest, tick: int) -> dict[str, Markup]:
    night, matches = guest.room.night, nights().matches(guest.room.night.id)
    facts = {
        "guest": guest,
        "room": guest.room,
        "night": night,
        "own": OWN,
        "join_url": join_url(night.token),
        "qr": qr(join_url(night.token)),
        "here": {person.id for person in guest.room.people if nights().live.away(night.id, person.id) < 30},
        "claims": nights().claims(night.id),
        "matches": matches,
        "playing": _played_by(guest, matches),
        **night_facts(guest.room, matches),
        "long_ago": now() - A_WHILE,
        "host_away": nights().host_is_away(night),
    }
    return regions("lobby", LOBBY, facts, (tick, night.id) if is_current(guest) else ())


def _played_by(guest: Guest, matches: Sequence[Match]) -> Match | None:
    """The match that is on, for those who sit in it."""
    on = [each for each in matches[-1:] if not each.result and each.started_at > now() - A_WHILE]
    return next((each for each in on if guest.seat_at(each) is not None), None)


def night_facts(room: NightSnapshot, matches: Sequence[Match]) -> dict[str, Any]:
    """Who is ahead over the night, and how that is counted."""
    scheme, finished = scheme_of(room.night.scheme), {each.id: each for each in played(matches)}
    standings = cache(lambda: of_night(list(finished.values()), scheme))
    return {"scheme": scheme, "played": finished, "standings": standings, "lasted": lasted, "by_id": {each.id: each for each in matches}}


def tv_regions(guest: Guest, tick: int) -> dict[str, Markup]:
    night = guest.room.night
    facts = {"room": guest.room, "night": night, "tick": tick, "join_url": join_url(night.token), "qr": qr(join_url(night.token))}
    return regions("tv", TV, facts | _on_tv(guest.room), (tick, night.id) if is_current(guest) else ())


def _on_tv(room: NightSnapshot) -> dict[str, Any]:
    """The match at play; between matches how it went, and the night's standings."""
    matches, at_play = nights().matches(room.night.id), nights().at_play(room.night.id)
    seated = store().match(at_play.id) if at_play else None
    if seated is None:
        return {"match": None, "game": None}
    if not seated.position.over:
        return looked_at(room, seated)
    return result_facts(room, seated) | night_facts(room, matches)
