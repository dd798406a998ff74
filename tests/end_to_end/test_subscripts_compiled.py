"""x[key] and x[key] = value of all kinds of keys: eager, compiled and NumPy's, with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

X = np.random.default_rng(0).uniform(-2, 2, (4, 5, 6))
MASK = np.random.default_rng(1).uniform(size=(4, 5)) > 0.5
ROWS, COLUMN = np.array([2, 0, -1]), np.array([[1], [-4]])
ONE = np.array(2)  # an integer without axes
GROUPS: dict[str, list[Any]] = {
    "numbers and slices": [(-1, -2), (slice(None), ONE, 1), (slice(None), slice(4, 0, -2)), (slice(3, 3), 0)],
    "new axes and ellipsis": [(None, 2, None, slice(1, None)), (1, Ellipsis, None), (slice(1), Ellipsis, slice(1, 2))],
    "integers": [(slice(None), ROWS), (COLUMN, ROWS), ([0, 2], [1, 3])],
    "integers apart": [(0, slice(None), ROWS), (ROWS, None, COLUMN), (ROWS, slice(1, 3), 2)],
    "integers among slices": [(slice(1, 3), ROWS, slice(None, None, 2)), (None, ROWS), (ONE, ROWS)],
}


def as_key(key: Any) -> Any:
    """The key with tensors for its arrays."""
    if isinstance(key, tuple):
        return tuple(as_key(part) for part in key)
    return vt.to_tensor(key) if isinstance(key, np.ndarray) else key


def read(x: Any, keys: list[Any]) -> list[Any]:
    return [(x * x)[key] for key in keys]


def write(x: Any, keys: list[Any], v: Any) -> list[Any]:
    made = []
    for key in keys:
        y = x * 2.0
        y[key] = v
        made.append(y)
    return made


def put(x: np.ndarray, key: Any, value: float) -> np.ndarray:
    out = x.copy()
    out[key] = value
    return out


def gradient(fn: Any, *arrays: np.ndarray) -> list[np.ndarray]:
    given = [vt.to_tensor(a, stop_gradient=False) for a in arrays]
    made = fn(*given)
    weights = [vt.to_tensor(np.arange(1.0, 1.0 + np.prod(y.shape)).reshape(y.shape)) for y in made]
    vt.add_n([(y * w).sum() for y, w in zip(made, weights, strict=True)]).backward()
    return [t.grad.numpy() for t in given]


@pytest.mark.parametrize("group", GROUPS)
def test_reading(group: str) -> None:
    keys = [as_key(key) for key in GROUPS[group]]
    compiled = vt.jit.to_static(lambda x: read(x, keys))
    for made in (read(vt.to_tensor(X), keys), compiled(vt.to_tensor(X))):
        for got, key in zip(made, GROUPS[group], strict=True):
            np.testing.assert_array_equal(got.numpy(), (X * X)[key], str(key))
    for eager, found in zip(gradient(lambda x: read(x, keys), X), gradient(compiled, X), strict=True):
        np.testing.assert_allclose(found, eager, rtol=1e-12)
    wanted = np.zeros_like(X)
    for key in GROUPS[group]:
        part = X[key]
        np.add.at(wanted, key, np.arange(1.0, 1.0 + part.size).reshape(part.shape))
    np.testing.assert_allclose(gradient(lambda x: read(x, keys), X)[0], wanted * 2 * X, rtol=1e-12)


@pytest.mark.parametrize("group", GROUPS)
def test_writing(group: str) -> None:
    keys = [as_key(key) for key in GROUPS[group]]
    compiled = vt.jit.to_static(lambda x, v: write(x, keys, v))
    value = np.array(7.5)
    for made in (write(vt.to_tensor(X), keys, vt.to_tensor(value)), compiled(vt.to_tensor(X), vt.to_tensor(value))):
        for got, key in zip(made, GROUPS[group], strict=True):
            np.testing.assert_array_equal(got.numpy(), put(X * 2.0, key, 7.5), str(key))
    eager, found = gradient(lambda x, v: write(x, keys, v), X, value), gradient(compiled, X, value)
    for a, b in zip(eager, found, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-12)
    kept = sum(put(np.arange(1.0, 1.0 + X.size).reshape(X.shape), key, 0.0) for key in GROUPS[group])
    np.testing.assert_allclose(eager[0], kept * 2.0, rtol=1e-12)


MASKS: dict[str, tuple[Any, Any]] = {
    "whole": (X > 0, lambda x: x > 0),
    "leading axes": (MASK, lambda x: vt.to_tensor(MASK)),
    "first axis": (X[:, 0, 0] > 0, lambda x: x[:, 0, 0] > 0),
    "nothing": (X > 9, lambda x: x > 9),
    "constants": ((MASK, 2), lambda x: (vt.to_tensor(MASK), 2)),
    "behind a slice": ((slice(None), X[0] > 0), lambda x: (slice(None), vt.to_tensor(X[0] > 0))),
}


@pytest.mark.parametrize("name", MASKS)
def test_masks(name: str) -> None:
    plain, of = MASKS[name]
    taking = vt.jit.to_static(lambda x: (x * x)[of(x)])

    def filled(x: Any, v: Any) -> Any:
        y = x * 2.0
        y[of(x)] = v
        return y

    x, v = vt.to_tensor(X), vt.to_tensor(7.5, dtype="float64")
    for made in ((x * x)[of(x)], taking(x)):
        np.testing.assert_array_equal(made.numpy(), (X * X)[plain])
    for made in (filled(x, v), vt.jit.to_static(filled)(x, v)):
        np.testing.assert_array_equal(made.numpy(), put(X * 2.0, plain, 7.5))
    wanted = np.zeros_like(X)
    wanted[plain] = 2 * X[plain]
    for fn in (lambda x: (x * x)[of(x)], taking):
        given = vt.to_tensor(X, stop_gradient=False)
        fn(given).sum().backward()
        np.testing.assert_allclose(given.grad.numpy(), wanted, rtol=1e-12)


def test_keys_that_only_a_run_knows() -> None:
    def fn(x: Any, i: Any, k: Any) -> Any:
        y = x * 1.0
        y[i, :, k] = 0.0
        return x[i], x[k, i], x[:, i, k], x[i][:, k], y

    given = [vt.to_tensor(a) for a in (X, ROWS, ONE)]
    wanted = (X[ROWS], X[ONE, ROWS], X[:, ROWS, ONE], X[ROWS][:, ONE], put(X, (ROWS, slice(None), ONE), 0.0))
    for made in (fn(*given), vt.jit.to_static(fn)(*given)):
        for got, expected in zip(made, wanted, strict=True):
            np.testing.assert_array_equal(got.numpy(), expected)


@pytest.mark.parametrize("key", [7, (0, 9), (0, 0, 0, 0), np.array([9]), np.array([True, False])], ids=str)
def test_keys_that_do_not_fit(key: Any) -> None:
    for fn in (lambda x: x[as_key(key)], vt.jit.to_static(lambda x: x[as_key(key)])):
        with pytest.raises((IndexError, ValueError)):
            fn(vt.to_tensor(X))
