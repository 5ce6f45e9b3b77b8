"""Walking through forms: field after field, guided by an action, and back from an action to its question."""

import pytest

from companion.games import GAMES
from companion.games.base import SKIP
from companion.games.forms import NotOffered, as_far_as, ask_for, completed, guided, is_offered, look_up, next_field, same

LAB, RACE = GAMES["crazy-lab"], GAMES["crazy-race"]


def asks(game=LAB, players=3):
    return game.asks(game.setup(players, game.options()))


def trick_ask():
    return next(ask for ask in asks() if ask.id == "round-1-trick-1")


def test_the_next_field_follows_the_answers_so_far():
    form = trick_ask().form
    assert next_field(form, []).name == "trump"
    assert next_field(form, ["blue"]).name == "winner"
    assert next_field(form, [SKIP]).name == "winner"
    assert next_field(form, ["blue", 2]) == {"do": "trick", "trump": "blue", "winner": 2}
    assert next_field(form, [SKIP, 0]) == {"do": "trick", "winner": 0}


@pytest.mark.parametrize("answers", [["red"], ["blue", 3], ["blue", True], ["blue", SKIP], ["blue", "2"], [None]])
def test_an_answer_that_is_not_offered_is_refused(answers):
    with pytest.raises(NotOffered):
        next_field(trick_ask().form, answers)


def test_an_action_leads_back_to_its_question():
    assert ask_for(asks(), {"do": "trick", "winner": 1}).id == "round-1-trick-1"
    assert ask_for(asks(), {"do": "count", "seat": 2, "plus": 1, "minus": 0}).id == "round-1-count-2"
    assert ask_for(asks(), {"do": "count", "seat": 3, "plus": 1, "minus": 0}) is None
    assert ask_for(asks(), {"do": "plus", "seat": 0, "colour": "blue"}) is None


def test_a_form_is_guided_only_to_what_it_offers():
    assert guided(trick_ask().form, {"winner": 1}) == {"do": "trick", "winner": 1}
    assert guided(trick_ask().form, {"winner": 1, "trump": "red"}) is None


def test_the_answers_of_an_earlier_action_are_kept_for_as_long_as_they_are_offered():
    form, earlier = trick_ask().form, {"do": "trick", "trump": "blue", "winner": 2}
    assert completed(form, [], earlier) == ["blue", 2]
    assert completed(form, ["green"], earlier) == ["green", 2]
    assert completed(form, [], {**earlier, "winner": 3}) == ["blue"]
    assert completed(form, [], {**earlier, "trump": "red"}) == []


def test_what_stands_at_a_path_is_found_and_what_does_not_is_left_out():
    plain = {"cards": [{"green": 4}, {"blue": 5}], "winner": 1}
    assert [look_up(plain, name) for name in ("cards.0.green", "cards.1.blue", "winner")] == [4, 5, 1]
    assert {look_up(plain, name) for name in ("cards.2.blue", "cards.0.blue", "winner.0", "loser")} == {SKIP}


def test_an_answer_that_is_not_offered_is_named_with_its_field():
    with pytest.raises(NotOffered) as refused:
        as_far_as(trick_ask().form, {"trump": "red"})
    assert (refused.value.field.name, refused.value.answer) == ("trump", "red")


def test_true_is_not_1_also_inside_lists():
    assert not same(1, True)
    assert not same([1, 4], [True, 4])
    assert same([1, 4], [1, 4])
    field = next_field(next(ask for ask in asks(RACE) if ask.id.endswith("-cards")).form, ["flyer", 2])
    assert is_offered(field, [1, 4])
    assert not is_offered(field, [True, 4])


def test_what_is_left_out_has_a_name():
    assert repr(SKIP) == "SKIP"
