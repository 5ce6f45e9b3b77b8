"""Run `companion` in a process of its own, whole or deliberately broken, and ask its file afterwards what is stored.

The broken variants are made here, in the server's process, before it serves; the product has no such switches.
"""

import faulthandler
import http.client
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

FILE = "companion.sqlite3"
ROWS = "SELECT match_id, n, key, data FROM entry ORDER BY match_id, n"


# ---- in the server's process: what can be broken ---------------------------------------------------------------------


def answers_before_storing():
    """What was entered is acknowledged and shown, and stored a little later."""
    import gevent
    from gevent.queue import Queue

    from companion.store import Store

    commit, waiting = Store._commit, Queue()

    def later(self, drafts):
        waiting.put((self, drafts))
        return [draft.seated.match for draft in drafts]

    def store():
        while True:
            one = waiting.get()
            gevent.sleep(0.05)
            commit(*one)

    Store._commit = later
    gevent.spawn(store)


def ignores_keys():
    """Every sending of a form counts as a new one, and nobody looks whether the question is still open."""
    import secrets

    from companion.web import entering, matches

    key = entering.sent_key
    matches.sent_key = lambda: key() + "/" + secrets.token_hex(4)
    ignores_questions()


def ignores_questions():
    """Whatever is answered is booked, open or not."""
    from companion.match_log import Position

    class Any(dict):
        def __contains__(self, ask):
            return True

    asks = Position.asks.func
    Position.asks = property(lambda self: Any(asks(self)))


def has_no_lock():
    """Two writers look at the same position and then both write, each for itself."""
    from contextlib import nullcontext
    from copy import copy

    import gevent

    from companion import store
    from companion.database import Database
    from companion.postgres import Postgres
    from companion.store import Store

    book, commit = Store._book, Store._commit

    def alone(self, wish):
        self = copy(self)
        self._wishes = []
        return book(self, wish)

    def slow(self, drafts):
        gevent.sleep(0.002)
        return commit(self, drafts)

    def without_lock(kind, init):
        def unlocked(self, *given):
            init(self, *given)
            self.lock = nullcontext()

        kind.__init__ = unlocked

    for kind in (Database, Postgres):
        without_lock(kind, kind.__init__)
    Postgres.claim = lambda *given: None
    Store._book, Store._commit, store.MAX_TRIES = alone, slow, 1


def _pragma(new):
    from companion import database

    name = new.split("=")[0]
    database.WRITER = (*(each for each in database.WRITER if not each.startswith(name + "=")), new)


def forgets_to_sync():
    _pragma("synchronous=NORMAL")


def never_syncs():
    _pragma("synchronous=OFF")


def checkpoints_often():
    """Whole, only busier: the write-ahead log goes back into the file every few entries."""
    _pragma("wal_autocheckpoint=40")


def checkpoints_anywhere():
    """Readers may write, and another connection checkpoints now and then."""
    from companion import database
    from companion.store import Store

    checkpoints_often()
    engine = database._engine
    database._engine = lambda path, pragmas, mode: engine(path, [each for each in pragmas if "query_only" not in each], "rwc")
    commit = Store._commit

    def and_checkpoint(self, drafts):
        matches = commit(self, drafts)
        if any(draft.line.n % 15 == 0 for draft in drafts):
            with closing(sqlite3.connect(self.database.path)) as other:
                other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        return matches

    Store._commit = and_checkpoint


def old_sqlite():
    """Whole, and told that SQLite has the WAL-reset bug."""
    checkpoints_often()
    sqlite3.sqlite_version, sqlite3.sqlite_version_info = "3.51.2", (3, 51, 2)


def new_sqlite():
    """Whole, and told that SQLite has not."""
    checkpoints_often()
    sqlite3.sqlite_version, sqlite3.sqlite_version_info = "3.51.3", (3, 51, 3)


def takes_any_body():
    from companion.web import app

    app.MAX_BODY = 2**40


