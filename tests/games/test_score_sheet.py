"""The score sheet, rule by rule."""

import pytest

from companion.games import GAMES, read_action, read_options, replay, resolve, title_of
from companion.games.base import say
from companion.games.forms import ask_for, guided

GAME = GAMES["score-sheet"]
PEOPLE = ["Ana", "Ben", "Cem", "Dora", "Eva", "Finn", "Gül", "Hugo", "Ida"]
ROWS = ["Castles", "Roads"]


def record(*actions, players=3, **options):
    named = PEOPLE[:players]
    return {"format": "companion-record/1", "game": "score-sheet", "players": named, "options": options, "actions": list(actions)}


def score(seat, points, **more):
    return {"do": "score", "seat": seat, "points": points, **more}


def all_at_once(*points, **more):
    return {"do": "round", "points": list(points), **more}


END = {"do": "end"}


def told(*actions, **more):
    """The answer, which is no error."""
    answer = replay(record(*actions, **more))
    assert "error" not in answer, answer
    return answer


def refusal(*actions, **more):
    error = replay(record(*actions, **more))["error"]
    return error["action"], error["rule"], error["message"]


def state_after(*actions, players=3, **options):
    state = GAME.setup(players, read_options(GAME, options, players))
    for action in actions:
        state = GAME.apply(state, read_action(GAME, action, players)).state
    return state


def notes_of(*actions, players=3, **options):
    """What the last of these led to."""
    *before, last = actions
    step = GAME.apply(state_after(*before, players=players, **options), read_action(GAME, last, players))
    return [(say(note.text, PEOPLE), note.rule) for note in step.notes]


def asks(*actions, **more):
    return {ask.id: ask for ask in GAME.asks(state_after(*actions, **more))}


# ---- who plays what --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "fits"), [(0, False), (1, True), (8, True), (9, False)])
def test_one_to_eight_play_sheet_1(players, fits):
    """SHEET-1"""
    answer = replay(record(players=players))
    assert ("error" not in answer) == fits
    if not fits:
        assert answer["error"]["rule"] == "SHEET-1"


def test_the_match_goes_by_the_name_the_table_gives_it():
    """SHEET-2"""
    assert title_of("score-sheet", {"title": " Skull \n King "}, 4) == "Skull King"
    assert say(title_of("score-sheet", {}, 4), []) == "Score sheet"
    assert say(title_of("crazy-lab", {}, 4), []) == "Crazy Lab"


def test_a_match_has_a_name_also_where_its_game_or_house_rules_cannot_be_read():
    assert say(title_of("score-sheet", {"title": 3}, 4), []) == "Score sheet"
    assert title_of("poker", {}, 4) == "poker"


@pytest.mark.parametrize("title", ["x" * 40, "Zoe\u0308", "🎲", "👨\u200d👩\u200d👧", "<b>", "=1+1", "{title}", ""])
def test_a_name_is_any_text_that_can_be_shown(title):
    """SHEET-2"""
    assert told(title=title)["finished"] is False


def test_text_is_kept_composed():
    assert read_options(GAME, {"title": "Zoe\u0308"}, 2).title == "Zo\u00eb"


