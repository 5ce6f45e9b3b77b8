"""What The Academy is made of: its cards, roles and round rules, what is reported, and what a match knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field as Alias

from companion.games.base import STRICT, Action, Options, Text, option
from companion.games.cards import AS_NAME, Card, card_of, clockwise, deck
from companion.games.record import Number, PerSeat, Question, Seat, one_of

PLAYERS = 4
TRICKS = 8
MAX_AWARDS = 3
REBEL_COLOURS = 3  # in the cards the Rebel won
COLOURS = ("blue", "green", "purple", "orange")
DECK = deck(COLOURS)
ACE = DECK["purple-7"]  # the ace up somebody's sleeve

ROLES = CAPTAIN, MASTERMIND, TEAMPLAYER, REBEL = ("captain", "mastermind", "teamplayer", "rebel")
ROLE_WORDS: dict[str, Text] = {
    CAPTAIN: Text("Captain"),
    MASTERMIND: Text("Mastermind"),
    TEAMPLAYER: Text("Teamplayer"),
    REBEL: Text("Rebel"),
}
DUTIES: dict[str, Text] = {  # before the first trick
    CAPTAIN: Text("shuffle, deal and lead trick 1"),
    MASTERMIND: Text("look at the four exam cards and lay one behind the display, as trump or as rule"),
    TEAMPLAYER: Text("pick the other one out of the three cards left"),
    REBEL: Text("wait for the exam"),
}

NO_TRUMP = "no-trump"  # the only round rule beside which there need be no trump
ROUND_RULES: dict[str, Text] = {
    "pass-left": Text("Pass left: before every trick, everybody gives one card to the left neighbour."),
    "face-down": Text("Face down: the Mastermind may play face down unless leading; all look when everybody has played."),
    "new-trump": Text("New trump: instead of playing a card, the Mastermind may lay it over the trump."),
    "swap-hands": Text("Swap hands: once, before a trick, the Mastermind may swap whole hands with anybody."),
    "blind-swap": Text("Blind swap: before each trick, the Mastermind may swap a card for one drawn unseen from another hand."),
    "swap-roles": Text("Swap roles: before trick 1, the Mastermind may swap roles with anybody for this round."),
    NO_TRUMP: Text("No trump: only the led colour counts."),
    "new-rule": Text("New rule: once, instead of playing a card, the Mastermind may lay it over the round rule."),
    "joint-award": Text("Joint award: Mastermind and Rebel get one more award each if they take more tricks than the two others."),
    "trick-exchange": Text("Trick exchange: after a trick somebody else takes, the Mastermind may swap a hand card with one of its cards."),
    "last-trick-award": Text("Last trick award: whoever takes trick 8 gets one more award."),
}
MOVES_HANDS = ("pass-left", "swap-hands", "blind-swap")  # before a trick, and for any seat
OVER = {"trump": Text("the trump"), "rule": Text("the round rule")}
COVERS: dict[str | None, str] = {"new-trump": "trump", "new-rule": "rule"}  # what the Mastermind may lay a card over

Colour = Annotated[str, one_of(*COLOURS)]
AcademyCard = Annotated[Card, card_of(COLOURS), AS_NAME]
RoundRule = Annotated[str, one_of(*ROUND_RULES)]


# ---- house rules -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    captain: Seat = option(0, Text("The first Captain"), kind="seat")
    new_trump: Literal["unlimited", "once"] = option(
        "unlimited", Text("How often New trump can be used"), {"unlimited": Text("any number of times"), "once": Text("once a round")}
    )
    revoke: Literal["warn", "ignore"] = option(
        "warn", Text("A colour shown after it was not followed"), {"warn": Text("gets a warning"), "ignore": Text("is left to the table")}
    )


# ---- reports ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam(Action):
    """The trump and the round rule behind the exam display."""

    nullable: ClassVar[frozenset[str]] = frozenset({"trump"})
    do: ClassVar[str] = "exam"
    rule: RoundRule
    trump: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapRoles(Action):
    """The Mastermind swaps roles with a seat."""

    do: ClassVar[str] = "swap-roles"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """A hand card that the Mastermind laid over the trump or over the round rule, instead of playing it."""

    __pydantic_config__ = STRICT
    over: Annotated[str, one_of("trump", "rule"), Alias(alias="as")]
    card: AcademyCard
    rule: Annotated[str | None, one_of(*ROUND_RULES)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick(Action):
    """A trick by its cards, or only by who took it."""

    do: ClassVar[str] = "trick"
    cards: tuple[AcademyCard, ...] | None = None
    winner: Seat | None = None
    cover: Cover | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Action):
    """The Mastermind takes a card out of somebody's trick and puts a hand card there."""

    do: ClassVar[str] = "exchange"
    take: AcademyCard
    give: AcademyCard


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Action):
    """How a round ended."""

    do: ClassVar[str] = "round"
    rebel: bool
    ace: Seat
    tricks: PerSeat[Number] | None = None
    last: Seat | None = None


