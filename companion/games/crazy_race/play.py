"""What a report of Crazy Race leads to: an edge and what its winner moves, a stage, cards taken back, a race that was not entered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from companion.games.base import Action, Name, Note, RuleError, Step, Text, Verdict, check_claim, names
from companion.games.crazy_race.ending import end_race
from companion.games.crazy_race.lanes import move_in_turn
from companion.games.crazy_race.laying import by_seat, check_edges, check_laid, lay
from companion.games.crazy_race.model import (
    ANY,
    COPIES,
    EDGES,
    OPEN,
    STAGES,
    UNSAID,
    WORDS,
    Discard,
    Edge,
    Final,
    Laid,
    Shown,
    State,
    TakeBack,
    Team,
)
from companion.games.crazy_race.moving import check_nobody, checked_moves, edge_rule, unmoved
from companion.games.crazy_race.verdict import edge_verdict


def check_time(state: State, action: Action) -> None:
    """Tiles are given up when the race is over, and nothing else is done then."""
    if state.ended and not isinstance(action, Discard):
        text = Text("The race is over; it only waits for a tile from {players}.", players=names(sorted(set(state.pending))))
        raise RuleError(text, "RACE-20")
    if isinstance(action, Discard) and not state.ended:
        raise RuleError(Text("The race is still on; tiles are given up when it is over."), "RACE-21")


# ---- an edge ---------------------------------------------------------------------------------------------------------


def evaluate(state: State, action: Edge) -> Step[State]:
    if action.value == OPEN and action.animal != ANY:
        text = Text("A “?” stands at an edge without animal; for the {animal} give a number from 1 to 4.", animal=WORDS[action.animal])
        raise RuleError(text, "RACE-11")
    if action.cards is None:
        return _by_winner(state, action)
    return _by_cards(state, action, action.cards)


def _by_cards(state: State, action: Edge, cards: tuple[Laid, ...]) -> Step[State]:
    if action.count is not None:
        raise RuleError(Text("The cards show how many they are; leave out “count”."), "RECORD")
    shown = by_seat(cards)
    check_laid(state, shown)
    verdict = edge_verdict(cards, shown)
    _check_belief(verdict, action.winner)
    points = len(cards) if isinstance(action.value, str) else action.value
    laid = _entered(state, lay(state, shown), bool(cards), state.uncounted)
    return _carry_out(laid, action, verdict.winner, points, (_won_by_cards(state, shown, verdict), *_ran_out(laid, shown)))


def _entered(state: State, teams: tuple[Team, ...], busy: bool, uncounted: bool) -> State:
    return State(state.rules, teams, state.turnaround, state.finish, state.stages, state.edges + 1, state.busy + busy, uncounted)


def _check_belief(verdict: Verdict, winner: int | None) -> None:
    """What the table said, with null for nobody, must be what the cards say."""
    if winner is None and verdict.winner is not None:
        right = next(reason for reason in verdict.why if reason.seat == verdict.winner)
        raise RuleError(Text("Somebody does win this edge. {reason}", reason=right.text), right.rule)
    check_claim(verdict, None if winner == UNSAID else winner)


def _by_winner(state: State, action: Edge) -> Step[State]:
    winner = action.winner
    if winner == UNSAID:
        raise RuleError(Text("An edge needs its cards or its winner; null where nobody laid a card."), "RECORD")
    points = _told_points(state, action)
    if winner is None:
        empty = _entered(state, state.teams, False, state.uncounted)
        return _carry_out(empty, action, None, points, (Note(_nobody(state), "RACE-12"),))
    check_edges(state)
    text = Text("{player} wins edge {n} of stage {stage}.", player=Name(winner), **state.place)
    return _carry_out(_entered(state, state.teams, True, True), action, winner, points, (Note(text, "RACE-7"),))


def _told_points(state: State, action: Edge) -> int:
    """The points of an edge without its cards; for “?” the table says how many there were."""
    if action.winner is None or isinstance(action.value, int):
        if action.count is not None:
            raise RuleError(Text("A number of cards is given only where somebody wins an edge with “?”; leave out “count”."), "RECORD")
        return action.value if isinstance(action.value, int) else 0
    if action.count is None or not 1 <= action.count <= state.most_cards:
        text = Text("At an edge with “?” say how many cards lie there, everybody's together: 1 to {most}.", most=state.most_cards)
        raise RuleError(text, "RACE-11")
    return action.count


def _nobody(state: State) -> Text:
    return Text("Nobody wins edge {n} of stage {stage}: no card lies there.", **state.place)


def _won_by_cards(state: State, shown: Shown, verdict: Verdict) -> Note:
    if verdict.winner is None:
        return Note(_nobody(state), "RACE-12", verdict=verdict)
    total = sum(shown[verdict.winner])
    text = Text("{player} wins edge {n} of stage {stage} with {sum}.", player=Name(verdict.winner), sum=total, **state.place)
    return Note(text, "RACE-7", verdict=verdict)


def _ran_out(state: State, seats: Iterable[int]) -> Iterator[Note]:
    """Running out must be announced; once an edge was entered without its cards, nobody here can tell."""
    for seat in seats:
        if not (state.uncounted or state.teams[seat].cards_left):
            yield Note(_no_cards(state.teams[seat], Name(seat)), "RACE-19")


def _no_cards(team: Team, player: Name) -> Text:
    if team.took_back:
        return Text("{player} has used up the cards a second time and only watches from the next stage on.", player=player)
    return Text("{player} has no cards left in hand; the used ones can be taken back once.", player=player)


def _carry_out(state: State, action: Edge, winner: int | None, points: int, notes: tuple[Note, ...]) -> Step[State]:
    if winner is None:
        check_nobody(action)
        return _closed(state, notes)
    moves = checked_moves(state.teams[winner], action, winner, points)
    if not moves:
        return _closed(state, (*notes, unmoved(state.teams[winner], action.animal, winner)))
    return _closed(*move_in_turn(state, winner, moves, edge_rule(action), notes))


# ---- stages and cards ------------------------------------------------------------------------------------------------


def _closed(state: State, notes: tuple[Note, ...]) -> Step[State]:
    """The step after an edge; the fourth one closes the stage, and the last stage the race."""
    if state.edges < EDGES:
        return Step(state, notes)
    teams = tuple(replace(team, used=(*team.used, *team.laid), laid=()) for team in state.teams)
    after = replace(state, teams=teams, stages=state.stages + 1, edges=0, busy=0)
    if after.stages == STAGES:
        return end_race(after, (*notes, Note(Text("All eight stages are over, and so is the race."), "RACE-20")))
    if _used_up(after):
        return end_race(after, (*notes, Note(Text("Everybody has used up the cards a second time: the race is over."), "RACE-20")))
    text = Text("Stage {n} is over; {player} starts the next one.", n=after.stages, player=Name(after.start_player))
    return Step(after, (*notes, Note(text, "RACE-13")))


def _used_up(state: State) -> bool:
    return not state.uncounted and all(team.took_back and not team.hand for team in state.teams)


def take_back(state: State, action: TakeBack) -> Step[State]:
    team = state.teams[action.seat]
    if team.took_back:
        raise RuleError(Text("{player} has taken cards back already; that is possible once a game.", player=Name(action.seat)), "RACE-18")
    if not can_take_back(state, team):
        text = Text("{player} has no used cards yet; cards of the open stage stay where they lie.", player=Name(action.seat))
        raise RuleError(text, "RACE-18")
    back = replace(team, used=(), took_back=True, lies=tuple(each for each in team.lies if each[2] > state.stages))
    note = Note(Text("{player} takes the used cards back.", player=Name(action.seat)), "RACE-18")
    return Step(state.with_team(action.seat, back), (note,))


def can_take_back(state: State, team: Team) -> bool:
    return not team.took_back and (bool(team.used) or state.uncounted)


def end_early(state: State) -> Step[State]:
    if not between_stages(state):
        raise RuleError(Text("The race can end early only after a whole stage; enter its four edges first."), "RACE-20")
    if not state.uncounted:
        text = Text("All cards are known here: the race ends by itself when everybody has used them up a second time.")
        raise RuleError(text, "RACE-20")
    return end_race(state, (Note(Text("Nobody has cards left: the race is over."), "RACE-20"),))


def between_stages(state: State) -> bool:
    return state.stages > 0 and state.edges == 0


def score(state: State, action: Final) -> Step[State]:
    if state.stages or state.edges:
        raise RuleError(Text("A final score stands for a race that was not entered; this one is entered edge by edge."), "RECORD")
    for tile, n in Counter(chain(*action.tiles)).items():
        if n > COPIES:
            raise RuleError(Text("There are only two tiles with a {tile}, not {n}.", tile=tile, n=n), "RACE-1")
    held = (tuple(sorted(tiles, reverse=True)) for tiles in action.tiles)
    return end_race(replace(state, teams=tuple(map(Team, action.animals, held))), ())
