"""Colour is never alone, and every colour can be read: the variables of the style sheet, in light and dark."""

import re
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


def luminance(colour):
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
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
