"""Ligretto Crazy, rule by rule."""

import pytest

from companion.games import GAMES, read_action, replay, resolve
from companion.games.base import SKIP, RuleError, say
from companion.games.forms import guided

GAME = GAMES["ligretto-crazy"]
PEOPLE = ["Ana", "Ben", "Cem", "Dora", "Eva"]


def record(*actions, players=2, **options):
    return {
        "format": "companion-record/1",
        "game": "ligretto-crazy",
        "players": PEOPLE[:players],
        "options": options,
        "actions": list(actions),
    }


def round_of(scored, left, **more):
    return {"do": "round", "scored": scored, "left": left, **more}


def count(seat, scored, left, **more):
    return {"do": "count", "seat": seat, "scored": scored, "left": left, **more}


def points(*nets, target=100):
    """The answer after rounds with these results."""
    rounds = [round_of([max(net, 0) for net in each], [max(-net, 0) for net in each]) for each in nets]
    return replay(record(*rounds, players=len(nets[0]), target=target))


def state_after(*actions, players=2, target=100):
    state = GAME.setup(players, GAME.options(target=target))
    for action in actions:
        state = GAME.apply(state, read_action(GAME, action, players)).state
    return state


def notes_of(action, state):
    step = GAME.apply(state, read_action(GAME, action, state.players))
    return [(say(note.text, PEOPLE), note.rule, note.warning) for note in step.notes]


def refusal(*actions, **more):
    error = replay(record(*actions, **more))["error"]
    return error["action"], error["rule"], error["message"]


# ---- scoring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scored", "left", "net"),
    [(23, 9 + 4 + 3, 7), (0, 31, -31), (37, 16, 21)],
    ids=["LIG-13 case 1", "LIG-14 case 2", "LIG-13 case 18: others' cards count"],
)
def test_score_pile_minus_what_is_left(scored, left, net):
    answer = replay(record(round_of([scored, 10], [left, 5])))
    assert answer["rounds"] == [[net, 5]]
    assert answer["totals"] == [net, 5]


@pytest.mark.parametrize(
    ("rounds", "totals", "winners"),
    [
        ([[32, 27], [32, 27], [32, 26], [4, 10]], [100, 90], [0]),  # LIG-16 case 3
        ([[32, 27], [32, 27], [32, 26], [3, 0]], [99, 80], []),  # LIG-16 case 4
        ([[32, 32], [32, 32], [32, 30], [8, 7]], [104, 101], [0]),  # LIG-17 case 5: nobody is first within a round
        ([[32, 32, 20], [32, 32, 20], [32, 32, 20], [9, 9, 0]], [105, 105, 60], [0, 1]),  # LIG-16 case 6: several winners
        ([[-12, 0], [9, 0]], [-3, 0], []),  # LIG-14 case 7
        ([[33, 32, 20], [33, 32, 20], [32, 33, 20], [-2, 5, 41]], [96, 102, 101], [1]),  # LIG-16 case 17
    ],
)
def test_the_game_ends_after_a_round_that_brings_somebody_to_the_target(rounds, totals, winners):
    answer = points(*rounds)
    assert (answer["totals"], answer["winners"], answer["finished"]) == (totals, winners, bool(winners))


def test_the_target_can_be_changed_g10():
    """G10"""
    assert points([49, 10], target=50)["finished"] is False
    assert points([50, 10], target=50)["winners"] == [0]
    assert points([1, 0], target=1)["winners"] == [0]


def test_the_target_is_100_and_the_choices_are_in_words():
    """LIG-16, G10"""
    field = GAME.options.__dataclass_fields__["target"]
    assert (field.default, say(field.metadata["text"], [])) == (100, "Points that end the game")
    assert {points: say(text, []) for points, text in field.metadata["choices"].items()} == {
        50: "50 points",
        75: "75 points",
        100: "100 points",
        150: "150 points",
    }


