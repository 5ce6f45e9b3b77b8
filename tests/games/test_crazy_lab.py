"""Crazy Lab, rule by rule."""

import pytest

from companion.games import GAMES, crazy_lab, read_action, replay, resolve
from companion.games.base import SKIP, RuleError, say
from companion.games.forms import guided, is_offered, walk

GAME = GAMES["crazy-lab"]
PEOPLE = ["Ana", "Ben", "Cem", "Dora", "Eva"]
MINUS = {"do": "minus", "colours": ["purple", "blue", "yellow"]}
PLUS = [
    {"do": "plus", "seat": 0, "colour": "green"},
    {"do": "plus", "seat": 1, "colour": "green"},
    {"do": "plus", "seat": 2, "colour": "orange"},
]
TRUMPS = ["green"] * 4 + ["blue"] * 4 + ["orange"] * 2
PLAIN = [{"green": 1}, {"blue": 1}, {"orange": 1}]


def record(*actions, players=3, **options):
    return {"format": "companion-record/1", "game": "crazy-lab", "players": PEOPLE[:players], "options": options, "actions": list(actions)}


def trick(trump, *cards, **more):
    return {"do": "trick", "trump": trump, "cards": list(cards), **more}


def won_by(*winners):
    return [{"do": "trick", "winner": winner} for winner in winners]


def round_of(plus, minus):
    return {"do": "round", "plus": plus, "minus": minus}


def count(seat, plus, minus):
    return {"do": "count", "seat": seat, "plus": plus, "minus": minus}


def ten(cards=PLAIN):
    """A round of tricks by cards; with three seats leading from 0 the winner is told by each trump."""
    return [trick(trump, *cards) for trump in TRUMPS]


def state_after(*actions, players=3, **options):
    state = GAME.setup(players, GAME.options(**options))
    for action in actions:
        state = GAME.apply(state, read_action(GAME, action, players)).state
    return state


def notes_of(action, state):
    step = GAME.apply(state, read_action(GAME, action, state.players))
    return [(say(note.text, PEOPLE), note.rule) for note in step.notes]


def refusal(*actions, **more):
    error = replay(record(*actions, **more))["error"]
    return error["action"], error["rule"], error["message"]


# ---- who wins a trick ------------------------------------------------------------------------------------------------

SIXES = [{"yellow": 6, "blue": 5}, {"purple": 6, "orange": 5}, {"green": 1, "blue": 4, "orange": 4}]
DISPUTES = [
    ("LAB-13 case 1", "yellow", 0, [{"yellow": 2}, {"blue": 6, "yellow": 5}, {"yellow": 4, "green": 1}], 1, ["LAB-13", "LAB-13", "LAB-13"]),
    ("LAB-14 case 2", "blue", 0, [{"blue": 4}, {"blue": 5}, {"blue": 5}], 1, ["LAB-13", "LAB-13", "LAB-14"]),
    ("LAB-15 case 3", "green", 1, [{"yellow": 4}, {"orange": 5}, {"blue": 6, "purple": 5}], 0, ["LAB-15", "LAB-15", "LAB-15"]),
    ("LAB-16 case 4", "green", 0, SIXES, 2, ["LAB-16", "LAB-16", "LAB-13"]),
    ("LAB-15 case 5", "green", 0, [{"yellow": 6, "blue": 5}, {"purple": 1}, {"blue": 6, "orange": 5}], 0, ["LAB-15", "LAB-15", "LAB-15"]),
    (
        "LAB-15 case 6: single numbers, not sums",
        "green",
        0,
        [{"yellow": 4, "blue": 4, "purple": 1}, {"purple": 5, "orange": 1, "yellow": 1}, {"orange": 3}],
        1,
        ["LAB-15", "LAB-15", "LAB-15"],
    ),
    ("LAB-14 case 7", "blue", 0, [{"blue": 5}, {"blue": 1}, {"blue": 5}], 0, ["LAB-13", "LAB-13", "LAB-14"]),
]


@pytest.mark.parametrize(("trump", "leader", "cards", "winner", "rules"), [row[1:] for row in DISPUTES], ids=[row[0] for row in DISPUTES])
def test_the_resolver_and_the_match_name_the_same_winner(trump, leader, cards, winner, rules):
    answer = resolve({"game": "crazy-lab", "players": PEOPLE[:3], "leader": leader, "trump": trump, "cards": cards})
    assert (answer["winner"], [reason["rule"] for reason in answer["why"]]) == (winner, rules)
    played = replay(record(trick(trump, *cards), starter=leader))
    assert (played["leader"], played["tricks_played"]) == (winner, 1)


def why(trump, *cards, leader=0):
    return [
        each["text"]
        for each in resolve({"game": "crazy-lab", "players": PEOPLE[:4], "leader": leader, "trump": trump, "cards": cards})["why"]
    ]


def test_a_verdict_argues_card_by_card_in_trump():
    assert why("blue", {"blue": 2}, {"blue": 5}, {"green": 6, "orange": 5}, {"blue": 5, "green": 1}, leader=2) == [
        "Cem has blue 2, lower than blue 5.",
        "Dora wins: blue 5 is the highest blue in the trick.",
        "Ana shows no blue; every blue beats that, even a 1.",
        "Ben has blue 5 too, but Dora played it earlier.",
    ]


def test_a_verdict_argues_card_by_card_without_trump():
    assert why("blue", {"green": 2}, {"orange": 5, "green": 1}, {"yellow": 5}, {"purple": 1}) == [
        "Ana: the highest single number is 2, lower than 5.",
        "Ben wins: nobody shows blue, and 5 is the highest single number.",
        "Cem has a 5 too, but Ben played it earlier.",
        "Dora: the highest single number is 1, lower than 5.",
    ]


def test_a_card_of_a_dispute_may_be_given_as_far_as_it_matters():
    question = {"game": "crazy-lab", "players": PEOPLE[:3], "trump": "green", "cards": [{"highest": 6}, {"green": 2}, {"highest": 5}]}
    assert resolve(question)["winner"] == 1
    assert resolve({**question, "cards": [{"highest": 5}, {"blue": 6}, {"highest": 6}], "claim": 1})["right"] is True
    assert resolve({**question, "claim": 0})["right"] is False
    assert "right" not in resolve(question)


