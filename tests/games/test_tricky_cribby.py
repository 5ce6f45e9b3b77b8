"""Tricky Cribby: the rules of record by their ids, every report and refusal, and what is asked when."""

import json
from dataclasses import fields, replace
from importlib.resources import files
from itertools import combinations, product

import pytest

from companion.games import GAMES, read_action, read_options, replay, resolve
from companion.games.base import EVERYBODY, SKIP, RuleError, say
from companion.games.cards import deck
from companion.games.record import write
from companion.games.tricky_cribby import GAME, model
from companion.games.tricky_cribby.frame import spot
from companion.games.tricky_cribby.majorities import decided
from companion.games.tricky_cribby.model import COLOURS, Landing, Rules, side_of
from companion.games.tricky_cribby.play import landings
from companion.games.tricky_cribby.screen import OUTLOOKS, Screen
from companion.games.tricky_cribby.screen import takes as taking

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
TWO = ["Ana", "Ben"]
LINE = ["red", "green", "blue", "yellow", "purple"]
LOOP = list(COLOURS) * 9  # red yellow green blue purple, nine times round
START_OF_LOOP = -1  # where the pawns stand: just before place 0
CARDS = deck(COLOURS)
FIRST = {"do": "trick", "up": "blue-2", "cards": ["red-1", "green-9", "green-4", "purple-9"]}  # picks: Dan, Cleo, Ben, Ana, Ana
SECOND = {"do": "trick", "up": "blue-1", "cards": ["yellow-3", "purple-4", "purple-5", "purple-6"]}


# ---- helpers ---------------------------------------------------------------------------------------------------------


def pick(card, tile=None):
    return {"do": "pick", "card": card} | ({"tile": tile} if tile else {})


def take(side, tile):
    return {"do": "take", "side": side, "tile": tile}


def takes(tile, first, second):
    """So many tiles of a colour for the first side, then for the second."""
    return [take(0, tile)] * first + [take(1, tile)] * second


def picks(cards, tiles):
    return [pick(card, tile) for card, tile in zip(cards, tiles, strict=True)]


FIRST_PICKS = picks(["blue-2", "red-1", "green-9", "green-4", "purple-9"], COLOURS)


def record(*actions, players=FOUR, **options):
    return {
        "format": "companion-record/1",
        "game": "tricky-cribby",
        "players": players,
        "options": {"strength": LINE, **options},
        "actions": list(actions),
    }


def played(*actions, players=FOUR, **options):
    answer = replay(record(*actions, players=players, **options))
    assert "error" not in answer, answer
    return answer


def refused(*actions, players=FOUR, **options):
    """The error of the last action: its rule and its sentence."""
    error = replay(record(*actions, players=players, **options))["error"]
    assert error["action"] == len(actions) - 1
    return error["rule"], error["message"]


def state_of(*actions, players=FOUR, **options):
    state = GAME.setup(len(players), read_options(GAME, {"strength": LINE, **options}, len(players)))
    for action in actions:
        state = GAME.apply(state, read_action(GAME, action, len(players))).state
    return state


def notes(*actions, players=FOUR, **options):
    """What the last action led to, as (rule, sentence)."""
    state = state_of(*actions[:-1], players=players, **options)
    step = GAME.apply(state, read_action(GAME, actions[-1], len(players)))
    assert step.scored is None
    assert not any(note.warning for note in step.notes)
    return [(note.rule, say(note.text, players)) for note in step.notes]


def holding(*held, **fields):
    """A state in which the sides hold these tiles, as (first, second) for each colour in the order of COLOURS."""
    first, second = zip(*held, strict=True)
    return replace(state_of(), tiles=(dict(zip(COLOURS, first, strict=True)), dict(zip(COLOURS, second, strict=True))), **fields)


def question(*cards, players=FOUR, **more):
    return resolve({"game": "tricky-cribby", "players": players, "strength": LINE, "cards": list(cards), **more})


def walk(ask, *answers):
    """The fields that a form shows on the way, and the action in which it ends."""
    form, shown = ask.form(), []
    shown.append(next(form))
    try:
        for answer in answers:
            shown.append(form.send(answer))
    except StopIteration as end:
        return shown, end.value
    pytest.fail("the form wants another answer")


def asked(state):
    return {ask.id: ask for ask in GAME.asks(state)}


def told(text):
    return say(text, FOUR)


# ---- setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3, 5])
def test_two_or_four_can_play(n):  # CRI-1
    answer = replay(record(players=[*FOUR, "Eva"][:n]))
    assert answer["error"]["action"] == -1
    assert answer["error"]["rule"] == "CRI-1"
    assert answer["error"]["message"] == f"Tricky Cribby is for 2 and 4 players, not for {n}."


def test_the_game_is_found_by_its_name():
    assert GAMES["tricky-cribby"] is GAME
    assert say(GAME.name, []) == "Tricky Cribby"


def test_there_are_45_different_cards_and_nine_tiles_of_each_colour():  # CRI-2
    assert len(set(CARDS)) == 45
    last = {"do": "trick", "up": "red-1", "cards": ["yellow-9", "green-9", "blue-9", "purple-9"]}
    assert played(last)["picker"] is not None
    assert refused({**last, "up": "red-10"})[0] == "RECORD"
    assert refused({**last, "up": "orange-1"})[0] == "RECORD"


def test_a_new_game_holds_nothing():
    assert state_of().picks is None
    answer = played()
    assert answer == {
        "game": "tricky-cribby",
        "players": FOUR,
        "finished": False,
        "totals": [0, 0, 0, 0],
        "winners": [],
        "warnings": [],
        "tiles": [dict.fromkeys(COLOURS, 0)] * 2,
        "completed": [],
        "strength": LINE,
        "picker": None,
    }
    assert list(answer["tiles"][0]) == ["red", "yellow", "green", "blue", "purple"]


def test_every_house_rule_has_a_default():
    bare = {"format": "companion-record/1", "game": "tricky-cribby", "players": TWO, "actions": []}
    assert replay(bare)["strength"] == ["red", "yellow", "green", "blue", "purple"]
    assert Rules() == Rules(
        strength=("red", "yellow", "green", "blue", "purple"), leader=0, loop=None, two_player_order="both", stop_when_decided=False
    )
    assert "error" not in replay(record(loop=None))


def test_the_house_rules_are_explained():
    explained = {field.name: field.metadata for field in fields(Rules)}
    assert {name: told(each["text"]) for name, each in explained.items()} == {
        "strength": "Line of colours at the start, strongest first",
        "leader": "Who leads the first trick",
        "loop": "Tiles of the loop, clockwise from where the pawns start",
        "two_player_order": "With two players, the cards of a trick are played",
        "stop_when_decided": "When nobody can catch up any more",
    }
    assert {name: {key: told(text) for key, text in each["choices"].items()} for name, each in explained.items() if each["choices"]} == {
        "two_player_order": {"both": "two at a time: first the leader, then the other", "alternate": "one by one, in turns"},
        "stop_when_decided": {False: "play on to the third colour", True: "the game ends at once"},
    }


@pytest.mark.parametrize("line", [LINE[:4], [*LINE[:4], "red"], [*LINE, "red"], []])
def test_the_line_holds_each_colour_once(line):  # CRI-3
    error = replay(record(strength=line))["error"]
    assert error == {
        "action": -1,
        "rule": "CRI-3",
        "message": "The line of colours holds each of red, yellow, green, blue and purple exactly once.",
    }


@pytest.mark.parametrize("line", [LINE, LINE[::-1]])
def test_any_order_of_the_line_can_be_the_first_and_its_front_is_strongest(line):  # CRI-3
    cards = ["red-5", "purple-5", "green-1", "green-2"]
    assert question(*cards, strength=line)["winner"] == (0 if line == LINE else 1)


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        (LOOP[1:], "The loop has nine tiles of each colour; of red it cannot have 8."),
        ([*LOOP, "blue"], "The loop has nine tiles of each colour; of blue it cannot have 10."),
        (["yellow", *LOOP[1:]], "The loop has nine tiles of each colour; of red it cannot have 8."),
        ([], "The loop has nine tiles of each colour; of red it cannot have 0."),
    ],
)
def test_the_loop_has_nine_tiles_of_each_colour(loop, message):  # CRI-4
    assert replay(record(loop=loop))["error"] == {"action": -1, "rule": "CRI-2", "message": message}


