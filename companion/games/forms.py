"""Answering what a game asks for: walk through a form with some answers, or see which question an action answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
    """The form has no such answer; to which field, where it is known, and which."""

    def __init__(self, field: Field | None = None, answer: Any = SKIP) -> None:
        super().__init__(field, answer)
        self.field, self.answer = field, answer


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


class Missing(Exception):
    """A field that has to be answered first."""


@dataclass(frozen=True, slots=True)
class Half:
    """A form as far as it was answered: the fields that wait, needed or optional, and what it gives once nothing needed is among them."""

    waiting: tuple[Field, ...]
    given: Plain | None


def as_far_as(form: Callable[[], Form], plain: Plain) -> Half:
    """Answer a form with what stands in `plain`; raises NotOffered for a value that is not right, or for more than was asked."""
    waiting: list[Field] = []
    answered: set[str] = set()

    def answer(field: Field) -> Any:
        found = look_up(plain, field.name)
        if found is SKIP:
            waiting.append(field)
            if not field.optional:
                raise Missing
        elif is_offered(field, found):
            answered.add(field.name)
        else:
            raise NotOffered(field, found)
        return found

    try:
        given = walk(form, answer)
    except Missing:
        given, waiting = None, waiting[-1:]
    if not answered.issuperset(_leaves(plain)):
        raise NotOffered
    return Half(tuple(waiting), given)


def _leaves(plain: Plain, *above: str) -> Iterator[str]:
    """The paths of all single values, those of a card's colours among them; a pair such as [seat, value] is one value."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from _leaves(value, *above, key)
    elif isinstance(plain, list) and len(above) == 1:
        for place, value in enumerate(plain):
            yield from _leaves(value, *above, str(place))
    else:
        yield ".".join(above)
