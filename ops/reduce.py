"""Rows that fold or scan axes: sum, mean, max, min, prod, any, all, argmax, argmin, cumsum, cumprod.

Of several equal extremes, max and min give each the whole gradient, amax and amin an even share (as Paddle's do).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import NUMBERS, DType, as_dtype
from ..base.errors import DTypeError, ShapeError
from .arith import is_value
from .bounds import first
from .dims import DimLike, product
from .failing import of_no_elements
from .families import Samples, common_dtype, conjugated, reduction
from .infer import assume_at_least, axis_index, reduced_shape, require_dtype
from .interpreter import Interpreter
from .kernel_parts import ReduceAxes, of_parts
from .lines import scalar_as_line
from .lowering import Custom, Reduce
from .op import NONDIFFERENTIABLE, OPS, REQUIRED, Op, Sample, composite, random_array, row
from .types import TensorType

COUNTABLE = (*NUMBERS, dt.bool_, *dt.SHORT_INTEGERS)


def wide(dtype: DType) -> DType:
    """The dtype of a sum: int64 for integers and bools, so that it doesn't overflow early."""
    return as_dtype(dtype.accumulator) if dtype.category < 2 else dtype


def unreduced(value: Any, shape: Any, axis: tuple[int, ...], keepdim: bool) -> Any:
    """A reduction's result (or gradient) with the folded axes as size 1: it broadcasts against the operand's shape."""
    return value if keepdim or not axis else OPS["reshape"](value, reduced_shape(tuple(shape), axis, True))


def _sum_vjp(g: Any, y: Any, x: Any, *, axis: tuple[int, ...], keepdim: bool) -> tuple[Any]:
    spread = OPS["broadcast_to"](unreduced(g, x.shape, axis, keepdim), x.shape)
    return (spread if x.dtype.is_differentiable else OPS["cast"](spread, x.dtype),)


sum_ = reduction(
    "sum",
    "Sum over `axis` (all axes by default). Integers and bools are summed as int64.",
    eager=lambda x, axis, keepdims: np.add.reduce(x, axis=axis, keepdims=keepdims, dtype=wide(dt.of_array(x)).numpy),
    vjp=_sum_vjp,
    lowering=Reduce("{T}(0)", "{a} + {T}({x})", neutral=0),
    dtypes=COUNTABLE,
    result=wide,
    onnx="ReduceSum",
    holomorphic=True,
    ufunc=np.add,
)


def _mean(x: Any, axis: tuple[int, ...], keepdims: Any) -> Any:
    count = math.prod([x.shape[k] for k in axis])
    return np.divide(
        np.add.reduce(x, axis=axis, keepdims=keepdims), x.dtype.type(count)
    )  # np.mean warns of no elements


def _mean_vjp(g: Any, y: Any, x: Any, *, axis: tuple[int, ...], keepdim: bool) -> tuple[Any]:
    count = folded_size(x.shape, axis)
    return (OPS["broadcast_to"](unreduced(g, x.shape, axis, keepdim) / count, x.shape),)


def folded_size(shape: Any, axis: tuple[int, ...]) -> DimLike:
    """How many elements a reduction folds into one."""
    return product(tuple(shape)[k] for k in axis)


def _mean_specialised(types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any] | None:
    (x,), axis, keepdim = types, attrs["axis"], attrs["keepdim"]
    count = folded_size(x.shape, axis)
    if not axis or x.dtype not in dt.FLOATS or not isinstance(count, int):
        return None
    total: Any = np.add.reduce
    divisor, asarray = x.dtype.numpy.type(count), np.asarray
    parts = (ReduceAxes(np.add, axis, keepdim), (0,)), (np.divide, (-1, asarray(divisor)))
    if len(axis) == x.rank and not keepdim:
        return of_parts(lambda x: asarray(total(x, axis) / divisor), *parts)
    return of_parts(lambda x: total(x, axis, None, None, keepdim) / divisor, *parts)


mean = reduction(
    "mean",
    "Arithmetic mean over `axis` (all axes by default); integers become the default float first. NaN of no elements.",
    eager=_mean,
    vjp=_mean_vjp,
    lowering=Reduce("{T}(0)", "{a} + {x}", "{a} / {T}({n})"),
    dtypes=dt.FLOATS,
    onnx="ReduceMean",
    holomorphic=True,
    specialise=_mean_specialised,
)