@pytest.mark.parametrize(
    "options",
    [
        {"strength": None},
        {"strength": ["red", "green", "blue", "yellow", "orange"]},
        {"leader": 4},
        {"leader": None},
        {"loop": ["pink"] * 45},
        {"two_player_order": "each"},
        {"stop_when_decided": 1},
        {"empty_places": True},
    ],
)
def test_options_out_of_range_are_refused(options):
    error = replay(record(**options))["error"]
    assert (error["action"], error["rule"]) == (-1, "RECORD")


# ---- who wins a trick ------------------------------------------------------------------------------------------------


def test_the_four_cards_are_ranked_by_colour_and_then_by_number():  # CRI-6
    answer = question("red-1", "green-9", "green-4", "purple-9")  # worked case 1
    assert answer["winner"] == 0
    assert answer["picks"] == [3, 2, 1, 0, 0]


def test_within_the_highest_colour_the_higher_number_wins():  # CRI-6
    answer = question("green-4", "purple-9", "green-9", "yellow-9")  # worked case 2
    assert answer["winner"] == 2
    assert answer["picks"] == [1, 3, 0, 2, 2]


def test_there_is_an_order_without_ties_for_any_four_cards():  # CRI-6
    for four in combinations(list(CARDS)[::4], 4):
        answer = question(*four)
        assert sorted(answer["picks"][:4]) == [0, 1, 2, 3]
        assert answer["picks"][4] == answer["picks"][3] == answer["winner"]


def test_nobody_has_to_follow():  # CRI-5
    """Worked case 16: the leader plays blue, the next has blue and shows it later, but plays purple now."""
    later = {"do": "trick", "up": "red-1", "cards": ["blue-9", "blue-8", "red-2", "red-3"]}
    first = {"do": "trick", "up": "green-1", "cards": ["blue-5", "purple-2", "purple-3", "purple-4"]}
    answer = played(first, *picks(["green-1", "blue-5", "purple-2", "purple-3", "purple-4"], COLOURS), later)
    assert answer["warnings"] == []


def test_a_verdict_argues_card_by_card():
    answer = question("red-1", "green-9", "green-4", "purple-9")
    assert answer["why"] == [
        {"text": "The line, strongest first: red, green, blue, yellow and purple.", "rule": "CRI-3"},
        {"text": "Ana wins: the red 1 is the only card of the strongest colour played, whatever the numbers.", "rule": "CRI-6"},
        {
            "text": "The green 9 of Ben is weaker than the red 1: red stands before green in the line, whatever the numbers.",
            "rule": "CRI-6",
        },
        {"text": "The green 4 of Cleo is weaker than the green 9: same colour, lower number.", "rule": "CRI-6"},
        {
            "text": "The purple 9 of Dan is weaker than the green 4: green stands before purple in the line, whatever the numbers.",
            "rule": "CRI-6",
        },
        {"text": "Picks, from the weakest card to the strongest: Dan, Cleo, Ben and Ana, who uses both last cards.", "rule": "CRI-7"},
        {"text": "After the picks, red goes to the weak end of the line and Ana leads.", "rule": "CRI-10"},
    ]


def test_a_verdict_says_when_two_cards_have_the_strongest_colour():
    answer = question("green-4", "purple-9", "green-9", "yellow-9")
    assert answer["why"][1]["text"] == "Cleo wins: green is the strongest colour played, and the green 9 is the highest of it."


def test_the_reasons_of_a_trick_name_the_seats():
    state = state_of()
    note = GAME.apply(state, read_action(GAME, FIRST, 4)).notes[0]
    assert note.verdict.winner == 0
    assert [reason.seat for reason in note.verdict.why] == [None, 0, 1, 2, 3, None, None]


@pytest.mark.parametrize(("leader", "winner", "order"), [(0, 0, [3, 2, 1, 0, 0]), (1, 1, [0, 3, 2, 1, 1]), (3, 3, [2, 1, 0, 3, 3])])
def test_cards_are_given_from_the_leader_clockwise(leader, winner, order):
    answer = question(*FIRST["cards"], leader=leader)
    assert (answer["winner"], answer["picks"]) == (winner, order)
    assert played(FIRST, leader=leader)["picker"] == order[0]


def test_a_belief_is_right_or_not():
    assert question(*FIRST["cards"], claim=0)["right"] is True
    assert question(*FIRST["cards"], claim=3)["right"] is False
    assert "right" not in question(*FIRST["cards"])


@pytest.mark.parametrize(
    ("cards", "more", "rule", "message"),
    [
        (["red-1"] * 3, {}, "CRI-5", "Everybody plays one card to a trick: 4 cards, not 3."),
        (["red-1"] * 5, {}, "CRI-5", "Everybody plays one card to a trick: 4 cards, not 5."),
        (
            ["red-1", "red-2", "red-3", "red-1"],
            {},
            "CRI-2",
            "The red 1 was entered before: it is in the game only once. Please look at the card again.",
        ),
        (
            FIRST["cards"],
            {"strength": LINE[1:]},
            "CRI-3",
            "The line of colours holds each of red, yellow, green, blue and purple exactly once.",
        ),
        (
            FIRST["cards"],
            {"players": TWO},
            "RECORD",
            "With two players, “two_player_order” says how the cards were played: both or alternate.",
        ),
        (
            ["red-1", "red-2"],
            {"players": TWO, "two_player_order": "both"},
            "CRI-17",
            "Both players play two cards to a trick: 4 cards, not 2.",
        ),
    ],
)
def test_a_question_that_is_no_trick_is_refused(cards, more, rule, message):
    assert question(*cards, **more) == {"error": {"action": -1, "rule": rule, "message": message}}


@pytest.mark.parametrize("field", ["strength", "cards"])
def test_a_question_needs_its_fields(field):
    asked = {"game": "tricky-cribby", "players": FOUR, "strength": LINE, "cards": FIRST["cards"]}
    assert resolve({name: value for name, value in asked.items() if name != field})["error"]["rule"] == "RECORD"


# ---- two players -----------------------------------------------------------------------------------------------------


def test_with_two_players_every_rank_is_a_pick_for_its_owner():  # CRI-18
    """Worked case 5: Ana plays R1 and P9, Ben G9 and G4."""
    answer = question("red-1", "purple-9", "green-9", "green-4", players=TWO, two_player_order="both")
    assert answer["winner"] == 0
    assert answer["picks"] == [0, 1, 1, 0, 0]
    assert answer["why"][-2] == {
        "text": "Picks, from the weakest card to the strongest: Ana, Ben, Ben and Ana, who uses both last cards.",
        "rule": "CRI-18",
    }
    trick = {"do": "trick", "up": "blue-2", "cards": ["red-1", "purple-9", "green-9", "green-4"]}
    after = played(trick, *FIRST_PICKS, players=TWO)
    assert after["totals"] == [3, 2]
    assert after["tiles"][0] == {"red": 1, "yellow": 0, "green": 0, "blue": 1, "purple": 1}


@pytest.mark.parametrize(
    ("order", "leader", "expected"),
    [("both", 0, [1, 1, 0, 0, 0]), ("both", 1, [0, 0, 1, 1, 1]), ("alternate", 0, [1, 0, 1, 0, 0]), ("alternate", 1, [0, 1, 0, 1, 1])],
)
def test_two_players_play_both_cards_or_take_turns(order, leader, expected):  # T6
    cards = ["red-9", "red-8", "red-7", "red-6"]
    assert question(*cards, players=TWO, leader=leader, two_player_order=order)["picks"] == expected
    state = state_of({"do": "trick", "up": "red-1", "cards": cards}, players=TWO, leader=leader, two_player_order=order)
    assert list(state.picks.pickers) == expected


def test_both_play_two_cards_of_any_origin():  # CRI-17, T7
    """Hand, stack or a card just uncovered: only a card that was seen before is refused."""
    cards = ["red-9", "red-8", "red-7"]
    assert refused({"do": "trick", "up": "red-1", "cards": cards}, players=TWO) == (
        "CRI-17",
        "Both players play two cards to a trick: 4 cards, not 3.",
    )
    assert played({"do": "trick", "up": "red-1", "cards": [*cards, "red-6"]}, players=TWO)["picker"] == 1


