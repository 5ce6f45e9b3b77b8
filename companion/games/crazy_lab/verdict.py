"""Who wins a trick of Crazy Lab, and why; how a dispute about it is asked and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from companion.games.base import SKIP, Facts, Field, Form, Name, Plain, Reason, RuleError, Text, Verdict, given, path
from companion.games.cards import COLOURS as WORDS
from companion.games.cards import clockwise, first_highest
from companion.games.crazy_lab.model import COLOURS, HIGHEST, Dispute
from companion.games.disputes import Disputes, WhatIf, other_leaders, other_trumps


def trick_verdict(seats: tuple[int, ...], trump: str, cards: Sequence[Mapping[str, int]]) -> Verdict:
    shown = [card.get(trump, 0) for card in cards]
    if any(shown):
        best = first_highest(shown)
        return Verdict(seats[best], partial(_by_trump, seats, trump, shown, best))
    highest = [max(card.values()) for card in cards]
    best = first_highest(highest)
    return Verdict(seats[best], partial(_without_trump, seats, trump, highest, best))


def _by_trump(seats: tuple[int, ...], trump: str, shown: list[int], best: int) -> Iterator[Reason]:
    for turn, (seat, value) in enumerate(zip(seats, shown, strict=True)):
        facts: Facts = {"player": Name(seat), "winner": Name(seats[best]), "trump": WORDS[trump], "value": value, "best": shown[best]}
        yield Reason(*_why_by_trump(turn, value, best, shown[best], facts), seat)


def _why_by_trump(turn: int, value: int, best: int, highest: int, facts: Facts) -> tuple[Text, str]:
    if turn == best:
        return Text("{player} wins: {trump} {value} is the highest {trump} in the trick.", **facts), "LAB-13"
    if value == highest:
        return Text("{player} has {trump} {value} too, but {winner} played it earlier.", **facts), "LAB-14"
    if value:
        return Text("{player} has {trump} {value}, lower than {trump} {best}.", **facts), "LAB-13"
    return Text("{player} shows no {trump}; every {trump} beats that, even a 1.", **facts), "LAB-16"


def _without_trump(seats: tuple[int, ...], trump: str, highest: list[int], best: int) -> Iterator[Reason]:
    for turn, (seat, value) in enumerate(zip(seats, highest, strict=True)):
        facts: Facts = {"player": Name(seat), "winner": Name(seats[best]), "trump": WORDS[trump], "value": value, "best": highest[best]}
        yield Reason(_why_without_trump(turn, value, best, highest[best], facts), "LAB-15", seat)


def _why_without_trump(turn: int, value: int, best: int, highest: int, facts: Facts) -> Text:
    if turn == best:
        return Text("{player} wins: nobody shows {trump}, and {value} is the highest single number.", **facts)
    if value == highest:
        return Text("{player} has a {value} too, but {winner} played it earlier.", **facts)
    return Text("{player}: the highest single number is {value}, lower than {best}.", **facts)


# ---- a dispute -------------------------------------------------------------------------------------------------------


def resolved(question: Dispute) -> Verdict:
    """One dispute without a match."""
    _check_parts(question)
    return trick_verdict(clockwise(question.leader, len(question.players)), question.trump, question.cards)


def _check_parts(question: Dispute) -> None:
    """A card of a dispute is its colours, or only its highest number where it lacks the trump."""
    if len(question.cards) != len(question.players):
        text = Text("A trick has one card a player: {players}, not {n}.", players=len(question.players), n=len(question.cards))
        raise RuleError(text, "LAB-12")
    if any("highest" in card and len(card) > 1 for card in question.cards):
        raise RuleError(Text("Give a card by its colours, or only by its highest number, not both."), "RECORD")


def retold(question: Dispute) -> Dispute:
    """A card is as good as its number in trump; without any trump, as its highest."""
    shown = any(question.trump in card for card in question.cards)
    cards = [{question.trump: card.get(question.trump, 0)} if shown else {"highest": max(card.values())} for card in question.cards]
    return replace(question, cards=tuple(cards))


class LabDisputes(Disputes):
    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(clockwise(leader, players))

    def foreseen(self, players: int, leader: int, asked: Plain) -> Verdict | None:
        """Nothing beats a 6 in trump, not even a later one."""
        trump, cards = asked.get("trump"), asked.get("cards", [])
        if not any(card.get(trump) == HIGHEST for card in cards):
            return None
        return trick_verdict(clockwise(leader, players)[: len(cards)], trump, cards)

    def after(self, question: Plain, verdict: Verdict) -> Reason:
        assert verdict.winner is not None
        return Reason(Text("{player} takes all the cards and leads the next trick.", player=Name(verdict.winner)), "LAB-17")

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        """Another trump only where whole cards are known."""
        cards = question["cards"]
        if any(len(card) > 1 for card in cards) and not any("highest" in card for card in cards):
            yield from other_trumps(question, COLOURS)
        yield from other_leaders(question)


def _dispute_form(seats: tuple[int, ...]) -> Form:
    """The trump, then each card's number in it; where nobody shows it, each card's highest number."""
    trump = yield Field("trump", COLOURS, Text("Which colour is trump?"))
    cards = []
    for turn, seat in enumerate(seats):
        cards.append((yield from _part_form(turn, seat, trump)))
    if not any(card.get(trump) for card in cards):
        for turn, seat in enumerate(seats):
            cards[turn] = cards[turn] or (yield from _highest_form(turn, seat, trump))
    return {"trump": trump, "cards": [card or {"highest": 1} for card in cards]}  # without trump the number does not matter


def _part_form(turn: int, seat: int, trump: str) -> Form:
    """What is known of a card: its highest number, its other colours, or only its number in trump, 0 for none."""
    facts: Facts = {"player": Name(seat), "trump": WORDS[trump]}
    text, others = Text("How much {trump} does the card of {player} show?", **facts), {}
    highest = yield Field(path("cards", turn, "highest"), range(1, HIGHEST + 1), text, "number", optional=True)
    for colour in (colour for colour in COLOURS if colour != trump):
        others[colour] = yield Field(path("cards", turn, colour), range(1, HIGHEST + 1), text, "number", optional=True)
    known = given(**others) or given(highest=highest)
    shown = yield Field(path("cards", turn, trump), range(HIGHEST + 1), text, "number", optional=bool(known))
    return known if shown in (SKIP, 0) else {trump: shown, **given(**others)}


def _highest_form(turn: int, seat: int, trump: str) -> Form:
    facts: Facts = {"player": Name(seat), "trump": WORDS[trump]}
    text = Text("Nobody shows {trump}: what is the highest number on the card of {player}?", **facts)
    highest = yield Field(path("cards", turn, "highest"), range(1, HIGHEST + 1), text, "number")
    return {"highest": highest}
