"""Lists of parts whose sizes a run makes, appended under conditions, as of a mixture of experts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def _mixture(count: int) -> Callable[[Any, Any], Any]:
    def mixture(x: Any, w: Any) -> Any:
        parts, gate = [], x.argmax(-1)
        for e in range(count):
            mine = gate == e
            if mine.any():
                parts.append(x[mine] @ w[e])
        return vt.concat(parts)

    return mixture


def _inputs(count: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(count)
    shapes = (6, count), (count, count, 4)
    x, w = (vt.to_tensor(rng.standard_normal(shape).astype("float32")) for shape in shapes)
    return x, w


def test_a_few_are_traced_once_per_path() -> None:
    x, w = _inputs(3)
    np.testing.assert_allclose(vt.to_static(_mixture(3))(x, w).numpy(), _mixture(3)(x, w).numpy(), rtol=1e-5)


def test_many_are_refused_soon() -> None:
    start = time.process_time()
    with pytest.raises(CaptureError, match="dtype and shape") as caught:
        vt.to_static(_mixture(16))(*_inputs(16))
    assert time.process_time() - start < 5.0  # tracing all ways took minutes
    assert "concat it to one tensor in each iteration" in str(caught.value)
    assert "if mine.any():" in str(caught.value)


def test_one_tensor_that_grows_does_instead() -> None:
    def mixture(x: Any, w: Any) -> Any:
        made, gate = vt.zeros([0, 4]), x.argmax(-1)
        for e in range(8):
            made = vt.concat([made, x[gate == e] @ w[e]])
        return made

    x, w = _inputs(8)
    np.testing.assert_allclose(vt.to_static(mixture)(x, w).numpy(), mixture(x, w).numpy(), rtol=1e-5)