def test_a_wrong_claim_with_two_players_is_answered_with_the_winning_card():
    trick = {"do": "trick", "up": "blue-2", "cards": ["purple-9", "red-1", "green-9", "green-4"], "winner": 1}
    assert refused(trick, players=TWO) == (
        "CRI-6",
        "Ben does not win this. Ana wins: the red 1 is the only card of the strongest colour played, whatever the numbers.",
    )


def test_the_order_of_two_players_means_nothing_to_four():
    assert played(FIRST, two_player_order="alternate")["picker"] == played(FIRST)["picker"] == 3
    assert question(*FIRST["cards"], two_player_order="alternate")["picks"] == [3, 2, 1, 0, 0]


# ---- tricks ----------------------------------------------------------------------------------------------------------


def test_a_trick_tells_who_won_and_who_picks():  # CRI-7
    assert notes(FIRST) == [
        ("CRI-6", "Ana wins the trick with the red 1."),
        ("CRI-7", "Picks, from the weakest card to the strongest: Dan, Cleo, Ben and Ana, who uses both last cards."),
    ]


def test_a_trick_of_two_players_cites_their_rule():  # CRI-18
    assert [rule for rule, _ in notes(FIRST, players=TWO)] == ["CRI-6", "CRI-18"]


def test_a_right_claim_passes_and_a_wrong_one_is_refused():
    assert played({**FIRST, "winner": 0}) == played(FIRST)
    assert refused({**FIRST, "winner": 2}) == (
        "CRI-6",
        "Cleo does not win this. Ana wins: the red 1 is the only card of the strongest colour played, whatever the numbers.",
    )


@pytest.mark.parametrize("n", [3, 5])
def test_everybody_plays_one_card(n):  # CRI-5
    cards = ["red-1", "red-3", "red-4", "red-5", "red-6"][:n]
    message = f"Everybody plays one card to a trick: 4 cards, not {n}."
    assert refused({"do": "trick", "up": "red-2", "cards": cards}) == ("CRI-5", message)


@pytest.mark.parametrize(
    ("trick", "before"),
    [
        ({**SECOND, "up": "yellow-3"}, "The yellow 3 was entered before: it"),
        ({**SECOND, "cards": ["yellow-3", "purple-4", "purple-5", "purple-4"]}, "The purple 4 was entered before: it"),
        ({**SECOND, "up": "blue-2"}, "The blue 2 was the draw card of trick 1. It"),
        ({**SECOND, "cards": ["yellow-3", "purple-4", "red-1", "purple-6"]}, "Ana played the red 1 in trick 1. It"),
    ],
)
def test_a_card_is_seen_once_a_game(trick, before):  # CRI-2
    """Worked case 13; a card of an earlier trick says which one and who played it."""
    message = f"{before} is in the game only once. Please look at the card again."
    assert refused(FIRST, *FIRST_PICKS, trick) == ("CRI-2", message)


def test_a_new_trick_waits_for_the_picks():  # CRI-10
    message = "The last trick is not finished: Dan picks a card and takes a tile first."
    assert refused(FIRST, SECOND) == ("CRI-10", message)
    assert refused(FIRST, *FIRST_PICKS[:4], SECOND)[1].startswith("The last trick is not finished: Ana picks")


@pytest.mark.parametrize(
    "action",
    [
        {"do": "trick", "winner": 1},
        {"do": "trick", "cards": FIRST["cards"]},
        {"do": "trick", "up": "blue-2"},
        {**FIRST, "up": None},
        {**FIRST, "winner": None},
        {**FIRST, "winner": 4},
        {**FIRST, "trump": "red"},
        {"do": "pick", "tile": "red"},
        {"do": "pick", "card": "red-1", "tile": "orange"},
        {"do": "pick", "card": "red-1", "tile": None},
        {"do": "pick", "card": "red-1", "seat": 0},
        {"do": "take", "side": 2, "tile": "red"},
        {"do": "take", "side": True, "tile": "red"},
        {"do": "take", "side": 0},
        {"do": "take", "tile": "red"},
        {"do": "round"},
    ],
)
def test_what_is_not_in_the_vocabulary_is_refused(action):
    assert refused(action)[0] == "RECORD"


def test_actions_read_and_write_alike():
    for plain in (FIRST, {**FIRST, "winner": 2}, pick("red-1"), pick("red-1", "blue"), take(0, "red"), take(1, "green")):
        assert write(read_action(GAME, plain, 4)) == plain


# ---- picks -----------------------------------------------------------------------------------------------------------


def test_the_picks_go_from_the_weakest_card_to_the_strongest():  # CRI-7
    pickers = [played(FIRST, *FIRST_PICKS[:n])["picker"] for n in range(6)]
    assert pickers == [3, 2, 1, 0, 0, None]


def test_a_trick_gives_three_tiles_to_the_winners_and_two_to_the_others():  # CRI-8
    """Worked case 4; and 15: after three tricks there are 15 tiles, never 14."""
    after = played(FIRST, *FIRST_PICKS)
    assert after["totals"] == [3, 2, 3, 2]
    assert after["tiles"] == [
        {"red": 0, "yellow": 1, "green": 0, "blue": 1, "purple": 1},
        {"red": 1, "yellow": 0, "green": 1, "blue": 0, "purple": 0},
    ]
    third = {"do": "trick", "up": "red-9", "cards": ["red-8", "red-7", "red-6", "red-5"]}
    second = picks(["blue-1", "yellow-3", "purple-4", "purple-5", "purple-6"], COLOURS)
    cards = ["red-9", "red-8", "red-7", "red-6", "red-5"]
    assert sum(played(FIRST, *FIRST_PICKS, SECOND, *second, third, *picks(cards, COLOURS))["totals"][:2]) == 15


def test_ones_own_card_is_not_reserved():  # CRI-7
    assert notes(FIRST, pick("red-1", "blue")) == [("CRI-7", "Dan uses the red 1 and takes a blue tile.")]


@pytest.mark.parametrize("cards", [("green-4", "purple-9"), ("purple-9", "green-4")])
def test_the_strongest_uses_both_last_cards_in_any_order(cards):  # T5
    assert played(FIRST, *FIRST_PICKS[:3], *picks(cards, ["blue", "purple"])) == played(FIRST, *FIRST_PICKS)


def test_after_the_picks_the_winning_colour_is_weakest_and_the_winner_leads():  # CRI-10
    """Worked case 3: a green winner gives the line R, B, Y, P, G."""
    trick = {"do": "trick", "up": "red-1", "cards": ["blue-1", "green-2", "yellow-3", "purple-4"]}
    entered = [trick, *picks(["red-1", "blue-1", "green-2", "yellow-3", "purple-4"], COLOURS)]
    assert notes(*entered) == [
        ("CRI-7", "Ben uses the purple 4 and takes a purple tile."),
        ("CRI-10", "The green marker goes to the weak end of the line, and Ben leads the next trick."),
    ]
    assert played(*entered[:-1])["strength"] == LINE
    assert played(*entered)["strength"] == ["red", "blue", "yellow", "purple", "green"]
    follow = {"do": "trick", "up": "red-2", "cards": ["green-9", "red-3", "purple-1", "blue-2"]}  # Ben, Cleo, Dan, Ana
    state = state_of(*entered, follow)
    assert state.leader == 1
    assert state.picks.pickers == (1, 3, 0, 2, 2)


def test_a_used_card_is_turned_over():  # CRI-7
    message = "Cleo cannot use the blue 2: it does not lie face up in this trick. Open: purple 9, green 4, green 9 and red 1."
    assert refused(FIRST, pick("blue-2", "red"), pick("blue-2", "red")) == ("CRI-7", message)


def test_only_cards_of_the_trick_can_be_picked():  # CRI-7
    message = "Dan cannot use the blue 9: it does not lie face up in this trick. Open: blue 2, purple 9, green 4, green 9 and red 1."
    assert refused(FIRST, pick("blue-9", "red")) == ("CRI-7", message)


