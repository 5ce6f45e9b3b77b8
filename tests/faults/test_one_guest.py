"""Promise 20: one guest cannot stop the evening: the others are answered within a second, whatever comes from one phone."""

import http.client
import select
import socket
import threading
import time
from contextlib import ExitStack, closing, contextmanager
from random import Random

import pytest
from faults.phones import Phone, sit_down, whole_round
from faults.servers import (
    asks_for_no_files,
    has_few_files,
    is_impatient,
    serves_few,
    takes_any_body,
    takes_any_night,
    takes_any_stream,
    whole,
)

MEGABYTE = b"a" * 2**20
ENOUGH = 40  # requests
WAITS = 4  # seconds; longer than any answer may take


def p95(times):
    return sorted(times)[int(len(times) * 0.95)]


class Others(threading.Thread):
    """The rest of the table goes on playing and looking; every request is timed."""

    def __init__(self, table):
        super().__init__(daemon=True)
        self.table, self.times, self.wrong, self.ended = table, [], [], threading.Event()

    def run(self):
        n = 1
        while not self.ended.is_set():
            form = {"key": f"round-{n:06}", **whole_round(Random(n), 3)}
            n += self._timed(303, lambda form=form, n=n: self.table.phones[0].post(f"/m/{self.table.match}/act/round-{n}", form))
            self._timed(200, lambda: self.table.phones[1].get(f"/m/{self.table.match}"))
            other = Phone(f"http://{self.table.phones[0].host}", WAITS)  # somebody whose line is new
            self._timed(200, lambda other=other: other.get("/"))
            other.hang_up()

    def _timed(self, status, ask):
        if self.ended.is_set():
            return False
        begun = time.monotonic()
        try:
            found = ask().status
        except TimeoutError:
            found = "late"  # not wrong: it counts by its time, and is sent again
        except (OSError, http.client.HTTPException) as error:
            found = type(error).__name__
        self.times.append(time.monotonic() - begun)
        if found not in (status, "late"):
            self.wrong.append(found)
        return found == status


@contextmanager
def evening(nursery, folder, variant):
    """Ana and Ben play; Mal is the guest who does not."""
    with nursery.serve(folder, variant) as server, sit_down(server.url, ("Ana", "Ben", "Mal")) as table:
        for phone in table.phones:
            phone.timeout = WAITS
            phone.hang_up()
        yield table


def bear(table, attack, seconds, most=20):
    """The times of the others while that goes on: so many seconds, or until there is enough to judge by."""
    others = Others(table)
    with attack:
        others.start()
        begun = time.monotonic()
        while time.monotonic() < begun + seconds or (len(others.times) < ENOUGH and time.monotonic() < begun + most):
            time.sleep(0.05)
        others.ended.set()
        others.join(60)
    return others


def check(others):
    assert others.wrong == []
    assert len(others.times) >= ENOUGH
    assert p95(others.times) < 1, sorted(others.times)[-10:]


@contextmanager
def again_and_again(job, threads=4):
    """Do it without a pause until the others have had enough; what came of it is added up in the list."""
    ended, results = threading.Event(), []

    def run():
        while not ended.is_set():
            try:
                results.append(job())
            except (OSError, http.client.HTTPException) as error:
                results.append(type(error).__name__)

    running = [threading.Thread(target=run, daemon=True) for _ in range(threads)]
    for thread in running:
        thread.start()
    try:
        yield results
    finally:
        ended.set()
        for thread in running:
            thread.join(60)


# ---- large bodies ----------------------------------------------------------------------------------------------------


def send_large(mal, path):
    """A megabyte as a form; the status."""
    with closing(http.client.HTTPConnection(mal.host, timeout=10)) as line:
        headers = mal.headers() | {"Content-Type": "application/x-www-form-urlencoded"}
        line.request("POST", path, b"csrf_token=" + mal.token.encode() + b"&key=" + MEGABYTE, headers)
        answer = line.getresponse()
        answer.read()
        return answer.status


def send_large_in_pieces(mal, path):
    """The same without saying how much it will be."""
    with closing(http.client.HTTPConnection(mal.host, timeout=10)) as line:
        headers = mal.headers() | {"Content-Type": "application/x-www-form-urlencoded"}
        pieces = iter([b"csrf_token=" + mal.token.encode(), b"&key=", *[MEGABYTE[:65536]] * 16])
        line.request("POST", path, pieces, headers, encode_chunked=True)
        answer = line.getresponse()
        answer.read()
        return answer.status


@pytest.mark.parametrize(("send", "refused"), [(send_large, 413), (send_large_in_pieces, 411)])
def test_large_bodies_are_refused_and_hold_up_nobody(tmp_path, nursery, send, refused):
    with evening(nursery, tmp_path / "instance", whole) as table:
        mal, path = table.phones[2], f"/m/{table.match}/act/round-1"
        with again_and_again(lambda: send(mal, path)) as statuses:
            check(bear(table, ExitStack(), 2))
        assert set(statuses) == {refused}


def test_a_server_that_takes_any_body_is_caught(tmp_path, nursery):
    with evening(nursery, tmp_path / "instance", takes_any_body) as table:
        assert send_large(table.phones[2], f"/m/{table.match}/act/round-1") != 413


# ---- slow sockets ----------------------------------------------------------------------------------------------------


