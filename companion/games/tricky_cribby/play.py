"""What the reports of Tricky Cribby lead to: a trick, a pick with its walk over the loop, a tile that is only told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.base import Facts, Name, Note, RuleError, Step, Text, Verdict, changed, check_claim, many, names
from companion.games.cards import COLOURS as WORDS
from companion.games.cards import Card
from companion.games.tricky_cribby.majorities import decided, end_of_game, third_complete, tile_notes
from companion.games.tricky_cribby.model import COLOURS, PICKS, TILES, Landing, Pick, Picks, State, Take, Trick
from companion.games.tricky_cribby.seen import with_new
from companion.games.tricky_cribby.verdict import by_rank, check_number, order_in_words, pickers_of, picking_rule, trick_verdict

# ---- tricks ----------------------------------------------------------------------------------------------------------


def play_trick(state: State, action: Trick) -> Step[State]:
    if state.picks:
        text = Text("The last trick is not finished: {player} picks a card and takes a tile first.", player=Name(state.picks.picker))
        raise RuleError(text, "CRI-10")
    check_number(state.players, action.cards)
    seen = with_new(state.seen, (action.up, *action.cards), state)
    ranks = by_rank(state.line, state.turns, action.cards)
    picks = Picks(ranks, pickers_of(ranks), action.up)
    verdict = trick_verdict(state.line, ranks, picks.pickers)
    check_claim(verdict, action.winner)
    after = changed(state, picks=picks, seen=seen, shown=(*state.shown, picks))
    return Step(after, _trick_notes(state.players, picks, verdict))


def _trick_notes(players: int, picks: Picks, verdict: Verdict) -> tuple[Note, ...]:
    seat, card = picks.strongest
    won = Text("{player} wins the trick with the {card}.", player=Name(seat), card=card.text)
    return Note(won, "CRI-6", verdict=verdict), Note(order_in_words(picks.pickers), picking_rule(players))


# ---- the loop --------------------------------------------------------------------------------------------------------


def checked_loop(loop: tuple[str, ...] | None) -> tuple[str, ...]:
    if loop is None:
        return ()
    for colour in COLOURS:
        n = loop.count(colour)
        if n != TILES:
            text = Text("The loop has nine tiles of each colour; of {colour} it cannot have {n}.", colour=WORDS[colour], n=n)
            raise RuleError(text, "CRI-2")
    return loop


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


# ---- picks -----------------------------------------------------------------------------------------------------------


def pick(state: State, action: Pick) -> Step[State]:
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
    return Step(after, (*notes, *tile_notes(state, after, side, tile), *_end_of_trick(after, picks), *end_of_game(after, void)))


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


# ---- tiles -----------------------------------------------------------------------------------------------------------


def take(state: State, action: Take) -> Step[State]:
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
    return Step(after, (Note(took, "CRI-7"), *tile_notes(state, after, side, tile), *end_of_game(after, 0)))


def _with_tile(state: State, side: int, tile: str) -> State:
    held = {**state.tiles[side], tile: state.tiles[side][tile] + 1}
    after = replace(state, tiles=(held, state.tiles[1]) if side == 0 else (state.tiles[0], held))
    stopped = state.rules.stop_when_decided and decided(after) is not None
    return replace(after, over=True) if stopped or third_complete(after) else after
