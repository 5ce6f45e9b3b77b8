"""What a race is made of: facts of the game, house rules, reports, the animals' rides, the state and what a dispute asks.

Progress counts from 0 at the start over 6 at the turnaround to 12, home; on the way back an animal stands on space 12 − progress.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le

from companion.games.base import Action, Options, Text, option
from companion.games.record import PerSeat, Question, Seat, one_of

WORDS: dict[str, Text] = {"sprinter": Text("sprinter"), "reptile": Text("reptile"), "flyer": Text("flyer")}
ANIMALS = tuple(WORDS)
TURNAROUND = 6
HOME = 12
ANY = "any"  # an edge without animal
OPEN = "?"  # an edge that is worth as many points as cards lie there
STEPS = (1, 2, 3, 4)  # the numbers on stage cards
HAND = (1, 1, 2, 2, 3, 3, 4, 6)  # everybody's magic cards
STAGES = 8
EDGES = 4
MAX_CARDS = 3  # of a player in a stage
MAX_SUM = 13  # 6 + 4 + 3
MAX_EDGES = {3: 3, 4: 4}  # edges of a stage that get cards, by players
MAX_TILES = {3: 5, 4: 6}  # tiles at each end, by players; the highest has that number
TILES = (6, 5, 4, 3, 2, 1)  # the numbers on them
COPIES = 2  # of each tile, one at each end
MAX_HELD = 2 * len(ANIMALS)  # tiles of a player, one for each animal at each end
UNSAID = -1  # no winner was named; null names nobody

Animal = Annotated[str, one_of(*ANIMALS)]
Laid = tuple[Seat, Annotated[int, one_of(1, 2, 3, 4, 6)]]
Shown = Mapping[int, Sequence[int]]  # each player's cards at an edge, in the order of their first ones
Lies = tuple[int, int, int]  # a card, its edge and its stage
Move = tuple[Animal, Annotated[int, Ge(1)]]
Tile = Annotated[int, Ge(1), Le(TILES[0])]
Progress = Annotated[int, Ge(0), Le(HOME)]
Lane = tuple[int, ...]  # the progress of each animal


# ---- house rules and reports -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    """The house rules."""

    starter: Seat = option(0, Text("Who starts the first stage"), kind="seat")
    occupied_turnaround: Literal["jump", "share"] = option(
        "jump", Text("A turnaround with one's own animal on it"), {"jump": Text("is jumped"), "share": Text("has room for both")}
    )
    penalty_per: Literal["owner", "animal"] = option(
        "owner", Text("Somebody with two animals in a penalty place"), {"owner": Text("loses one tile"), "animal": Text("loses two tiles")}
    )
    second_last: Literal["next-position", "skip-after-tie"] = option(
        "next-position",
        Text("After a tie for the last place"),
        {"next-position": Text("the next animal is second-last"), "skip-after-tie": Text("no animal is second-last")},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge(Action):
    """One edge of a stage card by its cards, or only by who won it, and what the winner moved."""

    do: ClassVar[str] = "edge"
    nullable: ClassVar[frozenset[str]] = frozenset({"winner"})
    animal: Annotated[str, one_of(*ANIMALS, ANY)]
    value: Annotated[int | str, one_of(*STEPS, OPEN)]
    cards: tuple[Laid, ...] | None = None
    winner: Seat | None = UNSAID
    count: int | None = None
    moves: tuple[Move, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Action):
    """A seat takes its used cards back into the hand."""

    do: ClassVar[str] = "take-back"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Action):
    """Nobody has cards left: the race ends before the eighth stage."""

    do: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard(Action):
    """The tile that the owner of a second-last animal gives up."""

    do: ClassVar[str] = "discard"
    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Action):
    """How a race ended that was not entered: tiles and animals before the penalties."""

    do: ClassVar[str] = "final"
    tiles: PerSeat[tuple[Tile, ...]]
    animals: PerSeat[tuple[Progress, Progress, Progress]]


# ---- a ride ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hop:
    """What one point does: from where to where, and which animals were jumped on the way."""

    start: int
    end: int
    over: tuple[int, ...] = ()

    @property
    def turns(self) -> bool:
        return self.start < TURNAROUND <= self.end

    @property
    def jumps_turnaround(self) -> bool:
        return self.start < TURNAROUND < self.end


@dataclass(frozen=True, slots=True)
class Landing:
    """Where an animal gets to with some points, hop by hop, and what it takes on the way."""

    progress: int
    hops: tuple[Hop, ...]
    turn_tile: int | None  # 0 where none is left, None where the turnaround is not reached
    home_tile: int | None  # likewise at the finish

    @property
    def tiles(self) -> tuple[int, ...]:
        return tuple(tile for tile in (self.turn_tile, self.home_tile) if tile)


# ---- the state -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Team:
    """A seat's animals, tiles and cards, as far as its cards are known."""

    animals: Lane = (0, 0, 0)
    tiles: tuple[int, ...] = ()  # highest first
    used: tuple[int, ...] = ()  # in finished stages, not taken back
    laid: tuple[int, ...] = ()  # in the open stage
    took_back: bool = False
    owes: int = 0  # tiles still to be chosen and given up
    lies: tuple[Lies, ...] = ()  # where each known card is that is not in hand

    @property
    def hand(self) -> tuple[int, ...]:
        return without(HAND, (*self.used, *self.laid))

    @property
    def cards_left(self) -> int:
        return len(HAND) - len(self.used) - len(self.laid)

    @property
    def points(self) -> int:
        return sum(self.tiles)

    @property
    def rearmost(self) -> int:
        return min(self.animals)

    @property
    def on_track(self) -> list[str]:
        return [animal for animal, progress in zip(ANIMALS, self.animals, strict=True) if progress < HOME]

    def lay(self, cards: Sequence[int], edge: int, stage: int) -> Team:
        lies = (*self.lies, *((card, edge, stage) for card in cards))
        return Team(self.animals, self.tiles, self.used, (*self.laid, *cards), self.took_back, lies=lies)

    def land(self, runner: int, landing: Landing) -> Team:
        animals = (*self.animals[:runner], landing.progress, *self.animals[runner + 1 :])
        tiles = tuple(sorted((*self.tiles, *landing.tiles), reverse=True)) if landing.tiles else self.tiles
        return Team(animals, tiles, self.used, self.laid, self.took_back, lies=self.lies)


