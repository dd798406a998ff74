"""NumPy's functions over tensors, in eager mode and inside compiled functions; what would be frozen is refused."""

from __future__ import annotations

import datetime
import functools
import os
import random
import time
import uuid

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph.array_protocol import UFUNCS

from .constructs_support import DOWN, UP, Table

table = Table()
WEIGHTS = np.array([2.0, -1.0, 0.5], np.float32)


@table.row()
def ufuncs_with_arrays(x):
    return np.add(x, WEIGHTS) * np.float32(2) + WEIGHTS * x - np.exp(-x)


@table.row()
def under_a_tensors_test(x):
    return np.concatenate([x, x * 2]) if np.sum(x) > 0 else np.concatenate([-x, x])


@table.row()
def reductions(x):
    m = np.outer(x, x)
    return np.mean(m, axis=0), np.sum(m, axis=(0, 1)), np.max(m, 1), np.min(m), np.std(x), np.var(x, ddof=1), np.prod(x)


@table.row()
def predicates(x):
    return np.any(x > 2), np.all(x), np.argmax(x), np.argmin(x, axis=0), np.isnan(x), np.logical_not(x > 0)


@table.row()
def choices(x):
    return np.where(x > 0, x, -2 * x), np.clip(x, -1, 1.5), np.maximum(x, WEIGHTS), np.minimum(0.5, x)


@table.row()
def shapes(x):
    m = np.reshape(x, (3, 1))
    return np.transpose(m), np.swapaxes(m, 0, 1), np.squeeze(m), np.expand_dims(x, 0), np.broadcast_to(x, (2, 3)), \
        np.flip(x), np.moveaxis(m, 0, 1), np.shape(m), np.ndim(m), np.ravel(m), np.concatenate([m, m], axis=1)  # fmt: skip


@table.row()
def products(x):
    m = np.reshape(np.concatenate([x, x]), (2, 3))
    return np.dot(x, x), np.dot(m, x), np.einsum("ij,j->i", m, x), np.matmul(m, m.T), np.tril(np.dot(m.T, m))


@table.row()
def sequences(x):
    return np.cumsum(x), np.cumprod(x, axis=0), np.sort(x), np.argsort(-x), np.round(x, 1), np.zeros_like(x)


@table.row()
def in_a_loop_of_the_program(x):
    total = np.zeros_like(x)
    while np.sum(total) < 5:
        total = total + np.abs(x)
    return total


@table.names()
def test_compiled_equals_eager(name):
    table.check(name)


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_give_numpys_values(name):
    own = getattr(np, name)
    kind = bool if name.startswith("logical") else np.int32 if name.startswith(("bitwise", "invert")) else np.float32
    data = np.array([1, 2, 3] if "cosh" in name else [0.25, 0.5, 0.75] if kind is np.float32 else [0, 1, 1], kind)
    given = [vt.to_tensor(data)] * own.nin
    made = own(*given)
    assert isinstance(made, vt.Tensor)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(made.numpy(), own(*[data] * own.nin), rtol=1e-5, atol=1e-6)


def test_gradients_pass_through_numpy():
    x = vt.to_tensor(UP, stop_gradient=False)
    np.sum(WEIGHTS * np.sin(x)).backward()
    np.testing.assert_allclose(x.grad.numpy(), WEIGHTS * np.cos(UP), rtol=1e-5)


def test_what_has_no_counterpart_takes_arrays():
    x = vt.to_tensor(UP)
    assert np.histogram(x, bins=3)[0].tolist() == [1, 1, 1]
    assert isinstance(np.sum(x, dtype=np.float64), np.float64)
    assert np.allclose(x, UP) is True
    total = np.zeros(3)
    np.add(x, 1, out=total)
    assert total.tolist() == [2, 3, 4]
    assert isinstance(np.multiply.outer(x, x), np.ndarray)


@pytest.mark.parametrize(
    "fn",
    [np.histogram, lambda x: np.unwrap(x), lambda x: np.cbrt(x.numpy()), lambda x: x.expand([50, 3]).tolist()],
)
def test_elements_inside_a_captured_function_are_refused(fn):
    with pytest.raises(vt.errors.CaptureError, match="whose value only a run of the program knows"):
        vt.jit.to_static(lambda x: fn(x + 1))(vt.to_tensor(DOWN))


FROZEN = [
    time.time, time.perf_counter, datetime.datetime.now, datetime.date.today, uuid.uuid4, random.random,
    np.random.rand, lambda: os.urandom(4), lambda: np.random.default_rng(3).random(), lambda: input("?"),
    functools.partial(open, "/nowhere"),
]  # fmt: skip


@pytest.mark.parametrize("fn", FROZEN)
def test_what_would_be_frozen_is_refused_with_a_remedy(fn):
    def called(x):
        fn()
        return x

    with pytest.raises(vt.errors.CaptureError, match=r"once, while the function is captured(.|\n)*help: "):
        vt.jit.to_static(called)(vt.to_tensor(UP))