def _extremum_vjp(g: Any, y: Any, x: Any, *, axis: tuple[int, ...], keepdim: bool) -> tuple[Any]:
    won = OPS["equal"](x, unreduced(y, x.shape, axis, keepdim))
    return (OPS["where"](won, unreduced(g, x.shape, axis, keepdim), 0.0),)


def _sharing_vjp(g: Any, y: Any, x: Any, *, axis: tuple[int, ...], keepdim: bool) -> tuple[Any]:
    won = OPS["equal"](x, unreduced(y, x.shape, axis, keepdim))
    share = (
        unreduced(g, x.shape, axis, keepdim) / OPS["sum"](OPS["cast"](won, x.dtype), list(axis), True) if axis else g
    )
    return (OPS["where"](won, share, 0.0),)


_LARGEST = Reduce("lowest_{T}()", "largest_{T}({a}, {x})")
_SMALLEST = Reduce("highest_{T}()", "smallest_{T}({a}, {x})")
max_ = reduction(
    "max",
    "Largest element over `axis`; NaN wins. Each of several largest elements gets the whole gradient.",
    eager=lambda x, axis, keepdims: np.maximum.reduce(x, axis=axis, keepdims=keepdims),
    vjp=_extremum_vjp,
    lowering=_LARGEST,
    empty=False,
    onnx="ReduceMax",
    ufunc=np.maximum,
    bounds=first,
)
min_ = reduction(
    "min",
    "Smallest element over `axis`; NaN wins. Each of several smallest elements gets the whole gradient.",
    eager=lambda x, axis, keepdims: np.minimum.reduce(x, axis=axis, keepdims=keepdims),
    vjp=_extremum_vjp,
    lowering=_SMALLEST,
    empty=False,
    onnx="ReduceMin",
    ufunc=np.minimum,
    bounds=first,
)
amax = reduction(
    "amax",
    "Largest element over `axis`; NaN wins. Equal largest elements share the gradient evenly.",
    eager=lambda x, axis, keepdims: np.maximum.reduce(x, axis=axis, keepdims=keepdims),
    vjp=_sharing_vjp,
    lowering=_LARGEST,
    empty=False,
    onnx="ReduceMax",
    ufunc=np.maximum,
    bounds=first,
)
amin = reduction(
    "amin",
    "Smallest element over `axis`; NaN wins. Equal smallest elements share the gradient evenly.",
    eager=lambda x, axis, keepdims: np.minimum.reduce(x, axis=axis, keepdims=keepdims),
    vjp=_sharing_vjp,
    lowering=_SMALLEST,
    empty=False,
    onnx="ReduceMin",
    ufunc=np.minimum,
    bounds=first,
)


def _prod_vjp(g: Any, y: Any, x: Any, *, axis: tuple[int, ...], keepdim: bool) -> tuple[Any]:
    """y / x where no factor is 0. A single 0 gets the product of the others; with two zeros every derivative is 0.

    Second derivatives are right where no factor is 0.
    """
    where, axes = OPS["where"], list(axis)
    zero = OPS["equal"](x, 0)
    zeros = OPS["sum"](zero, axes, True) if axis else OPS["cast"](zero, dt.int64)
    others = where(zero, 1.0, x)
    rest = OPS["prod"](others, axes, True) if axis else others
    factor = where(zero, where(OPS["equal"](zeros, 1), rest, 0.0), where(OPS["equal"](zeros, 0), rest / others, 0.0))
    return (unreduced(g, x.shape, axis, keepdim) * factor,)


prod = reduction(
    "prod",
    "Product over `axis` (all axes by default). Integers are multiplied as int64.",
    eager=lambda x, axis, keepdims: np.multiply.reduce(
        x, axis=axis, keepdims=keepdims, dtype=wide(dt.of_array(x)).numpy
    ),
    vjp=_prod_vjp,
    lowering=Reduce("{T}(1)", "{a} * {T}({x})", neutral=1),
    result=wide,
    samples=Samples(0.5, 1.5),
    onnx="ReduceProd",
    holomorphic=True,
    ufunc=np.multiply,
)