@dataclass(frozen=True, slots=True)
class State:
    """A race as far as it was entered."""

    rules: Rules
    teams: tuple[Team, ...]
    turnaround: int  # tiles left there, which is also the number on the highest
    finish: int
    stages: int = 0  # finished
    edges: int = 0  # evaluated in the open stage
    busy: int = 0  # of them with cards
    uncounted: bool = False  # an edge was entered without its cards
    ended: bool = False

    @classmethod
    def at_start(cls, players: int, rules: Rules) -> State:
        return cls(rules, (Team(),) * players, MAX_TILES[players], MAX_TILES[players])

    @property
    def players(self) -> int:
        return len(self.teams)

    @property
    def start_player(self) -> int:
        return (self.rules.starter + self.stages) % self.players

    @property
    def place(self) -> Mapping[str, int]:
        """The edge that comes next, and its stage."""
        return {"n": self.edges + 1, "stage": self.stages + 1}

    @property
    def full(self) -> bool:
        """No other edge of this stage may have cards."""
        return self.busy == MAX_EDGES[self.players]

    @property
    def most_cards(self) -> int:
        """At one edge."""
        return MAX_CARDS * self.players

    @property
    def pending(self) -> list[int]:
        """The seats that owe a tile, as often as they do."""
        return [seat for seat, team in enumerate(self.teams) for _ in range(team.owes)]

    @property
    def over(self) -> bool:
        return self.ended and not any(team.owes for team in self.teams)

    def with_team(self, seat: int, team: Team) -> State:
        return replace(self, teams=put(self.teams, seat, team))


def without(cards: Iterable[int], gone: Iterable[int]) -> tuple[int, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def put(teams: tuple[Team, ...], seat: int, team: Team) -> tuple[Team, ...]:
    return (*teams[:seat], team, *teams[seat + 1 :])


# ---- a dispute -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this edge? Cards in the order laid."""

    cards: tuple[Laid, ...]
