"""Tricky Cribby: a trick ranks four cards, their owners pick cards from the weakest up, and every pick walks a pawn to a tile.

Source: the rule sheet (Carol LaGrow, 2022). Our departures are rulings: nobody has to follow a colour (CRI-5), emptied places are not
counted (T1), a long count goes round again (T2), a side has one position for all its pawns (T4), and play goes on when the game is
decided unless the house rule says otherwise (T11). Hands and stacks stay on the table: a card is only refused when it was seen before.
"""

from __future__ import annotations

from typing import ClassVar

from companion.games.base import Ask, Figure, Game, Plain, Standing, Step, Text, Verdict
from companion.games.cards import COLOURS as WORDS
from companion.games.tricky_cribby.asks import open_asks
from companion.games.tricky_cribby.majorities import standings
from companion.games.tricky_cribby.model import ALL_TILES, COLOURS, SIDES, TILES, Dispute, Pick, Rules, State, Take, Trick, side_of
from companion.games.tricky_cribby.play import checked_loop, pick, play_trick, take
from companion.games.tricky_cribby.screen import Choice, Screen, orders
from companion.games.tricky_cribby.verdict import CribbyDisputes, checked_line, resolved


class TrickyCribby(Game[State, Rules]):
    id = "tricky-cribby"
    name = Text("Tricky Cribby")
    players = (2, 4)
    players_rule = "CRI-1"
    has_rounds = False
    actions = (Trick, Pick, Take)
    options = Rules
    question = Dispute
    disputes = CribbyDisputes()
    colours: ClassVar[tuple[str, ...]] = COLOURS
    tiles: ClassVar[int] = TILES
    all_tiles: ClassVar[int] = ALL_TILES

    def setup(self, players: int, options: Rules) -> State:
        line, loop = checked_line(options.strength), checked_loop(options.loop)
        nothing = dict.fromkeys(COLOURS, 0)
        return State(options, players, line, options.leader, loop, (nothing, nothing))

    def act(self, state: State, action: Trick | Pick | Take) -> Step[State]:
        match action:
            case Trick():
                return play_trick(state, action)
            case Pick():
                return pick(state, action)
            case Take():  # pragma: no branch: there is no other action
                return take(state, action)

    def over(self, state: State) -> bool:
        return state.over

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if state.over else tuple(open_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return standings(state)

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        held = state.tiles[side_of(seat)]
        return {colour: Figure(Text("Tiles in {colour}", colour=WORDS[colour]), n) for colour, n in held.items()}

    def screen(self, state: State) -> Screen:
        return Screen(state)

    def report(self, state: State) -> dict[str, Plain]:
        return {
            "tiles": [dict(held) for held in state.tiles],
            "completed": list(state.completed),
            "strength": list(state.line),
            "picker": state.picks.picker if state.picks else None,
        }

    def resolve(self, question: Dispute) -> Verdict:
        return resolved(question)

    def known(self, state: State) -> dict[str, Plain]:
        order = {"two_player_order": state.rules.two_player_order} if state.players == len(SIDES) else {}
        return {"leader": state.leader, "strength": list(state.line), **order}

    def orders(self, players: int, asked: Plain) -> tuple[Choice, ...]:
        """What the page of a dispute lets two players choose besides the cards."""
        return orders(players, asked)


GAME = TrickyCribby()
