"""The standings of a night: what each finished match is worth by a stated scheme, and who is ahead over all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.games.base import Text, many


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match as far as the night is concerned."""

    id: str
    game: str
    people: tuple[str, ...]  # in seat order
    ranks: tuple[int, ...]
    winners: frozenset[int]  # seats
    minutes: int

    @property
    def placed(self) -> list[tuple[int, str]]:
        """Place and person, the best first."""
        return sorted(zip(self.ranks, self.people, strict=True), key=lambda each: each[0])

    def beaten(self, seat: int) -> int:
        """How many came in behind; partners share a place, so nobody beats a partner."""
        return sum(rank > self.ranks[seat] for rank in self.ranks)


def lasted(minutes: int) -> Text:
    """How long, in words; a match put aside for a week is told in days."""
    if minutes < 60:
        return many("{n} minute", "{n} minutes", n=minutes)
    if minutes < 24 * 60:
        return Text("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
    return many("{n} day", "{n} days", n=minutes // (24 * 60))


# ---- schemes ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scheme:
    """What a match is worth to a seat, with its rule in words."""

    name: Text
    words: Text
    points: Callable[[Played, int], int]


def _by_place(match: Played, seat: int) -> int:
    return max(0, 4 - match.ranks[seat])


SCHEMES = {
    "beaten": Scheme(
        Text("Players beaten + 1"),
        Text("A match is worth one point for playing, and one more for everybody who came in behind you."),
        lambda match, seat: match.beaten(seat) + 1,
    ),
    "places": Scheme(
        Text("3–2–1 by place"),
        Text(
            "A match is worth 3 points for the first place, 2 for the second, 1 for the third. "
            "Whoever shares a place gets its points in full."
        ),
        _by_place,
    ),
    "winner": Scheme(
        Text("Winner takes 1"),
        Text("A match is worth 1 point to its winner. Several winners get 1 point each."),
        lambda match, seat: int(seat in match.winners),
    ),
}  # fmt: skip
USUAL = "beaten"  # fair between games for different numbers of players, teams and shared victories


def scheme_of(id: str) -> Scheme:
    return SCHEMES.get(id, SCHEMES[USUAL])


# ---- who is ahead ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """What one match brought a person."""

    match: Played
    place: int
    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A person's night so far."""

    person: str
    results: tuple[Result, ...]
    rank: int = 0
    tiebreak: Text | None = None

    @property
    def points(self) -> int:
        return sum(result.points for result in self.results)

    @property
    def wins(self) -> int:
        return sum(result.won for result in self.results)

    @property
    def strength(self) -> tuple[int, int]:
        """What decides: the points, then the wins."""
        return self.points, self.wins


def of_night(matches: Sequence[Played], scheme: Scheme) -> list[Line]:
    """Everybody who finished a match, the best first; those who left keep their line."""
    results: dict[str, list[Result]] = {}
    for match in matches:
        for seat, person in enumerate(match.people):
            result = Result(match, match.ranks[seat], scheme.points(match, seat), seat in match.winners)
            results.setdefault(person, []).append(result)
    lines = [Line(person, tuple(each)) for person, each in results.items()]
    return sorted((_placed(line, lines) for line in lines), key=lambda line: line.rank)


def _placed(line: Line, lines: Sequence[Line]) -> Line:
    rank = 1 + sum(other.strength > line.strength for other in lines)
    tied = any(other.points == line.points and other.wins != line.wins for other in lines)
    return replace(line, rank=rank, tiebreak=Text("Equal points: more wins decide.") if tied else None)
