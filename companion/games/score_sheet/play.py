"""What a report leads to: a number, the numbers of all sides, the end; and how it is told."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.base import Note, RuleError, Step, Text, changed, many, names
from companion.games.score_sheet.model import Cell, End, Line, Round, Score, State, is_full
from companion.games.score_sheet.verdict import is_over, standings


def play(state: State, action: Score | Round | End) -> Step[State]:
    match action:
        case Score():
            return _score(state, action)
        case Round():
            return _round(state, action)
        case End():  # pragma: no branch: there is no other action
            return _end(state)


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
    if is_full(state.lines[row]):
        raise RuleError(Text("{row} is full already. To change a number there, correct its entry.", row=state.rows[row]), "SHEET-7")
    return row


def _written(state: State, line: int, cells: Line, notes: tuple[Note, ...]) -> Step[State]:
    """The step after an entry; where it fills its line, that is closed and counts."""
    full = is_full(cells)
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
    if is_over(state):
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
    won = [standing for standing in standings(state) if standing.won]
    players = names(standing.seat for standing in won)
    text = many(
        "{players} wins with {points} points.", "{players} win with {points} points.", n=len(won), players=players, points=won[0].points
    )
    yield Note(text, "SHEET-8")
    if won[0].tiebreak:
        yield Note(won[0].tiebreak, "SHEET-11")
