"""Light on an old phone: every byte of a page over the wire is counted, and nothing on the screen jumps when others enter something."""

import time

import pytest
from browser.phones import Hand, example, gather, in_play, sit

from companion.games import GAMES
from companion.live import Watch
from companion.web import sse
from companion.web.table import at_once

FIRST_PAGE, TABLE_PAGE = 40 * 1024, 60 * 1024
RESOLVER = "/who-wins/crazy-lab?players=4&trump=green&cards=green:3,green:0,green:5,green:5"


# ---- weight ----------------------------------------------------------------------------------------------------------


class Scale:
    """Bytes over the wire by address, headers and all; of a stream as far as it came."""

    def __init__(self, phone):
        self.line = phone.page.context.new_cdp_session(phone.page)
        self.names, self.ended, self.came = {}, {}, {}
        self.line.on("Network.requestWillBeSent", lambda event: self.names.update({event["requestId"]: event["request"]["url"]}))
        self.line.on("Network.loadingFinished", lambda event: self.ended.update({event["requestId"]: event["encodedDataLength"]}))
        self.line.on("Network.dataReceived", self._received)
        self.line.send("Network.enable")

    def _received(self, event):
        """Of what never ends, a stream: as it is, for it is not compressed, and without its few hundred bytes of headers."""
        self.came[event["requestId"]] = self.came.get(event["requestId"], 0) + event["dataLength"]

    @property
    def bytes(self):
        return {name: self.ended.get(id, self.came.get(id, 0)) for id, name in self.names.items()}

    @property
    def total(self):
        return sum(self.bytes.values())


def weigh(phone, path):
    """A page as a phone loads it that was never here."""
    scale = Scale(phone)
    phone.go(path)
    phone.page.wait_for_load_state("load")
    if phone.page.locator("body[data-live]").count():
        phone.line("live")
    phone.page.wait_for_timeout(200)  # the icon, which no event waits for
    return scale


def test_the_first_page_is_light_and_asks_nobody_else(new_phone, table):
    phone = new_phone()
    scale = weigh(phone, "/")
    assert phone.hosts == {table.url.split("//")[1]}
    assert len(scale.bytes) >= 4, "the page, the style, htmx and our script"
    assert 10_000 < scale.total <= FIRST_PAGE, scale.bytes


@pytest.mark.parametrize("game", GAMES)
def test_a_table_page_is_light_in_the_middle_of_a_match(new_phone, table, game):
    phone, hand = new_phone(), Hand(table.port)
    _, match = in_play(hand, game)
    hand.give(phone)
    scale = weigh(phone, match)
    assert any(address.endswith("/live") or "/live?" in address for address in scale.bytes)
    assert 20_000 < scale.total <= TABLE_PAGE, scale.bytes


def test_the_resolver_and_the_lobby_are_light(new_phone, table):
    assert 20_000 < weigh(new_phone(), RESOLVER).total <= TABLE_PAGE
    ana = new_phone()
    lobby, _ = gather(table, ana)
    assert 20_000 < weigh(ana, lobby).total <= TABLE_PAGE


def test_a_second_page_takes_its_files_from_the_phone(new_phone, table):
    phone = new_phone()
    weigh(phone, "/")
    scale = weigh(phone, "/")
    assert scale.total < 6_000, scale.bytes


def test_control_a_heavy_page_is_weighed(new_phone):
    phone = new_phone()
    phone.page.context.route("**/static/app.css*", lambda route: route.fulfill(body="/*" + "x" * 50_000 + "*/", content_type="text/css"))
    assert weigh(phone, "/").total > FIRST_PAGE


def test_control_a_heavy_stream_is_weighed(new_phone, table):
    phone = new_phone()
    scale = weigh(phone, sit(table, phone, without=["Ben"]))
    before = scale.total
    phone.count(20, 10)
    phone.page.wait_for_selector("#waiting li.done")
    assert scale.total > before + 1_000


