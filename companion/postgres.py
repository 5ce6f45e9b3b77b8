"""PostgreSQL for groups that outgrow a laptop: any number of server processes on one database, each told what the others stored.

Whoever changes something about a night first *claims* it, in the same transaction: the claim waits until nobody else is changing that
night, draws the next tick from a sequence, and leaves a notice that PostgreSQL delivers to all processes at the commit, or not at all.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from companion.bounded_dict import BoundedDict
from companion.database import Database, NotStored, current_revision, in_words, is_older, migrate
from companion.live import MAX_TOPICS, Live

CHANNEL = "companion"
SAFE = "-c synchronous_commit=on -c lock_timeout=8000 -c statement_timeout=20000 -c timezone=UTC"
PATIENCE = 5  # seconds to wait for a connection
PRESENCE = 10  # seconds after which the others are told whom we saw
MAX_IDS = 300  # of people in one notice, which has room for 8,000 bytes
NAP = 0.1  # seconds after which the listener looks whether it is to stop
FRESH = 1.0  # seconds for which a connection that just worked is taken to work still
CLAIM = text("""
    WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended(:topic, 0))),
         at AS MATERIALIZED (SELECT nextval('tick') AS tick FROM held)
    SELECT tick, pg_notify('companion', :what || ' ' || :me || ' ' || tick || ' ' || :topic) FROM at
""")


Forget = Callable[[str | None, bool], None]  # what is kept of a night, or of its matches alone


class Postgres(Database):
    """The same as the file: its triggers, its constraints; commits are on the disk before they are acknowledged."""

    is_shared = True

    def __init__(self, url: str, folder: Path | None = None) -> None:
        self.place = (folder or Path(), url)
        self.url = url
        self.me = secrets.token_hex(4)  # which of the processes this is
        self.lock = Lock()
        self._claimed: BoundedDict[str, int] = BoundedDict(MAX_TOPICS)
        driver = make_url(url).set(drivername="postgresql+psycopg")
        self.writer = create_engine(  # so that four processes fit into the 100 connections that PostgreSQL gives by itself
            driver, pool_use_lifo=True, pool_size=10, max_overflow=10, connect_args={"options": SAFE, "connect_timeout": PATIENCE}
        )
        _ping_what_was_idle(self.writer)
        self.reader = self.writer.execution_options(isolation_level="AUTOCOMMIT")
        self._listener: Listener | None = None
        try:
            self._upgrade()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def write_core(self, *topics: str) -> Iterator[Connection]:
        with in_words(), self.writer.begin() as connection:
            for topic in sorted(set(topics)):  # in the same order everywhere: else two processes could wait for each other
                self.claim(connection, topic, "played")
            yield connection

    def claim(self, connection: Connection, topic: str, what: str = "told") -> None:
        self._claimed[topic] = connection.execute(CLAIM, {"what": what, "topic": topic, "me": self.me}).scalar_one()

    def backup(self, to: Path) -> Path:
        raise NotImplementedError  # a PostgreSQL is backed up by its own means

    def rewrite(self) -> None:
        """PostgreSQL tidies up by itself."""

    def listen(self, live: Live, forget: Forget) -> None:
        """From now on hear what other processes store: `forget` what is kept of that night (of all, after a gap), then wake the streams."""
        self._listener = Listener(self, live, forget)
        self._listener.start()

    @property
    def hears(self) -> bool:  # type: ignore[override]
        return self._listener is not None and self._listener.hears.is_set()

    def close(self) -> None:
        if self._listener:
            self._listener.stop()
        self.writer.dispose()

    # ---- ticks: one sequence for all processes, so that they only ever rise ------------------------------------------

    def first(self, topic: str) -> int:
        with self.read() as session:
            return int(session.execute(text("SELECT last_value FROM tick")).scalar_one())

    def next(self, topic: str, last: int) -> int:
        """The tick of our own newest claim; another one than before, also if we took that number for ours."""
        return max(last + 1, self._claimed.get(topic, 0))

    def _upgrade(self) -> None:
        """One process at a time; the others find it done."""
        with self.writer.connect() as connection, connection.begin():
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended('companion upgrade', 0))"))
            if is_older(current_revision(connection)):
                migrate(connection)

    def is_ready(self) -> bool:
        """Whether it answers, and tells us what others store."""
        return self.hears and super().is_ready()


def _ping_what_was_idle(engine: Engine) -> None:
    """As `pool_pre_ping` does, but that asks before every use: each time another way to the database and back."""

    @event.listens_for(engine, "checkin")
    def put_back(connection: Any, record: ConnectionPoolEntry) -> None:
        record.info["worked"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def take_out(connection: Any, record: ConnectionPoolEntry, _: object) -> None:
        if "worked" not in record.info or time.monotonic() - record.info["worked"] < FRESH:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError from error  # the pool opens another one


class Listener(Thread):
    """Hears the notices of all processes. A lost connection is opened again, and then everything may have changed."""

    def __init__(self, database: Postgres, live: Live, forget: Forget) -> None:
        super().__init__(daemon=True, name="listener")
        self._database, self._live, self._forget = database, live, forget
        self._stopped, self.hears = Event(), Event()

    def run(self) -> None:
        wait = 0.0
        while not self._stopped.wait(wait):
            wait = min(max(0.1, wait * 2), 1.0)
            with suppress(psycopg.Error, NotStored), self._connected() as connection:
                wait = 0.1
                self._hear(connection)

    def stop(self) -> None:
        self._stopped.set()
        if self.is_alive():
            self.join(2)

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(self._database.url, autocommit=True, connect_timeout=PATIENCE) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._catch_up()
            self.hears.set()  # only now: what was kept up to here may be old
            try:
                yield connection
            finally:
                self.hears.clear()

    def _catch_up(self) -> None:
        """What was told while nobody listened is not told again."""
        self._forget(None, False)
        self._live.tell_all()

    def _hear(self, connection: psycopg.Connection) -> None:
        waited = 0.0
        while not self._stopped.is_set():
            for notice in connection.notifies(timeout=NAP, stop_after=100):
                self._take(notice.payload)
            waited += NAP
            if waited >= PRESENCE:
                waited = 0.0
                self._tell_presence(connection)

    def _take(self, payload: str) -> None:
        kind, me, *words = payload.split(" ")
        if me == self._database.me:
            return
        match kind:
            case "told" | "played":
                tick, topic = words
                self._forget(topic, kind == "played")
                self._live.hear(topic, int(tick))
            case "saw":
                self._live.saw_elsewhere(words)

    def _tell_presence(self, connection: psycopg.Connection) -> None:
        """Whoever has a page open here is here for the other processes, too."""
        people = self._live.lately()
        for start in range(0, len(people), MAX_IDS):
            ids = " ".join(people[start : start + MAX_IDS])
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"saw {self._database.me} {ids}"))
