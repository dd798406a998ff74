"""Functions with too many paths: how often the code of a statement is traced."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.jit.converters.regions import decisions

KEYS = ([0, 0, 0], [2, 1, 0], [0, 0, 2], [3, 1, 0], [1, 2, 2], [2, 2, 2], [2, 0, 2], [0, 2, 0])


@pytest.fixture(autouse=True)
def few_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """One path more than none is too many, so that every function here is traced in steps."""
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", 0)


def maybe(x: Any, flag: Any) -> Any:
    if flag:
        return x
    return None


def assert_alike(fn: Any) -> str:
    """Compiled equals eager; the program's text."""
    compiled = vt.jit.to_static(fn)
    x = vt.to_tensor([0.5, -1.0, 2.0])
    for key in KEYS:
        got, want = (f(x, vt.to_tensor(key)) for f in (compiled, fn))
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-6, err_msg=str(key))
    return str(compiled.concrete_trace().program)


def test_a_statement_that_had_to_be_parted_is_parted_at_once() -> None:
    counter = itertools.count()  # unlike a list's length, it isn't put back where code is traced again

    @vt.jit.not_to_static
    def seen(x: Any) -> Any:
        next(counter)
        return x

    def fn(x: Any, k: Any) -> Any:
        best = maybe(x, k[0] > 1)
        for j in range(6):
            x = x + len([seen(x)]) * (1 if isinstance(best, vt.Tensor) else 2)
            best = maybe(x, k[1] > j)
        return x

    vt.jit.to_static(fn)(vt.ones([3]), vt.to_tensor([0, 0, 0]))
    assert next(counter) == 1 + 1 + 2 * 6  # the usual way, a run up to the place, then two for each iteration


def test_variables_in_doubt_leave_a_parted_statement_in_doubt() -> None:
    def fn(x: Any, k: Any) -> Any:
        best = None
        if k[0] > 0:
            kept: Any = [x]
            best = maybe(x, k[1] > 1)
            x = vt.tanh(x)
        else:
            kept = 0
        if kept == 0:
            x = x + 1
        return x if best is None else best + x

    assert assert_alike(fn).count("tanh") == 1
