"""What only a secure context gives is used on the machine's own address, and on plain HTTP not asked for. And a tick in the hand."""

import json

from browser.phones import Hand, example, gather, in_play, sit

SPY = """window.asked = [];
if (window.WakeLock) {
  const ask = WakeLock.prototype.request;
  WakeLock.prototype.request = function (...what) { asked.push("awake"); return ask.apply(this, what).then(lock => window.held = lock); };
}
Navigator.prototype.vibrate = length => { asked.push(length); return true; };"""
ASLEEP = """Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
document.dispatchEvent(new Event("visibilitychange"));"""
AWAKE = "delete document.hidden; document.dispatchEvent(new Event('visibilitychange'));"
WIDTH = "address => new Promise(done => { const it = new Image(); it.onload = () => done(it.naturalWidth); it.src = address; })"
TURN = [30, 60, 30]


def spied(phone):
    phone.page.add_init_script(SPY)
    return phone


def asked(phone, what):
    return phone.page.evaluate("asked").count(what)


def waits_for_asked(phone, what, times):
    phone.page.wait_for_function("([what, times]) => asked.filter(each => each === what).length === times", arg=[what, times])


# ---- awake -----------------------------------------------------------------------------------------------------------


def test_where_it_can_the_screen_stays_awake_during_a_match_and_again_after_a_look_elsewhere(table, whole_chromium, new_phone):
    ana = spied(new_phone(url=table.server.url, reduced_motion="no-preference", browser=whole_chromium))  # the other kind refuses
    sit(table, ana, without=["Ben"])
    assert ana.is_secure()
    waits_for_asked(ana, "awake", 1)
    ana.page.evaluate(AWAKE)
    assert asked(ana, "awake") == 1, "it is still held"
    ana.page.evaluate(ASLEEP)
    ana.page.evaluate("held.release()")  # as the browser does with a page that is hidden
    assert asked(ana, "awake") == 1
    ana.page.evaluate(AWAKE)
    waits_for_asked(ana, "awake", 2)


def test_a_match_that_is_over_lets_the_phone_sleep(table, new_phone):
    ana, hand = spied(new_phone(url=table.server.url, reduced_motion="no-preference")), Hand(table.port)
    _, match = in_play(hand, "score-sheet", len(example("score-sheet")["actions"]))
    hand.give(ana)
    ana.go(match).line("live")
    assert ana.page.locator("#enter h1.win").count() == 1
    assert asked(ana, "awake") == 0


def test_on_plain_http_nothing_is_asked_for_and_one_line_says_that_the_phone_may_sleep(table, new_phone):
    ana = spied(new_phone(reduced_motion="no-preference"))
    lobby, _ = gather(table, ana, without=["Ben"])
    ana.go(lobby)
    assert not ana.is_secure()
    assert ana.page.locator("link[rel=manifest]").count() == 0
    ana.sees("Your phone may go to sleep.")
    ana.tap("OK")
    ana.page.locator(".sleep").wait_for(state="detached")
    ana.go(lobby)
    assert ana.page.locator(".sleep").count() == 0
    sit(table, ana, without=["Ben"])
    ana.page.evaluate(ASLEEP)
    ana.page.evaluate(AWAKE)
    assert ana.page.evaluate("asked") == []


# ---- installed -------------------------------------------------------------------------------------------------------


def test_the_browser_finds_nothing_wrong_with_the_manifest_and_its_icons(table, new_phone):
    ana = new_phone(url=table.server.url).go("/")
    found = ana.page.context.new_cdp_session(ana.page).send("Page.getAppManifest")
    assert found["errors"] == []
    icons = json.loads(found["data"])["icons"]
    assert len(icons) == 3
    for each in icons:
        assert f"{ana.page.evaluate(WIDTH, each['src'])}x" == each["sizes"][:4]


# ---- a tick in the hand ----------------------------------------------------------------------------------------------


def test_an_entry_that_was_taken_is_felt(table, new_phone):
    ana, calm = spied(new_phone(reduced_motion="no-preference")), spied(new_phone())
    sit(table, ana, calm)
    for phone in (ana, calm):
        phone.count(20, 10)
    waits_for_asked(ana, 15, 1)
    assert calm.page.evaluate("asked") == []


def test_a_refused_entry_is_not_felt(table, new_phone):
    ana = spied(new_phone(reduced_motion="no-preference"))
    sit(table, ana, without=["Ben"])
    ana.expect("status of 422")
    ana.count(150, 5)
    ana.sees("Somebody counted", "#enter")
    assert ana.page.evaluate("asked") == []


def test_ones_turn_is_felt_when_it_comes(near, new_phone):
    hand, ana = Hand(near.port), spied(new_phone(url=near.url, reduced_motion="no-preference"))
    _, match = in_play(hand, "crazy-lab", 1)
    hand.give(ana)
    ana.go(match).line("live")
    ana.tap("css=#waiting")  # a browser shakes no phone that was never touched
    turns, mine = 0, False
    for action in example("crazy-lab")["actions"][1:14]:
        n = near.enter(match.rsplit("/", 1)[1], action)
        ana.page.wait_for_selector(f'#story a[href$="/entries/{n}"]')
        before, mine = mine, ana.page.locator("#waiting .ring > li").first.evaluate("each => each.matches('.leads, .next')")
        turns += mine and not before
    assert turns > 0
    assert ana.page.evaluate("asked") == [TURN] * turns
