"""A dispute as people ask it: what can be chosen, what is decided early, what if. Random tricks, against the rules themselves."""

import random

import pytest

from companion.games import GAMES, resolve, verdict_on
from companion.games.base import SKIP, RuleError, Text, say
from companion.games.disputes import Disputes
from companion.games.forms import NotOffered, as_far_as, is_offered, walk

PEOPLE = ["Ana", "Ben", "Cem", "Dora", "Eva"]
ASKABLE = [game for game in GAMES.values() if game.disputes]
EVERY = [pytest.param(game, players, id=f"{game.id}-{players}") for game in ASKABLE for players in game.players]
LINE = ["red", "green", "blue", "yellow", "purple"]


def form(game, players, leader=0):
    return lambda: game.disputes.form(players, leader)


def at_random(chance):
    def answer(field):
        if field.optional and chance.random() < 0.5:
            return SKIP
        return chance.choice(list(field.values))

    return answer


def questions(game, players, many=60):
    """Questions answered at random, as `resolve` takes them."""
    for seed in range(many):
        chance = random.Random(seed)
        leader = chance.randrange(players)
        given = walk(form(game, players, leader), at_random(chance))
        led = {"leader": leader} if game.disputes.led else {}
        yield {"game": game.id, "players": PEOPLE[:players], **led, **given}


def verdict(question):
    return verdict_on(GAMES[question["game"]], question)


# ---- what can be chosen ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_whatever_is_chosen_can_be_resolved(game, players):
    for question in questions(game, players):
        if game.id == "crazy-lab" and any(len(card) > 3 for card in question["cards"]):
            continue  # the page offers three colours a card
        assert "error" not in resolve(question), question


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_a_question_can_be_asked_step_by_step(game, players):
    for question in questions(game, players, 10):
        own = {name: value for name, value in question.items() if name not in ("game", "players", "leader")}
        half = as_far_as(form(game, players, question.get("leader", 0)), own)
        assert half.given == own


def test_the_next_thing_to_choose_is_told():
    game = GAMES["the-academy"]
    assert [field.name for field in as_far_as(form(game, 4), {}).waiting] == ["trump"]
    half = as_far_as(form(game, 4), {"trump": "green", "cards": ["blue-5", "blue-7"]})
    assert half.given is None
    (field,) = half.waiting
    assert (field.name, say(field.text, PEOPLE)) == ("cards.2", "Which card does Cem play?")
    assert not is_offered(field, "blue-5")
    assert is_offered(field, None)


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("the-academy", {"trump": "green", "cards": ["blue-5", "blue-5"]}),
        ("the-academy", {"trump": "green", "cards": [None, None]}),
        ("the-academy", {"trump": "red"}),
        ("the-academy", {"trump": "green", "cards": ["blue-1", "blue-2", "blue-3", "blue-4", "blue-5"]}),
        ("crazy-lab", {"trump": "green", "cards": [{"green": 7}]}),
        ("crazy-lab", {"trump": "green", "cards": [{"red": 1}]}),
        ("crazy-lab", {"cards": [{"green": 1}]}),
        ("tricky-cribby", {"strength": ["red", "red"]}),
        ("tricky-cribby", {"two_player_order": "sideways"}),
        ("crazy-race", {"cards": [[0, 5]]}),
        ("crazy-race", {"cards": [[4, 1]]}),
        ("crazy-race", {"cards": [[0, 4], [0, 4]]}),
        ("crazy-race", {"cards": [[0, 1], [0, 1], [0, 2], [0, 2]]}),
        ("ligretto-crazy", {"top": 5}),
        ("ligretto-crazy", {"top": True}),
        ("ligretto-crazy", {"top": 4, "card": 5, "as": 5}),
    ],
)
def test_what_cannot_be_is_not_taken(game, given):
    with pytest.raises(NotOffered):
        as_far_as(form(GAMES[game], 4), given)


def test_without_trump_in_sight_the_highest_numbers_are_asked_for():
    game, given = GAMES["crazy-lab"], {"trump": "green", "cards": [{"green": 0}, {"green": 0}, {"blue": 4}]}
    (field,) = as_far_as(form(game, 3), given).waiting
    assert field.name == "cards.0.highest"
    given["cards"][0]["highest"], given["cards"][1]["highest"] = 5, 6
    cards = as_far_as(form(game, 3), given).given["cards"]
    assert cards == [{"highest": 5}, {"highest": 6}, {"blue": 4}]


