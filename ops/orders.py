"""Rows that put the elements along an axis in order: argsort, sorted values, the first places of an order.

Orders are stable, and NaN is the largest. NumPy's own stable sort is slow, its unstable one is not: a number and its
place in one integer are never equal to another such pair, so that any way of sorting them is stable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import AxisError, ShapeError
from .along import take_along_axis
from .dims import product, same_dim
from .index import Prepared, as_value, zeros_of
from .infer import axis_index
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, OPS, REQUIRED, Sample, random_array, row
from .types import TensorType

_FEW = 256  # elements for which NumPy's stable sort takes no longer
MOST_PLACES = 64  # of an order that are found without sorting the rest


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    flags: dict[str, Any] = {name: bool(attrs[name]) for name in ("descending", "largest") if name in attrs}
    return (x,), {**attrs, "axis": axis_index(attrs["axis"], x.ndim), **flags}


def _ranks(x: Any) -> Any:
    """int64 numbers from -2**31 to 2**31 - 1 in the order of x's elements; None where its dtype has more numbers."""
    if (x.dtype.kind in "bui" and x.dtype.itemsize <= 2) or x.dtype == np.int32:
        return x.astype(np.int64)
    if x.dtype.kind == "f" and x.dtype.itemsize <= 4:
        single = np.where(np.isnan(x), np.float32(np.nan), x.astype(np.float32)) + np.float32(0)  # one NaN, one zero
        bits = single.view(np.int32)
        return (bits ^ ((bits >> 31) & 0x7FFFFFFF)).astype(np.int64)
    return None


def _with_places(numbers: Any, places: Any, axis: int) -> Any:
    """The places in the order of (number, place)."""
    return np.sort(numbers << 32 | places, axis=axis) & 0xFFFFFFFF


def _ties_in_order(x: Any, order: Any, axis: int) -> Any:
    """An order whose equal elements are brought into the order of their places."""
    line = np.moveaxis(np.take_along_axis(x, order, axis), axis, -1)
    same = line[..., 1:] == line[..., :-1]
    if x.dtype.kind == "f":
        same |= (line[..., 1:] != line[..., 1:]) & (line[..., :-1] != line[..., :-1])
    if not same.any():
        return order
    runs = np.zeros(line.shape, np.int64)
    np.cumsum(~same, -1, out=runs[..., 1:])
    return _with_places(np.moveaxis(runs, -1, axis), order, axis)


def stable_order(x: Any, *, axis: int, descending: bool) -> Any:
    """The order in which elements rise along an axis, or fall; equal ones stay in order, and NaN is the largest.

    >>> stable_order(np.array([2, 1, 2]), axis=0, descending=True).tolist()
    [0, 2, 1]
    """
    size = x.shape[axis]
    if x.size >= _FEW and 1 < size < 2**31:
        ranks = _ranks(x)
        if ranks is not None:
            places = np.arange(size).reshape([-1 if k == axis else 1 for k in range(x.ndim)])
            return _with_places(~ranks if descending else ranks, places, axis)
        if not descending and x.dtype in (np.float64, np.int64):
            return _ties_in_order(x, np.argsort(x, axis), axis)
    if descending:
        order = stable_order(np.flip(x, axis), axis=axis, descending=False)
        return np.ascontiguousarray(np.flip(size - 1 - order, axis))
    return np.argsort(x, axis=axis, kind="stable").astype(np.int64, copy=False)


def _samples() -> list[Sample]:
    special = np.array([[1.0, np.nan, -0.0, 0.0, np.inf], [np.nan, -np.inf, np.nan, 2.0, 2.0]], np.float32)
    long = np.floor(random_array(5, (3, 120), 0, 30))
    return [
        Sample((random_array(1, (3, 4)),), {"axis": 0}),
        Sample((np.array([[2, 1, 2], [0, 0, 1]]),), {"axis": 1, "descending": True}),
        *(Sample((special,), {"axis": 1, "descending": down}, smooth=False) for down in (False, True)),
        *(Sample((long.astype(t),), {"axis": 1}, smooth=False) for t in ("float32", "float64", "int64")),
    ]


argsort = row(
    "argsort",
    "The order in which the elements along `axis` rise, or fall with `descending`; equal ones stay in order; i64.",
    "x",
    attrs={"axis": -1, "descending": False},
    infer=lambda x, *, axis, descending: TensorType(dt.int64, x.shape),
    eager=stable_order,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare,
    lowering=Custom("order.argsort"),
    work=lambda given, made, **_: given[0].size,
    samples=_samples,
    method=False,
    public=False,
)


