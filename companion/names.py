"""Names and codes as people type them: tidy, readable, and never two that look the same."""

from __future__ import annotations

import secrets
import unicodedata

import regex
from confusable_homoglyphs.confusables import confusables_data

from companion.games.base import Text

LONGEST = 24  # characters as people count them
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # 31 symbols; no 0 O 1 I L
CODE_LENGTH = 6
_UNWANTED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, bidi overrides, half characters
_JOINERS = "\u200d\ufe0f"  # hold emoji together
_UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u2800]")  # fillers, selectors, the blank of braille


class BadName(ValueError):
    """A name, or other words, that cannot be used, and why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text


def tidy(typed: str) -> str:
    """The name as it is kept and shown."""
    name = _on_one_line(typed)
    if _has_unwanted(name):
        raise BadName(Text("That name has signs in it that cannot be shown. Letters, digits and emoji are fine."))
    if _says_nothing(name):
        raise BadName(Text("Please type a name."))
    if _is_longer(name, LONGEST):
        raise BadName(Text("That name is too long: {most} characters at most.", most=LONGEST))
    return name


def tidy_words(typed: str, most: int) -> str:
    """A few words of a player, likewise."""
    words = _on_one_line(typed)
    if _has_unwanted(words):
        raise BadName(Text("There are signs in it that cannot be shown. Letters, digits and emoji are fine."))
    if _says_nothing(words):
        raise BadName(Text("Please type a few words."))
    if _is_longer(words, most):
        raise BadName(Text("That is too long: {most} characters at most.", most=most))
    return words


def _on_one_line(typed: str) -> str:
    return " ".join(unicodedata.normalize("NFC", typed).split())


def _has_unwanted(text: str) -> bool:
    return any(unicodedata.category(char) in _UNWANTED and char not in _JOINERS for char in text)


def _says_nothing(text: str) -> bool:
    return not regex.search(r"[\p{L}\p{N}\p{S}]", _UNSEEN.sub("", text))


def _is_longer(text: str, most: int) -> bool:
    return len(regex.findall(r"\X", text)) > most or len(text) > most * 8


def key_of(name: str) -> str:
    """What two names share that look the same: case, accents' composition and letters of other scripts do not count."""
    folded = unicodedata.normalize("NFKC", _UNSEEN.sub("", name)).casefold()
    return "".join(_twin(char) for char in folded if not char.isspace()).casefold()


def _twin(char: str) -> str:
    """The plain letter a sign is easily taken for, small or capital, or the sign itself."""
    if char.isascii() and char not in "01":
        return char
    return _look_alike(char) or _look_alike(char.upper()) or char


def _look_alike(sign: str) -> str | None:
    return next((each["c"] for each in confusables_data.get(sign, ()) if len(each["c"]) == 1 and each["c"].isascii()), None)


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def tidy_code(typed: str) -> str:
    """A code as it was meant: spaces and case do not matter."""
    return "".join(char for char in typed.upper() if char in ALPHABET)[: CODE_LENGTH + 1]