def takes_any_stream():
    from companion.live import Live

    Live.MAX_PER_PERSON = 10**9


def takes_any_night():
    from companion.web.extensions import limiter

    limiter.enabled = False


def serves_few():
    """Sixteen connections at a time, as a server with threads would."""
    from companion.server import Server

    init = Server.__init__
    Server.__init__ = lambda self, *given, **named: init(self, *given, **named | {"spawn": 16})


def has_few_files():
    """Whole, on a system that lets a program open 128 files unless it asks for more."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (128, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def asks_for_no_files():
    from companion import server

    has_few_files()
    server.allow_many_connections = lambda: None


def is_impatient():
    """Whole, with a clock that runs faster."""
    from companion import server

    server.PATIENCE = 1


def does_not_listen():
    """Hears nothing of what other processes store, and does not know it."""
    from companion.postgres import Postgres

    Postgres.listen, Postgres.hears = lambda *_: None, True


def commits_carelessly():
    """PostgreSQL acknowledges what it has only in its memory."""
    from companion import postgres

    postgres.SAFE = postgres.SAFE.replace("synchronous_commit=on", "synchronous_commit=off")


def dies_before_statement(n, broken="whole"):
    """Kills itself before the n-th statement that any of its connections runs."""
    left = iter(range(int(n) - 1, -1, -1))
    watch_statements(lambda _: None if next(left, None) else os.kill(os.getpid(), signal.SIGKILL))
    globals()[broken]()


def watch_statements(tell):
    """Every connection that is opened from now on tells each statement before it runs it."""
    connect = sqlite3.connect

    def watched(*given, **named):
        connection = connect(*given, **named)
        connection.set_trace_callback(tell)
        return connection

    sqlite3.connect = watched


def upgrades_step_by_step():
    """Every statement of an upgrade is kept at once."""
    from sqlalchemy import event

    from companion import database

    migrate = database.migrate

    def keep(connection, *_):
        file = connection.connection.dbapi_connection
        file.execute("COMMIT")
        file.execute("BEGIN IMMEDIATE")

    def in_steps(connection):
        event.listen(connection, "after_cursor_execute", keep)
        migrate(connection)

    database.migrate = in_steps


def upgrades_and_drops():
    """An upgrade that tidies up a little too much."""
    from companion import database

    migrate = database.migrate

    def tidily(connection):
        migrate(connection)
        connection.exec_driver_sql("DELETE FROM claim")

    database.migrate = tidily


def upgrades_without_a_copy():
    from companion.database import Database

    Database.backup = lambda self, to: to


def whole():
    pass


# ---- in the test's process -------------------------------------------------------------------------------------------


def databases():
    """Late: a server's own process has to change how sockets wait before anything else."""
    import databases

    return databases


class Nursery:
    """A process that has loaded the program and makes a server of itself, as often as asked: loading takes longer than serving."""

    def __init__(self, environment=None):
        command = [sys.executable, __file__]
        environment = os.environ | (environment or {})
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True)

    def serve(self, folder, variant=whole, port=None, database=None):
        """A running `companion` that answers; on the database that the tests run on, or on that one. Of thousands of copies that were made
        of a loaded program, one never began to serve and said nothing: that is about the copying, so another one is made."""
        try:
            return self.start(folder, [variant.__name__], port, database).wait_for_answer()
        except Silent as silent:
            print("A server that never answered stood here:", silent, sep="\n")
            return self.start(folder, [variant.__name__], port, database).wait_for_answer()

    def start(self, folder, variant, port=None, database=None):
        """A `companion` that may not live long enough to answer; the variant by its name and what it is given."""
        from ports import free_port  # here: the server's own process does not know where it is

        port = port or free_port()
        output = Path(folder).parent / f"{Path(folder).name}.{time.monotonic_ns()}.out"
        order = [str(output), variant, "--instance", str(folder), "--host", "127.0.0.1", "--port", str(port)]
        order += databases().arguments(folder, database)
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return Server(int(self.process.stdout.readline()), Path(folder), port, output)

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


