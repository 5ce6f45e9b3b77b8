"""Answers and streams that come in another order than they were sent: the page shows the truth, and a tap means what it said."""

import pytest
from browser.phones import sit
from browser.test_crazy_lab import PANE, at_trick, choose_minus, choose_plus, numbers, trump, way, winner
from browser.test_house_rules import ask_table
from playwright.sync_api import TimeoutError


def at_the_lab(table, *phones, by="winner"):
    """Crazy Lab with Ana, Ben and Cem, at its first trick."""
    sit(table, *phones, game="crazy-lab", without=["Cem"] if len(phones) < 3 else ())
    choose_minus(phones[0])
    for phone in phones:
        at_trick(1, phone)
    way(phones[0], by)


def person(phone, name):
    return phone.page.locator(f"{PANE} .person", has_text=name)


# ---- the stream comes late -------------------------------------------------------------------------------------------


def dispute_before_a_refusal(cable, table, ana, ben, cem):
    """Ben asks the table, then enters the trick; before Ana hears of either, her own entry is refused."""
    at_the_lab(table, ana, ben, cem)
    trump(ana, "blue")
    cable.held = b"/live"
    ask_table(ben, 3, 5, 5)
    cem.sees("Ben asks the table", "#dispute")
    way(ben, "winner")
    winner(ben, "green", "Ben")
    at_trick(2, cem)
    ana.tap(person(ana, "Ana"))
    ana.sees("Ben entered this meanwhile", "#enter")
    cable.held = None
    ana.sees("Ben asks the table", "#dispute", ana.soon)


