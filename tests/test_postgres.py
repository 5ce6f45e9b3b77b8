"""Several processes on one PostgreSQL: each knows what the others stored, and nothing is booked twice or lost."""

import threading
import time
from collections import OrderedDict
from functools import partial

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from processes import a_match, enter, soon
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlmodel import SQLModel

from companion import postgres
from companion.database import DiskFull, NewerSchema, Unreachable, in_words
from companion.nights import Nights, UserError
from companion.postgres import Postgres
from companion.store import MAX_TRIES, Answered, Store
from companion.web import region_cache

COUNT = "round-{n}-count-{at}"


def test_four_processes_fit_into_the_connections_that_postgresql_gives_by_itself(process):
    pool = process(listening=False).database.writer.pool
    assert 4 * (pool.size() + pool._max_overflow + 1) <= 97  # one listens; three of the hundred are for the administrator


# ---- the schema ------------------------------------------------------------------------------------------------------


def test_the_migrations_lead_to_the_models(process):
    database = process(listening=False).database
    with database.writer.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_processes_that_start_together_upgrade_once(postgres_url):
    made, failed = [], []

    def start():
        try:
            made.append(Postgres(postgres_url))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for database in made:
        database.close()
    assert (len(made), failed) == (4, [])


def test_a_database_of_a_newer_program_is_refused(postgres_url):
    Postgres(postgres_url).close()
    with psycopg.connect(postgres_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'tomorrow'")
    with pytest.raises(NewerSchema):
        Postgres(postgres_url)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entry SET key = 'x'",
        "DELETE FROM entry",
        "TRUNCATE entry",
        "INSERT INTO entry SELECT * FROM entry ON CONFLICT (match_id, n) DO UPDATE SET key = 'x'",
    ],
)
def test_lines_of_the_log_are_only_ever_added(process, change):
    parts = process(listening=False)
    _, match = a_match(parts)
    enter(parts, match, 1)
    with pytest.raises(DBAPIError, match="only ever added"), parts.database.writer.begin() as connection:
        connection.execute(text(change))


def test_every_commit_waits_for_the_disk(process):
    with process(listening=False).database.writer.connect() as connection:
        assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"


# ---- what one stores, the others know --------------------------------------------------------------------------------


def test_an_entry_booked_through_one_process_is_known_to_the_other(pair):
    one, two = pair
    night, match = a_match(one)
    assert two.store.match(match).position.version == 0
    with two.live.watch(night.id, "somebody") as watch:
        enter(one, match, 1)
        assert watch.wait(60) is True
    assert two.store.match(match).position.version == 1
    assert two.store.match(match).position.rounds == one.store.match(match).position.rounds


def test_an_entry_elsewhere_changes_neither_the_people_nor_the_disputes_that_are_kept(pair):
    one, two = pair
    night, match = a_match(one)
    soon(lambda: two.live._ticks.get(night.id) == one.live.tick(night.id))  # it has heard of all that
    room = two.nights.room(night.id)
    two.house_rules.disputes(match)
    assert two.store.match(match).position.version == 0
    enter(one, match, 1)
    soon(lambda: two.store.match(match).position.version == 1)
    assert two.nights.room(night.id) is room
    assert match in two.house_rules._disputes
    one.nights.join(night, "Cem")
    soon(lambda: two.nights.room(night.id) is not room)
    soon(lambda: match not in two.house_rules._disputes)


def test_entries_of_several_nights_in_one_commit_are_told_to_each(pair):
    one, two = pair
    (first, match), (second, other) = a_match(one), a_match(one)
    with two.live.watch(first.id, "somebody") as here, two.live.watch(second.id, "somebody") as there:
        with one.database.lock:
            threads = [threading.Thread(target=partial(enter, one, each, 1)) for each in (match, other)]
            for thread in threads:
                thread.start()
            soon(lambda: len(one.store._wishes) == 2)
        for thread in threads:
            thread.join(60)
        assert here.wait(60) is there.wait(60) is True
    assert [two.store.match(each).position.version for each in (match, other)] == [1, 1]
    ticks = [one.live.tick(night.id) for night in (first, second)]
    assert ticks == [two.live.tick(night.id) for night in (first, second)]


def test_several_nights_are_claimed_in_the_same_order_everywhere(process, monkeypatch):
    """Else two processes could wait for each other."""
    database, claimed = process(listening=False).database, []
    monkeypatch.setattr(database, "claim", lambda connection, topic, what: claimed.append(topic))
    for topics in (("b", "a", "c", "a"), ("c", "b", "a")):
        with database.write_core(*topics):
            pass
    assert claimed == ["a", "b", "c"] * 2


def test_a_name_forgotten_through_one_process_is_on_no_page_kept_by_another(pair, monkeypatch):
    monkeypatch.setattr(region_cache, "_kept", OrderedDict({"a page": (1, "Ben did this")}))
    one, _ = pair
    night, _ = a_match(one)
    one.history.forget([night.host_id])
    soon(lambda: not region_cache._kept)


