"""Every page: no stranger's code, not too wide, nothing too small to tap."""

import pytest
from browser.phones import SIZE, gather, sit

LONG = tuple(f"{letter}ximiliana-Wilhelmine {n}x"[:24] for n, letter in enumerate("ABCDE"))
SIDEWAYS = "() => [document.documentElement.scrollWidth, innerWidth]"
SMALL = """() => [...document.querySelectorAll('button, a, summary, select, input:not([type=hidden]):not([type=checkbox]), .tap > span')]
  .map(each => [each, each.getBoundingClientRect(), getComputedStyle(each).display])
  .filter(([each, box, display]) => box.width && box.height < 48 && display !== 'inline')
  .map(([each, box]) => each.outerHTML.slice(0, 120) + ' ' + box.height)"""


# ---- row 18 and the listeners ----------------------------------------------------------------------------------------


FAULTS = {
    "console.error('broken')": "broken",
    "console.warn('careful')": "careful",
    "setTimeout(() => { throw new Error('thrown'); })": "thrown",
    "{ const s = document.createElement('script'); s.textContent = '1'; document.body.append(s); }": "policy: script-src",
    "document.body.setAttribute('style', 'color: red')": "policy: style-src",
    "{ const i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; }": "policy: img-src",
    "setTimeout(() => { try { eval('1'); } catch {} })": "policy: script-src",
}


def test_control_the_listeners_catch_every_kind_of_trouble(new_phone):
    phone = new_phone().go("/")
    for fault, seen in FAULTS.items():
        assert not phone.wrong()
        phone.page.evaluate(f"() => {{ {fault} }}")
        phone.page.wait_for_timeout(50)
        assert any(seen in text for text in phone.wrong()), fault
        phone.troubles.clear()
    assert "127.0.0.1:9" in phone.hosts
    phone.hosts.clear()


def test_control_a_secure_context_would_be_noticed(new_phone, table):
    assert new_phone().go("/").is_secure() is False
    assert new_phone(url=table.server.url).go("/").is_secure() is True  # a machine's own address is one


# ---- room ------------------------------------------------------------------------------------------------------------


def check(phone, page):
    wide, room = phone.page.evaluate(SIDEWAYS)
    assert wide <= room == SIZE["width"], f"{page} scrolls sideways: {wide}"
    assert phone.page.evaluate(SMALL) == [], page


def test_no_page_scrolls_sideways_and_everything_can_be_tapped(new_phone, table):
    """Five players, names of 24 letters, three-digit points."""
    phones = [new_phone(dark=bool(n % 2)) for n in range(2)]
    match = sit(table, *phones, names=LONG, without=LONG[2:], target=150)
    ana, ben = phones
    check(ben, "counting")
    ben.count(12, 34)
    ana.expect("status of 422")
    ana.count(999, 88)
    ana.sees("Somebody counted", "#enter")
    check(ana, "a refusal")
    ana.go(match)
    ana.count(60, 2)
    for name in LONG[2:]:
        ben.tap(f"Count for {name}")
        ben.page.wait_for_selector(f"#enter h2:has-text('{name} counts')")
        check(ben, "counting for somebody")
        ben.count(2, 3)
    ben.sees("Round 2", "#enter")
    check(ben, "a new round")
    ben.tap("Start")
    ben.sees("Phones down", "#enter")
    check(ben, "a round")
    ana.tap(ana.page.locator("#story a").first)
    ana.sees("Correct this entry")
    check(ana, "an entry")
    ana.go(match)
    check(ana, "the table")
    ana.tap("css=.top .home")
    ana.page.wait_for_selector("#people")
    ana.tap("css=#people .add summary")
    ana.tap(ana.page.locator("#people .more summary").first)
    check(ana, "the lobby")
    lobby = ana.page.url
    for path in ("/new", "/new/ligretto-crazy", "/new/crazy-race", "/machine", "/tv"):
        ana.go(lobby + path)
        check(ana, path)
    ana.go(lobby)
    _strangers_pages(new_phone("stranger"), ana)
    for page in ("/", match.replace("/m/", "/nowhere/")):
        ana.expect("status of 404")
        check(ana.go(page), page)


