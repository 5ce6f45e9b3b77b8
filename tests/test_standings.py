"""The standings of a night: what a match is worth by each scheme, ties, teams, and who is ahead."""

import pytest

from companion.games.base import say
from companion.standings import SCHEMES, USUAL, Played, lasted, of_night, scheme_of


def match(ranks, winners=None, people="abcdefgh", id="m", minutes=30):
    won = [seat for seat, rank in enumerate(ranks) if rank == 1] if winners is None else winners
    return Played(id, "ligretto-crazy", tuple(people[: len(ranks)]), tuple(ranks), frozenset(won), minutes)


def points(scheme, *matches):
    return {line.person: line.points for line in of_night(matches, SCHEMES[scheme])}


@pytest.mark.parametrize(
    ("scheme", "worth"),
    [
        ("beaten", {"a": 4, "b": 3, "c": 2, "d": 1}),
        ("places", {"a": 3, "b": 2, "c": 1, "d": 0}),
        ("winner", {"a": 1, "b": 0, "c": 0, "d": 0}),
    ],
)
def test_what_a_match_is_worth(scheme, worth):
    assert points(scheme, match([1, 2, 3, 4])) == worth


@pytest.mark.parametrize(
    ("scheme", "worth"), [("beaten", {"a": 2, "b": 2, "c": 1}), ("places", {"a": 3, "b": 3, "c": 1}), ("winner", {"a": 1, "b": 1, "c": 0})]
)
def test_several_winners_get_the_same(scheme, worth):
    assert points(scheme, match([1, 1, 3])) == worth


@pytest.mark.parametrize("scheme", SCHEMES)
def test_partners_get_the_same_and_more_than_the_others(scheme):
    found = points(scheme, match([1, 3, 1, 3]))
    assert found["a"] == found["c"] > found["b"] == found["d"]


def test_a_win_against_more_people_is_worth_more_by_players_beaten():
    assert points("beaten", match([1, 2, 3, 4, 5]))["a"] > points("beaten", match([1, 2]))["a"]


def test_everybody_gets_what_each_match_brought():
    lines = of_night([match([1, 2, 3]), match([2, 1], people="cd")], SCHEMES["beaten"])
    assert [(line.rank, line.person, line.points, line.wins, len(line.results)) for line in lines] == [
        (1, "a", 3, 1, 1),
        (2, "d", 2, 1, 1),
        (3, "b", 2, 0, 1),
        (3, "c", 2, 0, 2),
    ]


def test_among_equal_points_the_wins_decide_and_it_says_so():
    lines = {line.person: line for line in of_night([match([1, 2, 3]), match([2, 1], people="cd")], SCHEMES["beaten"])}
    assert say(lines["d"].tiebreak, ()) == "Equal points: more wins decide."
    assert lines["b"].tiebreak is not None
    assert lines["a"].tiebreak is None


def test_equal_points_and_wins_share_the_place():
    lines = of_night([match([1, 2]), match([2, 1])], SCHEMES["places"])
    assert [(line.rank, line.points, line.tiebreak) for line in lines] == [(1, 5, None), (1, 5, None)]


def test_a_night_without_a_finished_match_has_no_lines():
    assert of_night([], SCHEMES[USUAL]) == []


def test_a_scheme_nobody_knows_counts_as_usual():
    """A file from a newer program, or changed by hand."""
    assert scheme_of("shaken") is SCHEMES[USUAL]


def test_who_came_in_where():
    assert match([2, 3, 1]).placed == [(1, "c"), (2, "a"), (3, "b")]


@pytest.mark.parametrize(
    ("minutes", "words"), [(1, "1 minute"), (59, "59 minutes"), (60, "1 h 0 min"), (125, "2 h 5 min"), (1440, "1 day"), (10_100, "7 days")]
)
def test_how_long_it_took_in_words(minutes, words):
    assert say(lasted(minutes), ()) == words
