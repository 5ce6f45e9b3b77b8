"""Past nights: everything played to the end, the people in it matched by name, and how to put that right or forget somebody."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache
from typing import Any

from sqlalchemy import Row, delete, func, select
from sqlmodel import Session, col

from companion import statistics
from companion.database import Database
from companion.games.base import Text
from companion.live import Live
from companion.models import Claim, Match, Night, Person, Same, new_id, now
from companion.names import key_of, new_code
from companion.nights import Nights, Refused
from companion.statistics import Duel, Kind, Line, Play, Record, Times

NOBODY = "N. N."  # in place of a forgotten name, in every language
TOPIC = "past"  # told when it changes who is who
MOST_VIEWS = 100  # kept in memory: one for the laptop, one for each group of nights that some phone may see
PEOPLE, MATCHES = Person.__table__.c, Match.__table__.c  # type: ignore[attr-defined]
MOST_MEETINGS = 200
own_key = lru_cache(10_000)(key_of)


@dataclass(frozen=True, slots=True)
class Attendance:
    """Somebody at one night."""

    id: str
    night: str
    name: str
    own: str  # who that is by the name alone
    who: str  # … and by what was said about names
    plays: bool
    joined: datetime


@dataclass(frozen=True, slots=True)
class Evening:
    id: str
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything about one person."""

    line: Line | None
    kinds: dict[Kind, Line]
    numbers: dict[int, Line]
    duels: dict[str, Duel]
    nemesis: str | None
    best: Kind | None


@dataclass(frozen=True, slots=True)
class GameFigures:
    """Everything about one game."""

    times: Times
    numbers: dict[int, Times]
    record: Record | None
    lines: dict[str, Line]  # the most successful first


@dataclass(frozen=True, slots=True)
class Meetings:
    """Everything between two people."""

    plays: list[Play]
    duel: Duel
    kinds: dict[Kind, Duel]


class View:
    """The past as far as some nights go. Every figure is computed once, however often it is looked at."""

    def __init__(self, book: Book, nights: Collection[str] | None) -> None:
        self.book = book
        self.nights = {id: night for id, night in book.nights.items() if nights is None or id in nights}
        self.plays = [play for play in book.plays if play.night in self.nights]
        self.people = statistics.people_of(self.plays)
        self.figures = cache(self._figures)
        self.game = cache(self._game)
        self.meetings = lru_cache(MOST_MEETINGS)(self._meetings)

    @cached_property
    def there(self) -> dict[str, list[Attendance]]:
        """By person, at which nights they were, the oldest first."""
        return _grouped((each for each in self.book.people.values() if each.night in self.nights), lambda each: each.who)

    @cached_property
    def kinds(self) -> dict[Kind, list[Play]]:
        return statistics.kinds_of(self.plays)

    @cached_property
    def evenings(self) -> list[tuple[Evening, list[Play]]]:
        """The nights at which a match was finished, the newest first."""
        found: dict[str, list[Play]] = {}
        for play in self.plays:
            found.setdefault(play.night, []).append(play)
        return sorted(((self.nights[night], plays) for night, plays in found.items()), key=lambda each: each[0].at, reverse=True)

    def who(self, person: str) -> str | None:
        """Who somebody at a night is; None where that night is not in view."""
        found = self.book.people.get(person)
        return found.who if found and found.night in self.nights else None

    def person(self, who: str) -> Attendance:
        """The newest time somebody was there under the name that counts: for the name, and for the address."""
        there = self.there[who]
        return next((each for each in reversed(there) if each.own == who), there[-1])

    def _figures(self, who: str) -> Figures:
        plays = self.people.get(who, [])
        kinds, duels = statistics.lines_by(who, plays, statistics.by_kind), statistics.duels_of(who, plays)
        numbers = dict(sorted(statistics.lines_by(who, plays, statistics.by_number).items()))
        return Figures(statistics.line_of(who, plays), kinds, numbers, duels, statistics.nemesis(duels), statistics.best_kind(kinds))

    def _game(self, kind: Kind) -> GameFigures:
        plays = self.kinds[kind]
        lines = {who: line for who, some in statistics.people_of(plays).items() if (line := statistics.line_of(who, some))}
        ranking = dict(sorted(lines.items(), key=lambda item: (-item[1].won, item[1].place)))
        return GameFigures(statistics.times_of(plays), statistics.times_by_number(plays), statistics.record_of(plays), ranking)

    def _meetings(self, one: str, two: str) -> Meetings:
        plays = [play for play in self.people.get(one, []) if two in play.people and one != two]
        kinds = {kind: statistics.duel_of(one, two, some) for kind, some in statistics.kinds_of(plays).items()}
        return Meetings(plays, statistics.duel_of(one, two, plays), kinds)