@pytest.mark.parametrize(
    ("changes", "rule", "part"),
    [
        ({"cards": [{"green": 1}] * 2}, "LAB-12", "one card a player: 3, not 2"),
        ({"cards": [{"green": 1}] * 4}, "LAB-12", "one card a player: 3, not 4"),
        ({"cards": [{"green": 1}, {"highest": 3, "green": 1}, {"green": 2}]}, "RECORD", "not both"),
        ({"cards": [{"green": 1}, {"highest": 3, "blue": 1}, {"green": 2}]}, "RECORD", "not both"),
        ({"cards": [{"green": 7}] * 3}, "RECORD", "“cards[0].green” must be 6 or less"),
        ({"cards": [{"green": 0}] * 3}, "RECORD", "“cards[0].green” must be 1 or more"),
        ({"cards": [{}] * 3}, "RECORD", "“cards[0]” needs at least 1"),
        ({"cards": [{"green": 1, "blue": 1, "orange": 1, "yellow": 1}] * 3}, "RECORD", "“cards[0]” has room for at most 3"),
        ({"trump": "red"}, "RECORD", "“trump” must be one of purple, blue, yellow, orange and green"),
        ({"trump": None}, "RECORD", "“trump” cannot be null"),
        ({"players": PEOPLE[:2]}, "LAB-1", "for 3, 4 and 5 players, not for 2"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(changes, rule, part):
    question = {"game": "crazy-lab", "players": PEOPLE[:3], "trump": "green", "cards": [{"green": 1}] * 3}
    error = resolve({**question, **changes})["error"]
    assert (error["action"], error["rule"]) == (-1, rule)
    assert part in error["message"]


def test_a_wrong_claim_is_refused_with_the_right_winner_and_why():
    told = refusal(trick("blue", {"blue": 4}, {"blue": 5}, {"blue": 5}, winner=2))
    assert told == (0, "LAB-13", "Cem does not win this. Ben wins: blue 5 is the highest blue in the trick.")
    assert replay(record(trick("blue", {"blue": 4}, {"blue": 5}, {"blue": 5}, winner=1)))["leader"] == 1


# ---- tricks in a round -----------------------------------------------------------------------------------------------


def test_the_winner_of_a_trick_leads_the_next_one():
    """LAB-11, LAB-17"""
    assert replay(record(starter=2))["leader"] == 2
    assert replay(record(*won_by(1)))["leader"] == 1
    # Ben leads the second trick, so the first card of it is his
    assert replay(record(*won_by(1), trick("blue", {"blue": 3}, {"blue": 3}, {"blue": 3})))["leader"] == 1


def test_everybody_may_play_any_card():
    """LAB-12, LAB-4: no duty to follow, and the cards that stay unseen cannot be told"""
    assert "error" not in replay(
        record(trick("blue", {"blue": 5}, {"green": 5}, {"blue": 5}), trick("blue", {"blue": 5}, {"green": 5}, {"blue": 5}))
    )


@pytest.mark.parametrize("cards", [[{"blue": 1}] * 2, [{"blue": 1}] * 4, []])
def test_everybody_plays_one_card(cards):
    """LAB-12"""
    told = refusal(trick("blue", *cards))
    assert told == (0, "LAB-12", f"Everybody plays exactly one card to a trick: 3 cards, not {len(cards)}.")


def test_a_colour_is_trump_at_most_four_times_a_round():
    """LAB-8 case 16; LAB-7, LAB-10: ten trump cards, each for one trick"""
    orange = [{"do": "trick", "trump": "orange", "winner": 0}] * 4
    assert refusal(*orange, {"do": "trick", "trump": "orange", "winner": 0}) == (
        4,
        "LAB-8",
        "orange has been trump four times this round; there is no fifth card of it.",
    )
    assert refusal(*orange, trick("orange", *PLAIN))[:2] == (4, "LAB-8")
    assert replay(record(*orange, {"do": "trick", "trump": "green", "winner": 0}))["tricks_played"] == 5
    # a new round has a new pile
    assert replay(record(*orange, round_of([1, 1, 1], [0, 0, 0]), *orange, rounds=2))["tricks_played"] == 4


def test_a_plus_colour_does_not_lower_the_limit_because_that_would_tell_a_secret():
    """LAB-8, LAB-6: all three keep green, and still it may be trump four times"""
    plus = [{"do": "plus", "seat": seat, "colour": "green"} for seat in range(3)]
    assert replay(record(MINUS, *plus, *ten()[:4]))["tricks_played"] == 4


def test_a_round_has_ten_tricks():
    """LAB-18 case 14: the tricks of a round add up to ten; an eleventh is refused"""
    assert replay(record(*won_by(*[0] * 10)))["tricks_played"] == 10
    assert refusal(*won_by(*[0] * 11)) == (10, "LAB-18", "All ten tricks of this round are in; now count plus and minus.")
    assert replay(record(*won_by(*[0] * 9, 2)))["leader"] == 2


def test_a_trick_needs_its_cards_or_its_winner():
    assert refusal({"do": "trick"}) == (0, "RECORD", "A trick needs its cards or its winner.")
    assert refusal({"do": "trick", "trump": "blue"})[:2] == (0, "RECORD")


def test_with_cards_the_trump_is_needed():
    """LAB-10"""
    assert refusal({"do": "trick", "cards": PLAIN}) == (0, "LAB-10", "To see who wins by the cards, say which colour is trump.")


# ---- colours ---------------------------------------------------------------------------------------------------------


def test_no_two_players_share_a_minus_colour():
    """LAB-2"""
    assert refusal({"do": "minus", "colours": ["purple", "blue", "purple"]}) == (
        0,
        "LAB-2",
        "Ana and Cem cannot both have minus purple: there is one pile of each colour.",
    )


def test_minus_colours_are_chosen_once_a_round_and_before_anything_else():
    """LAB-2, L3: they are chosen again in each round; L4: in any order"""
    assert refusal(MINUS, MINUS) == (1, "LAB-2", "The minus colours of this round are entered already; undo them to change one.")
    assert refusal(*won_by(0), MINUS) == (1, "LAB-2", "Minus colours are taken before the first trick and count of a round.")
    assert refusal(count(0, 1, 1), MINUS)[:2] == (1, "LAB-2")
    assert "error" not in replay(
        record(MINUS, round_of([1, 1, 1], [0, 0, 0]), {"do": "minus", "colours": ["green", "purple", "blue"]}, rounds=2)
    )


def test_the_plus_colour_is_never_the_own_minus_colour():
    """LAB-3 case 17"""
    assert refusal(MINUS, {"do": "plus", "seat": 0, "colour": "purple"}) == (
        1,
        "LAB-3",
        "purple is the minus colour of Ana; the plus colour is one of the four others.",
    )
    assert "error" not in replay(record(MINUS, {"do": "plus", "seat": 1, "colour": "purple"}))


def test_a_plus_colour_needs_the_minus_colours_and_is_chosen_once():
    """LAB-5"""
    assert refusal(PLUS[0]) == (0, "LAB-3", "Enter everybody's minus colour first, then the secret plus colours.")
    assert refusal(MINUS, PLUS[0], {"do": "plus", "seat": 0, "colour": "blue"}) == (
        2,
        "LAB-5",
        "Ana has chosen a plus colour for this round already.",
    )


def test_a_plus_colour_is_seen_by_its_seat_alone():
    """LAB-5"""
    state = state_after(MINUS, PLUS[0], PLUS[2])
    assert GAME.view(state, frozenset()).plus == ("hidden", None, "hidden")
    assert GAME.view(state, frozenset({0})).plus == ("green", None, "hidden")
    assert GAME.view(state, frozenset({1})).plus == ("hidden", None, "hidden")
    assert GAME.view(state, frozenset({0, 2})).plus == ("green", None, "orange")
    assert notes_of(PLUS[1], state) == [("Ben has chosen a secret plus colour.", "LAB-5")]


def test_whether_a_plus_colour_was_chosen_well_or_at_random_is_not_asked():
    """LAB-9"""
    assert {ask.do for ask in GAME.asks(state_after(MINUS))} == {"plus", "trick", "count", "round"}


# ---- scoring ---------------------------------------------------------------------------------------------------------


def test_plus_minus_what_the_won_cards_show():
    """LAB-19, LAB-20 case 8: a card with both colours counts both ways"""
    cards = [{"green": 5, "purple": 1, "orange": 1}, {"blue": 4, "orange": 4, "purple": 1}, {"green": 6, "yellow": 5}]
    rest = [trick(trump, {"yellow": 1}, {"yellow": 1}, {"yellow": 1}) for trump in ["green"] * 3 + ["blue"] * 4 + ["orange"] * 2]
    # the leader of a trick of equal cards wins it, so all nine others go to Cem, who takes the first trick
    answer = replay(record(MINUS, *PLUS, trick("green", *cards), *rest))
    assert answer["rounds"] == [[0, 0, 5 - 5 - 27]]  # orange 1 + 4, yellow 5 + 27
    # the same cards won by Ana: plus green 11, minus purple 2
    first = [cards[2], cards[0], cards[1]]
    assert replay(record(MINUS, *PLUS, trick("green", *first), *rest))["rounds"] == [[9, 0, 0]]


def test_no_trick_is_no_point_and_no_cards_count_for_a_seat_without_tricks():
    """LAB-21 case 9"""
    assert replay(record(*won_by(*[0] * 10), round_of([9, 0, 0], [2, 0, 0])))["totals"] == [7, 0, 0]
    assert refusal(*won_by(*[0] * 10), count(1, 1, 0)) == (
        10,
        "LAB-18",
        "Ben cannot have 1 points in one colour: with the cards won there are at most 0.",
    )
    assert refusal(*won_by(*[0] * 10), count(1, 0, 1))[:2] == (10, "LAB-18")


def test_the_highest_number_wins_even_if_it_is_negative():
    """LAB-21 case 10"""
    answer = replay(record(round_of([0, 0, 0], [3, 5, 8])))
    assert (answer["totals"], answer["winners"]) == ([-3, -5, -8], [0])


def test_a_tie_for_first_is_shared():
    """L1 case 11"""
    assert replay(record(round_of([14, 14, 9], [0, 0, 0])))["winners"] == [0, 1]


def test_or_a_tie_is_played_off():
    """L1"""
    tie, still, end = round_of([14, 14, 9], [0, 0, 0]), round_of([1, 1, 6], [0, 0, 0]), round_of([0, 3, 2], [0, 0, 0])
    answer = replay(record(tie, tie="extra-round"))
    assert (answer["finished"], answer["winners"]) == (False, [])
    assert replay(record(tie, still, tie="extra-round"))["finished"] is False
    assert replay(record(tie, still, end, tie="extra-round"))["winners"] == [1]
    assert replay(record(round_of([14, 13, 9], [0, 0, 0]), tie="extra-round"))["winners"] == [0]
    assert replay(record(tie, rounds=2, tie="extra-round"))["finished"] is False
    assert notes_of(tie, state_after(tie="extra-round"))[-1] == ("Ana and Ben are tied: one more round.", "L1")


def test_rounds_add_up():
    """LAB-22 case 12, L7: the net total counts"""
    answer = replay(record(round_of([12, 5, 0], [0, 0, 2]), round_of([0, 9, 8], [1, 0, 0]), rounds=2))
    assert (answer["rounds"], answer["totals"], answer["winners"]) == ([[12, 5, -2], [-1, 9, 8]], [11, 14, 6], [1])
    assert refusal(round_of([1, 0, 0], [0, 0, 0]), round_of([1, 0, 0], [0, 0, 0]))[:2] == (1, "RECORD")


def test_the_left_neighbour_of_the_last_starter_starts_the_next_round():
    """L2 case 18, LAB-22"""
    one = round_of([1, 0, 0, 0], [0, 0, 0, 0])
    leaders = [replay(record(*[one] * n, players=4, rounds=9, starter=0))["leader"] for n in range(6)]
    assert leaders == [0, 1, 2, 3, 0, 1]
    assert replay(record(*won_by(3), one, players=4, rounds=2, starter=2))["leader"] == 3
    assert replay(record(one, players=4))["leader"] is None


def test_ten_tricks_by_cards_and_all_plus_colours_score_the_round():
    """LAB-19, L5 nobody need look through tricks: the app has the cards"""
    assert replay(record(MINUS, *PLUS[:2], *ten()))["rounds"] == []
    by_trick = replay(record(MINUS, *PLUS, *ten()))
    by_plus = replay(record(MINUS, *PLUS[:2], *ten(), PLUS[2]))
    assert by_trick["rounds"] == by_plus["rounds"]
    assert by_trick["finished"]
    assert len(by_trick["rounds"]) == 1


def test_the_entry_that_scores_a_round_by_its_cards_is_told_first():
    """LAB-17, LAB-5: the last trick or the last plus colour, then what came of it"""
    assert notes_of(ten()[9], state_after(MINUS, *PLUS, *ten()[:9]))[0] == ("Cem takes trick 10.", "LAB-17")
    assert notes_of(PLUS[2], state_after(MINUS, *PLUS[:2], *ten()))[0] == ("Cem has chosen a secret plus colour.", "LAB-5")


def test_a_single_trick_without_cards_leaves_the_counting_to_the_table():
    assert replay(record(MINUS, *PLUS, *ten()[:9], *won_by(0)))["rounds"] == []
    assert replay(record(MINUS, *PLUS, *ten()[:9], *won_by(0), count(0, 6, 0), count(1, 0, 1), count(2, 1, 1)))["rounds"] == [[6, -1, 0]]


def test_counts_entered_before_are_dropped_where_the_cards_score():
    with_counts = replay(record(MINUS, count(0, 180, 0), *PLUS, *ten()))
    assert with_counts["rounds"] == replay(record(MINUS, *PLUS, *ten()))["rounds"]


def test_a_count_sent_again_replaces_and_the_last_one_scores():
    assert replay(record(count(0, 9, 1), count(0, 8, 2), count(2, 1, 1)))["rounds"] == []
    assert replay(record(count(0, 9, 1), count(0, 8, 2), count(2, 1, 1), count(1, 3, 0)))["rounds"] == [[6, 3, 0]]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_points_have_a_limit(players):
    """LAB-18, LAB-4: ten tricks of as many cards as players, at most 6 on each"""
    most = 60 * players
    assert "error" not in replay(record(count(0, most, most), players=players))
    assert refusal(count(0, most + 1, 0), players=players)[:2] == (0, "LAB-18")
    assert refusal(count(0, 0, most + 1), players=players)[:2] == (0, "LAB-18")
    assert refusal(round_of([0] * (players - 1) + [most + 1], [0] * players), players=players)[:2] == (0, "LAB-18")


def test_with_ten_tricks_entered_the_limit_is_what_lies_in_the_own_tricks():
    """LAB-18 case 15: the cards won are players times tricks"""
    three_of_ten = won_by(0, 0, 0, *[1] * 7)
    assert "error" not in replay(record(*three_of_ten, count(0, 54, 54)))
    assert refusal(*three_of_ten, count(0, 55, 0)) == (
        10,
        "LAB-18",
        "Ana cannot have 55 points in one colour: with the cards won there are at most 54.",
    )
    # nine tricks are not ten: the wide limit; and what was entered before is not looked at again
    assert "error" not in replay(record(*three_of_ten[:9], count(0, 180, 0)))
    assert replay(record(count(0, 180, 0), *three_of_ten, count(1, 9, 0), count(2, 0, 0)))["totals"] == [180, 9, 0]


def test_the_story_of_a_scored_round():
    """LAB-5, LAB-19, LAB-22, L6: a round that went wrong is entered again from the start"""
    state = state_after(MINUS, PLUS[0])
    assert notes_of(round_of([14, 5, 3], [2, 9, 0]), state) == [
        ("Ana collected green.", "LAB-5"),
        ("Ana: 14 − 2 = 12.", "LAB-19"),
        ("Ben: 5 − 9 = −4.", "LAB-19"),
        ("Cem: 3 − 0 = 3.", "LAB-19"),
        ("Ana wins with 12 points.", "LAB-22"),
    ]
    assert notes_of(round_of([5, 5, 3], [0, 0, 0]), state)[-1] == ("Ana and Ben win with 5 points.", "L1")
    assert notes_of(round_of([5, 5, 3], [0, 0, 0]), state_after(rounds=2))[-1] == ("Cem: 3 − 0 = 3.", "LAB-19")
    assert notes_of(count(0, 5, 2), state_after()) == [("Ana counted 5 plus and 2 minus.", "LAB-19")]
    assert notes_of(MINUS, state_after())[1] == ("Ben avoids blue.", "LAB-2")
    assert notes_of(won_by(2)[0], state_after(*won_by(0))) == [("Cem takes trick 2.", "LAB-17")]


def test_a_trick_by_cards_has_its_verdict_in_the_story():
    step = GAME.apply(state_after(), read_action(GAME, trick("green", *PLAIN), 3))
    verdict = step.notes[0].verdict
    assert (verdict.winner, [reason.seat for reason in verdict.why]) == (0, [0, 1, 2])
    assert GAME.apply(state_after(), read_action(GAME, won_by(1)[0], 3)).notes[0].verdict is None


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"rounds": 0}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"starter": 3}, "starter"),
        ({"starter": -1}, "starter"),
        ({"tie": "both"}, "tie"),
        ({"ties": "shared"}, "ties"),
    ],
)
def test_house_rules_out_of_range_are_refused(options, part):
    error = replay(record(**options))["error"]
    assert (error["action"], error["rule"]) == (-1, "RECORD")
    assert f"“{part}”" in error["message"]


