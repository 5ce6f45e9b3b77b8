"""Every command and claim of the README; that what it cites is there, `test_documents.py` sees to."""

import json
import re
import shlex
from datetime import timedelta
from pathlib import Path

import pytest
from test_hosted import GUNICORN

from companion import cli, create_app, expiry
from companion.games import GAMES, resolve, title_of
from companion.games.base import say
from companion.live import Live
from companion.nights import MAX_PEOPLE
from companion.web.app import MAX_BODY

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MESSAGES = (ROOT / "companion" / "translations" / "messages.pot").read_text(encoding="utf-8")


def rows(heading):
    """The rows of a table, by the words in its head."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", README, re.MULTILINE)[1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)```", README, re.MULTILINE | re.DOTALL)


def code():
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", README, flags=re.DOTALL))


def test_the_table_of_games_says_who_can_play():
    told = {name: players for name, players, _ in rows("game")}
    assert told == {say(title_of(game.id, {}, game.players[0]), ()): _players(game.players) for game in GAMES.values()}


def _players(numbers):
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        return str(first)
    return f"{first} or {last}" if len(numbers) == 2 else f"{first} to {last}"


@pytest.mark.parametrize("label", sorted(set(re.findall(r"(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)", README))))
def test_what_stands_on_a_button_or_page_is_called_so(label):
    assert f'msgid "{label}"' in MESSAGES or f"\n## {label}\n" in README


@pytest.mark.parametrize("path", sorted({each for each in code() if re.fullmatch(r"/[a-z/-]+(#[A-Z0-9-]+)?", each)}))
def test_an_address_is_there(path, app):
    page, _, place = path.partition("#")
    answer = app.test_client().get(page, base_url="http://game.test:8000", follow_redirects=True)
    assert answer.status_code == 200
    assert f'id="{place}"' in answer.text or not place


# ---- the command line ------------------------------------------------------------------------------------------------


def test_every_command_does_what_it_says(tmp_path, capsys):
    app = create_app(tmp_path / "instance", "http://127.0.0.1:8000")
    app.extensions["companion"].nights.start("Game night", "Ana")
    app.extensions["companion"].database.close()
    (tmp_path / "dispute.json").write_text(blocks("json")[0], encoding="utf-8")
    given = {
        "companion export FOLDER": ["export", tmp_path / "out", "--instance", tmp_path / "instance"],
        "companion backup FILE": ["backup", tmp_path / "copy", "--instance", tmp_path / "instance"],
        "companion restore FILE": ["restore", tmp_path / "copy", "--instance", tmp_path / "instance"],
        "companion replay FILE": ["replay", "--example", "crazy-race"],
        "companion resolve FILE": ["resolve", tmp_path / "dispute.json"],
        "companion doctor": ["doctor", "--instance", tmp_path / "instance"],
    }
    assert [command.strip("`") for command, _ in rows("command")] == list(given)
    assert {each for each in code() if each.startswith("companion ")} <= given.keys()
    for arguments in given.values():
        assert cli.main(list(map(str, arguments))) == 0, capsys.readouterr()
    assert (tmp_path / "copy").exists()


def test_the_dispute_in_the_readme_has_an_answer():
    assert resolve(json.loads(blocks("json")[0]))["winner"] == 1


def test_what_is_said_of_a_dispute_on_standard_input_holds():
    assert cli._parser().parse_args(["resolve", "-"]).file == "-"


# ---- hosting ---------------------------------------------------------------------------------------------------------


def test_gunicorn_is_tested_as_the_readme_starts_it():
    line = shlex.split(next(line for block in blocks("sh") for line in block.splitlines() if line.startswith("gunicorn")))
    workers = line.index("--workers") + 1
    tested = ["gunicorn", *GUNICORN[3:]]
    assert line[:workers] + line[workers + 1 :] == tested[:workers] + tested[workers + 1 :]


def test_the_limits_are_the_ones_in_the_code():
    hosting = README[README.index("## Hosting") : README.index("## Test")]
    for told in (f"{MAX_PEOPLE} people a night", f"{Live.MAX_PER_PERSON} open pages a seat", f"bodies of\n{MAX_BODY // 1024} KB"):
        assert told.replace("\n", " ") in hosting.replace("\n", " ")
    assert f"{expiry.EXPIRED_AFTER.days} days" in hosting
    assert timedelta(days=1) == expiry.ARCHIVED_AFTER
    assert "after a day it is archived" in hosting
