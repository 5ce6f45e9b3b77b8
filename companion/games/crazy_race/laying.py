"""The cards at an edge of Crazy Race: whether they can lie there, and why one cannot."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Facts, Name, RuleError, Text
from companion.games.crazy_race.model import MAX_CARDS, MAX_SUM, Laid, Shown, State, Team


def by_seat(cards: Sequence[Laid]) -> dict[int, list[int]]:
    """Each player's cards at an edge, players in the order of their first card."""
    shown: dict[int, list[int]] = {}
    for seat, card in cards:
        shown.setdefault(seat, []).append(card)
    return shown


def lay(state: State, shown: Shown) -> tuple[Team, ...]:
    teams = list(state.teams)
    for seat, own in shown.items():
        teams[seat] = teams[seat].lay(own, state.edges + 1, state.stages + 1)
    return tuple(teams)


def check_laid(state: State, shown: Shown) -> None:
    if shown:
        check_edges(state)
    for seat, own in shown.items():
        _check_own(state.teams[seat], seat, own)


def check_edges(state: State) -> None:
    if state.full:
        text = Text("Three edges of this stage have cards already; with three players the fourth stays empty.")
        raise RuleError(text, "RACE-5")


def _check_own(team: Team, seat: int, own: Sequence[int]) -> None:
    """What one player laid at an edge must be possible with the cards in hand."""
    if sum(own) > MAX_SUM:
        text = Text("{player} cannot have {sum} at one edge: 6, 4 and 3 make the highest sum, 13.", player=Name(seat), sum=sum(own))
        raise RuleError(text, "RACE-7")
    if len(team.laid) + len(own) > MAX_CARDS:
        n = len(team.laid) + len(own)
        raise RuleError(Text("{player} lays at most 3 cards in a stage, not {n}.", player=Name(seat), n=n), "RACE-4")
    hand = list(team.hand)
    for card in own:
        if card not in hand:
            raise not_in_hand(team, seat, card)
        hand.remove(card)


def not_in_hand(team: Team, seat: int, card: int) -> RuleError:
    facts: Facts = {"player": Name(seat), "card": card, "places": _places(team, card)}
    if card not in team.used:
        return RuleError(_lies_here(facts) if facts["places"] else _never_had(facts), "RACE-3")
    if team.took_back:
        text = Text("{player} has used the {card} again at {places}, after taking cards back; that is possible only once a game.", **facts)
    else:
        text = Text("{player} has used the {card} at {places}; to lay it again, enter first that {player} takes cards back.", **facts)
    return RuleError(text, "RACE-18")


def _places(team: Team, card: int) -> tuple[Text, ...]:
    return tuple(Text("edge {n} of stage {stage}", n=edge, stage=stage) for each, edge, stage in team.lies if each == card)


def _lies_here(facts: Facts) -> Text:
    return Text("{player} has no further {card}: laid at {places}.", **facts)


def _never_had(facts: Facts) -> Text:
    return Text("{player} has no further {card}: everybody's cards are 1, 1, 2, 2, 3, 3, 4 and 6.", **facts)
