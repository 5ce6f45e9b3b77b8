"""Every sentence for people stands in the catalogue, and nothing else does; every language has all of them, and loses nothing."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from babel.support import Translations

from companion.games.base import say
from companion.games.the_academy.model import ROLE_WORDS, ROUND_RULES
from companion.i18n import languages
from companion.web.render import LETTERS

ROOT = Path(__file__).parents[1]
POT = ROOT / "companion" / "translations" / "messages.pot"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line)[1:] for line in re.findall(r"^\.venv/bin/pybabel .*", CONTRIBUTING, re.MULTILINE)]


def ids(path):
    with path.open("rb") as file:
        return {message.id for message in read_po(file) if message.id}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A checkout in which the commands of CONTRIBUTING.md were typed."""
    folder = tmp_path_factory.mktemp("checkout")
    for part in ("companion", "templates"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for command in COMMANDS:
        subprocess.run([sys.executable, "-m", "babel.messages.frontend", *command], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def extracted(copy):
    return ids(copy / POT.relative_to(ROOT))


def test_the_commands_for_translators_change_nothing_but_a_date(copy):
    """… where the sentences are the same as before; and they begin a new language."""
    assert [command[0] for command in COMMANDS] == ["extract", "update", "init"]
    for path in (POT, *CATALOGUES):
        assert undated(copy / path.relative_to(ROOT)) == undated(path)
    assert ids(copy / "companion" / "translations" / "fr" / "LC_MESSAGES" / "messages.po") == ids(POT)


def undated(path):
    dated = ('"POT-Creation-Date: ', '"Generated-By: ')
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(dated)]


def test_the_catalogue_has_every_sentence(extracted):
    assert extracted - ids(POT) == set()


def test_the_catalogue_has_no_sentence_that_is_not_used(extracted):
    assert ids(POT) - extracted == set()


def test_sentences_of_rules_pages_and_templates_are_in_it(extracted):
    assert "Start a night" in extracted
    assert "{player} takes trick {n}." in extracted
    assert ("{n} card should lie in the middle.", "{n} cards should lie in the middle.") in extracted


# ---- translations ----------------------------------------------------------------------------------------------------

CATALOGUES = sorted(POT.parent.glob("*/LC_MESSAGES/messages.po"))
PLACEHOLDER = re.compile(r"%\((\w+)\)s|\{(\w+)\}|(\bNAME\b|^N\b)|(%(?!%))")  # NAME and N: filled in by scripts; %: one that breaks a page
every_language = pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])


def catalogue(path):
    with path.open("rb") as file:
        return read_po(file)


def tongue(path):
    return Translations.load(POT.parent, [path.parts[-3]])


def forms(text):
    return text if isinstance(text, tuple) else (text,)


def placeholders(text):
    return sorted(PLACEHOLDER.findall(text))


def lost_in_translation(message):
    """A singular may leave out the number, “one card”; everything else stands in every form."""
    original, translated = forms(message.id), forms(message.string)
    allowed = [placeholders(each) for each in original]
    return not all(placeholders(each) in allowed for each in translated) or placeholders(translated[-1]) != placeholders(original[-1])


def test_every_catalogue_is_offered_as_a_language():
    assert languages() == ("en", *(path.parts[-3] for path in CATALOGUES))


@every_language
def test_a_language_has_every_sentence_and_no_other(path):
    translated = catalogue(path)
    assert {message.id for message in translated if message.id} ^ ids(POT) == set()
    assert list(translated.obsolete) == []


@every_language
def test_nothing_is_untranslated_or_unsure(path):
    messages = [message for message in catalogue(path) if message.id]
    assert [message.id for message in messages if message.fuzzy or not all(forms(message.string))] == []


@every_language
def test_every_plural_has_all_its_forms(path):
    translated = catalogue(path)
    plurals = [message for message in translated if message.pluralizable]
    assert [message.id for message in plurals if len(forms(message.string)) != translated.num_plurals] == []


@every_language
def test_no_placeholder_is_lost_or_added(path):
    assert [message.id for message in catalogue(path) if message.id and lost_in_translation(message)] == []


@pytest.mark.parametrize(
    ("one", "more", "translated"),
    [
        ("{name} wins.", None, "Jemand gewinnt."),
        ("{name} wins.", None, "{nome} gewinnt."),
        ("%(name)s wins", None, "%(name) gewinnt"),
        ("Next: NAME", None, "Als Nächstes: Name"),
        ("{n} card", "{n} cards", ("{n} Karte", "Karten")),
        ("{n} card of {name}", "{n} cards of {name}", ("{n} Karte", "{n} Karten von {name}")),
    ],
)
def test_a_lost_placeholder_is_noticed(one, more, translated):
    assert lost_in_translation(Message((one, more) if more else one, translated))


@every_language
def test_the_letters_of_the_suits_are_unique(path):
    letters = [say(letter, [], tongue(path)) for letter in LETTERS.values()]
    assert all(len(letter) == 1 for letter in letters)
    assert len(set(letters)) == len(letters)


@every_language
def test_the_animals_have_a_letter_each(path):
    """Sprinter, reptile, flyer, in this order."""
    assert len(set(tongue(path).gettext("SRF"))) == len(tongue(path).gettext("SRF")) == 3


@every_language
def test_the_roles_of_the_academy_have_letters_that_no_suit_of_it_has(path):
    letters = [say(role, [], tongue(path))[0] for role in ROLE_WORDS.values()]
    letters += [say(LETTERS[colour], [], tongue(path)) for colour in ("blue", "green", "purple", "orange")]
    assert len(set(letters)) == 8


@every_language
def test_a_round_rule_has_its_name_before_the_colon(path):
    """Pages show the name alone, too."""
    names = [say(text, [], tongue(path)).partition(": ") for text in ROUND_RULES.values()]
    assert all(name and colon and rule for name, colon, rule in names)
    assert len({name for name, _, _ in names}) == len(ROUND_RULES)
