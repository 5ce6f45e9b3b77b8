"""Names as people type them, and codes: tidy, readable, never two that look the same."""

import unicodedata

import pytest

from companion.names import ALPHABET, CODE_LENGTH, BadName, key_of, new_code, tidy, tidy_code

FAMILY = "👨\u200d👩\u200d👧\u200d👦"  # one character as people count them


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ana", "Ana"),
        ("  Ana  ", "Ana"),
        ("Ana   Maria", "Ana Maria"),
        ("Ana\tMaria\n", "Ana Maria"),
        ("Ana\u2028Maria", "Ana Maria"),
        ("Ana\u3000Maria", "Ana Maria"),
        ("Zoe\u0308", "Zoë"),
        ("\u212bsa", "Åsa"),
        ("李雷", "李雷"),
        ("محمد", "محمد"),
        ("🦊", "🦊"),
        ("❤\ufe0f", "❤\ufe0f"),
        (FAMILY, FAMILY),
        ("7", "7"),
        ("<b>Bo</b>", "<b>Bo</b>"),
        ("O'Neil & Söhne", "O'Neil & Söhne"),
        ("=1+1", "=1+1"),
    ],
)
def test_a_name_is_kept_tidy(typed, kept):
    assert tidy(typed) == kept
    assert unicodedata.is_normalized("NFC", kept)
    assert tidy(kept) == kept


@pytest.mark.parametrize("one", ["a", "ö", "o\u0308", "李", FAMILY, "e\u0323\u0302"])
def test_a_name_has_up_to_24_characters_as_people_count_them(one):
    assert tidy(one)
    assert tidy(one * 24) == unicodedata.normalize("NFC", one * 24)
    with pytest.raises(BadName, match="too long"):
        tidy(one * 25)


def test_one_character_with_a_hundred_marks_is_too_long():
    with pytest.raises(BadName, match="too long"):
        tidy("a" + "\u0300" * 300)


@pytest.mark.parametrize(
    "typed", ["", " ", "\n\t", "\u3000", "...", "-", "!?", "\u0301", "\ufe0f", "\u200d", "\u3164", "\u115f", "\u2800", "\u2800 \u3164"]
)
def test_a_name_needs_something_to_read(typed):
    with pytest.raises(BadName, match="Please type a name"):
        tidy(typed)


@pytest.mark.parametrize(
    "sign",
    [
        *"\x00\x07\x08\x1b\x7f\x80\x9f",
        *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",  # directions
        *"\u200b\u200c\u2060\ufeff\u00ad",  # nothing to see
        "\ud800",
        "\ue000",
        "\ufffe",
        "\U000e0041",
    ],
    ids=lambda sign: f"U+{ord(sign):04X}",
)
@pytest.mark.parametrize("pattern", ["An{}a", "{}Ana", "Ana{}"])
def test_controls_and_bidi_signs_are_refused(sign, pattern):
    with pytest.raises(BadName, match="cannot be shown"):
        tidy(pattern.format(sign))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "a n a"),
        ("straße", "STRASSE"),
        ("Zoe\u0308", "Zoë"),
        ("Ana", "Аnа"),  # Cyrillic
        ("Ben", "Βen"),  # Greek
        ("Ana", "Ａｎａ"),  # full width
        ("Ana", "𝐀𝐧𝐚"),  # mathematical
        ("Bob", "B0b"),
        ("Al", "A1"),
        ("Ana", "Ana\u200d"),
        ("Ana", "Ana\ufe0f"),
        ("Ana", "An\u034fa"),
        ("Ana", "Ana\u3164"),
        ("Ana", "Ana\ufe01"),
        ("ﬁn", "fin"),
    ],
)
def test_names_that_look_the_same_have_the_same_key(one, other):
    assert key_of(tidy(one)) == key_of(tidy(other))


@pytest.mark.parametrize(
    ("one", "other"), [("Ana", "Anna"), ("Ana", "Aña"), ("Zoe", "Zoë"), ("Ben", "Bea"), ("李雷", "李霍"), ("🦊", "🐺"), ("A2", "A3")]
)
def test_names_that_differ_have_different_keys(one, other):
    assert key_of(tidy(one)) != key_of(tidy(other))


@pytest.mark.parametrize("name", ["Ana", "Straße", "İrem", "B0b", "Ǆ", "ŉ", "𝐀𝐧𝐚", "ﷺ", FAMILY])
def test_a_key_is_its_own_key(name):
    assert key_of(key_of(name)) == key_of(name)


# ---- codes -----------------------------------------------------------------------------------------------------------


def test_a_code_has_six_of_31_symbols_that_nobody_confuses():
    assert len(ALPHABET) == len(set(ALPHABET)) == 31
    assert not set("0O1IL") & set(ALPHABET)
    codes = {new_code() for _ in range(400)}
    assert len(codes) == 400
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert set("".join(codes)) == set(ALPHABET)


@pytest.mark.parametrize("typed", ["ABC234", "abc234", " abc 234 ", "ABC-234", "a.b.c.2.3.4", "ABC\t234"])
def test_a_code_may_be_typed_with_spaces_and_in_small_letters(typed):
    assert tidy_code(typed) == "ABC234"


@pytest.mark.parametrize("typed", ["", "ABC23", "ABC2345", "ABC234ABC234", "ÀBC234", "ＡBC234", "٢BC234", "%"])
def test_something_else_is_never_a_code(typed):
    assert len(tidy_code(typed)) != CODE_LENGTH


@pytest.mark.parametrize("name", ["", "x" * 30, "\u202e"])
def test_a_bad_name_is_refused_in_a_sentence(name):
    with pytest.raises(BadName, match=r"\.$") as refused:
        tidy(name)
    assert refused.value.text.key == str(refused.value)
