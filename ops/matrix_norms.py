"""Norms of vectors and matrices, distances, rank and condition; covariance and correlation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import FLOATS, as_dtype
from ..base.errors import ArgumentError, AssertedError, KindError, ShapeError
from .arith import is_value
from .complex import conj, real
from .decompose import eigvalsh, svdvals
from .dims import Dim, assume_equal
from .dispatch import current
from .indexing import getitem
from .infer import axes_tuple, axis_index, require_dtype, show_shape
from .matrices import require_matrix, require_square
from .op import OPS, composite
from .planned import planned
from .rearrange import moveaxis, unsqueeze
from .solving import inv

Order = Any  # a number, "fro" or "nuc"


def _root(x: Any) -> Any:
    """The square root, with gradient 0 (not infinite) at 0."""
    zero = OPS["equal"](x, 0)
    return OPS["where"](zero, 0.0, OPS["sqrt"](OPS["where"](zero, 1.0, x)))


def _size(x: Any) -> Any:
    made = OPS["abs"](x)
    return made if made.dtype.is_floating else OPS["cast"](made, "float32")


def _square(x: Any) -> Any:
    return OPS["square"](x if x.dtype.is_floating else OPS["cast"](x, "float32"))


def _count(size: Any) -> Any:
    """1 where an element isn't 0, with a gradient, which is 0."""
    return OPS["where"](OPS["not_equal"](size, 0), 1.0, size)


@composite(method=False, function=False)
def vector_norm(
    x: Any, p: Order = 2.0, axis: Any = None, keepdim: bool = False, name: str | None = None, dtype: Any = None
) -> Any:
    """(Σ |x|ᵖ)^(1/p) over one or several axes (all by default); p = inf: the largest |x|, -inf: the smallest, 0: how
    many aren't 0. The gradient at 0 is 0. dtype: what x is converted to first.
    """
    x = x if dtype is None else OPS["cast"](x, as_dtype(dtype))
    if isinstance(p, str) or not isinstance(p, (int, float)):
        raise ArgumentError(f"vector_norm needs a number p, not {p!r}")
    axes = list(axes_tuple(axis, x.ndim))
    if p == 2 and axes:
        return _root(OPS["sum"](real(x * conj(x)) if x.dtype.is_complex else _square(x), axes, keepdim))
    size = _size(x)
    if not axes:
        return _count(size) if p == 0 else size
    if p == math.inf:
        return OPS["max"](size, axes, keepdim)
    if p == -math.inf:
        return OPS["min"](size, axes, keepdim)
    if p == 0:
        return OPS["sum"](_count(size), axes, keepdim)
    if p == 1:
        return OPS["sum"](size, axes, keepdim)
    # a power of floats takes some ten times as long as two products
    raised = size * size * size if p == 3 else OPS["pow"](size, float(p))
    total = OPS["sum"](raised, axes, keepdim)
    zero = OPS["equal"](total, 0)
    return OPS["where"](zero, 0.0, OPS["pow"](OPS["where"](zero, 1.0, total), 1.0 / p))


@composite(method=False, function=False)
def matrix_norm(x: Any, p: Order = "fro", axis: Any = (-2, -1), keepdim: bool = False, name: str | None = None) -> Any:
    """A norm of the matrices on two axes: "fro", "nuc" (the sum of singular values), 2 and -2 (the largest, the
    smallest), 1 and -1 (sums of columns), inf and -inf (sums of rows).
    """
    if x.ndim < 2 or not isinstance(axis, (list, tuple)) or len(axis) != 2:
        raise ShapeError(f"matrix_norm needs two axes, got axis {axis!r} of a tensor {show_shape(x.shape)}")
    rows, columns = (axis_index(a, x.ndim) for a in axis)
    if rows == columns:
        raise ArgumentError(f"matrix_norm: axis {list(axis)} names an axis twice")
    if p == "fro":
        return vector_norm(x, 2.0, [rows, columns], keepdim)
    extreme = "max" if p in (1, 2, math.inf) else "min"
    if p in (1, -1, math.inf, -math.inf):
        first, second = (rows, columns) if abs(p) == 1 else (columns, rows)
        made = OPS[extreme](OPS["sum"](_size(x), first, True), second, True)
    elif p in ("nuc", 2, -2):
        values = svdvals(moveaxis(x, [rows, columns], [-2, -1]))
        made = OPS["sum"](values, -1) if p == "nuc" else OPS[extreme](values, -1)
        kept = [1 if k in (rows, columns) else d for k, d in enumerate(x.shape)]
        return OPS["reshape"](made, kept) if keepdim else made
    else:
        raise ArgumentError(f"matrix_norm has no order {p!r}", remedy='use "fro", "nuc", 1, -1, 2, -2, inf or -inf')
    kept = [d for k, d in enumerate(x.shape) if k not in (rows, columns)]
    return made if keepdim else OPS["reshape"](made, kept)


