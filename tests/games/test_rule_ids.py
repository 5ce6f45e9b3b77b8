"""Every rule has a test that names it, and nothing cites a rule that does not exist."""

import ast
import re
from pathlib import Path

import pytest
from rule_ids import RULE_IDS

HERE = Path(__file__).parent
GAMES = HERE.parents[1] / "companion" / "games"
CITED = re.compile(r"(LAB|LIG|ACA|CRI|RACE|SHEET)-\d+|[LGYTR]\d+")


def files_of(game):
    """The game's file, or those of its package, what it is about first."""
    name = game.replace("-", "_")
    return sorted((GAMES / name).glob("*.py")) or [GAMES / (name + ".py")]


GAME_FILES = {game: files_of(game) for game in RULE_IDS}


def strings(paths):
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


@pytest.mark.parametrize("game", RULE_IDS)
def test_every_rule_is_named_by_a_test(game):
    text = (HERE / ("test_" + game.replace("-", "_") + ".py")).read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![A-Z-])(?:(?:LAB|LIG|ACA|CRI|RACE|SHEET)-|[LGYTR])\d+", text))
    assert [rule for rule in RULE_IDS[game] if rule not in named] == []


@pytest.mark.parametrize("game", RULE_IDS)
def test_an_engine_cites_only_rules_that_exist(game):
    cited = {text for text in strings(GAME_FILES[game]) if CITED.fullmatch(text)}
    assert cited
    assert cited <= set(RULE_IDS[game])


@pytest.mark.parametrize("game", RULE_IDS)
def test_the_ids_are_those_of_the_rules_of_record(game):
    """Where the rules of record lie beside the project, the list here is theirs."""
    rules = HERE.parents[2] / "shared" / "rules" / (game + ".md")
    if rules.exists():
        text = rules.read_text(encoding="utf-8")
        found = re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", text, re.MULTILINE) + re.findall(r"^\| ([LGYTR]\d+) \|", text, re.MULTILINE)
        assert found == RULE_IDS[game]


def test_the_rules_of_the_score_sheet_stand_in_its_file():
    """It has no rule sheet: its first lines are the rules of record."""
    text = ast.get_docstring(ast.parse(GAME_FILES["score-sheet"][0].read_text(encoding="utf-8")))
    assert re.findall(r"^(SHEET-\d+) +[A-Z]", text, re.MULTILINE) == RULE_IDS["score-sheet"]
