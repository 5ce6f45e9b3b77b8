"""How much an entry costs on the wire, as ratios within one run: `python tests/bench/live.py [seconds]`.

1. One POST that books a Ligretto round of four players, against a bare Flask view that adds one SQLModel object and commits: at most 2.
2. From the tap until the last of eight phones has what one looks at first (the ring, the board), against a bare Flask view that
   echoes a message of that length to eight streams: at most 3.
3. Entry 5,000 of a match against entry 10: at most 1.2.
4. Fifty nights with six phones each, all at once: no error; the 95th percentile is only told, for it depends on the machine.

Everything runs on the server that `companion` runs on, SQLite with synchronous=FULL. The two sides of a ratio take turns, request by
request, so that whatever else the machine does hits both. The medians of several rounds are compared; the round in the middle counts.
How long the processor worked for a request is told, too: others on the machine hardly touch that.
"""

import contextlib
import os
import secrets
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

ROUNDS = 7  # of measuring; the middle one counts
POSTS = 150  # a round, each side
TAPS = 80
EARLY, LATE = 10, 5_000
NIGHTS, PHONES = 50, 6
EVEN = {"scored": (10, 12, 10, 12, 11), "left": (12, 10, 12, 10, 11)}  # nobody ever gets to 100
ODD = {"scored": EVEN["left"], "left": EVEN["scored"]}


# ---- the bare floor, in a process of its own -------------------------------------------------------------------------


def floor(folder, port):
    """Flask and one SQLModel object a POST; a message a POST to every open stream. Nothing else."""
    from companion.server import Server  # patches first

    # isort: split
    from queue import SimpleQueue

    from flask import Flask, Response, request
    from sqlalchemy import event
    from sqlmodel import Field, Session, SQLModel, create_engine

    class Line(SQLModel, table=True):
        id: int | None = Field(default=None, primary_key=True)
        key: str
        text: str

    engine = create_engine(f"sqlite:///{folder}/floor.sqlite3")

    @event.listens_for(engine, "connect")
    def set_up(connection, _):
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            connection.execute("PRAGMA " + pragma)

    SQLModel.metadata.create_all(engine, tables=[Line.__table__])
    app, streams = Flask("floor"), []

    @app.post("/book")
    def book():
        with Session(engine) as session:
            session.add(Line(key=request.form["key"], text=request.form["scored.0"]))
            session.commit()
        return "booked"

    @app.post("/echo/<int:size>")
    def echo(size):
        message = request.form["key"] + "." * size
        for stream in streams:
            stream.put(message)
        return "echoed"

    @app.get("/stream")
    def stream():
        def messages():
            calls = SimpleQueue()
            streams.append(calls)
            yield "retry: 1000\n\n"
            while True:
                yield f"data: {calls.get()}\n\n"

        return Response(messages(), mimetype="text/event-stream")

    @app.get("/health")
    def health():
        return "ok"

    Server(("127.0.0.1", int(port)), app, log=None, error_log=sys.stderr).serve_forever()


# ---- phones: as little client as possible, since its own time is in every figure -------------------------------------


class Line:
    """One connection that is kept open."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, path, form, headers):
        body = urlencode(form).encode()
        self.socket.sendall(f"POST {path} HTTP/1.1\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def answer(self):
        """The status and the body of what was asked last."""
        got = b""
        while b"\r\n\r\n" not in got:
            got += self._more()
        head, _, body = got.partition(b"\r\n\r\n")
        fields = head.lower()
        if b"content-length: " in fields:
            length = int(fields.split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])
            while len(body) < length:
                body += self._more()
        return int(head[9:12]), body

    def _more(self):
        data = self.socket.recv(262_144)
        if not data:
            raise ConnectionError("the server closed the line")
        return data

    def close(self):
        self.socket.close()


class Phone:
    """Somebody's cookie and token, and a line to enter things over."""

    def __init__(self, port, cookie="", token=""):
        self.port, self.token = port, token
        self.headers = (
            f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: companion={cookie}\r\nHX-Request: true\r\n"
            "Accept-Language: en\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        )
        self.line = Line(port)

    def round(self, seats, n):
        """The form of a round."""
        piles = EVEN if n % 2 else ODD
        form = {f"{pile}.{seat}": piles[pile][seat] for pile in ("scored", "left") for seat in range(seats)}
        return {"csrf_token": self.token, "key": secrets.token_hex(16), **form}

    def post(self, path, form):
        """How long it takes until the whole answer is here."""
        begin = time.perf_counter()
        self.line.send(path, form, self.headers)
        status, body = self.line.answer()
        took = time.perf_counter() - begin
        if status not in (200, 204):  # the bare view's, and ours
            raise AssertionError(f"{path}: {status} {body[:300]!r}")
        return took

    def look(self, path):
        self.line.socket.sendall(f"GET {path} HTTP/1.1\r\n{self.headers}\r\n".encode())
        assert self.line.answer()[0] == 200

    def watch(self, path):
        """A stream; gives the line on which it comes."""
        line = Line(self.port)
        line.socket.sendall(f"GET {path} HTTP/1.1\r\n{self.headers}\r\n".encode())
        return line


# ---- evenings: laid out in process, then played against a real server ------------------------------------------------


class Evenings:
    """A folder, or a PostgreSQL, with nights and matches in it."""

    def __init__(self, folder, database=None):
        from companion import create_app

        self.folder, self.app = folder, create_app(folder, "http://127.0.0.1:8000", database=database)
        self.parts = self.app.extensions["companion"]
        self.sessions = []

    def night(self, phones):
        """A night with so many people; gives its members."""
        night, host = self.parts.nights.start("Bench", "P0")
        return [host] + [self.parts.nights.join(night, f"P{number}", watching=False) for number in range(1, phones)]

    def match(self, members, entries=0):
        """A match of these, with so many rounds in its log."""
        from companion.models import Match

        seats = [member.person.id for member in members]
        match = self.parts.store.start(Match(night_id=members[0].person.night_id, game="ligretto-crazy", seats=seats, options={}))
        for n in range(1, entries + 1):
            piles = {name: list(each[: len(seats)]) for name, each in (EVEN if n % 2 else ODD).items()}
            self.parts.store.act(match.id, f"round-{n}", {"do": "round", **piles}, seats[0], f"filled-{n}")
        return match.id

    def cookie(self, member):
        """What this member's browser keeps, and the token for its forms."""
        from flask import session
        from flask_wtf.csrf import generate_csrf

        from companion.web.guests import remember

        with self.app.test_request_context():
            remember(member)
            token = generate_csrf()
            return self.app.session_interface.get_signing_serializer(self.app).dumps(dict(session)), token

    def close(self):
        self.parts.database.close()


@contextlib.contextmanager
def running(port, *command, said=None):
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=said)
    try:
        for _ in range(1_200):  # a minute: the machine may be busy
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(20)


