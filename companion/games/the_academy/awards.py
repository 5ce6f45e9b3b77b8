"""Who gets awards for a round, who wins with them, and what the next round begins with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.games.base import Facts, Name, Note, Standing, Step, Text, ranked
from companion.games.the_academy.model import ACE, CAPTAIN, MASTERMIND, MAX_AWARDS, REBEL, ROLES, TEAMPLAYER, State, dealt
from companion.games.the_academy.outcome import Outcome

# ---- awards ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Earned:
    """What somebody gets awards for, or not; an extra comes from the round rule and not from a goal."""

    note: Note
    seats: tuple[int, ...] = ()
    extra: bool = False


def score(state: State, outcome: Outcome, *notes: Note) -> Step[State]:
    awards, told = list(state.awards), list(notes)
    for earned in _earned(state, outcome):
        told.append(earned.note)
        told += _given(awards, earned)
    taken = tuple(after - before for after, before in zip(awards, state.awards, strict=True))
    after = _next_round(state, tuple(awards), outcome.ace)
    return Step(after, (*told, *_ended(state, after, outcome.ace)), taken)


def _given(awards: list[int], earned: Earned) -> Iterator[Note]:
    """Hand out awards; a fourth is not taken."""
    for seat in earned.seats:
        if awards[seat] == MAX_AWARDS:
            text = Text("{player} has three awards already and does not take another.", player=Name(seat))
            yield Note(text, "Y10" if earned.extra else "ACA-12")
        else:
            awards[seat] += 1


def _earned(state: State, outcome: Outcome) -> Iterator[Earned]:
    """By the roles in force: the goals, then what the round rule adds."""
    facts: Facts = {role: Name(state.seat_of(role)) for role in ROLES}
    yield _team_goal(state, outcome, facts)
    yield _rebel_goal(state, outcome, facts)
    if state.rule == "joint-award":
        yield _joint_award(state, outcome, facts)
    if state.rule == "last-trick-award" and outcome.last is not None:
        yield _last_trick_award(outcome.last)


def _team_goal(state: State, outcome: Outcome, facts: Facts) -> Earned:
    team, own = outcome.of(state, CAPTAIN, TEAMPLAYER), outcome.of(state, MASTERMIND)
    numbers: Facts = {**facts, "team": team, "own": own}
    if team > own:
        return Earned(_team_note(numbers), state.seats_of(CAPTAIN, TEAMPLAYER))
    return Earned(_mastermind_note(own, numbers), state.seats_of(MASTERMIND))


def _rebel_goal(state: State, outcome: Outcome, facts: Facts) -> Earned:
    if outcome.rebel:
        note = Note(Text("{rebel} shows three colours in the cards won and gets an award.", **facts), "ACA-10")
        return Earned(note, state.seats_of(REBEL))
    return Earned(Note(Text("{rebel} does not show three colours in the cards won and gets no award as the Rebel.", **facts), "ACA-10"))


def _joint_award(state: State, outcome: Outcome, facts: Facts) -> Earned:
    team, both = outcome.of(state, CAPTAIN, TEAMPLAYER), outcome.of(state, MASTERMIND, REBEL)
    numbers: Facts = {**facts, "team": team, "both": both}
    if both > team:
        return Earned(_joint_note(numbers), state.seats_of(MASTERMIND, REBEL), extra=True)
    return Earned(_no_joint_note(numbers))


def _last_trick_award(last: int) -> Earned:
    note = Note(Text("{player} took the last trick and gets one more award.", player=Name(last)), "ACA-16")
    return Earned(note, (last,), extra=True)


def _team_note(numbers: Facts) -> Note:
    text = Text(
        "{captain} and {teamplayer} together have more tricks than {mastermind}, {team} to {own}, and get an award each.", **numbers
    )
    return Note(text, "ACA-9")


def _mastermind_note(own: int, numbers: Facts) -> Note:
    text = Text(
        "{mastermind} has at least as many tricks as {captain} and {teamplayer} together, {own} to {team}, and gets an award.", **numbers
    )
    return Note(text, "ACA-9" if own else "ACA-11")


def _joint_note(numbers: Facts) -> Note:
    text = Text("{mastermind} and {rebel} together have more tricks than the two others, {both} to {team}: one more award each.", **numbers)
    return Note(text, "ACA-16")


def _no_joint_note(numbers: Facts) -> Note:
    text = Text(
        "{mastermind} and {rebel} together do not have more tricks than the two others, {both} to {team}: no joint award.", **numbers
    )
    return Note(text, "ACA-16")


# ---- what comes after them -------------------------------------------------------------------------------------------


def _next_round(state: State, awards: tuple[int, ...], ace: int) -> State:
    """Three awards and the purple 7 win; otherwise the role cards go back and one seat on."""
    if awards[ace] == MAX_AWARDS:
        return State(state.rules, awards, state.roles, state.leader, state.round, winner=ace)
    roles = dealt(state.rules, state.round + 1)
    return State(state.rules, awards, roles, roles.index(CAPTAIN), state.round + 1)


def _ended(state: State, after: State, ace: int) -> Iterator[Note]:
    if after.winner is not None:
        yield Note(Text("{player} wins: three awards, and {card} in their own tricks.", player=Name(ace), card=ACE.text), "ACA-13")
        return
    text = Text("{player} has {card}, but not three awards yet: nobody wins in this round.", player=Name(ace), card=ACE.text)
    yield Note(text, "ACA-13")
    if state.swapped:
        yield Note(Text("The swapped roles go back first."), "ACA-15")
    yield Note(Text("All roles pass to the left: {player} is the Captain now.", player=Name(after.leader)), "ACA-15")


# ---- standings -------------------------------------------------------------------------------------------------------


def places(state: State) -> tuple[Standing, ...]:
    won = () if state.winner is None else (state.winner,)
    order = [(awards, seat in won) for seat, awards in enumerate(state.awards)]
    tied = bool(won) and state.awards.count(MAX_AWARDS) > 1
    return tuple(_with_reason(place) if tied else place for place in ranked(state.awards, won, order))


def _with_reason(place: Standing) -> Standing:
    if place.points < MAX_AWARDS:
        return place
    if place.won:
        return replace(place, tiebreak=Text("{player} has the purple 7.", player=Name(place.seat)))
    return replace(place, tiebreak=Text("{player} does not have the purple 7.", player=Name(place.seat)))
