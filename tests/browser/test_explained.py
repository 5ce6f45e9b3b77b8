"""The pages that explain and correct, with the longest names: nothing is wider than the phone, nothing too small for a finger."""

import pytest
from browser.phones import sit
from browser.test_pages import check

LONG = ("WWWWWWWWWWWWWWWWWWWWWWWW", "Maximiliana Wolkenstein", "Bartholomäus von Ahlefel", "Rosalinde Sonnenschein-X")
SHEET = {"cards.0": "blue-5", "cards.1": "blue-7", "cards.2": "green-3", "cards.3": "purple-2"}
FIRST = {"up": "blue-2", "cards.0": "red-1", "cards.1": "green-9", "cards.2": "green-4", "cards.3": "purple-9"}
ENTRIES = {
    "crazy-lab": [
        ("round-1-minus", {f"colours.{seat}": colour for seat, colour in enumerate(("purple", "blue", "yellow", "green"))}),
        ("round-1-trick-1", {"trump": "blue", "winner": "0"}),
        ("round-1-trick-2-cards", {"trump": "green", **{f"cards.{n}.{c}": "6" for n in range(4) for c in ("green", "purple", "orange")}}),
        ("round-1-count-0", {"plus": "100", "minus": "100"}),
    ],
    "the-academy": [
        ("round-1-exam", {"trump": "green", "rule": "new-rule"}),
        ("round-1-trick-1-cards", SHEET),
        ("round-1-trick-2", {"winner": "0"}),
        ("round-1-trick-3", {"cover.as": "rule", "cover.card": "orange-4", "cover.rule": "joint-award", "winner": "0"}),
    ],
    "tricky-cribby": [
        ("trick-1", FIRST),
        *((f"trick-1-pick-{n}", {"card": card, "tile": "red"}) for n, card in enumerate(FIRST.values(), 1)),
        ("take-6", {"side": "0", "tile": "red"}),
    ],
    "crazy-race": [
        ("stage-1-edge-1-cards", {"animal": "flyer", "value": "4", "cards.0": "[0,6]", "cards.1": "[1,4]"}),
        (
            "stage-1-edge-2",
            {"animal": "any", "value": "?", "winner": "0", "count": "12", "moves.0": '["sprinter",6]', "moves.1": '["reptile",6]'},
        ),
        ("stage-1-edge-3", {"animal": "any", "value": "4", "winner": "0", "moves": '[["reptile",4]]'}),
    ],
}
SEND = """async entries => {
  const token = document.querySelector("[name=csrf_token]").value;
  for (const [ask, fields] of entries) {
    const body = new URLSearchParams({ csrf_token: token, key: "filled " + ask, ...fields });
    const answer = await fetch(location.pathname + "/act/" + ask, { method: "POST", body });
    if (!answer.ok) throw new Error(ask + ": " + answer.status);
  }
}"""


@pytest.mark.parametrize("game", ENTRIES)
def test_pages_that_explain_and_correct_fit_with_the_longest_names(new_phone, table, game):
    ana = new_phone()
    strength = {"strength": "red,green,blue,yellow,purple", "leader": ""} if game == "tricky-cribby" else {}
    match = sit(table, ana, game=game, names=LONG[:1], without=LONG[1:], **strength)
    ana.page.evaluate(SEND, ENTRIES[game])
    ana.go(match)
    check(ana, "the table")
    for n in range(1, len(ENTRIES[game]) + 1):
        check(ana.go(f"{match}/entries/{n}"), f"entry {n}")
        check(ana.go(f"{match}/ask/x?of={n}&rest=1"), f"correcting {n}")
    check(ana.go(f"{match}/seats/0"), "a seat")
    check(ana.go(f"{match}/story"), "the story")
