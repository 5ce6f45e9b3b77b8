"""Promises 13 and 14, and coming in: codes, closed and full nights, names that are taken."""

import random
import re
import secrets
import string
from datetime import timedelta

import pytest
from conftest import Browser, make_evening
from databases import new_app
from web.calls import started
from web.looking import page, stored, words
from web.qr import read_svg

from companion.names import ALPHABET
from companion.nights import MAX_PEOPLE
from companion.web.guests import MAX_NIGHTS

pytestmark = pytest.mark.postgresql

HOME = "http://game.test:8000"


def nights_of(app):
    return app.extensions["companion"].nights


# ---- promise 13: nights cannot be guessed or listed ------------------------------------------------------------------


def made_up_codes(chance, many):
    return ["".join(chance.choices(ALPHABET, k=6)) for _ in range(many)]


def made_up_tokens(chance, many):
    """Random ones, and those that somebody would try who hopes for numbers."""
    signs = string.ascii_letters + string.digits + "-_"
    return [str(n) for n in range(many // 2)] + ["".join(chance.choices(signs, k=22)) for _ in range(many - many // 2)]


def hits_by_request(app, codes, tokens):
    """Guesses as they come over the wire, each from an address of its own."""
    browser = Browser(app)
    client, token, found = browser.client, browser.token(), []
    for n, code in enumerate(codes):
        answer = client.post("/join", data={"csrf_token": token, "code": code}, base_url=HOME, environ_base=_from(n))
        found += [] if answer.status_code == 404 else [code]
    for n, guess in enumerate(tokens):
        for path in (f"/j/{guess}", f"/n/{guess}", f"/m/{guess}")[n % 3 : n % 3 + 1]:
            found += [] if client.get(path, base_url=HOME, environ_base=_from(n)).status_code == 404 else [path]
    return found


def hits_by_lookup(app, codes, tokens):
    """The same guesses where the requests end up."""
    nights, store = nights_of(app), app.extensions["companion"].store
    looks = (nights.by_token, nights.room, store.match)
    return [code for code in codes if nights.by_code(code)] + [guess for n, guess in enumerate(tokens) if looks[n % 3](guess)]


def _from(n):
    return {"REMOTE_ADDR": f"10.9.{n // 250}.{n % 250}"}


@pytest.fixture
def busy(app):
    """Five live nights, each with a match."""
    for n in range(5):
        make_evening(app, host=f"Ana {n}", watchers=()).start(by=f"Ana {n}", seats=[f"Ana {n}", "Ben"])
    return app


def test_ten_thousand_guesses_find_no_night(busy):
    chance = random.Random(13)
    assert hits_by_request(busy, made_up_codes(chance, 100), made_up_tokens(chance, 200)) == []
    assert hits_by_lookup(busy, made_up_codes(chance, 3700), made_up_tokens(chance, 6000)) == []


@pytest.mark.soak
def test_ten_thousand_guesses_over_the_wire_find_no_night(busy):
    chance = random.Random(14)
    assert hits_by_request(busy, made_up_codes(chance, 5000), made_up_tokens(chance, 5000)) == []


def test_nights_with_running_numbers_or_short_codes_would_be_found(app, monkeypatch):
    numbers = iter(range(1, 1000))
    monkeypatch.setattr("companion.nights.new_code", lambda: f"ABC{ALPHABET[next(numbers) % 31]}")
    monkeypatch.setattr("companion.models.secrets.token_urlsafe", lambda _: str(next(numbers)))
    started(Browser(app), "Ana")
    guesses = [f"ABC{one}" for one in ALPHABET]
    assert hits_by_request(app, guesses, [])
    assert hits_by_lookup(app, guesses, [])
    assert hits_by_request(app, [], made_up_tokens(random.Random(1), 60))
    assert hits_by_lookup(app, [], made_up_tokens(random.Random(1), 60))


def test_only_wrong_codes_are_limited(evening):
    guest, guesser = Browser(evening.app), Browser(evening.app)
    for _ in range(40):
        assert guest.post("/join", {"code": evening.code}).status_code == 303
        assert guest.get(f"/j/{evening.token}").status_code == 200
    codes = [guesser.post("/join", {"code": "AAAAAA"}).status_code for _ in range(12)]
    assert codes == [404] * 10 + [429] * 2
    answer = guesser.post("/join", {"code": evening.code})
    assert answer.status_code == 429
    assert "Wait a minute" in words(answer)
    assert guesser.get(f"/n/{evening.id}").status_code == 403  # everything else still answers
    assert evening["Ben"].get(f"/n/{evening.id}").status_code == 200
    elsewhere = guest.client.post(
        "/join", data={"code": evening.code, "csrf_token": guest.token()}, base_url=HOME, environ_base={"REMOTE_ADDR": "10.1.1.1"}
    )
    assert elsewhere.status_code == 303


@pytest.mark.parametrize("where", ["invitation", "seat"])
def test_wrong_tokens_and_wrong_codes_of_a_seat_are_limited(evening, where):
    guesser, ben = Browser(evening.app), evening.person("Ben")
    for n in range(12):
        if where == "invitation":
            answer = guesser.get(f"/j/{secrets.token_urlsafe(16)}")
        else:
            answer = guesser.post(f"/j/{evening.token}/seats/{ben.id}/return", {"code": "AAAAA" + ALPHABET[n]})
        assert answer.status_code == (404 if n < 10 else 429)


def test_no_address_holds_a_running_number(evening):
    """Every id in an address has at least 128 bits; only the entries and the seats inside a match are numbered."""
    match = evening.start()
    evening["Ana"].post(f"/m/{match}/act/round-1-count-0", {"scored": "20", "left": "5", "key": "a key of a form"})
    seen = set()
    for path in (f"/n/{evening.id}", f"/m/{match}", f"/n/{evening.id}/tv", f"/n/{evening.id}/new/ligretto-crazy", f"/m/{match}/entries/1"):
        shown = page(evening["Ana"].get(path))
        seen.update(shown.links + [form.action for form in shown.forms])
    parts = {part for address in seen for part in re.findall(r"/(?:n|m|j|people|claims)/([^/?]+)", address)}
    assert len(seen) > 15
    assert {len(part) for part in parts} == {22}
    assert len(parts) == 5  # the night, the match, and the three whom the host could remove
    assert not any(part.isdigit() for part in parts)


def test_there_is_no_list_of_nights(evening):
    """Nobody finds a night without its code; and a night's page is for those who joined."""
    stranger = Browser(evening.app)
    home = stranger.get("/").get_data(as_text=True)
    for secret in (evening.id, evening.token, evening.code, "Ana"):
        assert secret not in home
    for path in ("/n", "/n/", "/nights", "/m", "/m/", "/j", "/j/"):
        assert stranger.get(path).status_code in (404, 405)
    answer = stranger.get(f"/n/{evening.id}")
    assert answer.status_code == 403
    assert evening.code not in answer.get_data(as_text=True)
    assert evening.token not in answer.get_data(as_text=True)


# ---- promise 14: join addresses point home ---------------------------------------------------------------------------

SPOOFS = (
    {"Host": "evil.test"},
    {"Host": "evil.test:8000"},
    {"Host": "game.test.evil.test"},
    {"Host": "game.test:8000@evil.test"},
    {"Host": "127.0.0.1:1"},
    {"Host": "localhost:9999"},
    {"Host": "game.test:9999"},
    {"Host": ""},
    {"Host": "game.test:8000, evil.test"},
    {"Host": "[::1]"},
    {"Host": "evil\ttest"},
    {"X-Forwarded-Host": "evil.test"},
    {"X-Forwarded-Host": "evil.test", "X-Forwarded-Proto": "https", "X-Forwarded-Port": "444", "X-Forwarded-Prefix": "/evil"},
    {"Forwarded": "host=evil.test;proto=https"},
    {"X-Original-Host": "evil.test", "X-Host": "evil.test", "X-Forwarded-Server": "evil.test"},
)


def led_astray(evening):
    """The spoofed requests whose answer leads anywhere but home."""
    home, found = f"{HOME}/j/{evening.token}", []
    cookie = evening["Ana"].client.get_cookie("companion", domain="game.test").value
    for spoof in SPOOFS:
        for path in (f"/n/{evening.id}", f"/n/{evening.id}/tv", f"/n/{evening.id}/now", f"/n/{evening.id}/machine", f"/j/{evening.token}"):
            client = evening.app.test_client(use_cookies=False)
            headers = {"Host": "game.test:8000", **spoof, "Cookie": f"companion={cookie}"}
            answer = client.get(path, base_url=HOME, headers=headers)
            html = answer.get_data(as_text=True).replace('\\"', '"')
            codes = [read_svg(svg) for svg in re.findall(r'<svg class="qr".*?</svg>', html, re.DOTALL)]
            away = "evil" in html + answer.headers.get("Location", "") or ":9999" in html or any(code != home for code in codes)
            if away or answer.status_code not in (200, 303, 400) or (answer.status_code == 400 and not html):
                found.append((spoof, path, answer.status_code))
    return found


def test_join_addresses_point_home_whatever_a_request_claims(evening):
    assert led_astray(evening) == []


def test_join_addresses_made_of_the_request_would_be_noticed(evening, monkeypatch):
    from flask import request

    evening.app.config["TRUSTED_HOSTS"] = None
    monkeypatch.setattr("companion.web.lobby.join_url", lambda token: f"{request.host_url}j/{token}")
    assert len(led_astray(evening)) >= 6


def test_the_qr_code_the_typed_code_and_the_address_lead_to_the_same_night(evening):
    html = evening["Ana"].get(f"/n/{evening.id}").get_data(as_text=True)
    assert read_svg(re.search(r'<svg class="qr".*?</svg>', html, re.DOTALL)[0]) == f"{HOME}/j/{evening.token}"
    shown = words(evening["Ana"].get(f"/n/{evening.id}"))
    assert f"{evening.code[:3]} {evening.code[3:]}" in shown
    assert "at game.test:8000" in shown
    assert Browser(evening.app).post("/join", {"code": evening.code}).headers["Location"] == f"/j/{evening.token}"


def test_a_public_address_behind_a_proxy_is_used_as_it_was_given(tmp_path):
    app = new_app(tmp_path / "proxied", "https://cards.example.org/")
    app.testing = True
    browser = Browser(app, "cards.example.org")
    html = browser.get(f"/n/{started(browser, 'Ana')}").get_data(as_text=True)
    token = re.search(r"cards\.example\.org", html)
    assert token
    assert read_svg(re.search(r'<svg class="qr".*?</svg>', html, re.DOTALL)[0]).startswith("https://cards.example.org/j/")
    cookie = app.test_client().get("/", base_url="https://cards.example.org").headers["Set-Cookie"]
    assert "Secure" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    app.extensions["companion"].database.close()


# ---- codes as they are typed -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["{0}", " {0} ", "{1} {2}", "{1}-{2}", "{3}", "{1} {4}", "“{0}”", "{1}\t{2}", "{0}0"])
def test_a_code_may_be_typed_as_people_do(shared_evening, typed):
    evening = shared_evening
    code = evening.code
    given = typed.format(code, code[:3], code[3:], code.lower(), code[3:].lower())
    assert Browser(evening.app).post("/join", {"code": given}).headers["Location"] == f"/j/{evening.token}"


@pytest.mark.parametrize("typed", ["", " ", "ABC", "{0}A", "{0}{0}", "000000", "<b>x</b>", "Ａ" * 6, "x" * 5000, "\0", "' OR 1=1 --"])
def test_a_mistyped_code_is_told_in_words_and_kept(evening, typed):
    answer = Browser(evening.app).post("/join", {"code": typed.format(evening.code)})
    assert answer.status_code == 404
    assert "No open night has this code" in words(answer)
    assert page(answer).form("/join").data["code"] == typed.format(evening.code)[:20]


def test_the_code_of_a_closed_night_is_no_code_but_its_qr_code_says_what_is_wrong(evening):
    evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "closed"})
    guest = Browser(evening.app)
    assert guest.post("/join", {"code": evening.code}).status_code == 404
    shown = guest.get(f"/j/{evening.token}")
    assert shown.status_code == 200
    assert "Joining is closed for this night. Ask the host to open it." in words(shown)
    before = stored(evening.app)
    answer = guest.post(f"/j/{evening.token}", {"name": "Dora"})
    assert answer.status_code == 403
    assert "Joining is closed" in words(answer)
    assert stored(evening.app) == before
    assert "Joining is closed" in words(evening["Ben"].get(f"/n/{evening.id}"))
    assert evening.code not in evening["Tom"].get(f"/n/{evening.id}/tv").get_data(as_text=True)
    evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "open"})
    assert guest.post(f"/j/{evening.token}", {"name": "Dora"}).status_code == 303


