"""Reading and writing the JSON of records: actions, house rules, questions. Whatever is wrong is refused in a sentence."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

from annotated_types import Ge
from pydantic import AfterValidator, PlainValidator, TypeAdapter, ValidationError, ValidationInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from companion.games.base import STRICT, Plain, RuleError, Text

T = TypeVar("T")
MAX_NAME = 200  # code points; 24 characters as people count them fit, however they are composed
JOINER = "\u200d"  # holds emoji together


def refuse_value(text: Text) -> PydanticCustomError:
    """For validators: a sentence with room for {where} and {field}."""
    return PydanticCustomError("sentence", "refused", {"text": text})


def _in_range(seat: int, info: ValidationInfo) -> int:
    if seat < info.context["players"]:  # type: ignore[index]
        return seat
    last = info.context["players"] - 1  # type: ignore[index]
    raise refuse_value(Text("In {where}, “{field}” must be a seat, 0 to {last}.", last=last))


def _one_a_seat(values: tuple[T, ...], info: ValidationInfo) -> tuple[T, ...]:
    players: int = info.context["players"]  # type: ignore[index]
    if len(values) == players:
        return values
    raise refuse_value(Text("In {where}, “{field}” needs {n} values, one for each seat.", n=players))


def _is_printable(text: str) -> bool:
    return text.replace(JOINER, "").isprintable()


def _readable(name: str) -> str:
    if name.strip() and _is_printable(name) and len(name) <= MAX_NAME:
        return name
    raise refuse_value(Text("In {where}, “{field}” must be a name of 1 to {most} printable characters.", most=MAX_NAME))


def words(most: int) -> AfterValidator:
    """`Annotated[str, words(40)]`: free text on one line, tidied; whatever stands in it is only ever shown as text."""

    def read_words(typed: str) -> str:
        text = " ".join(unicodedata.normalize("NFC", typed).split())
        if not _is_printable(text):
            raise refuse_value(Text("“{field}” has signs in it that cannot be shown. Letters, digits and emoji are fine."))
        if len(text) > most:
            raise refuse_value(Text("“{text}” is too long: {most} characters at most.", text=text[:most], most=most))
        return text

    return AfterValidator(read_words)


def one_of(*values: int | str) -> PlainValidator:
    """`Annotated[int | str, one_of(1, 2, "?")]`: unlike Literal it takes neither `true` nor 1.0 for 1."""
    choices = {(type(value), value): value for value in values}

    def read_choice(value: object) -> int | str:
        found = choices.get((type(value), value)) if isinstance(value, int | str) else None
        if found is None:
            raise refuse_value(Text("In {where}, “{field}” must be one of {choices}.", choices=values))
        return found

    return PlainValidator(read_choice)


Number = Annotated[int, Ge(0)]
Seat = Annotated[int, Ge(0), AfterValidator(_in_range)]
PerSeat = Annotated[tuple[T, ...], AfterValidator(_one_a_seat)]
PlayerName = Annotated[str, AfterValidator(_readable)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Players:
    """The names in seat order."""

    __pydantic_config__ = STRICT
    players: tuple[PlayerName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A dispute to resolve: who sits there, who led, and what somebody believes."""

    __pydantic_config__ = STRICT
    nullable: ClassVar[frozenset[str]] = frozenset()  # the fields in which null means something

    players: tuple[PlayerName, ...]
    leader: Seat = 0
    claim: Seat | None = None


def read(kind: type[T], data: Plain, where: str, players: int) -> T:
    """The typed value of some JSON; a RuleError names the field and what would be right."""
    if not isinstance(data, dict):
        raise RuleError(Text("{where} must be an object.", where=where), "RECORD")
    _refuse_null(kind, data, where)
    try:
        found: T = adapter(kind).validate_json(_dumped(data, where), context={"players": players})
    except ValidationError as error:
        raise RuleError(_sentence(error.errors(include_url=False)[0], where), "RECORD") from None
    return found


def write(action: Any) -> dict[str, Plain]:
    """The JSON of an action, without the fields that say nothing."""
    return {"do": action.do, **written(action)}


def written(value: Any) -> dict[str, Plain]:
    """The JSON of a typed value, without the fields that stand for themselves."""
    plain: dict[str, Plain] = adapter(type(value)).dump_python(value, mode="json", by_alias=True, exclude_defaults=True)
    return plain


def adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _refuse_null(kind: type[Any], data: Mapping[str, Plain], where: str) -> None:
    allowed: frozenset[str] = getattr(kind, "nullable", frozenset())
    for name, value in data.items():
        if value is None and name not in allowed:
            raise RuleError(Text("In {where}, “{field}” cannot be null.", where=where, field=name), "RECORD")


def _dumped(data: Mapping[str, Plain], where: str) -> str:
    try:
        return json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise RuleError(Text("{where} is not JSON.", where=where), "RECORD") from None


def _sentence(error: ErrorDetails, where: str) -> Text:
    """Pydantic's finding in our words."""
    found = error.get("ctx", {})
    text = found["text"] if error["type"] == "sentence" else _SENTENCES.get(error["type"], _UNREADABLE)
    facts = {name: found[key] for key, name in _FACTS.items() if key in found}
    return Text(text.key, **{**text.values, **facts, "where": where, "field": _path(error["loc"])})


def _path(loc: tuple[int | str, ...]) -> str:
    """`('cards', 2, 'green')` as `cards[2].green`."""
    steps = ["".join(("[", str(part), "]")) if isinstance(part, int) else "." + part for part in loc]
    return "".join(steps).lstrip(".")


_UNREADABLE = Text("In {where}, “{field}” cannot be read.")
_FACTS = {"ge": "least", "le": "most", "expected": "choices", "min_length": "least", "max_length": "most"}
_WHOLE = Text("In {where}, “{field}” must be a whole number.")
_SENTENCES = {
    "json_invalid": Text("{where} is not JSON."),
    "missing": Text("In {where}, “{field}” is missing."),
    "unexpected_keyword_argument": Text("In {where}, there is no field “{field}”."),
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "bool_type": Text("In {where}, “{field}” must be true or false."),
    "string_type": Text("In {where}, “{field}” must be a text."),
    "tuple_type": Text("In {where}, “{field}” must be a list."),
    "dict_type": Text("In {where}, “{field}” must be an object."),
    "dataclass_type": Text("In {where}, “{field}” must be an object."),
    "literal_error": Text("In {where}, “{field}” must be one of {choices}."),
    "greater_than_equal": Text("In {where}, “{field}” must be {least} or more."),
    "less_than_equal": Text("In {where}, “{field}” must be {most} or less."),
    "too_short": Text("In {where}, “{field}” needs at least {least} values."),
    "too_long": Text("In {where}, “{field}” has room for at most {most} values."),
}
