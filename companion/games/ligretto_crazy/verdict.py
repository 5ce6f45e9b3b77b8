"""May this card be laid? The answer of Ligretto Crazy with its reason, and how it is asked and told."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.base import SKIP, Field, Form, Plain, Reason, RuleError, Text, Verdict, given
from companion.games.disputes import Disputes, WhatIf, if_only
from companion.games.ligretto_crazy.model import CRAZY, MAX_PILES, TOPS, VALUES, Laying


class LigrettoDisputes(Disputes):
    """How a dispute about a card is asked and told: it has an answer, but no winner."""

    asking = Text("May this card be laid?")
    led = won = False

    def form(self, players: int, leader: int) -> Form:
        return _laying_form(players)

    def headline(self, verdict: Verdict) -> Text:
        match verdict.adds["legal"], verdict.adds["closes"]:
            case False, _:
                return Text("No, it may not be laid.")
            case _, None:
                return Text("Yes, and as a 5 it closes the pile.")
            case _, True:
                return Text("Yes, and it closes the pile.")
            case _:
                return Text("Yes, it may be laid.")

    def after(self, question: Plain, verdict: Verdict) -> Reason | None:
        if verdict.adds["closes"]:
            return Reason(Text("Whoever laid it calls “Crazy” and takes the pile to their own score pile."), "LIG-9")
        if not verdict.adds["legal"] and question["top"] is None and question["piles"] >= len(question["players"]):
            return Reason(Text("Whoever opened a pile too many takes it to their own discard pile, with all that lies on it."), "LIG-10")
        return None

    def what_ifs(self, question: Plain) -> Iterable[WhatIf]:
        for top in TOPS:
            if top != question["top"]:
                text = Text("if a {top} lay on top", top=top) if top else Text("if it opened a new pile")
                yield if_only(("top", str(top or "none")), text, {**question, "top": top})
        for value in VALUES if question["card"] == CRAZY else ():
            if value != question.get("as"):
                text = Text("if it were named a {value}", value=value)
                yield if_only(("as", str(value)), text, {**question, "as": value})


def _laying_form(players: int) -> Form:
    """The pile, the card, and for a new pile how many there are; what a crazy card stands for can be left out."""
    top = yield Field("top", TOPS, Text("What lies on top of the pile?"), "number")
    card = yield Field("card", (*VALUES, CRAZY), Text("Which card is laid?"), "number")
    text = Text("How many piles are open already?")
    piles = yield Field("piles", range(MAX_PILES + 1), text, "number", optional=top is not None)
    named = SKIP
    if card == CRAZY:
        named = yield Field("as", VALUES, Text("What does whoever lays it call it?"), "number", optional=True)
    return given(top=top, card=card, piles=1 if piles is SKIP else piles, **{"as": named})


# ---- the answer ------------------------------------------------------------------------------------------------------


def may_lay(question: Laying) -> Verdict:
    """Legal or not, and whether it closes the pile; a winner there is none."""
    if question.named is not None and question.card != "crazy":
        raise RuleError(Text("Only a crazy card gets a value from whoever lays it; leave out “as”."), "RECORD")
    value = question.card if isinstance(question.card, int) else question.named
    legal, reason = _opening(question, value) if question.top is None else _continuing(question.top, value)
    closes = _closes(question.top, value) if legal else False
    return Verdict(None, lambda: (reason,), {"legal": legal, "closes": closes})


def _opening(question: Laying, value: int | None) -> tuple[bool, Reason]:
    """Only a 1, or a crazy card standing for one, opens a pile, and only while there is room for it."""
    most = len(question.players)
    if question.piles >= most:
        return False, Reason(Text("No new pile: there are as many as players already, {most}.", most=most), "LIG-4")
    if value is None:
        return True, Reason(Text("A crazy card opens a pile; it counts as a 1."), "G1")
    if value == 1:
        return True, Reason(Text("A 1 opens a new pile."), "LIG-5")
    if question.card == "crazy":
        return False, Reason(Text("A crazy card that opens a pile is a 1, not a {value}.", value=value), "G1")
    return False, Reason(Text("Only a 1 or a crazy card opens a pile, not a {value}.", value=value), "LIG-5")


def _continuing(top: int, value: int | None) -> tuple[bool, Reason]:
    """A card goes on a pile one step up or down; a crazy card is whatever fits."""
    if value is None and top == 4:
        text = Text("A crazy card fits on a 4 as a 3 or as a 5. As a 5 it closes the pile: whoever laid it says which.")
        return True, Reason(text, "G3")
    if value is None:
        return True, Reason(Text("A crazy card fits on every pile: on a {top} it is one more or one less.", top=top), "LIG-11")
    if value == 5 and top == 4:
        return True, Reason(Text("A 5 on a 4 closes the pile: whoever laid it takes the pile."), "LIG-9")
    if abs(value - top) == 1:
        return True, Reason(Text("A {value} goes on a {top}: exactly one step.", value=value, top=top), "LIG-6")
    return False, Reason(Text("A {value} does not go on a {top}: it must be exactly one more or one less.", value=value, top=top), "LIG-6")


def _closes(top: int | None, value: int | None) -> bool | None:
    """An unnamed crazy card on a 4 may be the closing 5 or a 3: its layer has to say."""
    if top != 4:
        return False
    return None if value is None else value == 5
