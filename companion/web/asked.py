"""A question in an address: who sits there, what was chosen so far, and where every further tap leads."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from typing import Any, get_origin, get_type_hints
from urllib.parse import parse_qsl, urlencode

from werkzeug.datastructures import MultiDict

from companion.games import AnyGame, verdict_on
from companion.games.base import Field, Plain, RuleError, Text, Verdict
from companion.games.disputes import Disputes
from companion.games.forms import NotOffered, as_far_as
from companion.games.record import Question
from companion.names import BadName, tidy
from companion.web.i18n import _t, speak
from companion.web.numbers import number

MAX_ADDRESS = 6_000  # characters; five long names in any script fit
MAX_QUOTE = 40  # characters of what makes no sense
USUAL_PLAYERS = 4
NONE, NOTHING = "none", "nothing"  # stand for null and for an empty list in an address
PEOPLE = tuple(field.name for field in fields(Question))  # in every question; the rest is the game's own


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
    called: tuple[str, ...]  # as given, one a seat; empty for whoever has no name
    names: Sequence[str]  # as shown
    leader: int = 0
    claim: int | None = None
    chosen: Plain = None
    waiting: tuple[Field, ...] = ()  # what can be chosen next
    complete: Plain = None  # the chosen in full, once it is a question
    verdict: Verdict | None = None  # on that question

    @property
    def players(self) -> int:
        return len(self.called)

    @property
    def disputes(self) -> Disputes:
        assert self.game.disputes is not None
        return self.game.disputes

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
        return {"game": self.game.id, "players": list(self.names), **led, **believed, **self.complete}

    @property
    def address(self) -> str:
        """In full, where it is a question."""
        return self._with(self.chosen if self.complete is None else self.complete)

    def _with(self, own: Plain, **people: Any) -> str:
        """With something else chosen or somebody else meant; what is chosen was offered, so it needs no quoting."""
        who = {"called": self.called, "leader": self.leader, "claim": self.claim, **people}
        return f"/who-wins/{self.game.id}?" + "".join(f"{name}={_written(value)}&" for name, value in own.items()) + _people(**who)

    # ---- where a tap leads -------------------------------------------------------------------------------------------

    def choosing(self, name: str, value: Plain) -> str:
        """With one more thing chosen."""
        return self._with(_put(self.chosen, name, value))

    def back_to(self, name: str, length: int) -> str:
        """With only the first few of a list."""
        return self._with({**self.chosen, name: self.chosen[name][:length]}, claim=None)

    def without(self, *names: str) -> str:
        return self._with({name: value for name, value in self.chosen.items() if name not in names}, claim=None)

    def led_by(self, seat: int) -> str:
        """The same cards in the same order, but from somebody else on."""
        return self._with(self.chosen, leader=seat)

    def played_by(self, players: int) -> str:
        """With another number of players; the cards belong to others then."""
        own = {name: value for name, value in self.chosen.items() if name != "cards"}
        called = (*self.called, *[""] * players)[:players]
        return self._with(own, called=called, leader=self.leader if self.leader < players else 0, claim=None)

    def claimed_by(self, seat: int | None) -> str:
        return self._with(self.complete or self.chosen, claim=seat)

    def supposing(self, what_if: str) -> str:
        return f"{self.address}&if={what_if}"

    def supposed(self, question: Plain) -> str:
        """Another question about the same people."""
        return self._with(_own(question), leader=question.get("leader", 0), claim=None)

    def editing(self, turn: int, name: str = "", value: Plain = None) -> str:
        """With one card open for more, and perhaps something more on it."""
        return self._with(_put(self.chosen, name, value) if name else self.chosen) + f"&edit={turn}"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Everything chosen so far, for a form that adds to it."""
        return [*_pairs(self.chosen), *parse_qsl(_people(self.called, self.leader, None), keep_blank_values=True)]

    @property
    def unnamed(self) -> list[tuple[str, str]]:
        """Everything but the names, for the form that changes them."""
        return [*_pairs(self.chosen), *parse_qsl(_people(("",) * self.players, self.leader, self.claim))]


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
    people = _people(tuple(question["players"]), question.get("leader", 0), question.get("claim"))
    return f"/who-wins/{question['game']}?{urlencode(_pairs(_own(question)), safe=':,')}&{people}"


def _own(question: Plain) -> Plain:
    """What a question says apart from the people."""
    return {name: value for name, value in question.items() if name not in (*PEOPLE, "game")}


@lru_cache(1_000)
def _people(called: tuple[str, ...], leader: int, claim: int | None) -> str:
    names = [("name", name) for name in called] if any(called) else [("players", str(len(called)))]
    led = [("leader", str(leader))] if leader else []
    return urlencode([*names, *led, *([] if claim is None else [("claim", str(claim))])])


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
    if length > MAX_ADDRESS:
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
    return replace(asked, verdict=verdict)


def _chosen(game: AnyGame, given: MultiDict[str, str]) -> Plain:
    listed = {name: [text for text in _texts(given, name) if text] for name in _own_fields(game)}
    return {name: _read_list(texts) if _own_fields(game)[name] else _read(texts[-1]) for name, texts in listed.items() if texts}


def _texts(given: MultiDict[str, str], name: str) -> list[str]:
    """What stands under a name; one more card comes under a name of its own, for a button cannot add to another field."""
    return [*given.getlist(name), *(given.getlist("card") if name == "cards" else ())]


def _seated(game: AnyGame, given: MultiDict[str, str]) -> Asked:
    typed = given.getlist("name")
    players = number_in(given, "players", len(typed) if len(typed) >= game.players[0] else _usual(game))
    if players not in game.players:
        raise Malformed(_t("{game} is not for that many players.", game=game.name))
    leader, claim = number_in(given, "leader", 0), number_in(given, "claim", None) if _is_won(game) else None
    if leader not in range(players) or (claim is not None and claim not in range(players)):
        raise Malformed(_t("There is nobody in that seat."))
    called = _called((*typed, *[""] * players)[:players])
    return Asked(game, called, [name or speak(_t("Player {n}", n=seat)) for seat, name in enumerate(called, 1)], leader, claim)


def _is_won(game: AnyGame) -> bool:
    return game.disputes is not None and game.disputes.won


def _usual(game: AnyGame) -> int:
    return min(game.players, key=lambda players: abs(players - USUAL_PLAYERS))


def number_in(given: MultiDict[str, str], name: str, default: Any) -> Any:
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
    value, name = _written(error.answer)[:MAX_QUOTE], error.field.name.split(".")[0]
    if isinstance(asked.chosen[name], list) and asked.chosen[name].count(error.answer) > 1:
        return _t("“{value}” is there twice.", value=value)
    return _t("“{value}” is no answer to: {question}", value=value, question=error.field.text)
