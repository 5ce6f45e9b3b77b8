"""Past nights on real phones: from an evening to its figures by tapping, and every page on a small screen."""

import re

import pytest
from browser.phones import gather, sit
from browser.test_pages import check
from conftest import serve
from databases import new_app
from past_nights import PastNights


@pytest.fixture
def full(tmp_path):
    """A laptop with a hundred matches behind it; gives the server, the newest night and its people."""
    app = new_app(tmp_path / "instance")
    night, ids = PastNights(app).many(100)[-1]
    app.extensions["companion"].database.close()
    server = serve(tmp_path / "instance")
    yield server, night, ids
    server.stop()


def test_no_past_page_scrolls_sideways_and_everything_can_be_tapped(full, new_phone):
    server, night, ids = full
    long = ids["Maximiliana-Wilhelmine X"]
    paths = ["/past", "/past/nights", "/past/people", f"/past/nights/{night}", "/past/games/crazy-lab"]
    paths += [f"/past/people/{long}{more}" for more in ("", "/correct", "/phone", "/forget", f"/against/{ids['Oma Ingeborg']}")]
    for dark in (False, True):
        phone = new_phone(dark=dark, url=server.url)
        for path in paths:
            check(phone.go(path), path)


def test_at_the_laptop_two_names_become_one_person_and_two_again(full, new_phone):
    server, _, _ = full
    laptop = new_phone(url=server.url).go("/")
    laptop.tap("Past nights and statistics")
    laptop.tap("All 7 people")
    laptop.tap(laptop.page.locator(".rows a:has(b:text-is('Ana'))"))
    laptop.sees("By number of players")
    laptop.tap("Two names, or two people?")
    laptop.expect("status of 409")
    choose(laptop, "Ben")
    laptop.tap("Yes, one person")
    laptop.sees("played against each other")
    laptop.page.go_back()
    for box in laptop.page.locator("input[name=night]").all()[:3]:
        box.check()
    laptop.tap("That was somebody else")
    choose(laptop, "Ana")
    assert laptop.page.locator("input[name=night]").count() == 7
    laptop.tap("Yes, one person")
    laptop.tap("Take them apart again")
    choose(laptop, "Ana")


def choose(laptop, name):
    """Somebody else's name in the list of people."""
    option = laptop.page.locator("#other option").filter(has_text=re.compile(f"^{name} "))
    option.wait_for(state="attached")
    laptop.page.select_option("#other", option.get_attribute("value"))


@pytest.mark.postgresql
def test_after_an_evening_a_phone_finds_its_line_and_can_be_forgotten(new_phone, table):
    ana, ben = new_phone(), new_phone()
    match = sit(table, ana, ben, names=("Ana", "Ben"), target=50)
    ana.count(60, 2)
    ben.count(8, 1)
    ana.sees("Ana", ".win")
    ana.tap("css=.top .home")
    ana.tap("Past nights and statistics")
    ana.sees("All my figures")
    ana.tap("All my figures")
    ana.sees("By game")
    assert ana.page.locator(".tally dd").all_inner_texts() == ["1", "1", "1.0", "1"]
    ana.tap("Forget Ana …")
    ana.sees("This cannot be undone")
    ana.tap("Forget Ana for good")
    ana.page.wait_for_url("**/")
    ben.go(match)
    ben.sees("N. N.")
    assert "Ana" not in ben.text("main")


def test_a_stranger_gets_no_link_and_no_page(new_phone, table):
    host, stranger = new_phone(), new_phone()
    gather(table, host)
    stranger.go("/")
    assert stranger.page.locator("a[href='/past']").count() == 0
    stranger.expect("status of 403")
    stranger.go("/past")
    stranger.sees("Past nights are for those who were there")