@pytest.mark.parametrize("players", [2, 6])
def test_three_to_five_can_play(players):
    """LAB-1"""
    error = replay({**record(), "players": ["Ana"] * players})["error"]
    assert (error["action"], error["rule"]) == (-1, "LAB-1")
    assert error["message"] == f"Crazy Lab is for 3, 4 and 5 players, not for {players}."


# ---- what is asked for -----------------------------------------------------------------------------------------------


def asked(state):
    return [(ask.id, ask.needed, ask.seats) for ask in GAME.asks(state)]


COUNTS = [(f"round-1-count-{seat}", False, ()) for seat in range(3)] + [("round-1", False, ())]
TRICK_1 = [("round-1-trick-1", True, ()), ("round-1-trick-1-cards", True, ())]


def test_at_the_start_everything_can_be_entered_but_plus_colours():
    assert asked(state_after()) == [("round-1-minus", False, ()), *TRICK_1, *COUNTS]


def test_each_seat_is_asked_for_its_own_plus_colour():
    assert asked(state_after(MINUS)) == [*[(f"round-1-plus-{seat}", False, (seat,)) for seat in range(3)], *TRICK_1, *COUNTS]
    assert asked(state_after(MINUS, PLUS[1]))[:2] == [("round-1-plus-0", False, (0,)), ("round-1-plus-2", False, (2,))]


