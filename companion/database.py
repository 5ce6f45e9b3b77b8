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
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import QueuePool, StaticPool
from sqlmodel import Session

FILE = "companion.sqlite3"
WRITER = ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "wal_autocheckpoint=1000")
READER = ("busy_timeout=5000", "synchronous=FULL", "foreign_keys=ON", "query_only=ON")
FULL_DISK = ("disk is full", "disk I/O error")


class NewerSchema(Exception):
    """The file was written by a newer version of the program."""


class DiskFull(Exception):
    """Nothing more can be stored."""


class Database:
    """One file, one writer, any number of readers."""

    def __init__(self, folder: Path) -> None:
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

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that alone may write; committed at the end, or nothing of it happens."""
        with self.lock, _in_words(), Session(self.writer, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def write_core(self) -> Iterator[Connection]:
        """The same without objects, for the log; whoever calls holds the lock."""
        with _in_words(), self.writer.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Session]:
        with Session(self.reader, expire_on_commit=False) as session:
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
def _in_words() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        if any(sign in str(error.orig) for sign in FULL_DISK):
            raise DiskFull from error
        raise


def _engine(path: Path, pragmas: tuple[str, ...], mode: str) -> Engine:
    address = address_of(path, mode)
    pool = StaticPool if mode == "rwc" else QueuePool
    engine = create_engine("sqlite://", poolclass=pool, creator=lambda: sqlite3.connect(address, uri=True, check_same_thread=False))
    begin = "BEGIN IMMEDIATE" if mode == "rwc" else "BEGIN"

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        for pragma in pragmas:
            connection.execute("PRAGMA " + pragma)

    @event.listens_for(engine, "begin")
    def say_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


# ---- upgrades --------------------------------------------------------------------------------------------------------


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(database: Database) -> None:
    """Bring the file to this version's schema; an older one is copied first."""
    with database.writer.connect() as connection:
        dbapi = connection.connection.dbapi_connection
        assert dbapi is not None
        config = _config(connection)
        scripts = ScriptDirectory.from_config(config)
        with connection.begin():
            current = MigrationContext.configure(connection).get_current_revision()
        if current == scripts.get_current_head():
            return
        if current is not None:
            _check_known(current, scripts)
            database.backup(database.backups / ("before-upgrade-from-" + current + ".sqlite3"))
        dbapi.execute("PRAGMA foreign_keys=OFF")  # rebuilding a table would delete what refers to it
        try:
            with connection.begin():
                command.upgrade(config, "head")
        finally:
            dbapi.execute("PRAGMA foreign_keys=ON")


def _check_known(current: str, scripts: ScriptDirectory) -> None:
    if current not in {script.revision for script in scripts.walk_revisions()}:
        raise NewerSchema(current)
