"""Every number can be explained: how it came about, who entered it, which rule; and who would win, before it is entered."""

import json


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
