"""A correction begins with what was entered: every entry of every game can be opened, changed line by line, and sent as it stands."""

import random

import pytest
from conftest import make_evening
from games.walk import at_random
from web.looking import page, words

from companion.games import GAMES

pytestmark = pytest.mark.postgresql

PLAYERS = {"score-sheet": 3, "crazy-lab": 3, "ligretto-crazy": 3, "the-academy": 4, "tricky-cribby": 4, "crazy-race": 3}
NAMES = ["Ana", "Ben", "Cem", "Dia"]


def played(app, game, seed, entries=24, **options):
    """A match with random entries of all kinds, typed by the host."""
    evening = make_evening(app, players=NAMES[1:], watchers=())
    match, chance = evening.start(game, seats=NAMES[: PLAYERS[game]], **options), random.Random(seed)
    store, host, tried = app.extensions["companion"].store, evening.person("Ana").id, {}
    for n in range(entries):
        position = store.match(match).position
        asks = position.game.asks(position.state)
        if not asks:
            break
        ask = min(
            chance.sample(asks, len(asks)),
            key=lambda ask: tried.get(ask.do, 0) + (5 if ask.do in ("round", "count", "end", "final") else 0),
        )
        tried[ask.do] = tried.get(ask.do, 0) + 1
        store.act(match, ask.id, at_random(chance, ask.form), host, f"random entry {n}")
    return evening, match


def is_anothers_secret(evening, match, booked):
    return evening.seated(match).position.seen_by(frozenset({0})).entry(booked.line.n).action is None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", PLAYERS)
def test_every_entry_can_be_opened_and_changed_line_by_line(app, game, seed):
    evening, match = played(app, game, seed)
    ana, position = evening["Ana"], evening.seated(match).position
    for booked in position.booked:
        n = booked.line.n
        assert ana.get(f"/m/{match}/entries/{n}").status_code == 200
        if is_anothers_secret(evening, match, booked):
            continue
        filled = ana.get(f"/m/{match}/ask/x?of={n}&rest=1")
        assert filled.status_code == 200, booked.action
        lines = [link for link in page(filled).links if f"of={n}" in link and "rest" not in link]
        for line in lines[:1] + lines[-1:]:
            step = ana.get(line)
            assert step.status_code == 200, line
            further = [link for link in page(step).links if f"of={n}" in link and "rest" in link and "a=" in link]
            assert not further or ana.get(further[-1]).status_code == 200, line


@pytest.mark.parametrize("game", sorted(set(PLAYERS) - {"ligretto-crazy", "score-sheet"}))  # which have only numbers to type
def test_a_correction_sent_as_it_stands_changes_no_number(app, game):
    evening, match = played(app, game, "as it stands")
    ana, before = evening["Ana"], evening.seated(match).position
    for booked in before.booked:
        if is_anothers_secret(evening, match, booked):
            continue
        forms = [form for form in page(ana.get(f"/m/{match}/ask/x?of={booked.line.n}&rest=1")).forms if form.action.endswith("/amend")]
        assert len(forms) == 1, booked.action
        answer = ana.post(forms[0].action, forms[0].data)
        assert answer.status_code in (303, 409), words(answer)
        assert answer.status_code == 303 or "has chosen in secret after this entry" in words(answer)
    after = evening.seated(match).position
    assert [entry.action for entry in after.booked] == [entry.action for entry in before.booked]
    assert after.state == before.state


def test_changing_one_answer_keeps_those_that_still_fit(app):
    evening = make_evening(app, watchers=())
    match = evening.start("crazy-race")
    fields = {"animal": "any", "value": "2", "winner": "0", "moves": '[["flyer",2]]', "key": "the first edge"}
    assert evening["Ana"].post(f"/m/{match}/act/stage-1-edge-1", fields).status_code == 303
    address = f"/m/{match}/ask/x?of=1&rest=1&a=%22any%22&a="
    winner = evening["Ana"].get(address + "2&a=1")
    assert "any animal change Points 2 change Winner Ben change What does Ben move? flyer +2" in words(winner)
    value = words(evening["Ana"].get(address + "3"))
    assert "What does Ana move?" in value  # two points no longer fit
    assert "→ space 3" in value


def test_a_correction_that_is_refused_stays_as_it_was_chosen(app):
    evening = make_evening(app, watchers=())
    match = evening.start("crazy-race")
    for n, (ask, cards) in enumerate((("stage-1-edge-1-cards", "[0,6]"), ("stage-1-edge-2-cards", "[1,6]"))):
        fields = {"animal": "flyer", "value": "2", "cards.0": cards, "key": f"the edge {n}"}
        assert evening["Ana"].post(f"/m/{match}/act/{ask}", fields).status_code == 303
    changed = {"animal": "reptile", "value": "4", "cards.0": "[1,6]", "key": "a correction"}
    answer = evening["Ana"].post(f"/m/{match}/entries/1/amend", changed, htmx=True)
    assert answer.status_code == 409
    assert "A later entry (number 2) would no longer be right: Ben has no further 6: laid at edge 1 of stage 1." in words(answer)
    assert "reptile change Points 4 change Next card laid here Ben 6 change" in words(answer)


def test_every_game_has_entries_to_correct(app):
    assert set(PLAYERS) == set(GAMES)
