"""“Who wins this trick?” on a phone: the taps are counted, the link opens elsewhere, everything works without script."""

import re
from urllib.parse import urlsplit

import pytest
from browser.phones import SIZE
from browser.test_pages import LONG, check
from dispute_tables import disputes

NAMES = "".join(f"&name={name.replace(' ', '+')}" for name in LONG)


def card(phone, name):
    """A tap on a card, once the page that just changed takes taps again."""
    phone.page.locator(".fresh").wait_for(state="detached")
    phone.tap(phone.page.get_by_role("button", name=name, exact=True))


def number(phone, value):
    phone.tap(phone.page.locator(".numbers .tile-link").get_by_text(str(value), exact=True))


def open_game(phone, name):
    """Two taps from home: the way, then the game."""
    phone.go("/")
    phone.taps = 0
    phone.tap("Who wins this trick?")
    phone.tap(name)
    phone.page.wait_for_selector("#resolver")
    phone.page.wait_for_load_state()  # with its styles
    return phone


def verdict(phone, text):
    phone.sees(text, ".verdict .win")


# ---- taps ------------------------------------------------------------------------------------------------------------


def test_crazy_lab_in_three_taps_and_one_a_player(new_phone):
    ana = open_game(new_phone(), "Crazy Lab")
    ana.tap("#resolver .suit-green")
    assert ana.taps == 3
    for n, value in enumerate(("3", "none", "5", "5"), 1):
        ana.sees(f"How much green does the card of Player {n} show?")
        number(ana, value)
    verdict(ana, "Player 3 wins this trick.")
    assert ana.taps == 3 + 4
    assert ana.page.title() == "Player 3 wins this trick. · Crazy Lab"
    assert "cards=green:3,green:0,green:5,green:5" in ana.page.url
    ana.page.go_back()
    ana.sees("How much green does the card of Player 4 show?")


def test_crazy_lab_without_trump_asks_for_the_highest_numbers(new_phone):
    ana = open_game(new_phone(dark=True), "Crazy Lab")
    ana.tap("css=.players summary")
    ana.tap("css=.players .chips a:text-is('3')")
    ana.sees("3 players")
    ana.tap("#resolver .suit-green")
    for n in (1, 2, 3):
        ana.sees(f"How much green does the card of Player {n} show?")
        number(ana, "none")
    for n, value in enumerate((4, 6, 6), 1):
        ana.sees(f"Nobody shows green: what is the highest number on the card of Player {n}?")
        number(ana, value)
    verdict(ana, "Player 2 wins this trick.")


def test_the_academy_in_three_taps_and_one_a_card(new_phone):
    ana = open_game(new_phone(), "The Academy")
    ana.tap("#resolver .suit-green")
    for n, name in enumerate(("blue 5", "blue 7", "green 3", "purple 2"), 1):
        ana.sees(f"Which card does Player {n} play?")
        card(ana, name)
    verdict(ana, "Player 3 wins this trick.")
    assert ana.taps == 3 + 4
    assert ana.page.evaluate("scrollY") == 0


def test_a_card_that_lies_there_says_so_when_tapped(new_phone):
    ana = open_game(new_phone(), "The Academy")
    ana.tap("#resolver .suit-green")
    ana.sees("Which card does Player 1 play?")
    card(ana, "blue 5")
    ana.sees("Which card does Player 2 play?")
    ana.page.get_by_role("button", name="blue 5", exact=True).dispatch_event("click")  # a tap waits for what says that it is disabled
    ana.sees("This card lies there already.")
    ana.tap("css=.slots .has a")
    ana.sees("Which card does Player 1 play?")


def test_tricky_cribby_in_three_taps_and_one_a_card(new_phone):
    ana = open_game(new_phone(), "Tricky Cribby")
    ana.tap("As listed here, from the strongest to the weakest")
    for n, name in enumerate(("red 1", "yellow 9", "yellow 4", "purple 9"), 1):
        ana.sees(f"Which card does Player {n} play?")
        card(ana, name)
    verdict(ana, "Player 1 wins this trick.")
    assert ana.taps == 3 + 4
    assert ana.page.locator(".picks li > span:last-child").all_inner_texts() == ["Player 4", "Player 3", "Player 2", "Player 1", "Player 1"]


def test_crazy_race_in_two_taps_and_one_a_card(new_phone):
    ana = open_game(new_phone(), "Crazy Race")
    place = ana.page.get_by_role("button", name="Player 2: 4", exact=True)
    before = ana.box(place)
    for n, name in enumerate(("Player 1: 2", "Player 2: 4", "Player 1: 2"), 1):
        card(ana, name)
        ana.page.locator(f".bidden li:nth-child({n})").wait_for()
    verdict(ana, "Player 1 wins this edge.")
    assert ana.taps == 2 + 3
    assert ana.box(place) == before, "the pad stays where it is"
    assert ana.box(".win")["y"] < SIZE["height"] - 40, "the verdict can be seen"


def test_ligretto_crazy_in_two_taps_and_two(new_phone):
    ana = open_game(new_phone(), "Ligretto Crazy")
    number(ana, 4)
    ana.sees("Which card is laid?")
    number(ana, 5)
    verdict(ana, "Yes, and it closes the pile.")
    assert ana.taps == 4


# ---- what if, claims, names ------------------------------------------------------------------------------------------


