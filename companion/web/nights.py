"""A night: start it, scan, join, come back, and what the host can do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache, lru_cache
from io import BytesIO
from typing import Any

import qrcode
from flask import Blueprint, abort, current_app, g, redirect, render_template, request, url_for
from markupsafe import Markup
from qrcode.image.svg import SvgPathImage
from werkzeug.wrappers import Response

from companion.addresses import machine_addresses
from companion.doctor import examine
from companion.models import Match, now
from companion.names import BadName
from companion.nights import Membership, Refused, Room, played
from companion.standings import lasted, of_night, scheme_of
from companion.web import limiter
from companion.web.access import Guest, guest_of, is_current, nights, remember, store
from companion.web.render import regions
from companion.web.table import looked_at
from companion.web.words import _t, speak

views = Blueprint("nights", __name__)

LOBBY = ("invite", "people", "claims", "matches", "standings", "host", "next")
OWN = ("claims", "host", "people", "matches", "next")  # look different to different people
TV = ("tv",)
A_WHILE = timedelta(hours=12)  # after that a match is paused, and the night was another one
A_FEW = "10/minute;60/hour"


def is_wrong(response: Response) -> bool:
    return response.status_code in (404, 429)


wrong_codes = limiter.limit(A_FEW, deduct_when=is_wrong)
typed_codes = limiter.shared_limit(A_FEW, "codes of nights", deduct_when=is_wrong)  # one count, wherever they are typed


# ---- coming in -------------------------------------------------------------------------------------------------------


@views.post("/nights")
@limiter.limit("30/minute")
def start() -> Response:
    called = request.form.get("night", "").strip() or speak(_t("Game night"))
    night, membership = nights().start(called, request.form.get("name", ""))
    remember(membership)
    return redirect(url_for(".lobby", night=night.id), 303)


@views.post("/join")
@typed_codes
def find() -> Any:
    """A typed code leads to the same invitation as the QR code."""
    typed = request.form.get("code", "")
    try:
        return redirect(url_for(".invitation", token=_found(typed).night.token), 303)
    except Refused as error:
        return render_template("home.html", mine=[], code_error=speak(error.text), code=typed[:20]), error.status


@views.post("/tv")
@typed_codes
def show_on_tv() -> Any:
    """A TV or tablet with the typed code only watches, under a name of its own."""
    typed = request.form.get("code", "")
    try:
        room = _found(typed)
        if not guest_of(room):
            remember(nights().join_tv(room.night))
    except Refused as error:
        return render_template("tv_code.html", error=speak(error.text), code=typed[:20]), error.status
    return redirect(url_for(".tv", night=room.night.id), 303)


def _found(code: str) -> Room:
    night = nights().by_code(code)
    if night is None:
        raise Refused(_t("No open night has this code. Look at the host's screen: six letters and digits."), 404)
    return nights().room(night.id) or abort(404)


@views.post("/nights/<night>/reopen")
def reopen(night: str) -> Response:
    """On the machine itself: a past night goes on, whatever became of the phones' cookies."""
    room = nights().room(night) or abort(404)
    guest = guest_of(room)
    membership = nights().reopen(room.night, guest.person if guest else None)
    if membership:
        remember(membership)
    return redirect(url_for(".lobby", night=night), 303)


@views.get("/j/<token>")
@wrong_codes
def invitation(token: str) -> Any:
    room = _invited(token)
    if guest_of(room):  # the same phone comes back to its seat
        return redirect(url_for(".lobby", night=room.night.id), 303)
    return _join_page(room)


@views.post("/j/<token>")
@wrong_codes
def join(token: str) -> Any:
    room = _invited(token)
    if guest_of(room):
        return redirect(url_for(".lobby", night=room.night.id), 303)
    name = request.form.get("name", "")
    try:
        return _welcome(nights().join(room.night, name, watching="watch" in request.form))
    except (BadName, Refused) as error:
        status = error.status if isinstance(error, Refused) else 422
        return _join_page(_invited(token), name[:100], speak(error.text)), status


def _join_page(room: Room, name: str = "", error: str | None = None) -> str:
    free = [person for person in room.people if nights().is_free(person) and person.id != room.night.host_id]
    taken = [person for person in room.people if not nights().is_free(person)]
    return render_template("join.html", room=room, name=name, error=error, free=free, taken=taken, goes_on=nights().goes_on(room.night.id))


@views.post("/j/<token>/seats/<person>/take")
def take_seat(token: str, person: str) -> Response:
    return _welcome(nights().take_seat(_invited(token).night, person))


@views.post("/j/<token>/seats/<person>/return")
@wrong_codes
def return_with_code(token: str, person: str) -> Response:
    return _welcome(nights().return_with_code(_invited(token).night, person, request.form.get("code", "")))


