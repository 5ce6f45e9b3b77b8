"""Which cards of a round were shown, and by whom: each comes once, and a colour shown may have been owed before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.base import Name, Note, RuleError, Text
from companion.games.cards import COLOURS as WORDS
from companion.games.cards import Card, first_repeated
from companion.games.the_academy.model import CAPTAIN, MASTERMIND, MOVES_HANDS, Missed, Shown, State, order_of_play

# ---- every card is there once ----------------------------------------------------------------------------------------


def check_new(cards: Sequence[Card], state: State | None = None) -> None:
    card = first_repeated(cards, state.seen if state else frozenset())
    if card:
        raise RuleError(_seen_before(card, state), "ACA-7")


def _seen_before(card: Card, state: State | None) -> Text:
    """Who showed it when; a card that came twice in one trick was only just shown."""
    sighting = dict(where_seen(state)).get(str(card)) if state else None
    if sighting:
        return Text("{sighting} Every card is there once.", sighting=sighting)
    return Text("{card} was shown in this round before; every card is there once.", card=card.text)


def where_seen(state: State) -> Iterator[tuple[str, Text]]:
    """Where every card known of this round was shown, and by whom."""
    leader = state.seat_of(CAPTAIN)
    mastermind = Name(state.seat_of(MASTERMIND))
    for n, trick in enumerate(state.tricks, 1):
        order = order_of_play(leader, mastermind.seat if trick.cover else None)
        for seat, card in zip(order, trick.cards or (), strict=False):
            yield str(card), Text("{player} played {card} in trick {n}.", player=Name(seat), card=card.text, n=n)
        if trick.cover:
            yield str(trick.cover), Text("{player} laid {card} over the exam in trick {n}.", player=mastermind, card=trick.cover.text, n=n)
        if trick.given:
            yield str(trick.given), Text("{player} put {card} into trick {n}.", player=mastermind, card=trick.given.text, n=n)
        leader = trick.winner


# ---- following the led colour ----------------------------------------------------------------------------------------


def missed_after(state: State, played: Shown, shown: Shown) -> Missed:
    """Who is known not to have had a colour; `state` is the one in which the trick was played."""
    if state.rule in MOVES_HANDS or state.rules.revoke == "ignore":
        return {}
    settled = {(seat, card.colour) for seat, card in shown}
    kept = {miss: trick for miss, trick in state.missed.items() if miss not in settled}
    return _excused(state, _misses(played, len(state.tricks) + 1) | kept)


def _misses(played: Shown, n: int) -> dict[tuple[int, str], int]:
    return {(seat, played[0][1].colour): n for seat, card in played if card.colour != played[0][1].colour}


def _excused(state: State, missed: Missed) -> Missed:
    """Under trick-exchange the Mastermind may have got any colour out of a trick."""
    if state.rule != "trick-exchange":
        return missed
    mastermind = state.seat_of(MASTERMIND)
    return {miss: trick for miss, trick in missed.items() if miss[0] != mastermind}


def doubts(state: State, shown: Shown) -> Iterator[Note]:
    for seat, card in shown:
        trick = state.missed.get((seat, card.colour))
        if trick:
            yield Note(_doubt(seat, card, trick), "ACA-6", warning=True)


def _doubt(seat: int, card: Card, trick: int) -> Text:
    return Text(
        "{player} shows {card} but did not follow {colour} in trick {n}. Where that was a mistake, undo and play the round again.",
        player=Name(seat),
        card=card.text,
        colour=WORDS[card.colour],
        n=trick,
    )