def test_what_if_is_one_tap(new_phone):
    ana = new_phone().go(disputes("the-academy")[0].address)
    ana.tap("if there were no trump")
    ana.sees("Xavier wins this trick.", ".otherwise")
    ana.sees("there is no trump, and blue 7 is the highest card", ".otherwise")
    ana.tap("if Tyler had had to follow instead of playing green 3")
    ana.sees("With blue 8 to blue 9", ".otherwise")
    verdict(ana, "Tyler wins this trick.")


def test_a_claim_is_one_tap(new_phone):
    ana = new_phone().go(disputes("the-academy")[0].address)
    ana.tap("css=#resolver .chips a:has-text('Xavier')")
    ana.sees("Xavier says “I win”: wrong.", ".verdict")
    ana.tap("css=#resolver .chips a:has-text('Tyler')")
    ana.sees("Tyler says “I win”: right.", ".verdict")


def test_names_can_be_typed(new_phone):
    ana = new_phone().go("/who-wins/crazy-lab?trump=green&cards=green:3,green:6,green:1&players=3")
    ana.tap("css=.players summary")
    ana.page.locator(".players input[name=name]").nth(1).fill("Zoë & Co")
    ana.tap("Use these names")
    verdict(ana, "Zoë & Co wins this trick.")
    assert ana.page.reload().status == 200
    verdict(ana, "Zoë & Co wins this trick.")


# ---- sharing ---------------------------------------------------------------------------------------------------------


def test_the_link_opens_with_the_verdict_elsewhere(new_phone, table):
    ana = open_game(new_phone("Ana"), "Ligretto Crazy")
    number(ana, 4)
    ana.sees("Which card is laid?")
    number(ana, "Crazy")
    verdict(ana, "Yes, and as a 5 it closes the pile.")
    ana.tap("css=.share summary")
    link = ana.page.locator("#address").input_value()
    assert link.startswith(table.url)
    assert not ana.page.locator("[data-copy], [data-share]").filter(visible=True).count(), "a plain address has no clipboard"
    ana.page.locator(".share img.qr").scroll_into_view_if_needed()
    ana.page.locator(".share img.qr").evaluate("image => image.decode()")
    ben = new_phone("Ben").go(link)
    verdict(ben, "Yes, and as a 5 it closes the pile.")
    assert ben.page.locator("meta[property='og:image']").get_attribute("content").startswith(table.url)


def test_in_a_secure_context_the_address_is_copied(new_phone, table):
    ana = new_phone(url=table.server.url)
    ana.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.go(disputes("crazy-lab")[0].address)
    ana.tap("css=.share summary")
    ana.tap("Copy")
    ana.sees("Copied", ".share")
    assert ana.page.evaluate("navigator.clipboard.readText()") == ana.page.locator("#address").input_value()


# ---- without script --------------------------------------------------------------------------------------------------


def test_everything_works_without_script(new_phone):
    ana = new_phone(java_script_enabled=False)
    ana.go("/")
    ana.tap("Who wins this trick?")
    ana.tap("Tricky Cribby")
    for colour in ("red", "green", "blue", "yellow"):
        ana.tap(f"#resolver .suits .suit-{colour}")
    for name in ("red 1", "green 9", "green 4", "purple 9"):
        card(ana, name)
    verdict(ana, "Player 1 wins this trick.")
    ana.tap("if purple were strongest")
    ana.sees("Player 4 wins this trick.", ".otherwise")
    assert re.search(r"strength=red,green,blue,yellow,purple&cards=red-1,green-9,green-4,purple-9&", ana.page.url)
    ana.go("/who-wins/crazy-race")
    card(ana, "Player 3: 6")
    verdict(ana, "Player 3 wins this edge.")
    assert urlsplit(ana.page.url).path == "/who-wins/crazy-race"


# ---- room ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_no_page_of_it_scrolls_sideways(new_phone, dark):
    ana = new_phone(dark=dark)
    pages = (
        "/who-wins",
        "/who-wins/crazy-lab?trump=green&cards=green:6.blue:5.purple:1,green:0,green:5&players=5&edit=1" + NAMES,
        "/who-wins/crazy-lab?trump=green&cards=green:5.blue:5.purple:1,highest:1,green:5,green:1,green:2&claim=4&if=leader-3" + NAMES,
        "/who-wins/the-academy?trump=green&cards=blue-5,blue-7,green-3,purple-2&if=follow-2&players=4" + NAMES,
        "/who-wins/the-academy?trump=none&cards=blue-5&players=4" + NAMES,
        "/who-wins/tricky-cribby?strength=red,green,blue,yellow,purple&cards=red-1,green-9,green-4,purple-9&players=4" + NAMES,
        "/who-wins/crazy-race?cards=0:6,0:4,0:3,1:6,1:4,1:3,2:6,2:4,3:1&players=4" + NAMES,
        "/who-wins/ligretto-crazy?top=none&card=crazy",
        "/who-wins/the-academy?trump=mauve",
    )
    for there in pages:
        ana.go(there)
        ana.page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true; })")
        check(ana, there)
        assert ana.page.viewport_size == SIZE


def test_control_the_checks_would_notice_a_verdict_that_is_too_wide(new_phone):
    ana = new_phone().go(disputes("the-academy")[0].address)
    ana.page.evaluate("() => { document.querySelector('.win').style.width = '400px'; }")
    with pytest.raises(AssertionError, match="sideways"):
        check(ana, "a verdict")