@pytest.mark.parametrize(("wins", "highest"), [("highest", True), ("lowest", False)])
def test_other_programs_are_told_whether_the_highest_total_wins(wins, highest):
    assert GAME.highest_wins(read_options(GAME, {"wins": wins}, 2)) is highest


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"title": "x" * 41}, f"“{'x' * 40}” is too long: 40 characters at most."),
        ({"title": "a\u202eb"}, "“title” has signs in it that cannot be shown. Letters, digits and emoji are fine."),
        ({"title": "a\x00b"}, "“title” has signs in it that cannot be shown. Letters, digits and emoji are fine."),
        ({"title": 7}, "In options, “title” must be a text."),
        ({"rows": ["Roads", "a\u200bb"]}, "“rows[1]” has signs in it that cannot be shown. Letters, digits and emoji are fine."),
        ({"rows": ["x" * 25]}, f"“{'x' * 24}” is too long: 24 characters at most."),
        ({"rows": ["Roads", " roads "]}, "There are two rows called “roads”."),
        ({"rows": ["Roads", " "]}, "Every row needs a name."),
        ({"rows": [str(n) for n in range(31)]}, "A sheet has room for 30 rows, not for 31."),
        ({"rows": "Roads"}, "In options, “rows” must be a list."),
        ({"rounds": -1}, "In options, “rounds” must be 0 or more."),
        ({"target": "10"}, "In options, “target” must be a whole number."),
        ({"wins": "most"}, "In options, “wins” must be one of 'highest' or 'lowest'."),
        ({"teams": ["A", "B"]}, "In options, “teams” needs 3 values, one for each seat."),
        ({"teams": ["A", "B", "E"]}, "In options, “teams[2]” must be one of '', 'A', 'B', 'C' or 'D'."),
    ],
)
def test_house_rules_that_make_no_sense_are_refused_in_words(options, message):
    """SHEET-2, SHEET-6"""
    assert refusal(**options) == (-1, "RECORD", message)


@pytest.mark.parametrize("more", [{"rounds": 3}, {"target": 50}])
def test_rows_have_neither_rounds_nor_a_target(more):
    """SHEET-12"""
    number, rule, message = refusal(rows=ROWS, **more)
    assert (number, rule) == (-1, "SHEET-12")
    assert message.startswith("A sheet with rows ends when every row is full.")


# ---- rounds ----------------------------------------------------------------------------------------------------------


def test_a_round_counts_when_everybody_has_a_number():
    """SHEET-5"""
    assert told(score(2, 20), score(0, -10))["totals"] == [0, 0, 0]
    answer = told(score(2, 20), score(0, -10), score(1, 5))
    assert (answer["rounds"], answer["totals"], answer["cells"]) == ([[-10, 5, 20]], [-10, 5, 20], [[-10, 5, 20]])


def test_a_number_sent_again_replaces():
    """SHEET-5"""
    assert told(score(2, 20), score(2, 7), score(0, 1), score(1, 1))["rounds"] == [[1, 1, 7]]


def test_one_person_enters_the_round_for_all_and_replaces_what_was_there():
    """SHEET-5"""
    assert told(score(0, 3), all_at_once(4, 5, -6))["totals"] == [4, 5, -6]


@pytest.mark.parametrize("points", [1_000_000, -1_000_000, 1.5, "7", True, None])
def test_a_score_is_a_whole_number_in_the_stated_range(points):
    """SHEET-3"""
    assert refusal(score(0, points))[:2] == (0, "RECORD")
    assert told(score(0, 999_999), score(0, -999_999))["totals"] == [0, 0, 0]


def test_a_round_needs_one_number_for_each_side():
    """SHEET-4"""
    message = "There are 3 numbers to enter, one for each side, not 2."
    assert refusal(all_at_once(1, 2)) == (0, "SHEET-4", message)


def test_without_rows_there_is_no_row_to_enter_into():
    """SHEET-5"""
    assert refusal(score(0, 1, row=0)) == (0, "SHEET-5", "This sheet has rounds and no rows; leave out the row.")


def test_a_round_is_told_with_who_leads():
    """SHEET-5, SHEET-8"""
    assert notes_of(score(1, -4), score(0, 4), score(2, 4)) == [
        ("Cem: 4 in round 1.", "SHEET-5"),
        ("Round 1: Ana 4, Ben −4 and Cem 4.", "SHEET-5"),
        ("Ana and Cem lead with 4 points.", "SHEET-8"),
    ]


def test_somebody_alone_does_not_lead():
    assert notes_of(score(0, 4), players=1) == [("Ana: 4 in round 1.", "SHEET-5"), ("Round 1: Ana 4.", "SHEET-5")]


# ---- who wins --------------------------------------------------------------------------------------------------------


def test_the_highest_total_wins_or_the_lowest():
    """SHEET-8"""
    assert told(all_at_once(3, -2, 1), rounds=1)["winners"] == [0]
    assert told(all_at_once(3, -2, 1), rounds=1, wins="lowest")["winners"] == [1]


