"""The Academy: eight tricks, four roles with goals of their own, and a round rule; three awards and the purple 7 win.

Source: the rule sheet (Manny Dominguez; AMIGO 2023), the dealing from outside sources. Our departures are rulings: the app plays with
four (Y12), a leading Mastermind who covers lets the next player lead (Y2), roles are swapped after the exam (Y5). Round rules have no
number of their own: an error or note cites the rule it follows from. Hands stay on the table, so following the led colour is only watched:
a seat that shows a colour it did not follow gets one warning for it. Excused is every seat once pass-left, swap-hands or blind-swap was in
force after the miss (with whom the Mastermind swapped is not reported), and the Mastermind once trick-exchange was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Annotated, ClassVar, Literal

from pydantic import Field as Alias

from companion.games.base import (
    SKIP,
    STRICT,
    Action,
    Ask,
    Facts,
    Field,
    Figure,
    Form,
    Game,
    Name,
    Note,
    Options,
    Plain,
    Reason,
    RuleError,
    Standing,
    Step,
    Text,
    Verdict,
    ask_id,
    changed,
    check_claim,
    given,
    many,
    option,
    path,
    ranked,
)
from companion.games.cards import AS_NAME, Card, card_of, clockwise, deck, first_highest, first_repeated
from companion.games.cards import COLOURS as WORDS
from companion.games.disputes import Disputes, WhatIf, had_followed, other_leaders, other_trumps
from companion.games.record import Number, PerSeat, Question, Seat, one_of

PLAYERS = 4
TRICKS = 8
MOST_AWARDS = 3
REBEL_COLOURS = 3  # in the cards the Rebel won
COLOURS = ("blue", "green", "purple", "orange")
DECK = deck(COLOURS)
ACE = DECK["purple-7"]  # the ace up somebody's sleeve

ROLES = CAPTAIN, MASTERMIND, TEAMPLAYER, REBEL = ("captain", "mastermind", "teamplayer", "rebel")
ROLE_WORDS: dict[str, Text] = {
    CAPTAIN: Text("Captain"),
    MASTERMIND: Text("Mastermind"),
    TEAMPLAYER: Text("Teamplayer"),
    REBEL: Text("Rebel"),
}
DUTIES: dict[str, Text] = {  # before the first trick
    CAPTAIN: Text("shuffle, deal and lead trick 1"),
    MASTERMIND: Text("look at the four exam cards and lay one behind the display, as trump or as rule"),
    TEAMPLAYER: Text("pick the other one out of the three cards left"),
    REBEL: Text("wait for the exam"),
}

ROUND_RULES: dict[str, Text] = {
    "pass-left": Text("Pass left: before every trick, everybody gives one card to the left neighbour."),
    "face-down": Text("Face down: the Mastermind may play face down unless leading; all look when everybody has played."),
    "new-trump": Text("New trump: instead of playing a card, the Mastermind may lay it over the trump."),
    "swap-hands": Text("Swap hands: once, before a trick, the Mastermind may swap whole hands with anybody."),
    "blind-swap": Text("Blind swap: before each trick, the Mastermind may swap a card for one drawn unseen from another hand."),
    "swap-roles": Text("Swap roles: before trick 1, the Mastermind may swap roles with anybody for this round."),
    "no-trump": Text("No trump: only the led colour counts."),
    "new-rule": Text("New rule: once, instead of playing a card, the Mastermind may lay it over the round rule."),
    "joint-award": Text("Joint award: Mastermind and Rebel get one more award each if they take more tricks than the two others."),
    "trick-exchange": Text("Trick exchange: after a trick somebody else takes, the Mastermind may swap a hand card with one of its cards."),
    "last-trick-award": Text("Last trick award: whoever takes trick 8 gets one more award."),
}
MOVES_HANDS = ("pass-left", "swap-hands", "blind-swap")  # before a trick, and for any seat
OVER = {"trump": Text("the trump"), "rule": Text("the round rule")}
COVERS: dict[str | None, str] = {"new-trump": "trump", "new-rule": "rule"}  # what the Mastermind may lay a card over

Colour = Annotated[str, one_of(*COLOURS)]
AcademyCard = Annotated[Card, card_of(COLOURS), AS_NAME]
RoundRule = Annotated[str, one_of(*ROUND_RULES)]


# ---- house rules, reports, state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    captain: Seat = option(0, Text("The first Captain"), kind="seat")
    new_trump: Literal["unlimited", "once"] = option(
        "unlimited", Text("How often New trump can be used"), {"unlimited": Text("any number of times"), "once": Text("once a round")}
    )
    revoke: Literal["warn", "ignore"] = option(
        "warn", Text("A colour shown after it was not followed"), {"warn": Text("gets a warning"), "ignore": Text("is left to the table")}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam(Action):
    """The trump and the round rule behind the exam display."""

    nullable: ClassVar[frozenset[str]] = frozenset({"trump"})
    do: ClassVar[str] = "exam"
    rule: RoundRule
    trump: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapRoles(Action):
    """The Mastermind swaps roles with a seat."""

    do: ClassVar[str] = "swap-roles"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """A hand card that the Mastermind laid over the trump or over the round rule, instead of playing it."""

    __pydantic_config__ = STRICT
    over: Annotated[str, one_of("trump", "rule"), Alias(alias="as")]
    card: AcademyCard
    rule: Annotated[str | None, one_of(*ROUND_RULES)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick(Action):
    """A trick by its cards, or only by who took it."""

    do: ClassVar[str] = "trick"
    cards: tuple[AcademyCard, ...] | None = None
    winner: Seat | None = None
    cover: Cover | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Action):
    """The Mastermind takes a card out of somebody's trick and puts a hand card there."""

    do: ClassVar[str] = "exchange"
    take: AcademyCard
    give: AcademyCard


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Action):
    """How a round ended."""

    do: ClassVar[str] = "round"
    rebel: bool
    ace: Seat
    tricks: PerSeat[Number] | None = None
    last: Seat | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick that lies in front of its winner."""

    winner: int
    cards: tuple[Card, ...] | None
    cover: Card | None = None  # what the Mastermind laid over the exam instead of playing
    given: Card | None = None  # what the Mastermind put there in exchange for another


Tally = tuple[int, ...]  # tricks per seat
Shown = tuple[tuple[int, Card], ...]  # by which seat
Missed = Mapping[tuple[int, str], int]  # which seat did not follow which colour, and in which trick


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    awards: tuple[int, ...]
    roles: tuple[str, ...]  # in force now
    leader: int
    round: int = 1
    rule: str | None = None  # the round rule in force; none before the exam
    chosen: str | None = None  # the colour behind the display
    covered: frozenset[str] = frozenset()  # what a hand card was laid over in this round
    tricks: tuple[Taken, ...] = ()
    exchanged: bool = False  # a card of the latest trick
    seen: frozenset[Card] = frozenset()
    missed: Missed = field(default_factory=dict)
    winner: int | None = None

    @property
    def trump(self) -> str | None:
        return None if self.rule == "no-trump" else self.chosen

    @property
    def swapped(self) -> bool:
        return self.roles != _dealt(self.rules, self.round)

    @property
    def all_in(self) -> bool:
        return len(self.tricks) == TRICKS

    @property
    def tally(self) -> Tally:
        """The tricks entered, per seat."""
        return tuple(sum(trick.winner == seat for trick in self.tricks) for seat in range(PLAYERS))

    @property
    def ace_holder(self) -> int | None:
        """Who has the purple 7, as far as the cards tell."""
        return next((trick.winner for trick in self.tricks if ACE in (trick.cards or ())), None)

    def seat_of(self, role: str) -> int:
        return self.roles.index(role)

    def seats_of(self, *roles: str) -> tuple[int, ...]:
        return tuple(map(self.seat_of, roles))

    def tricks_shown(self, seat: int) -> int:
        """The tricks a seat took that were entered with their cards."""
        return sum(trick.winner == seat and trick.cards is not None for trick in self.tricks)

    def colours_of(self, seat: int) -> set[str]:
        return {card.colour for trick in self.tricks if trick.winner == seat for card in trick.cards or ()}

    def unseen(self) -> list[str]:
        return [name for name, card in DECK.items() if card not in self.seen]

    # what the screens show; the words stand at the end of this file

    @property
    def order(self) -> tuple[int, ...]:
        return _order(self.leader, None)

    @property
    def order_without_mastermind(self) -> tuple[int, ...]:
        """Who plays to a trick in which the Mastermind covers."""
        return _order(self.leader, self.seat_of(MASTERMIND))

    @property
    def coverable(self) -> str | None:
        return _coverable(self)

    @property
    def exchangeable(self) -> tuple[Card, ...]:
        """The cards of the latest trick, where the Mastermind may take one."""
        return () if _why_no_exchange(self) else _exchangeable(self)

    @property
    def ace_due(self) -> bool:
        """Whether the purple 7 has to be in this trick, because no other is left for it."""
        return _ace_due(self)

    @property
    def sums(self) -> tuple[int, int] | None:
        """The tricks of the team and of the Mastermind: nobody adds them up before trick 8 (Y14)."""
        if not self.all_in:
            return None
        return sum(self.tally[seat] for seat in self.seats_of(CAPTAIN, TEAMPLAYER)), self.tally[self.seat_of(MASTERMIND)]

    @property
    def reminder(self) -> Text | None:
        return _reminder(self)

    def goal(self, seat: int) -> Text:
        return _goal(self, self.roles[seat])

    def chance(self, seat: int) -> Text | None:
        return _chance(self, seat)

    def where_seen(self) -> dict[str, Text]:
        return dict(_where_seen(self))

    def no_ace(self) -> dict[int, Text]:
        """Why a seat cannot have the purple 7."""
        whys = ((seat, _why(_check_ace, self, self.tally, seat)) for seat in range(PLAYERS))
        return {seat: why for seat, why in whys if why}

    def no_goal(self, ace: int) -> dict[bool, Text]:
        """Why the Rebel cannot show three colours, or must, when that seat has the purple 7."""
        whys = ((rebel, _why(_check_rebel, self, self.tally, Round(rebel=rebel, ace=ace))) for rebel in (False, True))
        return {rebel: why for rebel, why in whys if why}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this trick? A Mastermind who covered has no card in it."""

    nullable: ClassVar[frozenset[str]] = frozenset({"trump"})
    trump: Colour | None
    cards: tuple[AcademyCard | None, ...]


