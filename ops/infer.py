"""Shape and dtype algebra shared by the rows: broadcasting, axes, reductions, with symbolic dimensions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from ..base.dtype import DType
from ..base.errors import ArgumentError, AxisError, CaptureError, DTypeError, KindError, ShapeError
from .arith import is_value
from .dims import (
    Dim,
    DimLike,
    assume_equal,
    at_least,
    decider,
    floordiv,
    never_negative,
    product,
    same_dim,
)
from .dispatch import current
from .sizes import is_repeated
from .types import Shape, TensorType

F = TypeVar("F", bound=Callable[..., Any])
MOST_PARTS = 1 << 16  # that one call makes of a tensor with fewer elements
_MOST_INT = (1 << 63) - 1


def broadcast_dims(a: DimLike, b: DimLike) -> DimLike | None:
    """The common size of two dims under NumPy's rule; None: they clash. Undecided sizes are assumed equal, guarded."""
    if a is b:
        return a
    if type(a) is int and type(b) is int:
        return a if a == b or b == 1 else b if a == 1 else None
    if same_dim(a, b) or same_dim(b, 1):
        return a
    if same_dim(a, 1):
        return b
    if isinstance(a, int) and isinstance(b, int):
        return None
    if assume_equal(a, b) is False:
        return None
    return a if isinstance(a, int) or (isinstance(b, Dim) and is_repeated(a, b)) else b


def broadcast_shapes(*shapes: Iterable[DimLike]) -> Shape:
    """NumPy's broadcasting of several shapes.

    >>> broadcast_shapes((4, 1), (3,))
    (4, 3)
    """
    first = shapes[0] if shapes else ()
    if shapes and type(first) is tuple:
        last = shapes[-1]
        if len(shapes) == 2 and type(last) is tuple and (not first or not last):
            return last or first
        if all(dims is first for dims in shapes):
            return first
    out: list[DimLike] = []
    for dims in shapes:
        shape: list[DimLike] = list(dims)
        if len(shape) > len(out):
            out, shape = shape, out
        ones: list[DimLike] = [1] * (len(out) - len(shape))
        shape = ones + shape
        for k, (a, b) in enumerate(zip(out, shape, strict=True)):
            dim = broadcast_dims(a, b)
            if dim is None:
                raise ShapeError(
                    f"shapes {' and '.join(show_shape(s) for s in shapes)} don't broadcast: "
                    f"{a} against {b} on axis {k - len(out)}",
                    remedy="sizes must be equal or 1, aligned from the last axis",
                )
            out[k] = dim
    return tuple(out)


def show_shape(shape: Iterable[DimLike]) -> str:
    """A shape as messages show it: `[4, N]`."""
    return f"[{', '.join(map(str, shape))}]"


def axis_index(axis: Any, rank: int, what: str = "axis") -> int:
    """A non-negative axis; AxisError outside [-rank, rank)."""
    if hasattr(axis, "item"):
        if is_value(axis) and not axis.dtype.is_integer:
            raise KindError(f"{what} must be an int, not a {axis.dtype.name} tensor")
        axis = axis.item()
    if isinstance(axis, bool) or not hasattr(axis, "__index__"):
        raise KindError(f"{what} must be an int, not {axis!r}")
    k = axis.__index__()
    if not -rank <= k < rank:
        raise AxisError(
            f"{what} {k} is outside a tensor of rank {rank}",
            remedy=f"use a value from {-rank} to {rank - 1}" if rank else "it has no axes: reshape it to [1] first",
        )
    return int(k % rank)


def axes_tuple(axis: Any, rank: int) -> tuple[int, ...]:
    """Sorted non-negative axes from None (all), an int, a list, or a tensor of known elements; duplicates are an error.

    Without axes, 0 and -1 name nothing.

    >>> axes_tuple([-1, 0], 3), axes_tuple(None, 2), axes_tuple(-1, 0)
    ((0, 2), (0, 1), ())
    """
    if axis is None or (isinstance(axis, (list, tuple)) and not axis):
        return tuple(range(rank))
    if getattr(axis, "ndim", 0):
        axis = axis.tolist()
    items = axis if isinstance(axis, (list, tuple)) else [axis]
    if not rank and all(type(a) is int and a in (0, -1) for a in items):
        return ()  # a single number along its only imaginable axis
    axes = [axis_index(a, rank) for a in items]
    if len(set(axes)) != len(axes):
        raise ArgumentError(f"axis {list(items)} names an axis twice")
    return tuple(sorted(axes))