def test_after_a_trick_or_a_count_minus_colours_are_not_asked_for():
    assert asked(state_after(*won_by(0)))[0][0] == "round-1-trick-2"
    assert asked(state_after(count(1, 3, 4)))[0][0] == "round-1-trick-1"


def test_after_ten_tricks_the_counts_are_what_is_missing():
    counted = state_after(*won_by(*[0] * 10), count(1, 0, 0))
    assert asked(counted) == [
        ("round-1-count-0", True, ()),
        ("round-1-count-1-again-0-0", False, ()),
        ("round-1-count-2", True, ()),
        ("round-1", False, ()),
    ]
    assert asked(state_after(round_of([1, 0, 0], [0, 0, 0]), rounds=2))[1][0] == "round-2-trick-1"
    assert GAME.asks(state_after(round_of([1, 0, 0], [0, 0, 0]))) == ()


def test_the_questions_in_words():
    state = state_after(MINUS, PLUS[0], PLUS[1])
    assert [say(ask.text, PEOPLE) for ask in GAME.asks(state)] == [
        "Secret plus colour of Cem",
        "Who took trick 1?",
        "Which cards were played to trick 1?",
        "What did Ana count?",
        "What did Ben count?",
        "What did Cem count?",
        "What did everybody count?",
    ]
    assert say(GAME.asks(state_after())[0].text, PEOPLE) == "Which minus colours?"


