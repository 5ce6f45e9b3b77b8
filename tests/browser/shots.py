"""Not a test: plays a round and saves pictures of every page, on phones in light and dark and on a TV, in every language that is asked
for; the other tables also as people see them who tell fewer colours apart.

python tests/browser/shots.py FOLDER [LANGUAGE …]
"""

import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.phones import CHROMIUM, FLAGS, SIZE, Phone, gather, new_table, sit
from playwright.sync_api import sync_playwright
from web.qr import read_svg

GAMES = ("crazy-lab", "crazy-race", "the-academy", "tricky-cribby")
EYES = ("protanopia", "deuteranopia", "tritanopia")
COUNTS = {"Ben": (27, 9), "Oma": (12, 14), "Maximilian": (5, 21), "Ana": (31, 8)}


def main(folder, languages):
    with tempfile.TemporaryDirectory() as instance, sync_playwright() as playwright:
        table = new_table(Path(instance) / "instance")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            for language in languages:
                _in_language(folder / language, language, table, browser)
        finally:
            browser.close()
            table.server.stop()


def _in_language(folder, language, table, browser):
    folder.mkdir(parents=True, exist_ok=True)

    def new_phone(look, **more):
        return _phone(browser, table, look, language, **more)

    for look in ("light", "dark"):
        _evening(folder, look, table, *(new_phone(look) for _ in range(4)))
        _other_games(folder, look, table, lambda look=look: new_phone(look))
        _every_game(folder, look, table, new_phone(look))
    for look in EYES:
        _other_games(folder, look, table, lambda look=look: new_phone(look))
    _tv(folder, table, new_phone)


def _phone(browser, table, look, language, **more):
    scheme = "light" if look in EYES else look
    settings = {
        "viewport": SIZE,
        "is_mobile": True,
        "has_touch": True,
        "device_scale_factor": 2,
        "color_scheme": scheme,
        "locale": language,
        **more,
    }
    page = browser.new_context(**settings).new_page()
    if look in EYES:
        page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": look})
    return Phone(page, table.url, language=language)


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
    stranger.tap(stranger.page.locator(".seat-back:has-text('Ben')").get_by_role("button", name=stranger.says("Ask the host")))
    stranger.sees("Waiting for the host")
    shoot(stranger, "08-join-waiting")
    shoot(ana.go(lobby), "09-lobby-claim")
    for phone in (ana, ben, cem):
        phone.go(match)
    shoot(ana, "10-before-the-round")
    ana.tap("Start")
    ana.page.locator(".countdown").get_by_text(ana.says("Go!"), exact=True).wait_for()
    shoot(ana, "11-round")
    ana.tap("Stop!")
    ben.page.wait_for_selector("form[data-keypad]")
    ben.type_count(*COUNTS["Ben"])
    shoot(ben, "12-counting")
    ben.tap("[data-next]")
    ben.sees("Waiting for %(names)s", "#enter", names="Ana, Maximilian, Oma")
    shoot(ben, "13-waiting")
    cem.count(150, 5)
    cem.page.wait_for_selector("#enter .notice")
    shoot(cem, "14-refused")
    cem.go(match)
    cem.count(*COUNTS["Maximilian"])
    _count_for(ben, "Oma", *COUNTS["Oma"])
    ana.count(*COUNTS["Ana"])
    ana.sees("Round %(n)s", "#enter", n=2)
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
    _count_for(ana, "Oma", 20, 10)
    ana.sees("Round %(n)s", "#enter", n=3)
    ana.tap("Count without a start")
    ana.count(36, 5)
    _count_for(ana, "Ben", 20, 9)
    for name in ("Maximilian", "Oma"):
        _count_for(ana, name, 9, 12)
    ana.page.wait_for_selector(".win")
    shoot(ana, "18-result")
    ana.go(lobby)
    shoot(ana, "19-lobby-after")


def _other_games(folder, look, table, new_phone):
    for n, game in enumerate(GAMES):
        phone = new_phone()
        sit(table, phone, names=("Ana",), without=["Ben", "Cem", "Dia"], game=game)
        _shoot(folder, look, phone, f"2{n}-{game}")
        phone.page.context.close()


def _count_for(phone, name, *counts):
    phone.tap("Count for %(name)s", name=name)
    phone.sees("%(name)s counts", "#enter h2", name=name)
    phone.count(*counts)


def _every_game(folder, look, table, phone):
    """Halfway and at the end of the matches that come with the program, with what there is to read about them."""
    lobby, (hand,) = gather(table, phone, names=("Ana",))
    for path in sorted((files("companion.games") / "examples").iterdir()):
        record = json.loads(path.read_text(encoding="utf-8"))
        game, actions = record["game"], record["actions"]
        for stage, most in (("half", len(actions) // 2), ("over", None)):
            match = urlsplit(hand.post(f"{lobby}/export", {"record": json.dumps({**record, "actions": actions[:most]})})[0]).path
            _shoot(folder, look, phone.go(match), f"40-{game}-{stage}")
        _shoot(folder, look, phone.go(f"{match}/result"), f"41-{game}-result")
        _shoot(folder, look, phone.go(f"{lobby}/new/{game}"), f"42-{game}-prepare")
        _shoot(folder, look, phone.go(f"/rules/{game}"), f"43-{game}-rules")
        _shoot(folder, look, phone.go(f"/who-wins/{game}"), f"44-{game}-resolver")
    pages = (
        "/past",
        "/rules",
        "/who-wins",
        f"{match}/export",
        f"{match}/story",
        f"{lobby}/export",
        f"{lobby}/standings",
        f"{lobby}/house-rules",
    )
    for n, path in enumerate(pages):
        _shoot(folder, look, phone.go(path), f"5{n}-{path.rpartition('/')[2]}")


def _tv(folder, table, new_phone):
    for look in ("light", "dark"):
        phone = new_phone(look)
        tv = new_phone(look, viewport={"width": 1920, "height": 1080}, is_mobile=False, device_scale_factor=1)
        sit(table, phone, tv, names=("Ana", "Ben"), without=["Oma", "Maximilian"])
        lobby = tv.page.evaluate("document.querySelector('.top .home').pathname")
        _shoot(folder, look, tv.go(lobby + "/tv"), "30-tv-start", whole=False)
        phone.count(31, 8)
        for name in ("Ben", "Oma", "Maximilian"):
            _count_for(phone, name, *COUNTS[name])
        _shoot(folder, look, tv, "31-tv", whole=False)
        _shoot(folder, look, tv.go(lobby), "32-laptop-lobby", whole=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or ["en"])
