"""What the screens of Crazy Race show of a position: the board, who is about to do what, what can be entered and where it would lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Ask, Field, Plain, Text, path
from companion.games.crazy_race.ending import penalised
from companion.games.crazy_race.lanes import landing, where
from companion.games.crazy_race.model import ANIMALS, EDGES, HOME, MAX_TILES, Discard, Edge, Move, State, Team
from companion.games.crazy_race.offers import Bidder, Choices, Owner, Row, bidder, choices, edge_in, owner, rows, typed_end
from companion.games.crazy_race.pieces import Entered, LaneShown, Part, Place, Spot, TilesAtEnd, entered, parts_of, show_lane


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands under a seat's name."""

    starts: bool
    owes: bool
    cards: int | None  # in hand, where that is known and matters
    took_back: bool


@dataclass(frozen=True, slots=True)
class Screen:
    """A position as screens show it."""

    state: State

    # ---- the board

    @property
    def only_scored(self) -> bool:
        """The race was not entered, so that nobody knows the tiles at the ends."""
        return self.state.ended and not self.state.stages

    @property
    def finish(self) -> TilesAtEnd:
        return self._end(self.state.finish)

    @property
    def turnaround(self) -> TilesAtEnd:
        return self._end(self.state.turnaround)

    def _end(self, left: int) -> TilesAtEnd:
        return TilesAtEnd(tuple(range(MAX_TILES[self.state.players], 0, -1)), tuple(range(left, 0, -1)))

    def lanes(self, actions: Iterable[Plain] = ()) -> tuple[LaneShown, ...]:
        """Every seat's lane; marked is what the newest of these reports moved, which comes first, if it is an edge."""
        newest = next(iter(entered(list(actions)[:1])), None)
        mover, animals = (newest.winner, newest.moved) if newest else (None, ())
        return tuple(show_lane(seat, team.animals, animals if seat == mover else ()) for seat, team in enumerate(self.state.teams))

    def lane_towards(self, seat: int, after: State) -> LaneShown:
        """A seat's lane, with outlines where its animals are later."""
        now, then = self.state.teams[seat].animals, after.teams[seat].animals
        ghosts = {animal: end for animal, start, end in zip(ANIMALS, now, then, strict=True) if start != end}
        return show_lane(seat, now, ghosts=ghosts)

    @property
    def behind(self) -> tuple[Place | None, Place | None]:
        """The last and the second-last place, whose owners pay when the race is over."""
        last, second = penalised(self.state)
        return self._place(last), self._place(second)

    def _place(self, animals: Sequence[tuple[int, str]]) -> Place | None:
        if not animals:
            return None
        seat, animal = animals[0]
        return Place(self.state.teams[seat].animals[ANIMALS.index(animal)], tuple(animals))

    # ---- who is about to do what

    @property
    def counts_cards(self) -> bool:
        """Whether the cards in hand are known and matter still."""
        return not (self.state.ended or self.state.uncounted)

    @property
    def marks(self) -> tuple[Mark, ...]:
        return tuple(self._mark(seat, team) for seat, team in enumerate(self.state.teams))

    def _mark(self, seat: int, team: Team) -> Mark:
        on = not self.state.ended
        cards = team.cards_left if self.counts_cards else None
        return Mark(on and seat == self.state.start_player, bool(team.owes), cards, on and team.took_back)

    @property
    def classes(self) -> dict[int, str]:
        """How a seat is drawn, by seat: who owes a tile is waited for."""
        shown = {seat: "next" if mark.owes else "leads" if mark.starts else "" for seat, mark in enumerate(self.marks)}
        return {seat: kind for seat, kind in shown.items() if kind}

    def awaited(self, asks: Iterable[Ask]) -> list[int]:
        """The seats that owe a tile and choose it elsewhere: none of these questions is theirs."""
        here = {seat for ask in asks if ask.do == Discard.do for seat in ask.seats}
        return [seat for seat in dict.fromkeys(self.state.pending) if seat not in here]

    # ---- what an edge shows

    def stage(self, actions: Iterable[Plain]) -> tuple[Spot, ...]:
        """The edges of the open stage, from the marked one clockwise; the reports so far come newest first."""
        edges = self._edges(actions)
        return tuple(Spot(n, edges.get(n), n == self.state.edges + 1) for n in range(1, EDGES + 1))

    def _edges(self, actions: Iterable[Plain]) -> dict[int, Entered]:
        told = entered(reversed(list(actions)))
        return {edge.n: edge for edge in told[len(told) - self.state.edges :]}

    def rows(self, stage: Iterable[Spot]) -> Iterator[Row]:
        return rows(stage)

    def edge_in(self, typed: Mapping[str, str]) -> tuple[str, int | str] | None:
        return edge_in(typed)

    # ---- who won, or which cards

    def outcomes(self, animal: str, points: int) -> tuple[tuple[Part, ...], ...]:
        """What an edge with an animal would do for each seat; nothing where the animal is home already."""
        return tuple(self._outcome(seat, animal, points) for seat in range(self.state.players))

    def _outcome(self, seat: int, animal: str, points: int) -> tuple[Part, ...]:
        return parts_of(landing(self.state, seat, animal, points)) if animal in self.state.teams[seat].on_track else ()

    @property
    def bidders(self) -> tuple[Bidder, ...]:
        return tuple(bidder(seat, team) for seat, team in enumerate(self.state.teams))

    def typed_cards(self, typed: Mapping[str, str]) -> list[str]:
        """The cards that somebody typed, in the order laid."""
        names = [path("cards", n) for n in range(self.state.most_cards)]
        return [typed[name] for name in names if typed.get(name)]

    # ---- what moves

    def choices(self, seat: int, values: Iterable[Sequence[Move]]) -> Choices:
        """Of an edge with a number: one animal for all points. Each value is a list of moves; an empty one says that nothing moves."""
        return choices(self.state, seat, [move for moves in values for move in moves], ())

    def parts(self, seat: int, values: Sequence[Move], labels: Iterable[tuple[Field, Plain]]) -> Choices:
        """Of an edge with “?”: an animal and its part of the points, after those that were answered before."""
        first = [value for field, value in labels if field.name.startswith(path("moves", ""))]
        return choices(self.state, seat, values, first)

    # ---- a race that was not entered

    @property
    def places(self) -> list[tuple[int, Text]]:
        """Where an animal can stand, the best place first."""
        return [(progress, where(progress)) for progress in range(HOME, -1, -1)]

    def owners(self, typed: Mapping[str, str]) -> tuple[Owner, ...]:
        return tuple(owner(seat, typed) for seat in range(self.state.players))

    def typed_end(self, action: Mapping[str, Plain]) -> dict[str, str]:
        return typed_end(action)


def wins(seat: int, edges: Iterable[tuple[str, int]]) -> list[Plain]:
    """Reports of edges that a seat wins one after the other, for examples."""
    return [{"do": Edge.do, "animal": animal, "value": points, "winner": seat} for animal, points in edges]
