"""What the wheel carries, and what the project's files keep out."""

import hashlib
import re
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import hatch_build
from hatch_build import VENDORED

ROOT = Path(__file__).parents[1]
CALLED = ("deptry", "gunicorn", "hatchling", "mypy", "pytest-cov", "pytest-xdist", "ruff")  # not by an import
STRANGER = re.compile(r"(pip[x]? (install|run)|uvx|uv tool install)( -\S+)* ['\"]?companion\b|['\"]companion\[")


def build(kind, source, folder):
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)], cwd=source, check=True, capture_output=True)
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def catalogues(wheel):
    return {Path(name).parts[2] for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".mo")}


def test_the_wheel_carries_every_language_ready_to_read(wheel):
    assert catalogues(wheel) == {path.parts[-3] for path in ROOT.glob("companion/translations/*/LC_MESSAGES/messages.po")}
    assert "de" in catalogues(wheel)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The source archive, unpacked."""
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(build("sdist", ROOT, folder / "sdist")) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # which Python 3.11.2 does not know yet
        archive.extractall(folder)
    return next(folder.glob("game_night_companion-*"))


def test_a_wheel_made_from_the_source_archive_has_them_too(wheel, source, tmp_path):
    """… where they are compiled again: what somebody compiled before does not count."""
    for compiled in source.rglob("*.mo"):
        compiled.unlink()
    assert catalogues(build("wheel", source, tmp_path / "wheel")) == catalogues(wheel)


def test_the_licence_goes_along(wheel, source):
    """With its name where indexes look for it."""
    licence = (ROOT / "LICENSE").read_bytes()
    assert (source / "LICENSE").read_bytes() == licence
    folder = f"{NAME.replace('-', '_')}-{metadata.version(NAME)}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"{folder}/licenses/LICENSE") == licence
        assert {"License-Expression: MIT", "License-File: LICENSE"} <= set(archive.read(f"{folder}/METADATA").decode().splitlines())


def test_the_source_archive_has_every_document(source):
    documents = {path.name for path in ROOT.glob("*.md")}
    assert {path.name for path in source.glob("*.md")} == documents >= {"README.md"}


def test_the_wheel_carries_the_scripts_of_others_as_they_were_made(wheel, source, tmp_path):
    """… also one made from the source archive, where the package that has them is not installed."""
    for made in (wheel, build("wheel", source, tmp_path / "wheel")):
        for name, (_, sha256) in VENDORED.items():
            assert hashlib.sha256(zipfile.ZipFile(made).read(f"companion/static/vendor/{name}")).hexdigest() == sha256


def test_another_script_than_the_known_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(hatch_build, "_package", lambda: tmp_path)
    (tmp_path / "static" / "django_htmx").mkdir(parents=True)
    for file, _ in VENDORED.values():
        (tmp_path / "static" / "django_htmx" / file).write_text("alert('not htmx')")
    with pytest.raises(ValueError, match="another checksum"):
        hatch_build.fetch_vendored(tmp_path)
    assert not any((tmp_path / "static" / "vendor").iterdir())


def test_what_is_made_is_not_kept_in_git():
    assert {"*.mo", "/static/vendor/"} <= set((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())


def test_the_wheel_carries_templates_styles_examples_and_migrations(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for path in ("templates/base.html", "static/app.css", "games/examples/crazy-race.json", "migrations/versions/0001_nights.py"):
        assert f"companion/{path}" in names
    assert not any(name.startswith(("tests/", "instance/")) for name in names)


def test_the_installed_wheel_finds_its_templates(wheel, tmp_path):
    """Unpacked as pip would, away from the checkout, the first page is there."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = (
        "import companion; from companion import create_app; print(companion.__file__);"
        "app = create_app('instance', 'http://127.0.0.1:8000'); print(app.test_client().get('/').status_code, app.template_folder);"
        "print('Abend starten' in app.test_client().get('/', headers={'Accept-Language': 'de'}).text)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "site"), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[0].startswith(str(tmp_path))
    assert done.stdout.splitlines()[2] == "True"
    assert done.stdout.splitlines()[1] == f"200 {tmp_path / 'site' / 'companion' / 'templates'}"


