"""The language of the terminal: which one it asks for, and how the command line says something in it."""

from __future__ import annotations

import gettext
import os
import re
import sys
from io import TextIOWrapper
from pathlib import Path

from companion.games.base import Text, Tongue, Value, many, say

TRANSLATIONS = Path(__file__).resolve().parent / "translations"
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first one that is set counts
NO_LANGUAGE = ("C", "POSIX")


def languages() -> tuple[str, ...]:
    """English, which the sentences are written in, and those that there is a catalogue for."""
    return "en", *sorted(path.parent.parent.name for path in TRANSLATIONS.glob("*/LC_MESSAGES/messages.mo"))


def wanted() -> str:
    """As gettext takes it: LANGUAGE before the locale, whatever the country (de_AT.UTF-8 is German), and English in the locale C."""
    here = next(filter(None, map(os.environ.get, LOCALES)), "C")
    if _short(here) in NO_LANGUAGE:
        return "en"
    asked = [*os.environ.get("LANGUAGE", "").split(":"), here]
    return next((each for each in map(_short, asked) if each in languages()), "en")


def _short(locale: str) -> str:
    return re.split(r"[_.@-]", locale)[0]


def tongue() -> Tongue:
    return gettext.translation("messages", TRANSLATIONS, [wanted()], fallback=True)


def told(value: Value) -> str:
    return plain(say(value, (), tongue()))


def plain(said: str) -> str:
    """Without the marks where long words may be broken, which only pages know what to do with."""
    return said.replace("\u00ad", "")


class InWords(Exception):
    """Something that cannot be done, and why, for whoever sits at the terminal."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text

    def __str__(self) -> str:
        return told(self.text)


def prepare_terminal() -> None:
    """What a terminal has no letters for shows as question marks; argparse finds its words where gettext looks for them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    os.environ["LANGUAGE"] = wanted()
    gettext.bindtextdomain("messages", str(TRANSLATIONS))


ARGPARSE = (  # its own words, here for the catalogue
    Text("usage: "),
    Text("options"),
    Text("positional arguments"),
    Text("show this help message and exit"),
    Text("%(prog)s: error: %(message)s\n"),
    Text("argument %(argument_name)s: %(message)s"),
    Text("the following arguments are required: %s"),
    Text("one of the arguments %s is required"),
    Text("unrecognized arguments: %s"),
    Text("not allowed with argument %s"),
    Text("invalid choice: %(value)r (choose from %(choices)s)"),
    Text("expected one argument"),
    many("expected %s argument", "expected %s arguments", n=2),
)
