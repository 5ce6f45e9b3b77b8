"""The Academy: every rule and ruling of its rules of record, by what the engine makes of it."""

from __future__ import annotations

import json
from dataclasses import fields as fields_of
from dataclasses import replace
from pathlib import Path

import pytest

import companion.games
from companion.games import read_action, read_options, replay, resolve
from companion.games.base import SKIP, RuleError, Text, say
from companion.games.cards import Card
from companion.games.record import write
from companion.games.the_academy import GAME
from companion.games.the_academy.model import ACE, COLOURS, DECK, ROLES, ROUND_RULES, Rules, State, Taken

NAMES = ["Bianca", "Xavier", "Tyler", "Enid"]
B, X, T, E = range(4)
EXAMPLE = Path(companion.games.__file__).parent / "examples" / "the-academy.json"


# ---- the table -------------------------------------------------------------------------------------------------------


def exam(rule="face-down", trump="green"):
    return {"do": "exam", "trump": trump, "rule": rule}


def cards(*names, **more):
    return {"do": "trick", "cards": list(names), **more}


def tap(winner, **more):
    return {"do": "trick", "winner": winner, **more}


def over_trump(card):
    return {"as": "trump", "card": card}


def over_rule(card, rule):
    return {"as": "rule", "card": card, "rule": rule}


def swap(take, give):
    return {"do": "exchange", "take": take, "give": give}


def end(tricks=None, rebel=False, ace=X, **more):
    return {"do": "round", **({} if tricks is None else {"tricks": tricks}), "rebel": rebel, "ace": ace, **more}


