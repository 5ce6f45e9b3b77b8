"""Crazy Race, rule by rule."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import companion.games
from companion.games import GAMES, read_action, replay, resolve
from companion.games.base import EVERYBODY, SKIP, RuleError, say
from companion.games.crazy_race import lanes
from companion.games.crazy_race.lanes import landing
from companion.games.crazy_race.model import ANIMALS, HAND, MAX_SUM, Hop, Landing, Team
from companion.games.crazy_race.pieces import entered, parts_of

GAME = GAMES["crazy-race"]
PEOPLE = ["Ana", "Ben", "Cem", "Dora"]
EMPTY = {"do": "edge", "animal": "flyer", "value": 1, "cards": []}


def record(*actions, players=4, **options):
    return {"format": "companion-record/1", "game": "crazy-race", "players": PEOPLE[:players], "options": options, "actions": list(actions)}


def edge(animal, value, *cards, **more):
    return {"do": "edge", "animal": animal, "value": value, "cards": [list(card) for card in cards], **more}


def won(animal, value, winner, **more):
    return {"do": "edge", "animal": animal, "value": value, "winner": winner, **more}


def back(seat):
    return {"do": "take-back", "seat": seat}


def discard(seat, tile):
    return {"do": "discard", "seat": seat, "tile": tile}


def final(animals, tiles=None):
    return {"do": "final", "animals": animals, "tiles": tiles or [[] for _ in animals]}


def race(*lanes_, tiles=(), players=4, options=None, **more):
    """A position in the middle of a race: the lane of each seat and its tiles."""
    state = GAME.setup(players, GAME.options(**(options or {})))
    held = [*tiles, *[()] * players]
    placed = [*lanes_, *[(0, 0, 0)] * players][:players]
    return replace(state, teams=tuple(Team(lane, held[seat]) for seat, lane in enumerate(placed)), **more)


def act(state, action):
    return GAME.apply(state, read_action(GAME, action, state.players))


def after(state, *actions):
    for action in actions:
        state = act(state, action).state
    return state


def told(state, action):
    """The notes of an action, rule and sentence."""
    return [(note.rule, say(note.text, PEOPLE)) for note in act(state, action).notes]


def refused(state, action):
    """Rule and sentence of a refusal."""
    with pytest.raises(RuleError) as refusal:
        act(state, action)
    return refusal.value.rule, say(refusal.value.text, PEOPLE)


def refusal(*actions, **more):
    error = replay(record(*actions, **more))["error"]
    return error["action"], error["rule"], error["message"]


def ids(state):
    return [ask.id for ask in GAME.asks(state)]


def form(state, ask, *answers):
    """The fields that a form yields to these answers, and the action it returns."""
    walk = next(each for each in GAME.asks(state) if each.id == ask).form()
    fields = []
    try:
        fields.append(next(walk))
        for answer in answers:
            fields.append(walk.send(answer))
    except StopIteration as done:
        return fields, done.value
    return fields, None


def asked(state, ask, *answers):
    """The last field after these answers."""
    field = form(state, ask, *answers)[0][-1]
    return field.name, list(field.values), field.kind, field.optional


# ---- setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "tiles"), [(3, 5), (4, 6)])
def test_a_race_starts_with_all_animals_before_the_line_and_the_tiles_at_both_ends(players, tiles):
    """RACE-1, RACE-2, RACE-3"""
    state = GAME.setup(players, GAME.options())
    assert (state.turnaround, state.finish) == (tiles, tiles)
    assert [team.animals for team in state.teams] == [(0, 0, 0)] * players
    assert [team.hand for team in state.teams] == [(1, 1, 2, 2, 3, 3, 4, 6)] * players
    assert [team.cards_left for team in state.teams] == [8] * players
    assert replay(record(players=players)) == {
        "game": "crazy-race",
        "players": PEOPLE[:players],
        "finished": False,
        "totals": [0] * players,
        "winners": [],
        "warnings": [],
        "animals": [[0, 0, 0]] * players,
        "tiles": [[]] * players,
        "stages": 0,
        "pending": [],
    }


def test_all_the_tiles_are_42_points_or_30_with_three_players():
    """RACE-1"""
    assert [2 * sum(range(1, GAME.setup(players, GAME.options()).turnaround + 1)) for players in (3, 4)] == [30, 42]


def test_it_is_a_game_for_three_or_four():
    answer = replay({**record(), "players": ["Ana", "Ben"]})
    assert answer == {"error": {"action": -1, "rule": "RACE-1", "message": "Crazy Race is for 3 and 4 players, not for 2."}}
    assert say(GAME.name, []) == "Crazy Race"


@pytest.mark.parametrize(
    ("option", "default", "text", "choices"),
    [
        ("starter", 0, "Who starts the first stage", {}),
        ("occupied_turnaround", "jump", "A turnaround with one's own animal on it", {"jump": "is jumped", "share": "has room for both"}),
        ("penalty_per", "owner", "Somebody with two animals in a penalty place", {"owner": "loses one tile", "animal": "loses two tiles"}),
        (
            "second_last",
            "next-position",
            "After a tie for the last place",
            {"next-position": "the next animal is second-last", "skip-after-tie": "no animal is second-last"},
        ),
    ],
)
def test_house_rules_have_defaults_and_words(option, default, text, choices):
    field = GAME.options.__dataclass_fields__[option]
    assert (field.default, say(field.metadata["text"], [])) == (default, text)
    assert {key: say(words, []) for key, words in field.metadata["choices"].items()} == choices
    assert all("error" not in replay(record(**{option: choice})) for choice in (default, *choices))


@pytest.mark.parametrize("options", [{"starter": 4}, {"penalty_per": "both"}, {"second_last": None}, {"laps": 2}])
def test_unknown_house_rules_are_refused(options):
    assert refusal(**options)[:2] == (-1, "RECORD")


def test_nothing_in_this_game_is_secret():
    state = race((3, 0, 0))
    assert GAME.view(state, EVERYBODY) == GAME.view(state, frozenset({1})) == state


# ---- who wins an edge ------------------------------------------------------------------------------------------------


def ask_edge(*cards, players=4, **more):
    return resolve({"game": "crazy-race", "players": PEOPLE[:players], "cards": [list(card) for card in cards], **more})


@pytest.mark.parametrize(
    ("cards", "winner", "sums", "rule"),
    [
        ([(1, 1)], 1, [0, 1, 0, 0], "RACE-7"),  # RACE-7 case 1
        ([(0, 2), (1, 4), (0, 2)], 0, [4, 4, 0, 0], "RACE-8"),  # RACE-8 case 3
        ([(2, 6), (0, 4)], 2, [4, 0, 6, 0], "RACE-7"),  # RACE-7 case 5
        ([(0, 1), (1, 4), (2, 4)], 1, [1, 4, 4, 0], "R1"),  # R1 case 12
        ([(0, 1), (1, 4), (2, 4), (0, 3)], 0, [4, 4, 4, 0], "RACE-8"),  # the first card counts, not the one that ties
        ([(0, 6), (1, 4), (1, 3)], 1, [6, 7, 0, 0], "RACE-7"),
        ([(3, 3), (3, 4), (3, 6)], 3, [0, 0, 0, 13], "RACE-7"),  # the highest sum there is
    ],
)
def test_the_highest_sum_wins_and_among_equals_the_earliest_first_card(cards, winner, sums, rule):
    answer = ask_edge(*cards)
    assert (answer["winner"], answer["sums"]) == (winner, sums)
    assert len(answer["why"]) == len(cards)
    assert {reason["rule"] for (seat, _), reason in zip(cards, answer["why"], strict=True) if seat == winner} == {rule}


def test_a_verdict_argues_card_by_card():
    assert ask_edge((3, 3), (0, 2), (1, 4), (0, 2), (2, 1))["why"] == [
        {"text": "Dora laid the 3: 3 in all, less than the 4 of Ana.", "rule": "RACE-7"},
        {"text": "Ana wins with the 2: 4 in all, as much as Ben, but with the earlier first card at this edge.", "rule": "R1"},
        {"text": "Ben laid the 4: 4 in all, too, but Ana laid a first card at this edge earlier.", "rule": "R1"},
        {"text": "Ana wins with the 2: 4 in all, as much as Ben, but with the earlier first card at this edge.", "rule": "R1"},
        {"text": "Cem laid the 1: 1 in all, less than the 4 of Ana.", "rule": "RACE-7"},
    ]


def test_without_a_tie_the_highest_sum_is_reason_enough():
    assert ask_edge((0, 4), (2, 6), players=3) == {
        "winner": 2,
        "why": [
            {"text": "Ana laid the 4: 4 in all, less than the 6 of Cem.", "rule": "RACE-7"},
            {"text": "Cem wins with the 6: 6 in all is the highest sum at this edge.", "rule": "RACE-7"},
        ],
        "sums": [4, 0, 6],
    }


def test_nobody_wins_an_edge_without_cards():
    """RACE-12"""
    why = [{"text": "No card lies at this edge, so nobody wins it.", "rule": "RACE-12"}]
    assert ask_edge(players=3) == {"winner": None, "why": why, "sums": [0, 0, 0]}


def test_what_somebody_believes_is_right_or_wrong():
    assert ask_edge((0, 2), (1, 4), (0, 2), claim=1)["right"] is False
    assert ask_edge((0, 2), (1, 4), (0, 2), claim=0)["right"] is True
    assert "right" not in ask_edge((0, 2))


@pytest.mark.parametrize(
    ("cards", "rule", "message"),
    [
        ([(0, 6), (0, 4), (0, 4)], "RACE-7", "Ana cannot have 14 at one edge: 6, 4 and 3 make the highest sum, 13."),  # case 23
        ([(0, 1), (1, 1), (1, 1), (1, 2), (1, 2)], "RACE-4", "Ben lays at most 3 cards in a stage, not 4."),
        ([(2, 4), (2, 4)], "RACE-3", "Cem has no further 4: everybody's cards are 1, 1, 2, 2, 3, 3, 4 and 6."),
        ([(2, 1), (2, 1), (2, 1)], "RACE-3", "Cem has no further 1: everybody's cards are 1, 1, 2, 2, 3, 3, 4 and 6."),
        ([(0, 5)], "RECORD", "In the question, “cards[0][1]” must be one of 1, 2, 3, 4 and 6."),
        ([(4, 1)], "RECORD", "In the question, “cards[0][0]” must be a seat, 0 to 3."),
    ],
)
def test_impossible_cards_cannot_be_resolved(cards, rule, message):
    assert ask_edge(*cards) == {"error": {"action": -1, "rule": rule, "message": message}}


def test_the_limits_of_the_cards():
    """RACE-3, RACE-7: eight cards worth 22, and 6 + 4 + 3 is the best an edge can get."""
    assert (len(HAND), sum(HAND), sum(sorted(HAND)[-3:])) == (8, 22, MAX_SUM)


def test_a_question_needs_its_cards():
    answer = resolve({"game": "crazy-race", "players": PEOPLE})
    assert answer["error"] == {"action": -1, "rule": "RECORD", "message": "In the question, “cards” is missing."}


# ---- a claim ---------------------------------------------------------------------------------------------------------


def test_a_right_claim_changes_nothing():
    cards = [(0, 2), (1, 4), (0, 2)]
    assert act(race(), edge("sprinter", 3, *cards, winner=0)) == act(race(), edge("sprinter", 3, *cards))
    assert act(race(), edge("sprinter", 3, winner=None)) == act(race(), edge("sprinter", 3))


@pytest.mark.parametrize(
    ("cards", "claim", "rule", "message"),
    [
        (
            [(0, 2), (1, 4), (0, 2)],
            1,
            "RACE-8",
            "Ben does not win this. Ana wins with the 2: 4 in all, as much as Ben, but with the earlier first card at this edge.",
        ),
        ([], 2, "RACE-12", "Cem does not win this. No card lies at this edge, so nobody wins it."),
        ([(3, 1)], None, "RACE-7", "Somebody does win this edge. Dora wins with the 1: 1 in all is the highest sum at this edge."),
        ([(3, 1), (1, 2)], None, "RACE-7", "Somebody does win this edge. Ben wins with the 2: 2 in all is the highest sum at this edge."),
    ],
)
def test_a_wrong_claim_is_refused_with_the_right_winner(cards, claim, rule, message):
    assert refused(race(), edge("sprinter", 3, *cards, winner=claim)) == (rule, message)


# ---- movement --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lane", "points", "progress", "tiles"),
    [
        ((0, 0, 0), 4, 4, ()),  # RACE-14: nobody is in the way at the start
        ((1, 2, 0), 2, 4, ()),  # RACE-14 case 2
        ((3, 5, 0), 3, 8, (6,)),  # RACE-14, RACE-15 case 4, from 3
        ((4, 5, 0), 3, 9, (6,)),  # RACE-14, RACE-15 case 4, from 4
        ((10, 0, 0), 2, 12, (6,)),  # RACE-16 case 5
        ((2, 3, 4), 1, 5, ()),  # R2 case 6
        ((5, 6, 0), 1, 7, (6,)),  # R3 case 7
        ((4, 5, 6), 1, 8, (6,)),  # R3 case 8
        ((11, 0, 0), 4, 12, (6,)),  # RACE-16, R4 case 9
        ((2, 9, 0), 1, 4, ()),  # RACE-14 case 10: on the way back, on space 3
        ((10, 1, 0), 1, 12, (6,)),  # RACE-14, RACE-16 case 11
        ((5, 0, 0), 1, 6, (6,)),  # RACE-15: reached, turned, not gone on
        ((6, 0, 0), 1, 7, ()),  # turned already
        ((6, 7, 0), 1, 8, ()),
        ((6, 0, 5), 1, 8, ()),  # somebody on the way out stands there
        ((0, 0, 0), 12, 12, (6, 6)),  # RACE-15, RACE-16: there and back
        ((0, 12, 12), 1, 1, ()),  # who is home is not on the track
        ((11, 12, 0), 1, 12, (6,)),
        ((12, 0, 0), 3, 12, ()),
        ((0, 1, 2), 9, 12, (6, 6)),  # each jumped twice
        ((0, 1, 2), 8, 12, (6, 6)),
        ((0, 1, 2), 7, 9, (6,)),
    ],
)
def test_a_point_leads_to_the_next_free_space(lane, points, progress, tiles):
    found = landing(race(lane), 0, "sprinter", points)
    assert (found.progress, found.tiles) == (progress, tiles)


@pytest.mark.parametrize(
    ("lane", "points", "progress"),
    [((5, 6, 0), 1, 6), ((4, 5, 6), 1, 6), ((5, 6, 6), 2, 7), ((6, 6, 0), 1, 7), ((4, 5, 0), 1, 6), ((2, 3, 0), 1, 4)],
)
def test_by_house_rule_several_animals_share_the_turnaround(lane, points, progress):
    """R3, case 7 the other way"""
    state = race(lane, options={"occupied_turnaround": "share"})
    found = landing(state, 0, "sprinter", points)
    assert found.progress == progress
    assert found.tiles == ((6,) if lane[0] < 6 <= progress else ())


def test_a_preview_shows_every_hop_and_changes_nothing():
    """R12: points are counted, not spaces."""
    state = race((0, 0, 0), (3, 5, 0), turnaround=4)
    found = landing(state, 1, "sprinter", 3)
    assert found.hops == (Hop(3, 4), Hop(4, 6, (1,)), Hop(6, 8, (1,)))
    assert (found.turn_tile, found.home_tile, found.tiles) == (4, None, (4,))
    assert state.turnaround == 4
    assert landing(state, 1, "flyer", 2).hops == (Hop(0, 1), Hop(1, 2))


def test_a_preview_tells_a_missing_tile_from_an_end_not_reached():
    """RACE-17"""
    state = race((5, 11, 12), turnaround=0, finish=0)
    assert [(landing(state, 0, each, 1).turn_tile, landing(state, 0, each, 1).home_tile) for each in ANIMALS] == [
        (0, None),
        (None, 0),
        (None, None),
    ]
    assert landing(race((3, 4, 5)), 0, "sprinter", 9).tiles == (6, 6)
    assert landing(state, 0, "sprinter", 9).tiles == ()


def test_where_an_animal_stands():
    assert [lanes.space(progress) for progress in range(13)] == [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0]


def test_an_animal_jumped_there_and_back_is_named_once():
    assert lanes.ride((4, 5, 6), 0, 1, share=False) == (Hop(4, 8, (1, 2)),)


def test_only_the_turnaround_is_shared():
    """R3: the first space is not, and nobody is in the way before the start or at home"""
    assert lanes.ride((0, 1, 12), 0, 1, share=True) == (Hop(0, 2, (1,)),)
    assert lanes.ride((11, 0, 12), 0, 1, share=True) == (Hop(11, 12),)


def test_a_move_is_told_as_it_happens():
    """RACE-9, RACE-14, RACE-15, case 4"""
    state = race((3, 5, 0), turnaround=4)
    assert told(state, edge("sprinter", 3, (0, 2), (1, 4), (0, 2))) == [
        ("RACE-7", "Ana wins edge 1 of stage 1 with 4."),
        ("RACE-9", "Ana moves the sprinter by 3 points."),
        ("RACE-14", "The sprinter of Ana jumps over the reptile."),
        ("RACE-15", "The sprinter of Ana turns and takes the 4."),
        ("RACE-14", "The sprinter of Ana jumps over the reptile."),
        ("RACE-14", "The sprinter of Ana now stands on space 4, facing home."),
    ]
    moved = after(state, edge("sprinter", 3, (0, 2)))
    assert (moved.teams[0].animals, moved.teams[0].tiles, moved.turnaround, moved.finish) == ((8, 5, 0), (4,), 3, 6)


@pytest.mark.parametrize(
    ("lane", "action", "more", "story"),
    [
        (
            (0, 0, 0),
            won("reptile", 1, 0),
            {},
            [("RACE-9", "Ana moves the reptile by 1 point."), ("RACE-14", "The reptile of Ana now stands on space 1 of the way out.")],
        ),
        (
            (2, 3, 4),
            won("sprinter", 1, 0),
            {},
            [
                ("RACE-9", "Ana moves the sprinter by 1 point."),
                ("R2", "The sprinter of Ana jumps over the reptile and flyer."),
                ("RACE-14", "The sprinter of Ana now stands on space 5 of the way out."),
            ],
        ),
        (
            (5, 6, 0),
            won("any", 1, 0, moves=[["sprinter", 1]]),
            {},
            [
                ("RACE-10", "Ana moves the sprinter by 1 point."),
                ("R3", "The sprinter of Ana jumps over the reptile, past the turnaround."),
                ("RACE-15", "The sprinter of Ana turns and takes the 6."),
                ("RACE-14", "The sprinter of Ana now stands on space 5, facing home."),
            ],
        ),
        (
            (5, 6, 0),
            won("sprinter", 1, 0),
            {"options": {"occupied_turnaround": "share"}},
            [
                ("RACE-9", "Ana moves the sprinter by 1 point."),
                ("RACE-15", "The sprinter of Ana turns and takes the 6."),
                ("R3", "The sprinter of Ana shares the turnaround."),
            ],
        ),
        (
            (4, 5, 0),
            won("sprinter", 1, 0),
            {"turnaround": 0},
            [
                ("RACE-9", "Ana moves the sprinter by 1 point."),
                ("RACE-14", "The sprinter of Ana jumps over the reptile."),
                ("RACE-17", "The sprinter of Ana turns; no tile is left at the turnaround."),
                ("RACE-15", "The sprinter of Ana now stands on the turnaround."),
            ],
        ),
        (
            (11, 0, 0),
            won("sprinter", 4, 0),
            {"finish": 5},
            [
                ("RACE-9", "Ana moves the sprinter by 4 points."),
                ("RACE-16", "The sprinter of Ana is home and takes the 5."),
                ("R4", "3 points are left over and lost."),
            ],
        ),
        (
            (10, 0, 0),
            won("sprinter", 3, 0),
            {"finish": 0},
            [
                ("RACE-9", "Ana moves the sprinter by 3 points."),
                ("RACE-17", "The sprinter of Ana is home; no tile is left at the finish."),
                ("R4", "1 point is left over and lost."),
            ],
        ),
        (
            (10, 0, 0),
            won("sprinter", 2, 0),
            {},
            [("RACE-9", "Ana moves the sprinter by 2 points."), ("RACE-16", "The sprinter of Ana is home and takes the 6.")],
        ),
        ((1, 2, 12), won("flyer", 2, 0), {}, [("RACE-9", "The flyer of Ana is home already; nothing moves.")]),  # case 14
        ((1, 2, 12), won("flyer", 2, 0, moves=[]), {}, [("RACE-9", "The flyer of Ana is home already; nothing moves.")]),
        ((1, 2, 3), won("flyer", 2, 0, moves=[]), {}, [("R5", "Ana does not want to move.")]),
        ((1, 2, 12), won("any", 2, 0, moves=[]), {}, [("R5", "Ana does not want to move.")]),
        ((12, 12, 12), won("any", 2, 0, moves=[]), {}, [("RACE-16", "All animals of Ana are home; nothing moves.")]),
        (
            (11, 4, 5),
            won("any", "?", 0, count=5, moves=[["sprinter", 2], ["flyer", 1], ["reptile", 2]]),
            {},
            [
                ("RACE-11", "Ana moves the sprinter by 2 points."),
                ("RACE-16", "The sprinter of Ana is home and takes the 6."),
                ("R4", "1 point is left over and lost."),
                ("RACE-11", "Ana moves the flyer by 1 point."),
                ("RACE-15", "The flyer of Ana turns and takes the 6."),
                ("RACE-15", "The flyer of Ana now stands on the turnaround."),
                ("RACE-11", "Ana moves the reptile by 2 points."),
                ("R3", "The reptile of Ana jumps over the flyer, past the turnaround."),
                ("RACE-15", "The reptile of Ana turns and takes the 5."),
                ("RACE-14", "The reptile of Ana now stands on space 5, facing home."),
            ],
        ),
    ],
)
def test_every_happening_has_its_sentence(lane, action, more, story):
    assert told(race(lane, **more), action) == [("RACE-7", "Ana wins edge 1 of stage 1."), *story]


def test_the_parts_of_a_split_are_moved_one_after_the_other():
    """R11: the order is free, and it decides who jumps whom."""
    moves = [["sprinter", 1], ["reptile", 1]]
    lanes_ = [after(race((1, 2, 0)), won("any", "?", 0, count=2, moves=order)).teams[0].animals for order in (moves, moves[::-1])]
    assert lanes_ == [(3, 4, 0), (2, 3, 0)]


def test_tiles_go_from_the_highest_down_and_are_kept_highest_first():
    """RACE-15, RACE-16"""
    state = race((5, 5, 10), (5, 0, 0), tiles=[(2,)], turnaround=4, finish=3)
    state = after(state, won("sprinter", 1, 0), won("sprinter", 1, 1), won("flyer", 2, 0), won("reptile", 1, 0))
    assert [team.tiles for team in state.teams] == [(4, 3, 2, 2), (3,), (), ()]
    assert (state.turnaround, state.finish) == (1, 2)
    assert [team.animals for team in state.teams][:2] == [(6, 7, 12), (6, 0, 0)]


def test_the_seventh_animal_at_an_end_gets_nothing():
    """RACE-17, case 21"""
    state = race((5, 0, 0), turnaround=1)
    state = after(state, won("sprinter", 1, 0))
    assert (state.turnaround, state.teams[0].tiles) == (0, (1,))
    state = after(state, won("sprinter", 3, 1), won("sprinter", 4, 1))
    assert (state.turnaround, state.teams[1].animals, state.teams[1].tiles) == (0, (7, 0, 0), ())


def test_only_animals_of_the_same_lane_are_in_the_way():
    """RACE-14"""
    state = after(race((1, 0, 0), (2, 3, 4)), won("sprinter", 2, 0))
    assert state.teams[0].animals == (3, 0, 0)
    assert state.teams[1].animals == (2, 3, 4)


# ---- what the winner chooses -----------------------------------------------------------------------------------------


def test_at_an_edge_without_animal_the_winner_moves_one_of_choice():
    """RACE-10, case 1"""
    answer = replay(record(edge("any", 2, (1, 1), moves=[["reptile", 2]])))
    assert answer["animals"][1] == [0, 2, 0]


@pytest.mark.parametrize(
    ("moves", "animals"),
    [
        ([["flyer", 5]], [0, 0, 5]),
        ([["sprinter", 2], ["reptile", 3]], [2, 4, 0]),
        ([["reptile", 3], ["sprinter", 2]], [2, 3, 0]),
        ([["flyer", 1], ["reptile", 1], ["sprinter", 3]], [5, 2, 1]),
        ([], [0, 0, 0]),
    ],
)
def test_a_question_mark_is_worth_all_cards_at_the_edge(moves, animals):
    """RACE-11, case 13"""
    answer = replay(record(edge("any", "?", (0, 1), (1, 2), (2, 6), (0, 2), (1, 1), moves=moves)))
    assert answer["animals"] == [[0, 0, 0], [0, 0, 0], animals, [0, 0, 0]]


@pytest.mark.parametrize("moves", [None, [], [["flyer", 2]]])
def test_a_named_animal_moves_by_itself_as_said_or_not_at_all(moves):
    """RACE-9, R5"""
    said = {} if moves is None else {"moves": moves}
    answer = replay(record(edge("flyer", 2, (3, 1), **said)))
    assert answer["animals"][3] == [0, 0, 0 if moves == [] else 2]


ONLY_FLYER = "This edge moves the flyer of Ana by 2 points or not at all, and no other animal."


@pytest.mark.parametrize(
    ("action", "rule", "message"),
    [
        (won("flyer", 2, 0, moves=[["reptile", 2]]), "RACE-9", ONLY_FLYER),
        (won("flyer", 2, 0, moves=[["flyer", 1]]), "RACE-9", ONLY_FLYER),
        (won("flyer", 2, 0, moves=[["flyer", 2], ["reptile", 2]]), "RACE-9", ONLY_FLYER),
        (
            won("flyer", 1, 0, moves=[["flyer", 2]]),
            "RACE-9",
            "This edge moves the flyer of Ana by 1 point or not at all, and no other animal.",
        ),
        (
            won("sprinter", 2, 0, moves=[["sprinter", 2]]),
            "RACE-9",
            "The sprinter of Ana is home already; this edge moves nothing, and no other animal instead.",
        ),
        (won("any", 2, 0), "RACE-10", "Say which animals Ana moves, or with an empty list that Ana does not want to."),
        (won("any", "?", 0, count=1), "RACE-11", "Say which animals Ana moves, or with an empty list that Ana does not want to."),
        (won("any", 2, 0, moves=[["sprinter", 2]]), "RACE-16", "The sprinter of Ana is home already and cannot move; choose another."),
        (
            won("any", "?", 0, count=4, moves=[["flyer", 2], ["flyer", 2]]),
            "RACE-11",
            "Name the flyer of Ana only once, with all its points.",
        ),
        (
            won("any", 2, 0, moves=[["flyer", 1], ["reptile", 1]]),
            "RACE-10",
            "Only the points of “?” can be split; here Ana moves one animal.",
        ),
        (won("any", 2, 0, moves=[["flyer", 1]]), "R5", "Ana has 2 points here and moves all of them or none at all, not 1."),
        (won("any", 1, 0, moves=[["flyer", 2]]), "R5", "Ana has 1 point here and moves it or none at all, not 2."),
        (
            won("any", "?", 0, count=3, moves=[["flyer", 1], ["reptile", 1]]),
            "RACE-11",
            "Ana has 3 points here and moves all of them or none at all, not 2.",
        ),
        (
            edge("any", "?", (0, 1), (1, 1), moves=[["flyer", 3]]),
            "RACE-11",
            "Ana has 2 points here and moves all of them or none at all, not 3.",
        ),
        (won("any", 2, None, moves=[["flyer", 2]]), "RACE-12", "Nobody laid a card at this edge, so nobody moves; leave out “moves”."),
        (edge("flyer", 2, moves=[["flyer", 2]]), "RACE-12", "Nobody laid a card at this edge, so nobody moves; leave out “moves”."),
        (won("any", 2, 0, moves=[["flyer", 0]]), "RECORD", "In edge, “moves[0][1]” must be 1 or more."),
        (won("any", 2, 0, moves=[["any", 2]]), "RECORD", "In edge, “moves[0][0]” must be one of sprinter, reptile and flyer."),
        (won("any", 2, 0, moves=None), "RECORD", "In edge, “moves” cannot be null."),
        (won("flyer", "?", 0, count=2), "RACE-11", "A “?” stands at an edge without animal; for the flyer give a number from 1 to 4."),
        (won("flyer", 5, 0), "RECORD", "In edge, “value” must be one of 1, 2, 3, 4 and ?."),
    ],
)
def test_moves_that_the_edge_does_not_give_are_refused(action, rule, message):
    assert refused(race((12, 1, 1)), action) == (rule, message)


# ---- edges and stages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [EMPTY, won("flyer", 1, None), won("any", "?", None), won("any", 2, None, moves=[])])
def test_an_edge_without_cards_moves_nobody(action):
    """RACE-12"""
    assert told(race(), action) == [("RACE-12", "Nobody wins edge 1 of stage 1: no card lies there.")]
    state = after(race(), action)
    assert (state.edges, state.busy, state.uncounted) == (1, 0, False)


def test_the_verdict_comes_with_the_note():
    (note,) = act(race(), EMPTY).notes
    assert note.verdict.winner is None
    note = act(race(), edge("flyer", 1, (2, 3))).notes[0]
    assert (note.verdict.winner, [reason.seat for reason in note.verdict.why], note.warning) == (2, [2], False)
    assert act(race(), won("flyer", 1, 2)).notes[0].verdict is None


def test_four_edges_make_a_stage_and_the_start_player_moves_on():
    """RACE-6, RACE-13"""
    state = after(race(options={"starter": 2}), EMPTY, edge("flyer", 1, (0, 6)), EMPTY)
    assert (state.stages, state.edges, state.busy, state.start_player) == (0, 3, 1, 2)
    assert state.teams[0] == Team((0, 0, 1), laid=(6,), lies=((6, 2, 1),))
    assert told(state, won("reptile", 2, 1)) == [
        ("RACE-7", "Ben wins edge 4 of stage 1."),
        ("RACE-9", "Ben moves the reptile by 2 points."),
        ("RACE-14", "The reptile of Ben now stands on space 2 of the way out."),
        ("RACE-13", "Stage 1 is over; Dora starts the next one."),
    ]
    state = after(state, EMPTY)
    assert (state.stages, state.edges, state.busy, state.start_player) == (1, 0, 0, 3)
    assert state.teams[0] == Team((0, 0, 1), used=(6,), lies=((6, 2, 1),))
    assert told(state, EMPTY)[0] == ("RACE-12", "Nobody wins edge 1 of stage 2: no card lies there.")
    assert after(state, *[EMPTY] * 4).start_player == 0


def test_several_may_use_an_edge_and_one_player_several_edges():
    """RACE-4, RACE-5"""
    answer = replay(record(edge("flyer", 1, (0, 1), (1, 1), (2, 1), (3, 1)), edge("reptile", 1, (0, 1)), edge("sprinter", 1, (0, 2))))
    assert answer["animals"][0] == [3, 2, 1]


def test_a_fourth_card_of_a_player_in_a_stage_is_refused():
    """RACE-4: also over several edges; the next stage starts afresh."""
    three = [edge("flyer", 1, (0, 1), (0, 1)), edge("reptile", 1, (0, 2))]
    assert refusal(*three, edge("sprinter", 1, (0, 2))) == (2, "RACE-4", "Ana lays at most 3 cards in a stage, not 4.")
    assert "error" not in replay(record(*three, EMPTY, EMPTY, edge("sprinter", 1, (0, 2))))


@pytest.mark.parametrize("fourth", [edge("any", 2, (0, 1), moves=[]), won("any", 2, 0, moves=[])])
def test_with_three_players_the_fourth_edge_stays_empty(fourth):
    """RACE-5, case 20"""
    three = [edge("flyer", 1, (0, 1)), won("reptile", 1, 2), edge("sprinter", 1, (1, 1))]
    text = "Three edges of this stage have cards already; with three players the fourth stays empty."
    assert refusal(*three, fourth, players=3) == (3, "RACE-5", text)
    assert "error" not in replay(record(*three, fourth, players=4))
    assert "error" not in replay(record(*three[:2], EMPTY, fourth, players=3))
    assert replay(record(*three, EMPTY, players=3))["stages"] == 1
    assert "error" not in replay(record(*three, EMPTY, fourth, players=3))


def test_three_used_edges_take_further_cards():
    """R15: only the fourth edge is closed."""
    full = edge("sprinter", 1, *[(seat, card) for card in (1, 2, 3) for seat in (0, 1, 2)])
    assert replay(record(full, EMPTY, full | {"cards": []}, EMPTY, players=3))["stages"] == 1
    assert "error" not in replay(record(edge("flyer", 1, (0, 1)), edge("flyer", 1, (1, 1)), edge("flyer", 1, (0, 1), (1, 2)), players=3))


@pytest.mark.parametrize(
    ("action", "rule", "message"),
    [
        ({"do": "edge", "animal": "flyer", "value": 2}, "RECORD", "An edge needs its cards or its winner; null where nobody laid a card."),
        (edge("any", "?", (0, 1), count=1, moves=[]), "RECORD", "The cards show how many they are; leave out “count”."),
        (
            won("any", 2, 0, count=2, moves=[]),
            "RECORD",
            "A number of cards is given only where somebody wins an edge with “?”; leave out “count”.",
        ),
        (
            won("any", "?", None, count=2),
            "RECORD",
            "A number of cards is given only where somebody wins an edge with “?”; leave out “count”.",
        ),
        (won("any", "?", 0, moves=[]), "RACE-11", "At an edge with “?” say how many cards lie there, everybody's together: 1 to 12."),
        (
            won("any", "?", 0, count=0, moves=[]),
            "RACE-11",
            "At an edge with “?” say how many cards lie there, everybody's together: 1 to 12.",
        ),
        (
            won("any", "?", 0, count=13, moves=[]),
            "RACE-11",
            "At an edge with “?” say how many cards lie there, everybody's together: 1 to 12.",
        ),
        (won("flyer", True, 0), "RECORD", "In edge, “value” must be one of 1, 2, 3, 4 and ?."),
        (won("flyer", 2, 4), "RECORD", "In edge, “winner” must be a seat, 0 to 3."),
        (won("flyer", 2, -1), "RECORD", "In edge, “winner” must be 0 or more."),
        ({"do": "edge", "animal": "flyer", "winner": 0}, "RECORD", "In edge, “value” is missing."),
        ({"do": "edge", "animal": "flyer", "value": 1, "cards": None}, "RECORD", "In edge, “cards” cannot be null."),
        (edge("flyer", 1, (0,)), "RECORD", "In edge, “cards[0][1]” is missing."),
        (edge("flyer", 1, (0, 1, 1)), "RECORD", "In edge, “cards[0]” has room for at most 2 values."),
    ],
)
def test_an_edge_must_say_what_is_needed_and_no_more(action, rule, message):
    state = race()
    assert refused(state, action) == (rule, message)
    assert state == race()


@pytest.mark.parametrize(("players", "most"), [(3, 9), (4, 12)])
def test_a_question_mark_is_worth_up_to_three_cards_a_player(players, most):
    """RACE-11"""
    state = race(players=players)
    assert after(state, won("any", "?", 0, count=most, moves=[["flyer", most]])).teams[0].animals == (0, 0, most)
    assert after(state, won("any", "?", 0, count=1, moves=[["flyer", 1]])).teams[0].animals == (0, 0, 1)
    assert refused(state, won("any", "?", 0, count=most + 1, moves=[]))[0] == "RACE-11"


# ---- cards in hand ---------------------------------------------------------------------------------------------------


def stage(*cards):
    """A stage whose cards all lie at its first edge."""
    return [edge("flyer", 1, *cards), EMPTY, EMPTY, EMPTY]


def test_a_used_card_is_gone_until_it_is_taken_back():
    """RACE-13, RACE-18"""
    text = "Ana has used the 6 at edge 1 of stage 1; to lay it again, enter first that Ana takes cards back."
    assert refusal(*stage((0, 6)), edge("flyer", 1, (0, 6))) == (4, "RACE-18", text)
    again = [*stage((0, 6)), back(0), *stage((0, 6))]
    assert "error" not in replay(record(*again))
    text = "Ana has used the 6 again at edge 1 of stage 2, after taking cards back; that is possible only once a game."
    assert refusal(*again, edge("flyer", 1, (0, 6))) == (9, "RACE-18", text)
    assert "error" not in replay(record(*stage((0, 6)), edge("flyer", 1, (1, 6))))


def test_a_card_that_still_lies_at_the_stage_cannot_be_laid_twice():
    """RACE-3"""
    text = "Ana has no further 6: laid at edge 1 of stage 1."
    assert refusal(edge("flyer", 1, (0, 6)), edge("reptile", 1, (0, 6))) == (1, "RACE-3", text)
    text = "Ana has used the 2 at edge 1 of stage 1 and edge 2 of stage 2; to lay it again, enter first that Ana takes cards back."
    assert refusal(*stage((0, 2)), EMPTY, edge("flyer", 1, (0, 2)), edge("reptile", 1, (0, 2))) == (6, "RACE-18", text)


def test_taking_back_fills_the_hand_and_sixteen_cards_are_the_most():
    """RACE-18, RACE-4, case 24"""
    state = after(race(), *stage((0, 6), (0, 4), (0, 3)), *stage((0, 1), (0, 2)))
    assert (state.teams[0].hand, state.teams[0].cards_left) == ((1, 2, 3), 3)
    assert told(state, back(0)) == [("RACE-18", "Ana takes the used cards back.")]
    state = after(state, back(0))
    assert (state.teams[0].hand, state.teams[0].cards_left, state.teams[0].took_back) == (HAND, 8, True)
    assert [team.took_back for team in state.teams] == [True, False, False, False]


def test_taking_back_in_a_stage_leaves_the_cards_that_lie_there():
    """R13"""
    state = after(race(), *stage((0, 6)), edge("reptile", 1, (0, 4)), back(0))
    assert state.teams[0].hand == (1, 1, 2, 2, 3, 3, 6)
    assert refused(state, edge("flyer", 1, (0, 4)))[0] == "RACE-3"


def test_cards_are_taken_back_once_and_only_where_there_are_some():
    """RACE-18"""
    text = "Ana has no used cards yet; cards of the open stage stay where they lie."
    assert refusal(back(0)) == (0, "RACE-18", text)
    assert refusal(edge("flyer", 1, (0, 6)), back(0)) == (1, "RACE-18", text)
    assert refusal(*stage((1, 6)), back(0)) == (4, "RACE-18", text)
    text = "Ana has taken cards back already; that is possible once a game."
    assert refusal(*stage((0, 6)), back(0), *stage((0, 6)), back(0)) == (9, "RACE-18", text)


def test_cards_that_were_not_counted_may_be_taken_back():
    """RACE-18: a short entry leaves open who laid what."""
    assert "error" not in replay(record(won("flyer", 1, 0), back(3)))
    assert refusal(won("flyer", 1, 0), back(3), back(3))[1] == "RACE-18"
    assert refusal(won("flyer", 1, None), back(3))[1] == "RACE-18"


def test_running_out_is_announced():
    """RACE-19"""
    state = after(race(), *stage((0, 1), (0, 1), (0, 2)), *stage((0, 2), (0, 3), (0, 3)))
    assert told(state, edge("flyer", 1, (0, 4), (0, 6)))[1] == (
        "RACE-19",
        "Ana has no cards left in hand; the used ones can be taken back once.",
    )
    assert [rule for rule, _ in told(state, edge("flyer", 1, (0, 4), (1, 6)))] == ["RACE-7", "RACE-9", "RACE-14"]
    state = replace(state, teams=(replace(state.teams[0], took_back=True), *state.teams[1:]))
    assert told(state, edge("flyer", 1, (0, 4), (0, 6)))[1] == (
        "RACE-19",
        "Ana has used up the cards a second time and only watches from the next stage on.",
    )
    assert "RACE-19" not in [rule for rule, _ in told(replace(state, uncounted=True), edge("flyer", 1, (0, 4), (0, 6)))]


def test_who_has_no_cards_only_watches():
    """RACE-19"""
    team = Team(used=HAND, took_back=True)
    state = replace(race(stages=5), teams=(team, *race().teams[1:]))
    assert refused(state, edge("flyer", 1, (0, 1)))[0] == "RACE-18"
    assert [0, 1] not in asked(state, "stage-6-edge-1-cards", "flyer", 1)[1]


# ---- the end of the race ---------------------------------------------------------------------------------------------


def test_the_race_ends_after_eight_stages():
    """RACE-20"""
    actions = [EMPTY] * 32
    assert replay(record(*actions[:31]))["finished"] is False
    answer = replay(record(*actions))
    assert (answer["finished"], answer["stages"], answer["winners"], answer["totals"]) == (True, 8, [0, 1, 2, 3], [0, 0, 0, 0])
    assert refusal(*actions, EMPTY) == (32, "RECORD", "The game is over; nothing more can be entered.")
    assert told(after(race(), *actions[:31]), EMPTY)[1] == ("RACE-20", "All eight stages are over, and so is the race.")


def used_up(*seats, **more):
    """A stage before its last edge, in which these seats lay their very last card and the others have none left."""
    teams = [Team(used=HAND[1:] if seat in seats else HAND, took_back=True) for seat in range(4)]
    return replace(race(stages=5, edges=3), teams=tuple(teams), **more)


def test_the_race_ends_early_when_all_have_used_up_their_cards_twice():
    """RACE-20"""
    step = act(used_up(0, 3), edge("flyer", 1, (0, 1), (3, 1)))
    assert (step.state.ended, step.state.stages) == (True, 6)
    assert ("RACE-20", "Everybody has used up the cards a second time: the race is over.") in [
        (note.rule, say(note.text, PEOPLE)) for note in step.notes
    ]
    assert after(used_up(0, 3), edge("flyer", 1, (0, 1))).ended is False  # Dora still has a card
    assert after(used_up(0, 3, edges=2), edge("flyer", 1, (0, 1), (3, 1))).ended is False  # the stage goes on
    assert after(used_up(0, uncounted=True), edge("flyer", 1, (0, 1))).ended is False  # here only the table can tell


def test_the_race_goes_on_while_somebody_could_take_cards_back():
    """R14"""
    state = used_up(0)
    state = replace(state, teams=(*state.teams[:3], replace(state.teams[3], took_back=False)))
    state = after(state, edge("flyer", 1, (0, 1)))
    assert (state.ended, state.stages) == (False, 6)


def test_with_uncounted_cards_the_table_says_that_the_race_is_over():
    """RACE-20"""
    state = after(race(), won("flyer", 1, 0), EMPTY, EMPTY, EMPTY)
    assert told(state, {"do": "end"})[0] == ("RACE-20", "Nobody has cards left: the race is over.")
    answer = replay(record(won("flyer", 1, 0), EMPTY, EMPTY, EMPTY, {"do": "end"}))
    assert (answer["finished"], answer["stages"]) == (True, 1)


def test_an_early_end_comes_after_a_whole_stage_and_only_where_cards_are_uncounted():
    """RACE-20"""
    text = "The race can end early only after a whole stage; enter its four edges first."
    assert refusal({"do": "end"}) == (0, "RACE-20", text)
    assert refusal(won("flyer", 1, 0), EMPTY, EMPTY, EMPTY, EMPTY, {"do": "end"}) == (5, "RACE-20", text)
    assert refusal(won("flyer", 1, 0), {"do": "end"}) == (1, "RACE-20", text)
    text = "All cards are known here: the race ends by itself when everybody has used them up a second time."
    assert refusal(*[EMPTY] * 4, {"do": "end"}) == (4, "RACE-20", text)


# ---- penalties -------------------------------------------------------------------------------------------------------

DONE = [12, 12, 12]


@pytest.mark.parametrize(
    ("animals", "tiles", "options", "left", "pending"),
    [
        ([[12, 12, 9], [12, 7, 0], [0, 8, 12]], [[3], [5, 4, 2], [5, 1]], {}, [[3], [4, 2], [1]], [1]),  # RACE-21, R7, R8, case 15
        ([DONE, DONE, DONE], [[1], [2], [3]], {}, [[1], [2], [3]], []),  # RACE-21 case 16
        ([[0, 0, 5], [7, 12, 12], DONE], [[6, 5, 4], [3], [2]], {}, [[5, 4], [3], [2]], [0]),  # R6, R8 case 17
        ([[0, 0, 5], [7, 12, 12], DONE], [[6, 5, 4, 3], [3], [2]], {"penalty_per": "animal"}, [[4, 3], [3], [2]], [0]),  # R6
        ([[12, 11, 12], DONE, DONE], [[3, 2], [2], [1]], {}, [[2], [2], [1]], []),  # RACE-21 case 18
        ([[12, 0, 12], DONE, DONE], [[], [2], [1]], {}, [[], [2], [1]], []),  # RACE-21 case 22
        ([[0, 12, 12], [5, 12, 12], [6, 12, 12]], [[3, 2], [4, 1], [5, 1]], {}, [[2], [4, 1], [5, 1]], [1]),
        ([[0, 12, 12], [5, 12, 12], [5, 12, 12]], [[3, 2], [4, 1], [5, 2]], {}, [[2], [4, 1], [5, 2]], [1, 2]),
        ([[0, 12, 12], [5, 5, 12], DONE], [[3, 2], [4, 3, 1], [5]], {}, [[2], [4, 3, 1], [5]], [1]),
        ([[0, 12, 12], [5, 5, 12], DONE], [[3, 2], [4, 3, 1], [5]], {"penalty_per": "animal"}, [[2], [4, 3, 1], [5]], [1, 1]),
        ([[0, 12, 12], [5, 5, 12], DONE], [[], [4, 3], []], {"penalty_per": "animal"}, [[], [4, 3], []], [1, 1]),
        ([[0, 12, 12], [5, 5, 12], DONE], [[], [4, 4, 3], []], {"penalty_per": "animal"}, [[], [4, 4, 3], []], [1, 1]),
        ([[0, 12, 12], [5, 5, 12], DONE], [[], [4, 4], []], {"penalty_per": "animal"}, [[], [], []], []),
        ([[0, 12, 12], [5, 5, 12], DONE], [[], [4], []], {"penalty_per": "animal"}, [[], [], []], []),
        ([[0, 12, 12], [5, 12, 12], DONE], [[1], [4, 4], [2]], {}, [[], [4], [2]], []),  # R17: equal tiles are no choice
        ([[0, 12, 12], [5, 12, 12], DONE], [[6, 6, 1], [], [2]], {}, [[6, 1], [], [2]], []),  # R17
        ([[0, 12, 12], [0, 12, 12], [5, 12, 12]], [[3, 2], [4, 1], [5, 1]], {}, [[2], [1], [5, 1]], [2]),  # R7
        ([[0, 12, 12], [0, 12, 12], [5, 12, 12]], [[3, 2], [4, 1], [5, 1]], {"second_last": "skip-after-tie"}, [[2], [1], [5, 1]], []),
        ([[0, 0, 12], [5, 12, 12], DONE], [[3, 2], [4, 1], [5]], {"second_last": "skip-after-tie"}, [[2], [4, 1], [5]], []),
        ([[0, 12, 12], [5, 12, 12], [5, 12, 12]], [[3], [4, 1], [5, 1]], {"second_last": "skip-after-tie"}, [[], [4, 1], [5, 1]], [1, 2]),
        ([[0, 12, 12], [11, 12, 12], DONE], [[2], [4, 1], [5]], {"second_last": "skip-after-tie"}, [[], [4, 1], [5]], [1]),
        ([[4, 12, 12], DONE, DONE], [[2], [4], [5]], {"second_last": "skip-after-tie"}, [[], [4], [5]], []),
        ([[6, 6, 6], [6, 12, 12], DONE], [[5, 4, 3, 2], [4], []], {"penalty_per": "animal"}, [[2], [], []], []),
    ],
)
def test_the_last_animals_cost_the_best_tile_and_the_second_last_one_of_choice(animals, tiles, options, left, pending):
    answer = replay(record(final(animals, tiles), players=3, **options))
    assert (answer["tiles"], answer["pending"]) == (left, pending)
    assert (answer["finished"], bool(answer["winners"])) == (not pending, not pending)
    assert answer["totals"] == [sum(each) for each in left]


def test_both_penalties_look_at_the_same_positions():
    """R16: whoever loses a tile for the last place still has the animal there."""
    answer = replay(record(final([[3, 4, 12], [5, 12, 12], DONE], [[6, 5, 4], [3, 2], [1]]), players=3))
    assert (answer["tiles"][0], answer["pending"]) == ([5, 4], [0])


@pytest.mark.parametrize(
    ("animals", "tiles", "options", "notes"),
    [
        (
            [[0, 12, 12], [5, 12, 12], [5, 12, 12], [5, 5, 12]],
            [[4], [3, 2], [1], []],
            {},
            [
                ("RACE-21", "Ana has a last animal and loses the most valuable tile, the 4."),
                ("RACE-21", "Ben has a second-last animal and chooses a tile to give up."),
                ("RACE-21", "Cem has a second-last animal and gives up the 1, without another choice."),
                ("RACE-21", "Dora has a second-last animal, but no tile to give up."),
            ],
        ),
        (
            [[0, 12, 12], [5, 5, 12], DONE, DONE],
            [[], [3, 2, 1], [1], []],
            {"penalty_per": "animal"},
            [
                ("RACE-21", "Ana has a last animal, but no tile to lose."),
                ("RACE-21", "Ben has second-last animals and chooses 2 tiles to give up."),
            ],
        ),
        (
            [DONE, DONE, DONE, DONE],
            [[1], [2], [3], [4]],
            {},
            [("RACE-21", "Every animal is home: nobody loses a tile."), ("RACE-22", "Dora wins with 4 points.")],
        ),
        (
            [DONE, [12, 8, 8], DONE, DONE],
            [[1], [2], [3], [4]],
            {},
            [
                ("RACE-21", "No animal is second-last: there is only one penalty."),
                ("RACE-21", "Ben has a last animal and loses the most valuable tile, the 2."),
                ("RACE-22", "Dora wins with 4 points."),
            ],
        ),
        (
            [[8, 12, 12], [8, 12, 12], [9, 12, 12], DONE],
            [[5, 1], [2], [3], [4]],
            {"second_last": "skip-after-tie"},
            [
                ("R7", "Several animals are tied for last, so none is second-last."),
                ("RACE-21", "Ana has a last animal and loses the most valuable tile, the 5."),
                ("RACE-21", "Ben has a last animal and loses the most valuable tile, the 2."),
                ("RACE-22", "Dora wins with 4 points."),
            ],
        ),
    ],
)
def test_penalties_are_told_in_their_order(animals, tiles, options, notes):
    assert told(race(options=options), final(animals, tiles)) == notes


SECOND = final([[0, 12, 12], [5, 12, 12], [5, 12, 12], DONE], [[1], [4, 3], [6, 2, 2], [5]])


def test_the_game_waits_for_every_tile_that_is_owed():
    """RACE-21"""
    answer = replay(record(SECOND, discard(2, 2)))
    assert (answer["finished"], answer["pending"], answer["tiles"]) == (False, [1], [[], [4, 3], [6, 2], [5]])
    answer = replay(record(SECOND, discard(2, 2), discard(1, 3)))
    assert (answer["finished"], answer["pending"], answer["totals"], answer["winners"]) == (True, [], [0, 4, 8, 5], [2])
    assert replay(record(SECOND, discard(1, 3), discard(2, 2))) == answer


def test_giving_up_a_tile_is_told():
    state = after(race(), SECOND, discard(2, 6))
    assert told(after(race(), SECOND), discard(2, 6)) == [("RACE-21", "Cem gives up the 6.")]
    assert told(state, discard(1, 4)) == [("RACE-21", "Ben gives up the 4."), ("RACE-22", "Dora wins with 5 points.")]


def test_whoever_owes_two_tiles_chooses_as_long_as_there_is_a_choice():
    """R6"""
    two = final([[0, 12, 12], [5, 5, 12], DONE, DONE], [[], [4, 4, 3], [6], [5]])
    options = {"penalty_per": "animal"}
    answer = replay(record(two, discard(1, 4), **options))
    assert (answer["pending"], answer["tiles"][1]) == ([1], [4, 3])
    answer = replay(record(two, discard(1, 3), **options))
    assert (answer["pending"], answer["tiles"][1], answer["finished"]) == ([], [4], True)
    state = after(race(options=options), two)
    assert told(state, discard(1, 3)) == [
        ("RACE-21", "Ben gives up the 3."),
        ("RACE-21", "Ben has a second-last animal and gives up the 4, without another choice."),
        ("RACE-22", "Cem wins with 6 points."),
    ]


def test_only_owed_tiles_and_only_own_ones_are_given_up():
    """RACE-21"""
    text = "The race is still on; tiles are given up when it is over."
    assert refusal(discard(0, 1)) == (0, "RACE-21", text)
    assert refusal(SECOND, discard(3, 5)) == (1, "RACE-21", "Dora owes no tile.")
    assert refusal(SECOND, discard(1, 6)) == (1, "RACE-21", "Ben has no tile 6 to give up, only 4 and 3.")
    assert refusal(SECOND, discard(1, 7)) == (1, "RECORD", "In discard, “tile” must be 6 or less.")
    assert refusal(SECOND, discard(1, 4), discard(1, 3)) == (2, "RACE-21", "Ben owes no tile.")


@pytest.mark.parametrize("action", [EMPTY, back(0), {"do": "end"}, SECOND])
def test_when_the_race_is_over_only_tiles_are_given_up(action):
    """RACE-20"""
    text = "The race is over; it only waits for a tile from Ben and Cem."
    assert refusal(SECOND, action) == (1, "RACE-20", text)


def test_somebody_who_owes_two_tiles_is_named_once():
    two = final([[0, 12, 12], [5, 5, 12], DONE, DONE], [[], [4, 4, 3], [6], [5]])
    assert refusal(two, EMPTY, penalty_per="animal")[2] == "The race is over; it only waits for a tile from Ben."


def test_penalties_come_at_the_end_of_a_race_entered_edge_by_edge():
    """RACE-20, RACE-21"""
    state = race((12, 12, 9), (12, 7, 0), (0, 8, 12), tiles=[(3,), (5, 4, 2), (5, 1)], players=3, stages=7, edges=3)
    step = act(state, EMPTY)
    assert [(note.rule, say(note.text, PEOPLE)) for note in step.notes] == [
        ("RACE-12", "Nobody wins edge 4 of stage 8: no card lies there."),
        ("RACE-20", "All eight stages are over, and so is the race."),
        ("RACE-21", "Ben has a last animal and loses the most valuable tile, the 5."),
        ("RACE-21", "Cem has a last animal and loses the most valuable tile, the 5."),
        ("RACE-21", "Ben has a second-last animal and chooses a tile to give up."),
    ]
    assert step.scored is None
    assert GAME.report(step.state) == {
        "animals": [[12, 12, 9], [12, 7, 0], [0, 8, 12]],
        "tiles": [[3], [4, 2], [1]],
        "stages": 8,
        "pending": [1],
    }


# ---- a race that was not entered -------------------------------------------------------------------------------------


def test_a_final_score_is_only_for_a_race_that_was_not_entered():
    text = "A final score stands for a race that was not entered; this one is entered edge by edge."
    assert refusal(EMPTY, SECOND) == (1, "RECORD", text)
    assert refusal(*[EMPTY] * 4, SECOND) == (4, "RECORD", text)
    assert replay(record(SECOND))["stages"] == 0


def test_there_are_two_tiles_of_each_value():
    """RACE-1"""
    assert refusal(final([DONE] * 4, [[3], [3, 1], [3], []])) == (0, "RACE-1", "There are only two tiles with a 3, not 3.")
    answer = replay(record(final([DONE] * 4, [[1, 3], [6, 6], [3], []])))
    assert answer["tiles"] == [[3, 1], [6, 6], [3], []]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (final([DONE] * 3, [[]] * 4), "In final, “animals” needs 4 values, one for each seat."),
        (final([DONE] * 4, [[]] * 3), "In final, “tiles” needs 4 values, one for each seat."),
        (final([DONE] * 3 + [[12, 12]]), "In final, “animals[3][2]” is missing."),
        (final([DONE] * 3 + [[12, 12, 13]]), "In final, “animals[3][2]” must be 12 or less."),
        (final([DONE] * 4, [[7], [], [], []]), "In final, “tiles[0][0]” must be 6 or less."),
        (final([DONE] * 4, [[0], [], [], []]), "In final, “tiles[0][0]” must be 1 or more."),
        ({"do": "lap"}, "The “do” of an action in Crazy Race must be one of edge, take-back, end, discard and final."),
    ],
)
def test_what_is_no_final_score_is_refused(action, message):
    assert refusal(action) == (0, "RECORD", message)


# ---- who wins the game -----------------------------------------------------------------------------------------------


def standings(animals, tiles):
    state = after(race(), final(animals, tiles))
    return [(each.points, each.rank, each.won, each.tiebreak and say(each.tiebreak, PEOPLE)) for each in GAME.standings(state)]


def test_the_most_points_win():
    """RACE-22"""
    assert standings([DONE] * 4, [[3], [6, 1], [4], [4]]) == [
        (3, 4, False, None),
        (7, 1, True, None),
        (4, 2, False, None),
        (4, 2, False, None),
    ]


BREAK = "Among equal points the rearmost animal decides: this one came {} of 12."


def test_among_equals_the_rearmost_animal_decides():
    """RACE-22, R9, case 19: who is home came 12."""
    assert standings([[12, 9, 12], DONE, DONE, DONE], [[6, 6, 5], [5, 4, 2], [4], [1]]) == [
        (11, 2, False, BREAK.format(9)),
        (11, 1, True, BREAK.format(12)),
        (4, 3, False, None),
        (1, 4, False, None),
    ]
    state = race((12, 9, 12), (12, 12, 12), (12, 9, 12), (12, 12, 10), tiles=[(6, 5), (6, 5), (4,), (4,)], ended=True)
    assert [(each.rank, each.won, each.tiebreak and say(each.tiebreak, PEOPLE)) for each in GAME.standings(state)] == [
        (2, False, BREAK.format(9)),
        (1, True, BREAK.format(12)),
        (4, False, BREAK.format(9)),
        (3, False, BREAK.format(10)),
    ]


def test_a_tie_break_is_told():
    """RACE-22"""
    first = final([[3, 12, 12], [9, 12, 12], DONE, DONE], [[6], [6, 1], [], [5, 1]])
    state = after(race(), first)
    assert told(state, discard(1, 1)) == [
        ("RACE-21", "Ben gives up the 1."),
        ("RACE-22", "Dora wins with 6 points: among equals, with the rearmost animal furthest ahead."),
    ]
    three = final([[3, 12, 12], [9, 12, 12], DONE, DONE], [[6], [6, 1], [4, 2], [5, 1]])
    assert told(after(race(), three), discard(1, 1))[1] == (
        "R10",
        "Cem and Dora win with 6 points: among equals, with the rearmost animals furthest ahead.",
    )


def test_who_is_still_tied_shares_the_win():
    """R10"""
    both = final([DONE] * 4, [[4, 1], [5], [2], []])
    assert replay(record(both))["winners"] == [0, 1]
    assert told(race(), both)[1] == ("R10", "Ana and Ben win with 5 points.")


def test_while_the_race_is_on_only_points_count():
    state = race((1, 0, 0), (3, 3, 3), tiles=[(5,), (4, 1), (6,)])
    assert [(each.seat, each.points, each.rank, each.won, each.tiebreak) for each in GAME.standings(state)] == [
        (0, 5, 2, False, None),
        (1, 5, 2, False, None),
        (2, 6, 1, False, None),
        (3, 0, 4, False, None),
    ]
    waiting = after(race(), SECOND)
    assert not any(each.won for each in GAME.standings(waiting))


# ---- what is asked for -----------------------------------------------------------------------------------------------


def test_at_the_start_an_edge_or_the_final_score_is_asked_for():
    state = race()
    assert [(ask.id, ask.do, say(ask.text, PEOPLE), ask.seats, ask.needed) for ask in GAME.asks(state)] == [
        ("stage-1-edge-1", "edge", "Who won edge 1 of stage 1?", (), True),
        ("stage-1-edge-1-cards", "edge", "Which cards lie at edge 1 of stage 1?", (), True),
        ("final", "final", "How did the race end?", (), False),
    ]
    assert not GAME.over(state)


def test_questions_change_with_every_answer():
    state = after(race(), EMPTY)
    assert ids(state) == ["stage-1-edge-2", "stage-1-edge-2-cards"]
    state = after(state, EMPTY, EMPTY, EMPTY)
    assert ids(state) == ["stage-2-edge-1", "stage-2-edge-1-cards"]


def test_whoever_has_used_cards_is_asked_about_taking_them_back():
    """RACE-18"""
    state = after(race(), *stage((1, 6), (3, 4)))
    asks = GAME.asks(state)[2:]
    assert [(ask.id, ask.do, say(ask.text, PEOPLE), ask.seats, ask.needed) for ask in asks] == [
        ("take-back-1", "take-back", "Does Ben take the used cards back?", (1,), False),
        ("take-back-3", "take-back", "Does Dora take the used cards back?", (3,), False),
    ]
    assert form(state, "take-back-3") == ([], back(3))
    assert ids(after(state, back(1)))[2:] == ["take-back-3"]


def test_the_early_end_is_asked_for_between_stages_with_uncounted_cards():
    """RACE-20"""
    state = after(race(), won("flyer", 1, 0))
    assert ids(state)[2:] == ["take-back-0", "take-back-1", "take-back-2", "take-back-3"]
    state = after(state, EMPTY, EMPTY, EMPTY)
    ask = GAME.asks(state)[-1]
    assert (ask.id, ask.do, say(ask.text, PEOPLE), ask.seats, ask.needed) == ("stage-1-end", "end", "Has nobody any cards left?", (), False)
    assert form(state, "stage-1-end") == ([], {"do": "end"})
    assert "end" not in [ask.do for ask in GAME.asks(after(state, EMPTY))]
    assert "final" not in ids(state)


def test_owed_tiles_are_asked_for_one_by_one():
    """RACE-21"""
    state = after(race(), SECOND)
    assert [(ask.id, ask.do, say(ask.text, PEOPLE), ask.seats, ask.needed) for ask in GAME.asks(state)] == [
        ("discard-1-1", "discard", "Which tile does Ben give up?", (1,), True),
        ("discard-2-1", "discard", "Which tile does Cem give up?", (2,), True),
    ]
    assert asked(state, "discard-2-1") == ("tile", [6, 2], "number", False)
    assert form(state, "discard-2-1", 2)[1] == discard(2, 2)
    assert ids(after(state, discard(1, 4), discard(2, 2))) == []
    assert GAME.over(after(state, discard(1, 4), discard(2, 2)))
    two = final([[0, 12, 12], [5, 5, 12], DONE, DONE], [[], [4, 3, 2], [6], [5]])
    state = after(race(options={"penalty_per": "animal"}), two)
    assert (ids(state), ids(after(state, discard(1, 4)))) == (["discard-1-2"], ["discard-1-1"])


def test_the_edge_is_asked_for_before_its_winner():
    state = race()
    for ask in ids(state)[:2]:
        assert asked(state, ask) == ("animal", ["sprinter", "reptile", "flyer", "any"], "word", False)
        assert asked(state, ask, "flyer") == ("value", [1, 2, 3, 4], "word", False)
        assert asked(state, ask, "any") == ("value", [1, 2, 3, 4, "?"], "word", False)


def test_the_short_form_asks_for_winner_and_moves():
    state = race((12, 1, 1), players=3)
    short = "stage-1-edge-1"
    assert asked(state, short, "flyer", 2) == ("winner", [None, 0, 1, 2], "seat", False)
    assert asked(state, short, "flyer", 2, 0) == ("moves", [[["flyer", 2]], []], "word", True)
    assert asked(state, short, "sprinter", 2, 0) == ("moves", [[]], "word", True)
    assert asked(state, short, "any", 2, 0) == ("moves", [[["reptile", 2]], [["flyer", 2]], []], "word", False)
    assert asked(state, short, "any", 2, None) == ("moves", [[]], "word", True)
    assert form(state, short, "flyer", 2, 0, SKIP)[1] == won("flyer", 2, 0)
    assert form(state, short, "flyer", 2, None, [])[1] == won("flyer", 2, None, moves=[])
    assert form(state, short, "any", "?", None, SKIP)[1] == won("any", "?", None)
    assert form(state, short, "any", 1, 1, [["flyer", 1]])[1] == won("any", 1, 1, moves=[["flyer", 1]])


def test_the_short_form_asks_how_many_cards_and_how_to_split_them():
    """RACE-11"""
    state = race((0, 12, 1), players=3)
    so_far = ("stage-1-edge-1", "any", "?", 0)
    assert asked(state, *so_far) == ("count", list(range(1, 10)), "number", False)
    both = [["sprinter", 1], ["sprinter", 2], ["flyer", 1], ["flyer", 2]]
    assert asked(state, *so_far, 2) == ("moves.0", both, "word", True)
    assert asked(state, *so_far, 2, ["flyer", 1]) == ("moves.1", [["sprinter", 1]], "word", False)
    moves = [["flyer", 1], ["sprinter", 1]]
    assert form(state, *so_far, 2, *moves)[1] == won("any", "?", 0, count=2, moves=moves)
    assert form(state, *so_far, 2, ["flyer", 2])[1] == won("any", "?", 0, count=2, moves=[["flyer", 2]])
    assert form(state, *so_far, 2, SKIP)[1] == won("any", "?", 0, count=2, moves=[])
    assert form(race((12, 12, 12), players=3), *so_far, 2)[1] == won("any", "?", 0, count=2, moves=[])
    three = form(race(), *so_far, 4, ["flyer", 1], ["sprinter", 2])[0][-1]
    assert (three.name, list(three.values), three.optional) == ("moves.2", [["reptile", 1]], False)


def test_the_long_form_asks_for_card_after_card():
    state = after(race(players=3), *stage((0, 6), (0, 4), (0, 3)), *stage((0, 3), (0, 2)))
    long = "stage-3-edge-1-cards"
    every = [[seat, card] for seat in (1, 2) for card in (1, 2, 3, 4, 6)]
    assert asked(state, long, "flyer", 2) == ("cards.0", [[0, 1], [0, 2], *every], "card", True)
    assert asked(state, long, "flyer", 2, [0, 2]) == ("cards.1", [[0, 1], *every], "card", True)
    assert asked(state, long, "flyer", 2, [1, 6], [1, 1], [1, 1])[1] == [[0, 1], [0, 2], *every[5:]]
    assert form(state, long, "flyer", 2, SKIP, SKIP)[1] == edge("flyer", 2)
    assert asked(state, long, "any", 2, [0, 2], [1, 4], SKIP)[1] == [[[animal, 2]] for animal in ANIMALS] + [[]]
    done = form(state, long, "any", "?", [0, 2], [1, 4], SKIP, ["flyer", 2])[1]
    assert done == edge("any", "?", (0, 2), (1, 4), moves=[["flyer", 2]])
    assert form(state, long, "flyer", 2, [2, 6], SKIP, SKIP)[1] == edge("flyer", 2, (2, 6))


def test_cards_of_the_open_stage_count_in_the_long_form():
    """RACE-4"""
    state = after(race(players=3), edge("flyer", 1, (0, 6), (0, 4)))
    values = asked(state, "stage-1-edge-2-cards", "flyer", 2)[1]
    assert [card for card in values if card[0] == 0] == [[0, 1], [0, 2], [0, 3]]
    values = asked(state, "stage-1-edge-2-cards", "flyer", 2, [0, 1])[1]
    assert [card for card in values if card[0] == 0] == []


def test_a_full_stage_asks_for_no_more_cards():
    """RACE-5"""
    state = after(race(players=3), *[won("flyer", 1, 0)] * 3)
    assert asked(state, "stage-1-edge-4", "flyer", 2) == ("winner", [None], "seat", False)
    assert asked(state, "stage-1-edge-4-cards", "flyer", 2) == ("moves", [[]], "word", True)
    assert form(state, "stage-1-edge-4-cards", "flyer", 2, SKIP)[1] == edge("flyer", 2)


def test_the_final_form_asks_for_tiles_and_animals():
    state = race(players=3)
    assert asked(state, "final") == ("tiles.0.0", [6, 5, 4, 3, 2, 1], "number", True)
    assert asked(state, "final", 6) == ("tiles.0.1", [6, 5, 4, 3, 2, 1], "number", True)
    assert asked(state, "final", 6, 6) == ("tiles.0.2", [5, 4, 3, 2, 1], "number", True)
    assert asked(state, "final", 6, SKIP, 6) == ("tiles.1.1", [5, 4, 3, 2, 1], "number", True)
    assert asked(state, "final", 6, SKIP, SKIP, SKIP) == ("animals.0.0", list(range(13)), "number", False)
    fields, action = form(state, "final", 6, SKIP, 5, 4, SKIP, SKIP, *range(4, 13))
    assert [field.name for field in fields][-3:] == ["animals.2.0", "animals.2.1", "animals.2.2"]
    assert action == final([[4, 5, 6], [7, 8, 9], [10, 11, 12]], [[6], [5, 4], []])
    every = [tile for tile in range(1, 7) for _ in range(2)]
    assert asked(state, "final", *every)[0] == "animals.0.0"


def test_every_field_has_words():
    state = race((0, 0, 0))
    walks = [
        ("stage-1-edge-1", ("any", "?", 0, 3, ["flyer", 1], ["sprinter", 2])),
        ("stage-1-edge-1", ("any", 2, None)),
        ("stage-1-edge-1-cards", ("any", 2, [0, 1], SKIP)),
        ("final", (SKIP, SKIP, SKIP, SKIP)),
    ]
    said = [[say(field.text, PEOPLE) for field in form(state, ask, *answers)[0]] for ask, answers in walks]
    move = "What does Ana move, with how many points?"
    assert said == [
        ["Animal", "Points", "Winner", "Cards at this edge", move, move],
        ["Animal", "Points", "Winner", "Nobody moves"],
        ["Animal", "Points", "Next card laid here", "Next card laid here", "What does Ana move?"],
        ["A tile of Ana", "A tile of Ben", "A tile of Cem", "A tile of Dora", "How far is the sprinter of Ana?"],
    ]
    assert say(form(after(state, SECOND), "discard-1-1")[0][0].text, PEOPLE) == "Tile"


# ---- what the screens show ---------------------------------------------------------------------------------------------


def done(parts):
    """What a move does, as short as it is shown."""
    return [(part.does, say(part.animal, PEOPLE) if part.animal else part.n) for part in parts]


def offered(choices):
    return {animal: [(offer.move, offer.all) for offer in offers] for animal, offers in choices.offers.items()}


def drawn(tokens):
    return [(token.animal, token.progress) for token in tokens]


def test_a_lane_shows_where_each_animal_stands():
    lane = GAME.screen(race((0, 6, 12), (7, 4, 1))).lanes()[1]
    assert (lane.seat, drawn(lane.tokens), lane.ghosts) == (1, [("sprinter", 7), ("reptile", 4), ("flyer", 1)], ())
    assert [(token.number, token.space, token.turned, token.home) for token in lane.tokens] == [
        (0, 5, True, False), (1, 4, False, False), (2, 1, False, False),
    ]  # fmt: skip
    first = GAME.screen(race((0, 6, 12))).lanes()[0].tokens
    assert [(token.space, token.turned, token.home) for token in first] == [(0, False, False), (6, True, False), (0, True, True)]
    assert [(say(token.word, []), say(token.where, [])) for token in first] == [
        ("sprinter", "at the start"), ("reptile", "on the turnaround"), ("flyer", "home"),
    ]  # fmt: skip


def test_animals_that_share_the_turnaround_stand_beside_each_other():
    """R3"""
    assert [[token.beside for token in lane.tokens] for lane in GAME.screen(race((6, 6, 6), (6, 3, 6), (3, 3, 6))).lanes()[:3]] == [
        [0, 1, 2], [0, 0, 1], [0, 0, 0],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("actions", "marked"),
    [
        ([], []),
        ([back(1)], []),
        ([back(1), won("flyer", 2, 1)], []),  # it is not the newest any more
        ([won("flyer", 2, 1), won("sprinter", 1, 0)], [(1, "flyer")]),
        ([won("flyer", 2, None)], []),
        ([edge("any", "?", (2, 3), (0, 1), moves=[["sprinter", 1], ["reptile", 1]])], [(2, "sprinter"), (2, "reptile")]),
    ],
)
def test_what_the_newest_entry_moved_is_marked(actions, marked):
    lanes_ = GAME.screen(race()).lanes(actions)
    assert [(lane.seat, token.animal) for lane in lanes_ for token in lane.tokens if token.moved] == marked


def test_a_lane_can_show_where_its_animals_get_to():
    before = race((4, 5, 0))
    later = GAME.screen(before).lane_towards(0, after(before, won("sprinter", 1, 0)))
    assert (drawn(later.tokens), drawn(later.ghosts)) == ([("sprinter", 4), ("reptile", 5), ("flyer", 0)], [("sprinter", 6)])


def test_an_outline_is_drawn_once_where_several_animals_could_stand():
    ghosts = GAME.screen(race((4, 3, 0))).choices(0, [[["sprinter", 1]], [["reptile", 1]], [["flyer", 4]], []]).lane.ghosts
    assert [(ghost.animal, ghost.progress, ghost.bare) for ghost in ghosts] == [("flyer", 6, False)]  # only where all points lead
    same = GAME.screen(race((4, 3, 0))).choices(0, [[["sprinter", 2]], [["reptile", 2]], []]).lane.ghosts
    assert [(ghost.animal, ghost.progress, ghost.bare) for ghost in same] == [("sprinter", 6, False), ("reptile", 6, True)]
    home = GAME.screen(race((11, 10, 0))).choices(0, [[["sprinter", 4]], [["reptile", 4]], []]).lane.ghosts
    assert [(ghost.progress, ghost.bare) for ghost in home] == [(12, False), (12, False)]


@pytest.mark.parametrize(("players", "tiles"), [(3, (5, 4, 3, 2, 1)), (4, (6, 5, 4, 3, 2, 1))])
def test_the_tiles_at_both_ends_are_shown_with_those_that_are_gone(players, tiles):
    """RACE-1"""
    screen = GAME.screen(race(players=players, finish=2, turnaround=0))
    assert (screen.finish.tiles, screen.finish.left) == (tiles, (2, 1))
    assert (screen.turnaround.tiles, screen.turnaround.left) == (tiles, ())


def test_of_a_race_that_was_only_scored_nobody_knows_the_tiles_at_the_ends():
    assert GAME.screen(after(race(), final([DONE] * 4))).only_scored
    assert not GAME.screen(race()).only_scored
    assert not GAME.screen(race(stages=8, ended=True)).only_scored


def test_where_several_animals_could_go_their_parts_are_told():
    """RACE-14, RACE-15, RACE-16, RACE-17"""
    screen = GAME.screen(race((4, 5, 11), (5, 12, 0), turnaround=3, finish=0))
    assert [done(parts) for parts in screen.outcomes("sprinter", 1)] == [
        [("jumps", "reptile"), ("turns", 3)], [("turns", 3)], [("goes-out", 1)], [("goes-out", 1)],
    ]  # fmt: skip
    assert done(screen.outcomes("flyer", 2)[0]) == [("comes-late", 0)]
    assert screen.outcomes("reptile", 4)[1] == ()  # home already
    assert done(screen.outcomes("reptile", 2)[0]) == [("turns", 3), ("faces-home", 5)]
    late = GAME.screen(race((5, 0, 0), (7, 0, 0), turnaround=0, finish=2))
    assert [done(parts) for parts in late.outcomes("sprinter", 6)[:2]] == [[("turns-late", 0), ("faces-home", 1)], [("comes-home", 2)]]
    assert done(parts_of(Landing(6, (), None, None))) == [("stands-on-turnaround", 0)]


def test_a_choice_of_one_animal_is_shown_with_where_it_leads():
    """RACE-10"""
    state = race((4, 12, 0))
    choices = GAME.screen(state).choices(0, asked(state, "stage-1-edge-1", "any", 3, 0)[1])
    assert offered(choices) == {"sprinter": [(["sprinter", 3], True)], "flyer": [(["flyer", 3], True)]}
    assert [done(offer.parts) for offers in choices.offers.values() for offer in offers] == [
        [("turns", 6), ("faces-home", 5)], [("goes-out", 3)],
    ]  # fmt: skip
    assert (drawn(choices.lane.ghosts), choices.points) == ([("sprinter", 7), ("flyer", 3)], 3)
    home = race(DONE)
    assert GAME.screen(home).choices(0, asked(home, "stage-1-edge-1", "any", 3, 0)[1]).offers == {}


def test_a_part_of_the_points_is_shown_after_the_parts_before_it():
    """R11"""
    state = race((4, 5, 0))
    fields, _ = form(state, "stage-1-edge-1", "any", "?", 0, 3, ["reptile", 1])
    labels = list(zip(fields, ("any", "?", 0, 3, ["reptile", 1]), strict=False))
    now = GAME.screen(state).parts(0, fields[-2].values, labels[:4])
    assert (now.points, drawn(now.lane.tokens)) == (3, [("sprinter", 4), ("reptile", 5), ("flyer", 0)])
    assert offered(now)["sprinter"] == [(["sprinter", 1], False), (["sprinter", 2], False), (["sprinter", 3], True)]
    assert drawn(now.lane.ghosts) == [("sprinter", 9), ("reptile", 9), ("flyer", 3)]
    then = GAME.screen(state).parts(0, fields[-1].values, labels)
    assert (then.points, list(then.offers), drawn(then.lane.tokens)[1]) == (2, ["sprinter", "flyer"], ("reptile", 6))
    assert done(then.offers["sprinter"][1].parts) == [("jumps", "reptile"), ("turns", 5), ("faces-home", 5)]  # the reptile took the 6


def test_what_was_entered_is_told_edge_by_edge():
    actions = [
        edge("flyer", 2, (2, 6), (0, 4)),
        won("any", 3, 1, moves=[["reptile", 3]]),
        back(0),
        won("sprinter", 1, None),
        edge("any", "?"),
        won("reptile", 4, 3, moves=[]),
    ]
    told_ = entered(actions)
    assert [(each.stage, each.n, each.animal, each.value) for each in told_] == [
        (1, 1, "flyer", 2), (1, 2, "any", 3), (1, 3, "sprinter", 1), (1, 4, "any", "?"), (2, 1, "reptile", 4),
    ]  # fmt: skip
    assert [(each.winner, each.moved) for each in told_] == [(2, ("flyer",)), (1, ("reptile",)), (None, ()), (None, ()), (3, ())]
    assert told_[0].cards == ((2, 6), (0, 4))


def test_the_open_stage_is_shown_edge_by_edge():
    first = [won("flyer", 1, None)] * 4
    played = [*first, won("flyer", 2, 1), won("any", 3, 0, moves=[]), back(1)]
    spots = GAME.screen(after(race(), *played)).stage(reversed(played))
    assert [(spot.n, spot.done and (spot.done.stage, spot.done.winner), spot.now) for spot in spots] == [
        (1, (2, 1), False), (2, (2, 0), False), (3, None, True), (4, None, False),
    ]  # fmt: skip
    between = GAME.screen(after(race(), *first)).stage(first)
    assert [(spot.done, spot.now) for spot in between] == [(None, True), (None, False), (None, False), (None, False)]


def test_what_an_edge_can_show_is_offered_with_where_it_was_shown_before():
    played = [won("flyer", 2, 1), won("any", 3, 0, moves=[]), won("flyer", 4, None)]
    screen = GAME.screen(after(race(), *played))
    rows = list(screen.rows(screen.stage(played[::-1])))
    assert [(row.animal, row.values, row.before) for row in rows] == [
        ("sprinter", (1, 2, 3, 4), ()), ("reptile", (1, 2, 3, 4), ()), ("flyer", (1, 2, 3, 4), (1, 3)), ("any", (1, 2, 3, 4), (2,)),
    ]  # fmt: skip
    assert [row.word and say(row.word, []) for row in rows] == ["sprinter", "reptile", "flyer", None]


@pytest.mark.parametrize(
    ("animal", "value", "edge_"),
    [
        ("flyer", "4", ("flyer", 4)),
        ("any", "1", ("any", 1)),
        ("any", "?", ("any", "?")),
        ("flyer", "?", None),
        ("flyer", "5", None),
        ("any", "", None),
        ("dragon", "1", None),
    ],
)
def test_what_was_typed_of_an_edge_is_kept_where_there_is_such_an_edge(animal, value, edge_):
    """RACE-11"""
    screen = GAME.screen(race())
    assert screen.edge_in({"animal": animal, "value": value}) == edge_
    assert screen.edge_in({}) is None


def test_what_can_still_be_laid_is_shown_card_by_card():
    """RACE-3, RACE-4"""
    ana, ben, *_ = GAME.screen(after(race(), edge("flyer", 1, (0, 1), (0, 6)))).bidders
    assert (ana.seat, ana.room, [(held.card, held.left) for held in ana.cards]) == (0, 1, [(1, 1), (2, 2), (3, 2), (4, 1), (6, 0)])
    assert (ben.seat, ben.room, [held.left for held in ben.cards]) == (1, 3, [2, 2, 2, 1, 1])


def test_a_card_that_was_laid_is_found_until_it_is_taken_back():
    first = after(race(), edge("flyer", 1, (0, 1), (1, 6)), edge("reptile", 1, (0, 1)), edge("sprinter", 1), edge("any", "?"))
    second = after(first, edge("flyer", 1, (0, 2)), back(0), edge("flyer", 1, (0, 1)))

    def gone(state, seat, card):
        return next(say(held.gone, PEOPLE) for held in GAME.screen(state).bidders[seat].cards if held.card == card)

    assert gone(first, 0, 1).startswith("Ana has used the 1 at edge 1 of stage 1 and edge 2 of stage 1;")
    assert gone(first, 1, 6).startswith("Ben has used the 6 at edge 1 of stage 1;")
    assert gone(first, 2, 6) == "Cem has no further 6: everybody's cards are 1, 1, 2, 2, 3, 3, 4 and 6."
    assert gone(second, 0, 1) == "Ana has no further 1: laid at edge 2 of stage 2."
    assert gone(second, 0, 2) == "Ana has no further 2: laid at edge 1 of stage 2."
    assert gone(second, 1, 6).startswith("Ben has used the 6 at edge 1 of stage 1;")


def test_cards_that_were_typed_are_kept_in_their_order():
    typed = {"cards.1": "[1,3]", "cards.0": "[0,6]", "cards.2": "", "cards.8": "[2,1]", "cards.9": "[2,2]", "animal": "any"}
    assert GAME.screen(race(players=3)).typed_cards(typed) == ["[0,6]", "[1,3]", "[2,1]"]  # nine lie at an edge at most


@pytest.mark.parametrize(
    ("lanes_", "options", "last", "second"),
    [
        ([DONE, (0, 12, 7), (0, 8, 12)], {}, [(1, "sprinter"), (2, "sprinter")], [(1, "flyer")]),
        ([DONE, (0, 12, 7), (0, 8, 12)], {"second_last": "skip-after-tie"}, [(1, "sprinter"), (2, "sprinter")], []),
        ([DONE, (12, 11, 12), DONE], {}, [(1, "reptile")], []),
        ([DONE, DONE, DONE], {}, [], []),
    ],
)
def test_who_is_in_a_penalty_place(lanes_, options, last, second):
    """RACE-21, R7"""
    places = GAME.screen(race(*lanes_, players=3, options=options)).behind
    assert [list(place.animals) if place else [] for place in places] == [last, second]


def test_a_penalty_place_is_told_with_whether_it_is_shared():
    last, second = GAME.screen(race(DONE, (0, 12, 7), (0, 8, 12), players=3)).behind
    assert (say(last.where, []), last.tied) == ("at the start", True)
    assert (say(second.where, []), second.tied) == ("on space 5, facing home", False)


def test_under_every_name_stands_what_matters_now():
    def marks(state):
        return [(mark.starts, mark.owes, mark.cards, mark.took_back) for mark in GAME.screen(state).marks]

    plain = (False, False, 8, False)
    first = [edge("flyer", 1, (0, 1), (1, 6)), edge("reptile", 1), edge("sprinter", 1), edge("any", "?")]
    assert marks(race()) == [(True, False, 8, False), plain, plain, plain]
    state = after(race(), *first, back(0))
    assert marks(state) == [(False, False, 8, True), (True, False, 7, False), plain, plain]
    assert (GAME.screen(state).classes, GAME.screen(state).counts_cards) == ({1: "leads"}, True)
    uncounted = after(state, won("flyer", 1, 2))
    assert [mark[2] for mark in marks(uncounted)] == [None] * 4
    assert not GAME.screen(uncounted).counts_cards
    ended = after(race(), SECOND)
    assert [mark[1] for mark in marks(ended)] == [False, True, True, False]
    assert {mark[::2] for mark in marks(ended)} == {(False, None)}
    assert GAME.screen(ended).classes == {1: "next", 2: "next"}


def test_a_tile_is_awaited_from_those_who_cannot_be_asked_here():
    """RACE-21"""
    state = race(DONE, (12, 12, 7), (12, 12, 7), tiles=[(), (5, 4), (6, 3)], stages=8, ended=True)
    state = replace(state, teams=tuple(replace(team, owes=n) for team, n in zip(state.teams, (0, 2, 1, 0), strict=True)))
    ben, cem = GAME.asks(state)
    assert [GAME.screen(state).awaited(asks) for asks in ([], [ben], [cem], [ben, cem])] == [[1, 2], [2], [1], []]


def test_the_form_for_a_race_that_is_over_keeps_what_was_typed():
    """RACE-1: six tiles at most, one for each animal at each end"""
    screen = GAME.screen(race(players=3))
    ana, ben, _ = screen.owners({"tiles.0.1": "5", "animals.1.2": "12"})
    assert [slot.name for slot in ana.tiles] == [f"tiles.0.{n}" for n in range(6)]
    assert [slot.chosen for slot in ana.tiles] == [None, "5", None, None, None, None]
    assert [(animal, slot.name, slot.chosen) for animal, slot in ben.animals] == [
        ("sprinter", "animals.1.0", None), ("reptile", "animals.1.1", None), ("flyer", "animals.1.2", "12"),
    ]  # fmt: skip
    assert [(progress, say(where, [])) for progress, where in screen.places[:2]] == [(12, "home"), (11, "on space 1, facing home")]
    assert len(screen.places) == 13
    assert screen.typed_end(final([[1, 2, 3], [12, 12, 0]], [[6, 1], []])) == {
        "tiles.0.0": "6", "tiles.0.1": "1",
        "animals.0.0": "1", "animals.0.1": "2", "animals.0.2": "3", "animals.1.0": "12", "animals.1.1": "12", "animals.1.2": "0",
    }  # fmt: skip


def test_an_example_of_edges_is_written_shortly():
    assert GAME.wins(2, [("flyer", 3), ("reptile", 1)]) == [won("flyer", 3, 2), won("reptile", 1, 2)]


# ---- whole games -----------------------------------------------------------------------------------------------------


def test_both_depths_mix_in_a_stage():
    answer = replay(
        record(
            edge("any", 2, (1, 1), moves=[["reptile", 2]]),  # cases 1, 3 and 5 of the sheet's example
            won("sprinter", 3, 0),
            edge("flyer", 2, (2, 6), (0, 4)),
            won("reptile", 4, None),
        )
    )
    assert answer["animals"] == [[3, 0, 0], [0, 2, 0], [0, 0, 2], [0, 0, 0]]
    assert (answer["stages"], answer["warnings"], "rounds" in answer) == (1, [], False)


def test_the_example_is_a_finished_race_without_doubts():
    path = Path(companion.games.__file__).parent / "examples" / "crazy-race.json"
    example = json.loads(path.read_text(encoding="utf-8"))
    answer = replay(example)
    assert (answer["finished"], answer["warnings"], answer["winners"]) == (True, [], [0])
    assert (answer["totals"], answer["stages"]) == ([15, 6, 4, 3], 8)
    assert {"cards", "winner", "moves"} <= {name for action in example["actions"] for name in action}


def test_of_a_race_that_was_not_entered_only_the_number_of_equal_tiles_is_checked():
    """RACE-1: with three players the 6s are out, but `final` takes what the table says"""
    final = {"do": "final", "tiles": [[6], [5], [4]], "animals": [[12, 12, 12]] * 3}
    record = {"format": "companion-record/1", "game": "crazy-race", "players": ["Ana", "Ben", "Cem"], "actions": [final]}
    assert replay(record)["totals"] == [6, 5, 4]
    thrice = {**final, "tiles": [[5, 5], [5], [4]]}
    assert replay({**record, "actions": [thrice]})["error"]["action"] == 0


def test_where_an_animal_stands_and_which_way_it_goes_is_told():
    assert [say(lanes.where(progress), []) for progress in (0, 1, 5, 6, 7, 11, 12)] == [
        "at the start",
        "on space 1, going out",
        "on space 5, going out",
        "on the turnaround",
        "on space 5, facing home",
        "on space 1, facing home",
        "home",
    ]
