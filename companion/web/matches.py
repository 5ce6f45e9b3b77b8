"""A match: enter what happened, have it explained, undo it, correct it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, flash, g, make_response, redirect, render_template, request, url_for
from htmx_flask import request as htmx_request

from companion.database import NotStored
from companion.games import verdict_on
from companion.games.base import EVERYBODY, SKIP, Ask, Field, Plain, RuleError
from companion.games.forms import NotOffered, ask_for, completed, next_field
from companion.match_log import AppliedEntry, LogError, PlayerView, Position, Told
from companion.nights import NightSnapshot, UserError, called
from companion.store import Answered, KeyTaken, MatchSnapshot
from companion.web.answers import labelled, read_form, sent_answers
from companion.web.disputes import filled, with_names
from companion.web.entering import done, entry_region, sent_key, table_page
from companion.web.guests import Guest
from companion.web.i18n import _t, speak
from companion.web.numbers import number
from companion.web.permissions import allow
from companion.web.refusals import not_stored, refusal
from companion.web.render import encoded, signed
from companion.web.services import nights, store
from companion.web.table import may_answer, table_facts
from companion.web.verdicts import question_in, verdict_facts

views = Blueprint("matches", __name__)

_CHANGED = _t("That has changed meanwhile. Start this entry again.")
_SECRET = _t("This is a secret: it can be undone, and only whoever chose it can choose again.")


@views.get("/m/<match>")
@allow("watcher")
def table(match: str) -> str:
    return table_page(g.seated, g.guest)


# ---- entering --------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/ask/<ask>")
@allow("table")
def question(match: str, ask: str) -> Any:
    """One field after the other: every value that would be right is a button."""
    seated: MatchSnapshot = g.seated
    asked, of = _asked(seated, ask, request.args.get("of")), request.args.get("of")
    try:
        return entry_region(seated, g.guest, 200, **_step(seated, asked, of, _given(asked, of and _open_entry(seated, of))))
    except NotOffered:
        raise UserError(_CHANGED, 409) from None


def _step(seated: MatchSnapshot, ask: Ask, of: str | None, answers: list[Any]) -> dict[str, Any]:
    """What comes after these answers, or all of them for a last look."""
    plain = ["skip" if each is SKIP else json.dumps(each) for each in answers]
    step = {"ask": ask, "answers": plain, "field": next_field(ask.form, answers), "labels": labelled(ask, answers)}
    return {**step, "of": of, **_corrected(seated, of)}


def _given(ask: Ask, entered: Plain) -> list[Any]:
    """The answers in the address; in a correction, where asked for, with the rest as it was entered."""
    answers = [json.loads(each) if each != "skip" else SKIP for each in sent_answers()]
    return completed(ask.form, answers, entered) if entered and "rest" in request.args else answers


def _open_entry(seated: MatchSnapshot, of: str) -> Plain:
    """What an entry says, for somebody who may know it."""
    action = _entry(seated.position.seen_by(g.guest.viewer(seated.match)), _booked(seated.position, of).line.n).action
    if action is None:
        raise UserError(_SECRET, 403)
    return action


def _corrected(seated: MatchSnapshot, of: str | None) -> dict[str, Any]:
    """A correction is drawn as the table was before the entry, with what was entered."""
    if of is None:
        return {}
    entry, viewer, game = _booked(seated.position, of), g.guest.viewer(seated.match), seated.position.game
    before = game.view(entry.before, viewer)
    return {"state": before, "screen": game.screen(before), "entry": seated.position.seen_by(viewer).entry(entry.line.n)}


def _booked(position: Position, n: str | int) -> AppliedEntry:
    return position.booked[position.find(number(str(n)) or 0)]


def _asked(seated: MatchSnapshot, id: str, of: str | None = None) -> Ask:
    """The question with that id: open now, or the one that an entry to be corrected once answered."""
    position = seated.position
    if of is not None:
        entry = _booked(position, of)
        return ask_for(position.game.asks(entry.before), entry.action) or abort(404)
    asked = position.asks.get(id)
    if asked is None:
        answered = position.answer_to(id) or abort(404)
        asked = next(ask for ask in position.game.asks(answered.before) if ask.id == id)
    if not may_answer(asked, position.seen_by(g.guest.viewer(seated.match)), g.guest, seated.match):
        raise UserError(_t("That is for somebody else to choose, on their own phone."), 403)
    return asked


@views.post("/m/<match>/act/<ask>")
@allow("table")
def act(match: str, ask: str) -> Any:
    seated, guest = g.seated, g.guest
    if _is_gone(seated.position, ask):
        return entry_region(seated, guest, 409, error=speak(_CHANGED))
    asked = _asked(seated, ask)
    labels: list[tuple[Field, Any]] = []
    typed = {"typed": request.form, "open_ask": ask, "labels": labels}
    try:
        action = read_form(asked, labels, seated.position, _state_of(seated.position, ask))
        store().act(match, ask, action, guest.person.id, sent_key())
    except Answered as late:
        return entry_region(store().match(match), guest, 409, error=_told_late(late, guest.room), **typed)
    except NotStored as error:
        return entry_region(seated, guest, 503, error=speak(not_stored(error)), ask=asked, field=action, answers=[], **typed)
    except (RuleError, UserError, KeyTaken) as error:
        if isinstance(error, UserError) and error.status not in (422, 400):
            raise
        return entry_region(seated, guest, 422, error=_said(error, seated, guest), **typed)
    return done(match, guest)


def _state_of(position: Position, ask: str) -> Any:
    """The state in which a question is or was asked."""
    answered = None if ask in position.asks else position.answer_to(ask)
    return answered.before if answered else position.state


def _is_gone(position: Position, ask: str) -> bool:
    """A question that is neither open nor answered: somebody undid what led to it."""
    return ask not in position.asks and position.answer_to(ask) is None


def _said(error: RuleError | UserError | KeyTaken | LogError, seated: MatchSnapshot, guest: Guest) -> str:
    if isinstance(error, KeyTaken):
        return speak(
            _t("This form was sent before with something else in it. Nothing was changed; look at the story, then enter it again.")
        )
    return refusal(error, guest.room.names(seated.match.seats))


def _told_late(late: Answered, room: NightSnapshot) -> str:
    """Who was quicker, and with what."""
    if late.by is None or late.by.line.by not in room.everybody:
        return speak(_t("Somebody else entered this meanwhile. Look at the story; what you typed is kept here."))
    name = called(room.everybody[late.by.line.by])
    return speak(_t("{name} entered this meanwhile. Look at the story; what you typed is kept here.", name=name))


@views.post("/m/<match>/call")
@allow("table")
def call(match: str) -> Any:
    """Start and stop, or hands that were swapped: called at the table for this round."""
    called = request.form.get("call", "")
    if called not in ("start", "stop", "swapped", "not-swapped"):
        abort(400)
    store().call(match, {"call": called, "by": g.guest.person.id, "round": len(g.seated.position.rounds) + 1})
    return done(match, g.guest)


# ---- explaining ------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/story")
@allow("watcher")
def whole_story(match: str) -> str:
    """Every entry in force, newest first."""
    seated: MatchSnapshot = g.seated
    tick = nights().live.tick(g.guest.room.night.id)
    facts = table_facts(seated, g.guest, tick)
    return render_template("story.html", **(facts | {"whole": facts["seen"].story()}))


@views.get("/m/<match>/seats/<int:n>")
@allow("watcher")
def seat(match: str, n: int) -> str:
    """How a seat's number came about: every entry that changed it, who typed it, and the rule."""
    seated: MatchSnapshot = g.seated
    if n >= len(seated.match.seats):
        abort(404)
    tick = nights().live.tick(g.guest.room.night.id)
    facts = table_facts(seated, g.guest, tick)
    seen = seated.position.seen_by(EVERYBODY)
    return render_template("seat.html", **(facts | {"which": n, "course": seen.course(n), "figures": seen.figures(n)}))


