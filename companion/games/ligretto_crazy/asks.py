"""What Ligretto Crazy asks: every seat's count, or everybody's at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.games.base import Ask, Field, Form, Name, Text, ask_id, given, path
from companion.games.ligretto_crazy.model import State


def round_asks(state: State) -> Iterator[Ask]:
    """What every seat counted, and what all did."""
    for seat in range(state.players):
        yield _ask_count(state, seat)
    yield _ask_round(state)


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
