"""What the winner of an edge of Crazy Race may move, and why nothing else."""

from __future__ import annotations

from companion.games.base import Facts, Name, Note, RuleError, Text, many
from companion.games.crazy_race.model import ANIMALS, ANY, HOME, OPEN, WORDS, Edge, Move, Team


def check_nobody(action: Edge) -> None:
    if action.moves:
        raise RuleError(Text("Nobody laid a card at this edge, so nobody moves; leave out “moves”."), "RACE-12")


def edge_rule(action: Edge) -> str:
    if action.animal != ANY:
        return "RACE-9"
    return "RACE-11" if action.value == OPEN else "RACE-10"


def checked_moves(team: Team, action: Edge, winner: int, points: int) -> tuple[Move, ...]:
    """The moves of a winner, checked: for a named animal they are known, else they were chosen."""
    if action.animal != ANY:
        return _named_move(team, action, winner, points)
    if action.moves is None:
        text = Text("Say which animals {player} moves, or with an empty list that {player} does not want to.", player=Name(winner))
        raise RuleError(text, edge_rule(action))
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


def _check_movable(team: Team, chosen: tuple[Move, ...], winner: int) -> None:
    left = team.on_track
    for animal, _ in chosen:
        facts: Facts = {"animal": WORDS[animal], "player": Name(winner)}
        if team.animals[ANIMALS.index(animal)] == HOME:
            raise RuleError(Text("The {animal} of {player} is home already and cannot move; choose another.", **facts), "RACE-16")
        if animal not in left:
            raise RuleError(Text("Name the {animal} of {player} only once, with all its points.", **facts), "RACE-11")
        left.remove(animal)


def _check_points(action: Edge, winner: int, points: int) -> None:
    """All points or none; only those of “?” can be split."""
    chosen = action.moves or ()
    if len(chosen) > 1 and action.value != OPEN:
        raise RuleError(Text("Only the points of “?” can be split; here {player} moves one animal.", player=Name(winner)), "RACE-10")
    total = sum(each for _, each in chosen)
    if chosen and total != points:
        text = many(
            "{player} has {n} point here and moves it or none at all, not {total}.",
            "{player} has {n} points here and moves all of them or none at all, not {total}.",
            n=points,
            player=Name(winner),
            total=total,
        )
        raise RuleError(text, "RACE-11" if action.value == OPEN else "R5")


def unmoved(team: Team, animal: str, winner: int) -> Note:
    """Why nothing moves although somebody won."""
    if not team.on_track:
        return Note(Text("All animals of {player} are home; nothing moves.", player=Name(winner)), "RACE-16")
    if animal == ANY or animal in team.on_track:
        return Note(Text("{player} does not want to move.", player=Name(winner)), "R5")
    text = Text("The {animal} of {player} is home already; nothing moves.", animal=WORDS[animal], player=Name(winner))
    return Note(text, "RACE-9")
