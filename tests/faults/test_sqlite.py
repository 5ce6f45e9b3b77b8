"""Promise 9: a SQLite with the WAL-reset bug has no occasion to show it; a full disk costs nothing but a second sending."""

import re
import resource
import sqlite3
from random import Random

import pytest
from faults.phones import as_data, sit_down, whole_round
from faults.servers import checkpoints_anywhere, new_sqlite, old_sqlite, stored
from sqlalchemy.exc import OperationalError

from companion.database import FILE, Database

pytestmark = pytest.mark.file

# ---- one writer that alone checkpoints -------------------------------------------------------------------------------


def who_writes(disk, variant, rounds):
    """The descriptors through which the file and its write-ahead log are written while people enter and look."""
    folder = disk.root / variant.__name__
    with disk.nursery.serve(folder, variant) as server, sit_down(server.url) as table:
        begun, random = disk.now(), Random(rounds)
        for n in range(1, rounds + 1):
            form = whole_round(random)
            assert table.phones[0].post(f"/m/{table.match}/act/round-{n}", {"key": f"round-{n:06}", **form}).booked
            assert table.phones[1].get(f"/n/{table.night}").status == 200
        ended = disk.now()
    written = [event for event in disk.events(folder, begun) if event.end <= ended and event.kind in "wt"]
    return tuple({event.fd for event in written if event.path == str(folder / name)} for name in (FILE, FILE + "-wal"))


@pytest.mark.parametrize("variant", [old_sqlite, new_sqlite])
def test_one_connection_alone_writes_and_checkpoints_whatever_sqlite_says_it_is(disk, variant):
    file, log = who_writes(disk, variant, 40)
    assert (len(file), len(log)) == (1, 1)


def test_a_second_connection_that_checkpoints_is_caught(disk):
    file, _ = who_writes(disk, checkpoints_anywhere, 40)
    assert len(file) > 1


VERSIONS = ["3.7.0", "3.50.6", "3.51.3"]
ATTEMPTS = [
    "DELETE FROM night",
    "CREATE TABLE more (n)",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "PRAGMA user_version=7",
    "PRAGMA journal_mode=DELETE",
]


@pytest.fixture(params=VERSIONS)
def database(tmp_path, monkeypatch, request):
    monkeypatch.setattr(sqlite3, "sqlite_version", request.param)
    monkeypatch.setattr(sqlite3, "sqlite_version_info", tuple(map(int, request.param.split("."))))
    database = with_a_night(tmp_path)
    yield database
    database.close()


def with_a_night(folder):
    database = Database(folder)
    with database.write() as session:
        session.connection().exec_driver_sql(
            "INSERT INTO night (id, name, token, code, joining, created_at) VALUES ('n', 'N', 't', 'c', 1, '2026-01-01')"
        )
    return database


def gets_through(database, engine, attempt):
    """Whether an attempt to write changed a byte of the file or its log."""
    files = [database.path, database.path.with_name(FILE + "-wal")]
    before = [file.read_bytes() for file in files]
    with engine.connect() as connection:
        dbapi = connection.connection.dbapi_connection
        dbapi.execute("PRAGMA query_only=OFF")  # even where somebody forgets about it
        try:
            dbapi.execute(attempt).fetchall()
        except sqlite3.OperationalError:
            pass
        finally:
            dbapi.execute("PRAGMA query_only=ON")
    return before != [file.read_bytes() if file.exists() else None for file in files]


def test_readers_can_neither_write_nor_checkpoint(database):
    assert [attempt for attempt in ATTEMPTS if gets_through(database, database.reader, attempt)] == []


def test_the_writer_would_be_caught_writing(tmp_path):
    database = with_a_night(tmp_path)
    try:
        assert [attempt for attempt in ATTEMPTS if gets_through(database, database.writer, attempt)] == ATTEMPTS
    finally:
        database.close()


def test_a_reader_says_that_it_is_read_only(database):
    with database.reader.connect() as connection, pytest.raises(OperationalError, match="readonly"):
        connection.exec_driver_sql("DELETE FROM night")


def test_a_backup_writes_nothing_into_the_file(database, tmp_path):
    files = [database.path, database.path.with_name(FILE + "-wal")]
    before = [file.read_bytes() for file in files]
    database.backup(tmp_path / "copy" / "backup.sqlite3")
    assert before == [file.read_bytes() for file in files]


# ---- a full disk -----------------------------------------------------------------------------------------------------


def fill(app):
    """No further page fits in; gives what makes room again."""
    database = app.extensions["companion"].database

    def limit(pages):
        with database.writer.connect() as connection:
            dbapi = connection.connection.dbapi_connection
            dbapi.execute(f"PRAGMA max_page_count={pages}")
            return dbapi.execute("PRAGMA page_count").fetchone()[0]

    limit(limit(2**30))
    return lambda: limit(2**30)


def rounds_until_full(evening, match, htmx=False, most=500):
    """Enter rounds while there is room; the first that is not stored, and its form."""
    random = Random(9)
    for n in range(1, most):
        form = {"key": f"round-{n:06}", **whole_round(random, 3)}
        answer = evening["Ben"].post(f"/m/{match}/act/round-{n}", form, htmx=htmx)
        if answer.status_code not in (204, 303):
            return n, form, answer
    raise AssertionError("the disk is never full")