def test_those_who_are_level_win_together():
    """SHEET-8"""
    assert told(all_at_once(3, 3, 1), rounds=1)["winners"] == [0, 1]
    standings = GAME.standings(state_after(all_at_once(3, 3, 1), rounds=1))
    assert [(each.rank, each.won, each.tiebreak) for each in standings] == [(1, True, None), (1, True, None), (3, False, None)]


def test_the_target_ends_the_game_after_the_whole_round():
    """SHEET-9"""
    assert told(score(0, 99), score(1, 0), target=50)["finished"] is False
    assert told(all_at_once(50, 0, 60), target=50)["winners"] == [2]
    assert told(all_at_once(49, 0, 0), target=50)["finished"] is False
    assert notes_of(all_at_once(50, 0, 60), target=50)[1:] == [
        ("Ana and Cem reached 50 points.", "SHEET-9"),
        ("Cem wins with 60 points.", "SHEET-8"),
    ]


def test_where_the_lowest_wins_the_target_still_ends_it():
    """SHEET-9: whoever reaches it has lost"""
    answer = told(all_at_once(66, 12, 12), target=66, wins="lowest")
    assert (answer["finished"], answer["winners"]) == (True, [1, 2])


def test_the_agreed_rounds_end_the_game():
    """SHEET-9"""
    assert told(all_at_once(1, 2, 3), rounds=2)["finished"] is False
    assert told(all_at_once(1, 2, 3), all_at_once(1, 2, 3), rounds=2)["finished"] is True
    assert notes_of(all_at_once(1, 2, 3), rounds=1)[1] == ("1 round was agreed.", "SHEET-9")
    assert notes_of(all_at_once(1, 2, 3), all_at_once(1, 2, 3), rounds=2)[1] == ("2 rounds were agreed.", "SHEET-9")


def test_whichever_comes_first_ends_the_game():
    """SHEET-9"""
    assert told(all_at_once(50, 2, 3), rounds=9, target=50)["finished"]
    assert told(all_at_once(5, 2, 3), rounds=1, target=50)["finished"]


def test_the_table_may_say_that_it_is_done():
    """SHEET-10"""
    answer = told(all_at_once(1, 2, 3), END)
    assert (answer["finished"], answer["winners"], answer["rounds"]) == (True, [2], [[1, 2, 3]])
    assert told(all_at_once(1, 2, 3), END, rounds=9, target=99)["finished"]
    assert notes_of(all_at_once(1, 2, 3), END) == [("The table is done.", "SHEET-10"), ("Cem wins with 3 points.", "SHEET-8")]


def test_nobody_is_done_within_a_round_or_before_the_first():
    """SHEET-10"""
    message = "Finish round 2 first, or undo it: still missing are Ana and Cem."
    assert refusal(all_at_once(1, 2, 3), score(1, 4), END) == (2, "SHEET-10", message)
    assert refusal(END) == (0, "SHEET-10", "Not one round has been played yet, so there is nothing to end.")


def test_nothing_is_entered_after_the_end():
    assert refusal(all_at_once(1, 2, 3), END, score(0, 1))[:2] == (2, "RECORD")


# ---- rows ------------------------------------------------------------------------------------------------------------


def test_rows_are_filled_in_any_order_and_count_at_once():
    """SHEET-6"""
    answer = told(score(1, 12, row=1), score(0, 5, row=0), rows=ROWS)
    assert (answer["totals"], answer["cells"], answer["rounds"]) == ([5, 12, 0], [[5, None, None], [None, 12, None]], [])


def test_in_a_row_a_number_sent_again_replaces():
    """SHEET-6"""
    answer = told(score(1, 12, row=1), score(1, -2, row=1), all_at_once(1, 1, 1, row=1), rows=ROWS)
    assert (answer["totals"], answer["rounds"]) == ([1, 1, 1], [[1, 1, 1]])