@contextmanager
def slow_sockets(mal, path, n):
    """Lines on which a request begins and never ends: in its first line, in its headers, in its body."""
    whole_request = mal.raw(path, {"key": "never-sent", "scored": "1" * 50})
    with ExitStack() as lines:
        opened = []
        for place in range(n):
            line = lines.enter_context(socket.create_connection(mal.host.split(":"), timeout=10))
            line.sendall(whole_request[: (3, 60, len(whole_request) - 20)[place % 3]])
            opened.append(line)
        yield opened


@pytest.mark.parametrize("variant", [whole, has_few_files])
def test_slow_sockets_hold_up_nobody(tmp_path, nursery, variant):
    with evening(nursery, tmp_path / "instance", variant) as table:
        check(bear(table, slow_sockets(table.phones[2], f"/m/{table.match}/act/round-1", 400), 2))


@pytest.mark.parametrize("variant", [serves_few, asks_for_no_files])
def test_a_server_that_waits_for_slow_sockets_is_caught(tmp_path, nursery, variant):
    with evening(nursery, tmp_path / "instance", variant) as table:
        others = bear(table, slow_sockets(table.phones[2], f"/m/{table.match}/act/round-1", 200), 1, most=3)
        with pytest.raises(AssertionError):
            check(others)


def still_open(lines):
    """How many the server has not closed."""
    readable, _, _ = select.select(lines, [], [], 0)
    for line in readable:
        line.setblocking(False)
    return len(lines) - sum(_is_closed(line) for line in readable)


def _is_closed(line):
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


@pytest.mark.parametrize(("variant", "left"), [(is_impatient, 0), (whole, 9)])
def test_a_line_on_which_nothing_comes_is_closed_after_a_while(tmp_path, nursery, variant, left):
    """Its control is the ordinary server, which has more patience than this test."""
    with evening(nursery, tmp_path / "instance", variant) as table:
        mal = table.phones[2]
        with slow_sockets(mal, f"/m/{table.match}/act/round-1", 9) as lines, mal.open_stream(f"/m/{table.match}/live") as stream:
            until = time.monotonic() + (10 if left == 0 else 2)
            while still_open(lines) > left and time.monotonic() < until:
                time.sleep(0.1)
            assert still_open(lines) == left
            assert still_open([stream]) == 1  # a stream is no slow line: it waits for the server


# ---- streams ---------------------------------------------------------------------------------------------------------


@contextmanager
def stream_flood(mal, path, n, lines):
    for _ in range(n):
        lines.append(mal.open_stream(path))
    try:
        yield
    finally:
        for line in lines:
            line.setblocking(False)


def running(lines):
    """How many streams have not ended: no farewell has come, and the line is open."""
    found = 0
    for line in lines:
        received = b""
        try:
            while piece := line.recv(2**20):
                received += piece
            continue
        except BlockingIOError:
            found += b"event: bye" not in received
        except OSError:
            continue
    return found


def flood(nursery, folder, variant, n):
    with evening(nursery, folder, variant) as table, ExitStack() as stack:
        lines = []
        stack.callback(lambda: [line.close() for line in lines])
        others = bear(table, stream_flood(table.phones[2], f"/m/{table.match}/live", n, lines), 2)
        time.sleep(0.3)
        return others, running(lines)


def test_a_flood_of_streams_leaves_three_and_holds_up_nobody(tmp_path, nursery):
    others, left = flood(nursery, tmp_path / "instance", whole, 100)
    check(others)
    assert left == 3


def test_a_server_that_takes_any_stream_is_caught(tmp_path, nursery):
    _, left = flood(nursery, tmp_path / "instance", takes_any_stream, 20)
    assert left > 3


# ---- many nights -----------------------------------------------------------------------------------------------------


def start_nights(mal, n):
    """How many nights one guest gets."""
    return sum(mal.post("/nights", {"name": f"Night {place}"}).booked for place in range(n))


def test_one_guest_cannot_start_nights_without_end(tmp_path, nursery):
    with evening(nursery, tmp_path / "instance", whole) as table:
        mal = Phone(f"http://{table.phones[0].host}")
        with again_and_again(lambda: start_nights(mal, 5), threads=1) as started:
            check(bear(table, ExitStack(), 2))
        mal.hang_up()
        assert 0 < sum(started) <= 30


def test_a_server_that_takes_any_night_is_caught(tmp_path, nursery):
    with evening(nursery, tmp_path / "instance", takes_any_night) as table:
        mal = Phone(f"http://{table.phones[0].host}")
        assert start_nights(mal, 40) == 40
        mal.hang_up()


# ---- everything at once ----------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_everything_at_once_for_a_minute_holds_up_nobody(tmp_path, nursery):
    with evening(nursery, tmp_path / "instance", whole) as table, ExitStack() as stack:
        mal, path, lines = table.phones[2], f"/m/{table.match}/act/round-1", []
        stack.callback(lambda: [line.close() for line in lines])
        stack.enter_context(slow_sockets(mal, path, 1_000))
        stack.enter_context(stream_flood(mal, f"/m/{table.match}/live", 500, lines))
        stack.enter_context(again_and_again(lambda: send_large(mal, path), threads=2))
        check(bear(table, ExitStack(), 60))
        assert running(lines) <= 3
