"""Counting: histograms with equal bins, their edges, and how often integers occur."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import ArgumentError, KindError, OperandError, ShapeError
from .activation import as_float
from .arith import Arithmetic, is_run_time_number, is_value
from .compare import where
from .counts import count_places
from .dims import Dim, product
from .dispatch import bottom, current
from .elementwise import cast
from .index import scatter_add
from .infer import require, show_shape
from .op import OPS, composite
from .sizes import runtime_names


def _bin_of(x: Any, bins: int, low: Any, high: Any) -> Any:
    """The bin of every element among `bins` equal ones from `low` to `high`; `bins` outside; flattened, int64."""
    wide = OPS["reshape"](cast(x, dt.float64), [-1])
    inside = OPS["logical_and"](wide >= low, wide <= high)
    place = OPS["floor"]((where(inside, wide, low) - low) * (bins / (high - low)))
    return cast(where(inside, OPS["minimum"](place, bins - 1.0), float(bins)), dt.int64)


def _bounds(name: str, input: Any, bins: int, low: Any, high: Any, margin: float = 1.0) -> tuple[Any, Any]:
    """The range as floats; as float64 values, where only a run of the program knows it."""
    if isinstance(bins, bool) or not hasattr(bins, "__index__") or bins < 1:
        raise ArgumentError(f"{name}: bins must be an int of at least 1, not {bins!r}")
    filled, given = product(input.shape) != 0, any(isinstance(x, Arithmetic) for x in (low, high))
    if current() is not bottom() and (given or (low == high == 0 and filled)):
        return _run_time_bounds(name, input if filled else None, low, high, margin)
    low, high = float(low), float(high)
    if low > high:
        raise ArgumentError(f"{name}: max must be at least min, got min={low} and max={high}")
    if low == high == 0 and filled:
        low, high = float(OPS["min"](input).item()), float(OPS["max"](input).item())
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ArgumentError(f"{name}: the range from {low} to {high} isn't finite", remedy="give min and max")
    return (low - margin, high + margin) if low == high else (low, high)


def _run_time_bounds(name: str, input: Any, low: Any, high: Any, margin: float) -> tuple[Any, Any]:
    """The same of a program's values; a constant to gradients, like the numbers of eager mode."""

    def number(x: Any) -> Any:
        return OPS["stop_gradient"](OPS["reshape"](cast(x, dt.float64), ()))

    if isinstance(low, Arithmetic) or isinstance(high, Arithmetic):
        constant = current().constant
        low, high = (number(x) if isinstance(x, Arithmetic) else constant(float(x), dt.float64) for x in (low, high))
        current().require(OPS["less_equal"](low, high), f"{name}: max must be at least min", "ArgumentError")
        by_data = OPS["logical_and"](OPS["equal"](low, 0.0), OPS["equal"](high, 0.0))
        if input is not None:
            low, high = (where(by_data, number(OPS[m](input)), x) for m, x in (("min", low), ("max", high)))
    else:
        low, high = number(OPS["min"](input)), number(OPS["max"](input))
    finite = OPS["logical_and"](OPS["isfinite"](low), OPS["isfinite"](high))
    current().require(finite, f"{name}: the range isn't finite: give min and max", "ArgumentError")
    flat = OPS["equal"](low, high)
    return where(flat, low - margin, low), where(flat, high + margin, high)


