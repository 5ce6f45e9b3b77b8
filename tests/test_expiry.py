"""Hosted nights: idle ones are archived, old ones deleted whole, the others left alone; a laptop keeps everything."""

import threading
from datetime import timedelta

import pytest
from processes import a_match, enter, soon
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from companion import create_app, expiry
from companion.expiry import Sweeper, sweep
from companion.hosted import shared_app
from companion.instance import secret_key
from companion.models import now

TABLES = ("night", "person", "claim", "match", "entry", "preset", "dispute")
HOUR = timedelta(hours=1)


def counts(parts):
    with parts.database.read() as session:
        return {table: session.execute(text(f"SELECT count(*) FROM {table}")).scalar() for table in TABLES}


def a_whole_night(parts):
    """Something in every table."""
    night, match = a_match(parts)
    enter(parts, match, 1)
    ana = parts.nights.room(night.id).people[0]
    parts.nights.ask_for_seat(night, ana.id)
    parts.house_rules.save(night, "crazy-lab", "Our rules", {"rounds": 2}, ana.id)
    with parts.database.write() as session:
        session.execute(
            text(
                "INSERT INTO dispute (id, match_id, question, facts, since, raised_by, raised_at, key, turn, accepted) "
                "VALUES (:match, :match, '{}', 'f', 0, 'x', now(), 'k', 0, '[]')"
            ),
            {"match": match},
        )
    return night, match


def age(parts, days):
    """As if everything but the entries had happened that long ago."""
    with parts.database.write() as session:
        for table, column in (("night", "created_at"), ("person", "joined_at"), ("match", "started_at")):
            session.execute(text(f"UPDATE {table} SET {column} = now() - :days * interval '1 day'"), {"days": days})


def test_a_night_is_archived_after_a_day_and_not_before(process):
    parts = process()
    night, _ = a_whole_night(parts)
    assert sweep(parts, now() + 23 * HOUR) == (0, 0)
    assert parts.nights.room(night.id).night.joining
    assert sweep(parts, now() + 25 * HOUR) == (1, 0)
    assert not parts.nights.room(night.id).night.joining
    assert parts.nights.by_code(night.code) is None
    assert sweep(parts, now() + 25 * HOUR) == (0, 0)


def test_whoever_joins_or_enters_something_keeps_a_night_open(process):
    parts = process()
    _, match = a_match(parts)
    age(parts, 100)
    enter(parts, match, 1)
    assert sweep(parts, now() + 23 * HOUR) == (0, 0)
    quiet, _ = parts.nights.start("Night", "Ana")
    with parts.database.write() as session:
        session.execute(text("UPDATE night SET created_at = now() - interval '100 days'"))
    assert sweep(parts, now() + 23 * HOUR) == (0, 0)
    assert parts.nights.room(quiet.id).night.joining


def test_a_night_that_the_host_opens_again_is_archived_a_day_later_and_not_at_the_next_look(process):
    parts = process()
    night, _ = a_match(parts)
    age(parts, 30)
    assert sweep(parts) == (1, 0)
    parts.nights.lock(night, joining=True)
    assert sweep(parts, now() + 23 * HOUR) == (0, 0)
    assert parts.nights.room(night.id).night.joining
    assert sweep(parts, now() + 25 * HOUR) == (1, 0)


def test_closing_a_night_does_not_keep_it(process):
    parts = process()
    night, _ = a_match(parts)
    age(parts, 100)
    parts.nights.lock(night, joining=False)
    assert sweep(parts) == (0, 1)


def test_everything_about_a_night_is_gone_after_ninety_days_and_not_before(process):
    parts = process()
    night, match = a_whole_night(parts)
    before = counts(parts)
    assert all(before.values())
    assert sweep(parts, now() + timedelta(days=89)) == (1, 0)
    assert counts(parts) == before
    assert sweep(parts, now() + timedelta(days=91)) == (0, 1)
    assert counts(parts) == dict.fromkeys(TABLES, 0)
    assert parts.nights.room(night.id) is None
    assert parts.store.match(match) is None


def test_other_nights_stay(process):
    parts = process()
    a_whole_night(parts)
    before = counts(parts)
    age(parts, 100)
    with parts.database.write() as session:
        session.execute(text("SET LOCAL companion.expiring = 'on'"))
        session.execute(text("DELETE FROM entry"))
    other, match = a_whole_night(parts)
    assert sweep(parts) == (0, 1)
    assert counts(parts) == before
    assert parts.store.match(match).position.version == 1
    assert other.id


def test_the_other_processes_know_that_a_night_is_gone(pair):
    one, two = pair
    night, match = a_whole_night(one)
    assert two.store.match(match).position.version == 1
    assert two.nights.room(night.id)
    sweep(one, now() + timedelta(days=91))
    soon(lambda: two.nights.room(night.id) is None and two.store.match(match) is None)
    assert two.store.match(match, to_change=True) is None


def test_the_log_lets_nothing_go_in_any_other_transaction(process):
    """The control of the door that was opened: it is closed again at once, and only for deleting."""
    parts = process()
    a_whole_night(parts)
    with parts.database.writer.begin() as connection:
        connection.execute(text("SET LOCAL companion.expiring = 'on'"))
    for change in ("DELETE FROM entry", "SET LOCAL companion.expiring = 'off'; DELETE FROM entry"):
        with pytest.raises(DBAPIError, match="only ever added"), parts.database.writer.begin() as connection:
            connection.execute(text(change))
    for change in ("UPDATE entry SET key = 'x'", "TRUNCATE entry"):
        with parts.database.writer.connect() as connection:
            connection.execute(text("SET LOCAL companion.expiring = 'on'"))
            with pytest.raises(DBAPIError, match="only ever added"):
                connection.execute(text(change))


def test_a_night_that_somebody_came_back_to_meanwhile_stays(process, monkeypatch):
    parts = process()
    night, match = a_whole_night(parts)
    monkeypatch.setattr(expiry, "_found", lambda *given: [night.id])  # it looked idle
    assert sweep(parts) == (0, 0)
    assert parts.store.match(match).position.version == 1


def test_a_sweep_without_a_second_look_would_be_noticed(process, monkeypatch):
    """The control."""
    parts = process()
    night, _ = a_whole_night(parts)
    monkeypatch.setattr(expiry, "_found", lambda *given: [night.id])
    monkeypatch.setattr(expiry, "_is_idle", lambda *given: True)
    sweep(parts)
    assert parts.nights.room(night.id) is None


def test_it_is_done_now_and_then_without_being_asked(process, monkeypatch):
    parts = process()
    night, _ = a_match(parts)
    age(parts, 2)
    monkeypatch.setattr(expiry, "PAUSE", 0.05)
    sweeper = Sweeper(parts)
    sweeper.start()
    soon(lambda: not parts.nights.room(night.id).night.joining)
    sweeper.stopped.set()
    sweeper.join(60)


def sweepers():
    return [thread for thread in threading.enumerate() if thread.name == "sweeper"]


def test_a_laptop_keeps_everything_and_only_a_host_of_many_sweeps(tmp_path, postgres_url):
    laptop = create_app(tmp_path / "laptop")
    assert sweepers() == []
    laptop.extensions["companion"].database.close()
    secret_key(tmp_path)
    host = shared_app(postgres_url, "http://192.168.1.5:8000", tmp_path, plain_http=True)
    (sweeper,) = sweepers()
    sweeper.stopped.set()
    sweeper.join(60)
    host.extensions["companion"].database.close()
