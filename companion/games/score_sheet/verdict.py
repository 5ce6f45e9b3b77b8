"""When a sheet is over, who is ahead, and who wins with some totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.base import Name, Reason, Standing, Text, Verdict
from companion.games.score_sheet.model import State, Totals, Wins


def is_over(state: State) -> bool:
    """Whether everything agreed is played, or the table said that it is done."""
    if state.ended or not state.open_lines:
        return True
    return 0 < state.rules.rounds <= state.closed or 0 < state.rules.target <= max(state.totals)


def standings(state: State) -> tuple[Standing, ...]:
    """Everybody's points and place; nobody has won before the end."""
    return tuple(_standing(state, seat, is_over(state)) for seat in range(state.players))


def _standing(state: State, seat: int, over: bool) -> Standing:
    place = state.places[state.side_of(seat)]
    return Standing(seat, place.points, place.rank, over and place.rank == 1, _tiebreak(state, place.seat))


def _tiebreak(state: State, side: int) -> Text | None:
    """What separates a side from another with the same total."""
    if state.tie_row is None or state.totals.count(state.totals[side]) == 1:
        return None
    return Text("{n} in {row}, which breaks the tie.", n=state.tie_number(side), row=state.rows[state.tie_row])


# ---- who wins? -------------------------------------------------------------------------------------------------------


def judge(question: Totals) -> Verdict:
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