# ---- how a dispute is asked and told ---------------------------------------------------------------------------------


class AcademyDisputes(Disputes):
    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(clockwise(leader, players))

    def foreseen(self, players: int, leader: int, asked: Plain) -> Verdict | None:
        """Decided once no card that is still out would beat the best one."""
        cards = [DECK[name] for name in asked.get("cards", ()) if name]
        if not cards:
            return None
        away = next((seat for seat, name in zip(clockwise(leader, PLAYERS), asked["cards"], strict=False) if name is None), None)
        strength = _strength(asked["trump"], cards[0].colour)
        best = max(map(strength, cards))
        out = (card for card in DECK.values() if card not in cards)
        return None if any(strength(card) > best for card in out) else _verdict(leader, away, asked["trump"], cards)

    def after(self, question: Plain, verdict: Verdict) -> Reason:
        assert verdict.winner is not None
        return Reason(Text("{player} keeps the trick and leads the next one.", player=Name(verdict.winner)), "ACA-8")

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        yield from other_trumps(question, (*COLOURS, None))
        yield from other_leaders(question)
        yield from had_followed(question, clockwise(question.get("leader", 0), PLAYERS), DECK, _winner_of)


# ---- the game --------------------------------------------------------------------------------------------------------


class TheAcademy(Game[State, Rules]):
    id = "the-academy"
    name = Text("The Academy")
    players = (PLAYERS,)
    players_rule = "Y12"
    actions = (Exam, SwapRoles, Trick, Exchange, Round)
    options = Rules
    question = Dispute
    disputes = AcademyDisputes()
    colours: ClassVar[tuple[str, ...]] = COLOURS
    round_rules: ClassVar[Mapping[str, Text]] = ROUND_RULES
    role_words: ClassVar[Mapping[str, Text]] = ROLE_WORDS
    duties: ClassVar[Mapping[str, Text]] = DUTIES

    def setup(self, players: int, options: Rules) -> State:
        return State(options, (0,) * players, _dealt(options, 1), options.captain)

    def act(self, state: State, action: Exam | SwapRoles | Trick | Exchange | Round) -> Step[State]:
        match action:
            case Exam():
                return _set_exam(state, action)
            case SwapRoles():
                return _swap_roles(state, action)
            case Trick():
                return _take_trick(state, action)
            case Exchange():
                return _exchange(state, action)
            case Round():  # pragma: no branch: there is no other action
                return _scored(state, _told_outcome(state, action))

    def over(self, state: State) -> bool:
        return state.winner is not None

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if self.over(state) else tuple(_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        won = () if state.winner is None else (state.winner,)
        order = [(awards, seat in won) for seat, awards in enumerate(state.awards)]
        tied = bool(won) and state.awards.count(MOST_AWARDS) > 1
        return tuple(_explained(place) if tied else place for place in ranked(state.awards, won, order))

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        return {
            "tricks": Figure(Text("Tricks in this round"), state.tally[seat]),
            "role": Figure(Text("Role in this round"), ROLE_WORDS[state.roles[seat]]),
        }

    def report(self, state: State) -> dict[str, Plain]:
        if self.over(state):
            return {"roles": None, "leader": None}
        return {"roles": list(state.roles), "leader": state.leader}

    def resolve(self, question: Dispute) -> Verdict:
        away = _covering_seat(question)
        cards = tuple(card for card in question.cards if card)
        _check_new(cards)
        return _verdict(question.leader, away, question.trump, cards)

    def known(self, state: State) -> dict[str, Plain]:
        return {"leader": state.leader, **({"trump": state.trump} if state.rule else {})}


def _dealt(rules: Rules, number: int) -> tuple[str, ...]:
    """The roles per seat of a round: every round they pass one seat on."""
    return tuple(ROLES[(seat - rules.captain - number + 1) % PLAYERS] for seat in range(PLAYERS))


def _explained(place: Standing) -> Standing:
    if place.points < MOST_AWARDS:
        return place
    if place.won:
        return replace(place, tiebreak=Text("{player} has the purple 7.", player=Name(place.seat)))
    return replace(place, tiebreak=Text("{player} does not have the purple 7.", player=Name(place.seat)))


# ---- the exam --------------------------------------------------------------------------------------------------------


def _set_exam(state: State, action: Exam) -> Step[State]:
    if state.rule:
        raise RuleError(Text("The exam of this round is set already; undo it to change it."), "ACA-2")
    if action.trump is None and action.rule != "no-trump":
        raise RuleError(Text("Say which colour is trump; only under No trump there is none."), "ACA-2")
    after = replace(state, rule=action.rule, chosen=action.trump)
    return Step(after, (Note(_trump_text(after.trump), "ACA-2"), Note(ROUND_RULES[action.rule], "ACA-3")))


def _trump_text(trump: str | None) -> Text:
    return Text("Trump is {colour}.", colour=WORDS[trump]) if trump else Text("There is no trump this round.")


def _swap_roles(state: State, action: SwapRoles) -> Step[State]:
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


# ---- tricks ----------------------------------------------------------------------------------------------------------


def _take_trick(state: State, action: Trick) -> Step[State]:
    if state.rule is None:
        raise RuleError(Text("Before the first trick, say which trump and which round rule lie behind the display."), "ACA-2")
    if state.all_in:
        text = Text("All eight tricks are in; now say who has the purple 7 and whether the Rebel shows three colours.")
        raise RuleError(text, "ACA-5")
    away = state.seat_of(MASTERMIND) if action.cover else None
    shown = _lay_over(state, action.cover) if action.cover else state
    if action.cards is None:
        return _book(shown, action, away, _told_winner(action, away), None)
    _check_number(len(action.cards), away)
    _check_new(action.cards, shown)
    verdict = _verdict(shown.leader, away, shown.trump, action.cards)
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


def _check_new(cards: Sequence[Card], state: State | None = None) -> None:
    card = first_repeated(cards, state.seen if state else frozenset())
    if card:
        raise RuleError(_seen_before(card, state), "ACA-7")


def _seen_before(card: Card, state: State | None) -> Text:
    """Who showed it when; a card that came twice in one trick was only just shown."""
    sighting = state.where_seen().get(str(card)) if state else None
    if sighting:
        return Text("{sighting} Every card is there once.", sighting=sighting)
    return Text("{card} was shown in this round before; every card is there once.", card=card.text)


def _book(state: State, action: Trick, away: int | None, winner: int, verdict: Verdict | None) -> Step[State]:
    played: Shown = tuple(zip(_order(state.leader, away), action.cards, strict=True)) if action.cards else ()
    shown = played if action.cover is None or away is None else (*played, (away, action.cover.card))
    after = changed(
        state,
        tricks=(*state.tricks, Taken(winner, action.cards, action.cover.card if action.cover else None)),
        leader=winner,
        exchanged=False,
        seen=state.seen.union(card for _, card in shown),
        missed=_missed_after(state, played, shown),
    )
    covering = _cover_notes(state, action.cover) if action.cover else ()
    return _by_cards(after, *covering, _trick_note(after, verdict), *_doubts(state, shown))


def _trick_note(state: State, verdict: Verdict | None) -> Note:
    facts: Facts = {"player": Name(state.leader), "n": len(state.tricks)}
    if state.all_in:
        return Note(Text("{player} takes trick {n}, the last one.", **facts), "ACA-8", verdict=verdict)
    return Note(Text("{player} takes trick {n} and leads the next.", **facts), "ACA-8", verdict=verdict)


# ---- covering --------------------------------------------------------------------------------------------------------


def _coverable(state: State) -> str | None:
    """What the Mastermind may lay a hand card over now."""
    over = COVERS.get(state.rule)
    used_up = over in state.covered and (over == "rule" or state.rules.new_trump == "once")
    return None if used_up else over


def _lay_over(state: State, cover: Cover) -> State:
    _check_cover(state, cover)
    laid = replace(state, covered=state.covered | {cover.over}, seen=state.seen | {cover.card})
    return replace(laid, chosen=cover.card.colour) if cover.over == "trump" else replace(laid, rule=cover.rule)


def _check_cover(state: State, cover: Cover) -> None:
    if _coverable(state) != cover.over:
        raise RuleError(*_why_no_cover(state, cover))
    if (cover.over == "rule") != (cover.rule is not None):
        raise RuleError(Text("Name the new round rule with a card laid over the rule, and only then."), "RECORD")
    if cover.card == ACE:
        raise RuleError(Text("{card} is never laid over the exam; the Mastermind takes another card.", card=ACE.text), "ACA-14")
    _check_new((cover.card,), state)


def _why_no_cover(state: State, cover: Cover) -> tuple[Text, str]:
    if COVERS.get(state.rule) == cover.over == "trump":
        return Text("The trump was covered in this round already; with your house rule that goes once."), "Y1"
    if cover.over == "trump":
        return Text("A card covers the trump only under the round rule New trump; the Mastermind plays to the trick."), "ACA-3"
    if "rule" in state.covered:
        return Text("The round rule was covered already; that goes once a round."), "Y7"
    return Text("A card covers the round rule only under the round rule New rule; the Mastermind plays to the trick."), "ACA-3"


def _cover_notes(state: State, cover: Cover) -> Iterator[Note]:
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


# ---- who wins a trick ------------------------------------------------------------------------------------------------


@cache
def _order(leader: int, away: int | None) -> tuple[int, ...]:
    """Who plays, in order: all from the leader clockwise, but not a Mastermind who covered."""
    return tuple(seat for seat in clockwise(leader, PLAYERS) if seat != away)


def _verdict(leader: int, away: int | None, trump: str | None, cards: Sequence[Card]) -> Verdict:
    order, strength = _order(leader, away), _strength(trump, cards[0].colour)
    best = first_highest([strength(card) for card in cards])
    return Verdict(order[best], partial(_argued, leader, away, trump, cards, best))


def _strength(trump: str | None, led: str) -> Callable[[Card], tuple[bool, bool, int]]:
    """Trumps, then the led colour, then by number; of other colours none can win."""
    return lambda card: (card.colour == trump, card.colour == led, card.value)


def _argued(leader: int, away: int | None, trump: str | None, cards: Sequence[Card], best: int) -> Iterator[Reason]:
    order, led, winning = _order(leader, away), cards[0].colour, cards[best]
    words: Facts = {"led": WORDS[led], "best": winning.text, "winner": Name(order[best])}
    why = _why_by_trump if winning.colour == trump else _why_by_led
    for seat, card in zip(order, cards, strict=False):  # there are fewer cards where it is decided early
        yield Reason(why(card, winning, led, trump, {**words, "player": Name(seat), "card": card.text}), "ACA-7", seat)
    if away is not None:
        yield _why_away(leader, away)


def _why_by_trump(card: Card, winning: Card, led: str, trump: str | None, facts: Facts) -> Text:
    if card == winning:
        return Text("{player} wins: {card} is the highest trump in the trick.", **facts)
    if card.colour == trump:
        return Text("{player} has {card}, a lower trump than {best}.", **facts)
    if card.colour == led:
        return Text("{player} has {card}, but every trump beats the led colour: {winner} played {best}.", **facts)
    return Text("{player} has {card}, neither the led colour nor trump: that never wins.", **facts)


def _why_by_led(card: Card, winning: Card, led: str, trump: str | None, facts: Facts) -> Text:
    if card == winning and trump is None:
        return Text("{player} wins: there is no trump, and {card} is the highest card of the led colour.", **facts)
    if card == winning:
        return Text("{player} wins: nobody played a trump, and {card} is the highest card of the led colour.", **facts)
    if card.colour == led:
        return Text("{player} has {card}, lower than {best}.", **facts)
    return Text("{player} has {card}; {led} was led, and another colour wins only as trump.", **facts)


def _why_away(leader: int, away: int) -> Reason:
    if leader == away:
        follower = Name((away + 1) % PLAYERS)
        text = Text("{player} covered instead of leading, so {follower} led and set the colour.", player=Name(away), follower=follower)
        return Reason(text, "Y2", away)
    return Reason(Text("{player} covered instead of playing and has no card that could win.", player=Name(away)), "ACA-7", away)


def _covering_seat(question: Dispute) -> int | None:
    """The seat without a card in a dispute."""
    if len(question.cards) != PLAYERS:
        text = Text("A trick has {players} cards, with null in the place of a Mastermind who covered.", players=PLAYERS)
        raise RuleError(text, "ACA-5")
    if question.cards.count(None) > 1:
        raise RuleError(Text("Only the Mastermind can cover; everybody else plays a card."), "ACA-1")
    turns = zip(clockwise(question.leader, PLAYERS), question.cards, strict=True)
    return next((seat for seat, card in turns if card is None), None)


# ---- a dispute on its page -------------------------------------------------------------------------------------------


def _dispute_form(seats: tuple[int, ...]) -> Form:
    trump = yield Field("trump", (*COLOURS, None), Text("Which colour is trump?"))
    cards: list[str | None] = []
    for turn, seat in enumerate(seats):
        free: list[str | None] = [name for name in DECK if name not in cards]
        free += [] if None in cards else [None]
        cards.append((yield Field(path("cards", turn), free, Text("Which card does {player} play?", player=Name(seat)), "card")))
    return {"trump": trump, "cards": cards}


def _winner_of(question: Plain) -> int | None:
    away = next((turn for turn, name in enumerate(question["cards"]) if name is None), None)
    leader = question.get("leader", 0)
    cards = [DECK[name] for name in question["cards"] if name]
    return _verdict(leader, None if away is None else (leader + away) % PLAYERS, question["trump"], cards).winner


# ---- following the led colour ----------------------------------------------------------------------------------------


def _missed_after(state: State, played: Shown, shown: Shown) -> Missed:
    """Who is known not to have had a colour; `state` is the one in which the trick was played."""
    if state.rule in MOVES_HANDS or state.rules.revoke == "ignore":
        return {}
    settled = {(seat, card.colour) for seat, card in shown}
    kept = {miss: trick for miss, trick in state.missed.items() if miss not in settled}
    return _excused(state, _misses(played, len(state.tricks) + 1) | kept)


def _misses(played: Shown, n: int) -> dict[tuple[int, str], int]:
    return {(seat, played[0][1].colour): n for seat, card in played if card.colour != played[0][1].colour}


def _excused(state: State, missed: Missed) -> Missed:
    """Under trick-exchange the Mastermind may have got any colour out of a trick."""
    if state.rule != "trick-exchange":
        return missed
    mastermind = state.seat_of(MASTERMIND)
    return {miss: trick for miss, trick in missed.items() if miss[0] != mastermind}


def _doubts(state: State, shown: Shown) -> Iterator[Note]:
    for seat, card in shown:
        trick = state.missed.get((seat, card.colour))
        if trick:
            yield Note(_doubt(seat, card, trick), "ACA-6", warning=True)


def _doubt(seat: int, card: Card, trick: int) -> Text:
    return Text(
        "{player} shows {card} but did not follow {colour} in trick {n}. Where that was a mistake, undo and play the round again.",
        player=Name(seat),
        card=card.text,
        colour=WORDS[card.colour],
        n=trick,
    )


# ---- exchanging a card of a trick ------------------------------------------------------------------------------------


def _exchange(state: State, action: Exchange) -> Step[State]:
    trick = _exchangeable(state)
    if action.take not in trick:
        raise RuleError(Text("{card} is not in the trick just taken; take one of its cards.", card=action.take.text), "ACA-3")
    _check_new((action.give,), state)
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


def _exchangeable(state: State) -> tuple[Card, ...]:
    """The cards out of which the Mastermind may take one."""
    refusal = _why_no_exchange(state)
    if refusal:
        raise RuleError(*refusal)
    return state.tricks[-1].cards or ()


def _why_no_exchange(state: State) -> tuple[Text, str] | None:
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


# ---- how a round ended -----------------------------------------------------------------------------------------------


def _by_cards(state: State, *notes: Note) -> Step[State]:
    """Eight tricks with all their cards end the round by themselves."""
    if not (state.all_in and all(trick.cards for trick in state.tricks)):
        return Step(state, notes)
    holder = state.ace_holder
    if holder is None:
        text = Text("All eight tricks are in, but nobody played {card}; it is in somebody's hand in every round.", card=ACE.text)
        raise RuleError(text, "ACA-14")
    rebel = len(state.colours_of(state.seat_of(REBEL))) >= REBEL_COLOURS
    return _scored(state, Outcome(state.tally, rebel, holder, state.leader), *notes)


def _told_outcome(state: State, action: Round) -> Outcome:
    tricks = _told_tricks(state, action.tricks)
    _check_ace(state, tricks, action.ace)
    _check_rebel(state, tricks, action)
    return Outcome(tricks, action.rebel, action.ace, _told_last(state, tricks, action.last))


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


def _possible_aces(state: State, tricks: Tally) -> list[int]:
    """Who can have the purple 7: whoever it is known of, or anybody with a trick whose cards are not known."""
    if state.ace_holder is not None:
        return [state.ace_holder]
    return [seat for seat in range(PLAYERS) if tricks[seat] > state.tricks_shown(seat)]


def _check_ace(state: State, tricks: Tally, ace: int) -> None:
    if ace in _possible_aces(state, tricks):
        return
    facts: Facts = {"player": Name(ace), "card": ACE.text}
    if tricks[ace] == 0:
        raise RuleError(Text("{player} has no trick; {card} lies with somebody who has one.", **facts), "ACA-14")
    if state.ace_holder is not None:
        text = Text("{card} is in a trick of {holder}, not of {player}.", holder=Name(state.ace_holder), **facts)
        raise RuleError(text, "ACA-14")
    raise RuleError(Text("All cards that {player} won are entered, and {card} is not among them.", **facts), "ACA-14")


def _known_colours(state: State, ace: int) -> set[str]:
    """The colours that the Rebel has for certain."""
    rebel = state.seat_of(REBEL)
    return state.colours_of(rebel) | ({ACE.colour} if ace == rebel else set())


def _possible_goals(state: State, tricks: Tally, ace: int) -> list[bool]:
    """Whether the Rebel can show three colours, or fewer."""
    rebel = state.seat_of(REBEL)
    if len(_known_colours(state, ace)) >= REBEL_COLOURS:
        return [True]
    return [False] if tricks[rebel] == state.tricks_shown(rebel) else [False, True]


def _check_rebel(state: State, tricks: Tally, action: Round) -> None:
    if action.rebel in _possible_goals(state, tricks, action.ace):
        return
    rebel = Name(state.seat_of(REBEL))
    if not action.rebel:
        raise RuleError(Text("The cards that {player} won show three colours; the Rebel's goal is met.", player=rebel), "ACA-10")
    if tricks[rebel.seat] == 0:
        raise RuleError(Text("{player} has no trick, so the Rebel cannot show three colours.", player=rebel), "ACA-10")
    raise RuleError(Text("All cards that {player} won are entered, and they show fewer than three colours.", player=rebel), "ACA-10")


def _possible_lasts(state: State, tricks: Tally) -> list[int]:
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
    if last in _possible_lasts(state, tricks):
        return last
    if tricks[last] == 0:
        raise RuleError(Text("{player} has no trick and cannot have taken the last one.", player=Name(last)), "ACA-8")
    if state.all_in:
        text = Text("{winner} took the last trick, not {player}.", winner=Name(state.leader), player=Name(last))
        raise RuleError(text, "ACA-8")
    raise RuleError(Text("All tricks of {player} are entered, and the last one is not among them.", player=Name(last)), "ACA-8")


# ---- awards ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Earned:
    """What somebody gets awards for, or not; an extra comes from the round rule and not from a goal."""

    note: Note
    seats: tuple[int, ...] = ()
    extra: bool = False


def _scored(state: State, outcome: Outcome, *notes: Note) -> Step[State]:
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
        if awards[seat] == MOST_AWARDS:
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


def _next_round(state: State, awards: tuple[int, ...], ace: int) -> State:
    """Three awards and the purple 7 win; otherwise the role cards go back and one seat on."""
    if awards[ace] == MOST_AWARDS:
        return State(state.rules, awards, state.roles, state.leader, state.round, winner=ace)
    roles = _dealt(state.rules, state.round + 1)
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


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _asks(state: State) -> Iterator[Ask]:
    if state.rule is None:
        yield Ask(_id(state, "exam"), "exam", Text("Which trump and which round rule?"), _exam_form)
    else:
        yield from _swap_asks(state)
        yield from _exchange_asks(state)
        yield from _trick_asks(state)
    yield Ask(_id(state), "round", Text("How did the round end?"), partial(_round_form, state), needed=state.all_in)


def _id(state: State, *parts: object) -> str:
    """After a swap every question is another one: who leads and who is the Rebel has changed."""
    return ask_id("round", state.round, *(("swapped",) if state.swapped else ()), *parts)


def _swap_asks(state: State) -> Iterator[Ask]:
    if state.rule == "swap-roles" and not state.tricks and not state.swapped:
        text = Text("With whom does {player} swap roles?", player=Name(state.seat_of(MASTERMIND)))
        yield Ask(_id(state, "swap-roles"), "swap-roles", text, partial(_swap_form, state), needed=False)


def _exchange_asks(state: State) -> Iterator[Ask]:
    if _why_no_exchange(state) is None:
        text = Text("Which card does {player} exchange?", player=Name(state.seat_of(MASTERMIND)))
        id = _id(state, "trick", len(state.tricks), "exchange")
        yield Ask(id, "exchange", text, partial(_exchange_form, state), needed=False)


def _trick_asks(state: State) -> Iterator[Ask]:
    n = len(state.tricks) + 1
    if n <= TRICKS:
        yield Ask(_id(state, "trick", n), "trick", Text("Who took trick {n}?", n=n), partial(_winner_form, state))
        text = Text("Which cards were played to trick {n}?", n=n)
        yield Ask(_id(state, "trick", n, "cards"), "trick", text, partial(_cards_form, state))


def _exam_form() -> Form:
    rule = yield Field("rule", list(ROUND_RULES), Text("Round rule"), words=ROUND_RULES)
    no_trump = rule == "no-trump"
    trump = yield Field("trump", [*COLOURS, None] if no_trump else list(COLOURS), Text("Trump"), optional=no_trump)
    return {"do": "exam", **given(trump=trump), "rule": rule}


def _swap_form(state: State) -> Form:
    others = [seat for seat in range(PLAYERS) if seat != state.seat_of(MASTERMIND)]
    seat = yield Field("seat", others, Text("Swaps with"), "seat")
    return {"do": "swap-roles", "seat": seat}


def _exchange_form(state: State) -> Form:
    take = yield Field("take", [str(card) for card in _exchangeable(state)], Text("Card out of the trick"), "card")
    give = yield Field("give", state.unseen(), Text("Card from the hand"), "card")
    return {"do": "exchange", "take": take, "give": give}


def _winner_form(state: State) -> Form:
    cover = yield from _cover_form(state)
    away = state.seat_of(MASTERMIND) if cover else None
    winner = yield Field("winner", [seat for seat in range(PLAYERS) if seat != away], Text("Winner"), "seat")
    return {"do": "trick", **cover, "winner": winner}


def _cards_form(state: State) -> Form:
    cover = yield from _cover_form(state)
    used = [cover["cover"]["card"]] if cover else []
    order = _order(state.leader, state.seat_of(MASTERMIND) if cover else None)
    cards: list[str] = []
    for turn, seat in enumerate(order):
        playable = _playable(state, [*used, *cards], last=turn == len(order) - 1)
        cards.append((yield Field(path("cards", turn), playable, Text("Card of {player}", player=Name(seat)), "card")))
    return {"do": "trick", "cards": cards, **cover}


def _playable(state: State, used: Sequence[str], last: bool) -> list[str]:
    """The cards that can come next; the last card of eight known tricks is the purple 7 where it is missing."""
    unseen = [name for name in state.unseen() if name not in used]
    return [str(ACE)] if last and str(ACE) in unseen and _ace_due(state) else unseen


def _ace_due(state: State) -> bool:
    return len(state.tricks) == TRICKS - 1 and ACE not in state.seen and all(trick.cards for trick in state.tricks)


def _cover_form(state: State) -> Form:
    """A cover card, where the round rule allows one; without it the form goes on."""
    over = _coverable(state)
    if over is None or (yield Field("cover.as", [over], Text("Covered by the Mastermind"), optional=True, words=OVER)) is SKIP:
        return {}
    unseen = [name for name in state.unseen() if name != str(ACE)]
    card = yield Field("cover.card", unseen, Text("Cover card"), "card")
    if over == "trump":
        return {"cover": {"as": over, "card": card}}
    rule = yield Field("cover.rule", list(ROUND_RULES), Text("New round rule"), words=ROUND_RULES)
    return {"cover": {"as": over, "card": card, "rule": rule}}


def _round_form(state: State) -> Form:
    told = yield from _tricks_form(state)
    tricks = told or state.tally
    ace = yield Field("ace", _possible_aces(state, tricks), Text("Who has the purple 7?"), "seat")
    goal = Text("Does {player} show three colours?", player=Name(state.seat_of(REBEL)))
    rebel = yield Field("rebel", _possible_goals(state, tricks, ace), goal)
    optional = state.all_in or state.rule != "last-trick-award"
    last = yield Field("last", _possible_lasts(state, tricks), Text("Who took the last trick?"), "seat", optional=optional)
    return {"do": "round", **given(tricks=told or SKIP, rebel=rebel, ace=ace, last=last)}


def _tricks_form(state: State) -> Form:
    """Everybody's tricks, at least those entered, eight together; left out where all are entered."""
    tricks: list[int] = []
    for seat, entered in enumerate(state.tally):
        most = TRICKS - sum(tricks) - sum(state.tally[seat + 1 :])
        numbers = range(most if seat == PLAYERS - 1 else entered, most + 1)
        text = Text("Tricks of {player}", player=Name(seat))
        number = yield Field(path("tricks", seat), numbers, text, "number", optional=state.all_in and not tricks)
        if number is SKIP:
            return []
        tricks.append(number)
    return tricks


# ---- what the screens tell -------------------------------------------------------------------------------------------


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
    missing = MOST_AWARDS - state.awards[seat]
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
    return state.rule in (None, "last-trick-award") or _coverable(state) == "rule"


def _where_seen(state: State) -> Iterator[tuple[str, Text]]:
    """Where every card known of this round was shown, and by whom."""
    leader = state.seat_of(CAPTAIN)
    mastermind = Name(state.seat_of(MASTERMIND))
    for n, trick in enumerate(state.tricks, 1):
        order = _order(leader, mastermind.seat if trick.cover else None)
        for seat, card in zip(order, trick.cards or (), strict=False):
            yield str(card), Text("{player} played {card} in trick {n}.", player=Name(seat), card=card.text, n=n)
        if trick.cover:
            yield str(trick.cover), Text("{player} laid {card} over the exam in trick {n}.", player=mastermind, card=trick.cover.text, n=n)
        if trick.given:
            yield str(trick.given), Text("{player} put {card} into trick {n}.", player=mastermind, card=trick.given.text, n=n)
        leader = trick.winner


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
    match _coverable(state):
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


GAME = TheAcademy()
