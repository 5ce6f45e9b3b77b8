"""The Academy: eight tricks, four roles with goals of their own, and a round rule; three awards and the purple 7 win.

Source: the rule sheet (Manny Dominguez; AMIGO 2023), the dealing from outside sources. Our departures are rulings: the app plays with
four (Y12), a leading Mastermind who covers lets the next player lead (Y2), roles are swapped after the exam (Y5). Round rules have no
number of their own: an error or note cites the rule it follows from. Hands stay on the table, so following the led colour is only watched:
a seat that shows a colour it did not follow gets one warning for it. Excused is every seat once pass-left, swap-hands or blind-swap was in
force after the miss (with whom the Mastermind swapped is not reported), and the Mastermind once trick-exchange was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from companion.games.base import Ask, Figure, Game, Plain, Standing, Step, Text, Verdict
from companion.games.cards import Card
from companion.games.the_academy.asks import open_asks
from companion.games.the_academy.awards import places
from companion.games.the_academy.model import (
    ACE,
    COLOURS,
    DUTIES,
    NO_TRUMP,
    PLAYERS,
    ROLE_WORDS,
    ROUND_RULES,
    Dispute,
    Exam,
    Exchange,
    Round,
    Rules,
    State,
    SwapRoles,
    Trick,
    dealt,
)
from companion.games.the_academy.play import play
from companion.games.the_academy.screen import Numbers, Screen
from companion.games.the_academy.verdict import AcademyDisputes, resolve


class TheAcademy(Game[State, Rules]):
    id = "the-academy"
    name = Text("The Academy")
    players = (PLAYERS,)
    players_rule = "Y12"
    actions = (Exam, SwapRoles, Trick, Exchange, Round)
    options = Rules
    question = Dispute
    disputes = AcademyDisputes()
    colours: ClassVar[tuple[str, ...]] = COLOURS
    round_rules: ClassVar[Mapping[str, Text]] = ROUND_RULES
    role_words: ClassVar[Mapping[str, Text]] = ROLE_WORDS
    duties: ClassVar[Mapping[str, Text]] = DUTIES
    ace: ClassVar[Card] = ACE
    no_trump: ClassVar[str] = NO_TRUMP
    numbers: ClassVar[Numbers] = Numbers()

    def setup(self, players: int, options: Rules) -> State:
        return State(options, (0,) * players, dealt(options, 1), options.captain)

    def act(self, state: State, action: Exam | SwapRoles | Trick | Exchange | Round) -> Step[State]:
        return play(state, action)

    def over(self, state: State) -> bool:
        return state.winner is not None

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if self.over(state) else tuple(open_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return places(state)

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        return {
            "tricks": Figure(Text("Tricks in this round"), state.tally[seat]),
            "role": Figure(Text("Role in this round"), ROLE_WORDS[state.roles[seat]]),
        }

    def screen(self, state: State) -> Screen:
        return Screen(state)

    def report(self, state: State) -> dict[str, Plain]:
        if self.over(state):
            return {"roles": None, "leader": None}
        return {"roles": list(state.roles), "leader": state.leader}

    def resolve(self, question: Dispute) -> Verdict:
        return resolve(question)

    def known(self, state: State) -> dict[str, Plain]:
        return {"leader": state.leader, **({"trump": state.trump} if state.rule else {})}


GAME = TheAcademy()
