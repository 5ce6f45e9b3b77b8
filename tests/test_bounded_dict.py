"""A process that serves for months keeps so much in memory and no more, and whatever it forgot it reads again."""

import time

import pytest
from databases import open_database

from companion.bounded_dict import BoundedDict
from companion.live import Live
from companion.nights import Nights
from companion.store import Store
from companion.web.qr import qr

pytestmark = pytest.mark.postgresql

MOST = 3


def test_what_was_put_in_longest_ago_goes_first():
    kept = BoundedDict(MOST)
    for n in range(5):
        kept[n] = n
    assert list(kept) == [2, 3, 4]
    kept[2] = 20  # is the newest again
    kept.update({5: 5})
    kept.setdefault(6, 6)
    assert list(kept.items()) == [(2, 20), (5, 5), (6, 6)]


@pytest.fixture
def live():
    live = Live()
    for kept in (live._ticks, live._seen, live._seen_elsewhere):
        kept.most = MOST
    return live


def test_only_so_many_ticks_and_people_are_remembered(live):
    for n in range(10):
        live.tell(f"night-{n}")
        live.tick(f"other-{n}")
        live.saw(f"ana-{n}")
        live.saw_elsewhere([f"ben-{n}"])
    assert [len(kept) for kept in (live._ticks, live._seen, live._seen_elsewhere)] == [MOST] * 3


def test_the_tick_of_a_forgotten_topic_does_not_go_back(live):
    live.tell("night")
    before = live.tick("night")
    for n in range(10):
        live.tell(f"night-{n}")
    assert "night" not in live._ticks
    time.sleep(0.002)
    assert live.tick("night") > before


def test_whoever_is_forgotten_counts_as_away(live):
    live.started -= 500
    live.saw("ana")
    for n in range(10):
        live.saw(f"ben-{n}")
    assert live.away("night", "ana") >= 500
    assert live.away("night", "ben-9") < 60


def test_nothing_is_kept_of_a_topic_that_nobody_watches_any_more(live):
    with live.watch("night", "ana"):
        with live.watch("night", "ben"):
            pass
        assert live.streams("night") == 1
    assert not live._watches


def test_only_so_many_nights_stay_in_memory_and_the_others_come_back(tmp_path):
    database = open_database(tmp_path)
    nights = Nights(database, Live())
    nights._rooms.most = MOST
    started = [nights.start(f"Night {n}", "Ana")[0].id for n in range(10)]
    assert [nights.room(id).night.name for id in started] == [f"Night {n}" for n in range(10)]
    assert len(nights._rooms) == MOST
    assert nights.room(started[0]).night.name == "Night 0"
    database.close()


def test_asking_for_matches_that_are_not_there_keeps_nothing_of_them(tmp_path):
    database = open_database(tmp_path)
    database.is_shared = True
    store = Store(database, Live())
    assert [store.match(f"nothing-{n}", to_change=True) for n in range(10)] == [None] * 10
    assert not store._stale
    database.close()


def test_only_so_many_codes_to_scan_are_kept():
    assert qr.cache_info().maxsize is not None
