"""What Crazy Lab asks for: minus and plus colours, a trick by its winner or its cards, the counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.games.base import SKIP, Ask, Field, Form, Name, Text, ask_id, given, path
from companion.games.cards import COLOURS as WORDS
from companion.games.crazy_lab.model import COLOURS, HIGHEST, MAX_COLOURS, MAX_TRUMPS, TRICKS, State


def open_asks(state: State) -> Iterator[Ask]:
    if not (state.minus or state.tricks or any(state.counts)):
        yield Ask(_id(state, "minus"), "minus", Text("Which minus colours?"), partial(_minus_form, state), needed=False)
    for seat in range(state.players):
        if state.minus and state.plus[seat] is None:
            text = Text("Secret plus colour of {player}", player=Name(seat))
            yield Ask(plus_id(state, seat), "plus", text, partial(_plus_form, state, seat), (seat,), needed=False)
    yield from _trick_asks(state)
    yield from _count_asks(state)


def _id(state: State, *parts: object) -> str:
    return ask_id("round", state.round, *parts)


def plus_id(state: State, seat: int) -> str:
    return _id(state, "plus", seat)


def trick_id(state: State) -> str:
    """Of the question who took the next trick."""
    return _id(state, "trick", len(state.tricks) + 1)


def cards_id(state: State) -> str:
    """Of the question for the cards of the next trick."""
    return ask_id(trick_id(state), "cards")


def _trick_asks(state: State) -> Iterator[Ask]:
    n = len(state.tricks) + 1
    if n <= TRICKS:
        yield Ask(trick_id(state), "trick", Text("Who took trick {n}?", n=n), partial(_winner_form, state))
        text = Text("Which cards were played to trick {n}?", n=n)
        yield Ask(cards_id(state), "trick", text, partial(_cards_form, state))


def _count_asks(state: State) -> Iterator[Ask]:
    all_in = state.all_tricks_in
    for seat, sums in enumerate(state.counts):
        again = ("again", sums.plus, sums.minus) if sums else ()
        text = Text("What did {player} count?", player=Name(seat))
        yield Ask(_id(state, "count", seat, *again), "count", text, partial(_count_form, state, seat), needed=all_in and not sums)
    yield Ask(_id(state), "round", Text("What did everybody count?"), partial(_round_form, state), needed=False)


# ---- forms -----------------------------------------------------------------------------------------------------------


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
    left = [colour for colour in COLOURS if state.times_trump(colour) < MAX_TRUMPS]
    return Field("trump", left, Text("Trump"), optional=optional)


def _winner_form(state: State) -> Form:
    trump = yield _trump(state, optional=True)
    winner = yield Field("winner", range(state.players), Text("Winner"), "seat")
    return {"do": "trick", **given(trump=trump), "winner": winner}


def _cards_form(state: State) -> Form:
    trump = yield _trump(state, optional=False)
    cards = []
    for turn, seat in enumerate(state.order):
        cards.append((yield from _card_form(turn, seat)))
    return {"do": "trick", "trump": trump, "cards": cards}


def _card_form(turn: int, seat: int) -> Form:
    """The numbers of one card, colour by colour; a colour that it lacks is left out."""
    card: dict[str, int] = {}
    for colour in COLOURS:
        last_chance = colour == COLOURS[-1] and not card
        if len(card) < MAX_COLOURS:
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
