"""Many phones, several processes, HTTPS in front: gunicorn as the README starts it, and why it does not start."""

import http.client
import json
import os
import re
import resource
import secrets
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from conftest import serve
from faults.phones import Phone, sit_down
from ports import free_port

import companion
from companion.hosted import MAX_FILES, worker_connections
from companion.instance import secret_key
from companion.live import Live

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION")}
GUNICORN = (sys.executable, "-m", "gunicorn", "--config", "python:companion.hosted", "--workers", "2", "companion.hosted:app()")
HOME = "games.example"
NAMES = ("Xanthippe", "Ysabeau")


class Proxied(Phone):
    """A phone as the proxy passes it on: it spoke HTTPS with the name of the site."""

    def headers(self):
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        proxy = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        return {"Host": HOME, "Origin": f"https://{HOME}", **proxy, **cookie}


class Gunicorn:
    def __init__(self, folder, database):
        self.port, self.log = free_port(), folder / "stderr"
        self.key = secrets.token_hex(32)
        given = {"COMPANION_DATABASE": database, "COMPANION_URL": f"https://{HOME}", "COMPANION_KEY": self.key}
        given |= {"COMPANION_BIND": f"127.0.0.1:{self.port}", "COMPANION_INSTANCE": str(folder / "instance")}
        with self.log.open("wb") as sink:
            self.process = subprocess.Popen(GUNICORN, env=PLAIN | given, stdout=sink, stderr=sink, cwd=folder)
        self.url = f"http://127.0.0.1:{self.port}"
        self.until(lambda: self.status("/ready") == 200)

    def until(self, is_so, seconds=60):
        ends = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < ends, self.said()
            assert self.process.poll() is None, self.said()
            time.sleep(0.05)

    def status(self, path):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request("GET", path)
            return line.getresponse().status
        except OSError:
            return None
        finally:
            line.close()

    def said(self):
        return self.log.read_text()

    def workers(self):
        return psutil.Process(self.process.pid).children()

    def worker_of(self, line):
        """The worker at the other end of a connection."""
        port = line.getsockname()[1]
        return next(each for each in self.workers() if any(there.raddr and there.raddr.port == port for there in each.net_connections()))

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


@contextmanager
def gunicorn(folder, database):
    server = Gunicorn(folder, database)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def hosted(tmp_path, postgres_url):
    with gunicorn(tmp_path, postgres_url) as server:
        yield server


def read_until(line, words):
    received = b""
    while words not in received:
        piece = line.recv(65536)
        assert piece, received[-500:]
        received += piece
    return received.decode()


