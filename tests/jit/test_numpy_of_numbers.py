"""NumPy's functions over Python numbers of a run give the types, dtypes and values of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

A = np.array([1.5, 0.25], dtype="float32")
# of a float and an int that only a run knows, and of a tensor
CASES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "stack": lambda n, i, x: np.stack([n, 0.1]),
    "stack of ints": lambda n, i, x: np.stack([i, i]),
    "stack of both": lambda n, i, x: np.stack([i, n]),
    "stack of lists": lambda n, i, x: np.stack([[n, 0.1], [1, 2]], axis=1),
    "clip": lambda n, i, x: np.clip(n, 0, 1),
    "clip an array": lambda n, i, x: np.clip(A, 0.1, n),
    "clip an int": lambda n, i, x: np.clip(i, 0, 1),
    "clip between both": lambda n, i, x: np.clip(i, 0.5, n),
    "clip a float": lambda n, i, x: np.clip(0.7, i, n),
    "clip a float32": lambda n, i, x: np.clip(np.float32(0.5), n, 3),
    "where": lambda n, i, x: np.where(n > 1, n, 0.1),
    "where of ints": lambda n, i, x: np.where(n > 1, i, 2),
    "where of both": lambda n, i, x: np.where(n > 1, i, 0.1),
    "where in an array": lambda n, i, x: np.where(A > 1, n, 0.1),
    "where beside an array": lambda n, i, x: np.where(A > 1, A, n),
    "where of a list": lambda n, i, x: np.where([True, False], n, 0.1),
    "concatenate": lambda n, i, x: np.concatenate([[n], [0.1]]),
    "concatenate with an array": lambda n, i, x: np.concatenate(([n, i], A)),
    "concatenate ints": lambda n, i, x: np.concatenate([[i], [1, 2]]),
    "std": lambda n, i, x: np.std([n, 3.0]),
    "var": lambda n, i, x: np.var([n, 3.1]),
    "argmax": lambda n, i, x: np.argmax([n, 0.1]),
    "any": lambda n, i, x: np.any([n > 1, False]),
    "all": lambda n, i, x: np.all([n > 1, True]),
    "cumsum": lambda n, i, x: np.cumsum([n, 0.1]),
    "sort": lambda n, i, x: np.sort([n, 0.1]),
    "flip": lambda n, i, x: np.flip([n, 0.1]),
    "mean": lambda n, i, x: np.mean([n, 0.1]),
    "mean of one": lambda n, i, x: np.mean(n),
    "sum of one": lambda n, i, x: np.sum(i),
    "min": lambda n, i, x: np.min([i, 0.1]),
    "round": lambda n, i, x: np.round(n, 1),
    "dot": lambda n, i, x: np.dot([n, 0.1], [1.0, 2.0]),
    "dot of two": lambda n, i, x: np.dot(n, 0.1),
    "outer": lambda n, i, x: np.outer([n, 0.1], [i]),
    "zeros_like": lambda n, i, x: np.zeros_like(n),
    "ones_like": lambda n, i, x: np.ones_like(i),
    "full_like": lambda n, i, x: np.full_like(n, 0.1),
    "broadcast_to": lambda n, i, x: np.broadcast_to(n, (2,)),
    "expand_dims": lambda n, i, x: np.expand_dims(n, 0),
    "ravel": lambda n, i, x: np.ravel(n),
    "reshape": lambda n, i, x: np.reshape(n, (1,)),
    "squeeze": lambda n, i, x: np.squeeze(n),
    "times a tensor": lambda n, i, x: x * np.clip(n, 0.1, 1.0),
    "array and a tensor": lambda n, i, x: x + np.stack([n, 0.1]),
}


def facts(value: Any) -> Any:
    return type(value).__name__, str(value.dtype), str(list(value.shape)), np.asarray(value).tolist()


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_eager_mode(name: str) -> None:
    def fn(x: Any) -> Any:
        return CASES[name](x.sum().item(), int(x.sum() * 3), x)

    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [0.5, 0.25], [0.1, 0.2]):
        assert facts(compiled(vt.to_tensor(values))) == facts(fn(vt.to_tensor(values)))


def test_numpy_integers_are_bounds_of_slices() -> None:
    def fn(x: Any) -> Any:
        return [vt.slice(x, [1], [k], [k + 2]).sum() + x.slice([0], [k // 4], [2]).sum() for k in np.arange(0, 4, 2)]

    x = vt.arange(8, dtype="float32").reshape([2, 4])
    assert [float(y) for y in vt.to_static(fn)(x)] == [float(y) for y in fn(x)] == [38.0, 46.0]


@pytest.mark.parametrize("decimals", [0, 1, -1])
def test_rounded_integers_keep_their_dtype(decimals: int) -> None:
    def rounded(a: Any) -> Any:
        return np.round(a, decimals), a.round(decimals), np.round(np.argmax(a), decimals)

    compiled = vt.to_static(rounded)
    for values in ([11, 35, 25], [2, 15, 40, 7], [-25, 5, 0]):
        a = np.array(values, dtype="int32")
        for made, wanted in zip(compiled(a), rounded(a), strict=True):
            assert (made.dtype, made.tolist()) == (wanted.dtype, wanted.tolist())
