"""Past nights: everything played to the end, the people in it matched by name, and how to put that right or forget somebody."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, func, select
from sqlmodel import Session, col

import companion.statistics as statistics
from companion.bounded_dict import BoundedDict
from companion.database import Database
from companion.games.base import Text
from companion.house_rules import HouseRules
from companion.live import Live
from companion.models import Claim, Dispute, Match, Night, Person, Preset, Same, new_id, now
from companion.names import key_of, new_code
from companion.nights import Nights, UserError
from companion.statistics import Duel, Kind, Line, Play, Record, Times
from companion.store import Store

NOBODY = "N. N."  # in place of a forgotten name, in every language
TOPIC = "past"  # told when it changes who is who
MAX_BOOKS, MAX_MEETINGS = 100, 200  # kept in memory: a book for the laptop, one for each group of nights that some phone may see
NIGHTS, PEOPLE, MATCHES = Night.__table__.c, Person.__table__.c, Match.__table__.c  # type: ignore[attr-defined]
Nights_ = frozenset[str] | None  # some, or all
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


class Book:
    """What was played to the end at some nights, at one moment. Every figure is computed once, however often it is looked at."""

    def __init__(self, nights: dict[str, Evening], people: dict[str, Attendance], plays: list[Play]) -> None:
        self.nights, self.people, self.plays = nights, people, plays
        self.players = statistics.people_of(plays)
        self.figures = cache(self._figures)
        self.game = cache(self._game)
        self.meetings = lru_cache(MAX_MEETINGS)(self._meetings)

    @cached_property
    def there(self) -> dict[str, list[Attendance]]:
        """By person, at which nights they were, the oldest first."""
        return _grouped(self.people.values(), lambda each: each.who)

    @cached_property
    def at(self) -> dict[str, list[Attendance]]:
        """Everybody by night."""
        return _grouped(self.people.values(), lambda each: each.night)

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

    def person(self, who: str) -> Attendance:
        """The newest time somebody was there under the name that counts: for the name, and for the address."""
        there = self.there[who]
        return next((each for each in reversed(there) if each.own == who), there[-1])

    def names_of(self, who: str) -> dict[str, Attendance]:
        """The further names that were said to be this person's, each with somebody who had it."""
        return {each.own: each for each in self.there[who] if each.own != who}

    def _figures(self, who: str) -> Figures:
        plays = self.players.get(who, [])
        kinds, duels = statistics.lines_by(who, plays, statistics.by_kind), statistics.duels_of(who, plays)
        numbers = dict(sorted(statistics.lines_by(who, plays, statistics.by_number).items()))
        return Figures(statistics.line_of(who, plays), kinds, numbers, duels, statistics.nemesis(duels), statistics.best_kind(kinds))

    def _game(self, kind: Kind) -> GameFigures:
        plays = self.kinds[kind]
        lines = {who: line for who, some in statistics.people_of(plays).items() if (line := statistics.line_of(who, some))}
        ranking = dict(sorted(lines.items(), key=lambda item: (-item[1].won, item[1].place)))
        return GameFigures(statistics.times_of(plays), statistics.times_by_number(plays), statistics.record_of(plays), ranking)

    def _meetings(self, one: str, two: str) -> Meetings:
        plays = [play for play in self.players.get(one, []) if two in play.people and one != two]
        kinds = {kind: statistics.duel_of(one, two, some) for kind, some in statistics.kinds_of(plays).items()}
        return Meetings(plays, statistics.duel_of(one, two, plays), kinds)


def _grouped(people: Iterable[Attendance], key: Callable[[Attendance], str]) -> dict[str, list[Attendance]]:
    found: dict[str, list[Attendance]] = {}
    for each in people:
        found.setdefault(key(each), []).append(each)
    return found


