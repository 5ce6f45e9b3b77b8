"""Crazy Lab: ten tricks with cards of one to three colours, a new trump for each, and only what lies in them counts.

Source: the rule sheet (Gregorio Morales, Jordi Gené; AMIGO 2013). Our departures are rulings: without trump the highest single number
counts (LAB-15), a tie for first is shared or played off (L1), the left neighbour starts the next round (L2). The list of the 95 cards is
not known, so no card can be refused as seen twice. A plus colour is a secret of its seat until the round is scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen, MinLen

from companion.games.base import (
    SKIP,
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
    Viewer,
    ask_id,
    changed,
    check_claim,
    given,
    many,
    names,
    option,
    path,
    ranked,
)
from companion.games.cards import COLOURS as WORDS
from companion.games.cards import clockwise, first_highest
from companion.games.disputes import Disputes, WhatIf, other_leaders, other_trumps
from companion.games.record import Number, PerSeat, Question, Seat, one_of

COLOURS = ("purple", "blue", "yellow", "orange", "green")
TRICKS = 10
HIGHEST = 6  # the highest number on a card
MOST_COLOURS = 3  # on a card
MOST_TRUMPS = 4  # times a colour can be trump in a round
HIDDEN = "hidden"  # stands for somebody else's plus colour

Colour = Annotated[str, one_of(*COLOURS)]
Digit = Annotated[int, Ge(1), Le(HIGHEST)]
LabCard = Annotated[dict[Colour, Digit], MinLen(1), MaxLen(MOST_COLOURS)]
PartOfCard = Annotated[dict[Annotated[str, one_of(*COLOURS, "highest")], Digit], MinLen(1), MaxLen(MOST_COLOURS)]


# ---- house rules, reports, state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    rounds: Annotated[int, Ge(1)] = option(1, Text("Rounds"))
    starter: Seat = option(0, Text("Who leads the first trick"), kind="seat")
    tie: Literal["shared", "extra-round"] = option(
        "shared", Text("A tie for first place"), {"shared": Text("is a shared win"), "extra-round": Text("is played off in one more round")}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Minus(Action):
    """Everybody's minus colour."""

    do: ClassVar[str] = "minus"
    colours: PerSeat[Colour]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plus(Action):
    """A seat's secret plus colour."""

    do: ClassVar[str] = "plus"
    secret: ClassVar[bool] = True
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick(Action):
    """A trick by its cards, or only by who took it."""

    do: ClassVar[str] = "trick"
    trump: Colour | None = None
    cards: tuple[LabCard, ...] | None = None
    winner: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Action):
    """What a seat counted in plus and in minus; sent again it replaces."""

    do: ClassVar[str] = "count"
    seat: Seat
    plus: Number
    minus: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Action):
    """What everybody counted."""

    do: ClassVar[str] = "round"
    plus: PerSeat[Number]
    minus: PerSeat[Number]


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick that lies in front of its winner."""

    winner: int
    trump: str | None
    cards: tuple[Mapping[str, int], ...] | None


@dataclass(frozen=True, slots=True)
class Sums:
    """A seat's points in plus and in minus."""

    plus: int
    minus: int

    @property
    def net(self) -> int:
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that lay in a trick: in which, who played it and who took it."""

    n: int
    seat: int
    winner: int
    card: Mapping[str, int]


def card_key(card: Mapping[str, int]) -> str:
    """A card in one word, its colours always in the same order: `blue-4 orange-4`."""
    return " ".join("-".join((colour, str(card[colour]))) for colour in COLOURS if colour in card)


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    totals: tuple[int, ...]
    leader: int
    round: int = 1
    minus: tuple[str, ...] | None = None
    plus: tuple[str | None, ...] = ()
    tricks: tuple[Taken, ...] = ()
    counts: tuple[Sums | None, ...] = ()
    over: bool = False
    last: State | None = None  # the round before as it was scored, for those who ask how it came about

    @property
    def players(self) -> int:
        return len(self.totals)

    @property
    def starter(self) -> int:
        """The seat that led the first trick of this round."""
        return (self.rules.starter + self.round - 1) % self.players

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order in which they play to the next trick."""
        return clockwise(self.leader, self.players)

    @property
    def all_tricks_in(self) -> bool:
        return len(self.tricks) == TRICKS

    @property
    def trumps_left(self) -> dict[str, int]:
        """How often each colour can still be trump, as far as the entries tell."""
        return {colour: MOST_TRUMPS - self.times_trump(colour) for colour in COLOURS}

    @property
    def used_up(self) -> dict[str, Text]:
        """The colours that cannot be trump any more, and why."""
        return {colour: _no_fifth(colour) for colour, left in self.trumps_left.items() if not left}

    @property
    def laid(self) -> tuple[Laid, ...]:
        """Every card of this round that was entered, in the order played."""
        leaders = (self.starter, *(trick.winner for trick in self.tricks))
        return tuple(
            Laid(n, seat, trick.winner, card)
            for n, (leader, trick) in enumerate(zip(leaders, self.tricks, strict=False), 1)
            for seat, card in zip(clockwise(leader, self.players), trick.cards or (), strict=False)
        )

    @property
    def seen_cards(self) -> dict[str, Text]:
        """Every card of this round by its colours and numbers, with who played it last and when."""
        return {
            card_key(laid.card): Text("{player} played such a card in trick {n}.", player=Name(laid.seat), n=laid.n) for laid in self.laid
        }

    def won(self, seat: int) -> tuple[Laid, ...]:
        """The cards that lie in front of a seat, as far as they were entered."""
        return tuple(laid for laid in self.laid if laid.winner == seat)

    def knows_cards_of(self, seat: int) -> bool:
        """Whether all cards that a seat won in this round were entered."""
        return self.all_tricks_in and all(trick.cards for trick in self.tricks if trick.winner == seat)

    def points_in(self, colour: str, seat: int) -> int:
        """What the cards that a seat won add up to in one colour."""
        return sum(laid.card.get(colour, 0) for laid in self.won(seat))

    def tricks_of(self, seat: int) -> int:
        return sum(trick.winner == seat for trick in self.tricks)

    def times_trump(self, colour: str) -> int:
        return sum(trick.trump == colour for trick in self.tricks)

    def most_points(self, seat: int) -> int:
        """The limit of a counted sum: what fits on all cards, or on the seat's own once ten tricks are in."""
        tricks = self.tricks_of(seat) if len(self.tricks) == TRICKS else TRICKS
        return HIGHEST * self.players * tricks


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this trick? Cards as far as they matter."""

    trump: Colour
    cards: tuple[PartOfCard, ...]


# ---- how a dispute is asked and told ---------------------------------------------------------------------------------


class LabDisputes(Disputes):
    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(clockwise(leader, players))

    def foreseen(self, players: int, leader: int, asked: Plain) -> Verdict | None:
        """Nothing beats a 6 in trump, not even a later one."""
        trump, cards = asked.get("trump"), asked.get("cards", [])
        if not any(card.get(trump) == HIGHEST for card in cards):
            return None
        return _verdict(clockwise(leader, players)[: len(cards)], trump, cards)

    def after(self, question: Plain, verdict: Verdict) -> Reason:
        assert verdict.winner is not None
        return Reason(Text("{player} takes all the cards and leads the next trick.", player=Name(verdict.winner)), "LAB-17")

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        """Another trump only where whole cards are known."""
        cards = question["cards"]
        if any(len(card) > 1 for card in cards) and not any("highest" in card for card in cards):
            yield from other_trumps(question, COLOURS)
        yield from other_leaders(question)


# ---- the game --------------------------------------------------------------------------------------------------------


class CrazyLab(Game[State, Rules]):
    id = "crazy-lab"
    name = Text("Crazy Lab")
    players = (3, 4, 5)
    players_rule = "LAB-1"
    actions = (Minus, Plus, Trick, Count, Round)
    options = Rules
    question = Dispute
    asks_whole_cards = False
    disputes = LabDisputes()
    colours: ClassVar[tuple[str, ...]] = COLOURS

    def setup(self, players: int, options: Rules) -> State:
        return _fresh(State(options, (0,) * players, options.starter))

    def act(self, state: State, action: Minus | Plus | Trick | Count | Round) -> Step[State]:
        match action:
            case Minus():
                return _take_minus(state, action)
            case Plus():
                return _choose_plus(state, action)
            case Trick():
                return _take_trick(state, action)
            case Count():
                return _count(state, action)
            case Round():  # pragma: no branch: there is no other action
                return _count_all(state, action)

    def over(self, state: State) -> bool:
        return state.over

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if state.over else tuple(_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return ranked(state.totals, _leaders(state) if state.over else ())

    def view(self, state: State, viewer: Viewer) -> State:
        return replace(state, plus=tuple(_shown(colour, seat in viewer) for seat, colour in enumerate(state.plus)))

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        sums = state.counts[seat]
        counted = Text("{plus} − {minus}", plus=sums.plus, minus=sums.minus) if sums else Text("not yet")
        tricks = Figure(Text("Tricks in this round"), state.tricks_of(seat))
        return {"tricks": tricks, "counted": Figure(Text("Counted in this round"), counted)}

    def report(self, state: State) -> dict[str, Plain]:
        return {"leader": None if state.over else state.leader, "tricks_played": len(state.tricks)}

    def resolve(self, question: Dispute) -> Verdict:
        _check_parts(question)
        return _verdict(clockwise(question.leader, len(question.players)), question.trump, question.cards)

    def known(self, state: State) -> dict[str, Plain]:
        return {"leader": state.leader}

    def retold(self, question: Dispute) -> Dispute:
        """A card is as good as its number in trump; without any trump, as its highest."""
        shown = any(question.trump in card for card in question.cards)
        cards = [{question.trump: card.get(question.trump, 0)} if shown else {"highest": max(card.values())} for card in question.cards]
        return replace(question, cards=tuple(cards))


def _shown(colour: str | None, own: bool) -> str | None:
    return colour if own or colour is None else HIDDEN


def _leaders(state: State) -> list[int]:
    best = max(state.totals)
    return [seat for seat, total in enumerate(state.totals) if total == best]


def _fresh(state: State) -> State:
    """A round in which nothing has been reported yet."""
    nothing = (None,) * state.players
    return replace(state, minus=None, plus=nothing, tricks=(), counts=nothing)


# ---- colours ---------------------------------------------------------------------------------------------------------


def _take_minus(state: State, action: Minus) -> Step[State]:
    if state.minus:
        raise RuleError(Text("The minus colours of this round are entered already; undo them to change one."), "LAB-2")
    if state.tricks or any(state.counts):
        raise RuleError(Text("Minus colours are taken before the first trick and count of a round."), "LAB-2")
    _check_different(action.colours)
    taken = tuple(
        Note(Text("{player} avoids {colour}.", player=Name(seat), colour=WORDS[colour]), "LAB-2")
        for seat, colour in enumerate(action.colours)
    )
    return Step(replace(state, minus=action.colours), taken)


def _check_different(colours: Sequence[str]) -> None:
    for seat, colour in enumerate(colours):
        first = colours.index(colour)
        if first < seat:
            text = Text(
                "{first} and {second} cannot both have minus {colour}: there is one pile of each colour.",
                first=Name(first),
                second=Name(seat),
                colour=WORDS[colour],
            )
            raise RuleError(text, "LAB-2")


def _choose_plus(state: State, action: Plus) -> Step[State]:
    seat, colour = action.seat, action.colour
    if state.minus is None:
        raise RuleError(Text("Enter everybody's minus colour first, then the secret plus colours."), "LAB-3")
    if state.plus[seat]:
        raise RuleError(Text("{player} has chosen a plus colour for this round already.", player=Name(seat)), "LAB-5")
    if state.minus[seat] == colour:
        text = Text(
            "{colour} is the minus colour of {player}; the plus colour is one of the four others.", colour=WORDS[colour], player=Name(seat)
        )
        raise RuleError(text, "LAB-3")
    chosen = replace(state, plus=(*state.plus[:seat], colour, *state.plus[seat + 1 :]))
    return _by_cards(chosen, Note(Text("{player} has chosen a secret plus colour.", player=Name(seat)), "LAB-5"))


# ---- tricks ----------------------------------------------------------------------------------------------------------


def _take_trick(state: State, action: Trick) -> Step[State]:
    if len(state.tricks) == TRICKS:
        raise RuleError(Text("All ten tricks of this round are in; now count plus and minus."), "LAB-18")
    if action.trump and state.times_trump(action.trump) == MOST_TRUMPS:
        raise RuleError(_no_fifth(action.trump), "LAB-8")
    if action.cards is None:
        return _book(state, action, _told_winner(action), None)
    verdict = _verdict(clockwise(state.leader, state.players), _known_trump(action), _one_each(state, action.cards))
    check_claim(verdict, action.winner)
    assert verdict.winner is not None
    return _book(state, action, verdict.winner, verdict)


def _no_fifth(colour: str) -> Text:
    return Text("{colour} has been trump four times this round; there is no fifth card of it.", colour=WORDS[colour])


def _told_winner(action: Trick) -> int:
    if action.winner is None:
        raise RuleError(Text("A trick needs its cards or its winner."), "RECORD")
    return action.winner


def _known_trump(action: Trick) -> str:
    if action.trump is None:
        raise RuleError(Text("To see who wins by the cards, say which colour is trump."), "LAB-10")
    return action.trump


def _one_each(state: State, cards: tuple[LabCard, ...]) -> tuple[LabCard, ...]:
    if len(cards) != state.players:
        text = Text("Everybody plays exactly one card to a trick: {players} cards, not {n}.", players=state.players, n=len(cards))
        raise RuleError(text, "LAB-12")
    return cards


def _book(state: State, action: Trick, winner: int, verdict: Verdict | None) -> Step[State]:
    taken = Taken(winner, action.trump, action.cards)
    after = changed(state, tricks=(*state.tricks, taken), leader=winner)
    text = Text("{player} takes trick {n}.", player=Name(winner), n=len(after.tricks))
    return _by_cards(after, Note(text, "LAB-17", verdict=verdict))


# ---- who wins a trick ------------------------------------------------------------------------------------------------


def _verdict(seats: tuple[int, ...], trump: str, cards: Sequence[Mapping[str, int]]) -> Verdict:
    shown = [card.get(trump, 0) for card in cards]
    if any(shown):
        best = first_highest(shown)
        return Verdict(seats[best], partial(_by_trump, seats, trump, shown, best))
    highest = [max(card.values()) for card in cards]
    best = first_highest(highest)
    return Verdict(seats[best], partial(_without_trump, seats, trump, highest, best))


def _by_trump(seats: tuple[int, ...], trump: str, shown: list[int], best: int) -> Iterator[Reason]:
    for turn, (seat, value) in enumerate(zip(seats, shown, strict=True)):
        facts: Facts = {"player": Name(seat), "winner": Name(seats[best]), "trump": WORDS[trump], "value": value, "best": shown[best]}
        yield Reason(*_why_by_trump(turn, value, best, shown[best], facts), seat)


def _why_by_trump(turn: int, value: int, best: int, highest: int, facts: Facts) -> tuple[Text, str]:
    if turn == best:
        return Text("{player} wins: {trump} {value} is the highest {trump} in the trick.", **facts), "LAB-13"
    if value == highest:
        return Text("{player} has {trump} {value} too, but {winner} played it earlier.", **facts), "LAB-14"
    if value:
        return Text("{player} has {trump} {value}, lower than {trump} {best}.", **facts), "LAB-13"
    return Text("{player} shows no {trump}; every {trump} beats that, even a 1.", **facts), "LAB-16"


def _without_trump(seats: tuple[int, ...], trump: str, highest: list[int], best: int) -> Iterator[Reason]:
    for turn, (seat, value) in enumerate(zip(seats, highest, strict=True)):
        facts: Facts = {"player": Name(seat), "winner": Name(seats[best]), "trump": WORDS[trump], "value": value, "best": highest[best]}
        yield Reason(_why_without_trump(turn, value, best, highest[best], facts), "LAB-15", seat)


def _why_without_trump(turn: int, value: int, best: int, highest: int, facts: Facts) -> Text:
    if turn == best:
        return Text("{player} wins: nobody shows {trump}, and {value} is the highest single number.", **facts)
    if value == highest:
        return Text("{player} has a {value} too, but {winner} played it earlier.", **facts)
    return Text("{player}: the highest single number is {value}, lower than {best}.", **facts)


def _check_parts(question: Dispute) -> None:
    """A card of a dispute is its colours, or only its highest number where it lacks the trump."""
    if len(question.cards) != len(question.players):
        text = Text("A trick has one card a player: {players}, not {n}.", players=len(question.players), n=len(question.cards))
        raise RuleError(text, "LAB-12")
    if any("highest" in card and len(card) > 1 for card in question.cards):
        raise RuleError(Text("Give a card by its colours, or only by its highest number, not both."), "RECORD")


# ---- a dispute on its page -------------------------------------------------------------------------------------------


def _dispute_form(seats: tuple[int, ...]) -> Form:
    """The trump, then each card's number in it; where nobody shows it, each card's highest number."""
    trump = yield Field("trump", COLOURS, Text("Which colour is trump?"))
    cards = []
    for turn, seat in enumerate(seats):
        cards.append((yield from _part_form(turn, seat, trump)))
    if not any(card.get(trump) for card in cards):
        for turn, seat in enumerate(seats):
            cards[turn] = cards[turn] or (yield from _highest_form(turn, seat, trump))
    return {"trump": trump, "cards": [card or {"highest": 1} for card in cards]}  # without trump the number does not matter


def _part_form(turn: int, seat: int, trump: str) -> Form:
    """What is known of a card: its highest number, its other colours, or only its number in trump, 0 for none."""
    facts: Facts = {"player": Name(seat), "trump": WORDS[trump]}
    text, others = Text("How much {trump} does the card of {player} show?", **facts), {}
    highest = yield Field(path("cards", turn, "highest"), range(1, HIGHEST + 1), text, "number", optional=True)
    for colour in (colour for colour in COLOURS if colour != trump):
        others[colour] = yield Field(path("cards", turn, colour), range(1, HIGHEST + 1), text, "number", optional=True)
    known = given(**others) or given(highest=highest)
    shown = yield Field(path("cards", turn, trump), range(HIGHEST + 1), text, "number", optional=bool(known))
    return known if shown in (SKIP, 0) else {trump: shown, **given(**others)}


def _highest_form(turn: int, seat: int, trump: str) -> Form:
    facts: Facts = {"player": Name(seat), "trump": WORDS[trump]}
    text = Text("Nobody shows {trump}: what is the highest number on the card of {player}?", **facts)
    highest = yield Field(path("cards", turn, "highest"), range(1, HIGHEST + 1), text, "number")
    return {"highest": highest}


# ---- scoring ---------------------------------------------------------------------------------------------------------


def _count(state: State, action: Count) -> Step[State]:
    seat = action.seat
    sums = _checked(state, seat, Sums(action.plus, action.minus))
    counted = replace(state, counts=(*state.counts[:seat], sums, *state.counts[seat + 1 :]))
    text = Text("{player} counted {plus} plus and {minus} minus.", player=Name(seat), plus=sums.plus, minus=sums.minus)
    return _scored(counted, Note(text, "LAB-19"))


def _count_all(state: State, action: Round) -> Step[State]:
    sums = map(Sums, action.plus, action.minus)
    return _scored(replace(state, counts=tuple(_checked(state, seat, each) for seat, each in enumerate(sums))))


def _checked(state: State, seat: int, sums: Sums) -> Sums:
    most = state.most_points(seat)
    if max(sums.plus, sums.minus) > most:
        text = Text(
            "{player} cannot have {points} points in one colour: with the cards won there are at most {most}.",
            player=Name(seat),
            points=max(sums.plus, sums.minus),
            most=most,
        )
        raise RuleError(text, "LAB-18")
    return sums


def _by_cards(state: State, *notes: Note) -> Step[State]:
    """Ten tricks with all their cards and all plus colours score the round by themselves."""
    known = len(state.tricks) == TRICKS and all(trick.cards for trick in state.tricks) and all(state.plus)
    if not known:
        return Step(state, notes)
    return _scored(replace(state, counts=tuple(_summed(state, seat) for seat in range(state.players))), *notes)


def _summed(state: State, seat: int) -> Sums:
    """A seat's two sums over all cards it won; a card with both colours counts both ways."""
    assert state.minus is not None
    return Sums(state.points_in(state.plus[seat] or "", seat), state.points_in(state.minus[seat], seat))


