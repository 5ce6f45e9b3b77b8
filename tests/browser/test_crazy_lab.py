"""Crazy Lab on the phones: deep, short and mixed, the sheet's own examples, taps counted, long names."""

import pytest
from browser.phones import SIZE, play_from_lobby, sit

from companion.games import replay

NAMES = ("Ana", "Ben", "Cem")
MINUS = ("purple", "blue", "yellow")
LONG = ("Ana", "Maximiliana Wolkenstein", "Bartholomäus von Ahlefel", "Cem", "Rosalinde Sonnenschein-X")
PANE = "#enter .pane:not([hidden])"


# ---- hands -----------------------------------------------------------------------------------------------------------


def choose_minus(phone, colours=MINUS):
    for seat, colour in enumerate(colours):
        phone.tap(f"#enter .lab-row:nth-of-type({seat + 1}) .suit-{colour}")
    phone.page.wait_for_selector("#enter [data-tabs]")


def choose_plus(phone, colour):
    phone.tap(f"#enter .lab-secret .suit-{colour}")
    phone.page.wait_for_selector("#enter details.lab-secret:has-text('Peek')")


def way(phone, name):
    """Winner, who or cards; the choice comes back by itself."""
    phone.tap(f"#enter [data-tab={name}]")


def trump(phone, colour):
    phone.tap(f"{PANE} .tile.suit-{colour}")


def winner(phone, colour, name):
    trump(phone, colour)
    phone.tap(phone.page.locator(f"{PANE} .person", has_text=name))


def numbers(phone, *values):
    for value in values:
        phone.tap(f'{PANE} .lab-keys [data-value="{value}"]')


def cards(phone, colour, hand):
    """A trick by its cards, with the tap that enters it."""
    before = phone.taps
    trump(phone, colour)
    for n, card in enumerate(hand):
        for each, value in card.items():
            phone.tap(f'{PANE} .pick[data-colour={each}][data-value="{value}"]')
        if len(card) < 3 or n == len(hand) - 1:
            phone.tap(f"{PANE} [data-done]")
    return phone.taps - before


def tally(phone, name, *values):
    for value in values:
        phone.tap(f'#enter [data-tally]:has([name={name}]) [data-add="{value}"]')


def at_trick(n, *phones):
    for phone in phones:
        phone.page.wait_for_selector(f"#enter h2:has-text('Trick {n} of 10')")


def sums(phone):
    return [phone.page.input_value(f"#enter [name={name}]") for name in ("plus", "minus")]


def enter(phone, match, ask, **fields):
    """Straight to the server: how a test gets to a late position."""
    send = """([url, fields]) => {
        const token = document.querySelector("[name=csrf_token]").value, key = "key " + Math.random();
        const body = new URLSearchParams({csrf_token: token, key, ...fields});
        return fetch(url, {method: "POST", headers: {"HX-Request": "true"}, body}).then(answer => answer.status);
    }"""
    assert phone.page.evaluate(send, [f"{match}/act/{ask}", fields]) == 204


def results(phone):
    """Each one's points as the last round's table shows them."""
    rows = phone.page.locator("#board .lab-result")
    return {name: int(points.replace("−", "-")) for name, points in zip(
        rows.locator(".name").all_inner_texts(), rows.locator(".points").all_inner_texts(), strict=True)}  # fmt: skip


# ---- a whole match by cards ------------------------------------------------------------------------------------------

FIRST = ("purple", [{"green": 5, "purple": 1, "orange": 1}, {"blue": 4, "orange": 4, "purple": 1}, {"green": 6, "yellow": 5}])
REST = [
    ("orange", [{"blue": 1}, {"orange": 2}, {"yellow": 3, "green": 1}]),
    ("orange", [{"green": 4, "blue": 2}, {"orange": 1}, {"purple": 6, "orange": 5}]),
    ("yellow", [{"orange": 3}, {"orange": 6, "yellow": 5}, {"green": 2, "purple": 2, "blue": 2}]),
    ("yellow", [{"green": 3, "yellow": 2}, {"blue": 6}, {"orange": 1}]),
    ("yellow", [{"yellow": 4}, {"purple": 3}, {"blue": 3, "green": 3}]),
    ("orange", [{"orange": 4, "blue": 1}, {"green": 1}, {"yellow": 6, "blue": 5}]),
    ("blue", [{"blue": 5, "green": 2}, {"purple": 4}, {"orange": 2}]),
    ("blue", [{"blue": 2}, {"yellow": 1}, {"green": 5, "orange": 1}]),
    ("green", [{"green": 4}, {"green": 1}, {"purple": 5}]),
]


