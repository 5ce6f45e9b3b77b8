"""Who wins a trick and why, and how a dispute about one is asked and told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from companion.games.base import Facts, Field, Form, Name, Plain, Reason, RuleError, Text, Verdict, path
from companion.games.cards import COLOURS as WORDS
from companion.games.cards import Card, clockwise, first_highest
from companion.games.disputes import Disputes, WhatIf, had_followed, other_leaders, other_trumps
from companion.games.the_academy.model import COLOURS, DECK, PLAYERS, Dispute, order_of_play
from companion.games.the_academy.sightings import check_new

# ---- who wins a trick ------------------------------------------------------------------------------------------------


def judge(leader: int, away: int | None, trump: str | None, cards: Sequence[Card]) -> Verdict:
    order, strength = order_of_play(leader, away), _strength(trump, cards[0].colour)
    best = first_highest([strength(card) for card in cards])
    return Verdict(order[best], partial(_argued, leader, away, trump, cards, best))


def _strength(trump: str | None, led: str) -> Callable[[Card], tuple[bool, bool, int]]:
    """Trumps, then the led colour, then by number; of other colours none can win."""
    return lambda card: (card.colour == trump, card.colour == led, card.value)


def _argued(leader: int, away: int | None, trump: str | None, cards: Sequence[Card], best: int) -> Iterator[Reason]:
    order, led, winning = order_of_play(leader, away), cards[0].colour, cards[best]
    words: Facts = {"led": WORDS[led], "best": winning.text, "winner": Name(order[best])}
    why = _why_by_trump if winning.colour == trump else _why_by_led
    for seat, card in zip(order, cards, strict=False):  # there are fewer cards where it is decided early
        yield Reason(why(card, winning, led, trump, {**words, "player": Name(seat), "card": card.text}), "ACA-7", seat)
    if away is not None:
        yield _why_away(leader, away)


def _why_by_trump(card: Card, winning: Card, led: str, trump: str | None, facts: Facts) -> Text:
    if card == winning:
        return Text("{player} wins: {card} is the highest trump in the trick.", **facts)
    if card.colour == trump:
        return Text("{player} has {card}, a lower trump than {best}.", **facts)
    if card.colour == led:
        return Text("{player} has {card}, but every trump beats the led colour: {winner} played {best}.", **facts)
    return Text("{player} has {card}, neither the led colour nor trump: that never wins.", **facts)


def _why_by_led(card: Card, winning: Card, led: str, trump: str | None, facts: Facts) -> Text:
    if card == winning and trump is None:
        return Text("{player} wins: there is no trump, and {card} is the highest card of the led colour.", **facts)
    if card == winning:
        return Text("{player} wins: nobody played a trump, and {card} is the highest card of the led colour.", **facts)
    if card.colour == led:
        return Text("{player} has {card}, lower than {best}.", **facts)
    return Text("{player} has {card}; {led} was led, and another colour wins only as trump.", **facts)


def _why_away(leader: int, away: int) -> Reason:
    if leader == away:
        follower = Name((away + 1) % PLAYERS)
        text = Text("{player} covered instead of leading, so {follower} led and set the colour.", player=Name(away), follower=follower)
        return Reason(text, "Y2", away)
    return Reason(Text("{player} covered instead of playing and has no card that could win.", player=Name(away)), "ACA-7", away)


# ---- a dispute ---------------------------------------------------------------------------------------------------------


def resolve(question: Dispute) -> Verdict:
    away = _covering_seat(question)
    cards = tuple(card for card in question.cards if card)
    check_new(cards)
    return judge(question.leader, away, question.trump, cards)


def _covering_seat(question: Dispute) -> int | None:
    """The seat without a card in a dispute."""
    if len(question.cards) != PLAYERS:
        text = Text("A trick has {players} cards, with null in the place of a Mastermind who covered.", players=PLAYERS)
        raise RuleError(text, "ACA-5")
    if question.cards.count(None) > 1:
        raise RuleError(Text("Only the Mastermind can cover; everybody else plays a card."), "ACA-1")
    turns = zip(clockwise(question.leader, PLAYERS), question.cards, strict=True)
    return next((seat for seat, card in turns if card is None), None)


class AcademyDisputes(Disputes):
    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(clockwise(leader, players))

    def foreseen(self, players: int, leader: int, asked: Plain) -> Verdict | None:
        """Decided once no card that is still out would beat the best one."""
        cards = [DECK[name] for name in asked.get("cards", ()) if name]
        if not cards:
            return None
        away = next((seat for seat, name in zip(clockwise(leader, PLAYERS), asked["cards"], strict=False) if name is None), None)
        strength = _strength(asked["trump"], cards[0].colour)
        best = max(map(strength, cards))
        out = (card for card in DECK.values() if card not in cards)
        return None if any(strength(card) > best for card in out) else judge(leader, away, asked["trump"], cards)

    def after(self, question: Plain, verdict: Verdict) -> Reason:
        assert verdict.winner is not None
        return Reason(Text("{player} keeps the trick and leads the next one.", player=Name(verdict.winner)), "ACA-8")

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        yield from other_trumps(question, (*COLOURS, None))
        yield from other_leaders(question)
        yield from had_followed(question, clockwise(question.get("leader", 0), PLAYERS), DECK, _winner_of)


def _dispute_form(seats: tuple[int, ...]) -> Form:
    trump = yield Field("trump", (*COLOURS, None), Text("Which colour is trump?"))
    cards: list[str | None] = []
    for turn, seat in enumerate(seats):
        free: list[str | None] = [name for name in DECK if name not in cards]
        free += [] if None in cards else [None]
        cards.append((yield Field(path("cards", turn), free, Text("Which card does {player} play?", player=Name(seat)), "card")))
    return {"trump": trump, "cards": cards}


def _winner_of(question: Plain) -> int | None:
    away = next((turn for turn, name in enumerate(question["cards"]) if name is None), None)
    leader = question.get("leader", 0)
    cards = [DECK[name] for name in question["cards"] if name]
    return judge(leader, None if away is None else (leader + away) % PLAYERS, question["trump"], cards).winner
