"""Bad input: whatever is wrong with a record is said in one sentence that names the action and the field; nothing breaks."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playthrough import EXAMPLES

from companion.games import GAMES, replay, resolve
from companion.games.base import RuleError
from companion.games.record import MAX_NAME, Players, read

GOOD = {"format": "companion-record/1", "game": "ligretto-crazy", "players": ["Ana", "Ben"], "actions": []}
COUNT = {"do": "count", "seat": 0, "scored": 10, "left": 5}


def error_of(**changes):
    error = replay({**GOOD, **changes})["error"]
    return error["action"], error["rule"], error["message"]


@pytest.mark.parametrize(
    "record",
    [
        None, 1, "x", [], {}, {**GOOD, "format": "companion-record/2"}, {**GOOD, "format": None}, {**GOOD, "game": "poker"},
        {**GOOD, "game": None},
        {**GOOD, "game": ["ligretto-crazy"]}, {**GOOD, "actions": None}, {**GOOD, "actions": {}}, {**GOOD, "actions": "[]"},
        {key: value for key, value in GOOD.items() if key != "actions"}, {key: value for key, value in GOOD.items() if key != "format"},
    ],
)  # fmt: skip
def test_what_is_no_record_is_a_value_error(record):
    with pytest.raises(ValueError, match=r"no|not"):
        replay(record)


@pytest.mark.parametrize("question", [None, [], {}, {"game": "poker"}, {"game": 3}])
def test_what_is_no_question_is_a_value_error(question):
    with pytest.raises(ValueError, match=r"no|not"):
        resolve(question)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seat": True}, "In count, “seat” must be a whole number."),
        ({"scored": 1.5}, "In count, “scored” must be a whole number."),
        ({"scored": 2.0}, "In count, “scored” must be a whole number."),
        ({"scored": "7"}, "In count, “scored” must be a whole number."),
        ({"scored": "٧"}, "In count, “scored” must be a whole number."),
        ({"scored": [1]}, "In count, “scored” must be a whole number."),
        ({"scored": -1}, "In count, “scored” must be 0 or more."),
        ({"scored": None}, "In count, “scored” cannot be null."),
        ({"seat": 2}, "In count, “seat” must be a seat, 0 to 1."),
        ({"seat": -1}, "In count, “seat” must be 0 or more."),
        ({"caller": None}, "In count, “caller” cannot be null."),
        ({"plus": 4}, "In count, there is no field “plus”."),
        ({"do": "counts"}, "The “do” of an action in Ligretto Crazy must be one of count and round."),
        ({"do": ["count"]}, "The “do” of an action in Ligretto Crazy must be one of count and round."),
        ({"do": None}, "The “do” of an action in Ligretto Crazy must be one of count and round."),
        ({"scored": 10**5000}, "count is not JSON."),
        ({"scored": float("nan")}, "count is not JSON."),
        ({"scored": {1, 2}}, "count is not JSON."),
        ({"scored": "\ud800"}, "count is not JSON."),
    ],
)
def test_a_wrong_action_is_refused_in_one_sentence(changes, message):
    assert error_of(actions=[COUNT, {**COUNT, **changes}]) == (1, "RECORD", message)


@pytest.mark.parametrize("field", ["do", "seat", "scored", "left"])
def test_a_missing_field_is_named(field):
    action, rule, message = error_of(actions=[{key: value for key, value in COUNT.items() if key != field}])
    assert (action, rule) == (0, "RECORD")
    assert f"“{field}”" in message


@pytest.mark.parametrize("action", [None, 3, "count", [COUNT], True])
def test_an_action_is_an_object(action):
    assert error_of(actions=[action]) == (0, "RECORD", "An action must be an object with a field “do”.")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1], "In round, “scored” needs 2 values, one for each seat."),
        ([1, 2, 3], "In round, “scored” needs 2 values, one for each seat."),
        ([1, True], "In round, “scored[1]” must be a whole number."),
        ([1, None], "In round, “scored[1]” must be a whole number."),
        ({"0": 1}, "In round, “scored” must be a list."),
        ("12", "In round, “scored” must be a list."),
    ],
)
def test_a_list_has_one_number_for_each_seat(values, message):
    assert error_of(actions=[{"do": "round", "scored": values, "left": [5, 5]}]) == (0, "RECORD", message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": None}, "In the record, “players” cannot be null."),
        ({"players": "Ana"}, "In the record, “players” must be a list."),
        ({"players": ["Ana", 3]}, "In the record, “players[1]” must be a text."),
        ({"players": ["Ana", ""]}, f"In the record, “players[1]” must be a name of 1 to {MAX_NAME} printable characters."),
        ({"players": ["Ana", " "]}, f"In the record, “players[1]” must be a name of 1 to {MAX_NAME} printable characters."),
        ({"players": ["Ana", "B\nen"]}, f"In the record, “players[1]” must be a name of 1 to {MAX_NAME} printable characters."),
        ({"players": ["Ana", "x" * 10_000]}, f"In the record, “players[1]” must be a name of 1 to {MAX_NAME} printable characters."),
        ({"options": None}, "options must be an object."),
        ({"options": []}, "options must be an object."),
        ({"options": {"targets": 50}}, "In options, there is no field “targets”."),
        ({"options": {"target": 0}}, "In options, “target” must be 1 or more."),
        ({"option": {}}, "A record has no field “option”."),
    ],
)
def test_wrong_players_and_house_rules_are_told_before_the_first_action(changes, message):
    assert error_of(**changes) == (-1, "RECORD", message)


def test_a_card_of_several_colours_is_an_object():
    question = {"game": "crazy-lab", "players": ["Ana", "Ben", "Cem"], "trump": "blue", "cards": [["blue", 3], {"blue": 1}, {"blue": 2}]}
    assert resolve(question)["error"]["message"] == "In the question, “cards[0]” must be an object."


def test_names_may_be_long_up_to_the_limit():
    assert "error" not in replay({**GOOD, "players": ["x" * MAX_NAME, "Ben"]})
    assert error_of(players=["x" * (MAX_NAME + 1), "Ben"])[0] == -1


def test_a_name_may_hold_emoji_of_several_parts():
    assert "error" not in replay({**GOOD, "players": ["👨\u200d👩\u200d👧", "Ben"]})
    assert error_of(players=["A\u200bna", "Ben"])[0] == -1


def test_players_are_needed_and_house_rules_are_not():
    without = {key: value for key, value in GOOD.items() if key != "players"}
    assert replay(without)["error"]["action"] == -1
    assert replay(GOOD) == replay({**GOOD, "options": {}})


def test_ten_thousand_actions_replay():
    actions = [{"do": "round", "scored": [10, 12], "left": [12, 10]}, {"do": "round", "scored": [12, 10], "left": [10, 12]}] * 5_000
    answer = replay({**GOOD, "actions": actions})
    assert (len(answer["rounds"]), answer["totals"]) == (10_000, [0, 0])


def test_a_card_name_with_other_digits_is_refused():
    for name in ("blue-٥", "blue-5 ", "Blue-5", "blue-10", "blue-0", "blue5", 5, None, ["blue-5"]):
        question = {"game": "the-academy", "players": ["A", "B", "C", "D"], "trump": None, "cards": ["blue-1", "blue-2", "blue-3", name]}
        error = resolve(question).get("error")
        if name is not None:  # null stands for a Mastermind who covered
            assert error["message"] == "In the question, “cards[3]” must be a card such as blue-5: blue, green, purple and orange, 1 to 9."


def test_reading_something_else_than_an_object_is_refused():
    with pytest.raises(RuleError):
        read(Players, [], "the record", 0)


# ---- whatever is put anywhere ----------------------------------------------------------------------------------------

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(max_size=5)
    | st.sampled_from(["blue-5", "green", "?", "any", 0, 1]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["do", "seat", "cards", "green", "x"]), inner, max_size=4),
    max_leaves=6,
)


def places(value, path=()):
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def put(value, path, new):
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=150, deadline=None)
@given(junk=JUNK, seed=st.integers(0, 10**6))
def test_junk_anywhere_is_an_error_in_words_and_never_a_crash(game, junk, seed):
    record = json.loads((EXAMPLES / f"{game}.json").read_text(encoding="utf-8"))
    changed = copy.deepcopy(record)
    put(changed, random.Random(seed).choice(list(places(record))[1:]), junk)
    try:
        answer = replay(changed)
    except ValueError:
        assert changed["format"] != record["format"] or changed["game"] != game or not isinstance(changed["actions"], list)
        return
    if "error" in answer:
        assert set(answer["error"]) == {"action", "rule", "message"}
        assert answer["error"]["message"]
