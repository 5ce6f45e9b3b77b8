"""Who wins a trick of Tricky Cribby and who picks when, and why; how a dispute about it is asked and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import pairwise

from companion.games.base import SKIP, Facts, Field, Form, Name, Plain, Reason, RuleError, Text, Verdict, given, names, path
from companion.games.cards import COLOURS as WORDS
from companion.games.cards import Card
from companion.games.disputes import Disputes, WhatIf, had_followed, if_only, other_leaders
from companion.games.tricky_cribby.model import BOTH, COLOURS, DECK, ORDERS, PLAYED, Dispute, Played, turns_of
from companion.games.tricky_cribby.seen import with_new

# ---- the order of the cards ------------------------------------------------------------------------------------------


def by_rank(line: tuple[str, ...], seats: tuple[int, ...], cards: tuple[Card, ...]) -> tuple[Played, ...]:
    """The cards of a trick, weakest first: the colour's place in the line, then the number."""
    return tuple(sorted(map(Played, seats, cards), key=partial(_rank, line)))


def _rank(line: tuple[str, ...], played: Played) -> tuple[int, int]:
    return -line.index(played.card.colour), played.card.value


def pickers_of(ranks: tuple[Played, ...]) -> tuple[int, ...]:
    """Five picks: the owner of the strongest card has the last two."""
    seats = [played.seat for played in ranks]
    return (*seats, seats[-1])


# ---- why -------------------------------------------------------------------------------------------------------------


def trick_verdict(line: tuple[str, ...], ranks: tuple[Played, ...], pickers: tuple[int, ...]) -> Verdict:
    return Verdict(ranks[-1].seat, partial(_argue, line, ranks, pickers), {"picks": list(pickers)})


def _argue(line: tuple[str, ...], ranks: tuple[Played, ...], pickers: tuple[int, ...]) -> Iterator[Reason]:
    """The line, then every card from the strongest down, each against the one above it."""
    yield Reason(Text("The line, strongest first: {line}.", line=tuple(WORDS[colour] for colour in line)), "CRI-3")
    best, second = ranks[-1], ranks[-2]
    yield Reason(_why_strongest(best, second), "CRI-6", best.seat)
    for above, below in pairwise(reversed(ranks)):
        yield Reason(_why_weaker(above.card, below), "CRI-6", below.seat)
    yield Reason(order_in_words(pickers), picking_rule(len(set(pickers))))
    facts: Facts = {"player": Name(best.seat), "colour": WORDS[best.card.colour]}
    yield Reason(Text("After the picks, {colour} goes to the weak end of the line and {player} leads.", **facts), "CRI-10")


def _why_strongest(best: Played, second: Played) -> Text:
    facts: Facts = {"player": Name(best.seat), "card": best.card.text, "colour": WORDS[best.card.colour]}
    if second.card.colour == best.card.colour:
        return Text("{player} wins: {colour} is the strongest colour played, and the {card} is the highest of it.", **facts)
    return Text("{player} wins: the {card} is the only card of the strongest colour played, whatever the numbers.", **facts)


def _why_weaker(above: Card, below: Played) -> Text:
    facts: Facts = {"player": Name(below.seat), "card": below.card.text, "above": above.text}
    if above.colour == below.card.colour:
        return Text("The {card} of {player} is weaker than the {above}: same colour, lower number.", **facts)
    colours: Facts = {"strong": WORDS[above.colour], "weak": WORDS[below.card.colour]}
    return Text(
        "The {card} of {player} is weaker than the {above}: {strong} stands before {weak} in the line, whatever the numbers.",
        **facts,
        **colours,
    )


@cache
def order_in_words(pickers: tuple[int, ...]) -> Text:
    return Text("Picks, from the weakest card to the strongest: {players}, who uses both last cards.", players=names(pickers[:PLAYED]))


def picking_rule(players: int) -> str:
    return "CRI-7" if players == PLAYED else "CRI-18"


# ---- a dispute -------------------------------------------------------------------------------------------------------


