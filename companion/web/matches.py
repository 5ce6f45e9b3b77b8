"""A match: choose a game, sit down, enter what happened, undo it, correct it."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field as Option
from dataclasses import fields
from functools import cache
from typing import Any, NoReturn

from flask import Blueprint, abort, g, make_response, redirect, render_template, request, session, url_for
from htmx_flask import request as htmx_request
from markupsafe import Markup

from companion.database import NotStored
from companion.games import GAMES, AnyGame, read_action, read_options, read_players, verdict_on
from companion.games.base import EVERYBODY, SKIP, Ask, Field, Plain, RuleError, Text, Verdict
from companion.games.forms import NotOffered, ask_for, completed, next_field, walk
from companion.log import Booked, LogError, Position, Seen, Told
from companion.models import Match, Preset
from companion.names import BadName
from companion.nights import Refused, Room, called
from companion.store import Answered, KeyTaken, Seated
from companion.web.access import Guest, house, is_current, nights, store
from companion.web.disputes import booking_of, earlier_answer, filled, open_at, remarks, with_names
from companion.web.render import encoded, kept, once, out_of_band, partial, regions, shared_regions
from companion.web.words import _t, not_stored, number, signed_number, speak, tongue

views = Blueprint("matches", __name__)

SHARED, FORMS = ("waiting", "board", "standings", "story"), ("enter", "undo", "dispute")
TABLE = (*SHARED, *FORMS)
STORY = 10  # entries shown at the table; the whole story has a page of its own
LONGEST_KEY = 64
LONGEST_QUESTION = 2_000  # characters
_SECRET = _t("This is a secret: it can be undone, and only whoever chose it can choose again.")


# ---- sitting down ----------------------------------------------------------------------------------------------------


@views.get("/n/<night>/new")
def choose(night: str) -> str:
    return render_template("choose.html", guest=g.guest, room=g.guest.room, again=request.args.get("again"), tick=0)


@views.get("/n/<night>/new/<game>")
def prepare(night: str, game: str) -> str:
    """Again, or the next game with the same people: they sit where they sat."""
    played, again, room = _game(game), request.args.get("again"), g.guest.room
    last = _last_match(again, room)
    seats = _still_here(last, room) if last else []
    if not again and len(seats) not in played.players:
        seats = []
    options = _options_again(last, seats) if last and again and last.game == game else {}
    preset = _preset(game, request.args.get("preset", ""))
    chosen = [id for id in request.args.getlist("seat") if id in room.everybody]
    return _prepare_page(played, chosen or seats, {**options, **(preset.options if preset else {})}, None)


def _preset(game: str, id: str) -> Preset | None:
    return next((each for each in house().presets(g.guest.room.night, game) if each.id == id), None) if id else None


@views.post("/n/<night>/new/<game>/rules")
def save(night: str, game: str) -> Any:
    """Keep the house rules chosen here under a name, for this night and the next ones."""
    played, room = _game(game), g.guest.room
    seats = _chosen_seats(room)
    try:
        options = {name: value for name, value in _chosen_options(played, seats).items() if name in _rules_of(played)}
        read_options(played, options, played.players[0])
        preset = house().save(room.night, game, request.form.get("rules_name", ""), options, g.guest.person.id)
    except (RuleError, Refused, BadName) as error:
        return _prepare_page(played, seats, request.form.to_dict(), speak(error.text)), 422
    return redirect(url_for(".prepare", night=night, game=game, preset=preset.id, seat=seats), 303)


def _rules_of(game: AnyGame) -> set[str]:
    """The options that are about the rules; the others are about this very match: who begins, what lies where."""
    return {each.name for each in fields(game.options) if kind_of(each) in ("choice", "number")}


@views.post("/n/<night>/new/<game>")
def start(night: str, game: str) -> Any:
    played, room = _game(game), g.guest.room
    seats = _chosen_seats(room)
    try:
        read_players(played, room.names(seats))
        options = _chosen_options(played, seats)
        played.setup(len(seats), read_options(played, options, len(seats)))
    except (RuleError, Refused) as error:
        return _prepare_page(played, seats, request.form.to_dict(), _in_words(error, room.names(seats))), 422
    match = store().start(Match(night_id=night, game=game, seats=seats, options=options, started_by=g.guest.person.id))
    return redirect(url_for(".table", match=match.id), 303)


def _game(id: str) -> AnyGame:
    return GAMES.get(id) or abort(404)


def _prepare_page(game: AnyGame, seats: list[str], options: Mapping[str, Any], error: str | None) -> str:
    shown = [each for each in fields(game.options) if kind_of(each) not in ("list", "other")]
    facts = {"game": game, "seats": seats, "shown": shown, "given": options, "error": error, "kind_of": kind_of}
    facts |= {"presets": house().presets(g.guest.room.night, game.id), "savable": _rules_of(game)}
    return render_template("prepare.html", guest=g.guest, room=g.guest.room, tick=0, **facts)


def _last_match(again: str | None, room: Room) -> Match | None:
    """The match to play again, else the night's newest."""
    played = nights().matches(room.night.id)
    return next((match for match in reversed(played) if again in (None, match.id)), None)


