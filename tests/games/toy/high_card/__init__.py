"""High Card: everybody draws, the highest card takes the game. A toy that shows what a sixth game needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from companion.games.base import Action, Ask, Field, Form, Game, Name, Note, Options, Reason, Standing, Step, Text, Verdict, path, ranked
from companion.games.cards import clockwise, first_highest
from companion.games.record import PerSeat, Question

Drawn = Annotated[int, Ge(1), Le(9)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Action):
    do: ClassVar[str] = "draw"
    cards: PerSeat[Drawn]


@dataclass(frozen=True, slots=True)
class State:
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A card on the board; its own template draws it."""

    seat: int
    value: int
    best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    cards: PerSeat[Drawn]


class HighCard(Game[State, Rules]):
    id = "high-card"
    name = Text("High Card")
    players = (2, 3)
    players_rule = "RECORD"
    actions = (Draw,)
    options = Rules
    question = Dispute

    def setup(self, players: int, options: Rules) -> State:
        return State((0,) * players)

    def act(self, state: State, action: Draw) -> Step[State]:
        verdict = _verdict(action.cards, 0)
        note = Note(Text("{player} draws the highest card.", player=Name(verdict.winner or 0)), "RECORD", verdict=verdict)
        return Step(State(action.cards), (note,), action.cards)

    def over(self, state: State) -> bool:
        return any(state.cards)

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if self.over(state) else (Ask("draw", "draw", Text("What did everybody draw?"), lambda: _form(state)),)

    def standings(self, state: State) -> tuple[Standing, ...]:
        order = [(card, -seat) for seat, card in enumerate(state.cards)]
        return ranked(state.cards, [first_highest(state.cards)] if self.over(state) else [], order)

    def screen(self, state: State) -> tuple[Shown, ...]:
        best = first_highest(state.cards) if self.over(state) else None
        return tuple(Shown(seat, card, seat == best) for seat, card in enumerate(state.cards))

    def resolve(self, question: Dispute) -> Verdict:
        return _verdict(question.cards, question.leader)


def _verdict(cards: tuple[int, ...], leader: int) -> Verdict:
    seats = clockwise(leader, len(cards))
    return Verdict(seats[first_highest(cards)], lambda: _why(seats, cards))


def _why(seats: tuple[int, ...], cards: tuple[int, ...]) -> Iterator[Reason]:
    for seat, card in zip(seats, cards, strict=True):
        yield Reason(Text("{player} drew {card}.", player=Name(seat), card=card), "RECORD", seat)


def _form(state: State) -> Form:
    cards = []
    for seat in range(len(state.cards)):
        cards.append((yield Field(path("cards", seat), range(1, 10), Text("Card of {player}", player=Name(seat)), "number")))
    return {"do": "draw", "cards": cards}


GAME = HighCard()
