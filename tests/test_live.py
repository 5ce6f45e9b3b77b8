"""Who is watching what: told when something was stored, ticks that never go back, and no more streams than a table needs."""

import threading
import time
from contextlib import ExitStack

import pytest

import companion.live
import companion.nights
from companion.live import Live

pytestmark = pytest.mark.postgresql


def test_a_watcher_is_woken_by_its_topic_only():
    live = Live()
    with live.watch("night", "ana") as ana, live.watch("other", "ben") as ben:
        live.tell("night")
        assert ana.wait(1) is True
        assert ben.wait(0.01) is None


def test_all_watchers_of_a_topic_are_woken():
    live = Live()
    with live.watch("night", "ana") as one, live.watch("night", "ana") as two, live.watch("night", "ben") as three:
        live.tell("night")
        assert [watch.wait(1) for watch in (one, two, three)] == [True, True, True]


def test_what_is_told_before_somebody_waits_is_not_lost():
    live = Live()
    with live.watch("night", "ana") as watch:
        live.tell("night")
        time.sleep(0.01)
        assert watch.wait(0) is True


def test_several_changes_are_one():
    live = Live()
    with live.watch("night", "ana") as watch:
        for _ in range(5):
            live.tell("night")
        assert watch.wait(1) is True
        assert watch.wait(0.01) is None


def test_without_news_the_watch_says_so_for_the_heartbeat():
    with Live().watch("night", "ana") as watch:
        assert watch.wait(0.01) is None


def test_a_lull_is_over_as_soon_as_something_changes():
    live = Live()
    with live.watch("night", "ana") as watch:
        live.tell("night")
        assert watch.lull(time.monotonic() + 60) is True
        assert watch.wait(0) is None


def test_when_nothing_changes_a_lull_takes_a_moment():
    with Live().watch("night", "ana") as watch:
        assert watch.lull(time.monotonic() + 60) is None


def test_a_lull_that_would_come_too_late_is_not_waited_for_and_no_change_is_lost():
    live = Live()
    with live.watch("night", "ana") as watch:
        live.tell("night")
        assert watch.lull(time.monotonic() - 1) is None
        assert watch.wait(0) is True


def test_somebody_in_another_thread_is_woken():
    live, woken = Live(), []
    with live.watch("night", "ana") as watch:
        thread = threading.Thread(target=lambda: woken.append(watch.wait(10)))
        thread.start()
        live.tell("night")
        thread.join(60)
    assert woken == [True]


def test_whoever_left_is_no_longer_counted():
    live = Live()
    with live.watch("night", "ana"):
        assert live.streams("night") == 1
    assert live.streams("night") == 0
    live.tell("night")


def test_a_stream_that_fails_is_no_longer_counted():
    live = Live()
    try:
        with live.watch("night", "ana"):
            raise OSError
    except OSError:
        assert live.streams("night") == 0


# ---- ticks -----------------------------------------------------------------------------------------------------------


def test_a_tick_stays_until_something_is_told_and_then_rises():
    live = Live()
    first = live.tick("night")
    assert live.tick("night") == first
    live.tell("night")
    second = live.tick("night")
    assert second > first
    live.tell("night")
    assert live.tick("night") > second


def test_ticks_rise_with_every_change_however_quick():
    live, ticks = Live(), []
    for _ in range(2_000):
        live.tell("night")
        ticks.append(live.tick("night"))
    assert ticks == sorted(set(ticks))


def test_ticks_never_go_back_when_the_clock_does(monkeypatch):
    live = Live()
    live.tell("night")
    before = live.tick("night")
    monkeypatch.setattr(companion.live, "_milliseconds", lambda: 5)
    live.tell("night")
    assert live.tick("night") == before + 1


def test_ticks_never_go_back_over_a_restart():
    old = Live()
    for _ in range(10):
        old.tell("night")
    before = old.tick("night")
    time.sleep(0.02)
    assert Live().tick("night") > before


def test_a_tick_that_only_counted_would_go_back_over_a_restart(monkeypatch):
    """The control of the test before."""
    monkeypatch.setattr(companion.live, "_milliseconds", lambda: 0)
    old = Live()
    old.tell("night")
    assert Live().tick("night") < old.tick("night")


def test_a_change_is_told_after_its_tick():
    """Whoever wakes up finds the new tick: rendering under the old one would be thrown away by the page."""
    live = Live()
    first, seen = live.tick("night"), []
    with live.watch("night", "ana") as watch:
        thread = threading.Thread(target=lambda: (watch.wait(10), seen.append(live.tick("night"))))
        thread.start()
        live.tell("night")
        thread.join(60)
    assert seen[0] > first


# ---- not too many ----------------------------------------------------------------------------------------------------


