"""A match: enter what happened, have it explained, undo it, correct it."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from flask import Blueprint, abort, flash, g, make_response, redirect, render_template, request, url_for
from htmx_flask import request as htmx_request

from companion.database import NotStored
from companion.games import read_action, verdict_on
from companion.games.base import EVERYBODY, SKIP, Ask, Field, Plain, RuleError, Text, Verdict
from companion.games.forms import NotOffered, ask_for, completed, next_field, walk
from companion.log import Booked, LogError, Position, Seen, Told
from companion.nights import Refused, Room, called
from companion.store import Answered, KeyTaken, Seated
from companion.web.access import Guest, nights, store
from companion.web.disputes import booking_of, earlier_answer, filled, with_names
from companion.web.render import drawing, encoded, out_of_band, regions, signed
from companion.web.table import TABLE, at_once, may_answer, shared_by, table_facts
from companion.web.words import _t, in_words, not_stored, number, speak, whole

views = Blueprint("matches", __name__)

LONGEST_KEY = 64
LONGEST_QUESTION = 2_000  # characters
_CHANGED = _t("That has changed meanwhile. Start this entry again.")
_SECRET = _t("This is a secret: it can be undone, and only whoever chose it can choose again.")


@views.get("/m/<match>")
def table(match: str) -> str:
    return _page(g.seated, g.guest)


def _page(seated: Seated, guest: Guest, **more: Any) -> str:
    tick = nights().live.tick(guest.room.night.id)
    facts = table_facts(seated, guest, tick) | more
    shared = () if more else shared_by(seated, guest, tick)  # what was typed, and why it was refused, is for this answer alone
    has = tick if shared else None  # nothing of this tick need be sent again
    return render_template("table.html", parts=regions("table", TABLE, facts, shared), has=has, **facts)


# ---- entering --------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/ask/<ask>")
def question(match: str, ask: str) -> Any:
    """One field after the other: every value that would be right is a button."""
    seated: Seated = g.seated
    asked, of = _asked(seated, ask, request.args.get("of")), request.args.get("of")
    try:
        return _enter(seated, g.guest, 200, **_step(seated, asked, of, _given(asked, of and _open_entry(seated, of))))
    except NotOffered:
        raise Refused(_CHANGED, 409) from None


def _step(seated: Seated, ask: Ask, of: str | None, answers: list[Any]) -> dict[str, Any]:
    """What comes after these answers, or all of them for a last look."""
    plain = ["skip" if each is SKIP else json.dumps(each) for each in answers]
    step = {"ask": ask, "answers": plain, "field": next_field(ask.form, answers), "labels": _labels(ask, answers)}
    return {**step, "of": of, **_corrected(seated, of)}


def _given(ask: Ask, entered: Plain) -> list[Any]:
    """The answers in the address; in a correction, where asked for, with the rest as it was entered."""
    answers = [json.loads(each) if each != "skip" else SKIP for each in _plain_answers()]
    return completed(ask.form, answers, entered) if entered and "rest" in request.args else answers


def _open_entry(seated: Seated, of: str) -> Plain:
    """What an entry says, for somebody who may know it."""
    action = _entry(seated.position.seen_by(g.guest.viewer(seated.match)), _booked(seated.position, of).line.n).action
    if action is None:
        raise Refused(_SECRET, 403)
    return action


def _corrected(seated: Seated, of: str | None) -> dict[str, Any]:
    """A correction is drawn as the table was before the entry, with what was entered."""
    if of is None:
        return {}
    entry, viewer = _booked(seated.position, of), g.guest.viewer(seated.match)
    game = seated.position.game
    before = game.view(entry.before, viewer)
    return {"state": before, "screen": game.screen(before), "entry": seated.position.seen_by(viewer).entry(entry.line.n)}


def _booked(position: Position, n: str | int) -> Booked:
    return position.booked[position.find(number(str(n)) or 0)]


def _plain_answers() -> list[str]:
    answers = request.args.getlist("a")[:100]
    for each in answers:
        try:
            each == "skip" or json.loads(each)
        except (ValueError, RecursionError):
            raise Refused(_t("This address is not one of ours."), 400) from None
    return answers


def _labels(ask: Ask, answers: list[Any]) -> list[tuple[Field, Any]]:
    """What was answered so far, with its question."""
    told: list[tuple[Field, Any]] = []
    given = iter(answers)

    def answer(field: Field) -> Any:
        told.append((field, next(given)))
        return told[-1][1]

    with suppress(StopIteration, RuntimeError):
        walk(ask.form, answer)
    return told


def _asked(seated: Seated, id: str, of: str | None = None) -> Ask:
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
        raise Refused(_t("That is for somebody else to choose, on their own phone."), 403)
    return asked


def _answers(ask: Ask, labels: list[tuple[Field, Any]], position: Position, before: Any) -> Plain:
    """The action in a posted form: its fields are named as they stand in the action. Each is added to the labels as it is read."""
    doubtful: list[str] = []  # what no button offered
    sent = request.form

    def answer(field: Field) -> Any:
        found = _answer(field, sent.get(field.name, ""), doubtful)
        labels.extend([] if doubtful else [(field, found)])
        return found

    try:
        action = walk(ask.form, answer)
    except (LookupError, ValueError, TypeError, AttributeError):
        raise Refused(_impossible(doubtful[0]) if doubtful else _t("These answers do not fit together.")) from None
    if doubtful:
        _refuse(action, doubtful[0], position, before)
    return action


def _refuse(action: Plain, typed: str, position: Position, before: Any) -> NoReturn:
    """What was not offered is refused in the words of the rules, where they know what is wrong with it."""
    try:
        position.game.apply(before, read_action(position.game, action, position.players))
    except RuleError as error:
        if error.rule != "RECORD":
            raise
    raise Refused(_impossible(typed))


def _impossible(typed: str) -> Text:
    return _t("“{typed}” is not possible here.", typed=typed[:40])


def _answer(field: Field, typed: str, doubtful: list[str]) -> Any:
    if typed == "":
        return _left_out(field)
    return whole(typed, signed=_is_signed(field)) if field.kind == "number" else _picked(field, typed, doubtful)


def _is_signed(field: Field) -> bool:
    return bool(field.values) and field.values[0] < 0


def _state_of(position: Position, ask: str) -> Any:
    """The state in which a question is or was asked."""
    answered = None if ask in position.asks else position.answer_to(ask)
    return answered.before if answered else position.state


def _left_out(field: Field) -> Any:
    if field.optional:
        return SKIP
    raise Refused(_t("Something is missing: {what}", what=field.text))


def _picked(field: Field, typed: str, doubtful: list[str]) -> Any:
    for value in field.values:
        if encoded(value) == typed:
            return value
    doubtful.append(typed)
    return _decoded(typed)


def _decoded(typed: str) -> Any:
    """The opposite of `encoded`, for a value that nobody offered."""
    try:
        return json.loads(typed)
    except (ValueError, RecursionError):
        return typed


def sent_key() -> str:
    key = request.form.get("key", "")
    if not 8 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise Refused(_t("This form has no key. Load the page again."), 400)
    return key


@views.post("/m/<match>/act/<ask>")
def act(match: str, ask: str) -> Any:
    seated, guest = g.seated, g.guest
    if _is_gone(seated.position, ask):
        return _enter(seated, guest, 409, error=speak(_CHANGED))
    asked = _asked(seated, ask)
    labels: list[tuple[Field, Any]] = []
    typed = {"typed": request.form, "open_ask": ask, "labels": labels}
    try:
        action = _answers(asked, labels, seated.position, _state_of(seated.position, ask))
        store().act(match, ask, action, guest.person.id, sent_key())
    except Answered as late:
        return _enter(store().match(match), guest, 409, error=_told_late(late, guest.room), **typed)
    except NotStored as error:
        return _enter(seated, guest, 503, error=speak(not_stored(error)), ask=asked, field=action, answers=[], **typed)
    except (RuleError, Refused, KeyTaken) as error:
        if isinstance(error, Refused) and error.status not in (422, 400):
            raise
        return _enter(seated, guest, 422, error=_said(error, seated, guest), **typed)
    return done(match, guest)


def _is_gone(position: Position, ask: str) -> bool:
    """A question that is neither open nor answered: somebody undid what led to it."""
    return ask not in position.asks and position.answer_to(ask) is None


def _said(error: RuleError | Refused | KeyTaken | LogError, seated: Seated, guest: Guest) -> str:
    if isinstance(error, KeyTaken):
        return speak(
            _t("This form was sent before with something else in it. Nothing was changed; look at the story, then enter it again.")
        )
    return in_words(error, guest.room.names(seated.match.seats))


def _told_late(late: Answered, room: Room) -> str:
    """Who was quicker, and with what."""
    if late.by is None or late.by.line.by not in room.everybody:
        return speak(_t("Somebody else entered this meanwhile. Look at the story; what you typed is kept here."))
    name = called(room.everybody[late.by.line.by])
    return speak(_t("{name} entered this meanwhile. Look at the story; what you typed is kept here.", name=name))


def done(match: str, guest: Guest, main: str = "enter") -> Any:
    """After an entry: the new regions, the one of its form first, or back to the table."""
    if not htmx_request.htmx:
        return redirect(url_for("matches.table", match=match), 303)
    tick, seated = nights().live.tick(guest.room.night.id), store().match(match) or abort(404)
    draw = drawing("table", table_facts(seated, guest, tick), shared_by(seated, guest, tick))
    parts = draw(at_once(seated))  # what lies below comes over the stream, as to all
    time.sleep(0)  # to those who only look it is sent first: whoever entered it sees it anyway
    parts |= draw(dict.fromkeys((main, "enter", "undo")))
    return make_response(out_of_band(parts, main), 200, {"X-Tick": str(tick)})


def _enter(seated: Seated | None, guest: Guest, status: int, **more: Any) -> Any:
    """The region in which something is entered, with what was typed kept; as a whole page without script."""
    assert seated is not None
    if not htmx_request.htmx:
        return _page(seated, guest, **more), status
    tick = nights().live.tick(guest.room.night.id)
    facts = table_facts(seated, guest, tick) | more
    return make_response(regions("table", ("enter",), facts)["enter"], status, {"X-Tick": str(tick)})


@views.post("/m/<match>/call")
def call(match: str) -> Any:
    """Start and stop, or hands that were swapped: called at the table for this round."""
    called = request.form.get("call", "")
    if called not in ("start", "stop", "swapped", "not-swapped"):
        abort(400)
    store().call(match, {"call": called, "by": g.guest.person.id, "round": len(g.seated.position.rounds) + 1})
    return done(match, g.guest)


# ---- explaining ------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/story")
def whole_story(match: str) -> str:
    """Every entry in force, newest first."""
    seated: Seated = g.seated
    tick = nights().live.tick(g.guest.room.night.id)
    facts = table_facts(seated, g.guest, tick)
    return render_template("story.html", **(facts | {"whole": facts["seen"].story()}))


@views.get("/m/<match>/seats/<int:n>")
def seat(match: str, n: int) -> str:
    """How a seat's number came about: every entry that changed it, who typed it, and the rule."""
    seated: Seated = g.seated
    if n >= len(seated.match.seats):
        abort(404)
    tick = nights().live.tick(g.guest.room.night.id)
    facts = table_facts(seated, g.guest, tick)
    seen = seated.position.seen_by(EVERYBODY)
    return render_template("seat.html", **(facts | {"which": n, "course": seen.course(n), "figures": seen.figures(n)}))


