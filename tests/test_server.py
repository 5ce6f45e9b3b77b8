"""`companion` as people start it: a process of its own that says where it is, and says why where it cannot run."""

import http.cookiejar
import os
import re
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
import qrcode
from conftest import needed
from machine import OPENSSL
from ports import free_port

from companion.addresses import machine_addresses
from companion.database import FILE, Database

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COMPANION"))}
MODULE = (sys.executable, "-m", "companion")


def arguments(folder, *more):
    return "--instance", str(folder), "--host", "127.0.0.1", *more


class Process:
    """A command with what it says going to a file, as bytes."""

    def __init__(self, out, command, **environment):
        self.out = Path(out)
        with self.out.open("wb") as sink:
            self.process = subprocess.Popen(
                command, stdout=sink, stderr=subprocess.STDOUT, env={**PLAIN, **environment}, cwd=self.out.parent
            )

    def said(self, encoding="utf-8"):
        return self.out.read_bytes().decode(encoding)

    def wait_for(self, words, encoding="utf-8"):
        for _ in range(600):
            if words in self.said(encoding):
                return self.said(encoding)
            assert self.process.poll() is None, self.said(encoding)
            time.sleep(0.05)
        raise AssertionError(self.said(encoding))

    def end(self, how=signal.SIGTERM):
        """Its exit status, with everything said."""
        self.process.send_signal(how)
        return self.process.wait(20)


@contextmanager
def running(tmp_path, *more, command=MODULE, encoding="utf-8", last="Stop with Ctrl-C.", **environment):
    """A server that has said hello."""
    given = [*command, *arguments(tmp_path / "instance", *more)]
    started = Process(tmp_path / f"said-{free_port()}", given, PYTHONIOENCODING=encoding, **environment)
    try:
        started.wait_for(last, encoding)
        yield started
    finally:
        if started.process.poll() is None:
            started.process.kill()
        started.process.wait(20)


def refused(tmp_path, *more, folder="instance"):
    """What a start that cannot be says; never a traceback."""
    done = subprocess.run(
        [*MODULE, *arguments(tmp_path / folder, *more)], capture_output=True, env=PLAIN, timeout=60, text=True, check=False
    )
    assert done.returncode in (1, 2), done.stdout
    assert "Traceback" not in done.stderr
    assert "Good night" not in done.stdout
    return done.stderr


def local_address(said):
    return re.search(r"On this machine +(\S+)", said)[1]


def health(address, **more):
    with urllib.request.urlopen(address + "/health", timeout=10, **more) as answer:
        return answer.read()


# ---- hello and goodbye -----------------------------------------------------------------------------------------------

BLOCKS = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True), "\xa0": (True, True)}


def printed_qr(said):
    """The dark modules of the code in the terminal."""
    rows = [line for line in said.splitlines() if line and set(line) <= set(BLOCKS) and set(line) & set("█▀")]
    return [[BLOCKS[sign][half] for sign in row] for row in rows for half in (0, 1)]


def modules(url):
    code = qrcode.QRCode(border=2)
    code.add_data(url)
    return code.get_matrix()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One that several tests look at."""
    folder = tmp_path_factory.mktemp("server")
    with running(folder, "--port", "0", "--url", "http://game.test:8123") as server:
        yield server
        assert server.end() == 0
    assert server.said().endswith("Good night. Everything is saved.\n")
    assert sorted(each.name for each in (folder / "instance").iterdir()) == [FILE, "running.lock", "secret.key"]


def test_a_start_says_where_it_is(server):
    said = server.said()
    assert b"ok" in health(local_address(said))
    assert "type http://game.test:8123\n" in said


def test_the_code_in_the_terminal_leads_to_the_address_for_phones(server):
    qr, expected = printed_qr(server.said()), modules("http://game.test:8123")
    assert qr[: len(expected)] == expected
    assert qr[: len(expected)] != modules("http://game.test:8124")  # the control: another address is another picture


def test_the_url_that_was_given_decides_the_join_address(server):
    assert "<strong>game.test:8123</strong>" in lobby_of(local_address(server.said()))


def test_a_second_start_on_the_same_instance_says_so_and_disturbs_nobody(server):
    assert "running already" in refused(server.out.parent, "--port", "0")
    assert b"ok" in health(local_address(server.said()))


def test_a_port_that_was_asked_for_and_is_taken_is_said_to_be(server, tmp_path):
    port = local_address(server.said()).rpartition(":")[2]
    assert f"Port {port} is taken" in refused(tmp_path, "--port", port)


def lobby_of(address):
    """The page of a new night."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    with browser.open(address, timeout=10) as page:
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.read().decode())[1]
    form = urllib.parse.urlencode({"csrf_token": token, "name": "Ana"}).encode()
    with browser.open(urllib.request.Request(address + "/nights", form, {"Origin": address}), timeout=10) as page:
        return page.read().decode()