def test_a_night_that_is_gone_is_told_in_words_with_the_way_back(app):
    answer = Browser(app).get("/j/AAAAAAAAAAAAAAAAAAAAAA")
    assert answer.status_code == 404
    assert "Perhaps the address was mistyped, or the night is over." in words(answer)
    assert page(answer).links[-1] == "/"


def test_the_same_phone_comes_back_to_its_seat(evening):
    """After a reload, a new scan, a typed code or a second tap on Join."""
    before = stored(evening.app)
    assert evening["Ben"].get(f"/j/{evening.token}").headers["Location"] == f"/n/{evening.id}"
    assert evening["Ben"].post(f"/j/{evening.token}", {"name": "Ben"}).headers["Location"] == f"/n/{evening.id}"
    assert evening["Ben"].post("/join", {"code": evening.code}, follow=True).request.path == f"/n/{evening.id}"
    assert f"/n/{evening.id}" in page(evening["Ben"].get("/")).links
    assert stored(evening.app) == before


def nights_on(answer):
    return [link for link in page(answer).links if link.startswith("/n/")]


def test_one_browser_can_be_at_two_nights(evening):
    other = started(evening["Ben"], "Ben B")
    assert evening["Ben"].get(f"/n/{evening.id}").status_code == 200
    assert evening["Ben"].get(f"/n/{other}").status_code == 200
    assert nights_on(evening["Ben"].get("/")) == [f"/n/{other}", f"/n/{evening.id}"]


