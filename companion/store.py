"""The one writer of the log: check, commit, remember, tell. What is not stored is seen by nobody."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from companion.bounded_dict import BoundedDict
from companion.database import Database, Unreachable
from companion.games import GAMES, Stopped, read_options
from companion.games.base import Plain, RuleError
from companion.live import Live
from companion.match_log import AppliedEntry, Kind, LogEntry, LogError, Position, begin, fold
from companion.models import Entry, Match, now

ADD = insert(Entry)  # made once: SQLAlchemy then knows it again at once
MAX_IN_MEMORY = 300  # positions; the others are folded again when somebody asks
MAX_TRIES = 20  # to add a line while other processes add theirs


class Unreadable(Exception):
    """A log that the rules do not accept: somebody wrote into the file by hand, or the game is no longer installed."""


class KeyTaken(Exception):
    """The same key came with another entry."""


class Answered(Exception):
    """The question is no longer open: somebody was quicker."""

    def __init__(self, by: AppliedEntry | None) -> None:
        super().__init__()
        self.by = by


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """A match with its position: everything a page needs, none of it tied to the database."""

    match: Match
    position: Position
    keys: dict[str, LogEntry]  # what every key of a form booked


@dataclass(slots=True, eq=False)
class Wish:
    """A line that somebody wants added to a match's log, and what became of it."""

    match: str
    kind: Kind
    data: Plain
    of: int | None
    by: str | None
    key: str
    ask: str | None
    line: LogEntry | None = None
    told: str | None = None  # the night that has to hear of it
    error: Exception | None = None

    @property
    def is_settled(self) -> bool:
        return self.line is not None or self.error is not None


@dataclass(frozen=True, slots=True)
class Draft:
    """A line that fits its match, and where the match stands with it."""

    wish: Wish
    seated: MatchSnapshot
    line: LogEntry
    position: Position


class Store:
    def __init__(self, database: Database, live: Live) -> None:
        self.database, self.live = database, live
        self._seated: BoundedDict[str, MatchSnapshot] = BoundedDict(MAX_IN_MEMORY)
        self._stale: dict[str, object] = {}  # matches about which there is news, with what tells it from later news
        self._told = 0  # how often there was news
        self._wishes: list[Wish] = []
        self._newest = ""  # the match to which something was added last

    def match(self, id: str, to_change: bool = False) -> MatchSnapshot | None:
        """The match as it stands, from memory or from its log; whoever wants `to_change` it decides on what all processes stored."""
        if to_change and self.database.is_shared:
            self._stale[id] = object()
        seated = self._seated.get(id)
        if seated is not None and id not in self._stale:
            return seated
        with self.database.lock:  # else an entry could land between reading and remembering
            return self._held(id)

    def reread(self, night: str) -> None:
        """Somebody else has written about its matches."""
        with self.database.lock:
            for id in [id for id, seated in self._seated.items() if seated.match.night_id == night]:
                del self._seated[id]

    def forget(self, night: str | None) -> None:
        """Another process stored something about that night (None: about any): look again before it is shown or added to."""
        self._told += 1
        self._stale.update({id: object() for id, seated in list(self._seated.items()) if night in (None, seated.match.night_id)})

    def start(self, match: Match) -> Match:
        with self.database.write(match.night_id) as session:
            session.add(match)
        self.live.tell(match.night_id)
        return match

    def bring(self, match: Match, position: Position) -> Match:
        """A match that was `played_before`, whole or not at all."""
        if position.over:
            match.finished_at, match.result = match.started_at, result_of(position)
        with self.database.write(match.night_id) as session:
            session.add(match)
            session.flush()
            if position.booked:
                session.execute(ADD, [_row(match.id, entry.line) for entry in position.booked])
        self.live.tell(match.night_id)
        return match

    def call(self, id: str, call: dict[str, Any]) -> None:
        """Something called out at the table, such as start and stop; it is no entry and changes no score."""
        with self.database.lock:
            seated = self._held(id)
            assert seated is not None
            with self.database.write_core(seated.match.night_id) as connection:
                connection.execute(update(Match).where(col(Match.id) == id).values(call=call))
            self._remember(replace(seated, match=seated.match.model_copy(update={"call": call})))
        self.live.tell(seated.match.night_id)

    def act(self, id: str, ask: str, action: Plain, by: str | None, key: str) -> LogEntry:
        """Book the answer to a question, once, however often it is sent."""
        return self._append(id, "act", action, None, by, key, ask)

    def undo(self, id: str, of: int, by: str | None, key: str) -> LogEntry:
        return self._append(id, "undo", None, of, by, key)

    def amend(self, id: str, of: int, action: Plain, by: str | None, key: str) -> LogEntry:
        return self._append(id, "amend", action, of, by, key)

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _append(self, id: str, kind: Kind, data: Plain, of: int | None, by: str | None, key: str, ask: str | None = None) -> LogEntry:
        """Where another process added a line that we had not heard of, the number is taken: then everything is checked again."""
        for _ in range(MAX_TRIES):
            try:
                return self._book(Wish(id, kind, data, of, by, key, ask))
            except IntegrityError:
                if not self.database.is_shared:
                    raise
                self._stale[id] = object()
        raise Unreachable

    def _book(self, wish: Wish) -> LogEntry:
        """What is entered at the same moment, at whatever table, is stored by one commit: whoever comes first to it stores it for all."""
        self._wishes.append(wish)
        try:
            if wish.match != self._newest:
                time.sleep(0)  # the others of this moment; where only one match is played, there are none
            while not wish.is_settled:
                with self.database.lock:
                    self._book_waiting()
        finally:
            self._wishes.remove(wish)
        if wish.error:
            raise wish.error
        if wish.told:
            self.live.tell(wish.told)
        assert wish.line is not None
        return wish.line

    def _book_waiting(self) -> None:
        """One entry of every match that somebody waits for: another one of the same match is checked after it."""
        drafts: dict[str, Draft] = {}
        for wish in [each for each in self._wishes if not each.is_settled]:
            if wish.match not in drafts and (draft := self._checked(wish)):
                drafts[wish.match] = draft
        try:
            matches = self._commit(list(drafts.values())) if drafts else []
        except Exception as error:
            for draft in drafts.values():
                draft.wish.error = error
            return
        for match, draft in zip(matches, drafts.values(), strict=True):
            draft.seated.keys[draft.line.key] = draft.line
            self._remember(MatchSnapshot(match, draft.position, draft.seated.keys))
            draft.wish.line, draft.wish.told = draft.line, match.night_id
            self._newest = match.id

    def _checked(self, wish: Wish) -> Draft | None:
        """What is to be stored; nothing where it is known already, or cannot be."""
        try:
            seated = self._held(wish.match)
            assert seated is not None
            known = seated.keys.get(wish.key)
            if known is not None:
                wish.line = _same(known, wish)
                return None
            if wish.ask is not None and wish.ask not in seated.position.asks:
                raise Answered(seated.position.answer_to(wish.ask))
            line = LogEntry(seated.position.version + 1, wish.kind, wish.data, wish.of, wish.by, wish.key, now())
            return Draft(wish, seated, line, seated.position.after(line))
        except Exception as error:
            wish.error = error
            return None

    def _commit(self, drafts: Sequence[Draft]) -> list[Match]:
        """The matches as they are then."""
        with self.database.write_core(*(draft.seated.match.night_id for draft in drafts)) as connection:
            connection.execute(ADD, [_row(draft.seated.match.id, draft.line) for draft in drafts])
            return [_with_result(connection, draft) for draft in drafts]

    def _held(self, id: str) -> MatchSnapshot | None:
        """The match for whoever holds the lock."""
        seated, news, told = self._seated.get(id), self._stale.get(id), self._told
        if seated is None or news is not None:
            known, seated = seated, self._caught_up(seated) if seated else self._load(id)
            if self._stale.get(id) is news:  # what was told meanwhile is news again
                self._stale.pop(id, None)
            if known is None and seated and self._told != told:  # perhaps about this match, which nobody knew yet
                self._stale[id] = object()
        return seated

    def _remember(self, seated: MatchSnapshot) -> None:
        self._seated[seated.match.id] = seated

    def _load(self, id: str) -> MatchSnapshot | None:
        with self.database.read() as session:
            match = session.get(Match, id)
            return self._folded(session, match, None, {}) if match else None

    def _caught_up(self, seated: MatchSnapshot) -> MatchSnapshot | None:
        """What other processes added is folded on top of what is known; with other house rules everything is folded anew."""
        with self.database.read() as session:
            match = session.get(Match, seated.match.id)
            if match is None:  # its night is gone
                return self._seated.pop(seated.match.id, None) and None
            known = seated.position if match.options == seated.match.options else None
            return self._folded(session, match, known, seated.keys)

    def _folded(self, session: Session, match: Match, known: Position | None, keys: dict[str, LogEntry]) -> MatchSnapshot:
        try:
            lines = _lines(session, match.id, known.version if known else None)
            position = fold(known or beginning(match), lines)
        except (RuleError, LogError, LookupError, ValueError, TypeError, RecursionError) as error:
            raise Unreadable(match.id, error) from error
        seated = MatchSnapshot(match, position, keys | {line.key: line for line in lines})
        self._remember(seated)
        return seated