@pytest.mark.parametrize("target", [0, -5, True, 100.0, "100", None])
def test_a_target_is_a_whole_number_from_one(target):
    error = replay(record(target=target))["error"]
    assert (error["action"], error["rule"]) == (-1, "RECORD")
    assert "target" in error["message"]


def test_places_go_by_points_and_equals_share_one():
    standings = GAME.standings(state_after(round_of([20, 30, 20], [3, 3, 3]), players=3))
    assert [(each.points, each.rank, each.won) for each in standings] == [(17, 2, False), (27, 1, False), (17, 2, False)]


# ---- entering --------------------------------------------------------------------------------------------------------


def test_a_round_closes_with_the_last_count():
    """LIG-12, LIG-15: the round is over for all, a new one begins."""
    answer = replay(record(count(1, 20, 5)))
    assert (answer["rounds"], answer["totals"]) == ([], [0, 0])
    answer = replay(record(count(1, 20, 5), count(0, 15, 4)))
    assert (answer["rounds"], answer["totals"]) == ([[11, 15]], [11, 15])


def test_a_count_sent_again_replaces():
    assert replay(record(count(0, 20, 5), count(0, 25, 6), count(1, 15, 4)))["totals"] == [19, 11]


def test_all_at_once_replaces_single_counts():
    assert replay(record(count(0, 70, 2), round_of([20, 10], [5, 3])))["totals"] == [15, 7]


def test_counts_belong_to_the_open_round_only():
    assert replay(record(round_of([20, 10], [5, 3]), count(0, 30, 4)))["totals"] == [15, 7]


def test_who_called_stop_changes_no_points():
    """LIG-12, G4, G5: whoever calls still has three cards, and they count."""
    with_caller = replay(record(round_of([20, 10], [3, 3], caller=1), count(0, 11, 3, caller=0), count(1, 12, 5, caller=1)))
    assert with_caller == replay(record(round_of([20, 10], [3, 3]), count(0, 11, 3), count(1, 12, 5)))
    state = state_after(count(0, 11, 3, caller=1))
    assert state.caller == 1
    assert state_after(count(0, 11, 3, caller=1), count(0, 12, 3)).caller == 1
    assert state_after(count(0, 11, 3, caller=1), count(1, 12, 3)).caller is None


def test_the_number_of_players():
    """LIG-1: five back colours, 36 cards each."""
    for players in (1, 6):
        error = replay({**record(), "players": PEOPLE[:1] * players})["error"]
        assert (error["action"], error["rule"]) == (-1, "LIG-1")
        assert error["message"] == f"Ligretto Crazy is for 2, 3, 4 and 5 players, not for {players}."


# ---- the cards add up ------------------------------------------------------------------------------------------------


def test_more_cards_than_there_are_is_refused():
    """LIG-18 cases 8 and 9"""
    assert refusal(round_of([40, 20], [8, 6])) == (
        0,
        "LIG-18",
        "There are 72 cards in the game, but these counts add up to 74. Somebody counted 2 too many.",
    )
    assert replay(record(round_of([40, 18], [9, 5])))["totals"] == [31, 13]


def test_the_check_is_made_on_every_entry():
    """LIG-18"""
    assert refusal(count(0, 50, 10), count(1, 10, 3))[:2] == (1, "LIG-18")
    assert "error" not in replay(record(count(0, 50, 10), count(1, 9, 3)))
    assert "error" not in replay(record(count(0, 50, 10), count(0, 60, 12)))
    assert refusal(count(0, 60, 13))[:2] == (0, "LIG-18")


def test_the_story_says_how_many_cards_lie_in_the_middle():
    """LIG-18 case 10, LIG-13: open piles count for nobody"""
    state = state_after(players=3)
    told = notes_of(round_of([25, 19, 7], [12, 14, 9]), state)
    assert told == [
        ("Ana: 25 − 12 = 13.", "LIG-13", False),
        ("Ben: 19 − 14 = 5.", "LIG-13", False),
        ("Cem: 7 − 9 = −2.", "LIG-13", False),
        ("22 cards should lie in the middle.", "LIG-18", False),
        ("If not, somebody miscounted: most likely Ana.", "LIG-18", False),
    ]
    assert notes_of(round_of([40, 18], [9, 4]), state_after())[2][0] == "1 card should lie in the middle."


