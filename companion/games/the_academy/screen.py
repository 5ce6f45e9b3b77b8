"""What the screens of The Academy show: everything that its templates draw and do not find in the position itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from companion.games.base import Name, RuleError, Text, path
from companion.games.cards import Card
from companion.games.the_academy.hints import chance, goal, reminder
from companion.games.the_academy.mastermind import coverable, exchangeable, why_no_exchange
from companion.games.the_academy.model import (
    ACE,
    CAPTAIN,
    DECK,
    MASTERMIND,
    MAX_AWARDS,
    PLAYERS,
    REBEL_COLOURS,
    ROLES,
    TEAMPLAYER,
    TRICKS,
    Round,
    State,
    order_of_play,
)
from companion.games.the_academy.outcome import ace_due, check_ace, check_rebel
from companion.games.the_academy.sightings import where_seen

Slot = tuple[str, Name, int]  # the field of a card, and whose card it is: in words and by the seat


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that a page about The Academy tells, so that its words cannot drift from the rules."""

    players: int = PLAYERS
    tricks: int = TRICKS
    awards: int = MAX_AWARDS  # to win
    rebel_colours: int = REBEL_COLOURS
    cards: int = len(DECK)
    exam_cards: int = len(DECK) - PLAYERS * TRICKS
    majority: int = TRICKS // 2 + 1  # of the tricks


