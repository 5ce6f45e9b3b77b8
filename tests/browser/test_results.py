"""After a match: the result on phones, the night's standings, the TV between matches, and the page on paper."""

import random
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser.phones import gather, new_table
from browser.test_pages import SIDEWAYS, SMALL
from conftest import install_toy

STYLE = Path(__file__).parents[2] / "static" / "results.css"
LONG = tuple(f"{letter}ximiliana-Wilhelmine {n}x"[:24] for n, letter in enumerate("ABCDEFGH"))
ROUNDS = (((20, 30, 10), (5, 5, 5)), ((40, 10, 10), (5, 5, 5)), ((10, 60, 10), (5, 5, 5)))  # 15 25 5, 50 30 10, 55 85 15
TV = {"viewport": {"width": 1280, "height": 720}, "is_mobile": False, "has_touch": False}


def start(hand, lobby, game="ligretto-crazy", seats=8, **options):
    people = re.findall(r'name="seat" value="([^"]+)"', hand.get(f"{lobby}/new/{game}")[1])[:seats]
    return urlsplit(hand.post(f"{lobby}/new/{game}", {"seat": people, "order": ",".join(people), **options})[0]).path


def enter(hand, match, rounds, first=1):
    """Rounds, quickly, without looking."""
    for n, piles in enumerate(rounds, first):
        fields = {f"{name}.{seat}": each for name, pile in zip(("scored", "left"), piles, strict=True) for seat, each in enumerate(pile)}
        hand.post(f"{match}/act/round-{n}", {**fields, "key": f"the key of round {n}"})


