"""Nothing moves under the finger, and what was typed is never lost."""

import pytest
from browser.phones import sit
from playwright.sync_api import TimeoutError


@pytest.fixture
def pair(new_phone, table):
    """Ana hosts, Ben has joined; both count."""
    phones = new_phone(), new_phone()
    sit(table, *phones)
    return phones


def mark(phone, what="#enter form"):
    """Put a mark on the element itself: whoever replaces it takes the mark away."""
    phone.page.locator(what).first.evaluate("each => { each.marked = true; }")


def is_marked(phone, what="#enter form"):
    return phone.page.locator(what).first.evaluate("each => each.marked === true")


def loses_its_mark(phone, what="#enter form"):
    phone.page.wait_for_function("what => document.querySelector(what)?.marked !== true", arg=what)


def test_a_live_update_leaves_a_form_in_use_alone(pair):
    ana, ben = pair
    ana.key("2")
    mark(ana)
    ben.count(20, 10)
    ana.page.wait_for_selector("#waiting li.done", timeout=ana.soon)  # the list of those who have counted goes on
    assert ana.done() == ["Ben"]
    assert is_marked(ana)
    assert ana.values() == ["2", ""]
    ana.key("5")
    ana.tap("[data-next]")
    ana.key("10")
    ana.tap("[data-next]")
    ana.shows({"Ana": 15, "Ben": 10})


def test_control_a_script_that_replaces_forms_in_use_is_caught(new_phone, table):
    ana, ben = new_phone(spoil=("if (busy(old)) return hold(old, html, at);", "")), new_phone()
    sit(table, ana, ben)
    ana.key("2")
    mark(ana)
    ben.count(20, 10)
    ana.page.wait_for_selector("#waiting li.done")
    loses_its_mark(ana)
    assert ana.values() == ["", ""]


def test_an_update_that_changes_nothing_here_leaves_the_buttons_alone(pair):
    """Nobody typed at Ben's, but his question is still the same: no reason to swap its keys, or to make them deaf."""
    ana, ben = pair
    ana.type_count(20, 10)  # meanwhile a second goes by, and with it the tokens of forms change
    ben.page.wait_for_selector("#enter:not(.fresh)")
    mark(ben)
    ana.tap("[data-next]")
    ben.page.wait_for_selector("#waiting li.done")
    assert is_marked(ben)
    assert ben.page.locator("#enter.fresh").count() == 0


@pytest.mark.postgresql
def test_somebody_who_was_quicker_is_named_and_the_numbers_stay(pair):
    ana, ben = pair
    ben.expect("status of 409")
    ben.type_count(21, 6)
    ana.tap("Count for Ben")
    ana.page.wait_for_selector("#enter h2:has-text('Ben counts')")
    ana.count(20, 5)
    ben.page.wait_for_selector("#waiting li.done")
    assert ben.values() == ["21", "6"]
    ben.tap("[data-next]")
    ben.sees("Ana entered this meanwhile", "#enter")
    assert ben.values() == ["21", "6"]
    ben.tap("[data-next]")  # he insists: his own count replaces hers
    ben.sees("Waiting for Ana", "#enter")
    ben.sees("Count again: 21 and 6", "#enter")


@pytest.mark.postgresql
def test_numbers_for_a_round_that_is_over_are_kept_but_not_booked_into_the_next(pair):
    ana, ben = pair
    ben.expect("status of 409")
    ben.type_count(21, 6)
    ana.tap("Count for Ben")
    ana.page.wait_for_selector("#enter h2:has-text('Ben counts')")
    ana.count(20, 5)
    ana.page.wait_for_selector("#enter h2:has-text('Count your cards')")
    ana.count(10, 8)
    ben.shows({"Ana": 2, "Ben": 15})
    ben.tap("[data-next]")
    ben.sees("Ana entered this meanwhile", "#enter")
    ben.sees("You typed", "#enter")
    assert ben.page.locator("#enter .answers b").all_inner_texts()[:2] == ["21", "6"]
    assert ben.page.locator("#enter form[data-keypad]").count() == 0
    ben.tap("Go on")
    ben.sees("Round 2", "#enter")


def _count_while_others_do(cable, table, ana, ben):
    """Ben counts while Ana's answer is on its way: his update is newer than her answer."""
    sit(table, ana, ben)
    ana.type_count(25, 10)
    cable.held = b"POST"
    ana.tap("[data-next]")
    ana.page.focus("#enter [name=left]")  # as after a tap on a tile
    ben.page.wait_for_selector("#waiting li.done")
    ben.count(20, 10)
    ana.shows({"Ana": 15, "Ben": 10})
    cable.held = None


