"""Every sentence for people stands in the catalogue, and nothing else does."""

import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
POT = ROOT / "companion" / "translations" / "messages.pot"
EXTRACT = ["extract", "-F", "pyproject.toml", "-k", "Text", "-k", "_t", "-k", "many:1,2", "--no-location", "--sort-output"]


def ids(path):
    with path.open("rb") as file:
        return {message.id for message in read_po(file) if message.id}


@pytest.fixture(scope="module")
def extracted(tmp_path_factory):
    out = tmp_path_factory.mktemp("catalogue") / "messages.pot"
    command = [sys.executable, "-m", "babel.messages.frontend", *EXTRACT, "-o", str(out), "."]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return ids(out)


def test_the_catalogue_has_every_sentence(extracted):
    """To write it anew: .venv/bin/pybabel extract with the options above, -o companion/translations/messages.pot ."""
    assert extracted - ids(POT) == set()


def test_the_catalogue_has_no_sentence_that_is_not_used(extracted):
    assert ids(POT) - extracted == set()


def test_sentences_of_rules_pages_and_templates_are_in_it(extracted):
    assert "Start a night" in extracted
    assert "{player} takes trick {n}." in extracted
    assert ("{n} card should lie in the middle.", "{n} cards should lie in the middle.") in extracted
