"""Reads the tables of disputes in `disputes/`: what is asked, who wins, by which rules."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

FOLDER = Path(__file__).parent / "disputes"
GAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


@dataclass(frozen=True)
class Dispute:
    game: str
    asked: tuple  # pairs of an address
    result: str
    rules: tuple
    why: str

    @property
    def query(self):
        return urlencode(self.asked, safe=":,")

    @property
    def address(self):
        return f"/who-wins/{self.game}?{self.query}"

    def __str__(self):
        return f"{self.game}: {self.why}"


def disputes(game):
    lines = (FOLDER / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    return [_dispute(game, line) for line in lines if line and not line.startswith("#")]


def _dispute(game, line):
    asked, result, rules, why = (part.strip() for part in line.split("|"))
    return Dispute(game, tuple(tuple(word.split("=", 1)) for word in asked.split()), result, tuple(_rules(rules)), why)


def _rules(text):
    """`2×LAB-13 LAB-14` in full."""
    for word in text.split():
        times, rule = re.fullmatch(r"(?:(\d+)×)?(\S+)", word).groups()
        yield from [rule] * int(times or 1)


EVERY = [dispute for game in GAMES for dispute in disputes(game)]
