"""Crazy Race: cards laid at the edges of a stage card move animals to the turnaround and home; the first ones there get the best tiles.

Source: the rule sheet (Michael Schacht, Spiele aus Timbuktu 2001). Our departures are rulings: an occupied turnaround is jumped or shared
(R3), a winner moves all points or none (R5), penalties fall on owners or on animals (R6), a tie for last uses up the second-last place or
does not (R7), and finished animals count as far ahead in the last tie-break (R9). Cards are entered when they have been turned over, so
there are no secrets here. Which animals a stage card shows is not known. A table may enter only winners; then cards are not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Le

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
    check_claim,
    given,
    many,
    names,
    option,
    path,
    ranked,
)
from companion.games.disputes import Disputes, WhatIf, if_only
from companion.games.lanes import ANIMALS, HOME, TURNAROUND, WORDS, Landing, Lane, ride, story, where
from companion.games.record import PerSeat, Question, Seat, one_of

ANY = "any"  # an edge without animal
OPEN = "?"  # an edge that is worth as many points as cards lie there
STEPS = (1, 2, 3, 4)  # the numbers on stage cards
HAND = (1, 1, 2, 2, 3, 3, 4, 6)  # everybody's magic cards
STAGES = 8
EDGES = 4
MOST_CARDS = 3  # of a player in a stage
MOST_SUM = 13  # 6 + 4 + 3
MOST_EDGES = {3: 3, 4: 4}  # edges of a stage that get cards, by players
MOST_TILES = {3: 5, 4: 6}  # tiles at each end, by players; the highest has that number
COPIES = 2  # of each tile, one at each end
UNSAID = -1  # no winner was named; null names nobody

Animal = Annotated[str, one_of(*ANIMALS)]
Laid = tuple[Seat, Annotated[int, one_of(1, 2, 3, 4, 6)]]
Shown = Mapping[int, Sequence[int]]  # each player's cards at an edge, in the order of their first ones
Lies = tuple[int, int, int]  # a card, its edge and its stage
Move = tuple[Animal, Annotated[int, Ge(1)]]
Tile = Annotated[int, Ge(1), Le(6)]
Progress = Annotated[int, Ge(0), Le(HOME)]


# ---- house rules, reports, state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Options):
    starter: Seat = option(0, Text("Who starts the first stage"), kind="seat")
    occupied_turnaround: Literal["jump", "share"] = option(
        "jump", Text("A turnaround with one's own animal on it"), {"jump": Text("is jumped"), "share": Text("has room for both")}
    )
    penalty_per: Literal["owner", "animal"] = option(
        "owner", Text("Somebody with two animals in a penalty place"), {"owner": Text("loses one tile"), "animal": Text("loses two tiles")}
    )
    second_last: Literal["next-position", "skip-after-tie"] = option(
        "next-position",
        Text("After a tie for the last place"),
        {"next-position": Text("the next animal is second-last"), "skip-after-tie": Text("no animal is second-last")},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge(Action):
    """One edge of a stage card by its cards, or only by who won it, and what the winner moved."""

    do: ClassVar[str] = "edge"
    nullable: ClassVar[frozenset[str]] = frozenset({"winner"})
    animal: Annotated[str, one_of(*ANIMALS, ANY)]
    value: Annotated[int | str, one_of(*STEPS, OPEN)]
    cards: tuple[Laid, ...] | None = None
    winner: Seat | None = UNSAID
    count: int | None = None
    moves: tuple[Move, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Action):
    """A seat takes its used cards back into the hand."""

    do: ClassVar[str] = "take-back"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Action):
    """Nobody has cards left: the race ends before the eighth stage."""

    do: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard(Action):
    """The tile that the owner of a second-last animal gives up."""

    do: ClassVar[str] = "discard"
    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Action):
    """How a race ended that was not entered: tiles and animals before the penalties."""

    do: ClassVar[str] = "final"
    tiles: PerSeat[tuple[Tile, ...]]
    animals: PerSeat[tuple[Progress, Progress, Progress]]


@dataclass(frozen=True, slots=True)
class Team:
    """A seat's animals, tiles and cards, as far as its cards are known."""

    animals: Lane = (0, 0, 0)
    tiles: tuple[int, ...] = ()  # highest first
    used: tuple[int, ...] = ()  # in finished stages, not taken back
    laid: tuple[int, ...] = ()  # in the open stage
    took_back: bool = False
    owes: int = 0  # tiles still to be chosen and given up
    lies: tuple[Lies, ...] = ()  # where each known card is that is not in hand

    @property
    def hand(self) -> tuple[int, ...]:
        return _without(HAND, (*self.used, *self.laid))

    @property
    def cards_left(self) -> int:
        return len(HAND) - len(self.used) - len(self.laid)

    @property
    def points(self) -> int:
        return sum(self.tiles)

    @property
    def rearmost(self) -> int:
        return min(self.animals)

    @property
    def on_track(self) -> list[str]:
        return [animal for animal, progress in zip(ANIMALS, self.animals, strict=True) if progress < HOME]

    def lay(self, cards: Sequence[int], edge: int, stage: int) -> Team:
        lies = (*self.lies, *((card, edge, stage) for card in cards))
        return Team(self.animals, self.tiles, self.used, (*self.laid, *cards), self.took_back, lies=lies)

    def land(self, runner: int, landing: Landing) -> Team:
        animals = (*self.animals[:runner], landing.progress, *self.animals[runner + 1 :])
        tiles = tuple(sorted((*self.tiles, *landing.tiles), reverse=True)) if landing.tiles else self.tiles
        return Team(animals, tiles, self.used, self.laid, self.took_back, lies=self.lies)

    def places(self, card: int) -> tuple[Text, ...]:
        return tuple(Text("edge {n} of stage {stage}", n=edge, stage=stage) for each, edge, stage in self.lies if each == card)


