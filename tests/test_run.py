"""The runner of the tests: it sets up what is missing, runs every part of a tier, and says what was left out."""

import os
import sys

import pytest
import run
from conftest import TOGETHER, TestByTest

JUNIT = """<testsuites><testsuite><testcase name="a"><skipped message="{}"/></testcase><testcase name="b"/></testsuite></testsuites>"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder of its own, with an environment whose Python notes what it is told and fails where the arguments name `broken`."""
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(run, "REPORTS", tmp_path / ".venv" / "reports")
    monkeypatch.setattr(run, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    program(run.PYTHON, f'echo "$*" >> {tmp_path}/told; case "$*" in *broken*) exit 1;; esac')
    for part in run.PARTS:
        (tmp_path / part).write_text(part)
    return tmp_path


def program(path, does):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o755)


def ended(*arguments):
    with pytest.raises(SystemExit) as end:
        run.main(*arguments)
    return end.value.code


def told(checkout):
    return (checkout / "told").read_text().splitlines()


def test_every_part_of_a_tier_runs_also_after_one_that_failed(checkout, monkeypatch):
    monkeypatch.setitem(run.TIERS, "whole", {"first": ["broken"], "second": ["tests"]})
    assert ended() == 1
    assert [line.split(" --junitxml")[0] for line in told(checkout)[-2:]] == ["-m pytest broken", "-m pytest tests"]


def test_what_comes_after_the_tier_goes_to_pytest(checkout):
    assert ended("quick", "-x") == 0
    assert told(checkout)[-1].startswith("-m pytest -x --junitxml=")


def test_the_project_is_installed_once_and_again_when_what_it_needs_changes(checkout):
    def installs():
        return sum("pip install" in line for line in told(checkout))

    assert ended("quick") == ended("quick") == 0
    assert installs() == 1
    assert "-c constraints.txt -e .[test]" in told(checkout)[0]
    (checkout / "constraints.txt").write_text("flask==3.1.3")
    ended("quick")
    assert installs() == 2


def test_what_cannot_be_installed_ends_it_in_words(checkout):
    program(run.PYTHON, "exit 1")
    assert str(ended()).startswith("Could not install the project")


def test_an_unknown_tier_and_an_old_python_are_told_in_words(monkeypatch):
    assert ended("slowest") == "There is no tier 'slowest': one of quick, whole, soak."
    monkeypatch.setattr(sys, "version_info", (3, 10))
    assert str(ended()).startswith("Companion needs Python 3.11 or newer")


# ---- a Python that cannot make environments ----------------------------------------------------------------------------


@pytest.fixture
def bare(checkout, monkeypatch):
    """As Debian has it: no ensurepip, nobody who may install it."""
    run.PYTHON.unlink()
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", str(checkout / "bin"))
    return checkout


def test_without_venv_the_one_line_that_helps_is_said(bare):
    assert "sudo apt-get install python3-venv" in ended()


def test_without_venv_another_tool_makes_the_environment(bare):
    program(bare / "bin" / "uv", "exit 0")
    assert run.maker()[:2] == ["uv", "venv"]


def test_without_venv_root_installs_it(bare, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program(bare / "bin" / "apt-get", f'echo "$*" >> {bare}/told')
    assert run.maker() == [sys.executable, "-m", "venv"]
    assert told(bare)[-1].endswith("python3-venv")


# ---- workers -----------------------------------------------------------------------------------------------------------


def test_workers_share_tests_but_not_the_files_that_belong_together():
    (walk,) = TOGETHER
    assert (run.ROOT / walk).exists()
    units = {
        TestByTest._split_scope(None, name) for name in (f"{walk}::test_a", f"{walk}::test_b", "tests/a.py::test_a", "tests/a.py::test_b")
    }
    assert units == {walk, "tests/a.py::test_a", "tests/a.py::test_b"}


# ---- what was left out -------------------------------------------------------------------------------------------------


def test_what_was_left_out_is_counted_by_its_reason(checkout, capsys):
    run.REPORTS.mkdir(parents=True)
    for name in ("rules", "on PostgreSQL"):
        run.report(name).write_text(JUNIT.format("missing: LibreOffice – install it"))
    run.say_what_was_left_out(run.TIERS["whole"])
    assert capsys.readouterr().out == "2 left out: missing: LibreOffice – install it\n"