def test_the_highest_numbers_are_asked_for_after_all_cards():
    names = []

    def answer(field):
        names.append(field.name)
        return SKIP if field.optional else {"trump": "green", "green": 0, "highest": 4}[field.name.split(".")[-1]]

    assert walk(form(GAMES["crazy-lab"], 3), answer) == {"trump": "green", "cards": [{"highest": 4}] * 3}
    assert names[-3:] == ["cards.0.highest", "cards.1.highest", "cards.2.highest"]


def test_an_edge_is_full_with_three_cards_a_player():
    cards = [[seat, card] for seat in range(3) for card in (6, 4, 3)]
    half = as_far_as(form(GAMES["crazy-race"], 3), {"cards": cards})
    assert (half.waiting, half.given) == ((), {"cards": cards})


def test_with_trump_in_sight_a_card_without_it_needs_no_number():
    given = {"trump": "green", "cards": [{"green": 0}, {"green": 1}, {"green": 0}]}
    assert as_far_as(form(GAMES["crazy-lab"], 3), given).given["cards"] == [{"highest": 1}, {"green": 1}, {"highest": 1}]


def test_colours_say_more_than_a_highest_number():
    given = {"trump": "green", "cards": [{"highest": 6, "blue": 6}, {"green": 1, "highest": 6}, {"green": 2}]}
    assert as_far_as(form(GAMES["crazy-lab"], 3), given).given["cards"] == [{"blue": 6}, {"green": 1}, {"green": 2}]


def test_a_game_that_says_nothing_more_has_only_its_verdict():
    plain = Disputes()
    assert plain.turns(3, 1, {}) == (1, 2, 0)
    assert plain.foreseen(3, 0, {}) is None
    assert plain.after({}, None) is None
    assert list(plain.what_ifs({})) == []
    with pytest.raises(NotImplementedError):
        plain.form(3, 0)


def test_every_game_says_what_its_disputes_are_about():
    assert [game.id for game in ASKABLE if not game.disputes.led] == ["crazy-race", "ligretto-crazy"]
    assert [game.id for game in ASKABLE if not game.disputes.won] == ["ligretto-crazy"]
    assert [game.id for game in ASKABLE if game.disputes.open_ended] == ["crazy-race"]


# ---- decided early ---------------------------------------------------------------------------------------------------


TRICKS = [each for each in EVERY if each.values[0].id in ("crazy-lab", "the-academy", "tricky-cribby")]


@pytest.mark.parametrize(("game", "players"), TRICKS)
def test_what_is_decided_early_stays_so_and_what_is_not_is_open(game, players):
    early = 0
    for seed in range(25):
        chance = random.Random(seed)
        leader = chance.randrange(players)
        own = walk(form(game, players, leader), eager(chance))
        for n in range(len(own["cards"])):
            part = {**own, "cards": own["cards"][:n]}
            told = game.disputes.foreseen(players, leader, part)
            ends = {winner(game, players, leader, completed(game, players, leader, part, random.Random(each))) for each in range(20)}
            if told:
                early += n > 0
                assert ends == {told.winner}
                assert told.winner in {reason.seat for reason in told.why}
            elif n == len(own["cards"]) - 1 and players > 2:  # of two, the one who leads may also have the last card
                assert len(last_cards(game, players, leader, part)) > 1
    assert early > 10


def test_what_is_decided_early_is_told_by_the_two_strongest_cards():
    told = GAMES["tricky-cribby"].disputes.foreseen(4, 0, {"strength": LINE, "cards": ["green-4", "red-8", "red-9"]})
    assert say(told.why[0].text, PEOPLE) == "Cem wins: red is the strongest colour played, and the red 9 is the highest of it."


def eager(chance):
    """Answers that like strong cards, so that something is decided before the end."""

    def answer(field):
        values = list(field.values)
        if field.optional:
            return SKIP
        if field.name.startswith("cards") and chance.random() < 0.5:
            strong = [value for value in values if value == 6 or str(value).endswith("-9")]
            return chance.choice(strong or values)
        return chance.choice(values)

    return answer


def completed(game, players, leader, part, chance):
    def answer(field):
        place = field.name.split(".")
        if place[0] == "cards" and int(place[1]) >= len(part["cards"]):
            return SKIP if field.optional else chance.choice(list(field.values))
        known = part
        for step in place:
            known = known[int(step)] if isinstance(known, list) else known.get(step, SKIP) if known is not SKIP else SKIP
        return known

    return walk(form(game, players, leader), answer)


