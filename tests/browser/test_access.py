"""For everybody: axe on every page and state, large text, small screens, few colours, no motion; the keyboard alone; what is said aloud."""

import re
from collections import defaultdict

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browser.everywhere import LONG, bring, build, example, looped, walk
from browser.phones import SIZE, Phone, gather, sit
from browser.test_keyboard import FOCUSED, KEYS
from conftest import serve
from past_nights import PastNights

from companion import create_app

pytestmark = pytest.mark.file  # the laptop's own pages are among them

NARROW, LARGE = {"width": 320, "height": 740}, "32px"  # 200 % of the 16 that browsers start with
AXE = """rules => axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}},
    ...(rules ? {runOnly: {type: 'rule', values: rules}} : {})})
  .then(found => found.violations.flatMap(each => each.nodes.map(node => each.id + ': ' + node.html.slice(0, 160))))"""
TEXT = "size => { document.documentElement.style.fontSize = size; }"
WIDE = """width => document.documentElement.scrollWidth > width ? ['scrolls sideways: ' + document.documentElement.scrollWidth] : []"""
# What an ellipsis leaves out, such as a long name in the ring, has to stand somewhere else in full; nothing else may be cut.
CUT = """() => {
  const seen = each => each.getBoundingClientRect().width > 1 && !each.closest('svg, .unseen, [hidden]');
  const speaks = each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  const cut = each => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === 'hidden';
  const dots = each => getComputedStyle(each).textOverflow === 'ellipsis';
  const texts = [...document.querySelectorAll('main *, header *')].filter(each => seen(each) && speaks(each));
  const whole = texts.filter(each => !cut(each)).map(each => each.innerText).join(' ') + document.title;
  return texts.filter(each => cut(each) && !(dots(each) && (each.matches('.top *') || whole.includes(each.innerText.trim()))))
    .map(each => 'cut: ' + each.outerHTML.slice(0, 120));
}"""
UNNAMED = """() => [...document.querySelectorAll('svg')].filter(svg => !svg.closest('[aria-hidden=true]') && !svg.closest('[role=img]')
    && !svg.matches('[aria-label], [aria-labelledby]')).map(svg => 'a picture without words: ' + svg.outerHTML.slice(0, 120))"""
MOVES = """() => [...document.querySelectorAll('*')].filter(each => { const style = getComputedStyle(each);
    return style.animationName !== 'none' || style.transitionDuration !== '0s' || style.scrollBehavior === 'smooth'; })
  .map(each => 'moves: ' + each.outerHTML.slice(0, 120))"""
LOUD = """() => [...document.querySelectorAll('section[id][role=status], section[id][role=alert], [aria-live]:not(#announce, .countdown)')]
  .map(each => 'a region that speaks: ' + each.outerHTML.slice(0, 120))"""


# ---- everywhere ------------------------------------------------------------------------------------------------------


def phone_in(chromium, server, name):
    context = chromium.new_context(viewport=SIZE, is_mobile=True, has_touch=True, color_scheme="light", bypass_csp=True)
    context.set_default_timeout(30_000)
    return Phone(context.new_page(), server.url, name)


@pytest.fixture(scope="module")
def findings(chromium, tmp_path_factory):
    """One walk through all states; gives what was found by kind, and the states."""
    folder = tmp_path_factory.mktemp("world") / "instance"
    app = create_app(folder)
    night, people = PastNights(app).many(12)[-1]
    app.extensions["companion"].database.close()
    server = serve(folder)
    phones = [phone_in(chromium, server, name) for name in ("host", "stranger")]
    found = defaultdict(list)
    for name, phone in walk(build(server, {"night": night, "people": people}), *phones):
        found["states"].append(name)
        for kind, what in look_at(phone.page):
            found[kind].append(f"{name}: {what}")
    found["troubles"] = [trouble for phone in phones for trouble in phone.wrong()]
    for phone in phones:
        phone.page.context.close()
    server.stop()
    return found


def look_at(page):
    """Everything that is wrong with a page, by kind."""
    checks = {"axe": lambda: axe(page), "pictures": lambda: page.evaluate(UNNAMED), "loud": lambda: page.evaluate(LOUD)}
    checks |= {"dark": lambda: in_the_dark(page), "still": lambda: without_motion(page)}
    checks |= {"narrow": lambda: room(page, NARROW["width"]), "large": lambda: room(page, SIZE["width"], LARGE)}
    checks |= {"both": lambda: room(page, NARROW["width"], LARGE)}
    return [(kind, each) for kind, check in checks.items() for each in check()]


def axe(page, *rules):
    page.emulate_media(reduced_motion="reduce")  # what fades in would be too pale still
    page.evaluate(AXE_SCRIPT)
    return page.evaluate(AXE, list(rules) or None)


def in_the_dark(page):
    page.emulate_media(color_scheme="dark")
    found = page.evaluate(AXE, ["color-contrast"])
    page.emulate_media(color_scheme="light")
    return found


def without_motion(page):
    page.emulate_media(reduced_motion="reduce")
    return page.evaluate(MOVES)


def room(page, width, size=""):
    page.set_viewport_size({"width": width, "height": SIZE["height"]})
    page.evaluate(TEXT, size)
    found = page.evaluate(WIDE, width) + page.evaluate(CUT)
    page.evaluate(TEXT, "")
    page.set_viewport_size(SIZE)
    return found


