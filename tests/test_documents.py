"""What the documents say is so: the record as the code reads it."""

import json
import re
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from pydantic.fields import FieldInfo
from toy.high_card import GAME as HIGH_CARD

from companion.games import FIELDS, GAMES, replay, resolve
from companion.games.record import Question, adapter

ROOT = Path(__file__).parents[1]
RECORD = (ROOT / "companion" / "games" / "RECORD.md").read_text(encoding="utf-8")
OURS = [game for game in GAMES.values() if type(game).__module__.startswith("companion.games.")]  # plugins have pages of their own

every_game = pytest.mark.parametrize("game", OURS, ids=lambda game: game.id)


# ---- the record ------------------------------------------------------------------------------------------------------


def table(text, first):
    """The rows of the table whose head begins with that word, as lists of cells; none where there is no such table."""
    found = re.findall(rf"^\| {first} \|.*\n\|[-|]+\n((?:\|.*\n)*)", text, re.MULTILINE)
    assert len(found) <= 1, f"two tables of {first}"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[0].splitlines()] if found else []


def word(cell):
    return cell.strip("`")


def column(text, first):
    names = [word(row[0]) for row in table(text, first)]
    assert len(names) == len(set(names)), f"something stands twice in the table of {first}"
    return set(names)


def section(text, game):
    """What stands under a game's heading."""
    _, found, rest = text.partition(f" (`{game.id}`)\n")
    return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0] if found else ""


def name_in_json(field, hint):
    """What a field is called in a record: its alias, where it has one."""
    aliases = (each.alias for each in getattr(hint, "__metadata__", ()) if isinstance(each, FieldInfo))
    return next((alias for alias in aliases if alias), field.name)


def objects_in(hint):
    """The dataclasses that a type holds."""
    return [hint] if isinstance(hint, type) and is_dataclass(hint) else [found for part in get_args(hint) for found in objects_in(part)]


def shape(kind, before=""):
    """Every field of a dataclass as records know it, those inside others by their path: whether it is needed, and can be null."""
    hints, found = get_type_hints(kind, include_extras=True), {}
    for field in fields(kind):
        name = before + name_in_json(field, hints[field.name])
        needed = field.default is MISSING and field.default_factory is MISSING
        found[name] = (needed, field.name in getattr(kind, "nullable", ()))
        for part in objects_in(hints[field.name]):
            found |= shape(part, f"{name}.")
    return found


def described(rows):
    """The same, as a table with the columns field, needed and value says it."""
    found = {word(name): ({"yes": True, "no": False}[needed], value.endswith("or `null`")) for name, needed, value, *_ in rows}
    assert len(found) == len(rows), "a field stands twice in a table"
    return found


def actions_in(text):
    """Every action that is described, with its fields; an action has a row for itself."""
    rows, found = table(text, "action"), {}
    for do, field, *_ in rows:
        if not field:
            assert word(do) not in found, f"{do} is described twice"
            found[word(do)] = []
    for do, field, *more in rows:
        if field:
            found[word(do)].append([field, *more])
    return {do: described(rows) for do, rows in found.items()}


def check_game(text, game):
    """That the section of a game says everything about its record, and nothing else."""
    text = section(text, game)
    assert actions_in(text) == {kind.do: shape(kind) for kind in game.actions}
    assert described([[name, "no", value] for name, _, value, *_ in table(text, "option")]) == shape(game.options)
    assert column(text, "replay adds") == set(game.report(game.setup(game.players[0], game.options())))
    common = {field.name for field in fields(Question)}
    asked = {name: facts for name, facts in shape(game.question).items() if name not in common}
    assert described([row[:3] for row in table(text, "question")]) == asked


@every_game
def test_the_record_of_a_game_is_described_in_full_and_nothing_else(game):
    check_game(RECORD, game)


