"""A lost phone gets its own seat back, nobody else's (promises, row 17); the host's part of it."""

import pytest
from browser.phones import gather, sit

pytestmark = pytest.mark.postgresql


@pytest.fixture
def counted(new_phone, table):
    """Ana and Ben at a table; one round is over."""
    ana, ben = new_phone(), new_phone()
    match = sit(table, ana, ben)
    ben.count(20, 10)
    ana.count(25, 10)
    for phone in (ana, ben):
        phone.shows({"Ana": 15, "Ben": 10})
    return ana, ben, match


def invitation(phone):
    """Where the QR code leads."""
    from web.qr import read_svg

    return read_svg(phone.page.locator("#invite svg.qr").evaluate("svg => svg.outerHTML"))


def lobby(phone):
    phone.tap("css=.top .home")
    phone.page.wait_for_selector("#people")


def test_the_code_of_the_seat_brings_it_back_on_a_new_phone(counted, new_phone):
    _, ben, match = counted
    lobby(ben)
    code, link = ben.text("#host .code"), invitation(ben)
    fresh = new_phone("fresh").go(link)
    fresh.expect("status of 404")
    ben.expect("status of 403")
    fresh.tap("css=details summary")
    fresh.page.fill(".seat-back:has-text('Ben') input[name=code]", "AAA AAA")
    fresh.tap(fresh.page.locator(".seat-back:has-text('Ben')").get_by_role("button", name="That's me"))
    fresh.sees("That is not the code of this seat")
    fresh.go(link)
    fresh.tap("css=details summary")
    fresh.page.fill(".seat-back:has-text('Ben') input[name=code]", code)
    fresh.tap(fresh.page.locator(".seat-back:has-text('Ben')").get_by_role("button", name="That's me"))
    _is_ben_again(fresh, match)
    ben.sees("your seat went to another phone")  # the old one is out, by itself


def test_the_host_gives_a_seat_back(counted, new_phone):
    ana, ben, match = counted
    lobby(ana)
    ben.expect("status of 403")
    fresh = new_phone("fresh").go(invitation(ana))
    fresh.tap("css=details summary")
    fresh.tap(fresh.page.locator(".seat-back:has-text('Ben')").get_by_role("button", name="Ask the host"))
    fresh.sees("Waiting for the host")
    ana.sees("A new phone says it is Ben.", "#claims", ana.soon)
    ana.tap("Yes, give the seat back")
    fresh.page.wait_for_url("**/n/*")  # nothing to tap
    _is_ben_again(fresh, match)
    ben.sees("your seat went to another phone")


def test_control_without_the_hosts_word_the_seat_stays_where_it_is(counted, new_phone):
    ana, ben, match = counted
    lobby(ana)
    fresh = new_phone("fresh").go(invitation(ana))
    fresh.tap("css=details summary")
    fresh.tap(fresh.page.locator(".seat-back:has-text('Ben')").get_by_role("button", name="Ask the host"))
    ana.tap("No")
    ana.page.wait_for_selector("#claims .claim", state="detached")
    fresh.expect("status of 403")
    fresh.go(match)
    fresh.sees("You are not at this night")
    ben.tap("Count without a start")
    ben.sees("Count your cards", "#enter")


def _is_ben_again(fresh, match):
    fresh.sees("you", "#people li:has-text('Ben')")
    fresh.go(match)
    assert fresh.totals() == {"Ana": 15, "Ben": 10}
    fresh.tap("Count without a start")
    fresh.sees("Count your cards", "#enter")
    fresh.count(30, 5)
    fresh.sees("Ben: 30 in the score pile, 5 left over.", "#story")


def test_the_same_phone_comes_back_to_its_seat(counted):
    _, ben, match = counted
    lobby(ben)
    ben.go(invitation(ben))
    assert "/n/" in ben.page.url
    ben.go("/")
    ben.tap(ben.page.locator(".panel .do").first)
    ben.sees("you", "#people li:has-text('Ben')")
    ben.go(match)
    assert ben.totals() == {"Ana": 15, "Ben": 10}


def test_somebody_without_a_phone_gets_one_later(new_phone, table):
    ana, fresh = new_phone(), new_phone("Oma's")
    path, _ = gather(table, ana, without=["Oma"])
    fresh.go(invitation(ana.go(path)))
    fresh.tap("Oma")
    fresh.sees("you", "#people li:has-text('Oma')")
    ana.sees_not("no phone", "#people")


def test_the_host_hands_over_closes_the_door_and_removes_somebody(new_phone, table):
    ana, ben, cem, late = new_phone(), new_phone(), new_phone(), new_phone("late")
    path, _ = gather(table, ana, ben, cem)
    for phone in (ana, ben, cem):
        phone.go(path)
        phone.line("live")
    link = invitation(ana)
    ana.tap("css=#people li:has-text('Ben') .more summary")
    ana.tap(ana.page.locator("#people li:has-text('Ben')").get_by_role("button", name="Make host"))
    ben.page.wait_for_selector("#host button:has-text('Close joining')", timeout=ben.soon)
    ana.sees_not("Close joining", "#host")
    ben.tap("Close joining")
    ana.sees("Joining is closed", "#invite")
    late.go(link)
    late.sees("Joining is closed for this night")
    cem.expect("status of 403")
    ben.tap("css=#people li:has-text('Cem') .more summary")
    ben.tap("Remove Cem")
    cem.sees("You are not at this night")
    ana.sees("2 people", "#people")
