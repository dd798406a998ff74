"""NumPy arrays as arguments are arrays inside, whatever code asks, and what NumPy makes of them comes out as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def branch(a: Any, x: Any) -> Any:
    return x * a.sum() if isinstance(a, np.ndarray) else x


def other_branch(a: Any, x: Any) -> Any:
    return x * 10 if isinstance(a, vt.Tensor) else x + a


def among(a: Any, x: Any) -> Any:
    return isinstance(a, (list, np.ndarray)), issubclass(type(a), np.ndarray), isinstance(x, np.ndarray)


def kind(a: Any, x: Any) -> Any:
    return type(a) is np.ndarray, type(a).__name__, hasattr(a, "numpy"), hasattr(a, "fill"), vt.is_tensor(a)


def of_a_tensor(a: Any, x: Any) -> Any:
    return isinstance(x.numpy(), np.ndarray), isinstance(x.numpy(), vt.Tensor), vt.is_tensor(x)


def in_a_dict(a: Any, x: Any) -> Any:
    d = {"a": a}
    return d["a"] * 10 if isinstance(d["a"], vt.Tensor) else d["a"] / 2


def computed(a: Any, x: Any) -> Any:
    return a * 2, a[1:], a.T, -a, a > 2, np.stack([a, a]), np.zeros(2) + a, a.reshape(2, 1), a.astype("float64")


def under_a_test(a: Any, x: Any) -> Any:
    return (a * 2 if x.sum() > 0 else a), isinstance(a, np.ndarray)


def itself(a: Any, x: Any) -> Any:
    return a, [a], {"k": a}


def tensors(a: Any, x: Any) -> Any:
    return vt.to_tensor(a), a + x, vt.reshape(a, [2, 1]), vt.squeeze(a), vt.nn.functional.relu(a), vt.transpose(a, [0])


def described(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: described(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value), [described(v) for v in value]
    return type(value), value.tolist() if hasattr(value, "tolist") else value


FUNCTIONS = [branch, other_branch, among, kind, of_a_tensor, in_a_dict, computed, under_a_test, itself, tensors]


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_as_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for k in range(3):
        a, x = np.array([2.0, 3.0], np.float32) + np.float32(k), vt.to_tensor([1.0, -4.0])
        assert described(compiled(a, x)) == described(fn(a, x))


def test_an_array_that_is_returned_is_the_one_that_was_given() -> None:
    compiled = vt.jit.to_static(itself)
    a = np.ones(2)
    for _ in range(3):
        assert compiled(a, vt.ones([2]))[0] is a


def beside_a_tensor(x: Any, s: Any) -> Any:
    return x * s, x + s, s - x, x / s, s / x, x**s, s**x, x % s


ARRAYS_WITHOUT_AXES = [
    ("float32", "float64"), ("float64", "float32"), ("float16", "float32"), ("int32", "int64"), ("float32", "int64"),
    ("int32", "float64"),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "given"), ARRAYS_WITHOUT_AXES)
@pytest.mark.parametrize("axes", [((2,), ()), ((), (2,)), ((2,), (1,))], ids=["array", "tensor", "none"])
def test_an_array_without_axes_follows_the_dtype_of_a_tensor_of_its_kind(dtype: str, given: str, axes: Any) -> None:
    if dtype == "float16" and not axes[0]:
        pytest.skip("refused in eager mode")
    g = vt.jit.to_static(beside_a_tensor)
    for number in (2, 3):
        x, s = vt.to_tensor(np.full(axes[0], 5, dtype)), np.full(axes[1], number, given)
        wanted = beside_a_tensor(x, s)
        found = g(x, s)
        assert [y.dtype for y in found] == [y.dtype for y in wanted]
        for y, z in zip(found, wanted, strict=True):
            np.testing.assert_allclose(y.numpy(), z.numpy(), rtol=1e-3 if dtype == "float16" else 1e-6)


def among_arrays(a: Any, s: Any) -> Any:
    return a * s, s + a, a / s


def test_arrays_alone_follow_numpys_rule() -> None:
    g = vt.jit.to_static(among_arrays)
    a, s = np.ones(2, "float32"), np.array(2.0)
    assert [y.dtype for y in g(a, s)] == [y.dtype for y in among_arrays(a, s)] == [np.dtype("float64")] * 3
