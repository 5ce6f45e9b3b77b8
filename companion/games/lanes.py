"""One lane of Crazy Race: where an animal gets to, over whom it jumps, where it turns, and how that is told.

Progress counts from 0 at the start over 6 at the turnaround to 12, home; on the way back an animal stands on space 12 − progress.
Only animals of the same lane can be in the way (RACE-14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.games.base import Facts, Note, Text, many

WORDS: dict[str, Text] = {"sprinter": Text("sprinter"), "reptile": Text("reptile"), "flyer": Text("flyer")}
ANIMALS = tuple(WORDS)
TURNAROUND = 6
HOME = 12
PLACES = {0: Text("at the start"), TURNAROUND: Text("on the turnaround"), HOME: Text("home")}

Lane = tuple[int, ...]  # the progress of each animal


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


def space(progress: int) -> int:
    """Where an animal stands, counted from the line; 0 off the track, before the start as well as at home."""
    return min(progress, HOME - progress)


def ride(lane: Lane, animal: int, points: int, share: bool) -> tuple[Hop, ...]:
    """The hops of an animal, one a point until it is home; with `share` the turnaround has room for several."""
    free = (0, TURNAROUND) if share else (0,)
    blocked = {space(progress): other for other, progress in enumerate(lane) if other != animal and space(progress) not in free}
    hops: list[Hop] = []
    progress = lane[animal]
    while len(hops) < points and progress < HOME:
        hops.append(_hop(progress, blocked))
        progress = hops[-1].end
    return tuple(hops)


def _hop(start: int, blocked: Mapping[int, int]) -> Hop:
    """To the next free space; whoever stands in between is jumped, however many there are."""
    end = start + 1
    over: dict[int, None] = {}
    while space(end) in blocked:
        over[blocked[space(end)]] = None
        end += 1
    return Hop(start, end, tuple(over))


# ---- in words --------------------------------------------------------------------------------------------------------


def where(progress: int) -> Text:
    """Where an animal stands and which way it goes."""
    if progress in PLACES:
        return PLACES[progress]
    if progress < TURNAROUND:
        return Text("on space {n}, going out", n=space(progress))
    return Text("on space {n}, facing home", n=space(progress))


def story(lane: Lane, points: int, found: Landing, rule: str, facts: Facts) -> Iterator[Note]:
    """A ride in sentences; the facts are its player and animal, the lane is the one after it, the rule says why it happens."""
    text = many("{player} moves the {animal} by {n} point.", "{player} moves the {animal} by {n} points.", n=points, **facts)
    yield Note(text, rule)
    for hop in found.hops:
        if hop.over:
            yield _jump(hop, facts)
        if hop.turns:
            yield _turn(found.turn_tile, facts)
    if found.progress < HOME:
        yield _stand(lane, found.progress, facts)
        return
    yield _arrival(found.home_tile, facts)
    lost = points - len(found.hops)
    if lost:
        yield Note(many("{n} point is left over and lost.", "{n} points are left over and lost.", n=lost), "R4")


def _jump(hop: Hop, facts: Facts) -> Note:
    jumped = tuple(WORDS[ANIMALS[other]] for other in hop.over)
    if hop.jumps_turnaround:
        return Note(Text("The {animal} of {player} jumps over the {jumped}, past the turnaround.", jumped=jumped, **facts), "R3")
    text = Text("The {animal} of {player} jumps over the {jumped}.", jumped=jumped, **facts)
    return Note(text, "R2" if len(jumped) > 1 else "RACE-14")


def _turn(tile: int | None, facts: Facts) -> Note:
    if tile:
        return Note(Text("The {animal} of {player} turns and takes the {tile}.", tile=tile, **facts), "RACE-15")
    return Note(Text("The {animal} of {player} turns; no tile is left at the turnaround.", **facts), "RACE-17")


def _arrival(tile: int | None, facts: Facts) -> Note:
    if tile:
        return Note(Text("The {animal} of {player} is home and takes the {tile}.", tile=tile, **facts), "RACE-16")
    return Note(Text("The {animal} of {player} is home; no tile is left at the finish.", **facts), "RACE-17")


def _stand(lane: Lane, progress: int, facts: Facts) -> Note:
    if progress == TURNAROUND and lane.count(TURNAROUND) > 1:
        return Note(Text("The {animal} of {player} shares the turnaround.", **facts), "R3")
    if progress == TURNAROUND:
        return Note(Text("The {animal} of {player} now stands on the turnaround.", **facts), "RACE-15")
    where = space(progress)
    if progress < TURNAROUND:
        return Note(Text("The {animal} of {player} now stands on space {space} of the way out.", space=where, **facts), "RACE-14")
    return Note(Text("The {animal} of {player} now stands on space {space}, facing home.", space=where, **facts), "RACE-14")
