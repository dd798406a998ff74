"""When data make rows fail: what a captured function asks where a handler around a call could catch the error.

A program ends with the error by itself. Only where the user's code goes on behind it (`except IndexError:`) the program
needs to know before: a `Failure` of the row says how to ask. Each asks the same as the row's kernel does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import ArgumentError, AxisError, ShapeError
from ..base.location import Loc
from .dims import DimLike, product, same_dim
from .op import NONDIFFERENTIABLE, OPS, Failure, Op, Sample, row
from .sizes import runtime_names
from .types import TensorType


def may_fail(op: Op, shapes: Sequence[Sequence[DimLike]]) -> bool:
    """Whether data may make a row fail on operands of these shapes."""
    return any(not f.of_sizes or any(map(runtime_names, shapes)) for f in op.failures)


def refusals_of(op: Op) -> Op:
    """The row that tells whether an op's kernel refuses the operands: it runs the kernel."""
    kernel: Any = op.eager.__wrapped__  # type: ignore[attr-defined]  # without typed_errors

    def infer(*operands: TensorType, **attrs: Any) -> TensorType:
        op.infer(*operands, **attrs)
        return TensorType(dt.bool_, ())

    def fails(*arrays: Any, **attrs: Any) -> Any:
        try:
            kernel(*arrays, **attrs)
        except np.linalg.LinAlgError:
            return np.array(True)
        return np.array(False)

    def samples() -> list[Sample]:
        found = op.samples()
        zeros = [Sample((s.args[0] * 0, *s.args[1:]), s.attrs) for s in found]
        return [*(Sample(s.args, s.attrs) for s in found), *zeros]

    return row(
        f"{op.name}_fails", f"Whether `{op.name}` refuses the operands: a singular matrix, for example.",
        " ".join(op.operands), attrs=op.attrs, infer=infer, eager=fails, vjp=NONDIFFERENTIABLE, samples=samples,
        method=False, public=False,
    )  # fmt: skip


def kernel_refuses(name: str, says: str) -> tuple[Failure, ...]:
    """The kernel finds out while it computes: it is run once more (see refusals_of). says: the library's words."""

    def happens(*operands: Any, **attrs: Any) -> Any:
        return OPS[f"{name}_fails"](*operands, **attrs)

    remedy = "check the input for singular matrices and NaN"
    return (Failure(happens, ArgumentError, lambda *_, **__: (f"{name}: {says}",), lambda *_, **__: remedy),)


def index_outside(place: int = 1) -> tuple[Failure, ...]:
    """An index is outside the axis `axis`. place: of the index among the operands."""

    def size(x: Any, axis: int) -> DimLike:
        found: DimLike = x.shape[axis]
        return found

    def happens(x: Any, *others: Any, axis: int) -> Any:
        index = others[place - 1]
        return None if _is_inside(index, size(x, axis)) else _any(_bad(index, size(x, axis)))

    def words(x: Any, *others: Any, axis: int) -> Sequence[Any]:
        index = others[place - 1]
        first = _first(index, _bad(index, size(x, axis)))
        return "index ", first, " is outside an axis of ", size(x, axis), " elements"

    def remedy(x: Any, *_: Any, axis: int) -> str | None:
        count = size(x, axis)
        return f"use {-count} to {count - 1}" if isinstance(count, int) else None

    return (Failure(happens, AxisError, words, remedy),)


def label_outside(loss: str, error: AxisError, loc: Loc | None = None) -> AxisError:
    """The error for a label that names no class, in place of that for an index outside of its axis."""
    classes, message = "the number of classes less one", error.message.rpartition(": ")[2]
    if error.size is not None and error.index is not None:
        classes, label = str(error.size - 1), error.index  # a label below 0 was put outside of the axis
        message = f"index {label + error.size if label < 0 else label} is outside an axis of {error.size} elements"
    return AxisError(
        f"{loss}: a label names no class: {message}",
        loc=loc,
        remedy=f"use labels from 0 to {classes}, or give ignore_index for those to leave out",
    )