# ---- what a match knows ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick that lies in front of its winner."""

    winner: int
    cards: tuple[Card, ...] | None
    cover: Card | None = None  # what the Mastermind laid over the exam instead of playing
    given: Card | None = None  # what the Mastermind put there in exchange for another


Tally = tuple[int, ...]  # tricks per seat
Shown = tuple[tuple[int, Card], ...]  # by which seat
Missed = Mapping[tuple[int, str], int]  # which seat did not follow which colour, and in which trick


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    awards: tuple[int, ...]
    roles: tuple[str, ...]  # in force now
    leader: int
    round: int = 1
    rule: str | None = None  # the round rule in force; none before the exam
    chosen: str | None = None  # the colour behind the display
    covered: frozenset[str] = frozenset()  # what a hand card was laid over in this round
    tricks: tuple[Taken, ...] = ()
    exchanged: bool = False  # a card of the latest trick
    seen: frozenset[Card] = frozenset()
    missed: Missed = field(default_factory=dict)
    winner: int | None = None

    @property
    def trump(self) -> str | None:
        return None if self.rule == NO_TRUMP else self.chosen

    @property
    def swapped(self) -> bool:
        return self.roles != dealt(self.rules, self.round)

    @property
    def all_in(self) -> bool:
        return len(self.tricks) == TRICKS

    @property
    def tally(self) -> Tally:
        """The tricks entered, per seat."""
        return tuple(sum(trick.winner == seat for trick in self.tricks) for seat in range(PLAYERS))

    @property
    def ace_holder(self) -> int | None:
        """Who has the purple 7, as far as the cards tell."""
        return next((trick.winner for trick in self.tricks if ACE in (trick.cards or ())), None)

    def seat_of(self, role: str) -> int:
        return self.roles.index(role)

    def seats_of(self, *roles: str) -> tuple[int, ...]:
        return tuple(map(self.seat_of, roles))

    def tricks_shown(self, seat: int) -> int:
        """The tricks a seat took that were entered with their cards."""
        return sum(trick.winner == seat and trick.cards is not None for trick in self.tricks)

    def colours_of(self, seat: int) -> set[str]:
        return {card.colour for trick in self.tricks if trick.winner == seat for card in trick.cards or ()}

    def unseen(self) -> list[str]:
        return [name for name, card in DECK.items() if card not in self.seen]


def dealt(rules: Rules, number: int) -> tuple[str, ...]:
    """The roles per seat of a round: every round they pass one seat on."""
    return tuple(ROLES[(seat - rules.captain - number + 1) % PLAYERS] for seat in range(PLAYERS))


@cache
def order_of_play(leader: int, away: int | None) -> tuple[int, ...]:
    """Who plays, in order: all from the leader clockwise, but not a Mastermind who covered."""
    return tuple(seat for seat in clockwise(leader, PLAYERS) if seat != away)


# ---- a dispute -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this trick? A Mastermind who covered has no card in it."""

    nullable: ClassVar[frozenset[str]] = frozenset({"trump"})
    trump: Colour | None
    cards: tuple[AcademyCard | None, ...]
