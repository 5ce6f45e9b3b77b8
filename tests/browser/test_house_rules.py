"""A dispute: raised on one phone, seen, accepted and booked on the others and the TV; the next time its answer is there with the date."""

import re

import pytest
from browser.phones import PATIENCE, sit
from browser.test_crazy_lab import numbers, trump, way
from browser.test_finger import is_marked, loses_its_mark, mark
from browser.test_resolver import number
from playwright.sync_api import TimeoutError

NAMES = ("Ana", "Maximiliana Wolkenstein", "Cem", "Bartholomäus von Ahlefel")
TV = {"viewport": {"width": 1280, "height": 720}, "is_mobile": False}


def seat_four(table, new_phone):
    """Four phones at a table of Crazy Lab, and the host's TV."""
    phones = [new_phone(name, dark=n % 2 == 1) for n, name in enumerate(NAMES)]
    sit(table, *phones, game="crazy-lab", names=NAMES)
    tv = new_phone("TV", **TV)
    tv.page.context.add_cookies(phones[0].page.context.cookies())
    tv.go(phones[0].page.evaluate("document.querySelector('.top .home').pathname") + "/tv")
    tv.line("live")
    return phones, tv


def ask_table(phone, *values):
    """Numbers in green from whoever leads on, then the tap that shows it to everybody."""
    table = phone.page.url
    phone.tap("Who wins this trick?")
    phone.page.wait_for_url("**/who-wins/crazy-lab?*")
    phone.tap(".tile-link.suit-green")
    for n, value in enumerate(values):
        phone.page.wait_for_selector(f".slots li.now:nth-child({n + 1})")
        phone.page.locator(".fresh").wait_for(state="detached")
        number(phone, value or "none")
    phone.tap("Ask the whole table")
    phone.page.wait_for_url(table)


def hears(phone, name, soon=PATIENCE):
    """Until somebody's acceptance is there; folded away, where one has accepted oneself."""
    phone.page.wait_for_selector(f"#dispute .voice:not(.waits):has-text('{name}')", state="attached", timeout=soon)


@pytest.mark.postgresql
def test_a_dispute_is_seen_accepted_and_booked_everywhere_and_known_the_next_time(table, new_phone):
    (ana, max_, cem, bart), tv = seat_four(table, new_phone)
    everywhere = (ana, max_, cem, bart, tv)
    ask_table(cem, 3, 5, 5, 0)
    for screen in everywhere:
        screen.sees("Cem asks the table", "#dispute")
        screen.sees("By the rules:", "#dispute summary")
        assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not tv.page.locator("#dispute button").count()
    assert tv.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for phone in (max_, bart):
        phone.tap("We accept")
        for screen in everywhere:
            hears(screen, phone.name)
    tv.sees("Ana", "#dispute .voice.waits")
    ana.tap("We accept")
    for screen in everywhere:
        screen.sees("Settled", "#dispute")
    won = bart.text("#dispute .dispute-wins strong")
    bart.tap(f"Enter it: {won}")
    for phone in (ana, max_, cem, bart):
        phone.sees("Disputed, and the verdict was accepted.", "#story")
        phone.sees_not("Settled", "#dispute")
    tv.page.wait_for_selector("#dispute", state="detached")


def test_a_house_rule_is_accepted_told_in_the_story_and_shown_the_next_time(table, new_phone):
    (ana, max_, cem, bart), tv = seat_four(table, new_phone)
    ask_table(ana, 4, 4, 0, 0)
    for screen in (max_, cem, bart, tv):
        screen.sees("Ana asks the table", "#dispute")
    by_rules = cem.text("#dispute .dispute-wins strong")
    ours = next(name for name in NAMES if name != by_rules)
    cem.tap("#dispute summary:has-text('House rule')")
    cem.tap(cem.page.locator("#dispute .person", has_text=ours))
    for screen in (ana, max_, cem, bart, tv):
        screen.sees("House rule", "#dispute .dispute-rule")
    max_.tap("We accept")
    bart.tap("We accept")
    for name in NAMES[1:]:  # both have been heard
        ana.page.wait_for_selector(f"#dispute .voice.waits:has-text('{name}')", state="detached")
    ana.page.wait_for_selector("#dispute .voice.waits:has-text('Ana')", state="attached")
    ana.tap("We accept")
    max_.sees("Settled", "#dispute")
    max_.tap(f"Enter it: {ours}")
    for phone in (ana, max_, cem, bart):
        phone.sees(f"House rule: {ours} gets it. By the rules: {by_rules}.", "#story")
    bart.page.wait_for_selector('#enter[data-trick="1-1"]')
    ask_table(bart, 4, 4, 0, 0)  # the same question, one trick later
    for screen in (ana, max_, cem, bart, tv):
        screen.sees("You had this before.", "#dispute")
        screen.sees(re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}"), "#dispute .earlier time")
    bart.tap("Never mind")
    for phone in (ana, max_, cem, bart):
        phone.sees_not("asks the table", "#dispute")