def work(process):
    """Seconds that the processor has spent on it."""
    ticks = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# ---- the four measurements -------------------------------------------------------------------------------------------


def compare(name, ours, bare, times, limit, words, processes=()):
    """Take turns, request by request; the ratio of the medians, of the round in the middle."""
    for number in range(20):  # warm
        ours(number), bare(number)
    rounds, worked = [], [work(process) for process in processes]
    for _ in range(ROUNDS):
        pairs = [(ours(number), bare(number)) for number in range(times)]
        rounds.append([statistics.median(side) * 1e3 for side in zip(*pairs, strict=True)])
    rounds.sort(key=lambda each: each[0] / each[1])
    mine, floor = rounds[len(rounds) // 2]
    ratio, best, worst = (each[0] / each[1] for each in (rounds[len(rounds) // 2], rounds[0], rounds[-1]))
    verdict = "ok" if ratio <= limit else "MISSED"
    print(f"{name:34} {mine:6.2f} ms  {words} {floor:6.2f} ms  ratio {ratio:4.2f} ({best:.2f} to {worst:.2f}; at most {limit})  {verdict}")
    if processes:
        mine, floor = ((work(each) - before) * 1e3 / ROUNDS / times for each, before in zip(processes, worked, strict=True))
        print(f"  … the processor worked          {mine:6.2f} ms  {words} {floor:6.2f} ms  ratio {mine / floor:4.2f}")
    return ratio <= limit


def booker(phone, match, seats, entries):
    """Books round after round."""
    at = SimpleNamespace(n=entries)

    def book(_):
        at.n += 1
        return phone.post(f"/m/{match}/act/round-{at.n}", phone.round(seats, at.n))

    return book


def one_post(place, bare):
    book = booker(place.phone(0), place.four, 4, 30)
    once = lambda n: bare.post("/book", bare.round(4, n))  # noqa: E731
    return compare("1 a POST that books", book, once, POSTS, 2, "bare commit", place.processes)


def tap_to_eight(place, bare):
    def fan_out(phone, path, lines, send, events=1):
        """From the tap until the last stream brought its first event whole; of ours, the rest follows in a second one."""
        begin, came = time.perf_counter(), []
        phone.line.send(path, send, phone.headers)
        got = {line.socket: b"" for line in lines}
        for event in range(1, events + 1):
            while waiting := [each for each, data in got.items() if data.count(END) < event]:
                for each in select.select(waiting, [], [], 10)[0]:
                    got[each] += each.recv(262_144)
            came.append(time.perf_counter() - begin)
        assert phone.line.answer()[0] in (200, 204)
        forms.append(came[-1])
        return came[0]

    forms = []
    END = b"\n\n\r\n"  # the end of an event, and of the chunk that carries it
    ours, at = place.phone(0, night="nine"), SimpleNamespace(n=30)
    theirs = [place.phone(number, night="nine") for number in range(1, 9)]  # whoever tapped has it in the answer
    lines = [phone.watch(f"/m/{place.five}/live") for phone in theirs]
    echoes = [bare.watch("/stream") for _ in range(8)]
    time.sleep(1)
    size = min(len(line.socket.recv(262_144).split(END)[1]) for line in lines)  # of a first event; echoed messages are as long
    for line in echoes:
        line.socket.recv(262_144)

    def tap(_):
        at.n += 1
        return fan_out(ours, f"/m/{place.five}/act/round-{at.n}", lines, ours.round(5, at.n), events=2)

    def echo(n):
        return fan_out(bare, f"/echo/{size}", echoes, bare.round(5, n))

    try:
        fits = compare("2 a tap, to the last of 8 phones", tap, echo, TAPS, 3, "bare echo  ", place.processes)
        print(f"  … and until the last phone has the rest, too: {statistics.median(forms[::2]) * 1e3:.2f} ms")
        return fits
    finally:
        for line in (*lines, *echoes):
            line.close()
        for phone in theirs:
            phone.line.close()


def long_match(place, bare):
    """Every early entry is the tenth of a match of its own. The phone looks at both before: a first look is not in the figure."""
    phone, fresh = place.phone(0), iter(place.short)

    def booked(match, n):
        phone.look(f"/m/{match}")
        return phone.post(f"/m/{match}/act/round-{n}", phone.round(4, n))

    numbers = iter(range(LATE, LATE + 1_000))
    ours, early = lambda _: booked(place.long, next(numbers)), lambda _: booked(next(fresh), EARLY)
    return compare(f"3 entry {LATE:,} of a match", ours, early, place.each_short, 1.2, f"entry {EARLY}   ")


def many_nights(place, bare, seconds):
    """Everybody has a stream open; in every night one after the other enters a round, at the pace of people in a hurry."""
    took, errors, heard = [], [], []
    stop = threading.Event()

    def listen(lines):
        while not stop.is_set():
            for each in select.select(lines, [], [], 0.2)[0]:
                data = each.recv(262_144)
                heard.append(data.count(b"event: regions"))
                if not data:
                    errors.append("a stream was closed")
                    lines.remove(each)

    def play(match, phones):
        n = 0
        while not stop.wait(1 + secrets.randbelow(1000) / 1000):
            n += 1
            phone = phones[n % len(phones)]
            try:
                took.append(phone.post(f"/m/{match}/act/round-{n}", phone.round(4, n)))
            except (AssertionError, OSError) as error:
                errors.append(str(error))
                return

    nights = [(match, [Phone(place.port, *cookie) for cookie in cookies]) for match, cookies in place.nights]
    streams = [phone.watch(f"/m/{match}/live") for match, phones in nights for phone in phones]
    threads = [threading.Thread(target=listen, args=([line.socket for line in streams],))]
    threads += [threading.Thread(target=play, args=(match, phones[:4])) for match, phones in nights]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    for each in (*streams, *(phone.line for _, phones in nights for phone in phones)):
        each.close()
    lost = 0 if sum(heard) >= len(took) * 2 else 1  # many changes may come as one, but they come
    p50, p95 = (statistics.quantiles(took, n=20)[place] * 1e3 for place in (9, 18))
    print(
        f"4 {NIGHTS} nights × {PHONES} phones, {seconds:.0f} s      {len(took)} entries, {sum(heard)} updates on {len(streams)} streams, "
        f"p50 {p50:.1f} ms, p95 {p95:.1f} ms, {len(errors)} errors  {'MISSED' if errors or lost else 'ok'}"
    )
    for error in errors[:5]:
        print("   ", error)
    return not errors and not lost


# ---- all of it -------------------------------------------------------------------------------------------------------


def lay_out(folder, port):
    """The nights that are played, with long logs where they are needed."""
    evenings = Evenings(folder)
    four, nine = evenings.night(4), evenings.night(9)
    place = SimpleNamespace(port=port, each_short=25)  # so that all of them stay in memory
    place.four, place.five = evenings.match(four, 30), evenings.match(nine[:5], 30)
    place.long = evenings.match(four, LATE - 1)
    place.short = [evenings.match(four, EARLY - 1) for _ in range(20 + ROUNDS * place.each_short)]
    cookies = {"four": [evenings.cookie(member) for member in four], "nine": [evenings.cookie(member) for member in nine]}
    place.phone = lambda number, night="four": Phone(port, *cookies[night][number])
    place.nights = []
    for _ in range(NIGHTS):
        members = evenings.night(PHONES)
        place.nights.append((evenings.match(members[:4]), [evenings.cookie(member) for member in members]))
    evenings.close()
    return place


def main(seconds=20.0):
    with tempfile.TemporaryDirectory() as name:
        folder, port, floor_port = Path(name), free_port(), free_port()
        begin = time.perf_counter()
        place = lay_out(folder, port)
        print(
            f"laid out in {time.perf_counter() - begin:.0f} s; p50 of requests taking turns, the middle of {ROUNDS} rounds (best to worst)"
        )
        ours = ("-m", "companion", "--instance", name, "--host", "127.0.0.1", "--port", str(port))
        with running(floor_port, __file__, "floor", name, str(floor_port)) as floor_process, running(port, *ours) as process:
            bare, place.processes = Phone(floor_port), (process, floor_process)
            met = [one_post(place, bare), tap_to_eight(place, bare), long_match(place, bare), many_nights(place, bare, seconds)]
            bare.line.close()
    return 0 if all(met) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["floor"]:
        floor(*sys.argv[2:])
    sys.exit(main(*map(float, sys.argv[1:2])))
