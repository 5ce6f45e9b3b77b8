"""Cards come once: where each was seen, and the refusal of one that comes again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.base import Name, RuleError, Text
from companion.games.cards import Card, first_repeated
from companion.games.tricky_cribby.model import Picks, State


def sightings(state: State) -> dict[str, Text]:
    """Where each card was seen that cannot come again, by its name in a record."""
    return {name: text for n, picks in enumerate(state.shown, 1) for name, text in _seen_in(n, picks)}


def _seen_in(n: int, picks: Picks) -> Iterator[tuple[str, Text]]:
    yield str(picks.up), Text("The {card} was the draw card of trick {n}.", card=picks.up.text, n=n)
    for seat, card in picks.ranks:
        yield str(card), Text("{player} played the {card} in trick {n}.", player=Name(seat), card=card.text, n=n)


def with_new(seen: frozenset[Card], cards: tuple[Card, ...], state: State | None = None) -> frozenset[Card]:
    """All cards seen so far, with these; no card comes twice."""
    both = seen.union(cards)
    if len(both) == len(seen) + len(cards):
        return both
    card = first_repeated(cards, seen)
    assert card
    raise RuleError(_seen_before(card, sightings(state) if state else {}), "CRI-2")


def _seen_before(card: Card, told: Mapping[str, Text]) -> Text:
    """Who showed it when; a card that came twice in one trick was only just entered."""
    if str(card) in told:
        return Text("{sighting} It is in the game only once. Please look at the card again.", sighting=told[str(card)])
    return Text("The {card} was entered before: it is in the game only once. Please look at the card again.", card=card.text)