def point_outside() -> tuple[Failure, ...]:
    """A point, of an index [..., k], is outside one of the first k axes."""

    def columns(x: Any, index: Any) -> list[tuple[Any, Any, DimLike]]:
        """Places along one axis after another, which are outside, and the axis' size."""
        places = [OPS["select"](index, k, axis=len(index.shape) - 1) for k in range(index.shape[-1])]
        return [(at, _bad(at, n), n) for at, n in zip(places, x.shape, strict=False)]

    def happens(x: Any, index: Any, *_: Any) -> Any:
        flags = [_any(bad) for _, bad, _ in columns(x, index)]
        return functools.reduce(OPS["logical_or"], flags) if flags else None

    def words(x: Any, index: Any, *_: Any) -> Sequence[Any]:
        number: Any = 0
        size: Any = 0
        for at, bad, n in reversed(columns(x, index)):
            some = _any(bad)
            number, size = OPS["where"](some, _first(at, bad), number), OPS["where"](some, n, size)
        return "index ", number, " is outside an axis of ", size, " elements"

    return (Failure(happens, AxisError, words, lambda *_, **__: None),)


def of_no_elements(name: str) -> tuple[Failure, ...]:
    """There is nothing along the axes that are folded; only a run can tell where it makes their sizes."""

    def folded(x: Any, axis: Any) -> list[DimLike]:
        axes = range(len(x.shape)) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
        return [x.shape[k] for k in axes]

    def happens(x: Any, *_: Any, axis: Any, **__: Any) -> Any:
        sizes = folded(x, axis)
        return OPS["equal"](product(sizes), 0) if runtime_names(sizes) else None

    def words(x: Any, *_: Any, axis: Any, **__: Any) -> Sequence[Any]:
        shown = list(axis) if isinstance(axis, tuple) else axis
        return f"{name} of no elements: {x.dtype.short}", *_listed(x.shape), f" over axis {shown}"

    return (Failure(happens, ShapeError, words, lambda *_, **__: None),)


def too_few_values(name: str) -> tuple[Failure, ...]:
    """A mask has more true elements than there are values for them."""

    def count(mask: Any) -> Any:
        return OPS["sum"](OPS["cast"](mask, dt.int64))

    def happens(x: Any, mask: Any, values: Any) -> Any:
        return OPS["greater_than"](count(mask), product(values.shape))

    def words(x: Any, mask: Any, values: Any) -> Sequence[Any]:
        return f"{name}: ", product(values.shape), " values for ", count(mask), " true elements of the mask"

    return (Failure(happens, ShapeError, words, lambda *_, **__: None),)


def another_count(name: str) -> tuple[Failure, ...]:
    """There are more or fewer elements than the new shape has places; a run tells where it makes the sizes."""

    def happens(x: Any, *, shape: Sequence[DimLike]) -> Any:
        return _differ(product(x.shape), product(shape))

    def words(x: Any, *, shape: Sequence[DimLike]) -> Sequence[Any]:
        old, new = [*_listed(x.shape), " (", product(x.shape)], [*_listed(shape), " (", product(shape)]
        return f"can't {name} ", *old, " elements) to ", *new, " elements)"

    return (Failure(happens, ShapeError, words, lambda *_, **__: None),)


def sizes_differ(name: str) -> tuple[Failure, ...]:
    """Tensors that are put side by side along `axis` differ in another size that a run makes."""

    def happens(*xs: Any, axis: int) -> Any:
        if len({len(x.shape) for x in xs}) > 1:
            return None  # the type rule refuses them
        pairs = [(a, b) for x in xs[1:] for k, (a, b) in enumerate(zip(xs[0].shape, x.shape, strict=True)) if k != axis]
        flags = [flag for flag in (_differ(a, b) for a, b in pairs) if flag is not None]
        return functools.reduce(OPS["logical_or"], flags) if flags else None

    def words(*xs: Any, axis: int) -> Sequence[Any]:
        shapes = [part for x in xs for part in (*_listed(x.shape), " and ")][:-1]
        return f"{name}: shapes ", *shapes, " differ"

    return (Failure(happens, ShapeError, words, lambda *_, **__: None),)


