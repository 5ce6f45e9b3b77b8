"""Promise 24: the tests would notice. `tests/mutants.py` changes one thing at a time; here is how many changes may go unnoticed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "mutants.py"
FILES = sorted(path.as_posix() for path in Path("companion/games").glob("*.py")) + ["companion/log.py", "companion/store.py"]

pytestmark = pytest.mark.file


def noticed(file, each, seed=1):
    """The share of changes that a test noticed, and what was printed."""
    done = subprocess.run([sys.executable, SCRIPT, "--each", str(each), "--seed", str(seed), file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    print(done.stdout)
    report = json.loads(done.stdout.splitlines()[-1])
    return report["noticed"] / report["tried"]


@pytest.mark.soak
@pytest.mark.parametrize("file", FILES)
def test_nine_of_ten_changes_are_noticed(file):
    assert noticed(file, 40) >= 0.9