def form_of(state, ask_id):
    return next(ask.form for ask in GAME.asks(state) if ask.id == ask_id)


def shape(field):
    return field.name, list(field.values), field.kind, field.optional, say(field.text, PEOPLE)


def test_minus_colours_are_offered_while_they_are_free():
    walk = form_of(state_after(), "round-1-minus")()
    assert shape(next(walk)) == ("colours.0", list(crazy_lab.COLOURS), "word", False, "Minus colour of Ana")
    assert shape(walk.send("blue"))[1] == ["purple", "yellow", "orange", "green"]


def test_plus_colours_are_the_four_others():
    assert shape(next(form_of(state_after(MINUS), "round-1-plus-1")())) == (
        "colour",
        ["purple", "yellow", "orange", "green"],
        "word",
        False,
        "Plus colour",
    )


def test_a_trump_that_is_used_up_is_not_offered():
    state = state_after(*[{"do": "trick", "trump": "orange", "winner": 0}] * 4)
    walk = form_of(state, "round-1-trick-5")()
    assert shape(next(walk)) == ("trump", ["purple", "blue", "yellow", "green"], "word", True, "Trump")
    assert shape(walk.send(SKIP)) == ("winner", [0, 1, 2], "seat", False, "Winner")
    assert shape(next(form_of(state, "round-1-trick-5-cards")()))[3] is False


def test_cards_are_asked_for_in_the_order_of_play_with_one_to_three_colours():
    walk = form_of(state_after(*won_by(1)), "round-1-trick-2-cards")()
    next(walk)
    assert shape(walk.send("green")) == ("cards.0.purple", [1, 2, 3, 4, 5, 6], "number", True, "purple on the card of Ben")
    assert [walk.send(SKIP).name for _ in range(4)] == ["cards.0.blue", "cards.0.yellow", "cards.0.orange", "cards.0.green"]
    last = walk.send(3)
    assert (last.name, say(last.text, PEOPLE)) == ("cards.1.purple", "purple on the card of Cem")
    assert [walk.send(1).name for _ in range(3)] == ["cards.1.blue", "cards.1.yellow", "cards.2.purple"]
    only = [walk.send(SKIP) for _ in range(4)]
    assert [field.optional for field in only] == [True, True, True, False]
    with pytest.raises(StopIteration) as done:
        walk.send(6)
    assert done.value.value == trick("green", {"green": 3}, {"purple": 1, "blue": 1, "yellow": 1}, {"green": 6})


def test_counts_are_offered_up_to_the_limit():
    state = state_after(*won_by(0, 0, 0, *[1] * 7))
    walk = form_of(state, "round-1-count-0")()
    assert [(field.name, field.values, field.kind, say(field.text, PEOPLE)) for field in (next(walk), walk.send(0))] == [
        ("plus", range(55), "number", "Points in the plus colour"),
        ("minus", range(55), "number", "Points in the minus colour"),
    ]
    walk = form_of(state, "round-1")()
    fields = [next(walk), *(walk.send(0) for _ in range(5))]
    assert [(field.name, field.values, say(field.text, PEOPLE)) for field in fields] == [
        ("plus.0", range(55), "Ana: plus"),
        ("plus.1", range(127), "Ben: plus"),
        ("plus.2", range(1), "Cem: plus"),
        ("minus.0", range(55), "Ana: minus"),
        ("minus.1", range(127), "Ben: minus"),
        ("minus.2", range(1), "Cem: minus"),
    ]
    assert fields[0].kind == "number"
    action = round_of([54, 126, 0], [1, 2, 0])
    assert guided(form_of(state, "round-1"), action) == action


