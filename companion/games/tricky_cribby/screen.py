"""What the screens of Tricky Cribby show of a position, worked out: the templates only draw it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.games.base import Name, Plain, Standing, Text, Value, path
from companion.games.cards import Card
from companion.games.tricky_cribby.frame import Numbers, Pawn, Place, numbers_of, pawns_of, places_of
from companion.games.tricky_cribby.majorities import decided, standings
from companion.games.tricky_cribby.model import BOTH, MAJORITY, PICKS, PLAYED, SIDES, TILES, Order, Picks, State
from companion.games.tricky_cribby.play import landings
from companion.games.tricky_cribby.seen import sightings

OUTLOOKS = {  # completed colours, and how many of them are this side's
    (0, 0): Text("Needs two of the first three colours to be completed."),
    (1, 1): Text("Needs one of the next two colours to be completed."),
    (1, 0): Text("Needs both of the next two colours to be completed."),
    (2, 1): Text("Needs the next colour to be completed."),
}


class Side(NamedTuple):
    """A side: who plays for it, what it still needs, and whether it has won for certain."""

    n: int
    seats: tuple[int, ...]
    outlook: Text
    sure: bool


class Share(NamedTuple):
    """What a side has of a colour: the tiles, a word for the style and a few for people, and whether they are a majority."""

    n: int
    style: str
    words: Text
    safe: bool


class Row(NamedTuple):
    """A colour: what each side has of it, and whose each of its tiles is, None for those that still lie there."""

    colour: str
    shares: tuple[Share, ...]
    dots: tuple[int | None, ...]
    taken: int
    complete: bool


class Turn(NamedTuple):
    """A pick of the trick: whose, done or next, and for which card; the last one has none of its own."""

    seat: int
    style: str
    card: Card | None


class Way(NamedTuple):
    """An open card and where it leads: to the tile of that colour, which would be the side's `nth`."""

    card: Card
    tile: str
    nth: int


class Ranked(NamedTuple):
    """A side among two: its place, the majorities that count, and those that are safe besides."""

    standing: Standing
    place: int
    counts: int
    safe: int


