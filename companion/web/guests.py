"""Whoever makes a request: at which nights this browser has a seat, which one it is, and how far back it may look."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import current_app, request, session

from companion.games.base import Viewer
from companion.models import Match, Person
from companion.nights import Membership, NightSnapshot
from companion.store import MatchSnapshot
from companion.web.services import nights, services, store

MAX_NIGHTS = 20  # that one browser remembers
FROM_A_PROXY = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Cf-Connecting-Ip")


@dataclass(frozen=True, slots=True)
class Guest:
    """Whoever makes this request, at this night."""

    room: NightSnapshot
    person: Person

    @property
    def is_host(self) -> bool:
        return self.room.night.host_id == self.person.id

    @property
    def level(self) -> str:
        return "host" if self.is_host else "watcher" if self.person.watching else "player"

    def seat_at(self, match: Match) -> int | None:
        return match.seats.index(self.person.id) if self.person.id in match.seats else None

    def viewer(self, match: Match) -> Viewer:
        seat = self.seat_at(match)
        return frozenset() if seat is None else frozenset({seat})

    def may_enter(self, match: Match) -> bool:
        return self.is_host or self.seat_at(match) is not None


def guest_of(room: NightSnapshot) -> Guest | None:
    """Who this browser is at that night."""
    id, secret = seats_of_browser().get(room.night.id, ("", ""))
    here = nights()
    person = here.person(room, id, secret)
    if person is None:
        return None
    here.live.saw(person.id)
    return Guest(room, person)


def is_current(guest: Guest, seated: MatchSnapshot | None = None) -> bool:
    """Whether nothing changed since this request looked: only then may what it shows be kept for others."""
    room = guest.room
    return nights().room(room.night.id) is room and (seated is None or store().match(seated.match.id) is seated)


# ---- past nights -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reach:
    """How far back a browser may look: a name alone, which anybody can type, opens nothing."""

    laptop: bool  # all nights
    guests: tuple[Guest, ...]  # the nights at which it has a seat
    known: tuple[str, ...]  # people whose code it scanned at the laptop: all their nights


def reach_of_browser() -> Reach:
    return Reach(at_the_laptop(), tuple(guests_of_browser()), tuple(session.get("known", ())))


def guests_of_browser() -> list[Guest]:
    """Who this browser is, at every night where it has a seat; the newest last."""
    rooms = [room for room in map(nights().room, seats_of_browser()) if room]
    return [guest for guest in map(guest_of, rooms) if guest]


def at_the_laptop() -> bool:
    """Whether this browser runs on the machine itself. Behind a proxy every request would look like that, so nobody counts as such where
    the machine goes by a name or where a proxy has left its mark."""
    addresses = (urlsplit(services().url).hostname, urlsplit(request.host_url).hostname, request.remote_addr)
    direct = not any(header in request.headers for header in FROM_A_PROXY)
    return direct and all(map(_is_own, addresses))


def _is_own(address: str | None) -> bool:
    """Whether that is an address of this machine; a name is none, for it may lead to a proxy first."""
    try:
        return address == "localhost" or ip_address(address or "").is_loopback or (address in current_app.config["OWN_ADDRESSES"])
    except ValueError:
        return False


def seats_of_browser() -> dict[str, tuple[str, str]]:
    """By night, the newest last, who this browser is there: the person and the secret."""
    return {night: (person, secret) for night, person, secret in session.get("seats", ())}


def remember(membership: Membership) -> None:
    """Let this browser be that person from now on."""
    seats = seats_of_browser()
    seats.pop(membership.person.night_id, None)
    seats[membership.person.night_id] = (membership.person.id, membership.secret)
    session["seats"] = [(night, *who) for night, who in seats.items()][-MAX_NIGHTS:]  # a list: a cookie keeps no order of keys
    session.permanent = True