def test_a_browser_forgets_its_oldest_nights_first(app):
    browser = Browser(app)
    nights = [started(browser, f"Ana {n}") for n in range(MAX_NIGHTS + 3)]
    assert nights_on(browser.get("/")) == [f"/n/{night}" for night in nights[:-4:-1]]
    assert [browser.get(f"/n/{night}").status_code for night in nights] == [403] * 3 + [200] * MAX_NIGHTS


def test_a_night_may_be_hosted_by_a_laptop_that_does_not_play(app):
    browser = Browser(app)
    night = started(browser, "")
    assert browser.get(f"/n/{night}").status_code == 200
    assert browser.post(f"/n/{night}/people", {"name": "Dora"}).status_code == 303
    assert [person.name for person in nights_of(app).room(night).players] == ["Dora"]


# ---- a TV ------------------------------------------------------------------------------------------------------------


def on_tv(evening, **how):
    """A fresh browser that types the code at /tv, and what it got."""
    tv = Browser(evening.app)
    return tv, tv.post("/tv", {"code": how.get("code", evening.code)})


def watching(evening):
    return [person.name for person in nights_of(evening.app).room(evening.id).people if person.watching]


def test_a_tv_gets_in_with_the_code_alone_and_only_watches(evening):
    asked = Browser(evening.app).get("/tv")
    assert "Type the code of the night" in words(asked)
    assert list(page(asked).form("/tv").data) == ["csrf_token", "code"]
    tv, answer = on_tv(evening)
    assert answer.headers["Location"] == f"/n/{evening.id}/tv"
    assert tv.get("/tv").headers["Location"] == f"/n/{evening.id}/tv"
    assert evening.code[:3] in words(tv.get(f"/n/{evening.id}/tv"))
    assert watching(evening) == ["Tom", "TV"]
    assert tv.get(f"/n/{evening.id}/new").status_code == 403