def reduced_shape(shape: Shape, axes: Sequence[int], keepdim: bool) -> Shape:
    """The shape after reducing `axes`."""
    if keepdim:
        return tuple(1 if k in axes else d for k, d in enumerate(shape))
    return tuple(d for k, d in enumerate(shape) if k not in axes)


def require_axes(op: str, x: Any, least: int) -> None:
    """ShapeError unless a tensor (or its type) has at least so many axes."""
    if len(x.shape) < least:
        raise ShapeError(f"{op} needs at least {least} {'axis' if least == 1 else 'axes'}, got {show_shape(x.shape)}")


def require_shape(op: str, what: str, got: Sequence[DimLike], wanted: Sequence[DimLike]) -> None:
    """ShapeError unless two shapes are equal; sizes that nobody can compare now are let through.

    Kernels go through an operand as its row says: one of another shape would have them read beyond it.
    """
    if len(got) != len(wanted) or any(assume_equal(a, b) is False for a, b in zip(got, wanted, strict=True)):
        raise ShapeError(f"{op}: {what} has shape {show_shape(got)} where {show_shape(wanted)} is needed")


def require_dtype(op: str, dtype: DType, allowed: Sequence[DType]) -> None:
    """DTypeError unless `dtype` is one an op takes."""
    if dtype not in allowed:
        names = ", ".join(d.name for d in allowed)
        raise DTypeError(f"{op} doesn't take {dtype.name}", remedy=f"it takes {names}; convert with astype()")


def require_same_dtype(op: str, types: Sequence[TensorType]) -> DType:
    """The one dtype of all operands; DTypeError when they differ."""
    if any(t.dtype is not types[0].dtype for t in types):
        raise DTypeError(
            f"{op} got operands of different dtypes: {', '.join(map(str, types))}", remedy="convert with astype()"
        )
    return types[0].dtype


def divides(count: DimLike, size: DimLike) -> bool:
    """Whether a size is a multiple of `count`; of an open size the tracer says so, and guards it.

    Where nobody can say, it is taken as one.

    >>> divides(2, 6), divides(2, 5), divides(0, 5)
    (True, False, False)
    """
    if isinstance(count, int) and count < 1:
        return False
    if isinstance(count, float):
        raise KindError(f"a size must be an int, not {count!r}", remedy="convert it with int()")
    rest: DimLike = size % count
    if isinstance(rest, Dim) and (not has_as_many(count, 1) or turns_out(count, 0)):
        return False  # asked first: the remainder can't be told where the count is 0
    return assume_equal(rest, 0) is not False


def has_as_many(size: DimLike, count: int) -> bool:
    """Whether an axis has `count` elements; asked and taken as in `divides`, a difference of sizes as large enough."""
    if isinstance(size, Dim):
        return decider() is None or not never_negative(size) or at_least(size, count)
    return size >= count


def resolve_shape(shape: Sequence[Any], old: Shape) -> Shape:
    """A reshape target with -1 worked out and 0 copied from `old` (Paddle's rule).

    >>> resolve_shape([-1, 2], (3, 4))
    (6, 2)
    """
    dims: list[DimLike] = []
    for k, d in enumerate(shape):
        d = d if isinstance(d, Dim) else int(d)
        if same_dim(d, 0) and k < len(old) and not any(same_dim(o, 0) for o in old):
            d = old[k]
        dims.append(d)
    unknown = [k for k, d in enumerate(dims) if isinstance(d, int) and d < 0]
    total = product(old)
    if len(unknown) > 1 or any(dims[k] != -1 for k in unknown):
        raise ShapeError(f"can't reshape to {show_shape(dims)}: only one size may be -1")
    if unknown:
        rest = product(d for k, d in enumerate(dims) if k != unknown[0])
        if not divides(rest, total):
            raise ShapeError(f"can't reshape {show_shape(old)} ({total} elements) to {show_shape(dims)}")
        dims[unknown[0]] = floordiv(total, rest)
    elif assume_equal(product(dims), total) is False:
        raise ShapeError(
            f"can't reshape {show_shape(old)} ({total} elements) to {show_shape(dims)} ({product(dims)} elements)",
            remedy="the number of elements must stay the same; one size may be -1",
        )
    return tuple(dims)


