"""Crazy Lab: ten tricks with cards of one to three colours, a new trump for each, and only what lies in them counts.

Source: the rule sheet (Gregorio Morales, Jordi Gené; AMIGO 2013). Our departures are rulings: without trump the highest single number
counts (LAB-15), a tie for first is shared or played off (L1), the left neighbour starts the next round (L2). The list of the 95 cards is
not known, so no card can be refused as seen twice. A plus colour is a secret of its seat until the round is scored.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from companion.games.base import Ask, Figure, Game, Plain, Standing, Step, Text, Verdict, Viewer, ranked
from companion.games.crazy_lab.asks import open_asks
from companion.games.crazy_lab.model import COLOURS, HIDDEN, HIGHEST, MAX_COLOURS, Count, Dispute, Minus, Plus, Round, Rules, State, Trick
from companion.games.crazy_lab.play import choose_plus, count, count_all, leaders, new_round, take_minus, take_trick
from companion.games.crazy_lab.screen import Part, Screen, part_of
from companion.games.crazy_lab.verdict import LabDisputes, resolved, retold


class CrazyLab(Game[State, Rules]):
    id = "crazy-lab"
    name = Text("Crazy Lab")
    players = (3, 4, 5)
    players_rule = "LAB-1"
    actions = (Minus, Plus, Trick, Count, Round)
    options = Rules
    question = Dispute
    asks_whole_cards = False
    disputes = LabDisputes()
    colours: ClassVar[tuple[str, ...]] = COLOURS
    max_colours: ClassVar[int] = MAX_COLOURS
    numbers: ClassVar[range] = range(1, HIGHEST + 1)  # on a card
    in_trump: ClassVar[range] = range(HIGHEST + 1)  # the number of a card in trump, 0 for none

    def setup(self, players: int, options: Rules) -> State:
        return new_round(State(options, (0,) * players, options.starter))

    def act(self, state: State, action: Minus | Plus | Trick | Count | Round) -> Step[State]:
        match action:
            case Minus():
                return take_minus(state, action)
            case Plus():
                return choose_plus(state, action)
            case Trick():
                return take_trick(state, action)
            case Count():
                return count(state, action)
            case Round():  # pragma: no branch: there is no other action
                return count_all(state, action)

    def over(self, state: State) -> bool:
        return state.over

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if state.over else tuple(open_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return ranked(state.totals, leaders(state) if state.over else ())

    def view(self, state: State, viewer: Viewer) -> State:
        return replace(state, plus=tuple(_shown_to(colour, seat in viewer) for seat, colour in enumerate(state.plus)))

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        sums = state.counts[seat]
        counted = Text("{plus} − {minus}", plus=sums.plus, minus=sums.minus) if sums else Text("not yet")
        tricks = Figure(Text("Tricks in this round"), state.tricks_of(seat))
        return {"tricks": tricks, "counted": Figure(Text("Counted in this round"), counted)}

    def screen(self, state: State) -> Screen:
        return Screen(state)

    def report(self, state: State) -> dict[str, Plain]:
        return {"leader": None if state.over else state.leader, "tricks_played": len(state.tricks)}

    def resolve(self, question: Dispute) -> Verdict:
        return resolved(question)

    def known(self, state: State) -> dict[str, Plain]:
        return {"leader": state.leader}

    def retold(self, question: Dispute) -> Dispute:
        return retold(question)

    def part(self, card: Plain, asked: Plain) -> Part:
        """What the page of a dispute knows of a card."""
        return part_of(card, asked)


def _shown_to(colour: str | None, own: bool) -> str | None:
    return colour if own or colour is None else HIDDEN


GAME = CrazyLab()
