"""Rows without tensor operands: full, arange, eye, constants, sizes; functions over them: zeros, ones, linspace, …"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType, as_dtype, of_array
from ..base.errors import ArgumentError, CountError
from ..base.flags import flags
from .arith import exact, is_run_time_number, is_value
from .dims import Dim, DimLike, floordiv, maximum, product
from .dispatch import bottom, current
from .infer import as_dim, as_dims, fitting, not_negative, require_one, sizes_one_by_one
from .interpreter import Interpreter
from .kernel_expressions import Expr, call, equal, select
from .lowering import Custom, Index, Point, PointContext
from .op import NONDIFFERENTIABLE, OPS, REQUIRED, Sample, composite, row
from .types import TensorType, require_possible

NO_STEP = "arange needs a step other than 0"
Prepared = tuple[tuple[Any, ...], dict[str, Any]]


class ArrayData:
    """A read-only contiguous NumPy array as an attribute: compared and hashed by dtype, shape and bytes (NaN is NaN).

    >>> ArrayData(np.array([1.0, np.nan])) == ArrayData(np.array([1.0, np.nan]))
    True
    """

    __slots__ = ("_hash", "array")

    def __init__(self, array: Any) -> None:
        given = np.asarray(array)
        kept = np.array(given, order="C") if given.flags.writeable or not given.flags.c_contiguous else given
        kept.flags.writeable = False
        self.array = kept
        self._hash: int | None = None

    @property
    def dtype(self) -> DType:
        return of_array(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def type(self) -> TensorType:
        """Its type as a value."""
        return TensorType(self.dtype, self.array.shape)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ArrayData) or self.array.dtype != other.array.dtype or self.shape != other.shape:
            return False
        return hash(self) == hash(other) and self.array.tobytes() == other.array.tobytes()

    def __hash__(self) -> int:
        if self._hash is None:  # large constants are hashed once
            self._hash = hash((self.array.dtype.str, self.shape, self.array.tobytes()))
        return self._hash

    def __repr__(self) -> str:
        shown = np.array2string(self.array, threshold=8, separator=", ").replace("\n", " ")
        return f"ArrayData({self.type}, {shown})"


def _python_number(value: Any, dtype: DType) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    kinds: tuple[Any, ...] = (bool, int, float, complex)
    number = kinds[dtype.category](value)
    return fitting(number, dtype) if dtype.is_integer else number


def _default_dtype(value: Any, dtype: Any) -> DType:
    """The dtype asked for, else Paddle's default for a fill value."""
    if dtype is not None:
        return as_dtype(dtype)
    if isinstance(value, (bool, np.bool_)):
        return dt.bool_
    return dt.complex128 if isinstance(value, complex) else flags.default_dtype


# Rows


