"""“Who wins this trick?”, without a night. The address is the question: every tap is a link to a longer one, and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple, get_origin, get_type_hints
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, current_app, render_template, request
from qrcode.exceptions import DataOverflowError
from werkzeug.datastructures import MultiDict

from companion.games import GAMES, AnyGame, verdict_on
from companion.games.base import Field, Plain, Reason, RuleError, Text, Verdict
from companion.games.disputes import Disputes, WhatIf
from companion.games.forms import NotOffered, as_far_as
from companion.games.record import Question
from companion.names import BadName, tidy
from companion.web import pictures
from companion.web.nights import qr
from companion.web.words import _t, number, speak

views = Blueprint("resolver", __name__)

LONGEST_ADDRESS = 6_000  # characters; five long names in any script fit
LONGEST_QUOTE = 40  # characters of what makes no sense
USUAL_PLAYERS = 4
NONE, NOTHING = "none", "nothing"  # stand for null and for an empty list in an address
PEOPLE = tuple(field.name for field in fields(Question))  # in every question; the rest is the game's own
MALFORMED = _t("This address is no question that can be answered, so here is an empty one.")


# ---- a question, as far as it was asked ------------------------------------------------------------------------------


class Malformed(Exception):
    """An address that makes no sense, and why."""

    def __init__(self, text: Text, names: Sequence[str] = ()) -> None:
        super().__init__(text, names)
        self.text, self.names = text, names


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address says: who sits there, and what was chosen so far."""

    game: AnyGame
    players: int
    called: tuple[str, ...] = ()  # as given; empty for whoever has no name
    leader: int = 0
    claim: int | None = None
    chosen: Plain = None
    waiting: tuple[Field, ...] = ()  # what can be chosen next
    complete: Plain = None  # the chosen in full, once it is a question

    @property
    def disputes(self) -> Disputes:
        assert self.game.disputes is not None
        return self.game.disputes

    @property
    def names(self) -> list[str]:
        given = (*self.called, *[""] * self.players)
        return [given[seat] or speak(_t("Player {n}", n=seat + 1)) for seat in range(self.players)]

    @property
    def turns(self) -> tuple[int, ...]:
        """Who plays each card."""
        return self.disputes.turns(self.players, self.leader, self.chosen)

    @property
    def next(self) -> Field | None:
        """What has to be chosen before there can be a verdict."""
        return self.waiting[0] if self.complete is None else None

    @property
    def question(self) -> Plain:
        """As `resolve` takes it."""
        led = {"leader": self.leader} if self.disputes.led else {}
        believed = {} if self.claim is None else {"claim": self.claim}
        return {"game": self.game.id, "players": self.names, **led, **believed, **self.complete}

    @property
    def address(self) -> str:
        return _address(self.game.id, self._people, self.chosen if self.complete is None else self.complete)

    @property
    def _people(self) -> list[tuple[str, str]]:
        called = [("name", name) for name in self.called] if any(self.called) else []
        led = [("leader", str(self.leader))] if self.leader else []
        return [("players", str(self.players)), *called, *led, *([] if self.claim is None else [("claim", str(self.claim))])]

    # ---- where a tap leads -------------------------------------------------------------------------------------------

    def choosing(self, name: str, value: Plain) -> str:
        """With one more thing chosen."""
        return replace(self, chosen=_put(self.chosen, name, value), complete=None).address

    def back_to(self, name: str, length: int) -> str:
        """With only the first few of a list, and nothing that came after it."""
        before = dict(list(self.chosen.items())[: list(self.chosen).index(name)])
        return replace(self, chosen={**before, name: self.chosen[name][:length]}, complete=None, claim=None).address

    def without(self, *names: str) -> str:
        left = {name: value for name, value in self.chosen.items() if name not in names}
        return replace(self, chosen=left, complete=None, claim=None).address

    def led_by(self, seat: int) -> str:
        return replace(self, leader=seat, complete=None, chosen=_unplayed(self)).address

    def played_by(self, players: int) -> str:
        """With another number of players; the cards belong to others then."""
        leader = self.leader if self.leader < players else 0
        return replace(
            self, players=players, called=self.called[:players], leader=leader, claim=None, complete=None, chosen=_unplayed(self)
        ).address

    def claimed_by(self, seat: int | None) -> str:
        return replace(self, claim=seat).address

    def supposing(self, what_if: str) -> str:
        return f"{self.address}&if={what_if}"

    def editing(self, turn: int, name: str = "", value: Plain = None) -> str:
        """With one card open for more, and perhaps something more on it."""
        chosen = _put(self.chosen, name, value) if name else self.chosen
        return f"{replace(self, chosen=chosen, complete=None).address}&edit={turn}"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Everything chosen so far, for a form that adds to it."""
        return [*_pairs(self.chosen), *replace(self, claim=None)._people]

    @property
    def unnamed(self) -> list[tuple[str, str]]:
        """Everything but the names, for the form that changes them."""
        return [*_pairs(self.chosen), *replace(self, called=())._people]


def _unplayed(asked: Asked) -> Plain:
    return {name: value for name, value in asked.chosen.items() if name != "cards"}


def _put(plain: Plain, name: str, value: Plain) -> Plain:
    """A copy with a value at a path such as `cards.2.green`."""
    fresh = deepcopy(plain)
    *above, last = name.split(".")
    place = fresh
    for n, part in enumerate(above):
        below: Plain = [] if [*above, last][n + 1].isdecimal() else {}
        place = place.setdefault(part, below) if isinstance(place, dict) else _item(place, int(part), below)
    if isinstance(place, dict):
        place[last] = value
    else:
        _item(place, int(last), value)
    return fresh


def _item(items: list[Plain], at: int, fresh: Plain) -> Plain:
    """The item there, added where it is the next one."""
    if at == len(items):
        items.append(fresh)
    return items[at]


# ---- the address -----------------------------------------------------------------------------------------------------


def address_of(question: Plain) -> str:
    """Where a question, as `resolve` takes it, is answered."""
    people = [("name", name) for name in question["players"]]
    people += [(name, str(question[name])) for name in ("leader", "claim") if question.get(name) is not None]
    own = {name: value for name, value in question.items() if name not in (*PEOPLE, "game")}
    return _address(question["game"], people, own)


def _address(game: str, people: Sequence[tuple[str, str]], own: Plain) -> str:
    return f"/who-wins/{game}?" + urlencode([*_pairs(own), *people], safe=":,")


def _pairs(own: Plain) -> list[tuple[str, str]]:
    return [(name, _written(value)) for name, value in own.items()]


def _written(value: Plain) -> str:
    match value:
        case None:
            return NONE
        case []:
            return NOTHING
        case dict():
            return ".".join(f"{key}:{each}" for key, each in value.items())
        case [int(), int()]:
            return f"{value[0]}:{value[1]}"
        case list() | tuple():
            return ",".join(_written(each) for each in value)
        case _:
            return str(value)


def _read_list(texts: Sequence[str]) -> list[Plain]:
    """A list, also where a tap has just added something to it."""
    return [_read(part) for text in texts if text != NOTHING for part in text.split(",")]


def _read(text: str) -> Plain:
    """A value, a pair such as 0:4, or a card such as green:5.purple:1."""
    parts = [part.partition(":") for part in text.split(".")]
    if ":" not in text:
        return _read_single(text)
    if len(parts) == 1 and text[0].isdecimal():
        return [_read_single(parts[0][0]), _read_single(parts[0][2])]
    return {key: _read_single(value) for key, _, value in parts}


def _read_single(text: str) -> Plain:
    """Null, a number or a word; what cannot be read stays a word, which nothing offers."""
    found = number(text) if text.isdecimal() and len(text) < 4 else None
    return None if text == NONE else text if found is None else found


@cache
def _own_fields(game: AnyGame) -> dict[str, bool]:
    """The fields of a game's question by their names in a record, and whether each is a list."""
    hints = get_type_hints(game.question)
    return {_name(game, name): get_origin(hint) is tuple for name, hint in hints.items() if name not in (*PEOPLE, "nullable")}


