"""Where HTTPS is there a phone can install us; on plain HTTP is no word of it, but a line about phones that sleep, until it was read."""

import struct
import zlib

import pytest
from conftest import Browser
from databases import new_app
from web.looking import words

HINT = "Your phone may go to sleep."


@pytest.fixture
def safe(tmp_path):
    """The application where phones reach it with HTTPS."""
    app = new_app(tmp_path / "safe", url="https://games.example")
    yield app
    app.extensions["companion"].database.close()


def size_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


def corner_of(png):
    """The first pixel: red, green, blue, and how much of it there is; the same under every filter."""
    at, data = 8, b""
    while at < len(png):
        length = struct.unpack(">I", png[at : at + 4])[0]
        data += png[at + 8 : at + 8 + length] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += 12 + length
    return tuple(zlib.decompress(data)[1:5])


# ---- installing ------------------------------------------------------------------------------------------------------


def test_the_manifest_has_all_that_a_phone_asks_for(safe):
    answer = Browser(safe, "games.example").get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    facts = answer.get_json(force=True)
    assert (facts["name"], facts["short_name"], facts["display"], facts["start_url"]) == ("Companion", "Companion", "standalone", "/")
    assert {(each["sizes"], each["purpose"]) for each in facts["icons"]} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    assert Browser(safe, "games.example").get(facts["shortcuts"][0]["url"]).status_code == 200


def test_the_icons_are_as_large_as_the_manifest_says_and_kept_for_a_year(safe):
    browser = Browser(safe, "games.example")
    for each in browser.get("/manifest.webmanifest").get_json(force=True)["icons"]:
        answer = browser.get(each["src"])
        assert answer.mimetype == each["type"] == "image/png"
        assert "x".join(map(str, size_of(answer.data))) == each["sizes"]
        assert "immutable" in answer.headers["Cache-Control"]
        assert corner_of(answer.data) == ((0x14, 0x53, 0x2D, 255) if each["purpose"] == "maskable" else (0, 0, 0, 0))
    assert browser.get("/static/icon-7.png").status_code == 404


def test_the_manifest_speaks_the_language_of_the_phone(safe):
    browser = Browser(safe, "games.example")
    german = browser.get("/manifest.webmanifest", headers={"Accept-Language": "de-AT"}).get_json(force=True)
    assert (german["lang"], german["shortcuts"][0]["name"]) == ("de", "Wer gewinnt diesen Stich?")


def test_only_a_page_on_a_safe_line_offers_to_be_installed(app, safe):
    for browser, offered in ((Browser(app), False), (Browser(app, "127.0.0.1:8000"), True), (Browser(safe, "games.example"), True)):
        page = browser.get("/").get_data(as_text=True)
        assert ('rel="manifest"' in page, 'rel="apple-touch-icon"' in page) == (offered, offered)


# ---- sleeping --------------------------------------------------------------------------------------------------------


def test_on_plain_http_a_player_is_told_once_that_the_phone_may_sleep(evening):
    ben, lobby = evening["Ben"], f"/n/{evening.id}"
    assert HINT in words(ben.get(lobby))
    answer = ben.post("/sleep", {"back": lobby})
    assert (answer.status_code, answer.headers["Location"]) == (303, lobby)
    assert HINT not in words(ben.get(lobby))
    assert HINT in words(evening["Cem"].get(lobby))
    assert HINT not in words(evening["Tom"].get(lobby)), "who watches has no seat to lose"


def test_with_script_the_line_alone_goes_away(evening):
    answer = evening["Ben"].post("/sleep", {"back": f"/n/{evening.id}"}, htmx=True)
    assert (answer.status_code, answer.data) == (200, b"")


@pytest.mark.parametrize("back", ["", "//evil.example", "https://evil.example/", "/m/x", "/n/x/../.."])
def test_putting_the_line_away_leads_nowhere_else(evening, back):
    assert evening["Ben"].post("/sleep", {"back": back}).headers["Location"] == "/"


def test_where_the_phone_stays_awake_nothing_is_said_about_sleep(safe):
    browser = Browser(safe, "games.example")
    token = browser.token()
    more = {"headers": {"Origin": "https://games.example"}, "base_url": "https://games.example"}
    answer = browser.client.post("/nights", data={"csrf_token": token, "name": "Ana"}, **more)
    lobby = browser.client.get(answer.headers["Location"], base_url="https://games.example")
    assert lobby.status_code == 200
    assert HINT not in words(lobby)
