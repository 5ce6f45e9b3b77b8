"""What the wheel carries, and what the project's files keep out."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import IN_BROWSER

ROOT = Path(__file__).parents[1]


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


def test_a_wheel_made_from_the_source_archive_has_them_too(wheel, tmp_path):
    """… where they are compiled again: what somebody compiled before does not count."""
    with tarfile.open(build("sdist", ROOT, tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    source = next(tmp_path.glob("companion-*"))
    for compiled in source.rglob("*.mo"):
        compiled.unlink()
    assert catalogues(build("wheel", source, tmp_path / "wheel")) == catalogues(wheel)


def test_compiled_catalogues_are_not_kept_in_git():
    assert "*.mo" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


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


def test_the_readme_has_one_command_line_to_run_and_one_to_test():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for heading, ends in (("Run", "companion"), ("Test", "pytest --cov && .venv/bin/python -m pytest --postgresql")):
        block = re.search(rf"^## {heading}\n+```sh\n(.*?)```", readme, re.MULTILINE | re.DOTALL)[1]
        assert block.count("\n") == 1
        assert block.startswith("python3 -m venv .venv && ")
        assert block.strip().endswith(ends)


def test_every_browser_test_that_is_named_for_postgresql_is_there():
    files = {name: (ROOT / "tests" / "browser" / name).read_text(encoding="utf-8") for name in IN_BROWSER}
    assert [test for name, tests in IN_BROWSER.items() for test in tests if f"def {test}" not in files[name]] == []


def test_the_readme_names_every_option_of_serve():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    help_text = subprocess.run([sys.executable, "-m", "companion", "serve", "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"--[a-z-]+", help_text)) - {"--help"}
    assert {option for option in options if f"`{option}" not in readme and f"`{option} " not in readme} == set()
