"""What the screens of Ligretto Crazy show of a position: whether counting has begun, whose count is entered, who is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.base import Ask, Note, ask_id
from companion.games.ligretto_crazy.model import Count, State

CHECK = "LIG-18"  # how many cards must lie in the middle, and who miscounted if they do not


@dataclass(frozen=True, slots=True)
class Counting:
    """The questions for everybody's count by seat, and the seat whose form is open."""

    asks: tuple[Ask, ...]
    seat: int | None


@dataclass(frozen=True, slots=True)
class Screen:
    """A position as screens show it."""

    state: State

    @property
    def begun(self) -> bool:
        """Somebody has counted."""
        return any(self.state.counts)

    @property
    def missing(self) -> list[int]:
        """Who has not counted yet."""
        return [seat for seat, piles in enumerate(self.state.counts) if not piles]

    def counting(self, asks: Iterable[Ask], wanted: str | None, typed: str | None, viewer: int | None) -> Counting:
        """Whose count is entered: the one that somebody typed, or asked for; else the viewer's own, unless something else was typed."""
        counts = tuple(ask for ask in asks if ask.do == Count.do)
        found = [seat for seat, ask in enumerate(counts) if typed and _is_about(ask, typed)]
        found += [seat for seat, ask in enumerate(counts) if ask.id == wanted]
        own = viewer if viewer in self.missing and not typed else None
        return Counting(counts, found[0] if found else own)

    def worth_telling(self, notes: Iterable[Note]) -> list[Note]:
        """Of what was said when a round was closed: what is doubtful, and what can be checked in the middle."""
        return [note for note in notes if note.warning or note.rule == CHECK]


def _is_about(ask: Ask, id: str) -> bool:
    """Whether a question is the one with this id, or what became of it when somebody else entered that count."""
    return ask.id == id or ask.id.startswith(ask_id(id, "again", ""))
