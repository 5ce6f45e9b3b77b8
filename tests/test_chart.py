"""Where the lines of the chart go: inside the picture, apart from each other, whatever the numbers are."""

import random
from itertools import pairwise

import pytest
from test_course import course

from companion.chart import ROW, TOP, WIDTH, chart_of
from companion.course import Course

NAMES = [
    "Maximiliane Wolkenstein-",
    "Benedikt von der Au-Hohe",
    "Ana",
    "王小明王小明王小明王小明",
    "👨‍👩‍👧‍👦" * 24,
    "Öykü",
    "W" * 24,
    "i" * 24,
]


def walk(rounds, seats, seed=1, most=40):
    chance, totals = random.Random(seed), [0] * seats
    found = []
    for _ in range(rounds):
        totals = [total + chance.randint(-most, most) for total in totals]
        found.append(tuple(totals))
    return found


CASES = {
    "one round": walk(1, 4),
    "two hundred rounds, eight seats": walk(200, 8),
    "all below zero": [(-3, -9), (-20, -30)],
    "nothing but zeros": [(0, 0, 0), (0, 0, 0)],
    "one point": [(0, 1)],
    "six digits": [(999_999, -999_999), (1, 2)],
    "equal but for one": [(5, 5, 5), (9, 9, 8)],
}


@pytest.mark.parametrize("case", CASES)
def test_everything_lies_inside_the_picture(case):
    chart = chart_of(course(*CASES[case]), NAMES)
    field = chart.field
    assert 0 < field.left < field.right < WIDTH
    assert field.right - field.left > 80  # there is room for lines
    for curve in chart.curves:
        assert all(field.left <= x <= field.right and TOP <= y <= field.floor for x, y in (*curve.dots, *curve.signs))
        assert TOP <= curve.label_y <= field.floor
    assert all(TOP <= y <= field.floor for _, y in chart.guides)
    assert all(field.left <= x <= field.right for _, x in chart.steps)


@pytest.mark.parametrize("case", CASES)
def test_no_label_covers_another(case):
    heights = sorted(curve.label_y for curve in chart_of(course(*CASES[case]), NAMES).curves)
    assert all(low - high >= ROW - 0.2 for high, low in pairwise(heights))


@pytest.mark.parametrize("case", CASES)
def test_there_are_a_few_guides_and_steps_and_zero_is_among_the_guides(case):
    chart = chart_of(course(*CASES[case]), NAMES)
    assert 1 <= len(chart.guides) <= 6
    assert 0 in [value for value, _ in chart.guides]
    assert 1 <= len(chart.steps) <= 6
    assert chart.steps[-1][0].n == len(CASES[case])


def test_before_the_first_round_there_is_still_a_field():
    """Nobody draws it, but nothing breaks."""
    chart = chart_of(Course(course((1, 2)).marks[:1], over=False), NAMES)
    assert [curve.dots[0][1] for curve in chart.curves] == [chart.field.floor]


def test_more_points_are_higher_and_later_rounds_further_right():
    (ana, ben) = sorted(chart_of(course((1, 9), (5, 20)), ["Ana", "Ben"]).curves, key=lambda curve: curve.side)
    assert ana.dots[1][1] > ben.dots[1][1]
    assert ana.dots[0][0] < ana.dots[1][0] < ana.dots[2][0]


def test_no_two_of_eight_seats_look_the_same():
    curves = chart_of(course(*walk(9, 8)), NAMES).curves
    assert len({curve.kind for curve in curves}) == 8


def test_partners_have_one_line_with_both_names():
    curves = chart_of(course((1, 0, 1, 0), (1, 3, 1, 3)), ["Ana", "Ben", "Cem", "Dia"]).curves
    assert [curve.label for curve in curves] == ["Ben & Dia", "Ana & Cem"]


def test_a_long_name_leaves_the_lines_their_room():
    rooms = [chart_of(course((1, 2)), [name, "Ben"]).field.right for name in ("Ana", "Maximiliane", "M" * 24, "王小明王小明", "王" * 24)]
    assert rooms[0] > rooms[1] == rooms[2] == rooms[3] == rooms[4]


def test_hundreds_of_rounds_have_no_more_signs_than_a_few():
    assert all(len(curve.signs) <= 7 for curve in chart_of(course(*walk(200, 8)), NAMES).curves)