@views.get("/m/<match>/verdict/<ask>")
def verdict(match: str, ask: str) -> Any:
    """Who would win, before anything is entered, with a button that enters just that."""
    seated: Seated = g.seated
    asked = seated.position.asks.get(ask) or abort(404)
    question = question_in(request.args.get("question", ""), seated)
    answer = verdict_on(seated.position.game, with_names(g.guest.room, seated.match, question))
    if isinstance(answer, RuleError):
        return render_template("table/_verdict.html", error=in_words(answer, g.guest.room.names(seated.match.seats))), 422
    facts = verdict_facts(seated, g.guest, question, answer)
    return render_template("table/_verdict.html", **(facts | {"booking": filled(asked, answer.winner, question), "fragment": True}))


def verdict_facts(seated: Seated, guest: Guest, question: dict[str, Plain], verdict: Verdict) -> dict[str, Any]:
    """A verdict at the table, how it is entered, and what was answered to the same question before."""
    facts = table_facts(seated, guest, nights().live.tick(guest.room.night.id))
    earlier = earlier_answer(guest.room, seated.position.game, with_names(guest.room, seated.match, question))
    booking, key = booking_of(seated.position, question, verdict.winner), secrets.token_urlsafe(16)
    return facts | {"verdict": verdict, "question": question, "booking": booking, "earlier": earlier, "dispute_key": key}


