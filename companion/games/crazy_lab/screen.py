"""What the screens of Crazy Lab show of a position, worked out: the templates only draw it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.games.base import Ask, Name, Plain, Text, path
from companion.games.crazy_lab.asks import cards_id, plus_id, trick_id
from companion.games.crazy_lab.model import COLOURS, MAX_COLOURS, MAX_TRUMPS, TRICKS, Rules, State, Sums, Taken
from companion.games.crazy_lab.play import no_fifth, summed


class Slot(NamedTuple):
    """A trick of the round: its number, whether it is taken or next, and the log line that told it, where that is known."""

    n: int
    style: str
    trick: Taken | None
    entry: int | None


class Seat(NamedTuple):
    """What lies open of a seat: its minus colour, whether it has a plus colour, its tricks, what it counted."""

    minus: str | None
    has_plus: bool
    tricks: int
    sums: Sums | None


class Won(NamedTuple):
    """A card that a seat won, who played it in which trick, and what it counts in the colours that are known."""

    card: Mapping[str, int]
    n: int
    seat: int
    plus: int
    minus: int


class Tally(NamedTuple):
    """A seat's count: its minus colour, the sums that are known, what each colour would bring as plus colour, the cards, the limit."""

    minus_colour: str | None
    plus: int | None
    minus: int | None
    offers: dict[str, int]
    cards: tuple[Won, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Screen:
    """A position as the screens show it; what is hidden from whoever looks is hidden in the state already."""

    state: State

    @property
    def stage(self) -> str:
        """How far the match is: another word after every trick."""
        return "-".join((str(self.state.round), str(len(self.state.tricks))))

    @property
    def trick(self) -> int:
        """The number of the next trick."""
        return len(self.state.tricks) + 1

    @property
    def has_begun(self) -> bool:
        return bool(self.state.tricks or self.state.minus)

    @property
    def has_rounds(self) -> bool:
        """Whether there is more than one round."""
        return self.state.rules.rounds > 1 or self.state.round > 1

    # tricks and trumps

    def rack(self, entries: Sequence[int]) -> tuple[Slot, ...]:
        """All tricks of the round; `entries` are the log lines of the last ones, newest first."""
        return tuple(self._slot(n, entries) for n in range(TRICKS))

    def _slot(self, n: int, entries: Sequence[int]) -> Slot:
        ago = len(self.state.tricks) - 1 - n
        if ago < 0:
            return Slot(n + 1, "next" if ago == -1 else "", None, None)
        return Slot(n + 1, "taken", self.state.tricks[n], entries[ago] if ago < len(entries) else None)

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

    def card_fields(self, turn: int) -> dict[str, str]:
        """The fields of a card of the trick, by colour."""
        return {colour: path("cards", turn, colour) for colour in COLOURS}

    # seats

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(self._seat(seat) for seat in range(self.state.players))

    def _seat(self, seat: int) -> Seat:
        state = self.state
        return Seat(self.minus_of(seat), state.plus[seat] is not None, state.tricks_of(seat), state.counts[seat])

    def minus_of(self, seat: int) -> str | None:
        return self.state.minus[seat] if self.state.minus else None

    @property
    def minus_fields(self) -> tuple[str, ...]:
        """The fields of the minus colours, by seat."""
        return tuple(path("colours", seat) for seat in range(self.state.players))

    @property
    def asks_plus_openly(self) -> bool:
        """Whether it is time to choose a plus colour, before the first trick or after the last."""
        return not self.state.tricks or self.state.all_tricks_in

    @property
    def marks(self) -> dict[int, Text]:
        """What each seat does."""
        return {seat: mark for seat, (mark, _) in self._doing.items()}

    @property
    def styles(self) -> dict[int, str]:
        """How each of these marks looks."""
        return {seat: style for seat, (_, style) in self._doing.items()}

    @property
    def _doing(self) -> dict[int, tuple[Text, str]]:
        found = {seat: self._doing_of(seat) for seat in range(self.state.players)}
        return {seat: doing for seat, doing in found.items() if doing}

    def _doing_of(self, seat: int) -> tuple[Text, str] | None:
        state = self.state
        if state.over:
            return None
        if self.counts:
            return (Text("counted"), "done") if state.counts[seat] else (Text("counts …"), "")
        if state.minus and not state.tricks and state.plus[seat]:
            return Text("chosen"), "done"
        return (Text("leads"), "leads") if seat == state.leader and self.has_begun else None

    # what is asked

    @property
    def trick_id(self) -> str:
        return trick_id(self.state)

    @property
    def cards_id(self) -> str:
        return cards_id(self.state)

    def plus_id(self, seat: int) -> str:
        return plus_id(self.state, seat)

    # counting

    @property
    def has_counts(self) -> bool:
        return any(self.state.counts)

    @property
    def counts(self) -> bool:
        """Whether the table counts: all tricks are in, or somebody has counted."""
        return self.state.all_tricks_in or self.has_counts

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have not counted."""
        return tuple(seat for seat, sums in enumerate(self.state.counts) if not sums)

    def count_asks(self, asks: Iterable[Ask]) -> dict[int, Ask]:
        """The questions what everybody counted, by seat."""
        return dict(enumerate(ask for ask in asks if ask.do == "count"))

    def counter(self, asks: Iterable[Ask], asked: str | None, typed: str | None, own: int | None) -> int | None:
        """Whose count is open: the one that was typed, then the one that was asked for; else the own, when it is time."""
        ids = {seat: ask.id for seat, ask in self.count_asks(asks).items()}
        if typed:
            again = "-".join((typed, "again", ""))
            ids_typed = (seat for seat, id in ids.items() if id == typed or id.startswith(again))
            return next(ids_typed, _seat_with(ids, asked))
        found = _seat_with(ids, asked)
        return own if found is None and self.counts and own in self.missing else found

    def tally(self, seat: int, own: bool) -> Tally:
        """What is known of a count; `own` where the seat itself looks, which knows its plus colour."""
        state, minus = self.state, self.minus_of(seat)
        plus = state.plus[seat] if own else None
        known = self.knows_cards_of(seat)
        cards = self.won(seat) if known else ()
        offered = cards and not plus and not (state.minus and own)
        return Tally(
            minus,
            self._known_points(plus, seat),
            self._known_points(minus, seat),
            {colour: state.points_in(colour, seat) for colour in COLOURS if colour != minus} if offered else {},
            cards,
            state.most_points(seat),
        )

    def _known_points(self, colour: str | None, seat: int) -> int | None:
        """Nobody knows what counts in a colour that is not known, unless there is not a single card."""
        if not self.knows_cards_of(seat) or (colour is None and self.state.won(seat)):
            return None
        return self.state.points_in(colour or "", seat)

    def knows_cards_of(self, seat: int) -> bool:
        """Whether all cards that a seat won in this round were entered."""
        return self.state.all_tricks_in and all(trick.cards for trick in self.state.tricks if trick.winner == seat)

    def won(self, seat: int) -> tuple[Won, ...]:
        """The cards that lie in front of a seat, as far as they were entered, with what they count."""
        plus, minus = self.state.plus[seat] or "", self.minus_of(seat) or ""
        return tuple(Won(laid.card, laid.n, laid.seat, laid.card.get(plus, 0), laid.card.get(minus, 0)) for laid in self.state.won(seat))

    @property
    def past(self) -> Screen | None:
        """The round before, until the first trick of the next one."""
        return Screen(self.state.last) if self.state.last and not self.state.tricks else None


def _in_a_word(card: Mapping[str, int]) -> str:
    """A card with its colours always in the same order: `blue-4 orange-4`."""
    return " ".join("-".join((colour, str(card[colour]))) for colour in COLOURS if colour in card)


def _seat_with(ids: Mapping[int, str], asked: str | None) -> int | None:
    return next((seat for seat, id in ids.items() if id == asked), None)


# ---- pages without a match -------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A card of a dispute as far as it is known: its colours, or its highest number where that decides; nothing more fits on a full one."""

    colours: dict[str, int]
    highest: int | None
    full: bool


def part_of(card: Plain, asked: Plain) -> Part:
    trump = asked.get("trump")
    shown = any(each.get(trump) for each in asked.get("cards", ()))
    colours = {colour: value for colour, value in card.items() if colour != "highest" and value}
    return Part(colours, None if colours or shown else card.get("highest"), len(colours) >= MAX_COLOURS)


EXAMPLE = State(  # of a count: one trick with both colours of its winner
    Rules(),
    totals=(0, 0, 0),
    leader=0,
    minus=("purple", "blue", "yellow"),
    plus=("green", "orange", "blue"),
    tricks=(Taken(0, "green", ({"green": 5, "purple": 1, "orange": 1}, {"blue": 4, "orange": 4, "purple": 1}, {"green": 6, "yellow": 5})),),
)
EXAMPLE_CARDS, EXAMPLE_SUMS = Screen(EXAMPLE).won(0), summed(EXAMPLE, 0)
