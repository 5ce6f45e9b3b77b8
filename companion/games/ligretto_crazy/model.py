"""What a match of Ligretto Crazy is made of: facts of the game, the house rule, reports, the state and what a dispute asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le
from pydantic import Field as Alias

from companion.games.base import Action, Options, Text, option
from companion.games.record import Number, PerSeat, Question, Seat, one_of

DECK = 36  # cards a player brings
CRAZY = "crazy"
VALUES = (1, 2, 3, 4, 5)
TOPS = (1, 2, 3, 4, None)  # of a pile; none for a new one
MAX_PILES = 9  # that a dispute can be about, rightly opened or not
TARGETS = (50, 75, 100, 150)
UNLIKELY_SCORES = (1, 2, 3, 4, 6, 8)  # no closed piles add up to these: each has 5, 7, 9 … cards
FEWEST_LEFT = 3  # whoever calls stop has just drawn back to three


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    """The house rule: how long an evening lasts."""

    target: Annotated[int, Ge(1)] = option(
        100, Text("Points that end the game"), {points: Text("{n} points", n=points) for points in TARGETS}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Action):
    """One seat's two piles; sent again it replaces."""

    do: ClassVar[str] = "count"
    seat: Seat
    scored: Number
    left: Number
    caller: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Action):
    """Everybody's two piles at once."""

    do: ClassVar[str] = "round"
    scored: PerSeat[Number]
    left: PerSeat[Number]
    caller: Seat | None = None


@dataclass(frozen=True, slots=True)
class Piles:
    """What a seat has at the end of a round."""

    scored: int
    left: int

    @property
    def cards(self) -> int:
        return self.scored + self.left

    @property
    def net(self) -> int:
        return self.scored - self.left


@dataclass(frozen=True, slots=True)
class State:
    """A match after the rounds that are closed, with the counts of the open one."""

    target: int
    totals: tuple[int, ...]
    counts: tuple[Piles | None, ...]  # the open round
    round: int = 1
    caller: int | None = None

    @property
    def players(self) -> int:
        return len(self.totals)

    @property
    def cards(self) -> int:
        return DECK * self.players

    @property
    def in_the_middle(self) -> int:
        """The cards that nobody has counted."""
        return self.cards - sum(piles.cards for piles in self.counts if piles)

    @property
    def over(self) -> bool:
        return max(self.totals) >= self.target

    def room(self, seat: int) -> int:
        """The most cards this seat can still have."""
        own = self.counts[seat]
        return self.in_the_middle + (own.cards if own else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laying(Question):
    """May this card be laid on that pile?"""

    nullable: ClassVar[frozenset[str]] = frozenset({"top"})
    top: Annotated[int, Ge(1), Le(4)] | None
    card: Annotated[int | str, one_of(1, 2, 3, 4, 5, "crazy")]
    piles: Number
    named: Annotated[int | None, Ge(1), Le(5), Alias(alias="as")] = None