class History:
    def __init__(self, database: Database, live: Live, nights: Nights, store: Store, house_rules: HouseRules) -> None:
        self.database, self.live, self.nights, self.store, self.house_rules = database, live, nights, store, house_rules
        self._kept: BoundedDict[Nights_, tuple[Any, Book]] = BoundedDict(MAX_BOOKS)

    def book(self, nights: Nights_ = None) -> Book:
        """What is stored about these nights, or about all; read again only after something changed."""
        with self.database.read() as session:
            stamp = self._stamp(session, nights)
            if nights not in self._kept or self._kept[nights][0] != stamp:
                self._kept[nights] = (stamp, _read(session, nights))
        self._kept.move_to_end(nights)
        return self._kept[nights][1]

    def _stamp(self, session: Session, nights: Nights_) -> tuple[Any, ...]:
        """Another one whenever a match ends, a result is corrected, somebody joins, or people are matched in another way."""
        people = _only(select(func.count(PEOPLE.id)), PEOPLE.night_id, nights).scalar_subquery()
        found = session.execute(
            _only(select(func.count(MATCHES.finished_at), func.max(MATCHES.finished_at), people), MATCHES.night_id, nights)
        )
        return (self.live.tick(TOPIC), *found.one())

    def whos(self, people: Collection[str]) -> list[str]:
        """Who these people are over all nights; whoever was forgotten is nobody."""
        if not people:
            return []
        with self.database.read() as session:  # not the book of all nights: whoever goes may be one of a hundred thousand
            known = _people(session, _same(session), frozenset(people), PEOPLE.id)
        return [known[id].who for id in people if id in known]

    # ---- who is who --------------------------------------------------------------------------------------------------

    def merge(self, one: str, other: str) -> None:
        """Two names, one person: the other counts as the one from now on."""
        if any(one in play.people and other in play.people for play in self.book().plays if one != other):
            raise UserError(Text("These two have played against each other, so they are two people."), 409)
        with self.database.write(TOPIC) as session:
            one, other = (_last(each, _same(session)) for each in (one, other))
            if one == other:
                raise UserError(Text("That is the same person already."), 409)
            session.add(Same(who=other, of=one))
        self.live.tell(TOPIC)

    def part(self, own: str) -> None:
        """That name is somebody else after all."""
        with self.database.write(TOPIC) as session:
            session.execute(delete(Same).where(col(Same.who) == own))
        self.live.tell(TOPIC)

    def split(self, who: str, nights: Collection[str]) -> None:
        """One name, two people: at these nights it was another one."""
        there = self.book().there[who]
        chosen = [each.id for each in there if each.night in nights]
        if not chosen or len(chosen) == len(there):
            raise UserError(Text("Choose the nights at which it was the other one: at least one, and not all of them."))
        another = new_id()
        with self.database.write(TOPIC) as session:
            for person in session.scalars(select(Person).where(col(Person.id).in_(chosen))):
                person.who = another
        self.live.tell(TOPIC)

    # ---- forgetting --------------------------------------------------------------------------------------------------

    def forget(self, ids: Collection[str]) -> None:
        """Nothing that is stored says any more who these were; points and places of all stay as they are."""
        whos = set(self.whos(ids))
        with self.database.write(TOPIC) as session:
            people = session.scalars(select(Person).where(col(Person.id).in_(ids))).all()
            for person in people:
                self.database.claim(session.connection(), person.night_id)
                _forget(session, person)
            session.flush()
            _tidy_names(session, whos)
        self.database.rewrite()
        self.live.tell(TOPIC)
        self.house_rules.forget(None)
        for night in {person.night_id for person in people}:
            self.store.reread(night)
            self.nights.reread(night)


def _forget(session: Session, person: Person) -> None:
    night = session.get_one(Night, person.night_id)
    _forget_in_words(session, night, person.name)
    night.host_id = None if night.host_id == person.id else night.host_id
    for claim in session.scalars(select(Claim).where(col(Claim.person_id) == person.id, col(Claim.answered_at).is_(None))):
        claim.answered_at = now()
    person.name, person.key, person.who, person.phone, person.code = NOBODY, None, None, None, new_code()
    person.removed_at, person.forgotten_at = person.removed_at or now(), now()


def _forget_in_words(session: Session, night: Night, name: str) -> None:
    """Whatever was typed at a night may be called after somebody: the night itself, a score sheet, a house rule."""
    night.name = _without(night.name, name)
    for match in session.scalars(select(Match).where(col(Match.night_id) == night.id)):
        match.options = _options_without(match.options, name)
        for dispute in session.scalars(select(Dispute).where(col(Dispute.match_id) == match.id)):
            if dispute.answer and "text" in dispute.answer:
                dispute.answer = {**dispute.answer, "text": _without(dispute.answer["text"], name)}
    for preset in session.scalars(select(Preset).where(col(Preset.night_id) == night.id)):
        preset.options = _options_without(preset.options, name)
        if _without(preset.name, name) != preset.name:
            preset.name, preset.key = _without(preset.name, name), preset.id  # two may be called the same now


