"""Who may do what. One table for all routes; a route that is not in it is closed to everybody."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import abort, current_app, g, request, session

from companion.games.base import Viewer
from companion.house import House
from companion.models import Match, Person
from companion.nights import Membership, Nights, Refused, Room
from companion.store import Seated, Store
from companion.web.words import _t

# Who may call a route: anybody · watcher (everybody who joined) · player (not the watchers) · table (seated, or the host) · host ·
# past (whoever has a seat at some night, each as far as the nights go that they were at) · laptop (the browser on the machine itself)
RIGHTS = {
    "static": "anybody",
    "pages.home": "anybody",
    "pages.htmx": "anybody",
    "pages.icon": "anybody",
    "pages.manifest": "anybody",
    "pages.know_sleep": "anybody",
    "pages.tv": "anybody",
    "pages.health": "anybody",
    "pages.choose_language": "anybody",
    "resolver.choose": "anybody",
    "resolver.ask": "anybody",
    "resolver.card_svg": "anybody",
    "resolver.card_png": "anybody",
    "resolver.code": "anybody",
    "rules.index": "anybody",
    "rules.game": "anybody",
    "pages.ready": "anybody",
    "nights.start": "anybody",
    "nights.find": "anybody",
    "nights.show_on_tv": "anybody",
    "nights.reopen": "laptop",
    "nights.invitation": "anybody",
    "nights.join": "anybody",
    "nights.take_seat": "anybody",
    "nights.return_with_code": "anybody",
    "nights.ask_for_seat": "anybody",
    "nights.lobby": "watcher",
    "nights.tv": "watcher",
    "nights.take_over": "player",
    "nights.add": "player",
    "nights.lock": "host",
    "nights.remove": "host",
    "nights.hand_over": "host",
    "nights.answer_claim": "host",
    "nights.machine": "host",
    "seating.choose": "player",
    "seating.prepare": "player",
    "seating.start": "player",
    "seating.save": "player",
    "matches.table": "watcher",
    "matches.question": "table",
    "matches.act": "table",
    "matches.call": "table",
    "matches.entry": "watcher",
    "matches.seat": "watcher",
    "matches.whole_story": "watcher",
    "matches.verdict": "watcher",
    "matches.undo": "table",
    "matches.amend": "table",
    "house.page": "watcher",
    "house.delete": "host",
    "house.who_wins": "watcher",
    "house.put": "table",
    "house.accept": "table",
    "house.answer": "table",
    "house.withdraw": "table",
    "results.result": "watcher",
    "results.card_svg": "watcher",
    "results.card_png": "watcher",
    "results.standings": "watcher",
    "results.scheme": "host",
    "past.home": "past",
    "past.nights": "past",
    "past.night": "past",
    "past.people": "past",
    "past.person": "past",
    "past.against": "past",
    "past.game": "past",
    "past.ask_to_forget": "past",
    "past.forget": "past",
    "past.correct": "laptop",
    "past.merge": "laptop",
    "past.part": "laptop",
    "past.split": "laptop",
    "past.hand_out": "laptop",
    "past.handed": "anybody",
    "past.take": "anybody",
    "exports.match": "watcher",
    "exports.record": "watcher",
    "exports.match_csv": "watcher",
    "exports.bg_stats": "watcher",
    "exports.bg_stats_short": "anybody",
    "exports.night": "watcher",
    "exports.night_csv": "watcher",
    "exports.bring": "player",
    "live.night": "watcher",
    "live.tv": "watcher",
    "live.match": "watcher",
    "live.night_now": "watcher",
    "live.tv_now": "watcher",
    "live.match_now": "watcher",
}
MOST_NIGHTS = 20  # that one browser remembers
FROM_A_PROXY = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Cf-Connecting-Ip")


@dataclass(frozen=True, slots=True)
class Guest:
    """Whoever makes this request, at this night."""

    room: Room
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


def nights() -> Nights:
    found: Nights = current_app.extensions["companion"].nights
    return found


def store() -> Store:
    found: Store = current_app.extensions["companion"].store
    return found


def house() -> House:
    found: House = current_app.extensions["companion"].house
    return found


def check_rights() -> None:
    """Before every request: find the night, the match and the person it is about, and whether they may."""
    endpoint = request.endpoint
    if endpoint is None:
        return  # there is no such page
    needed = RIGHTS.get(endpoint)
    if needed is None:
        abort(403)
    if needed in ("past", "laptop"):
        g.reach = reach_of_browser()
        _check_reach(needed, g.reach)
    elif needed != "anybody":
        _check(needed, _find_place(request.view_args or {}))


def _find_place(given: dict[str, str]) -> Guest | None:
    parts = current_app.extensions["companion"]
    if not parts.database.hears:  # what is kept may be old
        parts.forget(None)
    seated, night = None, given.get("night", "")
    if "match" in given:
        seated = parts.store.match(given["match"], to_change=request.method == "POST") or abort(404)
        night = seated.match.night_id
    g.seated = seated
    g.guest = guest = guest_of(parts.nights.room(night) or abort(404))
    return guest


def guest_of(room: Room) -> Guest | None:
    """Who this browser is at that night."""
    id, secret = seats_of_browser().get(room.night.id, ("", ""))
    here = nights()
    person = here.person(room, id, secret)
    if person is None:
        return None
    here.live.saw(person.id)
    return Guest(room, person)


def is_current(guest: Guest, seated: Seated | None = None) -> bool:
    """Whether nothing changed since this request looked: only then may what it shows be kept for others."""
    room, parts = guest.room, current_app.extensions["companion"]
    return parts.nights.room(room.night.id) is room and (seated is None or parts.store.match(seated.match.id) is seated)


def _check(needed: str, guest: Guest | None) -> None:
    if guest is None:
        raise Refused(
            _t("You are not at this night, or your seat went to another phone. Scan the QR code or type the code to come in."), 403
        )
    if needed == "host" and not guest.is_host:
        raise Refused(_t("Only the host can do that."), 403)
    if needed in ("player", "table") and guest.level == "watcher":
        raise Refused(_t("You are watching; only players can do that."), 403)
    if needed == "table" and not guest.may_enter(_seated().match):
        raise Refused(_t("You have no seat in this match; only those at the table can enter something."), 403)


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
    addresses = (urlsplit(current_app.extensions["companion"].url).hostname, urlsplit(request.host_url).hostname, request.remote_addr)
    direct = not any(header in request.headers for header in FROM_A_PROXY)
    return direct and all(map(_is_own, addresses))


def _is_own(address: str | None) -> bool:
    """Whether that is an address of this machine; a name is none, for it may lead to a proxy first."""
    try:
        return address == "localhost" or ip_address(address or "").is_loopback or (address in current_app.config["OWN_ADDRESSES"])
    except ValueError:
        return False


def _check_reach(needed: str, reach: Reach) -> None:
    if needed == "laptop" and not reach.laptop:
        raise Refused(_t("That can only be done on the machine itself, the one that Companion runs on."), 403)
    if not (reach.laptop or reach.guests or reach.known):
        raise Refused(
            _t("Past nights are for those who were there. Join a night first, or look on the machine that Companion runs on."), 403
        )


def _seated() -> Seated:
    found: Seated = g.seated
    return found


def seats_of_browser() -> dict[str, tuple[str, str]]:
    """By night, the newest last, who this browser is there: the person and the secret."""
    return {night: (person, secret) for night, person, secret in session.get("seats", ())}


def remember(membership: Membership) -> None:
    """Let this browser be that person from now on."""
    seats = seats_of_browser()
    seats.pop(membership.person.night_id, None)
    seats[membership.person.night_id] = (membership.person.id, membership.secret)
    session["seats"] = [(night, *who) for night, who in seats.items()][-MOST_NIGHTS:]  # a list: a cookie keeps no order of keys
    session.permanent = True