def winner(game, players, leader, own):
    return verdict({"game": game.id, "players": PEOPLE[:players], "leader": leader, **own}).winner


def last_cards(game, players, leader, part):
    """Everybody who could still win with the last card."""
    lab = [{"highest": 1}, {part.get("trump"): 6}]
    values = lab if game.id == "crazy-lab" else as_far_as(form(game, players, leader), part).waiting[0].values
    return {winner(game, players, leader, {**part, "cards": [*part["cards"], value]}) for value in values}


# ---- how it is told --------------------------------------------------------------------------------------------------


def told(game, **own):
    players = own.pop("players", 4)
    question = {"game": game, "players": PEOPLE[:players], **own}
    disputes, found = GAMES[game].disputes, verdict(question)
    after = disputes.after(question, found)
    return say(disputes.headline(found), PEOPLE), after and (say(after.text, PEOPLE), after.rule)


def test_headlines_and_what_comes_next():
    assert told("crazy-lab", trump="green", cards=[{"green": 1}, {"green": 2}, {"highest": 6}, {"highest": 6}]) == (
        "Ben wins this trick.",
        ("Ben takes all the cards and leads the next trick.", "LAB-17"),
    )
    assert told("the-academy", trump=None, cards=["blue-1", "blue-2", "blue-3", "blue-4"]) == (
        "Dora wins this trick.",
        ("Dora keeps the trick and leads the next one.", "ACA-8"),
    )
    assert told("tricky-cribby", strength=LINE, cards=["red-1", "green-9", "green-4", "purple-9"]) == (
        "Ana wins this trick.",
        ("After the picks, red goes to the weak end of the line and Ana leads.", "CRI-10"),
    )
    assert told("crazy-race", cards=[[1, 4]]) == (
        "Ben wins this edge.",
        ("Ben moves what the edge shows; nobody else gets anything for it.", "RACE-7"),
    )
    assert told("crazy-race", cards=[]) == ("Nobody wins this edge.", None)


def test_what_is_told_of_a_laid_card():
    closing = ("Whoever laid it calls “Crazy” and takes the pile to their own score pile.", "LIG-9")
    too_many = ("Whoever opened a pile too many takes it to their own discard pile, with all that lies on it.", "LIG-10")
    assert told("ligretto-crazy", top=4, card=5, piles=1) == ("Yes, and it closes the pile.", closing)
    assert told("ligretto-crazy", top=4, card="crazy", piles=1) == ("Yes, and as a 5 it closes the pile.", None)
    assert told("ligretto-crazy", top=4, card=3, piles=1) == ("Yes, it may be laid.", None)
    assert told("ligretto-crazy", top=4, card=2, piles=4) == ("No, it may not be laid.", None)
    assert told("ligretto-crazy", top=None, card=2, piles=0) == ("No, it may not be laid.", None)
    assert told("ligretto-crazy", top=None, card=1, piles=4) == ("No, it may not be laid.", too_many)


# ---- what if ---------------------------------------------------------------------------------------------------------


def what_ifs(question):
    return {each.id: each for each in GAMES[question["game"]].disputes.what_ifs(question)}


def winners(what_if):
    return [verdict(case.question).winner for case in what_if.cases]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_every_what_if_is_a_question_of_its_own(game, players):
    met = set()
    for question in questions(game, players, 30):
        if isinstance(verdict(question), RuleError):
            continue
        for each in game.disputes.what_ifs(question):
            met.add(each.id.split("-")[0])
            assert isinstance(each.text, Text)
            assert each.cases
            for case in each.cases:
                assert case.question != question
                assert not isinstance(verdict(case.question), RuleError), (question, each.id)
    wanted = {"crazy-lab": {"trump", "leader"}, "the-academy": {"trump", "leader", "follow"}, "crazy-race": {"first"}}
    wanted |= {"tricky-cribby": {"strength", "leader", "follow"}, "ligretto-crazy": {"top", "as"}}
    assert met == wanted[game.id]


ACADEMY = {"game": "the-academy", "players": PEOPLE[:4], "trump": "green", "cards": ["blue-5", "blue-7", "green-3", "purple-2"]}