def test_ctrl_c_ends_it_at_once_also_with_a_slow_visitor_and_a_narrow_terminal(tmp_path):
    with taken(8000), running(tmp_path, encoding="cp1252") as server:
        said = server.said("cp1252")
        address = local_address(said)
        assert not address.endswith(":8000")  # the next free one
        assert f"or type {address}" in said
        assert "?" not in said  # a terminal without block characters gets the address alone
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), 10) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\n")
            assert b"ok" in health(address)
            assert server.end(signal.SIGINT) == 0
        assert "Good night" in server.said("cp1252")
        assert "Traceback" not in server.said("cp1252")


@contextmanager
def taken(port):
    with socket.socket() as other:
        with suppress(OSError):  # somebody else may have it: as good
            other.bind(("127.0.0.1", port))
            other.listen()
        yield


GREETING = """
from companion.addresses import Address
from companion.server import _greet
from companion.i18n import prepare_terminal
prepare_terminal()
found = [Address("192.0.2.7", "WLAN-Größe 猫", False), Address("198.51.100.3", "eth0", False)]
_greet("http://192.0.2.7:8000", "http://{}:8000", found)
"""


def test_every_address_is_printed_with_its_interface_whatever_the_terminal_can_show():
    environment = {**PLAIN, "PYTHONIOENCODING": "ascii"}
    said = subprocess.run([sys.executable, "-c", GREETING], capture_output=True, env=environment, timeout=60, check=True).stdout.decode(
        "ascii"
    )
    assert "http://192.0.2.7:8000   (WLAN-Gr??e ?)" in said
    assert "http://198.51.100.3:8000   (eth0)" in said


def test_the_addresses_of_this_machine_are_usable():
    for address in machine_addresses():
        assert not address.ip.startswith(("127.", "169.254.", "0."))
        assert address.interface


# ---- wrong options -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("--port", "99999"), "a port is a number up to 65535"),
        (("--port", "-1"), "a port is a number up to 65535"),
        (("--port", "٨"), "a port is a number up to 65535"),
        (("--url", "game.test"), "--url must be an address"),
        (("--host", "nonsense.invalid"), "cannot listen on nonsense.invalid"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_a_wrong_option_is_refused_in_words(tmp_path, wrong, words):
    assert words in refused(tmp_path, *wrong)


# ---- the data ----------------------------------------------------------------------------------------


def test_a_database_of_a_newer_program_is_left_alone(tmp_path):
    folder = tmp_path / "instance"
    folder.mkdir()
    Database(folder).close()
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'tomorrow'")
    content = (folder / FILE).read_bytes()
    said = refused(tmp_path, "--port", "0")
    assert "newer version" in said
    assert "nothing was changed" in said
    assert (folder / FILE).read_bytes() == content


# ---- other ways to start ---------------------------------------------------------------------------------------------


def make_certificate(folder):
    """One of our own, which nobody trusts; gives the files of certificate and key."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    command = [needed(OPENSSL), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=game", "-addext"]
    made = [*command, "subjectAltName=IP:127.0.0.1", "-out", str(certificate), "-keyout", str(key)]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    return certificate, key


def test_https_with_a_certificate_of_ones_own(tmp_path):
    certificate, key = make_certificate(tmp_path)
    with running(tmp_path, "--port", "0", "--https", str(certificate), str(key)) as server:
        address = local_address(server.said())
        assert address.startswith("https://")
        assert b"ok" in health(address, context=ssl.create_default_context(cafile=str(certificate)))
        with pytest.raises(OSError, match=r"."):
            health(address, context=ssl.create_default_context())  # the control: an unknown certificate is refused
        assert server.end() == 0
    assert "cannot be used" in refused(tmp_path, "--https", str(certificate), str(certificate), folder="other")


def test_flask_runs_it_for_developers(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "flask", "--app", "companion", "run", "--port", str(port)]
    server = Process(tmp_path / "said", command, COMPANION_INSTANCE=str(tmp_path / "instance"))
    try:
        server.wait_for("Running on")
        assert b"ok" in health(f"http://127.0.0.1:{port}")
        assert (tmp_path / "instance" / FILE).exists()
    finally:
        server.process.kill()
        server.process.wait(20)


def test_the_installed_command_is_the_same(tmp_path):
    script = Path(sys.executable).with_name("companion")
    help = [
        subprocess.run([*each, "serve", "--help"], capture_output=True, env=PLAIN, timeout=60, check=True).stdout
        for each in ((str(script),), MODULE)
    ]
    assert help[0] == help[1]
    assert b"--https CERT KEY" in help[0]