@views.get("/m/<match>/verdict/<ask>")
@allow("watcher")
def verdict(match: str, ask: str) -> Any:
    """Who would win, before anything is entered, with a button that enters just that."""
    seated: MatchSnapshot = g.seated
    asked = seated.position.asks.get(ask) or abort(404)
    question = question_in(request.args.get("question", ""), seated)
    answer = verdict_on(seated.position.game, with_names(g.guest.room, seated.match, question))
    if isinstance(answer, RuleError):
        return render_template("table/_verdict.html", error=refusal(answer, g.guest.room.names(seated.match.seats))), 422
    facts = verdict_facts(seated, g.guest, question, answer)
    return render_template("table/_verdict.html", **(facts | {"booking": filled(asked, answer.winner, question), "fragment": True}))


# ---- undo and correct ------------------------------------------------------------------------------------------------


@views.get("/m/<match>/entries/<int:n>")
@allow("watcher")
def entry(match: str, n: int) -> Any:
    """How an entry came about, who typed it, and what can be done about it."""
    seated: MatchSnapshot = g.seated
    return _entry_page(seated, n, None)


def _entry_page(seated: MatchSnapshot, n: int, error: str | None) -> str:
    guest: Guest = g.guest
    tick = nights().live.tick(guest.room.night.id)
    told = _entry(seated.position.seen_by(guest.viewer(seated.match)), n)
    before = _booked(seated.position, n)
    asked = None if told.action is None else ask_for(seated.position.game.asks(before.before), before.action)
    asked = asked if asked and isinstance(next_field(asked.form, []), Field) else None  # an entry without answers can only be undone
    facts = (
        table_facts(seated, guest, tick) | _corrected(seated, str(n)) | {"given": request.form if error else _entered(asked, told.action)}
    )
    return render_template("entry.html", **(facts | {"ask": asked, "may_change": _may_change(told, guest, seated), "error": error}))