def test_full_rows_end_the_game():
    """SHEET-9"""
    answer = told(all_at_once(1, 2, 3, row=1), all_at_once(4, 5, 0, row=0), rows=ROWS)
    assert (answer["finished"], answer["winners"], answer["totals"]) == (True, [1], [5, 7, 3])
    assert notes_of(all_at_once(1, 2, 3, row=1), all_at_once(4, 5, 0, row=0), rows=ROWS) == [
        ("Castles is full: Ana 4, Ben 5 and Cem 0.", "SHEET-6"),
        ("Every row is full.", "SHEET-9"),
        ("Ben wins with 7 points.", "SHEET-8"),
    ]


def test_a_full_row_is_closed():
    """SHEET-7"""
    message = "Roads is full already. To change a number there, correct its entry."
    assert refusal(all_at_once(1, 2, 3, row=1), score(0, 9, row=1), rows=ROWS) == (1, "SHEET-7", message)


@pytest.mark.parametrize("row", [{}, {"row": 2}])
def test_a_number_needs_one_of_the_rows(row):
    """SHEET-6"""
    assert refusal(score(0, 9, **row), rows=ROWS) == (0, "SHEET-6", "A number goes into one of the 2 rows: Castles and Roads.")


def test_done_with_rows_means_that_empty_cells_count_nothing():
    """SHEET-10"""
    answer = told(score(1, 12, row=1), score(0, 5, row=0), score(1, 1, row=0), END, rows=ROWS)
    assert (answer["totals"], answer["winners"], answer["rounds"]) == ([5, 13, 0], [1], [[5, 13, 0]])
    assert refusal(END, rows=ROWS) == (0, "SHEET-10", "Nothing has been entered yet, so there is nothing to end.")


def test_what_full_rows_brought_is_not_brought_again_at_the_end():
    """SHEET-10"""
    assert told(all_at_once(1, 2, 3, row=0), END, rows=ROWS)["rounds"] == [[1, 2, 3]]


def test_the_last_row_breaks_ties_and_does_not_count():
    """SHEET-11"""
    answer = told(all_at_once(7, 7, 5, row=0), all_at_once(2, 4, 100, row=1), rows=ROWS, tie="last-row")
    assert (answer["totals"], answer["winners"], answer["rounds"]) == ([7, 7, 5], [1], [[7, 7, 5]])
    state = state_after(all_at_once(7, 7, 5, row=0), all_at_once(2, 4, 100, row=1), rows=ROWS, tie="last-row")
    assert [each.tiebreak and say(each.tiebreak, PEOPLE) for each in GAME.standings(state)] == [
        "2 in Roads, which breaks the tie.",
        "4 in Roads, which breaks the tie.",
        None,
    ]


def test_an_empty_cell_of_the_last_row_is_a_zero():
    """SHEET-11"""
    actions = all_at_once(7, 7, 5, row=0), score(0, -1, row=1), END
    assert told(*actions, rows=ROWS, tie="last-row")["winners"] == [1]
    assert told(*actions, rows=ROWS, tie="last-row")["rounds"] == [[7, 7, 5]]
    assert notes_of(*actions, rows=ROWS, tie="last-row")[-1] == ("0 in Roads, which breaks the tie.", "SHEET-11")


def test_where_the_lowest_wins_the_higher_number_still_breaks_the_tie():
    """SHEET-11"""
    actions = all_at_once(3, 3, 5, row=0), all_at_once(1, 2, 0, row=1)
    assert told(*actions, rows=ROWS, tie="last-row", wins="lowest")["winners"] == [1]


def test_without_rows_the_tie_stays():
    """SHEET-11"""
    assert told(all_at_once(7, 7, 5), rounds=1, tie="last-row")["winners"] == [0, 1]


# ---- teams -----------------------------------------------------------------------------------------------------------


def test_a_team_has_one_score_that_any_of_them_enters():
    """SHEET-4"""
    answer = told(score(2, 30), score(1, 10), players=4, teams=["A", "B", "A", "B"])
    assert (answer["sides"], answer["totals"], answer["rounds"]) == ([[0, 2], [1, 3]], [30, 10, 30, 10], [[30, 10, 30, 10]])


def test_a_team_wins_together():
    """SHEET-4"""
    assert told(all_at_once(30, 10), players=4, teams=["A", "B", "A", "B"], rounds=1)["winners"] == [0, 2]


