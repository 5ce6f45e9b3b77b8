"""What can be wrong with a machine, in words: every finding is provoked once."""

import os
import shutil
import socket
import sqlite3
import sys
import time
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from companion import doctor
from companion.addresses import Address
from companion.cli import main
from companion.database import FILE, Database
from companion.games.base import say
from companion.instance import secret_key
from companion.live import Live
from companion.models import Match, Night
from companion.store import Store


@pytest.fixture
def folder(tmp_path):
    """An instance with an entry in it."""
    database = Database(tmp_path)
    night = Night(name="Night", code="ABCDEF")
    with database.write() as session:
        session.add(night)
    store = Store(database, Live())
    match = store.start(Match(night_id=night.id, game="ligretto-crazy", seats=["a", "b"], options={}))
    store.act(match.id, "round-1", {"do": "round", "scored": [1, 2], "left": [3, 4]}, None, "the only key")
    database.close()
    secret_key(tmp_path)
    return tmp_path


def found(folder, about, **more):
    """(whether it is fine, what is said)"""
    (finding,) = [each for each in doctor.examine(folder, **more) if say(each.about, ()) == about]
    return finding.is_fine, say(finding.text, ())


def test_a_good_machine_has_nothing_wrong(folder, monkeypatch):
    monkeypatch.setattr(doctor, "machine_addresses", lambda: [Address("192.0.2.7", "wlan0", False)])
    assert [each for each in doctor.examine(folder) if not each.is_fine] == []
    assert found(folder, "Database") == (True, "The file is whole; 1 line is in the log.")


def test_an_empty_folder_is_fine(tmp_path):
    assert found(tmp_path, "Database")[0]
    assert found(tmp_path, "Key")[0]


@pytest.mark.parametrize(
    "damage", [lambda file: file.write_bytes(b"nonsense" * 1000), lambda file: file.write_bytes(file.read_bytes()[:5000])]
)
def test_a_damaged_file_is_found(folder, damage):
    damage(folder / FILE)
    is_fine, text = found(folder, "Database")
    assert not is_fine
    assert "damaged" in text
    assert "restore" in text


def test_data_of_a_newer_program_is_found(folder):
    with closing(sqlite3.connect(folder / FILE)) as file, file:
        file.execute("UPDATE alembic_version SET version_num = 'tomorrow'")
    assert found(folder, "Database") == (False, "The data was written by a newer version of Companion. Update the program.")


def test_looking_changes_nothing(folder):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    doctor.examine(folder)
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(("version", "has_the_fault"), [
    ((3, 40, 1), True), ((3, 44, 5), True), ((3, 44, 6), False), ((3, 45, 0), True), ((3, 50, 6), True), ((3, 50, 7), False),
    ((3, 51, 2), True), ((3, 51, 3), False), ((3, 52, 0), False),
])  # fmt: skip
def test_which_sqlite_has_the_fault_is_known(version, has_the_fault):
    finding = doctor._sqlite(version)
    assert finding.is_fine  # it has no occasion here
    assert ("can lose a commit" in say(finding.text, ())) is has_the_fault


def test_a_disk_that_is_nearly_full_is_found(folder, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: type("Usage", (), {"free": 3_000_000}))
    assert found(folder, "Disk") == (False, "Only 3 MB are free. Make room, or entries cannot be saved.")


def test_a_folder_that_cannot_be_written_is_found(folder, monkeypatch):
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != folder and may(path, mode))
    assert not found(folder, "Disk")[0]


def test_a_damaged_key_is_found(folder):
    (folder / "secret.key").write_bytes(b"short")
    assert not found(folder, "Key")[0]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_a_key_that_others_can_read_is_found(folder):
    (folder / "secret.key").chmod(0o644)
    is_fine, text = found(folder, "Key")
    assert (is_fine, "chmod 600" in text) == (False, True)


@pytest.mark.parametrize("addresses", [[], [Address("172.17.0.1", "docker0", True)]])
def test_a_machine_without_a_network_for_phones_is_found(folder, monkeypatch, addresses):
    monkeypatch.setattr(doctor, "machine_addresses", lambda: addresses)
    assert not found(folder, "Network")[0]


def test_a_port_that_is_taken_is_found(folder):
    with closing(socket.create_server(("0.0.0.0", 0))) as other:
        port = other.getsockname()[1]
        assert not found(folder, "Port", port=port)[0]
    assert found(folder, "Port", port=port) == (True, f"Port {port} is free.")


@pytest.mark.parametrize("wrong", [timedelta(hours=-1), timedelta(days=-3000)])
def test_a_clock_that_is_behind_what_is_stored_is_found(folder, monkeypatch, wrong):
    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + wrong

    monkeypatch.setattr(doctor, "datetime", Clock)
    assert not found(folder, "Clock")[0]


def test_a_postgresql_that_does_not_answer_is_found(tmp_path):
    is_fine, text = found(tmp_path, "Database", database="postgresql://nobody@127.0.0.1:1/nothing")
    assert (is_fine, "does not answer" in text) == (False, True)


def test_a_postgresql_that_answers_is_fine(tmp_path, postgres_url):
    from companion.postgres import Postgres

    assert found(tmp_path, "Database", database=postgres_url) == (True, "PostgreSQL answers; the next start upgrades it.")
    Postgres(postgres_url).close()
    assert found(tmp_path, "Database", database=postgres_url) == (True, "PostgreSQL answers.")


def test_the_command_says_it_line_by_line_and_with_its_status(folder, capsys, monkeypatch):
    monkeypatch.setattr(doctor, "machine_addresses", lambda: [Address("192.0.2.7", "wlan0", False)])
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    assert main(["doctor", "--instance", str(folder), "--port", str(port)]) == 0
    (folder / "secret.key").write_bytes(b"short")
    assert main(["doctor", "--instance", str(folder), "--port", str(port)]) == 1
    out = capsys.readouterr().out
    assert "ok    Database: The file is whole" in out
    assert "WRONG Key: It is damaged" in out
    assert "ok    Clock: It says " in out


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="Windows has one zone for all programs")
@pytest.mark.parametrize("zone", ["UTC", "JST-9"])
def test_the_clock_is_told_as_it_hangs_on_the_wall(folder, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        before, (_, words), after = datetime.now(), found(folder, "Clock"), datetime.now()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert words in {f"It says {moment:%Y-%m-%d %H:%M} {zone[:3]}." for moment in (before, after)}