@pytest.mark.parametrize(
    ("scored", "left", "likely"),
    [
        ([25, 19, 7], [12, 14, 9], "Ana"),  # the most cards to count
        ([20, 20, 7], [10, 10, 9], "Ana and Ben"),
        ([25, 3, 7], [12, 14, 9], "Ben"),  # LIG-19
        ([25, 19, 7], [12, 14, 2], "Cem"),  # LIG-20
        ([25, 19, 7], [12, 37, 3], "Ben"),  # LIG-10
        ([25, 19, 7], [12, 36, 3], "Ben"),
        ([40, 0, 7], [12, 36, 3], "Ana"),  # LIG-10: a whole own deck left over is no doubt
    ],
)
def test_the_likeliest_miscount_is_named(scored, left, likely):
    """LIG-18"""
    notes = notes_of(round_of(scored, left), state_after(players=3))
    assert (f"If not, somebody miscounted: most likely {likely}.", "LIG-18", False) in notes


def test_a_single_count_is_told():
    """LIG-13"""
    assert notes_of(count(1, 11, 4), state_after()) == [("Ben: 11 in the score pile, 4 left over.", "LIG-13", False)]


def test_the_story_names_the_winners():
    """LIG-16"""
    assert notes_of(round_of([59, 5], [3, 5]), state_after(target=50))[-1] == ("Ana wins with 56 points.", "LIG-16", False)
    assert notes_of(round_of([30, 30], [3, 3]), state_after(target=27))[-1] == ("Ana and Ben win with 27 points.", "LIG-16", False)


# ---- doubts ----------------------------------------------------------------------------------------------------------


def warnings(*actions, **more):
    return [(each["action"], each["rule"]) for each in replay(record(*actions, **more))["warnings"]]


@pytest.mark.parametrize("scored", range(20))
def test_score_piles_that_no_closed_piles_make_are_doubted(scored):
    """LIG-19 cases 11 and 12, LIG-9: the first 5 closes, so every pile has 5, 7, 9 … cards"""
    assert warnings(count(0, scored, 5)) == ([(0, "LIG-19")] if scored in (1, 2, 3, 4, 6, 8) else [])


@pytest.mark.parametrize("left", range(6))
def test_nobody_ends_with_fewer_than_three_cards(left):
    """LIG-20 case 13, LIG-2, LIG-7: everybody draws back to three"""
    assert warnings(count(0, 10, left)) == ([(0, "LIG-20")] if left < 3 else [])


@pytest.mark.parametrize("left", [35, 36, 37])
def test_more_than_ones_own_deck_takes_a_surplus_pile(left):
    """LIG-10 case 14: the cards of a surplus pile count against whoever opened it"""
    assert warnings(count(0, 10, left)) == ([(0, "LIG-10")] if left > 36 else [])


def test_every_doubtful_seat_of_a_round_is_named():
    told = replay(record(round_of([10, 1, 3], [2, 1, 37]), players=3))["warnings"]
    assert [(each["action"], each["rule"], each["message"]) for each in told] == [
        (0, "LIG-20", "Ana has only 2 cards left over, but everybody still holds cards at the stop call: at least 3. Please count again."),
        (0, "LIG-19", "Ben has 1 card in the score pile, but closed piles have 5, 7, 9 or more cards each. Please count again."),
        (0, "LIG-20", "Ben has only 1 card left over, but everybody still holds cards at the stop call: at least 3. Please count again."),
        (0, "LIG-19", "Cem has 3 cards in the score pile, but closed piles have 5, 7, 9 or more cards each. Please count again."),
        (0, "LIG-10", "Cem has 37 cards left over, more than their own 36: that takes a surplus pile from the middle. Please count again."),
    ]


