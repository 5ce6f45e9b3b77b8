"""What Crazy Race asks, and the forms in which it is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from companion.games.base import SKIP, Ask, Field, Form, Name, Plain, Text, ask_id, given, path
from companion.games.crazy_race.laying import by_seat
from companion.games.crazy_race.model import ANIMALS, ANY, COPIES, HOME, MAX_CARDS, OPEN, STEPS, TILES, WORDS, State, Team
from companion.games.crazy_race.play import between_stages, can_take_back
from companion.games.crazy_race.verdict import edge_verdict


def open_asks(state: State) -> Iterator[Ask]:
    """What the race waits for, or once it has ended the tiles that are owed."""
    return _discard_asks(state) if state.ended else _race_asks(state)


def _race_asks(state: State) -> Iterator[Ask]:
    yield from _edge_asks(state)
    for seat, team in enumerate(state.teams):
        if can_take_back(state, team):
            text = Text("Does {player} take the used cards back?", player=Name(seat))
            yield Ask(ask_id("take-back", seat), "take-back", text, partial(_bare_form, do="take-back", seat=seat), (seat,), needed=False)
    if between_stages(state) and state.uncounted:
        text = Text("Has nobody any cards left?")
        yield Ask(ask_id("stage", state.stages, "end"), "end", text, partial(_bare_form, do="end"), needed=False)
    if not (state.stages or state.edges):
        text = Text("How did the race end?")
        yield Ask("final", "final", text, partial(_final_form, state), needed=False)


def _edge_asks(state: State) -> Iterator[Ask]:
    place = state.place
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


# ---- an edge ---------------------------------------------------------------------------------------------------------


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
    moves = yield from _moves_form(state, edge, edge_verdict(cards, by_seat(cards)).winner, len(cards))
    return {**edge, "cards": cards, **given(moves=moves)}


def _layable(state: State, cards: Sequence[Plain]) -> list[Plain]:
    """Seat and value of every card that may lie next at this edge."""
    if state.full:
        return []
    laid = by_seat(cards)
    hands = [(Counter(team.hand) - Counter(laid.get(seat, ()))).elements() for seat, team in enumerate(state.teams)]
    able = [len(team.laid) + len(laid.get(seat, ())) < MAX_CARDS for seat, team in enumerate(state.teams)]
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


# ---- a race that was not entered -------------------------------------------------------------------------------------


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
    return [tile for tile in TILES if taken[tile] < COPIES]
