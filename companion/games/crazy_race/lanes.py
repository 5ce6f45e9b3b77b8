"""How animals move in a lane of Crazy Race: over whom they jump, where they turn, which tiles they take, and how that is told.

Only animals of the same lane can be in the way (RACE-14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.base import Facts, Name, Note, Text, many
from companion.games.crazy_race.model import ANIMALS, HOME, TURNAROUND, WORDS, Hop, Landing, Lane, Move, State, put

PLACES = {0: Text("at the start"), TURNAROUND: Text("on the turnaround"), HOME: Text("home")}


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


# ---- on the board ----------------------------------------------------------------------------------------------------


def landing(state: State, seat: int, animal: str, points: int) -> Landing:
    """Where an animal would get to, and which tiles it would take: what `apply` does, and what screens show beforehand."""
    lane, runner = state.teams[seat].animals, ANIMALS.index(animal)
    hops = ride(lane, runner, points, state.rules.occupied_turnaround == "share")
    end = hops[-1].end if hops else lane[runner]
    turned, arrived = lane[runner] < TURNAROUND <= end, lane[runner] < HOME == end
    return Landing(end, hops, state.turnaround if turned else None, state.finish if arrived else None)


def move_in_turn(state: State, seat: int, moves: tuple[Move, ...], rule: str, notes: tuple[Note, ...]) -> tuple[State, tuple[Note, ...]]:
    """Each part is moved completely before the next."""
    for animal, points in moves:
        found = landing(state, seat, animal, points)
        state = _landed(state, seat, animal, found)
        notes = (*notes, *_story(state.teams[seat].animals, points, found, rule, {"player": Name(seat), "animal": WORDS[animal]}))
    return state, notes


def _landed(state: State, seat: int, animal: str, found: Landing) -> State:
    teams = put(state.teams, seat, state.teams[seat].land(ANIMALS.index(animal), found))
    turnaround, finish = state.turnaround - bool(found.turn_tile), state.finish - bool(found.home_tile)
    return State(state.rules, teams, turnaround, finish, state.stages, state.edges, state.busy, state.uncounted)


def moved(state: State, seat: int, moves: Sequence[Move]) -> State:
    """The board after these moves."""
    for animal, points in moves:
        state = _landed(state, seat, animal, landing(state, seat, animal, points))
    return state


# ---- in words --------------------------------------------------------------------------------------------------------


def where(progress: int) -> Text:
    """Where an animal stands and which way it goes."""
    if progress in PLACES:
        return PLACES[progress]
    if progress < TURNAROUND:
        return Text("on space {n}, going out", n=space(progress))
    return Text("on space {n}, facing home", n=space(progress))


def _story(lane: Lane, points: int, found: Landing, rule: str, facts: Facts) -> Iterator[Note]:
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
