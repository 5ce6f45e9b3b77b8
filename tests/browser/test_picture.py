"""The README's picture: a table of Crazy Lab in play. `pytest tests/browser/test_picture.py --pictures` takes it anew."""

import struct
from pathlib import Path

from browser.phones import SIZE, sit
from browser.test_crazy_lab import at_trick, cards, choose_minus, choose_plus, way

ROOT = Path(__file__).parents[2]
PICTURE = Path(__file__).parent / "pictures" / "table.png"
SHARP = 2  # pixels of the picture to one of the page
TRICK = ("purple", [{"green": 5, "purple": 1}, {"blue": 4, "purple": 3}, {"green": 6}, {"purple": 3}])


def test_the_picture_in_the_readme_is_of_a_table_in_play(new_phone, table, pytestconfig, tmp_path):
    ana = new_phone(device_scale_factor=SHARP)
    sit(table, ana, names=("Ana",), without=["Ben", "Cem", "Dia"], game="crazy-lab")
    choose_minus(ana, ("purple", "blue", "yellow", "green"))
    choose_plus(ana, "orange")
    way(ana, "cards")
    cards(ana, *TRICK)
    at_trick(2, ana)
    ana.sees("Ben wins", "#board")
    way(ana, "winner")
    ana.page.evaluate("scrollTo(0, 0)")
    taken = PICTURE if pytestconfig.getoption("--pictures") else tmp_path / "table.png"
    ana.page.screenshot(path=taken)
    assert size(PICTURE) == size(taken) == (SIZE["width"] * SHARP, SIZE["height"] * SHARP)
    assert f'src="{PICTURE.relative_to(ROOT).as_posix()}"' in (ROOT / "README.md").read_text(encoding="utf-8")


def size(picture):
    return struct.unpack(">II", picture.read_bytes()[16:24])
