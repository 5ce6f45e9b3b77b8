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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le
from pydantic import AfterValidator

from companion.games.base import (
    Action,
    Ask,
    Field,
    Form,
    Game,
    Name,
    Note,
    Options,
    Plain,
    Reason,
    RuleError,
    Standing,
    Step,
    Text,
    Value,
    Verdict,
    ask_id,
    changed,
    many,
    names,
    option,
    path,
    ranked,
)
from companion.games.record import Number, PerSeat, Question, Seat, refuse_value, words

MOST_POINTS = 999_999
MOST_ROWS = 30
LONGEST_TITLE, LONGEST_ROW = 40, 24

Points = Annotated[int, Ge(-MOST_POINTS), Le(MOST_POINTS)]
Wins = Literal["highest", "lowest"]
HIGHEST_OR_LOWEST = {"highest": Text("The highest total"), "lowest": Text("The lowest total")}
ON_THEIR_OWN = ""
TEAMS = {
    ON_THEIR_OWN: Text("on their own"),
    "A": Text("Team {letter}", letter="A"),
    "B": Text("Team {letter}", letter="B"),
    "C": Text("Team {letter}", letter="C"),
    "D": Text("Team {letter}", letter="D"),
}
TIES = {"shared": Text("They win together"), "last-row": Text("The last row, kept for that")}


# ---- house rules, reports, state -------------------------------------------------------------------------------------


def _different(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Every row has a name of its own, and there are not too many."""
    if len(rows) > MOST_ROWS:
        raise refuse_value(Text("A sheet has room for {most} rows, not for {n}.", most=MOST_ROWS, n=len(rows)))
    met: set[str] = set()
    for row in rows:
        if not row:
            raise refuse_value(Text("Every row needs a name."))
        if row.casefold() in met:
            raise refuse_value(Text("There are two rows called “{row}”.", row=row))
        met.add(row.casefold())
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    title: Annotated[str, words(LONGEST_TITLE)] = option("", Text("What is the game called?"), kind="text")
    wins: Wins = option("highest", Text("What wins?"), HIGHEST_OR_LOWEST)
    rounds: Number = option(0, Text("Number of rounds (0: until you are done)"))
    target: Number = option(0, Text("Points that end the game (0: none)"))
    rows: Annotated[tuple[Annotated[str, words(LONGEST_ROW)], ...], AfterValidator(_different)] = option(
        (), Text("Names of rows, one on each line (instead of rounds)"), kind="lines"
    )
    tie: Literal["shared", "last-row"] = option("shared", Text("Who wins a tie?"), TIES)
    teams: PerSeat[Literal["", "A", "B", "C", "D"]] = option((), Text("Who is with whom?"), TEAMS, kind="each")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Action):
    """One side's number, in the open round or in a row; sent again it replaces."""

    do: ClassVar[str] = "score"
    seat: Seat
    points: Points
    row: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Action):
    """The numbers of all sides at once."""

    do: ClassVar[str] = "round"
    points: tuple[Points, ...]
    row: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Action):
    """The table is done."""

    do: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Cell:
    """A number on the sheet, and which entry of the match put it there, counted from 0."""

    points: int
    entry: int


Line = tuple[Cell | None, ...]  # a round or a row: one cell for each side


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    sides: tuple[tuple[int, ...], ...]  # the seats that share a score
    totals: tuple[int, ...]  # of each side
    lines: tuple[Line, ...]  # the rows; without rows the rounds, of which the last is open
    entries: int = 0
    ended: bool = False  # the table said so

    @property
    def players(self) -> int:
        return sum(map(len, self.sides))

    @property
    def rows(self) -> tuple[str, ...]:
        return self.rules.rows

    @property
    def closed(self) -> int:
        """How many rounds count, or rows are full."""
        return sum(map(_is_full, self.lines)) if self.rows else len(self.lines) - 1

    @property
    def tie_row(self) -> int | None:
        """The row that only breaks ties."""
        return len(self.rows) - 1 if self.rows and self.rules.tie == "last-row" else None

    @property
    def open_lines(self) -> tuple[int, ...]:
        if not self.rows:
            return (len(self.lines) - 1,)
        return tuple(row for row, cells in enumerate(self.lines) if not _is_full(cells))

    @property
    def places(self) -> tuple[Standing, ...]:
        """The standings of the sides; `seat` is the number of the side."""
        return ranked(self.totals, order=[self._order(side) for side in range(len(self.sides))])

    def _order(self, side: int) -> tuple[int, int]:
        total = self.totals[side] if self.rules.wins == "highest" else -self.totals[side]
        return total, self.tie_number(side)

    def tie_number(self, side: int) -> int:
        """What a side has in the row that breaks ties."""
        cell = None if self.tie_row is None else self.lines[self.tie_row][side]
        return cell.points if cell else 0

    def empty(self, side: int) -> tuple[int, ...]:
        """Where this side has no number yet."""
        return tuple(line for line in self.open_lines if not self.lines[line][side])

    @property
    def missing(self) -> tuple[Name, ...]:
        """Whose numbers the sheet waits for."""
        return names(seat for side, seats in enumerate(self.sides) if self.empty(side) for seat in seats)

    def named(self, side: int) -> tuple[Name, ...]:
        return names(self.sides[side])

    def side_of(self, seat: int) -> int:
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    def per_seat(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """What every seat has where these are the numbers of the sides."""
        return tuple(numbers[self.side_of(seat)] for seat in range(self.players))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Question):
    """Who wins with these totals?"""

    points: PerSeat[Points]
    wins: Wins = "highest"