def _still_here(last: Match, room: Room) -> list[str]:
    here = {person.id for person in room.people}
    return [seat for seat in last.seats if seat in here]


def _options_again(last: Match, seats: list[str]) -> dict[str, Any]:
    """The same house rules as the form knows them; the next one starts."""
    options = dict(last.options)
    for each in fields(GAMES[last.game].options):
        if kind_of(each) == "seat" and seats:
            options[each.name] = _next_seat(last.seats, options.get(each.name, each.default), seats)
        if kind_of(each) == "each":
            options |= {f"{each.name}.{seat}": value for seat, value in zip(last.seats, options.pop(each.name, ()), strict=False)}
    return options


def _next_seat(sat: list[str], starter: int, here: list[str]) -> str:
    """Clockwise from whoever started, the first one who is still here."""
    return next(seat for seat in sat[starter + 1 :] + sat[: starter + 1] if seat in here)


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
    chosen = {each.name: _chosen(each, _typed(each, seats), seats) for each in fields(game.options)}
    return {name: value for name, value in chosen.items() if value is not SKIP}


def _typed(option: Option[Any], seats: list[str]) -> str:
    """What stands in the form; where every seat chooses, seat by seat with commas."""
    if kind_of(option) != "each":
        return request.form.get(option.name, "")
    return ",".join(request.form.get(f"{option.name}.{seat}", "") for seat in seats)


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
        case "each" if typed.strip(","):
            return typed.split(",")
        case "text":
            return typed
        case "lines" if typed.strip():
            return [line for line in typed.splitlines() if line.strip()]
        case _:
            return SKIP


def _whole(typed: str, signed: bool = False) -> int:
    found = signed_number(typed) if signed else number(typed)
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
    shared = () if more else shared_by(seated, guest, tick)  # what was typed, and why it was refused, is for this answer alone
    has = tick if shared else None  # nothing of this tick need be sent again
    return render_template("table.html", parts=regions("table", TABLE, facts, shared), has=has, **facts)


def table_regions(seated: Seated, guest: Guest, tick: int) -> dict[str, Markup]:
    return regions("table", TABLE, table_facts(seated, guest, tick), shared_by(seated, guest, tick))


def table_in_turns(seated: Seated, guest: Guest, tick: int) -> tuple[Callable[[], dict[str, Markup]], ...]:
    """First what all see, so that it is on every phone at once; then the forms of this one."""
    facts, shared = once(lambda: table_facts(seated, guest, tick)), shared_by(seated, guest, tick)
    return lambda: shared_regions("table", SHARED, facts, shared), lambda: regions("table", FORMS, facts(), shared_by(seated, guest, tick))


def shared_by(seated: Seated, guest: Guest, tick: int) -> tuple[Any, ...]:
    """Who gets the same regions: everybody, but in a game with secrets every seat its own; nobody where they are old already."""
    if not is_current(guest, seated):
        return ()
    return (tick, seated.match.id, guest.seat_at(seated.match) if _has_secrets(seated.position.game) else None)


@cache
def _has_secrets(game: AnyGame) -> bool:
    return any(kind.secret for kind in game.actions)


def table_facts(seated: Seated, guest: Guest, tick: int) -> dict[str, Any]:
    match, seen = seated.match, seated.position.seen_by(guest.viewer(seated.match))
    may_enter, undoable = guest.may_enter(match), _undoable(seen, guest)
    facts = _facts(guest.room, match, seen, tick)
    return facts | {
        "guest": guest,
        "seat": guest.seat_at(match),
        "may_enter": may_enter,
        "asks": once(lambda: open_asks(seen, guest, match)),
        "own": (
            *(("enter",) if may_enter else ()),
            *(("dispute",) if may_enter and facts["disputes"]() else ()),
            *(("undo",) if undoable else ()),
        ),  # with forms; what others see there is the same for all
        "whose": _whose(guest),
        "key_of": lambda ask: form_key(seated, guest, ask),
        "undoable": undoable,
        "typed": {},
        "error": None,
        "field": None,
        "ask": None,
        "open_ask": None,
    }


