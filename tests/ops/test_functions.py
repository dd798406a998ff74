"""Functions over rows against NumPy, and the rules of Python numbers and dtypes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify.ops
from vitrify.base.dtype import as_dtype
from vitrify.base.errors import ArgumentError, AxisError, DTypeError, ShapeError
from vitrify.ops.create import ArrayData
from vitrify.ops.dims import Dim
from vitrify.ops.indexing import span_of
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType

from .numpy_values import ArrayValue, gradients, numpy_values

F = vitrify.ops.functions()
X = np.arange(24.0).reshape(2, 3, 4)
J = np.array([[3, -1, 2], [0, 5, -4]])


@pytest.fixture(autouse=True)
def _values() -> Iterator[None]:
    with numpy_values():
        yield


def v(array: Any) -> ArrayValue:
    return ArrayValue(array)


CASES: list[tuple[str, Callable[[], Any], Any]] = [
    ("squeeze", lambda: F["squeeze"](v(X[:1])), X[0]),
    ("squeeze named", lambda: F["squeeze"](v(X[:1, :, :1]), [0]), X[0, :, :1]),
    ("unsqueeze", lambda: F["unsqueeze"](v(X), [0, -1]), X[None, ..., None]),
    ("flatten", lambda: F["flatten"](v(X), 1), X.reshape(2, 12)),
    ("flatten of a number", lambda: F["flatten"](v(np.array(2.0))), np.array([2.0])),
    ("unflatten", lambda: F["unflatten"](v(X), 2, [2, -1]), X.reshape(2, 3, 2, 2)),
    ("moveaxis", lambda: F["moveaxis"](v(X), 0, -1), np.moveaxis(X, 0, -1)),
    ("moveaxis of several", lambda: F["moveaxis"](v(X), [0, 1], [2, 0]), np.moveaxis(X, [0, 1], [2, 0])),
    ("swapaxes", lambda: F["swapaxes"](v(X), 0, 2), np.swapaxes(X, 0, 2)),
    ("stack", lambda: F["stack"]([v(X), v(X + 1)], -1), np.stack([X, X + 1], -1)),
    ("concat of dtypes", lambda: F["concat"]([v(J), v(X[0, :2, :3])]), np.concatenate([J, X[0, :2, :3]])),
    ("unbind", lambda: F["unbind"](v(X), 1)[2], X[:, 2]),
    ("split", lambda: F["split"](v(X), 2, 2)[1], X[..., 2:]),
    ("split of sizes", lambda: F["split"](v(X), [1, -1], 1)[1], X[:, 1:]),
    ("chunk", lambda: F["chunk"](v(X), 3, 1)[0], X[:, :1]),
    ("tile", lambda: F["tile"](v(X[0]), [2, 1, 3]), np.tile(X[0], [2, 1, 3])),
    ("tile by one", lambda: F["tile"](v(X), [1]), X),
    ("roll flattened", lambda: F["roll"](v(X), 5), np.roll(X, 5)),
    ("slice", lambda: F["slice"](v(X), [1, 2], [-2, 1], [100, -1]), X[:, -2:, 1:-1]),
    ("strided_slice", lambda: F["strided_slice"](v(X), [2], [-1], [-100], [-2]), X[..., ::-2]),
    ("expand_as", lambda: F["expand_as"](v(X[:, :1]), v(X)), np.broadcast_to(X[:, :1], X.shape)),
    ("pad images", lambda: F["pad"](v(X[None]), [1, 2, 3, 0]), np.pad(X[None], [(0, 0), (0, 0), (3, 0), (1, 2)])),
    ("pad channels last", lambda: F["pad"](v(X), [1, 2], data_format="NLC"), np.pad(X, [(0, 0), (1, 2), (0, 0)])),
    ("pad all axes", lambda: F["pad"](v(J), [1, 0, 0, 2], value=7), np.pad(J, [(1, 0), (0, 2)], constant_values=7)),
    ("sum of a dtype", lambda: F["sum"](v(J), 1, "float64"), J.sum(1).astype("float64")),
    ("sum of bools", lambda: F["sum"](v(J > 0)), np.array(3)),
    ("prod", lambda: F["prod"](v(J), 0, True), J.prod(0, keepdims=True)),
    ("any of numbers", lambda: F["any"](v(J), 1), np.array([True, True])),
    ("all of numbers", lambda: F["all"](v(J), 1), np.array([True, False])),
    ("argmax flattened", lambda: F["argmax"](v(J)), np.array(4)),
    ("argmin kept", lambda: F["argmin"](v(J), keepdim=True, dtype="int32"), np.array([[5]], "int32")),
    ("cumsum flattened", lambda: F["cumsum"](v(J)), np.cumsum(J)),
    ("cumprod", lambda: F["cumprod"](v(J), 1), np.cumprod(J, 1)),
    ("clip by tensors", lambda: F["clip"](v(J), v(np.array([0, 0, 1])), 3), np.clip(J, [0, 0, 1], 3)),
    ("clip of integers", lambda: F["clip"](v(J), -1.0, None), np.clip(J, -1, None).astype(np.float32)),
    ("round to decimals", lambda: F["round"](v(np.array([1.256])), 2), np.array([1.26])),
    ("fmax", lambda: F["fmax"](v(np.array([np.nan, 1.0])), v(np.array([2.0, np.nan]))), np.array([2.0, 1.0])),
    ("add_n", lambda: F["add_n"]([v(X), v(X), v(X)]), X * 3),
    ("power 2", lambda: v(J) ** 2, J**2),
    ("power of a number", lambda: 2.0 ** v(X[0]), 2.0 ** X[0]),
    ("reflected", lambda: 1 - v(J), 1 - J),
    ("modulo", lambda: v(J) % 3, J % 3),
    ("floor division", lambda: v(J) // 2, J // 2),
    ("modulo 0", lambda: v(J) % 0, J * 0),
    ("division of integers", lambda: v(J) / 2, (J / 2).astype("float32")),
    ("bits", lambda: (v(J) & 3) | ~v(J) ^ 1, (J & 3) | ~J ^ 1),
    ("bools", lambda: ~(v(J) > 0), ~(J > 0)),
    ("isclose", lambda: F["isclose"](v(np.array([1.0, np.inf, np.nan])), v(np.array([1.0 + 1e-9, np.inf, np.nan]))),
     np.array([True, True, False])),
    ("allclose", lambda: F["allclose"](v(X), v(X + 1e-9)), np.array(True)),
    ("equal_all", lambda: F["equal_all"](v(X), v(X[0])), np.array(False)),
    ("where", lambda: F["where"](v(J), v(J), 0.5), np.where(J != 0, J, 0.5).astype("float32")),
    ("full of a tensor", lambda: F["full"]([2], v(np.array([3]))), np.array([3, 3], "float32")),
    ("zeros", lambda: F["zeros"]([2, 3]), np.zeros((2, 3), "float32")),
    ("ones_like", lambda: F["ones_like"](v(J)), np.ones_like(J)),
    ("full_like", lambda: F["full_like"](v(J), 2.5, "float64"), np.full(J.shape, 2.5)),
    ("arange", lambda: F["arange"](5), np.arange(5)),
    ("arange down", lambda: F["arange"](5, 0, -2), np.arange(5, 0, -2)),
    ("arange of floats", lambda: F["arange"](0.0, 1.0, 0.25), np.arange(0, 1, 0.25, "float32")),
    ("arange of a tensor", lambda: F["arange"](v(np.array(3))), np.arange(3)),
    ("linspace", lambda: F["linspace"](-1.0, 1.0, 7, "float64"), np.linspace(-1, 1, 7)),
    ("eye", lambda: F["eye"](2, 3), np.eye(2, 3, dtype="float32")),
    ("shape", lambda: F["shape"](v(X)), np.array([2, 3, 4], "int64")),
    ("shape of a number", lambda: F["shape"](v(np.array(1.0))), np.zeros(0, "int64")),
    ("numel", lambda: F["numel"](v(X)), np.array(24)),
    ("rank", lambda: F["rank"](v(X)), np.array(3, "int32")),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_function_is_what_numpy_says(make: Callable[[], Any], expected: Any) -> None:
    got = make()
    assert got.array.dtype == expected.dtype
    assert got.shape == expected.shape
    np.testing.assert_allclose(got.array, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ShapeError, lambda: F["reshape"](v(X), [5, 5])),
        (ShapeError, lambda: F["broadcast_to"](v(X), [2, 3, 5])),
        (ShapeError, lambda: F["concat"]([v(X), v(X[:, :2])])),
        (ShapeError, lambda: F["max"](v(X[:0]), 0)),
        (ShapeError, lambda: F["argmax"](v(X[:0]), 0)),
        (ShapeError, lambda: F["tril"](v(X[0, 0]))),
        (ShapeError, lambda: F["pad"](v(J), [9, 9], mode="reflect")),
        (ArgumentError, lambda: F["transpose"](v(X), [0, 1, 1])),
        (ArgumentError, lambda: F["split"](v(X), 2, 1)),
        (ArgumentError, lambda: F["split"](v(X), [1, 1], 1)),
        (ArgumentError, lambda: F["stack"]([])),
        (ArgumentError, lambda: F["arange"](0, 5, 0)),
        (ArgumentError, lambda: F["zeros"]([-2])),
        (ArgumentError, lambda: F["pad"](v(J), [1, 1], mode="mirror")),
        (ArgumentError, lambda: F["sum"](v(X), [0, 0])),
        (AxisError, lambda: F["sum"](v(X), 3)),
        (DTypeError, lambda: F["floor"](v(X.astype("complex64")))),
        (DTypeError, lambda: OPS["uniform"](v(X), [2])),
    ],
)
def test_a_wrong_call_is_an_error(error: type[Exception], make: Callable[[], Any]) -> None:
    with pytest.raises(error):
        make()


@pytest.mark.parametrize("name", ["float32", "int32", "uint8", "bool"])
def test_a_python_number_keeps_the_tensors_dtype(name: str) -> None:
    kind = as_dtype(name)
    made = F["add"](v(np.ones(2, kind.numpy)), 1)
    assert made.dtype is {"bool": as_dtype("int64")}.get(name, kind)


def test_small_integers_wrap_as_in_numpy() -> None:
    big = np.array([2**31 - 1], "int32")
    assert F["add"](v(big), 1).array.tolist() == [-(2**31)]


def gradient(fn: Callable[[Any], Any], x: Any) -> Any:
    with numpy_values() as run:
        value = v(x)
        y = fn(value)
        return gradients(run.steps, [y], [v(np.ones_like(y.array))], [value])[0].array  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("fn", "x", "expected"),
    [
        (lambda x: F["prod"](x), [2.0, 0.0, 3.0], [0.0, 6.0, 0.0]),
        (lambda x: F["prod"](x), [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]),
        (lambda x: F["cumprod"](x, 0), [2.0, 0.0, 3.0], [1.0, 8.0, 0.0]),
        (lambda x: F["max"](x), [1.0, 3.0, 3.0], [0.0, 1.0, 1.0]),
        (lambda x: F["min"](x), [1.0, 1.0, 3.0], [1.0, 1.0, 0.0]),
        (lambda x: F["amax"](x), [1.0, 3.0, 3.0], [0.0, 0.5, 0.5]),
        (lambda x: F["amin"](x), [1.0, 1.0, 3.0], [0.5, 0.5, 0.0]),
        (lambda x: F["maximum"](x, 1.0), [0.0, 1.0, 2.0], [0.0, 0.5, 1.0]),
        (lambda x: F["clip"](x, 0.0, 1.0), [-1.0, 0.0, 0.5, 1.0], [0.0, 1.0, 1.0, 1.0]),
        (lambda x: F["relu"](x), [-1.0, 0.0, 2.0], [0.0, 0.0, 1.0]),
        (lambda x: F["abs"](x), [-1.0, 0.0, 2.0], [-1.0, 0.0, 1.0]),
        (lambda x: x**0.0, [0.0, 2.0], [0.0, 0.0]),
        (lambda x: x**3, [0.0, -2.0], [0.0, 12.0]),
        (lambda x: x**2, [0.0, -2.0], [0.0, -4.0]),
        (lambda x: 0.0**x, [1.0, 2.0], [0.0, 0.0]),
        (lambda x: F["elu"](x), [1000.0], [1.0]),
        (lambda x: F["where"](v(np.array([True, False])), x, 1.0), [5.0, np.inf], [1.0, 0.0]),
    ],
)
def test_gradients_at_corners(fn: Callable[[Any], Any], x: list[float], expected: list[float]) -> None:
    np.testing.assert_array_equal(gradient(fn, np.array(x)), expected)


@pytest.mark.parametrize(
    ("name", "result", "operands"),
    [
        ("sum", False, (False,)),
        ("tanh", True, (False,)),
        ("multiply", False, (True, True)),
        ("add", False, (False, False)),
        ("reshape", False, (False,)),
        ("concat", False, (False, False, False)),
        ("cast", False, (False,)),
        ("max", True, (True,)),
    ],
)
def test_what_a_gradient_reads_is_known(name: str, result: bool, operands: tuple[bool, ...]) -> None:
    assert OPS[name].saved(len(operands)) == (result, operands)


N = Dim.symbol("N")


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ((None, None, 1, N), "(0, N, 1)"),
        ((None, None, -1, N), "(N-1, N, -1)"),
        ((1, None, 1, N + 1), "(1, N, 1)"),
        ((-1, None, 1, N + 1), "(N, 1, 1)"),
        ((None, -1, 1, N + 1), "(0, N, 1)"),
    ],
)
def test_bounds_of_a_symbolic_slice(bounds: Any, expected: str) -> None:
    *part, size = bounds
    span = span_of(slice(*part), size)
    assert str((span.start, span.count, span.step)) == expected


@pytest.mark.parametrize(
    "text", ["::1", "2:", ":-1", "-3:", "5:2", "::-1", "7:1:-2", ":3:-1", "-1::-1", "20:", ":20", "-1:-20:-1"]
)
@pytest.mark.parametrize("size", [0, 1, 5, 9])
def test_bounds_known_late_are_pythons(text: str, size: int) -> None:
    """The symbolic bounds with a size put in name the same elements as Python's slice."""
    start, stop, stride = ([int(p) if p else None for p in text.split(":")] + [None])[:3]
    span = span_of(slice(start, stop, stride), N)
    first, count = (d.evaluate({"N": size}) if isinstance(d, Dim) else d for d in (span.start, span.count))
    places = list(range(size))[start:stop:stride]
    assert count == len(places)
    assert [first + k * span.step for k in range(count)] == places  # type: ignore[operator, arg-type]