def turns_out(size: DimLike, number: int) -> bool:
    """Whether a size is this number: known or decided (and guarded); an open size, or one that only a run knows, isn't.

    Other than in `assume_equal`, that they are equal isn't what fits.
    """
    difference = size - number
    if isinstance(difference, int):
        return difference == 0
    asked = decider()
    return asked is not None and asked("==", difference)


def assume_at_least(a: DimLike, b: DimLike) -> bool | None:
    """Whether a >= b: True or False when known or decided (and guarded) by the tracer, None when nobody can say."""
    difference = a - b
    if isinstance(difference, int):
        return difference >= 0
    if never_negative(difference):
        return True
    asked = decider()
    return None if asked is None else asked(">=", difference)


def window_size(
    size: DimLike, kernel: int, stride: int, before: int, after: int, dilation: int = 1, ceil: bool = False
) -> DimLike:
    """Output size of a sliding window; ShapeError when the window doesn't fit.

    >>> window_size(28, 5, 1, 2, 2)
    28
    """
    span = dilation * (kernel - 1) + 1
    room = size + (before + after - span)
    if assume_at_least(room, 0) is False:
        raise ShapeError(f"a window of {span} doesn't fit into {size} (padding {before}+{after})")
    if ceil:  # the last window may reach over the edge, but starts inside the image or the padding before it
        room = size + (before - 1 + min(after - span + stride, 0))
    return floordiv(room, stride) + 1


def as_dim(size: Any) -> DimLike:
    """One size from an int, a Dim or anything with `.item()` (a tensor with one element)."""
    if isinstance(size, Dim):
        return size
    interpreter = current()
    if interpreter.is_static and hasattr(size, "stop_gradient"):
        return interpreter.sized(size)  # type: ignore[no-any-return]
    if hasattr(size, "item"):
        if interpreter.is_trace and is_value(size):
            require_size(size.dtype, size.shape)
        size = size.item()
        if isinstance(size, Dim):
            return size
        if interpreter.is_trace and hasattr(size, "dtype"):
            return interpreter.size_of(size)  # type: ignore[no-any-return]
    if isinstance(size, bool) or not hasattr(size, "__index__"):
        raise KindError(f"a size must be an int, not {size!r}", remedy="convert it with int()")
    return int(size.__index__())


def dtype_bounds(dtype: DType) -> tuple[Any, Any]:
    """The least and greatest value of a dtype: infinities for floats."""
    if dtype.is_floating:
        return -np.inf, np.inf
    if dtype.is_bool:
        return False, True
    return int(np.iinfo(dtype.numpy).min), int(np.iinfo(dtype.numpy).max)


def fitting(number: int, dtype: DType) -> int:
    """A Python int for an integer dtype; ArgumentError where the dtype doesn't hold it."""
    least, most = dtype_bounds(dtype)
    if not least <= number <= most:
        raise ArgumentError(f"{number} doesn't fit into {dtype.name}", remedy="use a wider dtype")
    return number


def not_negative(shape: Shape) -> Shape:
    """The sizes; ArgumentError if one is negative."""
    if any(isinstance(d, int) and d < 0 for d in shape):
        raise ArgumentError(f"sizes can't be negative: {list(shape)}")
    return shape


def known_int(number: Any, what: str) -> int:
    """An int, or a tensor or size that is known while a program is captured; CaptureError where only a run knows it."""
    found = as_dim(number)
    return int_argument(what, found) if isinstance(found, Dim) else found


