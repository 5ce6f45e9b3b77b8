"""Not a test: saves pictures of every page in every language, of phones in light and dark and of a TV; with the matches that come with
the program, halfway and at their end, and nights of the past.

python tests/browser/shots_by_language.py FOLDER [LANGUAGE …]
"""

import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.everywhere import bring, example, send
from browser.phones import FLAGS, gather, new_table
from browser.shots import _phone, _shoot
from browser.test_results import TV
from conftest import serve
from machine import CHROMIUM, playwright
from past_nights import PastNights
from web.qr import read_svg

from companion import create_app
from companion.i18n import languages

OF_A_NIGHT = ("", "/new", "/machine", "/export", "/standings", "/house-rules")
QUESTIONS = {  # what is asked of the resolver, for a verdict
    "crazy-lab": "trump=green&cards=green:5.blue:5.purple:1,highest:1,green:5,green:1&claim=3",
    "crazy-race": "cards=0:6,0:4,0:3,1:6,1:4,1:3,2:6,2:4,3:1",
    "ligretto-crazy": "top=4&card=5",
    "the-academy": "trump=green&cards=blue-5,blue-7,green-3,purple-2",
    "tricky-cribby": "strength=red,green,blue,yellow,purple&cards=red-1,green-9,green-4,purple-9",
}
NAMED = "&players=4&name=Ana&name=Ben&name=Cem&name=Dia"
DISPUTED = {"trump": "green", "cards": [{"green": 3}, {"green": 5}, {"green": 5}, {"green": 1}]}


def main(folder, chosen):
    with tempfile.TemporaryDirectory() as instance, playwright() as it:
        browser = it.chromium.launch(executable_path=CHROMIUM.here().path, args=FLAGS)
        table, (laptop, past) = new_table(Path(instance) / "instance"), _laptop(Path(instance) / "laptop")
        try:
            for language in chosen or languages():
                (folder / language).mkdir(parents=True, exist_ok=True)
                for look in ("light", "dark"):
                    _in(language, folder / language, look, table, browser)
                    _past(folder / language, look, _phone(browser, laptop, look, locale=language), past)
        finally:
            browser.close()
            for each in (table.server, laptop):
                each.stop()


def _laptop(folder):
    """A server with nights behind it, seen from the machine itself, and its pages about them."""
    app = create_app(folder)
    night, people = PastNights(app).many(60)[-1]
    app.extensions["companion"].database.close()
    of_person = ("", "/correct", "/phone", "/forget", f"/against/{people['Oma Ingeborg']}")
    who = f"/people/{people['Maximiliana-Wilhelmine X']}"
    pages = ("", "/nights", "/people", f"/nights/{night}", "/games/crazy-lab", *(who + each for each in of_person))
    return serve(folder), [f"/past{each}" for each in pages]


def _in(language, folder, look, table, browser):
    def shoot(phone, name, whole=True):
        _shoot(folder, look, phone, name, whole)

    def new(**more):
        phone = _phone(browser, table, look, locale=language, **more)
        phone.language = language
        return phone

    phone, stranger, tv = new(), new(), new(device_scale_factor=1, **TV)
    shoot(stranger.go("/"), "00-home")
    lobby, (hand,) = gather(table, phone, names=("Ana",))
    hand.give(tv)
    shoot(phone.go(lobby), "01-lobby-new")
    shoot(tv.go(f"{lobby}/tv"), "01-lobby-new-tv", whole=False)
    _strangers(shoot, stranger, read_svg(hand.get(lobby)[1]))
    for path in sorted((files("companion.games") / "examples").iterdir()):
        _game(shoot, phone, tv, hand, lobby, json.loads(path.read_text(encoding="utf-8")))
    _dispute(shoot, phone, tv, hand, lobby)
    for path in (*(lobby + end for end in OF_A_NIGHT), "/rules", "/rules?q=crazy", "/who-wins", "/m/nowhere"):
        shoot(phone.go(path), f"10-{path.rpartition('/')[2].replace(lobby[3:], 'lobby').replace('?', '-')}")
    for each in (phone, stranger, tv):
        each.page.context.close()


def _past(folder, look, phone, pages):
    for n, path in enumerate(pages):
        _shoot(folder, look, phone.go(path), f"11-past-{n}")
    phone.page.context.close()


def _strangers(shoot, stranger, invitation):
    shoot(send(stranger, "/join", code="XXX XXX"), "02-wrong-code")
    shoot(stranger.go(invitation), "03-invitation")
    shoot(send(stranger, urlsplit(invitation).path, name="Ana"), "04-name-is-taken")


def _game(shoot, phone, tv, hand, lobby, record):
    game, actions = record["game"], record["actions"]
    for stage, most in (("1-half", len(actions) // 2), ("2-over", None)):
        match = bring(hand, lobby, {**record, "actions": actions[:most]})
        shoot(phone.go(match), f"{game}-{stage}")
        shoot(tv.go(f"{lobby}/tv"), f"{game}-{stage}-tv", whole=False)
    resolver = f"/who-wins/{game}"
    pages = {"result": f"{match}/result", "story": f"{match}/story", "seat": f"{match}/seats/0", "entry": f"{match}/entries/1"}
    pages |= {"export": f"{match}/export", "prepare": f"{lobby}/new/{game}", "rules": f"/rules/{game}", "resolver": resolver}
    if game in QUESTIONS:
        pages["verdict"] = f"{resolver}?{QUESTIONS[game]}{NAMED if game != 'ligretto-crazy' else ''}"
    for n, (name, path) in enumerate(pages.items(), 3):
        shoot(phone.go(path), f"{game}-{n:02}-{name}")


def _dispute(shoot, phone, tv, hand, lobby):
    """One that is asked, and becomes a house rule; one person answers for the table."""
    match = bring(hand, lobby, example("crazy-lab", 8))
    send(phone.go(match), f"{match}/disputes", key="a key of these pictures", question=json.dumps(DISPUTED))
    shoot(phone, "05-dispute")
    shoot(tv.go(f"{lobby}/tv"), "05-dispute-tv", whole=False)
    answer = phone.page.locator("form[action$='/answer']").first
    path, turn = answer.get_attribute("action"), answer.locator("[name=turn]").get_attribute("value")
    shoot(send(phone, path, turn=turn, winner="3"), "06-house-rule")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
