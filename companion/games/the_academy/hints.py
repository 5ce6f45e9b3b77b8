"""What a player wants to be told at the table: the goal, the chance to win, and what the round rule allows right now."""

from __future__ import annotations

from companion.games.base import Facts, Name, Text
from companion.games.the_academy.mastermind import coverable
from companion.games.the_academy.model import COVERS, MASTERMIND, MAX_AWARDS, MOVES_HANDS, REBEL, ROLES, TRICKS, State


def goal(state: State, role: str) -> Text:
    """What whoever has this role gets an award for."""
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


def chance(state: State, seat: int) -> Text | None:
    """What a seat needs to win in this very round; nothing where it cannot."""
    missing = MAX_AWARDS - state.awards[seat]
    if state.winner is not None:
        return None
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


def reminder(state: State) -> Text | None:
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