def test_a_pick_needs_a_trick():  # CRI-7
    message = "Nobody has a card to pick now: enter the next trick first."
    assert refused(pick("blue-2", "red")) == ("CRI-7", message)
    assert refused(FIRST, *FIRST_PICKS, pick("blue-2", "red")) == ("CRI-7", message)


def test_without_a_loop_a_pick_names_its_tile():
    assert refused(FIRST, pick("blue-2")) == ("RECORD", "Say which tile was taken: only the table knows the loop.")


def test_there_is_no_tenth_tile():  # CRI-2
    """Worked case 12."""
    message = "All nine red tiles are taken, there is no tenth. Tiles are left in yellow, green, blue and purple."
    assert refused(*takes("red", 5, 4), take(0, "red")) == ("CRI-2", message)
    assert refused(*takes("red", 0, 9), FIRST, pick("blue-2", "red")) == ("CRI-2", message)
    assert played(*takes("red", 0, 8), FIRST, pick("blue-2", "red"))["completed"] == ["red"]


def test_a_refused_report_changes_nothing():
    state = state_of(FIRST)
    before = repr(state)
    with pytest.raises(RuleError):
        GAME.apply(state, read_action(GAME, pick("blue-9", "red"), 4))
    assert repr(state) == before


# ---- the loop --------------------------------------------------------------------------------------------------------


def test_a_card_walks_the_pawn_that_many_tiles():  # CRI-9, T3
    """Both sides start just before the first tile: with a 2, Dan lands on the second; Cleo with a 1 on the first."""
    assert notes(FIRST, pick("blue-2"), loop=LOOP) == [
        ("CRI-9", "Dan counts on from the front pawn with the blue 2 and takes the yellow tile there.")
    ]
    state = state_of(FIRST, pick("blue-2"), pick("red-1"), loop=LOOP)
    assert state.pawns == (0, 1)
    assert state.loop[:4] == (None, None, "green", "blue")
    assert len(state.loop) == 45
    assert state.tiles[1]["yellow"] == state.tiles[0]["red"] == 1


def test_partners_walk_the_same_pawn():  # T4, T9
    """Dan goes to the second tile; Ben, his partner opposite, counts nine on from there, not from the start."""
    state = state_of(FIRST, pick("blue-2"), pick("red-1"), pick("green-9"), loop=LOOP)
    assert state.pawns == (0, 10)
    assert state.loop[10] is None
    assert [side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert (state.team(0), state.team(1)) == ((0, 2), (1, 3))
    assert (state_of(players=TWO).team(0), state_of(players=TWO).team(1)) == ((0,), (1,))


def test_emptied_places_and_pawns_are_passed_over():  # T1, T12
    """Dan stands on the emptied second place; Cleo's 4 from the start counts the tiles 1, 3, 4 and 5."""
    state = state_of(FIRST, pick("blue-2"), pick("green-4"), loop=LOOP)
    assert state.pawns == (4, 1)
    assert state.tiles[0]["purple"] == 1


def test_a_told_tile_must_be_where_the_pawn_lands():  # CRI-9
    assert played(FIRST, pick("blue-2", "yellow"), loop=LOOP) == played(FIRST, pick("blue-2"), loop=LOOP)
    message = "Dan lands on yellow with the blue 2, not on red: the count starts after the front pawn and passes over emptied places."
    assert refused(FIRST, pick("blue-2", "red"), loop=LOOP) == ("CRI-9", message)


def loop_with(left, pawns):
    """A trick is on, Dan picks first, and only these places still have tiles."""
    state = state_of({"do": "trick", "up": "blue-2", "cards": ["red-1", "green-9", "green-4", "purple-4"]}, loop=LOOP)
    return replace(state, loop=tuple(tile if place in left else None for place, tile in enumerate(LOOP)), pawns=pawns)


def test_a_count_beyond_the_last_tile_goes_round_again():  # T2
    """Worked case 14: four tiles left, a 9 is the first from the pawn; with nine tiles left it is the ninth."""
    state = loop_with({2, 13, 24, 43}, (START_OF_LOOP, 30))
    step = GAME.apply(state, read_action(GAME, pick("green-9"), 4))
    assert step.state.pawns == (START_OF_LOOP, 43)
    assert [(note.rule, told(note.text)) for note in step.notes] == [
        ("CRI-9", "Dan counts on from the front pawn with the green 9 and takes the blue tile there."),
        ("T2", "Only 4 tiles were left in the loop, so the count went round again."),
    ]
    nine = loop_with(set(range(2, 11)), (START_OF_LOOP, 30))
    step = GAME.apply(nine, read_action(GAME, pick("green-9"), 4))
    assert step.state.pawns == (START_OF_LOOP, 10)
    assert [note.rule for note in step.notes] == ["CRI-9"]


def test_the_loop_closes_behind_its_last_place():  # CRI-4
    state = replace(state_of(FIRST, loop=LOOP), pawns=(START_OF_LOOP, 44))
    assert landings(state)[0] == Landing(CARDS["blue-2"], 1, "yellow")
    state = replace(state_of(FIRST, loop=LOOP), pawns=(START_OF_LOOP, 43))
    assert landings(state)[0] == Landing(CARDS["blue-2"], 0, "red")


def test_the_landings_of_the_open_cards_can_be_shown():
    state = state_of(FIRST, pick("blue-2"), loop=LOOP)
    assert [(str(card), place, tile) for card, place, tile in landings(state)] == [
        ("purple-9", 9, "purple"),
        ("green-4", 4, "purple"),
        ("green-9", 9, "purple"),
        ("red-1", 0, "red"),
    ]
    assert landings(state_of(FIRST)) == ()
    assert landings(state_of(loop=LOOP)) == ()


# ---- tiles without cards ---------------------------------------------------------------------------------------------


def test_a_side_can_take_a_tile_without_any_trick():
    assert notes(take(1, "red")) == [("CRI-7", "Ben and Dan take a red tile.")]
    assert notes(take(0, "blue"), players=TWO) == [("CRI-7", "Ana takes a blue tile.")]
    assert played(take(1, "red"), take(1, "blue"), take(0, "red"))["totals"] == [1, 2, 1, 2]


def test_taking_moves_neither_line_nor_lead_and_mixes_with_tricks():
    entered = [take(0, "red"), FIRST, *FIRST_PICKS, take(0, "red"), take(0, "red"), SECOND]
    answer = played(*entered)
    assert answer["totals"] == [6, 2, 6, 2]
    assert answer["strength"] == ["green", "blue", "yellow", "purple", "red"]
    state = state_of(*entered)
    assert state.leader == 0
    assert state.picks.pickers == (1, 2, 3, 0, 0)


def test_nothing_is_taken_while_picks_are_open():  # CRI-7
    assert refused(FIRST, take(0, "red")) == ("CRI-7", "The trick is not finished: Dan picks a card first.")


def test_with_a_loop_tiles_are_only_picked():
    message = "With the loop entered, tiles are taken by picking cards: enter the trick and its picks."
    assert refused(take(0, "red"), loop=LOOP) == ("RECORD", message)
    assert refused(FIRST, take(0, "red"), loop=LOOP) == ("RECORD", message)


# ---- the end ---------------------------------------------------------------------------------------------------------


def test_five_tiles_are_a_majority_and_the_ninth_completes():  # CRI-12
    assert notes(*takes("red", 4, 0)) == [("CRI-7", "Ana and Cleo take a red tile.")]
    assert notes(*takes("red", 5, 0))[1:] == [("CRI-12", "Ana and Cleo have five red tiles: the majority of red is safe.")]
    assert notes(*takes("red", 6, 0)) == [("CRI-7", "Ana and Cleo take a red tile.")]
    assert notes(*takes("red", 0, 5), players=TWO)[1:] == [("CRI-12", "Ben has five red tiles: the majority of red is safe.")]


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        (5, 4, "All nine red tiles are taken, 5 to 4: red counts for Ana and Cleo."),
        (2, 7, "All nine red tiles are taken, 7 to 2: red counts for Ben and Dan."),
        (0, 9, "All nine red tiles are taken, 9 to 0: red counts for Ben and Dan."),
    ],
)
def test_a_completed_colour_has_exactly_one_holder(first, second, sentence):  # CRI-13
    assert notes(*takes("red", first, second))[-1] == ("CRI-13", sentence)
    assert played(*takes("red", first, second))["completed"] == ["red"]


