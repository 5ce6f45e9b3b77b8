"""House rules: a dispute put to the table, what it answers, and options kept under a name."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.games import GAMES, AnyGame, shape_of, verdict_on
from companion.games.base import Plain, RuleError
from companion.models import Dispute, Match
from companion.names import tidy_words
from companion.nights import UserError
from companion.store import MatchSnapshot
from companion.web.asked import Asked, address_of
from companion.web.disputes import Earlier, about, earlier_answer, told, voices, with_names
from companion.web.entering import done, sent_key
from companion.web.guests import Guest, guests_of_browser
from companion.web.i18n import _t, speak
from companion.web.numbers import number
from companion.web.permissions import allow
from companion.web.services import house_rules, nights, store
from companion.web.verdicts import about_table, question_in, verdict_facts

views = Blueprint("house_rules", __name__)

MAX_ANSWER = 140  # characters of a house rule in words


# ---- a dispute -------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/who-wins")
@allow("watcher")
def who_wins(match: str) -> Response:
    """The page on which disputes are asked, filled with what this match knows."""
    position, names = g.seated.position, g.guest.room.names(g.seated.match.seats)
    return redirect(address_of({"game": position.game.id, "players": names, **position.game.known(position.state)}), 303)


@views.app_template_global()
def beside(asked: Asked) -> Markup:
    """Beside an answer without a night, for a phone that is at one: how its table enters it, and what was answered before."""
    guests = guests_of_browser()[::-1]
    if not guests:
        return Markup("")
    found = _place_of(guests, asked)
    facts = _at_table(*found, asked) if found else _at_night(guests[0], asked)
    return Markup(render_template("house_rules/_beside.html", **facts)) if facts else Markup("")


@views.app_template_global()
def table_asked_about(asked: Asked) -> Match | None:
    """The match that a phone came from with this question."""
    found = _place_of(guests_of_browser()[::-1], asked)
    return found[1].match if found else None


def _place_of(guests: list[Guest], asked: Asked) -> tuple[Guest, MatchSnapshot] | None:
    return next(((guest, seated) for guest in guests if (seated := _table_of(guest, asked))), None)


def _table_of(guest: Guest, asked: Asked) -> MatchSnapshot | None:
    """The match at this night that such a question is about: the same game, still played by the same people."""
    playing = [each for each in nights().matches(guest.room.night.id) if each.game == asked.game.id and not each.result]
    same = [each.id for each in playing if tuple(guest.room.names(each.seats)) == asked.called]
    return store().match(same[-1]) if same else None


def _at_table(guest: Guest, seated: MatchSnapshot, asked: Asked) -> dict[str, Any]:
    verdict = None if asked.complete is None else verdict_on(asked.game, asked.question)
    if verdict is None or isinstance(verdict, RuleError):
        return {"match": seated.match}
    return verdict_facts(seated, guest, about_table(asked.question, seated), verdict)


def _at_night(guest: Guest, asked: Asked) -> dict[str, Any] | None:
    earlier = None if asked.complete is None else earlier_answer(guest.room, asked.game, asked.question)
    return {"earlier": earlier, "names": asked.names} if earlier else None


@views.post("/m/<match>/disputes")
@allow("table")
def put(match: str) -> Any:
    seated, guest = g.seated, g.guest
    house_rules().put(seated.match, _dispute(seated, guest, question_in(request.form.get("question", ""), seated)))
    return done(match, guest)


def _dispute(seated: MatchSnapshot, guest: Guest, question: dict[str, Plain]) -> Dispute:
    """What is asked, as far as somebody typed it, and what the match waits for now."""
    position, named = seated.position, with_names(guest.room, seated.match, question)
    verdict = verdict_on(position.game, named)
    if isinstance(verdict, RuleError):
        raise UserError(verdict.text)
    return Dispute(
        match_id=seated.match.id,
        question=question,
        facts=shape_of(position.game, named).facts,
        ask=about(position, question, verdict.winner),
        since=position.version,
        raised_by=guest.person.id,
        key=sent_key(),
        accepted=[guest.person.id] if guest.seat_at(seated.match) is not None else [],
    )


@views.post("/m/<match>/disputes/<dispute>/accept")
@allow("table")
def accept(match: str, dispute: str) -> Any:
    seated, guest = g.seated, g.guest
    house_rules().accept(seated.match, dispute, _turn(), guest.person.id, _needed(seated, guest), seated.position.version)
    return done(match, guest)


@views.post("/m/<match>/disputes/<dispute>/answer")
@allow("table")
def answer(match: str, dispute: str) -> Any:
    """The table has a rule of its own: who gets it, or a few words."""
    seated, guest = g.seated, g.guest
    answered = _answer(seated, guest, _find(seated, dispute))
    house_rules().answer(seated.match, dispute, _turn(), guest.person.id, answered, _needed(seated, guest), seated.position.version)
    return done(match, guest)


def _answer(seated: MatchSnapshot, guest: Guest, dispute: Dispute) -> dict[str, Plain]:
    if "winner" not in request.form:
        return {"text": tidy_words(request.form.get("words", ""), MAX_ANSWER)}
    seat = number(request.form["winner"])
    if seat is None or seat >= len(seated.match.seats):
        raise UserError(_t("There is no such seat at this table."))
    shape = shape_of(seated.position.game, with_names(guest.room, seated.match, dispute.question))
    return {"place": shape.turns.index(seat)}


@views.post("/m/<match>/disputes/<dispute>/withdraw")
@allow("table", others="host")
def withdraw(match: str, dispute: str) -> Any:
    seated, guest = g.seated, g.guest
    if not guest.is_host and _find(seated, dispute).raised_by != guest.person.id:
        raise UserError(_t("Only whoever asked, or the host, can take this back."), 403)
    house_rules().withdraw(seated.match, dispute)
    return done(match, guest)


def _find(seated: MatchSnapshot, id: str) -> Dispute:
    found = next((each for each in house_rules().disputes(seated.match.id) if each.id == id), None)
    if found is None:
        raise UserError(_t("That question was taken back."), 404)
    return found


def _turn() -> int:
    turn = number(request.form.get("turn", ""))
    return abort(400) if turn is None else turn


def _needed(seated: MatchSnapshot, guest: Guest) -> tuple[str, ...]:
    """Whose word settles it: the host's alone, or that of everybody with a phone."""
    return () if guest.is_host else voices(guest.room, seated.match)