# ---- the game --------------------------------------------------------------------------------------------------------


class ScoreSheet(Game[State, Rules]):
    id = "score-sheet"
    name = Text("Score sheet")
    players = (1, 2, 3, 4, 5, 6, 7, 8)
    players_rule = "SHEET-1"
    any_other = True
    actions = (Score, Round, End)
    options = Rules
    question = Totals

    def highest_wins(self, options: Rules) -> bool:
        return options.wins == "highest"

    def title(self, options: Rules) -> Value:
        return options.title or self.name

    def setup(self, players: int, options: Rules) -> State:
        if options.rows and (options.rounds or options.target):
            text = Text("A sheet with rows ends when every row is full. Leave out the number of rounds and the target, or the rows.")
            raise RuleError(text, "SHEET-12")
        sides = _sides(options.teams or (ON_THEIR_OWN,) * players)
        lines = ((None,) * len(sides),) * (len(options.rows) or 1)
        return State(options, sides, (0,) * len(sides), lines)

    def act(self, state: State, action: Score | Round | End) -> Step[State]:
        match action:
            case Score():
                return _score(state, action)
            case Round():
                return _round(state, action)
            case End():  # pragma: no branch: there is no other action
                return _end(state)

    def over(self, state: State) -> bool:
        if state.ended or not state.open_lines:
            return True
        return 0 < state.rules.rounds <= state.closed or 0 < state.rules.target <= max(state.totals)

    def asks(self, state: State) -> tuple[Ask, ...]:
        if self.over(state):
            return ()
        cells = (_ask_score(state, line, side) for line in state.open_lines for side in range(len(state.sides)))
        lines = (_ask_round(state, line) for line in state.open_lines)
        return (*cells, *lines, *_ask_end(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return tuple(_standing(state, seat, self.over(state)) for seat in range(state.players))

    def report(self, state: State) -> dict[str, Plain]:
        lines = state.lines if state.rows else state.lines[:-1]
        return {
            "sides": [list(side) for side in state.sides],
            "cells": [[cell.points if cell else None for cell in line] for line in lines],
        }

    def resolve(self, question: Totals) -> Verdict:
        return _verdict(question)


def _sides(teams: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """The seats that share a score, in the order of their first ones."""
    found: dict[str | int, list[int]] = {}
    for seat, letter in enumerate(teams):
        found.setdefault(letter or seat, []).append(seat)
    return tuple(map(tuple, found.values()))


def _is_full(line: Line) -> bool:
    return None not in line


def _standing(state: State, seat: int, over: bool) -> Standing:
    place = state.places[state.side_of(seat)]
    return Standing(seat, place.points, place.rank, over and place.rank == 1, _tiebreak(state, place.seat))


def _tiebreak(state: State, side: int) -> Text | None:
    """What separates a side from another with the same total."""
    if state.tie_row is None or state.totals.count(state.totals[side]) == 1:
        return None
    return Text("{n} in {row}, which breaks the tie.", n=state.tie_number(side), row=state.rows[state.tie_row])


# ---- entries ---------------------------------------------------------------------------------------------------------


def _score(state: State, action: Score) -> Step[State]:
    line, side = _line_of(state, action.row), state.side_of(action.seat)
    cells = state.lines[line]
    written = (*cells[:side], Cell(action.points, state.entries), *cells[side + 1 :])
    return _written(state, line, written, (_told_score(state, line, side, action.points),))


def _round(state: State, action: Round) -> Step[State]:
    line = _line_of(state, action.row)
    if len(action.points) != len(state.sides):
        text = Text("There are {sides} numbers to enter, one for each side, not {n}.", sides=len(state.sides), n=len(action.points))
        raise RuleError(text, "SHEET-4")
    return _written(state, line, tuple(Cell(points, state.entries) for points in action.points), ())


def _line_of(state: State, row: int | None) -> int:
    """Where a number goes: into the open round, or into a row that is not full."""
    if not state.rows:
        if row is not None:
            raise RuleError(Text("This sheet has rounds and no rows; leave out the row."), "SHEET-5")
        return len(state.lines) - 1
    if row is None or row >= len(state.rows):
        raise RuleError(Text("A number goes into one of the {n} rows: {rows}.", n=len(state.rows), rows=state.rows), "SHEET-6")
    if _is_full(state.lines[row]):
        raise RuleError(Text("{row} is full already. To change a number there, correct its entry.", row=state.rows[row]), "SHEET-7")
    return row


def _written(state: State, line: int, cells: Line, notes: tuple[Note, ...]) -> Step[State]:
    """The step after an entry; where it fills its line, that is closed and counts."""
    full = _is_full(cells)
    lines = (*state.lines[:line], cells, *state.lines[line + 1 :])
    if full and not state.rows:
        lines = (*lines, (None,) * len(state.sides))
    totals = _counted(state, line, cells) if full or state.rows else state.totals
    after = changed(state, lines=lines, totals=totals, entries=state.entries + 1)
    scored = state.per_seat(_numbers(cells)) if full and line != state.tie_row else None
    return Step(after, (*notes, *(_told_line(after, line) if full else ())), scored)


def _counted(state: State, line: int, cells: Line) -> tuple[int, ...]:
    """The totals with these numbers; in a row they stand in the place of those that counted before."""
    if line == state.tie_row:
        return state.totals
    before = _numbers(state.lines[line]) if state.rows else (0,) * len(cells)
    return tuple(total + new - old for total, new, old in zip(state.totals, _numbers(cells), before, strict=True))


def _numbers(line: Line) -> tuple[int, ...]:
    return tuple(cell.points if cell else 0 for cell in line)


def _end(state: State) -> Step[State]:
    if not state.rows:
        _check_between_rounds(state)
    elif not any(map(any, state.lines)):
        raise RuleError(Text("Nothing has been entered yet, so there is nothing to end."), "SHEET-10")
    after = changed(state, ended=True, entries=state.entries + 1)
    return Step(after, (Note(Text("The table is done."), "SHEET-10"), *_told_end(after)), _rest(state))


def _check_between_rounds(state: State) -> None:
    if any(state.lines[-1]):
        text = Text("Finish round {n} first, or undo it: still missing are {players}.", n=len(state.lines), players=state.missing)
        raise RuleError(text, "SHEET-10")
    if not state.closed:
        raise RuleError(Text("Not one round has been played yet, so there is nothing to end."), "SHEET-10")


def _rest(state: State) -> tuple[int, ...] | None:
    """What the rows brought that never became full: they are closed together at the end."""
    open_lines = [state.lines[line] for line in state.open_lines if line != state.tie_row]
    if not any(map(any, open_lines)):
        return None
    return state.per_seat([sum(numbers) for numbers in zip(*map(_numbers, open_lines), strict=True)])


# ---- in words --------------------------------------------------------------------------------------------------------


def _told_score(state: State, line: int, side: int, points: int) -> Note:
    if state.rows:
        return Note(Text("{side}: {points} for {row}.", side=state.named(side), points=points, row=state.rows[line]), "SHEET-6")
    return Note(Text("{side}: {points} in round {n}.", side=state.named(side), points=points, n=line + 1), "SHEET-5")


def _told_line(state: State, line: int) -> Iterator[Note]:
    """A line that has just become full, and where that leaves the table."""
    numbers = _numbers(state.lines[line])
    scores = tuple(Text("{side} {points}", side=state.named(side), points=points) for side, points in enumerate(numbers))
    if state.rows:
        yield Note(Text("{row} is full: {scores}.", row=state.rows[line], scores=scores), "SHEET-6")
    else:
        yield Note(Text("Round {n}: {scores}.", n=line + 1, scores=scores), "SHEET-5")
    if GAME.over(state):
        yield _why_over(state)
        yield from _told_end(state)
    elif len(state.sides) > 1:
        yield Note(_leading(state), "SHEET-8")


def _leading(state: State) -> Text:
    ahead = [seat for place in state.places if place.rank == 1 for seat in state.sides[place.seat]]
    points = next(place.points for place in state.places if place.rank == 1)
    return many(
        "{players} leads with {points} points.", "{players} lead with {points} points.", n=len(ahead), players=names(ahead), points=points
    )


def _why_over(state: State) -> Note:
    reached = [seat for side, seats in enumerate(state.sides) if 0 < state.rules.target <= state.totals[side] for seat in seats]
    if state.rows:
        return Note(Text("Every row is full."), "SHEET-9")
    if reached:
        return Note(Text("{players} reached {target} points.", players=names(reached), target=state.rules.target), "SHEET-9")
    return Note(many("{n} round was agreed.", "{n} rounds were agreed.", n=state.rules.rounds), "SHEET-9")


def _told_end(state: State) -> Iterator[Note]:
    won = [standing for standing in GAME.standings(state) if standing.won]
    players = names(standing.seat for standing in won)
    text = many(
        "{players} wins with {points} points.", "{players} win with {points} points.", n=len(won), players=players, points=won[0].points
    )
    yield Note(text, "SHEET-8")
    if won[0].tiebreak:
        yield Note(won[0].tiebreak, "SHEET-11")


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _where(state: State, line: int) -> tuple[str, int]:
    return ("row", line) if state.rows else ("round", line + 1)


def _row(state: State, line: int) -> dict[str, int]:
    return {"row": line} if state.rows else {}


def _ask_score(state: State, line: int, side: int) -> Ask:
    cell = state.lines[line][side]
    again = ("again", cell.entry) if cell else ()
    return Ask(
        ask_id(*_where(state, line), "side", side, *again),
        "score",
        _score_text(state, line, side),
        partial(_score_form, state, line, side),
        needed=cell is None,
    )


def _score_text(state: State, line: int, side: int) -> Text:
    if state.rows:
        return Text("{row}: the points of {side}", row=state.rows[line], side=state.named(side))
    return Text("Round {n}: the points of {side}", n=line + 1, side=state.named(side))


def _score_form(state: State, line: int, side: int) -> Form:
    seat = state.sides[side][0]
    if len(state.sides[side]) > 1:
        seat = yield Field("seat", state.sides[side], Text("For whom?"), "seat")
    points = yield _points_field("points", Text("Points"))
    return {"do": "score", "seat": seat, "points": points, **_row(state, line)}


def _points_field(name: str, text: Text) -> Field:
    return Field(name, range(-MOST_POINTS, MOST_POINTS + 1), text, "number")


def _ask_round(state: State, line: int) -> Ask:
    """Its id tells what the line held: whoever enters all numbers replaces none that they have not seen."""
    newest = max((cell.entry + 1 for cell in state.lines[line] if cell), default=0)
    text = Text("{row}: the points of everybody", row=state.rows[line]) if state.rows else Text("The points of everybody")
    return Ask(ask_id(*_where(state, line), "all", newest), "round", text, partial(_round_form, state, line), needed=False)


def _round_form(state: State, line: int) -> Form:
    points = []
    for side in range(len(state.sides)):
        points.append((yield _points_field(path("points", side), Text("{side}", side=state.named(side)))))
    return {"do": "round", "points": points, **_row(state, line)}


def _ask_end(state: State) -> tuple[Ask, ...]:
    begun = any(map(any, state.lines)) if state.rows else state.closed and not any(state.lines[-1])
    return (Ask(ask_id("end", state.closed), "end", Text("We are done"), _end_form, needed=False),) if begun else ()


def _end_form() -> Form:
    yield from ()
    return {"do": "end"}


# ---- who wins? -------------------------------------------------------------------------------------------------------


def _verdict(question: Totals) -> Verdict:
    """Nobody alone where the best are level."""
    best = max(question.points) if question.wins == "highest" else min(question.points)
    won = [seat for seat, points in enumerate(question.points) if points == best]
    return Verdict(won[0] if len(won) == 1 else None, lambda: _why(question, best, won))


def _why(question: Totals, best: int, won: Sequence[int]) -> Iterator[Reason]:
    for seat, points in enumerate(question.points):
        yield Reason(_place(Name(seat), points, best, question.wins, len(won) > 1), "SHEET-8", seat)


def _place(player: Name, points: int, best: int, wins: Wins, level: bool) -> Text:
    if points != best:
        return Text("{player} has {points}; {best} is better.", player=player, points=points, best=best)
    if level:
        return Text("{player} has {points}, as good as the best: they win together.", player=player, points=points)
    if wins == "lowest":
        return Text("{player} has {points}, the lowest total.", player=player, points=points)
    return Text("{player} has {points}, the highest total.", player=player, points=points)


GAME = ScoreSheet()
