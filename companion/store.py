"""The one writer of the log: check, commit, remember, tell. What is not stored is seen by nobody."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from companion.database import Database, Unreachable
from companion.games import GAMES, Stopped, read_options
from companion.games.base import Plain, RuleError
from companion.kept import Kept
from companion.live import Live
from companion.log import Booked, Kind, Line, LogError, Position, begin, fold
from companion.models import Entry, Match, now

ADD = insert(Entry)  # made once: SQLAlchemy then knows it again at once
MOST_IN_MEMORY = 300  # positions; the others are folded again when somebody asks
MOST_TRIES = 20  # to add a line while other processes add theirs


class Unreadable(Exception):
    """A log that the rules do not accept: somebody wrote into the file by hand, or the game is no longer installed."""


class KeyTaken(Exception):
    """The same key came with another entry."""


class Answered(Exception):
    """The question is no longer open: somebody was quicker."""

    def __init__(self, by: Booked | None) -> None:
        super().__init__()
        self.by = by


@dataclass(frozen=True, slots=True)
class Seated:
    """A match with its position: everything a page needs, none of it tied to the database."""

    match: Match
    position: Position
    keys: dict[str, Line]  # what every key of a form booked


class Store:
    def __init__(self, database: Database, live: Live) -> None:
        self.database, self.live = database, live
        self._seated: Kept[str, Seated] = Kept(MOST_IN_MEMORY)
        self._stale: set[str] = set()

    def match(self, id: str, to_change: bool = False) -> Seated | None:
        """The match as it stands, from memory or from its log; whoever wants `to_change` it decides on what all processes stored."""
        if to_change and self.database.is_shared:
            self._stale.add(id)
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
        self._stale.update(id for id, seated in list(self._seated.items()) if night in (None, seated.match.night_id))

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

    def act(self, id: str, ask: str, action: Plain, by: str | None, key: str) -> Line:
        """Book the answer to a question, once, however often it is sent."""
        return self._append(id, "act", action, None, by, key, ask)

    def undo(self, id: str, of: int, by: str | None, key: str) -> Line:
        return self._append(id, "undo", None, of, by, key)

    def amend(self, id: str, of: int, action: Plain, by: str | None, key: str) -> Line:
        return self._append(id, "amend", action, of, by, key)

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _append(self, id: str, kind: Kind, data: Plain, of: int | None, by: str | None, key: str, ask: str | None = None) -> Line:
        """Where another process added a line that we had not heard of, the number is taken: then everything is checked again."""
        for _ in range(MOST_TRIES):
            try:
                return self._append_once(id, kind, data, of, by, key, ask)
            except IntegrityError:
                if not self.database.is_shared:
                    raise
                self._stale.add(id)
        raise Unreachable

    def _append_once(self, id: str, kind: Kind, data: Plain, of: int | None, by: str | None, key: str, ask: str | None) -> Line:
        with self.database.lock:
            seated = self._held(id)
            assert seated is not None
            known = seated.keys.get(key)
            if known is not None:
                return _same(known, kind, data, of)
            if ask is not None and ask not in seated.position.asks:
                raise Answered(seated.position.answer_to(ask))
            line = Line(seated.position.version + 1, kind, data, of, by, key, now())
            position = seated.position.after(line)
            match = self._commit(seated, line, position)
            seated.keys[key] = line
            self._remember(Seated(match, position, seated.keys))
        self.live.tell(match.night_id, by)
        return line

    def _commit(self, seated: Seated, line: Line, position: Position) -> Match:
        with self.database.write_core(seated.match.night_id) as connection:
            connection.execute(ADD, _row(seated.match.id, line))
            result = result_of(position) if position.over else None
            if result == seated.match.result:
                return seated.match
            ended = {"finished_at": line.at if position.over else None, "result": result}
            connection.execute(update(Match).where(col(Match.id) == seated.match.id).values(**ended))
        return seated.match.model_copy(update=ended)

    def _held(self, id: str) -> Seated | None:
        """The match for whoever holds the lock."""
        seated = self._seated.get(id)
        if seated is None:
            self._stale.discard(id)
            return self._load(id)
        if id in self._stale:
            self._stale.discard(id)  # first: what is told from now on is news again
            try:
                return self._caught_up(seated)
            except BaseException:
                self._stale.add(id)  # still not known
                raise
        return seated

    def _remember(self, seated: Seated) -> None:
        self._seated[seated.match.id] = seated

    def _load(self, id: str) -> Seated | None:
        with self.database.read() as session:
            match = session.get(Match, id)
            return self._folded(session, match, None, {}) if match else None

    def _caught_up(self, seated: Seated) -> Seated | None:
        """What other processes added is folded on top of what is known; with other house rules everything is folded anew."""
        with self.database.read() as session:
            match = session.get(Match, seated.match.id)
            if match is None:  # its night is gone
                return self._seated.pop(seated.match.id, None) and None
            known = seated.position if match.options == seated.match.options else None
            return self._folded(session, match, known, seated.keys)

    def _folded(self, session: Session, match: Match, known: Position | None, keys: dict[str, Line]) -> Seated:
        try:
            lines = _lines(session, match.id, known.version if known else None)
            position = fold(known or beginning(match), lines)
        except (RuleError, LogError, LookupError, ValueError, TypeError, RecursionError) as error:
            raise Unreadable(match.id, error) from error
        seated = Seated(match, position, keys | {line.key: line for line in lines})
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
            position = position.after(Line(n, "act", action, None, by, f"brought {n}", now()))
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


def _lines(session: Session, id: str, after: int | None) -> Sequence[Line]:
    """The lines of a match, or those that come after that number."""
    table = Entry.__table__.c  # type: ignore[attr-defined]
    columns = select(table.n, table.kind, table.data, table.of, table.by, table.key, table.at)
    newer = () if after is None else (table.n > after,)
    rows = session.execute(columns.where(table.match_id == id, *newer).order_by(table.n))
    return [Line(*row) for row in rows]


def _row(match: str, line: Line) -> dict[str, Any]:
    return {"match_id": match, **{name: getattr(line, name) for name in Line.__slots__}}


def _same(known: Line, kind: Kind, data: Plain, of: int | None) -> Line:
    if (known.kind, known.of) == (kind, of) and json.dumps(known.data, sort_keys=True) == json.dumps(data, sort_keys=True):
        return known
    raise KeyTaken
