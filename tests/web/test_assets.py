"""What goes over the wire: files with the right hash are kept for a year, everything that is worth it is compressed."""

import gzip
import re
from html import unescape

import pytest
from conftest import Browser
from web.looking import next_regions, stream

from companion.web.entering import table_page
from companion.web.guests import Guest

GZIP = {"Accept-Encoding": "gzip, deflate"}
A_YEAR = "public, max-age=31536000, immutable"


@pytest.fixture
def match(evening):
    return evening.start("crazy-lab")


def files_of(page):
    return [unescape(found) for found in re.findall(r'(?:src|href)="(/static/[^"]+)"', page)]


def test_every_file_of_a_page_has_its_hash_and_is_kept_for_a_year(evening, match):
    files = files_of(evening["Ben"].get(f"/m/{match}").get_data(as_text=True))
    assert len(files) >= 8
    for file in files:
        assert re.search(r"\?v=[0-9a-f]{12}$", file)
        with evening["Ben"].get(file) as answer:
            assert answer.headers["Cache-Control"] == A_YEAR, file


@pytest.mark.parametrize("address", ["/static/app.css", "/static/app.css?v=000000000000", "/static/nothing.css?v=000000000000"])
def test_a_file_that_is_not_what_was_asked_for_is_not_kept_long(app, address):
    with Browser(app).get(address) as answer:
        assert answer.headers["Cache-Control"] == "public, max-age=60"


def test_pages_files_and_the_safety_net_are_compressed_and_say_the_same(evening, match):
    ben = evening["Ben"]
    for path in ("/rules", f"/m/{match}", f"/m/{match}/now", *files_of(ben.get(f"/m/{match}").get_data(as_text=True))[:3]):
        with ben.get(path) as plain, ben.get(path, headers=GZIP) as packed:
            assert "Content-Encoding" not in plain.headers
            assert packed.headers["Content-Encoding"] == "gzip"
            assert "Accept-Encoding" in packed.headers["Vary"]
            assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
            assert without_tokens(gzip.decompress(packed.data)) == without_tokens(plain.data)


def without_tokens(data):
    return re.sub(rb'(csrf_token\\?" value=\\?")[^"\\]*', rb"\1", data)


@pytest.mark.parametrize("accepted", ["", "identity"])
def test_a_browser_that_takes_no_gzip_gets_none(app, accepted):
    answer = Browser(app).get("/", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers
    assert "Start a night" in answer.get_data(as_text=True)


def test_a_small_answer_and_a_stream_are_left_as_they_are(evening, match):
    assert "Content-Encoding" not in evening["Ben"].get("/health", headers=GZIP).headers
    answer = evening["Ben"].get(f"/m/{match}/live", headers=GZIP)
    assert "Content-Encoding" not in answer.headers
    answer.close()


# ---- what a page has is not sent to it again -------------------------------------------------------------------------


def live_of(page):
    return re.search(r'data-live="(/m/[^"]+)"', page)[1]


def test_a_page_just_loaded_is_not_sent_again_what_it_shows(evening):
    match = evening.start()
    with stream(evening["Ben"], live_of(evening["Ben"].get(f"/m/{match}").get_data(as_text=True))) as got:
        got.get(timeout=60)
        assert next_regions(got)["regions"] == {}
        evening["Ana"].post(f"/m/{match}/call", {"call": "stop"})
        assert "waiting" in next_regions(got)["regions"]
        assert "Count your cards" in next_regions(got, "enter")["regions"]["enter"]


def test_a_page_after_which_something_happened_is_sent_everything(evening):
    match = evening.start()
    page = evening["Ben"].get(f"/m/{match}").get_data(as_text=True)
    evening["Ana"].post(f"/m/{match}/call", {"call": "stop"})
    with stream(evening["Ben"], live_of(page)) as got:
        got.get(timeout=60)
        first, rest = next_regions(got), next_regions(got)
        assert set(first["regions"]) == {"waiting", "board"}
        assert set(rest["regions"]) == {"standings", "story", "enter", "undo", "dispute"}
        assert "Count your cards" in rest["regions"]["enter"]


def test_a_page_that_is_older_than_its_tick_is_sent_everything(evening):
    """Something was stored after the request had read the match and before it read the tick."""
    match, room = evening.start(), evening.app.extensions["companion"].nights.room(evening.id)
    old, guest = evening.seated(match), Guest(room, evening.person("Ben"))
    action = {"do": "round", "scored": [10, 10, 10], "left": [10, 10, 10]}
    evening.app.extensions["companion"].store.act(match, "round-1", action, evening.person("Ana").id, "the key of the round")
    with evening.app.test_request_context(f"/m/{match}", base_url="http://game.test:8000"):
        assert "has=" not in live_of(table_page(old, guest))
        assert "has=" in live_of(table_page(evening.seated(match), guest))