def test_a_worker_has_room_for_more_connections_than_it_takes_streams(tmp_path, postgres_url):
    """… also where the system lets a program open only 256 files unless it asks."""
    assert min(worker_connections, MAX_FILES) > Live.MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))  # what is started has it, too
    try:
        with gunicorn(tmp_path, postgres_url) as server:
            assert psutil.Process(server.process.pid).rlimit(psutil.RLIMIT_NOFILE)[0] == 256  # the control: nobody asked for it
            given = [min(hard, MAX_FILES)] * 2
            server.until(lambda: [worker.rlimit(psutil.RLIMIT_NOFILE)[0] for worker in server.workers()] == given)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_cookie_is_for_this_site_over_https_alone(hosted):
    phone = Proxied(hosted.url)
    cookie = phone.post("/nights", {"name": "Ana"}).headers["Set-Cookie"]
    phone.hang_up()
    name, *flags = [part.strip() for part in cookie.split(";")]
    assert name.startswith("__Host-companion=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(flags)
    assert not [flag for flag in flags if flag.startswith("Domain")]


def test_a_stream_ends_with_a_farewell_and_another_worker_goes_on(hosted):
    with sit_down(hosted.url, NAMES, phone=Proxied) as table, table.phones[0].open_stream(f"/m/{table.match}/live") as line:
        read_until(line, b'"story"')
        worker = hosted.worker_of(line)
        worker.send_signal(signal.SIGTERM)
        read_until(line, b"event: bye")
        psutil.wait_procs([worker], 60)
        assert not worker.is_running()
        for phone in table.phones:
            phone.hang_up()
        answer = table.phones[0].get(f"/m/{table.match}/now")
        assert (answer.status, sorted(json.loads(answer.text))) == (200, ["regions", "tick"])
        hosted.until(lambda: len(hosted.workers()) == 2)


def test_all_streams_end_with_a_farewell_when_everything_stops(hosted):
    with sit_down(hosted.url, NAMES, phone=Proxied) as table, table.phones[0].open_stream(f"/m/{table.match}/live") as line:
        read_until(line, b'"story"')
        hosted.process.terminate()
        read_until(line, b"event: bye")
    assert hosted.process.wait(60) == 0


def test_it_is_not_ready_while_postgresql_is_down(tmp_path, cluster):
    with gunicorn(tmp_path, cluster.new_database("hosted")) as server:
        cluster.kill()
        try:
            server.until(lambda: server.status("/ready") == 503)
            assert server.status("/health") == 200
        finally:
            cluster.start()
        server.until(lambda: server.status("/ready") == 200)


def test_it_waits_for_a_postgresql_that_is_not_there_yet(tmp_path):
    given = GOOD | {"COMPANION_BIND": f"127.0.0.1:{free_port()}", "COMPANION_INSTANCE": str(tmp_path)}
    with (tmp_path / "stderr").open("wb") as sink:
        process = subprocess.Popen(GUNICORN, env=PLAIN | given, stderr=sink, cwd=tmp_path)
    try:
        ends = time.monotonic() + 60
        while (tmp_path / "stderr").read_text().count("The database cannot be used: connection") < 4:  # of two workers
            assert time.monotonic() < ends
            assert process.poll() is None
            time.sleep(0.1)
    finally:
        process.terminate()
        process.wait(60)


# ---- logs ------------------------------------------------------------------------------------------------------------


def an_evening(hosted):
    """Everything that must not be in a log."""
    key, counts = "the-key-of-a-form", {f"{pile}.{seat}": "9" for pile in ("scored", "left") for seat in (0, 1)}
    with sit_down(hosted.url, NAMES, phone=Proxied) as table:
        ana = table.phones[0]
        assert ana.post(f"/m/{table.match}/act/round-1", {"key": key, **counts}).booked
        code = re.search(r'class="code">([\w ]+)<', ana.get(f"/n/{table.night}").text)[1]
        token = ana.post("/join", {"code": code}).headers["Location"].rsplit("/", 1)[1]
        assert ana.get("/n/nowhere").status == 404
        assert ana.get(f"/j/{token}?name={NAMES[0]}").status in (200, 303)
        assert ana.post("/join", {"code": "ZZZZZZ"}).status == 404
        with ana.open_stream(f"/n/{table.night}/live") as line:
            read_until(line, b"event: regions")
        return [table.night, table.match, token, code, code.replace(" ", ""), *NAMES, key, ana.cookie.split("=")[1], hosted.key]


def leaked(log, secrets):
    return [secret for secret in secrets if secret in log]


def test_a_line_of_json_tells_of_every_request_and_no_secret(hosted):
    secrets = an_evening(hosted)
    lines = [json.loads(line) for line in hosted.said().splitlines() if line.startswith("{")]
    assert {"/nights", "/join", "/j/<token>", "/n/<night>", "/m/<match>/act/<ask>", "/n/<night>/live"} <= {line["route"] for line in lines}
    assert all(set(line) == {"at", "method", "route", "status", "ms"} for line in lines)
    assert leaked(hosted.said(), secrets) == []


def test_a_log_of_addresses_would_be_noticed(hosted):
    secrets = an_evening(hosted)
    log = f'203.0.113.9 "GET /n/{secrets[0]} HTTP/1.1" 200'
    assert leaked(log, secrets) == secrets[:1]


# ---- what is refused -------------------------------------------------------------------------------------------------

GOOD = {"COMPANION_DATABASE": "postgresql://nobody@127.0.0.1:1/nothing", "COMPANION_URL": f"https://{HOME}", "COMPANION_KEY": "0" * 64}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"COMPANION_URL": None}, "Give the address that phones use with --url https://"),
        ({"COMPANION_URL": f"http://{HOME}"}, "would travel in the open"),
        ({"COMPANION_KEY": None}, "All processes need the same key"),
        ({"COMPANION_KEY": "abc"}, "COMPANION_KEY must have at least 64 hexadecimal digits"),
        ({"COMPANION_KEY": "x" * 64}, "COMPANION_KEY must have at least 64 hexadecimal digits"),
        ({"COMPANION_DATABASE": None}, "Several processes need a PostgreSQL"),
        ({"COMPANION_DATABASE": "sqlite:///x"}, "Several processes need a PostgreSQL"),
    ],
)
def test_it_does_not_start_where_that_would_not_be_safe(tmp_path, changed, words):
    given = {name: value for name, value in (GOOD | changed).items() if value is not None}
    given |= {"COMPANION_BIND": f"127.0.0.1:{free_port()}", "COMPANION_INSTANCE": str(tmp_path)}
    done = subprocess.run(GUNICORN, env=PLAIN | given, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode != 0
    assert words in done.stderr
    assert str(Path(companion.__file__).parent) not in done.stderr  # no traceback of ours


# ---- without gunicorn ------------------------------------------------------------------------------------------------


def test_the_program_itself_serves_a_postgresql_on_a_network_of_its_own(tmp_path, postgres_url):
    secret_key(tmp_path)
    server = serve(tmp_path, 0, "--database", postgres_url, "--plain-http")
    try:
        with sit_down(server.url, NAMES) as table:
            assert table.phones[1].get(f"/m/{table.match}").status == 200
    finally:
        server.stop()
    assert not (tmp_path / "companion.sqlite3").exists()
