"""What is told and kept of Tricky Cribby: its numbers, house rules, reports, the state, and the question of a dispute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar, Literal, NamedTuple

from companion.games.base import Action, Options, Text, option
from companion.games.cards import AS_NAME, Card, card_of, clockwise, deck
from companion.games.record import Question, Seat, one_of

COLOURS = ("red", "yellow", "green", "blue", "purple")
SIDES = (0, 1)
PLAYED = 4  # cards to a trick
PICKS = 5  # cards to pick from: those played and the face-up draw card
TILES = 9  # of a colour
MAJORITY = 5
LAST_COLOUR = 3  # the colour whose last tile ends the game
TO_WIN = 2  # majorities
START = -1  # the pawns stand just before the first place of the loop
ALL_TILES = len(COLOURS) * TILES  # and as many cards
TRICKS = ALL_TILES // PICKS  # for which there are cards, and as many draw cards
FIRST_END = LAST_COLOUR * TILES  # the tile with which the game can end at the earliest
MAX_OPEN = ALL_TILES - (len(COLOURS) - LAST_COLOUR + 1)  # tiles without a third complete colour: one is missing in every colour but two
LAST_TRICK = MAX_OPEN // PICKS + 1

Colour = Annotated[str, one_of(*COLOURS)]
CribbyCard = Annotated[Card, card_of(COLOURS), AS_NAME]
Order = Literal["both", "alternate"]
ORDERS: tuple[Order, ...] = ("both", "alternate")
BOTH = ORDERS[0]
DECK = deck(COLOURS)


def side_of(seat: int) -> int:
    """Partners sit opposite; with two players, everybody is a side."""
    return seat % len(SIDES)


@cache
def turns_of(players: int, leader: int, order: Order | None) -> tuple[int, ...]:
    """Who plays each of the four cards."""
    if players == PLAYED:
        return clockwise(leader, players)
    other = 1 - leader
    return (leader, leader, other, other) if order == "both" else (leader, other, leader, other)


# ---- house rules and reports -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    nullable: ClassVar[frozenset[str]] = frozenset({"loop"})
    strength: tuple[Colour, ...] = option(COLOURS, Text("Line of colours at the start, strongest first"), kind="list")
    leader: Seat = option(0, Text("Who leads the first trick"), kind="seat")
    loop: tuple[Colour, ...] | None = option(None, Text("Tiles of the loop, clockwise from where the pawns start"), kind="list")
    two_player_order: Order = option(
        "both",
        Text("With two players, the cards of a trick are played"),
        {"both": Text("two at a time: first the leader, then the other"), "alternate": Text("one by one, in turns")},
    )
    stop_when_decided: bool = option(
        False, Text("When nobody can catch up any more"), {False: Text("play on to the third colour"), True: Text("the game ends at once")}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick(Action):
    """The face-up draw card and the cards played, in order."""

    do: ClassVar[str] = "trick"
    up: CribbyCard
    cards: tuple[CribbyCard, ...]
    winner: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick(Action):
    """The next picker uses a card and takes a tile."""

    do: ClassVar[str] = "pick"
    card: CribbyCard
    tile: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    """A side takes a tile; the cards stay on the table."""

    do: ClassVar[str] = "take"
    side: Annotated[int, one_of(*SIDES)]
    tile: Colour


# ---- state -----------------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A card of a trick and whoever played it."""

    seat: int
    card: Card


class Landing(NamedTuple):
    """Where the pawn would land with a card: the place in the loop, and the tile that lies there."""

    card: Card
    place: int
    tile: str


@dataclass(frozen=True, slots=True)
class Picks:
    """The second half of a trick: the cards by rank, weakest first, whose picks they are, and those that were used."""

    ranks: tuple[Played, ...]
    pickers: tuple[int, ...]
    up: Card
    used: tuple[Card, ...] = ()

    @property
    def picker(self) -> int:
        return self.pickers[len(self.used)]

    @property
    def side(self) -> int:
        return side_of(self.picker)

    @property
    def strongest(self) -> Played:
        return self.ranks[-1]

    @property
    def open(self) -> tuple[Card, ...]:
        """The cards that still lie face up, the draw card first."""
        return tuple(card for card in (self.up, *(played.card for played in self.ranks)) if card not in self.used)


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    players: int
    line: tuple[str, ...]  # strongest first
    leader: int
    loop: tuple[str | None, ...]  # None for an emptied place; no places where the table keeps the loop to itself
    tiles: tuple[Mapping[str, int], ...]  # of each side
    pawns: tuple[int, ...] = (START, START)
    seen: frozenset[Card] = frozenset()
    shown: tuple[Picks, ...] = ()  # the tricks entered with cards, each as it lay before its first pick
    picks: Picks | None = None
    over: bool = False

    @property
    def tricks(self) -> int:
        """How many were entered; each shows five cards."""
        return len(self.seen) // PICKS

    @property
    def completed(self) -> tuple[str, ...]:
        return tuple(colour for colour in COLOURS if self.taken(colour) == TILES)

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The colours of which there are tiles to take."""
        return tuple(colour for colour in COLOURS if self.taken(colour) < TILES)

    def taken(self, colour: str) -> int:
        return self.tiles[0][colour] + self.tiles[1][colour]

    def total(self, side: int) -> int:
        return sum(self.tiles[side].values())

    def majorities(self, side: int) -> tuple[str, ...]:
        """The colours of which this side has five or more tiles, completed or not."""
        return tuple(colour for colour, n in self.tiles[side].items() if n >= MAJORITY)

    def completed_majorities(self, side: int) -> tuple[str, ...]:
        return tuple(colour for colour in self.majorities(side) if self.taken(colour) == TILES)

    def team(self, side: int) -> tuple[int, ...]:
        return tuple(range(side, self.players, len(SIDES)))

    @property
    def turns(self) -> tuple[int, ...]:
        """Who plays each card of the next trick."""
        return turns_of(self.players, self.leader, self.rules.two_player_order)


# ---- a dispute -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this trick, and who picks when?"""

    strength: tuple[Colour, ...]
    cards: tuple[CribbyCard, ...]
    two_player_order: Order | None = None
