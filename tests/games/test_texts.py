"""The rules are pure and speak in sentences that can be translated: no f-strings, no pieces, nothing imported but rules."""

import ast
import string
import sys
from pathlib import Path

import pytest

import companion.games
from companion.games.base import English, Name, Text, many, say

HERE = Path(companion.games.__file__).parent
FILES = sorted(HERE.rglob("*.py"))
ALLOWED = set(sys.stdlib_module_names) - {"random", "time", "datetime", "os"} | {
    "pydantic",
    "pydantic_core",
    "annotated_types",
    "companion",
}


def calls(path, *names):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HERE)))
def test_the_rules_import_only_rules(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {name.split(".")[0] for name in names} <= ALLOWED
        assert all(name.startswith("companion.games") for name in names if name.startswith("companion"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HERE)))
def test_there_are_no_f_strings_in_the_rules(path):
    assert not [node.lineno for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.JoinedStr)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HERE)))
def test_every_sentence_stands_in_the_source_as_one_string_with_all_its_values(path):
    for call in calls(path, "Text", "many"):
        key = call.args[0]
        if ast.unparse(key).endswith(".key") or (path.name, ast.unparse(key)) == ("base.py", "one"):
            continue  # another sentence with its values put in
        assert isinstance(key, ast.Constant), call.lineno
        wanted = {name for _, name, _, _ in string.Formatter().parse(key.value) if name}
        given = {keyword.arg for keyword in call.keywords}
        assert None in given or wanted - {"where", "field"} <= given or not given, (call.lineno, wanted)


def test_a_sentence_is_said_with_the_names_in_it():
    text = Text("{player} beats {others} with {card}.", player=Name(0), others=(Name(1), Name(2)), card=Text("{n} up", n=3))
    assert say(text, ["Ana", "{Ben}", "Cem"]) == "Ana beats {Ben} and Cem with 3 up."
    assert say((Name(0),), ["Ana"]) == "Ana"
    assert say((Name(0), 1, "x"), ["Ana"]) == "Ana, 1 and x"


def test_a_number_decides_between_one_and_many():
    assert [say(many("{n} card", "{n} cards", n=n), []) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


def test_a_language_puts_in_its_own_words():
    class German(English):
        def gettext(self, message, /):
            return {"red": "Rot", "{some} and {last}": "{some} und {last}", "{colour} wins.": "{colour} gewinnt."}.get(message, message)

        def ngettext(self, one, more, n, /):
            return "{n} Karte" if n == 1 else "{n} Karten"

    assert say(Text("{colour} wins.", colour=Text("red")), [], German()) == "Rot gewinnt."
    assert say((Text("red"), many("{n} card", "{n} cards", n=2)), [], German()) == "Rot und 2 Karten"