@dataclass(frozen=True, slots=True)
class State:
    rules: Rules
    teams: tuple[Team, ...]
    turnaround: int  # tiles left there, which is also the number on the highest
    finish: int
    stages: int = 0  # finished
    edges: int = 0  # evaluated in the open stage
    busy: int = 0  # of them with cards
    uncounted: bool = False  # an edge was entered without its cards
    ended: bool = False

    @property
    def players(self) -> int:
        return len(self.teams)

    @property
    def start_player(self) -> int:
        return (self.rules.starter + self.stages) % self.players

    @property
    def full(self) -> bool:
        """No other edge of this stage may have cards."""
        return self.busy == MOST_EDGES[self.players]

    @property
    def most_cards(self) -> int:
        """At one edge."""
        return MOST_CARDS * self.players

    @property
    def pending(self) -> list[int]:
        """The seats that owe a tile, as often as they do."""
        return [seat for seat, team in enumerate(self.teams) for _ in range(team.owes)]

    @property
    def over(self) -> bool:
        return self.ended and not any(team.owes for team in self.teams)

    def with_team(self, seat: int, team: Team) -> State:
        return replace(self, teams=_put(self.teams, seat, team))

    def preview(self, seat: int, animal: str, points: int, first: Sequence[Move] = ()) -> Landing:
        """Where an animal would get to once these other moves are made: what a screen shows beside each choice."""
        return landing(self.moved(seat, first), seat, animal, points)

    def moved(self, seat: int, moves: Sequence[Move]) -> State:
        """The board after these moves."""
        state = self
        for animal, part in moves:
            state = _landed(state, seat, animal, landing(state, seat, animal, part))
        return state

    @property
    def penalised(self) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        """Seat and animal of everyone in the last and in the second-last place, who pay when the race is over."""
        places = list(dict.fromkeys(progress for progress, _ in _unfinished(self)))
        return _standing_at(self, places[:1]), [] if _place_used_up(self) else _standing_at(self, places[1:2])


@dataclass(frozen=True, slots=True)
class Entered:
    """An edge as it was entered: where, what it showed, who won it, what moved and which cards lay there."""

    stage: int
    n: int
    animal: str
    value: int | str
    winner: int | None
    moved: tuple[str, ...]
    cards: tuple[Laid, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Question):
    """Who wins this edge? Cards in the order laid."""

    cards: tuple[Laid, ...]


# ---- how a dispute is asked and told ---------------------------------------------------------------------------------


class RaceDisputes(Disputes):
    asking = Text("Who wins this edge?")
    led = False
    open_ended = True

    def form(self, players: int, leader: int) -> Form:
        return _dispute_form(players)

    def headline(self, verdict: Verdict) -> Text:
        if verdict.winner is None:
            return Text("Nobody wins this edge.")
        return Text("{player} wins this edge.", player=Name(verdict.winner))

    def after(self, question: Plain, verdict: Verdict) -> Reason | None:
        if verdict.winner is None:
            return None
        text = Text("{player} moves what the edge shows; nobody else gets anything for it.", player=Name(verdict.winner))
        return Reason(text, "RACE-7")

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        """Somebody else's first card was there before all others."""
        cards = question["cards"]
        for seat in sorted({seat for seat, _ in cards} - {seat for seat, _ in cards[:1]}):
            first = next(place for place, (owner, _) in enumerate(cards) if owner == seat)
            other = {**question, "cards": [cards[first], *cards[:first], *cards[first + 1 :]]}
            yield if_only(("first", str(seat)), Text("if {player} had laid first", player=Name(seat)), other)


# ---- the game --------------------------------------------------------------------------------------------------------


class CrazyRace(Game[State, Rules]):
    id = "crazy-race"
    name = Text("Crazy Race")
    players = (3, 4)
    players_rule = "RACE-1"
    has_rounds = False
    actions = (Edge, TakeBack, End, Discard, Final)
    options = Rules
    question = Dispute
    disputes = RaceDisputes()
    words = WORDS
    where = staticmethod(where)
    hand = HAND
    tiles = MOST_TILES

    def setup(self, players: int, options: Rules) -> State:
        return State(options, (Team(),) * players, MOST_TILES[players], MOST_TILES[players])

    def act(self, state: State, action: Edge | TakeBack | End | Discard | Final) -> Step[State]:
        _check_time(state, action)
        match action:
            case Edge():
                return _evaluate(state, action)
            case TakeBack():
                return _take_back(state, action)
            case End():
                return _end_early(state)
            case Discard():
                return _give_up(state, action)
            case Final():  # pragma: no branch: there is no other action
                return _score(state, action)

    def over(self, state: State) -> bool:
        return state.over

    def asks(self, state: State) -> tuple[Ask, ...]:
        return tuple(_discard_asks(state) if state.ended else _race_asks(state))

    def standings(self, state: State) -> tuple[Standing, ...]:
        points = [team.points for team in state.teams]
        if not state.over:
            return ranked(points)
        standings = ranked(points, _winners(state), [_strength(team) for team in state.teams])
        return tuple(replace(standing, tiebreak=_tiebreak(state, standing.seat)) for standing in standings)

    def figures(self, state: State, seat: int) -> dict[str, Figure]:
        team = state.teams[seat]
        animals = {animal: Figure(WORDS[animal], where(at)) for animal, at in zip(ANIMALS, team.animals, strict=True)}
        return animals if state.uncounted else {**animals, "cards": Figure(Text("Cards in hand"), team.cards_left)}

    def report(self, state: State) -> dict[str, Plain]:
        return {
            "animals": [list(team.animals) for team in state.teams],
            "tiles": [list(team.tiles) for team in state.teams],
            "stages": state.stages,
            "pending": state.pending,
        }

    def resolve(self, question: Dispute) -> Verdict:
        fresh, shown = self.setup(len(question.players), Rules()), _by_seat(question.cards)
        _check_laid(fresh, shown)
        sums = [sum(shown.get(seat, ())) for seat in range(fresh.players)]
        return replace(_verdict(question.cards, shown), adds={"sums": sums})

    def turns(self, question: Dispute) -> tuple[int, ...]:
        """As they first laid a card there: nobody leads an edge."""
        return tuple(dict.fromkeys((*(seat for seat, _ in question.cards), *range(len(question.players)))))

    def retold(self, question: Dispute) -> Dispute:
        turns = self.turns(question)
        return replace(question, cards=tuple((turns.index(seat), card) for seat, card in question.cards))

    def entered(self, actions: Iterable[Plain]) -> list[Entered]:
        """The edges among these reports, oldest first."""
        edges = [action for action in actions if action["do"] == Edge.do]
        return [_entered_edge(action, *divmod(number, EDGES)) for number, action in enumerate(edges)]

    def gone(self, state: State, seat: int, card: int) -> Text:
        """Why a seat cannot lay a card of that value: what a form says before it is sent, in the words of the refusal."""
        return _not_in_hand(state.teams[seat], seat, card).text