def test_asking_where_to_type_the_code_changes_nothing(evening):
    before = stored(evening.app)
    for browser in (Browser(evening.app), evening["Ben"]):
        browser.get("/tv")
    assert stored(evening.app) == before


def test_a_second_tv_has_the_next_free_name(evening):
    Browser(evening.app).post(f"/j/{evening.token}", {"name": "tv 2"})
    for _ in range(3):
        on_tv(evening)
    assert watching(evening) == ["Tom", "TV", "TV 3", "TV 4"]
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('TV').id}/remove")
    on_tv(evening)
    assert watching(evening) == ["Tom", "TV 3", "TV 4", "TV"]


def test_whoever_has_a_seat_keeps_it_on_the_way_to_the_tv_page(evening):
    before = stored(evening.app)
    assert evening["Ben"].post("/tv", {"code": evening.code}).headers["Location"] == f"/n/{evening.id}/tv"
    assert evening["Ben"].get("/tv").headers["Location"] == f"/n/{evening.id}/tv"
    assert stored(evening.app) == before


def test_a_tv_that_was_at_another_night_last_week_is_asked_again(evening, monkeypatch):
    tv, _ = on_tv(evening)
    assert tv.get("/tv").status_code == 303
    monkeypatch.setattr("companion.web.pages.A_WHILE", timedelta(days=-1))  # as if that were long ago, also where the clock is set back
    asked = tv.get("/tv")
    assert "Type the code of the night" in words(asked)
    assert f"/n/{evening.id}/tv" in page(asked).links


