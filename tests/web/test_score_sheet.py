"""The score sheet in the web: what the table calls its game, its rows and teams, and numbers below zero."""

import pytest
from web.looking import page, words

pytestmark = pytest.mark.postgresql


def prepared(evening, **options):
    """The answer to a form with Ana, Ben and Cem at the table."""
    ids = [evening.person(name).id for name in ("Ana", "Ben", "Cem")]
    teams = {f"teams.{evening.person(name).id}": letter for name, letter in options.pop("teams", {}).items()}
    return evening["Ana"].post(f"/n/{evening.id}/new/score-sheet", {"seat": ids, "order": ",".join(ids), **options, **teams})


def started(evening, **options):
    answer = prepared(evening, **options)
    assert answer.status_code == 303, words(answer)
    return answer.headers["Location"].rsplit("/", 1)[1]


def enter(evening, name, match, ask, key=None, htmx=False, **fields):
    return evening[name].post(f"/m/{match}/act/{ask}", {"key": key or f"{name} {ask}", **fields}, htmx=htmx)


def test_the_match_goes_by_the_name_of_the_other_game(evening):
    match = started(evening, title=" Skull\tKing ")
    enter(evening, "Ana", match, "round-1-side-0", points="3")
    for path in (
        f"/n/{evening.id}",
        f"/m/{match}",
        f"/n/{evening.id}/tv",
        f"/m/{match}/story",
        f"/m/{match}/entries/1",
        f"/m/{match}/seats/0",
    ):
        shown = words(evening["Ben"].get(path))
        assert "Skull King" in shown
        assert "Score sheet" not in shown


def test_without_a_name_it_is_the_score_sheet_and_it_stands_last(evening):
    started(evening)
    assert "Score sheet" in words(evening["Ben"].get(f"/n/{evening.id}"))
    offered = [link for link in page(evening["Ben"].get(f"/n/{evening.id}/new")).links if f"/n/{evening.id}/new/" in link]
    assert offered[-1].endswith("/score-sheet")


def test_rows_are_the_lines_that_were_typed(evening):
    match = started(evening, rows="Castles\r\n\r\n  Roads \n")
    assert evening.seated(match).position.state.rows == ("Castles", "Roads")


def test_teams_are_chosen_for_each_person(evening):
    match = started(evening, teams={"Ana": "A", "Ben": "", "Cem": "A"})
    assert evening.seated(match).match.options["teams"] == ["A", "", "A"]
    assert evening.seated(match).position.state.sides == ((0, 2), (1,))
    assert enter(evening, "Cem", match, "round-1-side-0", seat="2", points="5").status_code == 303
    assert "Ana and Cem: 5 in round 1." in words(evening["Ben"].get(f"/m/{match}"))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"rows": "Castles\ncastles"}, "There are two rows called “castles”."),
        ({"rows": "Castles", "target": "50"}, "A sheet with rows ends when every row is full."),
        ({"title": "x" * 41}, "is too long: 40 characters at most."),
        ({"title": "a\u202eb"}, "has signs in it that cannot be shown."),
        ({"target": "-5"}, "“-5” is no whole number."),
        ({"teams": {"Ana": "Z"}}, "must be one of"),
    ],
)
def test_what_cannot_be_is_told_and_what_was_typed_is_kept(evening, options, why):
    answer = prepared(evening, **{"wins": "lowest", **options})
    assert answer.status_code == 422
    assert why in words(answer)
    form = page(answer).form("/new/").data
    assert form["wins"] == "lowest"
    assert {name: form[name] for name in options if name in form and name != "rows"} == {
        name: value for name, value in options.items() if name not in ("rows", "teams")
    }
    if "rows" in options:
        assert options["rows"] in answer.get_data(as_text=True)


def test_play_again_keeps_name_rows_and_teams(evening):
    match = started(evening, title="Skull King", rows="Castles\nRoads", wins="lowest", teams={"Ana": "A", "Ben": "B", "Cem": "A"})
    answer = evening["Ana"].get(f"/n/{evening.id}/new/score-sheet?again={match}")
    form = page(answer).form("/new/").data
    assert (form["title"], form["wins"]) == ("Skull King", "lowest")
    assert [form[f"teams.{evening.person(name).id}"] for name in ("Ana", "Ben", "Cem")] == ["A", "B", "A"]
    assert "Castles\nRoads</textarea>" in answer.get_data(as_text=True)