@composite()
@planned
def norm(
    x: Any, p: Order = None, axis: Any = None, keepdim: bool = False, name: str | None = None, dtype: Any = None
) -> Any:
    """The norm of order p of all elements (axis None), along one axis, or of the matrices on two axes.

    p: None is 2 for vectors and "fro" for matrices; "fro" of all elements is their 2-norm. dtype: what x is converted
    to first.
    """
    x = x if dtype is None else OPS["cast"](x, as_dtype(dtype))
    if isinstance(axis, (list, tuple)) and len(axis) == 2:
        return matrix_norm(x, "fro" if p is None else p, axis, keepdim)
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        axis = axis[0]
    if p == "nuc" and axis is None and x.ndim == 2:
        return matrix_norm(x, p, (-2, -1), keepdim)
    if isinstance(p, str) and p != "fro":
        raise ArgumentError(f"norm of order {p!r} needs two axes", remedy="give axis=[-2, -1]")
    return vector_norm(x, 2.0 if p is None or p == "fro" else p, axis, keepdim)


@composite()
def dist(x: Any, y: Any, p: float = 2, name: str | None = None) -> Any:
    """The norm of order p of all elements of x - y, which broadcast."""
    return vector_norm(x - y, float(p))


_MOST_DIFFERENCES = 1 << 22  # elements that eager mode holds at once for distances of rows
_COMPUTE_MODES = (
    "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist",
)  # fmt: skip


@composite()
def cdist(
    x: Any, y: Any, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary", name: str | None = None
) -> Any:
    """All distances of order p between rows: x [..., n, d] and y [..., m, d] give [..., n, m].

    compute_mode: whether a matrix product stands in for the differences of Euclidean distances (faster, less exact);
    "…_if_necessary": from 26 rows on.
    """
    if x.ndim < 2 or y.ndim < 2 or assume_equal(x.shape[-1], y.shape[-1]) is False:
        raise ShapeError(f"cdist needs rows of equal size, got {show_shape(x.shape)} and {show_shape(y.shape)}")
    if compute_mode not in _COMPUTE_MODES:
        raise ArgumentError(f"cdist: compute_mode must be one of {', '.join(_COMPUTE_MODES)}, not {compute_mode!r}")
    if p < 0:
        raise ArgumentError(f"cdist needs p >= 0, not {p}")
    sizes = [d for d in (x.shape[-2], y.shape[-2]) if not isinstance(d, Dim)]
    many = compute_mode == _COMPUTE_MODES[1] or (compute_mode == _COMPUTE_MODES[0] and max(sizes, default=0) > 25)
    if p == 2 and many:
        squares = OPS["sum"](x * x, -1, True), OPS["sum"](y * y, -1, True)
        product = OPS["matmul"](x, y, False, True)
        return _root(OPS["clip"](squares[0] + _as_row(squares[1]) - product * 2.0, min=0.0))
    rows = [x] if current().is_trace else _blocks(x, y.shape[-2])
    made = [vector_norm(unsqueeze(block, -2) - unsqueeze(y, -3), float(p), -1) for block in rows]
    return made[0] if len(made) == 1 else OPS["concat"](made, axis=-2)


