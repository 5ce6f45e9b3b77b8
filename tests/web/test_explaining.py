"""Every number can be explained: how it came about, who entered it, which rule; and who would win, before it is entered."""

import json
import re

import pytest
from conftest import make_evening
from web.looking import html_in, words


def lab(evening):
    return evening.start("crazy-lab", seats=["Ana", "Ben", "Cem"], starter=evening.person("Ana").id)


def verdict(evening, match, question, name="Ana", ask="round-1-trick-1"):
    return evening[name].get(
        f"/m/{match}/verdict/{ask}", query_string={"question": question if isinstance(question, str) else json.dumps(question)}
    )


def test_a_score_tells_how_it_came_about(evening):
    match = evening.start()
    for seat, name in enumerate(("Ana", "Ben", "Cem")):
        evening[name].post(f"/m/{match}/act/round-1-count-{seat}", {"scored": "20", "left": str(3 + seat), "key": f"count-of-{seat}"})
    page = evening["Tom"].get(f"/m/{match}/seats/1").get_data(as_text=True)
    assert "0 → 16" in page
    assert "Ben: 20 − 4 = 16." in page
    assert "LIG-13" in page
    assert "entered by Cem" in page
    assert evening["Tom"].get(f"/m/{match}/seats/3").status_code == 404


FIGURES = {
    "crazy-lab": (
        [("round-1-trick-1", {"winner": "1"}), ("round-1-trick-2", {"winner": "1", "trump": "blue"})],
        ["Tricks in this round: 2", "1 → 2", "Ben takes trick 2.", "LAB-17", "Counted in this round: not yet"],
    ),
    "the-academy": (
        [
            ("round-1-exam", {"trump": "green", "rule": "swap-roles"}),
            ("round-1-swap-roles", {"seat": "3"}),
            ("round-1-swapped-trick-1", {"winner": "1"}),
        ],
        ["Tricks in this round: 1", "0 → 1", "ACA-8", "Role in this round: Rebel", "Mastermind → Rebel", "Y5"],
    ),
    "tricky-cribby": (
        [("take-1", {"side": "1", "tile": "red"}), ("take-2", {"side": "1", "tile": "red"}), ("take-3", {"side": "0", "tile": "red"})],
        ["Tiles in red: 2", "1 → 2", "Ben and Dia take a red tile.", "CRI-7", "Tiles in blue: 0 Nothing has changed this yet."],
    ),
    "crazy-race": (
        [
            ("stage-1-edge-1-cards", {"animal": "flyer", "value": "4", "cards.0": "[1,3]"}),
            ("stage-1-edge-2-cards", {"animal": "flyer", "value": "3", "cards.0": "[1,4]"}),
        ],
        [
            "flyer: on space 5, facing home",
            "on space 4, going out → on space 5, facing home",
            "RACE-9",
            "Cards in hand: 6",
            "sprinter: at the start",
        ],
    ),
}


@pytest.mark.parametrize("game", FIGURES)
def test_every_other_number_of_a_seat_tells_how_it_came_about(app, game):
    """A tile count, a position, tricks and cards: each is an anchor on the page of its seat, and the table links to it."""
    evening = make_evening(app, players=("Ben", "Cem", "Dia"))
    match = evening.start(game, seats=["Ana", "Ben", "Cem", "Dia"])
    entries, told = FIGURES[game]
    for n, (ask, fields) in enumerate(entries):
        assert evening["Ben"].post(f"/m/{match}/act/{ask}", {"key": f"entered {n}", **fields}).status_code == 303
    page = evening["Tom"].get(f"/m/{match}/seats/1")
    for words_ in (*told, "entered by Ben"):
        assert words_ in words(page)
    anchors = set(re.findall(r'<section id="([a-z]+)" class="panel figure"', html_in(page)))
    linked = set(re.findall(r"/seats/1#([a-z]+)", html_in(evening["Tom"].get(f"/m/{match}"))))
    assert linked
    assert linked <= anchors


def test_the_numbers_of_a_round_begin_anew(app):
    evening = make_evening(app, players=("Ben", "Cem", "Dia"))
    match = evening.start("the-academy", seats=["Ana", "Ben", "Cem", "Dia"])
    tricks = {f"tricks.{seat}": "2" for seat in range(4)}
    assert (
        evening["Ana"].post(f"/m/{match}/act/round-1", {**tricks, "ace": "0", "rebel": "true", "key": "the first round"}).status_code == 303
    )
    assert "Tricks in this round: 0 Nothing has changed this yet." in words(evening["Tom"].get(f"/m/{match}/seats/0"))


FIRST_ROUNDS = {
    "ligretto-crazy": {**{f"scored.{n}": str(9 + n) for n in range(4)}, **{f"left.{n}": "9" for n in range(4)}},
    "crazy-lab": {f"{name}.{n}": str(9 + n) for name in ("plus", "minus") for n in range(4)},
    "the-academy": {**{f"tricks.{n}": "2" for n in range(4)}, "ace": "0", "rebel": "true"},
}


