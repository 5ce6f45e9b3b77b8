"""A sequence that only grows: one more costs the same, however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class Grown(Sequence[Item], Generic[Item]):
    """As a tuple, but those that grew out of each other share their items: each sees as many as there were when it was made."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def plus(self, item: Item) -> Grown[Item]:
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        grown: Grown[Item] = Grown.__new__(Grown)
        grown._items = items if items[length] is item else [*items[:length], item]  # another one grew out of this already
        grown._length = length + 1
        return grown

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> Grown[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | Grown[Item]:
        if isinstance(at, slice):
            return Grown([self._items[place] for place in range(*at.indices(self._length))])
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._items[at if at >= 0 else self._length + at]

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items[: self._length])

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (Grown, tuple)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Grown({self._items[: self._length]!r})"