def _strangers_pages(stranger, ana):
    from browser.test_seats import invitation

    stranger.go(invitation(ana))
    stranger.tap("css=details summary")
    check(stranger, "the invitation")


@pytest.mark.parametrize("game", ["crazy-lab", "crazy-race", "the-academy", "tricky-cribby"])
def test_the_forms_of_the_other_games_fit_the_screen(new_phone, table, game):
    from companion.games import GAMES

    ana = new_phone()
    sit(table, ana, names=LONG, without=LONG[1 : min(5, GAMES[game].players[-1])], game=game)
    check(ana, game)


def test_the_rules_fit_the_screen_and_a_rule_is_found_by_its_address(new_phone):
    from companion.games import GAMES

    for n, path in enumerate(("/rules", "/rules?q=tie", *(f"/rules/{game}" for game in GAMES))):
        phone = new_phone(dark=bool(n % 2)).go(path)
        phone.page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true; })")
        check(phone, path)
    phone = new_phone().go("/rules/crazy-race#R3")
    assert 0 <= phone.box("#R3")["y"] < SIZE["height"] / 2
    assert phone.page.locator("#R3:target").count() == 1


def test_a_rule_opens_beside_what_is_half_typed(new_phone, table):
    ana = new_phone()
    sit(table, ana, names=("Ana",), without=("Ben", "Cem"))
    ana.expect("status of 422")
    ana.count(150, 5)
    ana.sees("Somebody counted", "#enter")
    with ana.page.context.expect_page() as opened:
        ana.tap("#enter .rule a")
    opened.value.wait_for_selector("#LIG-18:target")
    assert ana.values() == ["150", "5"]


def test_a_plugin_is_played_with_its_own_board_and_style(toy_table, new_phone):
    """The sixth game: found, drawn by its own template from its own screen, styled by its own file, seen on both phones."""
    ana, ben = new_phone(url=toy_table.url), new_phone(url=toy_table.url)
    sit(toy_table, ana, ben, game="high-card")
    assert ana.text("#board .high-card-row").split() == ["?", "Ana", "?", "Ben"]
    ana.tap(ana.page.locator("#enter a[href*='/ask/']:visible").first)
    for seat, card in enumerate(("3", "9"), start=1):
        ana.tap(ana.page.locator(f"#enter .values a:text-is('{card}')"))
        ana.page.wait_for_selector(f"#enter .answers li:nth-child({seat})")  # the next question offers the same cards
    ana.tap("Enter it")
    for phone in (ana, ben):
        phone.page.wait_for_selector("#board .high-card-best")
        best = phone.page.locator("#board .high-card-best")
        assert best.inner_text().split() == ["9", "Ben"]
        assert best.evaluate("it => getComputedStyle(it).outlineColor") == "rgb(200, 150, 0)"


def test_the_questions_for_all_games_fit_the_screen(toy_table, new_phone):
    ana = new_phone(url=toy_table.url)
    sit(toy_table, ana, names=LONG, without=LONG[1:3], game="high-card")
    check(ana, "a game without screens of its own")
    ana.tap(ana.page.locator("#enter a[href*='/ask/']:visible").first)
    ana.page.wait_for_selector("#enter .pair")
    check(ana, "a question")


def test_control_a_wide_page_and_a_small_button_are_caught(new_phone, table):
    ana = new_phone()
    path, _ = gather(table, ana)
    ana.go(path)
    check(ana, "the lobby")
    ana.page.evaluate("() => { document.querySelector('#people h2').style.width = '400px'; }")
    with pytest.raises(AssertionError, match="sideways"):
        check(ana, "the lobby")
    ana.go(path)
    ana.page.evaluate("() => { document.querySelector('.bar .button').style.minHeight = '20px'; }")
    with pytest.raises(AssertionError, match="Choose a game"):
        check(ana, "the lobby")
