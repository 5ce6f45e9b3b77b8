"""A match paused tonight and continued next week: the machine opens the night again, and everybody finds their seat."""

from datetime import timedelta

import pytest
from conftest import Browser, make_evening
from databases import new_app
from web.looking import page, stored, words

from companion.models import now
from companion.web import lobby

pytestmark = pytest.mark.postgresql

NEW = "192.168.1.99:8000"  # the machine's address a week later
FIRST_ROUND = {"points.0": "7", "points.1": "-3", "points.2": "0", "key": "the first round"}


@pytest.fixture
def paused(tmp_path):
    """Last week: Ana hosts, Ben and Cem play, Tom watches; one round is played. Then the machine was switched off."""
    app = new_app(tmp_path / "instance", "http://game.test:8000")
    evening = make_evening(app)
    evening.match = evening.start("score-sheet", title="Skull King")
    assert evening["Ana"].post(f"/m/{evening.match}/act/round-1-all-0", FIRST_ROUND).status_code == 303
    app.extensions["companion"].database.close()
    return evening


@pytest.fixture
def evening(tmp_path, paused):
    """The same folder a week later, under another address: no phone knows its cookie any more."""
    app = paused.app = new_app(tmp_path / "instance", f"http://{NEW}", (NEW.split(":")[0],))
    app.testing = True
    yield paused
    app.extensions["companion"].database.close()


def phone(evening, n=50):
    browser = Browser(evening.app, NEW)
    browser.client.environ_base = {"REMOTE_ADDR": f"192.168.1.{n}"}
    return browser


def laptop(evening):
    return Browser(evening.app, "127.0.0.1:8000")


def reopened(evening):
    """The laptop's browser after it opened the night again."""
    browser = laptop(evening)
    answer = browser.post(f"/nights/{evening.id}/reopen")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/n/{evening.id}")
    return browser


def expected(evening, browser):
    """The names that a phone can take with a tap."""
    forms = [form for form in page(browser.get(f"/j/{evening.token}")).forms if form.action.endswith("/take")]
    by_id = {person.id: person.name for person in evening.app.extensions["companion"].nights.room(evening.id).people}
    return [by_id[form.action.split("/")[-2]] for form in forms]


def take(evening, browser, name):
    return browser.post(f"/j/{evening.token}/seats/{evening.person(name).id}/take")


# ---- on the machine itself -------------------------------------------------------------------------------------------


def test_the_machine_lists_its_nights_with_what_is_not_over(evening):
    shown = words(laptop(evening).get("/"))
    assert "Go on with a night of this machine" in shown
    assert "Ana, Ben, Cem not over yet: Skull King" in shown


def test_the_machine_is_known_under_its_own_address_too(evening):
    browser = Browser(evening.app, NEW)
    browser.client.environ_base = {"REMOTE_ADDR": NEW.split(":")[0]}
    assert "Skull King" in words(browser.get("/"))


@pytest.mark.parametrize(
    ("host", "environ", "headers"),
    [
        (NEW, {"REMOTE_ADDR": "192.168.1.50"}, {}),
        ("127.0.0.1:8000", {"REMOTE_ADDR": "192.168.1.50"}, {}),
        ("127.0.0.1:8000", {"REMOTE_ADDR": "127.0.0.1"}, {"X-Forwarded-For": "192.168.1.50"}),
        ("127.0.0.1:8000", {"REMOTE_ADDR": "127.0.0.1"}, {"Via": "1.1 proxy"}),
        ("127.0.0.1:8000", {"REMOTE_ADDR": ""}, {}),
    ],
)
def test_nobody_else_is_shown_a_night_or_can_open_one(evening, host, environ, headers):
    browser = Browser(evening.app, host)
    browser.client.environ_base = environ
    assert "Skull King" not in words(browser.get("/", headers=headers))
    before = stored(evening.app)
    answer = browser.post(f"/nights/{evening.id}/reopen", headers=headers)
    assert answer.status_code == 403
    assert "on the machine itself" in words(answer)
    assert stored(evening.app) == before


def test_where_the_machine_goes_by_a_name_nobody_is_the_machine(tmp_path, paused):
    """A name may lead to a proxy, behind which everybody comes from the machine itself."""
    app = paused.app = new_app(tmp_path / "instance", "https://games.example")
    assert "Skull King" not in words(laptop(paused).get("/"))
    app.extensions["companion"].database.close()


def test_a_night_that_is_not_there_cannot_be_opened(evening):
    assert laptop(evening).post("/nights/nothing/reopen").status_code == 404


def test_the_machine_hosts_the_night_it_opened(evening):
    evening.app.extensions["companion"].nights.lock(evening.app.extensions["companion"].nights.room(evening.id).night, joining=False)
    table = reopened(evening)
    room = evening.app.extensions["companion"].nights.room(evening.id)
    assert room.night.joining
    assert room.everybody[room.night.host_id].name == "Table"
    assert "Table" not in [person.name for person in room.players]
    assert table.get(f"/n/{evening.id}/machine").status_code == 200


