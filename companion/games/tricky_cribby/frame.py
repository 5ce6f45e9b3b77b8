"""The loop of tiles as a frame: where its places, the pawns and the numbers of the open cards are drawn."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.tricky_cribby.model import START, State
from companion.games.tricky_cribby.play import landings

WIDE, HIGH = 13, 12  # 46 fields: the pawns' start and the 45 places


def _spots() -> tuple[tuple[int, int], ...]:
    """Clockwise: the pawns' start in the corner, then the places; the second half is the first one turned round."""
    right, bottom = WIDE - 1, HIGH - 1
    half = (*((x, 0) for x in range(right)), *((right, y) for y in range(bottom)))
    return (*half, *((right - x, bottom - y) for x, y in half))


SPOTS = _spots()


def spot(place: int) -> tuple[int, int]:
    """Where a place of the loop is drawn: column and row."""
    return SPOTS[place - START]


class Place(NamedTuple):
    """A place of the loop: its tile, unless it was taken; whether an open card leads there, and whether nothing stands there at all."""

    x: int
    y: int
    tile: str | None
    aimed: bool
    bare: bool


class Numbers(NamedTuple):
    """The numbers of the open cards that lead to a place; they stand beside it, `right` and `down` of it, inside the frame."""

    x: int
    y: int
    right: int
    down: int
    values: tuple[int, ...]


class Pawn(NamedTuple):
    """A side's pawn, on which tile it stands (None for the start) and, as both share the start, which way it moves `aside`."""

    side: int
    x: int
    y: int
    tile: int | None
    aside: int


def places_of(state: State) -> tuple[Place, ...]:
    aims = {landing.place for landing in landings(state)}
    return tuple(
        Place(*spot(place), tile, tile is not None and place in aims, tile is None and place not in state.pawns)
        for place, tile in enumerate(state.loop)
    )


def numbers_of(state: State) -> tuple[Numbers, ...]:
    values: dict[int, set[int]] = {}
    for landing in landings(state):
        values.setdefault(landing.place, set()).add(landing.card.value)
    return tuple(_numbers(place, tuple(sorted(found))) for place, found in values.items())


def _numbers(place: int, values: tuple[int, ...]) -> Numbers:
    x, y = spot(place)
    return Numbers(x, y, _inwards(x, WIDE), _inwards(y, HIGH), values)


def _inwards(at: int, size: int) -> int:
    return 1 if at == 0 else -1 if at == size - 1 else 0


def pawns_of(state: State) -> tuple[Pawn, ...]:
    return tuple(_pawn(side, place) for side, place in enumerate(state.pawns))


def _pawn(side: int, place: int) -> Pawn:
    if place == START:
        return Pawn(side, *spot(place), None, 1 if side else -1)
    return Pawn(side, *spot(place), place + 1, 0)
