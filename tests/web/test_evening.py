"""The smallest evening: start, join, a round, undo."""

import pytest

pytestmark = pytest.mark.postgresql


def count(browser, match, round, seat, scored, left, **more):
    data = {"scored": str(scored), "left": str(left), "key": f"key-{round}-{seat}-{scored}-{left}"}
    return browser.post(f"/m/{match}/act/round-{round}-count-{seat}", data, **more)


def test_a_round_is_counted_on_three_phones(evening):
    match = evening.start()
    for seat, name in enumerate(("Ana", "Ben", "Cem")):
        assert count(evening[name], match, 1, seat, 20 + seat, 5).status_code == 303
    assert evening.seated(match).position.rounds == ((15, 16, 17),)
    assert "17" in evening["Tom"].get(f"/m/{match}").get_data(as_text=True)