WINS = [
    ([(5, 4), (4, 5), (6, 3)], [0, 2]),  # worked case 6
    ([(9, 0), (4, 5), (4, 5)], [1, 3]),  # worked case 7: 17 of 27 tiles are not enough
    ([(0, 9), (5, 4), (5, 4)], [0, 2]),
]


@pytest.mark.parametrize(("splits", "winners"), WINS)
def test_two_majorities_of_three_completed_colours_win(splits, winners):  # CRI-12, CRI-16
    entered = [action for colour, split in zip(COLOURS, splits, strict=False) for action in takes(colour, *split)]
    answer = played(*entered)
    assert answer["finished"]
    assert answer["winners"] == winners
    assert answer["completed"] == ["red", "yellow", "green"]
    assert answer["totals"][:2] == [sum(first for first, _ in splits), sum(second for _, second in splits)]
    assert not played(*entered[:-1])["finished"]


def test_there_is_always_exactly_one_winner():  # CRI-13
    """Worked case 17: all 1,000 splits."""
    for firsts in product(range(10), repeat=3):
        state = holding(*((first, 9 - first) for first in firsts), (0, 0), (0, 0))
        majorities = [sum(first >= 5 for first in firsts), sum(first <= 4 for first in firsts)]
        assert decided(state) == majorities.index(max(majorities))


def test_with_one_colour_each_the_third_decides():  # CRI-13
    """Worked case 10."""
    entered = [*takes("red", 5, 4), *takes("blue", 4, 5)]
    assert decided(state_of(*entered)) is None
    assert played(*entered, *takes("green", 5, 4))["winners"] == [0, 2]
    assert played(*entered, *takes("green", 4, 5))["winners"] == [1, 3]


def test_the_game_ends_at_the_27th_tile_at_the_earliest():  # CRI-14
    entered = [*takes("red", 5, 4), *takes("blue", 4, 5), *takes("green", 4, 5)]
    for n in (25, 26):  # worked case 11: 25 after five tricks
        answer = played(*entered[:n])
        assert not answer["finished"]
        assert answer["winners"] == []
    assert played(*entered)["finished"]


@pytest.mark.parametrize("last", ["green", "blue", "purple"])
def test_the_game_ends_at_the_43rd_tile_at_the_latest(last):  # CRI-14
    entered = [*takes("red", 5, 4), *takes("yellow", 4, 5)]
    entered += [action for colour in ("green", "blue", "purple") for action in takes(colour, 4, 4)]
    assert len(entered) == 42
    assert not played(*entered)["finished"]
    assert played(*entered, take(0, last))["finished"]


END = [*takes("red", 5, 4), *takes("blue", 5, 4), *takes("green", 3, 5)]  # one green tile ends it


def test_the_game_stops_inside_the_picks_and_the_line_stays():  # CRI-11
    """Worked case 8: the second pick completes the third colour, the other three are void."""
    entered = [*END, FIRST, pick("blue-2", "yellow"), pick("red-1", "green")]
    assert notes(*entered) == [
        ("CRI-7", "Cleo uses the red 1 and takes a green tile."),
        ("CRI-13", "All nine green tiles are taken, 5 to 4: green counts for Ben and Dan."),
        ("CRI-11", "Three colours are complete: the game ends at once."),
        ("CRI-11", "3 picks of this trick are left out."),
        ("CRI-12", "Ana and Cleo win with the majorities of red and blue."),
    ]
    answer = played(*entered)
    assert answer["finished"]
    assert answer["picker"] is None
    assert answer["strength"] == LINE
    assert state_of(*entered).picks is None
    assert GAME.asks(state_of(*entered)) == ()
    over = ("RECORD", "The game is over; nothing more can be entered.")
    for more in (pick("green-9", "yellow"), take(0, "yellow"), SECOND):
        assert refused(*entered, more) == over


def test_one_void_pick_is_one_pick():  # CRI-11
    entered = [*END, FIRST, *picks(["blue-2", "red-1", "green-9"], ["yellow"] * 3), pick("green-4", "green")]
    assert ("CRI-11", "1 pick of this trick is left out.") in notes(*entered)


def test_the_line_stays_too_when_the_fifth_pick_ends_the_game():  # CRI-11
    entered = [*END, FIRST, *picks(["blue-2", "red-1", "green-9", "green-4"], ["yellow"] * 4), pick("purple-9", "green")]
    assert [rule for rule, _ in notes(*entered)] == ["CRI-7", "CRI-13", "CRI-11", "CRI-12"]
    assert played(*entered)["strength"] == LINE


def test_the_winner_alone_is_one_player():
    assert notes(*END, take(0, "green"), players=TWO)[-1] == ("CRI-12", "Ana wins with the majorities of red and blue.")


def test_majorities_of_uncompleted_colours_do_not_win():  # CRI-12
    entered = [*takes("yellow", 8, 0), *takes("purple", 0, 8), *END, take(0, "green")]
    assert notes(*entered)[-1] == ("CRI-12", "Ana and Cleo win with the majorities of red and blue.")


# ---- decided before the end ------------------------------------------------------------------------------------------


NONE, A5, B5, DONE_A, DONE_B = (0, 0), (5, 0), (0, 5), (5, 4), (4, 5)
DECIDED = [
    ([DONE_A, DONE_A, NONE, NONE, NONE], 0),  # worked case 9
    ([DONE_A, A5, A5, A5, NONE], 0),
    ([DONE_A, A5, A5, NONE, NONE], None),
    ([DONE_A, DONE_B, A5, A5, A5], 0),
    ([DONE_A, DONE_B, A5, A5, B5], None),
    ([A5, A5, NONE, A5, A5], 0),  # worked case 18
    ([A5, A5, A5, NONE, NONE], None),
    ([A5, A5, A5, A5, DONE_B], 0),
    ([B5, B5, B5, B5, A5], 1),
    ([(4, 0), (5, 0), (5, 0), (5, 0), (4, 5)], None),
]


@pytest.mark.parametrize(("held", "side"), DECIDED)
def test_a_side_can_be_sure_of_two_majorities_before_the_end(held, side):  # CRI-15
    assert decided(holding(*held)) == side


def test_decided_means_whichever_colours_are_completed():  # CRI-15
    """Against the definition: in the worst choice of colours to complete, there are two majorities all the same."""
    for held in product([NONE, (4, 4), A5, B5, DONE_A, DONE_B], repeat=5):
        done = [each for each in held if sum(each) == 9]
        if len(done) <= 3:
            rest = [each for each in held if sum(each) < 9]
            worst = [min(sum(each[side] >= 5 for each in (*done, *more)) for more in combinations(rest, 3 - len(done))) for side in (0, 1)]
            assert decided(holding(*held)) == next((side for side in (0, 1) if worst[side] >= 2), None)


DECIDING = [*takes("red", 5, 4), *takes("blue", 5, 3), take(1, "blue")]


def test_the_table_is_told_once_that_the_game_is_decided_and_plays_on():  # T11
    sentence = "Ana and Cleo have decided the game: two majorities are certain, whichever colours are completed."
    assert notes(*DECIDING)[-1] == ("CRI-15", sentence)
    assert [rule for rule, _ in notes(*DECIDING, take(0, "green"))] == ["CRI-7"]
    answer = played(*DECIDING)
    assert not answer["finished"]
    assert answer["winners"] == []
    fours = [action for colour in ("red", "blue", "green", "purple") for action in takes(colour, 0, 5)]
    assert notes(*fours, players=TWO)[1:] == [
        ("CRI-12", "Ben has five purple tiles: the majority of purple is safe."),
        ("CRI-15", "Ben has decided the game: two majorities are certain, whichever colours are completed."),
    ]


def test_the_third_colour_ends_the_game_without_calling_it_decided():
    entered = [*takes("red", 5, 4), *takes("blue", 4, 5), *takes("green", 5, 4)]
    assert [rule for rule, _ in notes(*entered)] == ["CRI-7", "CRI-13", "CRI-11", "CRI-12"]


