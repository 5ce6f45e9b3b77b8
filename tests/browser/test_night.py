"""A whole Ligretto night on four phones, with somebody who has none."""

import re

import pytest
from browser.phones import SIZE, add_person, code_of, gather, join_by_code, start_night
from web.qr import read_svg

pytestmark = pytest.mark.postgresql

MAX_TAPS = 6  # a player's count: two numbers of two digits


def test_a_whole_ligretto_night(new_phone):
    ana = start_night(new_phone("Ana", dark=True), "Ana")
    assert ana.page.evaluate("isSecureContext") is False
    ben, cem, dia = new_phone("Ben"), new_phone("Cem", dark=True), new_phone("Dia")
    _join(ana, ben, cem, dia)
    add_person(cem, "Oma")
    phones = [ana, ben, cem, dia]
    for phone in phones:
        phone.sees("Oma", "#people")
    names = ["Dia", "Ben", "Oma", "Ana", "Cem"]
    _sit_down(phones, names)
    _first_round(*phones)
    _second_round(*phones)
    _correct_an_old_entry(*phones)
    _result_and_again(phones, names)


@pytest.mark.parametrize("script", [True, False])
def test_people_without_a_phone_are_added_one_after_the_other(new_phone, table, script):
    """Each stands on the screen, and the form for the next one below it."""
    ana = new_phone("Ana", java_script_enabled=script)
    lobby, _ = gather(table, ana)
    ana.go(lobby)
    ana.tap("css=#people .add summary")
    for name in ("Oma", "Opa", "Uli"):
        ana.page.fill("#people .add input[name=name]", name)
        with ana.page.expect_navigation():
            ana.tap("Add")
        if script:
            ana.line("live")  # the stream draws it again, and leaves it open
        for seen in (ana.page.locator("#people li", has_text=name), ana.page.locator("#people .add input[name=name]")):
            at = ana.box(seen)
            assert 0 <= at["y"] < at["y"] + at["height"] <= SIZE["height"] - 70  # above the bar
    assert ana.taps == 4


def _join(ana, ben, cem, dia):
    """Typed, by the link in the QR code, and typed badly first."""
    ben.expect("status of 404")
    ben.go("/")
    ben.page.fill("#code", "ZZZ ZZZ")
    ben.tap("css=form[action='/join'] button")
    ben.sees("No open night has this code")
    join_by_code(ben, code_of(ana).lower(), "Ben")
    link = read_svg(ana.page.locator("#invite svg.qr").evaluate("svg => svg.outerHTML"))
    assert re.fullmatch(re.escape(ana.home) + r"/j/[\w-]{22,}", link)
    for phone, name in ((cem, "Cem"), (dia, "Dia")):
        phone.go(link)
        before = phone.taps
        phone.tap("#name")
        phone.page.keyboard.type(name)
        phone.tap("Join")
        phone.sees(name, "#people")
        assert phone.taps - before == 2
    ana.sees("4 people", "#people")


def _sit_down(phones, names):
    ana, *others = phones
    ana.tap("Choose a game")
    ana.tap(ana.page.locator(".game", has_text="Ligretto Crazy"))
    ana.page.wait_for_selector(".tap")
    for box in ana.page.locator(".tap").all():
        ana.tap(box)
    for name in names:
        ana.tap(ana.page.locator(".tap").filter(has=ana.page.get_by_text(name, exact=True)))
    assert [ana.text(f".tap:has(b:text-is('{name}')) .place") for name in names] == ["1", "2", "3", "4", "5"]
    ana.page.select_option("#target", "50")
    ana.tap("Start the match")
    ana.sees("To 50 points")
    for phone in others:
        phone.tap("css=#matches .match")  # it appeared in the lobby by itself
        phone.sees("To 50 points")
        assert phone.page.locator("#waiting .ring li > span:not(.seat)").all_inner_texts() == names