def test_symbolic_functions() -> None:
    assert (
        str(OPS["slice"].infer(TensorType(as_dtype("f32"), (N,)), starts=(1,), sizes=(N - 1,), strides=(1,)))
        == "f32[N-1]"
    )
    assert str(OPS["concat"].infer(*[TensorType(as_dtype("f32"), (N, 2))] * 2, axis=0)) == "f32[2*N, 2]"
    assert str(OPS["arange"].infer(length=N, start=0, step=1, dtype=as_dtype("i64"))) == "i64[N]"


def test_array_data_compares_by_content() -> None:
    a, b = ArrayData(np.array([1.0, np.nan])), ArrayData(np.array([1.0, np.nan]))
    assert a == b
    assert hash(a) == hash(b)
    assert a != ArrayData(np.array([1.0, np.nan], "float32"))
    assert a != ArrayData(np.array([[1.0, np.nan]]))
    with pytest.raises(ValueError, match="read-only"):
        a.array[0] = 2.0
    assert repr(ArrayData(np.arange(2))) == "ArrayData(i64[2], [0, 1])"


def test_array_data_keeps_a_copy() -> None:
    mine = np.zeros(2)
    data = ArrayData(mine)
    mine[0] = 1.0
    assert data.array.tolist() == [0.0, 0.0]


def test_draws_repeat_and_differ_by_offset() -> None:
    state = v(np.array([7, 0]))
    first, second = (OPS["uniform"](s, [4]).array for s in (state, OPS["rng_advance"](state)))
    np.testing.assert_array_equal(first, OPS["uniform"](state, [4]).array)
    assert not np.allclose(first, second)
    assert set(OPS["randint"](state, [200], "int64", low=-1, high=2).array.tolist()) == {-1, 0, 1}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "float16"])
def test_where_on_many_elements_keeps_every_bit(dtype: str) -> None:
    rng = np.random.default_rng(0)
    mask = rng.uniform(size=(64, 50)) > 0.5
    x = rng.integers(-9, 9, (64, 50)).astype(dtype)
    if x.dtype.kind == "f":
        x[0, :4] = [np.nan, np.inf, -0.0, -np.inf]
    for y in (np.zeros((), dtype), np.full((), -0.0 if x.dtype.kind == "f" else 3, dtype), x[::-1], x[:1] * 2):
        found = F["where"](v(mask), v(x), v(y)).array
        wanted = np.where(mask, x, y)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
        assert (np.signbit(found) == np.signbit(wanted)).all() or x.dtype.kind == "i"
