"""Not a test: plays a bit of every game and saves pictures of every page, on phones in light and dark and on a TV; the tables with the
most players and the longest names, also as people see them who tell fewer colours apart. For each look of a table there is a sheet of all.

python tests/browser/shots.py FOLDER [LOOK …]
"""

import sys
import tempfile
from base64 import b64encode
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import test_crazy_lab as lab
from browser import test_crazy_race as race
from browser import test_the_academy as academy
from browser import test_tricky_cribby as cribby
from browser.phones import FLAGS, SIZE, Phone, new_table, sit
from browser.test_tv import WIDE
from machine import CHROMIUM, playwright
from web.qr import read_svg

LONG = WIDE[1:6]
EYES = ("protanopia", "deuteranopia", "tritanopia")
COUNTS = {"Ben": (27, 9), "Oma": (12, 14), "Maximilian": (5, 21), "Ana": (31, 8)}


def main(folder, looks):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as instance, playwright() as it:
        browser = it.chromium.launch(executable_path=CHROMIUM.here().path, args=FLAGS)
        table = new_table(Path(instance) / "instance")
        try:
            for look in looks or ("light", "dark", *EYES):
                if look not in EYES:
                    _evening(folder, look, table, *(_phone(browser, table, look) for _ in range(4)))
                    _tv(folder, look, browser, table)
                for name, play in GAMES.items():
                    _game(folder, look, name, play, table, browser)
        finally:
            browser.close()
            table.server.stop()


def _phone(browser, table, look, **more):
    scheme = "light" if look in EYES else look
    settings = {"viewport": SIZE, "is_mobile": True, "has_touch": True, "device_scale_factor": 2, "color_scheme": scheme, **more}
    page = browser.new_context(**settings).new_page()
    if look in EYES:
        page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": look})
    return Phone(page, table.url)


def _shoot(folder, look, phone, name, whole=True):
    phone.page.wait_for_timeout(400)
    phone.page.screenshot(path=folder / f"{name}-{look}.png", full_page=whole)


def _evening(folder, look, table, ana, ben, cem, stranger):
    names = ("Ana", "Ben", "Maximilian")

    def shoot(phone, name):
        _shoot(folder, look, phone, name)

    shoot(stranger.go("/"), "01-home")
    match = sit(table, ana, ben, cem, names=names, without=["Oma"], counting=False, target=50)
    ana.tap("css=.top .home")
    shoot(ana, "02-lobby-host")
    lobby = ana.page.url
    shoot(ben.go(lobby), "03-lobby-player")
    shoot(ben.go(lobby + "/new"), "04-choose")
    shoot(ben.go(lobby + "/new/ligretto-crazy"), "05-prepare")
    shoot(ana.go(lobby + "/machine"), "06-machine")
    link = read_svg(ben.go(lobby).page.locator("#invite svg.qr").evaluate("svg => svg.outerHTML"))
    stranger.go(link)
    stranger.tap("css=details summary")
    shoot(stranger, "07-join")
    stranger.tap(stranger.page.locator(".seat-back:has-text('Ben')").get_by_role("button", name="Ask the host"))
    stranger.sees("Waiting for the host")
    shoot(stranger, "08-join-waiting")
    shoot(ana.go(lobby), "09-lobby-claim")
    for phone in (ana, ben, cem):
        phone.go(match)
    shoot(ana, "10-before-the-round")
    ana.tap("Start")
    ana.page.locator(".countdown").get_by_text("Go!", exact=True).wait_for()
    shoot(ana, "11-round")
    ana.tap("Stop!")
    ben.page.wait_for_selector("form[data-keypad]")
    ben.type_count(*COUNTS["Ben"])
    shoot(ben, "12-counting")
    ben.tap("[data-next]")
    ben.sees("Waiting for", "#enter")
    shoot(ben, "13-waiting")
    cem.count(150, 5)
    cem.sees("Somebody counted", "#enter")
    shoot(cem, "14-refused")
    cem.go(match)
    cem.count(*COUNTS["Maximilian"])
    ben.tap("Count for Oma")
    ben.page.wait_for_selector("#enter h2:has-text('Oma counts')")
    ben.count(*COUNTS["Oma"])
    ana.count(*COUNTS["Ana"])
    ana.sees("Round 2", "#enter")
    shoot(ana, "15-round-over")
    ana.tap(ana.page.locator("#story a").nth(1))
    ana.page.wait_for_url("**/entries/*")
    shoot(ana, "16-entry")
    shoot(ana.go("/m/nowhere"), "17-error")
    ana.go(match)
    ana.tap("Count without a start")
    for phone, name in ((ana, "Ana"), (ben, "Ben"), (cem, "Maximilian")):
        phone.page.wait_for_selector("form[data-keypad]")
        phone.count(*COUNTS[name])
    ana.tap("Count for Oma")
    ana.page.wait_for_selector("#enter h2:has-text('Oma counts')")
    ana.count(20, 10)
    ana.sees("Round 3", "#enter")
    ana.tap("Count without a start")
    ana.count(36, 5)
    ana.tap("Count for Ben")
    ana.page.wait_for_selector("#enter h2:has-text('Ben counts')")
    ana.count(20, 9)
    for name in ("Maximilian", "Oma"):
        ana.tap(f"Count for {name}")
        ana.page.wait_for_selector(f"#enter h2:has-text('{name} counts')")
        ana.count(9, 12)
    ana.page.wait_for_selector(".win")
    shoot(ana, "18-result")
    ana.go(lobby)
    shoot(ana, "19-lobby-after")


