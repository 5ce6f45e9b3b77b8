"""Promise 24: the tests would notice. `tests/mutants.py` changes one thing at a time; here is how many changes may go unnoticed."""

import json
import os
import subprocess
import sys

import mutants
import pytest

pytestmark = pytest.mark.file


def noticed(file, each, seed=1):
    """The share of changes that a test noticed, and what was printed."""
    done = subprocess.run(
        [sys.executable, mutants.__file__, "--each", str(each), "--seed", str(seed), file], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + done.stdout
    print(done.stdout)
    report = json.loads(done.stdout.splitlines()[-1])
    return report["noticed"] / report["tried"]


SCRIPTS = os.environ | {"PYTHONPATH": str(mutants.ROOT / "tests")}
UNDO = """
import ast, mutants
mutants.tests_of = lambda file: [["tests/test_match_log.py"]]
source = open("companion/match_log.py").read()
for old, new in (("nothing", "nothing"), ("position.booked[place + 1 :]", "position.booked[place + 2 :]")):
    print(mutants.unnoticed("companion/match_log.py", ast.parse(source.replace(old, new))))
"""


def test_a_log_as_it_is_passes_and_one_that_drops_an_entry_does_not():
    """Otherwise every change would seem to be noticed, or none."""
    done = subprocess.run([sys.executable, "-c", UNDO], capture_output=True, text=True, env=SCRIPTS, cwd=mutants.ROOT)
    assert done.stdout.split() == ["True", "False"], done.stderr


@pytest.mark.soak
@pytest.mark.parametrize("file", mutants.FILES)
def test_nine_of_ten_changes_are_noticed(file):
    assert noticed(file, 40) >= 0.9