def _entered_edge(action: Plain, stages: int, edges: int) -> Entered:
    cards = tuple((seat, card) for seat, card in action.get("cards") or ())
    winner = _verdict(cards, _by_seat(cards)).winner if cards else action.get("winner")
    moves = action.get("moves")
    unsaid = (action["animal"],) if winner is not None and action["animal"] != ANY else ()
    moved = unsaid if moves is None else tuple(animal for animal, _ in moves)
    return Entered(stages + 1, edges + 1, action["animal"], action["value"], winner, moved, cards)


def _check_time(state: State, action: Action) -> None:
    """Tiles are given up when the race is over, and nothing else is done then."""
    if state.ended and not isinstance(action, Discard):
        text = Text("The race is over; it only waits for a tile from {players}.", players=names(sorted(set(state.pending))))
        raise RuleError(text, "RACE-20")
    if isinstance(action, Discard) and not state.ended:
        raise RuleError(Text("The race is still on; tiles are given up when it is over."), "RACE-21")


def _strength(team: Team) -> tuple[int, int]:
    """What decides: the points, then the rearmost animal."""
    return team.points, team.rearmost


def _winners(state: State) -> list[int]:
    best = max(map(_strength, state.teams))
    return [seat for seat, team in enumerate(state.teams) if _strength(team) == best]


def _tiebreak(state: State, seat: int) -> Text | None:
    """What separates a seat from others with the same points."""
    own = state.teams[seat]
    if len({team.rearmost for team in state.teams if team.points == own.points}) == 1:
        return None
    return Text("Among equal points the rearmost animal decides: this one came {progress} of {home}.", progress=own.rearmost, home=HOME)