def _scored(state: State, *notes: Note) -> Step[State]:
    """The step after a count; with the last one the round is over and the secrets are told."""
    sums = [each for each in state.counts if each]
    if len(sums) < state.players:
        return Step(state, notes)
    nets = tuple(each.net for each in sums)
    after = _next_round(state, tuple(total + net for total, net in zip(state.totals, nets, strict=True)))
    return Step(after, (*notes, *_revealed(state), *_results(sums), *_ended(after)), nets)


def _next_round(state: State, totals: tuple[int, ...]) -> State:
    after = replace(state, totals=totals, last=replace(state, last=None))
    tied = len(_leaders(after)) > 1 and state.rules.tie == "extra-round"
    if state.round >= state.rules.rounds and not tied:
        return replace(_fresh(after), over=True)
    return replace(_fresh(after), round=state.round + 1, leader=(state.rules.starter + state.round) % state.players)


def _revealed(state: State) -> Iterator[Note]:
    for seat, colour in enumerate(state.plus):
        if colour:
            yield Note(Text("{player} collected {colour}.", player=Name(seat), colour=WORDS[colour]), "LAB-5")


def _results(sums: Sequence[Sums]) -> Iterator[Note]:
    for seat, each in enumerate(sums):
        facts: Facts = {"player": Name(seat), "plus": each.plus, "minus": each.minus, "net": each.net}
        yield Note(Text("{player}: {plus} − {minus} = {net}.", **facts), "LAB-19")