def resolved(question: Dispute) -> Verdict:
    players, order = len(question.players), question.two_player_order
    if players != PLAYED and order is None:
        text = Text("With two players, “two_player_order” says how the cards were played: both or alternate.")
        raise RuleError(text, "RECORD")
    check_number(players, question.cards)
    with_new(frozenset(), question.cards)
    line = checked_line(question.strength)
    ranks = by_rank(line, turns_of(players, question.leader, order), question.cards)
    return trick_verdict(line, ranks, pickers_of(ranks))


def check_number(players: int, cards: tuple[Card, ...]) -> None:
    n = len(cards)
    if n == PLAYED:
        return
    if players == PLAYED:
        raise RuleError(Text("Everybody plays one card to a trick: 4 cards, not {n}.", n=n), "CRI-5")
    raise RuleError(Text("Both players play two cards to a trick: 4 cards, not {n}.", n=n), "CRI-17")


def checked_line(line: tuple[str, ...]) -> tuple[str, ...]:
    if sorted(line) == sorted(COLOURS):
        return line
    text = Text("The line of colours holds each of {colours} exactly once.", colours=tuple(WORDS[colour] for colour in COLOURS))
    raise RuleError(text, "CRI-3")


def _winner_of(question: Plain) -> int:
    turns = turns_of(len(question["players"]), question.get("leader", 0), question.get("two_player_order"))
    return by_rank(tuple(question["strength"]), turns, tuple(DECK[name] for name in question["cards"]))[-1].seat


class CribbyDisputes(Disputes):
    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(players, leader)

    def turns(self, players: int, leader: int, asked: Plain) -> tuple[int, ...]:
        return turns_of(players, leader, asked.get("two_player_order", BOTH))

    def foreseen(self, players: int, leader: int, asked: Plain) -> Verdict | None:
        """Decided once no card that is still out is stronger than the strongest one; the order of the picks is not."""
        told, cards = asked.get("strength", ()), tuple(DECK[name] for name in asked.get("cards", ()))
        if not cards:
            return None
        line = (*told, *(colour for colour in COLOURS if colour not in told))
        ranks = by_rank(line, self.turns(players, leader, asked), cards)
        out = by_rank(line, (0,) * len(DECK), tuple(card for card in DECK.values() if card not in cards))
        if _rank(line, out[-1]) > _rank(line, ranks[-1]):
            return None
        best, second = ranks[-1], ranks[-2:][0]
        return Verdict(best.seat, lambda: (Reason(_why_strongest(best, second), "CRI-6", best.seat),))

    def after(self, question: Plain, verdict: Verdict) -> Reason:
        return verdict.why[-1]

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        players, leader, line = len(question["players"]), question.get("leader", 0), question["strength"]
        order = question.get("two_player_order")
        for colour in line[1:]:
            fronted = [colour, *(each for each in line if each != colour)]
            text = Text("if {colour} were strongest", colour=WORDS[colour])
            yield if_only(("strength", colour), text, {**question, "strength": fronted})
        yield from other_leaders(question, 2 if order == BOTH else 1)
        yield from had_followed(question, turns_of(players, leader, order), DECK, _winner_of)


def _dispute_form(players: int, leader: int) -> Form:
    """The line from the strong end, whose last colour is clear; then the four cards. Only two players have more than one order."""
    text = Text("Do you play both cards at once, or one by one in turn?")
    told = yield Field("two_player_order", ORDERS, text, optional=True)
    order = BOTH if told is SKIP else told
    line = yield from _line_form()
    cards: list[str] = []
    for turn, seat in enumerate(turns_of(players, leader, order)):
        free = [name for name in DECK if name not in cards]
        cards.append((yield Field(path("cards", turn), free, Text("Which card does {player} play?", player=Name(seat)), "card")))
    return given(two_player_order=SKIP if players == PLAYED else order, strength=line, cards=cards)


def _line_form() -> Form:
    line: list[str] = []
    for place in range(len(COLOURS)):
        text = Text("Which colour is the strongest?") if place == 0 else Text("Which colour comes next in the line?")
        left = [colour for colour in COLOURS if colour not in line]
        told = yield Field(path("strength", place), left, text, optional=len(left) == 1)
        line.append(left[0] if told is SKIP else told)
    return line
