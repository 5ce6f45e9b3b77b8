"""What the screens of Crazy Race show beside the position itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.games.base import Plain, Text
from companion.games.crazy_race.ending import penalised
from companion.games.crazy_race.lanes import landing, moved
from companion.games.crazy_race.laying import by_seat, not_in_hand
from companion.games.crazy_race.model import ANY, EDGES, Edge, Laid, Landing, Move, State
from companion.games.crazy_race.verdict import edge_verdict


@dataclass(frozen=True, slots=True)
class Screen:
    """A position as screens show it."""

    state: State

    def preview(self, seat: int, animal: str, points: int, first: Sequence[Move] = ()) -> Landing:
        """Where an animal would get to once these other moves are made: what a screen shows beside each choice."""
        return landing(self.moved(seat, first), seat, animal, points)

    def moved(self, seat: int, moves: Sequence[Move]) -> State:
        """The board after these moves."""
        return moved(self.state, seat, moves)

    @property
    def penalised(self) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        """Seat and animal of everyone in the last and in the second-last place, who pay when the race is over."""
        return penalised(self.state)

    def entered(self, actions: Iterable[Plain]) -> list[Entered]:
        """The edges among these reports, oldest first."""
        edges = [action for action in actions if action["do"] == Edge.do]
        return [_entered_edge(action, *divmod(number, EDGES)) for number, action in enumerate(edges)]

    def gone(self, seat: int, card: int) -> Text:
        """Why a seat cannot lay a card of that value: what a form says before it is sent, in the words of the refusal."""
        return not_in_hand(self.state.teams[seat], seat, card).text


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


def _entered_edge(action: Plain, stages: int, edges: int) -> Entered:
    cards = tuple((seat, card) for seat, card in action.get("cards") or ())
    winner = edge_verdict(cards, by_seat(cards)).winner if cards else action.get("winner")
    moves = action.get("moves")
    unsaid = (action["animal"],) if winner is not None and action["animal"] != ANY else ()
    moved = unsaid if moves is None else tuple(animal for animal, _ in moves)
    return Entered(stages + 1, edges + 1, action["animal"], action["value"], winner, moved, cards)
