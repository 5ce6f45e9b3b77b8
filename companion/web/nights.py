"""A night: start it, scan, join, come back, and what the host can do."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.addresses import machine_addresses
from companion.doctor import examine
from companion.names import BadName
from companion.nights import Membership, NightSnapshot, UserError
from companion.web.extensions import limiter
from companion.web.guests import Guest, guest_of, remember
from companion.web.i18n import _t, speak
from companion.web.lobby import lobby_regions, tv_regions
from companion.web.permissions import BACK, allow
from companion.web.services import nights, services

views = Blueprint("nights", __name__)

A_FEW = "10/minute;60/hour"


def is_wrong(response: Response) -> bool:
    return response.status_code in (404, 429)


wrong_codes = limiter.limit(A_FEW, deduct_when=is_wrong)
typed_codes = limiter.shared_limit(A_FEW, "codes of nights", deduct_when=is_wrong)  # one count, wherever they are typed


# ---- coming in -------------------------------------------------------------------------------------------------------


@views.post("/nights")
@allow("anybody")
@limiter.limit("30/minute")
def start() -> Response:
    called = request.form.get("night", "").strip() or speak(_t("Game night"))
    night, membership = nights().start(called, request.form.get("name", ""))
    remember(membership)
    return redirect(url_for(".lobby", night=night.id), 303)


@views.post("/join")
@allow("anybody")
@typed_codes
def find() -> Any:
    """A typed code leads to the same invitation as the QR code."""
    typed = request.form.get("code", "")
    try:
        return redirect(url_for(".invitation", token=_found(typed).night.token), 303)
    except UserError as error:
        return render_template("home.html", mine=[], code_error=speak(error.text), code=typed[:20]), error.status


@views.post("/tv")
@allow("anybody", cells=BACK)
@typed_codes
def show_on_tv() -> Any:
    """A TV or tablet with the typed code only watches, under a name of its own."""
    typed = request.form.get("code", "")
    try:
        room = _found(typed)
        if not guest_of(room):
            remember(nights().join_tv(room.night))
    except UserError as error:
        return render_template("tv_code.html", error=speak(error.text), code=typed[:20]), error.status
    return redirect(url_for(".tv", night=room.night.id), 303)


def _found(code: str) -> NightSnapshot:
    night = nights().by_code(code)
    if night is None:
        raise UserError(_t("No open night has this code. Look at the host's screen: six letters and digits."), 404)
    return nights().room(night.id) or abort(404)


@views.post("/nights/<night>/reopen")
@allow("laptop")
def reopen(night: str) -> Response:
    """On the machine itself: a past night goes on, whatever became of the phones' cookies."""
    room = nights().room(night) or abort(404)
    guest = guest_of(room)
    membership = nights().reopen(room.night, guest.person if guest else None)
    if membership:
        remember(membership)
    return redirect(url_for(".lobby", night=night), 303)


@views.get("/j/<token>")
@allow("anybody", cells=BACK)
@wrong_codes
def invitation(token: str) -> Any:
    room = _invited(token)
    if guest_of(room):  # the same phone comes back to its seat
        return redirect(url_for(".lobby", night=room.night.id), 303)
    return _join_page(room)


@views.post("/j/<token>")
@allow("anybody", cells=BACK)
@wrong_codes
def join(token: str) -> Any:
    room = _invited(token)
    if guest_of(room):
        return redirect(url_for(".lobby", night=room.night.id), 303)
    name = request.form.get("name", "")
    try:
        return _welcome(nights().join(room.night, name, watching="watch" in request.form))
    except (BadName, UserError) as error:
        status = error.status if isinstance(error, UserError) else 422
        return _join_page(_invited(token), name[:100], speak(error.text)), status


def _join_page(room: NightSnapshot, name: str = "", error: str | None = None) -> str:
    free = [person for person in room.people if nights().is_free(person) and person.id != room.night.host_id]
    taken = [person for person in room.people if not nights().is_free(person)]
    return render_template("join.html", room=room, name=name, error=error, free=free, taken=taken, goes_on=nights().goes_on(room.night.id))