def _whose(guest: Guest) -> tuple[str, ...]:
    """A person's phone: forms have a token in them that is right for its session alone."""
    return (guest.person.id, session["csrf_token"]) if "csrf_token" in session else ()


def _facts(room: Room, match: Match, seen: Seen, tick: int) -> dict[str, Any]:
    names = room.names(match.seats)
    call = match.call if match.call and match.call.get("round") == len(seen.rounds) + 1 else None
    facts: dict[str, Any] = {
        "room": room, "night": room.night, "match": match, "game": seen.game, "seen": seen, "names": names, "tick": tick, "call": call,
        "story": once(lambda: seen.story(STORY)), "state": seen.state, "lines": lambda: _lines(facts), "STORY": STORY,
        "phones": [room.everybody[id].phone is not None for id in match.seats],
        "person": lambda id: speak(called(room.everybody[id])) if id in room.everybody else "",
        "disputes": once(lambda: open_at(room, match, seen._position)), "remarks": once(lambda: remarks(room, match, seen._position)),
    }  # fmt: skip
    return facts


def _lines(facts: dict[str, Any]) -> Markup:
    """The lines of the story: each stays the same until something is undone or corrected."""
    match, changes, spoken = facts["match"].id, facts["seen"].changes, tongue()

    def line(told: Told) -> Markup:
        stamp = (changes, facts["remarks"]().get(told.n))
        return kept(("told", spoken, match, told.n, told.action is None), stamp, lambda: drawn(told))

    def drawn(told: Told) -> Markup:
        return partial("table", "told", facts | {"told": told})

    return Markup("".join(map(line, facts["story"]())))


def looked_at(room: Room, seated: Seated) -> dict[str, Any]:
    """A match as somebody sees it who only looks."""
    return _facts(room, seated.match, seated.position.seen_by(EVERYBODY), 0) | {"seat": None, "guest": None, "may_enter": False}


def open_asks(seen: Seen, guest: Guest, match: Match) -> list[Ask]:
    return [ask for ask in seen._position.asks.values() if may_answer(ask, seen, guest, match)] if guest.may_enter(match) else []


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
    asked, of = _asked(seated, ask, request.args.get("of")), request.args.get("of")
    try:
        return _enter(seated, g.guest, 200, **_step(seated, asked, of, _given(asked, of and _open_entry(seated, of))))
    except NotOffered:
        raise Refused(_t("That has changed meanwhile. Start this entry again."), 409) from None


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
    return {"state": seated.position.game.view(entry.before, viewer), "entry": seated.position.seen_by(viewer).entry(entry.line.n)}


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

    def answer(field: Field) -> Any:
        found = _answer(field, request.form.get(field.name, ""), doubtful)
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
    return _whole(typed, signed=_is_signed(field)) if field.kind == "number" else _picked(field, typed, doubtful)


def _is_signed(field: Field) -> bool:
    return any(value < 0 for value in field.values[:1])


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
    seated, guest, asked = g.seated, g.guest, _asked(g.seated, ask)
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


def _said(error: RuleError | Refused | KeyTaken | LogError, seated: Seated, guest: Guest) -> str:
    if isinstance(error, KeyTaken):
        return speak(
            _t("This form was sent before with something else in it. Nothing was changed; look at the story, then enter it again.")
        )
    return _in_words(error, guest.room.names(seated.match.seats))


class InWords(str):
    """What is wrong, as people read it, and the rule that says so."""

    rule = ""


def _in_words(error: RuleError | Refused | LogError, names: list[str]) -> InWords:
    said = InWords(speak(error.text, names))
    said.rule = getattr(error, "rule", "")
    return said


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
    tick = nights().live.tick(guest.room.night.id)
    parts = table_regions(store().match(match) or abort(404), guest, tick)
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
        return render_template("table/_verdict.html", error=_in_words(answer, g.guest.room.names(seated.match.seats))), 422
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
    table = url_for(".table", match=match)
    return make_response("", 200, {"HX-Redirect": table}) if htmx_request.htmx else redirect(table, 303)


def _entry_or_table(seated: Seated, n: int, error: str, labels: Sequence[tuple[Field, Any]] = ()) -> Any:
    """Where the change was asked for: the correction with what was answered, the table, or the page of the entry."""
    if htmx_request.htmx and labels:
        asked = _asked(seated, "", str(n))
        return _enter(seated, g.guest, 409, error=error, **_step(seated, asked, str(n), [value for _, value in labels]))
    if htmx_request.htmx:
        return _enter(seated, g.guest, 409, error=error)
    return _entry_page(seated, n, error), 409
