"""What no button offers is refused by the server in the words of the rules, with the rule; what was tapped stays, and nothing is booked."""

import json

import pytest
from conftest import make_evening
from web.looking import words

LINE = {"strength": "red,green,blue,yellow,purple"}
FIRST = {"up": "blue-2", "cards.0": "red-1", "cards.1": "green-9", "cards.2": "green-4", "cards.3": "purple-9"}
SHEET = {"cards.0": "blue-5", "cards.1": "blue-7", "cards.2": "green-3", "cards.3": "purple-2"}
GREEN = [(f"round-1-trick-{n}", {"trump": "green", "winner": "0"}) for n in range(1, 5)]
LAID = {"animal": "flyer", "value": "1", "cards.0": "[2,6]"}
HOME = [(f"stage-1-edge-{n}", {"animal": "flyer", "value": "4", "winner": "0"}) for n in (1, 2, 3)]
TRICKS = {f"tricks.{seat}": str(n) for seat, n in enumerate((4, 2, 2, 0))}


def exam(rule):
    return ("round-1-exam", {"trump": "green", "rule": rule})


CASES = {
    "a fifth trump": (
        "crazy-lab",
        {},
        GREEN,
        "round-1-trick-5",
        {"trump": "green", "winner": "1"},
        "green has been trump four times this round; there is no fifth card of it. LAB-8",
    ),
    "a fifth trump with cards": (
        "crazy-lab",
        {},
        GREEN,
        "round-1-trick-5-cards",
        {"trump": "green", **{f"cards.{n}.blue": "3" for n in range(3)}},
        "green has been trump four times this round; there is no fifth card of it. LAB-8",
    ),
    "one minus colour twice": (
        "crazy-lab",
        {},
        [],
        "round-1-minus",
        {"colours.0": "blue", "colours.1": "green", "colours.2": "blue"},
        "Ana and Cem cannot both have minus blue: there is one pile of each colour. LAB-2",
    ),
    "the own minus colour": (
        "crazy-lab",
        {},
        [("round-1-minus", {"colours.0": "blue", "colours.1": "green", "colours.2": "orange"})],
        "round-1-plus-0",
        {"colour": "blue"},
        "blue is the minus colour of Ana; the plus colour is one of the four others. LAB-3",
    ),
    "a card of an earlier trick": (
        "the-academy",
        {},
        [exam("pass-left"), ("round-1-trick-1-cards", SHEET)],
        "round-1-trick-2-cards",
        {"cards.0": "blue-1", "cards.1": "green-3", "cards.2": "blue-2", "cards.3": "blue-3"},
        "Cem played green 3 in trick 1. Every card is there once. ACA-7",
    ),
    "no trump, another rule": (
        "the-academy",
        {},
        [],
        "round-1-exam",
        {"trump": "null", "rule": "pass-left"},
        "Say which colour is trump; only under No trump there is none. ACA-2",
    ),
    "the purple 7 over the trump": (
        "the-academy",
        {},
        [exam("new-trump")],
        "round-1-trick-1",
        {"cover.as": "trump", "cover.card": "purple-7", "winner": "0"},
        "purple 7 is never laid over the exam; the Mastermind takes another card. ACA-14",
    ),
    "a Mastermind who covered and wins": (
        "the-academy",
        {},
        [exam("new-trump")],
        "round-1-trick-1",
        {"cover.as": "trump", "cover.card": "blue-1", "winner": "1"},
        "Ben covered instead of playing a card; somebody else takes this trick. ACA-7",
    ),
    "an exchange with another trick": (
        "the-academy",
        {},
        [exam("trick-exchange"), ("round-1-trick-1-cards", SHEET)],
        "round-1-trick-1-exchange",
        {"take": "blue-1", "give": "blue-2"},
        "blue 1 is not in the trick just taken; take one of its cards. ACA-3",
    ),
    "the purple 7 without a trick": (
        "the-academy",
        {},
        [],
        "round-1",
        {**TRICKS, "ace": "3", "rebel": "false"},
        "Dia has no trick; purple 7 lies with somebody who has one. ACA-14",
    ),
    "a Rebel without a trick": (
        "the-academy",
        {},
        [],
        "round-1",
        {**TRICKS, "ace": "0", "rebel": "true"},
        "Dia has no trick, so the Rebel cannot show three colours. ACA-10",
    ),
    "tricks that do not add up": (
        "the-academy",
        {},
        [],
        "round-1",
        {**TRICKS, "tricks.3": "3", "ace": "0", "rebel": "true"},
        "A round has 8 tricks, but these add up to 11. ACA-5",
    ),
    "roles swapped with oneself": (
        "the-academy",
        {},
        [exam("swap-roles")],
        "round-1-swap-roles",
        {"seat": "1"},
        "Ben is the Mastermind and swaps with somebody else. ACA-1",
    ),
    "a card of the first trick": (
        "tricky-cribby",
        LINE,
        [("trick-1", FIRST), *[(f"trick-1-pick-{n}", {"card": card, "tile": "red"}) for n, card in enumerate(FIRST.values(), 1)]],
        "trick-2",
        {"up": "green-1", "cards.0": "green-2", "cards.1": "purple-3", "cards.2": "red-1", "cards.3": "red-4"},
        "Ana played the red 1 in trick 1. It is in the game only once. Please look at the card again. CRI-2",
    ),
    "a card that is used": (
        "tricky-cribby",
        LINE,
        [("trick-1", FIRST), ("trick-1-pick-1", {"card": "blue-2", "tile": "red"})],
        "trick-1-pick-2",
        {"card": "blue-2", "tile": "red"},
        "Cem cannot use the blue 2: it does not lie face up in this trick.",
    ),
    "a tenth tile": (
        "tricky-cribby",
        LINE,
        [(f"take-{n}", {"side": "0", "tile": "red"}) for n in range(1, 10)],
        "take-10",
        {"side": "1", "tile": "red"},
        "All nine red tiles are taken, there is no tenth. Tiles are left in yellow, green, blue and purple. CRI-2",
    ),
    "a tile where nobody lands": (
        "tricky-cribby",
        {**LINE, "loop": ",".join(("red", "green", "blue", "yellow", "purple") * 9)},
        [("trick-1", FIRST)],
        "trick-1-pick-1",
        {"card": "blue-2", "tile": "red"},
        "Dia lands on green with the blue 2, not on red: the count starts after the front pawn and passes over emptied places. CRI-9",
    ),
    "a card that lies there already": (
        "crazy-race",
        {},
        [("stage-1-edge-1-cards", LAID)],
        "stage-1-edge-2-cards",
        {"animal": "flyer", "value": "1", "cards.0": "[2,6]"},
        "Cem has no further 6: laid at edge 1 of stage 1. RACE-3",
    ),
    "a fourth card in a stage": (
        "crazy-race",
        {},
        [],
        "stage-1-edge-1-cards",
        {"animal": "flyer", "value": "1", **{f"cards.{n}": f"[2,{card}]" for n, card in enumerate((1, 1, 2, 2))}},
        "Cem lays at most 3 cards in a stage, not 4. RACE-4",
    ),
    "an animal that is home": (
        "crazy-race",
        {},
        [*HOME, ("stage-1-edge-4", {"animal": "any", "value": "?", "winner": "null"})],
        "stage-2-edge-1",
        {"animal": "any", "value": "2", "winner": "0", "moves": json.dumps([["flyer", 2]], separators=(",", ":"))},
        "The flyer of Ana is home already and cannot move; choose another. RACE-16",
    ),
    "the fourth edge with three players": (
        "crazy-race",
        {},
        HOME,
        "stage-1-edge-4",
        {"animal": "flyer", "value": "1", "winner": "0"},
        "Three edges of this stage have cards already; with three players the fourth stays empty. RACE-5",
    ),
    "a “?” with an animal": (
        "crazy-race",
        {},
        [],
        "stage-1-edge-1",
        {"animal": "flyer", "value": "?", "winner": "0", "count": "3"},
        "A “?” stands at an edge without animal; for the flyer give a number from 1 to 4. RACE-11",
    ),
}