def test_whoever_has_no_letter_is_alone():
    """SHEET-4"""
    assert told(players=5, teams=["", "C", "", "C", "D"])["sides"] == [[0], [1, 3], [2], [4]]


def test_all_in_one_team_play_together():
    """SHEET-4"""
    assert told(score(2, 7), END, teams=["A"] * 3)["winners"] == [0, 1, 2]


def test_a_team_is_told_by_its_names():
    assert notes_of(score(2, 30), players=3, teams=["A", "", "A"]) == [("Ana and Cem: 30 in round 1.", "SHEET-5")]


# ---- what is asked for -----------------------------------------------------------------------------------------------


def test_every_cell_is_a_question_of_its_own():
    """Different phones answer different questions: all of them land."""
    assert list(asks(players=2)) == ["round-1-side-0", "round-1-side-1", "round-1-all-0"]
    wanted = ["row-0-side-0", "row-0-side-1", "row-1-side-0", "row-1-side-1", "row-0-all-0", "row-1-all-0"]
    assert list(asks(players=2, rows=ROWS)) == wanted


def test_a_number_that_is_there_is_another_question():
    """Whoever enters all numbers replaces none that they have not seen."""
    assert list(asks(score(1, 4), players=2)) == ["round-1-side-0", "round-1-side-1-again-0", "round-1-all-1"]
    assert list(asks(score(1, 4), score(1, 5), players=2)) == ["round-1-side-0", "round-1-side-1-again-1", "round-1-all-2"]


def test_being_done_is_asked_where_it_is_possible():
    """SHEET-10"""
    assert "end-1" in asks(all_at_once(1, 2, 3))
    assert "end-1" not in asks(all_at_once(1, 2, 3), score(0, 1))
    assert "end-0" in asks(score(0, 1, row=0), rows=ROWS)


def test_a_team_is_asked_for_whom():
    """SHEET-4"""
    form = asks(players=4, teams=["A", "B", "A", "B"])["round-1-side-0"].form
    assert guided(form, score(2, 5)) == score(2, 5)
    assert guided(form, score(1, 5)) is None


def test_the_questions_speak_of_round_row_and_people():
    said = {id: say(ask.text, PEOPLE) for id, ask in asks(rows=ROWS, teams=["A", "", "A"]).items()}
    assert said["row-1-side-0"] == "Roads: the points of Ana and Cem"
    assert said["row-1-all-0"] == "Roads: the points of everybody"
    assert say(asks()["round-1-side-1"].text, PEOPLE) == "Round 1: the points of Ben"
    assert say(asks()["round-1-all-0"].text, PEOPLE) == "The points of everybody"


def test_an_entry_leads_back_to_its_question():
    assert ask_for(asks(rows=ROWS).values(), score(1, -5, row=1)).id == "row-1-side-1"
    assert ask_for(asks(all_at_once(1, 2, 3)).values(), END).id == "end-1"


def test_a_cell_remembers_which_entry_wrote_it():
    state = state_after(score(1, 4), score(0, 3), score(1, 5), score(2, 6))
    assert [(cell.points, cell.entry) for cell in state.lines[0]] == [(3, 1), (5, 2), (6, 3)]


# ---- disputes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "more", "winner", "sentences"),
    [
        ([3, -2], {}, 0, ["Ana has 3, the highest total.", "Ben has −2; 3 is better."]),
        ([3, -2], {"wins": "lowest"}, 1, ["Ana has 3; −2 is better.", "Ben has −2, the lowest total."]),
        ([3, 3], {}, None, ["Ana has 3, as good as the best: they win together.", "Ben has 3, as good as the best: they win together."]),
    ],
)
def test_who_wins_with_these_totals(points, more, winner, sentences):
    """SHEET-8"""
    answer = resolve({"game": "score-sheet", "players": PEOPLE[:2], "points": points, "claim": 0, **more})
    assert (answer["winner"], answer["right"]) == (winner, winner == 0)
    assert [(reason["text"], reason["rule"]) for reason in answer["why"]] == [(text, "SHEET-8") for text in sentences]
