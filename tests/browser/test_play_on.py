"""A match paused tonight and continued next week, when the laptop has another address and no phone its cookie."""

import pytest
from browser.phones import Table, sit
from browser.test_seats import invitation
from conftest import serve
from ports import free_port

pytestmark = pytest.mark.postgresql

LAST_WEEK, THIS_WEEK, ITSELF = "127.0.0.2", "127.0.0.3", "127.0.0.1"


class Laptop(Table):
    """A machine without a name, which has another address every week."""

    address = LAST_WEEK

    @property
    def url(self):
        return f"http://{self.address}:{self.port}"

    def start(self, folder):
        self.server = serve(folder, self.port, "--host", "0.0.0.0", "--url", self.url)


@pytest.fixture
def laptop(tmp_path):
    laptop = Laptop(None, free_port())
    laptop.start(tmp_path / "instance")
    yield laptop
    laptop.server.stop()


def test_a_match_paused_tonight_goes_on_next_week(laptop, new_phone, tmp_path):
    ana, ben = new_phone("Ana", url=laptop.url), new_phone("Ben", url=laptop.url)
    match = sit(laptop, ana, ben, without=["Oma"], counting=False)
    ana.tap("Count without a start")
    for phone, counted in ((ana, (31, 8)), (ben, (12, 20))):
        phone.page.wait_for_selector("form[data-keypad]")
        phone.count(*counted)
    ana.sees("Waiting for Oma", "#enter")
    for phone in (ana, ben):
        phone.page.goto("about:blank")
    laptop.server.stop()
    laptop.address = THIS_WEEK
    laptop.start(tmp_path / "instance")
    _open_again(laptop, new_phone, match)


def _open_again(laptop, new_phone, match):
    table = new_phone("laptop", url=f"http://{ITSELF}:{laptop.port}", viewport={"width": 1280, "height": 720}, is_mobile=False)
    table.go("/")
    table.tap(table.page.get_by_role("button", name="Ligretto Crazy"))
    table.page.wait_for_url("**/n/*")
    table.sees("Ligretto Crazy", "#matches")
    link = invitation(table)
    assert link.startswith(laptop.url)
    ana, ben = (_back(new_phone(name, url=laptop.url), link, name) for name in ("Ana", "Ben"))
    table.sees_not("away", "#people")
    ana.tap("css=#matches .match")
    ana.page.wait_for_url("**" + match)
    ben.go(match)
    ana.sees("Waiting for Oma", "#enter")
    assert ana.done() == ["Ana", "Ben"]
    _goes_on(table, ana, ben, match)


def _back(phone, link, name):
    """Scan, tap the own name: two taps with the camera's."""
    phone.go(link)
    phone.tap(phone.page.get_by_role("button", name=name))
    phone.page.wait_for_url("**/n/*")
    assert phone.taps == 1
    phone.sees("you", "#people")
    return phone


def _goes_on(table, ana, ben, match):
    table.go(match)
    table.tap("Count for Oma")
    table.page.wait_for_selector("#enter h2:has-text('Oma counts')")
    table.count(9, 12)
    for phone in (ana, ben):
        phone.shows({"Ana": 23, "Ben": -8, "Oma": -3})