# ---- the tables with five colours and more ---------------------------------------------------------------------------


def _game(folder, look, name, play, table, browser):
    """A game's main screens; whatever stands on the TV meanwhile, too."""
    phone = _phone(browser, table, look)
    tv = _phone(browser, table, look, viewport={"width": 1280, "height": 720}, is_mobile=False, device_scale_factor=1)

    def shoot(what, on_tv=False):
        _shoot(folder, look, phone, f"{name}-{what}")
        if on_tv:
            tv.page.context.add_cookies(phone.page.context.cookies())
            lobby = phone.page.evaluate("document.querySelector('.top .home').pathname")
            _shoot(folder, look, tv.go(lobby + "/tv"), f"tv-{name}-{what}", whole=False)

    play(table, phone, shoot)
    _sheet(folder, look, name, browser)
    phone.page.context.close()
    tv.page.context.close()


def _sheet(folder, look, name, browser):
    """All screens of a game beside each other."""
    files = sorted(folder.glob(f"{name}-*-{look}.png"))
    page = browser.new_context(viewport={"width": 370 * len(files), "height": 1000}).new_page()
    images = [f'<img width="360" src="data:image/png;base64,{b64encode(file.read_bytes()).decode()}">' for file in files]
    page.set_content(f'<body style="margin: 0; display: flex; align-items: start; gap: 10px; background: #888">{"".join(images)}')
    page.screenshot(path=folder / f"sheet-{name}-{look}.png", full_page=True)
    page.context.close()


def _crazy_lab(table, phone, shoot):
    match = sit(table, phone, game="crazy-lab", names=LONG[:1], without=LONG[1:], rounds=2)
    lab.choose_minus(phone, ("purple", "blue", "yellow", "orange"))  # the last one is left over
    shoot("1-winner")
    lab.choose_plus(phone, "green")
    lab.way(phone, "who")
    lab.trump(phone, "green")
    lab.numbers(phone, 2, 0, 5)
    shoot("2-who-wins")
    lab.numbers(phone, 5, 1)
    lab.at_trick(2, phone)
    lab.way(phone, "cards")
    lab.cards(phone, "blue", [{"blue": 6, "green": 6}, {"blue": 1}, {"purple": 5, "yellow": 2}, {"green": 3}, {"blue": 6}])
    lab.at_trick(3, phone)
    shoot("3-verdict", on_tv=True)
    for n in range(3, 11):
        lab.enter(phone, match, f"round-1-trick-{n}", winner=str(n % 5), trump=("blue", "green", "purple")[n % 3])
    phone.page.wait_for_selector(".lab-count")
    shoot("4-count")
    for seat in range(5):
        lab.enter(phone, match, f"round-1-count-{seat}", plus=str(10 + seat), minus="14")
    phone.sees("Round 1", "#board")
    phone.tap("css=#standings summary")
    shoot("5-scored", on_tv=True)
    phone.tap("css=#standings .rounds td a >> nth=1")
    phone.page.wait_for_url("**/seats/1#round-1")
    shoot("6-why")