def test_a_house_rule_ends_a_decided_game():  # T11
    assert notes(*DECIDING, stop_when_decided=True)[-3:] == [
        ("CRI-15", "Ana and Cleo have decided the game: two majorities are certain, whichever colours are completed."),
        ("T11", "The game is decided, and by your house rule it ends here."),
        ("CRI-12", "Ana and Cleo win with the majorities of red and blue."),
    ]
    answer = played(*DECIDING, stop_when_decided=True)
    assert answer["finished"]
    assert answer["winners"] == [0, 2]
    assert answer["completed"] == ["red", "blue"]
    assert not played(*DECIDING[:-1], stop_when_decided=True)["finished"]


def test_a_house_rule_ends_a_game_that_is_decided_by_uncompleted_colours():  # T11, CRI-15
    fours = [action for colour in ("red", "blue", "green", "purple") for action in takes(colour, 0, 5)]
    assert notes(*fours, stop_when_decided=True)[-1] == ("CRI-12", "Ben and Dan win with the majorities of red, green, blue and purple.")
    assert played(*fours, stop_when_decided=True)["winners"] == [1, 3]
    assert not played(*fours[:-1], stop_when_decided=True)["finished"]


def test_a_house_rule_ends_a_decided_game_inside_the_picks():  # T11
    entered = [*DECIDING[:-1], FIRST, pick("blue-2", "blue")]
    assert notes(*entered, stop_when_decided=True)[-3:] == [
        ("T11", "The game is decided, and by your house rule it ends here."),
        ("T11", "4 picks of this trick are left out."),
        ("CRI-12", "Ana and Cleo win with the majorities of red and blue."),
    ]
    answer = played(*entered, stop_when_decided=True)
    assert answer["finished"]
    assert answer["picker"] is None
    assert answer["strength"] == LINE


def test_the_other_side_can_decide_the_game_with_a_tile_of_ones_own():  # CRI-15
    """Ben's side completes blue for the others: the tile that decides is not always the winners' own."""
    assert DECIDING[-1]["side"] == 1
    assert played(*DECIDING, stop_when_decided=True)["winners"] == [0, 2]


# ---- standings -------------------------------------------------------------------------------------------------------


def places(state):
    return [(each.seat, each.points, each.rank, each.won) for each in GAME.standings(state)]


def test_partners_share_points_and_place():
    state = state_of(*takes("red", 5, 0), *takes("blue", 0, 4))
    assert places(state) == [(0, 5, 1, False), (1, 4, 3, False), (2, 5, 1, False), (3, 4, 3, False)]


@pytest.mark.parametrize(
    ("held", "ahead"),
    [
        ([NONE, NONE, NONE, NONE, NONE], None),
        ([(4, 0), (4, 0), (4, 0), NONE, NONE], None),  # the number of tiles does not matter, CRI-16
        ([A5, B5, NONE, NONE, NONE], None),
        ([A5, B5, B5, NONE, NONE], 1),
        ([DONE_A, B5, B5, NONE, NONE], 0),  # a completed majority counts more
        ([A5, A5, A5, A5, DONE_B], 0),  # but not more than a decided game
        ([B5, B5, B5, B5, DONE_A], 1),
    ],
)
def test_majorities_decide_who_is_ahead(held, ahead):  # CRI-16
    ranks = [each.rank for each in GAME.standings(holding(*held))]
    assert ranks == {None: [1, 1, 1, 1], 0: [1, 3, 1, 3], 1: [3, 1, 3, 1]}[ahead]


@pytest.mark.parametrize(
    ("held", "told_why"),
    [
        ([(9, 0), DONE_B, DONE_B, NONE, NONE], [1, 3]),
        ([DONE_A, DONE_A, (1, 8), NONE, (3, 0)], [0, 2]),
        ([DONE_A, DONE_A, (1, 8), NONE, (2, 0)], [0, 2]),
        ([DONE_A, DONE_A, DONE_B, NONE, NONE], []),
        ([DONE_A, DONE_A, DONE_B, NONE, (0, 1)], [0, 2]),
    ],
)
def test_winning_without_more_tiles_is_explained(held, told_why):  # CRI-16
    standings = GAME.standings(holding(*held, over=True))
    assert [each.seat for each in standings if each.tiebreak] == told_why
    assert {told(each.tiebreak) for each in standings if each.tiebreak} <= {"Majorities decide, not the number of tiles."}
    assert not any(each.tiebreak or each.won for each in GAME.standings(holding(*held)))


def test_the_winners_are_the_seats_of_the_winning_side():
    state = holding((9, 0), DONE_B, DONE_B, NONE, NONE, over=True)
    assert places(state) == [(0, 17, 3, False), (1, 10, 1, True), (2, 17, 3, False), (3, 10, 1, True)]


def test_everybody_sees_everything_because_hands_stay_on_the_table():  # T10
    state = state_of(FIRST)
    for viewer in (EVERYBODY, frozenset({1}), frozenset({0, 1, 2, 3})):
        assert GAME.view(state, viewer) is state


def test_the_first_leader_is_drawn_at_the_table():  # T8
    for seat in range(4):
        assert state_of(leader=seat).leader == seat


# ---- what is asked for -----------------------------------------------------------------------------------------------


def test_between_tricks_a_trick_or_a_tile_is_asked_for():
    asks = GAME.asks(state_of())
    assert [(ask.id, ask.do, ask.seats, ask.needed) for ask in asks] == [("trick-1", "trick", (), True), ("take-1", "take", (), True)]
    assert [told(ask.text) for ask in asks] == ["Which cards were played to the next trick?", "Which side took which tile?"]


def test_with_a_loop_only_tricks_and_picks_are_asked_for():
    assert list(asked(state_of(loop=LOOP))) == ["trick-1"]
    assert list(asked(state_of(FIRST, loop=LOOP))) == ["trick-1-pick-1"]


def test_an_answered_question_is_another_one():
    assert list(asked(state_of(take(0, "red"), take(1, "red")))) == ["trick-1", "take-3"]
    entered = [FIRST, *FIRST_PICKS]
    assert [list(asked(state_of(*entered[:n]))) for n in range(1, 7)] == [
        ["trick-1-pick-1"],
        ["trick-1-pick-2"],
        ["trick-1-pick-3"],
        ["trick-1-pick-4"],
        ["trick-1-pick-5"],
        ["trick-2", "take-6"],
    ]
    assert list(asked(state_of(*entered, SECOND))) == ["trick-2-pick-1"]


def test_a_trick_is_asked_for_card_by_card_from_the_leader_on():
    shown, action = walk(asked(state_of(leader=2))["trick-1"], FIRST["up"], *FIRST["cards"])
    assert action == FIRST
    assert [(field.name, told(field.text), field.kind, field.optional, len(field.values)) for field in shown] == [
        ("up", "Face-up draw card", "card", False, 45),
        ("cards.0", "Card 1, from Cleo", "card", False, 44),
        ("cards.1", "Card 2, from Dan", "card", False, 43),
        ("cards.2", "Card 3, from Ana", "card", False, 42),
        ("cards.3", "Card 4, from Ben", "card", False, 41),
    ]
    assert set(shown[0].values) - set(shown[4].values) == {"blue-2", "red-1", "green-9", "green-4"}


def test_two_players_are_asked_for_their_cards_in_their_order():  # T6
    orders = {
        order: walk(asked(state_of(players=TWO, two_player_order=order))["trick-1"], FIRST["up"], *FIRST["cards"])[0]
        for order in ("both", "alternate")
    }
    assert {order: [told(field.text)[-3:] for field in shown[1:]] for order, shown in orders.items()} == {
        "both": ["Ana", "Ana", "Ben", "Ben"],
        "alternate": ["Ana", "Ben", "Ana", "Ben"],
    }


def test_a_trick_is_not_asked_for_cards_that_were_seen():
    shown, action = walk(asked(state_of(FIRST, *FIRST_PICKS))["trick-2"], SECOND["up"], *SECOND["cards"])
    assert action == SECOND
    assert len(shown[0].values) == 40
    assert not {FIRST["up"], *FIRST["cards"]} & set(shown[0].values)