def _prepare_full(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    value, dtype = attrs["fill_value"], _default_dtype(attrs["fill_value"], attrs["dtype"])
    return (), {"shape": as_dims(attrs["shape"]), "fill_value": _python_number(value, dtype), "dtype": dtype}


full = row(
    "full",
    "A tensor of `shape` with `fill_value` everywhere.",
    "",
    attrs={"shape": REQUIRED, "fill_value": REQUIRED, "dtype": None},
    prepare=_prepare_full,
    infer=lambda *, shape, fill_value, dtype: TensorType(dtype, not_negative(shape)),
    eager=lambda *, shape, fill_value, dtype: np.full(shape, fill_value, dtype.numpy),
    vjp=lambda g, y, **_: (),
    lowering=Point(lambda ctx, index: ctx.literal(ctx.attrs["fill_value"], ctx.attrs["dtype"].short)),
    samples=lambda: [
        Sample((), {"shape": [2, 3], "fill_value": 1.5}),
        Sample((), {"shape": (), "fill_value": -2, "dtype": "int32"}),
        Sample((), {"shape": 4, "fill_value": True}),
        Sample((), {"shape": [0, 2], "fill_value": math.nan, "dtype": "float64"}),
        Sample((), {"shape": [33], "fill_value": -math.inf}),
    ],
    method=False,
    family="create",
    public=False,
    onnx="ConstantOfShape",
    is_literal=True,
)


def _prepare_arange(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    dtype = as_dtype(attrs["dtype"])
    start, step = (_python_number(attrs[k], dtype) for k in ("start", "step"))
    length = as_dim(attrs["length"])
    require_possible("arange", TensorType(dtype, (length,)))  # NumPy gives nothing for more than 64 bits
    return (), {"length": length, "start": start, "step": step, "dtype": dtype}


def _arange_eager(*, length: int, start: float, step: float, dtype: DType) -> Any:
    if dtype.is_floating:  # in float64, rounded once: f32 sums would drift
        return (start + np.arange(length) * float(step)).astype(dtype.numpy)
    return (start + np.arange(length, dtype=np.int64) * step).astype(dtype.numpy)


def _arange_point(ctx: PointContext, index: Index) -> Expr:
    dtype = ctx.attrs["dtype"]
    kind = "f64" if dtype.is_floating else "i64"
    start, step = ctx.literal(ctx.attrs["start"], kind), ctx.literal(ctx.attrs["step"], kind)
    return call(dtype.short, start + call(kind, index[0]) * step)


arange = row(
    "arange",
    "`length` numbers: start, start + step, start + 2 step, …",
    "",
    attrs={"length": REQUIRED, "start": 0, "step": 1, "dtype": "int64"},
    prepare=_prepare_arange,
    infer=lambda *, length, start, step, dtype: TensorType(dtype, not_negative((length,))),
    eager=_arange_eager,
    vjp=lambda g, y, **_: (),
    lowering=Point(_arange_point),
    samples=lambda: [
        Sample((), {"length": 5}),
        Sample((), {"length": 33, "start": -1.0, "step": 0.1, "dtype": "float32"}),
        Sample((), {"length": 4, "start": 0.5, "step": -0.25, "dtype": "float64"}),
        Sample((), {"length": 0, "start": 3, "step": 2, "dtype": "int32"}),
        Sample((), {"length": 7, "start": 3, "step": -2, "dtype": "int32"}),
    ],
    method=False,
    family="create",
    public=False,
    onnx="Range",
    is_literal=True,
)


def _prepare_eye(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    rows = as_dim(attrs["num_rows"])
    columns = rows if attrs["num_columns"] is None else as_dim(attrs["num_columns"])
    if any(isinstance(n, int) and n < 0 for n in (rows, columns)):
        raise CountError(f"eye: sizes can't be negative: {[rows, columns]}")
    return (), {"num_rows": rows, "num_columns": columns, "dtype": _default_dtype(1.0, attrs["dtype"])}


def _eye_point(ctx: PointContext, index: Index) -> Expr:
    one, zero = (ctx.literal(v, ctx.attrs["dtype"].short) for v in (1, 0))
    return select(equal(index[0], index[1]), one, zero)


eye = row(
    "eye",
    "The matrix with ones on its main diagonal and zeros elsewhere.",
    "",
    attrs={"num_rows": REQUIRED, "num_columns": None, "dtype": None},
    prepare=_prepare_eye,
    infer=lambda *, num_rows, num_columns, dtype: TensorType(dtype, not_negative((num_rows, num_columns))),
    eager=lambda *, num_rows, num_columns, dtype: np.eye(num_rows, num_columns, dtype=dtype.numpy),
    vjp=lambda g, y, **_: (),
    lowering=Point(_eye_point),
    samples=lambda: [
        Sample((), {"num_rows": 3}),
        Sample((), {"num_rows": 2, "num_columns": 5, "dtype": "int64"}),
        Sample((), {"num_rows": 4, "num_columns": 0, "dtype": "float64"}),
    ],
    method=False,
    family="create",
    onnx="EyeLike",
)

constant = row(
    "constant",
    "An array that is part of the program.",
    "",
    attrs={"data": REQUIRED},
    infer=lambda *, data: data.type,
    eager=lambda *, data: data.array,
    vjp=lambda g, y, **_: (),
    lowering=Custom("create.constant"),
    work=lambda given, made, **_: 0,
    samples=lambda: [
        Sample((), {"data": ArrayData(a)})
        for a in (np.array(1.5, "float32"), np.arange(6).reshape(2, 3), np.zeros((0, 2)), np.array([True, False]))
    ],
    method=False,
    public=False,
    family="create",
    onnx="Constant",
    is_literal=True,
)


def _dim_samples() -> list[Sample]:
    return [Sample((), {"dim": 7}), Sample((), {"dim": 0})]


dim_value = row(
    "dim_value",
    "A size as a tensor without axes, int64; in a program the size may be symbolic.",
    "",
    attrs={"dim": REQUIRED},
    infer=lambda *, dim: TensorType(dt.int64, ()),
    eager=lambda *, dim: np.asarray(dim, np.int64),
    vjp=NONDIFFERENTIABLE,
    lowering=Point(lambda ctx, index: ctx.dim(ctx.attrs["dim"])),
    samples=_dim_samples,
    method=False,
    public=False,
    family="create",
    is_literal=True,
)

# Functions over these rows


@composite("full", method=False)
def full_(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of `shape` with `fill_value` everywhere; the value may be a tensor with one element. Without `dtype`
    bools stay bools, complex numbers complex; all others, tensors too, give the default float.
    """
    if isinstance(fill_value, Dim):
        fill_value = dim_value(fill_value)
    if not (is_value(fill_value) or is_run_time_number(fill_value)):
        return full(shape, fill_value, dtype)
    value = OPS["cast"](OPS["reshape"](exact(fill_value), []), _dtype_for(fill_value) if dtype is None else dtype)
    return OPS["broadcast_to"](value, as_dims(shape))


def _dtype_for(value: Any) -> DType:
    """The dtype of a tensor that is filled with a value of the program."""
    if value.dtype.is_complex:
        return dt.complex128 if is_run_time_number(value) else value.dtype
    return dt.bool_ if value.dtype is dt.bool_ and is_run_time_number(value) else flags.default_dtype


@composite(method=False)
@sizes_one_by_one
def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros of `shape`, a list or sizes one by one; the default float unless `dtype` is given."""
    return full(shape, 0, dtype or flags.default_dtype)


@composite(method=False)
@sizes_one_by_one
def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones of `shape`, a list or sizes one by one; the default float unless `dtype` is given."""
    return full(shape, 1, dtype or flags.default_dtype)


@composite(method=False)
@sizes_one_by_one
def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of `shape` whose values don't matter: zeros here, so that runs repeat."""
    return zeros(shape, dtype)


@composite(method=False)
def full_like(x: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`fill_value` in the shape of `x`, and its dtype unless `dtype` is given."""
    x = current().constant(x, None)
    return full_(x.shape, fill_value, dtype or x.dtype)


@composite(method=False)
def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros in the shape of `x`, and its dtype unless `dtype` is given."""
    return full_like(x, 0, dtype)


@composite(method=False)
def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones in the shape of `x`, and its dtype unless `dtype` is given."""
    return full_like(x, 1, dtype)


@composite(method=False)
def empty_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor in the shape of `x` whose values don't matter."""
    return full_like(x, 0, dtype)


@composite("arange", method=False)
def arange_(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None) -> Any:
    """Numbers from `start` up to but without `end`, in steps of `step`. One argument is the end.

    Sizes may be symbolic; tensors with one element are read.
    """
    if end is None:
        start, end = 0, start
    start, end, step = map(exact, (start, end, step))
    if any(is_value(v) for v in (start, end, step)) and current() is not bottom():
        return _value_range(start, end, step, dtype)
    start, end, step = (v.item() if hasattr(v, "item") else v for v in (start, end, step))
    numbers = (start, end, step)
    kind = as_dtype(dtype) if dtype is not None else dt.int64 if all(map(_is_whole, numbers)) else flags.default_dtype
    length = _arange_length(start, end, step)
    if not isinstance(start, Dim):
        return arange(length, start, step, kind)
    return OPS["add"](arange(length, 0, step, kind), OPS["cast"](dim_value(start), kind))


@composite("range", method=False)
def range_(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None) -> Any:
    """Numbers from `start` up to `end`, which is included, in steps of `step`; of the default float by default.

    >>> import vitrify as vt
    >>> vt.range(0, 4, 2).tolist()
    [0.0, 2.0, 4.0]
    """
    start, end = (0, start) if end is None else (start, end)
    start, end, step = (v.item() if hasattr(v, "item") else v for v in (start, end, step))
    if step == 0:
        raise ArgumentError("range needs a step other than 0")
    if (end - start) / step < 0:
        raise ArgumentError(f"range: no steps of {step} go from {start} to {end}")
    kind = flags.default_dtype if dtype is None else as_dtype(dtype)
    return arange(math.floor((end - start) / step) + 1, start, step, kind)


def _value_range(start: Any, stop: Any, step: Any, dtype: Any) -> Any:
    """A range of which some bounds are values that only a run knows."""
    numbers = (start, stop, step)
    if dtype is None:
        kinds = [v.dtype for v in numbers if is_value(v)]
        whole = all(k.is_integer or k.is_bool for k in kinds) and not any(isinstance(v, float) for v in numbers)
        dtype = dt.int64 if whole else flags.default_dtype
    for v in numbers:
        if is_value(v):
            require_one(v.shape)
    return OPS["arange_between"](*(current().constant(v, None) for v in numbers), dtype)


def _is_whole(x: Any) -> bool:
    return isinstance(x, (int, np.integer, Dim))


def _arange_length(start: Any, end: Any, step: Any) -> DimLike:
    if isinstance(start, Dim) or isinstance(end, Dim):
        if not all(map(_is_whole, (start, end, step))):
            raise ArgumentError("arange of a symbolic size needs integers", remedy="multiply the result instead")
        if isinstance(step, int) and step == 0:
            raise ArgumentError(NO_STEP)
        room: DimLike = end - start if step > 0 else start - end
        stride = abs(int(step))
        return floordiv(room + (stride - 1), stride)
    return count_between(start, end, step)


def count_between(start: float, end: float, step: float) -> int:
    """How many numbers go from `start` up to but without `end`; ArgumentError where that isn't finite."""
    if not step:
        raise ArgumentError(NO_STEP)
    count = (end - start) / step
    if not math.isfinite(count):
        raise ArgumentError(f"arange needs finite numbers, not from {start} to {end} by {step}")
    return max(0, math.ceil(count))


@composite(method=False)
def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`num` numbers evenly from `start` to `stop`, both included; computed in float64."""
    kind = as_dtype(dtype) if dtype is not None else flags.default_dtype
    start, stop = map(_bound, (start, stop))
    count = as_dim(num)
    if isinstance(count, int) and count < 2:
        _ = is_value(stop) or float(stop)  # no list, though it doesn't count
        if is_value(start):
            return OPS["cast"](OPS["broadcast_to"](start, (count,)), kind)
        return full((count,), start, kind)
    start, stop = (v if is_value(v) else float(v) for v in (start, stop))
    steps = maximum(count - 1, 1)  # of an open count that may be 1: it is at `start`
    places = arange(count, 0.0, 1.0, dt.float64)
    if isinstance(steps, int):
        step: Any = (stop - start) / steps
    else:
        step = OPS["divide"](stop - start, OPS["cast"](dim_value(steps), dt.float64))
    values = places * step + start
    last = OPS["equal"](places, steps)
    return OPS["cast"](OPS["where"](last, stop, values), kind)


def _bound(v: Any) -> Any:
    """A number, or float64 without axes where only a run of the program knows it."""
    if is_value(v) and current() is not bottom():
        require_one(v.shape)
        return OPS["cast"](OPS["reshape"](v, ()), dt.float64)
    return v.item() if hasattr(v, "item") else v


@composite()
def shape(x: Any) -> Any:
    """The sizes of `x` as a tensor: int64 as in Paddle."""
    if not x.shape:
        return full((0,), 0, dt.int64)
    if current() is bottom():
        return current().constant(np.array(x.shape, np.int64), dt.int64)
    parts = [OPS["reshape"](dim_value(as_dim(d)), (1,)) for d in x.shape]
    return OPS["concat"](parts, 0) if len(parts) > 1 else parts[0]


@composite()
def numel(x: Any, name: str | None = None) -> Any:
    """The number of elements of `x` as a tensor without axes, int64."""
    return dim_value(product(as_dim(d) for d in x.shape))


@composite()
def rank(x: Any) -> Any:
    """The number of axes of `x` as a tensor without axes, int32."""
    return full((), len(x.shape), dt.int32)
