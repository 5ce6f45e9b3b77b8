"""Languages: as the phone is set, changed by a tap, each phone its own; at one table everybody sees the same match."""

import json
import re
from contextlib import ExitStack
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
from conftest import Browser
from web.looking import page, stream
from web.test_evening import count

ENGLISH = re.compile(r".{0,30}\b(?:the|and|with|your|has|trick|round|tile|wins|nobody|entered by|points)\b.{0,30}", re.IGNORECASE)
GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.8"}


def lang(answer):
    return re.search(r'<html lang="([^"]*)"', answer.get_data(as_text=True))[1]


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,de;q=0.5", "en"),
        ("fr,de;q=0.5", "de"),
        ("fr", "en"),
        ("", "en"),
        ("¿;q=x", "en"),
    ],
)
def test_a_page_speaks_the_language_of_the_phone(app, wanted, given):
    answer = Browser(app).get("/", headers={"Accept-Language": wanted})
    assert lang(answer) == given
    assert {"de": "Abend starten", "en": "Start a night"}[given] in page(answer).text


def test_the_language_can_be_changed_at_the_foot_of_home_lobby_and_the_page_to_join(evening):
    for path in ("/", f"/n/{evening.id}"):
        answer = evening["Ben"].post("/language", {"language": "de", "back": path}, follow=True)
        assert (answer.request.path, lang(answer)) == (path, "de")
        assert lang(evening["Ben"].post("/language", {"language": "en", "back": path}, follow=True)) == "en"
    answer = Browser(evening.app).post("/language", {"language": "de", "back": f"/j/{evening.token}"}, follow=True)
    assert "Dein Name" in page(answer).text


def test_every_page_with_the_switch_comes_back_to_itself(evening):
    for browser, path in ((evening["Ben"], "/"), (evening["Ben"], f"/n/{evening.id}"), (Browser(evening.app), f"/j/{evening.token}")):
        form = next(form for form in page(browser.get(path)).forms if form.action == "/language")
        assert form.data["back"] == path


def test_what_was_chosen_is_kept_whatever_the_phone_is_set_to(app):
    browser = Browser(app)
    browser.post("/language", {"language": "en"})
    assert lang(browser.get("/", headers=GERMAN)) == "en"
    assert lang(browser.get("/rules", headers=GERMAN)) == "en"


@pytest.mark.parametrize("language", ["fr", "", "../de", "DE", "de\n"])
def test_an_unknown_language_changes_nothing(app, language):
    browser = Browser(app)
    browser.post("/language", {"language": "de"})
    assert browser.post("/language", {"language": language}).status_code == 303
    assert lang(browser.get("/")) == "de"


@pytest.mark.parametrize(
    "back", ["//evil.test", "https://evil.test", "/\\evil.test", "/\t/evil.test", "/n/x\r\nX-Bad: 1", "javascript:alert(1)", "/j/a/b", ""]
)
def test_the_switch_leads_to_no_other_site(app, back):
    answer = Browser(app).post("/language", {"language": "de", "back": back})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_two_phones_in_two_languages_see_the_same_match(evening):
    """Also where a region was rendered for the other one a moment ago, and in the updates that both get at the same time."""
    evening["Ben"].post("/language", {"language": "de"})
    match = evening.start()
    with ExitStack() as both:
        streams = {name: both.enter_context(stream(evening[name], f"/m/{match}/live")) for name in ("Ana", "Ben")}
        for each in streams.values():
            each.get(timeout=60)
        for seat, name in enumerate(("Ana", "Ben", "Cem")):
            assert count(evening[name], match, 1, seat, 20 + seat, 5).status_code == 303
    english, german = (page(evening[name].get(f"/m/{match}")).text for name in ("Ana", "Ben"))
    assert ("Round 2" in english, "Runde" in english) == (True, False)
    assert ("Runde 2" in german, "Round" in german) == (True, False)
    assert re.findall(r"\b1[567]\b", english) == re.findall(r"\b1[567]\b", german)


def test_a_refusal_is_in_the_language_of_whoever_is_refused(evening):
    match = evening.start()
    evening["Ben"].post("/language", {"language": "de"})
    assert "keine ganze Zahl" in page(count(evening["Ben"], match, 1, 1, "zwölf", 5)).text
    assert "no whole number" in page(count(evening["Ana"], match, 1, 0, "zwölf", 5)).text
    assert "Das kann nur der Gastgeber." in page(evening["Ben"].post(f"/n/{evening.id}/joining", {"joining": "closed"})).text


def left_in_english(text):
    return ENGLISH.findall(text.replace("The Academy", ""))


@pytest.mark.parametrize("game", ["crazy-lab", "crazy-race", "ligretto-crazy", "the-academy", "tricky-cribby", "score-sheet"])
@pytest.mark.parametrize(("language", "ruling"), [("de", "Unsere Auslegung"), ("is", "Okkar úrskurður")])
def test_the_rules_of_every_game_are_there_in_every_language(app, game, language, ruling):
    text = page(Browser(app).get(f"/rules/{game}", headers={"Accept-Language": language})).text
    assert ruling in text or game == "score-sheet"
    assert left_in_english(text) == []


def halves_and_wholes():
    """The matches that come with the program, begun, halfway and over."""
    for path in (files("companion.games") / "examples").iterdir():
        record = json.loads(path.read_text(encoding="utf-8"))
        for most in (1, len(record["actions"]) // 2, len(record["actions"])):
            yield {**record, "actions": record["actions"][:most]}


@pytest.mark.parametrize("language", ["de", "is"])
def test_no_page_of_a_night_keeps_anything_in_english(evening, language):
    ana, lobby = evening["Ana"], f"/n/{evening.id}"
    ana.post(f"{lobby}/name", {"name": "Freitag"})
    ana.post("/language", {"language": language})
    brought = [ana.post(f"{lobby}/export", {"record": json.dumps(each)}).headers["Location"] for each in halves_and_wholes()]
    tables = [urlsplit(each).path for each in brought]
    pages = [
        lobby,
        *(lobby + end for end in ("/new", "/tv", "/standings", "/export", "/house-rules", "/machine")),
        "/past",
        "/rules",
        "/who-wins",
    ]
    pages += [table + end for table in tables for end in ("", "/result", "/story", "/export", "/seats/0")]
    kept = {path: left_in_english(page(ana.get(path)).text.replace("Game night", "")) for path in pages}
    assert {path: words for path, words in kept.items() if words} == {}


def test_english_left_over_would_be_noticed(evening):
    assert left_in_english(page(evening["Ana"].get(f"/m/{evening.start()}")).text)


def test_a_machine_that_only_hosts_is_called_in_the_language_of_whoever_looks(app):
    host = Browser(app)
    lobby = host.post("/nights", {"name": ""}).headers["Location"]
    assert "Table host" in page(host.get(lobby)).text
    assert "Tisch Gastgeber" in page(host.get(lobby, headers=GERMAN)).text
    assert "Borðið gestgjafi" in page(host.get(lobby, headers={"Accept-Language": "is"})).text


@pytest.mark.parametrize(("language", "most"), [("en", "−999,999"), ("de", "−999.999"), ("is", "−999.999")])
def test_long_numbers_are_written_as_the_language_writes_them(app, language, most):
    assert most in page(Browser(app).get("/rules/score-sheet", headers={"Accept-Language": language})).text


def test_a_night_without_a_name_is_called_in_the_language_of_whoever_starts_it(app):
    answer = Browser(app).post("/nights", {"name": "Uli"}, headers=GERMAN)
    assert app.extensions["companion"].nights.room(answer.headers["Location"].rsplit("/", 1)[1]).night.name == "Spieleabend"
