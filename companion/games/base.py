"""What a game is: five questions, and the words in which it answers them.

`setup` deals, `apply` takes one report from the table, `asks` says what is expected of whom, `standings` who is ahead and `view`
what some seats may see. Nothing here or in a game file reads a clock, draws a random number or talks to anybody.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import ConfigDict

if TYPE_CHECKING:
    from companion.games.disputes import Disputes

Plain = Any  # JSON data, as it stands in a record
Viewer = frozenset[int]  # the seats whose secrets may be shown; empty for a spectator
EVERYBODY: Viewer = frozenset()


# ---- sentences -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """The name of whoever sits there, put in when the sentence is spoken."""

    seat: int


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """A sentence for people with its values apart, so that it can be translated; the English sentence is its key."""

    key: str
    values: Mapping[str, Value]
    plural: str | None = None

    def __init__(self, key: str, /, **values: Value) -> None:
        _set(self, "key", key)
        _set(self, "values", values)
        _set(self, "plural", None)


Value = Text | Name | int | str | tuple["Value", ...]
Facts = Mapping[str, Value]  # the values of a sentence
_set = object.__setattr__


def many(one: str, more: str, /, n: int, **values: Value) -> Text:
    """A sentence that depends on a number: `many("{n} card", "{n} cards", n=3)`."""
    text = Text(one, n=n, **values)
    _set(text, "plural", more)
    return text


def names(seats: Iterable[int]) -> tuple[Name, ...]:
    return tuple(Name(seat) for seat in seats)


class Tongue(Protocol):
    """What a language has to offer: gettext's two questions."""

    def gettext(self, message: str, /) -> str: ...
    def ngettext(self, one: str, more: str, n: int, /) -> str: ...
    def __hash__(self) -> int: ...


class English:
    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, one: str, more: str, n: int, /) -> str:
        return one if n == 1 else more


AND = Text("{some} and {last}")
ENGLISH = English()


def say(value: Value, players: Sequence[str], tongue: Tongue = ENGLISH) -> str:
    """The sentence as people read it, with their names in it."""
    match value:
        case Text():
            spoken = {key: say(each, players, tongue) for key, each in value.values.items()}
            return _pattern(value, tongue).format(**spoken)
        case Name():
            return players[value.seat]
        case tuple():
            return _listed([say(each, players, tongue) for each in value], tongue)
        case int():
            return str(value).replace("-", "−")
        case str():  # pragma: no branch: there is nothing else
            return value


def _pattern(text: Text, tongue: Tongue) -> str:
    if text.plural is None:
        return tongue.gettext(text.key)
    n = text.values["n"]
    assert isinstance(n, int)
    return tongue.ngettext(text.key, text.plural, n)


def _listed(parts: list[str], tongue: Tongue) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return tongue.gettext(AND.key).format(some=", ".join(parts[:-1]), last=parts[-1])


# ---- what a game answers with ----------------------------------------------------------------------------------------


class RuleError(Exception):
    """A report that the rules refuse: what is wrong, what would be right, and the rule that says so."""

    def __init__(self, text: Text, rule: str) -> None:
        super().__init__(text, rule)
        self.text, self.rule = text, rule


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of an argument: why this card won or lost."""

    text: Text
    rule: str
    seat: int | None = None


Argument = Callable[[], Iterable[Reason]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who wins, and why: the argument is only put into words when somebody asks for it."""

    winner: int | None
    argument: Argument = field(compare=False)
    adds: Mapping[str, Plain] = field(default_factory=dict)

    @property
    def why(self) -> tuple[Reason, ...]:
        return tuple(self.argument())


def check_claim(verdict: Verdict, claim: int | None) -> None:
    """Refuse what the table believes where the cards say otherwise, with the reason."""
    if claim is None or claim == verdict.winner:
        return
    right = next(reason for reason in verdict.why if reason.seat == verdict.winner)
    raise RuleError(Text("{claimed} does not win this. {reason}", claimed=Name(claim), reason=right.text), right.rule)


@dataclass(frozen=True, slots=True)
class Note:
    """What a report led to, in a sentence with its rule."""

    text: Text
    rule: str
    warning: bool = False
    verdict: Verdict | None = None


State = TypeVar("State")
Options_ = TypeVar("Options_", bound="Options")


def changed(state: State, **changes: Any) -> State:
    """`dataclasses.replace` for frozen states with slots, three times as quick: every entry makes a new state."""
    fresh = object.__new__(type(state))
    for name in type(state).__slots__:  # type: ignore[attr-defined]
        _set(fresh, name, changes[name] if name in changes else getattr(state, name))
    return fresh


@dataclass(frozen=True, slots=True)
class Step(Generic[State]):
    """The state after a report, what it led to and, where it ended a round, what each seat got for it."""

    state: State
    notes: tuple[Note, ...] = ()
    scored: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's points and place; `tiebreak` says what separates it from another with the same points."""

    seat: int
    points: int
    rank: int
    won: bool = False
    tiebreak: Text | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a seat that a screen shows beside the points: what it is, and how much or where."""

    label: Text
    value: Value


def ranked(points: Sequence[int], won: Iterable[int] = (), order: Sequence[Any] | None = None) -> tuple[Standing, ...]:
    """Standings in seat order; the higher `order` (by default the points) is ahead, equals share a place."""
    keys = points if order is None else order
    winners = frozenset(won)
    places = [1 + sum(other > key for other in keys) for key in keys]
    return tuple(Standing(seat, points[seat], places[seat], seat in winners) for seat in range(len(points)))


# ---- what a game asks for --------------------------------------------------------------------------------------------


class Skip:
    """The answer to an optional field that is left out."""

    def __repr__(self) -> str:
        return "SKIP"


SKIP = Skip()


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to choose: where it stands in the action ("cards.2"), and every value that would be right."""

    name: str
    values: Sequence[Plain]
    text: Text
    kind: str = "word"  # how to show the values: word, number, seat, card
    optional: bool = False  # SKIP is right, too
    words: Mapping[str, Text] = field(default_factory=dict, compare=False)  # how to say values that are no words of their own


