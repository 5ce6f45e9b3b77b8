"""Nights and their people under bad luck: two things at one moment. What pages can do is in web/."""

import threading
import time

import pytest
from databases import open_database

import companion.nights
from companion.live import Live
from companion.nights import HOST_AWAY, Nights, NightSnapshot, UserError

pytestmark = pytest.mark.postgresql


@pytest.fixture
def nights(tmp_path):
    database = open_database(tmp_path)
    yield Nights(database, Live())
    database.close()


class RemembersOutsideTheLock(Nights):
    """The broken variant: what was read is remembered when somebody else may already have written."""

    def _load(self, id):
        room = super()._load(id)
        self.pause()
        self._rooms[id] = room
        return room


def people_after_a_join_while_reading(nights, monkeypatch):
    """Somebody reads the room while Ben joins; gives who is there afterwards."""
    night, _ = nights.start("", "Ana")
    reading, go_on = threading.Event(), threading.Event()

    def pause():
        if threading.current_thread().name == "reader":
            reading.set()
            assert go_on.wait(60)

    def slow_room(*given):
        pause()
        return NightSnapshot(*given)

    if isinstance(nights, RemembersOutsideTheLock):
        nights.pause = pause
    else:
        monkeypatch.setattr(companion.nights, "NightSnapshot", slow_room)
    reader = threading.Thread(target=lambda: nights.room(night.id), name="reader")
    joiner = threading.Thread(target=lambda: nights.join(night, "Ben"))
    reader.start()
    assert reading.wait(60)
    joiner.start()
    joiner.join(0.3)
    go_on.set()
    reader.join(60)
    joiner.join(60)
    return [person.name for person in nights.room(night.id).people]


def test_whoever_joins_while_somebody_reads_is_seen(nights, monkeypatch):
    assert people_after_a_join_while_reading(nights, monkeypatch) == ["Ana", "Ben"]


def test_remembering_outside_the_lock_would_be_noticed(nights, monkeypatch):
    broken = RemembersOutsideTheLock(nights.database, nights.live)
    assert people_after_a_join_while_reading(broken, monkeypatch) == ["Ana"]


def test_of_two_who_join_with_the_same_name_one_gets_it(nights):
    night, _ = nights.start("", "Ana")
    barrier, outcomes = threading.Barrier(6), []

    def join():
        barrier.wait(60)
        try:
            outcomes.append(nights.join(night, "Ben").person.name)
        except UserError as refused:
            outcomes.append(refused.status)

    threads = [threading.Thread(target=join) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, outcomes)) == ["409"] * 5 + ["Ben"]
    assert [person.name for person in nights.room(night.id).people] == ["Ana", "Ben"]


def test_of_two_phones_that_take_the_same_seat_one_gets_it(nights):
    night, _ = nights.start("", "Ana")
    seat = nights.add(night, "Oma")
    first = nights.take_seat(night, seat.id)
    with pytest.raises(UserError, match="has a phone already"):
        nights.take_seat(night, seat.id)
    room = nights.room(night.id)
    assert nights.person(room, seat.id, first.secret).name == "Oma"


def test_somebody_removed_at_that_moment_does_not_become_the_host(nights):
    night, host = nights.start("", "Ana")
    ben = nights.join(night, "Ben").person
    nights.live._seen[host.person.id] = time.time() - HOST_AWAY - 1
    nights.remove(night, ben.id)
    with pytest.raises(UserError, match="nobody like that"):
        nights.take_over(night, ben)
    assert nights.room(night.id).night.host_id == host.person.id


@pytest.mark.file
def test_the_file_alone_opens_no_seat(nights):
    night, host = nights.start("", "Ana")
    stored = nights.room(night.id).everybody[host.person.id].phone
    assert host.secret not in nights.database.path.read_bytes().decode("latin-1")
    assert nights.person(nights.room(night.id), host.person.id, stored) is None
    assert nights.person(nights.room(night.id), host.person.id, host.secret).name == "Ana"
