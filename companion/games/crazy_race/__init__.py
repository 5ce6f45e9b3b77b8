"""Crazy Race: cards laid at the edges of a stage card move animals to the turnaround and home; the first ones there get the best tiles.

Source: the rule sheet (Michael Schacht, Spiele aus Timbuktu 2001). Our departures are rulings: an occupied turnaround is jumped or shared
(R3), a winner moves all points or none (R5), penalties fall on owners or on animals (R6), a tie for last uses up the second-last place or
does not (R7), and finished animals count as far ahead in the last tie-break (R9). Cards are entered when they have been turned over, so
there are no secrets here. Which animals a stage card shows is not known. A table may enter only winners; then cards are not counted.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Ask, Figure, Game, Plain, Standing, Step, Text, Verdict
from companion.games.crazy_race.asks import open_asks
from companion.games.crazy_race.ending import give_up, standings
from companion.games.crazy_race.lanes import where
from companion.games.crazy_race.model import ANIMALS, COPIES, HAND, WORDS, Discard, Dispute, Edge, End, Final, Rules, State, TakeBack
from companion.games.crazy_race.play import check_time, end_early, evaluate, score, take_back
from companion.games.crazy_race.screen import Screen, wins
from companion.games.crazy_race.verdict import RaceDisputes, resolve


class CrazyRace(Game[State, Rules]):
    """The game and its questions."""

    id = "crazy-race"
    name = Text("Crazy Race")
    players = (3, 4)
    players_rule = "RACE-1"
    has_rounds = False
    actions = (Edge, TakeBack, End, Discard, Final)
    options = Rules
    question = Dispute
    disputes = RaceDisputes()
    animals = ANIMALS
    words = WORDS
    hand = HAND
    copies = COPIES
    wins = staticmethod(wins)

    def setup(self, players: int, options: Rules) -> State:
        return State.at_start(players, options)

    def act(self, state: State, action: Edge | TakeBack | End | Discard | Final) -> Step[State]:
        check_time(state, action)
        match action:
            case Edge():
                return evaluate(state, action)
            case TakeBack():
                return take_back(state, action)
            case End():
                return end_early(state)
            case Discard():
                return give_up(state, action)
            case Final():  # pragma: no branch: there is no other action
                return score(state, action)

    def over(self, state: State) -> bool:
        return state.over

    def asks(self, state: State) -> tuple[Ask, ...]:
        return tuple(open_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return standings(state)

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        team = state.teams[seat]
        animals = {animal: Figure(WORDS[animal], where(at)) for animal, at in zip(ANIMALS, team.animals, strict=True)}
        return animals if state.uncounted else {**animals, "cards": Figure(Text("Cards in hand"), team.cards_left)}

    def report(self, state: State) -> dict[str, Plain]:
        return {
            "animals": [list(team.animals) for team in state.teams],
            "tiles": [list(team.tiles) for team in state.teams],
            "stages": state.stages,
            "pending": state.pending,
        }

    def resolve(self, question: Dispute) -> Verdict:
        return resolve(question)

    def turns(self, question: Dispute) -> tuple[int, ...]:
        """As they first laid a card there: nobody leads an edge."""
        return tuple(dict.fromkeys((*(seat for seat, _ in question.cards), *range(len(question.players)))))

    def retold(self, question: Dispute) -> Dispute:
        turns = self.turns(question)
        return replace(question, cards=tuple((turns.index(seat), card) for seat, card in question.cards))

    def screen(self, state: State) -> Screen:
        return Screen(state)


GAME = CrazyRace()
