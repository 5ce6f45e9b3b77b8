"""The same question is known again, whoever asks it and wherever they sit; other facts are another question."""

import pytest

from companion.games import GAMES, read_action, read_options, resolve, shape_of
from companion.games.base import RuleError

FOUR = ["Ana", "Ben", "Cem", "Dia"]
ELSE = ["Pia", "Quin", "Rob", "Sam"]
LINE = ["red", "yellow", "green", "blue", "purple"]
QUESTIONS = {
    "crazy-lab": {"trump": "green", "cards": [{"highest": 6}, {"green": 2}, {"green": 2}, {"highest": 5}]},
    "the-academy": {"trump": None, "cards": ["blue-5", "blue-7", "green-3", "purple-2"]},
    "tricky-cribby": {"strength": LINE, "cards": ["blue-5", "blue-7", "green-3", "purple-2"]},
    "crazy-race": {"cards": [[2, 3], [0, 4], [2, 1]]},
    "ligretto-crazy": {"top": 4, "card": "crazy", "as": 5, "piles": 2},
}


def shape(game, players=FOUR, **question):
    return shape_of(GAMES[game], {"players": players, **QUESTIONS[game], **question})


@pytest.mark.parametrize("game", QUESTIONS)
def test_names_leaders_and_claims_do_not_matter(game):
    assert shape(game).facts == shape(game, ELSE, leader=2, claim=1).facts


@pytest.mark.parametrize("game", QUESTIONS)
def test_every_seat_has_one_place(game):
    assert sorted(shape(game, leader=3).turns) == [0, 1, 2, 3]


@pytest.mark.parametrize("game", QUESTIONS)
def test_the_winner_of_the_same_question_has_the_same_place(game):
    places = set()
    for leader in range(4):
        winner = resolve({"game": game, "players": FOUR, **QUESTIONS[game], "leader": leader})["winner"]
        places.add(None if winner is None else shape(game, leader=leader).turns.index(winner))
    assert len(places) == 1


@pytest.mark.parametrize(
    ("game", "other"),
    [
        ("crazy-lab", {"trump": "blue"}),
        ("crazy-lab", {"cards": [{"highest": 6}, {"green": 2}, {"green": 3}, {"highest": 5}]}),
        ("crazy-lab", {"cards": [{"green": 2}, {"highest": 6}, {"green": 2}, {"highest": 5}]}),
        ("crazy-lab", {"cards": [{"highest": 6}, {"highest": 2}, {"highest": 2}, {"highest": 5}]}),
        ("the-academy", {"trump": "blue"}),
        ("the-academy", {"cards": ["blue-7", "blue-5", "green-3", "purple-2"]}),
        ("tricky-cribby", {"strength": LINE[::-1]}),
        ("crazy-race", {"cards": [[2, 3], [0, 4], [0, 1]]}),
        ("crazy-race", {"cards": [[2, 3], [2, 1], [0, 4]]}),
        ("ligretto-crazy", {"as": 3}),
        ("ligretto-crazy", {"top": None}),
    ],
)
def test_other_facts_are_another_question(game, other):
    assert shape(game).facts != shape(game, **other).facts


def test_another_number_of_players_is_another_question():
    assert shape("ligretto-crazy").facts != shape("ligretto-crazy", FOUR[:3]).facts


def test_in_crazy_lab_a_card_counts_as_far_as_it_matters():
    told_in_full = [{"blue": 6, "orange": 1}, {"green": 2, "purple": 6}, {"green": 2}, {"yellow": 1}]
    assert shape("crazy-lab", cards=told_in_full).facts == shape("crazy-lab").facts
    bare = [{"highest": 6}, {"highest": 2}, {"highest": 2}, {"highest": 5}]
    in_full = [{"blue": 6, "orange": 1}, {"blue": 2}, {"orange": 2, "blue": 1}, {"purple": 5, "yellow": 5}]
    assert shape("crazy-lab", cards=bare).facts == shape("crazy-lab", cards=in_full).facts


def test_in_crazy_race_places_go_by_the_first_card_laid():
    seats_moved = [[1, 3], [3, 4], [1, 1]]
    assert shape("crazy-race", cards=seats_moved).facts == shape("crazy-race").facts
    assert shape("crazy-race").turns == (2, 0, 1, 3)
    assert shape("crazy-race", cards=seats_moved).turns == (1, 3, 0, 2)
    assert shape("crazy-race", cards=[]).turns == (0, 1, 2, 3)


def test_what_makes_no_sense_has_no_shape():
    for question in ({"cards": [{"green": 1}]}, {"trump": "pink"}, {"more": 1}, {"players": []}):
        with pytest.raises(RuleError):
            shape("crazy-lab", **question)


# ---- what a match knows ----------------------------------------------------------------------------------------------


def known(game, actions=(), players=4, **options):
    rules = GAMES[game]
    state = rules.setup(players, read_options(rules, options, players))
    for action in actions:
        state = rules.apply(state, read_action(rules, action, players)).state
    return rules.known(state)


@pytest.mark.parametrize("game", QUESTIONS)
def test_what_is_known_is_part_of_a_question_that_makes_sense(game):
    assert shape(game, **known(game))


def test_a_match_knows_who_leads_and_what_is_trump():
    assert known("crazy-lab", [{"do": "trick", "winner": 2}]) == {"leader": 2}
    exam = {"do": "exam", "trump": "green", "rule": "swap-hands"}
    assert known("the-academy", captain=1) == {"leader": 1}
    assert known("the-academy", [exam, {"do": "trick", "winner": 3}]) == {"leader": 3, "trump": "green"}
    assert known("the-academy", [{**exam, "rule": "no-trump"}]) == {"leader": 0, "trump": None}
    assert known("crazy-race") == known("ligretto-crazy") == {}


def test_tricky_cribby_knows_the_line_and_with_two_players_their_order():
    assert known("tricky-cribby", leader=3) == {"leader": 3, "strength": LINE}
    assert known("tricky-cribby", players=2, two_player_order="alternate")["two_player_order"] == "alternate"