array_order = row(
    "array_order",
    "The order in which NumPy puts the elements along `axis`, which may leave equal ones out of order; i64.",
    "x",
    attrs={"axis": -1},
    infer=lambda x, *, axis: TensorType(dt.int64, x.shape),
    eager=lambda x, *, axis: np.argsort(x, axis=axis).astype(np.int64, copy=False),
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare,
    work=lambda given, made, **_: given[0].size,
    samples=lambda: [Sample(s.args, {"axis": s.attrs["axis"]}, smooth=False) for s in _samples() if len(s.attrs) == 1],
    method=False,
    public=False,
)


def _sorted_eager(x: Any, *, axis: int, descending: bool) -> Any:
    if x.dtype.kind not in "biuf":  # bfloat16, complex
        return np.take_along_axis(x, stable_order(x, axis=axis, descending=descending), axis)
    made = np.sort(x, axis=axis)
    made = np.ascontiguousarray(np.flip(made, axis)) if descending else made
    if x.dtype.kind == "f":
        _keep_zeros(np.moveaxis(x, axis, -1), np.moveaxis(made, axis, -1))
    return made


def _keep_zeros(x: Any, made: Any) -> None:
    """Let zeros stand in the order in which they came; np.sort counts them as equal, and may change their signs."""
    zeros = x == 0
    if np.signbit(x[zeros]).any():
        made[made == 0] = x[zeros]


sorted_values = row(
    "sorted_values",
    "The elements along `axis` in rising order, or falling with `descending`; zeros of both signs stay in order.",
    "x",
    attrs={"axis": -1, "descending": False},
    infer=lambda x, *, axis, descending: x,
    eager=_sorted_eager,
    vjp=lambda g, y, x, *, axis, descending: (
        OPS["put_along_axis_add"](zeros_of(x.shape, x.dtype), argsort(x, axis, descending), g, axis=axis),
    ),
    prepare=_prepare,
    lowering=Custom("order.sorted_values"),
    work=lambda given, made, **_: given[0].size,
    samples=_samples,
    method=False,
    public=False,
)


def _top_infer(x: TensorType, *, k: int, axis: int, largest: bool) -> TensorType:
    size = x.shape[axis]
    if isinstance(size, int) and k > size:
        raise ShapeError(f"top_places: {k} places of an axis of {size} elements: {x}")
    return TensorType(dt.int64, (*x.shape[:axis], k, *x.shape[axis + 1 :]))


def _top_eager(x: Any, *, k: int, axis: int, largest: bool) -> Any:
    order = stable_order(x, axis=axis, descending=largest)
    return np.ascontiguousarray(order[(slice(None),) * axis + (slice(k),)])


def _top_samples() -> list[Sample]:
    return [
        Sample(s.args, {"k": min(k, s.args[0].shape[s.attrs["axis"]]), "axis": s.attrs["axis"], "largest": largest})
        for k, largest in ((2, True), (3, False))
        for s in _samples()
    ]


top_places = row(
    "top_places",
    "The first `k` places of the order in which the elements along `axis` fall, or rise without `largest`; i64.",
    "x",
    attrs={"k": REQUIRED, "axis": -1, "largest": True},
    infer=_top_infer,
    eager=_top_eager,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare,
    lowering=Custom("order.top_places", may_fail=True),
    work=lambda given, made, **_: given[0].size,
    samples=_top_samples,
    method=False,
    public=False,
)


# ---- elements by their rank

_SHORTEST = 17  # elements of a line: shorter ones are sorted without a table
_TOGETHER, _MERGED = 4, 2048  # so are several lines of so many elements, side by side
_APART = 64  # lines that NumPy looks at one by one


def is_better_sorted(shape: Any, axis: int) -> bool:
    """Whether sorting whole lines is faster than looking for a few ranks in each."""
    line, lines = shape[axis], product(d for k, d in enumerate(shape) if k != axis)
    if not isinstance(line, int):
        return False
    several = not (isinstance(lines, int) and lines < _TOGETHER)
    return line < _SHORTEST or (line <= _MERGED and several)