def test_a_process_that_does_not_listen_would_be_noticed(process):
    """The control."""
    one, two = process(), process(listening=False)
    night, match = a_match(one)
    assert two.store.match(match).position.version == 0
    with two.live.watch(night.id, "somebody") as watch:
        enter(one, match, 1)
        assert watch.wait(0.5) is None
    assert two.store.match(match).position.version == 0


def test_people_who_come_and_go_are_known_to_the_other(pair):
    one, two = pair
    night, _ = a_match(one)
    assert [person.name for person in two.nights.room(night.id).people] == ["Ana", "Ben"]
    cem = one.nights.join(night, "Cem").person
    soon(lambda: len(two.nights.room(night.id).people) == 3)
    two.nights.remove(night, cem.id)
    soon(lambda: len(one.nights.room(night.id).people) == 2)


def test_what_is_not_stored_is_not_told(pair):
    one, two = pair
    night, _ = a_match(one)
    with two.live.watch(night.id, "somebody") as watch:
        watch.wait(0.3)
        with pytest.raises(UserError):
            one.nights.join(night, "Ana")
        assert watch.wait(0.3) is None


def test_whoever_changes_something_decides_on_what_all_stored(process):
    """Also where a notice is late: the phone saw the entry through another process."""
    one, two = process(), process(listening=False)
    _, match = a_match(one)
    assert two.store.match(match).position.version == 0
    enter(one, match, 1)
    assert two.store.match(match, to_change=True).position.version == 1
    enter(two, match, 2)
    assert one.store.match(match, to_change=True).position.version == 2


# ---- ticks -----------------------------------------------------------------------------------------------------------


APART = 1_000  # ticks between two claims: what a process adds by itself stays below the next one of any


def test_ticks_rise_over_all_processes(pair):
    one, two = pair
    night, match = a_match(one)
    ticks = []
    for n in range(1, 21):
        parts = pair[n % 2]
        before = parts.store.match(match, to_change=True).position.version
        enter(parts, match, n)
        assert before == n - 1
        ticks.append(parts.live.tick(night.id))
    assert ticks == sorted(set(ticks))
    least = ticks[-1] - APART + 1  # a notice that came late may have raised the last one by a little
    soon(lambda: one.live.tick(night.id) >= least and two.live.tick(night.id) >= least)


def test_the_very_first_change_has_a_tick_of_its_own(process):
    parts = process(listening=False)
    first = parts.live.tick("past")
    with parts.database.write("past"):
        pass
    parts.live.tell("past")
    assert parts.live.tick("past") > first


def test_a_fresh_process_is_not_behind(process):
    one = process()
    night, match = a_match(one)
    enter(one, match, 1)
    assert process().live.tick(night.id) >= one.live.tick(night.id)


def test_two_states_never_have_the_same_tick_in_a_process(process):
    """A process may take the newest number for its own before it hears what that number stands for."""
    live = process(listening=False).live
    first = live.tick("night")
    live.hear("night", first)
    assert live.tick("night") > first


# ---- at the same moment ----------------------------------------------------------------------------------------------


