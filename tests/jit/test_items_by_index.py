"""`x.item(i)`: one element as a Python number, in compiled functions too."""

from __future__ import annotations

from typing import Any

import vitrify as vt


def items(x: Any) -> Any:
    return x.item(4), x.item(-1), x.item(1, 0), x.item((0, 2)), x.item(2) * 2


def test_an_element_is_a_python_number() -> None:
    compiled = vt.jit.to_static(items)
    for start in (0.0, 5.0):
        x = vt.arange(start, start + 6.0).reshape([2, 3])
        assert repr(compiled(x)) == repr(items(x))


def test_a_truth_value_is_a_place_of_a_list_or_tuple() -> None:
    def fn(x: Any) -> Any:
        written, numbers = [x, x * 2], [1, 2]
        written[x.sum() > 0] = x * 5
        numbers[bool(x.sum() > 0)] = 7
        read = (x, x * 3)[x.sum() > 0] + [[1, 2], [3, 4]][bool(x.sum() > 0)][1]
        return written[0], written[1], numbers[0], numbers[1], read

    compiled = vt.jit.to_static(fn)
    for start in (1.0, -5.0):
        x = vt.arange(start, start + 2.0)
        assert repr(compiled(x)) == repr(fn(x))
