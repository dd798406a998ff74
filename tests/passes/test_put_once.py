"""A piece that covers most of an array is computed where it is put: `u[1:-1, 1:-1] = …` is one kernel. Dear ones of few rows aren't."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _spread(u: Any, s: Any) -> Any:
    u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return u * s


def _stepped(u: Any, s: Any) -> Any:
    for _ in range(40):
        u[1:-1, ::2] += s[1:-1, ::2] * (u[2:, ::2] - u[:-2, ::2])
        u = u * 0.5
    return u


def _corner(u: Any, s: Any) -> Any:
    u[2:4, 5:7] = vt.exp(u[3:5, 6:8]) if isinstance(u, vt.Tensor) else np.exp(u[3:5, 6:8])
    return u + s


def _dear(u: Any, s: Any) -> Any:
    u[:9] = vt.tanh(s[:9]) if isinstance(u, vt.Tensor) else np.tanh(s[:9])
    return u * s


def _kept(u: Any, s: Any) -> Any:
    inside = u[1:, 1:] * s[1:, 1:] + 1
    u[1:, 1:] = inside
    return u + inside.sum()


@pytest.mark.parametrize(
    ("fn", "kernels"), [(_spread, 1), (_stepped, None), (_corner, None), (_dear, 2), (_kept, None)]
)
def test_values_and_kernels(fn: Callable[..., Any], kernels: int | None) -> None:
    rng = np.random.default_rng(3)
    u, s = rng.standard_normal((2, 20, 24))
    compiled = vt.to_static(lambda u, s: fn(u + 0, s))
    np.testing.assert_allclose(compiled(vt.to_tensor(u), vt.to_tensor(s)).numpy(), fn(u + 0, s), rtol=1e-13, atol=1e-13)
    assert kernels is None or len(list(compiled.kernels.items())) == kernels