def _grouped(people: Iterable[Attendance], key: Callable[[Attendance], str]) -> dict[str, list[Attendance]]:
    found: dict[str, list[Attendance]] = {}
    for each in people:
        found.setdefault(key(each), []).append(each)
    return found


class Book:
    """Everything that was played to the end on this instance, at one moment."""

    def __init__(self, nights: dict[str, Evening], people: dict[str, Attendance], plays: list[Play]) -> None:
        self.nights, self.people, self.plays = nights, people, plays
        self._views: dict[frozenset[str] | None, View] = {}

    def seen(self, nights: frozenset[str] | None) -> View:
        """As far as these nights go; None for all of them."""
        if nights not in self._views:
            if len(self._views) >= MOST_VIEWS:
                self._views.clear()
            self._views[nights] = View(self, nights)
        return self._views[nights]

    @cached_property
    def at(self) -> dict[str, list[Attendance]]:
        """Everybody by night."""
        return _grouped(self.people.values(), lambda each: each.night)

    @cached_property
    def there(self) -> dict[str, list[Attendance]]:
        return _grouped(self.people.values(), lambda each: each.who)

    def nights_of(self, who: str) -> set[str]:
        return {each.night for each in self.there[who]}

    def names_of(self, who: str) -> dict[str, Attendance]:
        """The further names that were said to be this person's, each with somebody who had it."""
        return {each.own: each for each in self.there[who] if each.own != who}


class Past:
    def __init__(self, database: Database, live: Live, nights: Nights) -> None:
        self.database, self.live, self.nights = database, live, nights
        self._kept: tuple[Any, Book] | None = None

    def book(self) -> Book:
        """What is stored now; read again only after something changed."""
        with self.database.read() as session:
            stamp = self._stamp(session)
            if self._kept is None or self._kept[0] != stamp:
                self._kept = (stamp, _read(session))
            return self._kept[1]

    def _stamp(self, session: Session) -> tuple[Any, ...]:
        """Another one whenever a match ends, a result is corrected, somebody joins, or people are matched in another way."""
        people = select(func.count(col(Person.id))).scalar_subquery()
        found = session.execute(select(func.count(col(Match.finished_at)), func.max(Match.finished_at), people)).one()
        return (self.live.tick(TOPIC), *found)

    # ---- who is who --------------------------------------------------------------------------------------------------

    def merge(self, one: str, other: str) -> None:
        """Two names, one person: the other counts as the one from now on."""
        if any(one in play.people and other in play.people for play in self.book().plays if one != other):
            raise Refused(Text("These two have played against each other, so they are two people."), 409)
        with self.database.write() as session:
            one, other = (_last(each, _same(session)) for each in (one, other))
            if one == other:
                raise Refused(Text("That is the same person already."), 409)
            session.add(Same(who=other, of=one))
        self.live.tell(TOPIC)

    def part(self, own: str) -> None:
        """That name is somebody else after all."""
        with self.database.write() as session:
            session.execute(delete(Same).where(col(Same.who) == own))
        self.live.tell(TOPIC)

    def split(self, who: str, nights: Collection[str]) -> None:
        """One name, two people: at these nights it was another one."""
        there = [each for each in self.book().people.values() if each.who == who]
        chosen = [each.id for each in there if each.night in nights]
        if not chosen or len(chosen) == len(there):
            raise Refused(Text("Choose the nights at which it was the other one: at least one, and not all of them."))
        another = new_id()
        with self.database.write() as session:
            for person in session.scalars(select(Person).where(col(Person.id).in_(chosen))):
                person.who = another
        self.live.tell(TOPIC)

    # ---- forgetting --------------------------------------------------------------------------------------------------

    def forget(self, ids: Collection[str]) -> None:
        """Nothing that is stored says any more who these were; points and places of all stay as they are."""
        whos = {each.who for each in self.book().people.values() if each.id in ids}
        with self.database.write() as session:
            people = session.scalars(select(Person).where(col(Person.id).in_(ids))).all()
            for person in people:
                _forget(session, person)
            session.flush()
            _tidy_names(session, whos)
        self.database.rewrite()
        self.live.tell(TOPIC)
        for night in {person.night_id for person in people}:
            self.nights.reread(night)