def table(app, game, options, entries):
    evening = make_evening(app, players=("Ben", "Cem", "Dia") if game in ("the-academy", "tricky-cribby") else ("Ben", "Cem"), watchers=())
    match = evening.start(game, **options)
    for n, (ask, fields) in enumerate(entries):
        answer = evening["Ana"].post(f"/m/{match}/act/{ask}", {"key": f"entered {n}", **fields})
        assert answer.status_code == 303, words(answer)
    return evening, match


@pytest.mark.parametrize("name", CASES)
def test_what_is_not_offered_is_refused_in_the_words_of_the_rules(app, name):
    game, options, entries, ask, fields, why = CASES[name]
    evening, match = table(app, game, options, entries)
    for more in ({}, {"headers": {"HX-Request": "true"}}):
        answer = evening["Ana"].post(f"/m/{match}/act/{ask}", {"key": "wrong entry", **fields}, **more)
        assert answer.status_code == 422
        assert why in words(answer)
    assert len(evening.seated(match).position.booked) == len(entries)


def test_a_correction_is_refused_in_the_same_words(app):
    game, options, entries, ask, fields, why = CASES["a fifth trump"]
    evening, match = table(app, game, options, [*entries, (ask, {"trump": "blue", "winner": "1"})])
    answer = evening["Ana"].post(f"/m/{match}/entries/5/amend", {"key": "wrong correction", **fields})
    assert answer.status_code == 409
    assert why in words(answer)
    assert evening.seated(match).position.state.tricks[-1].trump == "blue"


ODD = ["banana", "[0]", "[[[1]]]", "{}", "true", "-1", "99", "1e999", "NaN", '"', "<b>", "[" * 9000]


@pytest.mark.parametrize("name", CASES)
def test_nonsense_in_any_field_is_refused_in_words_and_costs_nothing(app, name):
    game, options, entries, ask, fields, _ = CASES[name]
    evening, match = table(app, game, options, entries)
    for field in fields:
        for n, odd in enumerate(ODD):
            answer = evening["Ana"].post(
                f"/m/{match}/act/{ask}", {"key": f"odd {field} {n}", **fields, field: odd}, headers={"HX-Request": "true"}
            )
            assert answer.status_code == 422, (field, odd[:20])
            assert 'role="alert"' in answer.get_data(as_text=True)
    assert len(evening.seated(match).position.booked) == len(entries)