def test_axe_finds_nothing_on_any_page_in_any_state(findings):
    assert len(findings["states"]) >= 120
    assert findings["axe"] == []


def test_every_text_can_be_read_in_the_dark(findings):
    assert findings["dark"] == []


def test_a_screen_of_320_pixels_loses_nothing(findings):
    assert findings["narrow"] == []


def test_text_of_twice_the_size_loses_nothing(findings):
    assert findings["large"] == []


def test_both_at_once_lose_nothing(findings):
    assert findings["both"] == []


def test_nothing_moves_for_people_who_want_no_motion(findings):
    assert findings["still"] == []


def test_every_picture_has_words_or_is_left_to_the_eyes(findings):
    assert findings["pictures"] == []


def test_no_region_that_is_updated_speaks_by_itself(findings):
    assert findings["loud"] == []


def test_no_page_complains_on_the_way(findings):
    assert findings["troubles"] == []


FAULTS = {
    "axe": "document.querySelector('main').append(document.createElement('button'))",
    "dark": "document.querySelector('h1').style.color = '#223d32'",
    "narrow": "document.querySelector('h1').style.width = '340px'",
    "large": "Object.assign(document.querySelector('h1').style, {overflow: 'hidden', height: '1em', whiteSpace: 'nowrap'})",
    "both": "document.querySelector('h1').style.width = '11em'",
    "still": "document.querySelector('h1').style.transition = 'color 1s'",
    "pictures": "document.querySelector('svg').removeAttribute('aria-hidden')",
    "loud": "document.querySelector('main').insertAdjacentHTML('beforeend', '<section id=x aria-live=polite></section>')",
}


def test_control_every_check_finds_its_fault(chromium, table):
    phone = phone_in(chromium, table, "control")
    assert look_at(phone.go("/").page) == []
    for kind, fault in FAULTS.items():
        phone.go("/").page.evaluate(fault)
        assert kind in dict(look_at(phone.page)), kind
    phone.page.context.close()


# ---- few colours -----------------------------------------------------------------------------------------------------


def test_forced_colours_keep_suits_choice_and_focus(new_phone, table):
    ana = new_phone(forced_colors="active", **KEYS)
    sit(table, ana, game="crazy-lab", names=("Ana",), without=["Ben", "Cem"])
    ana.page.click("#enter summary:has-text('Go on without minus colours')")
    radios = ana.page.locator("#enter .pane:not([hidden]) [name=trump]")
    radios.first.focus()
    ana.page.keyboard.press("Space")
    border = "each => getComputedStyle(each.nextElementSibling).borderStyle"
    assert radios.first.evaluate(border) != radios.nth(1).evaluate(border)
    ana.page.keyboard.press("Tab")
    assert ana.page.evaluate(FOCUSED)
    canvas = ana.page.evaluate("getComputedStyle(document.body).backgroundColor")
    looks = ana.page.locator("#enter .pane:not([hidden]) .tile .shape").evaluate_all(
        "all => all.map(each => [getComputedStyle(each).fill, getComputedStyle(each).stroke])"
    )
    assert len({fill for fill, _ in looks}) == len(looks)
    assert all(canvas not in look for look in looks)


# ---- pictures in words -----------------------------------------------------------------------------------------------


@pytest.fixture
def host(new_phone, table):
    """A phone that hosts, and a way to have a record played there."""
    phone = new_phone()
    lobby, (hand,) = gather(table, phone, names=LONG[:1])
    return phone, lambda record: bring(hand, lobby, record)


def test_the_course_of_a_match_is_a_table_too(host):
    phone, play = host
    phone.go(play(example("ligretto-crazy")) + "/result")
    drawn = phone.page.locator("svg.chart .end").all_text_contents()
    rows = phone.page.locator("table.course").first.locator("tbody tr")
    assert rows.count() == phone.page.locator("svg.chart .guides text[text-anchor=middle]").count() - 1  # each step, and the word for it
    assert sorted(rows.last.locator("td").all_text_contents()) == sorted(drawn)
    words = phone.page.locator("svg.chart desc").text_content()
    assert all(name in words for name in LONG[:4])


def test_the_board_of_crazy_race_can_be_listened_to(host):
    phone, play = host
    phone.go(play(example("crazy-race", 7)))
    lanes = phone.page.locator("svg.race a").evaluate_all("all => all.map(each => each.getAttribute('aria-label'))")
    assert len(lanes) == 4
    for name, lane in zip(LONG, lanes, strict=False):
        assert re.fullmatch(rf"{name}: sprinter .+, reptile .+, flyer .+", lane)
    assert phone.page.locator("svg.race [role=img]").evaluate_all("all => all.every(each => /\\d/.test(each.getAttribute('aria-label')))")


def test_the_loop_of_tricky_cribby_can_be_listened_to(host):
    phone, play = host
    phone.go(play(looped()))
    words = phone.page.locator(".cri-picture p.unseen").text_content()
    assert len(re.findall(r"\d+ (?:blue|red|purple|yellow|green|empty)", words)) == 45
    assert words.count("at the start") == 2


def test_the_ring_of_seats_says_names_and_what_they_do(host):
    phone, play = host
    phone.go(play(looped()))
    told = phone.page.locator("#waiting .ring li").evaluate_all("all => all.map(each => each.innerText)")
    assert [name for name, each in zip(LONG, told, strict=False) if name in each] == list(LONG[:4])
    assert all("picks" in each for each in told)
