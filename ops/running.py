"""Running extremes and running logarithms of sums along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import as_dtype
from ..base.errors import ArgumentError
from .along import take_along_axis
from .elementwise import cast
from .index import zeros_of
from .infer import axis_index
from .interpreter import Interpreter
from .lines import scalar_as_line
from .lowering import Custom
from .op import FUNCTIONS, NONDIFFERENTIABLE, OPS, REQUIRED, Sample, composite, random_array, row
from .shape import reshape
from .types import TensorType


def _prepare_scan(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Any:
    x = interpreter.constant(values[0], None)
    return (x,), attrs | {"axis": axis_index(attrs["axis"], x.ndim)}


def _running_place(x: Any, *, axis: int, largest: bool) -> Any:
    best = (np.maximum if largest else np.minimum).accumulate(x, axis=axis)
    hit = (x == best) | (x != x)
    places = np.arange(x.shape[axis]).reshape([-1 if k == axis else 1 for k in range(x.ndim)])
    return np.maximum.accumulate(np.where(hit, places, 0), axis=axis).astype(np.int64)


running_place = row(
    "running_place",
    "The last place of the largest (or smallest) element up to each place along `axis`; the last NaN wins.",
    "x",
    attrs={"axis": REQUIRED, "largest": True},
    prepare=_prepare_scan,
    infer=lambda x, *, axis, largest: TensorType(dt.int64, x.shape),
    eager=_running_place,
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("scan.running_place"),
    work=lambda given, made, **_: given[0].size,
    samples=lambda: [
        Sample((random_array(1, (3, 5)),), {"axis": 1}),
        Sample((np.array([3, 1, 3, 0]),), {"axis": 0, "largest": False}),
        Sample((np.array([1.0, np.nan, 0.0, np.nan]),), {"axis": 0}),
    ],
    public=False,
)


running_extreme = row(
    "running_extreme",
    "The elements at `running_place`, by which programs replace what takes these elements.",
    "x",
    attrs={"axis": REQUIRED, "largest": True},
    prepare=_prepare_scan,
    infer=lambda x, *, axis, largest: x,
    eager=lambda x, *, axis, largest: np.take_along_axis(x, _running_place(x, axis=axis, largest=largest), axis),
    vjp=lambda g, y, x, *, axis, largest: (
        OPS["put_along_axis_add"](zeros_of(x.shape, x.dtype), running_place(x, axis, largest), g, axis=axis),
    ),
    lowering=Custom("scan.running_extreme"),
    work=lambda given, made, **_: given[0].size,
    samples=lambda: [
        Sample((random_array(1, (3, 5)),), {"axis": 1}),
        Sample((random_array(1, (17, 40), dtype="float32"),), {"axis": 1, "largest": False}),
        Sample((np.array([1.0, -0.0, 0.0, np.nan, 0.0, np.nan]),), {"axis": 0}, smooth=False),
    ],
    public=False,
)


def _running(x: Any, axis: int | None, dtype: Any, largest: bool, name: str) -> tuple[Any, Any]:
    kind = as_dtype(dtype)
    if kind not in (dt.int32, dt.int64):
        raise ArgumentError(f"{name}: dtype must be int32 or int64, not {kind.name}")
    if not x.ndim:
        return OPS["assign"](x), OPS["full"]((), 0, kind)
    x, axis = (reshape(x, [-1]), 0) if axis is None else (x, axis)
    places = running_place(x, axis, largest)
    return take_along_axis(x, places, axis), cast(places, kind) if kind is dt.int32 else places


@composite()
def cummax(x: Any, axis: int | None = None, dtype: Any = "int64", name: str | None = None) -> tuple[Any, Any]:
    """The largest element up to each place along `axis` (of the flattened tensor by default) and its last place."""
    return _running(x, axis, dtype, True, "cummax")


@composite()
def cummin(x: Any, axis: int | None = None, dtype: Any = "int64", name: str | None = None) -> tuple[Any, Any]:
    """The smallest element up to each place along `axis` (of the flattened tensor by default) and its last place."""
    return _running(x, axis, dtype, False, "cummin")


_NOTHING = -1e30  # stands for the logarithm of 0: unlike -inf, differences of it are numbers


def _running_logsum(x: Any, *, axis: int, reverse: bool) -> Any:
    out = np.logaddexp.accumulate(np.flip(x, axis) if reverse else x, axis=axis)
    return np.flip(out, axis) if reverse else out


def _running_logsum_vjp(g: Any, y: Any, x: Any, *, axis: int, reverse: bool) -> tuple[Any]:
    """x's share of each sum is exp(x - y); the sums over later places are taken of logarithms, so nothing overflows."""

    def part(amount: Any) -> Any:
        some = amount > 0
        size = FUNCTIONS["where"](some, OPS["log"](FUNCTIONS["where"](some, amount, 1.0)), _NOTHING)
        return OPS["exp"](logcumsumexp_row(size - y, axis, not reverse) + x)

    return (part(g) - part(-g),)


logcumsumexp_row = row(
    "logcumsumexp",
    "Logarithms of the sums of exp(x) up to each place along `axis`; with `reverse` from the end.",
    "x",
    attrs={"axis": REQUIRED, "reverse": False},
    prepare=_prepare_scan,
    infer=lambda x, *, axis, reverse: x,
    eager=_running_logsum,
    vjp=_running_logsum_vjp,
    lowering=Custom("scan.logcumsumexp"),
    work=lambda given, made, **_: given[0].size * 20,
    samples=lambda: [
        Sample((random_array(1, (3, 5)),), {"axis": 1}),
        Sample((random_array(2, (4,), dtype="float32"),), {"axis": 0, "reverse": True}),
    ],
    public=False,
)


@composite()
@scalar_as_line
def logcumsumexp(x: Any, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """log of the running sum of exp(x) along `axis` (of the flattened tensor by default), without overflow."""
    x = cast(x, dtype) if dtype is not None else x
    x = x if x.dtype.is_floating else cast(x, dt.float32)
    return logcumsumexp_row(reshape(x, [-1]), 0) if axis is None else logcumsumexp_row(x, axis)
