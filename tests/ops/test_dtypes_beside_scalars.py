"""Dtypes of results, as PaddlePaddle's: tensors without axes beside others, sums of int32, angles of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

FOLLOW: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: b - a, "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b, "remainder": lambda a, b: a % b, "pow": lambda a, b: a**b,
}  # fmt: skip


def tensor(value: Any, dtype: str) -> Any:
    return vt.to_tensor(np.array(value, dtype))


@pytest.mark.parametrize("name", FOLLOW)
@pytest.mark.parametrize(("dtype", "scalar", "wanted"), [
    ("float32", "float64", "float32"), ("float16", "float32", "float16"), ("int32", "int64", "int32"),
    ("float32", "int64", "float32"), ("int32", "float64", "float64"), ("float64", "float32", "float64"),
])  # fmt: skip
def test_a_tensor_without_axes_takes_the_dtype_of_its_kind(name: str, dtype: str, scalar: str, wanted: str) -> None:
    call = FOLLOW[name]
    found = call(tensor([1, 2], dtype), tensor(2, scalar))
    assert found.dtype.name == ("float32" if name == "divide" and wanted == "int32" else wanted)
    assert (
        call(tensor([1], dtype), tensor([2], scalar)).dtype.name == call(tensor(1, dtype), tensor(2, scalar)).dtype.name
    )  # both with axes, or both without: the wider one


def test_the_others_promote() -> None:
    x, s = tensor([0.1, 0.2], "float32"), tensor(0.1, "float64")
    assert vt.maximum(x, s).dtype.name == "float64"
    assert (x == s).tolist() == [False, False]
    assert (x // s).dtype.name == "float64"


def _sums(x: Any, s: Any) -> Any:
    return x + s, s * x, x / s, vt.trace(x.astype("int32")), vt.dot(x.astype("int32"), x.astype("int32"))


def test_compiled_functions_give_the_same_dtypes() -> None:
    x, s = tensor([[1, 2], [3, 4]], "float32"), tensor(2, "float64")
    found, wanted = vt.jit.to_static(_sums)(x, s), _sums(x, s)
    assert [y.dtype.name for y in found] == ["float32"] * 3 + ["int32"] * 2
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_gradients_of_both_keep_their_dtypes() -> None:
    x, s = tensor([1, 2], "float32"), tensor(2, "float64")
    x.stop_gradient = s.stop_gradient = False
    (x * s).sum().backward()
    assert (x.grad.dtype.name, s.grad.dtype.name, s.grad.tolist()) == ("float32", "float64", 3.0)


def test_sums_of_int32_and_angles_of_integers() -> None:
    x = tensor([[1, 2], [3, 4]], "int32")
    assert (vt.trace(x).dtype.name, vt.trace(x).tolist()) == ("int32", 5)
    assert (vt.dot(x, x).dtype.name, vt.dot(x, x).tolist()) == ("int32", [5, 25])
    assert vt.trace(x.astype("int64")).dtype.name == "int64"
    assert vt.atan2(x, x).dtype.name == vt.atan2(x, x.astype("int64")).dtype.name == "float64"
    assert vt.atan2(x, x.astype("float32")).dtype.name == "float32"


@pytest.mark.parametrize(("name", "wanted"), [
    ("hstack", [0, 1, 2, 3, 4, 5]), ("vstack", [[0, 1, 2], [3, 4, 5]]), ("row_stack", [[0, 1, 2], [3, 4, 5]]),
    ("dstack", [[[0, 3], [1, 4], [2, 5]]]), ("column_stack", [[0, 3], [1, 4], [2, 5]]),
])  # fmt: skip
def test_one_tensor_is_stacked_by_its_rows(name: str, wanted: Any) -> None:
    assert getattr(vt, name)(tensor([[0, 1, 2], [3, 4, 5]], "int64")).tolist() == wanted


@pytest.mark.parametrize(("shape", "axis"), [((3,), 0), ((2, 3), 1), ((2, 3, 2), 0), ((2, 3, 2, 2), 1)])
def test_softmax_without_an_axis(shape: tuple[int, ...], axis: int) -> None:
    x = vt.to_tensor(np.random.default_rng(0).normal(size=shape))
    wanted = vt.nn.functional.softmax(x, axis).numpy()
    np.testing.assert_array_equal(vt.softmax(x).numpy(), wanted)
    np.testing.assert_array_equal(x.softmax().numpy(), wanted)
    np.testing.assert_array_equal(vt.nn.functional.softmax(x).numpy(), vt.softmax(x, -1).numpy())


@pytest.mark.parametrize(
    ("dtype", "bound", "expected"),
    [
        ("int32", "int64", "int32"), ("int64", "int32", "int64"), ("int32", "float64", "float32"),
        ("int64", "float16", "float32"), ("float32", "float64", "float32"), ("float64", "float32", "float64"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("wrap", [lambda fn: fn, vt.to_static], ids=["eager", "compiled"])
def test_what_is_clipped_keeps_its_dtype_unless_integers_meet_floats(
    wrap: Any, dtype: str, bound: str, expected: str
) -> None:
    clip = wrap(lambda x, low, high: (vt.clip(x, low), vt.clip(x, low, 7), vt.clip(x, 2, high)))
    for shape in ([], [3]):
        low, high = vt.full(shape, 3, bound), vt.full(shape, 7, bound)
        for made in clip(vt.to_tensor([1, 5, 9], dtype), low, high):
            assert made.dtype is getattr(vt, expected)
    assert clip(vt.to_tensor([1, 5, 9], dtype), vt.full([], 3, bound), vt.full([], 7, bound))[1].tolist() == [3, 5, 7]


@pytest.mark.parametrize("wrap", [lambda fn: fn, vt.to_static])
@pytest.mark.parametrize("other", [lambda: vt.to_tensor(2.0), lambda: vt.to_tensor([2, 2, 2])])
def test_arrays_of_short_floats_beside_tensors(wrap: Any, other: Any) -> None:
    array = np.array([0.5, 1.0, 1.5], "float16")
    fn = wrap(lambda t: (t + array, array * t, t / array, vt.maximum(t, array)))
    added, scaled, divided, largest = fn(other())
    assert added.tolist() == [2.5, 3.0, 3.5]
    assert scaled.tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_allclose(divided.astype("float32").numpy(), [4.0, 2.0, 4 / 3], rtol=1e-3)
    assert largest.tolist() == [2.0, 2.0, 2.0]
    assert [y.dtype for y in (added, scaled, divided)] == ["float16"] * 3