# ---- what a night keeps ----------------------------------------------------------------------------------------------


@views.get("/n/<night>/house-rules")
@allow("watcher")
def page(night: str) -> str:
    """All that was decided: options under a name, and what was answered to which question."""
    guest: Guest = g.guest
    presets = {id: house_rules().presets(guest.room.night, id) for id in GAMES}
    answers = {id: [_retold(game, each) for each in house_rules().answers(guest.room.night, id)] for id, game in GAMES.items()}
    return render_template("house_rules/rules.html", guest=guest, room=guest.room, presets=presets, answers=answers, tick=0)


def _retold(game: AnyGame, dispute: Dispute) -> tuple[Earlier | None, list[str]]:
    """What was answered, with everybody called by their turn: who sat there does not matter."""
    players = json.loads(dispute.facts)["players"]
    question = {**dispute.question, "players": ["?"] * players}
    found = told(game, dispute, question)
    turns = shape_of(game, question).turns if found else ()
    return found, [speak(_t("Player {n}", n=turns.index(seat) + 1)) for seat in sorted(turns)]


@views.post("/n/<night>/house-rules/<preset>/delete")
@allow("host")
def delete(night: str, preset: str) -> Response:
    house_rules().delete(g.guest.room.night, preset)
    return redirect(url_for(".page", night=night), 303)
