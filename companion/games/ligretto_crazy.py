"""Ligretto Crazy: everybody plays at once, then everybody counts; the first round that brings somebody to 100 ends the game.

Source: the rule sheet (Schmidt Spiele). Our departures are rulings: a crazy card that opens a pile is a 1 (G1), may close on a 4 (G3),
and the target can be changed for short evenings (G10). Hands are busy during a round, so a round is reported only when it is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar

from annotated_types import Ge, Le
from pydantic import Field as Alias

from companion.games.base import (
    SKIP,
    Action,
    Ask,
    Facts,
    Field,
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
    given,
    many,
    names,
    option,
    path,
    ranked,
)
from companion.games.disputes import Disputes, WhatIf, if_only
from companion.games.record import Number, PerSeat, Question, Seat, one_of

DECK = 36  # cards a player brings
CRAZY = "crazy"
VALUES = (1, 2, 3, 4, 5)
TOPS = (1, 2, 3, 4, None)  # of a pile; none for a new one
MOST_PILES = 9  # that a dispute can be about, rightly opened or not
TARGETS = (50, 75, 100, 150)
UNLIKELY_SCORES = (1, 2, 3, 4, 6, 8)  # no closed piles add up to these: each has 5, 7, 9 … cards
FEWEST_LEFT = 3  # whoever calls stop has just drawn back to three


# ---- house rules, reports, state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    target: Annotated[int, Ge(1)] = option(
        100, Text("Points that end the game"), {points: Text("{n} points", n=points) for points in TARGETS}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Action):
    """One seat's two piles; sent again it replaces."""

    do: ClassVar[str] = "count"
    seat: Seat
    scored: Number
    left: Number
    caller: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Action):
    """Everybody's two piles at once."""

    do: ClassVar[str] = "round"
    scored: PerSeat[Number]
    left: PerSeat[Number]
    caller: Seat | None = None


@dataclass(frozen=True, slots=True)
class Piles:
    """What a seat has at the end of a round."""

    scored: int
    left: int

    @property
    def cards(self) -> int:
        return self.scored + self.left

    @property
    def net(self) -> int:
        return self.scored - self.left


