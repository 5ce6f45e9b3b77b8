"""Backups while people play, restoring one, every match as a file: from the command line. Row 8 of the promises is here."""

import json
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock

from companion.cli import main
from companion.database import FILE, Database
from companion.games import replay
from companion.live import Live
from companion.models import Match, Night, Person
from companion.store import Store

ROUND = {"do": "round", "scored": [10, 12], "left": [12, 10]}


class Place:
    """An instance folder with a match in it."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        with self.opened() as (database, _store), database.write() as session:
            night = Night(name="Fri/day: =1", code="ABCDEF")
            session.add(night)
            session.flush()
            people = [Person(night_id=night.id, name=name, key=name, code="ABCDEF") for name in ("Ana", "Ben")]
            session.add_all(people)
            match = Match(night_id=night.id, game="ligretto-crazy", seats=[person.id for person in people], options={"target": 99_999})
            session.add(match)
        self.match = match.id

    def opened(self):
        return _opened(self.folder)

    def play(self, rounds, store):
        first = len(store.match(self.match).position.rounds) + 1
        for n in range(first, first + rounds):
            store.act(self.match, f"round-{n}", ROUND, None, f"the key of round {n}")

    def scores(self, folder=None):
        """What the file says: the points, and all lines of the log."""
        with _opened(folder or self.folder) as (_database, store):
            position = store.match(self.match).position
            return [each.points for each in position.game.standings(position.state)], position.version


class _opened:
    def __init__(self, folder):
        self.database = Database(folder)

    def __enter__(self):
        return self.database, Store(self.database, Live())

    def __exit__(self, *_):
        self.database.close()


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path / "instance 100 % #1?")
    with place.opened() as (_, store):
        place.play(3, store)
    return place


def companion(capsys, *arguments):
    status = main([str(each) for each in arguments])
    out, err = capsys.readouterr()
    return status, out + err


def restored(tmp_path, backup, capsys):
    folder = tmp_path / f"restored {backup.stem}"
    status, said = companion(capsys, "restore", backup, "--instance", folder)
    assert status == 0, said
    return folder


# ---- there and back --------------------------------------------------------------------------------------------------


def test_a_backup_restores_to_the_same_scores(place, tmp_path, capsys):
    assert companion(capsys, "backup", tmp_path / "copy.sqlite3", "--instance", place.folder)[0] == 0
    assert place.scores(restored(tmp_path, tmp_path / "copy.sqlite3", capsys)) == place.scores() == ([-6, 6], 3)


def test_a_backup_is_one_file_with_nothing_beside_it(place, tmp_path, capsys):
    companion(capsys, "backup", tmp_path / "copies" / "copy.sqlite3", "--instance", place.folder)
    assert [each.name for each in (tmp_path / "copies").iterdir()] == ["copy.sqlite3"]


def test_without_a_name_it_goes_to_the_backups(place, capsys):
    _, said = companion(capsys, "backup", "--instance", place.folder)
    (copy,) = (place.folder / "backups").iterdir()
    assert str(copy) in said


def test_backups_taken_while_somebody_writes_restore_to_what_was_stored_then(place, tmp_path, capsys):
    """Each has at least what was acknowledged when it began, and whole lines only."""
    with place.opened() as (_, store):
        stop = threading.Event()

        def write():
            while not stop.is_set():
                place.play(1, store)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            least = []
            for n in range(5):
                least.append(store.match(place.match).position.version)
                assert companion(capsys, "backup", tmp_path / f"{n}.sqlite3", "--instance", place.folder)[0] == 0
        finally:
            stop.set()
            writer.join(60)
    for n, known in enumerate(least):
        points, version = place.scores(restored(tmp_path, tmp_path / f"{n}.sqlite3", capsys))
        assert version >= known
        assert points == [-2 * version, 2 * version]


def test_a_copy_made_file_by_file_would_be_noticed(place, tmp_path, capsys):
    """The control: without the log of changes beside it, a copied file lacks what was entered last."""
    with place.opened() as (_, store):
        place.play(3, store)
        shutil.copy(place.folder / FILE, tmp_path / "copied.sqlite3")
    status, _ = companion(capsys, "restore", tmp_path / "copied.sqlite3", "--instance", tmp_path / "other")
    assert status == 1 or place.scores(tmp_path / "other") != place.scores()


# ---- restoring over something ----------------------------------------------------------------------------------------


def test_what_was_there_is_kept_as_a_backup(place, tmp_path, capsys):
    companion(capsys, "backup", tmp_path / "early.sqlite3", "--instance", place.folder)
    with place.opened() as (_, store):
        place.play(2, store)
    later = place.scores()
    _, said = companion(capsys, "restore", tmp_path / "early.sqlite3", "--instance", place.folder)
    (kept,) = (place.folder / "backups").iterdir()
    assert str(kept) in said
    assert place.scores() == ([-6, 6], 3)
    assert place.scores(restored(tmp_path, kept, capsys)) == later


def test_restoring_that_is_killed_before_the_last_step_leaves_everything_that_was_there(place, tmp_path, capsys, monkeypatch):
    """Also what a killed program had only in the log of changes beside the file."""
    companion(capsys, "backup", tmp_path / "early.sqlite3", "--instance", place.folder)
    with place.opened() as (_, store):
        place.play(2, store)
        killed = shutil.copytree(place.folder, tmp_path / "killed")
    assert (killed / (FILE + "-wal")).stat().st_size
    replace = Path.replace

    def die(self, to):
        if to == killed / FILE:
            raise KeyboardInterrupt
        return replace(self, to)

    monkeypatch.setattr(Path, "replace", die)
    with pytest.raises(KeyboardInterrupt):
        main(["restore", str(tmp_path / "early.sqlite3"), "--instance", str(killed)])
    assert place.scores(killed) == place.scores() == ([-10, 10], 5)


def test_nothing_is_restored_while_the_program_runs(place, tmp_path, capsys):
    companion(capsys, "backup", tmp_path / "copy.sqlite3", "--instance", place.folder)
    with FileLock(place.folder / "running.lock", timeout=0):
        status, said = companion(capsys, "restore", tmp_path / "copy.sqlite3", "--instance", place.folder)
    assert status == 1
    assert "is running already" in said
    assert not (place.folder / "backups").exists()


@pytest.mark.parametrize("content", [None, b"", b"SQLite format 3\0 and then nothing", b"hello"])
def test_what_is_no_backup_is_refused_and_nothing_changes(place, tmp_path, capsys, content):
    file, before = tmp_path / "file", place.scores()
    if content is not None:
        file.write_bytes(content)
    status, said = companion(capsys, "restore", file, "--instance", place.folder)
    assert status == 1
    assert "no backup" in said or "There is no file" in said
    assert place.scores() == before
    assert sorted(each.name for each in place.folder.iterdir()) == [FILE]


def test_a_backup_of_a_newer_program_is_refused(place, tmp_path, capsys):
    copy, before = tmp_path / "copy.sqlite3", place.scores()
    companion(capsys, "backup", copy, "--instance", place.folder)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'tomorrow'")
    status, said = companion(capsys, "restore", copy, "--instance", place.folder)
    assert status == 1
    assert "newer version" in said
    assert place.scores() == before


def test_a_backup_is_never_written_over(place, tmp_path, capsys):
    (tmp_path / "mine").write_text("precious")
    status, said = companion(capsys, "backup", tmp_path / "mine", "--instance", place.folder)
    assert (status, (tmp_path / "mine").read_text()) == (1, "precious")
    assert "is there already" in said


@pytest.mark.parametrize("command", ["backup", "export"])
def test_where_nothing_is_nothing_is_copied(tmp_path, capsys, command):
    status, said = companion(capsys, command, tmp_path / "to", "--instance", tmp_path / "empty")
    assert (status, (tmp_path / "to").exists()) == (1, False)
    assert "no data" in said


# ---- every match as a file -------------------------------------------------------------------------------------------


def test_every_match_is_a_record_and_a_table(place, tmp_path, capsys):
    status, said = companion(capsys, "export", tmp_path / "out", "--instance", place.folder)
    assert (status, said) == (0, f"1 match is in {tmp_path / 'out'}.\n")
    (night,) = (tmp_path / "out").iterdir()
    assert night.name.endswith(" Fri_day_ _1")
    assert sorted(each.name for each in night.iterdir()) == ["01 ligretto-crazy.csv", "01 ligretto-crazy.json", "night.csv"]
    record = json.loads((night / "01 ligretto-crazy.json").read_text(encoding="utf-8"))
    assert replay(record)["totals"] == place.scores()[0]


def test_exporting_while_somebody_plays_touches_nothing(place, tmp_path, capsys):
    with place.opened() as (_, store):
        place.play(1, store)
        before = {each: each.read_bytes() for each in Path(place.folder).iterdir() if each.suffix != ".sqlite3-shm"}
        assert companion(capsys, "export", tmp_path / "out", "--instance", place.folder)[0] == 0
        assert {each: each.read_bytes() for each in before} == before
    assert replay(json.loads(next((tmp_path / "out").rglob("*.json")).read_text(encoding="utf-8")))["totals"] == place.scores()[0]
