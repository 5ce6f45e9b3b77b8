"""Answers as a phone sends them, in an address or in a form, read into an action field by field."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, NoReturn

from flask import request

from companion.games import read_action
from companion.games.base import SKIP, Ask, Field, Plain, RuleError, Text
from companion.games.forms import walk
from companion.match_log import Position
from companion.nights import UserError
from companion.web.i18n import _t
from companion.web.numbers import whole
from companion.web.render import encoded


def sent_answers() -> list[str]:
    answers = request.args.getlist("a")[:100]
    for each in answers:
        try:
            each == "skip" or json.loads(each)
        except (ValueError, RecursionError):
            raise UserError(_t("This address is not one of ours."), 400) from None
    return answers


def labelled(ask: Ask, answers: list[Any]) -> list[tuple[Field, Any]]:
    """What was answered so far, with its question."""
    told: list[tuple[Field, Any]] = []
    given = iter(answers)

    def answer(field: Field) -> Any:
        told.append((field, next(given)))
        return told[-1][1]

    with suppress(StopIteration, RuntimeError):
        walk(ask.form, answer)
    return told


def read_form(ask: Ask, labels: list[tuple[Field, Any]], position: Position, before: Any) -> Plain:
    """The action in a posted form: its fields are named as they stand in the action. Each is added to the labels as it is read."""
    doubtful: list[str] = []  # what no button offered
    sent = request.form

    def answer(field: Field) -> Any:
        found = _answer(field, sent.get(field.name, ""), doubtful)
        labels.extend([] if doubtful else [(field, found)])
        return found

    try:
        action = walk(ask.form, answer)
    except (LookupError, ValueError, TypeError, AttributeError):
        raise UserError(_impossible(doubtful[0]) if doubtful else _t("These answers do not fit together.")) from None
    if doubtful:
        _refuse(action, doubtful[0], position, before)
    return action


def _refuse(action: Plain, typed: str, position: Position, before: Any) -> NoReturn:
    """What was not offered is refused in the words of the rules, where they know what is wrong with it."""
    try:
        position.game.apply(before, read_action(position.game, action, position.players))
    except RuleError as error:
        if error.rule != "RECORD":
            raise
    raise UserError(_impossible(typed))


def _impossible(typed: str) -> Text:
    return _t("“{typed}” is not possible here.", typed=typed[:40])


def _answer(field: Field, typed: str, doubtful: list[str]) -> Any:
    if typed == "":
        return _left_out(field)
    return whole(typed, signed=_is_signed(field)) if field.kind == "number" else _picked(field, typed, doubtful)


def _is_signed(field: Field) -> bool:
    return bool(field.values) and field.values[0] < 0


def _left_out(field: Field) -> Any:
    if field.optional:
        return SKIP
    raise UserError(_t("Something is missing: {what}", what=field.text))


def _picked(field: Field, typed: str, doubtful: list[str]) -> Any:
    for value in field.values:
        if encoded(value) == typed:
            return value
    doubtful.append(typed)
    return _decoded(typed)


def _decoded(typed: str) -> Any:
    """The opposite of `encoded`, for a value that nobody offered."""
    try:
        return json.loads(typed)
    except (ValueError, RecursionError):
        return typed