# ---- nothing jumps ---------------------------------------------------------------------------------------------------


MAX_SHIFT = 0.1  # over a whole round; as browsers count it: how much of the screen moved × how far, without what a tap of one's own does
WATCH = """window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(each => { if (!each.hadRecentInput) shifts.push(each.value); }))
  .observe({ type: "layout-shift" });"""
MAX_ENTRIES = 26


def shifts_of(near, phone, game):
    """What moved on the first player's phone with each entry of the others; what a player enters for the own seat is a tap of one's own."""
    hand = Hand(near.port)
    _, match = in_play(hand, game, 1)
    hand.give(phone)
    phone.page.add_init_script(WATCH)
    phone.go(match).line("live")
    for action in example(game)["actions"][1:MAX_ENTRIES]:
        n = near.enter(match.rsplit("/", 1)[1], action)
        phone.page.wait_for_selector(f'#story a[href$="/entries/{n}"]')
        phone.page.wait_for_timeout(100)  # until it is painted
        moved = sum(phone.page.evaluate("shifts.splice(0)"))
        if action.get("seat") != 0:
            yield f"{n} {action['do']}", round(moved, 3)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_jumps_when_others_enter_something(near, new_phone, game):
    shifts = dict(shifts_of(near, new_phone(url=near.url, reduced_motion="no-preference"), game))
    assert len(shifts) > 4
    assert sum(shifts.values()) < MAX_SHIFT, shifts


def test_control_a_page_that_jumps_is_caught(near, new_phone):
    spoil = (".forEach(appear)", "")
    assert (
        sum(dict(shifts_of(near, new_phone(url=near.url, reduced_motion="no-preference", spoil=spoil), "ligretto-crazy")).values())
        > MAX_SHIFT
    )


# ---- what all look at comes first ------------------------------------------------------------------------------------

IS_SHOWN = """async ids => {
  const drawn = (await (await fetch(document.body.dataset.now)).json()).regions;
  const words = node => node.textContent.replace(/\\s+/g, " ").trim();
  return ids.every(id => words(new DOMParser().parseFromString(drawn[id], "text/html").body) === words(document.getElementById(id)));
}"""


def shown_before_the_rest(near, phone, game):
    """Of a few entries, how many were on the screen, in all that one looks at, while the story did not have them yet."""
    hand, shown = Hand(near.port), 0
    _, address = in_play(hand, game, 1)
    match = address.rsplit("/", 1)[1]
    hand.give(phone)
    phone.go(address).line("live")
    for action in example(game)["actions"][1:3]:
        n = near.enter(match, action)
        first = at_once(near.app.extensions["companion"].store.match(match))
        until = time.monotonic() + Watch.MOMENT * 0.8
        while not (there := phone.page.evaluate(IS_SHOWN, first)) and time.monotonic() < until:
            phone.page.wait_for_timeout(50)
        shown += there and phone.page.locator(f'#story a[href$="/entries/{n}"]').count() == 0
        phone.page.wait_for_selector(f'#story a[href$="/entries/{n}"]')
    return shown


@pytest.fixture
def slow_rest(monkeypatch):
    """What waits for a lull waits long."""
    monkeypatch.setattr(Watch, "MOMENT", 3.0)
    monkeypatch.setattr(sse, "LATEST", 3.0)


@pytest.mark.parametrize("game", GAMES)
def test_what_all_look_at_is_shown_as_soon_as_it_comes(near, new_phone, game, slow_rest):
    assert shown_before_the_rest(near, new_phone(url=near.url), game) == 2


def test_control_a_page_that_waits_for_the_rest_is_caught(near, new_phone, slow_rest):
    spoil = ("show(message.regions, message.tick);", "setTimeout(() => show(message.regions, message.tick), 4000);")
    assert shown_before_the_rest(near, new_phone(url=near.url, spoil=spoil), "ligretto-crazy") < 2
