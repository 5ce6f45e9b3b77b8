"""Rendered regions and lines of stories, kept as they were last drawn: what several people see is drawn once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from companion.bounded_dict import BoundedDict

MAX_KEPT = 10_000

_kept: BoundedDict[tuple[Any, ...], tuple[Any, Markup]] = BoundedDict(MAX_KEPT)


def kept(key: tuple[Any, ...], stamp: Any, draw: Callable[[], Markup]) -> Markup:
    """What was drawn under this key; drawn again when the stamp is another."""
    found = _kept.get(key)
    if found is None or found[0] != stamp:
        found = _kept[key] = (stamp, draw())
    return found[1]


def clear() -> None:
    """Whatever was drawn may hold a name that is to be forgotten."""
    _kept.clear()