@composite()
def histogram(
    input: Any, bins: int = 100, min: Any = 0, max: Any = 0, weight: Any = None, density: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """How many elements fall into each of `bins` equal bins from `min` to `max` (both 0: the range of the data).

    int64; sums of `weight` and densities are floats. Elements outside aren't counted.

    >>> import vitrify as vt
    >>> vt.histogram(vt.to_tensor([1, 2, 1]), bins=4, min=0, max=3).tolist()
    [0, 2, 1, 0]
    """
    low, high = _bounds("histogram", input, bins, min, max)
    if weight is not None and tuple(weight.shape) != tuple(input.shape):
        raise ShapeError(
            f"histogram: weight must have the shape {show_shape(input.shape)}, not {show_shape(weight.shape)}"
        )
    places = _bin_of(input, bins, low, high)
    none = OPS["full"]((bins + 1,), 0, dt.int64 if weight is None else weight.dtype)
    if weight is None:
        counts = count_places(none, places)
    else:
        counts = scatter_add(none, places, OPS["reshape"](weight, [-1]), 0)
    counts = OPS["slice"](counts, [0], [bins])
    if not density:
        return counts
    counts = cast(counts, dt.float32) if weight is None else counts
    width = (high - low) / bins
    return counts / (OPS["sum"](counts) * (cast(width, as_float(counts).dtype) if is_value(width) else width))


@composite()
def histogram_bin_edges(input: Any, bins: int = 100, min: Any = 0, max: Any = 0, name: str | None = None) -> Any:
    """The bounds of `bins` equal bins from `min` to `max` (both 0: the range of the data), [bins + 1] floats.

    A range without extent is widened by 0.5 on both sides.
    """
    low, high = _bounds("histogram_bin_edges", input, bins, min, max, margin=0.5)
    if not is_value(low):
        return current().constant(np.linspace(low, high, bins + 1).astype(np.float32), dt.float32)
    places = current().constant(np.arange(bins + 1.0), dt.float64)
    return cast(where(OPS["equal"](places, float(bins)), high, places * ((high - low) / bins) + low), dt.float32)


def _or_start(x: Any, start: int) -> Any:
    """A line of numbers, with one more where only a run knows whether there are any."""
    if not runtime_names(x.shape[0]):
        return x
    return OPS["concat"]([cast(x, dt.int64), OPS["full"]((1,), start, dt.int64)], axis=0)


@composite()
def bincount(x: Any, weights: Any = None, minlength: Any = 0, name: str | None = None) -> Any:
    """How often each of 0, 1, … occurs in x [count] of integers, or the sums of `weights`; at least `minlength` long.

    >>> import vitrify as vt
    >>> vt.bincount(vt.to_tensor([1, 3, 1])).tolist()
    [0, 2, 0, 1]
    """
    in_program = current() is not bottom()
    if in_program and (is_value(minlength) or is_run_time_number(minlength)):
        minlength = OPS["reshape"](cast(minlength, dt.int64), ())
        require(minlength >= 0, "bincount: minlength must be at least 0")
    elif hasattr(minlength, "item"):
        minlength = int(minlength.item())
    if isinstance(minlength, float):
        raise KindError(f"bincount: minlength must be an int, not {minlength}", remedy="convert it with int()")
    if not is_value(minlength) and minlength < 0:
        raise ArgumentError(f"bincount: minlength must be at least 0, not {minlength}")
    if not x.dtype.is_integer:
        raise OperandError(f"bincount needs integers, got {x.dtype.name}", remedy="convert them with astype()")
    if x.ndim != 1:
        raise ArgumentError(f"bincount needs integers with one axis, got {x.dtype.name} {show_shape(x.shape)}")
    if weights is not None and tuple(weights.shape) != tuple(x.shape):
        raise ShapeError(
            f"bincount: weights must have the shape {show_shape(x.shape)}, not {show_shape(weights.shape)}"
        )
    length = minlength
    if isinstance(x.shape[0], Dim) or x.shape[0]:
        low, high = (OPS[name](_or_start(x, start)) for name, start in (("min", 0), ("max", -1)))
        if in_program:  # the program finds the length, and refuses a negative one
            longest = OPS["maximum"](cast(high, dt.int64) + 1, minlength)
            length = OPS["where"](low < 0, cast(low, dt.int64), longest)
        elif low.item() < 0:
            raise ArgumentError(f"bincount needs integers from 0, got {low.item()}")
        else:
            length = max(length, high.item() + 1)
    kind = dt.int64 if weights is None else weights.dtype
    if kind is not dt.int64 and not kind.is_floating:
        weights, kind = cast(weights, dt.float64), dt.float64
    none, places = OPS["full"]((length,), 0, kind), cast(x, dt.int64)
    return count_places(none, places) if weights is None else scatter_add(none, places, weights, 0)
