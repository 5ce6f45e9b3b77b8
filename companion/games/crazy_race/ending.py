"""How a race ends: who is last and second-last, which tiles they lose, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.base import Facts, Name, Note, RuleError, Standing, Step, Text, many, names, ranked
from companion.games.crazy_race.model import ANIMALS, HOME, Discard, State, Team, without


def end_race(state: State, notes: tuple[Note, ...]) -> Step[State]:
    """Both penalties look at the same final positions (R16): first the last animals lose tiles, then the second-last."""
    ended = replace(state, ended=True)
    last, second = _behind(state)
    told = [*notes, *_no_penalty(state, last, second)]
    for seat in last:
        ended, note = _lose_best(ended, seat)
        told.append(note)
    for seat in dict.fromkeys(second):
        ended, owed = _fine(ended, seat, second.count(seat))
        told += owed
    return _decided(ended, told)


# ---- who is behind ---------------------------------------------------------------------------------------------------


def _unfinished(state: State) -> list[tuple[int, int]]:
    """Progress and seat of every animal that is not home, rearmost first."""
    return sorted((progress, seat) for seat, team in enumerate(state.teams) for progress in team.animals if progress < HOME)


def _standing_at(state: State, places: Sequence[int]) -> list[tuple[int, str]]:
    """Seat and animal of all that stand there."""
    lanes = [(seat, animal, at) for seat, team in enumerate(state.teams) for animal, at in zip(ANIMALS, team.animals, strict=True)]
    return [(seat, animal) for seat, animal, at in lanes if at in places]


def _behind(state: State) -> tuple[list[int], list[int]]:
    """Who has the last and who the second-last animals; a seat as often as it loses a tile for them."""
    animals = _unfinished(state)
    places = list(dict.fromkeys(progress for progress, _ in animals))
    last = [seat for progress, seat in animals if progress in places[:1]]
    second = [] if _place_used_up(state) else [seat for progress, seat in animals if progress in places[1:2]]
    if state.rules.penalty_per == "animal":
        return last, second
    return list(dict.fromkeys(last)), list(dict.fromkeys(second))


def _place_used_up(state: State) -> bool:
    """By house rule, animals that tie for last take the second-last place as well."""
    rearmost = [progress for progress, _ in _unfinished(state)[:2]]
    return state.rules.second_last == "skip-after-tie" and len(rearmost) == 2 and rearmost[0] == rearmost[1]


def penalised(state: State) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Seat and animal of everyone in the last and in the second-last place, who pay when the race is over."""
    places = list(dict.fromkeys(progress for progress, _ in _unfinished(state)))
    return _standing_at(state, places[:1]), [] if _place_used_up(state) else _standing_at(state, places[1:2])


# ---- penalties -------------------------------------------------------------------------------------------------------


def _no_penalty(state: State, last: list[int], second: list[int]) -> Iterator[Note]:
    if not last:
        yield Note(Text("Every animal is home: nobody loses a tile."), "RACE-21")
    elif _place_used_up(state):
        yield Note(Text("Several animals are tied for last, so none is second-last."), "R7")
    elif not second:
        yield Note(Text("No animal is second-last: there is only one penalty."), "RACE-21")


def _lose_best(state: State, seat: int) -> tuple[State, Note]:
    team = state.teams[seat]
    if not team.tiles:
        return state, Note(Text("{player} has a last animal, but no tile to lose.", player=Name(seat)), "RACE-21")
    text = Text("{player} has a last animal and loses the most valuable tile, the {tile}.", player=Name(seat), tile=team.tiles[0])
    return state.with_team(seat, replace(team, tiles=team.tiles[1:])), Note(text, "RACE-21")


def _fine(state: State, seat: int, tiles: int) -> tuple[State, list[Note]]:
    """What the owner of a second-last animal has to choose; where there is no choice it happens at once."""
    team, notes = _forced(replace(state.teams[seat], owes=tiles), seat)
    if team.owes:
        text = many(
            "{player} has a second-last animal and chooses a tile to give up.",
            "{player} has second-last animals and chooses {n} tiles to give up.",
            n=team.owes,
            player=Name(seat),
        )
        notes.append(Note(text, "RACE-21"))
    return state.with_team(seat, team), notes


def _forced(team: Team, seat: int) -> tuple[Team, list[Note]]:
    """The team after everything that leaves no choice: no tile, or only equal ones."""
    notes: list[Note] = []
    while team.owes and len(set(team.tiles)) < 2:
        notes.append(Note(_no_choice(team, seat), "RACE-21"))
        team = replace(team, tiles=team.tiles[1:], owes=team.owes - 1)
    return team, notes


def _no_choice(team: Team, seat: int) -> Text:
    if not team.tiles:
        return Text("{player} has a second-last animal, but no tile to give up.", player=Name(seat))
    return Text("{player} has a second-last animal and gives up the {tile}, without another choice.", player=Name(seat), tile=team.tiles[0])


def give_up(state: State, action: Discard) -> Step[State]:
    seat, tile, team = action.seat, action.tile, state.teams[action.seat]
    if not team.owes:
        raise RuleError(Text("{player} owes no tile.", player=Name(seat)), "RACE-21")
    if tile not in team.tiles:
        text = Text("{player} has no tile {tile} to give up, only {tiles}.", player=Name(seat), tile=tile, tiles=team.tiles)
        raise RuleError(text, "RACE-21")
    left, forced = _forced(replace(team, tiles=without(team.tiles, (tile,)), owes=team.owes - 1), seat)
    given_up = Note(Text("{player} gives up the {tile}.", player=Name(seat), tile=tile), "RACE-21")
    return _decided(state.with_team(seat, left), [given_up, *forced])


# ---- who has won -----------------------------------------------------------------------------------------------------


def _decided(state: State, notes: list[Note]) -> Step[State]:
    return Step(state, (*notes, _victory(state)) if state.over else tuple(notes))


def _victory(state: State) -> Note:
    won = _winners(state)
    team = state.teams[won[0]]
    facts: Facts = {"players": names(won), "points": team.points}
    if _tiebreak(state, won[0]):
        text = many(
            "{players} wins with {points} points: among equals, with the rearmost animal furthest ahead.",
            "{players} win with {points} points: among equals, with the rearmost animals furthest ahead.",
            n=len(won),
            **facts,
        )
    else:
        text = many("{players} wins with {points} points.", "{players} win with {points} points.", n=len(won), **facts)
    return Note(text, "RACE-22" if len(won) == 1 else "R10")


def standings(state: State) -> tuple[Standing, ...]:
    """Everybody's points and place; what breaks a tie counts once the race is over."""
    points = [team.points for team in state.teams]
    if not state.over:
        return ranked(points)
    found = ranked(points, _winners(state), [_strength(team) for team in state.teams])
    return tuple(replace(standing, tiebreak=_tiebreak(state, standing.seat)) for standing in found)


def _strength(team: Team) -> tuple[int, int]:
    """What decides: the points, then the rearmost animal."""
    return team.points, team.rearmost


def _winners(state: State) -> list[int]:
    best = max(map(_strength, state.teams))
    return [seat for seat, team in enumerate(state.teams) if _strength(team) == best]


def _tiebreak(state: State, seat: int) -> Text | None:
    """What separates a seat from others with the same points."""
    own = state.teams[seat]
    if len({team.rearmost for team in state.teams if team.points == own.points}) == 1:
        return None
    return Text("Among equal points the rearmost animal decides: this one came {progress} of {home}.", progress=own.rearmost, home=HOME)