@pytest.mark.parametrize("how", ["mistyped", "closed", "full"])
def test_a_tv_that_cannot_come_in_is_told_why_on_the_same_page(evening, how):
    if how == "closed":
        evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "closed"})
    if how == "full":
        for n in range(MAX_PEOPLE - 4):
            nights_of(evening.app).add(nights_of(evening.app).room(evening.id).night, f"Guest {n}")
    before = stored(evening.app)
    _, answer = on_tv(evening, code="ABC DEF" if how == "mistyped" else evening.code)
    assert answer.status_code == (409 if how == "full" else 404)
    assert ("This night is full" if how == "full" else "No open night has this code") in words(answer)
    assert page(answer).form("/tv").data["code"] == ("ABC DEF" if how == "mistyped" else evening.code)
    assert stored(evening.app) == before


def test_codes_are_not_guessed_any_faster_at_the_tv(evening):
    """Wrong ones count together, wherever they are typed."""
    guesser = Browser(evening.app)
    codes = [guesser.post("/tv" if n % 2 else "/join", {"code": "AAAAAA"}).status_code for n in range(12)]
    assert codes == [404] * 10 + [429] * 2
    assert "Wait a minute" in words(guesser.post("/tv", {"code": evening.code}))
    assert watching(evening) == ["Tom"]


def test_the_lobby_says_what_to_open_on_the_tv(evening):
    hint = f"open game.test:8000/tv on the TV itself, and type {evening.code[:3]} {evening.code[3:]} there"
    assert hint in words(evening["Ben"].get(f"/n/{evening.id}"))
    evening["Ana"].post(f"/n/{evening.id}/joining", {"joining": "closed"})
    assert "/tv on the TV itself" not in words(evening["Ben"].get(f"/n/{evening.id}"))


# ---- a full night ----------------------------------------------------------------------------------------------------