any_ = reduction(
    "any",
    "Whether some element over `axis` is true; numbers count as true unless 0.",
    eager=lambda x, axis, keepdims: np.logical_or.reduce(x, axis=axis, keepdims=keepdims),
    vjp=NONDIFFERENTIABLE,
    lowering=Reduce("{T}(0)", "{a} | {T}({x})", "({a} != 0)", accumulator="i64", merge="{a} | {x}", neutral=0),
    dtypes=(dt.bool_,),
)
all_ = reduction(
    "all",
    "Whether every element over `axis` is true; numbers count as true unless 0.",
    eager=lambda x, axis, keepdims: np.logical_and.reduce(x, axis=axis, keepdims=keepdims),
    vjp=NONDIFFERENTIABLE,
    lowering=Reduce("{T}(1)", "{a} & {T}({x})", "({a} != 0)", accumulator="i64", merge="{a} & {x}", neutral=1),
    dtypes=(dt.bool_,),
)

# Places of extremes


def _prepare_arg(name: str) -> Any:
    def prepare(
        interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        (x,) = common_dtype(interpreter, values, allowed=NUMBERS, name=name)
        return (x,), {"axis": axis_index(attrs["axis"], x.ndim), "keepdim": bool(attrs["keepdim"])}

    return prepare


def _one_per_element(given: Sequence[TensorType], made: Sequence[TensorType], **_: Any) -> DimLike:
    return given[0].size


def _argument(name: str, doc: str, eager: Any, onnx: str) -> Op:
    def infer(x: TensorType, *, axis: int, keepdim: bool) -> TensorType:
        require_dtype(name, x.dtype, NUMBERS)
        if assume_at_least(x.shape[axis], 1) is False:
            raise ShapeError(f"{name} of no elements: {x} over axis {axis}")
        return TensorType(dt.int64, reduced_shape(x.shape, (axis,), keepdim))

    def samples() -> list[Sample]:
        x = np.floor(random_array(4, (3, 5), 0, 4))
        special = np.array([[1.0, np.nan, 2.0, np.nan], [np.inf, -np.inf, np.inf, 0.0]])
        attrs = [{"axis": 1}, {"axis": 0, "keepdim": True}]
        return [*(Sample((x.astype(d.numpy),), a) for d in NUMBERS for a in attrs), Sample((special,), {"axis": -1})]

    return row(
        name, doc, "x", attrs={"axis": REQUIRED, "keepdim": False}, prepare=_prepare_arg(name), infer=infer,
        eager=lambda x, *, axis, keepdim: eager(x, axis=axis, keepdims=keepdim).astype(np.int64, copy=False),
        vjp=NONDIFFERENTIABLE, lowering=Custom(f"reduce.{name}"), samples=samples, family="reduction", public=False,
        work=_one_per_element, onnx=onnx, failures=of_no_elements(name),
    )  # fmt: skip


argmax = _argument(
    "argmax", "Index of the first largest element along `axis`; the first NaN wins.", np.argmax, "ArgMax"
)
argmin = _argument(
    "argmin", "Index of the first smallest element along `axis`; the first NaN wins.", np.argmin, "ArgMin"
)

# Scans


def _prepare_scan(name: str) -> Any:
    def prepare(
        interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        (x,) = common_dtype(interpreter, values, allowed=(*NUMBERS, *dt.COMPLEX), name=name)
        x = x if x.dtype is wide(x.dtype) else OPS["cast"](x, dt.int64)
        return (x,), {"axis": axis_index(attrs["axis"], x.ndim), "reverse": bool(attrs["reverse"])}

    return prepare


def _scan(name: str, doc: str, eager: Any, vjp: Any, low: float, onnx: str | None = None) -> Op:
    def infer(x: TensorType, *, axis: int, reverse: bool) -> TensorType:
        require_dtype(name, x.dtype, (*dt.FLOATS, dt.int64, *dt.COMPLEX))
        return x

    def run(x: Any, *, axis: int, reverse: bool) -> Any:
        out = eager(np.flip(x, axis) if reverse else x, axis=axis)
        return np.flip(out, axis) if reverse else out

    def samples() -> list[Sample]:
        x = random_array(6, (2, 3, 4), low, 2.0)
        attrs = [{"axis": 1}, {"axis": 2, "reverse": True}]
        out = [Sample((x.astype(d.numpy),), a) for d in (*dt.FLOATS, dt.int64, dt.int32) for a in attrs]
        out.append(Sample(((x + 1j * np.flip(x)).astype("complex64"),), {"axis": 1}))
        return [*out, Sample((x[:, :0],), {"axis": 1}), Sample((random_array(7, (70,), low, 1.5),), {"axis": 0})]

    return row(
        name, doc + " `reverse`: from the end.", "x", attrs={"axis": REQUIRED, "reverse": False},
        prepare=_prepare_scan(name), infer=infer, eager=run, vjp=conjugated(vjp), lowering=Custom(f"scan.{name}"),
        work=_one_per_element, samples=samples, family="scan", public=False, onnx=onnx,
    )  # fmt: skip


def _cumsum_vjp(g: Any, y: Any, x: Any, *, axis: int, reverse: bool) -> tuple[Any]:
    return (OPS["cumsum"](g, axis, not reverse),)


cumsum = _scan("cumsum", "Sums of the elements up to each place along `axis`.", np.cumsum, _cumsum_vjp, -2.0, "CumSum")


def _cumprod_vjp(g: Any, y: Any, x: Any, *, axis: int, reverse: bool) -> tuple[Any]:
    """The sum over later places of g y / x. At the first 0 of a line, y with that factor left out stands for y / x;
    behind it all products are 0. Second derivatives are right where no factor is 0.
    """
    where, scan = OPS["where"], OPS["cumsum"]
    zero = OPS["equal"](x, 0)
    first = OPS["logical_and"](zero, OPS["equal"](scan(OPS["cast"](zero, dt.int64), axis, reverse), 1))
    without = OPS["cumprod"](where(first, 1.0, x), axis, reverse)
    usual = scan(g * y, axis, not reverse) / where(zero, 1.0, x)
    return (where(first, scan(g * without, axis, not reverse), usual),)


cumprod = _scan("cumprod", "Products of the elements up to each place along `axis`.", np.cumprod, _cumprod_vjp, 0.5)

# Public forms: Paddle's argument orders, `dtype`, and axis=None


def _as(x: Any, dtype: Any) -> Any:
    return x if dtype is None else OPS["cast"](x, as_dtype(dtype))


@composite("sum")
def sum_public(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Sum over `axis` (all axes by default), in `dtype` if given. Integers and bools are summed as int64."""
    if dtype is None:
        return sum_(x, axis, keepdim)
    return _as(sum_(_as(x, dtype), axis, keepdim), dtype)


def _of_product(x: Any, dtype: Any) -> Any:
    """The dtype that a product of elements is made in, None for the row's own: as given; int32 stays as in Paddle."""
    return dt.int32 if dtype is None and getattr(x, "dtype", None) is dt.int32 else dtype


@composite("prod")
def prod_public(x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = None, name: str | None = None) -> Any:
    """Product over `axis` (all axes by default), in `dtype` if given. int32 stays, other integers become int64."""
    dtype = _of_product(x, dtype)
    return _as(prod(_as(x, dtype), axis, keepdim), dtype)


def _flat(x: Any) -> Any:
    if not is_value(x):
        x = OPS["assign"](x)
    return OPS["reshape"](x, [-1])


def _place(op: Op, x: Any, axis: Any, keepdim: bool, dtype: Any) -> Any:
    if axis is None:
        found = op(_flat(x), 0, False)
        found = OPS["reshape"](found, (1,) * x.ndim) if keepdim else found
    else:
        found = op(x, axis, keepdim)
    kind = as_dtype(dtype)
    if kind not in (dt.int64, dt.int32):
        raise DTypeError(f"{op.name} gives int32 or int64, not {kind.name}")
    return found if kind is dt.int64 else OPS["cast"](found, kind)


@composite("argmax")
@scalar_as_line
def argmax_public(
    x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None
) -> Any:
    """Index of the first largest element along `axis`, or in the flattened tensor; the first NaN wins."""
    return _place(argmax, x, axis, keepdim, dtype)


@composite("argmin")
@scalar_as_line
def argmin_public(
    x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None
) -> Any:
    """Index of the first smallest element along `axis`, or in the flattened tensor; the first NaN wins."""
    return _place(argmin, x, axis, keepdim, dtype)


@composite("cumsum")
@scalar_as_line
def cumsum_public(x: Any, axis: Any = None, dtype: Any = None, name: str | None = None) -> Any:
    """Sums of the elements up to each place along `axis`, or of the flattened tensor. Integers are summed as int64."""
    x = _as(x, dtype)
    return _as(cumsum(_flat(x), 0) if axis is None else cumsum(x, axis), dtype)


@composite("cumprod")
@scalar_as_line
def cumprod_public(x: Any, dim: Any = None, dtype: Any = None, name: str | None = None) -> Any:
    """Products of the elements up to each place along `dim`, or of the flattened tensor. int32 stays int32."""
    dtype = _of_product(x, dtype)
    x = _as(x, dtype)
    return _as(cumprod(_flat(x), 0) if dim is None else cumprod(x, dim), dtype)