@pytest.mark.parametrize(
    ("ask_id", "action"),
    [
        ("round-1-minus", MINUS),
        ("round-1-plus-1", PLUS[1]),
        ("round-1-trick-1", {"do": "trick", "trump": "blue", "winner": 2}),
        ("round-1-trick-1", {"do": "trick", "winner": 2}),
        ("round-1-trick-1-cards", trick("green", *PLAIN)),
        ("round-1-count-2", count(2, 7, 5)),
        ("round-1", round_of([1, 2, 3], [6, 5, 4])),
    ],
)
def test_a_question_is_answered_by_the_action_it_is_named_after(ask_id, action):
    state = state_after() if ask_id == "round-1-minus" else state_after(MINUS)
    ask = next(ask for ask in GAME.asks(state) if ask.id == ask_id)
    assert ask.do == action["do"]
    assert guided(ask.form, action) == action


def test_the_choices_of_the_house_rules_are_in_words():
    rules = crazy_lab.Rules()
    assert (rules.rounds, rules.starter, rules.tie) == (1, 0, "shared")
    told = {name: field.metadata for name, field in crazy_lab.Rules.__dataclass_fields__.items()}
    assert {name: say(each["text"], []) for name, each in told.items()} == {
        "rounds": "Rounds",
        "starter": "Who leads the first trick",
        "tie": "A tie for first place",
    }
    assert {name: each["kind"] for name, each in told.items()} == {"rounds": "", "starter": "seat", "tie": ""}
    assert {value: say(text, []) for value, text in told["tie"]["choices"].items()} == {
        "shared": "is a shared win",
        "extra-round": "is played off in one more round",
    }


def test_a_finished_game_refuses():
    with pytest.raises(RuleError, match="over"):
        GAME.apply(state_after(round_of([1, 0, 0], [0, 0, 0])), read_action(GAME, MINUS, 3))


@pytest.mark.parametrize("number", range(1, 7))
def test_where_nobody_shows_trump_every_highest_number_can_be_chosen(number):
    def answer(field):
        if field.name == "trump":
            return "green"
        if field.name.endswith("highest") and not field.optional:
            assert [n for n in range(9) if is_offered(field, n)] == [1, 2, 3, 4, 5, 6]
            return number
        return SKIP if field.optional else 0

    assert walk(lambda: GAME.disputes.form(3, 0), answer)["cards"] == [{"highest": number}] * 3


def test_a_dispute_asks_for_each_card_what_it_shows_and_then_for_its_highest_number():
    asked = []

    def answer(field):
        asked.append((field.name, list(field.values), say(field.text, PEOPLE)))
        return "green" if field.name == "trump" else SKIP if field.optional else min(field.values)

    walk(lambda: GAME.disputes.form(3, 0), answer)
    numbers, text = [1, 2, 3, 4, 5, 6], "How much green does the card of Ben show?"
    others = [(f"cards.1.{name}", numbers, text) for name in ("highest", "purple", "blue", "yellow", "orange")]
    assert asked[7:13] == [*others, ("cards.1.green", [0, *numbers], text)]
    assert asked[-1] == ("cards.2.highest", numbers, "Nobody shows green: what is the highest number on the card of Cem?")


# ---- what the screens show -------------------------------------------------------------------------------------------


def test_trumps_left_and_those_used_up():
    screen = GAME.screen(state_after(*[{"do": "trick", "trump": "orange", "winner": 0}] * 4, {"do": "trick", "trump": "blue", "winner": 1}))
    assert screen.trumps_left == {"purple": 4, "blue": 3, "yellow": 4, "orange": 0, "green": 4}
    assert {colour: say(text, PEOPLE) for colour, text in screen.used_up.items()} == {
        "orange": "orange has been trump four times this round; there is no fifth card of it."
    }


def test_the_order_of_play_goes_on_from_the_last_winner():
    assert state_after(starter=1).order == (1, 2, 0)
    assert state_after(*won_by(2)).order == (2, 0, 1)


def test_every_card_is_known_by_its_trick_its_player_and_its_winner():
    state = state_after(trick("orange", *PLAIN), *won_by(1), trick("blue", {"blue": 4, "orange": 4}, {"green": 6}, {"blue": 2}))
    assert [(laid.n, laid.seat, laid.winner, dict(laid.card)) for laid in state.laid] == [
        (1, 0, 2, {"green": 1}),
        (1, 1, 2, {"blue": 1}),
        (1, 2, 2, {"orange": 1}),
        (3, 1, 1, {"blue": 4, "orange": 4}),
        (3, 2, 1, {"green": 6}),
        (3, 0, 1, {"blue": 2}),
    ]
    assert [laid.n for laid in state.won(2)] == [1, 1, 1]
    assert (state.points_in("blue", 1), state.points_in("blue", 0), state.points_in("purple", 1)) == (6, 0, 0)


def test_a_card_seen_before_tells_who_played_it_last_and_when():
    state = state_after(trick("blue", {"orange": 4, "blue": 4}, {"green": 1}, {"green": 2}), trick("green", *PLAIN))
    seen = {key: say(text, PEOPLE) for key, text in GAME.screen(state).seen_cards.items()}
    assert seen == {
        "blue-4 orange-4": "Ana played such a card in trick 1.",
        "green-1": "Ana played such a card in trick 2.",
        "green-2": "Cem played such a card in trick 1.",
        "blue-1": "Ben played such a card in trick 2.",
        "orange-1": "Cem played such a card in trick 2.",
    }


def test_sums_are_known_where_all_cards_won_were_entered():
    nine = [trick(trump, *PLAIN) for trump in TRUMPS[:9]]
    assert not GAME.screen(state_after(*nine)).knows_cards_of(0)
    state = state_after(*nine, *won_by(1))
    assert [GAME.screen(state).knows_cards_of(seat) for seat in range(3)] == [True, False, True]
    assert state.all_tricks_in


def test_the_round_before_stays_to_be_looked_at():
    state = state_after(MINUS, *PLUS, *ten(), rounds=2)
    assert (state.round, state.tricks, state.plus) == (2, (), (None, None, None))
    past = state.last
    assert past.plus == ("green", "green", "orange")
    assert [past.counts[seat].net for seat in range(3)] == list(state.totals)
    assert [past.points_in(colour, seat) for seat, colour in enumerate(past.plus)] == [sums.plus for sums in past.counts]
    assert (past.starter, state.starter, past.last) == (0, 1, None)
    again = state_after(MINUS, *PLUS, *ten(), round_of([1, 2, 3], [0, 0, 0]), rounds=3)
    assert (again.last.round, again.last.last) == (2, None)


