#!/usr/bin/env python3
"""Runs the tests on a machine that has nothing but Python: `python3 tests/run.py`, or with `quick` or `soak` behind it.

It makes `.venv`, installs the project with what its tests need, gets a browser and a C compiler where there are none (`machine.py`), and
runs the parts of a tier one after the other. Whatever comes after the tier is handed to every pytest. At the end it says what was left
out, and why.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
REPORTS = VENV / "reports"
PARTS = ("pyproject.toml", "constraints.txt", "hatch_build.py")  # what is installed depends on these
BROWSER = "tests/browser"
TIERS = {
    "quick": {"quick": []},
    "whole": {
        "rules": ["tests/games", "--cov"],  # the only ones whose coverage is counted: it doubles the time
        "everything else": ["tests", "--ignore=tests/games"],
        "on PostgreSQL": ["tests", "--postgresql"],
    },
    "soak": {
        "long sizes": ["tests", "-m", "soak", "-n0"],
        "within two seconds": [f"{BROWSER}/test_line.py", "--quiet-machine", "-n0"],
        "late answers": [BROWSER, "--late=answers"],
        "late streams": [BROWSER, "--late=streams"],
        "everything late": [BROWSER, "--late=everything"],
        "everything on PostgreSQL": ["tests", "--postgresql", "--whole"],
    },
}


def main(tier="whole", *more):
    if sys.version_info < (3, 11):  # noqa: UP036 whoever starts this may have an older one
        sys.exit(f"Companion needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if tier not in TIERS:
        sys.exit(f"There is no tier {tier!r}: one of {', '.join(TIERS)}.")
    make_environment()
    install()
    subprocess.run([PYTHON, ROOT / "tests" / "machine.py"])
    passed = [run(name, [*arguments, *more]) for name, arguments in TIERS[tier].items()]
    say_what_was_left_out(TIERS[tier])
    sys.exit(0 if all(passed) else 1)


# ---- the environment -------------------------------------------------------------------------------------------------


def make_environment():
    """A virtual environment in `.venv`, with whatever can make one here."""
    if PYTHON.exists():
        return
    if command := maker():
        must("make the environment in .venv", [*command, VENV])
    else:
        sys.exit("This Python cannot make virtual environments. On Debian and Ubuntu this helps: sudo apt-get install python3-venv")


def maker():
    """Debian's Python comes without `ensurepip`: then another tool will do, or the package that has it."""
    if importlib.util.find_spec("ensurepip"):
        return [sys.executable, "-m", "venv"]
    if shutil.which("uv"):
        return ["uv", "venv", "--quiet", "--seed", "--python", sys.executable]
    if importlib.util.find_spec("virtualenv"):
        return [sys.executable, "-m", "virtualenv", "--quiet"]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], env=quietly)
        must("install python3-venv", ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "python3-venv"], env=quietly)
        return [sys.executable, "-m", "venv"]
    return None


def install():
    """The project and what its tests need, unless that is there already."""
    stamp, wanted = VENV / "installed", hashlib.sha256(b"".join((ROOT / part).read_bytes() for part in PARTS)).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-warn-script-location"]
    must("install the project", [*pip, "-c", "constraints.txt", "-e", ".[test]"])
    stamp.write_text(wanted)


def must(what, command, **more):
    """A step without which nothing goes on."""
    if subprocess.run(command, cwd=ROOT, **more).returncode:
        sys.exit(f"Could not {what}: what stands above says why. The command was: {' '.join(map(str, command))}")


# ---- the tests -------------------------------------------------------------------------------------------------------


def run(name, arguments):
    """One pytest; gives whether it passed."""
    print(f"\n==== {name}: pytest {' '.join(arguments)}", flush=True)
    begun = time.monotonic()
    done = subprocess.run([PYTHON, "-m", "pytest", *arguments, f"--junitxml={report(name)}"], cwd=ROOT)
    print(f"==== {name}: {time.monotonic() - begun:.0f} s", flush=True)
    return done.returncode == 0


def report(name):
    return REPORTS / f"{name.replace(' ', '-')}.xml"


def say_what_was_left_out(names):
    """What this machine does not have, and how many tests did not run for that."""
    skipped = Counter(reason for name in names if report(name).exists() for reason in skips(report(name)))
    for reason, tests in skipped.most_common():
        print(f"{tests} left out: {reason}")


def skips(path):
    return (each.get("message", "") for each in ElementTree.parse(path).iter("skipped"))


if __name__ == "__main__":
    main(*sys.argv[1:])