def question_in(text: str, seated: Seated) -> dict[str, Plain]:
    """A question about this table: by seats, and where it does not say who led, from whoever leads now."""
    return about_table(_json_object(text[:LONGEST_QUESTION]), seated)


def about_table(given: dict[str, Plain], seated: Seated) -> dict[str, Plain]:
    leader = seated.position.game.known(seated.position.state).get("leader", 0)
    return {"leader": leader, **{name: value for name, value in given.items() if name not in ("game", "players", "claim")}}


def _json_object(text: str) -> dict[str, Plain]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(_t("This address is not one of ours."), 400)
    return found


# ---- undo and correct ------------------------------------------------------------------------------------------------


@views.get("/m/<match>/entries/<int:n>")
def entry(match: str, n: int) -> Any:
    """How an entry came about, who typed it, and what can be done about it."""
    seated: Seated = g.seated
    return _entry_page(seated, n, None)


def _entry_page(seated: Seated, n: int, error: str | None) -> str:
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
    labels = _labels(ask, completed(ask.form, [], action)) if ask else []
    return {field.name: encoded(value) for field, value in labels if value is not SKIP}


def _entry(seen: Seen, n: int) -> Told:
    try:
        return seen.entry(n)
    except LogError as error:
        raise Refused(error.text, 404 if request.method == "GET" else 409) from None


