"""A match: choose a game, sit down, enter what happened, undo it, correct it."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import Field as Option
from dataclasses import fields
from functools import cache
from typing import Any

from flask import Blueprint, abort, g, make_response, redirect, render_template, request, url_for
from htmx_flask import request as htmx_request
from markupsafe import Markup

from companion.database import NotStored
from companion.games import GAMES, AnyGame, read_options, read_players, verdict_on
from companion.games.base import EVERYBODY, SKIP, Ask, Field, Plain, RuleError
from companion.games.forms import NotOffered, ask_for, is_offered, next_field, walk
from companion.log import LogError, Seen, Told
from companion.models import Match
from companion.nights import Refused, Room
from companion.store import Answered, KeyTaken, Seated
from companion.web.access import Guest, is_current, nights, store
from companion.web.render import encoded, kept, out_of_band, partial, regions, shared_regions
from companion.web.words import _t, not_stored, number, speak

views = Blueprint("matches", __name__)

SHARED, FORMS = ("waiting", "board", "standings", "story"), ("enter", "undo")
TABLE = (*SHARED, *FORMS)
STORY = 10  # entries shown at the table; the whole story has a page of its own
LONGEST_KEY = 64


# ---- sitting down ----------------------------------------------------------------------------------------------------


@views.get("/n/<night>/new")
def choose(night: str) -> str:
    return render_template("choose.html", guest=g.guest, room=g.guest.room, tick=0)


@views.get("/n/<night>/new/<game>")
def prepare(night: str, game: str) -> str:
    played = _game(game)
    seats, options = _from_last(request.args.get("again", ""), g.guest.room)
    return _prepare_page(played, seats, options, None)


@views.post("/n/<night>/new/<game>")
def start(night: str, game: str) -> Any:
    played, room = _game(game), g.guest.room
    seats = _chosen_seats(room)
    try:
        read_players(played, room.names(seats))
        options = _chosen_options(played, seats)
        played.setup(len(seats), read_options(played, options, len(seats)))
    except (RuleError, Refused) as error:
        return _prepare_page(played, seats, dict(request.form), speak(error.text, room.names(seats))), 422
    match = store().start(Match(night_id=night, game=game, seats=seats, options=options, started_by=g.guest.person.id))
    return redirect(url_for(".table", match=match.id), 303)


def _game(id: str) -> AnyGame:
    return GAMES.get(id) or abort(404)


def _prepare_page(game: AnyGame, seats: list[str], options: Mapping[str, Any], error: str | None) -> str:
    shown = [each for each in fields(game.options) if kind_of(each) not in ("list", "other")]
    facts = {"game": game, "seats": seats, "shown": shown, "given": options, "error": error, "kind_of": kind_of}
    return render_template("prepare.html", guest=g.guest, room=g.guest.room, tick=0, **facts)


def _from_last(again: str, room: Room) -> tuple[list[str], dict[str, Any]]:
    """Play again: the same seats and house rules, the next one starts."""
    last = store().match(again) if again else None
    if last is None or last.match.night_id != room.night.id:
        return [], {}
    here = {person.id for person in room.people}
    seats = [seat for seat in last.match.seats if seat in here]
    options = dict(last.match.options)
    for each in fields(GAMES[last.match.game].options):
        if kind_of(each) == "seat" and seats:
            options[each.name] = seats[(options.get(each.name, 0) + 1) % len(seats)]
    return seats, options


def _chosen_seats(room: Room) -> list[str]:
    """The people in the order they were tapped, else as they stand in the form."""
    order = [id for id in request.form.get("order", "").split(",") if id]
    chosen = list(dict.fromkeys(request.form.getlist("seat")))
    known = {person.id for person in room.players}
    return [id for id in sorted(chosen, key=lambda id: order.index(id) if id in order else len(order)) if id in known]


def kind_of(option: Option[Any]) -> str:
    """How a house rule is chosen."""
    if option.metadata.get("kind"):
        return str(option.metadata["kind"])
    if option.metadata["choices"]:
        return "choice"
    return "number" if type(option.default) is int else "other"


def _chosen_options(game: AnyGame, seats: list[str]) -> dict[str, Plain]:
    chosen = {each.name: _chosen(each, request.form.get(each.name, ""), seats) for each in fields(game.options)}
    return {name: value for name, value in chosen.items() if value is not SKIP}


def _chosen(option: Option[Any], typed: str, seats: list[str]) -> Any:
    match kind_of(option):
        case "seat" if typed == "pick":
            return secrets.randbelow(len(seats))
        case "seat":
            return seats.index(typed) if typed in seats else SKIP
        case "choice":
            return next((value for value in option.metadata["choices"] if str(value) == typed), SKIP)
        case "number" if typed:
            return _whole(typed)
        case "list" if typed:
            return typed.split(",")
        case _:
            return SKIP


def _whole(typed: str) -> int:
    found = number(typed)
    if found is None:
        raise Refused(_t("“{typed}” is no whole number.", typed=typed[:40]))
    return found


# ---- the table -------------------------------------------------------------------------------------------------------


@views.get("/m/<match>")
def table(match: str) -> str:
    return _page(g.seated, g.guest)


def _page(seated: Seated, guest: Guest, **more: Any) -> str:
    tick = nights().live.tick(guest.room.night.id)
    facts = table_facts(seated, guest, tick) | more
    return render_template("table.html", parts=regions("table", TABLE, facts, shared_by(seated, guest, tick)), **facts)


def table_regions(seated: Seated, guest: Guest, tick: int) -> dict[str, Markup]:
    return regions("table", TABLE, table_facts(seated, guest, tick), shared_by(seated, guest, tick))


def table_in_turns(seated: Seated, guest: Guest, tick: int) -> Iterator[dict[str, Markup]]:
    """First what all see, so that it is on every phone at once; then the forms of this one."""
    facts = cache(lambda: table_facts(seated, guest, tick))
    yield shared_regions("table", SHARED, facts, shared_by(seated, guest, tick))
    time.sleep(0)
    yield regions("table", FORMS, facts(), shared_by(seated, guest, tick))


def shared_by(seated: Seated, guest: Guest, tick: int) -> tuple[Any, ...]:
    """Who gets the same regions: everybody, but in a game with secrets every seat its own; nobody where they are old already."""
    if not is_current(guest, seated):
        return ()
    has_secrets = any(kind.secret for kind in seated.position.game.actions)
    return (tick, seated.match.id, guest.seat_at(seated.match) if has_secrets else None)


def table_facts(seated: Seated, guest: Guest, tick: int) -> dict[str, Any]:
    match, seen = seated.match, seated.position.seen_by(guest.viewer(seated.match))
    may_enter, undoable = guest.may_enter(match), _undoable(seen, guest)
    return _facts(guest.room, match, seen, tick) | {
        "guest": guest,
        "seat": guest.seat_at(match),
        "may_enter": may_enter,
        "asks": cache(lambda: open_asks(seen, guest, match)),
        "own": (
            *(("enter",) if may_enter else ()),
            *(("undo",) if undoable else ()),
        ),  # with forms; what others see there is the same for all
        "key_of": lambda ask: form_key(seated, guest, ask),
        "undoable": undoable,
        "typed": {},
        "error": None,
        "field": None,
        "ask": None,
        "open_ask": None,
    }


def _facts(room: Room, match: Match, seen: Seen, tick: int) -> dict[str, Any]:
    names = room.names(match.seats)
    call = match.call if match.call and match.call.get("round") == len(seen.rounds) + 1 else None
    facts: dict[str, Any] = {
        "room": room, "night": room.night, "match": match, "game": seen.game, "seen": seen, "names": names, "tick": tick, "call": call,
        "story": cache(lambda: seen.story(STORY)), "state": seen.state, "lines": lambda: _lines(facts), "STORY": STORY,
        "phones": [room.everybody[id].phone is not None for id in match.seats],
        "person": lambda id: room.everybody[id].name if id in room.everybody else "",
    }  # fmt: skip
    return facts


def _lines(facts: dict[str, Any]) -> Markup:
    """The lines of the story: each stays the same until something is undone or corrected."""
    match, changes = facts["match"].id, facts["seen"].changes

    def line(told: Told) -> Markup:
        return kept(("told", match, told.n, told.action is None), changes, lambda: partial("table", "told", facts | {"told": told}))

    return Markup("".join(map(line, facts["story"]())))


def newest_table(room: Room) -> dict[str, Any]:
    """The last match of the night as somebody sees it who only looks."""
    played = nights().matches(room.night.id)
    seated = store().match(played[-1].id) if played else None
    if seated is None:
        return {"match": None, "game": None}
    return _facts(room, seated.match, seated.position.seen_by(EVERYBODY), 0) | {"seat": None, "guest": None, "may_enter": False}


def open_asks(seen: Seen, guest: Guest, match: Match) -> list[Ask]:
    return [ask for ask in seen.game.asks(seen._position.state) if may_answer(ask, seen, guest, match)] if guest.may_enter(match) else []


def may_answer(ask: Ask, seen: Seen, guest: Guest, match: Match) -> bool:
    """A seat's own question is its own, unless the seat has no phone; a secret is nobody else's in any case."""
    if not ask.seats or seen.viewer.intersection(ask.seats):
        return True
    secret = any(kind.secret for kind in seen.game.actions if kind.do == ask.do)
    return not secret and all(guest.room.everybody[match.seats[seat]].phone is None for seat in ask.seats)


def form_key(seated: Seated, guest: Guest, ask: str) -> str:
    """The key of a form: the same however often it is drawn, another one after every undo and once it was used."""
    said = json.dumps([seated.match.id, guest.person.id, ask, seated.position.changes])
    key = hashlib.sha256(said.encode()).hexdigest()[:32]
    while key in seated.keys:  # the question came back: 5, corrected to 6, corrected to 5 again
        key = hashlib.sha256(key.encode()).hexdigest()[:32]
    return key


def _undoable(seen: Seen, guest: Guest) -> Told | None:
    """The newest entry, where this person may undo it."""
    newest = seen.story(1)
    return newest[0] if newest and (guest.is_host or newest[0].by == guest.person.id) else None


# ---- entering --------------------------------------------------------------------------------------------------------


@views.get("/m/<match>/ask/<ask>")
def question(match: str, ask: str) -> Any:
    """One field after the other: every value that would be right is a button."""
    seated: Seated = g.seated
    asked = _asked(seated, ask, request.args.get("of"))
    answers = [json.loads(each) if each != "skip" else SKIP for each in _plain_answers()]
    try:
        found = next_field(asked.form, answers)
    except NotOffered:
        raise Refused(_t("That has changed meanwhile. Start this entry again."), 409) from None
    facts = {"ask": asked, "answers": _plain_answers(), "field": found, "of": request.args.get("of"), "labels": _labels(asked, answers)}
    return _enter(seated, g.guest, 200, **facts)


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
        entry = position.booked[position.find(number(of) or 0)]
        return ask_for(position.game.asks(entry.before), entry.action) or abort(404)
    asked = position.asks_by_id().get(id)
    if asked is None:
        answered = position.answer_to(id) or abort(404)
        asked = next(ask for ask in position.game.asks(answered.before) if ask.id == id)
    if not may_answer(asked, position.seen_by(g.guest.viewer(seated.match)), g.guest, seated.match):
        raise Refused(_t("That is for somebody else to choose, on their own phone."), 403)
    return asked


def _answers(ask: Ask, labels: list[tuple[Field, Any]]) -> Plain:
    """The action in a posted form: its fields are named as they stand in the action. Each is added to the labels as it is read."""

    def answer(field: Field) -> Any:
        labels.append((field, _answer(field, request.form.get(field.name, ""))))
        return labels[-1][1]

    try:
        return walk(ask.form, answer)
    except (IndexError, KeyError, ValueError):
        raise Refused(_t("These answers do not fit together.")) from None


def _answer(field: Field, typed: str) -> Any:
    if typed == "":
        return _left_out(field)
    return _whole(typed) if field.kind == "number" else _picked(field, typed)


def _left_out(field: Field) -> Any:
    if field.optional:
        return SKIP
    raise Refused(_t("Something is missing: {what}", what=field.text))


def _picked(field: Field, typed: str) -> Any:
    for value in field.values:
        if encoded(value) == typed:
            return value
    raise Refused(_t("“{typed}” is not possible here.", typed=typed[:40]))


def _key() -> str:
    key = request.form.get("key", "")
    if not 8 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise Refused(_t("This form has no key. Load the page again."), 400)
    return key


@views.post("/m/<match>/act/<ask>")
def act(match: str, ask: str) -> Any:
    seated, guest, asked = g.seated, g.guest, _asked(g.seated, ask)
    labels: list[tuple[Field, Any]] = []
    typed = {"typed": request.form, "open_ask": ask, "labels": labels}
    try:
        action = _answers(asked, labels)
        store().act(match, ask, action, guest.person.id, _key())
    except Answered as late:
        return _enter(store().match(match), guest, 409, error=_told_late(late, guest.room), **typed)
    except NotStored as error:
        return _enter(seated, guest, 503, error=speak(not_stored(error)), ask=asked, field=action, answers=[], **typed)
    except (RuleError, Refused, KeyTaken) as error:
        if isinstance(error, Refused) and error.status not in (422, 400):
            raise
        return _enter(seated, guest, 422, error=_said(error, seated, guest), **typed)
    return _done(match, guest)


def _said(error: RuleError | Refused | KeyTaken | LogError, seated: Seated, guest: Guest) -> str:
    if isinstance(error, KeyTaken):
        return speak(
            _t("This form was sent before with something else in it. Nothing was changed; look at the story, then enter it again.")
        )
    return speak(error.text, guest.room.names(seated.match.seats))


def _told_late(late: Answered, room: Room) -> str:
    """Who was quicker, and with what."""
    if late.by is None or late.by.line.by not in room.everybody:
        return speak(_t("Somebody else entered this meanwhile. Look at the story; what you typed is kept here."))
    name = room.everybody[late.by.line.by].name
    return speak(_t("{name} entered this meanwhile. Look at the story; what you typed is kept here.", name=name))


def _done(match: str, guest: Guest) -> Any:
    """After an entry: the new regions, or back to the table."""
    if not htmx_request.htmx:
        return redirect(url_for(".table", match=match), 303)
    tick = nights().live.tick(guest.room.night.id)
    parts = table_regions(store().match(match) or abort(404), guest, tick)
    return make_response(out_of_band(parts, "enter"), 200, {"X-Tick": str(tick)})


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
    """Start and stop, called at the table."""
    called = request.form.get("call", "")
    if called not in ("start", "stop"):
        abort(400)
    store().call(match, {"call": called, "by": g.guest.person.id, "round": len(g.seated.position.rounds) + 1})
    return _done(match, g.guest)


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
    return render_template("seat.html", **(facts | {"which": n, "course": seated.position.seen_by(EVERYBODY).course(n)}))


@views.get("/m/<match>/verdict/<ask>")
def verdict(match: str, ask: str) -> Any:
    """Who would win, before anything is entered, with a button that enters just that."""
    seated: Seated = g.seated
    asked = seated.position.asks_by_id().get(ask) or abort(404)
    given = _json_object(request.args.get("question", ""))
    names = g.guest.room.names(seated.match.seats)
    leader = seated.position.game.report(seated.position.state).get("leader") or 0
    answer = verdict_on(seated.position.game, {"leader": leader, **given, "players": names})
    if isinstance(answer, RuleError):
        return render_template("table/_verdict.html", error=speak(answer.text, names)), 422
    facts = table_facts(seated, g.guest, nights().live.tick(g.guest.room.night.id))
    return render_template(
        "table/_verdict.html", **(facts | {"verdict": answer, "ask": asked, "booked": _booking(asked, answer.winner, given)})
    )


def _json_object(text: str) -> dict[str, Plain]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(_t("This address is not one of ours."), 400)
    return found


def _booking(ask: Ask, winner: int | None, given: Mapping[str, Plain]) -> dict[str, str]:
    """The fields that enter a verdict as the outcome; none where this question takes no such answer."""
    booked: dict[str, str] = {}

    def answer(field: Field) -> Any:
        value = winner if field.name == "winner" else given.get(field.name, SKIP)
        if not is_offered(field, value):
            raise NotOffered
        booked.update({} if value is SKIP else {field.name: encoded(value)})
        return value

    try:
        walk(ask.form, answer)
    except NotOffered:
        return {}
    return booked


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
    before = seated.position.booked[seated.position.find(n)]
    asked = ask_for(seated.position.game.asks(before.before), before.action) if told.action is not None else None
    facts = table_facts(seated, guest, tick) | {"entry": told, "ask": asked, "may_change": _may_change(told, guest, seated), "error": error}
    return render_template("entry.html", **facts)


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
    if _key() not in seated.keys:
        _checked_change(seated, n)
    try:
        store().undo(match, n, guest.person.id, _key())
    except (LogError, KeyTaken) as error:
        return _entry_or_table(seated, n, _said(error, seated, guest))
    return _done(match, guest)


@views.post("/m/<match>/entries/<int:n>/amend")
def amend(match: str, n: int) -> Any:
    seated, guest = g.seated, g.guest
    if _key() not in seated.keys and _checked_change(seated, n).action is None:
        raise Refused(_t("This is a secret: it can be undone, and only whoever chose it can choose again."), 403)
    try:
        asked = _asked(seated, "", str(n))
        store().amend(match, n, _answers(asked, []), guest.person.id, _key())
    except (RuleError, LogError, Refused, KeyTaken) as error:
        return _entry_or_table(seated, n, _said(error, seated, guest))
    table = url_for(".table", match=match)
    return make_response("", 200, {"HX-Redirect": table}) if htmx_request.htmx else redirect(table, 303)


def _entry_or_table(seated: Seated, n: int, error: str) -> Any:
    if htmx_request.htmx:
        return _enter(seated, g.guest, 409, error=error)
    return _entry_page(seated, n, error), 409