def test_a_doubt_about_one_seat_is_not_raised_again_by_another():
    assert warnings(count(0, 3, 5), count(1, 10, 5)) == [(0, "LIG-19")]


# ---- what is asked for -----------------------------------------------------------------------------------------------


def asked(state):
    return [(ask.id, ask.do, ask.needed, ask.seats) for ask in GAME.asks(state)]


def test_nothing_is_asked_during_play_but_the_counts_of_all_seats():
    """LIG-3, LIG-8, G6, G7, G8: what hands do during a round is nobody's entry"""
    assert asked(state_after()) == [
        ("round-1-count-0", "count", True, ()),
        ("round-1-count-1", "count", True, ()),
        ("round-1", "round", False, ()),
    ]
    assert [say(ask.text, PEOPLE) for ask in GAME.asks(state_after())] == [
        "What did Ana count?",
        "What did Ben count?",
        "What did everybody count?",
    ]


def test_a_counted_seat_is_asked_for_a_correction_only():
    assert asked(state_after(count(0, 10, 5)))[0] == ("round-1-count-0-again-10-5", "count", False, ())
    assert asked(state_after(count(0, 10, 5)))[1] == ("round-1-count-1", "count", True, ())
    assert asked(state_after(round_of([10, 10], [5, 5])))[0] == ("round-2-count-0", "count", True, ())


def test_a_form_offers_what_the_cards_leave_room_for():
    form = GAME.asks(state_after(count(0, 50, 10)))[1].form()
    scored = next(form)
    assert (scored.name, scored.values, scored.kind, scored.optional) == ("scored", range(13), "number", False)
    left = form.send(5)
    assert (left.name, left.values, left.kind) == ("left", range(8), "number")
    caller = form.send(7)
    assert (caller.name, list(caller.values), caller.kind, caller.optional) == ("caller", [0, 1], "seat", True)
    with pytest.raises(StopIteration) as done:
        form.send(SKIP)
    assert done.value.value == {"do": "count", "seat": 1, "scored": 5, "left": 7}


def test_a_form_says_what_to_count():
    form = GAME.asks(state_after())[0].form()
    assert [say(field.text, PEOPLE) for field in (next(form), form.send(1), form.send(1))] == [
        "Cards in the score pile",
        "Cards left over: draw pile, discard pile and hand",
        "Who called stop?",
    ]


def test_a_correction_has_the_room_of_what_it_replaces():
    assert next(GAME.asks(state_after(count(0, 50, 10)))[0].form()).values == range(73)


def test_the_form_for_all_shares_the_room():
    action = round_of([40, 18], [9, 5], caller=1)
    form = GAME.asks(state_after())[-1].form
    assert guided(form, action) == action
    assert guided(form, round_of([40, 18], [9, 6])) is None
    walk = form()
    labels = [(field.name, field.kind, say(field.text, PEOPLE)) for field in (next(walk), walk.send(1), walk.send(1), walk.send(1))]
    assert labels == [
        ("scored.0", "number", "Ana: score pile"),
        ("scored.1", "number", "Ben: score pile"),
        ("left.0", "number", "Ana: left over"),
        ("left.1", "number", "Ben: left over"),
    ]


def test_a_finished_game_asks_for_nothing():
    state = state_after(round_of([59, 5], [3, 5]), target=50)
    assert GAME.asks(state) == ()
    with pytest.raises(RuleError, match="over"):
        GAME.apply(state, read_action(GAME, count(0, 5, 5), 2))


# ---- may this card be laid? ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("top", [1, 2, 3, 4, None])
@pytest.mark.parametrize("card", [1, 2, 3, 4, 5, *({"card": "crazy", "as": value} for value in (1, 2, 3, 4, 5)), "crazy"], ids=str)
def test_a_dispute_can_be_about_every_card_on_every_pile(top, card):
    question = {"top": top, "piles": 1, **(card if isinstance(card, dict) else {"card": card})}
    assert guided(lambda: GAME.disputes.form(2, 0), question) == question