def record(*tricks):
    plus = [{"do": "plus", "seat": seat, "colour": colour} for seat, colour in enumerate(("green", "orange", "blue"))]
    played = [{"do": "trick", "trump": trump, "cards": cards} for trump, cards in tricks]
    return replay({"format": "companion-record/1", "game": "crazy-lab", "players": list(NAMES), "options": {},
                   "actions": [{"do": "minus", "colours": list(MINUS)}, *plus, *played]})  # fmt: skip


def test_a_whole_match_by_cards(new_phone, table):
    ana, ben, cem = phones = new_phone(), new_phone(dark=True), new_phone()
    match = play_from_lobby(ana, [ben, cem], NAMES, "Crazy Lab", starter="Ana")
    before = ana.taps
    choose_minus(ana)
    assert ana.taps - before == 3
    _secrets(*phones)
    way(ana, "cards")
    way(ben, "cards")
    assert cards(ana, *FIRST) <= 1 + 8 + 3
    at_trick(2, *phones)
    cem.sees("Ana wins: purple 1 is the highest purple in the trick.", "#board")
    _undo_and_enter_again(ana, ben, cem)
    _with_a_phone_offline(ana, ben, cem)
    for n, (colour, hand) in enumerate(REST[3:], 5):
        phone = (ana, ben)[n % 2]
        assert cards(phone, colour, hand) <= 1 + sum(map(len, hand)) + 3
        at_trick(n + 1, *phones) if n < 10 else cem.page.wait_for_selector("#enter .win")
    _result(phones, record(FIRST, *REST))
    _correct_an_old_trick(ana, cem, match)


def _secrets(ana, ben, cem):
    for phone, colour in ((ana, "green"), (ben, "orange"), (cem, "blue")):
        before = phone.taps
        phone.page.wait_for_selector("#enter .lab-secret")
        choose_plus(phone, colour)
        assert phone.taps - before == 1
    ben.page.wait_for_function("() => document.querySelectorAll('#waiting .done').length === 3")
    ben.sees("Ana has chosen a secret plus colour.", "#story")
    cem.tap("#enter details.lab-secret summary")
    cem.sees("blue", "#enter details.lab-secret")
    ana.page.reload()
    ana.line("live")


def _undo_and_enter_again(ana, ben, cem):
    cards(ben, *REST[1])  # the wrong one
    at_trick(3, ana, ben, cem)
    ben.tap("#undo button")
    at_trick(2, ana, ben, cem)
    ben.page.wait_for_selector(f"{PANE} .lab-grid")  # still by cards
    cards(ben, *REST[0])
    at_trick(3, ana, ben, cem)


def _with_a_phone_offline(ana, ben, cem):
    cem.expect("ERR_INTERNET_DISCONNECTED")
    cem.page.context.set_offline(True)
    cards(ana, *REST[1])
    at_trick(4, ana, ben)
    cards(ana, *REST[2])
    at_trick(5, ana, ben)
    cem.page.context.set_offline(False)
    at_trick(5, cem)
    ben.page.reload()
    ben.line("live")
    ben.page.wait_for_selector(f"{PANE} .lab-grid")


