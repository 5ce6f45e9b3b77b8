"""How a match went: marks from the log of any game, sides, leads, turning points in words."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from itertools import pairwise

import pytest

from companion.course import Course, leads, turning_points
from companion.games import GAMES, read_options
from companion.games.base import EVERYBODY, Standing, say
from companion.match_log import LogEntry, Mark, begin, fold

NAMES = ("Ana", "Ben", "Cem", "Dia")


def course(*totals, kind="round", winners=None, over=True, lowest=False, ranks=None):
    """A match by its totals after each round; those with the best total have won."""
    marks = [_mark("start", 0, (0,) * len(totals[0]), lowest)]
    for n, points in enumerate(totals, 1):
        scored = tuple(after - before for before, after in zip(marks[-1].points, points, strict=True)) if kind == "round" else ()
        marks.append(replace(_mark(kind, n, points, lowest), scored=scored))
    last = marks.pop()
    won = winners if winners is not None else [each.seat for each in last.standings if each.rank == 1]
    places = ranks or last.ranks
    final = [Standing(each.seat, each.points, places[each.seat], over and each.seat in won) for each in last.standings]
    return Course([*marks, replace(last, standings=tuple(final))], over)


def _mark(kind, n, points, lowest):
    keys = [-each for each in points] if lowest else points
    places = [1 + sum(other > key for other in keys) for key in keys]
    return Mark(kind, n, tuple(Standing(seat, points[seat], places[seat]) for seat in range(len(points))))


def told(*totals, **more):
    return [say(text, NAMES) for text in turning_points(course(*totals, **more))]


# ---- turning points --------------------------------------------------------------------------------------------------


def test_before_the_first_round_there_is_nothing_to_tell():
    assert turning_points(Course([_mark("start", 0, (0, 0), False)], over=False)) == []


def test_a_winner_who_was_last_is_worth_a_word():
    assert told((5, 9, 7), (8, 20, 15), (40, 25, 20)) == [
        "After round 2 Ana still lay last, and won in the end.",
        "Ana took the lead only at the very end, with round 3.",
        "Ben led from round 1 to round 2.",
        "The most points in one round: 32, for Ana in round 3.",
    ]


def test_a_winner_who_was_never_behind_led_from_start_to_finish():
    assert told((9, 5), (20, 8), (40, 25))[0] == "Ana led from start to finish."


def test_a_lead_taken_in_the_middle_was_kept():
    assert "Ben took the lead with round 2 and kept it." in told((9, 5), (9, 20), (9, 40), (10, 41))


def test_a_lead_that_was_shared_for_a_while_was_not_lost():
    assert told((9, 5), (20, 20), (40, 25))[0] == "Ana led from start to finish."


def test_the_longest_lead_that_did_not_last_is_told():
    found = told((1, 5, 0), (2, 7, 0), (3, 4, 9), (4, 12, 9), (5, 13, 9), (6, 14, 9), (30, 15, 9))
    assert "Ben led from round 4 to round 6." in found
    assert "The lead changed 3 times." in found


def test_a_lead_of_one_round_is_no_lead_to_speak_of():
    assert not [text for text in told((9, 5), (9, 20), (9, 40)) if "led from" in text]


def test_a_close_end_is_told():
    assert told((50, 20), (70, 71))[-1] == "It was decided by 1 point."
    assert told((50, 20), (98, 103))[-1] == "It was decided by 5 points."
    assert not [text for text in told((50, 20), (97, 103)) if "decided" in text]


def test_equal_points_were_decided_by_the_tie_break():
    assert told((1, 0), (3, 3), winners=[1], ranks=(2, 1))[-1] == "Equal points: the tie-break decided."


def test_where_points_do_not_decide_their_margin_is_no_matter():
    """Tricky Cribby is won by majorities: the winner may hold fewer tiles."""
    assert not [text for text in told((3, 4, 2), (9, 10, 8), winners=[0], ranks=(1, 2, 3)) if "decided" in text]


def test_where_unequal_points_shared_a_place_points_do_not_decide():
    first, last = course((3, 4)).marks[1], course((9, 10)).marks[1]
    together = replace(first, standings=tuple(replace(each, rank=1) for each in first.standings))
    marks = [course((3, 4)).marks[0], together, last]
    assert not [text for text in turning_points(Course(marks, over=True)) if "decided" in text.key]
    assert [text for text in turning_points(Course([*marks[:1], first, last], over=True)) if "decided" in text.key]


def test_a_match_of_one_round_has_no_lead_to_tell():
    assert told((5, 90)) == []


def test_the_lowest_can_win():
    found = told((5, 9), (20, 12), (22, 30), lowest=True)
    assert found[0] == "After round 2 Ana still lay last, and won in the end."


def test_several_winners_share_the_victory():
    assert told((5, 9, 1), (20, 20, 3))[0] == "Ana and Ben share the victory."


def test_partners_are_one_side():
    one = course((1, 0, 1, 0), (1, 3, 1, 3), (5, 3, 5, 3), kind="entry")
    assert one.sides == [(0, 2), (1, 3)]
    assert say(turning_points(one)[0], NAMES) == "After entry 2 Ana and Cem still lay last, and won in the end."


def test_where_all_are_equal_nobody_leads():
    assert leads(course((5, 5), (9, 9), over=False)) == []
    assert told((5, 5)) == ["Ana and Ben share the victory."]


def test_while_it_runs_it_says_who_is_in_front_and_nothing_about_winning():
    assert told((5, 9), (20, 12), over=False) == ["In front since round 2: Ana."]


def test_two_equally_good_rounds_are_not_the_best_one():
    assert not [text for text in told((9, 5), (18, 8), (20, 9)) if "most points" in text]


def test_points_of_a_round_that_is_still_open_are_no_round():
    closed, opened = course((5, 9), (20, 12), (21, 40), over=False), _mark("entry", 9, (99, 40), False)
    both = Course([*closed.marks, opened], over=False)
    assert both.rounds == 3
    assert [say(text, NAMES) for text in turning_points(both)][-1] == "The most points in one round: 28, for Ben in round 3."
    assert say(turning_points(both)[0], NAMES) == "In front since entry 9: Ana."


# ---- the marks of real matches ---------------------------------------------------------------------------------------


def replayed(game):
    record = json.loads((files("companion.games") / "examples" / f"{game}.json").read_text(encoding="utf-8"))
    played, players = GAMES[game], len(record["players"])
    lines = [LogEntry(n, "act", action, None, "ana", f"key {n}", datetime.now(UTC)) for n, action in enumerate(record["actions"], 1)]
    position = fold(begin(played, players, read_options(played, record.get("options", {}), players)), lines)
    return position, Course(position.seen_by(EVERYBODY).marks(), position.over)


@pytest.mark.parametrize("game", ["crazy-lab", "ligretto-crazy", "the-academy"])
def test_a_game_with_rounds_has_a_mark_a_round(game):
    position, found = replayed(game)
    assert found.rounds == len(position.rounds)
    assert [mark.n for mark in found.played] == list(range(1, len(position.rounds) + 1))
    sums = tuple(sum(scored) for scored in zip(*position.rounds, strict=True))
    assert found.last.points == sums


@pytest.mark.parametrize("game", ["crazy-race", "tricky-cribby"])
def test_a_game_without_rounds_has_a_mark_for_every_entry_that_changed_something(game):
    position, found = replayed(game)
    assert not found.rounds
    assert len(found.played) > 10
    assert all((one.points, one.ranks) != (two.points, two.ranks) for one, two in pairwise(found.marks))
    assert found.last.standings == position.game.standings(position.state)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_ends_with_its_standings_and_can_be_told(game):
    position, found = replayed(game)
    assert found.last.standings == position.game.standings(position.state)
    assert all(say(text, [f"player {seat}" for seat in range(8)]) for text in turning_points(found))