def test_an_answer_that_comes_late_does_not_leave_the_form_behind(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    _count_while_others_do(cable, table, ana, new_phone())
    ana.sees("Round 2", "#enter", ana.soon)
    assert ana.page.locator("#enter form[data-keypad]").count() == 0


@pytest.mark.parametrize("spoil", [("    letGo();\n  });", "  });"), ('region.dataset.done = "";', "")])
def test_control_a_script_that_drops_late_answers_or_minds_the_focus_is_caught(cable, table, new_phone, spoil):
    ana = new_phone(url=cable.url, spoil=spoil)
    _count_while_others_do(cable, table, ana, new_phone())
    with pytest.raises(TimeoutError):
        ana.sees("Round 2", "#enter", ana.soon)


def _undo_while_others_count(cable, table, ana, ben):
    """The stream brings Ana the next question, and then Ben's count, before her undo is answered; gives who has counted."""
    sit(table, ana, ben)
    ana.count(25, 10)
    cable.held = b"POST"
    ana.tap("#undo button")
    ana.page.wait_for_selector("#enter form[data-keypad]")
    ana.key("12")
    ben.count(20, 10)
    ana.page.wait_for_selector("#waiting li.done")
    cable.held = None
    ana.page.wait_for_selector("#undo .htmx-request", state="detached")
    ana.page.wait_for_timeout(300)
    return ana.done()


def test_an_answer_that_comes_late_brings_nothing_back_and_takes_nothing_away(cable, table, new_phone):
    ana = new_phone(url=cable.url)
    assert _undo_while_others_count(cable, table, ana, new_phone()) == ["Ben"]
    assert ana.values() == ["12", ""]
    ana.sees("Ben: 20 in the score pile", "#undo")


def test_control_a_script_that_takes_every_form_for_answered_is_caught(cable, table, new_phone):
    ana = new_phone(url=cable.url, spoil=('const form = elt.closest("section[id]")', 'const form = $("#enter")'))
    _undo_while_others_count(cable, table, ana, new_phone())
    assert ana.values() == ["", ""]


def test_a_question_that_comes_late_is_shown_all_the_same(cable, table, new_phone):
    ana, ben, cem = new_phone(url=cable.url), new_phone(), new_phone()
    sit(table, ana, ben, cem)
    cable.held = b"/ask/"
    ana.tap("Count for Ben")
    cem.count(20, 10)
    ana.page.wait_for_selector("#waiting li.done")
    cable.held = None
    ana.sees("Ben counts", "#enter", ana.soon)


def test_a_question_of_another_game_waits_for_its_answer(toy_table, new_phone):
    """The forms for all games, too, stay while others enter something; the toy game has no others."""
    ana, ben = new_phone(url=toy_table.url), new_phone(url=toy_table.url)
    sit(toy_table, ana, ben, game="high-card")
    for phone in (ana, ben):
        phone.tap(phone.page.locator("#enter a[href*='/ask/']:visible").first)
        phone.page.wait_for_selector("#enter .values a")
    mark(ben, "#enter .values")
    while ana.page.locator("#enter .values a").count():
        before = ana.text("#enter")
        ana.tap(ana.page.locator("#enter .values a").first)
        ana.page.wait_for_function("before => document.querySelector('#enter').innerText !== before", arg=before)
    ana.tap("Enter it")
    ben.page.wait_for_selector("#story li")
    assert is_marked(ben, "#enter .values")


def test_a_whole_round_is_entered_without_script(new_phone, table):
    ana, ben = new_phone(java_script_enabled=False), new_phone(java_script_enabled=False)
    ben.expect("status of 422")
    url = _sit_without_script(table, ana, ben)
    ana.tap("Start")
    ana.sees("Phones down")
    ben.go(url)
    ben.tap("Stop!")
    ben.sees("Count your cards")
    for phone, (scored, left) in {ana: (25, 10), ben: (199, 10)}.items():
        phone.go(url)
        phone.page.fill("[name=scored]", str(scored))
        phone.page.fill("[name=left]", str(left))
        phone.tap("Done")
    ben.sees("Somebody counted")
    assert ben.values() == ["199", "10"]
    ben.page.fill("[name=scored]", "12+7")
    ben.tap("Done")
    ben.tap("Count for Oma")
    ben.sees("Oma counts")
    ben.page.fill("[name=scored]", "5")
    ben.page.fill("[name=left]", "20")
    ben.tap("Done")
    ben.shows({"Ana": 15, "Ben": 9, "Oma": -15})
    ben.tap(ben.page.locator("#undo button"))
    ben.sees("Waiting for Oma")


def _sit_without_script(table, ana, ben):
    """Everything on the way to the table works as plain forms, too."""
    from browser.phones import add_person, code_of, join_by_code, start_night

    start_night(ana, "Ana")
    join_by_code(ben, code_of(ana), "Ben")
    add_person(ben, "Oma")
    ana.tap("Choose a game")
    ana.tap(ana.page.locator(".game", has_text="Ligretto Crazy"))
    ana.tap("Start the match")
    ana.page.wait_for_url("**/m/*")
    return ana.page.url