def _result(phones, expected):
    totals = dict(zip(NAMES, expected["totals"], strict=True))
    for phone in phones:
        phone.page.wait_for_selector("#enter .win")
        assert results(phone) == totals
        phone.sees("Ana collected green.", "#story")
    ana = phones[0]
    ana.tap(ana.page.locator("#board details", has_text="The cards of Ana").locator("summary"))
    points = ana.page.locator("#board details[open] .lab-won li b:last-child").all_inner_texts()
    assert points[:3] == ["+5 −1", "−1", "+6"]  # LAB-20, worked case 8: 11 − 2 = 9
    ana.tap(ana.page.locator("#board .lab-result", has_text="Ana").locator(".points"))
    ana.sees("0 → ", "main")
    ana.sees("LAB-19", "main")


def _correct_an_old_trick(ana, cem, match):
    """Ana's card in the first trick had a green 3, not a 5."""
    ana.go(match)
    ana.tap(ana.page.locator("#story a", has_text="Ana takes trick 1."))
    ana.page.wait_for_selector("form .lab-grid")
    ana.tap("css=form .lab-slots [data-slot]")
    ana.tap('css=form .pick[data-colour=green][data-value="3"]')
    ana.tap("Correct it")
    ana.page.wait_for_url("**" + match)
    first = (FIRST[0], [{"green": 3, "purple": 1, "orange": 1}, *FIRST[1][1:]])
    totals = dict(zip(NAMES, record(first, *REST)["totals"], strict=True))
    cem.page.wait_for_function(
        "points => document.querySelector('#board .lab-result .points').textContent === points", arg=str(max(totals.values()))
    )
    assert results(cem) == totals


# ---- by the winner only ----------------------------------------------------------------------------------------------


def test_a_whole_match_by_winners(new_phone, table):
    ana, ben = new_phone(), new_phone()
    match = play_from_lobby(ana, [ben], NAMES, "Crazy Lab", without=["Oma"], starter="Ana")
    choose_minus(ana)
    for n in range(1, 5):
        before = ana.taps
        winner(ana, "green", "Ana")
        assert ana.taps - before == 2
        at_trick(n + 1, ana, ben)
    ana.page.locator(f"{PANE} .tile.suit-green").tap(force=True)
    ana.sees("green has been trump four times this round; there is no fifth card of it.", PANE)
    winner(ben, "blue", "Oma")
    at_trick(6, ana, ben)
    ben.tap("#undo button")
    at_trick(5, ana, ben)
    for n in range(5, 11):
        winner(ben, "blue" if n < 9 else "orange", "Ben")
        at_trick(n + 1, ben) if n < 10 else ben.page.wait_for_selector(".lab-count")
    _counts(ana, ben)
    _correct_a_count(ana, match)


def _counts(ana, ben):
    ben.expect("status of 422")
    tally(ben, "plus", 6, 6, 5)
    assert sums(ben)[0] == "6+6+5"
    ben.page.fill("[name=minus]", "130")
    ben.tap("Done")
    ben.sees("Ben cannot have 130 points in one colour: with the cards won there are at most 108.", "#enter")
    assert sums(ben) == ["6+6+5", "130"]
    ben.page.fill("[name=minus]", "")
    tally(ben, "minus", 3, 1)
    ben.sees("17 − 4 = 13", "#enter")
    ben.tap("Done")
    ben.sees("Waiting for Ana, Oma", "#enter")
    ana.page.wait_for_selector(".lab-count")
    tally(ana, "plus", 4)
    tally(ana, "minus", 0)
    ana.tap("Done")
    ana.sees("Waiting for Oma", "#enter")
    ana.tap("Count for Oma")
    ana.page.wait_for_selector(".lab-count h2:has-text('Oma counts')")
    assert sums(ana) == ["0", "0"]  # she took no trick
    ana.tap("Done")
    for phone in (ana, ben):
        phone.sees("Ben", "#enter .win")
        assert results(phone) == {"Ben": 13, "Ana": 4, "Oma": 0}


def _correct_a_count(ana, match):
    ana.tap(ana.page.locator("#story a", has_text="Ana counted 4 plus and 0 minus."))
    ana.page.wait_for_selector("form[data-keypad]")
    ana.key("20")
    ana.tap("Correct it")
    ana.page.wait_for_url("**" + match)
    ana.sees("Ana", "#enter .win")
    assert results(ana) == {"Ana": 20, "Ben": 13, "Oma": 0}