def test_opened_twice_it_is_the_same_table(evening):
    """Also by another browser of the machine, which lost its cookie."""
    first, second = reopened(evening), reopened(evening)
    reopened(evening)
    names = [person.name for person in evening.app.extensions["companion"].nights.room(evening.id).people]
    assert names.count("Table") == 1
    assert second.get(f"/n/{evening.id}").status_code == first.get(f"/n/{evening.id}").status_code == 403


def test_whoever_still_has_a_seat_on_the_machine_keeps_it_and_hosts(evening):
    reopened(evening)
    ben = laptop(evening)
    take(evening, ben, "Ben")
    assert ben.post(f"/nights/{evening.id}/reopen").status_code == 303
    room = evening.app.extensions["companion"].nights.room(evening.id)
    assert room.night.host_id == evening.person("Ben").id


def test_somebody_who_plays_as_table_stays_what_they_are(evening):
    nights = evening.app.extensions["companion"].nights
    night = nights.room(evening.id).night
    for name in ("Table", "Laptop"):
        nights.add(night, name)
    reopened(evening)
    room = nights.room(evening.id)
    assert room.everybody[room.night.host_id].name == "Companion"
    nights.remove(room.night, evening.person("Laptop").id)
    nights.add(room.night, "Laptop")
    assert laptop(evening).post(f"/nights/{evening.id}/reopen").status_code == 303


def test_without_a_name_for_the_machine_it_is_told(evening):
    nights = evening.app.extensions["companion"].nights
    for name in ("Table", "Laptop", "Companion"):
        nights.add(nights.room(evening.id).night, name)
    before = stored(evening.app)
    assert laptop(evening).post(f"/nights/{evening.id}/reopen").status_code == 409
    assert stored(evening.app) == before


# ---- the phones ------------------------------------------------------------------------------------------------------


def test_before_the_night_is_opened_again_no_seat_can_be_taken(evening):
    assert expected(evening, phone(evening)) == []
    assert take(evening, phone(evening), "Ben").status_code == 409


def test_everybody_taps_their_name_and_is_back_with_the_scores(evening):
    reopened(evening)
    assert expected(evening, phone(evening)) == ["Ana", "Ben", "Cem", "Tom"]
    ben = phone(evening)
    assert take(evening, ben, "Ben").status_code == 303
    assert expected(evening, phone(evening)) == ["Ana", "Cem", "Tom"]
    assert "paused, tap to continue" not in words(ben.get(f"/n/{evening.id}"))
    answer = ben.post(f"/m/{evening.match}/act/round-2-side-1", {"points": "4", "key": "a key a week later"})
    assert answer.status_code == 303
    assert evening.seated(evening.match).position.state.totals == (7, -3, 0)


def test_a_seat_that_was_taken_again_is_not_free_for_a_second_phone(evening):
    reopened(evening)
    take(evening, phone(evening), "Ben")
    assert take(evening, phone(evening, 51), "Ben").status_code == 409


def test_closing_joining_ends_the_free_choice_of_seats(evening):
    table = reopened(evening)
    table.post(f"/n/{evening.id}/joining", {"joining": "closed"})
    assert expected(evening, phone(evening)) == []
    assert take(evening, phone(evening), "Ben").status_code == 409


def test_a_phone_whose_cookie_still_holds_keeps_its_seat(evening):
    """The address did not change for it."""
    reopened(evening)
    ben = phone(evening)
    cookie = evening["Ben"].client.get_cookie("companion", domain="game.test")
    ben.client.set_cookie("companion", cookie.value, domain=NEW.split(":")[0])
    assert ben.get(f"/n/{evening.id}").status_code == 200
    assert "Ben" not in expected(evening, phone(evening))
    assert take(evening, phone(evening), "Ben").status_code == 409


def test_an_old_match_is_called_paused_and_continues(evening, monkeypatch):
    monkeypatch.setattr(lobby, "now", lambda: now() + timedelta(days=7))
    table = reopened(evening)
    shown = words(table.get(f"/n/{evening.id}"))
    assert "Skull King paused, tap to continue · Ana, Ben, Cem" in shown
    assert "Tonight" not in shown


def test_the_tv_shows_the_match_that_is_being_played_not_the_newest(evening):
    table = reopened(evening)
    ids = [evening.person(name).id for name in ("Ana", "Ben")]
    table.post(f"/n/{evening.id}/new/score-sheet", {"seat": ids, "order": ",".join(ids), "title": "Everdell"})
    assert "Everdell" in words(table.get(f"/n/{evening.id}/tv"))
    table.post(f"/m/{evening.match}/act/round-2-side-1", {"points": "4", "key": "a key a week later"})
    assert "Skull King" in words(table.get(f"/n/{evening.id}/tv"))
