"""What every game promises, shown on random play: the asks are exact, the record carries everything, secrets stay secrets."""

import json
import random
from dataclasses import fields, is_dataclass

import pytest
from walk import accepts, at_random, house_rules, offers, play

from companion.games import GAMES, read_action, read_options, title_of
from companion.games.base import RuleError, Text, say
from companion.games.record import write

EVERY = [pytest.param(game, players, id=f"{game.id}-{players}") for game in GAMES.values() for players in game.players]
PEOPLE = ["Ana", "Ben", "Cem", "Dora", "Eva", "Finn", "Gül", "Hugo"]
SEEDS = range(12)


def matches(game, players, most=120):
    for seed in SEEDS:
        chance = random.Random(seed)
        yield chance, play(game, players, chance, read_options(game, house_rules(game, chance, players), players), most)


def leaves(value, path=()):
    """Every place in an action that can be changed."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from leaves(child, (*path, key))


def changed(chance, value, path, pool):
    """A copy with something else at that path."""
    if not path:
        return other(chance, value, pool)
    copy = dict(value) if isinstance(value, dict) else list(value)
    if chance.random() < 0.2:
        del copy[path[0]]
        return copy
    copy[path[0]] = changed(chance, copy[path[0]], path[1:], pool)
    return copy


def other(chance, value, pool):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, value + chance.randint(2, 40), 0, True, str(value)])
    if isinstance(value, list):
        return chance.choice([[*value, chance.choice(pool)], value[1:], [*value, *value[:1]], value[::-1], []])
    return chance.choice(pool)


def words_of(plain):
    if isinstance(plain, dict):
        return [word for value in plain.values() for word in words_of(value)]
    if isinstance(plain, list):
        return [word for value in plain for word in words_of(value)]
    return [plain]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_what_is_asked_for_is_legal_and_nothing_else_is(game, players):
    refused = 0
    for chance, match in matches(game, players):
        pool, met = [0, 1, 2, 3, "red", None], []
        for state, plain, _ in match:
            assert offers(game, state, plain)
            pool += words_of(plain)
            met.append(plain)
            for base in (plain, chance.choice(met)):
                for path in chance.sample(list(leaves(base)), k=min(6, len(list(leaves(base))))):
                    attempt = changed(chance, base, path, pool) if path else base
                    if {"cards", "winner"} <= attempt.keys():  # a claim is checked, not asked for
                        attempt.pop("winner")
                    accepted = accepts(game, state, players, attempt) is not None
                    refused += not accepted
                    assert accepted == ("do" in attempt and offers(game, state, attempt)), (attempt, state)
    assert refused > 20


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_asks_end_with_the_game_and_standings_are_complete(game, players):
    finished = 0
    for _, match in matches(game, players, most=400):
        for state, _, step in match:
            assert bool(game.asks(step.state)) != game.over(step.state)
            assert game.asks(state)
            standings = game.standings(step.state)
            assert [standing.seat for standing in standings] == list(range(players))
            assert min(standing.rank for standing in standings) == 1
            won = [standing for standing in standings if standing.won]
            assert bool(won) == game.over(step.state)
            assert all(standing.rank == 1 for standing in won)
            assert step.scored is None or (game.has_rounds and len(step.scored) == players)
            finished += game.over(step.state)
    assert finished


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_a_finished_game_takes_no_more_entries(game, players):
    for _, match in matches(game, players, most=400):
        steps = list(match)
        state, plain, _ = steps[-1]
        end = steps[-1][2].state
        if game.over(end):
            with pytest.raises(RuleError) as refused:
                game.apply(end, read_action(game, plain, players))
            assert refused.value.rule == "RECORD"
        assert game.apply(state, read_action(game, plain, players)) == steps[-1][2]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_every_action_survives_json(game, players):
    for _, match in matches(game, players):
        for _, plain, _ in match:
            action = read_action(game, plain, players)
            assert read_action(game, json.loads(json.dumps(write(action))), players) == action


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_questions_have_ids_of_their_own_that_fit_an_address(game, players):
    for _, match in matches(game, players):
        for state, _, _ in match:
            ids = [ask.id for ask in game.asks(state)]
            assert len(set(ids)) == len(ids)
            assert all(part.isascii() and part.isalnum() for each in ids for part in each.split("-"))


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_an_answered_question_is_not_asked_again(game, players):
    for chance, match in matches(game, players):
        for state, _, _ in match:
            ask = chance.choice(game.asks(state))
            step = game.apply(state, read_action(game, at_random(chance, ask.form), players))
            if step.state != state:
                assert ask.id not in [each.id for each in game.asks(step.state)]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_every_sentence_can_be_said(game, players):
    """Notes, asks, fields and verdicts speak in whole sentences with the names in them and no placeholder left."""
    for _, match in matches(game, players, most=60):
        for state, _, step in match:
            texts = [note.text for note in step.notes] + [ask.text for ask in game.asks(state)]
            texts += [reason.text for note in step.notes if note.verdict for reason in note.verdict.why]
            for said in (say(text, PEOPLE) for text in texts):
                assert said
                assert "{" not in said
            assert all(say(note.text, PEOPLE)[-1] in ".!?" for note in step.notes)


def test_a_game_whose_screens_only_draw_has_nothing_to_work_out():
    worked_out = {id for id, game in GAMES.items() if game.screen(game.setup(game.players[-1], game.options())) is not None}
    assert worked_out == set(GAMES) - {"score-sheet"}


def seen(game, state, viewer):
    """Everything a viewer can get out of a position."""
    asks = [(ask.id, ask.text, ask.seats) for ask in game.asks(state)]
    return game.view(state, viewer), asks, game.standings(state), game.report(state)


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_a_secret_choice_shows_to_nobody_else(game, players):
    secrets = {kind.do for kind in game.actions if kind.secret}
    tried = 0
    for _, match in matches(game, players):
        for state, _, _ in match:
            for ask in game.asks(state):
                if ask.do in secrets:
                    tried += 1
                    one, two = _two_answers(game, state, ask, players)
                    for viewer in (frozenset(), *(frozenset({seat}) for seat in range(players) if seat not in ask.seats)):
                        assert seen(game, one.state, viewer) == seen(game, two.state, viewer)
                        assert one.notes == two.notes
                    assert game.view(one.state, frozenset(ask.seats)) != game.view(two.state, frozenset(ask.seats))
    assert bool(tried) == bool(secrets)


def _two_answers(game, state, ask, players):
    """The same question answered in two ways, where that does not end the round."""
    field = next(ask.form())
    plain = [at_random_with(ask.form, field.values[index]) for index in (0, 1)]
    return [game.apply(state, read_action(game, each, players)) for each in plain]


def at_random_with(form, first):
    walk = form()
    next(walk)
    try:
        walk.send(first)
    except StopIteration as done:
        return done.value
    raise AssertionError("a secret is one choice")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_states_and_actions_are_frozen(game):
    state = game.setup(game.players[0], game.options())
    for kind in (type(state), game.options, *game.actions):
        assert is_dataclass(kind)
        assert kind.__dataclass_params__.frozen
    assert all(isinstance(each.metadata["text"], Text) for each in fields(game.options))


def those(is_so):
    return {game.id for game in GAMES.values() if is_so(game)}


def test_the_facts_of_a_game_are_as_its_pages_take_them():
    assert those(lambda game: not game.has_rounds) == {"crazy-race", "tricky-cribby"}
    assert those(lambda game: game.any_other) == {"score-sheet"}
    assert those(lambda game: not game.disputes) == {"score-sheet"}
    assert those(lambda game: not game.asks_whole_cards) == {"crazy-lab"}
    assert those(lambda game: any(kind.secret for kind in game.actions)) == {"crazy-lab"}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_match_goes_by_the_name_of_its_game_and_more_points_are_better(game):
    """Unless a house rule says otherwise."""
    assert game.title(game.options()) == game.name == title_of(game.id, {}, max(game.players))
    assert game.highest_wins(game.options()) is True


def test_a_match_has_a_title_also_where_its_game_or_its_house_rules_cannot_be_read():
    assert title_of("poker", {}, 3) == "poker"
    assert title_of("crazy-lab", {"rounds": "many"}, 3) == GAMES["crazy-lab"].name
    assert title_of("score-sheet", {"title": "Skat"}, 3) == "Skat"


def test_what_is_played_next_is_known_where_a_match_knows_it():
    start = {game.id: game.known(game.setup(game.players[0], game.options())) for game in GAMES.values()}
    assert start["ligretto-crazy"] == start["score-sheet"] == start["crazy-race"] == {}
    assert start["crazy-lab"]["leader"] == start["the-academy"]["leader"] == 0


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_the_same_position_asks_the_same(game, players):
    start = game.setup(players, game.options())
    assert game.asks(start) == game.asks(start)


FIGURES = {  # beside the points of a seat, at the start
    "crazy-lab": {"tricks": ("Tricks in this round", "0"), "counted": ("Counted in this round", "not yet")},
    "crazy-race": {**{animal: (animal, "at the start") for animal in ("sprinter", "reptile", "flyer")}, "cards": ("Cards in hand", "8")},
    "ligretto-crazy": {},
    "score-sheet": {},
    "the-academy": {"tricks": ("Tricks in this round", "0"), "role": ("Role in this round", "Mastermind")},
    "tricky-cribby": {colour: (f"Tiles in {colour}", "0") for colour in ("red", "yellow", "green", "blue", "purple")},
}


@pytest.mark.parametrize("id", FIGURES)
def test_the_figures_of_a_seat_say_what_they_are(id):
    game = GAMES[id]
    found = game.figures(game.setup(game.players[0], game.options()), 1)
    assert {name: (say(each.label, []), say(each.value, [])) for name, each in found.items()} == FIGURES[id]
