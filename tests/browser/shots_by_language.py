"""Not a test: saves pictures of every page in other languages, of phones in light and dark and of a TV; with the matches that come with
the program, halfway and at their end.

python tests/browser/shots_by_language.py FOLDER [LANGUAGE …]
"""

import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.phones import CHROMIUM, FLAGS, gather, new_table
from browser.shots import _phone, _shoot
from browser.test_results import TV
from playwright.sync_api import sync_playwright

from companion.web import languages

OF_A_NIGHT = ("", "/new", "/machine", "/export", "/standings", "/house-rules")


def main(folder, chosen):
    with tempfile.TemporaryDirectory() as instance, sync_playwright() as playwright:
        table = new_table(Path(instance) / "instance")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            for language in chosen or languages():
                (folder / language).mkdir(parents=True, exist_ok=True)
                for look in ("light", "dark"):
                    _in(language, folder / language, look, table, browser)
        finally:
            browser.close()
            table.server.stop()


def _in(language, folder, look, table, browser):
    phone, tv = _phone(browser, table, look, locale=language), _phone(browser, table, look, locale=language, device_scale_factor=1, **TV)
    phone.language = language
    _shoot(folder, look, phone.go("/"), "00-home")
    lobby, (hand,) = gather(table, phone, names=("Ana",))
    hand.give(tv)
    for path in sorted((files("companion.games") / "examples").iterdir()):
        _game(folder, look, phone, tv, hand, lobby, json.loads(path.read_text(encoding="utf-8")))
    for path in (*(lobby + end for end in OF_A_NIGHT), "/past", "/rules", "/who-wins", "/m/nowhere"):
        _shoot(folder, look, phone.go(path), f"10-{path.rpartition('/')[2].replace(lobby[3:], 'lobby')}")


def _game(folder, look, phone, tv, hand, lobby, record):
    game, actions = record["game"], record["actions"]
    for stage, most in (("1-half", len(actions) // 2), ("2-over", None)):
        match = urlsplit(hand.post(f"{lobby}/export", {"record": json.dumps({**record, "actions": actions[:most]})})[0]).path
        _shoot(folder, look, phone.go(match), f"{game}-{stage}")
        _shoot(folder, look, tv.go(f"{lobby}/tv"), f"{game}-{stage}-tv", whole=False)
    pages = (f"{match}/result", f"{match}/story", f"{match}/export", f"{lobby}/new/{game}", f"/rules/{game}", f"/who-wins/{game}")
    for n, (name, path) in enumerate(zip(("result", "story", "export", "prepare", "rules", "resolver"), pages, strict=True), 3):
        _shoot(folder, look, phone.go(path), f"{game}-{n}-{name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
