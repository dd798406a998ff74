"""What no loop carries from one iteration to another is refused with what differs, the line and a remedy."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import vitrify as vt
from vitrify.errors import LoopStateError


class Held:
    def __init__(self, value):
        self.value = value


def made_object(st, x):
    while x.sum() < 4:
        x = x + 1
        st.o = Held(x)


def made_object_on_one_path(st, x):
    while x.sum() < 4:
        x = x + 1
        if x.sum() > 2:
            st.o = Held(x)


def nested_tuple(st, x):
    while x.sum() < 4:
        x = x + 1
        st.pair = (1, (x, st.pair[1]))


def item_that_grows(st, x):
    while x.sum() < 4:
        x = x + 1
        st.d["c"] = (st.d.get("c"), x)


def set_that_changes(st, x):
    while x.sum() < 4:
        x = x + 1
        st.s.add(2)


@pytest.mark.parametrize(
    ("fn", "text", "remedy"),
    [
        (made_object, "`st.o` is a Held before the loop but another Held after one", "set its attributes in it"),
        (made_object_on_one_path, "`st.o` is a Held before the loop but another Held", "set its attributes in it"),
        (nested_tuple, "`st.pair[1]` is a tensor f32[1] before the loop but a tuple of 2 after", "keep its shape"),
        (item_that_grows, "`item 'c' of a dict` is not there before the loop but a tuple of 2 after", "keep its shape"),
        (set_that_changes, "`a set` is changed in the iterations of this loop", "keys of a dict"),
    ],
)
def test_what_no_loop_carries_is_named_with_what_differs(fn, text, remedy):
    st = SimpleNamespace(o=Held(vt.zeros([1])), pair=(1, vt.zeros([1])), d={}, s={1})
    with pytest.raises(LoopStateError) as caught:
        vt.to_static(fn)(st, vt.ones([1]))
    assert text in str(caught.value)
    assert remedy in str(caught.value)
    assert "while x.sum() < 4" in str(caught.value)