def _ended(state: State) -> Iterator[Note]:
    if state.over:
        won = _leaders(state)
        text = many(
            "{players} wins with {points} points.",
            "{players} win with {points} points.",
            n=len(won),
            players=names(won),
            points=max(state.totals),
        )
        yield Note(text, "LAB-22" if len(won) == 1 else "L1")
    elif state.round > state.rules.rounds:
        yield Note(Text("{players} are tied: one more round.", players=names(_leaders(state))), "L1")


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _asks(state: State) -> Iterator[Ask]:
    if not (state.minus or state.tricks or any(state.counts)):
        yield Ask(_id(state, "minus"), "minus", Text("Which minus colours?"), partial(_minus_form, state), needed=False)
    for seat in range(state.players):
        if state.minus and state.plus[seat] is None:
            text = Text("Secret plus colour of {player}", player=Name(seat))
            yield Ask(_id(state, "plus", seat), "plus", text, partial(_plus_form, state, seat), (seat,), needed=False)
    yield from _trick_asks(state)
    yield from _count_asks(state)


def _id(state: State, *parts: object) -> str:
    return ask_id("round", state.round, *parts)


def _trick_asks(state: State) -> Iterator[Ask]:
    n = len(state.tricks) + 1
    if n <= TRICKS:
        yield Ask(_id(state, "trick", n), "trick", Text("Who took trick {n}?", n=n), partial(_winner_form, state))
        text = Text("Which cards were played to trick {n}?", n=n)
        yield Ask(_id(state, "trick", n, "cards"), "trick", text, partial(_cards_form, state))