def laying(top, card, piles=1, players=3, **more):
    answer = resolve({"game": "ligretto-crazy", "players": PEOPLE[:players], "top": top, "card": card, "piles": piles, **more})
    return answer["legal"], answer["closes"], [reason["rule"] for reason in answer["why"]]


@pytest.mark.parametrize(
    ("top", "card", "expected"),
    [
        (4, 3, (True, False, ["LIG-6"])),  # case 15
        (4, 5, (True, True, ["LIG-9"])),  # case 15, case 16
        (4, 4, (False, False, ["LIG-6"])),  # case 15
        (4, 2, (False, False, ["LIG-6"])),  # case 15
        (1, 2, (True, False, ["LIG-6"])),
        (3, 5, (False, False, ["LIG-6"])),  # LIG-9: a 5 only ever lies on a 4
        (2, 1, (True, False, ["LIG-6"])),
        (4, "crazy", (True, None, ["G3"])),  # G2: unnamed, so open
        (3, "crazy", (True, False, ["LIG-11"])),
        (None, 1, (True, False, ["LIG-5"])),
        (None, "crazy", (True, False, ["G1"])),  # case 16
        (None, 2, (False, False, ["LIG-5"])),
    ],
)
def test_a_card_goes_one_step_up_or_down(top, card, expected):
    assert laying(top, card) == expected


@pytest.mark.parametrize(
    ("top", "named", "expected"),
    [
        (4, 5, (True, True, ["LIG-9"])),  # G3
        (4, 3, (True, False, ["LIG-6"])),  # G2
        (4, 2, (False, False, ["LIG-6"])),
        (1, 2, (True, False, ["LIG-6"])),
        (None, 1, (True, False, ["LIG-5"])),
        (None, 3, (False, False, ["G1"])),
    ],
)
def test_a_crazy_card_has_the_value_its_layer_names(top, named, expected):
    """G2, LIG-11"""
    assert laying(top, "crazy", **{"as": named}) == expected


def test_there_are_at_most_as_many_piles_as_players():
    """LIG-4 case 14, G9 nothing is refilled: only room in the middle decides"""
    assert laying(None, 1, piles=2) == (True, False, ["LIG-5"])
    assert laying(None, 1, piles=3) == (False, False, ["LIG-4"])
    assert laying(None, "crazy", piles=4) == (False, False, ["LIG-4"])
    assert laying(2, 3, piles=3) == (True, False, ["LIG-6"])


def test_nobody_wins_a_pile_by_asking():
    answer = resolve({"game": "ligretto-crazy", "players": PEOPLE[:2], "top": 4, "card": 5, "piles": 1, "claim": 0})
    assert answer == {
        "winner": None,
        "why": [{"text": "A 5 on a 4 closes the pile: whoever laid it takes the pile.", "rule": "LIG-9"}],
        "legal": True,
        "closes": True,
        "right": False,
    }