def test_nothing_moves_under_the_finger_when_a_dispute_comes(table, new_phone):
    """It lies over the bottom of the page: what somebody is about to tap stays where it is."""
    (_, max_, cem, bart), _ = seat_four(table, new_phone)
    where = "el => el.getBoundingClientRect().top"
    before = max_.page.locator("#enter").evaluate(where)
    ask_table(cem, 1, 2, 3, 4)
    max_.sees("Cem asks the table", "#dispute")
    assert max_.page.locator("#enter").evaluate(where) == before
    max_.tap("#dispute > details > summary")  # out of the way, and it stays so
    bart.tap("We accept")
    hears(max_, "Bart")
    assert not max_.page.locator("#dispute > details[open]").count()
    max_.tap("#enter summary:has-text('Go on without minus colours')")  # and play goes on
    max_.page.wait_for_selector("#enter details[open] [data-tabs]")


TAP_THERE = """() => {
  const at = [...document.querySelectorAll('#dispute button')].find(each => each.textContent === 'We accept').getBoundingClientRect();
  const tap = () => document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2).closest('#dispute button')?.click();
  document.getElementById('dispute').parentElement.addEventListener('region', function once(event) {
    if (event.target.id !== 'dispute') return;
    this.removeEventListener('region', once);
    tap();
    window.tapped = true;
  });
}"""  # at the very moment the region is drawn again, a finger comes down where the button was
PROPOSE = """() => {
  const { form } = document.querySelector("#dispute [name=words]");
  form.elements.words.value = "x";
  form.requestSubmit();
}"""  # another answer, which takes no more room


def accept(phone):
    phone.tap("We accept")


def propose(phone):
    phone.page.evaluate(PROPOSE)


def is_heard(table, new_phone, change, spoil=None):
    """Whether it counts when Ben accepts at the very moment at which something from Cem comes."""
    ana, ben, cem = (new_phone(spoil=spoil) for _ in range(3))
    sit(table, ana, ben, cem, game="crazy-lab", without=["Dia"])
    ask_table(ana, 4, 4, 0, 0)
    for phone in (ben, cem):
        phone.sees("Ana asks the table", "#dispute")
        phone.page.locator(".fresh").wait_for(state="detached")
    sent = []
    ben.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    ben.page.evaluate(TAP_THERE)
    change(cem)
    ben.page.wait_for_function("() => window.tapped")
    with ben.page.expect_response("**/health"):  # what the tap sent went out before
        ben.page.evaluate("() => { setTimeout(() => fetch('/health'), 500); }")
    if sent:
        hears(ana, "Ben")
    return bool(sent)


@pytest.mark.postgresql
def test_two_who_accept_at_the_same_moment_are_both_heard(table, new_phone):
    """A button that means what it meant, where it was, is never deaf."""
    assert is_heard(table, new_phone, accept)


def test_control_a_script_that_makes_every_button_deaf_is_caught(table, new_phone):
    assert not is_heard(table, new_phone, accept, spoil=("    still(fresh);\n", ""))


def test_what_means_something_else_now_is_deaf_for_a_moment(table, new_phone):
    """Cem proposes another answer just when Ben accepts the one before: he has to look first."""
    assert not is_heard(table, new_phone, propose)


def test_control_a_script_that_looks_only_at_the_words_of_a_button_is_caught(table, new_phone):
    assert is_heard(table, new_phone, propose, spoil=("asDrawn(each.form || each) + asDrawn(each)", "each.textContent"))


REST = """() => {
  const press = () => dispatchEvent(new PointerEvent('pointerdown')), stays = setInterval(press, 100);
  window.lifted = () => { clearInterval(stays); dispatchEvent(new PointerEvent('pointerup')); };
  window.leaves = () => clearInterval(stays);
  press();
}"""  # a finger that stays where it is until it is lifted, or leaves without a word


def rests_while_another_accepts(table, new_phone, spoil=None):
    """Ben's finger is on the glass when Cem accepts."""
    ana, ben, cem = new_phone(), new_phone(spoil=spoil), new_phone()
    sit(table, ana, ben, cem, game="crazy-lab", without=["Dia"])
    ask_table(ana, 4, 4, 0, 0)
    ben.sees("Ana asks the table", "#dispute")
    mark(ben, "#dispute form")
    ben.page.evaluate(REST)
    accept(cem)
    hears(ana, "Cem")
    ben.page.wait_for_timeout(500)
    return ben