def _the_academy(table, phone, shoot):
    match = sit(table, phone, game="the-academy", names=academy.LONG[:1], without=academy.LONG[1:])
    shoot("1-exam")
    academy.exam(phone, "green", "new-rule")
    shoot("2-winner")
    academy.way(phone, "cards")
    academy.play(phone, 1, *academy.SHEET)
    academy.at_trick(2, phone)
    academy.lay(phone, "blue-1", "blue-2")
    shoot("3-cards", on_tv=True)
    phone.go(match)
    for n in range(2, 9):
        academy.enter(phone, match, f"round-1-trick-{n}", winner=n % 4)
    phone.page.wait_for_selector("#enter [data-aca-end]")
    shoot("4-end")
    academy.end(phone, 1, "true")
    phone.sees("Round 1: the awards", "#board")
    shoot("5-awards", on_tv=True)
    phone.go(match + "/seats/0")
    shoot("6-why")


def _tricky_cribby(table, phone, shoot):
    sit(table, phone, names=LONG[:1], without=LONG[1:4], loop=",".join(cribby.LINE.split(",") * 9), **cribby.FOUR)
    cribby.choose(phone, *cribby.FIRST[:3])
    shoot("1-trick")
    cribby.choose(phone, *cribby.FIRST[3:])
    phone.tap("css=.cri-trick [data-done]")
    phone.page.wait_for_selector(".cri-order")
    shoot("2-pick-on-the-loop", on_tv=True)
    match = sit(table, phone, names=LONG[:1], without=LONG[1:4], **cribby.FOUR)
    cribby.enter(phone, *cribby.FIRST)
    shoot("3-pick")
    picks = zip(cribby.FIRST, ("red", "red", "green", "blue", "purple"), strict=True)
    cribby.fill(phone, [(f"trick-1-pick-{n}", {"card": card, "tile": tile}) for n, (card, tile) in enumerate(picks, 1)])
    phone.sees("Trick 2", "#enter")
    cribby.tab(phone, "tiles")
    cribby.fill(phone, cribby.takes(6, (0, "red", 5), (1, "red", 2), (1, "blue", 5), (0, "yellow", 4)))
    phone.sees("21 of 45", "#enter")
    shoot("4-tiles", on_tv=True)
    phone.go(match + "/seats/0")
    shoot("5-why")


def _crazy_race(table, phone, shoot):
    match = sit(table, phone, names=LONG[:1], without=LONG[1:4], game="crazy-race")
    shoot("1-edge")
    race.shows(phone, "flyer", 2)
    race.depth(phone, "cards")
    race.lay(phone, (0, 1), (1, 6), (0, 4))
    shoot("2-cards")
    phone.tap("Enter it")
    race.at(phone, 1, 2)
    shoot("3-verdict", on_tv=True)
    for n in (2, 3, 4):
        race.report(phone, match, f"stage-1-edge-{n}", animal="reptile", value="4", winner=str(n - 1))
    race.fill(phone, match, 2, ("any", 4, 1, ["sprinter", 4]), ("reptile", 4, 1), ("flyer", 4, 2), ("sprinter", 4, 3))
    race.at(phone, 3, 1)
    race.shows(phone, "any", 3)
    race.depth(phone, "winner")
    race.wins(phone, LONG[1])
    phone.page.wait_for_selector(".choice")
    shoot("4-choice")
    phone.go(match)
    phone.tap("Nobody has cards left: end the race")
    phone.sees("Penalties", "#board")
    shoot("5-end", on_tv=True)
    phone.go(match + "/seats/1")
    shoot("6-why")


GAMES = {"crazy-lab": _crazy_lab, "the-academy": _the_academy, "tricky-cribby": _tricky_cribby, "crazy-race": _crazy_race}


def _tv(folder, look, browser, table):
    phone = _phone(browser, table, look)
    tv = _phone(browser, table, look, viewport={"width": 1920, "height": 1080}, is_mobile=False, device_scale_factor=1)
    sit(table, phone, tv, names=("Ana", "Ben"), without=["Oma", "Maximilian"])
    lobby = tv.page.evaluate("document.querySelector('.top .home').pathname")
    _shoot(folder, look, tv.go(lobby + "/tv"), "30-tv-start", whole=False)
    phone.count(31, 8)
    for name in ("Ben", "Oma", "Maximilian"):
        phone.tap(f"Count for {name}")
        phone.page.wait_for_selector(f"#enter h2:has-text('{name} counts')")
        phone.count(*COUNTS[name])
    _shoot(folder, look, tv, "31-tv", whole=False)
    _shoot(folder, look, tv.go(lobby), "32-laptop-lobby", whole=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