def _without(text: str, name: str) -> str:
    """The text with nobody in place of that name, where it stands as a word."""
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", NOBODY, text, flags=re.IGNORECASE)


def _options_without(options: dict[str, Any], name: str) -> dict[str, Any]:
    """The house rules of a score sheet without that name; no text may become longer than it was."""
    found = dict(options)
    if isinstance(options.get("title"), str):
        found["title"] = _without(options["title"], name)[: len(options["title"])].strip()
    if isinstance(options.get("rows"), list):
        found["rows"] = [row if _without(row, name) == row else str(n) for n, row in enumerate(options["rows"], 1)]
    return found


def _tidy_names(session: Session, whos: set[str]) -> None:
    """Names are not kept for the sake of nobody: what was said about them counts only for those still there."""
    same = _same(session)
    said = [own for own in same if _last(own, same) in whos]
    if not said:
        return
    left = {each.own: each.who for each in _people(session, same).values() if each.who in whos}
    for own in said:
        session.execute(delete(Same).where(col(Same.who) == own))
    for who in whos:
        names = [own for own in left if left[own] == who]
        counts = who if who in names else next(iter(names), who)
        session.add_all(Same(who=own, of=counts) for own in names if own != counts)


# ---- reading ---------------------------------------------------------------------------------------------------------


def _only(query: Select[Any], column: ColumnElement[str], some: frozenset[str] | None) -> Select[Any]:
    return query if some is None else query.where(column.in_(some))


def _read(session: Session, nights: Nights_) -> Book:
    people = _people(session, _same(session), nights)
    rows = session.execute(_only(select(NIGHTS.id, NIGHTS.name, NIGHTS.created_at), NIGHTS.id, nights))
    return Book({row.id: Evening(*row) for row in rows}, people, list(_plays(session, people, nights)))


def _same(session: Session) -> dict[str, str]:
    return {row.who: row.of for row in session.execute(select(col(Same.who), col(Same.of)))}


def _last(own: str, same: dict[str, str]) -> str:
    """Who somebody counts as in the end."""
    for _ in same:  # no longer than there are lines, should somebody write a circle into the file
        if own not in same:
            break
        own = same[own]
    return own


def _people(
    session: Session, same: dict[str, str], only: frozenset[str] | None = None, by: ColumnElement[str] = PEOPLE.night_id
) -> dict[str, Attendance]:
    """Everybody who was at a night and is not forgotten, the oldest first; or those of some nights, or those with some ids."""
    query = select(PEOPLE.id, PEOPLE.night_id, PEOPLE.name, PEOPLE.who, PEOPLE.watching, PEOPLE.joined_at)
    query = query.where(PEOPLE.forgotten_at.is_(None)).order_by(PEOPLE.joined_at)
    rows = session.execute(_only(query, by, only))
    return {row.id: _attendance(row, row.who or own_key(row.name), same) for row in rows}


def _attendance(row: Row[Any], own: str, same: dict[str, str]) -> Attendance:
    return Attendance(row.id, row.night_id, row.name, own, _last(own, same), not row.watching, row.joined_at)


def _plays(session: Session, people: dict[str, Attendance], nights: Nights_) -> Iterator[Play]:
    query = select(*(MATCHES[name] for name in ("id", "night_id", "game", "options", "started_at", "finished_at", "seats", "result")))
    query = query.where(MATCHES.finished_at.is_not(None)).order_by(MATCHES.started_at)
    spelt: dict[Kind, Kind] = {}
    for id, night, game, options, started, ended, seats, result in session.execute(_only(query, MATCHES.night_id, nights)):
        who = tuple(people[seat].who if seat in people else None for seat in seats)
        points, ranks, winners = (tuple(result[each]) for each in ("points", "ranks", "winners"))
        kind = spelt.setdefault((game, own_key(title_of(options))), (game, title_of(options)))
        yield Play(id, night, kind, started, ended, who, points, ranks, frozenset(winners), options.get("wins") == "lowest")


def title_of(options: dict[str, Any]) -> str:
    """What the game was called where it is a score sheet for any box; otherwise the game says enough."""
    return str(options.get("title", ""))
