"""What is told and kept of Crazy Lab: its numbers, house rules, reports, the state, and the question of a dispute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen, MinLen

from companion.games.base import Action, Options, Text, option
from companion.games.cards import clockwise
from companion.games.record import Number, PerSeat, Question, Seat, one_of

COLOURS = ("purple", "blue", "yellow", "orange", "green")
TRICKS = 10
HIGHEST = 6  # the highest number on a card
MAX_COLOURS = 3  # on a card
MAX_TRUMPS = 4  # times a colour can be trump in a round
PILE = len(COLOURS) - 1  # cards of a pile: one for each of the other colours
TO_TRUMPS = 2  # cards of everybody's pile that go to the trump pile
HIDDEN = "hidden"  # stands for somebody else's plus colour

Colour = Annotated[str, one_of(*COLOURS)]
Digit = Annotated[int, Ge(1), Le(HIGHEST)]
LabCard = Annotated[dict[Colour, Digit], MinLen(1), MaxLen(MAX_COLOURS)]
PartOfCard = Annotated[dict[Annotated[str, one_of(*COLOURS, "highest")], Digit], MinLen(1), MaxLen(MAX_COLOURS)]


def added_trumps(players: int) -> int:
    """How many cards of the piles that nobody took fill up the trump pile."""
    return TRICKS - TO_TRUMPS * players


# ---- house rules and reports -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    rounds: Annotated[int, Ge(1)] = option(1, Text("Rounds"))
    starter: Seat = option(0, Text("Who leads the first trick"), kind="seat")
    tie: Literal["shared", "extra-round"] = option(
        "shared", Text("A tie for first place"), {"shared": Text("is a shared win"), "extra-round": Text("is played off in one more round")}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Minus(Action):
    """Everybody's minus colour."""

    do: ClassVar[str] = "minus"
    colours: PerSeat[Colour]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plus(Action):
    """A seat's secret plus colour."""

    do: ClassVar[str] = "plus"
    secret: ClassVar[bool] = True
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick(Action):
    """A trick by its cards, or only by who took it."""

    do: ClassVar[str] = "trick"
    trump: Colour | None = None
    cards: tuple[LabCard, ...] | None = None
    winner: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Action):
    """What a seat counted in plus and in minus; sent again it replaces."""

    do: ClassVar[str] = "count"
    seat: Seat
    plus: Number
    minus: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Action):
    """What everybody counted."""

    do: ClassVar[str] = "round"
    plus: PerSeat[Number]
    minus: PerSeat[Number]


# ---- state -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick that lies in front of its winner."""

    winner: int
    trump: str | None
    cards: tuple[Mapping[str, int], ...] | None


@dataclass(frozen=True, slots=True)
class Sums:
    """A seat's points in plus and in minus."""

    plus: int
    minus: int

    @property
    def net(self) -> int:
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that lay in a trick: in which, who played it and who took it."""

    n: int
    seat: int
    winner: int
    card: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    totals: tuple[int, ...]
    leader: int
    round: int = 1
    minus: tuple[str, ...] | None = None
    plus: tuple[str | None, ...] = ()
    tricks: tuple[Taken, ...] = ()
    counts: tuple[Sums | None, ...] = ()
    over: bool = False
    last: State | None = None  # the round before as it was scored, for those who ask how it came about

    @property
    def players(self) -> int:
        return len(self.totals)

    @property
    def starter(self) -> int:
        """The seat that led the first trick of this round."""
        return (self.rules.starter + self.round - 1) % self.players

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order in which they play to the next trick."""
        return clockwise(self.leader, self.players)

    @property
    def all_tricks_in(self) -> bool:
        return len(self.tricks) == TRICKS

    @property
    def laid(self) -> tuple[Laid, ...]:
        """Every card of this round that was entered, in the order played."""
        leaders = (self.starter, *(trick.winner for trick in self.tricks))
        return tuple(
            Laid(n, seat, trick.winner, card)
            for n, (leader, trick) in enumerate(zip(leaders, self.tricks, strict=False), 1)
            for seat, card in zip(clockwise(leader, self.players), trick.cards or (), strict=False)
        )

    def won(self, seat: int) -> tuple[Laid, ...]:
        """The cards that lie in front of a seat, as far as they were entered."""
        return tuple(laid for laid in self.laid if laid.winner == seat)

    def points_in(self, colour: str, seat: int) -> int:
        """What the cards that a seat won add up to in one colour."""
        return sum(laid.card.get(colour, 0) for laid in self.won(seat))

    def tricks_of(self, seat: int) -> int:
        return sum(trick.winner == seat for trick in self.tricks)

    def times_trump(self, colour: str) -> int:
        return sum(trick.trump == colour for trick in self.tricks)

    def most_points(self, seat: int) -> int:
        """The limit of a counted sum: what fits on all cards, or on the seat's own once ten tricks are in."""
        tricks = self.tricks_of(seat) if self.all_tricks_in else TRICKS
        return HIGHEST * self.players * tricks


# ---- a dispute -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this trick? Cards as far as they matter."""

    trump: Colour
    cards: tuple[PartOfCard, ...]
