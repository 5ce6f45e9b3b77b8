"""Where many nights are hosted, idle ones are archived and old ones go, by a rule that everybody can read. A laptop keeps everything.

A night is idle since somebody last joined, started a match, entered something or opened it again. After a day it is archived: joining is
closed, and no process keeps it in memory; the host can open it again. After 90 days everything about it is deleted.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING

from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import SQLAlchemyError

from companion.database import NotStored
from companion.models import now

if TYPE_CHECKING:
    from companion.web.services import Services

ARCHIVED_AFTER = timedelta(days=1)
EXPIRED_AFTER = timedelta(days=90)
PAUSE = 3_600.0  # seconds between two looks
MAX_AT_ONCE = 500
IDLE = """
    SELECT night.id FROM night WHERE night.created_at < :before AND {more} AND greatest(
        (SELECT max(joined_at) FROM person WHERE night_id = night.id),
        (SELECT max(started_at) FROM match WHERE night_id = night.id),
        (SELECT max(entry.at) FROM entry JOIN match ON match.id = entry.match_id WHERE match.night_id = night.id),
        night.created_at, night.opened_at
    ) < :before LIMIT :most
"""
OPEN, ANY, THIS = (text(IDLE.format(more=more)) for more in ("night.joining", "true", "night.id = :night"))
MATCHES = "match_id IN (SELECT id FROM match WHERE night_id = :night)"
DELETE = (
    f"DELETE FROM entry WHERE {MATCHES}",
    f"DELETE FROM dispute WHERE {MATCHES}",
    *(f"DELETE FROM {table} WHERE night_id = :night" for table in ("match", "preset", "claim", "person")),
    "DELETE FROM night WHERE id = :night",
)


def sweep(parts: Services, at: datetime | None = None) -> tuple[int, int]:
    """Archive what is idle and delete what is old; gives how many nights that were."""
    at = at or now()
    old = [night for night in _found(parts, ANY, at - EXPIRED_AFTER) if _expire(parts, night, at)]
    idle = [night for night in _found(parts, OPEN, at - ARCHIVED_AFTER) if _archive(parts, night, at)]
    return len(idle), len(old)


def _found(parts: Services, query: TextClause, before: datetime) -> list[str]:
    with parts.database.read() as session:
        return list(session.execute(query, {"before": before, "most": MAX_AT_ONCE}).scalars())


def _archive(parts: Services, night: str, at: datetime) -> bool:
    with parts.database.write(night) as session:
        done = _is_idle(session.connection(), night, at - ARCHIVED_AFTER)
        if done:
            session.execute(text("UPDATE night SET joining = false WHERE id = :night"), {"night": night})
    parts.nights.reread(night)
    return done


def _expire(parts: Services, night: str, at: datetime) -> bool:
    with parts.database.write(night) as session:
        connection = session.connection()
        done = _is_idle(connection, night, at - EXPIRED_AFTER)
        if done:
            connection.execute(text("SET LOCAL companion.expiring = 'on'"))  # else the log refuses
            for statement in DELETE:
                connection.execute(text(statement), {"night": night})
    parts.store.reread(night)
    parts.nights.reread(night)
    return done


def _is_idle(connection: Connection, night: str, before: datetime) -> bool:
    """Look again: somebody may have come back meanwhile, through any process. From now on nobody can."""
    return connection.execute(THIS, {"before": before, "most": 1, "night": night}).scalar() is not None


class Sweeper(Thread):
    """Looks now and then; where several processes do, each finds what the others left."""

    def __init__(self, parts: Services) -> None:
        super().__init__(daemon=True, name="sweeper")
        self._parts, self.stopped = parts, Event()

    def run(self) -> None:
        while not self.stopped.wait(PAUSE):
            with suppress(NotStored, SQLAlchemyError):  # the next look finds the rest
                sweep(self._parts)
