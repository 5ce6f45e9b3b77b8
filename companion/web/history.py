"""Past nights: what was played, by whom, and what it says about them; who is who; and forgetting somebody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NoReturn

from flask import Blueprint, abort, current_app, g, redirect, render_template, request, session, url_for
from flask_babel import format_date, format_decimal
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response

import companion.statistics as statistics
from companion.games import GAMES
from companion.history import NOBODY, Attendance, Book
from companion.nights import UserError
from companion.statistics import Kind, Play
from companion.web import region_cache
from companion.web.guests import Reach, at_the_laptop
from companion.web.i18n import _t, speak
from companion.web.numbers import number
from companion.web.permissions import allow
from companion.web.qr import qr
from companion.web.services import history, services

views = Blueprint("history", __name__)

MOST = 10  # of a list; the rest is a page away
MAX_KNOWN = 5  # people that one phone can be, over all nights


# ---- what may be seen ------------------------------------------------------------------------------------------------


def book() -> Book:
    """The past as far as this browser may look, the same from the first line of a page to its last. What it may not see is not read."""
    if "book" not in g:
        g.book = history().book(_nights(_reach()))
    found: Book = g.book
    return found


def _reach() -> Reach:
    found: Reach = g.reach
    return found


def _nights(reach: Reach) -> frozenset[str] | None:
    if reach.laptop:
        return None
    known = (each.night for who in history().whos(reach.known) for each in history().book().there[who])
    return frozenset((*(guest.room.night.id for guest in reach.guests), *known))


def _mine() -> list[str]:
    """Who this browser is, the likeliest first."""
    people = book().people
    seats = [guest.person.id for guest in reversed(_reach().guests) if not guest.person.watching]
    return list(dict.fromkeys(people[id].who for id in (*_reach().known, *seats) if id in people))


def _who(person: str) -> str:
    """Whom an address means."""
    return (book().people.get(person) or _not_here()).who


def _not_here() -> NoReturn:
    """Nothing tells a phone whether what it does not see is there at all."""
    if _reach().laptop:
        abort(404)
    raise UserError(_t("That is not at one of your nights, as far as this browser knows."), 403)


def _page(template: str, **facts: Any) -> str:
    here = {"seen": book(), "reach": _reach(), "mine": _mine(), "seated": {guest.room.night.id for guest in _reach().guests}}
    words = {"day": day, "decimal": decimal, "span": span, "kind": kind, "plain": plain}
    return render_template(f"history/{template}.html", MOST=MOST, **here, **words, **facts)


def _about(who: str) -> dict[str, Any]:
    return {"who": who, "name": book().person(who).name}


def _part(every: Sequence[Any]) -> dict[str, Any]:
    """Some of a long list, from where the address says on."""
    first = number(request.args.get("older", "")) or 0
    return {"some": every[first : first + MOST], "older": first + MOST if len(every) > first + MOST else None, "first": first}


# ---- pages -----------------------------------------------------------------------------------------------------------


@views.get("/past")
@allow("past")
def home() -> str:
    return _page("home", wins=statistics.wins_in)


@views.get("/past/nights")
@allow("past")
def nights() -> str:
    return _page("nights", wins=statistics.wins_in, **_part(book().evenings))


@views.get("/past/nights/<night>")
@allow("past", cells={"elsewhere": "no"})
def night(night: str) -> str:
    evening = book().nights.get(night) or _not_here()
    plays = [play for play in book().plays if play.night == night]
    players = statistics.people_of(plays)
    there = [each for each in book().at.get(night, ()) if each.plays or each.who in players]
    facts = {"evening": evening, "there": there, "wins": statistics.wins_in(plays), "played": len(plays)}
    return _page("night", placed=placed, **facts, **_part(plays[::-1]))


def placed(play: Play) -> list[tuple[int, int]]:
    """The places of a match with their seats, the first one first."""
    return sorted(zip(play.ranks, range(len(play.ranks)), strict=True))


@views.get("/past/people")
@allow("past")
def people() -> str:
    return _page("people", **_part(list(book().players)))


@views.get("/past/people/<person>")
@allow("past", cells={"elsewhere": "no"})
def person(person: str) -> str:
    who = _who(person)
    further = sorted({each.name for each in book().there[who]} - {book().person(who).name})
    facts = {"figures": book().figures(who), "further": further, "may_forget": bool(_forgettable(who))}
    return _page("person", **_about(who), **facts, **_part(book().players.get(who, [])[::-1]))


@views.get("/past/people/<person>/against/<other>")
@allow("past", cells={"elsewhere": "no"})
def against(person: str, other: str) -> str:
    one, two = _who(person), _who(other)
    met = book().meetings(one, two)
    return _page("against", **_about(one), two=two, other=book().person(two).name, met=met, **_part(met.plays[::-1]))


@views.get("/past/games/<game>")
@allow("past")
def game(game: str) -> str:
    which = (game, request.args.get("called", ""))
    if which in book().kinds:
        return _page("game", which=which, figures=book().game(which), **_part(book().kinds[which][::-1]))
    return _page("no_game", which=(game, "")) if game in GAMES else abort(404)


# ---- who is who ------------------------------------------------------------------------------------------------------


@views.get("/past/people/<person>/correct")
@allow("laptop")
def correct(person: str) -> str:
    who = _who(person)
    others = sorted((book().person(other) for other in book().players if other != who), key=lambda each: each.name.casefold())
    return _page("correct", **_about(who), others=others, names=book().names_of(who), there=book().there[who])


@views.post("/past/people/<person>/same")
@allow("laptop")
def merge(person: str) -> Response:
    """Two names, one person."""
    history().merge(_who(person), _who(request.form.get("other", "")))
    return _back(person)


@views.post("/past/people/<person>/apart")
@allow("laptop")
def part(person: str) -> Response:
    """… or not, after all."""
    _who(person)
    history().part((book().people.get(request.form.get("other", "")) or abort(404)).own)
    return _back(person)


@views.post("/past/people/<person>/split")
@allow("laptop")
def split(person: str) -> Response:
    """One name, two people."""
    who, others = _who(person), request.form.getlist("night")
    history().split(who, others)
    return _back(next(each.id for each in reversed(book().there[who]) if each.night not in others))


def _back(person: str) -> Response:
    return redirect(url_for(".correct", person=person), 303)


# ---- a phone that is somebody over all nights ------------------------------------------------------------------------


def _signed() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="past")


@views.get("/past/people/<person>/phone")
@allow("laptop")
def hand_out(person: str) -> str:
    """On the laptop's screen: a code that lets one phone see all nights of this person."""
    who = _who(person)
    address = services().url + url_for(".handed", token=_signed().dumps(book().person(who).id))
    return _page("phone", **_about(who), qr=qr(address))