def sizes_clash() -> tuple[Failure, ...]:
    """Operands don't broadcast, by a size that a run makes."""

    def pairs(xs: Sequence[Any]) -> list[tuple[int, DimLike, DimLike]]:
        found = []
        for k in range(-max(len(x.shape) for x in xs), 0):
            sizes = [x.shape[k] for x in xs if len(x.shape) >= -k]
            found += [(k, a, b) for n, a in enumerate(sizes) for b in sizes[n + 1 :] if _may_clash(a, b)]
        return found

    def happens(*xs: Any, **_: Any) -> Any:
        flags = [_clash(a, b) for _, a, b in pairs(xs)]
        return functools.reduce(OPS["logical_or"], flags) if flags else None

    def words(*xs: Any, **_: Any) -> Sequence[Any]:
        shapes = [part for x in xs for part in (*_listed(x.shape), " and ")][:-1]
        axis, a, b = pairs(xs)[0]
        return "shapes ", *shapes, " don't broadcast: ", a, " against ", b, f" on axis {axis}"

    remedy = "sizes must be equal or 1, aligned from the last axis"
    return (Failure(happens, ShapeError, words, lambda *_, **__: remedy, of_sizes=True),)


def inner_sizes_differ(matrix: Callable[..., tuple[DimLike, DimLike]]) -> tuple[Failure, ...]:
    """The columns of one matrix and the rows of the other differ, by a size that a run makes. matrix: its sizes."""

    def inner(x: Any, y: Any, transpose_x: bool, transpose_y: bool) -> tuple[DimLike, DimLike]:
        return matrix(x.shape, transpose_x, left=True)[1], matrix(y.shape, transpose_y, left=False)[0]

    def happens(x: Any, y: Any, *, transpose_x: bool, transpose_y: bool) -> Any:
        return _differ(*inner(x, y, transpose_x, transpose_y)) if x.shape and y.shape else None

    def words(x: Any, y: Any, *, transpose_x: bool, transpose_y: bool) -> Sequence[Any]:
        columns, rows = inner(x, y, transpose_x, transpose_y)
        flags = f" (transpose_x={transpose_x}, transpose_y={transpose_y})" if transpose_x or transpose_y else ""
        types = f"matmul: {x.dtype.short}", *_listed(x.shape), f" and {y.dtype.short}", *_listed(y.shape)
        return *types, f"{flags} don't fit: ", columns, " columns against ", rows, " rows"

    remedy = "the last size of x must equal the last but one of y"
    return (Failure(happens, ShapeError, words, lambda *_, **__: remedy, of_sizes=True),)


def _may_clash(a: DimLike, b: DimLike) -> bool:
    return not (same_dim(a, b) or same_dim(a, 1) or same_dim(b, 1)) and bool(runtime_names((a, b)))


def _clash(a: DimLike, b: DimLike) -> Any:
    others = [OPS["not_equal"](size, 1) for size in (a, b) if not isinstance(size, int)]
    return functools.reduce(OPS["logical_and"], [OPS["not_equal"](a, b), *others])


def _differ(a: DimLike, b: DimLike) -> Any:
    """Whether two sizes differ, where only a run tells; else None."""
    return None if same_dim(a, b) or not runtime_names((a, b)) else OPS["not_equal"](a, b)


def _listed(shape: Sequence[DimLike]) -> list[Any]:
    return ["[", *[part for size in shape for part in (size, ", ")][:-1], "]"]


def _bad(index: Any, size: DimLike) -> Any:
    return OPS["logical_or"](OPS["less_than"](index, -size), OPS["greater_equal"](index, size))


def _any(flags: Any) -> Any:
    return OPS["any"](flags) if flags.shape else flags


def _first(index: Any, flags: Any) -> Any:
    """The first of an index's elements whose flag is set."""
    if index.shape:
        line = OPS["reshape"](index, (-1,))
        at = OPS["argmax"](OPS["cast"](OPS["reshape"](flags, (-1,)), dt.int64), 0, False)
        index = OPS["select"](line, at, axis=0)
    return index if index.dtype is dt.int64 else OPS["cast"](index, dt.int64)


def _is_inside(index: Any, size: DimLike) -> bool:
    """Whether an index is known and inside."""
    made = getattr(index, "operation", None)
    data = None if made is None or not made.op.is_literal else made.attrs.get("data")
    if not isinstance(size, int) or data is None:
        return False
    return not data.array.size or bool(-size <= data.array.min() and data.array.max() < size)