# ---- mixed -----------------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_a_match_in_all_three_ways_at_once(new_phone, table):
    ana, ben, tom = phones = new_phone(), new_phone(), new_phone()
    match = sit(table, *phones, game="crazy-lab", without=["Oma"], names=("Ana", "Ben", "Cem"))
    choose_minus(ana, ("purple", "blue", "yellow", "green"))
    winner(ana, "blue", "Ben")
    at_trick(2, *phones)
    way(ben, "who")
    trump(ben, "green")
    way(ben, "cards")  # the trump stays
    assert ben.page.locator(f"{PANE} [name=trump]:checked").input_value() == "green"
    hand = [{"green": 2}, {"green": 4, "blue": 4}, {"yellow": 6, "purple": 5}, {"orange": 1, "green": 3, "blue": 1}]
    cards(ben, "green", hand)
    at_trick(3, *phones)
    ben.sees("Cem wins: green 4 is the highest green in the trick.", "#board")
    _seen_before(ben)
    _somebody_was_quicker(ana, ben, tom)
    for n in range(4, 11):
        hand = {f"cards.{turn}.{colour}": str(1 + (n + turn) % 6) for turn, colour in enumerate(("purple", "yellow", "orange", "green"))}
        enter(ana, match, f"round-1-trick-{n}-cards", trump=("purple", "yellow")[n % 2], **hand)
    ana.page.wait_for_selector("#enter .lab-count")
    tom.page.wait_for_selector("#enter .lab-secret .suit-orange")
    choose_plus(tom, "orange")  # only now: the cards that he won are known, and so are his sums
    tom.page.wait_for_selector(".lab-count")
    plus, minus = sums(tom)
    assert plus.isdigit()
    assert minus.isdigit()
    before = tom.taps
    tom.tap("Done")
    assert tom.taps - before == 1
    tom.sees("Waiting for Ana, Ben, Oma", "#enter")


def test_three_rounds_from_the_lobby_with_a_correction_two_rounds_back(new_phone, table):
    """Every way of entering in one match; what was wrong in round 1 is put right in round 3, on all phones, also on one that was away."""
    ana, ben, cem = phones = new_phone(), new_phone(dark=True), new_phone()
    match = play_from_lobby(ana, [ben, cem], NAMES, "Crazy Lab", starter="Ana", rounds="3")
    choose_minus(ana)
    winner(ana, "green", "Ben")
    at_trick(2, *phones)
    way(ben, "who")
    trump(ben, "blue")
    numbers(ben, 3, 0, 5)  # Ben leads, then Cem, then Ana
    at_trick(3, *phones)
    ben.sees("Ana wins: blue 5 is the highest blue in the trick.", ".lab-booked")
    way(cem, "cards")
    for again in (False, True):
        cards(cem, "yellow", [{"yellow": 2}, {"yellow": 4, "blue": 1}, {"orange": 6, "purple": 5}])
        at_trick(4, *phones)
        cem.sees("Ben wins: yellow 4 is the highest yellow in the trick.", "#board")
        if not again:
            cem.tap("#undo button")
            at_trick(3, *phones)
    for n in range(4, 11):
        enter(ana, match, f"round-1-trick-{n}", winner=n % 3)
    for phone, plus, minus in ((ana, 6, 2), (ben, 5, 0), (cem, 4, 3)):
        phone.page.wait_for_selector(".lab-count")
        tally(phone, "plus", plus)
        tally(phone, "minus", minus)
        phone.tap("Done")
        phone.page.wait_for_selector(".lab-count", state="detached")
    enter(ana, match, "round-2", **{f"{name}.{seat}": 10 if name == "plus" else 0 for name in ("plus", "minus") for seat in range(3)})
    for phone in phones:
        shows_totals(phone, {"Ben": 15, "Ana": 14, "Cem": 11})
    _correct_two_rounds_back(ana, ben, cem, match)
    enter(ana, match, "round-3", **{f"{name}.{seat}": 1 + (seat == 2) for name in ("plus", "minus") for seat in range(3)})
    for phone in phones:
        phone.sees("Ana", "#enter .win")
        shows_totals(phone, {"Ana": 14, "Ben": 13, "Cem": 11})