def _count_asks(state: State) -> Iterator[Ask]:
    all_in = len(state.tricks) == TRICKS
    for seat, sums in enumerate(state.counts):
        again = ("again", sums.plus, sums.minus) if sums else ()
        text = Text("What did {player} count?", player=Name(seat))
        yield Ask(_id(state, "count", seat, *again), "count", text, partial(_count_form, state, seat), needed=all_in and not sums)
    yield Ask(_id(state), "round", Text("What did everybody count?"), partial(_round_form, state), needed=False)


def _minus_form(state: State) -> Form:
    colours: list[str] = []
    for seat in range(state.players):
        free = [colour for colour in COLOURS if colour not in colours]
        colours.append((yield Field(path("colours", seat), free, Text("Minus colour of {player}", player=Name(seat)))))
    return {"do": "minus", "colours": colours}


def _plus_form(state: State, seat: int) -> Form:
    assert state.minus is not None
    others = [colour for colour in COLOURS if colour != state.minus[seat]]
    colour = yield Field("colour", others, Text("Plus colour"))
    return {"do": "plus", "seat": seat, "colour": colour}


def _trump(state: State, optional: bool) -> Field:
    left = [colour for colour in COLOURS if state.times_trump(colour) < MOST_TRUMPS]
    return Field("trump", left, Text("Trump"), optional=optional)