@pytest.mark.parametrize("htmx", [False, True])
def test_a_full_disk_answers_503_stores_nothing_and_keeps_what_was_typed(app, evening, htmx):
    match = evening.start()
    make_room = fill(app)
    n, form, answer = rounds_until_full(evening, match, htmx)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 503
    assert "The disk of the laptop is full: this was not saved." in page
    shown = page[page.find('class="answers"') :]
    assert re.findall(r"<b>(\d+)</b>", shown)[:6] == [value for name, value in form.items() if name != "key"]
    assert evening.seated(match).position.version == n - 1
    folder = app.extensions["companion"].database.path.parent
    assert len(stored(folder).entries[match]) == n - 1
    assert evening["Tom"].get(f"/m/{match}").status_code == 200  # looking goes on
    make_room()
    assert evening["Ben"].post(f"/m/{match}/act/round-{n}", form).status_code == 303
    assert stored(folder).entries[match][n] == as_data(form)


def count_on_a_full_disk(app, evening, match):
    """What Ben gets back for what he typed into the keypad."""
    n, _, _ = rounds_until_full(evening, match)
    form = {"key": f"count-{n:06}", "scored": "9+4+3", "left": "17"}
    for _ in range(50):  # there may be room for one small line more, not for fifty
        page = evening["Ben"].get(f"/m/{match}").get_data(as_text=True)
        asked = re.search(rf"/m/{match}/(?:act|ask)/(round-{n}-count-1[^\"?]*)", page)
        answer = evening["Ben"].post(f"/m/{match}/act/{asked[1] if asked else f'round-{n}-count-1'}", form)
        if answer.status_code == 503:
            return answer
        form = form | {"key": form["key"] + "x"}
    raise AssertionError("there is always room")


def test_the_keypad_comes_back_with_its_numbers_and_the_same_form_books_when_there_is_room(app, evening):
    match = evening.start()
    make_room = fill(app)
    answer = count_on_a_full_disk(app, evening, match)
    page = answer.get_data(as_text=True)
    kept = page[page.find('class="count"') :]
    assert re.search(r'name="scored"[^>]*value="([^"]*)"', kept)[1] == "9+4+3"
    assert re.search(r'name="left"[^>]*value="([^"]*)"', kept)[1] == "17"
    address, key = re.search(r'action="([^"]+)"', kept)[1], re.search(r'name="key" value="([^"]+)"', kept)[1]
    lines = evening.seated(match).position.version
    make_room()
    assert evening["Ben"].post(address, {"key": key, "scored": "9+4+3", "left": "17"}).status_code == 303
    assert evening.seated(match).position.version == lines + 1


def test_a_night_that_cannot_be_stored_is_a_page_in_words(app, evening):
    match = evening.start()
    fill(app)
    rounds_until_full(evening, match)
    answers = [evening["Ana"].post(f"/n/{evening.id}/people", {"name": f"{n} " + "ё" * 20}) for n in range(25)]
    refused = [answer for answer in answers if answer.status_code != 303]
    assert refused
    for answer in refused:
        assert answer.status_code == 503
        assert "The disk of the laptop is full" in answer.get_data(as_text=True)


def test_the_check_would_see_a_server_that_says_yes_on_a_full_disk(app, evening, monkeypatch):
    """The control: a store that swallows the error remembers what is not in the file."""
    from companion.database import DiskFull
    from companion.store import Store

    commit = Store._commit

    def careless(self, drafts):
        try:
            return commit(self, drafts)
        except DiskFull:
            return [draft.seated.match for draft in drafts]

    monkeypatch.setattr(Store, "_commit", careless)
    match = evening.start()
    fill(app)
    with pytest.raises(Exception):  # noqa: B017, PT011 whatever comes first: never a 503
        assert rounds_until_full(evening, match, most=80)[2].status_code == 503
    folder = app.extensions["companion"].database.path.parent
    assert len(stored(folder).entries[match]) < evening.seated(match).position.version


def test_a_disk_that_takes_no_byte_more_stops_the_entries_and_nothing_else(tmp_path, nursery):
    """The same from outside: the system lets the server's process write nothing, then everything again."""
    with nursery.serve(tmp_path / "instance") as server, sit_down(server.url) as table:
        forms = {n: {"key": f"round-{n:06}", **whole_round(Random(n))} for n in (1, 2, 3)}
        assert table.phones[0].post(f"/m/{table.match}/act/round-1", forms[1]).booked
        limits = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
        for _ in range(3):
            refused = table.phones[0].post(f"/m/{table.match}/act/round-2", forms[2])
            assert refused.status == 503
            assert "The disk of the laptop is full" in refused.text
            assert table.phones[1].get(f"/m/{table.match}").status == 200
        assert len(stored(server.folder).entries[table.match]) == 1
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
        assert table.phones[0].post(f"/m/{table.match}/act/round-2", forms[2]).booked
        assert table.phones[1].post(f"/m/{table.match}/act/round-3", forms[3]).booked
    file = stored(server.folder)
    assert file.sound
    assert file.entries[table.match] == {n: as_data(form) for n, form in forms.items()}