def test_the_fourth_stream_of_a_person_sends_the_oldest_away():
    live = Live()
    with ExitStack() as streams:
        mine = [streams.enter_context(live.watch("night", "ana")) for _ in range(4)]
        assert [watch.wait(0.01) for watch in mine] == [False, None, None, None]


def test_a_flood_of_streams_leaves_the_newest_three():
    live = Live()
    with ExitStack() as streams:
        other = streams.enter_context(live.watch("night", "ben"))
        mine = [streams.enter_context(live.watch("night", "ana")) for _ in range(20)]
        assert [watch.wait(0.01) for watch in mine] == [False] * 17 + [None] * 3
        assert other.wait(0.01) is None


def test_a_stream_sent_away_stays_sent_away_whatever_is_told():
    live = Live()
    with ExitStack() as streams:
        oldest, *_ = [streams.enter_context(live.watch("night", "ana")) for _ in range(4)]
        live.tell("night")
        assert oldest.wait(0.01) is False


def test_a_night_has_so_many_streams_and_the_next_one_is_served_once(monkeypatch):
    live = Live()
    monkeypatch.setattr(live, "MAX_PER_TOPIC", 5)
    with ExitStack() as streams:
        first = [streams.enter_context(live.watch("night", f"person-{n}")) for n in range(5)]
        with live.watch("night", "late") as late, live.watch("other", "ben") as other:
            assert [watch.wait(0.01) for watch in (late, other)] == [False, None]
        streams.pop_all().close()
    with live.watch("night", "late") as late:  # there is room again
        assert late.wait(0.01) is None
    assert [watch.wait(0.01) for watch in first] == [None] * 5


def test_whoever_opens_one_page_after_the_other_keeps_three_also_at_a_full_night(monkeypatch):
    live = Live()
    monkeypatch.setattr(live, "MAX_PER_TOPIC", 5)
    with ExitStack() as streams:
        others = [streams.enter_context(live.watch("night", f"person-{n}")) for n in range(2)]
        mine = [streams.enter_context(live.watch("night", "ana")) for _ in range(20)]
        assert [watch.wait(0.01) for watch in mine] == [False] * 17 + [None] * 3
        assert [watch.wait(0.01) for watch in others] == [None] * 2
        assert live.streams("night") == 5


def test_a_stream_that_was_sent_away_and_ends_late_takes_no_other_with_it():
    live = Live()
    with ExitStack() as late:
        late.enter_context(live.watch("night", "ana"))
        with ExitStack() as streams:
            for _ in range(3):  # the first one has to go
                streams.enter_context(live.watch("night", "ana"))
        with live.watch("night", "ben") as ben:
            late.pop_all().close()
            live.tell("night")
            assert ben.wait(1) is True


def test_a_process_has_so_many_streams_over_all_nights(monkeypatch):
    live = Live()
    monkeypatch.setattr(live, "MOST", 5)
    with ExitStack() as streams:
        for n in range(5):
            streams.enter_context(live.watch(f"night-{n}", "ana"))
        with live.watch("night", "late") as late:
            assert late.wait(0.01) is False
    with live.watch("night", "late") as late:
        assert late.wait(0.01) is None


def test_everybody_at_a_full_night_has_room_for_two_pages():
    assert 2 * companion.nights.MAX_PEOPLE <= Live.MAX_PER_TOPIC < Live.MOST


def test_a_stopping_server_ends_all_streams():
    live = Live()
    with live.watch("night", "ana") as one, live.watch("other", "ben") as two:
        live.stop()
        assert (one.wait(1), two.wait(1)) == (False, False)


def test_asking_about_many_nights_keeps_nothing_of_them():
    live = Live()
    for n in range(100):
        live.away(f"night-{n}", "ana")
        live.streams(f"night-{n}")
    assert not live._watches


# ---- away ------------------------------------------------------------------------------------------------------------


def test_somebody_with_a_page_open_is_not_away():
    live = Live()
    live._seen["ana"] = time.time() - 500
    with live.watch("night", "ana"):
        assert live.away("night", "ana") == 0
    assert live.away("night", "ana") >= 500


def test_a_page_open_at_another_night_does_not_count():
    live = Live()
    live._seen["ana"] = time.time() - 500
    with live.watch("other", "ana"):
        assert live.away("night", "ana") >= 500


def test_every_request_says_that_somebody_is_here():
    live = Live()
    live._seen["ana"] = time.time() - 500
    live.saw("ana")
    assert live.away("night", "ana") < 60


def test_whoever_was_never_seen_is_away_since_the_start():
    live = Live()
    live.started = time.time() - 90
    assert 90 <= live.away("night", "ana") < 150
