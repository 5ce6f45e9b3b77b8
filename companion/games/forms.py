"""Answering what a game asks for: walk through a form with some answers, or see which question an action answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.games.base import SKIP, Ask, Field, Form, Plain


def is_offered(field: Field, answer: Any) -> bool:
    """Whether the answer is one of the values; tells 1 from true."""
    if answer is SKIP:
        return field.optional
    if isinstance(field.values, range):
        return type(answer) is int and answer in field.values
    return any(same(each, answer) for each in field.values)


def same(one: Any, other: Any) -> bool:
    """Equality of plain data that tells 1 from true, also inside lists."""
    if isinstance(one, list | dict):
        return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    return type(one) is type(other) and bool(one == other)


def walk(form: Callable[[], Form], answer: Callable[[Field], Any]) -> Plain:
    """The action that a form gives when each field is answered by that function."""
    steps = form()
    try:
        field = next(steps)
        while True:
            field = steps.send(answer(field))
    except StopIteration as done:
        return done.value


class NotOffered(Exception):
    """The form has no such answer."""


def guided(form: Callable[[], Form], plain: Plain) -> Plain | None:
    """The action that a form gives when it is answered as in `plain`; None where it does not offer that."""

    def answer(field: Field) -> Any:
        found = look_up(plain, field.name)
        if not is_offered(field, found):
            raise NotOffered
        return found

    try:
        return walk(form, answer)
    except NotOffered:
        return None


def ask_for(asks: Iterable[Ask], plain: Plain) -> Ask | None:
    """The question that an action answers."""
    return next((ask for ask in asks if ask.do == plain.get("do") and same(guided(ask.form, plain), plain)), None)


def look_up(plain: Plain, name: str) -> Any:
    """What stands at a path such as `cards.2.green`; SKIP where there is nothing."""
    for part in name.split("."):
        if isinstance(plain, list):
            plain = plain[int(part)] if int(part) < len(plain) else SKIP
        elif isinstance(plain, dict):
            plain = plain.get(part, SKIP)
        else:
            return SKIP
    return plain


def next_field(form: Callable[[], Form], answers: Sequence[Any]) -> Field | Plain:
    """The field after these answers, or the action when it is complete."""
    steps, given = form(), iter(answers)
    try:
        field = next(steps)
        for answer in given:
            if not is_offered(field, answer):
                raise NotOffered
            field = steps.send(answer)
    except StopIteration as done:
        return done.value
    return field


def completed(form: Callable[[], Form], answers: Sequence[Any], plain: Plain) -> list[Any]:
    """These answers, then those of an earlier action for as long as the form still offers them."""
    given = list(answers)
    while isinstance(field := next_field(form, given), Field):
        found = look_up(plain, field.name)
        if not is_offered(field, found):
            break
        given.append(found)
    return given
