"""Who wins an edge of Crazy Race and why, and how a dispute about one is asked and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from companion.games.base import SKIP, Facts, Field, Form, Name, Plain, Reason, Text, Verdict, names, path
from companion.games.crazy_race.laying import by_seat, check_laid
from companion.games.crazy_race.model import HAND, MAX_CARDS, Dispute, Laid, Rules, Shown, State
from companion.games.disputes import Disputes, WhatIf, if_only


def edge_verdict(cards: Sequence[Laid], shown: Shown) -> Verdict:
    """The highest sum wins, among equals whoever laid first there."""
    if not cards:
        return Verdict(None, lambda: (Reason(Text("No card lies at this edge, so nobody wins it."), "RACE-12"),))
    sums = {seat: sum(own) for seat, own in shown.items()}
    winner = max(sums, key=sums.__getitem__)
    return Verdict(winner, partial(_argument, cards, sums, winner))


def _argument(cards: Sequence[Laid], sums: Mapping[int, int], winner: int) -> Iterator[Reason]:
    best = sums[winner]
    tied = [seat for seat, total in sums.items() if total == best and seat != winner]
    earlier = "RACE-8" if cards[0][0] == winner else "R1"
    for seat, card in cards:
        facts: Facts = {"player": Name(seat), "card": card, "sum": sums[seat], "winner": Name(winner), "best": best, "tied": names(tied)}
        yield Reason(_why(seat == winner, seat in tied, bool(tied), facts), earlier if tied and sums[seat] == best else "RACE-7", seat)


def _why(won: bool, equal: bool, tie: bool, facts: Facts) -> Text:
    """What became of one card."""
    if won and tie:
        return Text(
            "{player} wins with the {card}: {sum} in all, as much as {tied}, but with the earlier first card at this edge.", **facts
        )
    if won:
        return Text("{player} wins with the {card}: {sum} in all is the highest sum at this edge.", **facts)
    if equal:
        return Text("{player} laid the {card}: {sum} in all, too, but {winner} laid a first card at this edge earlier.", **facts)
    return Text("{player} laid the {card}: {sum} in all, less than the {best} of {winner}.", **facts)


# ---- disputes --------------------------------------------------------------------------------------------------------


class RaceDisputes(Disputes):
    """How a dispute about an edge is asked and told: nobody leads, and it can stop after any card."""

    asking = Text("Who wins this edge?")
    led = False
    open_ended = True

    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(players)

    def headline(self, verdict: Verdict) -> Text:
        if verdict.winner is None:
            return Text("Nobody wins this edge.")
        return Text("{player} wins this edge.", player=Name(verdict.winner))

    def after(self, question: Plain, verdict: Verdict) -> Reason | None:
        if verdict.winner is None:
            return None
        text = Text("{player} moves what the edge shows; nobody else gets anything for it.", player=Name(verdict.winner))
        return Reason(text, "RACE-7")

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        """Somebody else's first card was there before all others."""
        cards = question["cards"]
        for seat in sorted({seat for seat, _ in cards} - {seat for seat, _ in cards[:1]}):
            first = next(place for place, (owner, _) in enumerate(cards) if owner == seat)
            other = {**question, "cards": [cards[first], *cards[:first], *cards[first + 1 :]]}
            yield if_only(("first", str(seat)), Text("if {player} had laid first", player=Name(seat)), other)


def resolve(question: Dispute) -> Verdict:
    """Who wins these cards, with what everybody's add up to, where they can lie there at all."""
    fresh, shown = State.at_start(len(question.players), Rules()), by_seat(question.cards)
    check_laid(fresh, shown)
    sums = [sum(shown.get(seat, ())) for seat in range(fresh.players)]
    return replace(edge_verdict(question.cards, shown), adds={"sums": sums})


def _dispute_form(players: int) -> Form:
    """One card after the other, as far as each player's eight cards and three a stage go; it can stop after any of them."""
    cards: list[Laid] = []
    while free := _still_free(players, by_seat(cards)):
        text = Text("Who laid which card?") if not cards else Text("Who laid the next card?")
        card = yield Field(path("cards", len(cards)), free, text, "laid", optional=True)
        if card is SKIP:
            break
        cards.append(card)
    return {"cards": cards}


def _still_free(players: int, shown: Shown) -> list[list[int]]:
    return [[seat, card] for seat in range(players) for card in dict.fromkeys(HAND) if _can_add(shown.get(seat, ()), card)]


def _can_add(own: Sequence[int], card: int) -> bool:
    return len(own) < MAX_CARDS and own.count(card) < HAND.count(card)