def command(heading):
    """What the README says to type under that heading, in one line."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    line, end, more = re.search(rf"^## {heading}\n+```sh\n(.*?)```", readme, re.MULTILINE | re.DOTALL)[1].partition("\n")
    assert (end, more) == ("\n", "")
    return line


def test_the_readme_has_one_command_line_to_run_and_one_to_test():
    assert command("Run").startswith("python3 -m venv .venv && ")
    assert command("Run").endswith("/companion")
    assert command("Test") == "python3 tests/run.py"


def test_ci_runs_the_command_of_the_readme_then_looks_at_style_and_types(tmp_path):
    """The real script, in a folder in which every program only says how it was called."""
    for name in ("tests", ".ci", ".venv/bin"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("README.md", ".ci/run"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "tests" / "run.py").write_text("print('the tests')")
    for name in ("ruff", "mypy"):
        (tmp_path / ".venv" / "bin" / name).write_text(f"#!/bin/sh\necho {name} $*\n")
        (tmp_path / ".venv" / "bin" / name).chmod(0o755)
    said = subprocess.run(["bash", ".ci/run"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == [f"+ {command('Test')}", "the tests", "ruff check companion tests", "ruff format --check companion tests", "mypy"]


def test_the_readme_names_every_option_of_serve():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    help_text = subprocess.run([sys.executable, "-m", "companion", "serve", "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"--[a-z-]+", help_text)) - {"--help"}
    assert {option for option in options if f"`{option}" not in readme and f"`{option} " not in readme} == set()


# ---- what it depends on ----------------------------------------------------------------------------------------------

NAME = "game-night-companion"
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#"))


@pytest.mark.parametrize(
    "more",
    [
        (),  # the program and what stands in its extras
        ("tests", "tests/games", "tests/bench", "-e", r"\.venv", "-oddg", "none", "-pri", "DEP002=" + "|".join(CALLED)),  # the tests, too
    ],
    ids=["program", "tests"],
)
def test_every_dependency_is_used_and_declared(more):
    found = subprocess.run([sys.executable, "-m", "deptry", ".", *more, "--no-ansi"], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


def test_an_undeclared_and_an_unused_dependency_are_noticed(tmp_path):
    (tmp_path / "it.py").write_text("import werkzeug\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "it"\nversion = "1"\ndependencies = ["flask"]\n')
    found = subprocess.run([sys.executable, "-m", "deptry", ".", "--no-ansi"], cwd=tmp_path, capture_output=True, text=True)
    assert "DEP003 'werkzeug'" in found.stderr
    assert "DEP002 'flask'" in found.stderr


def needed_by(name, extras=(), seen=None):
    """The distributions that are installed for it, with all that those need."""
    seen = {} if seen is None else seen
    for requirement in map(Requirement, metadata.requires(name) or ()):
        wanted = any(requirement.marker is None or requirement.marker.evaluate({"extra": extra}) for extra in (*extras, ""))
        key = (canonicalize_name(requirement.name), *sorted(requirement.extras))
        if wanted and key not in seen:
            seen[key] = None
            needed_by(requirement.name, requirement.extras, seen)
    return {key[0] for key in seen} - {NAME}


def test_the_tests_run_with_versions_that_are_written_down():
    assert needed_by(NAME, ("test",)) - set(PINS) == set()


def test_of_a_version_only_its_number_is_written_down():
    assert [pin for pin in PINS.items() if not (re.fullmatch(r"[a-z0-9-]+", pin[0]) and re.fullmatch(r"[0-9.]+", pin[1]))] == []


def test_no_document_installs_a_strangers_package():
    """`companion` on the package index is somebody else's."""
    documents = [*ROOT.glob("*.md"), *ROOT.glob("companion/**/*.md"), *ROOT.glob("tests/**/*.md"), ROOT / "pyproject.toml"]
    assert [path.name for path in documents if STRANGER.search(path.read_text(encoding="utf-8"))] == []
    assert command("Run").count("-e '.[pictures]'") == 1


@pytest.mark.parametrize(
    "words", ["pip install companion", "pip install -U 'companion[hosted]'", '"companion[hosted]"', "uvx companion", "pipx run companion"]
)
def test_the_name_of_the_stranger_would_be_noticed(words):
    assert STRANGER.search(words)