def _may_change(told: Told, guest: Guest, seated: Seated) -> bool:
    return guest.may_enter(seated.match) and (guest.is_host or told.by == guest.person.id)


def _checked_change(seated: Seated, n: int) -> Told:
    told = _entry(seated.position.seen_by(g.guest.viewer(seated.match)), n)
    if not _may_change(told, g.guest, seated):
        raise Refused(_t("Only {name} or the host can change this entry.", name=_name_of(told.by)), 403)
    return told


def _name_of(id: str | None) -> str:
    person = g.guest.room.everybody.get(id)
    return person.name if person else "?"


@views.post("/m/<match>/entries/<int:n>/undo")
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
def amend(match: str, n: int) -> Any:
    seated, guest = g.seated, g.guest
    if sent_key() not in seated.keys and _checked_change(seated, n).action is None:
        raise Refused(_SECRET, 403)
    labels: list[tuple[Field, Any]] = []
    try:
        asked, position = _asked(seated, "", str(n)), seated.position
        store().amend(match, n, _answers(asked, labels, position, _booked(position, n).before), guest.person.id, sent_key())
    except (RuleError, LogError, Refused, KeyTaken) as error:
        return _entry_or_table(seated, n, _said(error, seated, guest), labels)
    flash(_changed_totals(position, store().match(match), guest.room))
    table = url_for(".table", match=match)
    return make_response("", 200, {"HX-Redirect": table}) if htmx_request.htmx else redirect(table, 303)


def _changed_totals(before: Position, seated: Seated | None, room: Room) -> str:
    """Whose totals a correction changed: it may have moved points of people whom nobody was looking at."""
    assert seated is not None
    names, totals = room.names(seated.match.seats), zip(before.standings, seated.position.standings, strict=True)
    changes = [f"{names[old.seat]} {signed(old.points)} → {signed(new.points)}" for old, new in totals if old.points != new.points]
    return speak(_t("Corrected. {changes}.", changes=", ".join(changes)) if changes else _t("Corrected."))


def _entry_or_table(seated: Seated, n: int, error: str, labels: Sequence[tuple[Field, Any]] = ()) -> Any:
    """Where the change was asked for: the correction with what was answered, the table, or the page of the entry."""
    if htmx_request.htmx and labels:
        asked = _asked(seated, "", str(n))
        return _enter(seated, g.guest, 409, error=error, **_step(seated, asked, str(n), [value for _, value in labels]))
    if htmx_request.htmx:
        return _enter(seated, g.guest, 409, error=error)
    return _entry_page(seated, n, error), 409
