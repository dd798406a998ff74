"""`stop_gradient` of a tensor that stands in the place of one that an earlier call has left there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import vitrify as vt


def test_a_tensor_in_its_place_that_wants_gradients_now() -> None:
    def run(fn: Any) -> list[bool]:
        s, found = SimpleNamespace(h=None), []

        def step(x: Any) -> Any:
            s.h = x if s.h is None else s.h * 2 + x
            return s.h + 1

        step = fn(step)
        for k in range(8):
            if k == 4:
                s.h.stop_gradient = False
            elif k == 6:
                s.h = s.h.detach()
            found.append(step(vt.ones([2])).stop_gradient)
        return found

    assert run(vt.to_static) == run(lambda fn: fn) == [True] * 4 + [False] * 2 + [True] * 2