def eight(*winners, leader=B):
    """Tricks of one colour each, two a colour in deck order, the highest card by the winner; the purple 7 is in trick 6."""
    tricks = []
    for n, winner in enumerate(winners):
        low = 5 if n % 2 else 1
        order = [low, low + 1, low + 2]
        order.insert((winner - leader) % 4, low + 3)
        tricks.append(cards(*(str(Card(COLOURS[n // 2], value)) for value in order)))
        leader = winner
    return tricks


SHEET = cards("blue-5", "blue-7", "green-3", "purple-2")


def match(*actions, **options):
    record = {"format": "companion-record/1", "game": "the-academy", "players": NAMES, "options": options, "actions": list(actions)}
    return replay(record)


def start(*actions, **options):
    """The state after these actions."""
    state = GAME.setup(4, read_options(GAME, options, 4))
    for action in actions:
        state = step(state, action).state
    return state


def step(state, action):
    return GAME.apply(state, read_action(GAME, action, 4))


def story(state, action):
    return [(say(note.text, NAMES), note.rule) for note in step(state, action).notes]


def refused(state, action):
    with pytest.raises(RuleError) as caught:
        step(state, action)
    return caught.value.rule, say(caught.value.text, NAMES)


def ask(state, id):
    return {ask.id: ask for ask in GAME.asks(state)}[id]


def shown(field):
    """A field in words: where, what, how, and whether it may be left out."""
    return field.name, list(field.values), say(field.text, NAMES), field.kind, field.optional


def fill(ask, *answers):
    """The fields of a form as they come up, and the action at its end or None."""
    form, seen = ask.form(), []
    try:
        seen.append(next(form))
        for answer in answers:
            seen.append(form.send(answer))
    except StopIteration as done:
        return seen, done.value
    return seen, None


def all_but(*names):
    return [name for name in DECK if name not in names]


# ---- set-up, roles, exam ---------------------------------------------------------------------------------------------


def test_the_captain_leads_and_the_roles_sit_clockwise():
    """ACA-1."""
    assert match()["roles"] == ["captain", "mastermind", "teamplayer", "rebel"]
    assert match()["leader"] == B
    assert ROLES == ("captain", "mastermind", "teamplayer", "rebel")


@pytest.mark.parametrize("captain", range(4))
def test_any_seat_can_be_the_first_captain(captain):
    """Y11: however the table draws, the app takes the seat."""
    told = match(captain=captain)
    assert told["leader"] == told["roles"].index("captain") == captain
    assert told["roles"].index("mastermind") == (captain + 1) % 4


@pytest.mark.parametrize("players", [3, 5])
def test_four_play(players):
    """Y12."""
    told = replay({"format": "companion-record/1", "game": "the-academy", "players": ["Ana"] * players, "actions": []})
    assert told == {"error": {"action": -1, "rule": "Y12", "message": f"The Academy is for 4 players, not for {players}."}}


def test_the_deck_has_thirty_six_cards_with_one_purple_seven():
    """ACA-5, ACA-14: four exam cards and eight in each hand."""
    assert len(DECK) == 36 == 4 + 4 * 8
    assert str(ACE) == "purple-7"
    assert COLOURS == ("blue", "green", "purple", "orange")


def test_a_fresh_match():
    assert match() == {
        "game": "the-academy",
        "players": NAMES,
        "rounds": [],
        "finished": False,
        "totals": [0, 0, 0, 0],
        "winners": [],
        "warnings": [],
        "roles": ["captain", "mastermind", "teamplayer", "rebel"],
        "leader": B,
    }


@pytest.mark.parametrize(
    "options", [{"captain": 4}, {"captain": -1}, {"new_trump": "twice"}, {"revoke": "replay"}, {"rounds": 3}, {"captain": None}]
)
def test_an_option_that_is_none(options):
    assert match(**options)["error"]["action"] == -1
    assert match(**options)["error"]["rule"] == "RECORD"


def test_the_house_rules_in_words():
    words = {
        rule.name: (
            rule.default,
            say(rule.metadata["text"], []),
            {value: say(text, []) for value, text in rule.metadata["choices"].items()},
        )
        for rule in fields_of(Rules)
    }
    assert words == {
        "captain": (0, "The first Captain", {}),
        "new_trump": ("unlimited", "How often New trump can be used", {"unlimited": "any number of times", "once": "once a round"}),
        "revoke": ("warn", "A colour shown after it was not followed", {"warn": "gets a warning", "ignore": "is left to the table"}),
    }


RULES_IN_WORDS = {
    "pass-left": "Pass left: before every trick, everybody gives one card to the left neighbour.",
    "face-down": "Face down: the Mastermind may play face down unless leading; all look when everybody has played.",
    "new-trump": "New trump: instead of playing a card, the Mastermind may lay it over the trump.",
    "swap-hands": "Swap hands: once, before a trick, the Mastermind may swap whole hands with anybody.",
    "blind-swap": "Blind swap: before each trick, the Mastermind may swap a card for one drawn unseen from another hand.",
    "swap-roles": "Swap roles: before trick 1, the Mastermind may swap roles with anybody for this round.",
    "no-trump": "No trump: only the led colour counts.",
    "new-rule": "New rule: once, instead of playing a card, the Mastermind may lay it over the round rule.",
    "joint-award": "Joint award: Mastermind and Rebel get one more award each if they take more tricks than the two others.",
    "trick-exchange": "Trick exchange: after a trick somebody else takes, the Mastermind may swap a hand card with one of its cards.",
    "last-trick-award": "Last trick award: whoever takes trick 8 gets one more award.",
}


@pytest.mark.parametrize("rule", RULES_IN_WORDS)
def test_the_exam_tells_the_trump_and_the_round_rule(rule):
    """ACA-2, ACA-3; Y6: how the cards are passed is said in words, not asked for."""
    trump = "There is no trump this round." if rule == "no-trump" else "Trump is green."
    assert story(start(), exam(rule)) == [(trump, "ACA-2"), (RULES_IN_WORDS[rule], "ACA-3")]
    assert list(ROUND_RULES) == list(RULES_IN_WORDS)


@pytest.mark.parametrize("opening", [{"trump": None}, {}, {"trump": "blue"}])
def test_under_no_trump_the_colour_is_null_left_out_or_without_effect(opening):
    """ACA-2, ACA-7, case 5: the teamplayer's card lies face down."""
    state = start({"do": "exam", "rule": "no-trump", **opening}, cards("purple-5", "purple-7", "blue-3", "green-2"))
    assert state.trump is None
    assert state.leader == X


def test_case_4_the_exam_takes_one_colour_and_one_rule():
    """ACA-2: the cards that are left over are never asked for."""
    (rule, trump), action = fill(ask(start(), "round-1-exam"), "swap-hands", "green")
    assert shown(rule) == ("rule", list(ROUND_RULES), "Round rule", "word", False)
    assert shown(trump) == ("trump", ["blue", "green", "purple", "orange"], "Trump", "word", False)
    assert action == {"do": "exam", "trump": "green", "rule": "swap-hands"}


@pytest.mark.parametrize(("answer", "action"), [(None, {"trump": None}), (SKIP, {}), ("blue", {"trump": "blue"})])
def test_under_no_trump_the_exam_offers_to_name_no_colour(answer, action):
    (_, trump), filled = fill(ask(start(), "round-1-exam"), "no-trump", answer)
    assert shown(trump) == ("trump", ["blue", "green", "purple", "orange", None], "Trump", "word", True)
    assert filled == {"do": "exam", **action, "rule": "no-trump"}


@pytest.mark.parametrize(
    "action",
    [
        {"do": "exam", "trump": "green"},
        {"do": "exam", "trump": "red", "rule": "new-rule"},
        {"do": "exam", "trump": "green", "rule": "purple-7"},
        {"do": "exam", "trump": "green", "rule": None},
        {"do": "trick", "cards": ["red-4"] * 4},
        {"do": "trick", "cards": None, "winner": 1},
        {"do": "trick", "cards": ["blue-1", None, "blue-2", "blue-3"]},
        {"do": "trick", "winner": 4},
        {"do": "trick", "winner": 2, "cover": None},
        {"do": "trick", "winner": 2, "cover": {"as": "hand", "card": "blue-1"}},
        {"do": "trick", "winner": 2, "cover": {"card": "blue-1"}},
        {"do": "trick", "winner": 2, "cover": {"as": "trump", "card": "blue-1", "rule": None}},
        {"do": "trick", "winner": 2, "cover": {"as": "trump", "card": "blue-1", "to": 1}},
        {"do": "trick", "winner": 2, "cover": {"as": "trump", "over": "trump", "card": "blue-1"}},
        {"do": "round", "tricks": [2, 2, 2, 2], "ace": 1},
        {"do": "round", "tricks": [2, 2, 2, 2], "rebel": True},
        {"do": "round", "tricks": [2, 2, 2, 2], "rebel": 1, "ace": 1},
        {"do": "round", "tricks": [4, 4], "rebel": True, "ace": 1},
        {"do": "round", "tricks": [2, 2, 2, 2], "rebel": True, "ace": 1, "last": None},
        {"do": "round", "tricks": None, "rebel": True, "ace": 1},
        {"do": "swap-roles", "seat": True},
        {"do": "exchange", "take": "blue-1"},
        {"do": "hand", "seat": 1},
    ],
)
def test_what_is_no_report_of_this_game(action):
    told = match(exam("new-trump"), action)
    assert told["error"]["action"] == 1
    assert told["error"]["rule"] == "RECORD"


# ---- refusals --------------------------------------------------------------------------------------------------------

UNDER_NEW_RULE = (exam("new-rule"), cards("blue-1", "blue-2", "blue-3", cover=over_rule("orange-1", "new-rule")))
EXCHANGE = exam("trick-exchange")
SEEN = "{} was shown in this round before; every card is there once."
SIGHTED = "{} in trick 1. Every card is there once."
ONLY_NEW_TRUMP = "A card covers the trump only under the round rule New trump; the Mastermind plays to the trick."
ONLY_NEW_RULE = "A card covers the round rule only under the round rule New rule; the Mastermind plays to the trick."
NAMED_RULE = "Name the new round rule with a card laid over the rule, and only then."
ADD_UP = "A round has 8 tricks, but these add up to {}."

REFUSALS = [
    # the exam
    ([exam()], exam(), "ACA-2", "The exam of this round is set already; undo it to change it."),
    ([], exam(trump=None), "ACA-2", "Say which colour is trump; only under No trump there is none."),
    ([], {"do": "exam", "rule": "new-trump"}, "ACA-2", "Say which colour is trump; only under No trump there is none."),
    ([], SHEET, "ACA-2", "Before the first trick, say which trump and which round rule lie behind the display."),
    ([], tap(X), "ACA-2", "Before the first trick, say which trump and which round rule lie behind the display."),
    # roles
    ([exam()], {"do": "swap-roles", "seat": 3}, "ACA-3", "Roles are swapped only while the round rule Swap roles lies behind the display."),
    ([], {"do": "swap-roles", "seat": 3}, "ACA-3", "Roles are swapped only while the round rule Swap roles lies behind the display."),
    (
        [exam("swap-roles"), tap(X)],
        {"do": "swap-roles", "seat": 3},
        "Y5",
        "Roles are swapped before trick 1; now it is too late for this round.",
    ),
    (
        [exam("swap-roles"), {"do": "swap-roles", "seat": 3}],
        {"do": "swap-roles", "seat": 1},
        "Y5",
        "The roles were swapped already; once a round is all.",
    ),
    ([exam("swap-roles")], {"do": "swap-roles", "seat": 1}, "ACA-1", "Xavier is the Mastermind and swaps with somebody else."),
    # tricks
    ([exam()], {"do": "trick"}, "RECORD", "A trick needs its cards or its winner."),
    ([exam()], cards(*SHEET["cards"][:3]), "ACA-5", "This trick has 4 cards, one of everybody who plays to it, not 3."),
    ([exam()], cards(*SHEET["cards"], "blue-9"), "ACA-5", "This trick has 4 cards, one of everybody who plays to it, not 5."),
    ([exam()], cards("blue-5", "blue-7", "blue-5", "blue-1"), "ACA-7", SEEN.format("blue 5")),
    ([exam(), SHEET], cards("blue-1", "blue-2", "green-3", "blue-3"), "ACA-7", SIGHTED.format("Tyler played green 3")),
    (
        [exam(), *eight(X, X, X, X, X, X, X), tap(X)],
        tap(X),
        "ACA-5",
        "All eight tricks are in; now say who has the purple 7 and whether the Rebel shows three colours.",
    ),
    (
        [exam(), *eight(X, X, X, X, X), cards("purple-9", "purple-8", "purple-6", "purple-5"), *eight(*[X] * 8)[6:7]],
        cards("orange-5", "orange-6", "orange-8", "orange-7"),
        "ACA-14",
        "All eight tricks are in, but nobody played purple 7; it is in somebody's hand in every round.",
    ),
    # claims
    ([exam()], {**SHEET, "winner": X}, "ACA-7", "Xavier does not win this. Tyler wins: green 3 is the highest trump in the trick."),
    (
        [exam("new-trump", "orange")],
        cards("blue-5", "blue-7", "blue-3", cover=over_trump("green-1"), winner=X),
        "ACA-7",
        "Xavier does not win this. Tyler wins: nobody played a trump, and blue 7 is the highest card of the led colour.",
    ),
    # covers
    ([exam()], tap(T, cover=over_trump("blue-1")), "ACA-3", ONLY_NEW_TRUMP),
    ([exam("new-rule")], tap(T, cover=over_trump("blue-1")), "ACA-3", ONLY_NEW_TRUMP),
    ([exam()], tap(T, cover=over_rule("blue-1", "no-trump")), "ACA-3", ONLY_NEW_RULE),
    ([exam("new-trump")], tap(T, cover=over_rule("blue-1", "no-trump")), "ACA-3", ONLY_NEW_RULE),
    ([exam("new-rule")], tap(T, cover={"as": "rule", "card": "blue-1"}), "RECORD", NAMED_RULE),
    ([exam("new-trump")], tap(T, cover={"as": "trump", "card": "blue-1", "rule": "no-trump"}), "RECORD", NAMED_RULE),
    (
        [exam("new-trump")],
        tap(T, cover=over_trump("purple-7")),
        "ACA-14",
        "purple 7 is never laid over the exam; the Mastermind takes another card.",
    ),
    (
        [exam("new-rule")],
        tap(T, cover=over_rule("purple-7", "no-trump")),
        "ACA-14",
        "purple 7 is never laid over the exam; the Mastermind takes another card.",
    ),
    ([exam("new-trump"), SHEET], tap(T, cover=over_trump("blue-5")), "ACA-7", SIGHTED.format("Bianca played blue 5")),
    ([exam("new-trump")], cards("blue-5", "blue-7", "blue-8", cover=over_trump("blue-8")), "ACA-7", SEEN.format("blue 8")),
    (
        [exam("new-trump"), tap(B, cover=over_trump("blue-8"))],
        cards("blue-5", "blue-7", "blue-8", "blue-9"),
        "ACA-7",
        SIGHTED.format("Xavier laid blue 8 over the exam"),
    ),
    (
        [exam("new-trump")],
        tap(X, cover=over_trump("blue-1")),
        "ACA-7",
        "Xavier covered instead of playing a card; somebody else takes this trick.",
    ),
    (
        [exam("new-trump")],
        cards(*SHEET["cards"], cover=over_trump("blue-1")),
        "ACA-5",
        "This trick has 3 cards, one of everybody who plays to it, not 4.",
    ),
    (UNDER_NEW_RULE, tap(T, cover=over_rule("blue-9", "no-trump")), "Y7", "The round rule was covered already; that goes once a round."),
    (
        [exam("new-rule"), tap(T, cover=over_rule("blue-9", "joint-award"))],
        tap(T, cover=over_rule("blue-8", "no-trump")),
        "Y7",
        "The round rule was covered already; that goes once a round.",
    ),
    # exchanges
    ([exam(), SHEET], swap("blue-5", "blue-1"), "ACA-3", "A card of a trick is exchanged only under the round rule Trick exchange."),
    ([EXCHANGE], swap("blue-5", "blue-1"), "ACA-3", "A card is exchanged after a trick; enter trick 1 first."),
    ([EXCHANGE, tap(T)], swap("blue-5", "blue-1"), "RECORD", "The cards of this trick are not entered, so an exchange needs no entry."),
    (
        [EXCHANGE, cards("blue-1", "blue-2", "orange-1", "orange-2")],
        swap("blue-1", "blue-9"),
        "ACA-3",
        "Xavier took this trick and exchanges only with tricks of others.",
    ),
    (
        [EXCHANGE, SHEET, swap("blue-5", "blue-1")],
        swap("blue-7", "blue-2"),
        "ACA-3",
        "A card of this trick was exchanged already; one a trick is all.",
    ),
    (
        [EXCHANGE, *[tap(T)] * 7, SHEET | {"cards": ["blue-5", "purple-2", "blue-7", "green-3"]}],
        swap("blue-5", "blue-1"),
        "ACA-5",
        "After trick 8 nobody has a card left to exchange.",
    ),
    ([EXCHANGE, SHEET], swap("blue-9", "blue-1"), "ACA-3", "blue 9 is not in the trick just taken; take one of its cards."),
    (
        [EXCHANGE, SHEET, cards("blue-4", "blue-2", "blue-3", "blue-1")],
        swap("blue-5", "blue-6"),
        "ACA-3",
        "blue 5 is not in the trick just taken; take one of its cards.",
    ),
    ([EXCHANGE, SHEET], swap("blue-5", "blue-7"), "ACA-7", SIGHTED.format("Xavier played blue 7")),
    ([EXCHANGE, SHEET], swap("blue-5", "blue-5"), "ACA-7", SIGHTED.format("Bianca played blue 5")),
    # outcomes
    ([], end([2, 2, 2, 1]), "ACA-5", ADD_UP.format(7)),
    ([], end([2, 2, 2, 3]), "ACA-5", ADD_UP.format(9)),
    ([], end(), "ACA-5", "Say how many tricks everybody took; not all eight are entered."),
    ([exam(), *[tap(X)] * 7], end(), "ACA-5", "Say how many tricks everybody took; not all eight are entered."),
    ([exam(), tap(B)], end([0, 4, 4, 0]), "ACA-8", "1 trick of Bianca is entered already; 0 cannot be right."),
    ([exam(), tap(E), tap(E)], end([3, 4, 0, 1]), "ACA-8", "2 tricks of Enid are entered already; 1 cannot be right."),
    ([exam(), *[tap(X)] * 4, *[tap(T)] * 4], end([0, 3, 5, 0]), "ACA-8", "4 tricks of Xavier are entered already; 3 cannot be right."),
    ([], end([4, 0, 4, 0], ace=X), "ACA-14", "Xavier has no trick; purple 7 lies with somebody who has one."),
    ([exam(), *[tap(T)] * 8], end(ace=X), "ACA-14", "Xavier has no trick; purple 7 lies with somebody who has one."),
    (
        [exam(), cards("blue-1", "purple-7", "blue-2", "blue-3")],
        end([2, 2, 2, 2], ace=T),
        "ACA-14",
        "purple 7 is in a trick of Enid, not of Tyler.",
    ),
    ([exam(), SHEET], end([3, 4, 1, 0], ace=T), "ACA-14", "All cards that Tyler won are entered, and purple 7 is not among them."),
    ([], end([4, 4, 0, 0], rebel=True), "ACA-10", "Enid has no trick, so the Rebel cannot show three colours."),
    (
        [exam("no-trump"), cards("blue-1", "green-2", "blue-2", "blue-3")],
        end([4, 3, 0, 1], rebel=True),
        "ACA-10",
        "All cards that Enid won are entered, and they show fewer than three colours.",
    ),
    (
        [exam("no-trump"), cards("blue-1", "green-2", "orange-2", "blue-3")],
        end([4, 3, 0, 1]),
        "ACA-10",
        "The cards that Enid won show three colours; the Rebel's goal is met.",
    ),
    (
        [exam("no-trump"), cards("blue-1", "green-2", "blue-2", "blue-3")],
        end([4, 2, 0, 2], ace=E),
        "ACA-10",
        "The cards that Enid won show three colours; the Rebel's goal is met.",
    ),
    ([exam("last-trick-award")], end([2, 2, 2, 2]), "ACA-16", "Say who took the last trick: it brings one more award in this round."),
    ([], end([4, 4, 0, 0], last=T), "ACA-8", "Tyler has no trick and cannot have taken the last one."),
    ([exam(), *[tap(X)] * 7, tap(T)], end(last=X), "ACA-8", "Tyler took the last trick, not Xavier."),
    ([exam(), tap(T)], end([3, 4, 1, 0], last=T), "ACA-8", "All tricks of Tyler are entered, and the last one is not among them."),
]


@pytest.mark.parametrize(("before", "action", "rule", "message"), REFUSALS)
def test_a_refusal_says_why_and_changes_nothing(before, action, rule, message):
    """ACA-2, ACA-3, ACA-5, ACA-7, ACA-8, ACA-10, ACA-14, Y5, Y7; case 17."""
    told = match(*before, action)
    assert told == {"error": {"action": len(before), "rule": rule, "message": message}}
    state = start(*before)
    assert refused(state, action) == (rule, message)
    assert state == start(*before)


# ---- who takes a trick -----------------------------------------------------------------------------------------------


def test_case_1_the_highest_trump_wins_and_leads():
    """ACA-6, ACA-7, ACA-8."""
    told = match(exam(), SHEET)
    assert told["leader"] == T
    assert story(start(exam()), SHEET) == [("Tyler takes trick 1 and leads the next.", "ACA-8")]


def test_case_5_without_trump_the_highest_card_of_the_led_colour():
    """ACA-7."""
    assert match(exam("no-trump"), SHEET)["leader"] == X


def test_case_3_the_leader_stays_whatever_happens_to_the_hands():
    """ACA-8: the winner leads; swapped hands are no entry."""
    state = start(exam("swap-hands"), SHEET)
    assert state.leader == T
    assert [each.do for each in GAME.asks(state)] == ["trick", "trick", "round"]


def test_the_winner_leads_the_next_trick_and_the_order_goes_on_clockwise():
    """ACA-8."""
    assert match(exam(), SHEET, cards("orange-1", "orange-9", "orange-2", "orange-3"))["leader"] == E


def test_a_right_claim_passes():
    assert match(exam(), {**SHEET, "winner": T})["leader"] == T


def test_both_depths_mix_and_a_tapped_winner_leads():
    """ACA-8."""
    state = start(exam(), tap(E), cards("blue-1", "blue-2", "blue-9", "blue-3"))
    assert state.tricks == (Taken(E, None), Taken(X, (DECK["blue-1"], DECK["blue-2"], DECK["blue-9"], DECK["blue-3"])))
    assert story(state, tap(B)) == [("Bianca takes trick 3 and leads the next.", "ACA-8")]


def test_the_last_trick_leads_nowhere():
    """ACA-5, ACA-8."""
    state = start(exam(), *[tap(X)] * 7)
    assert story(state, tap(T)) == [("Tyler takes trick 8, the last one.", "ACA-8")]
    assert match(exam(), *[tap(X)] * 7, tap(T))["leader"] == T
    assert step(start(exam(), *[tap(B)] * 7), SHEET).notes[0].verdict.winner == T


QUESTION = {"game": "the-academy", "players": NAMES, "trump": "green", "cards": SHEET["cards"]}


def test_a_verdict_argues_card_by_card():
    """ACA-7."""
    assert resolve(QUESTION) == {
        "winner": T,
        "why": [
            {"text": "Bianca has blue 5, but every trump beats the led colour: Tyler played green 3.", "rule": "ACA-7"},
            {"text": "Xavier has blue 7, but every trump beats the led colour: Tyler played green 3.", "rule": "ACA-7"},
            {"text": "Tyler wins: green 3 is the highest trump in the trick.", "rule": "ACA-7"},
            {"text": "Enid has purple 2, neither the led colour nor trump: that never wins.", "rule": "ACA-7"},
        ],
    }


VERDICTS = [
    (
        {"trump": None},
        X,
        "Bianca has blue 5, lower than blue 7.",
        "Xavier wins: there is no trump, and blue 7 is the highest card of the led colour.",
        "Tyler has green 3; blue was led, and another colour wins only as trump.",
        "Enid has purple 2; blue was led, and another colour wins only as trump.",
    ),
    (
        {"trump": "orange"},
        X,
        "Bianca has blue 5, lower than blue 7.",
        "Xavier wins: nobody played a trump, and blue 7 is the highest card of the led colour.",
        "Tyler has green 3; blue was led, and another colour wins only as trump.",
        "Enid has purple 2; blue was led, and another colour wins only as trump.",
    ),
    (
        {"cards": ["green-9", "blue-7", "green-3", "purple-2"]},
        B,
        "Bianca wins: green 9 is the highest trump in the trick.",
        "Xavier has blue 7, neither the led colour nor trump: that never wins.",
        "Tyler has green 3, a lower trump than green 9.",
        "Enid has purple 2, neither the led colour nor trump: that never wins.",
    ),
    (
        {"leader": E},
        X,
        "Enid has blue 5, but every trump beats the led colour: Xavier played green 3.",
        "Bianca has blue 7, but every trump beats the led colour: Xavier played green 3.",
        "Xavier wins: green 3 is the highest trump in the trick.",
        "Tyler has purple 2, neither the led colour nor trump: that never wins.",
    ),
]


@pytest.mark.parametrize(("changes", "winner", "why"), [(changes, winner, why) for changes, winner, *why in VERDICTS])
def test_verdicts(changes, winner, why):
    """ACA-7."""
    answer = resolve({**QUESTION, **changes})
    assert answer["winner"] == winner
    assert [reason["text"] for reason in answer["why"]] == why
    assert {reason["rule"] for reason in answer["why"]} == {"ACA-7"}


def test_a_mastermind_who_covered_is_argued_too():
    """ACA-7, case 6."""
    answer = resolve({**QUESTION, "trump": "purple", "cards": ["blue-5", None, "green-3", "purple-2"]})
    assert answer["winner"] == E
    assert answer["why"][-1] == {"text": "Xavier covered instead of playing and has no card that could win.", "rule": "ACA-7"}
    assert len(answer["why"]) == 4


def test_where_a_leader_covered_the_next_sets_the_colour():
    """Y2."""
    answer = resolve({**QUESTION, "leader": X, "cards": [None, "blue-5", "orange-9", "blue-4"]})
    assert answer["winner"] == T
    assert answer["why"][-1] == {"text": "Xavier covered instead of leading, so Tyler led and set the colour.", "rule": "Y2"}


def test_the_follower_of_the_last_seat_is_the_first():
    """Y2."""
    answer = resolve({**QUESTION, "leader": E, "cards": [None, "blue-5", "orange-9", "blue-4"]})
    assert answer["winner"] == B
    assert answer["why"][-1]["text"] == "Enid covered instead of leading, so Bianca led and set the colour."


@pytest.mark.parametrize(("claim", "right"), [(T, True), (X, False), (B, False)])
def test_a_claim_in_a_dispute(claim, right):
    assert resolve({**QUESTION, "claim": claim})["right"] is right


@pytest.mark.parametrize(
    ("changes", "rule", "message"),
    [
        ({"cards": SHEET["cards"][:3]}, "ACA-5", "A trick has 4 cards, with null in the place of a Mastermind who covered."),
        ({"cards": [*SHEET["cards"], "blue-1"]}, "ACA-5", "A trick has 4 cards, with null in the place of a Mastermind who covered."),
        ({"cards": ["blue-5", None, None, "blue-1"]}, "ACA-1", "Only the Mastermind can cover; everybody else plays a card."),
        ({"cards": ["blue-5", "blue-1", "blue-5", "blue-2"]}, "ACA-7", SEEN.format("blue 5")),
        ({"trump": "red"}, "RECORD", "In the question, “trump” must be one of blue, green, purple and orange."),
        ({"players": NAMES[:3]}, "Y12", "The Academy is for 4 players, not for 3."),
        ({"cards": None}, "RECORD", "In the question, “cards” cannot be null."),
    ],
)
def test_a_dispute_that_cannot_be(changes, rule, message):
    assert resolve({**QUESTION, **changes}) == {"error": {"action": -1, "rule": rule, "message": message}}


def test_a_dispute_needs_its_trump_even_if_there_is_none():
    asked = {name: value for name, value in QUESTION.items() if name != "trump"}
    assert resolve(asked)["error"]["message"] == "In the question, “trump” is missing."


def test_the_note_of_a_trick_carries_the_verdict():
    note = step(start(exam()), SHEET).notes[0]
    assert note.verdict.winner == T
    assert [reason.seat for reason in note.verdict.why] == [B, X, T, E]
    assert step(start(exam()), tap(T)).notes[0].verdict is None


# ---- covers ----------------------------------------------------------------------------------------------------------


def test_case_6_a_new_trump_works_for_this_very_trick():
    """ACA-3: behind the display the card is the trump; ACA-5: a trick of three cards is a trick."""
    state = start(exam("new-trump"))
    covered = cards("blue-5", "green-3", "purple-2", cover=over_trump("purple-9"))
    assert story(state, covered) == [
        ("Xavier lays purple 9 over the trump; purple is trump at once.", "ACA-3"),
        ("Enid takes trick 1 and leads the next.", "ACA-8"),
    ]
    after = step(state, covered).state
    assert (after.leader, after.trump, len(after.tricks)) == (E, "purple", 1)
    assert [reason.seat for reason in step(state, covered).notes[1].verdict.why] == [B, T, E, X]


def test_a_new_trump_stays():
    assert match(exam("new-trump"), tap(T, cover=over_trump("orange-1")), cards("blue-9", "orange-2", "blue-1", "blue-2"))["leader"] == E


def test_y1_new_trump_any_number_of_times():
    state = start(exam("new-trump"), tap(T, cover=over_trump("orange-1")), tap(T, cover=over_trump("blue-1")))
    assert state.trump == "blue"


def test_y1_new_trump_once_as_a_house_rule():
    before = [exam("new-trump"), tap(T, cover=over_trump("orange-1"))]
    told = match(*before, tap(T, cover=over_trump("blue-1")), new_trump="once")
    message = "The trump was covered in this round already; with your house rule that goes once."
    assert told == {"error": {"action": 2, "rule": "Y1", "message": message}}
    state = start(*before, new_trump="once")
    assert [field.name for field in fill(ask(state, "round-1-trick-2"))[0]] == ["winner"]


def test_y1_once_is_once_a_round():
    once = [exam("new-trump"), tap(T, cover=over_trump("orange-1")), end([2, 3, 2, 1])]
    assert start(*once, exam("new-trump"), tap(B, cover=over_trump("orange-1")), new_trump="once").trump == "orange"


def test_y2_a_leading_mastermind_who_covers_lets_the_next_player_lead():
    state = start(exam("new-trump"), tap(X))
    covered = cards("blue-5", "orange-9", "blue-6", cover=over_trump("green-1"))
    assert story(state, covered) == [
        ("Xavier lays green 1 over the trump; green is trump at once.", "ACA-3"),
        ("Tyler leads this trick in place of Xavier.", "Y2"),
        ("Bianca takes trick 2 and leads the next.", "ACA-8"),
    ]


def test_y2_the_seat_after_the_last_is_the_first():
    state = start(exam("new-trump"), tap(E), captain=T)
    assert story(state, tap(B, cover=over_trump("green-1")))[1] == ("Bianca leads this trick in place of Enid.", "Y2")


def test_a_new_rule_that_brings_no_trump_beats_the_chosen_trump_at_once():
    """ACA-3, ACA-7."""
    state = start(exam("new-rule"))
    covered = cards("blue-5", "green-3", "blue-2", cover=over_rule("orange-4", "no-trump"))
    assert story(state, covered) == [
        ("Xavier lays orange 4 over the round rule; the new one works at once.", "ACA-3"),
        ("No trump: only the led colour counts.", "ACA-3"),
        ("Bianca takes trick 1 and leads the next.", "ACA-8"),
    ]
    assert step(state, covered).state.trump is None


def test_a_new_rule_that_brings_new_trump_allows_trump_covers():
    state = start(exam("new-rule"), tap(T, cover=over_rule("orange-4", "new-trump")), tap(T, cover=over_trump("blue-4")))
    assert (state.rule, state.trump) == ("new-trump", "blue")


def test_y7_a_new_rule_over_a_new_rule_is_not_usable_again():
    state = start(*UNDER_NEW_RULE)
    assert state.rule == "new-rule"
    assert [field.name for field in fill(ask(state, "round-1-trick-2"))[0]] == ["winner"]


@pytest.mark.parametrize("rule", ["pass-left", "blind-swap", "swap-hands"])
def test_y8_what_happens_before_a_trick_starts_with_the_next_one(rule):
    state = start(exam("new-rule"), *[tap(T)] * 6)
    covered = tap(T, cover=over_rule("orange-4", rule))
    assert story(state, covered)[2] == ("Its first time is before the next trick.", "Y8")
    last = step(state, tap(T)).state
    assert story(last, covered)[2] == ("It comes too late for this round: no trick follows.", "Y8")


def test_swap_roles_by_a_new_rule_is_too_late():
    """Y5."""
    state = start(exam("new-rule"))
    covered = tap(T, cover=over_rule("orange-4", "swap-roles"))
    assert story(state, covered)[2] == ("It comes too late for this round: roles are swapped before trick 1.", "Y5")
    after = step(state, covered).state
    assert refused(after, {"do": "swap-roles", "seat": 3})[0] == "Y5"
    assert "swap-roles" not in [each.do for each in GAME.asks(after)]


@pytest.mark.parametrize("rule", ["joint-award", "face-down", "new-trump", "trick-exchange"])
def test_other_new_rules_need_no_word_about_their_time(rule):
    assert len(story(start(exam("new-rule")), tap(T, cover=over_rule("orange-4", rule)))) == 3


def test_a_cover_is_written_as_it_was_read():
    for action in (tap(T, cover=over_trump("blue-1")), cards("blue-2", "blue-3", "blue-4", cover=over_rule("blue-1", "no-trump"))):
        assert write(read_action(GAME, action, 4)) == action


# ---- swapping roles --------------------------------------------------------------------------------------------------


def test_case_16_swapped_roles_count_for_the_awards_and_go_back():
    """ACA-9, ACA-10, ACA-15, Y5."""
    swapped = [exam("swap-roles"), {"do": "swap-roles", "seat": E}]
    assert match(*swapped)["roles"] == ["captain", "rebel", "teamplayer", "mastermind"]
    assert match(*swapped)["leader"] == B
    told = match(*swapped, end([1, 1, 2, 4], rebel=True))
    assert told["rounds"] == [[0, 1, 0, 1]]
    assert told["roles"] == ["rebel", "captain", "mastermind", "teamplayer"]
    assert told["leader"] == X


def test_y4_the_acting_captain_leads():
    state = start(exam("swap-roles"))
    assert story(state, {"do": "swap-roles", "seat": B}) == [
        ("Xavier is the Captain in this round.", "Y5"),
        ("Bianca is the Mastermind in this round.", "Y5"),
        ("Xavier leads trick 1 as the Captain.", "Y4"),
    ]
    assert match(exam("swap-roles"), {"do": "swap-roles", "seat": B}, SHEET)["leader"] == E


def test_y5_a_swap_with_another_leaves_the_lead():
    assert story(start(exam("swap-roles")), {"do": "swap-roles", "seat": E}) == [
        ("Xavier is the Rebel in this round.", "Y5"),
        ("Enid is the Mastermind in this round.", "Y5"),
    ]
    assert story(start(exam("swap-roles")), {"do": "swap-roles", "seat": T})[0] == ("Xavier is the Teamplayer in this round.", "Y5")


def test_the_swapped_roles_go_back_in_so_many_words():
    """ACA-15."""
    state = start(exam("swap-roles"), {"do": "swap-roles", "seat": E})
    assert story(state, end([1, 1, 2, 4], rebel=True)) == [
        ("Enid has at least as many tricks as Bianca and Tyler together, 4 to 3, and gets an award.", "ACA-9"),
        ("Xavier shows three colours in the cards won and gets an award.", "ACA-10"),
        ("Xavier has purple 7, but not three awards yet: nobody wins in this round.", "ACA-13"),
        ("The swapped roles go back first.", "ACA-15"),
        ("All roles pass to the left: Xavier is the Captain now.", "ACA-15"),
    ]


def test_swapped_roles_count_where_the_cards_end_the_round():
    """ACA-10: the acting Rebel is Xavier, with blue, green and purple."""
    swapped = [exam("swap-roles"), {"do": "swap-roles", "seat": E}]
    assert match(*swapped, *eight(X, B, X, T, X, T, E, E))["rounds"] == [[1, 1, 1, 0]]


# ---- following the led colour ----------------------------------------------------------------------------------------

MISSED = cards("blue-1", "orange-2", "blue-3", "blue-4")  # Xavier has no blue, Enid takes it
LATER = cards("blue-5", "blue-6", "blue-7", "blue-8")
WARNING = "Xavier shows {} but did not follow blue in trick {}. Where that was a mistake, undo and play the round again."


def test_a_colour_shown_after_it_was_not_followed():
    """ACA-6, Y9: the trick counts, and the table decides."""
    told = match(exam(), MISSED, LATER)
    assert told["warnings"] == [{"action": 2, "rule": "ACA-6", "message": WARNING.format("blue 7", 1)}]
    assert told["leader"] == T


def test_y9_the_house_rule_can_leave_it_to_the_table():
    assert match(exam(), MISSED, LATER, revoke="ignore")["warnings"] == []


def test_y3_face_down_excuses_nobody():
    """Y3: the Mastermind has to follow, seen when the cards are turned."""
    assert len(match(exam("face-down"), MISSED, LATER)["warnings"]) == 1


def test_other_colours_are_no_doubt():
    """ACA-6: whoever cannot follow plays anything."""
    assert match(exam(), MISSED, cards("orange-5", "orange-6", "green-7", "orange-8"))["warnings"] == []
    assert match(exam(), MISSED, cards("green-5", "blue-6", "orange-7", "green-8"))["warnings"] == []


def test_one_warning_for_one_miss():
    """ACA-6: blue was not followed once, so showing it again says nothing new."""
    again = cards("blue-9", "green-1", "green-2", "blue-2")
    told = match(exam(trump="orange"), MISSED, cards("blue-5", "blue-6", "blue-7", "blue-8"), again)
    assert [warning["action"] for warning in told["warnings"]] == [2]


def test_two_misses_get_one_warning_that_names_the_first():
    """ACA-6."""
    told = match(
        exam("no-trump"), MISSED, cards("blue-5", "blue-6", "orange-7", "blue-8"), cards("green-5", "green-6", "green-8", "blue-7")
    )
    assert told["warnings"] == [{"action": 3, "rule": "ACA-6", "message": WARNING.format("blue 7", 1)}]


def test_a_miss_after_a_warning_counts_anew():
    """ACA-6."""
    tricks = [MISSED, cards("blue-5", "orange-1", "blue-7", "blue-8"), cards("blue-9", "blue-2", "orange-3", "orange-4")]
    told = match(exam("no-trump"), *tricks, cards("orange-5", "orange-6", "orange-7", "blue-6"))
    assert [warning["action"] for warning in told["warnings"]] == [2, 4]


def test_several_seats_can_be_in_doubt():
    """ACA-6."""
    told = match(exam("no-trump"), cards("blue-1", "orange-2", "orange-3", "orange-4"), cards("blue-5", "blue-6", "blue-7", "blue-8"))
    assert [warning["message"].split()[0] for warning in told["warnings"]] == ["Xavier", "Tyler", "Enid"]


def test_a_new_round_begins_without_doubts():
    """ACA-6: the hands are new."""
    told = match(exam(), MISSED, end([2, 2, 2, 2]), exam(), cards("blue-5", "blue-6", "blue-7", "blue-8"))
    assert told["warnings"] == []


def test_a_tapped_trick_in_between_changes_nothing():
    """ACA-6: both depths mixed."""
    told = match(exam(), MISSED, tap(E), LATER)
    assert [warning["action"] for warning in told["warnings"]] == [3]


@pytest.mark.parametrize("rule", ["pass-left", "swap-hands", "blind-swap"])
def test_rules_that_move_hands_excuse_everybody(rule):
    """ACA-6."""
    first = cards("blue-1", "orange-2", "orange-3", "orange-4")
    assert match(exam(rule), first, LATER)["warnings"] == []


@pytest.mark.parametrize("rule", ["pass-left", "swap-hands", "blind-swap"])
def test_a_rule_that_comes_to_move_hands_excuses_from_then_on(rule):
    """ACA-6, Y8: Tyler misses before, and is excused by the trick in which the rule came."""
    tricks = [cards("blue-1", "blue-2", "orange-3", "blue-4"), tap(E, cover=over_rule("green-9", rule))]
    assert match(exam("new-rule"), *tricks, cards("orange-1", "orange-2", "orange-4", "blue-9"))["warnings"] == []
    shows = cards("blue-6", "blue-5", "blue-8", cover=over_rule("green-9", rule))
    assert len(match(exam("new-rule"), tricks[0], shows)["warnings"]) == 1


@pytest.mark.parametrize("rule", ["new-trump", "no-trump", "new-rule", "joint-award", "last-trick-award", "swap-roles"])
def test_rules_that_leave_the_hands_alone_excuse_nobody(rule):
    """ACA-6."""
    assert len(match(exam(rule), MISSED, tap(E), LATER)["warnings"]) == 1


def test_trick_exchange_excuses_the_mastermind():
    """ACA-6: the blue card can come out of a trick; whether one did is not asked."""
    assert match(EXCHANGE, MISSED, LATER)["warnings"] == []
    assert match(EXCHANGE, MISSED, swap("blue-1", "green-1"), cards("blue-5", "blue-6", "blue-1", "blue-8"))["warnings"] == []
    assert match(exam("trick-exchange", "orange"), MISSED, cards("blue-6", "blue-7", "blue-8", "blue-9"))["warnings"] == []


def test_trick_exchange_excuses_nobody_else():
    """ACA-6."""
    told = match(EXCHANGE, cards("blue-1", "blue-2", "orange-3", "blue-4"), cards("blue-5", "blue-6", "blue-7", "blue-8"))
    assert [warning["message"].split()[0] for warning in told["warnings"]] == ["Tyler"]


def test_a_new_rule_that_brings_trick_exchange_excuses_the_mastermind_from_then_on():
    """ACA-6: and Tyler not."""
    missed = cards("blue-1", "orange-2", "orange-3", "blue-4")
    told = match(exam("new-rule"), missed, tap(E, cover=over_rule("green-9", "trick-exchange")), LATER)
    assert [warning["message"].split()[0] for warning in told["warnings"]] == ["Tyler"]
    shows = tap(E, cover=over_rule("blue-9", "trick-exchange"))
    assert len(match(exam("new-rule"), missed, shows)["warnings"]) == 1


@pytest.mark.parametrize("trick", [tap(E), cards("green-1", "green-2", "green-3")])
def test_a_cover_card_is_shown_too(trick):
    """ACA-6, at both depths."""
    told = match(exam("new-trump", "purple"), MISSED, {**trick, "cover": over_trump("blue-9")})
    assert told["warnings"] == [{"action": 2, "rule": "ACA-6", "message": WARNING.format("blue 9", 1)}]


def test_whoever_covered_missed_nothing():
    """ACA-6: Xavier played no card to the blue trick."""
    told = match(exam("new-trump"), cards("blue-1", "blue-3", "blue-4", cover=over_trump("orange-2")), LATER)
    assert told["warnings"] == []


def test_y2_the_player_who_leads_for_the_mastermind_sets_the_colour_to_follow():
    """ACA-6: green was led by Tyler, and Enid did not follow."""
    tricks = [tap(X), cards("green-1", "blue-1", "green-2", cover=over_trump("orange-2"))]
    told = match(exam("new-trump"), *tricks, cards("green-3", "blue-2", "blue-3", "green-4"))
    assert [warning["message"] for warning in told["warnings"]] == [
        "Enid shows green 4 but did not follow green in trick 2. Where that was a mistake, undo and play the round again."
    ]


# ---- exchanging ------------------------------------------------------------------------------------------------------


def test_an_exchange_moves_a_card_out_of_the_trick():
    """Y13, ACA-14: the taken card is unseen again, the given one is seen."""
    state = start(EXCHANGE, cards("blue-5", "blue-7", "green-3", "purple-7"))
    assert story(state, swap("purple-7", "blue-1")) == [("Xavier takes purple 7 out of the trick of Tyler and puts blue 1 there.", "Y13")]
    after = step(state, swap("purple-7", "blue-1")).state
    assert after.tricks == (Taken(T, (DECK["blue-5"], DECK["blue-7"], DECK["green-3"], DECK["blue-1"]), given=DECK["blue-1"]),)
    assert (state.ace_holder, after.ace_holder) == (T, None)
    assert refused(after, cards("blue-1", "blue-2", "blue-3", "blue-4"))[0] == "ACA-7"
    assert step(after, cards("blue-2", "blue-3", "blue-4", "purple-7")).state.ace_holder == B


def test_the_next_trick_can_be_exchanged_again():
    state = start(EXCHANGE, SHEET, swap("blue-5", "blue-1"), cards("blue-9", "blue-3", "blue-4", "blue-5"))
    assert refused(step(state, swap("blue-3", "blue-6")).state, swap("blue-4", "blue-8"))[0] == "ACA-3"


def test_a_new_rule_that_brings_trick_exchange_works_for_this_trick():
    state = start(exam("new-rule"), cards("blue-5", "green-3", "purple-2", cover=over_rule("orange-1", "trick-exchange")))
    (take, _), action = fill(ask(state, "round-1-trick-1-exchange"), "green-3", "blue-1")
    assert list(take.values) == ["blue-5", "green-3", "purple-2"]
    assert step(state, action).state.tricks[0].cards == (DECK["blue-5"], DECK["blue-1"], DECK["purple-2"])


def test_y13_the_rebels_colours_count_as_they_lie_at_the_end():
    """ACA-10: Enid's only trick shows three colours until Xavier takes the green card out."""
    trick = cards("blue-1", "green-2", "orange-3", "blue-4")
    three, two = start(exam("trick-exchange", "purple"), trick), start(exam("trick-exchange", "purple"), trick, swap("green-2", "blue-5"))
    assert refused(three, end([3, 2, 2, 1]))[0] == "ACA-10"
    assert refused(two, end([3, 2, 2, 1], rebel=True))[0] == "ACA-10"
    assert step(two, end([3, 2, 2, 1])).scored == (1, 0, 1, 0)


# ---- awards ----------------------------------------------------------------------------------------------------------

CASES = {
    "2 (sheet): ACA-9, ACA-10": (None, [1, 3, 2, 2], True, None, [0, 1, 0, 1]),
    "7: ACA-11": (None, [0, 0, 0, 8], True, None, [0, 1, 0, 1]),
    "8: ACA-9, a tie goes to the Mastermind": (None, [2, 4, 2, 0], False, None, [0, 1, 0, 0]),
    "9: ACA-9": (None, [2, 3, 2, 1], False, None, [1, 0, 1, 0]),
    "10: joint award": ("joint-award", [1, 3, 2, 2], True, None, [0, 2, 0, 2]),
    "11: no joint award": ("joint-award", [2, 2, 2, 2], False, None, [1, 0, 1, 0]),
    "joint award at five tricks, whatever the goals": ("joint-award", [1, 1, 2, 4], False, None, [1, 1, 1, 1]),
    "no joint award for other rules": ("face-down", [1, 3, 2, 2], True, None, [0, 1, 0, 1]),
    "12: ACA-16, last trick award": ("last-trick-award", [1, 4, 1, 2], False, B, [1, 1, 0, 0]),
    "ACA-16, both by goal and by the last trick": ("last-trick-award", [1, 4, 1, 2], False, X, [0, 2, 0, 0]),
    "the last trick alone brings nothing": ("face-down", [1, 4, 1, 2], False, B, [0, 1, 0, 0]),
    "18: ACA-10, one trick can be enough": (None, [3, 2, 2, 1], True, None, [1, 0, 1, 1]),
}


@pytest.mark.parametrize(("rule", "tricks", "rebel", "last", "awards"), CASES.values(), ids=CASES)
def test_worked_cases_of_awards(rule, tricks, rebel, last, awards):
    opening = [exam(rule)] if rule else []
    ace = tricks.index(max(tricks))
    told = match(*opening, end(tricks, rebel, ace, **({} if last is None else {"last": last})))
    assert told["rounds"] == [awards]
    assert told["totals"] == awards


def test_a_round_in_words_for_the_team():
    """ACA-9, ACA-10, ACA-13, ACA-15."""
    assert story(start(), end([2, 3, 2, 1])) == [
        ("Bianca and Tyler together have more tricks than Xavier, 4 to 3, and get an award each.", "ACA-9"),
        ("Enid does not show three colours in the cards won and gets no award as the Rebel.", "ACA-10"),
        ("Xavier has purple 7, but not three awards yet: nobody wins in this round.", "ACA-13"),
        ("All roles pass to the left: Xavier is the Captain now.", "ACA-15"),
    ]


def test_a_round_in_words_for_mastermind_and_rebel():
    """ACA-9, ACA-16."""
    state = start(exam("joint-award"))
    assert story(state, end([1, 3, 2, 2], rebel=True))[:3] == [
        ("Xavier has at least as many tricks as Bianca and Tyler together, 3 to 3, and gets an award.", "ACA-9"),
        ("Enid shows three colours in the cards won and gets an award.", "ACA-10"),
        ("Xavier and Enid together have more tricks than the two others, 5 to 3: one more award each.", "ACA-16"),
    ]
    nothing = ("Xavier and Enid together do not have more tricks than the two others, 4 to 4: no joint award.", "ACA-16")
    assert story(state, end([2, 2, 2, 2]))[2] == nothing
    assert len(story(state, end([2, 2, 2, 2]))) == 5


def test_a_round_in_words_with_the_last_trick_award():
    """ACA-16."""
    told = story(start(exam("last-trick-award")), end([1, 4, 1, 2], last=B))
    assert told[2] == ("Bianca took the last trick and gets one more award.", "ACA-16")


def test_nothing_to_nothing_is_for_the_mastermind():
    """ACA-11, case 7."""
    told = story(start(), end([0, 0, 0, 8], rebel=True, ace=E))
    assert told[0] == ("Xavier has at least as many tricks as Bianca and Tyler together, 0 to 0, and gets an award.", "ACA-11")
    assert story(start(), end([0, 1, 0, 7], rebel=True, ace=E))[0][1] == "ACA-9"


def test_aca_16_at_most_two_awards_so_nobody_wins_in_round_one():
    told = match(exam("last-trick-award"), end([1, 4, 1, 2], rebel=True, ace=X, last=X))
    assert told["rounds"] == [[0, 2, 0, 1]]
    assert not told["finished"]


def test_aca_16_the_earliest_win_is_after_round_two():
    told = match(exam("joint-award"), end([1, 3, 2, 2], rebel=True), end([1, 4, 0, 3], ace=X))
    assert told["rounds"] == [[0, 2, 0, 2], [0, 1, 0, 1]]
    assert told["winners"] == [X]


def test_case_13_a_fourth_award_is_not_taken():
    """ACA-12, Y10: the extra award is lost."""
    awards = (0, 2, 0, 1)
    state = State(Rules(), awards, ROLES, B, rule="joint-award")
    scored = step(state, end([1, 3, 2, 2], rebel=True, ace=T))
    assert scored.state.awards == (0, 3, 0, 3)
    assert scored.scored == (0, 1, 0, 2)
    assert [(say(note.text, NAMES), note.rule) for note in scored.notes[3:4]] == [
        ("Xavier has three awards already and does not take another.", "Y10")
    ]


def test_y10_the_award_of_the_last_trick_is_lost_at_three():
    state = State(Rules(), (3, 0, 0, 0), ROLES, B, rule="last-trick-award")
    assert step(state, end([1, 4, 1, 2], last=B)).scored == (0, 1, 0, 0)
    assert ("Bianca has three awards already and does not take another.", "Y10") in story(state, end([1, 4, 1, 2], last=B))


def test_aca_12_an_award_for_a_goal_is_not_taken_at_three():
    state = State(Rules(), (3, 0, 2, 0), ROLES, B)
    told = step(state, end([2, 3, 2, 1]))
    assert told.scored == (0, 0, 1, 0)
    assert (say(told.notes[1].text, NAMES), told.notes[1].rule) == ("Bianca has three awards already and does not take another.", "ACA-12")


def test_case_14_the_third_award_and_the_purple_seven_in_the_same_round():
    """ACA-13."""
    state = State(Rules(), (0, 2, 0, 0), ROLES, B)
    told = step(state, end([1, 3, 2, 2]))
    assert say(told.notes[-1].text, NAMES) == "Xavier wins: three awards, and purple 7 in their own tricks."
    assert told.notes[-1].rule == "ACA-13"
    assert told.state.winner == X
    assert GAME.over(told.state)
    assert GAME.asks(told.state) == ()
    assert GAME.report(told.state) == {"roles": None, "leader": None}


def test_case_15_three_awards_without_the_purple_seven_do_not_win():
    """ACA-13, ACA-14: only one seat can have it."""
    state = State(Rules(), (0, 0, 3, 1), ROLES, B)
    told = step(state, end([1, 3, 2, 2], rebel=True, ace=E))
    assert told.state.awards == (0, 1, 3, 2)
    assert not GAME.over(told.state)
    assert story(state, end([1, 3, 2, 2], rebel=True, ace=E))[-2:] == [
        ("Enid has purple 7, but not three awards yet: nobody wins in this round.", "ACA-13"),
        ("All roles pass to the left: Xavier is the Captain now.", "ACA-15"),
    ]


def test_three_awards_from_before_win_with_the_purple_seven():
    """ACA-13."""
    state = State(Rules(), (0, 0, 3, 1), ROLES, B)
    assert step(state, end([1, 3, 2, 2], ace=T)).state.winner == T


def test_the_round_that_is_won_is_the_last_one():
    """ACA-13."""
    state = State(Rules(), (0, 0, 3, 1), ROLES, B, round=5)
    assert step(state, end([1, 3, 2, 2], ace=T)).state.round == 5
    assert step(state, end([1, 3, 2, 2], ace=B)).state.round == 6


def test_after_the_end_nothing_is_taken():
    record = [end([1, 3, 2, 2], ace=X), end([2, 2, 2, 2], ace=X), end([2, 2, 2, 2], ace=X), end([2, 2, 2, 2], ace=X)]
    told = match(*record, end([2, 2, 2, 2], ace=X))
    assert told["error"] == {"action": 4, "rule": "RECORD", "message": "The game is over; nothing more can be entered."}
    assert match(*record)["winners"] == [X]
    assert match(*record[:3])["winners"] == []


def test_case_20_in_four_rounds_everybody_has_each_role_once():
    """ACA-15."""
    rounds = [end([2, 2, 2, 2], ace=(number + 3) % 4) for number in range(4)]
    roles = [match(*rounds[:number])["roles"] for number in range(4)]
    assert roles[1] == ["rebel", "captain", "mastermind", "teamplayer"]
    assert all(sorted(had) == sorted(ROLES) for had in zip(*roles, strict=True))
    assert [match(*rounds[:number])["leader"] for number in range(4)] == [0, 1, 2, 3]


def test_roles_go_on_from_the_first_captain():
    """ACA-15, Y11."""
    assert match(end([2, 2, 2, 2]), captain=E)["roles"] == ["captain", "mastermind", "teamplayer", "rebel"]


# ---- rounds by cards and by outcome ----------------------------------------------------------------------------------


def test_eight_tricks_with_cards_end_the_round():
    """ACA-5, ACA-8, ACA-14: Xavier has four, Enid blue and orange."""
    told = match(exam(), *eight(X, E, X, X, B, X, T, E))
    assert told["rounds"] == [[0, 1, 0, 0]]
    assert told["leader"] == X
    state = start(exam(), *eight(X, E, X, X, B, X, T, E))
    assert (state.round, state.rule, state.tricks, state.seen, state.missed) == (2, None, (), frozenset(), {})


def test_case_18_the_rebels_colours_are_read_from_the_cards():
    """ACA-10: three colours in the tricks 1, 3 and 8, two in 1 and 3."""
    assert match(exam(), *eight(E, X, E, X, X, X, X, E))["rounds"] == [[0, 1, 0, 1]]
    assert match(exam(), *eight(E, X, E, X, X, X, X, X))["rounds"] == [[0, 1, 0, 0]]


def test_the_cards_tell_who_has_the_purple_seven():
    """ACA-13, ACA-14."""
    state = State(Rules(), (0, 3, 0, 3), ROLES, B)
    for action in (exam(), *eight(B, B, B, B, B, E, B, B)):
        state = step(state, action).state
    assert state.winner == E


def test_the_last_trick_award_by_cards():
    """ACA-16."""
    assert match(exam("last-trick-award"), *eight(X, X, X, X, X, X, X, E))["rounds"] == [[0, 1, 0, 1]]


def test_case_19_a_new_rule_in_trick_eight_counts_at_once():
    """ACA-16: what lies on top when trick 8 ends."""
    last = cards("orange-6", "orange-7", "orange-8", cover=over_rule("orange-9", "last-trick-award"))
    told = match(exam("new-rule"), *eight(X, X, X, X, X, X, E), last)
    assert told["rounds"] == [[0, 1, 1, 0]]
    joint = {**last, "cover": over_rule("orange-9", "joint-award")}
    assert match(exam("new-rule"), *eight(X, X, X, X, X, X, E), joint)["rounds"] == [[0, 2, 0, 1]]


def test_case_19_by_taps():
    told = match(exam("new-rule"), *[tap(X)] * 7, tap(B, cover=over_rule("orange-9", "last-trick-award")), end())
    assert told["rounds"] == [[1, 1, 0, 0]]


def test_eight_taps_wait_for_the_outcome():
    """ACA-5."""
    told = match(exam("last-trick-award"), *[tap(X)] * 5, *[tap(E)] * 3)
    assert told["rounds"] == []
    assert match(exam("last-trick-award"), *[tap(X)] * 5, *[tap(E)] * 3, end())["rounds"] == [[0, 1, 0, 1]]


@pytest.mark.parametrize("more", [{}, {"tricks": [0, 5, 0, 3]}, {"last": E}, {"tricks": [0, 5, 0, 3], "last": E}])
def test_after_eight_tricks_their_numbers_may_be_left_out(more):
    told = match(exam("last-trick-award"), *[tap(X)] * 5, *[tap(E)] * 3, {**end(), **more})
    assert told["rounds"] == [[0, 1, 0, 1]]


def test_an_outcome_needs_neither_exam_nor_tricks():
    told = match(end([1, 3, 2, 2], True))
    assert told["rounds"] == [[0, 1, 0, 1]]
    assert match(end([1, 3, 2, 2], True, last=B))["rounds"] == [[0, 1, 0, 1]]


def test_an_outcome_may_come_in_the_middle_of_the_tricks():
    """ACA-8: what was entered is counted in."""
    told = match(exam(), SHEET, tap(T), end([2, 3, 2, 1]))
    assert told["rounds"] == [[1, 0, 1, 0]]


def test_seven_cards_and_a_tap_wait_for_the_outcome():
    """ACA-14: the purple 7 is known to lie with Xavier."""
    tricks = [*eight(X, E, X, X, B, X, T), tap(E)]
    assert match(exam(), *tricks)["rounds"] == []
    assert match(exam(), *tricks, end())["rounds"] == [[0, 1, 0, 0]]
    assert match(exam(), *tricks, end(ace=E))["error"]["rule"] == "ACA-14"


def test_the_purple_seven_can_be_in_a_trick_whose_cards_are_not_known():
    """ACA-14."""
    state = start(exam(), SHEET, tap(T))
    assert step(state, end([3, 3, 2, 0], ace=T)).scored == (1, 0, 1, 0)


def test_the_rebels_unknown_tricks_leave_both_open():
    """ACA-10."""
    state = start(exam("no-trump"), cards("blue-1", "green-2", "blue-2", "blue-3"))
    assert step(state, end([4, 2, 0, 2], rebel=True)).scored == (1, 0, 1, 1)
    assert step(state, end([4, 2, 0, 2])).scored == (1, 0, 1, 0)
    assert step(state, end([4, 2, 0, 2], rebel=True, ace=E)).scored == (1, 0, 1, 1)


def test_the_last_of_seven_entered_tricks_says_who_took_the_eighth():
    """ACA-8."""
    state = start(exam("last-trick-award"), *[tap(X)] * 7)
    assert step(state, end([0, 7, 1, 0], last=T)).scored == (0, 1, 1, 0)
    assert refused(state, end([0, 7, 1, 0], last=X))[0] == "ACA-8"


# ---- standings -------------------------------------------------------------------------------------------------------


def places(state):
    return [(each.seat, each.points, each.rank, each.won, each.tiebreak and say(each.tiebreak, NAMES)) for each in GAME.standings(state)]


def test_standings_while_the_game_runs():
    """ACA-12: three awards alone win nothing, and nothing separates them."""
    state = State(Rules(), (3, 1, 3, 0), ROLES, B)
    assert places(state) == [(0, 3, 1, False, None), (1, 1, 3, False, None), (2, 3, 1, False, None), (3, 0, 4, False, None)]


def test_the_purple_seven_separates_equal_awards_at_the_end():
    """ACA-13, ACA-14: at most one winner."""
    state = State(Rules(), (3, 1, 3, 0), ROLES, B, winner=T)
    assert places(state) == [
        (0, 3, 2, False, "Bianca does not have the purple 7."),
        (1, 1, 3, False, None),
        (2, 3, 1, True, "Tyler has the purple 7."),
        (3, 0, 4, False, None),
    ]


def test_a_winner_alone_at_three_needs_no_tiebreak():
    assert places(State(Rules(), (3, 2, 2, 0), ROLES, B, winner=B)) == [
        (0, 3, 1, True, None),
        (1, 2, 2, False, None),
        (2, 2, 2, False, None),
        (3, 0, 4, False, None),
    ]


def test_the_first_seat_can_win():
    assert GAME.over(State(Rules(), (3, 2, 2, 0), ROLES, B, winner=B))


# ---- what is asked for -----------------------------------------------------------------------------------------------


def asked(state):
    return [(each.id, each.do, say(each.text, NAMES), each.needed) for each in GAME.asks(state)]


HOW = "How did the round end?"


def trick_asks(n, before="round-1"):
    return [
        (f"{before}-trick-{n}", "trick", f"Who took trick {n}?", True),
        (f"{before}-trick-{n}-cards", "trick", f"Which cards were played to trick {n}?", True),
    ]


def test_a_round_opens_with_the_exam_or_its_outcome():
    """ACA-2."""
    assert asked(start()) == [("round-1-exam", "exam", "Which trump and which round rule?", True), ("round-1", "round", HOW, False)]
    assert asked(start(end([2, 2, 2, 2])))[0][0] == "round-2-exam"
    assert all(each.seats == () for each in GAME.asks(start()))


def test_then_the_tricks_are_asked_for_at_both_depths():
    assert asked(start(exam())) == [*trick_asks(1), ("round-1", "round", HOW, False)]
    assert asked(start(exam(), *[tap(X)] * 7)) == [*trick_asks(8), ("round-1", "round", HOW, False)]


def test_after_eight_tricks_only_the_outcome_is_missing():
    """ACA-5."""
    assert asked(start(exam(), *[tap(X)] * 8)) == [("round-1", "round", HOW, True)]


def test_roles_can_be_swapped_until_they_are_or_a_trick_is_in():
    """Y5: and then every question is another one."""
    state = start(exam("swap-roles"))
    swapping = ("round-1-swap-roles", "swap-roles", "With whom does Xavier swap roles?", False)
    assert asked(state) == [swapping, *trick_asks(1), ("round-1", "round", HOW, False)]
    assert asked(start(exam("swap-roles"), {"do": "swap-roles", "seat": B})) == [
        *trick_asks(1, "round-1-swapped"),
        ("round-1-swapped", "round", HOW, False),
    ]
    assert asked(start(exam("swap-roles"), tap(X))) == [*trick_asks(2), ("round-1", "round", HOW, False)]
    (field,), action = fill(ask(state, "round-1-swap-roles"), T)
    assert shown(field) == ("seat", [B, T, E], "Swaps with", "seat", False)
    assert action == {"do": "swap-roles", "seat": T}


def test_an_exchange_is_asked_for_where_it_can_be_entered():
    state = start(EXCHANGE, SHEET)
    exchanging = ("round-1-trick-1-exchange", "exchange", "Which card does Xavier exchange?", False)
    assert asked(state) == [exchanging, *trick_asks(2), ("round-1", "round", HOW, False)]
    (take, give), action = fill(ask(state, "round-1-trick-1-exchange"), "blue-5", "blue-1")
    assert shown(take) == ("take", ["blue-5", "blue-7", "green-3", "purple-2"], "Card out of the trick", "card", False)
    assert shown(give) == ("give", all_but("blue-5", "blue-7", "green-3", "purple-2"), "Card from the hand", "card", False)
    assert action == swap("blue-5", "blue-1")
    assert "exchange" not in [each.do for each in GAME.asks(step(state, action).state)]


def test_a_trick_by_a_tap():
    (field,), action = fill(ask(start(exam()), "round-1-trick-1"), E)
    assert shown(field) == ("winner", [B, X, T, E], "Winner", "seat", False)
    assert action == {"do": "trick", "winner": E}


def test_a_trick_by_its_cards():
    """ACA-4: only what was played is asked for, never what is in a hand."""
    state = start(exam(), SHEET)
    played = ["blue-1", "blue-2", "blue-3", "blue-4"]
    fields, action = fill(ask(state, "round-1-trick-2-cards"), *played)
    assert [(field.name, say(field.text, NAMES), field.kind, field.optional) for field in fields] == [
        ("cards.0", "Card of Tyler", "card", False),
        ("cards.1", "Card of Enid", "card", False),
        ("cards.2", "Card of Bianca", "card", False),
        ("cards.3", "Card of Xavier", "card", False),
    ]
    assert list(fields[0].values) == all_but(*SHEET["cards"])
    assert list(fields[3].values) == all_but(*SHEET["cards"], *played[:3])
    assert action == {"do": "trick", "cards": played}


def test_a_cover_is_offered_with_the_trick():
    """Y1, ACA-14."""
    (kind, card, winner), action = fill(ask(start(exam("new-trump"), SHEET), "round-1-trick-2"), "trump", "blue-1", T)
    assert shown(kind) == ("cover.as", ["trump"], "Covered by the Mastermind", "word", True)
    assert shown(card) == ("cover.card", all_but(*SHEET["cards"], "purple-7"), "Cover card", "card", False)
    assert shown(winner) == ("winner", [B, T, E], "Winner", "seat", False)
    assert action == tap(T, cover=over_trump("blue-1"))


def test_a_rule_cover_names_the_new_rule():
    fields, action = fill(ask(start(exam("new-rule")), "round-1-trick-1"), "rule", "blue-1", "new-rule", T)
    assert shown(fields[0])[1] == ["rule"]
    assert shown(fields[2]) == ("cover.rule", list(ROUND_RULES), "New round rule", "word", False)
    assert list(fields[3].values) == [B, T, E]
    assert action == tap(T, cover=over_rule("blue-1", "new-rule"))


def test_a_cover_left_out():
    (_, winner), action = fill(ask(start(exam("new-trump")), "round-1-trick-1"), SKIP, X)
    assert list(winner.values) == [B, X, T, E]
    assert action == tap(X)
    _, action = fill(ask(start(exam("new-rule")), "round-1-trick-1-cards"), SKIP, *SHEET["cards"])
    assert action == SHEET


def test_a_cover_with_the_cards_of_the_others():
    """Y2: Xavier leads and covers."""
    state = start(exam("new-trump"), tap(X))
    fields, action = fill(ask(state, "round-1-trick-2-cards"), "trump", "blue-1", "blue-2", "blue-3", "blue-4")
    assert [say(field.text, NAMES) for field in fields[2:]] == ["Card of Tyler", "Card of Enid", "Card of Bianca"]
    assert list(fields[2].values) == all_but("blue-1")
    assert list(fields[4].values) == all_but("blue-1", "blue-2", "blue-3")
    assert action == cards("blue-2", "blue-3", "blue-4", cover=over_trump("blue-1"))


def before_trick_eight(last_but_one=None):
    """Seven tricks by cards (or the seventh as given) without the purple 7."""
    tricks = eight(X, X, X, X, X, X, X)
    tricks[5] = cards("purple-5", "purple-6", "purple-8", "purple-9")
    return [*tricks[:6], last_but_one or cards("orange-1", "orange-2", "orange-3", "orange-4")]


def test_the_eighth_known_trick_must_bring_the_purple_seven():
    """ACA-14: as the last card where it has not come before."""
    form = ask(start(exam(), *before_trick_eight()), "round-1-trick-8-cards")
    fields, _ = fill(form, "orange-5", "orange-6", "orange-7")
    assert list(fields[3].values) == ["purple-7"]
    assert len(fields[2].values) == 6
    fields, action = fill(form, "purple-7", "orange-6", "orange-7", "orange-8")
    assert len(fields[3].values) == 5
    assert match(exam(), *before_trick_eight(), action)["rounds"] == [[0, 1, 0, 0]]


def test_the_purple_seven_is_not_forced_where_it_may_be_elsewhere():
    """ACA-14: in trick 7, whose cards nobody entered, or it was seen before."""
    for tricks in (before_trick_eight(tap(X)), eight(X, X, X, X, X, X, X)):
        state = start(exam(), *tricks)
        fields, _ = fill(ask(state, "round-1-trick-8-cards"), "orange-5", "orange-6", "orange-7")
        assert len(fields[3].values) == len(state.unseen()) - 3
    fields, _ = fill(ask(start(exam(), *before_trick_eight()[:6]), "round-1-trick-7-cards"), "orange-5", "orange-6", "orange-7")
    assert len(fields[3].values) == 9


def test_the_form_of_an_outcome():
    fields, action = fill(ask(start(), "round-1"), 1, 3, 2, 2, X, True, SKIP)
    assert [shown(field) for field in fields] == [
        ("tricks.0", list(range(9)), "Tricks of Bianca", "number", False),
        ("tricks.1", list(range(8)), "Tricks of Xavier", "number", False),
        ("tricks.2", list(range(5)), "Tricks of Tyler", "number", False),
        ("tricks.3", [2], "Tricks of Enid", "number", False),
        ("ace", [B, X, T, E], "Who has the purple 7?", "seat", False),
        ("rebel", [False, True], "Does Enid show three colours?", "word", False),
        ("last", [B, X, T, E], "Who took the last trick?", "seat", True),
    ]
    assert action == end([1, 3, 2, 2], rebel=True, ace=X)


def test_the_form_of_an_outcome_knows_what_was_entered():
    """ACA-8, ACA-10, ACA-14."""
    state = start(exam("last-trick-award", "orange"), cards("blue-1", "green-2", "blue-2", "blue-3"), tap(B))
    fields, action = fill(ask(state, "round-1"), 3, 3, 0, 2, E, True, E)
    assert [list(field.values) for field in fields] == [[1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4], [0, 1], [2], [B, X, E], [True], [B, X, E]]
    assert fields[6].optional is False
    assert action == end([3, 3, 0, 2], rebel=True, ace=E, last=E)


def test_the_form_of_an_outcome_knows_a_rebel_whose_cards_are_all_known():
    """ACA-10."""
    state = start(exam("no-trump"), cards("blue-1", "green-2", "blue-2", "blue-3"))
    fields, _ = fill(ask(state, "round-1"), 4, 3, 0, 1, X, False)
    assert list(fields[4].values) == [B, X]
    assert list(fields[5].values) == [False]
    assert list(fields[6].values) == [B, X]


def test_the_form_of_an_outcome_knows_where_the_purple_seven_lies():
    """ACA-14."""
    state = start(exam("no-trump"), cards("blue-1", "purple-7", "blue-2", "blue-3"))
    fields, _ = fill(ask(state, "round-1"), 4, 2, 0, 2)
    assert list(fields[4].values) == [E]


def test_the_form_of_an_outcome_after_eight_tricks():
    state = start(exam("last-trick-award"), *[tap(X)] * 5, *[tap(E)] * 3)
    fields, action = fill(ask(state, "round-1"), SKIP, E, False, SKIP)
    assert [(field.name, list(field.values), field.optional) for field in fields] == [
        ("tricks.0", [0], True),
        ("ace", [X, E], False),
        ("rebel", [False, True], False),
        ("last", [E], True),
    ]
    assert action == end(ace=E)
    fields, action = fill(ask(state, "round-1"), 0, 5, 0, 3, E, False, E)
    assert [(field.name, list(field.values), field.optional) for field in fields[:4]] == [
        ("tricks.0", [0], True),
        ("tricks.1", [5], False),
        ("tricks.2", [0], False),
        ("tricks.3", [3], False),
    ]
    assert action == end([0, 5, 0, 3], ace=E, last=E)


def test_the_form_of_an_outcome_asks_for_the_acting_rebel():
    """Y5."""
    state = start(exam("swap-roles"), {"do": "swap-roles", "seat": E})
    fields, _ = fill(ask(state, "round-1-swapped"), 2, 0, 2, 4, E)
    assert say(fields[5].text, NAMES) == "Does Xavier show three colours?"
    assert list(fields[5].values) == [False]


# ---- what the screens see --------------------------------------------------------------------------------------------


def test_everybody_sees_everything():
    """ACA-4: hands and the exam choice are never reported, so there is nothing to hide."""
    state = start(exam(), SHEET)
    assert GAME.view(state, frozenset()) is state
    assert {field.name for field in fields_of(state)} == {
        *("rules", "awards", "roles", "leader", "round", "rule", "chosen", "covered", "tricks", "exchanged", "seen", "missed", "winner")
    }


def test_y14_the_state_tells_single_counts_and_no_sum():
    """Y14, ACA-4, ACA-8: and nothing before the end tells how the teams stand."""
    state = start(exam(), *[tap(X)] * 3, *[tap(T)] * 2, SHEET)
    assert state.tally == (1, 3, 2, 0)
    assert len(story(state, tap(B))) == 1
    assert set(GAME.report(state)) == {"roles", "leader"}


def screen(*actions, **options):
    return GAME.screen(start(*actions, **options))


def spoken(text):
    return text and say(text, NAMES)


def test_every_role_has_its_goal_and_its_duty_in_words():
    """ACA-9, ACA-10: by the roles in force."""
    goals = [
        "together with Tyler more tricks than Xavier",
        "at least as many tricks as Bianca and Tyler together",
        "together with Bianca more tricks than Xavier",
        "three colours in the cards won",
    ]
    assert [spoken(screen().goal(seat)) for seat in range(4)] == goals
    swapped = start(exam("swap-roles"), {"do": "swap-roles", "seat": E})
    assert spoken(GAME.screen(swapped).goal(B)) == "together with Tyler more tricks than Enid"
    assert spoken(GAME.screen(swapped).goal(X)) == goals[E]
    assert set(GAME.duties) == set(GAME.role_words) == set(ROLES)


def test_roles_and_colours_have_letters_of_their_own():
    letters = [spoken(text)[0] for text in GAME.role_words.values()] + [colour[0].upper() for colour in GAME.colours]
    assert len(set(letters)) == 8


def test_y14_the_sums_are_told_after_trick_8():
    state = start(exam(), *[tap(X)] * 3, *[tap(T)] * 2, tap(B), tap(E))
    assert GAME.screen(state).sums is None
    assert GAME.screen(step(state, tap(E)).state).sums == (3, 3)


def test_a_card_seen_tells_in_which_trick_and_who_played_it():
    state = start(exam("new-trump"), SHEET, cards("green-1", "blue-1", "purple-1", cover=over_trump("orange-4")), tap(B))
    told = {card: spoken(text) for card, text in GAME.screen(state).where_seen.items()}
    assert set(told) == {str(card) for card in state.seen}
    assert told["blue-7"] == "Xavier played blue 7 in trick 1."
    assert told["blue-1"] == "Enid played blue 1 in trick 2."  # Tyler led
    assert told["purple-1"] == "Bianca played purple 1 in trick 2."
    assert told["orange-4"] == "Xavier laid orange 4 over the exam in trick 2."
    covered = start(exam("new-trump"), tap(B, cover=over_trump("orange-4")))
    assert spoken(GAME.screen(covered).where_seen["orange-4"]) == "Xavier laid orange 4 over the exam in trick 1."


def test_an_exchanged_card_is_told_as_the_masterminds():
    state = start(exam("trick-exchange"), SHEET, swap("purple-2", "blue-1"))
    told = GAME.screen(state).where_seen
    assert "purple-2" not in told
    assert spoken(told["blue-1"]) == "Xavier put blue 1 into trick 1."


def test_the_order_of_play_and_what_may_be_covered_or_exchanged():
    state = start(exam("new-trump"), tap(T))
    assert GAME.screen(state).order == (T, E, B, X)
    assert GAME.screen(state).order_without_mastermind == (T, E, B)
    assert GAME.screen(state).coverable == "trump"
    assert GAME.screen(state).exchangeable == ()
    assert [str(card) for card in screen(exam("trick-exchange"), SHEET).exchangeable] == SHEET["cards"]


def test_aca_14_the_purple_7_is_due_in_the_last_of_eight_known_tricks():
    first = [cards(*(str(Card(colour, low + n)) for n in range(4))) for colour in COLOURS for low in (1, 5)]
    without = [trick for trick in first if "purple-7" not in trick["cards"]]
    assert screen(exam(), *without).ace_due
    assert not screen(exam(), *without[:6]).ace_due
    assert not screen(exam(), *first[:7]).ace_due
    assert not screen(exam(), *without[:6], tap(B)).ace_due


def test_who_cannot_have_the_purple_7_is_told_why():
    state = start(exam(), *[tap(X)] * 4, *[tap(E)] * 3, cards("blue-1", "blue-2", "blue-3", "blue-4"))
    assert {seat: spoken(why) for seat, why in GAME.screen(state).no_ace().items()} == {
        B: "Bianca has no trick; purple 7 lies with somebody who has one.",
        T: "All cards that Tyler won are entered, and purple 7 is not among them.",
    }


def test_what_the_purple_7_tells_about_the_rebel():
    state = start(exam(trump="orange"), *[tap(X)] * 4, *[tap(E)] * 3, cards("blue-9", "green-2", "blue-3", "blue-4"))
    assert GAME.screen(state).no_goal(X) == {}
    assert {goal: spoken(why) for goal, why in GAME.screen(state).no_goal(E).items()} == {
        False: "The cards that Enid won show three colours; the Rebel's goal is met."
    }
    without = start(exam(), *[tap(X)] * 8)
    assert {goal: spoken(why) for goal, why in GAME.screen(without).no_goal(X).items()} == {
        True: "Enid has no trick, so the Rebel cannot show three colours."
    }


@pytest.mark.parametrize(
    ("rule", "before", "told"),
    [
        ("pass-left", [], "Before trick 1: everybody gives one card to the left neighbour."),
        ("swap-hands", [B], "Before trick 2: Xavier may swap whole hands with somebody, once a round."),
        ("blind-swap", [], "Before trick 1: Xavier may swap a card for one drawn unseen from another hand. The app need not know."),
        ("face-down", [T], "In trick 2, Xavier may play face down; all look when everybody has played."),
        ("face-down", [X], "Xavier leads trick 2, so this card is open."),
        ("new-trump", [], "In trick 1, Xavier may lay a card over the trump instead of playing it."),
        ("new-rule", [X], "Once in this round, Xavier may lay a card over this rule instead of playing it."),
        ("swap-roles", [], "Before trick 1: Xavier may swap roles with somebody."),
        ("swap-roles", [B], None),
        ("trick-exchange", [], None),
        ("trick-exchange", [X], None),
        ("trick-exchange", [T], "Now Xavier may swap a hand card with a card of this trick, both open."),
        ("last-trick-award", [B] * 6, None),
        ("last-trick-award", [B] * 7, "This is the last trick: whoever takes it gets one more award."),
        ("last-trick-award", [B] * 8, None),
        ("no-trump", [], None),
        ("joint-award", [], None),
    ],
)
def test_a_round_rule_reminds_at_its_moment(rule, before, told):
    assert spoken(screen(exam(rule), *map(tap, before)).reminder) == told


def test_what_is_used_up_reminds_no_more():
    once = start(exam("new-trump"), tap(B, cover=over_trump("blue-1")), new_trump="once")
    assert GAME.screen(once).reminder is None
    again = start(exam("new-rule"), tap(B, cover=over_rule("blue-1", "new-rule")))
    assert GAME.screen(again).reminder is None
    exchanged = start(exam("trick-exchange"), SHEET, swap("purple-2", "blue-1"))
    assert GAME.screen(exchanged).reminder is None
    swapped = start(exam("swap-roles"), {"do": "swap-roles", "seat": E})
    assert GAME.screen(swapped).reminder is None
    assert screen().reminder is None


@pytest.mark.parametrize(
    ("awards", "rule", "told"),
    [
        (3, None, "would win in this round with the purple 7"),
        (2, "no-trump", "would win in this round with one more award and the purple 7"),
        (1, None, "would win in this round with two more awards and the purple 7"),
        (1, "last-trick-award", "would win in this round with two more awards and the purple 7"),
        (1, "new-rule", "would win in this round with two more awards and the purple 7"),
        (1, "no-trump", None),
        (0, None, None),
    ],
)
def test_who_can_win_this_round(awards, rule, told):
    """ACA-13, ACA-16: two awards at once come only with the round rule's help."""
    state = replace(start(), awards=(awards,) * 4, rule=rule)
    assert [spoken(GAME.screen(state).chance(seat)) for seat in range(4)] == [told] * 4


def test_a_joint_award_helps_two_of_them():
    state = replace(start(), awards=(1,) * 4, rule="joint-award")
    assert [GAME.screen(state).chance(seat) is not None for seat in range(4)] == [False, True, False, True]


def test_the_rack_shows_what_is_taken_what_is_next_and_how_far_back_it_lies():
    """ACA-5: eight places."""
    rack = screen(exam(), tap(T), tap(B)).rack
    assert [place.number for place in rack] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [place.winner for place in rack] == [T, B, *[None] * 6]
    assert [place.number for place in rack if place.is_next] == [3]
    assert [place.later for place in rack if place.winner is not None] == [1, 0]
    assert not any(place.is_next for place in screen(exam(), *[tap(B)] * 8).rack)


def test_a_screen_tells_which_trick_is_played_and_who_leads_it():
    assert (screen().next_trick, screen().leads) == (None, B)
    assert (screen(exam(), tap(T)).next_trick, screen(exam(), tap(T)).leads) == (2, T)
    full = screen(exam(), *[tap(B)] * 8)
    assert (full.next_trick, full.leads) == (None, None)
    won = GAME.screen(replace(start(), winner=X, awards=(3,) * 4))
    assert won.leads is None
    assert [won.chance(seat) for seat in range(4)] == [None] * 4


def test_a_screen_has_another_step_after_every_entry():
    assert screen(exam(), tap(T)).step == "1.1.face-down.False.False"
    steps = [screen(), screen(exam("swap-roles")), screen(exam("swap-roles"), {"do": "swap-roles", "seat": E})]
    steps += [screen(exam("trick-exchange"), SHEET), screen(exam("trick-exchange"), SHEET, swap("purple-2", "blue-1"))]
    assert len({each.step for each in steps}) == len(steps)


def test_everybody_is_shown_in_the_order_of_the_roles():
    assert screen(captain=T).seats == (T, E, B, X)
    assert screen(captain=T).mastermind == E


def test_who_got_awards_is_shown_with_how_many():
    assert screen().takers((0, 2, 0, 1)) == ((X, 2), (E, 1))
    assert screen().takers((0, 0, 0, 0)) == ()


def test_a_trick_is_entered_in_the_order_of_play():
    shown = screen(exam("new-trump"), tap(T))
    assert [(name, spoken(label), seat) for name, label, seat in shown.slots] == [
        ("cards.0", "Tyler", T),
        ("cards.1", "Enid", E),
        ("cards.2", "Bianca", B),
        ("cards.3", "Xavier", X),
    ]
    assert shown.covering_slot == 3


def test_a_trick_is_drawn_again_as_it_was_entered():
    shown = screen(exam("new-trump"), tap(E))  # the Mastermind plays third
    whole = {"cards.0": "blue-1", "cards.1": "blue-2", "cards.2": "blue-3", "cards.3": "blue-4"}
    assert shown.filled(whole) == whole
    covered = {"cards.0": "blue-1", "cards.1": "blue-2", "cards.2": "blue-4", "cover.as": "trump", "cover.card": "green-3"}
    assert shown.filled(covered) == {"cards.0": "blue-1", "cards.1": "blue-2", "cards.2": "green-3", "cards.3": "blue-4"}
    assert shown.filled({"cover.as": "trump"}) == dict.fromkeys(whole, "")


def test_aca_14_the_purple_7_is_struck_where_a_card_is_laid_over_the_exam():
    shown = screen(exam("new-trump"), SHEET)
    assert {card: spoken(why) for card, why in shown.not_covering.items()} == {
        **{card: spoken(why) for card, why in shown.where_seen.items()},
        "purple-7": "The purple 7 is never laid over the exam.",
    }
    assert len(shown.not_covering) == 5
    played = screen(exam("new-trump"), cards("purple-7", "blue-7", "green-3", "purple-2"))
    assert spoken(played.not_covering["purple-7"]) == "Bianca played purple 7 in trick 1."


def test_only_under_swap_hands_a_swap_of_hands_is_called():
    assert not screen().swaps_hands
    assert not screen(exam()).hands_swapped({"call": "swapped"})
    shown = screen(exam("swap-hands"))
    assert shown.swaps_hands
    assert [shown.hands_swapped(call) for call in (None, {"call": "not-swapped"}, {"call": "swapped"})] == [False, False, True]


def test_the_end_of_a_round_offers_what_is_possible():
    """ACA-10, ACA-14."""
    opened = screen(exam(trump="orange"), *[tap(X)] * 4, *[tap(E)] * 3, cards("blue-9", "green-2", "blue-3", "blue-4")).ending
    assert (set(opened.no_ace), opened.only_ace, set(opened.surely)) == ({B, T}, None, {E})
    assert (opened.yes.why_not, opened.yes.certain, opened.no.why_not, opened.no.certain) == (None, False, None, False)
    never = screen(exam(), *[tap(X)] * 8).ending
    assert (set(never.no_ace), never.only_ace, never.surely) == ({B, T, E}, X, {})
    assert spoken(never.yes.why_not) == "Enid has no trick, so the Rebel cannot show three colours."
    assert (never.yes.certain, never.no.why_not, never.no.certain) == (False, None, True)
    always = screen(exam(), *[tap(X)] * 7, cards("green-1", "blue-1", "green-9", "orange-2")).ending
    assert (always.only_ace, always.yes.why_not, always.yes.certain, always.no.certain) == (X, None, True, False)
    assert spoken(always.no.why_not) == "The cards that Enid won show three colours; the Rebel's goal is met."


def test_a_page_takes_its_numbers_from_the_rules():
    """ACA-2, ACA-5, ACA-10, ACA-12, ACA-14, ACA-16."""
    told = GAME.numbers
    assert (told.players, told.tricks, told.awards, told.rebel_colours) == (4, 8, 3, 3)
    assert (told.cards, told.exam_cards, told.majority) == (36, 4, 5)
    assert (str(GAME.ace), GAME.no_trump) == ("purple-7", "no-trump")


def test_the_names_of_the_game():
    assert (GAME.id, say(GAME.name, []), GAME.players, GAME.has_rounds) == ("the-academy", "The Academy", (4,), True)
    assert [kind.do for kind in GAME.actions] == ["exam", "swap-roles", "trick", "exchange", "round"]
    assert all(isinstance(text, Text) for text in ROUND_RULES.values())


def test_the_example_is_a_whole_game_at_both_depths():
    record = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    told = replay(record)
    assert told["finished"]
    assert told["warnings"] == []
    assert told["totals"] == [3, 3, 1, 3]
    assert told["winners"] == [1]
    assert {action["do"] for action in record["actions"]} == {kind.do for kind in GAME.actions}
    tricks = [action for action in record["actions"] if action["do"] == "trick"]
    assert any("cards" in trick for trick in tricks)
    assert any("winner" in trick for trick in tricks)