def test_a_full_night_says_so_and_lets_in_whoever_has_a_seat(evening):
    for n in range(MAX_PEOPLE - 4):
        evening["Ana"].post(f"/n/{evening.id}/people", {"name": f"Guest {n}"})
    late, before = Browser(evening.app), stored(evening.app)
    answer = late.post(f"/j/{evening.token}", {"name": "Late"})
    assert answer.status_code == 409
    assert f"This night is full: {MAX_PEOPLE} people." in words(answer)
    assert page(answer).form("").data["name"] == "Late"
    answer = evening["Ana"].post(f"/n/{evening.id}/people", {"name": "Late"})
    assert answer.status_code == 409
    assert "full" in words(answer)
    assert stored(evening.app) == before
    ben = evening.person("Ben")
    assert late.post(f"/j/{evening.token}/seats/{ben.id}/return", {"code": ben.code}).status_code == 303
    assert evening["Cem"].get(f"/n/{evening.id}").status_code == 200
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Guest 1').id}/remove")
    assert Browser(evening.app).post(f"/j/{evening.token}", {"name": "Late"}).status_code == 303


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ben", "ben", " BEN ", "B en", "\u0412en", "B\u0435n", "\u0392\u0435n", "Ｂｅｎ", "𝐁𝐞𝐧", "ben\u00a0"])
def test_a_name_that_is_taken_or_looks_like_it_is_refused_and_kept(shared_evening, name):
    evening = shared_evening
    before = stored(evening.app)
    answer = Browser(evening.app).post(f"/j/{evening.token}", {"name": name})
    assert answer.status_code == 409
    assert "or much like it, is here already" in words(answer)
    assert page(answer).form("").data["name"] == name
    assert stored(evening.app) == before


@pytest.mark.parametrize(
    "name", ["Benn", "Ben 2", "Bén", "Бен", "李", "Zoë", "O’Neill", "👩‍👩‍👧", "Ngũgĩ", "x" * 24, "e\u0301" * 24, "1", "<b>"]
)
def test_other_names_are_welcome(shared_evening, name):
    evening = shared_evening
    guest = Browser(evening.app)
    assert guest.post(f"/j/{evening.token}", {"name": name}).status_code == 303
    assert guest.get(f"/n/{evening.id}").status_code == 200


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "Please type a name"),
        ("   ", "Please type a name"),
        ("...", "Please type a name"),
        ("x" * 25, "too long: 24"),
        ("y" * 5000, "too long: 24"),
        ("e" + "\u0301" * 300, "too long: 24"),
        ("An\u202ea", "cannot be shown"),
        ("An\u2066a", "cannot be shown"),
        ("An\0a", "cannot be shown"),
        ("An\x1b[2Ja", "cannot be shown"),
        ("An\u200ba", "cannot be shown"),
        ("\ue000", "cannot be shown"),
        ("\u200d\ufe0f", "Please type a name"),
    ],
)
@pytest.mark.parametrize("where", ["join", "add", "start"])
def test_a_name_that_is_none_is_told_why(shared_evening, name, why, where):
    evening = shared_evening
    before = stored(evening.app)
    if where == "join":
        answer = Browser(evening.app).post(f"/j/{evening.token}", {"name": name})
    elif where == "add":
        answer = evening["Ana"].post(f"/n/{evening.id}/people", {"name": name})
    elif name.strip():
        answer = Browser(evening.app).post("/nights", {"name": name})
    else:  # a laptop may host without a name
        assert Browser(evening.app).post("/nights", {"name": name}).status_code == 303
        return
    assert answer.status_code == 422
    assert why in words(answer)
    assert stored(evening.app) == before


@pytest.fixture(scope="module")
def shared_evening(tmp_path_factory):
    app = new_app(tmp_path_factory.mktemp("shared") / "instance", HOME)
    app.testing = True
    yield make_evening(app)
    app.extensions["companion"].database.close()


def test_a_name_is_kept_composed_with_single_spaces(evening):
    Browser(evening.app).post(f"/j/{evening.token}", {"name": "  Zoe\u0308   Marie "})
    assert "Zoë Marie" in [row[2] for row in stored(evening.app)["person"]]
    assert Browser(evening.app).post(f"/j/{evening.token}", {"name": "Zoë Marie"}).status_code == 409


def test_a_removed_persons_name_is_free_again(evening):
    evening["Ana"].post(f"/n/{evening.id}/people/{evening.person('Ben').id}/remove")
    assert Browser(evening.app).post(f"/j/{evening.token}", {"name": "Ben"}).status_code == 303
