"""The database file: one writer that alone checkpoints, readers that cannot write, upgrades after a backup.

SQLite before 3.51.3 (3.50.7, 3.44.6) can lose a commit when two connections reset the write-ahead log at the same moment. Here only the
one writing connection ever checkpoints: readers are opened read-only. So the bug has no occasion, whatever version is installed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeout
from sqlalchemy.pool import QueuePool, StaticPool
from sqlmodel import Session

FILE = "companion.sqlite3"
WRITER = ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "wal_autocheckpoint=1000")
READER = ("busy_timeout=5000", "synchronous=FULL", "foreign_keys=ON", "query_only=ON")
FULL_DISK = ("disk is full", "disk I/O error", "No space left on device")


class NewerSchema(Exception):
    """The file was written by a newer version of the program."""


class NotStored(Exception):
    """The database takes nothing now; what was to be stored is not."""


class DiskFull(NotStored):
    """There is no room for more."""


class Unreachable(NotStored):
    """The database does not answer."""


class Database:
    """One file, one writer, any number of readers."""

    is_shared = False  # whether other processes write, too
    hears = True  # whether what they write is heard of at once

    def __init__(self, folder: Path) -> None:
        self.place: tuple[Path, str | None] = (folder, None)
        self.path = folder / FILE
        self.backups = folder / "backups"
        self.lock = Lock()
        self.writer = _engine(self.path, WRITER, "rwc")
        self.reader = _engine(self.path, READER, "ro")
        try:
            upgrade(self)
        except BaseException:
            self.close()
            raise
        self._log = self.writer.connect()

    @contextmanager
    def write(self, topic: str = "") -> Iterator[Session]:
        """A session that alone may write about that topic; committed at the end, or nothing of it happens."""
        with self.lock, in_words(), Session(self.writer, expire_on_commit=False) as session, session.begin():
            if topic:
                self.claim(session.connection(), topic)
            yield session

    @contextmanager
    def write_core(self, *topics: str) -> Iterator[Connection]:
        """The same without objects, for the log; whoever calls holds the lock."""
        with in_words(), self._log.begin():  # always the same connection: taking one out and putting it back costs as much as the insert
            yield self._log

    def claim(self, connection: Connection, topic: str) -> None:
        """Where other processes write, too, they are kept out and told; nobody else writes this file."""

    @contextmanager
    def read(self) -> Iterator[Session]:
        with in_words(), Session(self.reader, expire_on_commit=False) as session:
            yield session

    def backup(self, to: Path) -> Path:
        return copy_file(self.path, to)

    def rewrite(self) -> None:
        """Write the file anew: what was replaced is then in none of its gaps. Without room for that it is left as it is."""
        with self.lock, self.writer.connect() as connection, suppress(sqlite3.OperationalError):
            file = connection.connection.dbapi_connection
            assert file is not None
            file.execute("VACUUM")
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def is_ready(self) -> bool:
        """Whether it answers."""
        with suppress(SQLAlchemyError, NotStored), self.read() as session:
            return session.execute(text("SELECT 1")).scalar() == 1
        return False

    def close(self) -> None:
        self.reader.dispose()
        self.writer.dispose()


def copy_file(path: Path, to: Path) -> Path:
    """A copy that is whole, also while others write; under its name only when it is."""
    to.parent.mkdir(parents=True, exist_ok=True)
    fresh = to.with_name(to.name + ".part")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(address_of(path, "ro"), uri=True)) as source, closing(sqlite3.connect(fresh)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
    return fresh.replace(to)


def address_of(path: Path, mode: str) -> str:
    return "file:" + path.as_posix().replace("%", "%25").replace("?", "%3f").replace("#", "%23") + "?mode=" + mode


@contextmanager
def in_words() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError, SQLAlchemyTimeout) as error:
        if any(sign in str(error) for sign in FULL_DISK):
            raise DiskFull from error
        if not isinstance(getattr(error, "orig", None), sqlite3.Error):
            raise Unreachable from error
        raise


def _engine(path: Path, pragmas: tuple[str, ...], mode: str) -> Engine:
    address = address_of(path, mode)
    pool = StaticPool if mode == "rwc" else QueuePool
    engine = create_engine("sqlite://", poolclass=pool, creator=lambda: sqlite3.connect(address, uri=True, check_same_thread=False))

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if mode == "rwc" else "BEGIN")

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        for pragma in pragmas:
            connection.execute("PRAGMA " + pragma)

    return engine


# ---- upgrades --------------------------------------------------------------------------------------------------------


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(database: Database) -> None:
    """Bring the file to this version's schema; an older one is copied first."""
    with database.writer.connect() as connection:
        dbapi = connection.connection.dbapi_connection
        assert dbapi is not None
        with connection.begin():
            current = current_revision(connection)
        if not is_older(current):
            return
        if current is not None:
            database.backup(database.backups / ("before-upgrade-from-" + current + ".sqlite3"))
        dbapi.execute("PRAGMA foreign_keys=OFF")  # rebuilding a table would delete what refers to it
        try:
            with connection.begin():
                migrate(connection)
        finally:
            dbapi.execute("PRAGMA foreign_keys=ON")


def current_revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def is_older(current: str | None) -> bool:
    """Whether that revision is one that this program can upgrade; one that it does not know is refused."""
    scripts = ScriptDirectory.from_config(_config())
    if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
        raise NewerSchema(current)
    return current != scripts.get_current_head()


def migrate(connection: Connection) -> None:
    command.upgrade(_config(connection), "head")