def test_the_round_before_hides_nothing_and_the_open_one_does():
    state = state_after(MINUS, *PLUS, *ten(), MINUS, PLUS[0], rounds=2)
    seen = GAME.view(state, frozenset())
    assert (seen.plus, seen.last.plus) == (("hidden", None, None), ("green", "green", "orange"))


def screen_after(*actions, viewer=(), **more):
    """The screen of a position as some seats see it."""
    return GAME.screen(GAME.view(state_after(*actions, **more), frozenset(viewer)))


def test_every_stage_of_a_match_has_a_word_of_its_own():
    screens = [screen_after(), screen_after(MINUS), screen_after(*won_by(1, 2)), screen_after(round_of([1, 0, 0], [0, 0, 0]), rounds=2)]
    assert [screen.stage for screen in screens] == ["1-0", "1-0", "1-2", "2-0"]
    assert [screen.trick for screen in screens] == [1, 1, 3, 1]
    assert [screen.has_begun for screen in screens] == [False, True, True, False]
    assert [screen.has_rounds for screen in screens] == [False, False, False, True]


def test_a_round_that_is_played_off_is_one_of_several():  # L1
    assert screen_after(round_of([1, 1, 0], [0, 0, 0]), tie="extra-round").has_rounds


def test_the_rack_has_ten_tricks_each_with_the_entry_that_told_it():  # LAB-18
    state = state_after(*won_by(1, 2, 0))
    rack = GAME.screen(state).rack([7, 5])  # the entry of the first trick is too old to be known
    assert [slot.n for slot in rack] == list(range(1, 11))
    assert [slot.style for slot in rack] == ["taken", "taken", "taken", "next", "", "", "", "", "", ""]
    assert [slot.trick for slot in rack] == [*state.tricks, *[None] * 7]
    assert [slot.entry for slot in rack] == [None, 5, 7, *[None] * 7]


def test_what_lies_open_of_each_seat_tells_no_secret():  # LAB-5
    assert [tuple(seat) for seat in screen_after().seats] == [(None, False, 0, None)] * 3
    seats = screen_after(MINUS, PLUS[1], *won_by(1, 1, 2), count(2, 3, 4)).seats
    assert [tuple(seat)[:3] for seat in seats] == [("purple", False, 0), ("blue", True, 2), ("yellow", False, 1)]
    assert [seat.sums and seat.sums.net for seat in seats] == [None, None, -1]


def test_fields_are_named_as_in_the_forms():
    screen = screen_after(MINUS)
    asked = {ask.id: ask for ask in GAME.asks(state_after())}
    first = next(iter(asked["round-1-minus"].form()))
    assert screen.minus_fields == (first.name, "colours.1", "colours.2")
    assert screen.card_fields(1) == {colour: f"cards.1.{colour}" for colour in GAME.colours}
    assert list(screen.card_fields(0)) == list(GAME.colours)


def test_the_screens_find_their_questions():
    for actions in ([MINUS], [MINUS, *won_by(1, 2)]):
        screen = screen_after(*actions)
        asks = {ask.id: ask.do for ask in GAME.asks(state_after(*actions))}
        assert [asks[id] for id in (screen.trick_id, screen.cards_id, screen.plus_id(2))] == ["trick", "trick", "plus"]
    assert (screen.trick_id, screen.cards_id, screen.plus_id(2)) == ("round-1-trick-3", "round-1-trick-3-cards", "round-1-plus-2")


def test_a_plus_colour_is_asked_for_openly_before_the_first_trick_and_after_the_last():  # LAB-5
    tricks = ([], [1], [1] * 9, [1] * 10)
    assert [screen_after(MINUS, *won_by(*winners)).asks_plus_openly for winners in tricks] == [True, False, False, True]


@pytest.mark.parametrize(
    ("actions", "marks", "styles"),
    [
        ([], {}, {}),
        ([MINUS], {0: "leads"}, {0: "leads"}),
        ([MINUS, PLUS[0], PLUS[2]], {0: "chosen", 2: "chosen"}, {0: "done", 2: "done"}),
        ([MINUS, PLUS[1]], {0: "leads", 1: "chosen"}, {0: "leads", 1: "done"}),
        ([MINUS, PLUS[1], *won_by(2)], {2: "leads"}, {2: "leads"}),
        (won_by(1), {1: "leads"}, {1: "leads"}),
        (won_by(*[1] * 10), {0: "counts …", 1: "counts …", 2: "counts …"}, {0: "", 1: "", 2: ""}),
        ([count(1, 2, 3)], {0: "counts …", 1: "counted", 2: "counts …"}, {0: "", 1: "done", 2: ""}),
        ([MINUS, PLUS[0], count(1, 2, 3)], {0: "counts …", 1: "counted", 2: "counts …"}, {0: "", 1: "done", 2: ""}),
        ([round_of([1, 0, 0], [0, 0, 0])], {}, {}),
    ],
)
def test_every_seat_says_what_it_does(actions, marks, styles):
    screen = screen_after(*actions)
    assert {seat: say(mark, PEOPLE) for seat, mark in screen.marks.items()} == marks
    assert screen.styles == styles


def test_the_table_counts_once_all_tricks_are_in_or_somebody_has_counted():
    screens = [screen_after(*won_by(*[1] * 9)), screen_after(*won_by(*[1] * 10)), screen_after(count(1, 2, 3))]
    assert [screen.counts for screen in screens] == [False, True, True]
    assert [screen.has_counts for screen in screens] == [False, False, True]
    assert [screen.missing for screen in screens] == [(0, 1, 2), (0, 1, 2), (0, 2)]


ALL_IN = won_by(*[1] * 10)


