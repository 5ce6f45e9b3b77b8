"""The TV at its smallest, 1280 × 720, with the most players, the longest names and the longest verdicts: nothing has to be scrolled."""

import pytest
from browser.phones import gather
from browser.test_results import TV, start

WIDE = (
    "TylerWWWWWWWWWWWWWWWWWWW",
    "Maximiliana Wolkenstein",
    "Bartholomäus von Ahlefel",
    "Rosalinde Sonnenschein-X",
    "Anna-Katharina Müller-Wo",
    "Wilhelmine von Trautheim",
    "Maximilian-Alexander Vos",
    "Enid Annabella Charlotte",
)
LINE = "red,green,blue,yellow,purple"
CARDS = ("blue-2", "red-1", "green-9", "green-4", "purple-9")
EVERYTHING = {"green": 6, "purple": 6, "orange": 6}
BIDS = [(seat, card) for card in (1, 2, 3) for seat in range(4)]


def lab():
    sums = {f"{name}.{seat}": "100" for name in ("plus", "minus") for seat in range(5)}
    minus = {f"colours.{seat}": colour for seat, colour in enumerate(("purple", "blue", "yellow", "green", "orange"))}
    cards = {f"cards.{n}.{colour}": value for n in range(5) for colour, value in EVERYTHING.items()}
    yield "round-1", sums
    yield "round-2-minus", minus
    yield "round-2-trick-1-cards", {"trump": "green", **cards}


def academy():
    yield "round-1", {**{f"tricks.{seat}": "2" for seat in range(4)}, "ace": "0", "rebel": "true"}
    yield "round-2-exam", {"trump": "green", "rule": "trick-exchange"}
    yield "round-2-trick-1-cards", {f"cards.{n}": card for n, card in enumerate(("blue-5", "blue-7", "green-3", "purple-2"))}


def cribby():
    yield "trick-1", {"up": CARDS[0], **{f"cards.{n}": card for n, card in enumerate(CARDS[1:])}}
    for n, card in enumerate(CARDS, 1):
        yield f"trick-1-pick-{n}", {"card": card}


def tiles():
    for n in range(1, 8):
        yield f"take-{n}", {"side": n % 2, "tile": "red"}


def race():
    edge = {"animal": "flyer", "value": "4", **{f"cards.{n}": f"[{seat},{card}]" for n, (seat, card) in enumerate(BIDS)}}
    yield "stage-1-edge-1-cards", edge
    for n in range(2, 5):
        yield f"stage-1-edge-{n}", {"animal": "any", "value": "4", "winner": n - 1, "moves": '[["reptile",4]]'}
    yield (
        "stage-2-edge-1",
        {"animal": "any", "value": "?", "winner": "0", "count": "12", "moves.0": '["sprinter",6]', "moves.1": '["reptile",6]'},
    )


def ligretto():
    for n in range(1, 13):
        yield f"round-{n}", {**{f"scored.{seat}": 9 + 2 * seat for seat in range(5)}, **{f"left.{seat}": "9" for seat in range(5)}}


def sheet():
    for n in range(1, 13):
        yield f"round-{n}-all-0", {f"points.{seat}": -1000 for seat in range(8)}


LOOP = {"loop": ",".join(LINE.split(",") * 9)}
FULL = {
    "crazy-lab": (5, {"rounds": 3}, lab),
    "the-academy": (4, {}, academy),
    "tricky-cribby": (4, {"strength": LINE, "leader": "", **LOOP}, cribby),
    "tricky-cribby without the loop": (4, {"strength": LINE, "leader": ""}, tiles),
    "crazy-race": (4, {}, race),
    "ligretto-crazy": (5, {"target": 150}, ligretto),
    "score-sheet": (8, {"title": "W" * 20}, sheet),
}
SEEN = """() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight,
  ...["#board", "#standings", ".tv-join"].map(each => Math.ceil(document.querySelector(each).getBoundingClientRect().bottom))]"""


@pytest.mark.parametrize("what", FULL)
def test_nothing_has_to_be_scrolled_on_the_tv(new_phone, table, what):
    """After every entry: the board with its verdict, who is ahead, and the way in."""
    tv = new_phone("TV", **TV)
    players, options, entries = FULL[what]
    lobby, (hand,) = gather(table, tv, names=WIDE[:1], without=WIDE[1:players])
    match = start(hand, lobby, what.split()[0], seats=players, **options)
    tv.go(lobby + "/tv")
    fits(tv, "at the start")
    for ask, fields in entries():
        hand.post(f"{match}/act/{ask}", {**fields, "key": f"entered {ask}"})
        tv.go(lobby + "/tv")
        fits(tv, ask)


def fits(tv, when):
    wide, high, *bottoms = tv.page.evaluate(SEEN)
    assert wide <= 1280, when
    assert max(high, *bottoms) <= 720, (when, high, bottoms)


def test_control_a_board_that_is_too_high_is_caught(new_phone, table):
    tv = new_phone("TV", **TV)
    lobby, (hand,) = gather(table, tv, names=WIDE[:1], without=WIDE[1:4])
    start(hand, lobby, "crazy-race", seats=4)
    tv.go(lobby + "/tv")
    fits(tv, "as it is")
    tv.page.evaluate("document.querySelector('#board').style.minHeight = '700px'")
    with pytest.raises(AssertionError, match="too high"):
        fits(tv, "too high")
