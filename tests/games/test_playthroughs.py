"""Whole games, told word for word. A change in a sentence or a score shows as a difference in a text that people can read."""

import json

import pytest
from playthrough import EXAMPLES, FOLDER, record_of, told

from companion.games import GAMES, replay

TEXTS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_whole_game_is_told_as_written(path):
    text = path.read_text(encoding="utf-8")
    assert told(record_of(text)) == text


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_playthrough_is_a_finished_record(path):
    assert replay(record_of(path.read_text(encoding="utf-8")))["finished"]


def test_there_is_a_playthrough_for_every_game_and_number_of_players():
    wanted = {f"{game.id}-{players}" for game in GAMES.values() for players in game.players}
    assert wanted <= {path.stem for path in TEXTS}


@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_every_game_is_finished_and_without_doubts(game):
    record = json.loads((EXAMPLES / f"{game}.json").read_text(encoding="utf-8"))
    answer = replay(record)
    assert (answer["game"], answer["finished"], answer["warnings"]) == (game, True, [])
    assert told(record) == (FOLDER / f"{game}-{len(record['players'])}.txt").read_text(encoding="utf-8")