@pytest.mark.parametrize(
    ("actions", "asked", "typed", "own", "seat"),
    [
        ([], None, None, 0, None),  # nobody counts yet
        ([], "round-1-count-2", None, 0, 2),
        ([], "round-1-trick-1", None, 0, None),
        (ALL_IN, None, None, 0, 0),
        (ALL_IN, None, None, None, None),  # whoever only hosts
        (ALL_IN, "round-1-count-1", None, 0, 1),
        (ALL_IN, "round-1-count-1", "round-1-count-2", 0, 2),
        (ALL_IN, "round-1-count-1", "round-1", 0, 1),
        (ALL_IN, None, "round-1", 0, None),
        ([count(0, 2, 3)], None, None, 0, None),
        ([count(0, 2, 3)], None, None, 1, 1),
        ([count(0, 2, 3)], "round-1-count-0-again-2-3", None, 0, 0),
        ([count(0, 2, 3)], "round-1-count-0", None, 1, 1),  # answered meanwhile
        ([count(0, 2, 3)], None, "round-1-count-0", 1, 0),  # by somebody else, and what was typed is kept
    ],
)
def test_one_count_is_open(actions, asked, typed, own, seat):
    state = state_after(*actions)
    assert GAME.screen(state).counter(GAME.asks(state), asked, typed, own) == seat


def test_the_questions_of_a_count_are_known_by_their_seat():
    state = state_after(MINUS, count(0, 2, 3))
    asks = GAME.screen(state).count_asks(GAME.asks(state))
    assert {seat: ask.id for seat, ask in asks.items()} == {0: "round-1-count-0-again-2-3", 1: "round-1-count-1", 2: "round-1-count-2"}


def tens(last_by_cards=True):
    """Ten tricks by cards, a green 1, a blue 1 and an orange 1 in each: Ana wins six, Ben and Cem two; the last one can be told without."""
    return [*ten()[:9], *([ten()[9]] if last_by_cards else won_by(2))]


def test_a_tally_knows_the_sums_of_the_cards_that_were_entered():  # LAB-19
    tally = screen_after(MINUS, *PLUS[:2], *tens(), viewer=[0]).tally(0, own=True)
    assert (tally.minus_colour, tally.plus, tally.minus, tally.offers, tally.most) == ("purple", 6, 0, {}, 6 * 3 * 6)
    assert [(won.n, won.seat, dict(won.card), won.plus, won.minus) for won in tally.cards[:3]] == [
        (1, 0, {"green": 1}, 1, 0),
        (1, 1, {"blue": 1}, 0, 0),
        (1, 2, {"orange": 1}, 0, 0),
    ]
    assert len(tally.cards) == 18


def test_for_somebody_else_a_tap_on_the_plus_colour_adds_up():  # LAB-5
    tally = screen_after(MINUS, *PLUS[:2], *tens(), viewer=[0]).tally(1, own=False)
    assert (tally.minus_colour, tally.plus, tally.minus) == ("blue", None, 2)
    assert tally.offers == {"purple": 0, "yellow": 0, "orange": 2, "green": 2}
    assert {won.plus for won in tally.cards} == {0}  # which is a secret
    assert sum(won.minus for won in tally.cards) == 2


def test_whoever_has_a_minus_colour_chooses_the_plus_colour_for_that():  # LAB-5
    screen = screen_after(MINUS, *tens(), viewer=[1])
    assert (screen.tally(1, own=True).offers, screen.tally(1, own=True).plus) == ({}, None)
    assert screen.tally(1, own=False).offers == {"purple": 0, "yellow": 0, "orange": 2, "green": 2}
    without = screen_after(*tens(), viewer=[1]).tally(1, own=True)
    assert (without.minus_colour, without.plus, without.minus) == (None, None, None)
    assert without.offers == {"purple": 0, "blue": 2, "yellow": 0, "orange": 2, "green": 2}


def test_a_tally_knows_nothing_where_a_card_is_missing_and_all_where_there_is_none():  # LAB-21
    screen = screen_after(MINUS, *tens(last_by_cards=False))
    assert tuple(screen.tally(2, own=False)) == ("yellow", None, None, {}, (), 6 * 3 * 2)
    nothing = screen_after(*won_by(*[1] * 10)).tally(0, own=False)
    assert tuple(nothing) == (None, 0, 0, {}, (), 0)
    early = screen_after(MINUS, *won_by(1)).tally(0, own=True)
    assert tuple(early) == ("purple", None, None, {}, (), 6 * 3 * 10)


def test_the_round_before_is_shown_until_the_first_trick_of_the_next():
    played = [MINUS, *PLUS, *ten()]
    past = screen_after(*played, rounds=2).past
    assert (past.state.round, past.minus_of(1)) == (1, "blue")
    assert sum(won.plus - won.minus for won in past.won(1)) == past.state.counts[1].net
    assert screen_after(*played, *won_by(1), rounds=2).past is None
    assert screen_after().past is None


# ---- pages without a match -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "others", "part"),
    [
        ({"green": 5, "blue": 1, "highest": 5}, [], ({"green": 5, "blue": 1}, None, False)),
        ({"green": 5, "blue": 1, "purple": 2}, [], ({"green": 5, "blue": 1, "purple": 2}, None, True)),
        ({"highest": 6}, [{"green": 0}], ({}, 6, False)),
        ({"highest": 6}, [{"green": 1}], ({}, None, False)),  # with a trump in the trick it does not matter
        ({"green": 0}, [], ({}, None, False)),
    ],
)
def test_the_page_of_a_dispute_shows_of_a_card_what_matters(card, others, part):  # LAB-15, LAB-16
    assert tuple(GAME.part(card, {"trump": "green", "cards": [card, *others]})) == part


def test_a_card_of_a_dispute_without_a_trump_is_just_its_colours():
    assert tuple(GAME.part({"blue": 2}, {})) == ({"blue": 2}, None, False)


def test_the_example_of_a_count_has_a_card_with_both_colours():  # LAB-20
    assert [(won.plus, won.minus) for won in crazy_lab.screen.EXAMPLE_CARDS] == [(5, 1), (0, 1), (6, 0)]
    assert (crazy_lab.screen.EXAMPLE_SUMS.plus, crazy_lab.screen.EXAMPLE_SUMS.minus) == (11, 2)


def test_the_numbers_of_the_pages_follow_from_the_material():  # LAB-2, LAB-7
    assert crazy_lab.model.PILE == 4
    assert [crazy_lab.model.added_trumps(players) for players in (3, 4, 5)] == [4, 2, 0]
    assert (list(GAME.numbers), list(GAME.in_trump), GAME.max_colours) == ([1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], 3)