def _winner_form(state: State) -> Form:
    trump = yield _trump(state, optional=True)
    winner = yield Field("winner", range(state.players), Text("Winner"), "seat")
    return {"do": "trick", **given(trump=trump), "winner": winner}


def _cards_form(state: State) -> Form:
    trump = yield _trump(state, optional=False)
    cards = []
    for turn, seat in enumerate(clockwise(state.leader, state.players)):
        cards.append((yield from _card_form(turn, seat)))
    return {"do": "trick", "trump": trump, "cards": cards}


def _card_form(turn: int, seat: int) -> Form:
    """The numbers of one card, colour by colour; a colour that it lacks is left out."""
    card: dict[str, int] = {}
    for colour in COLOURS:
        last_chance = colour == COLOURS[-1] and not card
        if len(card) < MOST_COLOURS:
            text = Text("{colour} on the card of {player}", colour=WORDS[colour], player=Name(seat))
            value = yield Field(path("cards", turn, colour), range(1, HIGHEST + 1), text, "number", optional=not last_chance)
            card |= {} if value is SKIP else {colour: value}
    return card


def _count_form(state: State, seat: int) -> Form:
    most = state.most_points(seat)
    plus = yield Field("plus", range(most + 1), Text("Points in the plus colour"), "number")
    minus = yield Field("minus", range(most + 1), Text("Points in the minus colour"), "number")
    return {"do": "count", "seat": seat, "plus": plus, "minus": minus}


def _round_form(state: State) -> Form:
    sums: dict[str, list[int]] = {"plus": [], "minus": []}
    for name, label in (("plus", Text("{player}: plus")), ("minus", Text("{player}: minus"))):
        for seat in range(state.players):
            text = Text(label.key, player=Name(seat))
            sums[name].append((yield Field(path(name, seat), range(state.most_points(seat) + 1), text, "number")))
    return {"do": "round", **sums}


GAME = CrazyLab()
