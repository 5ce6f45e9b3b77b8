"""A sixth game is one file: dropped in as a plugin it is found, keeps the contract and replays, with no other line changed."""

import json
import subprocess
import sys
from pathlib import Path

RECORD = {"format": "companion-record/1", "game": "high-card", "players": ["Ana", "Ben"], "actions": [{"do": "draw", "cards": [3, 9]}]}


def run(site, *arguments, **more):
    command = [sys.executable, *arguments]
    return subprocess.run(command, env={"PYTHONPATH": str(site), "PATH": ""}, capture_output=True, text=True, check=False, **more)


def test_the_toy_game_is_found_and_replayed(site):
    done = run(site, "-m", "companion", "replay", "-", input=json.dumps(RECORD))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["winners"] == [1]


def test_without_the_plugin_there_is_no_such_game(tmp_path):
    done = run(tmp_path, "-m", "companion", "replay", "-", input=json.dumps(RECORD))
    assert done.returncode == 2


def test_the_toy_game_keeps_the_contract(site):
    contract = Path(__file__).parent / "test_contract.py"
    done = run(site, "-m", "pytest", str(contract), "-q", "-k", "high-card", "-p", "no:cacheprovider", cwd=contract.parents[2])
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
