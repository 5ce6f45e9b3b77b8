"""A phone that slept, lost the Wi-Fi, froze or came back by the back button shows the truth (promises, rows 10 and 11)."""

import random
import time
from collections import defaultdict
from itertools import pairwise

import pytest
from browser.phones import Phone, is_stream, sit
from playwright.sync_api import TimeoutError

ASLEEP = """
Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
document.dispatchEvent(new Event("visibilitychange"));
"""
AWAKE = """
delete document.hidden;
document.dispatchEvent(new Event("visibilitychange"));
"""
KEPT = "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))"
BACK = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"


def change(ben):
    """Something happens at the table; gives what the others should see."""
    ben.count(20, 10)
    ben.page.wait_for_selector("#waiting li.done")


def truth(ana):
    ana.page.wait_for_selector("#waiting li.done", timeout=ana.soon)
    ana.line("live", ana.soon)


def mark(phone):
    phone.page.evaluate("window.marked = 1")


def is_the_same_page(phone):
    return phone.page.evaluate("window.marked") == 1


# ---- row 10 ----------------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_a_phone_that_lost_the_wifi_catches_up(cable, table, new_phone):
    ana, ben = new_phone(url=cable.url), new_phone()
    ana.expect("net::ERR")
    sit(table, ana, ben)
    mark(ana)
    ana.page.context.set_offline(True)
    cable.silent = True  # set_offline leaves an open stream as it is: a dead Wi-Fi does not
    ana.line("lost")
    change(ben)
    assert ana.done() == []
    cable.silent = False
    ana.page.context.set_offline(False)
    truth(ana)
    assert is_the_same_page(ana)


def test_control_a_script_deaf_to_the_wifi_is_caught(cable, table, new_phone):
    ana, ben = new_phone(url=cable.url, spoil=('addEventListener("online", () => { close(); open(); });', "")), new_phone()
    ana.expect("net::ERR")
    sit(table, ana, ben)
    ana.page.context.set_offline(True)
    cable.silent = True
    change(ben)
    cable.silent = False
    ana.page.context.set_offline(False)
    with pytest.raises(TimeoutError):
        truth(ana)


@pytest.mark.parametrize(
    ("away", "back", "spoil"), [(ASLEEP, AWAKE, '"visibilitychange"'), (KEPT, BACK, '"pageshow"')], ids=["slept", "back"]
)
def test_a_phone_that_slept_or_was_kept_for_the_back_button_catches_up(new_phone, table, away, back, spoil):
    ana, ben, bad = new_phone(), new_phone(), new_phone(spoil=(spoil, '"never"'))
    sit(table, ana, ben, bad)
    for phone in (ana, bad):
        mark(phone)
        phone.page.evaluate(away if phone is ana else KEPT)
        phone.page.wait_for_timeout(50)
        assert not phone.streams
    change(ben)
    ana.page.wait_for_timeout(100)
    assert ana.done() == []
    for phone in (ana, bad):
        phone.page.evaluate(back)
    truth(ana)
    assert is_the_same_page(ana)
    with pytest.raises(TimeoutError):  # the control: a script that does not listen
        truth(bad)


def test_a_phone_that_was_frozen_catches_up(new_phone, table):
    ana, ben = new_phone(), new_phone()
    sit(table, ana, ben)
    line = ana.page.context.new_cdp_session(ana.page)
    line.send("Page.setWebLifecycleState", {"state": "frozen"})
    change(ben)
    line.send("Page.setWebLifecycleState", {"state": "active"})
    truth(ana)


def test_the_back_button_leads_to_the_truth(new_phone, table):
    ana, ben = new_phone(), new_phone()
    sit(table, ana, ben)
    ana.tap("css=.top .home")
    ana.page.wait_for_url("**/n/*")
    change(ben)
    ana.page.go_back()
    truth(ana)


@pytest.mark.postgresql
def test_a_server_that_was_restarted_in_the_middle_is_found_again(own_table, new_phone):
    ana, ben = new_phone(url=own_table.url), new_phone(url=own_table.url)
    for phone in (ana, ben):
        phone.expect("net::ERR", "htmx:")
    sit(own_table, ana, ben)
    mark(ana)
    ana.type_count(25, 10)
    own_table.server.kill()
    ana.tap("[data-next]")
    ana.line("unsaved")
    assert ana.text("#line") == "not saved"
    assert ana.values() == ["25", "10"]
    ben.line("lost")
    assert ben.text("#line") == "reconnecting …"
    own_table.restart()
    ana.sees("Waiting for Ben", "#enter", ana.soon)  # what was typed was sent by itself, once
    truth(ben)
    assert ana.done() == ben.done() == ["Ana"]
    ana.page.wait_for_selector("#story li")
    assert ana.page.locator("#story li").count() == 1
    assert is_the_same_page(ana)


def test_control_a_script_that_forgets_what_was_not_sent_is_caught(cable, table, new_phone):
    ana, ben = new_phone(url=cable.url, spoil=("if (!unsent) return;", "return;")), new_phone()
    ana.expect("net::ERR", "htmx:")
    sit(table, ana, ben)
    ana.type_count(25, 10)
    ana.page.context.set_offline(True)
    ana.tap("[data-next]")
    ana.line("unsaved")
    ana.page.context.set_offline(False)
    with pytest.raises(TimeoutError):
        ana.sees("Waiting for Ben", "#enter", ana.soon)


