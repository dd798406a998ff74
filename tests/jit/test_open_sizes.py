"""Code that asks about sizes which an InputSpec leaves open: the saved program asks when it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def early(x: Any) -> Any:
    if x.shape[0] > 2:
        return x * 2
    return x - 1


def counted(x: Any) -> Any:
    total, i = vt.zeros([1]), 1
    while i < x.shape[0]:
        total, i = total + 1, i + 2
    return total


def doubled(x: Any) -> Any:
    if x.shape[0] % 2 == 0:
        x = vt.concat([x, x])
    return x.sum(0)


def refused(x: Any) -> Any:
    assert x.shape[0] != 3, "three rows"
    return x.reshape([-1])


def first_row(x: Any) -> Any:
    return x if x.shape[0] == 1 else x[:1]


def nested(x: Any) -> Any:
    y = vt.reshape(x, [-1, 1])
    if x.shape[0] < 2:
        y = vt.full(x.shape, 2.0) if y.shape[0] > 2 else vt.full(x.shape, 3.0)
    return y


def by_a_tensor(x: Any) -> Any:
    if x.sum() > 8:
        x = vt.concat([x, x])
    return x.sum(0)


def two_sizes(x: Any) -> Any:
    y = x.reshape([2, -1])
    return y if x.shape[0] == y.shape[1] else x


CASES = [early, counted, doubled, refused, first_row, nested, by_a_tensor, two_sizes]


def outcome(fn: Callable[[Any], Any], x: Any) -> Any:
    try:
        return fn(x).tolist()
    except AssertionError as error:
        return str(error).partition("\n")[0]


@pytest.mark.parametrize("fn", CASES, ids=lambda f: f.__name__)
def test_saved(fn: Callable[[Any], Any], tmp_path: Path) -> None:
    compiled = vt.to_static(fn, input_spec=[vt.InputSpec([None, 2], "float32")])
    vt.jit.save(compiled, str(tmp_path / "m"))
    loaded = vt.jit.load(str(tmp_path / "m"))
    for rows in range(1, 6):
        x = vt.to_tensor(np.arange(2 * rows, dtype="float32").reshape(rows, 2))
        assert outcome(loaded, x) == outcome(fn, x)