@dataclass(frozen=True, slots=True)
class Screen:
    """A position as the screens show it."""

    state: State

    @property
    def stage(self) -> str:
        """How far the match is: another word after every trick and pick."""
        picks = self.state.picks
        return "-".join((str(self.state.tricks), str(len(picks.used)) if picks else ""))

    @property
    def trick(self) -> int:
        """The number of the next trick."""
        return self.state.tricks + 1

    @property
    def taken(self) -> int:
        """How many tiles were taken."""
        return sum(self.state.total(side) for side in SIDES)

    @property
    def in_step(self) -> bool:
        """Whether line and lead are as on the table: a tile entered without its trick moves neither."""
        used = len(self.state.picks.used) - PICKS if self.state.picks else 0
        return self.taken == PICKS * self.state.tricks + used

    @property
    def for_two(self) -> bool:
        """Whether everybody is a side and plays from hand and stacks."""
        return self.state.players == len(SIDES)

    # the sides

    @property
    def sides(self) -> tuple[Side, ...]:
        return tuple(Side(side, self.state.team(side), self.outlook(side), decided(self.state) == side) for side in SIDES)

    def outlook(self, side: int) -> Text:
        """What a side still needs."""
        winner = decided(self.state)
        if winner is None:
            return OUTLOOKS[len(self.state.completed), len(self.state.completed_majorities(side))]
        return Text("Two majorities are certain.") if winner == side else Text("Cannot catch up any more.")

    @property
    def ranking(self) -> tuple[Ranked, ...]:
        """Both sides, each by its first player, the one that is ahead first."""
        first = sorted(standings(self.state)[: len(SIDES)], key=lambda standing: standing.rank)
        return tuple(self._ranked(standing) for standing in first)

    def _ranked(self, standing: Standing) -> Ranked:
        counts = len(self.state.completed_majorities(standing.seat))
        safe = len(self.state.majorities(standing.seat)) - counts
        return Ranked(standing, min(standing.rank, len(SIDES)), counts, safe)

    # tiles

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(self._row(colour) for colour in self.state.tiles[0])

    def _row(self, colour: str) -> Row:
        first, second = (self.state.tiles[side][colour] for side in SIDES)
        taken = first + second
        dots = (*(0,) * first, *(None,) * (TILES - taken), *(1,) * second)
        return Row(colour, tuple(self.share(side, colour) for side in SIDES), dots, taken, taken == TILES)

    def share(self, side: int, colour: str) -> Share:
        """How a side stands in a colour."""
        own, theirs = self.state.tiles[side][colour], self.state.tiles[1 - side][colour]
        if theirs >= MAJORITY:
            return Share(own, "lost", Text("lost"), False)
        if own < MAJORITY:
            return Share(own, "open", Text("{n} to go", n=MAJORITY - own), False)
        return Share(own, "counts", Text("counts"), True) if own + theirs == TILES else Share(own, "safe", Text("safe"), True)

    @property
    def tiles_left(self) -> dict[str, int]:
        """Of the colours that are not completed, in the order of the line."""
        return {colour: TILES - self.state.taken(colour) for colour in self.state.line if colour in self.state.unfinished}

    @property
    def none_left(self) -> dict[str, int]:
        """The completed colours."""
        return dict.fromkeys(self.state.completed, 0)

    # the trick

    @property
    def slots(self) -> tuple[tuple[str, Value, int | None], ...]:
        """The cards of a trick to enter: the field of each, its label and its seat."""
        played = ((path("cards", turn), Name(seat), seat) for turn, seat in enumerate(self.state.turns))
        return (("up", Text("draw"), None), *played)

    @property
    def sightings(self) -> dict[str, Text]:
        """Where each card was seen that cannot come again, by its name in a record."""
        return sightings(self.state)

    @property
    def order(self) -> tuple[Turn, ...]:
        """Who picks when: the weakest card first, the strongest twice."""
        picks = self.state.picks
        return tuple(_turn(picks, n, seat) for n, seat in enumerate(picks.pickers)) if picks else ()

    @property
    def picks_both(self) -> bool:
        """Whether the owner of the strongest card has both last cards before them."""
        return self.state.picks is not None and len(self.state.picks.open) == 2

    @property
    def ways(self) -> tuple[Way, ...]:
        """With a loop, where each open card leads."""
        held: Mapping[str, int] = self.state.tiles[self.state.picks.side] if self.state.picks else {}
        return tuple(Way(card, tile, held[tile] + 1) for card, _, tile in landings(self.state))

    # who does what

    @property
    def marks(self) -> dict[int, Text | int]:
        """What each seat does: in words, or the number of the card it plays; nothing where the table alone knows."""
        if self.state.over or not self.in_step:
            return {}
        return {seat: self._mark(seat) for seat in range(self.state.players)}

    def _mark(self, seat: int) -> Text | int:
        if self.state.picks:
            return PICKING[_picking(self.state.picks, seat)]
        return Text("leads") if seat == self.state.leader else self.state.turns.index(seat) + 1

    @property
    def styles(self) -> dict[int, str]:
        """How each of these marks looks; a seat that only plays a card looks like any other."""
        picks = self.state.picks
        if picks:
            return {seat: _picking(picks, seat) for seat in self.marks}
        return {seat: "leads" for seat in self.marks if seat == self.state.leader}

    # the loop

    @property
    def places(self) -> tuple[Place, ...]:
        return places_of(self.state)

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        """Where each open card leads."""
        return numbers_of(self.state)

    @property
    def pawns(self) -> tuple[Pawn, ...]:
        return pawns_of(self.state)

    @property
    def tiles_in_loop(self) -> int:
        return sum(tile is not None for tile in self.state.loop)


PICKING = {"next": Text("picks"), "waits": Text("picks later"), "done": Text("has picked")}


def _picking(picks: Picks, seat: int) -> str:
    if seat == picks.picker:
        return "next"
    return "waits" if seat in picks.pickers[len(picks.used) :] else "done"


def _turn(picks: Picks, n: int, seat: int) -> Turn:
    used = len(picks.used)
    style = "done" if n < used else "now" if n == used else ""
    return Turn(seat, style, picks.ranks[n].card if n < PLAYED else None)


# ---- pages without a match -------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """An order of play to choose in a dispute."""

    order: Order
    text: Text
    chosen: bool


ORDER_WORDS: dict[Order, Text] = {"both": Text("Both cards at once"), "alternate": Text("One by one in turn")}


def orders(players: int, asked: Plain) -> tuple[Choice, ...]:
    """The orders in which the cards of a dispute can have been played; four have only one, and nothing to choose."""
    if players == PLAYED:
        return ()
    chosen = asked.get("two_player_order") or BOTH
    return tuple(Choice(order, text, order == chosen) for order, text in ORDER_WORDS.items())


def takes(tiles: Iterable[tuple[str, tuple[int, int]]]) -> list[Plain]:
    """For an example: tiles that are taken one by one, of each colour so many by the first side, then by the second."""
    return [{"do": "take", "side": side, "tile": colour} for colour, both in tiles for side in SIDES for _ in range(both[side])]
