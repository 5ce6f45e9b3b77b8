"""What the forms of Crazy Race offer: what an edge can show, which cards can lie there, what can move and where it would lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Plain, Text, path
from companion.games.crazy_race.lanes import landing, moved
from companion.games.crazy_race.laying import not_in_hand
from companion.games.crazy_race.model import ANIMALS, ANY, HAND, MAX_CARDS, MAX_HELD, OPEN, STEPS, WORDS, Move, State, Team
from companion.games.crazy_race.pieces import LaneShown, Part, Spot, parts_of, show_lane

# ---- what an edge shows ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """What an edge can show of one animal, or of any; and at which edges of this stage it was shown before."""

    animal: str
    word: Text | None
    values: tuple[int, ...]
    before: tuple[int, ...]


def rows(stage: Iterable[Spot]) -> Iterator[Row]:
    """What the next edge can show."""
    done = [spot.done for spot in stage if spot.done]
    for animal in (*ANIMALS, ANY):
        yield Row(animal, WORDS.get(animal), STEPS, tuple(edge.n for edge in done if edge.animal == animal))


def edge_in(typed: Mapping[str, str]) -> tuple[str, int | str] | None:
    """What the edge shows according to what somebody typed, where there is such an edge."""
    animal, value = typed.get("animal", ""), typed.get("value", "")
    if (animal, value) == (ANY, OPEN):
        return ANY, OPEN
    points = {str(points): points for points in STEPS}.get(value)
    return (animal, points) if points and animal in (*ANIMALS, ANY) else None


# ---- cards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Held:
    """A card value: how many of it a seat has in hand, and what is said where there is none."""

    card: int
    left: int
    gone: Text


@dataclass(frozen=True, slots=True)
class Bidder:
    """What a seat can still lay in this stage."""

    seat: int
    room: int
    cards: tuple[Held, ...]


def bidder(seat: int, team: Team) -> Bidder:
    """Why a card cannot be laid is said before it is sent, in the words of the refusal."""
    cards = tuple(Held(card, team.hand.count(card), not_in_hand(team, seat, card).text) for card in dict.fromkeys(HAND))
    return Bidder(seat, MAX_CARDS - len(team.laid), cards)


# ---- moves -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """Points that an animal could move, and what they would do; `all` where they are all there are."""

    animal: str
    points: int
    parts: tuple[Part, ...]
    all: bool

    @property
    def move(self) -> list[str | int]:
        return [self.animal, self.points]


@dataclass(frozen=True, slots=True)
class Choices:
    """What a winner can choose: the lane with where all points would lead, and by animal what it can move."""

    points: int
    lane: LaneShown
    offers: Mapping[str, tuple[Offer, ...]]


def choices(state: State, seat: int, moves: Sequence[Move], first: Sequence[Move]) -> Choices:
    """These moves once the first ones are made."""
    board, points = moved(state, seat, first), max((part for _, part in moves), default=0)
    found = {(animal, part): landing(board, seat, animal, part) for animal, part in moves}
    ghosts = {animal: end.progress for (animal, part), end in found.items() if part == points}
    offers = [Offer(animal, part, parts_of(end), part == points) for (animal, part), end in found.items()]
    by_animal = {animal: tuple(offer for offer in offers if offer.animal == animal) for animal in ghosts}
    return Choices(points, show_lane(seat, board.teams[seat].animals, ghosts=ghosts), by_animal)


# ---- a race that was not entered -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of a form, and what is chosen in it."""

    name: str
    chosen: str | None


@dataclass(frozen=True, slots=True)
class Owner:
    """The fields of a seat where only the end of a race is entered."""

    tiles: tuple[Slot, ...]
    animals: tuple[tuple[str, Slot], ...]


def owner(seat: int, typed: Mapping[str, str]) -> Owner:
    """The fields of a seat with what was typed into them."""
    tiles = tuple(_slot(typed, "tiles", seat, n) for n in range(MAX_HELD))
    return Owner(tiles, tuple((animal, _slot(typed, "animals", seat, n)) for n, animal in enumerate(ANIMALS)))


def _slot(typed: Mapping[str, str], *place: object) -> Slot:
    name = path(*place)
    return Slot(name, typed.get(name))


def typed_end(action: Mapping[str, Plain]) -> dict[str, str]:
    """How a race ended, as its form would send it."""
    lists = [(kind, seat, own) for kind in ("tiles", "animals") for seat, own in enumerate(action[kind])]
    return {path(kind, seat, n): str(each) for kind, seat, own in lists for n, each in enumerate(own)}
