"""Score sheet: for every game that has no rules here; the table brings its own and the sheet adds up.

There is no rule sheet behind it; these are the rules, and their ids are cited wherever one decides something.

SHEET-1   One to eight players.
SHEET-2   The table may give the game its name, 40 characters at most; the match then goes by it.
SHEET-3   A score is a whole number from −999,999 to 999,999.
SHEET-4   Players with the same team letter are one side with one score, which any of them enters; everybody else is a side alone.
          A team's score is the score of each of its members.
SHEET-5   Without rows the sheet is filled round after round. A round counts as soon as every side has a number in it; until then a
          number sent again replaces the one before.
SHEET-6   With rows every side has one cell in each row, filled in any order, and every number counts at once. There are at most 30
          rows with different names, 24 characters at most. A number sent again replaces the one before while the row is not full.
SHEET-7   A full row or a round that counts is closed: it is changed by correcting the entry, not by a new one.
SHEET-8   The highest total wins, or the lowest where the table says so; those who are level win together.
SHEET-9   The game ends after the agreed number of rounds; after the round in which a total reaches the target; with rows, when every
          row is full. Zero means that nothing is agreed.
SHEET-10  The table may say at any time that it is done: without rows after at least one round and with no number in the open one, with
          rows as soon as one cell is filled, and empty cells then count nothing.
SHEET-11  Where the last row breaks ties it does not count for the total: among equals the higher number in it is ahead, and an empty
          cell is a zero. Without rows this says nothing.
SHEET-12  A sheet with rows has neither a number of rounds nor a target.

In a record: `score` has `seat`, `points` and, with rows, `row` (from 0); `round` has `points`, one number for each side in the order of
their first seats, and with rows `row`; `end` has nothing. Adds `sides` (the seats of each) and `cells` (per row or round that counts, one
number or null for each side).
"""

from __future__ import annotations

from typing import ClassVar

from companion.games.base import Ask, Game, Plain, RuleError, Standing, Step, Text, Value, Verdict
from companion.games.score_sheet.asks import open_asks
from companion.games.score_sheet.model import ON_THEIR_OWN, End, Round, Rules, Score, State, Totals, sides_of
from companion.games.score_sheet.play import play
from companion.games.score_sheet.screen import Numbers
from companion.games.score_sheet.verdict import is_over, judge, standings


class ScoreSheet(Game[State, Rules]):
    id = "score-sheet"
    name = Text("Score sheet")
    players = (1, 2, 3, 4, 5, 6, 7, 8)
    players_rule = "SHEET-1"
    standings_on_board = True
    any_other = True
    actions = (Score, Round, End)
    options = Rules
    question = Totals
    numbers: ClassVar[Numbers] = Numbers()

    def highest_wins(self, options: Rules) -> bool:
        return options.wins == "highest"

    def title(self, options: Rules) -> Value:
        return options.title or self.name

    def setup(self, players: int, options: Rules) -> State:
        if options.rows and (options.rounds or options.target):
            text = Text("A sheet with rows ends when every row is full. Leave out the number of rounds and the target, or the rows.")
            raise RuleError(text, "SHEET-12")
        sides = sides_of(options.teams or (ON_THEIR_OWN,) * players)
        lines = ((None,) * len(sides),) * (len(options.rows) or 1)
        return State(options, sides, (0,) * len(sides), lines)

    def act(self, state: State, action: Score | Round | End) -> Step[State]:
        return play(state, action)

    def over(self, state: State) -> bool:
        return is_over(state)

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if is_over(state) else open_asks(state)

    def standings(self, state: State) -> tuple[Standing, ...]:
        return standings(state)

    def report(self, state: State) -> dict[str, Plain]:
        lines = state.lines if state.rows else state.lines[:-1]
        return {
            "sides": [list(side) for side in state.sides],
            "cells": [[cell.points if cell else None for cell in line] for line in lines],
        }

    def resolve(self, question: Totals) -> Verdict:
        return judge(question)


GAME = ScoreSheet()