def int_argument(what: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """An argument that must be a number while a program is captured: how often something is done, or by how much.

    A size is the number that it is in this call, which the program guards. Errors: CaptureError for a size without a
    number; KindError for what is no int; ArgumentError outside of least..most (of 64 bits where they aren't given).
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise KindError(f"{what} must be an int, not {value!r}", remedy="convert it with int()")
    try:
        number = int(value.__index__())
    except CaptureError as error:
        message = f"{what} must be known when the function is captured: {error.message}"
        raise CaptureError(message, remedy=error.remedy) from None
    low, high = -_MOST_INT - 1 if least is None else least, _MOST_INT if most is None else most
    if number < low:
        raise ArgumentError(f"{what} must be at least {low}, not {number}")
    if number > high:
        raise ArgumentError(f"{what} must be at most {high}, not {number}")
    return number


def part_count(what: str, value: Any, least: int, size: DimLike = 0) -> int:
    """An `int_argument` that says how many parts a call makes, each by an operation of its own.

    There may be as many as the axis has elements, or MOST_PARTS; more are refused rather than begun.
    """
    known = size if isinstance(size, int) else 0
    return int_argument(what, value, least, max(known, MOST_PARTS))


def known_size(what: str, size: DimLike) -> int:
    """The size of an axis where the operations themselves depend on it: `int_argument` of it."""
    return size if isinstance(size, int) else int_argument(what, size)


def require_size(dtype: DType, shape: Sequence[DimLike]) -> None:
    """KindError or ArgumentError unless a value of this type can tell a size: an integer with one element."""
    if not dtype.is_integer:
        raise KindError(f"a size must be an int, not a {dtype.name} tensor", remedy='convert it with astype("int64")')
    require_one(shape)


def require_index(dtype: DType, shape: Sequence[DimLike]) -> None:
    """DTypeError or ArgumentError unless a value of this type can be an index, as Python's `__index__` asks."""
    if not (dtype.is_integer or dtype.is_bool):
        raise DTypeError(f"a {dtype.name} tensor can't be an index", remedy='convert with astype("int64")')
    require_one(shape)


def require_one(shape: Sequence[DimLike]) -> None:
    """ArgumentError unless a value of this shape has one element."""
    if any(not same_dim(d, 1) for d in shape):
        raise ArgumentError(
            f"a tensor of shape {show_shape(shape)} isn't one number",
            remedy="reduce it with any(), all() or sum(), or pick one element",
        )


def known_dim(size: Any) -> Any:
    """The size that a tensor of a program is known to stand for (`shape(x)[0]`); anything else as it is."""
    if isinstance(size, (int, Dim)) or not hasattr(size, "dtype"):
        return size
    known = current().known_size(size)
    return size if known is None else known


def sizes_one_by_one(fn: F) -> F:
    """A function of a shape that takes its sizes one by one, too: `zeros(2, 3)` is `zeros([2, 3])`."""

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 and isinstance(args[1], int | Dim | np.integer):
            count = next((k for k, a in enumerate(args) if not isinstance(a, int | Dim | np.integer)), len(args))
            args = (list(args[:count]), *args[count:]) if count else args
        return fn(*args, **kwargs)

    return cast(F, call)


def listed_sizes(sizes: Any, count: int) -> list[Any]:
    """The items of a list or of a tensor with one axis; anything else `count` times.

    >>> listed_sizes((2, None), 2), listed_sizes(3, 2)
    ([2, None], [3, 3])
    """
    if isinstance(sizes, (list, tuple)):
        return list(sizes)
    if isinstance(sizes, np.ndarray) and sizes.ndim:
        return list(sizes.tolist())
    return list(as_dims(sizes)) if is_value(sizes) and sizes.ndim == 1 else [sizes] * count


def as_dims(sizes: Any) -> Shape:
    """Sizes from an int, a list of sizes, or an integer tensor of rank 1.

    >>> as_dims([2, 3]), as_dims(4)
    ((2, 3), (4,))
    """
    if isinstance(sizes, (int, Dim)):
        return (as_dim(sizes),)
    if hasattr(sizes, "stop_gradient") and current().is_static:
        if not sizes.ndim:
            return (as_dim(sizes),)
        if not isinstance(sizes.shape[0], int):
            raise ShapeError(
                f"sizes must be a known number of integers, not a tensor of shape {show_shape(sizes.shape)}"
            )
        return tuple(as_dim(sizes[k]) for k in range(sizes.shape[0]))
    if is_value(sizes) and not sizes.ndim:
        return (as_dim(sizes),)
    if hasattr(sizes, "tolist"):
        sizes = sizes.tolist()
        sizes = sizes if isinstance(sizes, list) else [sizes]
    return tuple(as_dim(s) for s in sizes)


def require(condition: Any, message: str) -> None:
    """ArgumentError unless a bool tensor holds: at once, or raised by the run where only that knows it."""
    interpreter = current()
    if interpreter.is_trace or interpreter.is_static:
        interpreter.require(condition, message, "ArgumentError")
    elif not condition.item():
        raise ArgumentError(message)