def test_numbers_below_zero_and_sums_are_taken(evening):
    match = started(evening)
    enter(evening, "Ana", match, "round-1-side-0", points="-5")
    enter(evening, "Ben", match, "round-1-side-1", points="12-3+4")
    enter(evening, "Cem", match, "round-1-side-2", points="7")
    assert evening.seated(match).position.state.totals == (-5, 13, 7)
    assert "−5" in words(evening["Tom"].get(f"/m/{match}"))


@pytest.mark.parametrize("typed", ["−5", "1000000", "5-", "", "five", "٣"])
def test_what_is_no_number_is_told_and_kept(evening, typed):
    match = started(evening)
    answer = enter(evening, "Ana", match, "round-1-side-0", points=typed)
    assert answer.status_code == 422
    assert page(answer).form("/act/round-1-side-0").data["points"] == typed
    assert evening.seated(match).position.booked == ()


def test_whoever_enters_all_numbers_is_told_of_one_that_came_meanwhile(evening):
    match = started(evening)
    enter(evening, "Ben", match, "round-1-side-1", points="8")
    everybody = {"points.0": "1", "points.1": "2", "points.2": "3"}
    late = enter(evening, "Ana", match, "round-1-all-0", **everybody)
    assert late.status_code == 409
    assert "Ben entered this meanwhile" in words(late)
    form = page(late).form("/act/round-1-all-1")
    assert {name: form.data[name] for name in everybody} == everybody
    assert evening["Ana"].post(form.action, form.data).status_code == 303
    assert evening.seated(match).position.rounds == ((1, 2, 3),)


def test_of_two_who_enter_the_same_number_one_is_told_and_can_replace_it(evening):
    match = started(evening, teams={"Ana": "A", "Ben": "", "Cem": "A"})
    enter(evening, "Cem", match, "round-1-side-0", seat="2", points="8")
    late = enter(evening, "Ana", match, "round-1-side-0", seat="0", points="9")
    assert late.status_code == 409
    form = page(late).form("/act/round-1-side-0-again-0")
    assert form.data["points"] == "9"
    assert evening["Ana"].post(form.action, form.data).status_code == 303


def test_a_number_for_a_round_that_is_over_is_kept_for_reading(evening):
    match = started(evening)
    enter(evening, "Ana", match, "round-1-all-0", **{"points.0": "1", "points.1": "2", "points.2": "3"})
    late = enter(evening, "Ben", match, "round-1-side-1", points="44")
    assert late.status_code == 409
    assert "You typed Points 44" in words(late)


def test_every_number_on_the_sheet_leads_to_its_entry(evening):
    match = started(evening)
    for name, seat in (("Ana", 0), ("Ben", 1), ("Cem", 2)):
        enter(evening, name, match, f"round-1-side-{seat}", points=str(10 + seat))
    shown = page(evening["Ben"].get(f"/m/{match}"))
    assert [f"/m/{match}/entries/{n}" in shown.links for n in (1, 2, 3)] == [True] * 3
    form = page(evening["Ben"].get(f"/m/{match}/entries/2")).form("/amend")
    answer = evening["Ben"].post(form.action, {**form.data, "points": "-1"})
    assert answer.status_code == 303
    assert evening.seated(match).position.rounds == ((10, -1, 12),)


def test_an_end_can_be_undone_but_not_corrected(evening):
    match = started(evening)
    enter(evening, "Ana", match, "round-1-all-0", **{"points.0": "1", "points.1": "2", "points.2": "3"})
    assert enter(evening, "Ana", match, "end-1").status_code == 303
    assert "Cem wins with 3 points" in words(evening["Tom"].get(f"/m/{match}"))
    shown = page(evening["Ana"].get(f"/m/{match}/entries/2"))
    assert not [form for form in shown.forms if "/amend" in form.action]
    form = shown.form("/undo")
    assert evening["Ana"].post(form.action, form.data).status_code == 303
    assert evening.seated(match).match.result is None


def test_somebody_with_no_seat_hosts_and_enters_for_all(evening):
    ids = [evening.person(name).id for name in ("Ben", "Cem")]
    answer = evening["Ana"].post(f"/n/{evening.id}/new/score-sheet", {"seat": ids, "order": ",".join(ids)})
    match = answer.headers["Location"].rsplit("/", 1)[1]
    form = page(evening["Ana"].get(f"/m/{match}")).form("/act/round-1-all-0")
    assert evening["Ana"].post(form.action, {**form.data, "points.0": "4", "points.1": "-4"}).status_code == 303
    assert evening.seated(match).position.rounds == ((4, -4),)