@views.post("/j/<token>/seats/<person>/ask")
@limiter.limit("10/minute")
def ask_for_seat(token: str, person: str) -> Response:
    """The phone keeps its secret and waits: with the host's OK it is in."""
    room = _invited(token)
    if guest_of(room):  # asking for another's seat must not cost the own one
        return redirect(url_for(".lobby", night=room.night.id), 303)
    remember(nights().ask_for_seat(room.night, person))
    return redirect(url_for(".invitation", token=token, waiting=1), 303)


def _invited(token: str) -> Room:
    night = nights().by_token(token) or abort(404)
    return nights().room(night.id) or abort(404)


def _welcome(membership: Membership) -> Response:
    remember(membership)
    return redirect(url_for(".lobby", night=membership.person.night_id), 303)


# ---- being there -----------------------------------------------------------------------------------------------------


@views.get("/n/<night>")
def lobby(night: str) -> str:
    guest: Guest = g.guest
    tick = nights().live.tick(night)
    return render_template("lobby.html", parts=lobby_regions(guest, tick), guest=guest, room=guest.room, tick=tick)


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


def night_facts(room: Room, matches: Sequence[Match]) -> dict[str, Any]:
    """Who is ahead over the night, and how that is counted."""
    scheme, finished = scheme_of(room.night.scheme), {each.id: each for each in played(matches)}
    standings = cache(lambda: of_night(list(finished.values()), scheme))
    return {"scheme": scheme, "played": finished, "standings": standings, "lasted": lasted, "by_id": {each.id: each for each in matches}}


@views.get("/n/<night>/tv")
def tv(night: str) -> str:
    tick = nights().live.tick(night)
    return render_template("tv.html", parts=tv_regions(g.guest, tick), guest=g.guest, room=g.guest.room, tick=tick)


def tv_regions(guest: Guest, tick: int) -> dict[str, Markup]:
    night = guest.room.night
    facts = {"room": guest.room, "night": night, "tick": tick, "join_url": join_url(night.token), "qr": qr(join_url(night.token))}
    return regions("tv", TV, facts | _on_tv(guest.room), (tick, night.id) if is_current(guest) else ())


def _on_tv(room: Room) -> dict[str, Any]:
    """The match at play; between matches how it went, and the night's standings."""
    from companion.web.results import result_facts  # late: its pages show regions of this one

    matches, at_play = nights().matches(room.night.id), nights().at_play(room.night.id)
    seated = store().match(at_play.id) if at_play else None
    if seated is None:
        return {"match": None, "game": None}
    if not seated.position.over:
        return looked_at(room, seated)
    return result_facts(room, seated) | night_facts(room, matches)


def join_url(token: str) -> str:
    """Where phones come in: always the configured address, never what a request claims to be."""
    return f"{current_app.extensions['companion'].url}/j/{token}"


@lru_cache(1_000)
def qr(text: str) -> Markup:
    image = qrcode.make(text, image_factory=SvgPathImage, border=4)
    out = BytesIO()
    image.save(out)
    svg = out.getvalue().decode()
    return Markup(svg[svg.index("<svg") :].replace("<svg ", '<svg class="qr" role="img" aria-label="QR" ', 1))


# ---- what people can do ----------------------------------------------------------------------------------------------


def _back() -> Response:
    return redirect(url_for(".lobby", night=g.guest.room.night.id), 303)


@views.post("/n/<night>/people")
def add(night: str) -> Response:
    """… and back to where the next one is added: there is seldom only one."""
    nights().add(g.guest.room.night, request.form.get("name", ""))
    return redirect(url_for(".lobby", night=night, adding=1, _anchor="people"), 303)


@views.post("/n/<night>/joining")
def lock(night: str) -> Response:
    nights().lock(g.guest.room.night, joining=request.form.get("joining") == "open")
    return _back()


@views.post("/n/<night>/people/<person>/remove")
def remove(night: str, person: str) -> Response:
    nights().remove(g.guest.room.night, person)
    return _back()


@views.post("/n/<night>/people/<person>/host")
def hand_over(night: str, person: str) -> Response:
    nights().hand_over(g.guest.room.night, person)
    return _back()


@views.post("/n/<night>/take-over")
def take_over(night: str) -> Response:
    nights().take_over(g.guest.room.night, g.guest.person)
    return _back()


@views.post("/n/<night>/claims/<claim>")
def answer_claim(night: str, claim: str) -> Response:
    nights().answer_claim(g.guest.room.night, claim, yes=request.form.get("answer") == "yes")
    return _back()


@views.get("/n/<night>/machine")
def machine(night: str) -> str:
    """The laptop's page: under which addresses phones can reach it."""
    phones = [person for person in g.guest.room.people if person.phone and person.id != g.guest.person.id]
    parts = current_app.extensions["companion"]
    facts = {"addresses": machine_addresses(), "url": parts.url, "phones": phones, "findings": examine(*parts.database.place)}
    return render_template("machine.html", guest=g.guest, room=g.guest.room, tick=0, **facts)