def _correct_two_rounds_back(ana, ben, cem, match):
    """Ben had two minus points more in round 1. Cem was away meanwhile, Ana loads her page again."""
    cem.expect("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    cem.page.context.set_offline(True)
    ben.go(match + "/story")
    ben.tap(ben.page.locator("#story a", has_text="Ben counted 5 plus and 0 minus."))
    ben.page.wait_for_selector("form[data-keypad]")
    assert ben.values() == ["5", "0"]
    ben.tap(ben.page.locator(".number input").nth(1))
    ben.key("2")
    ben.tap("Correct it")
    ben.page.wait_for_url("**" + match)
    ana.page.reload()
    cem.page.context.set_offline(False)
    for phone in (ana, ben, cem):
        shows_totals(phone, {"Ana": 14, "Ben": 13, "Cem": 11})


def shows_totals(phone, totals):
    for name, points in totals.items():
        row = phone.page.locator("#standings tbody tr", has_text=name)
        row.locator(".points").get_by_text(str(points), exact=True).wait_for()


def _seen_before(ben):
    way(ben, "cards")
    for colour, value in (("green", 4), ("blue", 4)):
        ben.tap(f'{PANE} .pick[data-colour={colour}][data-value="{value}"]')
    ben.sees("Cem played such a card in trick 2.", PANE)
    ben.page.reload()
    ben.line("live")


def _somebody_was_quicker(ana, ben, tom):
    way(ben, "winner")
    trump(ben, "blue")
    winner(tom, "orange", "Oma")
    at_trick(4, ana, tom)
    ben.sees("Somebody else went on meanwhile.", "#enter")
    ben.expect("status of 409")
    ben.tap(ben.page.locator(f"{PANE} .person", has_text="Ana"))
    ben.sees("Cem entered this meanwhile", "#enter")
    ben.sees("You typed", "#enter")
    ben.tap("Go on")
    at_trick(4, ben)


# ---- the sheet -------------------------------------------------------------------------------------------------------

SHEET = ("Jordi", "Cristiano", "Gregorio")
EXAMPLES = [
    ("yellow", [{"yellow": 5, "blue": 1}, {"yellow": 2}, {"yellow": 4, "purple": 6}], "Jordi", "LAB-13"),
    ("blue", [{"blue": 4}, {"blue": 5, "green": 1}, {"blue": 5}], "Cristiano", "LAB-14"),
    ("green", [{"yellow": 4}, {"orange": 5}, {"blue": 6, "purple": 5}], "Jordi", "LAB-15"),
]


def test_the_sheets_examples_by_numbers(new_phone, table):
    phone = new_phone()
    sit(table, phone, game="crazy-lab", names=SHEET[:1], without=SHEET[1:])
    choose_minus(phone)
    way(phone, "who")
    for n, (colour, hand, name, rule) in enumerate(EXAMPLES, 2):
        before = phone.taps
        trump(phone, colour)
        shown = [card.get(colour, 0) for card in hand]
        numbers(phone, *shown)
        assert phone.taps - before == len(SHEET) + 1  # the budget, and nothing more to tap
        if not any(shown):
            phone.sees("Nobody shows trump", PANE)
            numbers(phone, *(max(card.values()) for card in hand))
        at_trick(n, phone)
        phone.sees(name, ".lab-booked .win")
        phone.sees(rule, ".lab-booked")
        phone.sees(f"{name} takes trick {n - 1}.", "#board")


def test_a_verdict_is_taken_back_at_once_even_where_the_stream_is_slow(new_phone, table):
    """The way back comes with the answer: it never means the entry before."""
    ana, ben = new_phone(late="streams"), new_phone()
    sit(table, ana, ben, game="crazy-lab", without=["Cem"])
    choose_minus(ana)
    way(ana, "who")
    for n in (1, 2):
        trump(ana, "blue")
        numbers(ana, 5, 3, 0)
        ana.page.wait_for_selector(f".lab-booked:has-text('Entered as trick {n}')")
    ana.tap(".lab-booked button")
    ben.sees("Trick 2 of 10", "#enter")
    at_trick(2, ana)


def test_a_verdict_offers_no_way_back_that_means_something_else(new_phone, table):
    ana, ben = new_phone(), new_phone()
    sit(table, ana, ben, game="crazy-lab", without=["Cem"])
    choose_minus(ana)
    way(ana, "who")
    trump(ana, "blue")
    numbers(ana, 5, 3, 0)
    ana.page.wait_for_selector(".lab-booked button")
    ben.tap("#enter details.lab-secret summary")
    choose_plus(ben, "green")
    ana.page.wait_for_selector(".lab-booked button", state="hidden")
    ana.sees("Ana wins: blue 5 is the highest blue in the trick.", ".lab-booked")


def test_the_sheets_examples_by_cards(new_phone, table):
    phone = new_phone()
    sit(table, phone, game="crazy-lab", names=SHEET[:1], without=SHEET[1:])
    choose_minus(phone)
    way(phone, "cards")
    for n, (colour, hand, name, rule) in enumerate(EXAMPLES, 2):
        assert cards(phone, colour, hand) <= 1 + sum(map(len, hand)) + len(SHEET)
        at_trick(n, phone)
        phone.sees(f"{name} wins", "#board .winning")
        phone.sees(rule, "#board")
        phone.sees(f"Trick {n - 1} {name} wins", "#enter .taken summary")


def test_who_took_the_last_trick_and_why_stands_above_the_next_one(new_phone, table):
    """One line in view, the whole chain of reasons a tap away; a trick entered by its winner has none."""
    ana, ben = new_phone(), new_phone()
    sit(table, ana, ben, game="crazy-lab", without=["Cem"])
    choose_minus(ana)
    way(ana, "cards")
    cards(ana, *FIRST)
    for phone in (ana, ben):
        phone.sees("Trick 1 Ana wins: purple 1 is the highest purple in the trick.", "#enter .taken")
        assert 0 <= phone.box("#enter .taken")["y"] < SIZE["height"] / 2
    assert ana.page.locator("#enter .taken .why").is_hidden()
    ana.tap("#enter .taken summary")
    ana.sees("Cem shows no purple; every purple beats that, even a 1.", "#enter .taken .why")
    winner(ben, "blue", "Ben")
    at_trick(3, ana, ben)
    assert ana.page.locator("#enter .taken").count() == 0


def test_a_trick_entered_anew_by_its_cards_says_only_once_who_took_it(new_phone, table):
    ana = new_phone()
    sit(table, ana, game="crazy-lab", names=("Ana",), without=["Ben", "Cem"])
    choose_minus(ana)
    way(ana, "who")
    trump(ana, "purple")
    numbers(ana, 0, 3, 0)
    ana.sees("Ben", ".lab-booked .win")
    ana.tap(".lab-booked button")
    at_trick(1, ana)
    way(ana, "cards")
    cards(ana, *FIRST)
    ana.sees("Ana wins", "#enter .taken")
    way(ana, "who")
    assert ana.page.locator(".lab-booked").is_hidden()


# ---- every screen ----------------------------------------------------------------------------------------------------

SMALL = """() => [...document.querySelectorAll("#enter button, #enter .tile > span, #enter a.button, #enter summary")]
    .filter(each => each.offsetParent && each.getBoundingClientRect().height < 48).map(each => each.outerHTML)"""


def fits(phone):
    phone.page.wait_for_timeout(50)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert phone.page.evaluate(SMALL) == []


def test_nothing_scrolls_sideways_with_five_long_names(new_phone, table):
    phone, tv = new_phone(), new_phone(viewport={"width": 1280, "height": 720}, is_mobile=False)
    match = sit(table, phone, game="crazy-lab", names=LONG[:1], without=LONG[1:], rounds=2)
    fits(phone)
    for seat, colour in enumerate(("purple", "blue", "yellow", "orange")):
        phone.tap(f"#enter .lab-row:nth-of-type({seat + 1}) .suit-{colour}")
    phone.sees("Rosalinde Sonnenschein-X avoids green.", "#board")  # what is left over is filled in
    assert phone.taps == 4
    fits(phone)
    for name in ("who", "cards", "winner"):
        way(phone, name)
        fits(phone)
    way(phone, "who")
    trump(phone, "blue")
    numbers(phone, 5, 5, 0, 1, 6)
    phone.page.wait_for_selector(".lab-booked .verdict")
    fits(phone)
    phone.tap(".lab-booked button")
    at_trick(1, phone)
    phone.page.wait_for_selector(".lab-booked", state="hidden")
    way(phone, "cards")
    cards(phone, "blue", [{"blue": 6, "green": 6, "orange": 6}] * 5)
    at_trick(2, phone)
    fits(phone)
    for n in range(2, 11):
        enter(
            phone,
            match,
            f"round-1-trick-{n}-cards",
            trump=("blue", "green", "purple")[n % 3],
            **{f"cards.{turn}.blue": "6" for turn in range(5)},
        )
    phone.page.wait_for_selector(".lab-count")
    fits(phone)
    for seat in range(5):
        enter(phone, match, f"round-1-count-{seat}", plus="0", minus="40" if seat == 0 else "0")
    phone.sees("Round 1", "#board")
    fits(phone)
    tv.page.context.add_cookies(phone.page.context.cookies())
    tv.go(phone.page.evaluate("document.querySelector('.top .home').pathname") + "/tv")
    tv.sees("−40", "#board", tv.soon)
    assert tv.page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_somebody_who_watches_gets_no_forms(new_phone, table):
    ana, tom = new_phone(), new_phone(dark=True)
    match = sit(table, ana, game="crazy-lab", names=("Ana",), without=["Ben", "Cem"])
    choose_minus(ana)
    link = _invitation(ana, match)
    tom.go(link)
    tom.page.fill("#name", "Tom")
    tom.tap("[name=watch]")
    tom.page.wait_for_url("**/n/*")
    tom.go(match)
    tom.sees("You are watching this match.", "#enter")
    winner(ana, "blue", "Ben")
    tom.sees("Ben takes trick 1.", "#board")
    assert tom.page.locator("#enter form").count() == 0


def _invitation(phone, match):
    from web.qr import read_svg

    phone.go(phone.page.evaluate("document.querySelector('.top .home').pathname"))
    link = read_svg(phone.page.locator("#invite svg.qr").evaluate("svg => svg.outerHTML"))
    phone.go(match)
    return link


def test_a_round_without_script(new_phone, table):
    """Plain forms: colours and numbers as radio buttons, people as buttons, sums typed."""
    other, ana = new_phone(), new_phone(java_script_enabled=False)
    match = sit(table, other, game="crazy-lab", names=("Ana",), without=["Ben", "Cem"])
    ana.page.context.add_cookies(other.page.context.cookies())
    ana.go(match)
    for seat, colour in enumerate(MINUS):
        ana.page.check(f'[name="colours.{seat}"][value={colour}]', force=True)
    ana.tap("Enter the minus colours")
    ana.page.check("#enter .lab-secret [value=green]", force=True)
    ana.tap("Choose in secret")
    for n in range(1, 3):
        ana.page.locator("[name=trump][value=blue]").first.check(force=True)
        ana.tap(ana.page.locator("#enter .person", has_text="Ben"))
        ana.sees(f"Ben takes trick {n}.", "#story")
    ana.tap("Enter the cards step by step")
    ana.sees("Which cards were played to trick 3?", "#enter")
    ana.go(match)
    for name in ("Ben", "Cem"):
        ana.tap("css=#enter details:has-text('Skip the tricks') summary" if name == "Ben" else "css=body")
        ana.tap(f"Count for {name}")
        ana.page.fill("[name=plus]", "9+4")
        ana.page.fill("[name=minus]", "3")
        ana.tap("Done")
    ana.sees("Ben counted 13 plus and 3 minus.", "#story")