def _name(game: AnyGame, name: str) -> str:
    """Some are called otherwise in Python, where a word such as “as” is taken."""
    found = get_type_hints(game.question, include_extras=True)[name]
    return next((each.alias for each in getattr(found, "__metadata__", ()) if getattr(each, "alias", None)), name)


# ---- reading an address ----------------------------------------------------------------------------------------------


def asked_in(game: AnyGame, given: MultiDict[str, str], length: int = 0) -> Asked:
    """The question in an address; what does not belong to it, such as a messenger's own marks, is left alone."""
    if length > LONGEST_ADDRESS:
        raise Malformed(_t("It is much too long."))
    asked = replace(_seated(game, given), chosen=_chosen(game, given))
    try:
        half = as_far_as(lambda: asked.disputes.form(asked.players, asked.leader), asked.chosen)
    except NotOffered as error:
        raise Malformed(_misfit(asked, error), asked.names) from None
    asked = replace(asked, waiting=half.waiting, complete=half.given)
    verdict = None if asked.complete is None else verdict_on(game, asked.question)
    if isinstance(verdict, RuleError):
        raise Malformed(verdict.text, asked.names)
    return asked


def _chosen(game: AnyGame, given: MultiDict[str, str]) -> Plain:
    listed = {name: [text for text in _texts(given, name) if text] for name in _own_fields(game)}
    return {name: _read_list(texts) if _own_fields(game)[name] else _read(texts[-1]) for name, texts in listed.items() if texts}