@views.get("/past/me/<token>")
@allow("anybody")
def handed(token: str) -> str:
    return render_template("history/handed.html", token=token, name=_handed(token).name)


@views.post("/past/me/<token>")
@allow("anybody")
def take(token: str) -> Response:
    mine = [id for id in session.get("known", ()) if id != _handed(token).id]
    session["known"] = [_handed(token).id, *mine][:MAX_KNOWN]
    session.permanent = True
    return redirect(url_for(".home"), 303)


def _handed(token: str) -> Attendance:
    try:
        id = str(_signed().loads(token))
    except BadSignature:
        abort(404)
    return history().book().people.get(id) or abort(404)


# ---- forgetting ------------------------------------------------------------------------------------------------------


@views.get("/past/people/<person>/forget")
@allow("past", others="laptop")
def ask_to_forget(person: str) -> str:
    who, chosen = _to_forget(person)
    return _page("forget", **_about(who), nights=[book().nights[each.night] for each in chosen], nobody=NOBODY)


@views.post("/past/people/<person>/forget")
@allow("past", others="laptop")
def forget(person: str) -> Response:
    _, chosen = _to_forget(person)
    history().forget({each.id for each in chosen})
    region_cache.clear()
    return redirect(url_for(".home") if _reach().laptop else url_for("pages.home"), 303)


def _to_forget(person: str) -> tuple[str, list[Attendance]]:
    who = _who(person)
    chosen = _forgettable(who)
    if not chosen:
        raise UserError(_t("Only they themselves, or whoever is at the machine itself, can do that."), 403)
    return who, chosen


def _forgettable(who: str) -> list[Attendance]:
    """The nights at which this browser may have somebody forgotten: its own, at the laptop all. Not those it hosts: whoever sits at an
    old night can take over there, and this cannot be taken back."""
    reach, there = _reach(), book().there[who]
    if reach.laptop or who in history().whos(reach.known):
        return there
    own = {guest.person.id for guest in reach.guests}
    return [each for each in there if each.id in own]


# ---- words -----------------------------------------------------------------------------------------------------------


def day(moment: datetime) -> str:
    """The day as it was where the machine stands."""
    return str(format_date(moment.astimezone().date()))


def decimal(value: float) -> str:
    return str(format_decimal(value, "0.0")).replace("-", "−")


def plain(points: int) -> str:
    return str(points).replace("-", "−")


def span(took: timedelta) -> str:
    """How long, as somebody would say it."""
    minutes = max(1, round(took.total_seconds() / 60))
    if minutes < 90:
        return speak(_t("{minutes} min", minutes=minutes))
    return speak(_t("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60))


def kind(which: Kind) -> str:
    """What a game is called; a score sheet by the box that was opened."""
    id, title = which
    return title or (speak(GAMES[id].name) if id in GAMES else id)


@views.app_template_global()
def looks_back() -> bool:
    """Whether the home page leads here also without a night of this browser."""
    return at_the_laptop() or bool(session.get("known"))
