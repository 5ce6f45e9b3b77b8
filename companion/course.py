"""How a match went: who shared a course, who led from when to when, and its turning points in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from companion.games.base import Text, Value, many, names
from companion.match_log import Mark

Side = tuple[int, ...]  # seats with the same course: a team, or somebody alone
CLOSE = 20  # a margin of one in so many is worth a word
LONG_LEAD = 2  # marks


@dataclass(frozen=True)
class Course:
    """The marks of a match, its start first."""

    marks: Sequence[Mark]
    over: bool

    @property
    def last(self) -> Mark:
        return self.marks[-1]

    @cached_property
    def played(self) -> Sequence[Mark]:
        return self.marks[1:]

    @property
    def rounds(self) -> int:
        """How many are over; none where it is told entry by entry."""
        return sum(mark.kind == "round" for mark in self.played)

    @cached_property
    def sides(self) -> list[Side]:
        """Seats that had the same points and place all along are one side, in the order of the places."""
        seats = sorted(range(len(self.last.standings)), key=lambda seat: self.last.ranks[seat])
        found: dict[object, list[int]] = {}
        for seat in seats:
            found.setdefault(tuple((mark.points[seat], mark.ranks[seat]) for mark in self.marks), []).append(seat)
        return [tuple(sorted(side)) for side in found.values()]

    @property
    def winners(self) -> Side:
        return tuple(each.seat for each in self.last.standings if each.won)


def when(mark: Mark) -> Text:
    match mark.kind:
        case "start":
            return Text("the start")
        case "round":
            return Text("round {n}", n=mark.n)
        case "entry":  # pragma: no branch: there is no other kind
            return Text("entry {n}", n=mark.n)


# ---- turning points --------------------------------------------------------------------------------------------------


def turning_points(course: Course) -> list[Text]:
    """What is worth telling afterwards, or so far."""
    if not course.played:
        return []
    found = [_shared(course), _comeback(course), _in_front(course), _long_lead(course), _changes(course), _margin(course), _most(course)]
    return [text for text in found if text is not None]


def _winner(course: Course) -> Side | None:
    """The side that won alone; None while the match runs and where unlike courses share the victory."""
    return _alone(course, course.winners)


def _alone(course: Course, seats: Side) -> Side | None:
    """These seats, if they are one side and there are others."""
    return seats if seats in course.sides and len(course.sides) > 1 else None


def _shared(course: Course) -> Text | None:
    if not course.winners or _winner(course):
        return None
    return Text("{players} share the victory.", players=names(course.winners))


def _comeback(course: Course) -> Text | None:
    """The winner was last, and when for the last time."""
    winner = _winner(course)
    if winner is None:
        return None
    behind = [mark for mark in course.played if mark.ranks[winner[0]] == max(mark.ranks) > 1]
    if not behind:
        return None
    return Text("After {when} {players} still lay last, and won in the end.", when=when(behind[-1]), players=names(winner))


def leader(course: Course, mark: Mark) -> Side | None:
    """The side that is ahead alone."""
    return _alone(course, tuple(seat for seat, rank in enumerate(mark.ranks) if rank == 1))


def _in_front(course: Course) -> Text | None:
    """Since when the side that is in front now has been there."""
    front = leader(course, course.last)
    if front is None or (course.over and len(course.played) == 1):
        return None
    last_behind = max((n for n, mark in enumerate(course.marks) if mark.ranks[front[0]] > 1), default=0)
    since = course.marks[last_behind + 1]
    return _said_in_front(course, since, names(front))


def _said_in_front(course: Course, since: Mark, players: Value) -> Text:
    if not course.over:
        return Text("In front since {when}: {players}.", when=when(since), players=players)
    if since is course.last:
        return Text("{players} took the lead only at the very end, with {when}.", players=players, when=when(since))
    if since is course.played[0]:
        return Text("{players} led from start to finish.", players=players)
    return Text("{players} took the lead with {when} and kept it.", players=players, when=when(since))


def leads(course: Course) -> list[tuple[Side, list[Mark]]]:
    """Who was ahead alone, and at which marks in a row."""
    runs = [(side, list(run)) for side, run in groupby(course.played, key=lambda mark: leader(course, mark))]
    return [(side, run) for side, run in runs if side is not None]


def _long_lead(course: Course) -> Text | None:
    """The longest lead that did not last."""
    front = leader(course, course.last)
    side, run = max((each for each in leads(course) if each[0] != front), key=lambda each: len(each[1]), default=((), []))
    if len(run) < LONG_LEAD:
        return None
    return Text("{players} led from {first} to {last}.", players=names(side), first=when(run[0]), last=when(run[-1]))


def _changes(course: Course) -> Text | None:
    n = sum(one[0] != other[0] for one, other in pairwise(leads(course)))
    return many("The lead changed {n} time.", "The lead changed {n} times.", n=n) if n > 1 else None


def _margin(course: Course) -> Text | None:
    """A close end; nothing where points do not decide."""
    winner = _winner(course)
    if winner is None or not all(map(_by_points, course.played)):
        return None
    own = course.last.points[winner[0]]
    n = min((abs(own - points) for seat, points in enumerate(course.last.points) if seat not in winner), default=None)
    if n is None or n * CLOSE > max(abs(own), CLOSE):
        return None
    return many("It was decided by {n} point.", "It was decided by {n} points.", n=n) if n else Text("Equal points: the tie-break decided.")


def _by_points(mark: Mark) -> bool:
    """Whether the places follow the points, or everywhere the fewest; a tie-break may part equal ones."""
    places = sorted(set(zip(mark.ranks, mark.points, strict=True)))
    in_order = [points for _, points in places]
    return len({rank for rank, _ in places}) == len(places) and in_order in (sorted(in_order), sorted(in_order, reverse=True))


def _most(course: Course) -> Text | None:
    """The most that anybody got in one round; nothing where several did."""
    if course.rounds <= 2:
        return None
    n = max(max(mark.scored, default=0) for mark in course.played)
    best = [(seat, mark) for mark in course.played for seat, scored in enumerate(mark.scored) if scored == n]
    if len(best) > 1 or n <= 0:
        return None
    ((seat, mark),) = best
    return Text("The most points in one round: {n}, for {players} in {when}.", n=n, players=names([seat]), when=when(mark))
