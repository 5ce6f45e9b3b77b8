"""What the screens of The Academy show: everything that its templates draw and do not find in the position itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.games.base import Facts, Name, RuleError, Text
from companion.games.cards import Card
from companion.games.the_academy.mastermind import coverable, exchangeable, why_no_exchange
from companion.games.the_academy.model import (
    CAPTAIN,
    COVERS,
    DECK,
    MASTERMIND,
    MAX_AWARDS,
    MOVES_HANDS,
    PLAYERS,
    REBEL,
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
class Screen:
    """What the screens of The Academy show of a position."""

    state: State

    @property
    def order(self) -> tuple[int, ...]:
        return order_of_play(self.state.leader, None)

    @property
    def order_without_mastermind(self) -> tuple[int, ...]:
        """Who plays to a trick in which the Mastermind covers."""
        return order_of_play(self.state.leader, self.state.seat_of(MASTERMIND))

    @property
    def coverable(self) -> str | None:
        return coverable(self.state)

    @property
    def exchangeable(self) -> tuple[Card, ...]:
        """The cards of the latest trick, where the Mastermind may take one."""
        return () if why_no_exchange(self.state) else exchangeable(self.state)

    @property
    def ace_due(self) -> bool:
        """Whether the purple 7 has to be in this trick, because no other is left for it."""
        return ace_due(self.state)

    @property
    def sums(self) -> tuple[int, int] | None:
        """The tricks of the team and of the Mastermind: nobody adds them up before trick 8 (Y14)."""
        if not self.state.all_in:
            return None
        tally, team = self.state.tally, self.state.seats_of(CAPTAIN, TEAMPLAYER)
        return sum(tally[seat] for seat in team), tally[self.state.seat_of(MASTERMIND)]

    @property
    def reminder(self) -> Text | None:
        return _reminder(self.state)

    def goal(self, seat: int) -> Text:
        return _goal(self.state, self.state.roles[seat])

    def chance(self, seat: int) -> Text | None:
        return _chance(self.state, seat)

    def where_seen(self) -> dict[str, Text]:
        return dict(where_seen(self.state))

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


def _goal(state: State, role: str) -> Text:
    facts: Facts = {role: Name(state.seat_of(role)) for role in ROLES}
    match role:
        case "captain":
            return Text("together with {teamplayer} more tricks than {mastermind}", **facts)
        case "teamplayer":
            return Text("together with {captain} more tricks than {mastermind}", **facts)
        case "mastermind":
            return Text("at least as many tricks as {captain} and {teamplayer} together", **facts)
        case _:
            return Text("three colours in the cards won")


def _chance(state: State, seat: int) -> Text | None:
    """What a seat needs to win in this very round; nothing where it cannot."""
    missing = MAX_AWARDS - state.awards[seat]
    if missing == 0:
        return Text("would win in this round with the purple 7")
    if missing == 1:
        return Text("would win in this round with one more award and the purple 7")
    if missing == 2 and _extra_possible(state, seat):
        return Text("would win in this round with two more awards and the purple 7")
    return None


def _extra_possible(state: State, seat: int) -> bool:
    """Whether the round rule can bring a second award: in force, or still to come."""
    if state.rule == "joint-award":
        return state.roles[seat] in (MASTERMIND, REBEL)
    return state.rule in (None, "last-trick-award") or coverable(state) == "rule"


def _reminder(state: State) -> Text | None:
    """What the round rule allows or asks for at this very moment."""
    if state.rule is None or state.all_in:
        return None
    facts: Facts = {"player": Name(state.seat_of(MASTERMIND)), "n": len(state.tricks) + 1}
    if state.rule in MOVES_HANDS:
        return _before_a_trick(state.rule, facts)
    if state.rule in COVERS:
        return _while_coverable(state, facts)
    return _at_its_moment(state, facts)


def _before_a_trick(rule: str, facts: Facts) -> Text:
    if rule == "pass-left":
        return Text("Before trick {n}: everybody gives one card to the left neighbour.", **facts)
    if rule == "swap-hands":
        return Text("Before trick {n}: {player} may swap whole hands with somebody, once a round.", **facts)
    return Text("Before trick {n}: {player} may swap a card for one drawn unseen from another hand. The app need not know.", **facts)


def _while_coverable(state: State, facts: Facts) -> Text | None:
    match coverable(state):
        case "trump":
            return Text("In trick {n}, {player} may lay a card over the trump instead of playing it.", **facts)
        case "rule":
            return Text("Once in this round, {player} may lay a card over this rule instead of playing it.", **facts)
        case _:
            return None


def _at_its_moment(state: State, facts: Facts) -> Text | None:
    follows = state.leader != state.seat_of(MASTERMIND)
    match state.rule:
        case "face-down" if follows:
            return Text("In trick {n}, {player} may play face down; all look when everybody has played.", **facts)
        case "face-down":
            return Text("{player} leads trick {n}, so this card is open.", **facts)
        case "swap-roles" if not state.tricks and not state.swapped:
            return Text("Before trick 1: {player} may swap roles with somebody.", **facts)
        case "trick-exchange" if state.tricks and follows and not state.exchanged:
            return Text("Now {player} may swap a hand card with a card of this trick, both open.", **facts)
        case "last-trick-award" if len(state.tricks) == TRICKS - 1:
            return Text("This is the last trick: whoever takes it gets one more award.")
        case _:
            return None
