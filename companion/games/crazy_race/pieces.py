"""The small things that screens of Crazy Race are made of: animals in a lane, tiles at an end, edges of a stage, what a move would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.games.base import Plain, Text
from companion.games.crazy_race.lanes import space, where
from companion.games.crazy_race.laying import by_seat
from companion.games.crazy_race.model import ANIMALS, ANY, EDGES, HOME, TURNAROUND, WORDS, Edge, Laid, Landing, Lane
from companion.games.crazy_race.verdict import edge_verdict

# ---- lanes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """An animal in its lane, or the outline of one that could get there."""

    animal: str
    progress: int
    moved: bool = False  # by what was entered last
    beside: int = 0  # own animals that share the turnaround and are drawn before it
    bare: bool = False  # another outline is there already: only its letter is drawn

    @property
    def number(self) -> int:
        return ANIMALS.index(self.animal)

    @property
    def word(self) -> Text:
        return WORDS[self.animal]

    @property
    def space(self) -> int:
        """Counted from the line; 0 before the start as well as at home."""
        return space(self.progress)

    @property
    def where(self) -> Text:
        return where(self.progress)

    @property
    def turned(self) -> bool:
        return self.progress >= TURNAROUND

    @property
    def home(self) -> bool:
        return self.progress == HOME


@dataclass(frozen=True, slots=True)
class LaneShown:
    """A seat's lane: its animals, and as outlines where some could get to."""

    seat: int
    tokens: tuple[Token, ...]
    ghosts: tuple[Token, ...] = ()


def show_lane(seat: int, lane: Lane, moved: Sequence[str] = (), ghosts: Mapping[str, int] | None = None) -> LaneShown:
    """The lane of a seat; the ghosts are the progress that animals could come to."""
    tokens = tuple(
        Token(animal, progress, animal in moved, lane[:number].count(TURNAROUND) if progress == TURNAROUND else 0)
        for number, (animal, progress) in enumerate(zip(ANIMALS, lane, strict=True))
    )
    return LaneShown(seat, tokens, tuple(_ghosts(ghosts or {})))


def _ghosts(ghosts: Mapping[str, int]) -> Iterator[Token]:
    """Every outline is drawn once; at home each animal has a place of its own."""
    drawn: set[int] = set()
    for animal, progress in ghosts.items():
        yield Token(animal, progress, bare=progress in drawn)
        drawn |= {progress} - {HOME}


@dataclass(frozen=True, slots=True)
class TilesAtEnd:
    """The tiles at one end of the track, the highest first."""

    tiles: tuple[int, ...]  # all that lay there
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A place that costs tiles, and whose animals stand there."""

    progress: int
    animals: tuple[tuple[int, str], ...]  # seat and animal

    @property
    def where(self) -> Text:
        return where(self.progress)

    @property
    def tied(self) -> bool:
        return len(self.animals) > 1


# ---- what a move would do --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a move does."""

    does: Literal["jumps", "turns", "turns-late", "comes-home", "comes-late", "stands-on-turnaround", "goes-out", "faces-home"]
    animal: Text | None = None  # that is jumped
    n: int = 0  # the tile or the space


def parts_of(found: Landing) -> tuple[Part, ...]:
    """What a move would do, short enough for a button; that it ends on the turnaround is said by turning there."""
    parts = [Part("jumps", WORDS[ANIMALS[other]]) for other in dict.fromkeys(other for hop in found.hops for other in hop.over)]
    if found.turn_tile is not None:
        parts.append(Part("turns", n=found.turn_tile) if found.turn_tile else Part("turns-late"))
    if found.home_tile is not None:
        parts.append(Part("comes-home", n=found.home_tile) if found.home_tile else Part("comes-late"))
    elif found.progress != TURNAROUND or not parts:
        parts.append(_standing(found.progress))
    return tuple(parts)


def _standing(progress: int) -> Part:
    if progress == TURNAROUND:
        return Part("stands-on-turnaround")
    return Part("goes-out" if progress < TURNAROUND else "faces-home", n=space(progress))


# ---- edges -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entered:
    """An edge as it was entered: where, what it showed, who won it, what moved and which cards lay there."""

    stage: int
    n: int
    animal: str
    value: int | str
    winner: int | None
    moved: tuple[str, ...]
    cards: tuple[Laid, ...]


def entered(actions: Iterable[Plain]) -> list[Entered]:
    """The edges among these reports, oldest first."""
    edges = [action for action in actions if action["do"] == Edge.do]
    return [_entered_edge(action, *divmod(number, EDGES)) for number, action in enumerate(edges)]


def _entered_edge(action: Plain, stages: int, edges: int) -> Entered:
    cards = tuple((seat, card) for seat, card in action.get("cards") or ())
    winner = edge_verdict(cards, by_seat(cards)).winner if cards else action.get("winner")
    moves = action.get("moves")
    unsaid = (action["animal"],) if winner is not None and action["animal"] != ANY else ()
    moved = unsaid if moves is None else tuple(animal for animal, _ in moves)
    return Entered(stages + 1, edges + 1, action["animal"], action["value"], winner, moved, cards)


@dataclass(frozen=True, slots=True)
class Spot:
    """One of the four edges of the open stage: entered, open now, or still to come."""

    n: int
    done: Entered | None
    now: bool
