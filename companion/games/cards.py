"""Suits, cards and decks, and the order of play: what the trick games share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from pydantic import PlainSerializer, PlainValidator

from companion.games.base import Text
from companion.games.record import refuse_value

COLOURS: dict[str, Text] = {
    "red": Text("red"),
    "orange": Text("orange"),
    "yellow": Text("yellow"),
    "green": Text("green"),
    "blue": Text("blue"),
    "purple": Text("purple"),
}


class Card(NamedTuple):
    """A card of one colour; in a record `blue-5`."""

    colour: str
    value: int

    def __str__(self) -> str:
        return "-".join((self.colour, str(self.value)))

    @property
    def text(self) -> Text:
        return Text("{colour} {value}", colour=COLOURS[self.colour], value=self.value)


@cache
def deck(colours: tuple[str, ...]) -> dict[str, Card]:
    """The cards 1 to 9 of these colours by their name in a record, in order."""
    cards = (Card(colour, value) for colour in colours for value in range(1, 10))
    return {str(card): card for card in cards}


AS_NAME = PlainSerializer(str)


def card_of(colours: tuple[str, ...]) -> PlainValidator:
    """`Annotated[Card, card_of(colours), AS_NAME]`: a card of that deck by its name; every other name is refused in words."""
    cards = deck(colours)

    def read_card(name: object) -> Card:
        if isinstance(name, str) and name in cards:
            return cards[name]
        raise refuse_value(_no_such_card(colours))

    return PlainValidator(read_card)


def _no_such_card(colours: tuple[str, ...]) -> Text:
    return Text(
        "In {where}, “{field}” must be a card such as {example}: {colours}, 1 to 9.",
        example=str(Card(colours[0], 5)),
        colours=tuple(COLOURS[colour] for colour in colours),
    )


@cache
def clockwise(leader: int, players: int) -> tuple[int, ...]:
    """The seats in the order of play."""
    return tuple((leader + turn) % players for turn in range(players))


def first_highest(strengths: Sequence[Any]) -> int:
    """Which card wins: the strongest, among equals the earlier."""
    return max(range(len(strengths)), key=strengths.__getitem__)


def first_repeated(cards: Iterable[Card], seen: frozenset[Card] = frozenset()) -> Card | None:
    """The first card that was there before."""
    met = set(seen)
    for card in cards:
        if card in met:
            return card
        met.add(card)
    return None
