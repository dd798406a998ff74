"""Matrix products: the op matmul and what is made of it. Transposes are flags: no gradient moves memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.dtype import COMPLEX, FLOATS, int32, int64
from ..base.errors import ShapeError
from .arith import is_run_time_number
from .dims import DimLike, assume_equal, same_dim, same_shape
from .failing import inner_sizes_differ
from .families import common_dtype, conjugated, sum_to
from .infer import broadcast_dims, broadcast_shapes, require_dtype, require_same_dtype, show_shape
from .interpreter import Interpreter
from .lowering import Library
from .op import OPS, Sample, composite, random_array, row
from .types import Shape, TensorType

PRODUCTS = (*FLOATS, int32, int64, *COMPLEX)
Prepared = tuple[tuple[Any, ...], dict[str, Any]]


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x, y = common_dtype(interpreter, values, allowed=PRODUCTS, name="matmul")
    return (x, y), {
        "transpose_x": bool(attrs["transpose_x"]) and x.ndim > 1,
        "transpose_y": bool(attrs["transpose_y"]) and y.ndim > 1,
    }


def _infer(x: TensorType, y: TensorType, *, transpose_x: bool, transpose_y: bool) -> TensorType:
    dtype = require_same_dtype("matmul", (x, y))
    require_dtype("matmul", dtype, PRODUCTS)
    if not x.shape or not y.shape:
        raise ShapeError(
            f"matmul needs at least one axis on both sides, got {x} and {y}", remedy="use x * y for scalars"
        )
    rows, inner = _matrix(x.shape, transpose_x, left=True)
    other, columns = _matrix(y.shape, transpose_y, left=False)
    one_is_1 = same_dim(inner, 1) != same_dim(other, 1)  # no broadcasting here: then both must be
    if broadcast_dims(inner, other) is None or (one_is_1 and not assume_equal(inner, other)):
        flags = f" (transpose_x={transpose_x}, transpose_y={transpose_y})" if transpose_x or transpose_y else ""
        raise ShapeError(
            f"matmul: {x} and {y}{flags} don't fit: {inner} columns against {other} rows",
            remedy="the last size of x must equal the last but one of y",
        )
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return TensorType(dtype, batch + (rows,) * (x.rank > 1) + (columns,) * (y.rank > 1))


def _matrix(shape: Shape, transpose: bool, *, left: bool) -> tuple[DimLike, DimLike]:
    if len(shape) == 1:
        return (1, shape[0]) if left else (shape[0], 1)
    return (shape[-1], shape[-2]) if transpose else (shape[-2], shape[-1])


def _eager(x: Any, y: Any, *, transpose_x: bool, transpose_y: bool) -> Any:
    return np.asarray(
        np.matmul(np.swapaxes(x, -1, -2) if transpose_x else x, np.swapaxes(y, -1, -2) if transpose_y else y)
    )


def _vjp(
    g: Any, z: Any, x: Any, y: Any, *, transpose_x: bool, transpose_y: bool, wanted: tuple[bool, ...] = (True, True)
) -> tuple[Any, ...]:
    if x.ndim == 1 or y.ndim == 1:
        return _vector_vjp(g, x, y, transpose_x, transpose_y)
    gx = None if not wanted[0] else _left_gradient(g, x, y, transpose_x, transpose_y)
    gy = None if not wanted[1] else _right_gradient(g, x, y, transpose_x, transpose_y)
    return gx, gy


def _left_gradient(g: Any, x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> Any:
    gx = matmul(y, g, transpose_y, True) if transpose_x else matmul(g, y, False, not transpose_y)
    return sum_to(gx, x.shape)


def _right_gradient(g: Any, x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> Any:
    if y.ndim == 2 and x.ndim > 2 and not transpose_x:  # one matmul over all batches instead of a sum of matmuls
        x, g = _flat(x), _flat(g)
    gy = matmul(g, x, True, transpose_x) if transpose_y else matmul(x, g, not transpose_x, False)
    return sum_to(gy, y.shape)


def _flat(x: Any) -> Any:
    return OPS["reshape"](x, (-1, x.shape[-1]))


def _vector_vjp(g: Any, x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> tuple[Any, ...]:
    """A vector is a matrix with one row (left) or one column (right)."""
    x_shape, y_shape = tuple(x.shape), tuple(y.shape)
    rows, columns = _matrix(x_shape, transpose_x, left=True)[0], _matrix(y_shape, transpose_y, left=False)[1]
    g = OPS["reshape"](g, (*broadcast_shapes(x_shape[:-2], y_shape[:-2]), rows, columns))
    x = OPS["reshape"](x, (1, *x_shape)) if x.ndim == 1 else x
    y = OPS["reshape"](y, (*y_shape, 1)) if y.ndim == 1 else y
    grads = _vjp(g, None, x, y, transpose_x=transpose_x, transpose_y=transpose_y)
    return tuple(OPS["reshape"](d, s) for d, s in zip(grads, (x_shape, y_shape), strict=True))


def _samples() -> list[Sample]:
    cases: list[tuple[tuple[int, ...], tuple[int, ...], bool, bool]] = [
        ((3, 4), (4, 2), False, False), ((4, 3), (4, 2), True, False), ((3, 4), (2, 4), False, True),
        ((4, 3), (2, 4), True, True), ((4,), (4,), False, False), ((3, 4), (4,), False, False),
        ((4,), (4, 2), False, False), ((5, 3, 4), (4,), False, False), ((4,), (2, 4, 3), False, False),
        ((2, 3, 4), (4, 5), False, False), ((2, 3, 4), (5, 4), False, True), ((3, 4), (2, 4, 5), False, False),
        ((2, 1, 3, 4), (5, 4, 2), False, False), ((2, 4, 3), (1, 2, 4), True, True), ((0, 3), (3, 2), False, False),
        ((2, 0), (0, 3), False, False), ((4,), (2, 4), False, True), ((4, 3), (4,), True, False),
        ((1, 1), (1, 1), False, False),
    ]  # fmt: skip
    out = [
        Sample((random_array(1, a), random_array(2, b)), {"transpose_x": s, "transpose_y": t}) for a, b, s, t in cases
    ]
    out.append(
        Sample((random_array(3, (33, 40), dtype="float32"), random_array(4, (40, 17), dtype="float32")), smooth=False)
    )
    complex_ones = random_array(5, (3, 4)) + 1j * random_array(6, (3, 4))
    out.append(Sample((complex_ones, complex_ones), {"transpose_y": True}))
    return [*out, Sample((np.arange(6).reshape(2, 3), np.arange(3)), smooth=False)]


def _work(x: TensorType, made: TensorType, transpose_x: bool) -> DimLike:
    """Two operations for each element of a row of x and each element of the result."""
    return 2 * made.size * x.shape[-2 if transpose_x and x.rank > 1 else -1]


def _specialise(types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any] | None:
    """Two matrices, of more than one row and column: `dot` is the same call of BLAS, with less before it."""
    if any(
        t.rank != 2 or t.dtype not in FLOATS or not all(isinstance(d, int) and d > 1 for d in t.shape) for t in types
    ):
        return None
    if attrs["transpose_x"]:
        return (lambda x, y: x.T.dot(y.T)) if attrs["transpose_y"] else lambda x, y: x.T.dot(y)
    return (lambda x, y: x.dot(y.T)) if attrs["transpose_y"] else np.ndarray.dot


matmul = row(
    "matmul",
    "The matrix product over the last two axes; leading axes broadcast; a vector is one row or one column.",
    "x y",
    attrs={"transpose_x": False, "transpose_y": False},
    infer=_infer,
    eager=_eager,
    specialise=_specialise,
    vjp=conjugated(_vjp),
    prepare=_prepare,
    lowering=Library("gemm"),
    failures=inner_sizes_differ(_matrix),
    work=lambda given, made, *, transpose_x, **_: _work(given[0], made[0], transpose_x),
    selective=True,
    samples=_samples,
    operator="matmul",
    onnx="MatMul",
    is_contraction=True,
    is_bilinear=True,
)


def _matmul_add_infer(
    c: TensorType, x: TensorType, y: TensorType, *, alpha: float, beta: float, **flags: bool
) -> TensorType:
    made = _infer(x, y, **flags)
    require_dtype("matmul_add", c.dtype, FLOATS)
    require_same_dtype("matmul_add", (c, made))
    if not same_shape(c.shape, made.shape):
        raise ShapeError(f"matmul_add: c is {c}, the product {made}", remedy="use c + matmul(x, y), which broadcasts")
    return c


def _matmul_add_vjp(
    g: Any, z: Any, c: Any, x: Any, y: Any, *, alpha: float, beta: float, **flags: Any
) -> tuple[Any, ...]:
    return g * beta, *_vjp(g * alpha, None, x, y, **flags)


matmul_add = row(
    "matmul_add",
    "alpha times the matrix product plus beta times c, in one library call (GEMM): what sums with a matmul become.",
    "c x y",
    attrs={"transpose_x": False, "transpose_y": False, "alpha": 1.0, "beta": 1.0},
    infer=_matmul_add_infer,
    eager=lambda c, x, y, *, alpha, beta, **flags: alpha * _eager(x, y, **flags) + beta * c,
    vjp=_matmul_add_vjp,
    lowering=Library("gemm"),
    work=lambda given, made, *, transpose_x, **_: _work(given[1], made[0], transpose_x) + 2 * made[0].size,
    samples=lambda: [
        Sample(tuple(random_array(k, s) for k, s in enumerate(shapes)), {"alpha": alpha, "beta": beta} | flags)
        for shapes, alpha, beta, flags in (
            (((3, 2), (3, 4), (4, 2)), 1.0, 1.0, {}),
            (((3, 2), (4, 3), (4, 2)), -0.5, 2.0, {"transpose_x": True}),
            (((1, 5), (1, 4), (5, 4)), 1.0, 1.0, {"transpose_y": True}),
            (((2, 3, 5), (2, 3, 4), (4, 5)), 0.5, 1.0, {}),
            (((2, 3), (2, 0), (0, 3)), 1.0, 3.0, {}),
        )
    ],
    method=False,
    public=False,
)


def _require_rank(name: str, value: Any, ranks: Sequence[int]) -> None:
    if value.ndim not in ranks:
        wanted = " or ".join(map(str, ranks))
        raise ShapeError(f"{name} needs rank {wanted}, got shape {show_shape(value.shape)}", remedy="use matmul")


@composite()
def mm(input: Any, mat2: Any, name: str | None = None) -> Any:
    """The product of two matrices, [n, k] and [k, m] (as matmul: other ranks broadcast)."""
    return matmul(input, mat2)


@composite()
def bmm(x: Any, y: Any, name: str | None = None) -> Any:
    """The products of two batches of matrices, [b, n, k] and [b, k, m]."""
    _require_rank("bmm", x, (3,))
    _require_rank("bmm", y, (3,))
    if assume_equal(x.shape[0], y.shape[0]) is False:
        raise ShapeError(f"bmm: {x.shape[0]} matrices against {y.shape[0]}", remedy="use matmul, which broadcasts")
    return matmul(x, y)


@composite()
def mv(x: Any, vec: Any, name: str | None = None) -> Any:
    """The product of a matrix [n, k] and a vector [k]."""
    _require_rank("mv", x, (2,))
    _require_rank("mv", vec, (1,))
    return matmul(x, vec)


@composite()
def dot(x: Any, y: Any, name: str | None = None) -> Any:
    """The inner product of two vectors; of two matrices, row by row. That of int32 is int32."""
    _require_rank("dot", x, (1, 2))
    _require_rank("dot", y, (x.ndim,))
    products = x * y
    made = OPS["sum"](products, axis=-1)
    return OPS["cast"](made, int32) if products.dtype is int32 else made


@composite()
def outer(x: Any, y: Any, name: str | None = None) -> Any:
    """All products of the elements of two vectors, [n, m]; other ranks are flattened."""
    return OPS["reshape"](x, (-1, 1)) * OPS["reshape"](y, (1, -1))


@composite()
def t(input: Any, name: str | None = None) -> Any:
    """The transpose of a matrix; a vector or scalar as it is."""
    _require_rank("t", input, (0, 1, 2))
    return OPS["transpose"](input, (1, 0)) if input.ndim == 2 else input


@composite()
def addmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Any:
    """beta * input + alpha * (x @ y), for matrices x and y; input broadcasts to their product.

    Errors: ShapeError for other ranks.
    """
    if x.ndim != 2 or y.ndim != 2 or input.ndim > 2:
        shapes = " and ".join(show_shape(v.shape) for v in (input, x, y))
        raise ShapeError(
            f"addmm needs an input of at most two axes and two matrices, got {shapes}", remedy="use baddbmm"
        )
    product = matmul(x, y)
    product = product if not is_run_time_number(alpha) and alpha == 1.0 else product * alpha
    return product + (input if not is_run_time_number(beta) and beta == 1.0 else input * beta)
