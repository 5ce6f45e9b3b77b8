"""Figures from finished matches: who played, who won, who keeps beating whom. Pure: matches in, numbers out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean, median_low
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Kind = tuple[str, str]  # the game's id and, for a game that goes by many names, the name


@dataclass(frozen=True, slots=True)
class Play:
    """One finished match."""

    match: str
    night: str
    kind: Kind
    started: datetime
    ended: datetime
    people: tuple[str | None, ...]  # in seat order; None for somebody forgotten
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: frozenset[int]
    lowest: bool = False  # whether few points are good

    @property
    def took(self) -> timedelta:
        return self.ended - self.started

    def seat_of(self, who: str) -> int:
        """Where somebody sat; of two seats merged into one person, the better one."""
        if self.people.count(who) == 1:
            return self.people.index(who)
        return min((seat for seat, each in enumerate(self.people) if each == who), key=lambda seat: self.ranks[seat])

    def rank_of(self, who: str) -> int:
        return self.ranks[self.seat_of(who)]

    def points_of(self, who: str) -> int:
        return self.points[self.seat_of(who)]

    def won_by(self, who: str) -> bool:
        return self.seat_of(who) in self.winners

    def merit(self, points: int) -> int:
        """The higher, the better."""
        return -points if self.lowest else points


# ---- one person ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody did in some matches; points only mean something where they are all of one game."""

    played: int
    won: int
    place: float  # on average
    streak: int  # matches won in a row, up to now
    longest: int
    points: float  # on average
    best: Play


def line_of(who: str, plays: Sequence[Play]) -> Line | None:
    """Somebody's figures in the matches given, oldest first; None where there is none."""
    if not plays:
        return None
    wins = [play.won_by(who) for play in plays]
    streaks = _streaks(wins)
    return Line(
        played=len(plays),
        won=sum(wins),
        place=fmean(play.rank_of(who) for play in plays),
        streak=streaks[-1],
        longest=max(streaks),
        points=fmean(play.points_of(who) for play in plays),
        best=max(plays, key=lambda play: play.merit(play.points_of(who))),
    )


def _streaks(wins: Iterable[bool]) -> list[int]:
    """After every match, how many were won in a row."""
    streaks = [0]
    for won in wins:
        streaks.append(streaks[-1] + 1 if won else 0)
    return streaks


def lines_by(who: str, plays: Iterable[Play], key: Callable[[Play], Key]) -> dict[Key, Line]:
    """Somebody's figures by game, by number of players and the like; what was played most comes first."""
    lines = {each: line_of(who, some) for each, some in _grouped(plays, key).items()}
    return dict(sorted(((each, line) for each, line in lines.items() if line), key=lambda item: -item[1].played))


def by_kind(play: Play) -> Kind:
    return play.kind


def by_number(play: Play) -> int:
    return len(play.people)


def _grouped(plays: Iterable[Play], key: Callable[[Play], Key]) -> dict[Key, list[Play]]:
    groups: defaultdict[Key, list[Play]] = defaultdict(list)
    for play in plays:
        groups[key(play)].append(play)
    return groups


# ---- head to head ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Duel:
    """How often somebody finished before another, after them, or level, as partners always do."""

    ahead: int = 0
    behind: int = 0
    level: int = 0

    @property
    def met(self) -> int:
        return self.ahead + self.behind + self.level

    @property
    def lead(self) -> int:
        return self.ahead - self.behind


def duel_of(one: str, other: str, plays: Iterable[Play]) -> Duel:
    """One against the other, in matches of both."""
    return Duel(**Counter(_side(play.rank_of(one), play.rank_of(other)) for play in plays))


def duels_of(who: str, plays: Iterable[Play]) -> dict[str, Duel]:
    """Somebody against everybody they ever sat with, whom they met most first."""
    duels = {other: duel_of(who, other, some) for other, some in people_of(plays).items() if other != who}
    return dict(sorted(duels.items(), key=lambda item: (-item[1].met, item[1].lead)))


def _side(own: int, other: int) -> str:
    return "ahead" if own < other else "behind" if own > other else "level"


def nemesis(duels: dict[str, Duel]) -> str | None:
    """Whoever is most often the better one."""
    worst = min(duels, key=lambda other: (duels[other].lead, -duels[other].met), default=None)
    return worst if worst is not None and duels[worst].lead < 0 else None


def best_kind(lines: dict[Kind, Line]) -> Kind | None:
    """The game somebody has won most often; of two, the one that took fewer matches."""
    won = [kind for kind, line in lines.items() if line.won]
    return max(won, key=lambda kind: (lines[kind].won, -lines[kind].played), default=None)


# ---- one game --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Times:
    """How often a game was played, how long it takes, and what it takes to win."""

    played: int
    took: timedelta  # the middle one: a match may have been left lying for a week
    winning: float  # points of the winners on average


@dataclass(frozen=True, slots=True)
class Record:
    """The best that somebody ever did."""

    who: str
    points: int
    play: Play


def times_of(plays: Sequence[Play]) -> Times:
    winning = [play.points[seat] for play in plays for seat in play.winners]
    return Times(len(plays), median_low(play.took for play in plays), fmean(winning) if winning else 0.0)


def times_by_number(plays: Iterable[Play]) -> dict[int, Times]:
    return {number: times_of(some) for number, some in sorted(_grouped(plays, by_number).items())}


def record_of(plays: Iterable[Play]) -> Record | None:
    """The best points ever; of several, the first."""
    scores = [(play, who, points) for play in plays for who, points in zip(play.people, play.points, strict=True) if who is not None]
    if not scores:
        return None
    play, who, points = max(scores, key=lambda score: score[0].merit(score[2]))
    return Record(who, points, play)


def kinds_of(plays: Iterable[Play]) -> dict[Kind, list[Play]]:
    """The matches by game, what was played most first."""
    return dict(sorted(_grouped(plays, by_kind).items(), key=lambda item: -len(item[1])))


def people_of(plays: Iterable[Play]) -> dict[str, list[Play]]:
    """The matches of everybody, who played most first."""
    found: defaultdict[str, list[Play]] = defaultdict(list)
    for play in plays:
        for who in _somebodies(play.people):
            found[who].append(play)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def wins_in(plays: Iterable[Play]) -> Counter[str]:
    """Who won how often."""
    return Counter(who for play in plays for who in _somebodies(play.people[seat] for seat in play.winners))


def _somebodies(people: Iterable[str | None]) -> list[str]:
    """Everybody who is not forgotten, once."""
    return [who for who in dict.fromkeys(people) if who is not None]
