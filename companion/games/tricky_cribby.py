"""Tricky Cribby: a trick ranks four cards, their owners pick cards from the weakest up, and every pick walks a pawn to a tile.

Source: the rule sheet (Carol LaGrow, 2022). Our departures are rulings: nobody has to follow a colour (CRI-5), emptied places are not
counted (T1), a long count goes round again (T2), a side has one position for all its pawns (T4), and play goes on when the game is
decided unless the house rule says otherwise (T11). Hands and stacks stay on the table: a card is only refused when it was seen before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, NamedTuple

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
from companion.games.cards import AS_NAME, Card, card_of, clockwise, deck, first_repeated
from companion.games.cards import COLOURS as WORDS
from companion.games.disputes import Disputes, WhatIf, had_followed, if_only, other_leaders
from companion.games.record import Question, Seat, one_of

COLOURS = ("red", "yellow", "green", "blue", "purple")
SIDES = (0, 1)
PLAYED = 4  # cards to a trick
PICKS = 5  # cards to pick from: those played and the face-up draw card
TILES = 9  # of a colour
MAJORITY = 5
LAST_COLOUR = 3  # the colour whose last tile ends the game
TO_WIN = 2  # majorities
START = -1  # the pawns stand just before the first place of the loop

Colour = Annotated[str, one_of(*COLOURS)]
CribbyCard = Annotated[Card, card_of(COLOURS), AS_NAME]
Order = Literal["both", "alternate"]
ORDERS: tuple[Order, ...] = ("both", "alternate")
BOTH = ORDERS[0]
DECK = deck(COLOURS)


def side_of(seat: int) -> int:
    """Partners sit opposite; with two players, everybody is a side."""
    return seat % len(SIDES)


# ---- house rules, reports, state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    nullable: ClassVar[frozenset[str]] = frozenset({"loop"})
    strength: tuple[Colour, ...] = option(COLOURS, Text("Line of colours at the start, strongest first"), kind="list")
    leader: Seat = option(0, Text("Who leads the first trick"), kind="seat")
    loop: tuple[Colour, ...] | None = option(None, Text("Tiles of the loop, clockwise from where the pawns start"), kind="list")
    two_player_order: Order = option(
        "both",
        Text("With two players, the cards of a trick are played"),
        {"both": Text("two at a time: first the leader, then the other"), "alternate": Text("one by one, in turns")},
    )
    stop_when_decided: bool = option(
        False, Text("When nobody can catch up any more"), {False: Text("play on to the third colour"), True: Text("the game ends at once")}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick(Action):
    """The face-up draw card and the cards played, in order."""

    do: ClassVar[str] = "trick"
    up: CribbyCard
    cards: tuple[CribbyCard, ...]
    winner: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick(Action):
    """The next picker uses a card and takes a tile."""

    do: ClassVar[str] = "pick"
    card: CribbyCard
    tile: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    """A side takes a tile; the cards stay on the table."""

    do: ClassVar[str] = "take"
    side: Annotated[int, one_of(*SIDES)]
    tile: Colour


class Played(NamedTuple):
    """A card of a trick and whoever played it."""

    seat: int
    card: Card


class Landing(NamedTuple):
    """Where the pawn would land with a card: the place in the loop, and the tile that lies there."""

    card: Card
    place: int
    tile: str


@dataclass(frozen=True, slots=True)
class Picks:
    """The second half of a trick: the cards by rank, weakest first, whose picks they are, and those that were used."""

    ranks: tuple[Played, ...]
    pickers: tuple[int, ...]
    up: Card
    used: tuple[Card, ...] = ()

    @property
    def picker(self) -> int:
        return self.pickers[len(self.used)]

    @property
    def side(self) -> int:
        return side_of(self.picker)

    @property
    def strongest(self) -> Played:
        return self.ranks[-1]

    @property
    def open(self) -> tuple[Card, ...]:
        """The cards that still lie face up, the draw card first."""
        return tuple(card for card in (self.up, *(played.card for played in self.ranks)) if card not in self.used)


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    players: int
    line: tuple[str, ...]  # strongest first
    leader: int
    loop: tuple[str | None, ...]  # None for an emptied place; no places where the table keeps the loop to itself
    tiles: tuple[Mapping[str, int], ...]  # of each side
    pawns: tuple[int, ...] = (START, START)
    seen: frozenset[Card] = frozenset()
    shown: tuple[Picks, ...] = ()  # the tricks entered with cards, each as it lay before its first pick
    picks: Picks | None = None
    over: bool = False

    @property
    def tricks(self) -> int:
        """How many were entered; each shows five cards."""
        return len(self.seen) // PICKS

    @property
    def completed(self) -> tuple[str, ...]:
        return tuple(colour for colour in COLOURS if self.taken(colour) == TILES)

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The colours of which there are tiles to take."""
        return tuple(colour for colour in COLOURS if self.taken(colour) < TILES)

    def taken(self, colour: str) -> int:
        return self.tiles[0][colour] + self.tiles[1][colour]

    def total(self, side: int) -> int:
        return sum(self.tiles[side].values())

    def majorities(self, side: int) -> tuple[str, ...]:
        """The colours of which this side has five or more tiles, completed or not."""
        return tuple(colour for colour, n in self.tiles[side].items() if n >= MAJORITY)

    def completed_majorities(self, side: int) -> tuple[str, ...]:
        return tuple(colour for colour in self.majorities(side) if self.taken(colour) == TILES)

    def team(self, side: int) -> tuple[int, ...]:
        return tuple(range(side, self.players, len(SIDES)))

    # what the screens show

    @property
    def turns(self) -> tuple[int, ...]:
        """Who plays each card of the next trick."""
        return _turns(self.players, self.leader, self.rules.two_player_order)

    @property
    def in_step(self) -> bool:
        """Whether line and lead are as on the table: a tile entered without its trick moves neither."""
        used = len(self.picks.used) - PICKS if self.picks else 0
        return self.total(0) + self.total(1) == PICKS * self.tricks + used

    @property
    def sightings(self) -> dict[str, Text]:
        """Where each card was seen that cannot come again, by its name in a record."""
        return {name: text for n, picks in enumerate(self.shown, 1) for name, text in _sightings(n, picks)}

    @property
    def landings(self) -> tuple[Landing, ...]:
        return landings(self)

    @property
    def decided(self) -> int | None:
        return decided(self)

    def holding(self, side: int, colour: str) -> tuple[str, Text]:
        """How a side stands in a colour: a word for the style and a few for people."""
        return _holding(self, side, colour)

    def outlook(self, side: int) -> Text:
        """What a side still needs."""
        return _outlook(self, side)

    @staticmethod
    def spot(place: int) -> tuple[int, int]:
        """Where a place of the loop is drawn: column and row."""
        return SPOTS[place + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this trick, and who picks when?"""

    strength: tuple[Colour, ...]
    cards: tuple[CribbyCard, ...]
    two_player_order: Order | None = None


# ---- how a dispute is asked and told ---------------------------------------------------------------------------------


class CribbyDisputes(Disputes):
    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(players, leader)

    def turns(self, players: int, leader: int, asked: Plain) -> tuple[int, ...]:
        return _turns(players, leader, asked.get("two_player_order", BOTH))

    def foreseen(self, players: int, leader: int, asked: Plain) -> Verdict | None:
        """Decided once no card that is still out is stronger than the strongest one; the order of the picks is not."""
        told, cards = asked.get("strength", ()), tuple(DECK[name] for name in asked.get("cards", ()))
        if not cards:
            return None
        line = (*told, *(colour for colour in COLOURS if colour not in told))
        ranks = _ranks(line, self.turns(players, leader, asked), cards)
        out = _ranks(line, (0,) * len(DECK), tuple(card for card in DECK.values() if card not in cards))
        if _rank(line, out[-1]) > _rank(line, ranks[-1]):
            return None
        best, second = ranks[-1], ranks[-2:][0]
        return Verdict(best.seat, lambda: (Reason(_why_strongest(best, second), "CRI-6", best.seat),))

    def after(self, question: Plain, verdict: Verdict) -> Reason:
        return verdict.why[-1]

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        players, leader, line = len(question["players"]), question.get("leader", 0), question["strength"]
        order = question.get("two_player_order")
        for colour in line[1:]:
            fronted = [colour, *(each for each in line if each != colour)]
            text = Text("if {colour} were strongest", colour=WORDS[colour])
            yield if_only(("strength", colour), text, {**question, "strength": fronted})
        yield from other_leaders(question, 2 if order == BOTH else 1)
        yield from had_followed(question, _turns(players, leader, order), DECK, _winner_of)


# ---- the game --------------------------------------------------------------------------------------------------------


class TrickyCribby(Game[State, Rules]):
    id = "tricky-cribby"
    name = Text("Tricky Cribby")
    players = (2, 4)
    players_rule = "CRI-1"
    has_rounds = False
    actions = (Trick, Pick, Take)
    options = Rules
    question = Dispute
    disputes = CribbyDisputes()
    colours: ClassVar[tuple[str, ...]] = COLOURS

    def setup(self, players: int, options: Rules) -> State:
        line, loop = _checked_line(options.strength), _checked_loop(options.loop)
        nothing = dict.fromkeys(COLOURS, 0)
        return State(options, players, line, options.leader, loop, (nothing, nothing))

    def act(self, state: State, action: Trick | Pick | Take) -> Step[State]:
        match action:
            case Trick():
                return _play_trick(state, action)
            case Pick():
                return _pick(state, action)
            case Take():  # pragma: no branch: there is no other action
                return _take(state, action)

    def over(self, state: State) -> bool:
        return state.over

    def asks(self, state: State) -> tuple[Ask, ...]:
        return () if state.over else tuple(_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        return _standings(state)

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        held = state.tiles[side_of(seat)]
        return {colour: Figure(Text("Tiles in {colour}", colour=WORDS[colour]), n) for colour, n in held.items()}

    def report(self, state: State) -> dict[str, Plain]:
        return {
            "tiles": [dict(held) for held in state.tiles],
            "completed": list(state.completed),
            "strength": list(state.line),
            "picker": state.picks.picker if state.picks else None,
        }

    def resolve(self, question: Dispute) -> Verdict:
        return _resolved(question)

    def known(self, state: State) -> dict[str, Plain]:
        order = {"two_player_order": state.rules.two_player_order} if state.players == len(SIDES) else {}
        return {"leader": state.leader, "strength": list(state.line), **order}


def _checked_line(line: tuple[str, ...]) -> tuple[str, ...]:
    if sorted(line) == sorted(COLOURS):
        return line
    text = Text("The line of colours holds each of {colours} exactly once.", colours=tuple(WORDS[colour] for colour in COLOURS))
    raise RuleError(text, "CRI-3")


def _checked_loop(loop: tuple[str, ...] | None) -> tuple[str, ...]:
    if loop is None:
        return ()
    for colour in COLOURS:
        n = loop.count(colour)
        if n != TILES:
            text = Text("The loop has nine tiles of each colour; of {colour} it cannot have {n}.", colour=WORDS[colour], n=n)
            raise RuleError(text, "CRI-2")
    return loop


# ---- who is ahead ----------------------------------------------------------------------------------------------------


def decided(state: State) -> int | None:
    """The side that will have two majorities whatever happens (CRI-15); at the end, the side that has won."""
    return next((side for side in SIDES if _certain_majorities(state, side) >= TO_WIN), None)


def _certain_majorities(state: State, side: int) -> int:
    """Completed ones stay; of the others, as many can fail to count as colours are never completed."""
    completed = len(state.completed_majorities(side))
    others = len(state.majorities(side)) - completed
    return completed + max(0, others - (len(COLOURS) - LAST_COLOUR))


def _standings(state: State) -> tuple[Standing, ...]:
    """The decided side is ahead, then completed majorities count, then colours with five tiles; the number of tiles never does."""
    sides = [side_of(seat) for seat in range(state.players)]
    orders = [(decided(state) == side, len(state.completed_majorities(side)), len(state.majorities(side))) for side in SIDES]
    won = [seat for seat, side in enumerate(sides) if state.over and side == decided(state)]
    places = ranked([state.total(side) for side in sides], won, [orders[side] for side in sides])
    return tuple(_explained(state, place) for place in places)


def _explained(state: State, place: Standing) -> Standing:
    """Winning without more tiles than the others calls for a word."""
    if not place.won or place.points > state.total(1 - side_of(place.seat)):
        return place
    return replace(place, tiebreak=Text("Majorities decide, not the number of tiles."))


# ---- tricks ----------------------------------------------------------------------------------------------------------


def _play_trick(state: State, action: Trick) -> Step[State]:
    if state.picks:
        text = Text("The last trick is not finished: {player} picks a card and takes a tile first.", player=Name(state.picks.picker))
        raise RuleError(text, "CRI-10")
    _check_number(state.players, action.cards)
    seen = _with_new(state.seen, (action.up, *action.cards), state)
    ranks = _ranks(state.line, _turns(state.players, state.leader, state.rules.two_player_order), action.cards)
    picks = Picks(ranks, _pickers(ranks), action.up)
    verdict = _verdict(state.line, ranks, picks.pickers)
    check_claim(verdict, action.winner)
    after = changed(state, picks=picks, seen=seen, shown=(*state.shown, picks))
    return Step(after, _trick_notes(state.players, picks, verdict))


def _check_number(players: int, cards: tuple[Card, ...]) -> None:
    n = len(cards)
    if n == PLAYED:
        return
    if players == PLAYED:
        raise RuleError(Text("Everybody plays one card to a trick: 4 cards, not {n}.", n=n), "CRI-5")
    raise RuleError(Text("Both players play two cards to a trick: 4 cards, not {n}.", n=n), "CRI-17")


def _with_new(seen: frozenset[Card], cards: tuple[Card, ...], state: State | None = None) -> frozenset[Card]:
    """All cards seen so far, with these; no card comes twice."""
    both = seen.union(cards)
    if len(both) == len(seen) + len(cards):
        return both
    card = first_repeated(cards, seen)
    assert card
    raise RuleError(_seen_before(card, state.sightings if state else {}), "CRI-2")


def _seen_before(card: Card, sightings: Mapping[str, Text]) -> Text:
    """Who showed it when; a card that came twice in one trick was only just entered."""
    if str(card) in sightings:
        return Text("{sighting} It is in the game only once. Please look at the card again.", sighting=sightings[str(card)])
    return Text("The {card} was entered before: it is in the game only once. Please look at the card again.", card=card.text)


@cache
def _turns(players: int, leader: int, order: Order | None) -> tuple[int, ...]:
    """Who plays each of the four cards."""
    if players == PLAYED:
        return clockwise(leader, players)
    other = 1 - leader
    return (leader, leader, other, other) if order == "both" else (leader, other, leader, other)


def _trick_notes(players: int, picks: Picks, verdict: Verdict) -> tuple[Note, ...]:
    seat, card = picks.strongest
    won = Text("{player} wins the trick with the {card}.", player=Name(seat), card=card.text)
    return Note(won, "CRI-6", verdict=verdict), Note(_order(picks.pickers), _picking_rule(players))


@cache
def _order(pickers: tuple[int, ...]) -> Text:
    return Text("Picks, from the weakest card to the strongest: {players}, who uses both last cards.", players=names(pickers[:PLAYED]))


def _picking_rule(players: int) -> str:
    return "CRI-7" if players == PLAYED else "CRI-18"


# ---- who wins a trick ------------------------------------------------------------------------------------------------


def _ranks(line: tuple[str, ...], seats: tuple[int, ...], cards: tuple[Card, ...]) -> tuple[Played, ...]:
    """The cards of a trick, weakest first: the colour's place in the line, then the number."""
    return tuple(sorted(map(Played, seats, cards), key=partial(_rank, line)))


def _rank(line: tuple[str, ...], played: Played) -> tuple[int, int]:
    return -line.index(played.card.colour), played.card.value


def _pickers(ranks: tuple[Played, ...]) -> tuple[int, ...]:
    """Five picks: the owner of the strongest card has the last two."""
    seats = [played.seat for played in ranks]
    return (*seats, seats[-1])


def _verdict(line: tuple[str, ...], ranks: tuple[Played, ...], pickers: tuple[int, ...]) -> Verdict:
    return Verdict(ranks[-1].seat, partial(_argue, line, ranks, pickers), {"picks": list(pickers)})


def _argue(line: tuple[str, ...], ranks: tuple[Played, ...], pickers: tuple[int, ...]) -> Iterator[Reason]:
    """The line, then every card from the strongest down, each against the one above it."""
    yield Reason(Text("The line, strongest first: {line}.", line=tuple(WORDS[colour] for colour in line)), "CRI-3")
    best, second = ranks[-1], ranks[-2]
    yield Reason(_why_strongest(best, second), "CRI-6", best.seat)
    for above, below in pairwise(reversed(ranks)):
        yield Reason(_why_weaker(above.card, below), "CRI-6", below.seat)
    yield Reason(_order(pickers), _picking_rule(len(set(pickers))))
    facts: Facts = {"player": Name(best.seat), "colour": WORDS[best.card.colour]}
    yield Reason(Text("After the picks, {colour} goes to the weak end of the line and {player} leads.", **facts), "CRI-10")


def _why_strongest(best: Played, second: Played) -> Text:
    facts: Facts = {"player": Name(best.seat), "card": best.card.text, "colour": WORDS[best.card.colour]}
    if second.card.colour == best.card.colour:
        return Text("{player} wins: {colour} is the strongest colour played, and the {card} is the highest of it.", **facts)
    return Text("{player} wins: the {card} is the only card of the strongest colour played, whatever the numbers.", **facts)


def _why_weaker(above: Card, below: Played) -> Text:
    facts: Facts = {"player": Name(below.seat), "card": below.card.text, "above": above.text}
    if above.colour == below.card.colour:
        return Text("The {card} of {player} is weaker than the {above}: same colour, lower number.", **facts)
    colours: Facts = {"strong": WORDS[above.colour], "weak": WORDS[below.card.colour]}
    return Text(
        "The {card} of {player} is weaker than the {above}: {strong} stands before {weak} in the line, whatever the numbers.",
        **facts,
        **colours,
    )


def _resolved(question: Dispute) -> Verdict:
    players, order = len(question.players), question.two_player_order
    if players != PLAYED and order is None:
        text = Text("With two players, “two_player_order” says how the cards were played: both or alternate.")
        raise RuleError(text, "RECORD")
    _check_number(players, question.cards)
    _with_new(frozenset(), question.cards)
    line = _checked_line(question.strength)
    ranks = _ranks(line, _turns(players, question.leader, order), question.cards)
    return _verdict(line, ranks, _pickers(ranks))


def _winner_of(question: Plain) -> int:
    turns = _turns(len(question["players"]), question.get("leader", 0), question.get("two_player_order"))
    return _ranks(tuple(question["strength"]), turns, tuple(DECK[name] for name in question["cards"]))[-1].seat


def _dispute_form(players: int, leader: int) -> Form:
    """The line from the strong end, whose last colour is clear; then the four cards. Only two players have more than one order."""
    text = Text("Do you play both cards at once, or one by one in turn?")
    told = yield Field("two_player_order", ORDERS, text, optional=True)
    order = BOTH if told is SKIP else told
    line = yield from _line_form()
    cards: list[str] = []
    for turn, seat in enumerate(_turns(players, leader, order)):
        free = [name for name in DECK if name not in cards]
        cards.append((yield Field(path("cards", turn), free, Text("Which card does {player} play?", player=Name(seat)), "card")))
    return given(two_player_order=SKIP if players == PLAYED else order, strength=line, cards=cards)


def _line_form() -> Form:
    line: list[str] = []
    for place in range(len(COLOURS)):
        text = Text("Which colour is the strongest?") if place == 0 else Text("Which colour comes next in the line?")
        left = [colour for colour in COLOURS if colour not in line]
        told = yield Field(path("strength", place), left, text, optional=len(left) == 1)
        line.append(left[0] if told is SKIP else told)
    return line


# ---- picks -----------------------------------------------------------------------------------------------------------


def landings(state: State) -> tuple[Landing, ...]:
    """For each open card, where the next picker's pawn would land; nothing without open picks or without a loop."""
    if not (state.picks and state.loop):
        return ()
    side, cards = state.picks.side, state.picks.open
    return tuple(_landing(state, side, card) for card in cards)


def _landing(state: State, side: int, card: Card) -> Landing:
    """Count from the front pawn over the tiles that are left, round again if need be."""
    after = state.pawns[side] + 1
    ring = (*range(after, len(state.loop)), *range(after))
    left = [(place, tile) for place in ring if (tile := state.loop[place])]
    return Landing(card, *left[(card.value - 1) % len(left)])


def _pick(state: State, action: Pick) -> Step[State]:
    picks = _open_picks(state)
    if action.card not in picks.open:
        facts: Facts = {"card": action.card.text, "player": Name(picks.picker), "open": tuple(card.text for card in picks.open)}
        text = Text("{player} cannot use the {card}: it does not lie face up in this trick. Open: {open}.", **facts)
        raise RuleError(text, "CRI-7")
    if state.loop:
        return _pick_on_loop(state, picks, action)
    tile = _told_tile(action)
    _check_left(state, tile)
    text = Text("{player} uses the {card} and takes a {tile} tile.", player=Name(picks.picker), card=action.card.text, tile=WORDS[tile])
    return _picked(state, picks, action.card, tile, Note(text, "CRI-7"))


def _open_picks(state: State) -> Picks:
    if state.picks is None:
        raise RuleError(Text("Nobody has a card to pick now: enter the next trick first."), "CRI-7")
    return state.picks


def _told_tile(action: Pick) -> str:
    if action.tile is None:
        raise RuleError(Text("Say which tile was taken: only the table knows the loop."), "RECORD")
    return action.tile


def _check_left(state: State, tile: str) -> None:
    if tile in state.unfinished:
        return
    left = tuple(WORDS[colour] for colour in state.unfinished)
    text = Text("All nine {tile} tiles are taken, there is no tenth. Tiles are left in {left}.", tile=WORDS[tile], left=left)
    raise RuleError(text, "CRI-2")


def _pick_on_loop(state: State, picks: Picks, action: Pick) -> Step[State]:
    side = picks.side
    _, place, tile = _landing(state, side, action.card)
    facts: Facts = {"player": Name(picks.picker), "card": action.card.text, "tile": WORDS[tile]}
    _check_told(action, tile, facts)
    loop = (*state.loop[:place], None, *state.loop[place + 1 :])
    moved = replace(state, loop=loop, pawns=(place, state.pawns[1]) if side == 0 else (state.pawns[0], place))
    text = Text("{player} counts on from the front pawn with the {card} and takes the {tile} tile there.", **facts)
    return _picked(moved, picks, action.card, tile, Note(text, "CRI-9"), *_round_again(state, action.card))


def _check_told(action: Pick, tile: str, facts: Facts) -> None:
    if action.tile is None or action.tile == tile:
        return
    text = Text(
        "{player} lands on {tile} with the {card}, not on {told}: the count starts after the front pawn and passes over emptied places.",
        told=WORDS[action.tile],
        **facts,
    )
    raise RuleError(text, "CRI-9")


def _round_again(state: State, card: Card) -> Iterator[Note]:
    n = len(state.loop) - state.loop.count(None)
    if card.value > n:
        yield Note(Text("Only {n} tiles were left in the loop, so the count went round again.", n=n), "T2")


def _picked(state: State, picks: Picks, card: Card, tile: str, *notes: Note) -> Step[State]:
    """The step after a pick: the tile is booked, and the next picker, the next trick or nobody goes on."""
    side = picks.side
    picks = replace(picks, used=(*picks.used, card))
    after = _going_on(_with_tile(state, side, tile), picks)
    void = PICKS - len(picks.used)
    return Step(after, (*notes, *_tile_notes(state, after, side, tile), *_end_of_trick(after, picks), *_end_of_game(after, void)))


def _going_on(state: State, picks: Picks) -> State:
    if state.over:
        return replace(state, picks=None)
    if len(picks.used) < PICKS:
        return replace(state, picks=picks)
    seat, card = picks.strongest
    line = (*(colour for colour in state.line if colour != card.colour), card.colour)
    return replace(state, picks=None, line=line, leader=seat)


def _end_of_trick(state: State, picks: Picks) -> Iterator[Note]:
    if not (state.over or state.picks):
        seat, card = picks.strongest
        facts: Facts = {"colour": WORDS[card.colour], "player": Name(seat)}
        yield Note(Text("The {colour} marker goes to the weak end of the line, and {player} leads the next trick.", **facts), "CRI-10")


# ---- tiles and the end -----------------------------------------------------------------------------------------------


def _take(state: State, action: Take) -> Step[State]:
    if state.loop:
        raise RuleError(Text("With the loop entered, tiles are taken by picking cards: enter the trick and its picks."), "RECORD")
    if state.picks:
        text = Text("The trick is not finished: {player} picks a card first.", player=Name(state.picks.picker))
        raise RuleError(text, "CRI-7")
    side, tile = action.side, action.tile
    _check_left(state, tile)
    after = _with_tile(state, side, tile)
    team = state.team(side)
    took = many("{players} takes a {tile} tile.", "{players} take a {tile} tile.", n=len(team), players=names(team), tile=WORDS[tile])
    return Step(after, (Note(took, "CRI-7"), *_tile_notes(state, after, side, tile), *_end_of_game(after, 0)))


def _with_tile(state: State, side: int, tile: str) -> State:
    held = {**state.tiles[side], tile: state.tiles[side][tile] + 1}
    after = replace(state, tiles=(held, state.tiles[1]) if side == 0 else (state.tiles[0], held))
    stopped = state.rules.stop_when_decided and decided(after) is not None
    return replace(after, over=True) if stopped or _third_complete(after) else after


def _tile_notes(before: State, after: State, side: int, tile: str) -> Iterator[Note]:
    if after.tiles[side][tile] == MAJORITY:
        yield _majority(after.team(side), tile)
    if after.taken(tile) == TILES:
        yield _completed(after, tile)
    ahead = decided(after)
    if ahead is not None and decided(before) is None and not _third_complete(after):
        yield _decided(after.team(ahead))


def _majority(team: tuple[int, ...], tile: str) -> Note:
    text = many(
        "{players} has five {tile} tiles: the majority of {tile} is safe.",
        "{players} have five {tile} tiles: the majority of {tile} is safe.",
        n=len(team),
        players=names(team),
        tile=WORDS[tile],
    )
    return Note(text, "CRI-12")


def _completed(state: State, tile: str) -> Note:
    fewer, more = sorted(held[tile] for held in state.tiles)
    side = 0 if state.tiles[0][tile] == more else 1
    facts: Facts = {"tile": WORDS[tile], "more": more, "fewer": fewer, "players": names(state.team(side))}
    return Note(Text("All nine {tile} tiles are taken, {more} to {fewer}: {tile} counts for {players}.", **facts), "CRI-13")


def _decided(team: tuple[int, ...]) -> Note:
    text = many(
        "{players} has decided the game: two majorities are certain, whichever colours are completed.",
        "{players} have decided the game: two majorities are certain, whichever colours are completed.",
        n=len(team),
        players=names(team),
    )
    return Note(text, "CRI-15")


def _end_of_game(state: State, void: int) -> Iterator[Note]:
    if not state.over:
        return
    yield from _why_over(state, void)
    winner = decided(state)
    assert winner is not None
    counting = state.completed_majorities(winner) if _third_complete(state) else state.majorities(winner)
    yield _won(state.team(winner), counting)


def _third_complete(state: State) -> bool:
    return len(state.completed) == LAST_COLOUR


def _why_over(state: State, void: int) -> Iterator[Note]:
    if _third_complete(state):
        text, rule = Text("Three colours are complete: the game ends at once."), "CRI-11"
    else:
        text, rule = Text("The game is decided, and by your house rule it ends here."), "T11"
    yield Note(text, rule)
    if void:
        yield Note(many("{n} pick of this trick is left out.", "{n} picks of this trick are left out.", n=void), rule)


def _won(team: tuple[int, ...], colours: tuple[str, ...]) -> Note:
    text = many(
        "{players} wins with the majorities of {colours}.",
        "{players} win with the majorities of {colours}.",
        n=len(team),
        players=names(team),
        colours=tuple(WORDS[colour] for colour in colours),
    )
    return Note(text, "CRI-12")


# ---- what the screens show -------------------------------------------------------------------------------------------


WIDE, HIGH = 13, 12  # the loop is drawn as a frame of 46 fields: the pawns' start and the 45 places


def _spots() -> tuple[tuple[int, int], ...]:
    """Clockwise: the pawns' start in the corner, then the places; the second half is the first one turned round."""
    right, bottom = WIDE - 1, HIGH - 1
    half = (*((x, 0) for x in range(right)), *((right, y) for y in range(bottom)))
    return (*half, *((right - x, bottom - y) for x, y in half))


SPOTS = _spots()


def _sightings(n: int, picks: Picks) -> Iterator[tuple[str, Text]]:
    yield str(picks.up), Text("The {card} was the draw card of trick {n}.", card=picks.up.text, n=n)
    for seat, card in picks.ranks:
        yield str(card), Text("{player} played the {card} in trick {n}.", player=Name(seat), card=card.text, n=n)


def _holding(state: State, side: int, colour: str) -> tuple[str, Text]:
    own, theirs = state.tiles[side][colour], state.tiles[1 - side][colour]
    if theirs >= MAJORITY:
        return "lost", Text("lost")
    if own < MAJORITY:
        return "open", Text("{n} to go", n=MAJORITY - own)
    return ("counts", Text("counts")) if colour in state.completed else ("safe", Text("safe"))


OUTLOOKS = {  # completed colours, and how many of them are this side's
    (0, 0): Text("Needs two of the first three colours to be completed."),
    (1, 1): Text("Needs one of the next two colours to be completed."),
    (1, 0): Text("Needs both of the next two colours to be completed."),
    (2, 1): Text("Needs the next colour to be completed."),
}


def _outlook(state: State, side: int) -> Text:
    ahead = decided(state)
    if ahead is None:
        return OUTLOOKS[len(state.completed), len(state.completed_majorities(side))]
    return Text("Two majorities are certain.") if ahead == side else Text("Cannot catch up any more.")


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _asks(state: State) -> Iterator[Ask]:
    if state.picks:
        yield _ask_pick(state, state.picks)
        return
    yield Ask(ask_id("trick", state.tricks + 1), "trick", Text("Which cards were played to the next trick?"), partial(_trick_form, state))
    if not state.loop:
        taken = state.total(0) + state.total(1)
        yield Ask(ask_id("take", taken + 1), "take", Text("Which side took which tile?"), partial(_take_form, state))


def _ask_pick(state: State, picks: Picks) -> Ask:
    text = Text("Which card does {player} pick?", player=Name(picks.picker))
    return Ask(ask_id("trick", state.tricks, "pick", len(picks.used) + 1), "pick", text, partial(_pick_form, state, picks))


def _trick_form(state: State) -> Form:
    left = [name for name, card in deck(COLOURS).items() if card not in state.seen]
    up = yield Field("up", left, Text("Face-up draw card"), "card")
    cards: list[str] = []
    for turn, seat in enumerate(_turns(state.players, state.leader, state.rules.two_player_order)):
        free = [name for name in left if name not in (up, *cards)]
        cards.append((yield Field(path("cards", turn), free, Text("Card {n}, from {player}", n=turn + 1, player=Name(seat)), "card")))
    return {"do": "trick", "up": up, "cards": cards}


def _pick_form(state: State, picks: Picks) -> Form:
    card = yield Field("card", [str(card) for card in picks.open], Text("Card to use"), "card")
    tiles = [landing.tile for landing in landings(state) if str(landing.card) == card] or list(state.unfinished)
    tile = yield Field("tile", tiles, Text("Tile taken"), optional=bool(state.loop))
    return {"do": "pick", "card": card, **given(tile=tile)}


def _take_form(state: State) -> Form:
    side = yield Field("side", list(SIDES), Text("The side, named by its first player"), "seat")
    tile = yield Field("tile", list(state.unfinished), Text("Tile taken"))
    return {"do": "take", "side": side, "tile": tile}


GAME = TrickyCribby()