def test_a_pick_without_a_loop_asks_for_card_and_tile():
    state = state_of(*takes("red", 5, 4), FIRST, pick("green-9", "blue"))
    ask = asked(state)["trick-1-pick-2"]
    assert (ask.do, told(ask.text), ask.seats, ask.needed) == ("pick", "Which card does Cleo pick?", (), True)
    shown, action = walk(ask, "red-1", "blue")
    assert action == pick("red-1", "blue")
    assert [(field.name, list(field.values), told(field.text), field.kind, field.optional) for field in shown] == [
        ("card", ["blue-2", "purple-9", "green-4", "red-1"], "Card to use", "card", False),
        ("tile", ["yellow", "green", "blue", "purple"], "Tile taken", "word", False),
    ]


def test_a_pick_on_a_loop_offers_only_the_tile_where_the_pawn_lands():
    ask = asked(state_of(FIRST, loop=LOOP))["trick-1-pick-1"]
    shown, action = walk(ask, "green-4", "blue")
    assert action == pick("green-4", "blue")
    assert (shown[1].name, list(shown[1].values), shown[1].optional) == ("tile", ["blue"], True)
    assert walk(ask, "green-4", SKIP)[1] == pick("green-4")


def test_a_tile_is_asked_for_by_side_and_colour():
    shown, action = walk(asked(state_of(*takes("blue", 5, 4)))["take-10"], 1, "green")
    assert action == take(1, "green")
    assert [(field.name, list(field.values), told(field.text), field.kind, field.optional) for field in shown] == [
        ("side", [0, 1], "The side, named by its first player", "seat", False),
        ("tile", ["red", "yellow", "green", "purple"], "Tile taken", "word", False),
    ]


def test_there_are_always_cards_for_another_trick():  # CRI-8
    """Nine tricks of five cards are all 45: after eight, exactly five are left, and the ninth shows them."""
    state, left = state_of(), list(CARDS)
    for n in range(8):
        five, left = left[:5], left[5:]
        rest = [COLOURS[(n + turn) % 5] for turn in range(5)]
        for action in ({"do": "trick", "up": five[0], "cards": five[1:]}, *picks(five, rest)):
            state = GAME.apply(state, read_action(GAME, action, 4)).state
    assert not state.over
    assert sum(state.taken(colour) for colour in COLOURS) == 40
    assert walk(asked(state)["trick-9"], left[0], *left[1:])[0][4].values == left[4:]


# ---- the example -----------------------------------------------------------------------------------------------------


def test_the_example_is_a_whole_game_without_doubts():
    example = json.loads(files("companion.games").joinpath("examples/tricky-cribby.json").read_text())
    answer = replay(example)
    assert answer["finished"]
    assert answer["warnings"] == []
    assert answer["totals"] == [19, 22, 19, 22]
    assert answer["winners"] == [0, 2]  # with fewer tiles, CRI-16
    assert {action["do"] for action in example["actions"]} == {"trick", "pick", "take"}


# ---- what the screens show -------------------------------------------------------------------------------------------


def spoken(text):
    return say(text, FOUR)


def test_the_screens_know_who_plays_which_card():  # T6
    assert state_of().turns == (0, 1, 2, 3)
    assert state_of(leader=2).turns == (2, 3, 0, 1)
    assert state_of(players=TWO, leader=1).turns == (1, 1, 0, 0)
    assert state_of(players=TWO, two_player_order="alternate").turns == (0, 1, 0, 1)


def test_a_card_that_was_seen_says_where():  # CRI-2
    seen = {name: spoken(text) for name, text in Screen(state_of(FIRST, *FIRST_PICKS, SECOND)).sightings.items()}
    assert len(seen) == 10
    assert seen["blue-2"] == "The blue 2 was the draw card of trick 1."
    assert seen["green-9"] == "Ben played the green 9 in trick 1."
    assert seen["purple-4"] == "Ben played the purple 4 in trick 2."
    assert Screen(state_of()).sightings == {}


def test_tiles_without_their_trick_put_line_and_lead_out_of_step():
    assert Screen(state_of()).in_step
    assert Screen(state_of(FIRST, *FIRST_PICKS[:2])).in_step
    assert Screen(state_of(FIRST, *FIRST_PICKS)).in_step
    assert not Screen(state_of(take(0, "red"))).in_step
    assert not Screen(state_of(take(0, "red"), FIRST)).in_step


def test_an_open_card_says_where_it_leads_and_which_tile_of_its_colour_that_is():  # CRI-9
    screen = Screen(state_of(FIRST, pick("red-1"), pick("blue-2"), loop=LOOP))  # Dan took red, Cleo green; Ben walks on from Dan's place
    assert [(str(way.card), way.tile, way.nth) for way in screen.ways] == [
        ("purple-9", "red", 2),
        ("green-4", "red", 2),
        ("green-9", "red", 2),
    ]
    screen = Screen(state_of(FIRST, pick("green-4"), pick("blue-2"), loop=LOOP))  # Dan took blue, Cleo yellow
    assert [(str(way.card), way.tile, way.nth) for way in screen.ways] == [
        ("purple-9", "green", 1),
        ("green-9", "green", 1),
        ("red-1", "purple", 1),
    ]
    assert Screen(state_of(FIRST)).ways == ()
    assert GAME.screen(state_of(loop=LOOP)).ways == ()


def test_a_side_is_its_players_what_it_needs_and_whether_it_has_won():  # CRI-15
    sides = Screen(state_of(*takes("red", 9, 0), *takes("green", 9, 0))).sides
    assert [(side.n, side.seats, spoken(side.outlook), side.sure) for side in sides] == [
        (0, (0, 2), "Two majorities are certain.", True),
        (1, (1, 3), "Cannot catch up any more.", False),
    ]
    assert [side.sure for side in Screen(state_of()).sides] == [False, False]


def test_the_ranking_has_two_places_the_side_that_is_ahead_first():  # CRI-16
    ahead = Screen(state_of(*takes("red", 4, 5), *takes("blue", 2, 5), *takes("green", 9, 0)))
    assert [(each.standing.seat, each.standing.points, each.place, each.counts, each.safe) for each in ahead.ranking] == [
        (1, 10, 1, 1, 1),
        (0, 15, 2, 1, 0),
    ]
    assert [(each.standing.seat, each.place) for each in Screen(state_of()).ranking] == [(0, 1), (1, 1)]


def test_every_stage_of_a_match_has_a_word_of_its_own():
    entries = [FIRST, *FIRST_PICKS]
    screens = [Screen(state_of(*entries[:n])) for n in range(len(entries) + 1)]
    assert [screen.stage for screen in screens] == ["0-", "1-0", "1-1", "1-2", "1-3", "1-4", "1-"]
    assert [screen.trick for screen in screens] == [1, 2, 2, 2, 2, 2, 2]
    assert [screen.taken for screen in screens] == [0, 0, 1, 2, 3, 4, 5]
    assert [screen.picks_both for screen in screens] == [False, False, False, False, True, False, False]


def test_the_screens_know_how_many_play():  # CRI-17
    assert [Screen(state_of(players=people)).for_two for people in (TWO, FOUR)] == [True, False]


def test_the_row_of_a_colour_shows_whose_each_tile_is():
    rows = {row.colour: row for row in Screen(state_of(*takes("red", 2, 1), *takes("blue", 5, 4))).rows}
    assert list(rows) == list(COLOURS)
    assert rows["red"].dots == (0, 0, None, None, None, None, None, None, 1)
    assert (rows["red"].taken, rows["red"].complete) == (3, False)
    assert rows["blue"].dots == (0, 0, 0, 0, 0, 1, 1, 1, 1)
    assert (rows["blue"].taken, rows["blue"].complete) == (9, True)
    assert [(share.n, share.style) for share in rows["blue"].shares] == [(5, "counts"), (4, "lost")]


def test_the_screens_say_how_many_tiles_of_a_colour_are_left():  # CRI-2
    screen = Screen(state_of(*takes("red", 2, 1), *takes("blue", 5, 4)))
    assert list(screen.tiles_left.items()) == [("red", 6), ("green", 9), ("yellow", 9), ("purple", 9)]
    assert screen.none_left == {"blue": 0}


def test_a_trick_is_entered_in_five_slots():  # CRI-7
    told = [(name, say(label, TWO), seat) for name, label, seat in Screen(state_of(players=TWO, leader=1)).slots]
    assert told == [("up", "draw", None), ("cards.0", "Ben", 1), ("cards.1", "Ben", 1), ("cards.2", "Ana", 0), ("cards.3", "Ana", 0)]


