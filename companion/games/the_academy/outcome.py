"""How a round ended: what the cards tell, what people tell, and what of it is possible."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Facts, Name, RuleError, Text, many
from companion.games.the_academy.model import ACE, PLAYERS, REBEL, REBEL_COLOURS, TRICKS, Round, State, Tally


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that the awards of a round depend on."""

    tricks: Tally
    rebel: bool
    ace: int
    last: int | None

    def of(self, state: State, *roles: str) -> int:
        """The tricks of these roles together."""
        return sum(self.tricks[seat] for seat in state.seats_of(*roles))


def seen_outcome(state: State) -> Outcome:
    """Eight tricks with all their cards tell everything."""
    holder = state.ace_holder
    if holder is None:
        text = Text("All eight tricks are in, but nobody played {card}; it is in somebody's hand in every round.", card=ACE.text)
        raise RuleError(text, "ACA-14")
    rebel = len(state.colours_of(state.seat_of(REBEL))) >= REBEL_COLOURS
    return Outcome(state.tally, rebel, holder, state.leader)


def told_outcome(state: State, action: Round) -> Outcome:
    tricks = _told_tricks(state, action.tricks)
    check_ace(state, tricks, action.ace)
    check_rebel(state, tricks, action)
    return Outcome(tricks, action.rebel, action.ace, _told_last(state, tricks, action.last))


# ---- tricks ----------------------------------------------------------------------------------------------------------


def _told_tricks(state: State, told: Tally | None) -> Tally:
    if told is None and not state.all_in:
        raise RuleError(Text("Say how many tricks everybody took; not all eight are entered."), "ACA-5")
    if told is None:
        return state.tally
    _check_tally(state, told)
    return told


def _check_tally(state: State, told: Tally) -> None:
    if sum(told) != TRICKS:
        raise RuleError(Text("A round has {tricks} tricks, but these add up to {n}.", tricks=TRICKS, n=sum(told)), "ACA-5")
    for seat, (entered, number) in enumerate(zip(state.tally, told, strict=True)):
        if number < entered:
            raise RuleError(_too_few(seat, entered, number), "ACA-8")


def _too_few(seat: int, n: int, told: int) -> Text:
    return many(
        "{n} trick of {player} is entered already; {told} cannot be right.",
        "{n} tricks of {player} are entered already; {told} cannot be right.",
        n=n,
        player=Name(seat),
        told=told,
    )


# ---- the purple 7 ----------------------------------------------------------------------------------------------------


def ace_due(state: State) -> bool:
    return len(state.tricks) == TRICKS - 1 and ACE not in state.seen and all(trick.cards for trick in state.tricks)


def possible_aces(state: State, tricks: Tally) -> list[int]:
    """Who can have the purple 7: whoever it is known of, or anybody with a trick whose cards are not known."""
    if state.ace_holder is not None:
        return [state.ace_holder]
    return [seat for seat in range(PLAYERS) if tricks[seat] > state.tricks_shown(seat)]


def check_ace(state: State, tricks: Tally, ace: int) -> None:
    if ace in possible_aces(state, tricks):
        return
    facts: Facts = {"player": Name(ace), "card": ACE.text}
    if tricks[ace] == 0:
        raise RuleError(Text("{player} has no trick; {card} lies with somebody who has one.", **facts), "ACA-14")
    if state.ace_holder is not None:
        text = Text("{card} is in a trick of {holder}, not of {player}.", holder=Name(state.ace_holder), **facts)
        raise RuleError(text, "ACA-14")
    raise RuleError(Text("All cards that {player} won are entered, and {card} is not among them.", **facts), "ACA-14")


# ---- the Rebel -------------------------------------------------------------------------------------------------------


def _known_colours(state: State, ace: int) -> set[str]:
    """The colours that the Rebel has for certain."""
    rebel = state.seat_of(REBEL)
    return state.colours_of(rebel) | ({ACE.colour} if ace == rebel else set())


def possible_goals(state: State, tricks: Tally, ace: int) -> list[bool]:
    """Whether the Rebel can show three colours, or fewer."""
    rebel = state.seat_of(REBEL)
    if len(_known_colours(state, ace)) >= REBEL_COLOURS:
        return [True]
    return [False] if tricks[rebel] == state.tricks_shown(rebel) else [False, True]


def check_rebel(state: State, tricks: Tally, action: Round) -> None:
    if action.rebel in possible_goals(state, tricks, action.ace):
        return
    rebel = Name(state.seat_of(REBEL))
    if not action.rebel:
        raise RuleError(Text("The cards that {player} won show three colours; the Rebel's goal is met.", player=rebel), "ACA-10")
    if tricks[rebel.seat] == 0:
        raise RuleError(Text("{player} has no trick, so the Rebel cannot show three colours.", player=rebel), "ACA-10")
    raise RuleError(Text("All cards that {player} won are entered, and they show fewer than three colours.", player=rebel), "ACA-10")


# ---- the last trick --------------------------------------------------------------------------------------------------


def possible_lasts(state: State, tricks: Tally) -> list[int]:
    """Who can have taken trick 8: while it is not entered, anybody with a trick that is not entered."""
    if state.all_in:
        return [state.leader]
    return [seat for seat in range(PLAYERS) if tricks[seat] > state.tally[seat]]


def _told_last(state: State, tricks: Tally, last: int | None) -> int | None:
    if last is not None:
        return _checked_last(state, tricks, last)
    if state.all_in:
        return state.leader
    if state.rule == "last-trick-award":
        raise RuleError(Text("Say who took the last trick: it brings one more award in this round."), "ACA-16")
    return None


def _checked_last(state: State, tricks: Tally, last: int) -> int:
    if last in possible_lasts(state, tricks):
        return last
    if tricks[last] == 0:
        raise RuleError(Text("{player} has no trick and cannot have taken the last one.", player=Name(last)), "ACA-8")
    if state.all_in:
        text = Text("{winner} took the last trick, not {player}.", winner=Name(state.leader), player=Name(last))
        raise RuleError(text, "ACA-8")
    raise RuleError(Text("All tricks of {player} are entered, and the last one is not among them.", player=Name(last)), "ACA-8")
