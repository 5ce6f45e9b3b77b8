"""What a score sheet is made of: its limits and house rules, what is reported, and what stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le
from pydantic import AfterValidator

from companion.games.base import Action, Name, Options, Standing, Text, names, option, ranked
from companion.games.record import Number, PerSeat, Question, Seat, refuse_value, words

MAX_POINTS = 999_999
MAX_ROWS = 30
MAX_TITLE, MAX_ROW_NAME = 40, 24

Points = Annotated[int, Ge(-MAX_POINTS), Le(MAX_POINTS)]
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


# ---- house rules -----------------------------------------------------------------------------------------------------


def _different(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Every row has a name of its own, and there are not too many."""
    if len(rows) > MAX_ROWS:
        raise refuse_value(Text("A sheet has room for {most} rows, not for {n}.", most=MAX_ROWS, n=len(rows)))
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
    title: Annotated[str, words(MAX_TITLE)] = option("", Text("What is the game called?"), kind="text")
    wins: Wins = option("highest", Text("What wins?"), HIGHEST_OR_LOWEST)
    rounds: Number = option(0, Text("Number of rounds (0: until you are done)"))
    target: Number = option(0, Text("Points that end the game (0: none)"))
    rows: Annotated[tuple[Annotated[str, words(MAX_ROW_NAME)], ...], AfterValidator(_different)] = option(
        (), Text("Names of rows, one on each line (instead of rounds)"), kind="lines"
    )
    tie: Literal["shared", "last-row"] = option("shared", Text("Who wins a tie?"), TIES)
    teams: PerSeat[Literal["", "A", "B", "C", "D"]] = option((), Text("Who is with whom?"), TEAMS, kind="each")


# ---- reports ---------------------------------------------------------------------------------------------------------


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


# ---- what stands on the sheet ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """A number on the sheet, and which entry of the match put it there, counted from 0."""

    points: int
    entry: int


Line = tuple[Cell | None, ...]  # a round or a row: one cell for each side


def is_full(line: Line) -> bool:
    return None not in line


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
        return sum(map(is_full, self.lines)) if self.rows else len(self.lines) - 1

    @property
    def tie_row(self) -> int | None:
        """The row that only breaks ties."""
        return len(self.rows) - 1 if self.rows and self.rules.tie == "last-row" else None

    @property
    def open_lines(self) -> tuple[int, ...]:
        if not self.rows:
            return (len(self.lines) - 1,)
        return tuple(row for row, cells in enumerate(self.lines) if not is_full(cells))

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


def sides_of(teams: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """The seats that share a score, in the order of their first ones."""
    found: dict[str | int, list[int]] = {}
    for seat, letter in enumerate(teams):
        found.setdefault(letter or seat, []).append(seat)
    return tuple(map(tuple, found.values()))


# ---- a dispute -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Question):
    """Who wins with these totals?"""

    points: PerSeat[Points]
    wins: Wins = "highest"
