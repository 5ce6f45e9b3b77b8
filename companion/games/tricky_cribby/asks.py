"""What Tricky Cribby asks for: the cards of a trick, the next pick, or only a tile."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.games.base import Ask, Field, Form, Name, Text, ask_id, given, path
from companion.games.tricky_cribby.model import DECK, SIDES, Picks, State
from companion.games.tricky_cribby.play import landings


def open_asks(state: State) -> Iterator[Ask]:
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
    left = [name for name, card in DECK.items() if card not in state.seen]
    up = yield Field("up", left, Text("Face-up draw card"), "card")
    cards: list[str] = []
    for turn, seat in enumerate(state.turns):
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