def _first_round(ana, ben, cem, dia):
    cem.tap("Start")
    for phone in (ana, ben, cem, dia):
        phone.sees("Phones down", "#enter")
        phone.page.locator(".countdown").get_by_text("Go!", exact=True).wait_for()
    dia.tap("Stop!")
    for phone in (ana, ben, cem, dia):
        phone.page.wait_for_selector("form[data-keypad]")
    counts = {ana: (30, 11), ben: (20, 12), cem: (15, 10), dia: (10, 12)}
    for phone, count in counts.items():  # all of them have typed before the first one is done
        phone.taps = 0
        phone.type_count(*count)
    assert ana.text(".net") == "+19 · 0 → 19"
    for phone in counts:
        phone.tap("[data-next]")
        assert phone.taps <= MAX_TAPS
    for phone in counts:
        phone.sees("Waiting for Oma", "#enter")
        assert sorted(phone.done()) == ["Ana", "Ben", "Cem", "Dia"]
    dia.tap(dia.find("Undo").or_(dia.page.locator("#undo button")).first)  # her entry was the last one
    dia.page.wait_for_selector("form[data-keypad]")
    ana.sees("Waiting for Dia, Oma", "#enter")
    _wrong_entry(dia)
    ben.tap("Count for Oma")
    ben.page.wait_for_selector("form[data-keypad]")
    ben.count(5, 30)
    for phone in counts:
        phone.shows({"Ana": 19, "Ben": 8, "Cem": 5, "Dia": 5, "Oma": -25})
        phone.sees("22 cards should lie in the middle.", "#board")


def _wrong_entry(dia):
    dia.expect("status of 422")
    dia.count(99, 12)
    dia.sees("There are 180 cards in the game, but these counts add up to 209. Somebody counted 29 too many.", "#enter")
    assert dia.values() == ["99", "12"]
    dia.tap(dia.page.locator(".number input").first)
    dia.key("15")
    dia.tap(dia.page.locator(".number input").nth(1))
    dia.key("10")
    dia.tap("[data-next]")
    dia.sees("Waiting for Oma", "#enter")


def _second_round(ana, ben, cem, dia):
    for phone in (ana, ben, cem, dia):
        phone.sees("Round 2", "#enter")
    ben.tap("Count without a start")
    for phone, count in {ben: (20, 10), cem: (9, 8), dia: (7, 30), ana: (35, 8)}.items():
        phone.count(*count)
    cem.tap("Count for Oma")
    cem.page.wait_for_selector("form[data-keypad] h2:has-text('Oma')")
    cem.count(5, 20)
    for phone in (ana, ben, cem, dia):
        phone.shows({"Ana": 46, "Ben": 18, "Cem": 6, "Dia": -18, "Oma": -40})


def _correct_an_old_entry(ana, ben, cem, dia):
    """Ana had 36 in the first round, not 30: the totals follow, and with them the end of the match."""
    ana.tap(ana.page.locator("#story a", has_text="Ana: 30 in the score pile, 11 left over."))
    ana.page.wait_for_url("**/entries/*")
    ana.sees("Entered by Ana")
    ana.key("36")
    ana.tap("Correct it")
    ana.page.wait_for_url("**/m/*")
    for phone in (ana, ben, cem, dia):
        phone.shows({"Ana": 52, "Ben": 18, "Cem": 6, "Dia": -18, "Oma": -40})
        phone.sees("corrected", "#story")


def _result_and_again(phones, names):
    ana, ben, *_ = phones
    for phone in phones:
        phone.sees("Ana", "#enter .win")
        phone.sees("wins with 52 points", "#enter")
    ben.tap("Play again")
    ben.page.wait_for_url("**/new/ligretto-crazy*")
    assert [ben.text(f".tap:has(b:text-is('{name}')) .place") for name in names] == ["1", "2", "3", "4", "5"]
    assert ben.page.input_value("#target") == "50"
    ben.tap("Start the match")
    ben.sees("Round 1", "#enter")
    ana.tap("css=.top .home")
    ana.sees("playing", "#matches")
    assert ana.page.locator("#matches .match").count() == 2