def _forget(session: Session, person: Person) -> None:
    night = session.get_one(Night, person.night_id)
    night.name = _without(night.name, person.name)
    night.host_id = None if night.host_id == person.id else night.host_id
    for claim in session.scalars(select(Claim).where(col(Claim.person_id) == person.id, col(Claim.answered_at).is_(None))):
        claim.answered_at = now()
    person.name, person.key, person.who, person.phone, person.code = NOBODY, None, None, None, new_code()
    person.removed_at, person.forgotten_at = person.removed_at or now(), now()


def _without(text: str, name: str) -> str:
    """A night may be called after somebody."""
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", NOBODY, text, flags=re.IGNORECASE)


def _tidy_names(session: Session, whos: set[str]) -> None:
    """Names are not kept for the sake of nobody: what was said about them counts only for those still there."""
    same = _same(session)
    left = {each.own: each.who for each in _people(session, same).values() if each.who in whos}
    for own in [own for own in same if _last(own, same) in whos]:
        session.execute(delete(Same).where(col(Same.who) == own))
    for who in whos:
        names = [own for own in left if left[own] == who]
        counts = who if who in names else next(iter(names), who)
        session.add_all(Same(who=own, of=counts) for own in names if own != counts)


# ---- reading ---------------------------------------------------------------------------------------------------------


def _read(session: Session) -> Book:
    people = _people(session, _same(session))
    nights = {row.id: Evening(*row) for row in session.execute(select(col(Night.id), col(Night.name), col(Night.created_at)))}
    return Book(nights, people, list(_plays(session, people)))


def _same(session: Session) -> dict[str, str]:
    return {row.who: row.of for row in session.execute(select(col(Same.who), col(Same.of)))}


def _last(own: str, same: dict[str, str]) -> str:
    """Who somebody counts as in the end."""
    for _ in same:  # no longer than there are lines, should somebody write a circle into the file
        own = same.get(own, own)
    return own


def _people(session: Session, same: dict[str, str]) -> dict[str, Attendance]:
    """Everybody who was at a night and is not forgotten, the oldest first."""
    rows = session.execute(
        select(PEOPLE.id, PEOPLE.night_id, PEOPLE.name, PEOPLE.who, PEOPLE.watching, PEOPLE.joined_at)
        .where(PEOPLE.forgotten_at.is_(None))
        .order_by(PEOPLE.joined_at)
    )
    return {row.id: _attendance(row, row.who or own_key(row.name), same) for row in rows}


def _attendance(row: Row[Any], own: str, same: dict[str, str]) -> Attendance:
    return Attendance(row.id, row.night_id, row.name, own, _last(own, same), not row.watching, row.joined_at)


def _plays(session: Session, people: dict[str, Attendance]) -> Iterable[Play]:
    rows = session.execute(
        select(
            MATCHES.id,
            MATCHES.night_id,
            MATCHES.game,
            MATCHES.options,
            MATCHES.started_at,
            MATCHES.finished_at,
            MATCHES.seats,
            MATCHES.result,
        )
        .where(MATCHES.finished_at.is_not(None))
        .order_by(MATCHES.started_at)
    )
    for id, night, game, options, started, ended, seats, result in rows:
        who = tuple(people[seat].who if seat in people else None for seat in seats)
        points, ranks, winners = (tuple(result[each]) for each in ("points", "ranks", "winners"))
        yield Play(id, night, kind_of(game, options), started, ended, who, points, ranks, frozenset(winners), lowest_wins(options))


def kind_of(game: str, options: dict[str, Any]) -> Kind:
    """What counts as one game: a score sheet goes by the name of the box that was opened."""
    return (game, str(options.get("title", "")))


def lowest_wins(options: dict[str, Any]) -> bool:
    return options.get("wins") == "lowest"