@views.post("/j/<token>/seats/<person>/take")
@allow("anybody")
def take_seat(token: str, person: str) -> Response:
    return _welcome(nights().take_seat(_invited(token).night, person))


@views.post("/j/<token>/seats/<person>/return")
@allow("anybody")
@wrong_codes
def return_with_code(token: str, person: str) -> Response:
    return _welcome(nights().return_with_code(_invited(token).night, person, request.form.get("code", "")))


@views.post("/j/<token>/seats/<person>/ask")
@allow("anybody", cells=BACK)
@limiter.limit("10/minute")
def ask_for_seat(token: str, person: str) -> Response:
    """The phone keeps its secret and waits: with the host's OK it is in."""
    room = _invited(token)
    if guest_of(room):  # asking for another's seat must not cost the own one
        return redirect(url_for(".lobby", night=room.night.id), 303)
    remember(nights().ask_for_seat(room.night, person))
    return redirect(url_for(".invitation", token=token, waiting=1), 303)


def _invited(token: str) -> NightSnapshot:
    night = nights().by_token(token) or abort(404)
    return nights().room(night.id) or abort(404)


def _welcome(membership: Membership) -> Response:
    remember(membership)
    return redirect(url_for(".lobby", night=membership.person.night_id), 303)


# ---- being there -----------------------------------------------------------------------------------------------------


@views.get("/n/<night>")
@allow("watcher")
def lobby(night: str) -> str:
    guest: Guest = g.guest
    tick = nights().live.tick(night)
    return render_template("lobby.html", parts=lobby_regions(guest, tick), guest=guest, room=guest.room, tick=tick)


@views.get("/n/<night>/tv")
@allow("watcher")
def tv(night: str) -> str:
    tick = nights().live.tick(night)
    return render_template("tv.html", parts=tv_regions(g.guest, tick), guest=g.guest, room=g.guest.room, tick=tick)


# ---- what people can do ----------------------------------------------------------------------------------------------


def _back() -> Response:
    return redirect(url_for(".lobby", night=g.guest.room.night.id), 303)


@views.post("/n/<night>/people")
@allow("player")
def add(night: str) -> Response:
    """… and back to where the next one is added: there is seldom only one."""
    nights().add(g.guest.room.night, request.form.get("name", ""))
    return redirect(url_for(".lobby", night=night, adding=1, _anchor="people"), 303)


@views.post("/n/<night>/joining")
@allow("host")
def lock(night: str) -> Response:
    nights().lock(g.guest.room.night, joining=request.form.get("joining") == "open")
    return _back()


@views.post("/n/<night>/people/<person>/remove")
@allow("host")
def remove(night: str, person: str) -> Response:
    nights().remove(g.guest.room.night, person)
    return _back()


@views.post("/n/<night>/people/<person>/host")
@allow("host")
def hand_over(night: str, person: str) -> Response:
    nights().hand_over(g.guest.room.night, person)
    return _back()


@views.post("/n/<night>/take-over")
@allow("player", cells={"host": "idle"})
def take_over(night: str) -> Response:
    nights().take_over(g.guest.room.night, g.guest.person)
    return _back()


@views.post("/n/<night>/claims/<claim>")
@allow("host")
def answer_claim(night: str, claim: str) -> Response:
    nights().answer_claim(g.guest.room.night, claim, yes=request.form.get("answer") == "yes")
    return _back()


@views.get("/n/<night>/machine")
@allow("host")
def machine(night: str) -> str:
    """The laptop's page: under which addresses phones can reach it."""
    phones = [person for person in g.guest.room.people if person.phone and person.id != g.guest.person.id]
    here = services()
    facts = {"addresses": machine_addresses(), "url": here.url, "phones": phones, "findings": examine(*here.database.place)}
    return render_template("machine.html", guest=g.guest, room=g.guest.room, tick=0, **facts)
