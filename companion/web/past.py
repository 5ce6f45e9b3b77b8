"""Past nights: what was played, by whom, and what it says about them; who is who; and forgetting somebody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, abort, current_app, g, redirect, render_template, request, session, url_for
from flask_babel import format_date, format_decimal
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response

from companion import statistics
from companion.games import GAMES
from companion.nights import Refused
from companion.past import NOBODY, Attendance, Book, Past, View
from companion.statistics import Kind, Play
from companion.web.access import Guest, Reach, at_the_laptop
from companion.web.nights import qr
from companion.web.render import drop_kept
from companion.web.words import _t, number, speak

views = Blueprint("past", __name__)

MOST = 10  # of a list; the rest is a page away
MOST_KNOWN = 5  # people that one phone can be, over all nights


def past() -> Past:
    found: Past = current_app.extensions["companion"].past
    return found


def book() -> Book:
    """What is stored, the same from the first line of a page to its last."""
    if "book" not in g:
        g.book = past().book()
    found: Book = g.book
    return found


# ---- what may be seen ------------------------------------------------------------------------------------------------


def view() -> View:
    """The past as far as this browser may look."""
    reach = _reach()
    if reach.laptop:
        return book().seen(None)
    here = {guest.room.night.id for guest in reach.guests}
    return book().seen(frozenset(here.union(*map(book().nights_of, _known(reach)))))


def _reach() -> Reach:
    found: Reach = g.reach
    return found


def _known(reach: Reach) -> list[str]:
    """Who this browser is by the code it scanned; whoever was forgotten meanwhile is nobody."""
    people = book().people
    return [people[id].who for id in reach.known if id in people]


def _mine(seen: View) -> list[str]:
    """Who this browser is, the likeliest first."""
    seats = [seen.who(guest.person.id) for guest in reversed(_reach().guests) if not guest.person.watching]
    return list(dict.fromkeys([*_known(_reach()), *(who for who in seats if who)]))


def _who(seen: View, person: str) -> str:
    """Whom an address means. Somebody at nights that are not in view is refused, whether they were there or not."""
    if person not in book().people:
        abort(404)
    who = seen.who(person)
    if who is None:
        raise Refused(_t("You were not at a night with this person, as far as this browser knows."), 403)
    return who


def _page(template: str, seen: View, **facts: Any) -> str:
    guests: dict[str, Guest] = {guest.room.night.id: guest for guest in _reach().guests}
    words = {"day": day, "decimal": decimal, "span": span, "kind": kind, "plain": plain}
    return render_template(f"past/{template}.html", seen=seen, reach=_reach(), guests=guests, mine=_mine(seen), MOST=MOST, **words, **facts)


def _part(every: Sequence[Any]) -> dict[str, Any]:
    """Some of a long list, from where the address says on."""
    first = number(request.args.get("older", "")) or 0
    return {"some": every[first : first + MOST], "older": first + MOST if len(every) > first + MOST else None, "first": first}


# ---- pages -----------------------------------------------------------------------------------------------------------


@views.get("/past")
def home() -> str:
    seen = view()
    return _page("home", seen, wins=statistics.wins_in)


@views.get("/past/nights")
def nights() -> str:
    seen = view()
    return _page("nights", seen, wins=statistics.wins_in, **_part(seen.evenings))


@views.get("/past/nights/<night>")
def night(night: str) -> str:
    seen = view()
    if night not in seen.nights:
        if night not in book().nights:
            abort(404)
        raise Refused(_t("This browser has no seat at that night."), 403)
    plays = [play for play in seen.plays if play.night == night]
    players = statistics.people_of(plays)
    there = [each for each in seen.book.at.get(night, ()) if each.plays or each.who in players]
    facts = {"evening": seen.nights[night], "there": there, "wins": statistics.wins_in(plays), "played": len(plays)}
    return _page("night", seen, placed=placed, **facts, **_part(plays[::-1]))


def placed(play: Play) -> list[tuple[int, int]]:
    """The places of a match with their seats, the first one first."""
    return sorted(zip(play.ranks, range(len(play.ranks)), strict=True))


@views.get("/past/people")
def people() -> str:
    seen = view()
    return _page("people", seen, **_part(list(seen.people)))


@views.get("/past/people/<person>")
def person(person: str) -> str:
    seen = view()
    who = _who(seen, person)
    facts = {"who": who, "name": seen.person(who).name, "figures": seen.figures(who), "others": _further_names(seen, who)}
    return _page("person", seen, **facts, may_forget=bool(_forgettable(seen, who)), **_part(seen.people.get(who, [])[::-1]))


def _further_names(seen: View, who: str) -> list[str]:
    return sorted({each.name for each in seen.there[who]} - {seen.person(who).name})


@views.get("/past/people/<person>/against/<other>")
def against(person: str, other: str) -> str:
    seen = view()
    one, two = _who(seen, person), _who(seen, other)
    met = seen.meetings(one, two)
    names = {"one": one, "two": two, "name": seen.person(one).name, "other": seen.person(two).name}
    return _page("against", seen, **names, met=met, **_part(met.plays[::-1]))


@views.get("/past/games/<game>")
def game(game: str) -> str:
    seen, which = view(), (game, request.args.get("called", ""))
    if which in seen.kinds:
        return _page("game", seen, which=which, figures=seen.game(which), **_part(seen.kinds[which][::-1]))
    return _page("no_game", seen, which=(game, "")) if game in GAMES else abort(404)


# ---- who is who ------------------------------------------------------------------------------------------------------


@views.get("/past/people/<person>/correct")
def correct(person: str) -> str:
    seen = view()
    who = _who(seen, person)
    others = sorted((seen.person(other) for other in seen.there if other != who), key=lambda each: each.name.casefold())
    return _page("correct", seen, who=who, name=seen.person(who).name, others=others, names=seen.book.names_of(who), there=seen.there[who])


@views.post("/past/people/<person>/same")
def merge(person: str) -> Response:
    """Two names, one person."""
    seen = view()
    past().merge(_who(seen, person), _who(seen, request.form.get("other", "")))
    return _back(person)


@views.post("/past/people/<person>/apart")
def part(person: str) -> Response:
    """… or not, after all."""
    _who(view(), person)
    other = book().people.get(request.form.get("other", "")) or abort(404)
    past().part(other.own)
    return _back(person)


@views.post("/past/people/<person>/split")
def split(person: str) -> Response:
    """One name, two people."""
    seen, others = view(), request.form.getlist("night")
    who = _who(seen, person)
    past().split(who, others)
    return _back(next(each.id for each in reversed(seen.there[who]) if each.night not in others))


def _back(person: str) -> Response:
    return redirect(url_for(".correct", person=person), 303)


# ---- a phone that is somebody over all nights ------------------------------------------------------------------------


def _signed() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="past")


@views.get("/past/people/<person>/phone")
def hand_out(person: str) -> str:
    """On the laptop's screen: a code that lets one phone see all nights of this person."""
    seen = view()
    who = _who(seen, person)
    address = current_app.extensions["companion"].url + url_for(".handed", token=_signed().dumps(seen.person(who).id))
    return _page("phone", seen, who=who, name=seen.person(who).name, qr=qr(address))


