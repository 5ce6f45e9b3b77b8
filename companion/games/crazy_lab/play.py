"""What the reports of Crazy Lab lead to: colours, tricks, and the count that ends a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.base import Facts, Name, Note, RuleError, Step, Text, Verdict, changed, check_claim, many, names
from companion.games.cards import COLOURS as WORDS
from companion.games.crazy_lab.model import MAX_TRUMPS, Count, LabCard, Minus, Plus, Round, State, Sums, Taken, Trick
from companion.games.crazy_lab.verdict import trick_verdict

# ---- colours ---------------------------------------------------------------------------------------------------------


def take_minus(state: State, action: Minus) -> Step[State]:
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


def choose_plus(state: State, action: Plus) -> Step[State]:
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


def take_trick(state: State, action: Trick) -> Step[State]:
    if state.all_tricks_in:
        raise RuleError(Text("All ten tricks of this round are in; now count plus and minus."), "LAB-18")
    if action.trump and state.times_trump(action.trump) == MAX_TRUMPS:
        raise RuleError(no_fifth(action.trump), "LAB-8")
    if action.cards is None:
        return _book(state, action, _told_winner(action), None)
    verdict = trick_verdict(state.order, _known_trump(action), _one_each(state, action.cards))
    check_claim(verdict, action.winner)
    assert verdict.winner is not None
    return _book(state, action, verdict.winner, verdict)


def no_fifth(colour: str) -> Text:
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


# ---- scoring ---------------------------------------------------------------------------------------------------------


def count(state: State, action: Count) -> Step[State]:
    seat = action.seat
    sums = _checked(state, seat, Sums(action.plus, action.minus))
    counted = replace(state, counts=(*state.counts[:seat], sums, *state.counts[seat + 1 :]))
    text = Text("{player} counted {plus} plus and {minus} minus.", player=Name(seat), plus=sums.plus, minus=sums.minus)
    return _scored(counted, Note(text, "LAB-19"))


def count_all(state: State, action: Round) -> Step[State]:
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
    known = state.all_tricks_in and all(trick.cards for trick in state.tricks) and all(state.plus)
    if not known:
        return Step(state, notes)
    return _scored(replace(state, counts=tuple(summed(state, seat) for seat in range(state.players))), *notes)


def summed(state: State, seat: int) -> Sums:
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


def _revealed(state: State) -> Iterator[Note]:
    for seat, colour in enumerate(state.plus):
        if colour:
            yield Note(Text("{player} collected {colour}.", player=Name(seat), colour=WORDS[colour]), "LAB-5")


def _results(sums: Sequence[Sums]) -> Iterator[Note]:
    for seat, each in enumerate(sums):
        facts: Facts = {"player": Name(seat), "plus": each.plus, "minus": each.minus, "net": each.net}
        yield Note(Text("{player}: {plus} − {minus} = {net}.", **facts), "LAB-19")


# ---- rounds and the end ----------------------------------------------------------------------------------------------


def new_round(state: State) -> State:
    """A round in which nothing has been reported yet."""
    nothing = (None,) * state.players
    return replace(state, minus=None, plus=nothing, tricks=(), counts=nothing)


def _next_round(state: State, totals: tuple[int, ...]) -> State:
    after = replace(state, totals=totals, last=replace(state, last=None))
    tied = len(leaders(after)) > 1 and state.rules.tie == "extra-round"
    if state.round >= state.rules.rounds and not tied:
        return replace(new_round(after), over=True)
    return replace(new_round(after), round=state.round + 1, leader=(state.rules.starter + state.round) % state.players)


def leaders(state: State) -> list[int]:
    best = max(state.totals)
    return [seat for seat, total in enumerate(state.totals) if total == best]


def _ended(state: State) -> Iterator[Note]:
    if state.over:
        won = leaders(state)
        text = many(
            "{players} wins with {points} points.",
            "{players} win with {points} points.",
            n=len(won),
            players=names(won),
            points=max(state.totals),
        )
        yield Note(text, "LAB-22" if len(won) == 1 else "L1")
    elif state.round > state.rules.rounds:
        yield Note(Text("{players} are tied: one more round.", players=names(leaders(state))), "L1")
