"""Integers that overflow wrap around in kernels as in NumPy, and nothing is concluded from their not doing so."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops.kernel_expressions import parse
from vitrify.runtime.lower.element import wrapping

LARGE = np.array([3037000500, 4294967296, 5_000_000_000, 7, 2**62, 2**63 - 1, -(2**63), -5], np.int64)


def squares(x):
    return vt.maximum(x * x, vt.full_like(x, 3)), vt.where(x * x < 0, -x, x), x * x >= 0


def successors(x):
    return x + 1 > x, x - 1 < x, vt.abs(x) + (x + x) - 2 * x


def generator(x):
    factor = 6364136223846793005 if x.dtype == vt.int64 else 117
    for _ in range(5):
        x = x * factor + 74
    return x, x % 100


def reductions(x):
    y = x.reshape([2, 4])
    return x.sum(), y.sum(0), y.sum(1), (y * y).sum(0) < 0, vt.cumsum(x), vt.cumprod(x, 0), x.prod()


def loops(x):
    k = vt.to_tensor(0)
    while k < 40:
        x = x * 31 + k
        k = k + 1
    return x, x < 0


@pytest.mark.parametrize("fn", [squares, successors, generator, reductions, loops])
@pytest.mark.parametrize("kind", ["int64", "int32", "int8", "uint8"])
def test_compiled_wraps_as_eager_does(fn, kind):
    with np.errstate(over="ignore"):
        x = vt.to_tensor(LARGE.astype(kind))
        for found, expected in zip(vt.jit.to_static(fn)(x), fn(x), strict=True):
            np.testing.assert_array_equal(found.numpy(), expected.numpy())


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("t1", "t1"), ("t1 / t2", "t1 / t2"), ("(t1 - t2) * t3", "wrapping_multiply(wrapping_subtract(t1, t2), t3)"),
        ("-t1", "-t1"), ("abs_i64(t1 + t2)", "abs_i64(wrapping_add(t1, t2))"),
        ("(t1 < t2 + t3)", "t1 < wrapping_add(t2, t3)"),
    ],
)  # fmt: skip
def test_what_is_written(text, made):
    assert str(wrapping(parse(text))) == made