@views.get("/past/me/<token>")
def handed(token: str) -> str:
    return render_template("past/handed.html", token=token, name=_handed(token).name)


@views.post("/past/me/<token>")
def take(token: str) -> Response:
    mine = [id for id in session.get("known", ()) if id != _handed(token).id]
    session["known"] = [_handed(token).id, *mine][:MOST_KNOWN]
    session.permanent = True
    return redirect(url_for(".home"), 303)


def _handed(token: str) -> Attendance:
    try:
        id = str(_signed().loads(token))
    except BadSignature:
        abort(404)
    return book().people.get(id) or abort(404)


# ---- forgetting ------------------------------------------------------------------------------------------------------


@views.get("/past/people/<person>/forget")
def ask_to_forget(person: str) -> str:
    seen, who, chosen = _to_forget(person)
    return _page("forget", seen, who=who, name=seen.person(who).name, nights=[seen.nights[each.night] for each in chosen], nobody=NOBODY)


@views.post("/past/people/<person>/forget")
def forget(person: str) -> Response:
    _, _, chosen = _to_forget(person)
    past().forget({each.id for each in chosen})
    drop_kept()
    return redirect(url_for(".home") if _reach().laptop else url_for("pages.home"), 303)


def _to_forget(person: str) -> tuple[View, str, list[Attendance]]:
    seen = view()
    who = _who(seen, person)
    chosen = _forgettable(seen, who)
    if not chosen:
        raise Refused(_t("Only they themselves, the host of that night, or whoever is at the machine itself can do that."), 403)
    return seen, who, chosen


def _forgettable(seen: View, who: str) -> list[Attendance]:
    """The nights at which this browser may have somebody forgotten: its own, those it hosts, and at the laptop all."""
    reach = _reach()
    if reach.laptop or who in _known(reach):
        return seen.there[who]
    own = {guest.person.id for guest in reach.guests}
    hosted = {guest.room.night.id for guest in reach.guests if guest.is_host}
    return [each for each in seen.there[who] if each.id in own or each.night in hosted]


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