def _blocks(x: Any, count: int) -> list[Any]:
    """Rows of x, so many at a time that their differences with `count` others don't fill the memory."""
    at_once = max(1, _MOST_DIFFERENCES // max(1, math.prod(x.shape[:-2]) * count * x.shape[-1]))
    return [x[..., k : k + at_once, :] for k in range(0, x.shape[-2], at_once)] if at_once < x.shape[-2] else [x]


def _as_row(x: Any) -> Any:
    return OPS["reshape"](x, (*x.shape[:-2], 1, x.shape[-2]))


@composite()
@planned
def pdist(x: Any, p: float = 2.0, compute_mode: str = _COMPUTE_MODES[0], name: str | None = None) -> Any:
    """The distances of order p between every two rows i < j of x [n, d], row by row: [n (n - 1) / 2]."""
    if x.ndim != 2:
        raise ShapeError(f"pdist needs a matrix, got {show_shape(x.shape)}")
    i, j = np.triu_indices(int(x.shape[0]), 1)
    return vector_norm(OPS["gather"](x, i, 0) - OPS["gather"](x, j, 0), float(p), -1)


@composite()
def matrix_rank(
    x: Any, tol: Any = None, hermitian: bool = False, atol: Any = None, rtol: Any = None, name: str | None = None
) -> Any:
    """How many singular values of [..., m, n] are above the tolerance: `tol`, else the larger of `atol` and of `rtol`
    times the largest; by default, and where `atol` is 0, max(m, n) · eps times the largest. int64 [...].

    Errors: ArgumentError for `tol` beside `atol` or `rtol`.
    """
    if tol is not None and not (atol is None and rtol is None):
        raise ArgumentError("matrix_rank: tol can't be given with atol or rtol", remedy="leave tol out")
    _, m, n = require_matrix("matrix_rank", x)
    values = OPS["abs"](eigvalsh(x)) if hermitian else svdvals(x)
    top = OPS["max"](values, -1, True)
    if tol is not None:
        limit = _per_matrix(tol)
    elif rtol is None:
        limit = top * (max(m, n) * float(np.finfo(values.dtype.numpy).eps))
        if is_value(atol):
            own = _per_matrix(atol)
            limit = OPS["where"](own == 0, limit, own)
        elif atol:
            limit = atol
    else:
        limit = top * _per_matrix(rtol)
        limit = limit if atol is None else OPS["maximum"](limit, _per_matrix(atol))
    return OPS["sum"](values > limit, -1)


def _per_matrix(value: Any) -> Any:
    return OPS["reshape"](value, (*value.shape, 1)) if is_value(value) and value.ndim else value


@composite()
def cond(x: Any, p: Order = None, name: str | None = None) -> Any:
    """The condition number of matrices [..., m, n] in the norm p, |x| · |x⁻¹|; None is 2.

    Errors: ShapeError for other norms of matrices that aren't square.
    """
    if p in (None, 2, -2):
        require_matrix("cond", x)
        values = svdvals(x)
        most, least = OPS["max"](values, -1), OPS["min"](values, -1)
        return least / most if p == -2 else most / least
    require_square("cond", x)
    return matrix_norm(x, p) * matrix_norm(inv(x), p)


@composite()
def cov(
    x: Any, rowvar: bool = True, ddof: bool = True, fweights: Any = None, aweights: Any = None, name: str | None = None
) -> Any:
    """The covariance matrix of variables in the rows (rowvar) or columns of x, each observation weighted by how often
    it occurred (fweights) and how much it counts (aweights). ddof: divide by n - 1 instead of n.
    """
    if x.ndim > 2:
        raise ShapeError(f"cov needs one or two axes, got {show_shape(x.shape)}")
    if x.ndim < 2:
        return OPS["reshape"](cov(OPS["reshape"](x, (1, -1)), True, ddof, fweights, aweights), ())
    x = x if rowvar else OPS["transpose"](x, (1, 0))
    weights: Any = None if fweights is None else OPS["cast"](fweights, x.dtype)
    if aweights is not None:
        scaled = OPS["cast"](aweights, x.dtype)
        weights = scaled if weights is None else weights * scaled
    if weights is None:
        count: Any = x.shape[1]
        centred = x - OPS["mean"](x, 1, True)
        return centred @ conj(OPS["transpose"](centred, (1, 0))) / (count - int(ddof))
    total = OPS["sum"](weights)
    centred = x - OPS["sum"](x * weights, 1, True) / total
    rest: Any = 0.0
    if ddof:
        rest = 1.0 if aweights is None else OPS["sum"](weights * OPS["cast"](aweights, x.dtype)) / total
    return (centred * weights) @ conj(OPS["transpose"](centred, (1, 0))) / (total - rest)


@composite()
def corrcoef(x: Any, rowvar: bool = True, name: str | None = None) -> Any:
    """The matrix of correlation coefficients of variables in the rows (rowvar) or columns of x, inside [-1, 1]."""
    made = cov(x, rowvar)
    if not made.ndim:
        return made / made
    scale = OPS["sqrt"](OPS["sum"](made * OPS["eye"](made.shape[0], None, made.dtype), 1))
    return OPS["clip"](made / OPS["reshape"](scale, (-1, 1)) / scale, min=-1.0, max=1.0)


@composite()
def histogramdd(
    x: Any, bins: Any = 10, ranges: Sequence[float] | None = None, density: bool = False, weights: Any = None,
    name: str | None = None,
) -> tuple[Any, list[Any]]:  # fmt: skip
    """How many rows of x [..., d] fall into each cell of a grid: the counts, and a list of the d vectors of edges.

    bins: how many cells (one number, or one per axis) or the edges themselves (d tensors). ranges: lowest and highest
    edge of each axis; by default those of the data. The last cell includes its upper edge. density: counts divided
    by their sum and the cells' volumes.
    """
    if x.ndim < 2:
        raise ShapeError(f"histogramdd needs samples [..., d], got {show_shape(x.shape)}")
    if weights is not None and tuple(weights.shape) != tuple(x.shape[:-1]):
        raise AssertedError(
            f"histogramdd needs one weight per sample, {show_shape(x.shape[:-1])}, got {show_shape(weights.shape)}"
        )
    require_dtype("histogramdd", x.dtype, FLOATS)
    if not isinstance(density, bool):
        raise KindError(f"histogramdd: density must be a bool, not {type(density).__name__}")
    d = int(x.shape[-1])
    x, weights = OPS["reshape"](x, (-1, d)), None if weights is None else OPS["reshape"](weights, (-1,))
    given = list(bins) if isinstance(bins, (list, tuple)) else [bins] * d
    if len(given) != d or (ranges is not None and len(ranges) != 2 * d):
        raise ArgumentError(f"histogramdd: {d} axes need {d} entries in bins and {2 * d} in ranges")
    columns = [getitem(x, (slice(None), k)) for k in range(d)]
    edges = [_edges(columns[k], given[k], None if ranges is None else ranges[2 * k : 2 * k + 2]) for k in range(d)]
    sizes = [int(e.shape[0]) - 1 for e in edges]
    place: Any = 0
    inside: Any = True
    for k, e in enumerate(edges):
        value = OPS["reshape"](columns[k], (-1, 1))
        cell = OPS["sum"](value >= e, 1) - OPS["cast"](OPS["equal"](columns[k], getitem(e, -1)), "int64") - 1
        inside = OPS["logical_and"](inside, OPS["logical_and"](cell >= 0, cell < sizes[k]))
        place = place * sizes[k] + OPS["clip"](cell, min=0, max=sizes[k] - 1)
    counted = OPS["full"]((x.shape[0],), 1.0, x.dtype) if weights is None else OPS["cast"](weights, x.dtype)
    counted = OPS["where"](inside, counted, 0.0)
    flat = OPS["scatter_add"](OPS["full"]((math.prod(sizes),), 0.0, x.dtype), place, counted, 0)
    made = OPS["reshape"](flat, sizes)
    if density:
        made = made / OPS["sum"](made)
        for k, e in enumerate(edges):
            made = made / OPS["reshape"](
                getitem(e, slice(1, None)) - getitem(e, slice(None, -1)), [-1 if j == k else 1 for j in range(d)]
            )
    return made, edges


def _edges(values: Any, bins: Any, bounds: Sequence[float] | None) -> Any:
    if is_value(bins) and bins.ndim:
        return OPS["cast"](bins, values.dtype)
    if isinstance(bins, np.ndarray) and bins.ndim:
        return current().constant(bins, values.dtype)
    if isinstance(bins, float):
        raise ArgumentError(f"histogramdd: bins are whole numbers or edges, not {bins}")
    count = int(bins)
    if count < 1:
        raise ArgumentError(f"histogramdd needs at least 1 cell per axis, not {count}")
    places = OPS["arange"](count + 1, 0, 1, "int64")
    steps, last = OPS["cast"](places, values.dtype) / count, OPS["equal"](places, count)
    if bounds is not None:
        low, high = (float(b) for b in bounds)
        if not low <= high:
            raise ArgumentError(f"histogramdd: the range from {low} to {high} is empty")
        if low == high:
            low, high = low - 0.5, high + 0.5
        return OPS["where"](last, high, steps * (high - low) + low)
    lowest, highest = OPS["min"](values), OPS["max"](values)
    flat = OPS["cast"](OPS["equal"](lowest, highest), values.dtype) * 0.5
    highest = highest + flat  # the last edge is this number itself: rounded, it could leave the largest sample outside
    return OPS["where"](last, highest, lowest - flat + steps * (highest - lowest + flat))