def test_a_stop_that_could_not_be_sent_is_sent_when_the_line_is_back(new_phone, table):
    ana, ben = new_phone(), new_phone()
    ana.expect("net::ERR", "htmx:")
    sit(table, ana, ben, counting=False)
    ben.tap("Start")
    ana.sees("Phones down", "#enter")
    ana.page.context.set_offline(True)
    ana.tap("Stop!")
    ana.line("unsaved")
    ana.page.context.set_offline(False)
    ben.page.wait_for_selector("form[data-keypad]", timeout=ben.soon)
    ana.page.wait_for_selector("form[data-keypad]", timeout=ana.soon)


def test_nobody_is_alarmed_within_three_seconds(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    ana.expect("net::ERR")
    sit(table, ana, new_phone())
    ana.page.evaluate("window.states = []; new MutationObserver(() => states.push(line.dataset.state)).observe(line, { attributes: true })")
    cable.silent = True
    cable.cut()
    ana.page.wait_for_timeout(1_000)
    cable.silent = False
    truth_line(ana)
    assert set(ana.page.evaluate("states")) <= {"live"}


def truth_line(phone):
    phone.page.wait_for_function("() => states.length > 0", timeout=phone.soon)


@pytest.mark.postgresql
def test_a_stream_cut_at_any_byte_loses_nothing(cable, table, new_phone):
    """The line breaks in the middle of an update: no half region is ever shown, the whole one comes at once."""
    rng = random.Random(3)
    ana, ben = new_phone(url=cable.url), new_phone()
    ana.expect("net::ERR")
    sit(table, ana, ben)
    mark(ana)
    for n in (17, *(rng.randrange(3_000) for _ in range(3))):
        cable.most = n
        done = 1 - ben.page.locator("#waiting li.done").count()
        ben.count(20 + n % 7, 10) if done else ben.tap(ben.page.locator("#undo button"))
        ben.page.wait_for_function(f"() => document.querySelectorAll('#waiting li.done').length === {done}")
        ana.page.wait_for_function(f"() => document.querySelectorAll('#waiting li.done').length === {done}", timeout=ana.soon)
    for phone in (ana, ben):
        phone.sees("Ben: " if done else "Nothing has been entered yet.", "#story")
    assert ana.text("#story") == ben.text("#story")
    assert is_the_same_page(ana)


def _without_streams(table, new_phone, **more):
    """Ana's line lets everything through but streams, as some proxies do."""
    ana, ben = new_phone(**more), new_phone()
    ana.expect("net::ERR")
    sit(table, ana, ben)
    ana.page.context.route("**/live*", lambda route: route.abort())
    ana.page.reload()
    ana.count(20, 10)
    return ana


def test_where_no_stream_gets_through_a_phone_asks_for_what_it_entered(table, new_phone):
    ana = _without_streams(table, new_phone)
    ana.page.wait_for_selector("#story li", timeout=ana.soon)


def test_control_a_script_that_relies_on_the_stream_is_caught(table, new_phone):
    ana = _without_streams(table, new_phone, spoil=("if (!stream || stream.readyState !== 1) check(); else", "if (false)"))
    with pytest.raises(TimeoutError):
        ana.page.wait_for_selector("#story li", timeout=ana.soon)


# ---- row 11 ----------------------------------------------------------------------------------------------------------


def _ten_tabs(tabs, table, new_phone, **more):
    """Ana on her phone, Ben with ten tabs on a laptop; gives the tabs' streams once the last one is in front."""
    ana, ben = new_phone(), tabs(**more)
    match = sit(table, ana, ben)
    opened = [ben, *(tabs().go(match) for _ in range(9))]
    opened[-1].line("live")
    opened[-1].page.wait_for_timeout(200)
    return ana, opened


def test_ten_tabs_work_and_the_hidden_ones_hold_no_stream(tabs, table, new_phone):
    ana, opened = _ten_tabs(tabs, table, new_phone)
    assert [len(tab.streams) for tab in opened] == [0] * 9 + [1]
    ana.count(20, 10)
    for tab in opened:
        tab.page.bring_to_front()
        truth(tab)
    assert sum(len(tab.streams) for tab in opened) == 1


def test_control_tabs_that_keep_their_streams_are_caught(tabs, table, new_phone):
    _, opened = _ten_tabs(tabs, table, new_phone, spoil=('addEventListener("visibilitychange"', 'addEventListener("never"'))
    assert sum(len(tab.streams) for tab in opened[:-1]) > 0


@pytest.mark.postgresql
def test_five_windows_of_one_person_do_not_push_each_other_out_for_ever(new_phone, table):
    """A person has three streams at most: whoever was sent away looks again now and then, and does not come back at once."""
    ana = new_phone()
    match = sit(table, ana, without=["Ben"])
    asked = defaultdict(list)  # by window, when it opened a stream
    ana.page.context.on("request", lambda request: asked[request.frame.page].append(time.monotonic()) if is_stream(request) else None)
    windows = [Phone(ana.page.context.new_page(), ana.home).go(match) for _ in range(4)]
    while sum(map(len, asked.values())) < 9:  # each has had its turn, and those who were sent away came again
        ana.page.wait_for_timeout(100)
    for times in asked.values():
        assert all(later - earlier > 3 for earlier, later in pairwise(times[1:]))  # the first is sent away by the window opened next
    for window in windows:
        assert not window.wrong()
