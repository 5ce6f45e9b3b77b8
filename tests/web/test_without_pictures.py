"""Installed without the extra `pictures`: everything is there, drawn as SVG alone."""

import json
import subprocess
import sys

import pytest

from companion.web import pictures

QUESTION = "/who-wins/crazy-lab?players=3&trump=green&cards=green:3,green:5,green:1"


@pytest.mark.parametrize("png", [True, False])
def test_without_the_extra_pages_have_the_drawing_alone(evening, monkeypatch, png):
    monkeypatch.setattr(pictures, "PNG", png)
    ana, match = evening["Ana"], evening.start()
    assert ("card.png" in ana.get(f"/m/{match}/result").text) is png
    assert "card.svg" in ana.get(f"/m/{match}/result").text
    assert ("og:image" in ana.get(QUESTION).text) is png
    assert ana.get(QUESTION.replace("?", "/card.svg?")).status_code == 200
    assert ana.get(QUESTION.replace("?", "/card.png?")).status_code == (200 if png else 404)
    icons = json.loads(ana.get("/manifest.webmanifest").text)["icons"]
    assert {each["type"] for each in icons} == {"image/png" if png else "image/svg+xml"}
    assert ana.get("/static/icon-192.png").status_code == (200 if png else 404)
    for each in icons:
        with ana.get(each["src"]) as answer:
            assert answer.status_code == 200


def test_without_the_extra_it_starts():
    program = "import sys; sys.modules['resvg_py'] = None; from companion.web import pictures; print(pictures.PNG)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "False\n"
