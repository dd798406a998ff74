"""Diagonals, bands and grids: reading and writing diagonals, index grids, meshes, products of sets, block matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations as subsets
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, AssertedError, AxisError, KindError, ShapeError
from ..base.flags import flags
from .activation import as_float
from .compare import where
from .create import arange
from .dims import Dim, DimLike, maximum, same_dim
from .dispatch import current
from .elementwise import cast
from .index import gather
from .infer import as_dim, axis_index, int_argument, known_int, known_size, part_count, show_shape
from .moves import FAR
from .moves import pad as pad_row
from .op import FUNCTIONS, OPS, composite
from .planned import planned
from .rearrange import broadcast_tensors
from .shape import concat, reshape, transpose
from .sizes import runtime_names
from .slices import slice_ as slice_row
from .types import TensorType, require_possible


def _two_axes(name: str, x: Any, first: int, second: int) -> tuple[int, int]:
    if x.ndim < 2:
        raise AxisError(f"{name} needs at least 2 axes, got {show_shape(x.shape)}")
    a, b = axis_index(first, x.ndim, "axis1"), axis_index(second, x.ndim, "axis2")
    if a == b:
        raise ArgumentError(f"{name}: axis1 and axis2 are both {a}")
    return a, b


def _offset(name: str, offset: Any) -> Any:
    """Which diagonal: a number, or a size of the program."""
    return offset if isinstance(offset, Dim) else int_argument(f"{name}: offset", offset)


def _length(rows: DimLike, columns: DimLike, offset: int) -> DimLike:
    """How many elements a diagonal has."""
    high, wide = (rows, columns - offset) if offset >= 0 else (rows + offset, columns)
    if isinstance(high, int) and isinstance(wide, int):
        return max(min(high, wide), 0)
    return high if same_dim(high, wide) else high + wide - maximum(high, wide)


@composite()
@planned
def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """The diagonals of the matrices over `axis1` and `axis2`, as a new last axis; `offset` above (below: negative).

    >>> import vitrify as vt
    >>> vt.diagonal(vt.to_tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """
    a, b = _two_axes("diagonal", x, axis1, axis2)
    offset = _offset("diagonal", offset)
    x = transpose(x, [*(k for k in range(x.ndim) if k not in (a, b)), a, b])
    *lead, rows, columns = tuple(x.shape)
    count = _length(rows, columns, offset)
    line = reshape(x, (*lead, rows * columns))
    start = offset if offset >= 0 else columns * -offset
    if isinstance(columns, int) and isinstance(rows, int):
        if not count:
            return slice_row(line, [0] * line.ndim, (*lead, 0))
        return slice_row(line, [0] * len(lead) + [start], (*lead, count), [1] * len(lead) + [columns + 1])
    return gather(line, arange(count, 0, 1, dt.int64) * (columns + 1) + start, len(lead))


@composite()
@planned
def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """The sum of a diagonal over `axis1` and `axis2`; that of int32 is int32."""
    made = OPS["sum"](diagonal(x, offset, axis1, axis2), -1)
    return cast(made, dt.int32) if x.dtype is dt.int32 else made


def _on_diagonal(rows: DimLike, columns: DimLike, offset: int) -> Any:
    up = reshape(arange(rows, 0, 1, dt.int64), (rows, 1))
    return OPS["equal"](arange(columns, 0, 1, dt.int64) - up, offset)


def _by_row(x: Any, size: DimLike, before: int) -> Any:
    """x [..., n] as a column [..., size, 1] that starts `before` rows down."""
    pairs = [(0, 0)] * (x.ndim - 1) + [(before, size - before - x.shape[-1])]
    padded = pad_row(x, pairs, "constant", 0) if before or not same_dim(size, x.shape[-1]) else x
    return reshape(padded, (*x.shape[:-1], size, 1))


@composite()
@planned
def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices over new axes `dim1` and `dim2` whose diagonal `offset` is the last axis of the input; zeros elsewhere.

    >>> import vitrify as vt
    >>> vt.diag_embed(vt.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    x = current().constant(input, None)
    if not x.ndim:
        raise AxisError("diag_embed needs at least one axis, got []")
    rank, offset = x.ndim + 1, _offset("diag_embed", offset)
    a, b = axis_index(dim1, rank, "dim1"), axis_index(dim2, rank, "dim2")
    if a == b:
        raise ArgumentError(f"diag_embed: dim1 and dim2 are both {a}")
    size = x.shape[-1] + abs(offset)
    out = where(_on_diagonal(size, size, offset), _by_row(x, size, max(-offset, 0)), 0)
    rest = iter(range(rank - 2))
    return transpose(out, [rank - 2 if k == a else rank - 1 if k == b else next(rest) for k in range(rank)])


@composite()
def diag(x: Any, offset: int = 0, padding_value: float = 0, name: str | None = None) -> Any:
    """The diagonal of a matrix, or a matrix with the vector on its diagonal and `padding_value` elsewhere."""
    x, offset = current().constant(x, None), _offset("diag", offset)
    if x.ndim == 2:
        return diagonal(x, offset)
    if x.ndim > 2:
        raise ShapeError(f"diag needs a vector or a matrix, got {show_shape(x.shape)}")
    x = reshape(x, [-1])
    size = x.shape[0] + abs(offset)
    return where(_on_diagonal(size, size, offset), _by_row(x, size, max(-offset, 0)), padding_value)


@composite()
@planned
def diagflat(x: Any, offset: int = 0, name: str | None = None) -> Any:
    """A matrix with the elements of x, in order, on its diagonal `offset`."""
    return diag(reshape(current().constant(x, None), [-1]), offset)


@composite()
def diagonal_scatter(x: Any, y: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """x with the diagonal over `axis1` and `axis2` replaced by y [..., length].

    Errors: AssertedError for axes that aren't there or are the same, and for y of another shape.
    """
    if x.ndim < 2 or not all(-x.ndim <= axis < x.ndim for axis in (axis1, axis2)):
        raise AssertedError(f"diagonal_scatter: {show_shape(x.shape)} has no diagonal over axes {axis1} and {axis2}")
    a, b = axis1 % x.ndim, axis2 % x.ndim
    if a == b:
        raise AssertedError(f"diagonal_scatter: axis1 and axis2 are both {a}")
    perm, offset = [*(k for k in range(x.ndim) if k not in (a, b)), a, b], _offset("diagonal_scatter", offset)
    moved = transpose(x, perm)
    *lead, rows, columns = tuple(moved.shape)
    wanted = (*lead, _length(rows, columns, offset))
    if len(y.shape) != len(wanted) or not all(same_dim(m, n) for m, n in zip(y.shape, wanted, strict=True)):
        raise AssertedError(f"diagonal_scatter: y must be {show_shape(wanted)}, not {show_shape(y.shape)}")
    out = where(_on_diagonal(rows, columns, offset), _by_row(y, rows, max(-offset, 0)), moved)
    return transpose(out, [perm.index(k) for k in range(x.ndim)])


def _triangle(name: str, row: Any, col: Any, offset: int, dtype: Any, pick: Any) -> Any:
    rows, columns = (known_int(v, "row and col") for v in (row, row if col is None else col))
    if rows < 0 or columns < 0:
        raise KindError(f"{name}: row and col must be ints of at least 0, not {row!r} and {col!r}")
    kind = as_dtype("int64" if dtype is None else dtype)
    require_possible(name, TensorType(kind, (2, rows, columns)))
    near = max(-FAR, min(int_argument(f"{name}: offset", offset), FAR))
    return current().constant(np.stack(pick(rows, near, columns)).astype(kind.numpy), kind)


@composite(method=False)
def tril_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Any:
    """Rows and columns [2, count] of the lower triangle of a matrix, up to the diagonal `offset`."""
    return _triangle("tril_indices", row, col, offset, dtype, np.tril_indices)


@composite(method=False)
def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Any:
    """Rows and columns [2, count] of the upper triangle of a matrix, from the diagonal `offset` on."""
    return _triangle("triu_indices", row, col, offset, dtype, np.triu_indices)


# ---- grids


@composite(method=False)
def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """One tensor of the common grid for each vector (or number): the k-th varies along axis k.

    indexing: "ij", or "xy", by which the first varies along axis 1 and the second along axis 0.
    Errors: ArgumentError for another one.

    >>> import vitrify as vt
    >>> vt.meshgrid(vt.to_tensor([1, 2]), vt.to_tensor([3, 4, 5]))[1].tolist()
    [[3, 4, 5], [3, 4, 5]]
    """
    unknown, indexing = set(kwargs) - {"name", "indexing"}, kwargs.get("indexing") or "ij"
    if unknown:
        raise ArgumentError(f"meshgrid() has no argument {sorted(unknown)[0]!r}")
    if indexing not in ("ij", "xy"):
        raise ArgumentError(f"meshgrid: indexing must be 'ij' or 'xy', not {indexing!r}")
    given = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    parts = [current().constant(a, None) for a in given]
    for p in parts:
        if p.ndim > 1:
            raise ShapeError(f"meshgrid needs vectors, got {show_shape(p.shape)}")
    axes = list(range(len(parts)))
    if indexing == "xy":
        axes[:2] = reversed(axes[:2])
    return broadcast_tensors(
        [reshape(p, [-1 if j == k else 1 for j in range(len(parts))]) for k, p in zip(axes, parts, strict=True)]
    )


@composite(method=False)
def logspace(start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None) -> Any:
    """`num` powers of `base` with exponents from `start` to `stop`, both included, evenly apart."""
    kind = flags.default_dtype if dtype is None else as_dtype(dtype)
    wide = kind if kind.is_floating else dt.float64
    places = FUNCTIONS["linspace"](*(cast(v, wide) if hasattr(v, "dtype") else v for v in (start, stop)), num, wide)
    root = cast(base, wide) if hasattr(base, "dtype") else current().constant(float(base), wide)
    made = OPS["pow"](root, places)
    return made if kind is wide else cast(made, kind)


@composite()
def vander(x: Any, n: int | None = None, increasing: bool = False, name: str | None = None) -> Any:
    """Powers of the elements of a vector as columns [count, n], falling unless `increasing`."""
    if x.ndim != 1:
        raise ShapeError(f"vander needs a vector, got {show_shape(x.shape)}")
    count = known_size("vander: n", x.shape[0]) if n is None else part_count("vander: n", n, 0, x.shape[0])
    column = reshape(x, (x.shape[0], 1))
    if not count:
        return OPS["full"]((x.shape[0], 0), 0, x.dtype)
    powers = [OPS["full"](tuple(column.shape), 1, x.dtype)]
    for _ in range(count - 1):
        powers.append(powers[-1] * column)
    return concat(powers if increasing else powers[::-1], axis=1)


@composite(method=False)
def cartesian_prod(x: Sequence[Any], name: str | None = None) -> Any:
    """All combinations of one element from each vector, as rows, the last varying fastest."""
    parts = [current().constant(p, None) for p in x]
    if any(p.ndim != 1 for p in parts):
        raise ShapeError("cartesian_prod needs vectors")
    if len(parts) == 1:
        return parts[0]
    columns = [reshape(p, [-1, 1]) for p in meshgrid(*parts)]
    return concat(columns, axis=1)


@composite()
def combinations(x: Any, r: int = 2, with_replacement: bool = False, name: str | None = None) -> Any:
    """All choices of r elements of a vector, in order, as rows; `with_replacement`: an element may come again.

    Errors: KindError for anything but a vector, ArgumentError for r below 0.
    """
    if x.ndim != 1:
        raise KindError(f"combinations needs a vector, got {show_shape(x.shape)}")
    r, size = int_argument("combinations: r", r, 0), known_size("combinations: the size of the vector", x.shape[0])
    if not r:
        return OPS["full"]((0,), 0, x.dtype)
    count = math.comb(max(size + r - 1, 0), r) if with_replacement else math.comb(size, r)
    require_possible("combinations", TensorType(dt.int64, (count, r)))
    if not count:
        return OPS["full"]((0, r), 0, x.dtype)
    choose = combinations_with_replacement if with_replacement else subsets
    places = np.array(list(choose(range(size), r)), np.int64).reshape(-1, r)
    return gather(x, current().constant(places, dt.int64), 0)


@composite(method=False)
def block_diag(inputs: Sequence[Any], name: str | None = None) -> Any:
    """A matrix with the given matrices along its diagonal and zeros elsewhere; vectors and numbers count as rows."""
    parts = []
    for x in inputs:
        x = current().constant(x, None)
        if x.ndim > 2:
            raise ShapeError(f"block_diag needs matrices, got {show_shape(x.shape)}")
        parts.append(x if x.ndim == 2 else reshape(x, (1, -1)))
    if not parts:
        raise ArgumentError("block_diag needs at least one matrix")
    width: DimLike = 0
    for p in parts:
        width = width + p.shape[1]
    rows, left = [], as_dim(0)
    for p in parts:
        rows.append(pad_row(p, [(0, 0), (left, width - left - p.shape[1])], "constant", 0))
        left = left + p.shape[1]
    return concat(rows, axis=0)


# ---- sums and steps along an axis


def _pieces(x: Any, axis: int) -> tuple[Any, Any]:
    """x without its first and without its last slice along `axis`."""
    size = x.shape[axis]
    starts = [[int(k == axis and first) for k in range(x.ndim)] for first in (True, False)]
    left = maximum(size - 1, 0) if runtime_names(size) else size - 1  # a run may find none
    shape = [left if k == axis else d for k, d in enumerate(x.shape)]
    return slice_row(x, starts[0], shape), slice_row(x, starts[1], shape)


@composite()
def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None, name: str | None = None) -> Any:
    """Differences of neighbours along `axis`, taken n times; `prepend` and `append` are joined to x first.

    >>> import vitrify as vt
    >>> vt.diff(vt.to_tensor([1, 4, 9])).tolist()
    [3, 5]
    """
    if n < 0:
        raise ArgumentError(f"diff: n must be at least 0, not {n}")
    at = axis_index(axis, x.ndim)
    parts = [p for p in (prepend, x, append) if p is not None]
    x = concat(parts, axis=at) if len(parts) > 1 else x
    for _ in range(n):
        if same_dim(x.shape[at], 0):
            break
        after, before = _pieces(x, at)
        x = OPS["logical_xor"](after, before) if x.dtype.is_bool else after - before
    return x


def _areas(name: str, y: Any, x: Any, dx: Any, axis: int) -> tuple[Any, int]:
    if x is not None and dx is not None:
        raise ArgumentError(f"{name} takes x or dx, not both")
    y = as_float(y)
    at = axis_index(axis, y.ndim)
    after, before = _pieces(y, at)
    width: Any = 1.0 if dx is None else dx
    if x is not None:
        width = diff(as_float(x), axis=at if x.ndim > 1 else 0)
        if x.ndim == 1:
            width = reshape(width, [-1 if k == at else 1 for k in range(y.ndim)])
    return (after + before) * width * 0.5, at


@composite()
def trapezoid(y: Any, x: Any = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Any:
    """The integral of samples y along `axis` by the trapezoid rule, at places `x` or `dx` (1) apart."""
    areas, at = _areas("trapezoid", y, x, dx, axis)
    return OPS["sum"](areas, at)


@composite()
@planned
def cumulative_trapezoid(y: Any, x: Any = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Any:
    """The integral up to each sample from the second on, along `axis`, by the trapezoid rule."""
    areas, at = _areas("cumulative_trapezoid", y, x, dx, axis)
    return OPS["cumsum"](areas, at)