def _texts(given: MultiDict[str, str], name: str) -> list[str]:
    """What stands under a name; one more card comes under a name of its own, for a button cannot add to another field."""
    return [*given.getlist(name), *(given.getlist("card") if name == "cards" else ())]


def _seated(game: AnyGame, given: MultiDict[str, str]) -> Asked:
    typed = given.getlist("name")
    players = _number(given, "players", len(typed) if len(typed) >= game.players[0] else _usual(game))
    if players not in game.players:
        raise Malformed(_t("{game} is not for that many players.", game=game.name))
    leader, claim = _number(given, "leader", 0), _number(given, "claim", None)
    if leader not in range(players) or (claim is not None and claim not in range(players)):
        raise Malformed(_t("There is nobody in that seat."))
    return Asked(game, players, _called(typed[:players]), leader, claim)


def _usual(game: AnyGame) -> int:
    return min(game.players, key=lambda players: abs(players - USUAL_PLAYERS))


def _number(given: MultiDict[str, str], name: str, default: Any) -> Any:
    """A number in an address; whatever else stands there is out of every range."""
    text = given.get(name) or ""
    found = _read(text) if text else default
    return found if isinstance(found, int) or found is default else -1


def _called(typed: Sequence[str]) -> tuple[str, ...]:
    try:
        return tuple(tidy(name) if name.strip() else "" for name in typed)
    except BadName as error:
        raise Malformed(error.text) from None


def _misfit(asked: Asked, error: NotOffered) -> Text:
    """What stands there and cannot."""
    if error.field is None:
        return _t("There is more in it than belongs to a question.")
    value, name = _written(error.answer)[:LONGEST_QUOTE], error.field.name.split(".")[0]
    if isinstance(asked.chosen[name], list) and asked.chosen[name].count(error.answer) > 1:
        return _t("“{value}” is there twice.", value=value)
    return _t("“{value}” is no answer to: {question}", value=value, question=error.field.text)


# ---- the answer ------------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """A step of the argument in words, and whether it is about the winner."""

    text: str
    rule: str
    winning: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict as it is told: large, then why, then what comes next. `templates/resolver/_verdict.html` shows one as `answer`."""

    game: AnyGame
    names: Sequence[str]
    verdict: Verdict
    headline: Text
    after: Reason | None = None
    claim: int | None = None
    early: bool = False  # decided before all cards are there

    @property
    def steps(self) -> list[Told]:
        reasons = [each for each in self.verdict.why if each != self.after]
        return [Told(speak(each.text, self.names), each.rule, self._is_winners(each)) for each in reasons]

    def _is_winners(self, reason: Reason) -> bool:
        return reason.seat is not None and reason.seat == self.verdict.winner


def answer_to(question: Plain) -> Answer | RuleError:
    """The answer to a question as `resolve` takes it, of a game that has disputes."""
    game = GAMES[question["game"]]
    verdict = verdict_on(game, question)
    if isinstance(verdict, RuleError):
        return verdict
    assert game.disputes is not None
    after = game.disputes.after(question, verdict)
    return Answer(game, question["players"], verdict, game.disputes.headline(verdict), after, question.get("claim"))


def _answer(asked: Asked) -> Answer | None:
    if asked.complete is not None:
        answer = answer_to(asked.question)
        return None if isinstance(answer, RuleError) or not asked.chosen else answer
    verdict = asked.disputes.foreseen(asked.players, asked.leader, asked.chosen)
    if verdict is None:
        return None
    return Answer(asked.game, asked.names, verdict, asked.disputes.headline(verdict), claim=asked.claim, early=True)


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What would have been: only the steps that are not the same."""

    text: Text | None
    answer: Answer
    steps: list[Told]
    same_end: bool
    address: str


