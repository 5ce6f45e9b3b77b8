"""Pictures to pass on: the same card as SVG and as PNG, whatever the text."""

import xml.etree.ElementTree as ET
from struct import unpack

import pytest

from companion.web import pictures

TEXTS = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(autouse=True)
def page(app):
    with app.test_request_context():
        yield


def rows(svg):
    return [each.text for each in ET.fromstring(svg).iter(TEXTS)]


def test_a_picture_shows_what_it_is_given():
    assert rows(pictures.svg("Crazy Lab", "Ana wins", ["one", "two"])) == ["Crazy Lab", "Ana wins", "one", "two", "Companion"]


def test_messengers_get_a_png_of_their_size():
    png = pictures.png("Crazy Lab", "Ana wins", ["one"])
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert unpack(">II", png[16:24]) == (1200, 630)


@pytest.mark.parametrize("headline", ["Ana wins", "Ana Maria Carolina and Bartholomew Christopherson win"])
def test_what_does_not_fit_ends_in_an_ellipsis_and_inside_the_card(headline):
    svg = pictures.svg("Crazy Lab", headline, ["word " * 40] * 10)
    lowest = max(int(each.get("y")) for each in ET.fromstring(svg).iter(TEXTS))
    assert rows(svg)[-2].endswith(" …")
    assert lowest <= 600
    assert max(map(len, rows(svg))) <= pictures.LINE


def test_a_name_is_only_text_in_a_picture():
    name = '"><script>&{{7*7}}</text>'
    svg = pictures.svg(name, name, [name])
    assert rows(svg)[0] == name
    assert {each.tag.split("}")[1] for each in ET.fromstring(svg).iter()} == {"svg", "title", "desc", "rect", "g", "path", "circle", "text"}


def test_letters_of_our_languages_are_drawn():
    """A letter the font lacks looks like any other letter it lacks."""
    missing = pictures.png("", "\ue000", [])
    drawn = [pictures.png("", letter, []) for letter in "ÐðÞþÆæÖöÄäÜüßÁáÉéÍíÓóÚúÝý−–“”…"]
    assert missing not in drawn
    assert len(set(drawn)) == len(drawn)
