"""What is asked for, with the forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from companion.games.base import SKIP, Ask, Field, Form, Name, Text, ask_id, given, path
from companion.games.the_academy.mastermind import coverable, exchangeable, why_no_exchange
from companion.games.the_academy.model import (
    ACE,
    COLOURS,
    MASTERMIND,
    NO_TRUMP,
    OVER,
    PLAYERS,
    REBEL,
    ROUND_RULES,
    TRICKS,
    State,
    order_of_play,
)
from companion.games.the_academy.outcome import ace_due, possible_aces, possible_goals, possible_lasts


def open_asks(state: State) -> Iterator[Ask]:
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
    if why_no_exchange(state) is None:
        text = Text("Which card does {player} exchange?", player=Name(state.seat_of(MASTERMIND)))
        id = _id(state, "trick", len(state.tricks), "exchange")
        yield Ask(id, "exchange", text, partial(_exchange_form, state), needed=False)


def _trick_asks(state: State) -> Iterator[Ask]:
    n = len(state.tricks) + 1
    if n <= TRICKS:
        yield Ask(_id(state, "trick", n), "trick", Text("Who took trick {n}?", n=n), partial(_winner_form, state))
        text = Text("Which cards were played to trick {n}?", n=n)
        yield Ask(_id(state, "trick", n, "cards"), "trick", text, partial(_cards_form, state))


# ---- the exam --------------------------------------------------------------------------------------------------------


def _exam_form() -> Form:
    rule = yield Field("rule", list(ROUND_RULES), Text("Round rule"), words=ROUND_RULES)
    no_trump = rule == NO_TRUMP
    trump = yield Field("trump", [*COLOURS, None] if no_trump else list(COLOURS), Text("Trump"), optional=no_trump)
    return {"do": "exam", **given(trump=trump), "rule": rule}


# ---- what the Mastermind does ----------------------------------------------------------------------------------------


def _swap_form(state: State) -> Form:
    others = [seat for seat in range(PLAYERS) if seat != state.seat_of(MASTERMIND)]
    seat = yield Field("seat", others, Text("Swaps with"), "seat")
    return {"do": "swap-roles", "seat": seat}


def _exchange_form(state: State) -> Form:
    take = yield Field("take", [str(card) for card in exchangeable(state)], Text("Card out of the trick"), "card")
    give = yield Field("give", state.unseen(), Text("Card from the hand"), "card")
    return {"do": "exchange", "take": take, "give": give}


def _cover_form(state: State) -> Form:
    """A cover card, where the round rule allows one; without it the form goes on."""
    over = coverable(state)
    if over is None or (yield Field("cover.as", [over], Text("Covered by the Mastermind"), optional=True, words=OVER)) is SKIP:
        return {}
    unseen = [name for name in state.unseen() if name != str(ACE)]
    card = yield Field("cover.card", unseen, Text("Cover card"), "card")
    if over == "trump":
        return {"cover": {"as": over, "card": card}}
    rule = yield Field("cover.rule", list(ROUND_RULES), Text("New round rule"), words=ROUND_RULES)
    return {"cover": {"as": over, "card": card, "rule": rule}}


# ---- a trick ---------------------------------------------------------------------------------------------------------


def _winner_form(state: State) -> Form:
    cover = yield from _cover_form(state)
    away = state.seat_of(MASTERMIND) if cover else None
    winner = yield Field("winner", [seat for seat in range(PLAYERS) if seat != away], Text("Winner"), "seat")
    return {"do": "trick", **cover, "winner": winner}


def _cards_form(state: State) -> Form:
    cover = yield from _cover_form(state)
    used = [cover["cover"]["card"]] if cover else []
    order = order_of_play(state.leader, state.seat_of(MASTERMIND) if cover else None)
    cards: list[str] = []
    for turn, seat in enumerate(order):
        playable = _playable(state, [*used, *cards], last=turn == len(order) - 1)
        cards.append((yield Field(path("cards", turn), playable, Text("Card of {player}", player=Name(seat)), "card")))
    return {"do": "trick", "cards": cards, **cover}


def _playable(state: State, used: Sequence[str], last: bool) -> list[str]:
    """The cards that can come next; the last card of eight known tricks is the purple 7 where it is missing."""
    unseen = [name for name in state.unseen() if name not in used]
    return [str(ACE)] if last and str(ACE) in unseen and ace_due(state) else unseen


# ---- the end of a round ----------------------------------------------------------------------------------------------


def _round_form(state: State) -> Form:
    told = yield from _tricks_form(state)
    tricks = told or state.tally
    ace = yield Field("ace", possible_aces(state, tricks), Text("Who has the purple 7?"), "seat")
    goal = Text("Does {player} show three colours?", player=Name(state.seat_of(REBEL)))
    rebel = yield Field("rebel", possible_goals(state, tricks, ace), goal)
    optional = state.all_in or state.rule != "last-trick-award"
    last = yield Field("last", possible_lasts(state, tricks), Text("Who took the last trick?"), "seat", optional=optional)
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