def race(*runs):
    barrier, outcomes = threading.Barrier(len(runs)), [None] * len(runs)

    def go(at, run):
        barrier.wait()
        try:
            outcomes[at] = run()
        except Exception as error:
            outcomes[at] = error

    threads = [threading.Thread(target=go, args=each) for each in enumerate(runs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


def test_the_same_round_entered_through_two_processes_is_booked_once(pair):
    _, match = a_match(pair[0])
    for n in range(1, 31):
        for parts in pair:
            parts.store.match(match, to_change=True)
        outcomes = race(*(partial(enter, each, match, n, f"round {n} by {at}") for at, each in enumerate(pair)))
        assert sorted(type(each).__name__ for each in outcomes) == ["Answered", "LogEntry"]
    assert [parts.store.match(match, to_change=True).position.version for parts in pair] == [30, 30]


def test_a_form_sent_through_two_processes_is_booked_once(pair):
    _, match = a_match(pair[0])
    for n in range(1, 31):
        for parts in pair:
            parts.store.match(match, to_change=True)
        outcomes = race(*(partial(enter, each, match, n) for each in pair))
        assert outcomes[0] == outcomes[1]
    assert pair[0].store.match(match, to_change=True).position.version == 30


def test_different_counts_entered_through_two_processes_all_land(pair):
    _, match = a_match(pair[0])
    for n in range(1, 31):
        for parts in pair:
            parts.store.match(match, to_change=True)
        counts = [{"do": "count", "seat": seat, "scored": 10, "left": 5} for seat in (0, 1)]
        runs = [partial(pair[at].store.act, match, COUNT.format(n=n, at=at), counts[at], None, f"count {n} of {at}") for at in (0, 1)]
        assert [type(each).__name__ for each in race(*runs)] == ["LogEntry", "LogEntry"]
    assert len(pair[0].store.match(match, to_change=True).position.rounds) == 30


def test_a_seat_taken_through_two_processes_goes_to_one(pair):
    night, _ = a_match(pair[0])
    for n in range(20):
        somebody = pair[0].nights.add(night, f"Guest {n}")
        outcomes = race(*(partial(each.nights.take_seat, night, somebody.id) for each in pair))
        assert sorted(type(each).__name__ for each in outcomes) == ["Membership", "UserError"]


def test_without_claims_both_would_have_the_seat(pair, monkeypatch):
    """The control."""
    night, _ = a_match(pair[0])
    slow, both = Nights.take_seat.__globals__["_somebody"], threading.Barrier(2)

    def somebody(*given):
        found = slow(*given)
        both.wait(60)
        return found

    guest = pair[0].nights.add(night, "Guest")
    monkeypatch.setattr(Postgres, "claim", lambda self, connection, topic: None)
    monkeypatch.setitem(Nights.take_seat.__globals__, "_somebody", somebody)
    outcomes = race(*(partial(each.nights.take_seat, night, guest.id) for each in pair))
    assert [type(each).__name__ for each in outcomes] == ["Membership", "Membership"]


# ---- presence --------------------------------------------------------------------------------------------------------


def test_whoever_watches_through_one_process_is_not_away_for_the_other(pair, monkeypatch):
    monkeypatch.setattr("companion.postgres.PRESENCE", 0.5)
    one, two = pair
    night, _ = a_match(one)
    two.live.started = time.time() - 100
    assert two.live.away(night.id, night.host_id) > 60
    with one.live.watch(night.id, night.host_id):
        soon(lambda: two.live.away(night.id, night.host_id) < 60)
    assert not two.nights.host_is_away(night)


# ---- bad luck --------------------------------------------------------------------------------------------------------


def test_a_lost_connection_is_opened_again_and_nothing_is_missed(pair, postgres_url):
    one, two = pair
    night, match = a_match(one)
    assert two.store.match(match).position.version == 0
    hang_up(postgres_url)
    with two.live.watch(night.id, "somebody"):
        soon(lambda: _entered(one, match))
        soon(lambda: two.database.hears and two.store.match(match).position.version == 1)
    assert one.database.is_ready()


def hang_up(postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )


def answers(database):
    """Whether it does."""
    try:
        with database.read() as session:
            return session.execute(text("SELECT 1")).scalar() == 1
    except Unreachable:
        return False


def test_a_connection_that_was_idle_is_tried_before_it_is_used(process, postgres_url, monkeypatch):
    database = process(listening=False).database
    monkeypatch.setattr(postgres, "FRESH", 0.0)
    assert answers(database)
    hang_up(postgres_url)
    assert answers(database)


def test_control_a_connection_that_is_not_tried_fails_once(process, postgres_url, monkeypatch):
    database = process(listening=False).database
    monkeypatch.setattr(postgres, "FRESH", 60.0)
    assert answers(database)
    hang_up(postgres_url)
    assert [answers(database), answers(database)] == [False, True]


def test_a_listener_that_cannot_catch_up_tries_again(process, monkeypatch):
    parts, tries = process(listening=False), []

    def unreachable(topic):
        tries.append(topic)
        if len(tries) < 3:
            raise Unreachable
        return 1

    monkeypatch.setattr(parts.database, "first", unreachable)
    parts.database.listen(parts.live, parts.forget)
    soon(lambda: parts.database.hears)
    assert len(tries) == 3


def test_what_could_not_be_read_is_read_when_the_database_answers_again(pair, monkeypatch):
    one, two = pair
    _, match = a_match(one)
    assert two.store.match(match).position.version == 0
    with monkeypatch.context() as gone:
        gone.setattr(two.database, "reader", create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing"))
        enter(one, match, 1)
        soon(lambda: match in two.store._stale)
        with pytest.raises(Unreachable):
            two.store.match(match)
    assert two.store.match(match).position.version == 1


def _entered(parts, match):
    try:
        return enter(parts, match, 1)
    except (Unreachable, Answered):
        return False


def test_a_database_that_does_not_answer_is_said_in_words(process):
    parts = process(listening=False)
    nowhere = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})
    parts.database.writer.dispose()
    parts.database.writer = parts.database.reader = nowhere
    with pytest.raises(Unreachable):
        parts.nights.start("Night", "Ana")
    with pytest.raises(Unreachable):
        parts.nights.by_code("ABCDEF")
    assert not parts.database.is_ready()


def test_a_full_disk_has_its_own_name():
    with pytest.raises(DiskFull), in_words():
        raise OperationalError("INSERT", {}, psycopg.errors.DiskFull('could not extend file "base/1": No space left on device'))


def test_patience_with_other_processes_has_an_end(pair, monkeypatch):
    _, match = a_match(pair[0])
    tries = []

    def taken(*given):
        tries.append(given)
        raise IntegrityError("INSERT", {}, psycopg.errors.UniqueViolation("the number is taken"))

    monkeypatch.setattr(Store, "_commit", taken)
    with pytest.raises(Unreachable):
        enter(pair[0], match, 1)
    assert len(tries) == MAX_TRIES
