"""Parameters that a call can't name: a keyword of their name belongs to `**kwargs`."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt


def test_a_keyword_with_the_name_of_a_positional_parameter() -> None:
    def fn(a: Any, b: float = 2.0, /, **kw: float) -> Any:
        return a * b + sum(kw.values()) + len(kw)

    compiled = vt.jit.to_static(fn)
    for kw in ({"b": 1.0}, {"c": 3.0, "b": 1.0}, {"a": 2.0}, {}):
        assert compiled(vt.ones([2]), **kw).tolist() == fn(vt.ones([2]), **kw).tolist()
    with pytest.raises(vt.errors.KindError, match="missing a required"):
        compiled(b=1.0)
