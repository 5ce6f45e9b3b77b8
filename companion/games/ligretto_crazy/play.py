"""What a count of Ligretto Crazy leads to: whether it can be, what is doubtful about it, and with the last one the end of the round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.base import Facts, Name, Note, RuleError, Step, Text, many, names
from companion.games.ligretto_crazy.model import DECK, FEWEST_LEFT, UNLIKELY_SCORES, Count, Piles, Round, State


def count_one(state: State, action: Count) -> Step[State]:
    """One seat has counted, for the first time or again."""
    seat = action.seat
    counts = (*state.counts[:seat], Piles(action.scored, action.left), *state.counts[seat + 1 :])
    return _count(state, counts, (seat,), action.caller)


def count_all(state: State, action: Round) -> Step[State]:
    """Everybody has counted."""
    return _count(state, tuple(map(Piles, action.scored, action.left)), tuple(range(state.players)), action.caller)


def _count(state: State, counts: tuple[Piles | None, ...], entered: tuple[int, ...], caller: int | None) -> Step[State]:
    counted = replace(state, counts=counts, caller=state.caller if caller is None else caller)
    _check_cards(counted)
    return _closed(counted, (*_counted(counted, entered), *_doubts(counted, entered)))


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


# ---- doubts ----------------------------------------------------------------------------------------------------------


def _suspects(piles: Sequence[Piles]) -> list[int]:
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


# ---- the end of a round and of the game ------------------------------------------------------------------------------


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
    yield Note(Text("If not, somebody miscounted: most likely {players}.", players=names(_suspects(piles))), "LIG-18")
    if after.over:
        won = winners(after)
        text = many(
            "{players} wins with {points} points.",
            "{players} win with {points} points.",
            n=len(won),
            players=names(won),
            points=max(after.totals),
        )
        yield Note(text, "LIG-16")


def winners(state: State) -> list[int]:
    """Everybody with the most points, once the game is over."""
    best = max(state.totals)
    return [seat for seat, total in enumerate(state.totals) if total == best] if state.over else []
