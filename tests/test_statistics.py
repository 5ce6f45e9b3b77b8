"""Figures of finished matches, each worked out by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from companion.statistics import (
    Duel,
    Play,
    best_kind,
    by_kind,
    by_number,
    duel_of,
    duels_of,
    kinds_of,
    line_of,
    lines_by,
    nemesis,
    people_of,
    record_of,
    times_by_number,
    times_of,
    wins_in,
)

LAB, RACE = ("crazy-lab", ""), ("crazy-race", "")
START = datetime(2026, 3, 6, 20, tzinfo=UTC)


def play(*scores, kind=LAB, ranks=None, minutes=30, lowest=False, n=0):
    """A match from `("ana", 12), ("ben", 9)`: who, and how many points; the highest wins, or the lowest."""
    points = [each for _, each in scores]
    merits = [-each if lowest else each for each in points]
    ranks = ranks or [1 + sum(other > each for other in merits) for each in merits]
    started = START + timedelta(days=n)
    winners = frozenset(seat for seat, rank in enumerate(ranks) if rank == 1)
    people = tuple(who for who, _ in scores)
    return Play(f"m{n}", "n", kind, started, started + timedelta(minutes=minutes), people, tuple(points), tuple(ranks), winners, lowest)


FOUR = [
    play(("ana", 10), ("ben", 8), ("cem", 6), n=0),  # ana, ben, cem
    play(("ben", 9), ("ana", 9), n=1),  # both win
    play(("cem", 12), ("ben", 3), ("ana", 7), n=2),  # cem, ana, ben
    play(("ana", 5), ("cem", 4), kind=RACE, n=3),  # ana, cem
]


def of(who, plays=FOUR):
    return people_of(plays)[who]


# ---- one person ------------------------------------------------------------------------------------------------------


def test_a_line_counts_matches_wins_and_places():
    line = line_of("ana", of("ana"))
    assert (line.played, line.won) == (4, 3)
    assert line.place == (1 + 1 + 2 + 1) / 4
    assert line.points == (10 + 9 + 7 + 5) / 4


def test_a_match_with_two_winners_is_won_by_both():
    shared = [FOUR[1]]
    assert line_of("ana", shared).won == line_of("ben", shared).won == 1
    assert wins_in(shared) == {"ana": 1, "ben": 1}


def test_streaks_go_by_time_and_end_with_a_match_not_won():
    ana = line_of("ana", of("ana"))
    assert (ana.streak, ana.longest) == (1, 2)  # won, won, lost, won
    ben = line_of("ben", of("ben"))
    assert (ben.streak, ben.longest) == (0, 1)  # lost, won, lost


def test_the_best_match_has_the_most_points_and_is_the_first_of_several():
    plays = [play(("ana", 4), ("ben", 5), n=0), play(("ana", 7), ("ben", 9), n=1), play(("ana", 7), ("ben", 2), n=2)]
    assert line_of("ana", plays).best.match == "m1"


def test_where_few_points_are_good_the_best_are_the_fewest():
    golf = [play(("ana", 70), ("ben", 80), lowest=True, n=0), play(("ana", 65), ("ben", 60), lowest=True, n=1)]
    assert line_of("ana", golf).best.points_of("ana") == 65
    assert (record_of(golf).who, record_of(golf).points) == ("ben", 60)


def test_nobody_has_figures_without_a_match():
    assert line_of("ana", []) is None
    assert lines_by("ana", [], by_kind) == {}
    assert record_of([]) is None


def test_figures_by_game_put_the_most_played_first():
    lines = lines_by("ana", of("ana"), by_kind)
    assert [(kind, line.played, line.won) for kind, line in lines.items()] == [(LAB, 3, 2), (RACE, 1, 1)]


def test_figures_by_number_of_players():
    lines = lines_by("ana", of("ana"), by_number)
    assert {number: (line.played, line.place) for number, line in lines.items()} == {2: (2, 1.0), 3: (2, 1.5)}


def test_the_best_game_is_the_one_won_most_often():
    assert best_kind(lines_by("ana", of("ana"), by_kind)) == LAB
    assert best_kind(lines_by("ben", [FOUR[0]], by_kind)) is None


def test_two_games_of_the_score_sheet_are_two_games():
    plays = [play(("ana", 1), ("ben", 0), kind=("score-sheet", title), n=n) for n, title in enumerate(("Wizard", "Hearts", "Wizard"))]
    assert {kind[1]: len(some) for kind, some in kinds_of(plays).items()} == {"Wizard": 2, "Hearts": 1}


# ---- head to head ----------------------------------------------------------------------------------------------------


def test_head_to_head_counts_who_was_ahead():
    assert duels_of("ana", of("ana")) == {"ben": Duel(2, 0, 1), "cem": Duel(2, 1, 0)}
    assert duel_of("cem", "ana", [each for each in FOUR if "cem" in each.people]) == Duel(1, 2, 0)


def test_head_to_head_is_the_same_from_both_sides():
    for one in ("ana", "ben", "cem"):
        for other, duel in duels_of(one, of(one)).items():
            assert duels_of(other, of(other))[one] == Duel(duel.behind, duel.ahead, duel.level)


def test_partners_are_level():
    teams = play(("ana", 12), ("ben", 9), ("cem", 12), ("dia", 9))
    assert duels_of("ana", [teams]) == {"ben": Duel(1), "cem": Duel(level=1), "dia": Duel(1)}
    assert wins_in([teams]) == {"ana": 1, "cem": 1}


def test_the_nemesis_is_whoever_is_ahead_most_often():
    assert nemesis(duels_of("ben", of("ben"))) == "ana"
    assert nemesis(duels_of("ana", of("ana"))) is None  # nobody is
    assert nemesis({}) is None


# ---- one game --------------------------------------------------------------------------------------------------------


def test_how_long_a_game_takes_is_the_middle_one():
    """A match that was left lying for a week changes nothing."""
    plays = [play(("ana", 1), ("ben", 0), minutes=minutes) for minutes in (20, 7 * 24 * 60, 40)]
    assert times_of(plays).took == timedelta(minutes=40)


def test_what_it_takes_to_win_counts_every_winner():
    assert times_of(FOUR[:3]).winning == (10 + 9 + 9 + 12) / 4


def test_a_game_by_number_of_players():
    assert {number: times.played for number, times in times_by_number(FOUR).items()} == {2: 2, 3: 2}


def test_a_record_names_who_and_when():
    record = record_of(FOUR)
    assert (record.who, record.points, record.play.match) == ("cem", 12, "m2")


# ---- those who were forgotten, and those who were merged -------------------------------------------------------------


def test_somebody_forgotten_has_no_figures_and_the_others_keep_theirs():
    plays = [play(("ana", 10), (None, 20), ("cem", 5))]
    assert set(people_of(plays)) == {"ana", "cem"}
    assert (line_of("ana", plays).place, line_of("cem", plays).place) == (2.0, 3.0)
    assert duels_of("ana", plays) == {"cem": Duel(1)}
    assert wins_in(plays) == {}
    assert record_of(plays).points == 10
    assert list(times_by_number(plays)) == [3]
    assert record_of([play((None, 1), (None, 2))]) is None


def test_two_seats_of_one_person_count_once_with_the_better_one():
    twice = [play(("ana", 3), ("ben", 5), ("ana", 9))]
    line = line_of("ana", twice)
    assert (line.played, line.won, line.place, line.points) == (1, 1, 1.0, 9.0)
    assert duels_of("ana", twice) == {"ben": Duel(1)}
    assert people_of(twice)["ana"] == twice


@pytest.mark.parametrize("who", ["ana", "ben", "cem"])
def test_every_match_is_ahead_behind_or_level(who):
    for other, duel in duels_of(who, of(who)).items():
        assert duel.met == sum(other in each.people for each in of(who))