def beginning(match: Match) -> Position:
    game = GAMES[match.game]
    if len(match.seats) not in game.players:
        raise ValueError(match.seats)
    return begin(game, len(match.seats), read_options(game, match.options, len(match.seats)))


def played_before(match: Match, actions: Sequence[Plain], by: str | None) -> Position:
    """Where a match stands after actions from elsewhere; one against the rules is a `Stopped`."""
    position = beginning(match)
    for n, action in enumerate(actions, 1):
        try:
            position = position.after(LogEntry(n, "act", action, None, by, f"brought {n}", now()))
        except RuleError as error:
            raise Stopped(n - 1, error) from None
    return position


def result_of(position: Position) -> dict[str, Any]:
    standings = position.standings
    return {
        "points": [standing.points for standing in standings],
        "ranks": [standing.rank for standing in standings],
        "winners": [standing.seat for standing in standings if standing.won],
    }


def _lines(session: Session, id: str, after: int | None) -> Sequence[LogEntry]:
    """The lines of a match, or those that come after that number."""
    table = Entry.__table__.c  # type: ignore[attr-defined]
    columns = select(table.n, table.kind, table.data, table.of, table.by, table.key, table.at)
    newer = () if after is None else (table.n > after,)
    rows = session.execute(columns.where(table.match_id == id, *newer).order_by(table.n))
    return [LogEntry(*row) for row in rows]


def _row(match: str, line: LogEntry) -> dict[str, Any]:
    return {"match_id": match, **{name: getattr(line, name) for name in LogEntry.__slots__}}


def _with_result(connection: Connection, draft: Draft) -> Match:
    match, over = draft.seated.match, draft.position.over
    result = result_of(draft.position) if over else None
    if result == match.result:
        return match
    ended = {"finished_at": draft.line.at if over else None, "result": result}
    connection.execute(update(Match).where(col(Match.id) == match.id).values(**ended))
    return match.model_copy(update=ended)


def _same(known: LogEntry, wish: Wish) -> LogEntry:
    said = json.dumps(known.data, sort_keys=True)
    if (known.kind, known.of) == (wish.kind, wish.of) and said == json.dumps(wish.data, sort_keys=True):
        return known
    raise KeyTaken