def _without(cards: Iterable[int], gone: Iterable[int]) -> tuple[int, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def _put(teams: tuple[Team, ...], seat: int, team: Team) -> tuple[Team, ...]:
    return (*teams[:seat], team, *teams[seat + 1 :])


# ---- an edge ---------------------------------------------------------------------------------------------------------


def _evaluate(state: State, action: Edge) -> Step[State]:
    if action.value == OPEN and action.animal != ANY:
        text = Text("A “?” stands at an edge without animal; for the {animal} give a number from 1 to 4.", animal=WORDS[action.animal])
        raise RuleError(text, "RACE-11")
    if action.cards is None:
        return _by_winner(state, action)
    return _by_cards(state, action, action.cards)


def _by_cards(state: State, action: Edge, cards: tuple[Laid, ...]) -> Step[State]:
    if action.count is not None:
        raise RuleError(Text("The cards show how many they are; leave out “count”."), "RECORD")
    shown = _by_seat(cards)
    _check_laid(state, shown)
    verdict = _verdict(cards, shown)
    _check_belief(verdict, action.winner)
    points = len(cards) if isinstance(action.value, str) else action.value
    laid = _entered(state, _lay(state, shown), bool(cards), state.uncounted)
    return _carry_out(laid, action, verdict.winner, points, (_won_by_cards(state, shown, verdict), *_ran_out(laid, shown)))


def _entered(state: State, teams: tuple[Team, ...], busy: bool, uncounted: bool) -> State:
    return State(state.rules, teams, state.turnaround, state.finish, state.stages, state.edges + 1, state.busy + busy, uncounted)


def _check_belief(verdict: Verdict, winner: int | None) -> None:
    """What the table said, with null for nobody, must be what the cards say."""
    if winner is None and verdict.winner is not None:
        right = next(reason for reason in verdict.why if reason.seat == verdict.winner)
        raise RuleError(Text("Somebody does win this edge. {reason}", reason=right.text), right.rule)
    check_claim(verdict, None if winner == UNSAID else winner)


def _by_winner(state: State, action: Edge) -> Step[State]:
    winner = action.winner
    if winner == UNSAID:
        raise RuleError(Text("An edge needs its cards or its winner; null where nobody laid a card."), "RECORD")
    points = _told_points(state, action)
    if winner is None:
        empty = _entered(state, state.teams, False, state.uncounted)
        return _carry_out(empty, action, None, points, (Note(_nobody(state), "RACE-12"),))
    _check_edges(state)
    text = Text("{player} wins edge {n} of stage {stage}.", player=Name(winner), **_place(state))
    return _carry_out(_entered(state, state.teams, True, True), action, winner, points, (Note(text, "RACE-7"),))


def _told_points(state: State, action: Edge) -> int:
    """The points of an edge without its cards; for “?” the table says how many there were."""
    if action.winner is None or isinstance(action.value, int):
        if action.count is not None:
            raise RuleError(Text("A number of cards is given only where somebody wins an edge with “?”; leave out “count”."), "RECORD")
        return action.value if isinstance(action.value, int) else 0
    if action.count is None or not 1 <= action.count <= state.most_cards:
        text = Text("At an edge with “?” say how many cards lie there, everybody's together: 1 to {most}.", most=state.most_cards)
        raise RuleError(text, "RACE-11")
    return action.count


def _place(state: State) -> Mapping[str, int]:
    return {"n": state.edges + 1, "stage": state.stages + 1}


def _nobody(state: State) -> Text:
    return Text("Nobody wins edge {n} of stage {stage}: no card lies there.", **_place(state))


def _won_by_cards(state: State, shown: Shown, verdict: Verdict) -> Note:
    if verdict.winner is None:
        return Note(_nobody(state), "RACE-12", verdict=verdict)
    total = sum(shown[verdict.winner])
    text = Text("{player} wins edge {n} of stage {stage} with {sum}.", player=Name(verdict.winner), sum=total, **_place(state))
    return Note(text, "RACE-7", verdict=verdict)


def _ran_out(state: State, seats: Iterable[int]) -> Iterator[Note]:
    """Running out must be announced; once an edge was entered without its cards, nobody here can tell."""
    for seat in seats:
        if not (state.uncounted or state.teams[seat].cards_left):
            yield Note(_no_cards(state.teams[seat], Name(seat)), "RACE-19")


def _no_cards(team: Team, player: Name) -> Text:
    if team.took_back:
        return Text("{player} has used up the cards a second time and only watches from the next stage on.", player=player)
    return Text("{player} has no cards left in hand; the used ones can be taken back once.", player=player)


# ---- cards at an edge ------------------------------------------------------------------------------------------------


def _check_laid(state: State, shown: Shown) -> None:
    if shown:
        _check_edges(state)
    for seat, own in shown.items():
        _check_own(state.teams[seat], seat, own)


def _check_edges(state: State) -> None:
    if state.full:
        text = Text("Three edges of this stage have cards already; with three players the fourth stays empty.")
        raise RuleError(text, "RACE-5")


def _check_own(team: Team, seat: int, own: Sequence[int]) -> None:
    """What one player laid at an edge must be possible with the cards in hand."""
    if sum(own) > MOST_SUM:
        text = Text("{player} cannot have {sum} at one edge: 6, 4 and 3 make the highest sum, 13.", player=Name(seat), sum=sum(own))
        raise RuleError(text, "RACE-7")
    if len(team.laid) + len(own) > MOST_CARDS:
        n = len(team.laid) + len(own)
        raise RuleError(Text("{player} lays at most 3 cards in a stage, not {n}.", player=Name(seat), n=n), "RACE-4")
    hand = list(team.hand)
    for card in own:
        if card not in hand:
            raise _not_in_hand(team, seat, card)
        hand.remove(card)


def _not_in_hand(team: Team, seat: int, card: int) -> RuleError:
    facts: Facts = {"player": Name(seat), "card": card, "places": team.places(card)}
    if card not in team.used:
        return RuleError(_lies_here(facts) if facts["places"] else _never_had(facts), "RACE-3")
    if team.took_back:
        text = Text("{player} has used the {card} again at {places}, after taking cards back; that is possible only once a game.", **facts)
    else:
        text = Text("{player} has used the {card} at {places}; to lay it again, enter first that {player} takes cards back.", **facts)
    return RuleError(text, "RACE-18")


def _lies_here(facts: Facts) -> Text:
    return Text("{player} has no further {card}: laid at {places}.", **facts)


def _never_had(facts: Facts) -> Text:
    return Text("{player} has no further {card}: everybody's cards are 1, 1, 2, 2, 3, 3, 4 and 6.", **facts)


def _lay(state: State, shown: Shown) -> tuple[Team, ...]:
    teams = list(state.teams)
    for seat, own in shown.items():
        teams[seat] = teams[seat].lay(own, state.edges + 1, state.stages + 1)
    return tuple(teams)


def _by_seat(cards: Sequence[Laid]) -> dict[int, list[int]]:
    """Each player's cards at an edge, players in the order of their first card."""
    shown: dict[int, list[int]] = {}
    for seat, card in cards:
        shown.setdefault(seat, []).append(card)
    return shown


# ---- who wins an edge ------------------------------------------------------------------------------------------------


def _verdict(cards: Sequence[Laid], shown: Shown) -> Verdict:
    """The highest sum wins, among equals whoever laid first there."""
    if not cards:
        return Verdict(None, lambda: (Reason(Text("No card lies at this edge, so nobody wins it."), "RACE-12"),))
    sums = {seat: sum(own) for seat, own in shown.items()}
    winner = max(sums, key=sums.__getitem__)
    return Verdict(winner, partial(_argument, cards, sums, winner))


def _argument(cards: Sequence[Laid], sums: Mapping[int, int], winner: int) -> Iterator[Reason]:
    best = sums[winner]
    tied = [seat for seat, total in sums.items() if total == best and seat != winner]
    earlier = "RACE-8" if cards[0][0] == winner else "R1"
    for seat, card in cards:
        facts: Facts = {"player": Name(seat), "card": card, "sum": sums[seat], "winner": Name(winner), "best": best, "tied": names(tied)}
        yield Reason(_why(seat == winner, seat in tied, bool(tied), facts), earlier if tied and sums[seat] == best else "RACE-7", seat)


def _why(won: bool, equal: bool, tie: bool, facts: Facts) -> Text:
    """What became of one card."""
    if won and tie:
        return Text(
            "{player} wins with the {card}: {sum} in all, as much as {tied}, but with the earlier first card at this edge.", **facts
        )
    if won:
        return Text("{player} wins with the {card}: {sum} in all is the highest sum at this edge.", **facts)
    if equal:
        return Text("{player} laid the {card}: {sum} in all, too, but {winner} laid a first card at this edge earlier.", **facts)
    return Text("{player} laid the {card}: {sum} in all, less than the {best} of {winner}.", **facts)


def _dispute_form(players: int) -> Form:
    """One card after the other, as far as each player's eight cards and three a stage go; it can stop after any of them."""
    cards: list[Laid] = []
    while free := _still_free(players, _by_seat(cards)):
        text = Text("Who laid which card?") if not cards else Text("Who laid the next card?")
        card = yield Field(path("cards", len(cards)), free, text, "laid", optional=True)
        if card is SKIP:
            break
        cards.append(card)
    return {"cards": cards}


def _still_free(players: int, shown: Shown) -> list[list[int]]:
    return [[seat, card] for seat in range(players) for card in dict.fromkeys(HAND) if _can_add(shown.get(seat, ()), card)]


def _can_add(own: Sequence[int], card: int) -> bool:
    return len(own) < MOST_CARDS and own.count(card) < HAND.count(card)


# ---- what the winner moves -------------------------------------------------------------------------------------------


def _carry_out(state: State, action: Edge, winner: int | None, points: int, notes: tuple[Note, ...]) -> Step[State]:
    if winner is None:
        _check_nobody(action)
        return _closed(state, notes)
    moves = _moves(state.teams[winner], action, winner, points)
    if not moves:
        return _closed(state, (*notes, _unmoved(state.teams[winner], action.animal, winner)))
    return _closed(*_moved(state, winner, moves, _edge_rule(action), notes))


def _check_nobody(action: Edge) -> None:
    if action.moves:
        raise RuleError(Text("Nobody laid a card at this edge, so nobody moves; leave out “moves”."), "RACE-12")


def _edge_rule(action: Edge) -> str:
    if action.animal != ANY:
        return "RACE-9"
    return "RACE-11" if action.value == OPEN else "RACE-10"


def _moves(team: Team, action: Edge, winner: int, points: int) -> tuple[Move, ...]:
    """The moves of a winner, checked: for a named animal they are known, else they were chosen."""
    if action.animal != ANY:
        return _named_move(team, action, winner, points)
    if action.moves is None:
        text = Text("Say which animals {player} moves, or with an empty list that {player} does not want to.", player=Name(winner))
        raise RuleError(text, _edge_rule(action))
    _check_movable(team, action.moves, winner)
    _check_points(action, winner, points)
    return action.moves


def _named_move(team: Team, action: Edge, winner: int, points: int) -> tuple[Move, ...]:
    move = ((action.animal, points),) if action.animal in team.on_track else ()
    if action.moves is None:
        return move
    if action.moves not in ((), move):
        raise RuleError(_only_that(bool(move), points, {"animal": WORDS[action.animal], "player": Name(winner)}), "RACE-9")
    return action.moves


def _only_that(on_track: bool, points: int, facts: Facts) -> Text:
    if not on_track:
        return Text("The {animal} of {player} is home already; this edge moves nothing, and no other animal instead.", **facts)
    return many(
        "This edge moves the {animal} of {player} by {n} point or not at all, and no other animal.",
        "This edge moves the {animal} of {player} by {n} points or not at all, and no other animal.",
        n=points,
        **facts,
    )


def _check_movable(team: Team, moves: tuple[Move, ...], winner: int) -> None:
    left = team.on_track
    for animal, _ in moves:
        facts: Facts = {"animal": WORDS[animal], "player": Name(winner)}
        if team.animals[ANIMALS.index(animal)] == HOME:
            raise RuleError(Text("The {animal} of {player} is home already and cannot move; choose another.", **facts), "RACE-16")
        if animal not in left:
            raise RuleError(Text("Name the {animal} of {player} only once, with all its points.", **facts), "RACE-11")
        left.remove(animal)


def _check_points(action: Edge, winner: int, points: int) -> None:
    """All points or none; only those of “?” can be split."""
    moves = action.moves or ()
    if len(moves) > 1 and action.value != OPEN:
        raise RuleError(Text("Only the points of “?” can be split; here {player} moves one animal.", player=Name(winner)), "RACE-10")
    total = sum(each for _, each in moves)
    if moves and total != points:
        text = many(
            "{player} has {n} point here and moves it or none at all, not {total}.",
            "{player} has {n} points here and moves all of them or none at all, not {total}.",
            n=points,
            player=Name(winner),
            total=total,
        )
        raise RuleError(text, "RACE-11" if action.value == OPEN else "R5")


def _unmoved(team: Team, animal: str, winner: int) -> Note:
    """Why nothing moves although somebody won."""
    if not team.on_track:
        return Note(Text("All animals of {player} are home; nothing moves.", player=Name(winner)), "RACE-16")
    if animal == ANY or animal in team.on_track:
        return Note(Text("{player} does not want to move.", player=Name(winner)), "R5")
    text = Text("The {animal} of {player} is home already; nothing moves.", animal=WORDS[animal], player=Name(winner))
    return Note(text, "RACE-9")


# ---- movement --------------------------------------------------------------------------------------------------------


def landing(state: State, seat: int, animal: str, points: int) -> Landing:
    """Where an animal would get to, and which tiles it would take: what `apply` does, and what screens show beforehand."""
    lane, runner = state.teams[seat].animals, ANIMALS.index(animal)
    hops = ride(lane, runner, points, state.rules.occupied_turnaround == "share")
    end = hops[-1].end if hops else lane[runner]
    turned, arrived = lane[runner] < TURNAROUND <= end, lane[runner] < HOME == end
    return Landing(end, hops, state.turnaround if turned else None, state.finish if arrived else None)


def _moved(state: State, seat: int, moves: tuple[Move, ...], rule: str, notes: tuple[Note, ...]) -> tuple[State, tuple[Note, ...]]:
    """Each part is moved completely before the next."""
    for animal, points in moves:
        found = landing(state, seat, animal, points)
        state = _landed(state, seat, animal, found)
        notes = (*notes, *story(state.teams[seat].animals, points, found, rule, {"player": Name(seat), "animal": WORDS[animal]}))
    return state, notes


def _landed(state: State, seat: int, animal: str, found: Landing) -> State:
    teams = _put(state.teams, seat, state.teams[seat].land(ANIMALS.index(animal), found))
    turnaround, finish = state.turnaround - bool(found.turn_tile), state.finish - bool(found.home_tile)
    return State(state.rules, teams, turnaround, finish, state.stages, state.edges, state.busy, state.uncounted)


# ---- stages and cards ------------------------------------------------------------------------------------------------


def _closed(state: State, notes: tuple[Note, ...]) -> Step[State]:
    """The step after an edge; the fourth one closes the stage, and the last stage the race."""
    if state.edges < EDGES:
        return Step(state, notes)
    teams = tuple(replace(team, used=(*team.used, *team.laid), laid=()) for team in state.teams)
    after = replace(state, teams=teams, stages=state.stages + 1, edges=0, busy=0)
    if after.stages == STAGES:
        return _end_race(after, (*notes, Note(Text("All eight stages are over, and so is the race."), "RACE-20")))
    if _used_up(after):
        return _end_race(after, (*notes, Note(Text("Everybody has used up the cards a second time: the race is over."), "RACE-20")))
    text = Text("Stage {n} is over; {player} starts the next one.", n=after.stages, player=Name(after.start_player))
    return Step(after, (*notes, Note(text, "RACE-13")))


def _used_up(state: State) -> bool:
    return not state.uncounted and all(team.took_back and not team.hand for team in state.teams)


def _take_back(state: State, action: TakeBack) -> Step[State]:
    team = state.teams[action.seat]
    if team.took_back:
        raise RuleError(Text("{player} has taken cards back already; that is possible once a game.", player=Name(action.seat)), "RACE-18")
    if not _can_take_back(state, team):
        text = Text("{player} has no used cards yet; cards of the open stage stay where they lie.", player=Name(action.seat))
        raise RuleError(text, "RACE-18")
    back = replace(team, used=(), took_back=True, lies=tuple(each for each in team.lies if each[2] > state.stages))
    note = Note(Text("{player} takes the used cards back.", player=Name(action.seat)), "RACE-18")
    return Step(state.with_team(action.seat, back), (note,))


def _can_take_back(state: State, team: Team) -> bool:
    return not team.took_back and (bool(team.used) or state.uncounted)


def _end_early(state: State) -> Step[State]:
    if not _between_stages(state):
        raise RuleError(Text("The race can end early only after a whole stage; enter its four edges first."), "RACE-20")
    if not state.uncounted:
        text = Text("All cards are known here: the race ends by itself when everybody has used them up a second time.")
        raise RuleError(text, "RACE-20")
    return _end_race(state, (Note(Text("Nobody has cards left: the race is over."), "RACE-20"),))


def _between_stages(state: State) -> bool:
    return state.stages > 0 and state.edges == 0


def _score(state: State, action: Final) -> Step[State]:
    if state.stages or state.edges:
        raise RuleError(Text("A final score stands for a race that was not entered; this one is entered edge by edge."), "RECORD")
    for tile, n in Counter(chain(*action.tiles)).items():
        if n > COPIES:
            raise RuleError(Text("There are only two tiles with a {tile}, not {n}.", tile=tile, n=n), "RACE-1")
    held = (tuple(sorted(tiles, reverse=True)) for tiles in action.tiles)
    return _end_race(replace(state, teams=tuple(map(Team, action.animals, held))), ())


# ---- penalties and the end -------------------------------------------------------------------------------------------


def _end_race(state: State, notes: tuple[Note, ...]) -> Step[State]:
    """Both penalties look at the same final positions (R16): first the last animals lose tiles, then the second-last."""
    ended = replace(state, ended=True)
    last, second = _behind(state)
    told = [*notes, *_no_penalty(state, last, second)]
    for seat in last:
        ended, note = _lose_best(ended, seat)
        told.append(note)
    for seat in dict.fromkeys(second):
        ended, owed = _fine(ended, seat, second.count(seat))
        told += owed
    return _decided(ended, told)


def _unfinished(state: State) -> list[tuple[int, int]]:
    """Progress and seat of every animal that is not home, rearmost first."""
    return sorted((progress, seat) for seat, team in enumerate(state.teams) for progress in team.animals if progress < HOME)


def _standing_at(state: State, places: Sequence[int]) -> list[tuple[int, str]]:
    """Seat and animal of all that stand there."""
    lanes = [(seat, animal, at) for seat, team in enumerate(state.teams) for animal, at in zip(ANIMALS, team.animals, strict=True)]
    return [(seat, animal) for seat, animal, at in lanes if at in places]


def _behind(state: State) -> tuple[list[int], list[int]]:
    """Who has the last and who the second-last animals; a seat as often as it loses a tile for them."""
    animals = _unfinished(state)
    places = list(dict.fromkeys(progress for progress, _ in animals))
    last = [seat for progress, seat in animals if progress in places[:1]]
    second = [] if _place_used_up(state) else [seat for progress, seat in animals if progress in places[1:2]]
    if state.rules.penalty_per == "animal":
        return last, second
    return list(dict.fromkeys(last)), list(dict.fromkeys(second))


def _place_used_up(state: State) -> bool:
    """By house rule, animals that tie for last take the second-last place as well."""
    rearmost = [progress for progress, _ in _unfinished(state)[:2]]
    return state.rules.second_last == "skip-after-tie" and len(rearmost) == 2 and rearmost[0] == rearmost[1]


def _no_penalty(state: State, last: list[int], second: list[int]) -> Iterator[Note]:
    if not last:
        yield Note(Text("Every animal is home: nobody loses a tile."), "RACE-21")
    elif _place_used_up(state):
        yield Note(Text("Several animals are tied for last, so none is second-last."), "R7")
    elif not second:
        yield Note(Text("No animal is second-last: there is only one penalty."), "RACE-21")


def _lose_best(state: State, seat: int) -> tuple[State, Note]:
    team = state.teams[seat]
    if not team.tiles:
        return state, Note(Text("{player} has a last animal, but no tile to lose.", player=Name(seat)), "RACE-21")
    text = Text("{player} has a last animal and loses the most valuable tile, the {tile}.", player=Name(seat), tile=team.tiles[0])
    return state.with_team(seat, replace(team, tiles=team.tiles[1:])), Note(text, "RACE-21")


def _fine(state: State, seat: int, tiles: int) -> tuple[State, list[Note]]:
    """What the owner of a second-last animal has to choose; where there is no choice it happens at once."""
    team, notes = _forced(replace(state.teams[seat], owes=tiles), seat)
    if team.owes:
        text = many(
            "{player} has a second-last animal and chooses a tile to give up.",
            "{player} has second-last animals and chooses {n} tiles to give up.",
            n=team.owes,
            player=Name(seat),
        )
        notes.append(Note(text, "RACE-21"))
    return state.with_team(seat, team), notes


def _forced(team: Team, seat: int) -> tuple[Team, list[Note]]:
    """The team after everything that leaves no choice: no tile, or only equal ones."""
    notes: list[Note] = []
    while team.owes and len(set(team.tiles)) < 2:
        notes.append(Note(_no_choice(team, seat), "RACE-21"))
        team = replace(team, tiles=team.tiles[1:], owes=team.owes - 1)
    return team, notes


def _no_choice(team: Team, seat: int) -> Text:
    if not team.tiles:
        return Text("{player} has a second-last animal, but no tile to give up.", player=Name(seat))
    return Text("{player} has a second-last animal and gives up the {tile}, without another choice.", player=Name(seat), tile=team.tiles[0])


def _give_up(state: State, action: Discard) -> Step[State]:
    seat, tile, team = action.seat, action.tile, state.teams[action.seat]
    if not team.owes:
        raise RuleError(Text("{player} owes no tile.", player=Name(seat)), "RACE-21")
    if tile not in team.tiles:
        text = Text("{player} has no tile {tile} to give up, only {tiles}.", player=Name(seat), tile=tile, tiles=team.tiles)
        raise RuleError(text, "RACE-21")
    left, forced = _forced(replace(team, tiles=_without(team.tiles, (tile,)), owes=team.owes - 1), seat)
    given_up = Note(Text("{player} gives up the {tile}.", player=Name(seat), tile=tile), "RACE-21")
    return _decided(state.with_team(seat, left), [given_up, *forced])


def _decided(state: State, notes: list[Note]) -> Step[State]:
    return Step(state, (*notes, _victory(state)) if state.over else tuple(notes))


def _victory(state: State) -> Note:
    won = _winners(state)
    team = state.teams[won[0]]
    facts: Facts = {"players": names(won), "points": team.points}
    if _tiebreak(state, won[0]):
        text = many(
            "{players} wins with {points} points: among equals, with the rearmost animal furthest ahead.",
            "{players} win with {points} points: among equals, with the rearmost animals furthest ahead.",
            n=len(won),
            **facts,
        )
    else:
        text = many("{players} wins with {points} points.", "{players} win with {points} points.", n=len(won), **facts)
    return Note(text, "RACE-22" if len(won) == 1 else "R10")


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _race_asks(state: State) -> Iterator[Ask]:
    yield from _edge_asks(state)
    for seat, team in enumerate(state.teams):
        if _can_take_back(state, team):
            text = Text("Does {player} take the used cards back?", player=Name(seat))
            yield Ask(ask_id("take-back", seat), "take-back", text, partial(_bare_form, do="take-back", seat=seat), (seat,), needed=False)
    if _between_stages(state) and state.uncounted:
        text = Text("Has nobody any cards left?")
        yield Ask(ask_id("stage", state.stages, "end"), "end", text, partial(_bare_form, do="end"), needed=False)
    if not (state.stages or state.edges):
        text = Text("How did the race end?")
        yield Ask("final", "final", text, partial(_final_form, state), needed=False)


def _edge_asks(state: State) -> Iterator[Ask]:
    place = _place(state)
    question = ask_id("stage", place["stage"], "edge", place["n"])
    yield Ask(question, "edge", Text("Who won edge {n} of stage {stage}?", **place), partial(_winner_form, state))
    text = Text("Which cards lie at edge {n} of stage {stage}?", **place)
    yield Ask(ask_id(question, "cards"), "edge", text, partial(_cards_form, state))


def _discard_asks(state: State) -> Iterator[Ask]:
    for seat, team in enumerate(state.teams):
        if team.owes:
            text = Text("Which tile does {player} give up?", player=Name(seat))
            yield Ask(ask_id("discard", seat, team.owes), "discard", text, partial(_discard_form, seat, team), (seat,))


def _bare_form(**action: Plain) -> Form:
    """A report that says everything by being made."""
    yield from ()
    return action


def _discard_form(seat: int, team: Team) -> Form:
    tile = yield Field("tile", list(dict.fromkeys(team.tiles)), Text("Tile"), "number")
    return {"do": "discard", "seat": seat, "tile": tile}


def _stage_form() -> Form:
    """What the stage card shows at the edge."""
    animal = yield Field("animal", [*ANIMALS, ANY], Text("Animal"), words={**WORDS, ANY: Text("any animal")})
    value = yield Field("value", [*STEPS, OPEN] if animal == ANY else list(STEPS), Text("Points"))
    return {"do": "edge", "animal": animal, "value": value}


def _winner_form(state: State) -> Form:
    edge = yield from _stage_form()
    seats = [] if state.full else range(state.players)
    winner = yield Field("winner", [None, *seats], Text("Winner"), "seat")
    count = SKIP
    if edge["value"] == OPEN and winner is not None:
        count = yield Field("count", range(1, state.most_cards + 1), Text("Cards at this edge"), "number")
    moves = yield from _moves_form(state, edge, winner, count)
    return {**edge, "winner": winner, **given(count=count, moves=moves)}


def _cards_form(state: State) -> Form:
    edge = yield from _stage_form()
    cards: list[Plain] = []
    while free := _layable(state, cards):
        card = yield Field(path("cards", len(cards)), free, Text("Next card laid here"), "card", optional=True)
        if card is SKIP:
            break
        cards.append(card)
    moves = yield from _moves_form(state, edge, _verdict(cards, _by_seat(cards)).winner, len(cards))
    return {**edge, "cards": cards, **given(moves=moves)}


def _layable(state: State, cards: Sequence[Plain]) -> list[Plain]:
    """Seat and value of every card that may lie next at this edge."""
    if state.full:
        return []
    laid = _by_seat(cards)
    hands = [(Counter(team.hand) - Counter(laid.get(seat, ()))).elements() for seat, team in enumerate(state.teams)]
    able = [len(team.laid) + len(laid.get(seat, ())) < MOST_CARDS for seat, team in enumerate(state.teams)]
    return [[seat, card] for seat, hand in enumerate(hands) if able[seat] for card in dict.fromkeys(hand)]


def _moves_form(state: State, edge: Plain, winner: int | None, count: Plain) -> Form:
    """The winner's moves; for a named animal there is only yes, said or unsaid, and no."""
    if winner is None:
        return (yield Field("moves", [[]], Text("Nobody moves"), optional=True))
    team, animal, points = state.teams[winner], edge["animal"], edge["value"]
    if points == OPEN:
        return (yield from _split_form(team.on_track, count, winner))
    choices = [[[each, points]] for each in team.on_track if animal in (each, ANY)]
    text = Text("What does {player} move?", player=Name(winner))
    return (yield Field("moves", [*choices, []], text, optional=animal != ANY))


def _split_form(animals: list[str], points: int, winner: int) -> Form:
    """One animal after the other until all points are spent; the last animal takes what is left."""
    moves: list[Plain] = []
    while points and animals:
        parts = range(1, points + 1) if len(animals) > 1 else (points,)
        choices = [[animal, part] for animal in animals for part in parts]
        text = Text("What does {player} move, with how many points?", player=Name(winner))
        move = yield Field(path("moves", len(moves)), choices, text, optional=not moves)
        if move is SKIP:
            break
        moves.append(move)
        points -= move[1]
        animals = [animal for animal in animals if animal != move[0]]
    return moves


def _final_form(state: State) -> Form:
    tiles = yield from _tiles_form(state)
    animals: list[Plain] = []
    for seat in range(state.players):
        animals.append([])
        for number, animal in enumerate(ANIMALS):
            text = Text("How far is the {animal} of {player}?", animal=WORDS[animal], player=Name(seat))
            animals[seat].append((yield Field(path("animals", seat, number), range(HOME + 1), text, "number")))
    return {"do": "final", "tiles": tiles, "animals": animals}


def _tiles_form(state: State) -> Form:
    """Every seat's tiles one by one, no value more than twice at the table."""
    tiles: list[list[int]] = []
    for seat in range(state.players):
        tiles.append([])
        while free := _free_tiles(tiles):
            text = Text("A tile of {player}", player=Name(seat))
            tile = yield Field(path("tiles", seat, len(tiles[seat])), free, text, "number", optional=True)
            if tile is SKIP:
                break
            tiles[seat].append(tile)
    return tiles


def _free_tiles(tiles: Sequence[Sequence[int]]) -> list[int]:
    taken = Counter(chain(*tiles))
    return [tile for tile in range(6, 0, -1) if taken[tile] < COPIES]


GAME = CrazyRace()