@pytest.mark.postgresql
def test_what_the_stream_brings_is_not_lost_where_a_refusal_was_quicker(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    ana.expect("status of 409")
    dispute_before_a_refusal(cable, table, ana, new_phone(), new_phone())


def test_control_a_page_with_one_tick_for_all_is_caught(cable, table, new_phone):
    spoil = ("newest = Math.max(newest, message.tick);", "if (message.tick < newest) return; newest = message.tick;")
    ana = new_phone(url=cable.url, spoil=(*spoil, "if (shouldSwap) {", "if (shouldSwap) { newest = saysTick(xhr);"))
    ana.expect("status of 409")
    with pytest.raises(TimeoutError):
        dispute_before_a_refusal(cable, table, ana, new_phone(), new_phone())


def streams_after_a_silent_one(cable, table, ana, ben):
    """The stream is open, but nothing comes through; gives how often it was opened anew after the page had asked by itself."""
    sit(table, ana, ben)
    opened = []
    ana.page.on("request", lambda request: opened.append(request.url) if "/live" in request.url else None)
    cable.held = b"/live"
    ben.count(20, 10)
    ana.page.wait_for_selector("#waiting li.done")
    ana.page.wait_for_timeout(500)
    return len(opened)


OFTEN = ("25000", "1500")  # milliseconds between two questions


def test_a_stream_that_has_fallen_silent_is_opened_anew(cable, table, new_phone):
    assert streams_after_a_silent_one(cable, table, new_phone(url=cable.url, spoil=OFTEN), new_phone()) >= 1


def test_control_a_page_that_trusts_a_silent_stream_is_caught(cable, table, new_phone):
    spoil = (*OFTEN, "if (message.tick > newest) close();", "")
    assert streams_after_a_silent_one(cable, table, new_phone(url=cable.url, spoil=spoil), new_phone()) == 0


def entered_over_a_silent_stream(cable, table, ana):
    sit(table, ana, without=["Ben"])
    cable.held = b"/live"
    ana.count(20, 10)
    ana.page.wait_for_selector("#waiting li.done", timeout=ana.soon)


def test_what_was_entered_is_shown_although_the_stream_is_silent(cable, table, new_phone):
    entered_over_a_silent_stream(cable, table, new_phone(url=cable.url))


def test_control_a_page_that_waits_for_a_silent_stream_is_caught(cable, table, new_phone):
    ana = new_phone(url=cable.url, spoil=("if (newest < at) check();", ""))
    with pytest.raises(TimeoutError):
        entered_over_a_silent_stream(cable, table, ana)


# ---- the answer comes late -------------------------------------------------------------------------------------------


def undone_under_a_tap(cable, table, ana, ben):
    """Ben undoes trick 1 at the moment at which Ana taps the winner of trick 2."""
    at_the_lab(table, ben, ana)
    way(ana, "winner")
    winner(ben, "blue", "Ben")
    at_trick(2, ana, ben)
    trump(ana, "green")
    cable.held = b"/"
    ben.tap("#undo button")
    at_trick(1, ben)
    ana.tap(person(ana, "Ana"))
    ana.page.wait_for_selector("#enter .htmx-request")
    cable.held = b"/act/"
    ana.page.wait_for_selector("#enter.held")
    cable.held = None
    ana.sees("That has changed meanwhile", "#enter .notice")
    at_trick(1, ana)


@pytest.mark.postgresql
def test_whoever_taps_what_was_undone_is_told_and_sees_what_is_open_now(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    ana.expect("status of 409")
    undone_under_a_tap(cable, table, ana, new_phone())


def undone_too_late(cable, table, ana, ben):
    """Ana takes back the minus colours just after Ben chose by them; the stream brings her his trick before the answer tells her."""
    at_the_lab(table, ana, ben)
    way(ben, "winner")
    ana.page.wait_for_selector("#undo form[data-do=minus]")
    cable.held = b"/"
    choose_plus(ben, "green")
    winner(ben, "blue", "Ben")
    at_trick(2, ben)
    ana.tap("#undo button")
    ana.page.wait_for_selector("#undo .htmx-request")
    cable.held = b"/undo"
    at_trick(2, ana)
    cable.held = None
    ana.page.wait_for_selector("#enter .notice:visible:not([data-late])", timeout=ana.soon)


def test_a_refusal_is_shown_in_what_stands_there_now(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    ana.expect("status of 4")
    undone_too_late(cable, table, ana, new_phone())


def test_control_a_refusal_for_a_region_that_is_gone_is_caught(cable, table, new_phone):
    ana = new_phone(url=cable.url, spoil=("document.getElementById(detail.target.id) || detail.target", "detail.target"))
    ana.expect("status of 4")
    with pytest.raises(TimeoutError):
        undone_too_late(cable, table, ana, new_phone())


def two_on_their_way(cable, table, ana, ben):
    """Ana undoes trick 1, and before that is answered she taps the winner of trick 2; gives what went wrong in her page."""
    at_the_lab(table, ana, ben)
    winner(ana, "blue", "Ana")
    at_trick(2, ana, ben)
    trump(ana, "green")
    ana.page.wait_for_selector("#undo form[data-do=trick]")
    cable.held = b"POST"
    ana.tap("#undo button")
    at_trick(1, ben)
    ana.tap(person(ana, "Ben"))
    ana.page.wait_for_timeout(300)
    cable.held = b"/act/"
    ana.page.wait_for_selector("#undo .htmx-request", state="detached")
    ana.page.wait_for_timeout(300)
    cable.held = None
    return ana


@pytest.mark.postgresql
def test_of_two_taps_on_their_way_neither_is_lost_without_a_word(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    ana.expect("status of 409")
    two_on_their_way(cable, table, ana, new_phone())
    ana.sees("That has changed meanwhile", "#enter .notice")
    at_trick(1, ana)


def two_of_one_region(cable, table, ana, ben):
    """Ana chooses her plus colour and taps the winner of a trick that Ben has entered; what she hears first is his."""
    at_the_lab(table, ana, ben)
    trump(ana, "green")
    cable.held = b"/"
    winner(ben, "blue", "Ben")
    at_trick(2, ben)
    ana.tap("#enter .lab-secret .suit-green")
    ana.tap(person(ana, "Ana"))
    cable.held = b"/act/"
    ana.page.wait_for_function("() => document.querySelectorAll('#enter.held .htmx-request').length === 2")
    cable.held = b"-trick-"
    ana.page.wait_for_timeout(500)
    cable.held = None


def test_a_form_of_a_region_is_told_why_although_another_of_it_was_answered_before(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    ana.expect("status of 409")
    two_of_one_region(cable, table, ana, new_phone())
    ana.sees("Ben entered this meanwhile", "#enter")


def test_control_an_answer_that_takes_away_what_waits_for_another_is_caught(cable, table, new_phone):
    ana = new_phone(url=cable.url, spoil=('if (region && !$(".htmx-request", region))', "if (region)"))
    ana.expect("status of 409", "page error", "TypeError")
    two_of_one_region(cable, table, ana, new_phone())
    with pytest.raises(TimeoutError):
        ana.sees("Ben entered this meanwhile", "#enter", ana.soon)


# ---- what could not be sent ------------------------------------------------------------------------------------------


def winner_that_could_not_be_sent(table, ana, ben):
    """Ana taps a winner while the line is gone, then somewhere else."""
    at_the_lab(table, ana, ben)
    ana.page.route("**/act/**", lambda route: route.abort())
    winner(ana, "blue", "Ana")
    ana.line("unsaved")
    ana.tap("#enter h2 >> nth=-1")
    ana.page.unroute("**/act/**")
    choose_plus(ben, "green")  # something comes: the line is back
    ana.page.wait_for_selector("#enter h2:has-text('Trick 2 of 10')", timeout=ana.soon)


def test_a_tap_that_could_not_be_sent_is_sent_again_as_it_was_meant(table, new_phone):
    ana = new_phone()
    ana.expect("net::ERR", "htmx:")
    winner_that_could_not_be_sent(table, ana, new_phone())


def test_control_a_script_that_sends_the_form_without_its_button_is_caught(table, new_phone):
    ana = new_phone(spoil=("button.click();", "form.requestSubmit();"))
    ana.expect("net::ERR", "htmx:", "status of 422")
    with pytest.raises(TimeoutError):
        winner_that_could_not_be_sent(table, ana, new_phone())


# ---- who wins? -------------------------------------------------------------------------------------------------------


def taken_back_while_asked(cable, table, ana, ben):
    """Ana takes back her last number while the verdict on all of them is on its way."""
    at_the_lab(table, ana, ben, by="who")
    trump(ana, "blue")
    cable.held = b"/verdict"
    numbers(ana, 5, 3, 0, "back")
    cable.held = None


def test_a_verdict_on_what_was_taken_back_is_not_entered(cable, table, new_phone):
    ana, ben = new_phone(url=cable.url), new_phone()
    taken_back_while_asked(cable, table, ana, ben)
    ana.page.wait_for_timeout(1_000)
    at_trick(1, ben)
    numbers(ana, 6)
    at_trick(2, ana)
    ana.sees("Cem wins: blue 6 is the highest blue in the trick.", ".lab-booked")


def test_control_a_page_that_enters_every_verdict_is_caught(cable, table, new_phone):
    ana = new_phone(url=cable.url, spoil_lab=("detail.pathInfo.requestPath === wanted", "true"))
    ben = new_phone()
    taken_back_while_asked(cable, table, ana, ben)
    at_trick(2, ben)


def verdict_that_could_not_be_asked(table, ana, ben):
    at_the_lab(table, ana, ben, by="who")
    trump(ana, "blue")
    ana.page.route("**/verdict/**", lambda route: route.abort())
    numbers(ana, 5, 3, 0)
    ana.line("unsaved")
    ana.page.unroute("**/verdict/**")
    choose_plus(ben, "green")  # something comes: the line is back
    ana.page.wait_for_selector("#enter h2:has-text('Trick 2 of 10')", timeout=ana.soon)


def test_a_verdict_that_could_not_be_asked_for_is_asked_for_again(table, new_phone):
    ana = new_phone()
    ana.expect("net::ERR", "htmx:")
    verdict_that_could_not_be_asked(table, ana, new_phone())


def test_control_a_script_that_asks_once_is_caught(table, new_phone):
    ana = new_phone(spoil=('document.dispatchEvent(new CustomEvent("again"));', ";"))
    ana.expect("net::ERR", "htmx:")
    with pytest.raises(TimeoutError):
        verdict_that_could_not_be_asked(table, ana, new_phone())


def choice_before_the_answer(cable, table, ana, ben):
    """Ben chooses his plus colour before Ana's verdict is answered; whether hers offers a way back."""
    at_the_lab(table, ana, ben, by="who")
    trump(ana, "blue")
    cable.held = b"/act/"
    numbers(ana, 5, 3, 0)
    at_trick(2, ben)
    ben.tap("#enter details.lab-secret summary")
    choose_plus(ben, "green")
    cable.held = None
    ana.page.wait_for_selector(".lab-booked:has-text('Entered as trick 1')")
    ana.page.wait_for_selector("#undo form[data-do=plus]")
    return ana.page.locator(".lab-booked button").is_visible()


def test_the_way_back_beside_a_verdict_never_means_what_somebody_else_chose(cable, table, new_phone):
    assert not choice_before_the_answer(cable, table, new_phone(url=cable.url), new_phone())


def test_control_a_way_back_that_takes_any_entry_is_caught(cable, table, new_phone):
    ana = new_phone(url=cable.url, spoil_lab=("#undo form[data-do=trick]", "#undo form"))
    assert choice_before_the_answer(cable, table, ana, new_phone())