def _otherwise(asked: Asked, now: Answer, what_if: WhatIf) -> Iterator[Otherwise]:
    known = {(step.text, step.rule) for step in now.steps}
    for case in what_if.cases:
        answer = answer_to({name: value for name, value in case.question.items() if name != "claim"})
        assert isinstance(answer, Answer)
        changed = [step for step in answer.steps if (step.text, step.rule) not in known]
        same_end = (answer.verdict.winner, answer.headline) == (now.verdict.winner, now.headline)
        yield Otherwise(case.text, answer, changed, same_end, _case_address(asked, case.question))


def _case_address(asked: Asked, question: Plain) -> str:
    own = {name: value for name, value in question.items() if name not in (*PEOPLE, "game")}
    return replace(asked, leader=question.get("leader", 0), claim=None, complete=own).address


# ---- pages -----------------------------------------------------------------------------------------------------------


@views.get("/who-wins")
def choose() -> str:
    return render_template("resolver/choose.html")


@views.get("/who-wins/<game>")
def ask(game: str) -> Any:
    found = _game(game)
    if found.disputes is None:
        return render_template("resolver/none.html", game=found)
    try:
        asked, wrong = asked_in(found, request.args, len(request.query_string)), None
    except Malformed as error:
        asked, wrong = asked_in(found, MultiDict()), error
    return render_template("resolver/ask.html", **_facts(asked), wrong=_told(wrong))


def _told(wrong: Malformed | None) -> str | None:
    return None if wrong is None else f"{speak(MALFORMED)} {speak(wrong.text, wrong.names)}"


def _game(game: str) -> AnyGame:
    return GAMES.get(game) or abort(404)


def _facts(asked: Asked) -> dict[str, Any]:
    answer = _answer(asked)
    what_ifs = list(asked.disputes.what_ifs(asked.question)) if answer and not answer.early else []
    picked = next((each for each in what_ifs if each.id == request.args.get("if")), None)
    return {
        "asked": asked,
        "game": asked.game,
        "names": asked.names,
        "answer": answer,
        "tapping": _goes_on(asked) and "HX-Request" in request.headers,  # then the verdict comes below, so that nothing moves
        "editing": _number(request.args, "edit", None),
        "what_ifs": what_ifs,
        "picked": picked,
        "otherwise": list(_otherwise(asked, answer, picked)) if answer and picked else [],
        "share": _home() + asked.address,
        "picture": _home() + asked.address.replace("?", "/card.png?", 1),
        "code": asked.address.replace("?", "/qr.svg?", 1),
    }


def _goes_on(asked: Asked) -> bool:
    return asked.next is not None or asked.disputes.open_ended


def _home() -> str:
    """Where phones come in: always the configured address, never what a request claims to be."""
    url: str = current_app.extensions["companion"].url
    return url


# ---- pictures --------------------------------------------------------------------------------------------------------


def _whole(game: str) -> tuple[Asked, Answer]:
    """The question of a picture's address and its answer; without one there is no picture."""
    found = _game(game)
    if found.disputes is None:
        abort(404)
    try:
        asked = asked_in(found, request.args, len(request.query_string))
    except Malformed:
        abort(404)
    return asked, _answer(asked) or abort(404)


def _drawn(game: str, draw: Callable[[str, str, Sequence[str]], str | bytes]) -> Response:
    asked, answer = _whole(game)
    reasons = [step.text for step in answer.steps]
    return pictures.answer(draw(speak(asked.game.name), speak(answer.headline, answer.names), reasons))


@views.get("/who-wins/<game>/card.svg")
def card_svg(game: str) -> Response:
    return _drawn(game, pictures.svg)


@views.get("/who-wins/<game>/card.png")
def card_png(game: str) -> Response:
    return _drawn(game, pictures.png)


@views.get("/who-wins/<game>/qr.svg")
def code(game: str) -> Response:
    asked, _ = _whole(game)
    try:
        return pictures.answer(_code(_home() + asked.address))
    except DataOverflowError:
        abort(404)


@lru_cache(200)
def _code(address: str) -> str:
    return str(qr.__wrapped__(address))
