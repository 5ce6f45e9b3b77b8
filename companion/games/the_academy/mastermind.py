"""What only the Mastermind does: swap roles, lay a card over the exam instead of playing it, exchange a card of a trick."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.base import Facts, Name, Note, RuleError, Step, Text
from companion.games.cards import COLOURS as WORDS
from companion.games.cards import Card
from companion.games.the_academy.model import (
    ACE,
    CAPTAIN,
    COVERS,
    MASTERMIND,
    MOVES_HANDS,
    PLAYERS,
    ROLE_WORDS,
    ROUND_RULES,
    TRICKS,
    Cover,
    Exchange,
    State,
    SwapRoles,
)
from companion.games.the_academy.sightings import check_new

# ---- swapping roles --------------------------------------------------------------------------------------------------


def swap_roles(state: State, action: SwapRoles) -> Step[State]:
    own, other = state.seat_of(MASTERMIND), action.seat
    _check_swap(state, own, other)
    roles = list(state.roles)
    roles[own], roles[other] = roles[other], roles[own]
    after = replace(state, roles=tuple(roles), leader=roles.index(CAPTAIN))
    return Step(after, tuple(_swap_notes(after, own, other)))


def _check_swap(state: State, own: int, other: int) -> None:
    if state.rule != "swap-roles":
        raise RuleError(Text("Roles are swapped only while the round rule Swap roles lies behind the display."), "ACA-3")
    if state.tricks:
        raise RuleError(Text("Roles are swapped before trick 1; now it is too late for this round."), "Y5")
    if state.swapped:
        raise RuleError(Text("The roles were swapped already; once a round is all."), "Y5")
    if own == other:
        raise RuleError(Text("{player} is the Mastermind and swaps with somebody else.", player=Name(own)), "ACA-1")


def _swap_notes(state: State, own: int, other: int) -> Iterator[Note]:
    for seat in (own, other):
        text = Text("{player} is the {role} in this round.", player=Name(seat), role=ROLE_WORDS[state.roles[seat]])
        yield Note(text, "Y5")
    if state.leader in (own, other):
        yield Note(Text("{player} leads trick 1 as the Captain.", player=Name(state.leader)), "Y4")


# ---- covering --------------------------------------------------------------------------------------------------------


def coverable(state: State) -> str | None:
    """What the Mastermind may lay a hand card over now."""
    over = COVERS.get(state.rule)
    used_up = over in state.covered and (over == "rule" or state.rules.new_trump == "once")
    return None if used_up else over


def lay_over(state: State, cover: Cover) -> State:
    _check_cover(state, cover)
    laid = replace(state, covered=state.covered | {cover.over}, seen=state.seen | {cover.card})
    return replace(laid, chosen=cover.card.colour) if cover.over == "trump" else replace(laid, rule=cover.rule)


def _check_cover(state: State, cover: Cover) -> None:
    if coverable(state) != cover.over:
        raise RuleError(*_why_no_cover(state, cover))
    if (cover.over == "rule") != (cover.rule is not None):
        raise RuleError(Text("Name the new round rule with a card laid over the rule, and only then."), "RECORD")
    if cover.card == ACE:
        raise RuleError(Text("{card} is never laid over the exam; the Mastermind takes another card.", card=ACE.text), "ACA-14")
    check_new((cover.card,), state)


def _why_no_cover(state: State, cover: Cover) -> tuple[Text, str]:
    if COVERS.get(state.rule) == cover.over == "trump":
        return Text("The trump was covered in this round already; with your house rule that goes once."), "Y1"
    if cover.over == "trump":
        return Text("A card covers the trump only under the round rule New trump; the Mastermind plays to the trick."), "ACA-3"
    if "rule" in state.covered:
        return Text("The round rule was covered already; that goes once a round."), "Y7"
    return Text("A card covers the round rule only under the round rule New rule; the Mastermind plays to the trick."), "ACA-3"


def cover_notes(state: State, cover: Cover) -> Iterator[Note]:
    """What the card on the display changes; `state` is already under it."""
    mastermind = state.seat_of(MASTERMIND)
    facts: Facts = {"player": Name(mastermind), "card": cover.card.text, "follower": Name((mastermind + 1) % PLAYERS)}
    yield from _rule_notes(state, cover.rule, facts) if cover.rule else _trump_notes(cover, facts)
    if state.leader == mastermind:
        yield Note(Text("{follower} leads this trick in place of {player}.", **facts), "Y2")


def _trump_notes(cover: Cover, facts: Facts) -> Iterator[Note]:
    colour = WORDS[cover.card.colour]
    yield Note(Text("{player} lays {card} over the trump; {colour} is trump at once.", colour=colour, **facts), "ACA-3")


def _rule_notes(state: State, rule: str, facts: Facts) -> Iterator[Note]:
    yield Note(Text("{player} lays {card} over the round rule; the new one works at once.", **facts), "ACA-3")
    yield Note(ROUND_RULES[rule], "ACA-3")
    yield from _timing_notes(state, rule)


def _timing_notes(state: State, rule: str) -> Iterator[Note]:
    """Some rules have their moment before a trick, so they come later than at once, or too late."""
    if rule == "swap-roles":
        yield Note(Text("It comes too late for this round: roles are swapped before trick 1."), "Y5")
    elif rule in MOVES_HANDS and len(state.tricks) < TRICKS - 1:
        yield Note(Text("Its first time is before the next trick."), "Y8")
    elif rule in MOVES_HANDS:
        yield Note(Text("It comes too late for this round: no trick follows."), "Y8")


# ---- exchanging a card of a trick ------------------------------------------------------------------------------------


def exchange(state: State, action: Exchange) -> Step[State]:
    trick = exchangeable(state)
    if action.take not in trick:
        raise RuleError(Text("{card} is not in the trick just taken; take one of its cards.", card=action.take.text), "ACA-3")
    check_new((action.give,), state)
    cards = tuple(action.give if card == action.take else card for card in trick)
    tricks = (*state.tricks[:-1], replace(state.tricks[-1], cards=cards, given=action.give))
    seen = (state.seen - {action.take}) | {action.give}
    return Step(replace(state, tricks=tricks, exchanged=True, seen=seen), (_exchange_note(state, action),))


def _exchange_note(state: State, action: Exchange) -> Note:
    text = Text(
        "{player} takes {take} out of the trick of {winner} and puts {give} there.",
        player=Name(state.seat_of(MASTERMIND)),
        take=action.take.text,
        winner=Name(state.leader),
        give=action.give.text,
    )
    return Note(text, "Y13")


def exchangeable(state: State) -> tuple[Card, ...]:
    """The cards out of which the Mastermind may take one."""
    refusal = why_no_exchange(state)
    if refusal:
        raise RuleError(*refusal)
    return state.tricks[-1].cards or ()


def why_no_exchange(state: State) -> tuple[Text, str] | None:
    if state.rule != "trick-exchange":
        return Text("A card of a trick is exchanged only under the round rule Trick exchange."), "ACA-3"
    if not state.tricks:
        return Text("A card is exchanged after a trick; enter trick 1 first."), "ACA-3"
    if state.all_in:
        return Text("After trick 8 nobody has a card left to exchange."), "ACA-5"
    if state.leader == state.seat_of(MASTERMIND):
        return Text("{player} took this trick and exchanges only with tricks of others.", player=Name(state.leader)), "ACA-3"
    if state.tricks[-1].cards is None:
        return Text("The cards of this trick are not entered, so an exchange needs no entry."), "RECORD"
    if state.exchanged:
        return Text("A card of this trick was exchanged already; one a trick is all."), "ACA-3"
    return None
