"""Colour is never alone, and every colour can be read: the variables of the style sheet, in light and dark."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.base import say
from companion.web.render import LETTERS

ROOT = Path(__file__).parents[1]
CSS = (ROOT / "static" / "app.css").read_text(encoding="utf-8")
SUITS = ("red", "orange", "yellow", "green", "blue", "purple")
SEATS = ("s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7")


def variables(text):
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})\b", text))


LIGHT = variables(CSS[: CSS.index("@media")])
THEMES = {"light": LIGHT, "dark": LIGHT | variables(CSS[CSS.index("@media") : CSS.index("*, *::before")])}


def linear(colour):
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour):
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_the_one_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["ground", "panel", "raised"])
@pytest.mark.parametrize("colour", ["ink", "soft", "good", "warn", *SUITS])
def test_text_can_be_read(theme, ground, colour):
    """WCAG AA: 4.5 to 1; the letters of the suits have their colour"""
    assert contrast(THEMES[theme][colour], THEMES[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colour", SEATS)
def test_the_rings_of_the_seats_can_be_seen(theme, colour):
    """WCAG AA for shapes: 3 to 1"""
    assert min(contrast(THEMES[theme][colour], THEMES[theme][ground]) for ground in ("ground", "panel", "raised")) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_the_accent_can_be_read(theme):
    colours = THEMES[theme]
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    assert contrast(colours["ink"], colours["warn-ground"]) >= 4.5
    assert contrast(colours["good"], colours["good-ground"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_no_two_suits_or_seats_share_a_colour(theme):
    colours = [THEMES[theme][name] for name in (*SUITS, *SEATS)]
    assert len(set(colours)) == len(colours)


def test_every_suit_has_a_letter_and_a_shape_of_its_own():
    letters = [say(LETTERS[suit], []) for suit in SUITS]
    assert len(set(letters)) == len(SUITS)
    pieces = (ROOT / "templates" / "_pieces.html").read_text(encoding="utf-8")
    shapes = dict(re.findall(r'colour == "([a-z]+)" %}(<[^>]+>)', pieces))
    assert set(shapes) == set(SUITS)
    assert len(set(shapes.values())) == len(SUITS)


def test_every_seat_has_a_ring_of_its_own():
    """Shape and stroke, not colour alone."""
    strokes = {n: re.findall(rf"\.seat\.seat-{n} {{([^}}]*)}}", CSS) for n in range(len(SEATS))}
    assert len({str(stroke) for stroke in strokes.values()}) == len(SEATS)


def test_there_is_a_ring_for_every_seat_of_the_largest_game():
    assert max(game.players[-1] for game in GAMES.values()) <= len(SEATS)
    assert set(re.findall(r"number % (\d+)", (ROOT / "templates" / "_icons.html").read_text(encoding="utf-8"))) == {str(len(SEATS))}


# ---- told apart by people who tell fewer colours apart ---------------------------------------------------------------

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009): severity 1, linear RGB
EYES = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# Ottosson, "A perceptual color space for image processing" (2020): from linear RGB to OKLab
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
LEAST = 5.5  # hundredths of OKLab, where about 2 is the least that can be seen side by side
ACADEMY = (ROOT / "static" / "games" / "the_academy.css").read_text(encoding="utf-8")
ROLES = dict(re.findall(r"\.role-([a-z]+) { --role: var\(--([a-z0-9]+)\); }", ACADEMY))
TOLD_APART = {"suits": SUITS, "seats": SEATS, "roles": tuple(ROLES.values())}


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def seen_as(colour, eyes):
    """A colour in OKLab, as these eyes see it."""
    seen = [min(1, max(0, part)) for part in times(EYES[eyes], linear(colour))]
    return times(TO_LAB, [part ** (1 / 3) for part in times(TO_CONES, seen)])


def distance(one, other, eyes="everybody"):
    return 100 * math.dist(seen_as(one, eyes), seen_as(other, eyes))


def closest(theme, names, eyes):
    return min((distance(THEMES[theme][one], THEMES[theme][other], eyes), one, other) for one, other in combinations(names, 2))


def test_the_distance_is_the_one_of_oklab():
    assert distance("#000000", "#ffffff") == pytest.approx(100, abs=0.1)
    assert seen_as("#ff0000", "everybody") == pytest.approx([0.628, 0.225, 0.126], abs=0.001)
    assert distance("#777777", "#888888", "protanopia") == pytest.approx(distance("#777777", "#888888"), abs=0.01)  # grey stays grey


def test_control_the_eyes_confuse_what_people_confuse():
    assert distance("#c01f2e", "#1d7a3e") > 20
    assert distance("#c01f2e", "#1d7a3e", "deuteranopia") < LEAST
    assert distance("#ab4e08", "#856600", "deuteranopia") < LEAST
    assert distance("#0f766e", "#0b6f9f", "tritanopia") < LEAST


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("kind", TOLD_APART)
@pytest.mark.parametrize("theme", THEMES)
def test_suits_seats_and_roles_are_told_apart_by_all_eyes(theme, kind, eyes):
    found, one, other = closest(theme, TOLD_APART[kind], eyes)
    assert found >= LEAST, f"{one} and {other}: {found:.1f}"


def test_every_role_has_a_letter_and_a_shape_of_its_own():
    assert set(ROLES) == set(GAMES["the-academy"].role_words)
    macro = (ROOT / "templates" / "games" / "the_academy" / "_parts.html").read_text(encoding="utf-8").split("{% macro role(")[1]
    assert len(set(re.findall(r"<path d=\"[^\"]+\"/>", macro.split("endmacro")[0]))) == len(ROLES)
    assert len({say(word, [])[0] for word in GAMES["the-academy"].role_words.values()}) == len(ROLES)


def test_the_printed_colours_are_those_of_the_light_screen():
    printed = variables((ROOT / "static" / "results.css").read_text(encoding="utf-8"))
    assert {name: colour for name, colour in printed.items() if name in SEATS}.items() <= LIGHT.items()