@pytest.mark.parametrize("ends", ["lifted", "leaves"])
def test_nothing_is_replaced_under_a_finger_until_it_is_gone(table, new_phone, ends):
    ben = rests_while_another_accepts(table, new_phone)
    assert is_marked(ben, "#dispute form")
    ben.page.evaluate(f"{ends}()")
    hears(ben, "Cem")


def test_control_a_script_that_does_not_mind_fingers_is_caught(table, new_phone):
    ben = rests_while_another_accepts(table, new_phone, spoil=("    if (finger) return later.push(message);\n", ""))
    loses_its_mark(ben, "#dispute form")


def writes_while_another_accepts(table, new_phone, spoil=None):
    """Ana has begun to write, Ben accepts; then she leaves her words alone."""
    ana, ben, cem = new_phone(spoil=spoil), new_phone(), new_phone()
    sit(table, ana, ben, cem, game="crazy-lab", without=["Dia"])
    ask_table(cem, 4, 4, 0, 0)
    ana.sees("Cem asks the table", "#dispute")
    ana.tap("#dispute summary:has-text('House rule')")
    ana.page.focus("#dispute [name=words]")
    accept(ben)
    ana.page.wait_for_selector("#dispute.held", state="attached")
    assert ana.page.locator("#dispute .voice.waits:has-text('Ben')").count()
    ana.page.evaluate("document.activeElement.blur()")
    return ana


def test_what_was_left_alone_for_somebody_who_writes_comes_when_she_is_done(table, new_phone):
    ana = writes_while_another_accepts(table, new_phone)
    hears(ana, "Ben")


def test_control_a_script_that_does_not_look_again_is_caught(table, new_phone):
    ana = writes_while_another_accepts(table, new_phone, spoil=('addEventListener("focusout"', 'addEventListener("nothing"'))
    with pytest.raises(TimeoutError):
        hears(ana, "Ben", ana.soon)


def test_from_the_table_to_the_answer_and_to_everybody(table, new_phone):
    """One tap leads to the page filled with what is known; the trump and the four cards are all that is left to tap."""
    ana, ben = new_phone("Ana"), new_phone("Ben", dark=True)
    match = sit(table, ana, ben, game="the-academy", without=["Cem", "Dia"], captain="pick")
    ana.tap("Who wins this trick?")
    ana.page.wait_for_url("**/who-wins/the-academy?*")
    ana.tap(".tile-link.suit-green")
    for n, card in enumerate(("blue 5", "blue 7", "green 3", "purple 2")):
        ana.page.wait_for_selector(f".slots li.now:nth-child({n + 1})")
        ana.page.locator(".fresh").wait_for(state="detached")
        ana.tap(ana.page.get_by_role("button", name=card, exact=True))
    ana.page.wait_for_selector(".verdict .win")
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ana.tap("Ask the whole table")
    ana.page.wait_for_url(f"**{match}")
    for phone in (ana, ben):
        phone.sees("Ana asks the table", "#dispute")
        phone.sees("By the rules:", "#dispute summary")
    ben.tap("We accept")
    ana.sees("Settled", "#dispute")


def test_the_last_number_in_crazy_lab_enters_nothing_where_the_table_had_answered_otherwise(table, new_phone):
    """A verdict is entered by itself only where nobody decided anything else before; the first trick is the control."""
    (ana, max_, *_), _ = seat_four(table, new_phone)
    for phone in (ana, max_):
        phone.tap("#enter summary:has-text('Go on without minus colours')")
        way(phone, "who")
    trump(ana, "purple")
    numbers(ana, 6, 1, 1, 1)
    max_.page.wait_for_selector('#waiting[data-trick="1-1"]')
    ask_table(max_, 6, 6, 5, 5)
    ana.sees("asks the table", "#dispute")
    ana.tap("#dispute summary:has-text('House rule')")
    ana.page.fill("#dispute [name=words]", "Ties are played again")
    ana.tap("This is our rule")
    ana.sees("Settled", "#dispute")
    assert not ana.page.locator("#dispute > details[open]").count()  # nothing in it to tap: it is out of the way of what comes next
    way(ana, "who")
    trump(ana, "green")
    numbers(ana, 6, 6, 5, 5)
    ana.sees("You had this before.", "#enter")
    ana.sees("house rule: “Ties are played again”", "#enter")
    assert ana.page.locator("#enter").get_attribute("data-trick") == "1-1"
    ana.tap(ana.page.locator("#enter form.book button"))
    max_.sees("House rule: “Ties are played again”. By the rules:", "#story")
