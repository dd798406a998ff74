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