def test_the_order_of_the_picks_shows_what_is_done_and_who_is_next():  # CRI-7
    order = Screen(state_of(FIRST, *FIRST_PICKS[:2])).order
    assert [(turn.seat, turn.style, turn.card and str(turn.card)) for turn in order] == [
        (3, "done", "purple-9"),
        (2, "done", "green-4"),
        (1, "now", "green-9"),
        (0, "", "red-1"),
        (0, "", None),
    ]
    assert Screen(state_of()).order == ()


@pytest.mark.parametrize(
    ("entries", "marks", "styles"),
    [
        ([], ["leads", "2", "3", "4"], {0: "leads"}),
        ([FIRST], ["picks later", "picks later", "picks later", "picks"], {0: "waits", 1: "waits", 2: "waits", 3: "next"}),
        ([FIRST, *FIRST_PICKS[:2]], ["picks later", "picks", "has picked", "has picked"], {0: "waits", 1: "next", 2: "done", 3: "done"}),
        ([FIRST, *FIRST_PICKS[:4]], ["picks", "has picked", "has picked", "has picked"], {0: "next", 1: "done", 2: "done", 3: "done"}),
        ([take(0, "red")], [], {}),
        ([take(0, "red"), FIRST], [], {}),
        ([*takes("red", 9, 0), *takes("green", 9, 0), *takes("blue", 9, 0)], [], {}),
    ],
)
def test_every_seat_says_what_it_does(entries, marks, styles):  # CRI-5, CRI-7
    screen = Screen(state_of(*entries))
    assert [spoken(mark) for mark in screen.marks.values()] == marks
    assert list(screen.marks) == list(range(len(marks)))
    assert screen.styles == styles


def test_nobody_does_anything_once_a_game_is_over():
    state = replace(state_of(FIRST, *FIRST_PICKS), over=True)
    assert Screen(state).in_step
    assert (Screen(state).marks, Screen(state).styles) == ({}, {})


def test_with_two_players_the_other_one_begins_with_the_third_card_or_the_second():  # T6
    assert Screen(state_of(players=TWO)).marks[1] == 3
    assert Screen(state_of(players=TWO, two_player_order="alternate")).marks[1] == 2


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (0, 0, ("open: 5 to go", "open: 5 to go")),
        (4, 3, ("open: 1 to go", "open: 2 to go")),
        (5, 3, ("safe: safe", "lost: lost")),
        (5, 4, ("counts: counts", "lost: lost")),
        (0, 9, ("lost: lost", "counts: counts")),
    ],
)
def test_every_colour_says_how_it_stands_for_each_side(first, second, words):  # CRI-12
    screen = Screen(state_of(*takes("red", first, second)))
    told = [screen.share(side, "red") for side in (0, 1)]
    assert tuple(share.style + ": " + spoken(share.words) for share in told) == words
    assert [share.n for share in told] == [first, second]
    assert [share.safe for share in told] == [first >= 5, second >= 5]


@pytest.mark.parametrize(
    ("entries", "sides"),
    [
        ([], ("Needs two of the first three colours to be completed.",) * 2),
        (takes("red", 5, 4), ("Needs one of the next two colours to be completed.", "Needs both of the next two colours to be completed.")),
        ([*takes("red", 5, 4), *takes("blue", 4, 5)], ("Needs the next colour to be completed.",) * 2),
        ([*takes("red", 5, 4), *takes("blue", 5, 4)], ("Two majorities are certain.", "Cannot catch up any more.")),
    ],
)
def test_each_side_is_told_what_it_still_needs(entries, sides):  # CRI-13, CRI-15
    assert tuple(spoken(Screen(state_of(*entries)).outlook(side)) for side in (0, 1)) == sides


def test_every_undecided_position_has_its_words():  # CRI-15
    assert set(OUTLOOKS) == {(0, 0), (1, 0), (1, 1), (2, 1)}


def test_the_loop_is_drawn_as_one_closed_frame():
    spots = [spot(place) for place in range(START_OF_LOOP, len(LOOP))]
    assert len(set(spots)) == len(LOOP) + 1
    ring = zip(spots, [*spots[1:], spots[0]], strict=True)
    assert all(abs(x - right) + abs(y - down) == 1 for (x, y), (right, down) in ring)


def test_the_loop_shows_its_tiles_the_emptied_places_and_where_cards_lead():  # CRI-9
    screen = Screen(state_of(FIRST, pick("blue-2"), pick("red-1"), pick("green-9"), loop=LOOP))  # Dan 2, Cleo 1, Ben 9 further than Dan
    tiles = [place.tile for place in screen.places]
    assert [n for n, tile in enumerate(tiles) if tile is None] == [0, 1, 10]
    assert [n for n, place in enumerate(screen.places) if place.bare] == [1]  # on the others stands a pawn
    assert [n for n, place in enumerate(screen.places) if place.aimed] == [5, 11]  # Ana: from place 0 over what is left, 4 and 9 tiles
    assert [(place.x, place.y) for place in screen.places] == [spot(n) for n in range(len(LOOP))]
    assert screen.tiles_in_loop == 42
    assert Screen(state_of()).places == ()


def test_numbers_stand_inside_the_frame_and_each_only_once():
    first = {"do": "trick", "up": "blue-1", "cards": ["red-1", "green-9", "green-4", "purple-9"]}
    told = [(each.values, each.x, each.y, each.right, each.down) for each in Screen(state_of(first, loop=LOOP)).numbers]
    assert told == [((1,), 1, 0, 0, 1), ((9,), 9, 0, 0, 1), ((4,), 4, 0, 0, 1)]
    assert Screen(state_of()).numbers == ()


@pytest.mark.parametrize(
    ("start", "inwards"),
    [(0, (0, 1)), (11, (-1, 1)), (12, (-1, 0)), (21, (-1, 0)), (22, (-1, -1)), (23, (0, -1)), (34, (1, -1)), (35, (1, 0)), (44, (1, 0))],
)
def test_a_number_at_any_place_moves_into_the_frame(start, inwards):
    state = replace(state_of(FIRST, loop=LOOP), pawns=(start - 1, start - 1))
    number = next(each for each in Screen(state).numbers if 1 in each.values)
    assert (number.right, number.down) == inwards
    assert (number.x, number.y) == spot(start)


def test_both_pawns_share_the_start_and_walk_alone():  # T3
    assert [tuple(pawn) for pawn in Screen(state_of(loop=LOOP)).pawns] == [(0, 0, 0, None, -1), (1, 0, 0, None, 1)]
    screen = Screen(state_of(FIRST, pick("blue-2"), pick("red-1"), loop=LOOP))
    assert [tuple(pawn) for pawn in screen.pawns] == [(0, 1, 0, 1, 0), (1, 2, 0, 2, 0)]


def test_the_frame_begins_in_the_corner_and_goes_clockwise():
    assert [spot(place) for place in (START_OF_LOOP, 0, 11, 22, 34, 44)] == [(0, 0), (1, 0), (12, 0), (12, 11), (0, 11), (0, 1)]


# ---- pages without a match -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "chosen"), [({}, "both"), ({"two_player_order": "both"}, "both"), ({"two_player_order": "alternate"}, "alternate")]
)
def test_the_page_of_a_dispute_lets_two_players_choose_their_order(asked, chosen):  # T6
    told = {choice.order: (say(choice.text, []), choice.chosen) for choice in GAME.orders(2, asked)}
    assert told == {"both": ("Both cards at once", chosen == "both"), "alternate": ("One by one in turn", chosen == "alternate")}
    assert GAME.orders(4, asked) == ()


def test_an_example_takes_its_tiles_one_by_one():
    assert taking([("red", (2, 1)), ("blue", (0, 1))]) == [*takes("red", 2, 1), take(1, "blue")]


def test_the_numbers_of_the_rules_page_follow_from_the_material():  # CRI-8, CRI-14
    assert (model.ALL_TILES, model.TRICKS, model.FIRST_END, model.MAX_OPEN, model.LAST_TRICK) == (45, 9, 27, 42, 9)
    assert (GAME.colours, GAME.tiles, GAME.all_tiles) == (COLOURS, 9, 45)
