"""A dispute without a match, as people ask it: what to choose in which order, how the verdict is told, what if something were different."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

from companion.games.base import Form, Name, Plain, Reason, Text, Verdict
from companion.games.cards import COLOURS, Card, clockwise


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which it could have been different; `text` where there are several."""

    question: Plain
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Something that could have been different; how, is only worked out when somebody asks for it."""

    id: str
    text: Text
    work_out: Callable[[], tuple[Case, ...]] = field(compare=False)

    @property
    def cases(self) -> tuple[Case, ...]:
        return self.work_out()


def if_only(id: Sequence[str], text: Text, question: Plain) -> WhatIf:
    """One thing different, one other question."""
    return WhatIf("-".join(id), text, lambda: (Case(question),))


class Disputes:
    """How a game's disputes are asked and told. A game without them still answers `resolve`, but has no page to ask on."""

    asking = Text("Who wins this trick?")
    led = True  # whether somebody leads, and the cards follow clockwise
    won = True  # whether somebody wins
    open_ended = False  # whether more cards may come after any verdict

    def form(self, players: int, leader: int) -> Form:
        """What to choose, in order; gives the question without its players and leader."""
        raise NotImplementedError

    def turns(self, players: int, leader: int, asked: Plain) -> tuple[int, ...]:
        """Who plays each card."""
        return clockwise(leader, players)

    def foreseen(self, players: int, leader: int, asked: Plain) -> Verdict | None:
        """The verdict on a trick that is not complete, where no card to come can change it."""
        return None

    def headline(self, verdict: Verdict) -> Text:
        assert verdict.winner is not None
        return Text("{player} wins this trick.", player=Name(verdict.winner))

    def after(self, question: Plain, verdict: Verdict) -> Reason | None:
        """What happens next: who leads, who picks, who takes the pile; may be a step of the argument."""
        return None

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        return ()


# ---- what if ---------------------------------------------------------------------------------------------------------


def other_trumps(question: Plain, trumps: Iterable[str | None]) -> Iterator[WhatIf]:
    for trump in trumps:
        if trump == question["trump"]:
            continue
        text = Text("if {colour} were trump", colour=COLOURS[trump]) if trump else Text("if there were no trump")
        yield if_only(("trump", trump or "none"), text, {**question, "trump": trump})


def other_leaders(question: Plain, cards_each: int = 1) -> Iterator[WhatIf]:
    """Everybody keeps the own card; only the order of play is another."""
    players, leader, cards = len(question["players"]), question.get("leader", 0), question["cards"]
    for turn in range(1, players):
        seat, at = (leader + turn) % players, turn * cards_each
        other = {**question, "leader": seat, "cards": [*cards[at:], *cards[:at]]}
        yield if_only(("leader", str(seat)), Text("if {player} had led", player=Name(seat)), other)


def had_followed(
    question: Plain, seats: Sequence[int], deck: Mapping[str, Card], winner: Callable[[Plain], int | None]
) -> Iterator[WhatIf]:
    """Somebody played another colour than the one led. With which cards of that colour would who have won?"""
    cards: list[str | None] = question["cards"]
    first, led = next((turn, deck[name].colour) for turn, name in enumerate(cards) if name)
    for turn, (seat, name) in enumerate(zip(seats, cards, strict=True)):
        if turn > first and name and deck[name].colour != led:
            left = [card for other, card in deck.items() if card.colour == led and other not in cards]
            text = Text("if {player} had had to follow instead of playing {card}", player=Name(seat), card=deck[name].text)
            yield WhatIf("-".join(("follow", str(turn))), text, partial(_followed, question, turn, left, winner))


def _followed(question: Plain, turn: int, left: Iterable[Card], winner: Callable[[Plain], int | None]) -> tuple[Case, ...]:
    """Every card that could have been played there; those with the same winner together."""
    cards = question["cards"]
    others = [({**question, "cards": [*cards[:turn], str(card), *cards[turn + 1 :]]}, card) for card in left]
    return tuple(_with(list(alike)) for _, alike in groupby(others, lambda each: winner(each[0])))


def _with(alike: list[tuple[Plain, Card]]) -> Case:
    """Cards that lead to the same winner, told by the last of them."""
    (_, lowest), (question, highest) = alike[0], alike[-1]
    if lowest == highest:
        return Case(question, Text("With {card}", card=highest.text))
    return Case(question, Text("With {lowest} to {highest}", lowest=lowest.text, highest=highest.text))