class Silent(AssertionError):
    """A server runs, but neither answers nor complains; says where it stands."""


@dataclass(frozen=True)
class Server:
    """A `companion` that runs, and is stopped or killed."""

    pid: int
    folder: Path
    port: int
    output: Path

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def wait_for_answer(self):
        until = time.monotonic() + 60
        while time.monotonic() < until and self.runs():
            with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)) as connection:
                try:
                    connection.request("GET", "/health")
                    if connection.getresponse().status == 200:
                        return self
                except OSError:
                    time.sleep(0.02)
        said, stood = self.said(), self._where_it_stands()
        self.kill()
        raise Silent(stood) if stood and not said else AssertionError(said)

    def _where_it_stands(self):
        """The stacks of its threads; nothing where it has ended."""
        if self.runs():
            os.kill(self.pid, signal.SIGUSR1)  # see `_run`
            time.sleep(0.5)
        return self.said()

    def said(self):
        return self.output.read_text(errors="replace")

    def runs(self):
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def kill(self):
        """As kill -9 does: no time for anything."""
        self._end(signal.SIGKILL)

    def stop(self):
        self._end(signal.SIGTERM)

    def _end(self, how):
        if self.runs():
            os.kill(self.pid, how)
        until = time.monotonic() + 15
        while self.runs():
            assert time.monotonic() < until, "the server does not end"
            time.sleep(0.005)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


@dataclass(frozen=True)
class Stored:
    """What a file holds."""

    sound: bool  # SQLite finds nothing wrong with it
    entries: dict  # match: {n: data}
    forms: Counter  # (match, key of the form): how often

    def times(self, match, key):
        """How often a form was booked."""
        return self.forms[match, key]


def stored_in(url):
    """What a PostgreSQL holds."""
    import psycopg

    with psycopg.connect(url) as connection:
        return _counted(True, connection.execute(ROWS.replace("data", "data::text")).fetchall())


def stored(folder, copy_to=None):
    """Look at a copy, so that whoever starts next finds the file as it was left."""
    if databases().on_postgres():
        return _counted(True, databases().sql(folder, ROWS))
    copy = Path(copy_to or Path(folder).parent / f"copy-{time.monotonic_ns()}")
    copy.mkdir()
    for end in ("", "-wal"):
        if (Path(folder) / (FILE + end)).exists():
            shutil.copy(Path(folder) / (FILE + end), copy / (FILE + end))
    try:
        with closing(sqlite3.connect(copy / FILE)) as file:
            sound = file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            rows = file.execute(ROWS).fetchall()
    except sqlite3.DatabaseError:
        return Stored(False, {}, Counter())
    finally:
        shutil.rmtree(copy)
    return _counted(sound, rows)


def _counted(sound, rows):
    entries = {}
    for match, n, _, data in rows:
        entries.setdefault(match, {})[n] = json.loads(data)
    return Stored(sound, entries, Counter((match, key.split("/")[0]) for match, _, key, _ in rows))


def nurse():
    from gevent.monkey import get_original

    from companion.server import serve  # noqa: F401 first of all: it changes how sockets wait
    from companion.web import app  # noqa: F401

    fork, set_signal = get_original("os", "fork"), get_original("signal", "signal")
    set_signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
    for order in iter(sys.stdin.readline, ""):
        output, variant, *arguments = json.loads(order)
        pid = fork()
        if pid == 0:
            set_signal(signal.SIGCHLD, signal.SIG_DFL)
            os._exit(_run(output, variant, arguments))
        print(pid, flush=True)


def _run(output, variant, arguments):
    from companion.cli import main

    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for standard in (1, 2):
        os.dup2(file, standard)
    os.close(0)
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    name, *given = variant
    globals()[name](*given)
    try:
        return main(arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    nurse()