@every_game
def test_the_house_rules_are_described_with_their_defaults_and_choices(game):
    rows = {word(name): (default, value) for name, default, value, *_ in table(section(RECORD, game), "option")}
    assert {name: json.loads(word(default)) for name, (default, _) in rows.items()} == adapter(game.options).dump_python(
        game.options(), mode="json", by_alias=True
    )
    for name, hint in get_type_hints(game.options).items():
        for choice in get_args(hint) if get_origin(hint) is Literal else ():
            assert f"`{json.dumps(choice)}`" in rows[name][1]


@every_game
def test_a_section_says_who_can_play(game):
    first, last = game.players[0], game.players[-1]
    many = str(first) if first == last else f"{first} or {last}" if len(game.players) == 2 else f"{first} to {last}"
    assert section(RECORD, game).startswith(f"\nFor {many} players")


def test_every_game_has_one_section():
    assert sorted(re.findall(r"^## .*\(`(.+)`\)$", RECORD, re.MULTILINE)) == sorted(game.id for game in OURS)


def test_what_all_games_have_in_common_is_described():
    assert column(RECORD, "in a record") == set(FIELDS)
    assert described([[name, needed, ""] for name, needed, _ in table(RECORD, "in a question")]) == shape(Question)


@every_game
def test_replay_answers_what_is_described(game):
    example = json.loads((ROOT / "companion" / "games" / "examples" / f"{game.id}.json").read_text(encoding="utf-8"))
    rounds = set() if game.has_rounds else {"rounds"}
    assert set(replay(example)) == (column(RECORD, "replay answers") - rounds) | column(section(RECORD, game), "replay adds")


def blocks(text):
    return [json.loads(block) for block in re.findall(r"^```json\n(.*?)```", text, re.MULTILINE | re.DOTALL)]


@every_game
def test_resolve_answers_what_is_described(game):
    """To the question that stands there as an example."""
    (question,) = blocks(section(RECORD, game))
    assert question["game"] == game.id
    answer = resolve({**question, "claim": 0})
    assert set(answer) == column(RECORD, "resolve answers") | column(section(RECORD, game), "resolve adds")


def test_the_example_is_a_record_and_the_error_is_said_so():
    record, error, *_ = blocks(RECORD)
    assert (replay(record)["totals"], replay(record)["finished"]) == ([31, 5], False)
    assert replay({**record, "actions": [{"do": "round", "scored": [40, 20], "left": [10, 10]}]}) == error


TOY = """
## High Card (`high-card`)

| action | field | needed | value | what it says |
|---|---|---|---|---|
| `draw` | | | | everybody draws |
| `draw` | `cards` | yes | 1 to 9, a list by seat | what |

| question | needed | value | what it is |
|---|---|---|---|
| `cards` | yes | 1 to 9, a list by seat | what everybody drew |

## Something else
"""
FIELD = "| `draw` | `cards` | yes | 1 to 9, a list by seat | what |\n"


def test_a_right_description_is_taken():
    check_game(TOY, HIGH_CARD)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (FIELD, ""),
        (FIELD, FIELD * 2),
        (FIELD, FIELD.replace("yes", "no")),
        (FIELD, FIELD.replace("seat |", "seat, or `null` |")),
        (FIELD, FIELD + "| `draw` | `winner` | no | seat | who |\n"),
        ("| `draw` | | | | everybody draws |\n", "| `draw` | | | | everybody draws |\n| `pass` | | | | nobody does |\n"),
        ("`draw`", "`take`"),
        ("| question |", "| option | default | value | what |\n|---|---|---|---|\n| `jokers` | `2` | number | how many |\n\n| question |"),
        ("| question |", "| replay adds | what it is |\n|---|---|\n| `deck` | the rest |\n\n| question |"),
        ("| `cards` | yes | 1 to 9, a list by seat | what everybody drew |\n", ""),
        ("(`high-card`)", "(`low-card`)"),
    ],
)
def test_a_wrong_description_is_noticed(right, wrong):
    assert right in TOY
    with pytest.raises((AssertionError, KeyError)):
        check_game(TOY.replace(right, wrong), HIGH_CARD)
