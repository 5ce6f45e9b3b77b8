"""What only grows: like a tuple in everything but what one more costs."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.grown import Grown


@given(st.lists(st.tuples(st.integers(0, 30), st.integers())))
def test_each_stays_as_it_was_whatever_grows_out_of_it(steps):
    """Every step lets one of those there are grow by an item."""
    grown = [(Grown(), ())]
    for at, item in steps:
        one, plain = grown[at % len(grown)]
        grown.append((one.plus(item), (*plain, item)))
    for one, plain in grown:
        assert one == plain
        assert (len(one), list(one), list(reversed(one))) == (len(plain), list(plain), list(reversed(plain)))


@given(st.lists(st.integers()), st.integers(-40, 40), st.integers(-40, 40))
def test_parts_of_it_are_those_of_a_tuple(items, start, stop):
    one, plain = Grown(items[:1]), tuple(items)
    for item in items[1:]:
        one = one.plus(item)
    one.plus("later")
    assert (one[start:stop], one[start:], one[:stop]) == (plain[start:stop], plain[start:], plain[:stop])
    if -len(plain) <= start < len(plain):
        assert one[start] == plain[start]
    else:
        with pytest.raises(IndexError):
            one[start]


def test_those_that_grew_out_of_each_other_share_their_items():
    one = Grown("abc")
    two = one.plus("d")
    assert two._items is one._items
    assert one.plus("x")._items is not one._items


def test_it_is_not_the_same_as_something_else():
    assert Grown("ab") == Grown("ab") == ("a", "b")
    assert Grown("ab") != Grown("a")
    assert Grown("ab") != ["a", "b"]
    assert repr(Grown("ab").plus("c")) == "Grown(['a', 'b', 'c'])"


def test_what_grows_in_several_threads_at_once_is_right_in_each():
    start, begin, seen = Grown(range(5)), threading.Barrier(4), []

    def grow(name):
        begin.wait(60)
        for _ in range(300):
            one = start.plus(name)
            seen.append(tuple(one.plus(name)) == (0, 1, 2, 3, 4, name, name))

    threads = [threading.Thread(target=grow, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(seen) == 1200
    assert all(seen)
