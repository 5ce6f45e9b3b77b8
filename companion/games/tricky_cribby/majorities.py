"""Majorities decide Tricky Cribby: who has them for certain, what a tile led to, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.base import Facts, Note, Standing, Text, many, names, ranked
from companion.games.cards import COLOURS as WORDS
from companion.games.tricky_cribby.model import COLOURS, LAST_COLOUR, MAJORITY, SIDES, TILES, TO_WIN, State, side_of

# ---- who is ahead ----------------------------------------------------------------------------------------------------


def decided(state: State) -> int | None:
    """The side that will have two majorities whatever happens (CRI-15); at the end, the side that has won."""
    return next((side for side in SIDES if _certain_majorities(state, side) >= TO_WIN), None)


def _certain_majorities(state: State, side: int) -> int:
    """Completed ones stay; of the others, as many can fail to count as colours are never completed."""
    completed = len(state.completed_majorities(side))
    others = len(state.majorities(side)) - completed
    return completed + max(0, others - (len(COLOURS) - LAST_COLOUR))


def third_complete(state: State) -> bool:
    return len(state.completed) == LAST_COLOUR


def standings(state: State) -> tuple[Standing, ...]:
    """The decided side is ahead, then completed majorities count, then colours with five tiles; the number of tiles never does."""
    sides = [side_of(seat) for seat in range(state.players)]
    orders = [(decided(state) == side, len(state.completed_majorities(side)), len(state.majorities(side))) for side in SIDES]
    won = [seat for seat, side in enumerate(sides) if state.over and side == decided(state)]
    places = ranked([state.total(side) for side in sides], won, [orders[side] for side in sides])
    return tuple(_explained(state, place) for place in places)


def _explained(state: State, place: Standing) -> Standing:
    """Winning without more tiles than the others calls for a word."""
    if not place.won or place.points > state.total(1 - side_of(place.seat)):
        return place
    return replace(place, tiebreak=Text("Majorities decide, not the number of tiles."))


# ---- what a tile led to ----------------------------------------------------------------------------------------------


def tile_notes(before: State, after: State, side: int, tile: str) -> Iterator[Note]:
    if after.tiles[side][tile] == MAJORITY:
        yield _majority(after.team(side), tile)
    if after.taken(tile) == TILES:
        yield _completed(after, tile)
    ahead = decided(after)
    if ahead is not None and decided(before) is None and not third_complete(after):
        yield _decided(after.team(ahead))


def _majority(team: tuple[int, ...], tile: str) -> Note:
    text = many(
        "{players} has five {tile} tiles: the majority of {tile} is safe.",
        "{players} have five {tile} tiles: the majority of {tile} is safe.",
        n=len(team),
        players=names(team),
        tile=WORDS[tile],
    )
    return Note(text, "CRI-12")


def _completed(state: State, tile: str) -> Note:
    fewer, more = sorted(held[tile] for held in state.tiles)
    side = 0 if state.tiles[0][tile] == more else 1
    facts: Facts = {"tile": WORDS[tile], "more": more, "fewer": fewer, "players": names(state.team(side))}
    return Note(Text("All nine {tile} tiles are taken, {more} to {fewer}: {tile} counts for {players}.", **facts), "CRI-13")


def _decided(team: tuple[int, ...]) -> Note:
    text = many(
        "{players} has decided the game: two majorities are certain, whichever colours are completed.",
        "{players} have decided the game: two majorities are certain, whichever colours are completed.",
        n=len(team),
        players=names(team),
    )
    return Note(text, "CRI-15")


# ---- the end ---------------------------------------------------------------------------------------------------------


def end_of_game(state: State, void: int) -> Iterator[Note]:
    if not state.over:
        return
    yield from _why_over(state, void)
    winner = decided(state)
    assert winner is not None
    counting = state.completed_majorities(winner) if third_complete(state) else state.majorities(winner)
    yield _won(state.team(winner), counting)


def _why_over(state: State, void: int) -> Iterator[Note]:
    if third_complete(state):
        text, rule = Text("Three colours are complete: the game ends at once."), "CRI-11"
    else:
        text, rule = Text("The game is decided, and by your house rule it ends here."), "T11"
    yield Note(text, rule)
    if void:
        yield Note(many("{n} pick of this trick is left out.", "{n} picks of this trick are left out.", n=void), rule)


def _won(team: tuple[int, ...], colours: tuple[str, ...]) -> Note:
    text = many(
        "{players} wins with the majorities of {colours}.",
        "{players} win with the majorities of {colours}.",
        n=len(team),
        players=names(team),
        colours=tuple(WORDS[colour] for colour in colours),
    )
    return Note(text, "CRI-12")
