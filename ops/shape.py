"""Rows that give elements another shape: reshape, transpose, broadcast_to, concat.

Their NumPy kernels may return views of their operand. Parts: slices.py; margins and mirrors: moves.py; functions over
all of them: rearrange.py.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np

from ..base.dtype import int64
from ..base.errors import ArgumentError, ShapeError
from .arith import Arithmetic, is_value
from .bounds import first, union
from .dims import Dim, DimLike, product, same_dim
from .dispatch import current
from .failing import another_count, sizes_differ
from .families import common_dtype, sum_to
from .infer import (
    as_dim,
    as_dims,
    axis_index,
    broadcast_dims,
    not_negative,
    require_same_dtype,
    resolve_shape,
    show_shape,
)  # fmt: skip
from .interpreter import Interpreter
from .kernel_expressions import ZERO, Expr, is_leaf
from .kernel_parts import Join, Move, Permute, of_parts
from .lowering import Custom, Index, Point, PointContext
from .op import OPS, REQUIRED, Sample, random_array, row
from .types import Shape, TensorType

Prepared = tuple[tuple[Any, ...], dict[str, Any]]


def as_value(interpreter: Interpreter, x: Any) -> Any:
    """`x` itself, or a constant made of it."""
    return x if is_value(x) else interpreter.constant(x, None)


def arrays(*shapes: tuple[int, ...]) -> list[Any]:
    """Sample arrays of several shapes, each with other values."""
    return [random_array(k, s) for k, s in enumerate(shapes)]


# reshape


def _prepare_reshape(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    shape = told_by_the_run(attrs["shape"], tuple(x.shape), product(x.shape))
    return (x,), {"shape": resolve_shape(as_dims(shape), tuple(x.shape))}


def told_by_the_run(shape: Any, old: Shape, total: DimLike) -> Any:
    """A target of `total` elements in which -1 is worked out and 0 copied from `old` by the run, where only that knows
    a size.
    """
    parts, asked = open_sizes(shape)
    if not asked:
        return shape
    zero, one = size_value(0), size_value(1)
    has_none = any(same_dim(size, 0) for size in old)  # then 0 stands for no elements
    sizes = [size_value(size) for size in parts]
    for k in range(0 if has_none else min(len(old), len(sizes))):
        sizes[k] = OPS["where"](OPS["equal"](sizes[k], zero), size_value(old[k]), sizes[k])
    for k in asked:
        rest = reduce(OPS["multiply"], (size for j, size in enumerate(sizes) if j != k), one)
        rest = OPS["where"](OPS["equal"](rest, zero), one, rest)
        free = OPS["equal"](sizes[k], size_value(-1))
        parts[k] = OPS["where"](free, OPS["floor_divide"](size_value(total), rest), sizes[k])
    return parts


def open_sizes(shape: Any) -> tuple[list[Any], list[int]]:
    """The sizes of a list, and which of them are numbers that only a run knows and that may be below 0."""
    interpreter = current()
    if not (interpreter.is_trace or interpreter.is_static) or isinstance(shape, (int, Dim)):
        return [], []
    if is_value(shape) and (shape.ndim != 1 or not isinstance(shape.shape[0], int)):
        return [], []
    parts = [shape[k] for k in range(shape.shape[0])] if is_value(shape) else list(shape)
    return parts, [k for k, size in enumerate(parts) if interpreter.may_be_negative(size)]


def size_value(size: Any) -> Any:
    """A size as an int64 value of the program."""
    if isinstance(size, Dim):
        return current().constant(size, int64)
    if isinstance(size, Arithmetic):  # a tensor with one element, or Python's number of the run
        return OPS["cast"](OPS["reshape"](size, ()), int64)
    return OPS["full"]((), int(size), int64)


def reshaped_index(ctx: Any, index: Index, new: Shape, old: Shape) -> Index:
    """The index into shape `old` of the element at `index` in shape `new`, both row-major.

    Runs of axes with equal products are mapped on their own, so that axes which stay keep their index as it is.
    """
    out: Index = []
    for a, b in _matching_runs(new, old):
        place = _join(ctx, index[a], new[a])
        out += [place] if len(old[b]) == 1 else _split(ctx, place, old[b])
    return out


def _matching_runs(new: Shape, old: Shape) -> list[tuple[slice, slice]]:
    runs, i, j = [], 0, 0
    while i < len(new) or j < len(old):
        a, b = i + 1, j + 1
        while not same_dim(product(new[i:a]), product(old[j:b])):
            if a > len(new) and b > len(old):
                break  # unequal only symbolically: one run to the end
            ahead, behind = product(new[i:a]), product(old[j:b])
            if b > len(old) or (a <= len(new) and not _grows(ahead, behind)):
                a += 1
            else:
                b += 1
        runs.append((slice(i, min(a, len(new))), slice(j, min(b, len(old)))))
        i, j = a, b
    return runs


def _grows(a: DimLike, b: DimLike) -> bool:
    """Whether a product has got ahead of another: by size, or by the number of symbols in it."""
    if isinstance(a, int) and isinstance(b, int):
        return a > b
    degree = [max((len(m) for m, _ in d.terms), default=0) if isinstance(d, Dim) else 0 for d in (a, b)]
    return degree[0] > degree[1]


def _join(ctx: PointContext, index: Index, sizes: Shape) -> Expr:
    terms: list[Expr] = []
    for k, i in enumerate(index):
        weight = product(sizes[k + 1 :])
        if not same_dim(sizes[k], 1):
            terms.append(i if same_dim(weight, 1) else i * ctx.dim(weight))
    if not terms:
        return ZERO
    return terms[0] if len(terms) == 1 and is_leaf(terms[0]) else ctx.let(reduce(operator.add, terms))


def _split(ctx: PointContext, place: Expr, sizes: Shape) -> Index:
    out: Index = []
    lead = next((k for k, d in enumerate(sizes) if not same_dim(d, 1)), 0)
    for k, size in enumerate(sizes):
        weight = product(sizes[k + 1 :])
        if same_dim(size, 1):
            out.append(ZERO)
            continue
        quotient = place if same_dim(weight, 1) else place // ctx.dim(weight)
        out.append(ctx.let(quotient if k == lead else quotient % ctx.dim(size)))
    return out


reshape = row(
    "reshape",
    "The same elements in row-major order under another `shape`; one size may be -1, and 0 keeps the operand's size.",
    "x",
    attrs={"shape": REQUIRED},
    gather=list,
    prepare=_prepare_reshape,
    infer=lambda x, *, shape: TensorType(x.dtype, resolve_shape(shape, x.shape)),
    eager=lambda x, *, shape: x.reshape(shape),
    specialise=lambda types, attrs: of_parts(lambda x, shape=attrs["shape"]: x.reshape(shape), (Move.VIEW, (0,))),
    vjp=lambda g, y, x, *, shape: (OPS["reshape"](g, x.shape),),
    failures=another_count("reshape"),
    lowering=Point(
        lambda ctx, index: ctx.load(0, reshaped_index(ctx, index, ctx.output.shape, ctx.inputs[0].shape)),
        alias=lambda inputs, attrs: 0,
    ),
    samples=lambda: [
        Sample((random_array(1, (3, 4)),), {"shape": [2, -1]}),
        Sample((random_array(1, (3, 4), dtype="float32"),), {"shape": [0, 2, 2]}),
        Sample((np.arange(6),), {"shape": (1, 6, 1)}),
        Sample((random_array(1, (2, 3, 4)),), {"shape": [6, 4]}),
        Sample((random_array(1, (2, 3, 4)),), {"shape": [4, 3, 2]}),
        Sample((random_array(1, (1,)),), {"shape": []}),
        Sample((random_array(1, (0, 3)),), {"shape": [3, 0]}),
    ],
    checked=False,
    family="view",
    onnx="Reshape",
    bounds=first,
)


# transpose


@dataclass(frozen=True)
class _Swap:
    """Two axes that a call lists one by one: they change places, whatever the rank."""

    first: Any
    second: Any

    def order(self, rank: int) -> list[int]:
        axes = list(range(rank))
        a, b = axis_index(self.first, rank, "perm"), axis_index(self.second, rank, "perm")
        axes[a], axes[b] = b, a
        return axes


def _prepare_transpose(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    given = attrs["perm"]
    given = given.order(x.ndim) if isinstance(given, _Swap) else given
    perm = tuple(range(x.ndim))[::-1] if given is None else tuple(axis_index(a, x.ndim, "perm") for a in given)
    perm += tuple(range(len(perm), x.ndim))  # as in Paddle, axes that a shorter perm leaves out stay last
    if sorted(perm) != list(range(x.ndim)):
        raise ArgumentError(
            f"perm {list(given)} must name each of {x.ndim} axes once",
            remedy=f"give the axes 0 to {x.ndim - 1} in their new order, such as {list(range(x.ndim))[::-1]}",
        )
    return (x,), {"perm": perm}


def _inverse(perm: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(perm)), key=perm.__getitem__))


def _specialise_transpose(types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any] | None:
    perm = attrs["perm"]
    moved = [p for p in perm if not same_dim(types[0].shape[p], 1)]
    if moved == sorted(moved):
        return None  # a view does
    return of_parts(lambda x: x.transpose(perm).copy("C"), (Permute(tuple(perm)), (0,)))


def _infer_transpose(x: TensorType, *, perm: tuple[int, ...]) -> TensorType:
    if sorted(perm) != list(range(x.rank)):
        raise ShapeError(f"transpose: {show_shape(perm)} doesn't order the axes of {show_shape(x.shape)}")
    return TensorType(x.dtype, tuple(x.shape[p] for p in perm))


transpose = row(
    "transpose",
    "The axes in the order `perm` (default: reversed); axis k of the result is axis perm[k] of the operand. Axes after "
    "those that a shorter `perm` orders stay where they are.",
    "x",
    attrs={"perm": None},
    gather=lambda axes: _Swap(*axes) if len(axes) == 2 else axes,
    prepare=_prepare_transpose,
    infer=_infer_transpose,
    eager=lambda x, *, perm: x.transpose(perm),
    specialise=_specialise_transpose,
    vjp=lambda g, y, x, *, perm: (OPS["transpose"](g, _inverse(perm)),),
    lowering=Point(lambda ctx, index: ctx.load(0, [index[k] for k in _inverse(ctx.attrs["perm"])])),
    samples=lambda: [
        Sample((random_array(1, (3, 4)),), {"perm": [1, 0]}),
        Sample((random_array(1, (2, 3, 4)),), {"perm": [1, 0]}),
        Sample((random_array(1, (2, 3, 4), dtype="float32"),), {"perm": [2, 0, 1]}),
        Sample((random_array(1, (2, 3, 4)),), {}),
        Sample((random_array(1, (0, 4)) > 0,), {"perm": [-1, 0]}),
        Sample((random_array(1, ()),), {"perm": []}),
    ],
    checked=False,
    family="view",
    onnx="Transpose",
    bounds=first,
)


# broadcast_to


def _prepare_broadcast(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    parts, asked = open_sizes(attrs["shape"])
    lead = len(parts) - x.ndim
    for k in asked:
        if k >= lead >= 0:  # the run may say that the operand's size stays
            size = size_value(parts[k])
            parts[k] = OPS["where"](OPS["equal"](size, size_value(-1)), size_value(as_dim(x.shape[k - lead])), size)
    shape = as_dims(parts if asked else attrs["shape"])
    lead = len(shape) - x.ndim
    if lead < 0:
        raise ShapeError(f"can't broadcast {show_shape(x.shape)} to fewer axes: {show_shape(shape)}")
    old = tuple(as_dim(d) for d in x.shape)
    return (x,), {"shape": tuple(old[k - lead] if same_dim(d, -1) and k >= lead else d for k, d in enumerate(shape))}


def _infer_broadcast(x: TensorType, *, shape: Shape) -> TensorType:
    lead = len(shape) - x.rank
    for a, b in zip(x.shape, shape[lead:], strict=True):
        if not same_dim(a, b) and not same_dim(a, 1) and (same_dim(b, 1) or broadcast_dims(a, b) is None):
            raise ShapeError(f"can't broadcast {show_shape(x.shape)} to {show_shape(shape)}: {a} is neither 1 nor {b}")
    return TensorType(x.dtype, not_negative(shape))


def _broadcast_point(ctx: PointContext, index: Index) -> Expr:
    old = ctx.inputs[0].shape
    used = index[len(index) - len(old) :]
    return ctx.load(0, [ZERO if same_dim(d, 1) else i for d, i in zip(old, used, strict=True)])


def _broadcast_eager(x: Any, *, shape: tuple[int, ...]) -> Any:
    made = np.empty(shape, x.dtype)  # memory of its own: a stride of 0 surprises who writes to it
    made[...] = x
    return made


broadcast_to = row(
    "broadcast_to",
    "The elements repeated along new axes and axes of size 1 to fill `shape`; -1 keeps a size.",
    "x",
    attrs={"shape": REQUIRED},
    gather=list,
    prepare=_prepare_broadcast,
    infer=_infer_broadcast,
    eager=_broadcast_eager,
    specialise=lambda types, attrs: of_parts(partial(_broadcast_eager, shape=attrs["shape"]), (Move.COPY, (0,))),
    vjp=lambda g, y, x, *, shape: (sum_to(g, x.shape),),
    lowering=Point(_broadcast_point),
    samples=lambda: [
        Sample((random_array(1, (3, 1)),), {"shape": [2, 3, 4]}),
        Sample((random_array(1, (4,), dtype="float32"),), {"shape": [3, -1]}),
        Sample((np.array(5),), {"shape": [2, 2]}),
        Sample((random_array(1, (3, 4)),), {"shape": (3, 4)}),
        Sample((random_array(1, (1, 4)),), {"shape": (0, 4)}),
    ],
    family="view",
    onnx="Expand",
    bounds=first,
)


# concat


def _prepare_concat(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    if not values:
        raise ArgumentError("concat needs at least one tensor")
    operands = common_dtype(interpreter, values, name="concat")
    return operands, {"axis": axis_index(attrs["axis"], operands[0].ndim)}


def _infer_concat(*types: TensorType, axis: int) -> TensorType:
    dtype = require_same_dtype("concat", types)
    shape = list(types[0].shape)
    for other in types[1:]:
        if other.rank != len(shape):
            raise ShapeError(
                f"concat of different ranks: {', '.join(map(str, types))}",
                remedy="give tensors of one rank; unsqueeze adds an axis",
            )
        for k, (a, b) in enumerate(zip(shape, other.shape, strict=True)):
            if k == axis:
                shape[k] = a + b
            elif not same_dim(a, b) and (same_dim(a, 1) or same_dim(b, 1) or broadcast_dims(a, b) is None):
                raise ShapeError(
                    f"concat along axis {axis}: axis {k} differs, {a} and {b}: {', '.join(map(str, types))}",
                    remedy=f"all sizes but that of axis {axis} must be equal",
                )
    return TensorType(dtype, tuple(shape))


def _concat_vjp(g: Any, y: Any, *xs: Any, axis: int) -> list[Any]:
    out, start = [], 0
    for x in xs:
        sizes = tuple(x.shape)
        out.append(OPS["slice"](g, [start if k == axis else 0 for k in range(len(sizes))], sizes))
        start = start + sizes[axis]
    return out


concat = row(
    "concat",
    "Tensors one after the other along `axis`; all other sizes are equal.",
    "*x",
    attrs={"axis": 0},
    prepare=_prepare_concat,
    infer=_infer_concat,
    eager=lambda *xs, axis: np.concatenate(xs, axis=axis),
    specialise=lambda types, attrs: of_parts(
        lambda *xs, axis=attrs["axis"]: np.concatenate(xs, axis), (Join(attrs["axis"]), tuple(range(len(types))))
    ),
    vjp=_concat_vjp,
    lowering=Custom("index.concat"),
    failures=sizes_differ("concat"),
    work=lambda given, made, **_: 0,
    samples=lambda: [
        Sample(tuple(arrays((3, 4), (3, 2))), {"axis": 1}),
        Sample(tuple(arrays((2, 3, 4), (1, 3, 4), (0, 3, 4))), {}),
        Sample((np.arange(4), np.arange(3)), {"axis": -1}),
        Sample((random_array(1, (33,), dtype="float32"),), {"axis": 0}),
    ],
    method=False,
    family="shape",
    onnx="Concat",
    bounds=union,
)
