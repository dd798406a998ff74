"""Learning rates by PaddlePaddle 1's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.optimizer import lr

PAIRS: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (lambda: lr.noam_decay(0.01, 200, 2.0), lambda: lr.NoamDecay(0.01, 200, 2.0)),  # type: ignore[attr-defined, arg-type]
    (lambda: lr.polynomial_decay(0.1, 4, 0.01, 2.0), lambda: lr.PolynomialDecay(0.1, 4, 0.01, 2.0)),  # type: ignore[attr-defined]
    (lambda: lr.piecewise_decay([1, 3], [1.0, 0.5, 0.1]), lambda: lr.PiecewiseDecay([1, 3], [1.0, 0.5, 0.1])),  # type: ignore[attr-defined]
    (lambda: lr.linear_lr_warmup(0.5, 3, 0.0, 0.5), lambda: lr.LinearWarmup(0.5, 3, 0.0, 0.5)),  # type: ignore[attr-defined]
]


def rates(schedule: Any) -> list[float]:
    found = []
    for _ in range(5):
        found.append(schedule())
        schedule.step()
    return found


@pytest.mark.parametrize(("function", "scheduler"), PAIRS)
def test_a_function_makes_a_scheduler(function: Callable[[], Any], scheduler: Callable[[], Any]) -> None:
    assert rates(function()) == rates(scheduler())
    vt.enable_static()
    try:
        with pytest.raises(NotImplementedError, match=r"works in eager mode"):
            function()
    finally:
        vt.disable_static()
