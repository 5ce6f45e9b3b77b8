"""From sentences of the rules to what people read, and numbers as they are typed."""

import pytest

from companion.games.base import Name, Text, many
from companion.web.i18n import speak
from companion.web.numbers import number, signed_number

NUMBERS = {
    "0": 0, "7": 7, "007": 7, "42": 42, " 42 ": 42, "999999": 999_999, "3+6+2": 11, "3 + 6 + 2": 11, "3 +6": 9,
    "0+0": 0, "+".join(["1"] * 41): 41,
}  # fmt: skip

NO_NUMBERS = [
    "", " ", "-1", "−1", "+1", "1+", "+", "1++2", "1 2", "1  + 2", "1+  2", "1.0", "1,5", "1e3", "1_000", "0x10", "0b1", "0o7",
    "true", "None", "NaN", "inf", "1000000", "1" * 5000, "+".join(["1"] * 42), "3-1", "3*2", "1/2", "(1)", "1;2", "1\n", "\n1",
    "1\t", "\t1", "1\x00", "\x001", "1\r\n2", "\u00a01", "1\u3000", "\u2007" + "1", "١", "٣٤", "१", "１", "𝟏", "²", "½", "Ⅷ", "①", "一",
    "1\u0301", "1\u200b", "\u202e21", "\ufeff1", "1\ufe0f\u20e3", "1=1", "<1>", "'1'", "1 OR 1=1", "{1}", "%31", "&#49;",
]  # fmt: skip


@pytest.mark.parametrize("typed", NUMBERS)
def test_a_number_or_a_sum_in_ascii_digits_is_read(typed):
    assert number(typed) == NUMBERS[typed]


@pytest.mark.parametrize("typed", NO_NUMBERS, ids=ascii)
def test_everything_else_is_no_number(typed):
    assert number(typed) is None


SIGNED = {
    "-1": -1, "3-1": 2, "-5-5": -10, "12 - 3 + 4": 13, "-007": -7, "0-0": 0, " -42 ": -42, "-999999": -999_999, "-1" + "+1" * 40: 39,
}  # fmt: skip
NOT_EVEN_SIGNED = [
    "−1", "--1", "-", "+-1", "1-", "1+-2", "-+1", "- 1", "1--2", "-1000000", "1" + "-1" * 41, "–1", "—1", "－1", "\u00ad1", "-١", "-1.0",
]  # fmt: skip


@pytest.mark.parametrize("typed", NUMBERS | SIGNED)
def test_a_score_may_be_below_zero(typed):
    assert signed_number(typed) == (NUMBERS | SIGNED)[typed]


@pytest.mark.parametrize("typed", [typed for typed in NO_NUMBERS if typed not in SIGNED] + NOT_EVEN_SIGNED, ids=ascii)
def test_everything_else_is_no_score(typed):
    assert signed_number(typed) is None


@pytest.mark.parametrize("typed", SIGNED)
def test_where_no_score_may_be_below_zero_a_minus_is_refused(typed):
    assert number(typed) is None


def test_the_table_has_what_python_itself_would_take():
    """The control: with `int` alone some of these would pass."""

    def taken(typed):
        try:
            return int(typed) is not None
        except ValueError:
            return False

    assert sum(map(taken, NO_NUMBERS)) > 15


# ---- sentences -------------------------------------------------------------------------------------------------------


@pytest.fixture
def _request(app):
    with app.test_request_context("/", base_url="http://game.test:8000"):
        yield


@pytest.mark.usefixtures("_request")
@pytest.mark.parametrize(
    ("value", "spoken"),
    [
        (Text("{player} wins.", player=Name(1)), "Ben wins."),
        (Text("{who} win.", who=(Name(0), Name(1))), "Ana and Ben win."),
        (Text("{who} win.", who=(Name(0), Name(1), Name(2))), "Ana, Ben and {Cem} win."),
        (Text("{player} wins.", player=Name(2)), "{Cem} wins."),
        (Text("{n} points", n=-3), "−3 points"),
        (many("{n} card", "{n} cards", n=1), "1 card"),
        (many("{n} card", "{n} cards", n=2), "2 cards"),
        (Text("{a}: {b}", a=Text("{x}!", x="x"), b="%(b)s {b}"), "x!: %(b)s {b}"),
        ("100 %", "100 %"),
    ],
)
def test_a_sentence_is_spoken_with_the_names_in_it(value, spoken):
    assert speak(value, ["Ana", "Ben", "{Cem}"]) == spoken
