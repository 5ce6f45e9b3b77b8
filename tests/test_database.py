"""The database file: how connections are set up, upgrades after a backup, and the key beside it."""

import os
import shutil
import sqlite3
import stat
import threading
from contextlib import closing, suppress
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from databases import upgraded_to
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session, SQLModel, select

import companion.database
from companion.database import FILE, READER, Database, DiskFull, NewerSchema
from companion.instance import secret_key
from companion.models import Dispute, Match, Night, Person, Preset
from companion.standings import USUAL

MIGRATIONS = Path(companion.database.__file__).parent / "migrations"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "an instance, 100 % #1?"  # such folders exist
    folder.mkdir()
    return folder


@pytest.fixture
def database(folder):
    database = Database(folder)
    yield database
    database.close()


def a_night(**more):
    return Night(name="Night", code="ABCDEF", **more)


def dump(folder):
    """Everything in the file."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        return list(connection.iterdump())


def pragma(connection, name):
    return connection.execute(text("PRAGMA " + name)).scalar()


# ---- connections -----------------------------------------------------------------------------------------------------

FULL = 2
EVERYWHERE = {"synchronous": FULL, "foreign_keys": 1, "busy_timeout": 5000, "journal_mode": "wal"}


@pytest.mark.parametrize("name", EVERYWHERE)
def test_every_connection_is_set_up(database, name):
    readers = [database.reader.connect() for _ in range(4)]
    try:
        with database.writer.connect() as writer:
            assert {pragma(connection, name) for connection in (writer, *readers)} == {EVERYWHERE[name]}
    finally:
        for reader in readers:
            reader.close()


def test_a_connection_that_was_not_set_up_would_be_noticed(folder):
    """The control: SQLite's own defaults are others."""
    Database(folder).close()
    with closing(sqlite3.connect(folder / FILE)) as plain:
        assert plain.execute("PRAGMA foreign_keys").fetchone()[0] != EVERYWHERE["foreign_keys"]
        plain.execute("PRAGMA synchronous=NORMAL")
        assert plain.execute("PRAGMA synchronous").fetchone()[0] != EVERYWHERE["synchronous"]


def test_there_is_one_writing_connection(database):
    with database.writer.connect() as one, database.writer.connect() as two:
        assert one.connection.dbapi_connection is two.connection.dbapi_connection


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO night (id, name, token, code, joining, created_at) VALUES ('a', 'b', 'c', 'd', 1, '2026-01-01')",
        "DELETE FROM night",
        "CREATE TABLE mine (a)",
        "VACUUM",
    ],
)
def test_readers_cannot_write(database, change):
    with database.reader.connect() as reader, pytest.raises(OperationalError, match=r"readonly|read-only|read only|within a transaction"):
        reader.execute(text(change))


def test_readers_cannot_write_even_if_they_ask_for_it(database):
    with database.reader.connect() as reader:
        raw = reader.connection.dbapi_connection
        raw.execute("PRAGMA query_only=OFF")
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            raw.execute("DELETE FROM night")


def test_a_reader_that_could_write_would_be_noticed(folder):
    """The control: the same connection without read-only does write."""
    Database(folder).close()
    engine = companion.database._engine(folder / FILE, tuple(each for each in READER if "query_only" not in each), "rw")
    with engine.connect() as connection:
        connection.execute(text("DELETE FROM night"))
    engine.dispose()


def test_readers_go_on_while_somebody_writes(database):
    with database.write() as session:
        session.add(a_night())
        session.flush()
        with database.read() as reader:
            assert reader.exec(select(Night)).all() == []
    with database.read() as reader:
        assert len(reader.exec(select(Night)).all()) == 1


def test_what_fails_halfway_is_not_stored(database):
    with suppress(RuntimeError), database.write() as session:
        session.add(a_night())
        session.flush()
        raise RuntimeError
    with database.read() as session:
        assert session.exec(select(Night)).all() == []
    with database.write() as session:  # and the lock is free again
        session.add(a_night())


def test_nobody_sits_at_a_night_that_does_not_exist(database):
    with pytest.raises(IntegrityError, match="FOREIGN KEY"), database.write() as session:
        session.add(Person(night_id="nowhere", name="Ana", key="ana", code="ABCDEF"))


def test_a_full_disk_has_its_own_name(database):
    with database.writer.connect() as connection:
        raw = connection.connection.dbapi_connection
        raw.execute("PRAGMA max_page_count=1")  # the least: what is there now
    with pytest.raises(DiskFull), database.write() as session:
        session.add_all(Night(name="x" * 3000, code=str(n)) for n in range(50))
    raw.execute("PRAGMA max_page_count=1000000")
    with database.write() as session:
        assert session.exec(select(Night)).all() == []
        session.add(a_night())


