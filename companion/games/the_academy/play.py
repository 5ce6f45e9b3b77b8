"""What a report leads to: the exam, a trick, a swap, an exchange, the end of a round."""

from __future__ import annotations

from dataclasses import replace

from companion.games.base import Facts, Name, Note, RuleError, Step, Text, Verdict, changed, check_claim
from companion.games.cards import COLOURS as WORDS
from companion.games.the_academy.awards import score
from companion.games.the_academy.mastermind import cover_notes, exchange, lay_over, swap_roles
from companion.games.the_academy.model import (
    MASTERMIND,
    NO_TRUMP,
    PLAYERS,
    ROUND_RULES,
    Exam,
    Exchange,
    Round,
    Shown,
    State,
    SwapRoles,
    Taken,
    Trick,
    order_of_play,
)
from companion.games.the_academy.outcome import seen_outcome, told_outcome
from companion.games.the_academy.sightings import check_new, doubts, missed_after
from companion.games.the_academy.verdict import judge


def play(state: State, action: Exam | SwapRoles | Trick | Exchange | Round) -> Step[State]:
    match action:
        case Exam():
            return _set_exam(state, action)
        case SwapRoles():
            return swap_roles(state, action)
        case Trick():
            return _take_trick(state, action)
        case Exchange():
            return exchange(state, action)
        case Round():  # pragma: no branch: there is no other action
            return score(state, told_outcome(state, action))


# ---- the exam --------------------------------------------------------------------------------------------------------


def _set_exam(state: State, action: Exam) -> Step[State]:
    if state.rule:
        raise RuleError(Text("The exam of this round is set already; undo it to change it."), "ACA-2")
    if action.trump is None and action.rule != NO_TRUMP:
        raise RuleError(Text("Say which colour is trump; only under No trump there is none."), "ACA-2")
    after = replace(state, rule=action.rule, chosen=action.trump)
    return Step(after, (Note(_trump_text(after.trump), "ACA-2"), Note(ROUND_RULES[action.rule], "ACA-3")))


def _trump_text(trump: str | None) -> Text:
    return Text("Trump is {colour}.", colour=WORDS[trump]) if trump else Text("There is no trump this round.")


# ---- a trick ---------------------------------------------------------------------------------------------------------


def _take_trick(state: State, action: Trick) -> Step[State]:
    if state.rule is None:
        raise RuleError(Text("Before the first trick, say which trump and which round rule lie behind the display."), "ACA-2")
    if state.all_in:
        text = Text("All eight tricks are in; now say who has the purple 7 and whether the Rebel shows three colours.")
        raise RuleError(text, "ACA-5")
    away = state.seat_of(MASTERMIND) if action.cover else None
    shown = lay_over(state, action.cover) if action.cover else state
    if action.cards is None:
        return _book(shown, action, away, _told_winner(action, away), None)
    _check_number(len(action.cards), away)
    check_new(action.cards, shown)
    verdict = judge(shown.leader, away, shown.trump, action.cards)
    check_claim(verdict, action.winner)
    assert verdict.winner is not None
    return _book(shown, action, away, verdict.winner, verdict)


def _told_winner(action: Trick, away: int | None) -> int:
    if action.winner is None:
        raise RuleError(Text("A trick needs its cards or its winner."), "RECORD")
    if action.winner == away:
        text = Text("{player} covered instead of playing a card; somebody else takes this trick.", player=Name(away))
        raise RuleError(text, "ACA-7")
    return action.winner


def _check_number(n: int, away: int | None) -> None:
    right = PLAYERS if away is None else PLAYERS - 1
    if n != right:
        text = Text("This trick has {right} cards, one of everybody who plays to it, not {n}.", right=right, n=n)
        raise RuleError(text, "ACA-5")


def _book(state: State, action: Trick, away: int | None, winner: int, verdict: Verdict | None) -> Step[State]:
    played: Shown = tuple(zip(order_of_play(state.leader, away), action.cards, strict=True)) if action.cards else ()
    shown = played if action.cover is None or away is None else (*played, (away, action.cover.card))
    after = changed(
        state,
        tricks=(*state.tricks, Taken(winner, action.cards, action.cover.card if action.cover else None)),
        leader=winner,
        exchanged=False,
        seen=state.seen.union(card for _, card in shown),
        missed=missed_after(state, played, shown),
    )
    covering = cover_notes(state, action.cover) if action.cover else ()
    return _by_cards(after, *covering, _trick_note(after, verdict), *doubts(state, shown))


def _by_cards(state: State, *notes: Note) -> Step[State]:
    """Eight tricks with all their cards end the round by themselves."""
    if not (state.all_in and all(trick.cards for trick in state.tricks)):
        return Step(state, notes)
    return score(state, seen_outcome(state), *notes)


def _trick_note(state: State, verdict: Verdict | None) -> Note:
    facts: Facts = {"player": Name(state.leader), "n": len(state.tricks)}
    if state.all_in:
        return Note(Text("{player} takes trick {n}, the last one.", **facts), "ACA-8", verdict=verdict)
    return Note(Text("{player} takes trick {n} and leads the next.", **facts), "ACA-8", verdict=verdict)