@dataclass(frozen=True, slots=True)
class State:
    target: int
    totals: tuple[int, ...]
    counts: tuple[Piles | None, ...]  # the open round
    round: int = 1
    caller: int | None = None

    @property
    def players(self) -> int:
        return len(self.totals)

    @property
    def cards(self) -> int:
        return DECK * self.players

    @property
    def in_the_middle(self) -> int:
        """The cards that nobody has counted."""
        return self.cards - sum(piles.cards for piles in self.counts if piles)

    def room(self, seat: int) -> int:
        """The most cards this seat can still have."""
        own = self.counts[seat]
        return self.in_the_middle + (own.cards if own else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laying(Question):
    """May this card be laid on that pile?"""

    nullable: ClassVar[frozenset[str]] = frozenset({"top"})
    top: Annotated[int, Ge(1), Le(4)] | None
    card: Annotated[int | str, one_of(1, 2, 3, 4, 5, "crazy")]
    piles: Number
    named: Annotated[int | None, Ge(1), Le(5), Alias(alias="as")] = None


# ---- how a dispute is asked and told ---------------------------------------------------------------------------------


class LigrettoDisputes(Disputes):
    asking = Text("May this card be laid?")
    led = won = False

    def form(self, players: int, leader: int) -> Form:
        return _laying_form(players)

    def headline(self, verdict: Verdict) -> Text:
        match verdict.adds["legal"], verdict.adds["closes"]:
            case False, _:
                return Text("No, it may not be laid.")
            case _, None:
                return Text("Yes, and as a 5 it closes the pile.")
            case _, True:
                return Text("Yes, and it closes the pile.")
            case _:
                return Text("Yes, it may be laid.")

    def after(self, question: Plain, verdict: Verdict) -> Reason | None:
        if verdict.adds["closes"]:
            return Reason(Text("Whoever laid it calls “Crazy” and takes the pile to their own score pile."), "LIG-9")
        if not verdict.adds["legal"] and question["top"] is None and question["piles"] >= len(question["players"]):
            return Reason(Text("Whoever opened a pile too many takes it to their own discard pile, with all that lies on it."), "LIG-10")
        return None

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        for top in TOPS:
            if top != question["top"]:
                text = Text("if a {top} lay on top", top=top) if top else Text("if it opened a new pile")
                yield if_only(("top", str(top or "none")), text, {**question, "top": top})
        for value in VALUES if question["card"] == CRAZY else ():
            if value != question.get("as"):
                text = Text("if it were named a {value}", value=value)
                yield if_only(("as", str(value)), text, {**question, "as": value})


# ---- the game --------------------------------------------------------------------------------------------------------


class LigrettoCrazy(Game[State, Rules]):
    id = "ligretto-crazy"
    name = Text("Ligretto Crazy")
    players = (2, 3, 4, 5)
    players_rule = "LIG-1"
    actions = (Count, Round)
    options = Rules
    question = Laying
    disputes = LigrettoDisputes()

    def setup(self, players: int, options: Rules) -> State:
        return State(options.target, (0,) * players, (None,) * players)

    def act(self, state: State, action: Count | Round) -> Step[State]:
        match action:
            case Count(seat=seat):
                piles = Piles(action.scored, action.left)
                counts = (*state.counts[:seat], piles, *state.counts[seat + 1 :])
                entered: tuple[int, ...] = (seat,)
            case Round():  # pragma: no branch: there is no other action
                counts = tuple(map(Piles, action.scored, action.left))
                entered = tuple(range(state.players))
        counted = replace(state, counts=counts, caller=state.caller if action.caller is None else action.caller)
        _check_cards(counted)
        return _closed(counted, (*_counted(counted, entered), *_doubts(counted, entered)))

    def over(self, state: State) -> bool:
        return max(state.totals) >= state.target

    def asks(self, state: State) -> tuple[Ask, ...]:
        if self.over(state):
            return ()
        return (*(_ask_count(state, seat) for seat in range(state.players)), _ask_round(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        best = max(state.totals)
        won = [seat for seat, total in enumerate(state.totals) if total == best] if self.over(state) else []
        return ranked(state.totals, won)

    def resolve(self, question: Laying) -> Verdict:
        return _laying(question)


# ---- a round ---------------------------------------------------------------------------------------------------------


def _check_cards(state: State) -> None:
    if state.in_the_middle >= 0:
        return
    text = Text(
        "There are {all} cards in the game, but these counts add up to {counted}. Somebody counted {over} too many.",
        all=state.cards,
        counted=state.cards - state.in_the_middle,
        over=-state.in_the_middle,
    )
    raise RuleError(text, "LIG-18")


def _counted(state: State, entered: tuple[int, ...]) -> Iterator[Note]:
    """What a single seat counted; a whole round is told seat by seat when it is closed."""
    if len(entered) == 1:
        piles = state.counts[entered[0]]
        assert piles is not None
        facts: Facts = {"player": Name(entered[0]), "scored": piles.scored, "left": piles.left}
        yield Note(Text("{player}: {scored} in the score pile, {left} left over.", **facts), "LIG-13")


def suspects(piles: Sequence[Piles]) -> list[int]:
    """Who most likely miscounted: those with a doubtful count, else those who had the most cards to count."""
    most = max(each.cards for each in piles)
    doubtful = [seat for seat, each in enumerate(piles) if _is_doubtful(each)]
    return doubtful or [seat for seat, each in enumerate(piles) if each.cards == most]


def _is_doubtful(piles: Piles) -> bool:
    return piles.scored in UNLIKELY_SCORES or not FEWEST_LEFT <= piles.left <= DECK


def _doubts(state: State, entered: tuple[int, ...]) -> Iterator[Note]:
    for seat in entered:
        piles = state.counts[seat]
        if piles and piles.scored in UNLIKELY_SCORES:
            yield Note(_doubt_scored(seat, piles.scored), "LIG-19", warning=True)
        if piles and piles.left < FEWEST_LEFT:
            yield Note(_doubt_left(seat, piles.left), "LIG-20", warning=True)
        if piles and piles.left > DECK:
            yield Note(_doubt_surplus(seat, piles.left), "LIG-10", warning=True)


def _doubt_scored(seat: int, n: int) -> Text:
    return many(
        "{player} has {n} card in the score pile, but closed piles have 5, 7, 9 or more cards each. Please count again.",
        "{player} has {n} cards in the score pile, but closed piles have 5, 7, 9 or more cards each. Please count again.",
        n=n,
        player=Name(seat),
    )


def _doubt_left(seat: int, n: int) -> Text:
    return many(
        "{player} has only {n} card left over, but everybody still holds cards at the stop call: at least 3. Please count again.",
        "{player} has only {n} cards left over, but everybody still holds cards at the stop call: at least 3. Please count again.",
        n=n,
        player=Name(seat),
    )


def _doubt_surplus(seat: int, n: int) -> Text:
    return Text(
        "{player} has {n} cards left over, more than their own {deck}: that takes a surplus pile from the middle. Please count again.",
        player=Name(seat),
        n=n,
        deck=DECK,
    )


def _closed(state: State, notes: tuple[Note, ...]) -> Step[State]:
    """The step after an entry; with the last count the round is over."""
    piles = [each for each in state.counts if each]
    if len(piles) < state.players:
        return Step(state, notes)
    nets = tuple(each.net for each in piles)
    totals = tuple(total + net for total, net in zip(state.totals, nets, strict=True))
    after = State(state.target, totals, (None,) * state.players, state.round + 1)
    return Step(after, (*notes, *_told(state, after, piles)), nets)


def _told(state: State, after: State, piles: list[Piles]) -> Iterator[Note]:
    for seat, each in enumerate(piles):
        text = Text("{player}: {scored} − {left} = {net}.", player=Name(seat), scored=each.scored, left=each.left, net=each.net)
        yield Note(text, "LIG-13")
    n = state.in_the_middle
    yield Note(many("{n} card should lie in the middle.", "{n} cards should lie in the middle.", n=n), "LIG-18")
    yield Note(Text("If not, somebody miscounted: most likely {players}.", players=names(suspects(piles))), "LIG-18")
    if GAME.over(after):
        won = [each.seat for each in GAME.standings(after) if each.won]
        text = many(
            "{players} wins with {points} points.",
            "{players} win with {points} points.",
            n=len(won),
            players=names(won),
            points=max(after.totals),
        )
        yield Note(text, "LIG-16")


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _ask_count(state: State, seat: int) -> Ask:
    piles = state.counts[seat]
    again = ("again", piles.scored, piles.left) if piles else ()
    return Ask(
        ask_id("round", state.round, "count", seat, *again),
        "count",
        Text("What did {player} count?", player=Name(seat)),
        partial(_count_form, state, seat),
        needed=piles is None,
    )


def _count_form(state: State, seat: int) -> Form:
    room = state.room(seat)
    scored = yield Field("scored", range(room + 1), Text("Cards in the score pile"), "number")
    left = yield Field("left", range(room - scored + 1), Text("Cards left over: draw pile, discard pile and hand"), "number")
    caller = yield _caller(state)
    return {"do": "count", "seat": seat, "scored": scored, "left": left, **given(caller=caller)}


def _caller(state: State) -> Field:
    return Field("caller", range(state.players), Text("Who called stop?"), "seat", optional=True)


def _ask_round(state: State) -> Ask:
    return Ask(ask_id("round", state.round), "round", Text("What did everybody count?"), partial(_round_form, state), needed=False)


def _round_form(state: State) -> Form:
    room = state.cards
    answers: dict[str, list[int]] = {"scored": [], "left": []}
    for name, label in (("scored", Text("{player}: score pile")), ("left", Text("{player}: left over"))):
        for seat in range(state.players):
            text = Text(label.key, player=Name(seat))
            number = yield Field(path(name, seat), range(room + 1), text, "number")
            room -= number
            answers[name].append(number)
    caller = yield _caller(state)
    return {"do": "round", **answers, **given(caller=caller)}


# ---- may this card be laid? ------------------------------------------------------------------------------------------


def _laying(question: Laying) -> Verdict:
    """Legal or not, and whether it closes the pile; a winner there is none."""
    if question.named is not None and question.card != "crazy":
        raise RuleError(Text("Only a crazy card gets a value from whoever lays it; leave out “as”."), "RECORD")
    value = question.card if isinstance(question.card, int) else question.named
    legal, reason = _opening(question, value) if question.top is None else _continuing(question.top, value)
    closes = _closes(question.top, value) if legal else False
    return Verdict(None, lambda: (reason,), {"legal": legal, "closes": closes})


def _opening(question: Laying, value: int | None) -> tuple[bool, Reason]:
    """Only a 1, or a crazy card standing for one, opens a pile, and only while there is room for it."""
    most = len(question.players)
    if question.piles >= most:
        return False, Reason(Text("No new pile: there are as many as players already, {most}.", most=most), "LIG-4")
    if value is None:
        return True, Reason(Text("A crazy card opens a pile; it counts as a 1."), "G1")
    if value == 1:
        return True, Reason(Text("A 1 opens a new pile."), "LIG-5")
    if question.card == "crazy":
        return False, Reason(Text("A crazy card that opens a pile is a 1, not a {value}.", value=value), "G1")
    return False, Reason(Text("Only a 1 or a crazy card opens a pile, not a {value}.", value=value), "LIG-5")


def _continuing(top: int, value: int | None) -> tuple[bool, Reason]:
    """A card goes on a pile one step up or down; a crazy card is whatever fits."""
    if value is None and top == 4:
        text = Text("A crazy card fits on a 4 as a 3 or as a 5. As a 5 it closes the pile: whoever laid it says which.")
        return True, Reason(text, "G3")
    if value is None:
        return True, Reason(Text("A crazy card fits on every pile: on a {top} it is one more or one less.", top=top), "LIG-11")
    if value == 5 and top == 4:
        return True, Reason(Text("A 5 on a 4 closes the pile: whoever laid it takes the pile."), "LIG-9")
    if abs(value - top) == 1:
        return True, Reason(Text("A {value} goes on a {top}: exactly one step.", value=value, top=top), "LIG-6")
    return False, Reason(Text("A {value} does not go on a {top}: it must be exactly one more or one less.", value=value, top=top), "LIG-6")


def _laying_form(players: int) -> Form:
    """The pile, the card, and for a new pile how many there are; what a crazy card stands for can be left out."""
    top = yield Field("top", TOPS, Text("What lies on top of the pile?"), "number")
    card = yield Field("card", (*VALUES, CRAZY), Text("Which card is laid?"), "number")
    text = Text("How many piles are open already?")
    piles = yield Field("piles", range(MOST_PILES + 1), text, "number", optional=top is not None)
    named = SKIP
    if card == CRAZY:
        named = yield Field("as", VALUES, Text("What does whoever lays it call it?"), "number", optional=True)
    return given(top=top, card=card, piles=1 if piles is SKIP else piles, **{"as": named})


def _closes(top: int | None, value: int | None) -> bool | None:
    """An unnamed crazy card on a 4 may be the closing 5 or a 3: its layer has to say."""
    if top != 4:
        return False
    return None if value is None else value == 5


GAME = LigrettoCrazy()
