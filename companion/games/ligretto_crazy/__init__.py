"""Ligretto Crazy: everybody plays at once, then everybody counts; the first round that brings somebody to 100 ends the game.

Source: the rule sheet (Schmidt Spiele). Our departures are rulings: a crazy card that opens a pile is a 1 (G1), may close on a 4 (G3),
and the target can be changed for short evenings (G10). Hands are busy during a round, so a round is reported only when it is over.
"""

from __future__ import annotations

from companion.games.base import Ask, Game, Standing, Step, Text, Verdict, ranked
from companion.games.ligretto_crazy.asks import round_asks
from companion.games.ligretto_crazy.model import Count, Laying, Round, Rules, State
from companion.games.ligretto_crazy.play import count_all, count_one, winners
from companion.games.ligretto_crazy.screen import Screen
from companion.games.ligretto_crazy.verdict import LigrettoDisputes, may_lay


class LigrettoCrazy(Game[State, Rules]):
    """The game and its questions."""

    id = "ligretto-crazy"
    name = Text("Ligretto Crazy")
    players = (2, 3, 4, 5)
    players_rule = "LIG-1"
    standings_on_board = True
    actions = (Count, Round)
    options = Rules
    question = Laying
    disputes = LigrettoDisputes()

    def setup(self, players: int, options: Rules) -> State:
        return State(options.target, (0,) * players, (None,) * players)

    def act(self, state: State, action: Count | Round) -> Step[State]:
        match action:
            case Count():
                return count_one(state, action)
            case Round():  # pragma: no branch: there is no other action
                return count_all(state, action)

    def over(self, state: State) -> bool:
        return state.over

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if state.over else tuple(round_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return ranked(state.totals, winners(state))

    def resolve(self, question: Laying) -> Verdict:
        return may_lay(question)

    def screen(self, state: State) -> Screen:
        return Screen(state)


GAME = LigrettoCrazy()