Form = Generator[Field, Any, Plain]  # yields field after field, is sent the answers, returns the action


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing a match waits for. The id names the question: once answered, it is another one."""

    id: str
    do: str
    text: Text
    form: Callable[[], Form] = field(compare=False)
    seats: tuple[int, ...] = ()  # whose answer it is; empty for anybody at the table
    needed: bool = True  # one of the needed asks has to be answered before the game goes on


@lru_cache(10_000, typed=True)
def ask_id(*parts: object) -> str:
    return "-".join(str(part) for part in parts)


@lru_cache(10_000, typed=True)
def path(*parts: object) -> str:
    """Where a field stands in its action: `cards.2.green`."""
    return ".".join(str(part) for part in parts)


def given(**values: Plain) -> dict[str, Plain]:
    """Only the fields that were not left out."""
    return {key: value for key, value in values.items() if value is not SKIP}


# ---- reports and house rules -----------------------------------------------------------------------------------------

STRICT = ConfigDict(extra="forbid", strict=True)


class Action:
    """One report from the table. Subclasses are frozen dataclasses; `do` is their name in a record."""

    __slots__ = ()
    __pydantic_config__ = STRICT
    nullable: ClassVar[frozenset[str]] = frozenset()  # the fields in which null means something
    secret: ClassVar[bool] = False  # whether only the seat itself may see it until a round is scored
    do: ClassVar[str]


class Options:
    """The house rules of a game; every one has a default."""

    __slots__ = ()
    __pydantic_config__ = STRICT
    nullable: ClassVar[frozenset[str]] = frozenset()


def option(default: Any, text: Text, choices: Mapping[Any, Text] | None = None, kind: str = "") -> Any:
    """A house rule with what it decides and, where there are only some, its choices in words; kind "seat" for who begins, "list" for
    several values in their order, "text" for a line of free text, "lines" for several, "each" for a choice of every seat."""
    return field(default=default, metadata={"text": text, "choices": choices or {}, "kind": kind})


# ---- the game --------------------------------------------------------------------------------------------------------


class Game(ABC, Generic[State, Options_]):
    """One game: its facts, and the five questions."""

    id: ClassVar[str]
    name: ClassVar[Text]
    players: ClassVar[tuple[int, ...]]  # how many can play
    players_rule: ClassVar[str]  # the rule that says so
    has_rounds: ClassVar[bool] = True
    standings_on_board: ClassVar[bool] = False  # whether its board is who is ahead; else that stands below it
    any_other: ClassVar[bool] = False  # for whatever has no rules here: stands last where one chooses
    actions: ClassVar[tuple[type[Action], ...]]
    options: type[Options_]
    question: ClassVar[type[Any]]  # what `resolve` is asked, a frozen dataclass
    asks_whole_cards: ClassVar[bool] = True  # whether the cards in it are told in full, so that they can be entered
    disputes: ClassVar[Disputes | None] = None  # how that is asked and told on a page; a game can do without

    def title(self, options: Options_) -> Value:
        """What a match under these house rules goes by."""
        return self.name

    def highest_wins(self, options: Options_) -> bool:
        """Whether more points are better; other programs want to know."""
        return True

    @abstractmethod
    def setup(self, players: int, options: Options_) -> State: ...

    def apply(self, state: State, action: Any) -> Step[State]:
        """The next position, or a RuleError with nothing to clean up."""
        if self.over(state):
            raise RuleError(Text("The game is over; nothing more can be entered."), "RECORD")
        return self.act(state, action)

    @abstractmethod
    def act(self, state: State, action: Any) -> Step[State]: ...

    @abstractmethod
    def over(self, state: State) -> bool: ...

    @abstractmethod
    def asks(self, state: State) -> tuple[Ask, ...]: ...

    @abstractmethod
    def standings(self, state: State) -> tuple[Standing, ...]: ...

    def view(self, state: State, viewer: Viewer) -> State:
        """What these seats may see; a game without secrets shows everything."""
        return state

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        """What a screen shows of a seat beside its points, by name, so that it can be explained; in a game with rounds, of the open one."""
        return {}

    def screen(self, state: State) -> Any:
        """What its screens show of a position beside the position itself, worked out; a game whose screens only draw needs nothing."""
        return None

    def report(self, state: State) -> dict[str, Plain]:
        """What this game adds to the answer of `replay`."""
        return {}

    @abstractmethod
    def resolve(self, question: Any) -> Verdict:
        """One dispute without a match."""

    def known(self, state: State) -> dict[str, Plain]:
        """What a match knows of a question about what is played next: who leads, the trump."""
        return {}

    def turns(self, question: Any) -> tuple[int, ...]:
        """The seats in the order in which a question is about them: from the leader clockwise."""
        players = len(question.players)
        return tuple((question.leader + turn) % players for turn in range(players))

    def retold(self, question: Any) -> Any:
        """The question without what does not matter to it; a seat in it is named by its turn."""
        return question