def _entered(ask: Ask | None, action: Plain) -> dict[str, str]:
    """An entry as its form would send it."""
    labels = labelled(ask, completed(ask.form, [], action)) if ask else []
    return {field.name: encoded(value) for field, value in labels if value is not SKIP}


def _entry(seen: PlayerView, n: int) -> Told:
    try:
        return seen.entry(n)
    except LogError as error:
        raise UserError(error.text, 404 if request.method == "GET" else 409) from None


def _may_change(told: Told, guest: Guest, seated: MatchSnapshot) -> bool:
    return guest.may_enter(seated.match) and (guest.is_host or told.by == guest.person.id)


def _checked_change(seated: MatchSnapshot, n: int) -> Told:
    told = _entry(seated.position.seen_by(g.guest.viewer(seated.match)), n)
    if not _may_change(told, g.guest, seated):
        raise UserError(_t("Only {name} or the host can change this entry.", name=_name_of(told.by)), 403)
    return told


def _name_of(id: str | None) -> str:
    person = g.guest.room.everybody.get(id)
    return person.name if person else "?"


@views.post("/m/<match>/entries/<int:n>/undo")
@allow("table", others="host")
def undo(match: str, n: int) -> Any:
    seated, guest = g.seated, g.guest
    if sent_key() not in seated.keys:
        _checked_change(seated, n)
    try:
        store().undo(match, n, guest.person.id, sent_key())
    except (LogError, KeyTaken) as error:
        return _entry_or_table(seated, n, _said(error, seated, guest))
    return done(match, guest)


@views.post("/m/<match>/entries/<int:n>/amend")
@allow("table", others="host")
def amend(match: str, n: int) -> Any:
    seated, guest = g.seated, g.guest
    if sent_key() not in seated.keys and _checked_change(seated, n).action is None:
        raise UserError(_SECRET, 403)
    labels: list[tuple[Field, Any]] = []
    try:
        asked, position = _asked(seated, "", str(n)), seated.position
        store().amend(match, n, read_form(asked, labels, position, _booked(position, n).before), guest.person.id, sent_key())
    except (RuleError, LogError, UserError, KeyTaken) as error:
        return _entry_or_table(seated, n, _said(error, seated, guest), labels)
    flash(_changed_totals(position, store().match(match), guest.room))
    table = url_for(".table", match=match)
    return make_response("", 200, {"HX-Redirect": table}) if htmx_request.htmx else redirect(table, 303)


def _changed_totals(before: Position, seated: MatchSnapshot | None, room: NightSnapshot) -> str:
    """Whose totals a correction changed: it may have moved points of people whom nobody was looking at."""
    assert seated is not None
    names, totals = room.names(seated.match.seats), zip(before.standings, seated.position.standings, strict=True)
    changes = [f"{names[old.seat]} {signed(old.points)} → {signed(new.points)}" for old, new in totals if old.points != new.points]
    return speak(_t("Corrected. {changes}.", changes=", ".join(changes)) if changes else _t("Corrected."))


def _entry_or_table(seated: MatchSnapshot, n: int, error: str, labels: Sequence[tuple[Field, Any]] = ()) -> Any:
    """Where the change was asked for: the correction with what was answered, the table, or the page of the entry."""
    if htmx_request.htmx and labels:
        asked = _asked(seated, "", str(n))
        return entry_region(seated, g.guest, 409, error=error, **_step(seated, asked, str(n), [value for _, value in labels]))
    if htmx_request.htmx:
        return entry_region(seated, g.guest, 409, error=error)
    return _entry_page(seated, n, error), 409
