"""What Python's functions make of methods that a user's class has, in captured functions."""

from __future__ import annotations

import operator
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit import to_static


class Sized:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __len__(self) -> int:
        return len(self.x)


@pytest.mark.parametrize("count", [0, 3])
def test_a_length_as_a_bool(count: int) -> None:
    def asked(x: Any) -> Any:
        held = Sized(x)
        return bool(held), operator.truth(held), not held, len(held), x

    x = vt.zeros([count])
    flags = to_static(asked)(x)[:4]
    assert flags == asked(x)[:4]
    assert [type(f) for f in flags] == [bool, bool, bool, int]
