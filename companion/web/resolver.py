"""“Who wins this trick?”, without a night. The address is the question: every tap is a link to a longer one, and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, render_template, request
from qrcode.exceptions import DataOverflowError
from werkzeug.datastructures import MultiDict

from companion.games import GAMES, AnyGame, verdict_on
from companion.games.base import Plain, Reason, RuleError, Text, Verdict
from companion.games.disputes import WhatIf
from companion.web import pictures
from companion.web.asked import Asked, Malformed, asked_in, number_in
from companion.web.i18n import _t, speak
from companion.web.permissions import allow
from companion.web.qr import qr
from companion.web.render import page
from companion.web.services import services

views = Blueprint("resolver", __name__)

MALFORMED = _t("This address is no question that can be answered, so here is an empty one.")


# ---- the answer ------------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """A step of the argument in words, and whether it is about the winner."""

    text: str
    rule: str
    winning: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict as it is told: large, then why, then what comes next. `templates/resolver/_verdict.html` shows one as `answer`."""

    game: AnyGame
    names: Sequence[str]
    verdict: Verdict
    headline: Text
    steps: Sequence[Told]
    after: Reason | None = None
    claim: int | None = None
    early: bool = False  # decided before all cards are there


def _steps(verdict: Verdict, names: Sequence[str], after: Reason | None = None) -> list[Told]:
    reasons = [each for each in verdict.why if each != after]
    return [Told(speak(each.text, names), each.rule, each.seat is not None and each.seat == verdict.winner) for each in reasons]


def answer_to(question: Plain) -> Answer | RuleError:
    """The answer to a question as `resolve` takes it, of a game that has disputes."""
    game = GAMES[question["game"]]
    verdict = verdict_on(game, question)
    return verdict if isinstance(verdict, RuleError) else _argued(game, question, verdict)


def _argued(game: AnyGame, question: Plain, verdict: Verdict) -> Answer:
    assert game.disputes is not None
    names, after = question["players"], game.disputes.after(question, verdict)
    return Answer(game, names, verdict, game.disputes.headline(verdict), _steps(verdict, names, after), after, question.get("claim"))


def _answer(asked: Asked) -> Answer | None:
    """The verdict as soon as there is one; a page on which nothing was chosen has none."""
    if asked.verdict is not None:
        return _argued(asked.game, asked.question, asked.verdict) if asked.chosen else None
    early = asked.disputes.foreseen(asked.players, asked.leader, asked.chosen)
    if early is None:
        return None
    return Answer(asked.game, asked.names, early, asked.disputes.headline(early), _steps(early, asked.names), claim=asked.claim, early=True)


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What would have been: only the steps that are not the same."""

    text: Text | None
    answer: Answer
    steps: list[Told]
    same_end: bool
    address: str


def _otherwise(asked: Asked, now: Answer, what_if: WhatIf) -> Iterator[Otherwise]:
    known = {(step.text, step.rule) for step in now.steps}
    for case in what_if.cases:
        answer = answer_to({name: value for name, value in case.question.items() if name != "claim"})
        assert isinstance(answer, Answer)
        changed = [step for step in answer.steps if (step.text, step.rule) not in known]
        same_end = (answer.verdict.winner, answer.headline) == (now.verdict.winner, now.headline)
        yield Otherwise(case.text, answer, changed, same_end, asked.supposed(case.question))


# ---- pages -----------------------------------------------------------------------------------------------------------


@views.get("/who-wins")
@allow("anybody")
def choose() -> str:
    return render_template("resolver/choose.html")


@views.get("/who-wins/<game>")
@allow("anybody")
def ask(game: str) -> Any:
    found = _game(game)
    if found.disputes is None:
        return render_template("resolver/none.html", game=found)
    try:
        asked, wrong = asked_in(found, request.args, len(request.query_string)), None
    except Malformed as error:
        asked, wrong = asked_in(found, MultiDict()), error
    return page("resolver/ask.html", {**_facts(asked), "wrong": _told(wrong)})


def _told(wrong: Malformed | None) -> str | None:
    return None if wrong is None else f"{speak(MALFORMED)} {speak(wrong.text, wrong.names)}"


def _game(game: str) -> AnyGame:
    return GAMES.get(game) or abort(404)


def _facts(asked: Asked) -> dict[str, Any]:
    answer = _answer(asked)
    what_ifs = list(asked.disputes.what_ifs(asked.question)) if answer and not answer.early else []
    picked = next((each for each in what_ifs if each.id == request.args.get("if")), None)
    return {
        "asked": asked,
        "game": asked.game,
        "names": asked.names,
        "answer": answer,
        "tapping": _goes_on(asked) and "HX-Request" in request.headers,  # then the verdict comes below, so that nothing moves
        "editing": number_in(request.args, "edit", None),
        "what_ifs": what_ifs,
        "picked": picked,
        "otherwise": list(_otherwise(asked, answer, picked)) if answer and picked else [],
        "share": _home() + asked.address,
        "picture": _home() + asked.address.replace("?", "/card.png?", 1),
        "code": asked.address.replace("?", "/qr.svg?", 1),
    }


def _goes_on(asked: Asked) -> bool:
    return asked.next is not None or asked.disputes.open_ended


def _home() -> str:
    """Where phones come in: always the configured address, never what a request claims to be."""
    return services().url


# ---- pictures --------------------------------------------------------------------------------------------------------


def _whole(game: str) -> tuple[Asked, Answer]:
    """The question of a picture's address and its answer; without one there is no picture."""
    found = _game(game)
    if found.disputes is None:
        abort(404)
    try:
        asked = asked_in(found, request.args, len(request.query_string))
    except Malformed:
        abort(404)
    return asked, _answer(asked) or abort(404)


def _drawn(game: str, draw: Callable[[str, str, Sequence[str]], str | bytes]) -> Response:
    asked, answer = _whole(game)
    reasons = [step.text for step in answer.steps]
    return pictures.answer(draw(speak(asked.game.name), speak(answer.headline, answer.names), reasons))


@views.get("/who-wins/<game>/card.svg")
@allow("anybody")
def card_svg(game: str) -> Response:
    return _drawn(game, pictures.svg)


@views.get("/who-wins/<game>/card.png")
@allow("anybody")
def card_png(game: str) -> Response:
    return _drawn(game, pictures.png)


@views.get("/who-wins/<game>/qr.svg")
@allow("anybody")
def code(game: str) -> Response:
    asked, _ = _whole(game)
    try:
        return pictures.answer(_code(_home() + asked.address))
    except DataOverflowError:
        abort(404)


@lru_cache(200)
def _code(address: str) -> str:
    return str(qr.__wrapped__(address))
