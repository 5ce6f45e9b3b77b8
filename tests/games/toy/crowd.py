"""Crowd: Ligretto Crazy for up to eight, for what only shows with many seats."""

from companion.games.base import Text
from companion.games.ligretto_crazy import LigrettoCrazy


class Crowd(LigrettoCrazy):
    id = "crowd"
    name = Text("Crowd")
    players = (2, 3, 4, 5, 6, 7, 8)


GAME = Crowd()