def _places_in_line(line: Any, ranks: Any) -> Any:
    wanted = np.partition(line, np.unique(ranks % line.size))[ranks]
    places = np.empty(ranks.shape, np.int64)
    for k, value in enumerate(wanted):
        if value != value:
            same, before = np.flatnonzero(line != line), np.count_nonzero(line == line)
        else:
            same, before = np.flatnonzero(line == value), np.count_nonzero(line < value)
        places[k] = same[ranks[k] % line.size - before]
    return places


def _place_of_rank(x: Any, rank: Any, *, axis: int) -> Any:
    size, lines = x.shape[axis], x.size // max(1, x.shape[axis])
    if rank.size and not (-size <= rank.min() and rank.max() < size):
        raise AxisError(f"place_of_rank: a rank is outside its axis of {size} elements")
    if size < _FEW or lines > _APART or x.dtype.kind not in "iuf" or rank.shape[axis] > _APART:
        return np.take_along_axis(stable_order(x, axis=axis, descending=False), rank, axis)
    moved, ranks = np.moveaxis(x, axis, -1), np.moveaxis(rank, axis, -1)
    made = np.empty(ranks.shape, np.int64)
    for k in np.ndindex(*ranks.shape[:-1]):
        made[k] = _places_in_line(moved[k], ranks[k])
    return np.ascontiguousarray(np.moveaxis(made, -1, axis))


def _infer_rank(x: TensorType, rank: TensorType, *, axis: int) -> TensorType:
    if x.rank != rank.rank or not all(same_dim(x.shape[k], rank.shape[k]) for k in range(x.rank) if k != axis):
        raise ShapeError(f"place_of_rank: {x} and the ranks {rank} differ beside axis {axis}")
    return TensorType(dt.int64, rank.shape)


def _prepare_rank(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x, rank = as_value(interpreter, values[0]), as_value(interpreter, values[1], dt.int64)
    return (x, rank), {**attrs, "axis": axis_index(attrs["axis"], x.ndim)}


def _rank_samples() -> list[Sample]:
    found = []
    for sample in _samples()[2:]:
        (x,) = sample.args
        ranks = np.random.default_rng(4).integers(0, x.shape[1], (x.shape[0], 3))
        found.append(Sample((x, ranks), {"axis": 1}, smooth=False))
    long = np.floor(random_array(6, (700, 2), -90, 90)).astype("float32")
    return [*found, Sample((long, np.array([[0, 699], [350, -1]])), {"axis": 0}, smooth=False)]


place_of_rank = row(
    "place_of_rank",
    "The places at which the elements of the given ranks stand along `axis`: argsort, but for some places only; i64.",
    "x rank",
    attrs={"axis": -1},
    infer=_infer_rank,
    eager=_place_of_rank,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare_rank,
    lowering=Custom("order.place_of_rank", may_fail=True),
    work=lambda given, made, **_: given[0].size,
    samples=_rank_samples,
    method=False,
    public=False,
)


top_set = row(
    "top_set",
    "The first `k` places of the order in which elements along `axis` fall, or rise without `largest`, sorted; i64.",
    "x",
    attrs={"k": REQUIRED, "axis": -1, "largest": True},
    infer=_top_infer,
    eager=lambda x, *, k, axis, largest: np.sort(_top_eager(x, k=k, axis=axis, largest=largest), axis=axis),
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare,
    lowering=Custom("order.top_set", may_fail=True),
    work=lambda given, made, **_: given[0].size,
    samples=_top_samples,
    method=False,
    public=False,
)


def first_places(x: Any, k: Any, axis: int, largest: bool) -> Any:
    """The first `k` places of an order along `axis`, for any number of them."""
    if isinstance(k, (int, np.integer)) and k == 1 and not x.dtype.is_bool and (largest or not x.dtype.is_floating):
        return OPS["argmax" if largest else "argmin"](x, axis, True)  # of the smallest float NaN would be the first
    if isinstance(k, (int, np.integer)) and k <= MOST_PLACES:
        return top_places(x, int(k), axis, largest)
    size = x.shape[axis]
    few = isinstance(k, (int, np.integer)) and not (isinstance(size, int) and 2 * k > size)
    if few and not is_better_sorted(x.shape, axis):
        places = top_set(x, int(k), axis, largest)
        return take_along_axis(places, argsort(take_along_axis(x, places, axis), axis, largest), axis)
    return OPS["gather"](argsort(x, axis, largest), OPS["arange"](k), axis)
