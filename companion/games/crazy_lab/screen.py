"""What the screens of Crazy Lab show of a position, worked out: the templates only draw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.base import Name, Text
from companion.games.crazy_lab.model import COLOURS, MAX_TRUMPS, State
from companion.games.crazy_lab.play import no_fifth


@dataclass(frozen=True, slots=True)
class Screen:
    """A position as the screens show it."""

    state: State

    @property
    def trumps_left(self) -> dict[str, int]:
        """How often each colour can still be trump, as far as the entries tell."""
        return {colour: MAX_TRUMPS - self.state.times_trump(colour) for colour in COLOURS}

    @property
    def used_up(self) -> dict[str, Text]:
        """The colours that cannot be trump any more, and why."""
        return {colour: no_fifth(colour) for colour, left in self.trumps_left.items() if not left}

    @property
    def seen_cards(self) -> dict[str, Text]:
        """Every card of this round by its colours and numbers, with who played it last and when."""
        return {
            _in_a_word(laid.card): Text("{player} played such a card in trick {n}.", player=Name(laid.seat), n=laid.n)
            for laid in self.state.laid
        }

    def knows_cards_of(self, seat: int) -> bool:
        """Whether all cards that a seat won in this round were entered."""
        return self.state.all_tricks_in and all(trick.cards for trick in self.state.tricks if trick.winner == seat)


def _in_a_word(card: Mapping[str, int]) -> str:
    """A card with its colours always in the same order: `blue-4 orange-4`."""
    return " ".join("-".join((colour, str(card[colour]))) for colour in COLOURS if colour in card)