@pytest.mark.parametrize("game", FIRST_ROUNDS)
def test_every_number_of_a_round_tells_how_it_came_about(app, game):
    """Also a nought: each leads to the entry that ended the round, on the page of its seat."""
    evening = make_evening(app, players=("Ben", "Cem", "Dia"))
    match = evening.start(game, seats=["Ana", "Ben", "Cem", "Dia"], **({"rounds": "2"} if game == "crazy-lab" else {}))
    assert evening["Ana"].post(f"/m/{match}/act/round-1", {**FIRST_ROUNDS[game], "key": "the first round"}).status_code == 303
    rows = re.findall(r"<tr><th>1</th>(.*?)</tr>", html_in(evening["Tom"].get(f"/m/{match}")))
    assert re.findall(r"<td><a href=\"([^\"]+)\">[−0-9]+</a></td>", rows[0]) == [f"/m/{match}/seats/{n}#round-1" for n in range(4)]
    for n in range(4):
        course = re.search(r'<li id="round-1">(.*?)</li>', html_in(evening["Tom"].get(f"/m/{match}/seats/{n}")), re.S)[1]
        assert "entered by Ana" in course
        assert re.search(r'class="rule">[A-Z]+-?[0-9]+<', course)


def test_the_cards_under_a_name_tell_how_they_became_so_few(app):
    evening = make_evening(app, players=("Ben", "Cem", "Dia"))
    match = evening.start("crazy-race", seats=["Ana", "Ben", "Cem", "Dia"])
    evening["Ben"].post(
        f"/m/{match}/act/stage-1-edge-1-cards", {"animal": "flyer", "value": "4", "cards.0": "[1,3]", "key": "the first edge"}
    )
    ring = re.search(r'<section id="waiting".*?</section>', html_in(evening["Tom"].get(f"/m/{match}")), re.S)[0]
    assert re.search(rf'href="/m/{match}/seats/1#cards"><span>Ben</span><small>7 cards</small></a>', ring)
    evening["Ben"].post(f"/m/{match}/act/stage-1-edge-2", {"animal": "flyer", "value": "4", "winner": "1", "key": "the second edge"})
    assert "#cards" not in html_in(evening["Tom"].get(f"/m/{match}"))  # nobody counts them any more


def test_a_verdict_that_tells_who_picks_when_is_not_told_twice(app):
    evening = make_evening(app, players=("Ben", "Cem", "Dia"))
    match = evening.start("tricky-cribby", seats=["Ana", "Ben", "Cem", "Dia"])
    cards = {"up": "blue-2", **{f"cards.{n}": card for n, card in enumerate(("red-1", "green-9", "green-4", "purple-9"))}}
    assert evening["Ben"].post(f"/m/{match}/act/trick-1", {**cards, "key": "the first trick"}).status_code == 303
    board = re.search(r'<section id="board".*?</section>', html_in(evening["Tom"].get(f"/m/{match}")), re.S)[0]
    assert board.count("Picks, from the weakest card to the strongest") == 1


def test_the_table_shows_the_last_entries_and_a_page_all_of_them(evening):
    match = evening.start(target="150")
    for n in range(1, 12):
        counts = {f"{name}.{seat}": str(10 + seat) for name in ("scored", "left") for seat in range(3)}
        assert evening["Ana"].post(f"/m/{match}/act/round-{n}", {**counts, "key": f"the key of {n}"}).status_code == 303
        table = evening["Tom"].get(f"/m/{match}").get_data(as_text=True)
        assert ("The whole story" in table) == (n >= 10)
    assert '/entries/1"' not in table
    whole = evening["Tom"].get(f"/m/{match}/story").get_data(as_text=True)
    assert all(f'/m/{match}/entries/{n}"' in whole for n in range(1, 12))


def test_nothing_has_changed_a_number_at_the_start(evening):
    assert "Nothing has changed" in evening["Tom"].get(f"/m/{evening.start()}/seats/0").get_data(as_text=True)


def test_who_would_win_comes_with_its_reasons_and_a_button_that_enters_it(evening):
    match = lab(evening)
    page = verdict(evening, match, {"trump": "green", "cards": [{"highest": 6}, {"green": 2}, {"green": 2}]}).get_data(as_text=True)
    assert "Cem has green 2 too, but Ben played it earlier." in page
    assert 'name="winner" value="1"' in page
    assert 'name="trump" value="green"' in page
    assert "<button" not in verdict(evening, match, {"trump": "green", "cards": [{"green": 1}] * 3}, "Tom").get_data(as_text=True)


def test_a_question_that_makes_no_sense_is_answered_in_words(evening):
    match = lab(evening)
    for question in ({"trump": "red", "cards": []}, {"trump": "green"}, {"trump": "green", "cards": [{"green": 1}] * 2}):
        answer = verdict(evening, match, question)
        assert answer.status_code == 422
        assert "notice" in answer.get_data(as_text=True)
    for question in ("", "[]", "{", "[" * 5000):
        assert verdict(evening, match, question).status_code == 400
    assert verdict(evening, match, {"trump": "green"}, ask="round-1-trick-9").status_code == 404


def test_a_verdict_is_no_answer_to_another_kind_of_question(evening):
    match = lab(evening)
    page = verdict(evening, match, {"trump": "green", "cards": [{"green": 1}] * 3}, ask="round-1-count-0").get_data(as_text=True)
    assert "Ana wins" in page
    assert "/act/" not in page
    assert "/act/round-1-trick-1" in verdict(evening, match, {"trump": "green", "cards": [{"green": 1}] * 3}).get_data(as_text=True)
