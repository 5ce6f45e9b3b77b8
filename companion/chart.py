"""Where the lines of a match's chart go: numbers for the template that draws it. Copes with one round and with hundreds."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

import regex

from companion.course import Course, Side
from companion.match_log import Mark

WIDTH, TOP, DEPTH, BELOW = 340.0, 12.0, 164.0, 32.0  # the picture's width, then from above: air, the field, the numbers of the rounds
DIGIT, LETTER, ROW = 7.6, 7.0, 15.0  # how wide a digit and a letter are, how high a label is
MAX_LABEL = 11  # letters; what is longer fades out at the edge
GUIDES, STEPS, SIGNS = 4, 6, 7  # about as many: horizontal lines, numbers below, signs on a line
KINDS = 8  # of signs and dashes
Dot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Field:
    """Where points and marks lie in the picture."""

    left: float
    right: float
    floor: float
    lowest: int
    highest: int
    marks: int

    def x(self, n: int) -> float:
        return round(self.left + (self.right - self.left) * n / max(1, self.marks - 1), 1)

    def y(self, points: int) -> float:
        return round(self.floor - (self.floor - TOP) * (points - self.lowest) / (self.highest - self.lowest), 1)


@dataclass(frozen=True, slots=True)
class Curve:
    """The line of one side."""

    side: Side
    dots: tuple[Dot, ...]
    signs: tuple[Dot, ...]  # where its sign stands on it
    points: int  # at the end
    label: str
    label_y: float

    @property
    def kind(self) -> int:
        """Its dashes and its sign: colour is never alone."""
        return self.side[0] % KINDS


@dataclass(frozen=True, slots=True)
class Chart:
    field: Field
    curves: tuple[Curve, ...]
    guides: tuple[tuple[int, float], ...]  # a number of points, and how high it lies
    steps: tuple[tuple[Mark, float], ...]  # a mark that is named below, and where
    width: float = WIDTH

    @property
    def height(self) -> float:
        return self.field.floor + BELOW


def chart_of(course: Course, names: Sequence[str]) -> Chart:
    labels = [" & ".join(names[seat] for seat in side) for side in course.sides]
    field = _field(course, labels)
    steps = _some(list(enumerate(course.marks))[1:], STEPS)
    return Chart(
        field,
        tuple(_curves(course, field, labels)),
        tuple((value, field.y(value)) for value in _guides(field.lowest, field.highest)),
        tuple((mark, field.x(n)) for n, mark in steps),
    )


def _field(course: Course, labels: Sequence[str]) -> Field:
    """Beside it stand the numbers of points on the left, the names with theirs on the right."""
    digits = max(len(str(points)) for points in course.last.points)
    letters = min(MAX_LABEL, max(map(_wide, labels)))
    lowest, highest = _range(course)
    left = 6 + DIGIT * max(len(str(lowest)), len(str(highest)))
    floor = TOP + max(DEPTH, ROW * (len(labels) - 1))
    right = WIDTH - 42 - digits * DIGIT - letters * LETTER  # … and what fades at the edge
    return Field(round(left, 1), round(right, 1), floor, lowest, highest, len(course.marks))


def _curves(course: Course, field: Field, labels: Sequence[str]) -> list[Curve]:
    ends = [field.y(course.last.points[side[0]]) for side in course.sides]
    heights, found = _apart(ends, TOP, field.floor), []
    for n, side in enumerate(course.sides):
        dots = [(field.x(at), field.y(mark.points[side[0]])) for at, mark in enumerate(course.marks)]
        signs = _some(dots[1:-1], SIGNS)  # the last one stands at its name
        found.append(Curve(side, tuple(dots), tuple(signs), course.last.points[side[0]], labels[n], heights[n]))
    return found


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _range(course: Course) -> tuple[int, int]:
    """The lowest and the highest number; zero is always between them, and they are never the same."""
    points = [points for mark in course.marks for points in mark.points]
    lowest, highest = min(0, *points), max(0, *points)
    return lowest, max(highest, lowest + 1)


def _guides(lowest: int, highest: int) -> list[int]:
    """The round numbers between them."""
    step = _round_step((highest - lowest) / GUIDES)
    return list(range(ceil(lowest / step) * step, highest + 1, step))


def _round_step(least: float) -> int:
    """The first of 1, 2, 5, 10, 20, 50 … that is enough."""
    size = 10 ** floor(log10(max(1.0, least)))
    return int(next(times * size for times in (1, 2, 5, 10) if times * size >= least))


def _some(everything: Sequence[Any], most: int) -> list[Any]:
    """Evenly spread, always with the last one."""
    step = max(1, ceil(len(everything) / most))
    return list(everything[::-1][::step][::-1])


def _apart(heights: Sequence[float], top: float, floor: float) -> list[float]:
    """Labels as near to their lines as they can be without covering each other."""
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    placed = dict.fromkeys(order, 0.0)
    least = top
    for n in order:
        placed[n] = least = max(least, heights[n])
        least += ROW
    most = floor
    for n in reversed(order):
        placed[n] = most = min(most, placed[n])
        most -= ROW
    return [round(placed[n], 1) for n in range(len(heights))]


def _wide(text: str) -> int:
    """How many letters' room it takes; those of some scripts and emoji take two."""
    return sum(2 if unicodedata.east_asian_width(sign[0]) in "WF" else 1 for sign in regex.findall(r"\X", text))
