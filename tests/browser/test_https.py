"""`companion --https CERT KEY` on real phones: an evening on a safe line, and what only there is asked of the phone."""

import pytest
from browser.phones import NAME, play_from_lobby, start_night
from browser.test_phone import spied, waits_for_asked
from browser.test_results import SHARES
from ports import free_port
from test_server import make_certificate, running

HINT = "Your phone may go to sleep."
QUESTION = "/who-wins/the-academy?trump=green&cards=blue-5,blue-7,green-3,purple-2&players=4"


@pytest.fixture(scope="module")
def safe(tmp_path_factory):
    """Where phones find a server with a certificate of its own."""
    folder, port = tmp_path_factory.mktemp("safe"), free_port()
    address = f"https://{NAME}:{port}"
    with running(folder, "--port", str(port), "--url", address, "--https", *map(str, make_certificate(folder))):
        yield address


@pytest.fixture
def safe_phone(new_phone, safe):
    """Makes phones whose owners have said that they trust it."""
    return lambda name="": spied(new_phone(name, url=safe, ignore_https_errors=True))


def cookies(phone):
    return {each["name"]: each for each in phone.page.context.cookies()}


def test_an_evening_with_joining_live_updates_and_screens_that_stay_awake(safe_phone):
    ana, ben = safe_phone("Ana"), safe_phone("Ben")
    play_from_lobby(ana, [ben], ("Ana", "Ben"), "Ligretto Crazy")
    for phone in (ana, ben):
        assert phone.is_secure()
        waits_for_asked(phone, "awake", 1)
    ana.tap("Start")
    ben.sees("Phones down", "#enter")  # nobody reloaded it
    ben.tap("css=.top .home")
    ben.sees("Ana", "#people")
    assert ben.page.get_by_text(HINT).count() == 0


def test_the_cookie_is_for_this_site_and_safe_lines_alone(safe_phone):
    found = cookies(start_night(safe_phone(), "Ana"))
    seat = found["__Host-companion"]
    assert (seat["secure"], seat["httpOnly"], seat["path"], seat["domain"]) == (True, True, "/", NAME)
    assert all(each["secure"] for each in found.values())


def test_control_on_plain_http_a_cookie_is_an_ordinary_one(new_phone):
    found = cookies(start_night(new_phone(), "Ana"))
    assert not found["companion"]["secure"]
    assert "__Host-companion" not in found


def test_a_phone_is_offered_to_install_it(safe_phone):
    ana = safe_phone().go("/")
    assert ana.page.locator("link[rel=manifest]").count() == 1
    found = ana.page.context.new_cdp_session(ana.page).send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["data"]
    assert found["errors"] == []


def test_a_verdict_goes_to_the_share_sheet_where_there_is_one(safe_phone, safe):
    ana, bare = safe_phone(), safe_phone()
    ana.page.add_init_script(SHARES)
    for phone in (ana, bare):
        phone.go(QUESTION)
        phone.tap("css=.share summary")
    assert not bare.page.locator("[data-share]").is_visible()
    assert bare.page.locator("[data-copy]").is_visible(), "a safe line has a clipboard at least"
    ana.tap("Share")
    given = ana.page.evaluate("given")
    assert given["url"].startswith(f"{safe}/who-wins/the-academy?")
    assert "wins" in given["title"]
