"""The command line, as `companion/games/RECORD.md` promises it: what is printed where, and the exit status."""

import json
import subprocess
import sys

import pytest

from companion import cli
from companion.games import GAMES

GOOD = {
    "format": "companion-record/1",
    "game": "ligretto-crazy",
    "players": ["Ana", "Ben"],
    "actions": [{"do": "round", "scored": [23, 18], "left": [6, 9]}],
}
QUESTION = {"game": "crazy-lab", "players": ["Ana", "Ben", "Cem"], "trump": "blue", "cards": [{"blue": 1}, {"blue": 2}, {"highest": 6}]}


def companion(*arguments, given=""):
    done = subprocess.run([sys.executable, "-m", "companion", *arguments], input=given.encode(), capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def in_file(tmp_path, text):
    path = tmp_path / "record.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_replay_prints_one_object_and_exits_0(tmp_path):
    code, out, err = companion("replay", in_file(tmp_path, json.dumps(GOOD)))
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "game": "ligretto-crazy", "players": ["Ana", "Ben"], "finished": False, "rounds": [[17, 9]], "totals": [17, 9], "winners": [],
        "warnings": [],
    }  # fmt: skip


def test_a_dash_reads_standard_input():
    assert json.loads(companion("replay", "-", given=json.dumps(GOOD))[1])["totals"] == [17, 9]
    assert json.loads(companion("resolve", "-", given=json.dumps(QUESTION))[1])["winner"] == 1


def test_an_illegal_action_exits_1_with_the_error_on_standard_output(capsys, tmp_path):
    code = cli.main(["replay", in_file(tmp_path, json.dumps({**GOOD, "actions": [{"do": "round", "scored": [99, 0], "left": [0, 0]}]}))])
    out, err = capsys.readouterr()
    assert (code, err) == (1, "")
    assert json.loads(out)["error"]["rule"] == "LIG-18"


def test_a_wrong_question_exits_1(capsys, tmp_path):
    assert cli.main(["resolve", in_file(tmp_path, json.dumps({**QUESTION, "trump": "red"}))]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["action"] == -1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": "companion-record/1"}',
        '{"format": "other"}',
        b"\xff\xfe",
        "[" * 100_000,
        "NaN",
        "1" * 5000,
        '{"game": "x"}',
    ],
    ids=["empty", "broken", "list", "null", "no game", "other format", "no text", "deep", "nan", "huge", "unknown game"],
)
@pytest.mark.parametrize("command", ["replay", "resolve"])
def test_what_is_no_record_exits_2_with_one_line_on_standard_error(capsys, tmp_path, text, command):
    code = cli.main([command, in_file(tmp_path, text)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("companion: this is no ")
    assert err.count("\n") == 1


def test_a_file_that_is_not_there_exits_2(capsys, tmp_path):
    assert cli.main(["replay", str(tmp_path / "nothing.json")]) == 2
    assert capsys.readouterr().err == "companion: cannot read the file: No such file or directory\n"


def test_a_byte_order_mark_does_no_harm(capsys, tmp_path):
    assert cli.main(["replay", in_file(tmp_path, b"\xef\xbb\xbf" + json.dumps(GOOD).encode())]) == 0


@pytest.mark.parametrize("game", GAMES)
def test_every_game_comes_with_an_example(capsys, game):
    assert cli.main(["replay", "--example", game]) == 0
    assert json.loads(capsys.readouterr().out)["finished"] is True


def test_names_in_any_script_are_printed_safely(tmp_path):
    code, out, _ = companion("replay", in_file(tmp_path, json.dumps({**GOOD, "players": ["Þóra", "Jürgen"]})))
    assert code == 0
    assert json.loads(out)["players"] == ["Þóra", "Jürgen"]
    assert out.isascii()


@pytest.mark.parametrize(
    "arguments", [["replay"], ["--prot", "1"], ["replay", "x", "--example", "crazy-lab"], ["replay", "--example", "poker"]]
)
def test_a_wrong_call_says_how_it_goes(capsys, arguments):
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)
    assert stopped.value.code == 2
    assert "usage: companion" in capsys.readouterr().err
