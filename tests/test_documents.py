"""What the documents say is so: the record as the code reads it, and no file, host or folder that a reader has not got."""

import json
import re
import subprocess
import tomllib
from dataclasses import MISSING, fields, is_dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from pydantic.fields import FieldInfo
from toy.high_card import GAME as HIGH_CARD

from companion.games import FIELDS, GAMES, replay, resolve
from companion.games.record import Question, adapter

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("companion/**/*.md"), *ROOT.glob("tests/**/*.md")})
RECORD = (ROOT / "companion" / "games" / "RECORD.md").read_text(encoding="utf-8")
OURS = [game for game in GAMES.values() if type(game).__module__.startswith("companion.games.")]  # plugins have pages of their own

every_game = pytest.mark.parametrize("game", OURS, ids=lambda game: game.id)
every_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())


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


# ---- the changelog ---------------------------------------------------------------------------------------------------


def test_the_changelog_tells_of_this_version():
    """What is not released yet first, then the newest version."""
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert headings[:2] == ["Unreleased", version]


# ---- files -----------------------------------------------------------------------------------------------------------

GENERATED = (".venv/*", "instance/*", "dist/*", "companion/translations/*/LC_MESSAGES/messages.mo")  # not in git, but made on every machine
ENDINGS = "c|cfg|css|csv|db|html|ini|js|json|md|mo|pem|png|po|pot|py|sh|sql|sqlite|svg|toml|txt|yaml|yml"
PATH = r"(?:[\w.*-]+/)*[\w.*-]*"
FILE = re.compile(rf"{PATH}\.(?:{ENDINGS})|LICENSE")


@cache
def tracked():
    """The files of the repository; in an unpacked source archive, those that came with it."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return frozenset(listed.rstrip("\0").split("\0"))
    return frozenset(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file())


@cache
def folders(files):
    return frozenset(str(folder) for file in files for folder in Path(file).parents)


def is_there(cited, files):
    """A file or folder, also where only the end of its path is told; `games/store` is `games/store.py`."""
    name = cited.rstrip("/")
    known = {*folders(files), *(() if cited.endswith("/") else files)}
    generated = any(fnmatch(f"{name}/", pattern) or fnmatch(name, pattern) for pattern in GENERATED)
    return generated or any(fnmatch(f"/{path}", f"*/{each}") for path in known for each in (name, f"{name}.py"))


def looks_like_ours(word, files):
    """A word that ends like a file, or has a slash after the name of a folder of ours."""
    first, slash, _ = word.partition("/")
    ours = {".venv", ".", ".."}.union(*(folder.split("/") for folder in folders(files)))
    return bool(FILE.fullmatch(word) or (slash and first in ours and re.fullmatch(PATH, word)))


def paths_in(text, files):
    """What a document cites as a path of ours: in backticks, and in the commands it gives."""
    told = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    told += re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    words = [re.sub(r"<[^<>\s]*>", "*", word).strip("'\",:;()[]").partition("::")[0] for each in told for word in each.split()]
    return {word for word in words if looks_like_ours(word, files)}


def links_in(text):
    """Where links and pictures lead, other than to other machines."""
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    return {target.partition("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)}


def missing_in(text, folder, files):
    """What a document in that folder leads to that is not there; a link has to lead there from where it stands."""
    dead = {target for target in links_in(text) if not is_linked(target, folder, files)}
    return dead | {path for path in paths_in(text, files) if not is_there(path, files)}


def is_linked(target, folder, files):
    path = (ROOT / folder / target).resolve()
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).as_posix() in files | folders(files)


@every_document
def test_a_document_cites_only_what_is_there(path):
    assert missing_in(path.read_text(encoding="utf-8"), path.parent.relative_to(ROOT), tracked()) == set()


FILES = frozenset(
    {"README.md", "docs/guide.md", "docs/pictures/table.png", "src/game/rules.py", "src/game/__init__.py", "src/web/store.py"}
)


@pytest.mark.parametrize(
    "text",
    [
        "`src/game/rules.py`, `game/rules.py`, `rules.py`, `src/web/store`, `src/game/` and `src/*/`",
        "`src/<part>/rules.py`, `src/game/rules.py::test_it`, `.venv`, `.venv/bin/python`, `instance/`",
        "[the guide](docs/guide.md), [its end](docs/guide.md#end), [here](#above), [there](https://games.example/none.md)",
        '<img src="docs/pictures/table.png" alt="a table">',
        "```sh\npython3 src/game/rules.py 'guide.md'\n```\n",
        "`/rules/store.py-1`, `text/event-stream`, `GET /static/<path:name>`, `web → store`, `a.b`, `companion replay FILE`, `http://127.0.0.1:8000`",
        '```json\n{"file": "none.json"}\n```\n',
    ],
)
def test_what_is_there_may_be_cited(text):
    assert missing_in(text, "", FILES) == set()


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("It stands in `promises.md`.", "promises.md"),
        ("`src/game/score.py` adds up, `src/game/rules.py` does not", "src/game/score.py"),
        ("The folder `src/none/`", "src/none/"),
        ("`src/game/rules.py/`", "src/game/rules.py/"),
        ("`src/web/shop`", "src/web/shop"),
        ("`src/<part>/shop.py`", "src/*/shop.py"),
        ("`../elsewhere/design.md`", "../elsewhere/design.md"),
        ("[the guide](guide.md)", "guide.md"),  # not from here
        ("[out](../guide.md)", "../guide.md"),
        ('<img src="docs/none.png">', "docs/none.png"),
        ("Type\n\n```sh\npython3 src/run.py quick\n```\n", "src/run.py"),
        ("see `LICENSE`", "LICENSE"),
    ],
)
def test_what_is_not_there_is_noticed(text, missing):
    assert missing_in(text, "", FILES) == {missing}


# ---- hosts and folders -----------------------------------------------------------------------------------------------

HOSTS = {"127.0.0.1", "games.example", "keepachangelog.com"}  # that a document may name
REGISTRY = re.compile(r"\b(?:[\w-]+\.)*(?:pypi|pythonhosted|npmjs|yarnpkg|anaconda|crates|jfrog)\.(?:org|io|com)\b", re.IGNORECASE)
ABSOLUTE = re.compile(r"(?<![\w.:/<>*}])(?:/(?:work|home|root|tmp|usr|opt|var|mnt|srv|etc|Users|Volumes)/|[A-Z]:\\)[^\s`)]*")


def foreign_to(text):
    """Registries, other hosts that no document needs, and folders of somebody's machine."""
    hosts = {host for host in re.findall(r"\bhttps?://([\w.-]+)", text) if host not in HOSTS}
    return hosts | {found[0] for pattern in (REGISTRY, ABSOLUTE) for found in pattern.finditer(text)}


@every_document
def test_a_document_names_no_registry_and_no_folder_of_a_machine(path):
    assert foreign_to(path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    "text",
    [
        "pip install -i https://mirror.example/simple it",
        "from files.pythonhosted.org",
        "npm config set registry registry.npmjs.org",
        "`/home/ana/companion/tests`",
        "run /work/venv/bin/python",
        "(/tmp/it)",
        r"`C:\Users\Ana`",
    ],
)
def test_registries_and_folders_of_a_machine_are_noticed(text):
    assert foreign_to(text)


def test_addresses_and_own_folders_are_left_alone():
    assert foreign_to("`/rules/crazy-lab`, `tests/web/`, `<language>/tmp/it`, http://127.0.0.1:8000, https://games.example") == set()
