"""Promise 8: whatever version wrote a file and whenever its upgrade is killed, the next start finds everything that was in it."""

import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from random import Random

import pytest
from alembic.script import ScriptDirectory
from databases import new_app, upgraded_to
from faults.servers import (
    dies_before_statement,
    upgrades_and_drops,
    upgrades_step_by_step,
    upgrades_without_a_copy,
    watch_statements,
    whole,
)
from past_nights import PastNights

from companion.database import FILE, Database, _config
from companion.live import Live
from companion.models import Claim, Dispute, Preset, Same
from companion.store import Store

pytestmark = pytest.mark.file

REVISIONS = sorted(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())
HEAD = REVISIONS[-1]
TABLES = ("night", "person", "claim", "match", "entry", "preset", "dispute", "same")
ROUND = {"do": "round", "scored": [10, 12], "left": [12, 10]}


# ---- files of all versions -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A file of today with something in every table: nights, an open match with undone and amended lines, house rules, people."""
    app = new_app(tmp_path_factory.mktemp("full") / "instance")
    parts, past = app.extensions["companion"], PastNights(app)
    past.many(30)
    night, people = past.night("Ana", "Ben", watching=("Tom",))
    match = past.match(night, [people["Ana"], people["Ben"]], [0, 0], options={"target": 99_999})
    for n in range(1, 6):
        parts.store.act(match, f"round-{n}", ROUND, people["Ana"], f"key {n}")
    parts.store.undo(match, 5, people["Ben"], "undone")
    parts.store.amend(match, 2, ROUND | {"left": [0, 10]}, people["Ben"], "amended")
    with parts.database.write() as session:
        session.add(Claim(night_id=night, person_id=people["Ben"], phone="x" * 64))
        session.add(Preset(night_id=night, game="crazy-lab", name="Ours", key="ours", options={"rounds": 3}))
        session.add(Dispute(match_id=match, question={"top": 4}, facts="{}", since=1, raised_by=people["Ana"], key="k", accepted=[]))
        session.add(Same(who="anna", of="ana"))
    parts.database.close()
    return parts.database.path.parent


def written_by(revision, full, folder):
    """The same evening as the version with that schema stored it: what it had no column for is not there."""
    folder.mkdir()
    upgraded_to(revision, folder)
    with closing(sqlite3.connect(folder / FILE)) as file:
        there = columns_of(file)
        file.execute("ATTACH ? AS today", [str(full / FILE)])
        with file:
            for table, columns in there.items():
                file.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM today.{table}")
    return folder


def columns_of(file):
    """The columns of each table that is there."""
    found = {table: file.execute(f'SELECT name FROM pragma_table_info("{table}")').fetchall() for table in TABLES}
    return {table: ", ".join(f'"{name}"' for (name,) in names) for table, names in found.items() if names}


def kept(folder, columns):
    """All rows in these columns, and what SQLite finds wrong."""
    with closing(sqlite3.connect(folder / FILE)) as file:
        rows = {table: sorted(map(repr, file.execute(f"SELECT {names} FROM {table}"))) for table, names in columns.items()}
        return rows, file.execute("PRAGMA integrity_check").fetchall(), file.execute("PRAGMA foreign_key_check").fetchall()


def stands(folder):
    """Where the open match stands, folded by the program itself."""
    database = Database(folder)
    try:
        with database.read() as session:
            (match,) = session.connection().exec_driver_sql("SELECT DISTINCT match_id FROM entry").scalars().all()
        position = Store(database, Live()).match(match).position
        return position.version, position.game.standings(position.state)
    finally:
        database.close()


# ---- kills -----------------------------------------------------------------------------------------------------------


@dataclass
class Report:
    kills: int = 0
    different: list = field(default_factory=list)


def moments(folder, monkeypatch):
    """How many statements an upgrade of that file runs, with the copy that is made before."""
    said = []
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", sqlite3.connect)  # put back afterwards
        watch_statements(said.append)
        Database(folder).close()
    return len(said)


def kill_upgrades(nursery, file, tmp_path, chosen, broken=whole):
    """Kill the upgrade of a copy of that file before each of these statements, and start again; what is different then."""
    report = Report()
    with closing(sqlite3.connect(file / FILE)) as old:
        columns = columns_of(old)
    before, stood = kept(file, columns), stands(shutil.copytree(file, tmp_path / "stood"))
    for n in chosen:
        folder = shutil.copytree(file, tmp_path / f"killed-{n}")
        report.kills += killed(nursery.start(folder, [dies_before_statement.__name__, n, broken.__name__]))
        right = starts(nursery, folder, broken) and kept(folder, columns) == before and stands(folder) == stood
        if not right or copied(folder) != [content_of(file / FILE)]:
            report.different.append(n)
        shutil.rmtree(folder)
    return report


def killed(server):
    """Whether it died by itself."""
    until = time.monotonic() + 60
    while server.runs() and time.monotonic() < until:
        time.sleep(0.005)
    died = not server.runs()
    server.kill()
    return died


def starts(nursery, folder, broken):
    try:
        nursery.serve(folder, broken).stop()
    except AssertionError as error:
        print(error)
        return False
    return True


def copied(folder):
    """What is in the copies made before the upgrade."""
    return [content_of(copy) for copy in (folder / "backups").glob("*")]


def content_of(path):
    with closing(sqlite3.connect(path)) as file:
        return list(file.iterdump())


def check(nursery, full, tmp_path, revision, monkeypatch, most):
    file = written_by(revision, full, tmp_path / "old")
    many = moments(shutil.copytree(file, tmp_path / "counted"), monkeypatch)
    chosen = range(1, many + 1) if most is None else sorted(Random(revision).sample(range(1, many + 1), most))
    report = kill_upgrades(nursery, file, tmp_path, chosen)
    print(f"{revision} → {HEAD}: {report.kills} kills at {many} moments, {len(report.different)} different")
    assert report == Report(len(chosen), [])


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_upgrade_that_is_killed_loses_nothing(nursery, full, tmp_path, revision, monkeypatch):
    check(nursery, full, tmp_path, revision, monkeypatch, 3)


@pytest.mark.soak
@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_upgrade_that_is_killed_before_any_of_its_statements_loses_nothing(nursery, full, tmp_path, revision, monkeypatch):
    check(nursery, full, tmp_path, revision, monkeypatch, None)


def test_a_file_of_today_is_opened_as_it_is(nursery, full, tmp_path):
    file = written_by(HEAD, full, tmp_path / "today")
    before = content_of(file / FILE)
    nursery.serve(file).stop()
    assert content_of(file / FILE) == before
    assert not (file / "backups").exists()


# ---- controls --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("broken", "part"), [(upgrades_step_by_step, 1), (upgrades_and_drops, 1), (upgrades_without_a_copy, 0.5)])
def test_an_upgrade_that_loses_something_is_caught(nursery, full, tmp_path, monkeypatch, broken, part):
    file = written_by(REVISIONS[0], full, tmp_path / "old")
    many = moments(shutil.copytree(file, tmp_path / "counted"), monkeypatch)
    report = kill_upgrades(nursery, file, tmp_path, [int(many * part)], broken)
    assert report.kills == 1
    assert report.different