# ---- the schema ------------------------------------------------------------------------------------------------------


def differences(database):
    with database.writer.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return compare_metadata(context, SQLModel.metadata)


def test_the_migrations_lead_to_the_models(database):
    assert differences(database) == []


def test_a_forgotten_migration_would_be_noticed(database):
    with database.writer.begin() as connection:
        connection.execute(text("ALTER TABLE night DROP COLUMN joining"))
    assert [change[0] for change in differences(database)] == ["add_column"]


@pytest.fixture
def newer_program(tmp_path, monkeypatch):
    """The program of tomorrow: its migrations have one more step. Gives a function that makes it."""

    def make(step):
        migrations = tmp_path / "migrations"
        shutil.copytree(MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
        (migrations / "versions" / "tomorrow.py").write_text(
            "from alembic import op\nimport sqlalchemy as sa\nrevision = 'tomorrow'\n"
            f"down_revision = '{max(each.stem[:4] for each in (MIGRATIONS / 'versions').glob('0*.py'))}'\n"
            f"branch_labels = depends_on = None\ndef upgrade():\n    {step}\n",
            encoding="utf-8",
        )
        today = companion.database._config

        def config(connection=None):
            made = today(connection)
            made.set_main_option("script_location", str(migrations))
            return made

        monkeypatch.setattr(companion.database, "_config", config)

    return make


def with_a_night(folder):
    database = Database(folder)
    with database.write() as session:
        night = a_night()
        session.add(night)
        session.flush()
        session.add(Match(night_id=night.id, game="ligretto-crazy", seats=["a", "b"], options={}))
    database.close()
    return dump(folder)


def test_a_new_file_needs_no_backup(database):
    assert not database.backups.exists()


def test_an_upgrade_copies_the_file_first_and_loses_nothing(folder, newer_program):
    before = with_a_night(folder)
    newer_program("op.add_column('night', sa.Column('mood', sa.String))")
    database = Database(folder)
    with database.read() as session:
        assert session.execute(text("SELECT name, mood FROM night")).all() == [("Night", None)]
        assert session.execute(text("PRAGMA foreign_keys")).scalar() == 1
    with database.writer.connect() as connection:
        assert pragma(connection, "foreign_keys") == 1
    database.close()
    (copy,) = (folder / "backups").iterdir()
    with closing(sqlite3.connect(copy)) as connection:
        assert list(connection.iterdump()) == before
    Database(folder).close()  # already there: no second backup
    assert list((folder / "backups").iterdir()) == [copy]


def kept_in(folder):
    """What the first version stored; later ones have further columns."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        rows = [connection.execute(f"SELECT {columns}").fetchall() for columns in ("id, token, code FROM night", "id, seats FROM match")]
        return [*rows, connection.execute("SELECT match_id, n, kind, data, key FROM entry").fetchall()]


def test_a_night_of_the_first_version_gets_room_for_house_rules_and_loses_nothing(folder):
    upgraded_to("0001", folder)
    with closing(sqlite3.connect(folder / FILE)) as old, old:
        old.execute("INSERT INTO night VALUES ('n', 'Night', 't', 'ABCDEF', 1, NULL, '2026-01-01 20:00:00')")
        old.execute(
            "INSERT INTO match VALUES ('m', 'n', 'ligretto-crazy', '[\"a\", \"b\"]', '{}', '2026-01-01 20:00:00', NULL, NULL, NULL, NULL)"
        )
        old.execute("INSERT INTO entry VALUES ('m', 1, 'act', '{}', NULL, NULL, 'k', '2026-01-01 20:01:00')")
        assert old.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('preset', 'dispute')").fetchone() == (0,)
    before = kept_in(folder)
    database = Database(folder)
    with database.write() as session:
        session.add(Preset(night_id="n", game="crazy-lab", name="Ours", key="ours", options={"rounds": 3}))
        session.add(Dispute(match_id="m", question={"top": 4}, facts="{}", since=1, raised_by="a", key="k", accepted=["a"]))
    with database.read() as session:
        assert session.exec(select(Preset)).one().options == {"rounds": 3}
        assert session.exec(select(Dispute)).one().accepted == ["a"]
        assert session.exec(select(Dispute)).one().answer is None
    database.close()
    assert kept_in(folder) == before
    assert [each.name for each in (folder / "backups").iterdir()] == ["before-upgrade-from-0001.sqlite3"]


@pytest.mark.parametrize("twice", ["preset", "dispute"])
def test_what_may_be_there_once_is_there_once(database, twice):
    with database.write() as session:
        night = a_night()
        session.add(night)
        session.flush()
        match = Match(night_id=night.id, game="ligretto-crazy", seats=["a", "b"], options={})
        session.add(match)

    def add():
        made = {
            "preset": lambda: Preset(night_id=night.id, game="crazy-lab", name="Ours", key="ours", options={}),
            "dispute": lambda: Dispute(match_id=match.id, question={}, facts="{}", since=0, raised_by="a", key="k", accepted=[]),
        }
        with database.write() as session:
            session.add(made[twice]())

    add()
    with pytest.raises(IntegrityError, match="UNIQUE"):
        add()


def test_an_upgrade_that_rebuilds_a_table_keeps_what_refers_to_it(folder, newer_program):
    with_a_night(folder)
    newer_program("with op.batch_alter_table('night') as night: night.alter_column('name', type_=sa.Text)")
    database = Database(folder)
    with database.read() as session:
        assert [match.night_id for match in session.exec(select(Match))] == [night.id for night in session.exec(select(Night))]
        assert session.execute(text("PRAGMA foreign_key_check")).all() == []
    database.close()


def test_an_upgrade_that_fails_halfway_changes_nothing(folder, newer_program):
    before = with_a_night(folder)
    newer_program("op.add_column('night', sa.Column('mood', sa.String)); op.execute('DELETE FROM match'); op.execute('nonsense')")
    with pytest.raises(OperationalError, match="nonsense"):
        Database(folder)
    assert dump(folder) == before
    assert len(list((folder / "backups").iterdir())) == 1


def test_a_night_from_before_there_were_schemes_counts_as_usual(folder):
    old = companion.database._engine(folder / FILE, companion.database.WRITER, "rwc")
    with old.connect() as connection, connection.begin():
        command.upgrade(companion.database._config(connection), "0001")
        connection.execute(
            text("INSERT INTO night (id, name, token, code, joining, created_at) VALUES ('a', 'b', 'c', 'd', 1, '2026-01-01')")
        )
    old.dispose()
    database = Database(folder)
    with database.read() as session:
        assert session.exec(select(Night)).one().scheme == a_night().scheme == USUAL
    database.close()


def test_a_file_of_a_newer_program_is_refused_and_not_changed(folder):
    with_a_night(folder)
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'tomorrow'")
    before, content = dump(folder), (folder / FILE).read_bytes()
    with pytest.raises(NewerSchema):
        Database(folder)
    assert dump(folder) == before
    assert (folder / FILE).read_bytes() == content
    assert not (folder / "backups").exists()


def test_a_backup_while_others_write_is_whole(database, folder):
    stop, written = threading.Event(), []

    def write():
        while not stop.is_set():
            with database.write() as session:  # two rows that belong together
                night = Night(name="Night", code=f"{len(written)}")
                session.add(night)
                session.flush()
                session.add(Person(night_id=night.id, name="Ana", key="ana", code="ABCDEF"))
            written.append(night.id)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for n in range(5):
            least = len(written)
            with closing(sqlite3.connect(database.backup(folder / "copies" / f"{n}.sqlite3"))) as copy:
                nights, people = (copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("night", "person"))
                assert copy.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
                assert nights == people >= least
    finally:
        stop.set()
        writer.join(60)


# ---- the key ---------------------------------------------------------------------------------------------------------


def test_the_key_has_32_bytes_for_its_owner_alone_and_stays(folder):
    old = os.umask(0)
    try:
        key = secret_key(folder)
    finally:
        os.umask(old)
    assert len(key) == 32
    assert stat.S_IMODE((folder / "secret.key").stat().st_mode) == 0o600
    assert secret_key(folder) == key
    assert [each.name for each in folder.iterdir()] == ["secret.key"]


def test_two_instances_have_different_keys(tmp_path):
    keys = set()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        keys.add(secret_key(tmp_path / name))
    assert len(keys) == 2


@pytest.mark.parametrize("content", [b"", b"half a key"])
def test_a_key_that_was_cut_off_is_made_anew(folder, content):
    (folder / "secret.key").write_bytes(content)
    key = secret_key(folder)
    assert len(key) == 32
    assert secret_key(folder) == key


def test_sessions_of_a_closed_database_leave_nothing_open(folder):
    database = Database(folder)
    with suppress(RuntimeError), Session(database.reader) as session:
        session.exec(select(Night)).all()
        raise RuntimeError
    database.close()
    assert sorted(each.name for each in folder.iterdir()) == [FILE]  # the writer has put the log of changes away
