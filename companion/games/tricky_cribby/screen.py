"""What the screens of Tricky Cribby show of a position, worked out: the templates only draw it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Text
from companion.games.tricky_cribby.majorities import decided
from companion.games.tricky_cribby.model import MAJORITY, PICKS, Landing, State
from companion.games.tricky_cribby.play import landings
from companion.games.tricky_cribby.seen import sightings

WIDE, HIGH = 13, 12  # the loop is drawn as a frame of 46 fields: the pawns' start and the 45 places


def _spots() -> tuple[tuple[int, int], ...]:
    """Clockwise: the pawns' start in the corner, then the places; the second half is the first one turned round."""
    right, bottom = WIDE - 1, HIGH - 1
    half = (*((x, 0) for x in range(right)), *((right, y) for y in range(bottom)))
    return (*half, *((right - x, bottom - y) for x, y in half))


SPOTS = _spots()


OUTLOOKS = {  # completed colours, and how many of them are this side's
    (0, 0): Text("Needs two of the first three colours to be completed."),
    (1, 1): Text("Needs one of the next two colours to be completed."),
    (1, 0): Text("Needs both of the next two colours to be completed."),
    (2, 1): Text("Needs the next colour to be completed."),
}


@dataclass(frozen=True, slots=True)
class Screen:
    """A position as the screens show it."""

    state: State

    @property
    def in_step(self) -> bool:
        """Whether line and lead are as on the table: a tile entered without its trick moves neither."""
        state = self.state
        used = len(state.picks.used) - PICKS if state.picks else 0
        return state.total(0) + state.total(1) == PICKS * state.tricks + used

    @property
    def sightings(self) -> dict[str, Text]:
        """Where each card was seen that cannot come again, by its name in a record."""
        return sightings(self.state)

    @property
    def landings(self) -> tuple[Landing, ...]:
        """Where the pawn would land with each open card."""
        return landings(self.state)

    @property
    def decided(self) -> int | None:
        """The side that has won for certain."""
        return decided(self.state)

    def holding(self, side: int, colour: str) -> tuple[str, Text]:
        """How a side stands in a colour: a word for the style and a few for people."""
        own, theirs = self.state.tiles[side][colour], self.state.tiles[1 - side][colour]
        if theirs >= MAJORITY:
            return "lost", Text("lost")
        if own < MAJORITY:
            return "open", Text("{n} to go", n=MAJORITY - own)
        return ("counts", Text("counts")) if colour in self.state.completed else ("safe", Text("safe"))

    def outlook(self, side: int) -> Text:
        """What a side still needs."""
        if self.decided is None:
            return OUTLOOKS[len(self.state.completed), len(self.state.completed_majorities(side))]
        return Text("Two majorities are certain.") if self.decided == side else Text("Cannot catch up any more.")

    def spot(self, place: int) -> tuple[int, int]:
        """Where a place of the loop is drawn: column and row."""
        return SPOTS[place + 1]
