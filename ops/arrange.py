"""More functions that join, split, repeat, place and pick elements."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, DTypeError, OperandError, ShapeError
from .arith import is_value
from .dims import Dim, DimLike, assume_equal, floordiv, product, same_dim
from .dispatch import current
from .elementwise import cast
from .index import as_index, gather, scatter_nd_add
from .indexing import setitem
from .infer import (
    as_dim,
    as_dims,
    axis_index,
    broadcast_shapes,
    divides,
    int_argument,
    known_size,
    part_count,
    show_shape,
)
from .lowering import HOST
from .moves import flip, windows
from .op import FUNCTIONS, NONDIFFERENTIABLE, OPS, REQUIRED, Sample, composite, random_array, row
from .rearrange import swapaxes, unbind
from .shape import broadcast_to, concat, reshape, transpose
from .sizes import runtime_names
from .slices import piece
from .slices import slice_ as slice_row
from .types import TensorType, require_possible


def _values(items: Sequence[Any]) -> list[Any]:
    return [current().constant(x, None) for x in items]


# ---- ranks


def _at_least(rank: int, inputs: Sequence[Any], place: Any) -> Any:
    first = inputs[0] if len(inputs) == 1 else None
    given = first if isinstance(first, (list, tuple)) and any(is_value(v) for v in first) else inputs
    out = [v if v.ndim >= rank else reshape(v, place(tuple(v.shape))) for v in _values(given)]
    return out[0] if len(out) == 1 else out


@composite()
def atleast_1d(*inputs: Any, name: str | None = None) -> Any:
    """Tensors with at least one axis, a number as one of one element. Of several inputs a list of them.

    >>> import vitrify as vt
    >>> [x.shape for x in vt.atleast_1d(2.0, [1.0, 2.0])]
    [[1], [2]]
    """
    return _at_least(1, inputs, lambda s: (1,))


@composite()
def atleast_2d(*inputs: Any, name: str | None = None) -> Any:
    """Tensors with at least two axes: vectors become rows."""
    return _at_least(2, inputs, lambda s: (1,) * (2 - len(s)) + s)


@composite()
def atleast_3d(*inputs: Any, name: str | None = None) -> Any:
    """Tensors with at least three axes: a vector [n] becomes [1, n, 1], a matrix [n, m] becomes [n, m, 1].

    >>> import vitrify as vt
    >>> vt.atleast_3d(vt.to_tensor([1, 2])).shape
    [1, 2, 1]
    """
    return _at_least(3, inputs, lambda s: (1, *s, 1) if len(s) == 1 else (1, 1, 1) if not s else (*s, 1))


def _listed(x: Any) -> list[Any]:
    """The tensors of a list; of one tensor its rows."""
    if isinstance(x, (list, tuple)):
        return list(x)
    rows = unbind(x, 0) if getattr(x, "ndim", 0) else []
    return list(rows) or [x]


def _as_list(made: Any) -> list[Any]:
    return made if isinstance(made, list) else [made]


@composite(method=False)
def hstack(x: Sequence[Any], name: str | None = None) -> Any:
    """Tensors side by side: along axis 1, vectors along axis 0."""
    parts = _as_list(atleast_1d(*_listed(x)))
    return concat(parts, axis=0 if parts[0].ndim == 1 else 1)


@composite("vstack", "row_stack", method=False)
def vstack(x: Sequence[Any], name: str | None = None) -> Any:
    """Tensors one below another: along axis 0, vectors as rows."""
    return concat(_as_list(atleast_2d(*_listed(x))), axis=0)


@composite(method=False)
def dstack(x: Sequence[Any], name: str | None = None) -> Any:
    """Tensors one behind another: along axis 2."""
    return concat(_as_list(atleast_3d(*_listed(x))), axis=2)


@composite(method=False)
def column_stack(x: Sequence[Any], name: str | None = None) -> Any:
    """Vectors as the columns of a matrix; matrices side by side."""
    return concat([v if v.ndim > 1 else reshape(v, [-1, 1]) for v in _values(_listed(x))], axis=1)


@composite()
def tensor_split(x: Any, num_or_indices: Any, axis: Any = 0, name: str | None = None) -> list[Any]:
    """Parts along `axis`: a number of nearly equal ones (the first ones longer), or cut before the places listed.

    >>> import vitrify as vt
    >>> [p.shape for p in vt.tensor_split(vt.arange(5), 2)]
    [[3], [2]]
    """
    at = axis_index(axis, x.ndim)
    size = known_size(f"tensor_split: the size of axis {axis}", x.shape[at])
    if isinstance(num_or_indices, (list, tuple)):
        cuts = [slice(None, as_dim(c)).indices(size)[1] for c in num_or_indices]
        bounds = [0, *cuts, size]
    else:
        count = part_count("tensor_split: the number of parts", as_dim(num_or_indices), 1, size)
        bounds = [size // count * k + min(k, size % count) for k in range(count + 1)]
    return [piece(x, at, a, max(b - a, 0)) if b > a else piece(x, at, 0, 0) for a, b in itertools.pairwise(bounds)]


def _split_along(name: str, least: int, axis: int) -> Any:
    def function(x: Any, num_or_indices: Any, name: str | None = None) -> list[Any]:
        if x.ndim < least:
            raise ArgumentError(f"{function.__name__} needs at least {least} axes, got {show_shape(x.shape)}")
        return tensor_split(x, num_or_indices, 0 if function.__name__ == "hsplit" and x.ndim == 1 else axis)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Parts along axis {axis}{' (0 of a vector)' if least == 1 else ''}: see `tensor_split`."
    return composite()(function)


hsplit = _split_along("hsplit", 1, 1)
vsplit = _split_along("vsplit", 2, 0)
dsplit = _split_along("dsplit", 3, 2)


# ---- repeating and rotating


@composite()
def repeat_interleave(
    x: Any, repeats: Any, axis: int | None = None, name: str | None = None, *, output_size: int | None = None
) -> Any:
    """Each slice along `axis` (element of the flattened tensor by default) repeated in place.

    repeats: an int, or an integer tensor or list [size of the axis]. output_size: the sum of the repeats, where it is
    known; the result is the same.

    >>> import vitrify as vt
    >>> vt.repeat_interleave(vt.to_tensor([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    """
    x = current().constant(x, None)
    if axis is None or not x.ndim:
        x, axis = reshape(x, [-1]), 0
    at = axis_index(axis, x.ndim)
    if is_value(repeats) or isinstance(repeats, (list, tuple, np.ndarray)):
        counts = as_index(current(), "repeat_interleave", repeats)
        if counts.ndim == 1 and not same_dim(counts.shape[0], 1):
            _require_as_many(counts.shape, x.shape, at)
            ends = OPS["cumsum"](cast(counts, dt.int64), 0)
            total = ends[-1] if isinstance(ends.shape[0], Dim) or ends.shape[0] else 0
            size = as_dim(total)  # where a slice ends, the next one begins: so many have ended before a place
            ended = OPS["count_places"](OPS["full"]((size + 1,), 0, dt.int64), ends)
            return gather(x, slice_row(OPS["cumsum"](ended, 0), [0], [size]), at)
        repeats = counts
    count = as_dim(repeats)
    if isinstance(count, int) and count < 0:
        raise ArgumentError(f"repeat_interleave: repeats must be at least 0, not {count}")
    sizes = tuple(x.shape)
    apart = reshape(x, (*sizes[: at + 1], 1, *sizes[at + 1 :]))
    full = broadcast_to(apart, (*sizes[: at + 1], count, *sizes[at + 1 :]))
    return reshape(full, (*sizes[:at], sizes[at] * count, *sizes[at + 1 :]))


def _require_as_many(repeats: Sequence[DimLike], sizes: Sequence[DimLike], axis: int) -> None:
    """One for each place on the axis; what only a run knows is checked then."""
    message = f"repeat_interleave: {show_shape(repeats)} repeats for axis {axis} of {show_shape(sizes)}"
    pair = (repeats[0], sizes[axis])
    late = any(runtime_names(size) for size in pair)
    fits = None if late else assume_equal(*pair)
    if fits is False:
        raise ShapeError(message)
    if fits is None:
        given, wanted = (current().constant(size, None) for size in pair)
        current().require(OPS["equal"](given, wanted), message, "ShapeError")


@composite()
def rot90(x: Any, k: int = 1, axes: Sequence[int] = (0, 1), name: str | None = None) -> Any:
    """Rotated by k quarter turns in the plane of `axes`, from the first towards the second."""
    if len(axes) != 2 or x.ndim < 2:
        raise ArgumentError(f"rot90 needs two of at least two axes, got {list(axes)} for {show_shape(x.shape)}")
    a, b = (axis_index(axis, x.ndim) for axis in axes)
    if a == b:
        raise ArgumentError(f"rot90: the axes {list(axes)} are the same")
    k %= 4
    if k == 0:
        return OPS["assign"](x)
    if k == 2:
        return flip(flip(x, a), b)
    return swapaxes(flip(x, b), a, b) if k == 1 else flip(swapaxes(x, a, b), b)


# ---- cutting and placing


@composite()
def crop(x: Any, shape: Any = None, offsets: Any = None, name: str | None = None) -> Any:
    """The box of `shape` (-1: to the end) that starts at `offsets` (zeros by default)."""
    starts = as_dims(offsets) if offsets is not None else (0,) * x.ndim
    sizes = as_dims(shape) if shape is not None else tuple(x.shape)
    if len(starts) != x.ndim or len(sizes) != x.ndim:
        raise ArgumentError(f"crop of {show_shape(x.shape)} needs {x.ndim} sizes and offsets")
    ends = [d - s if same_dim(n, -1) else n for d, s, n in zip(x.shape, starts, sizes, strict=True)]
    for k, (start, size, whole) in enumerate(zip(starts, ends, x.shape, strict=True)):
        if current().is_trace and (runtime_names(start) or runtime_names(size)):
            good = OPS["greater_equal"](current().constant(whole, None), current().constant(start + size, None))
            current().require(good, f"crop: axis {k} of {show_shape(x.shape)} has no such elements", "ShapeError")
    return slice_row(x, list(starts), ends)


@composite()
def view_as(x: Any, other: Any, name: str | None = None) -> Any:
    """In the shape of `other`."""
    return reshape(x, tuple(other.shape))


@composite()
def as_strided(x: Any, shape: Sequence[int], stride: Sequence[int], offset: int = 0, name: str | None = None) -> Any:
    """Elements of the flattened tensor at `offset` plus the sum of index times stride (a copy; gradients add up)."""
    if len(shape) != len(stride):
        raise ArgumentError(f"as_strided: {len(shape)} sizes but {len(stride)} strides")
    require_possible("as_strided", TensorType(dt.int64, tuple(shape)))
    places = np.full(tuple(shape), offset, np.int64)
    for k, (size, step) in enumerate(zip(shape, stride, strict=True)):
        places += (np.arange(size, dtype=np.int64) * step).reshape([-1 if j == k else 1 for j in range(len(shape))])
    return gather(reshape(x, [-1]), current().constant(places, dt.int64), 0)


@composite()
def take(x: Any, index: Any, mode: str = "raise", name: str | None = None) -> Any:
    """Elements of the flattened tensor, in the shape of `index`. mode: "raise" an error outside, "wrap" or "clip".

    >>> import vitrify as vt
    >>> vt.take(vt.to_tensor([[1, 2], [3, 4]]), vt.to_tensor([-1, 0])).tolist()
    [4, 1]
    """
    if mode not in ("raise", "wrap", "clip"):
        raise ArgumentError(f'take: mode must be "raise", "wrap" or "clip", not {mode!r}')
    index = as_index(current(), "take", index)
    size = product(x.shape)
    if mode == "wrap":
        index = OPS["remainder"](index, size)
    elif mode == "clip":
        index = OPS["minimum"](OPS["maximum"](index, 0), size - 1)
    return gather(reshape(x, [-1]), index, 0)


@composite()
def select_scatter(x: Any, values: Any, axis: int, index: int, name: str | None = None) -> Any:
    """x with its slice `index` along `axis` replaced by `values`."""
    at = axis_index(axis, x.ndim)
    wanted = tuple(d for k, d in enumerate(x.shape) if k != at)
    if len(values.shape) != len(wanted) or any(not same_dim(a, b) for a, b in zip(values.shape, wanted, strict=True)):
        raise ShapeError(f"select_scatter: values must be {show_shape(wanted)}, not {show_shape(values.shape)}")
    return setitem(x, (slice(None),) * at + (index,), values)


@composite()
def slice_scatter(
    x: Any, value: Any, axes: Sequence[int], starts: Any, ends: Any, strides: Any, name: str | None = None
) -> Any:
    """x with the box from `starts` to `ends` by `strides` along `axes` replaced by `value`, which broadcasts."""
    key = [slice(None)] * x.ndim
    bounds = (as_dims(starts), as_dims(ends), as_dims(strides))
    for axis, start, stop, step in zip(axes, *bounds, strict=True):
        key[axis_index(axis, x.ndim)] = slice(start, stop, step)
    return setitem(x, tuple(key), value)


@composite()
def index_put(x: Any, indices: Sequence[Any], value: Any, accumulate: bool = False, name: str | None = None) -> Any:
    """x with `value` at the places that `indices` (integer or bool tensors, which broadcast) name; or added there."""
    key = tuple(indices)
    if not accumulate:
        return setitem(x, key, value)
    if any(i.dtype.is_bool for i in key):
        parts: list[Any] = []
        for i in key:
            parts += [reshape(p, [-1]) for p in FUNCTIONS["nonzero"](i, True)] if i.dtype.is_bool else [i]
        key = tuple(parts)
    shape = broadcast_shapes(*(tuple(i.shape) for i in key))
    points = concat([reshape(broadcast_to(cast(i, dt.int64), shape), (*shape, 1)) for i in key], axis=-1)
    value = current().constant(value, x.dtype)
    return scatter_nd_add(x, points, broadcast_to(value, (*shape, *tuple(x.shape)[len(key) :])))


@composite()
def unfold(x: Any, axis: int, size: int, step: int, name: str | None = None) -> Any:
    """Windows of `size` elements along `axis`, every `step`-th, as a new last axis."""
    if not x.ndim:
        raise ShapeError("unfold needs at least one axis, got []")
    at = axis_index(axis, x.ndim)
    length = known_size(f"unfold: the size of axis {axis}", x.shape[at])
    size, step = int_argument("unfold: size", size), int_argument("unfold: step", step)
    if not 0 <= size <= length or step < 1:
        raise ArgumentError(f"unfold: windows of {size} by {step} don't fit an axis of {length}")
    return windows(x, at, size, step)


def gathered_windows(x: Any, *, axis: int, size: int, step: int) -> tuple[Any]:
    """`windows` by `gather`, for systems that have no such operation."""
    places = np.arange(0, x.shape[axis] - size + 1, step, dtype=np.int64)[:, None] + np.arange(size, dtype=np.int64)
    made = gather(x, current().constant(places, dt.int64), axis)
    return (transpose(made, [k for k in range(made.ndim) if k != axis + 1] + [axis + 1]),)


@composite(method=False)
def shard_index(
    input: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1, name: str | None = None
) -> Any:
    """Each label's place in its shard of ceil(index_num / nshards) labels; `ignore_value` for those of other shards."""
    if not 0 <= shard_id < nshards:
        raise ArgumentError(f"shard_index: shard_id must be from 0 to {nshards - 1}, not {shard_id}")
    size = (index_num + nshards - 1) // nshards
    inside = OPS["equal"](input // size, shard_id)
    return FUNCTIONS["where"](inside, input % size, OPS["full"](tuple(input.shape), ignore_value, input.dtype))


@composite()
def reduce_as(x: Any, target: Any, name: str | None = None) -> Any:
    """x summed down to the shape of `target`, which broadcasts to that of x."""
    wanted = tuple(target.shape)
    lead = x.ndim - len(wanted)
    if lead < 0 or any(
        not same_dim(b, 1) and assume_equal(a, b) is False for a, b in zip(x.shape[lead:], wanted, strict=True)
    ):
        raise ShapeError(f"reduce_as: {show_shape(x.shape)} doesn't reduce to {show_shape(wanted)}")
    axes = [
        k for k, size in enumerate(x.shape) if k < lead or (same_dim(wanted[k - lead], 1) and not same_dim(size, 1))
    ]
    return reshape(OPS["sum"](x, axes, True) if axes else x, wanted)


@composite()
def is_empty(x: Any, name: str | None = None) -> Any:
    """Whether the tensor has no elements; one bool, which a run finds out where a size isn't known before."""
    if not is_value(x):
        raise OperandError(f"is_empty: x must be a tensor, not a {type(x).__name__}")
    count = product(x.shape)
    if isinstance(count, int):
        return OPS["full"]((), count == 0, dt.bool_)
    return OPS["equal"](FUNCTIONS["numel"](x), 0)


@composite(method=False)
def tolist(x: Any) -> Any:
    """The elements as nested lists of Python numbers."""
    return x.tolist()


@composite(method=False)
def clone(x: Any, name: str | None = None) -> Any:
    """A copy through which gradients flow."""
    return OPS["assign"](x)


@composite(method=False)
def fill_constant(
    shape: Any, dtype: Any, value: Any, force_cpu: bool = False, out: Any = None, name: str | None = None
) -> Any:
    """A tensor of `shape` and `dtype` with every element `value` (a number or a tensor with one element).

    In a program `out` must have the dtype (DTypeError).
    """
    if isinstance(value, str):
        value = float(value)
    if out is not None and current().is_static and out.dtype != as_dtype(dtype):
        raise DTypeError(f"fill_constant makes {as_dtype(dtype).name}, out is {out.dtype}")
    made = FUNCTIONS["full"](shape, value, dtype)
    if out is None:
        return made
    out.set_value(made)
    return out


# ---- the bits of elements as another dtype


def _view_shape(shape: tuple[DimLike, ...], old: int, new: int) -> tuple[DimLike, ...]:
    if old == new:
        return shape
    last = shape[-1] if shape else None
    if last is None or not divides(new, last * old):
        raise ShapeError(f"view: {show_shape(shape)} of {old} bytes each can't be seen as elements of {new} bytes")
    return (*shape[:-1], floordiv(last * old, new))


bitcast = row(
    "bitcast",
    "The bits of the elements seen as elements of `dtype`; the last axis grows or shrinks with their sizes.",
    "x",
    attrs={"dtype": REQUIRED},
    prepare=lambda interpreter, values, attrs: ((values[0],), {"dtype": as_dtype(attrs["dtype"])}),
    infer=lambda x, *, dtype: TensorType(dtype, _view_shape(x.shape, x.dtype.itemsize, dtype.itemsize)),
    eager=lambda x, *, dtype: np.ascontiguousarray(x).reshape(x.shape).view(dtype.numpy).copy(),
    vjp=NONDIFFERENTIABLE,
    lowering=HOST,
    samples=lambda: [
        Sample((random_array(1, (2, 4), dtype="float32"),), {"dtype": "int32"}),
        Sample((np.arange(8, dtype="int32").reshape(2, 4),), {"dtype": "int64"}),
    ],
    public=False,
)


@composite()
def view(x: Any, shape_or_dtype: Any, *sizes: Any, name: str | None = None) -> Any:
    """In another shape (one size may be -1; a list, or sizes one by one), or the bits of the elements as another dtype.

    >>> import vitrify as vt
    >>> vt.to_tensor([1.0, 2.0]).view("int32").shape
    [2]
    >>> vt.ones([2, 3]).view(3, -1).shape
    [3, 2]
    """
    if sizes and sizes != (None,):  # the name may come by place
        return reshape(x, shape_or_dtype, *sizes)
    if isinstance(shape_or_dtype, (list, tuple, int, Dim)) or is_value(shape_or_dtype):
        return reshape(x, [shape_or_dtype] if isinstance(shape_or_dtype, int | Dim) else shape_or_dtype)
    kind = as_dtype(shape_or_dtype)
    return x if kind is x.dtype else bitcast(x, kind)


# ---- runs of equal elements


@composite()
def unique_consecutive(
    x: Any, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None,
    dtype: Any = "int64", name: str | None = None,
) -> Any:  # fmt: skip
    """One of each run of equal elements (slices along `axis`); with the run of each element, and their lengths.

    >>> import vitrify as vt
    >>> vt.unique_consecutive(vt.to_tensor([1, 1, 2, 1])).tolist()
    [1, 2, 1]
    """
    kind = as_dtype(dtype)
    if axis is None or not x.ndim:
        x, axis = reshape(x, [-1]), 0
    at = axis_index(axis, x.ndim)
    size = x.shape[at]
    rest = [k for k in range(x.ndim) if k != at]
    lines = reshape(OPS["transpose"](x, [at, *rest]), (size, product(x.shape[k] for k in rest)))
    if same_dim(size, 0):
        starts = OPS["full"]((0,), True, dt.bool_)
    else:
        changed = OPS["any"](OPS["not_equal"](piece(lines, 0, 1, size - 1), piece(lines, 0, 0, size - 1)), 1)
        starts = concat([OPS["full"]((1,), True, dt.bool_), changed], axis=0)
    places = reshape(FUNCTIONS["nonzero"](starts), [-1])
    out = [gather(x, places, at)]
    if return_inverse:
        out.append(cast(OPS["cumsum"](cast(starts, dt.int64), 0) - 1, kind))
    if return_counts:
        ends = concat([piece(places, 0, 1, places.shape[0] - 1), OPS["full"]((1,), size, dt.int64)], axis=0)
        out.append(cast(ends - places, kind))
    return out[0] if len(out) == 1 else tuple(out)