@pytest.mark.parametrize(
    ("top", "card", "piles", "more", "sentence"),
    [
        (None, 1, 0, {}, "A 1 opens a new pile."),
        (None, 1, 2, {}, "No new pile: there are as many as players already, 2."),
        (None, 4, 0, {}, "Only a 1 or a crazy card opens a pile, not a 4."),
        (None, "crazy", 0, {}, "A crazy card opens a pile; it counts as a 1."),
        (None, "crazy", 0, {"as": 4}, "A crazy card that opens a pile is a 1, not a 4."),
        (3, 4, 1, {}, "A 4 goes on a 3: exactly one step."),
        (3, 1, 1, {}, "A 1 does not go on a 3: it must be exactly one more or one less."),
        (2, "crazy", 1, {}, "A crazy card fits on every pile: on a 2 it is one more or one less."),
        (4, "crazy", 1, {}, "A crazy card fits on a 4 as a 3 or as a 5. As a 5 it closes the pile: whoever laid it says which."),
    ],
)
def test_the_answer_argues(top, card, piles, more, sentence):
    answer = resolve({"game": "ligretto-crazy", "players": PEOPLE[:2], "top": top, "card": card, "piles": piles, **more})
    assert [reason["text"] for reason in answer["why"]] == [sentence]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"top": 0}, "top"),
        ({"top": 5}, "top"),
        ({"top": True}, "top"),
        ({"top": 1.0}, "top"),
        ({"card": 0}, "card"),
        ({"card": 6}, "card"),
        ({"card": True}, "card"),
        ({"card": "Crazy"}, "card"),
        ({"card": None}, "card"),
        ({"piles": -1}, "piles"),
        ({"as": None}, "as"),
        ({"card": "crazy", "as": 6}, "as"),
        ({"card": "crazy", "as": 0}, "as"),
        ({"as": 3}, "as"),
        ({"named": 3}, "named"),
        ({"claim": 2}, "claim"),
        ({"leader": 2}, "leader"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(changes, field):
    error = resolve({"game": "ligretto-crazy", "players": PEOPLE[:2], "top": 2, "card": 3, "piles": 1, **changes})["error"]
    assert (error["action"], error["rule"]) == (-1, "RECORD")
    assert f"“{field}”" in error["message"]


def test_a_value_for_a_plain_card_is_refused_in_words():
    error = resolve({"game": "ligretto-crazy", "players": PEOPLE[:2], "top": 2, "card": 3, "piles": 1, "as": 3})["error"]
    assert error["message"] == "Only a crazy card gets a value from whoever lays it; leave out “as”."


# ---- what the screens show -------------------------------------------------------------------------------------------


def counted(*counts, players=3):
    state = GAME.setup(players, GAME.options())
    for each in counts:
        state = GAME.apply(state, read_action(GAME, each, players)).state
    return state


def test_counting_has_begun_when_somebody_has_counted():
    before, now = GAME.screen(counted()), GAME.screen(counted(count(1, 10, 5)))
    assert (before.begun, before.missing) == (False, [0, 1, 2])
    assert (now.begun, now.missing) == (True, [0, 2])


@pytest.mark.parametrize(
    ("wanted", "typed", "viewer", "seat"),
    [
        (None, None, 0, 0),  # one's own count
        (None, None, 1, None),  # has counted already
        (None, None, None, None),  # only looks
        ("round-1-count-2", None, 0, 2),  # for somebody without a phone
        ("round-1-count-1-again-10-5", None, 0, 1),
        ("round-1-count-1", None, 0, 0),  # is no question any more
        ("round-1", None, 2, 2),  # everybody's at once is asked elsewhere
        (None, "round-1-count-2", 0, 2),  # was refused
        (None, "round-1-count-1", 0, 1),  # somebody else was quicker
        (None, "round-1", 0, None),
        ("round-1-count-2", "round-1-count-2", 0, 2),  # could not be stored
    ],
)
def test_whose_count_is_entered(wanted, typed, viewer, seat):
    state = counted(count(1, 10, 5))
    counting = GAME.screen(state).counting(GAME.asks(state), wanted, typed, viewer)
    assert counting.seat == seat
    assert [ask.id for ask in counting.asks] == ["round-1-count-0", "round-1-count-1-again-10-5", "round-1-count-2"]


def test_of_a_closed_round_the_doubts_are_told_and_what_lies_in_the_middle():
    """LIG-18, LIG-20"""
    notes = GAME.apply(counted(), read_action(GAME, round_of([10, 12, 5], [2, 5, 9]), 3)).notes
    assert [(note.rule, note.warning) for note in GAME.screen(counted()).worth_telling(notes)] == [
        ("LIG-20", True), ("LIG-18", False), ("LIG-18", False),
    ]  # fmt: skip