def walk(rounds, seats=8):
    """Ups and downs without end, then one who comes from behind."""
    chance, totals = random.Random(4), [0] * seats
    for _ in range(rounds - 1):
        scored, left = [chance.randint(0, 14) for _ in totals], [chance.randint(0, 14) for _ in totals]
        scored = [each if total + each < 140 else 0 for each, total in zip(scored, totals, strict=True)]
        totals = [total + plus - minus for total, plus, minus in zip(totals, scored, left, strict=True)]
        yield scored, left
    last = totals.index(sorted(totals)[seats // 2])
    yield [max(0, 155 - totals[last]) if seat == last else 2 for seat in range(seats)], [0] * seats


@pytest.fixture
def crowd_table(tmp_path):
    """A server with a game for eight."""
    table = new_table(tmp_path / "instance", install_toy(tmp_path / "site", "crowd"))
    yield table
    table.server.stop()


def crowd(table, phone, rounds):
    """A finished match of eight people with the longest names."""
    lobby, (hand,) = gather(table, phone, names=LONG[:1], without=LONG[1:])
    match = start(hand, lobby, "crowd", target=150)
    enter(hand, match, walk(rounds))
    return lobby, match


# ---- an evening ------------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_after_a_match_everybody_sees_the_result_and_the_night(new_phone, table):
    ana, ben, tv = new_phone("Ana", dark=True), new_phone("Ben"), new_phone("TV", **TV)
    lobby, hands = gather(table, ana, ben, tv, names=("Ana", "Ben", "Cem"))
    match = start(hands[0], lobby, seats=3, target=75)
    tv.go(lobby + "/tv")
    for phone in (ana, ben):
        phone.go(match)
    tv.sees("To 75 points")
    enter(hands[0], match, ROUNDS)
    for phone in (ana, ben):
        phone.sees("wins with 85 points", "#enter")
    tv.sees("Ben wins")
    tv.sees("The night's standings")
    ben.tap("How it went, and a picture to pass on")
    ben.sees("Ben took the lead only at the very end, with round 3.")
    box = ben.box("svg.chart")
    assert box["width"] > 280
    assert box["height"] > 150
    assert ben.page.locator(".card-picture").evaluate("image => image.decode().then(() => image.naturalWidth)") >= 1000
    ben.tap("The night's standings")
    ben.sees("one more for everybody who came in behind you")
    assert ben.page.locator(".lines .name").all_inner_texts() == ["Ben", "Ana", "Cem"]
    _next_match(ana, ben, tv, lobby, hands)


def _next_match(ana, ben, tv, lobby, hands):
    """It is on the TV at once; its end is on the page that Ben still has open."""
    second = start(hands[0], lobby, seats=3, target=50)
    tv.sees("To 50 points")
    enter(hands[0], second, [((70, 3, 3), (5, 5, 5))])
    ben.page.locator(".lines li:first-child .name").get_by_text("Ana", exact=True).wait_for()
    tv.sees("Ana wins")
    ana.go(lobby + "/standings")
    ana.tap(ana.page.locator(".tap", has_text="Winner takes 1"))
    ana.tap("Count like this")
    for phone in (ana, ben, tv):
        phone.sees("1 point to its winner")


def test_without_script_a_result_and_the_scheme_work_too(new_phone, table):
    plain = new_phone("plain", java_script_enabled=False)
    lobby, (hand,) = gather(table, plain, names=("Ana",), without=("Ben", "Cem"))
    match = start(hand, lobby, seats=3, target=75)
    enter(hand, match, ROUNDS)
    plain.go(match)
    plain.tap("How it went, and a picture to pass on")
    plain.tap("css=.numbers summary")
    assert plain.page.locator(".numbers tbody tr").all_inner_texts()[-1].split() == ["3", "55", "85", "15"]
    plain.tap("The night's standings")
    plain.tap(plain.page.locator(".tap", has_text="3–2–1 by place"))
    plain.tap("Count like this")
    plain.sees("A match is worth 3 points for the first place", "#standings")


# ---- passing it on ---------------------------------------------------------------------------------------------------


def test_on_plain_http_the_text_is_marked_with_one_tap(new_phone, table):
    ana = new_phone("Ana")
    lobby, (hand,) = gather(table, ana, names=("Ana",), without=("Ben", "Cem"))
    match = start(hand, lobby, seats=3, target=75)
    enter(hand, match, ROUNDS)
    ana.go(match + "/result")
    assert not ana.page.locator("[data-copy]").is_visible()
    assert not ana.page.locator("[data-share]").is_visible()
    ana.tap("#words")
    marked = ana.page.evaluate("(field => field.value.slice(field.selectionStart, field.selectionEnd))(document.querySelector('#words'))")
    assert marked.split("\n")[1:3] == ["Ben wins", "1. Ben: 85"]


def test_where_the_browser_can_copy_there_is_a_button(new_phone, table):
    ana = new_phone("Ana", url=table.server.url, permissions=["clipboard-read", "clipboard-write"])
    lobby, (hand,) = gather(table, ana, names=("Ana",), without=("Ben", "Cem"))
    match = start(hand, lobby, seats=3, target=75)
    enter(hand, match, ROUNDS)
    ana.go(match + "/result")
    ana.tap("Copy the text")
    ana.sees("Copied")
    assert "1. Ben: 85" in ana.page.evaluate("navigator.clipboard.readText()")


SHARES = "navigator.canShare = () => true; navigator.share = given => { window.given = given; return Promise.resolve(); };"


def test_where_there_is_a_share_sheet_it_gets_text_and_picture(new_phone, table):
    ana = new_phone("Ana", url=table.server.url)
    ana.page.context.add_init_script(SHARES)
    lobby, (hand,) = gather(table, ana, names=("Ana",), without=("Ben", "Cem"))
    match = start(hand, lobby, seats=3, target=75)
    enter(hand, match, ROUNDS)
    ana.go(match + "/result")
    ana.page.wait_for_load_state("networkidle")
    ana.tap("Share")
    text, kind, size = ana.page.evaluate("[given.text, given.files[0].type, given.files[0].size]")
    assert "1. Ben: 85" in text
    assert kind == "image/png"
    assert size > 5_000


# ---- many ------------------------------------------------------------------------------------------------------------

OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.chart .curve text')].map(text => text.getBoundingClientRect()).sort((a, b) => a.y - b.y);
  return boxes.slice(1).filter((box, n) => box.y + 1 < boxes[n].y + boxes[n].height * .8).length; }"""


@pytest.mark.parametrize("dark", [False, True])
def test_two_hundred_rounds_and_eight_long_names_fit_on_a_phone(crowd_table, new_phone, dark):
    ana = new_phone("Ana", url=crowd_table.url, dark=dark)
    lobby, match = crowd(crowd_table, ana, 200)
    for path, opened in ((match + "/result", ".numbers summary"), (lobby + "/standings", ".lines summary"), (lobby, ".lines summary")):
        ana.go(path)
        ana.tap(ana.page.locator(opened).first)
        width, screen = ana.page.evaluate(SIDEWAYS)
        assert width <= screen, path
        assert ana.page.evaluate(SMALL) == [], path
    ana.go(match + "/result")
    assert ana.page.locator(".chart polyline").count() == 8
    assert ana.page.evaluate(OVERLAPS) == 0


def test_eight_people_fit_on_the_tv(crowd_table, new_phone):
    tv = new_phone("TV", url=crowd_table.url, **TV)
    lobby, _ = crowd(crowd_table, tv, 12)
    tv.go(lobby + "/tv")
    lowest = tv.box(tv.page.locator(".lines > li").last)
    assert lowest["y"] + lowest["height"] <= 720
    width, screen = tv.page.evaluate(SIDEWAYS)
    assert width <= screen


# ---- on paper --------------------------------------------------------------------------------------------------------


def pages(phone):
    return len(re.findall(rb"/Type\s*/Page\b", phone.page.pdf(format="A4")))


@pytest.mark.parametrize("rounds", [1, 16, 17, 200])
def test_a_result_is_one_page_of_paper(crowd_table, new_phone, rounds):
    """With the numbers of all rounds while they fit."""
    ana = new_phone("Ana", url=crowd_table.url, dark=True)
    _, match = crowd(crowd_table, ana, rounds)
    ana.go(match + "/result")
    assert pages(ana) == 1
    ana.page.emulate_media(media="print")
    assert ana.page.locator(".printed").is_visible() == (rounds <= 16)
    assert ana.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert ana.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_control_without_its_print_style_it_would_be_more(crowd_table, new_phone):
    ana = new_phone("Ana", url=crowd_table.url)
    _, match = crowd(crowd_table, ana, 16)
    screen = STYLE.read_text(encoding="utf-8").split("@media print")[0]
    ana.page.route("**/static/results.css*", lambda route: route.fulfill(body=screen, content_type="text/css"))
    ana.go(match + "/result")
    assert pages(ana) > 1