def test_another_trump_another_winner():
    found = what_ifs(ACADEMY)
    assert winners(found["trump-none"]) == [1]
    assert winners(found["trump-purple"]) == [3]
    assert say(found["trump-none"].text, PEOPLE) == "if there were no trump"
    assert "trump-green" not in found


def test_another_pile_and_another_name_for_a_crazy_card():
    found = what_ifs({"game": "ligretto-crazy", "players": PEOPLE[:4], "top": 2, "card": "crazy", "as": 3, "piles": 1})
    said = {id: say(each.text, PEOPLE) for id, each in found.items()}
    assert [said[id] for id in ("top-1", "top-none", "as-2")] == ["if a 1 lay on top", "if it opened a new pile", "if it were named a 2"]
    assert not {"top-2", "as-3"} & set(said)


def test_as_many_piles_may_be_open_as_a_dispute_can_be_about():
    (piles,) = as_far_as(form(GAMES["ligretto-crazy"], 4), {"top": None, "card": 1}).waiting
    assert (piles.name, list(piles.values)) == ("piles", list(range(10)))


def test_another_leader_keeps_everybodys_card():
    (case,) = what_ifs({**ACADEMY, "trump": None})["leader-3"].cases
    assert case.question["cards"] == ["purple-2", "blue-5", "blue-7", "green-3"]
    assert verdict(case.question).winner == 3


def test_had_the_third_had_to_follow():
    """Cem trumped. With a blue 1 to 6 the blue 7 wins, with the 8 or 9 Cem does."""
    what_if = what_ifs(ACADEMY)["follow-2"]
    assert say(what_if.text, PEOPLE) == "if Cem had had to follow instead of playing green 3"
    assert [say(case.text, PEOPLE) for case in what_if.cases] == ["With blue 1 to blue 6", "With blue 8 to blue 9"]
    assert winners(what_if) == [1, 2]
    assert "follow-1" not in what_ifs(ACADEMY)


def test_had_the_second_had_to_follow_with_the_one_card_left():
    cards = ["blue-8", "green-1", "blue-7", "blue-6"]
    what_if = what_ifs({**ACADEMY, "cards": cards})["follow-1"]
    assert [say(case.text, PEOPLE) for case in what_if.cases] == ["With blue 1 to blue 5", "With blue 9"]
    assert winners(what_if) == [0, 1]


def test_who_follows_a_leader_that_covered_follows_the_next():
    found = what_ifs({**ACADEMY, "cards": [None, "blue-7", "green-3", "blue-2"]})
    assert {id for id in found if id.startswith("follow")} == {"follow-2"}
    assert winners(found["follow-2"]) == [1, 2]


def test_two_players_keep_their_cards_when_the_other_leads():
    question = {"game": "tricky-cribby", "players": PEOPLE[:2], "strength": LINE, "cards": ["red-1", "purple-9", "green-9", "green-4"]}
    (case,) = what_ifs({**question, "two_player_order": "both"})["leader-1"].cases
    assert case.question["cards"] == ["green-9", "green-4", "red-1", "purple-9"]
    (case,) = what_ifs({**question, "two_player_order": "alternate"})["leader-1"].cases
    assert case.question["cards"] == ["purple-9", "green-9", "green-4", "red-1"]


def test_another_trump_needs_whole_cards():
    lab = {"game": "crazy-lab", "players": PEOPLE[:3], "trump": "green"}
    whole = [{"yellow": 6, "blue": 5}, {"purple": 6, "orange": 5}, {"green": 1, "blue": 4, "orange": 4}]
    assert winners(what_ifs({**lab, "cards": whole})["trump-blue"]) == [0]
    assert "trump-blue" not in what_ifs({**lab, "cards": [{"green": 1}, {"green": 2}, {"green": 3}]})
    assert "trump-blue" not in what_ifs({**lab, "cards": [{"green": 1, "blue": 1}, {"highest": 2}, {"green": 3}]})


def test_the_tie_goes_to_another_who_lays_first():
    race = {"game": "crazy-race", "players": PEOPLE[:3], "cards": [[0, 2], [1, 4], [0, 2]]}
    assert winners(what_ifs(race)["first-1"]) == [1]
    assert what_ifs({**race, "cards": []}) == {}


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_the_same_question_has_the_same_verdict(game, players):
    for question in questions(game, players, 5):
        assert verdict(question) == verdict(question) or isinstance(verdict(question), RuleError)