@dataclass(frozen=True, slots=True)
class Place:
    """A trick on the rack: taken, the next one, or still to come."""

    number: int
    winner: int | None
    is_next: bool
    later: int  # tricks taken after it


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes or no to whether the Rebel shows three colours: why it cannot be given, or that it is the only one."""

    why_not: Text | None
    certain: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """What can still be answered when all eight tricks are in."""

    no_ace: Mapping[int, Text]  # why a seat cannot have the purple 7
    only_ace: int | None
    surely: Mapping[int, Text]  # why the Rebel shows three colours where that seat has the purple 7
    yes: Answer
    no: Answer


@dataclass(frozen=True, slots=True)
class Screen:
    """What the screens show of a position."""

    state: State
    never_covers: ClassVar[Text] = Text("The purple 7 is never laid over the exam.")

    # the table

    @property
    def step(self) -> str:
        """Changes with every entry: a form in use can tell that the table has gone on."""
        state = self.state
        return ".".join(map(str, (state.round, len(state.tricks), state.rule, state.swapped, state.exchanged)))

    @property
    def seats(self) -> tuple[int, ...]:
        """Everybody in the order of the roles."""
        return self.state.seats_of(*ROLES)

    @property
    def leads(self) -> int | None:
        """Who leads the next trick; nobody where none follows."""
        return None if self.state.all_in or self.state.winner is not None else self.state.leader

    @property
    def next_trick(self) -> int | None:
        """The trick that is played now; none before the exam and after the last one."""
        return None if self.state.rule is None or self.state.all_in else len(self.state.tricks) + 1

    @property
    def rack(self) -> tuple[Place, ...]:
        """The tricks of the round."""
        taken = self.state.tricks
        winners = [*(trick.winner for trick in taken), *[None] * (TRICKS - len(taken))]
        return tuple(Place(n + 1, winner, n == len(taken), len(taken) - 1 - n) for n, winner in enumerate(winners))

    @property
    def sums(self) -> tuple[int, int] | None:
        """The tricks of the team and of the Mastermind: nobody adds them up before trick 8 (Y14)."""
        if not self.state.all_in:
            return None
        tally, team = self.state.tally, self.state.seats_of(CAPTAIN, TEAMPLAYER)
        return sum(tally[seat] for seat in team), tally[self.mastermind]

    def takers(self, awards: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Who got awards in a round, and how many."""
        return tuple((seat, gain) for seat, gain in enumerate(awards) if gain)

    # hints

    @property
    def reminder(self) -> Text | None:
        """What the round rule allows or asks for right now."""
        return reminder(self.state)

    def goal(self, seat: int) -> Text:
        """What a seat gets an award for."""
        return goal(self.state, self.state.roles[seat])

    def chance(self, seat: int) -> Text | None:
        """What a seat needs to win in this round; nothing where it cannot."""
        return chance(self.state, seat)

    # a trick

    @property
    def mastermind(self) -> int:
        return self.state.seat_of(MASTERMIND)

    @property
    def order(self) -> tuple[int, ...]:
        return order_of_play(self.state.leader, None)

    @property
    def order_without_mastermind(self) -> tuple[int, ...]:
        """Who plays to a trick in which the Mastermind covers."""
        return order_of_play(self.state.leader, self.mastermind)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The fields of the cards in the order of play."""
        return tuple((path("cards", turn), Name(seat), seat) for turn, seat in enumerate(self.order))

    @property
    def covering_slot(self) -> int:
        """Which of them has the card that may have been laid over the exam."""
        return self.order.index(self.mastermind)

    def filled(self, given: Mapping[str, str]) -> Mapping[str, str]:
        """The slots as they were entered: a card laid over the exam is in the slot of the Mastermind."""
        if "cover.as" not in given:
            return given
        played = {seat: given.get(path("cards", turn), "") for turn, seat in enumerate(self.order_without_mastermind)}
        cards = {**played, self.mastermind: given.get("cover.card", "")}
        return {name: cards[seat] for name, _, seat in self.slots}

    @property
    def ace_due(self) -> bool:
        """Whether the purple 7 has to be in this trick, because no other is left for it."""
        return ace_due(self.state)

    @property
    def where_seen(self) -> Mapping[str, Text]:
        """Why a card cannot be played any more."""
        return dict(where_seen(self.state))

    # what the Mastermind does

    @property
    def coverable(self) -> str | None:
        """What the Mastermind may lay a hand card over."""
        return coverable(self.state)

    @property
    def not_covering(self) -> Mapping[str, Text]:
        """Why a card cannot be laid over the exam."""
        return {str(ACE): self.never_covers, **self.where_seen}

    @property
    def exchangeable(self) -> tuple[Card, ...]:
        """The cards of the latest trick, where the Mastermind may take one."""
        return () if why_no_exchange(self.state) else exchangeable(self.state)

    @property
    def swaps_hands(self) -> bool:
        """Whether the table may call that hands were swapped."""
        return self.state.rule == "swap-hands"

    def hands_swapped(self, call: Mapping[str, object] | None) -> bool:
        """Whether the table called it in this round."""
        return self.swaps_hands and call is not None and call.get("call") == "swapped"

    # the end of a round

    @property
    def ending(self) -> Ending:
        no_ace = self.no_ace()
        aces = [seat for seat in range(PLAYERS) if seat not in no_ace]
        surely = {seat: why[False] for seat in aces if False in (why := self.no_goal(seat))}
        never = self.no_goal(aces[0]).get(True)
        always = surely[aces[0]] if len(surely) == len(aces) else None
        only = aces[0] if len(aces) == 1 else None
        return Ending(no_ace, only, surely, Answer(never, always is not None), Answer(always, never is not None))

    def no_ace(self) -> dict[int, Text]:
        """Why a seat cannot have the purple 7."""
        whys = ((seat, _why(check_ace, self.state, self.state.tally, seat)) for seat in range(PLAYERS))
        return {seat: why for seat, why in whys if why}

    def no_goal(self, ace: int) -> dict[bool, Text]:
        """Why the Rebel cannot show three colours, or must, when that seat has the purple 7."""
        whys = ((rebel, _why(check_rebel, self.state, self.state.tally, Round(rebel=rebel, ace=ace))) for rebel in (False, True))
        return {rebel: why for rebel, why in whys if why}


def _why(check: Callable[..., None], *given: object) -> Text | None:
    """What speaks against it, in the words of the refusal."""
    try:
        check(*given)
    except RuleError as refusal:
        return refusal.text
    return None
