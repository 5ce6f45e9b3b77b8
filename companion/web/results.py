"""What stays of a match: who won and why, how it went, what to pass on. And of a night: who is ahead over all its matches."""

from __future__ import annotations

from flask import Blueprint, Response, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.standings import SCHEMES
from companion.web import pictures
from companion.web.guests import Guest
from companion.web.lobby import lobby_regions
from companion.web.permissions import allow
from companion.web.recap import card, result_facts
from companion.web.services import nights

views = Blueprint("results", __name__)

MAX_PRINTED = 16  # marks whose numbers fit on the printed page


# ---- a match ---------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/result")
@allow("watcher")
def result(match: str) -> str:
    """The result, or while the match runs how it went so far."""
    guest: Guest = g.guest
    mine = {"guest": guest, "may_enter": guest.may_enter(g.seated.match), "MAX_PRINTED": MAX_PRINTED}
    return render_template("result.html", **(result_facts(guest.room, g.seated) | mine))


@views.get("/m/<match>/result/card.svg")
@allow("watcher")
def card_svg(match: str) -> Response:
    return pictures.answer(pictures.svg(*card(g.guest.room, g.seated)))


@views.get("/m/<match>/result/card.png")
@allow("watcher")
def card_png(match: str) -> Response:
    return pictures.answer(pictures.png(*card(g.guest.room, g.seated)))


# ---- a night ---------------------------------------------------------------------------------------------------------


@views.get("/n/<night>/standings")
@allow("watcher")
def standings(night: str) -> str:
    """The lobby's regions about what was played, with room to read them."""
    tick = nights().live.tick(night)
    parts = lobby_regions(g.guest, tick)
    return render_template("standings.html", parts=parts, guest=g.guest, room=g.guest.room, tick=tick, SCHEMES=SCHEMES)


@views.post("/n/<night>/scheme")
@allow("host")
def scheme(night: str) -> BaseResponse:
    nights().choose_scheme(g.guest.room.night, request.form.get("scheme", ""))
    return redirect(url_for(".standings", night=night), 303)
