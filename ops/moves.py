"""Rows whose elements come from another place of the operand, or from none: flip, roll, triangles, pad, windows."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..base.dtype import int64
from ..base.errors import ArgumentError, AssertedError, ShapeError
from ..base.suggest import one_of
from .arith import is_run_time_number, is_value
from .bounds import first
from .dims import Dim, DimLike, floordiv, maximum, same_dim
from .dispatch import bottom, current
from .infer import as_dims, axes_tuple, axis_index, int_argument, known_dim, show_shape
from .interpreter import Interpreter
from .kernel_expressions import Comparison, Expr, expr, select
from .lowering import Index, Point, PointContext
from .op import OPS, REQUIRED, Sample, random_array, row
from .shape import Prepared, as_value, concat
from .slices import piece
from .types import TensorType


def _prepare_flip(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x, axis = as_value(interpreter, values[0]), attrs["axis"]
    is_none = isinstance(axis, (list, tuple)) and not axis  # an empty list names no axis, unlike in reductions
    return (x,), {"axis": () if is_none else axes_tuple(axis, x.ndim)}


def _flip_point(ctx: PointContext, index: Index) -> Expr:
    shape = ctx.inputs[0].shape
    flipped = [ctx.dim(shape[k] - 1) - i if k in ctx.attrs["axis"] else i for k, i in enumerate(index)]
    return ctx.load(0, flipped)


flip = row(
    "flip",
    "The elements in reverse order along `axis`.",
    "x",
    attrs={"axis": REQUIRED},
    gather=list,
    prepare=_prepare_flip,
    infer=lambda x, *, axis: x,
    eager=lambda x, *, axis: np.flip(x, axis),
    vjp=lambda g, y, x, *, axis: (OPS["flip"](g, list(axis)) if axis else g,),
    lowering=Point(_flip_point),
    samples=lambda: [
        Sample((random_array(1, (3, 4)),), {"axis": 1}),
        Sample((random_array(1, (2, 3, 4)),), {"axis": [0, -1]}),
        Sample((np.arange(5),), {"axis": 0}),
        Sample((random_array(1, (2, 3)),), {"axis": []}),
        Sample((random_array(1, (0, 4), dtype="float32"),), {"axis": [0]}),
    ],
    checked=False,
    family="view",
)


def _prepare_roll(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    axis = attrs["axis"]
    axes = tuple(axis_index(a, x.ndim) for a in (axis if isinstance(axis, (list, tuple)) else [axis]))
    shifts = as_dims(_shifts(attrs["shifts"], [x.shape[a] for a in axes]))
    if len(shifts) != len(axes) or len(set(axes)) != len(axes):
        raise ArgumentError(f"roll needs one shift per axis, each axis once: shifts {list(shifts)}, axis {list(axes)}")
    return (x,), {"shifts": shifts, "axis": axes}


def _shifts(shifts: Any, sizes: Sequence[DimLike]) -> Any:
    """Shifts that only a run knows as sizes: from 0 up to the axis's size, as a negative one moves the other way."""
    if current() is bottom():
        return shifts
    given = shifts if isinstance(shifts, (list, tuple)) else [shifts]
    if len(given) != len(sizes):
        return shifts
    return [_shift(shift, size) for shift, size in zip(given, sizes, strict=True)]


def _shift(shift: Any, size: DimLike) -> Any:
    if is_run_time_number(shift):
        return shift % size
    if not is_value(shift) or isinstance(known_dim(shift), (int, Dim)) or not shift.dtype.is_integer:
        return shift
    return OPS["remainder"](shift, size)


def _roll_point(ctx: PointContext, index: Index) -> Expr:
    out = list(index)
    for shift, axis in zip(ctx.attrs["shifts"], ctx.attrs["axis"], strict=True):
        size = ctx.inputs[0].shape[axis]
        if same_dim(size, 0):
            continue
        by = ctx.dim(shift - floordiv(shift, maximum(size, 1)) * size)  # from 0 to size - 1; a size may turn out 0
        back = index[axis] - by
        out[axis] = ctx.let(select(index[axis] >= by, back, back + ctx.dim(size)))
    return ctx.load(0, out)


roll = row(
    "roll",
    "The elements moved by `shifts` places along `axis`; what leaves at one end comes in at the other.",
    "x",
    attrs={"shifts": REQUIRED, "axis": REQUIRED},
    prepare=_prepare_roll,
    infer=lambda x, *, shifts, axis: x,
    eager=lambda x, *, shifts, axis: np.roll(x, shifts, axis),
    vjp=lambda g, y, x, *, shifts, axis: (OPS["roll"](g, tuple(-s for s in shifts), axis),),
    lowering=Point(_roll_point),
    samples=lambda: [
        Sample((random_array(1, (3, 4)),), {"shifts": 1, "axis": 1}),
        Sample((random_array(1, (3, 4), dtype="float32"),), {"shifts": [-5, 2], "axis": [0, 1]}),
        Sample((np.arange(5),), {"shifts": 7, "axis": 0}),
        Sample((random_array(1, (0, 4)),), {"shifts": 1, "axis": 0}),
    ],
    checked=False,
    public=False,
    family="view",
)


# Triangles


FAR = 2**62  # a diagonal beyond all matrices


def _prepare_triangle(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    if x.ndim < 2:
        raise ShapeError(f"a triangle needs a matrix, not {show_shape(x.shape)}")
    diagonal = attrs["diagonal"]
    if not isinstance(diagonal, Dim):
        diagonal = max(-FAR, min(int_argument("the diagonal of a triangle", diagonal), FAR))
    return (x,), {"diagonal": diagonal}


def _triangle(name: str, doc: str, eager: Any, sign: str) -> Any:
    def point(ctx: PointContext, index: Index) -> Expr:
        zero = ctx.literal(0, ctx.output.dtype.short)
        keep = Comparison(sign, index[-1] - index[-2], ctx.dim(ctx.attrs["diagonal"]))
        return select(keep, ctx.load(0, index), zero)

    return row(
        name, doc, "x", attrs={"diagonal": 0}, prepare=_prepare_triangle, infer=lambda x, *, diagonal: x,
        eager=lambda x, *, diagonal: eager(x, diagonal),
        vjp=lambda g, y, x, *, diagonal: (OPS[name](g, diagonal),),
        lowering=Point(point), samples=_triangle_samples, family="shape", onnx="Trilu",
    )  # fmt: skip


def _triangle_samples() -> list[Sample]:
    return [
        Sample((random_array(1, (3, 4)),), {}),
        Sample((random_array(1, (2, 3, 3), dtype="float32"),), {"diagonal": 1}),
        Sample((np.arange(6).reshape(2, 3),), {"diagonal": -1}),
        Sample((random_array(1, (3, 3)) > 0,), {"diagonal": 0}),
    ]


tril = _triangle("tril", "Matrices with zeros above the given diagonal.", np.tril, "<=")
triu = _triangle("triu", "Matrices with zeros below the given diagonal.", np.triu, ">=")


# pad

MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def _prepare_pad(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    pads, mode = tuple(as_dims(p) for p in attrs["pads"]), attrs["mode"]
    if mode not in MODES:
        raise AssertedError(f"pad has no mode {mode!r}", remedy=one_of(mode, MODES))
    if len(pads) != x.ndim or any(len(p) != 2 for p in pads):
        raise ArgumentError(f"pad needs a pair of sizes per axis of {show_shape(x.shape)}, not {pads}")
    value = (bool, int, float, complex)[x.dtype.category](attrs["value"])
    return (x,), {"pads": pads, "mode": mode, "value": value}


def _infer_pad(x: TensorType, *, pads: Any, mode: str, value: Any) -> TensorType:
    for k, (size, pair) in enumerate(zip(x.shape, pads, strict=True)):
        if any(isinstance(p, int) and p < 0 for p in pair):
            raise ShapeError(f"pad sizes can't be negative: {pair} on axis {k}", remedy="use a slice to cut")
        room = {"reflect": size - 1, "circular": size}.get(mode)
        if isinstance(room, int) and any(isinstance(p, int) and p > room for p in pair):
            raise ShapeError(f"{mode} padding of {pair} is too wide for size {size} on axis {k}")
        if mode == "replicate" and same_dim(size, 0):
            raise ShapeError(f"axis {k} has no element to replicate")
    return TensorType(x.dtype, tuple(d + a + b for d, (a, b) in zip(x.shape, pads, strict=True)))


def _pad_eager(x: Any, *, pads: Any, mode: str, value: Any) -> Any:
    options = {"constant_values": value} if mode == "constant" else {}
    return np.pad(x, pads, mode=MODES[mode], **options) if pads else x.copy()  # type: ignore[call-overload]


def _pad_vjp(g: Any, y: Any, x: Any, *, pads: Any, mode: str, value: Any) -> tuple[Any]:
    """The middle of g, plus what the margins copied, added back where it came from, one axis after the other."""
    for axis, (before, after) in enumerate(pads):
        size = tuple(x.shape)[axis]
        middle = piece(g, axis, before, size)
        if mode != "constant":
            for start, count, at_start in ((0, before, True), (before + size, after, False)):
                if not same_dim(count, 0):
                    middle = middle + _folded(piece(g, axis, start, count), axis, mode, size, count, at_start)
        g = middle
    return (g,)


def _folded(margin: Any, axis: int, mode: str, size: DimLike, count: DimLike, at_start: bool) -> Any:
    if mode == "replicate":
        margin, count = OPS["sum"](margin, axis, True), 1
        place: DimLike = 0 if at_start else size - 1
    elif mode == "reflect":
        margin, place = flip(margin, axis), 1 if at_start else size - 1 - count
    else:
        place = size - count if at_start else 0
    pads = [(place, size - count - place) if k == axis else (0, 0) for k in range(margin.ndim)]
    return pad(margin, pads)


def _pad_point(ctx: PointContext, index: Index) -> Expr:
    mode, inside, places = ctx.attrs["mode"], list[Expr](), list[Expr]()
    if any(same_dim(d, 0) for d in ctx.inputs[0].shape):
        return ctx.literal(ctx.attrs["value"], ctx.output.dtype.short)
    for i, size, (before, after) in zip(index, ctx.inputs[0].shape, ctx.attrs["pads"], strict=True):
        if same_dim(before, 0) and same_dim(after, 0):
            places.append(i)
            continue
        place, n = ctx.let(i - ctx.dim(before)), ctx.dim(size)
        if mode == "constant":
            hit = ctx.let((place >= 0) & (place < n))
            inside.append(hit)
            places.append(ctx.let(select(hit, place, 0)))
        else:  # choices between three ranges, into which loops are cut
            low, high = {
                "replicate": (expr(0), n - 1), "reflect": (-place, 2 * (n - 1) - place),
                "circular": (place + n, place - n),
            }[mode]  # fmt: skip
            places.append(ctx.let(select(place < 0, low, select(place >= n, high, place))))
    value = ctx.load(0, places)
    if not inside:
        return value
    outside = ctx.literal(ctx.attrs["value"], ctx.output.dtype.short)
    return select(reduce(operator.and_, inside), value, outside)


def _pad_samples() -> list[Sample]:
    x, pads = random_array(1, (4, 5)), [(1, 2), (0, 3)]
    return [
        *(Sample((x,), {"pads": pads, "mode": m}) for m in MODES),
        Sample((x.astype("float32"),), {"pads": [(0, 0), (2, 1)], "value": -1.5}),
        Sample((np.arange(4),), {"pads": [(3, 3)], "mode": "reflect"}),
        Sample((np.arange(4),), {"pads": [(4, 4)], "mode": "circular"}),
        Sample((np.arange(4),), {"pads": [(2, 0)], "value": 9}),
        Sample((x[:0],), {"pads": pads}),
        Sample((random_array(1, ()),), {"pads": []}),
    ]


pad = row(
    "pad",
    "Margins around the tensor: (before, after) per axis; constant, reflected (the edge once), replicated or circular.",
    "x",
    attrs={"pads": REQUIRED, "mode": "constant", "value": 0.0},
    prepare=_prepare_pad,
    infer=_infer_pad,
    eager=_pad_eager,
    vjp=_pad_vjp,
    lowering=Point(_pad_point, cost=6),
    samples=_pad_samples,
    method=False,
    public=False,
    family="shape",
    onnx="Pad",
)


# concat, read where its pieces are


def _pieces_point(ctx: PointContext, index: Index) -> Expr:
    """The element of the piece that the place lies in; other pieces are read at their first element, and not chosen."""
    axis, start, found = ctx.attrs["axis"], 0, list[tuple[Expr, Any]]()
    place, stop = index[axis], ctx.output.shape[axis]
    for k, size in enumerate(kind.shape[axis] for kind in ctx.inputs):
        if same_dim(size, 0):
            continue
        tests = [place >= ctx.dim(start)] if start else []
        if not same_dim(start + size, stop):
            tests.append(place < ctx.dim(start + size))
        hit = ctx.let(reduce(operator.and_, tests)) if tests else None
        own = place - ctx.dim(start) if start else place
        inside = own if hit is None else ctx.let(select(hit, own, 0))
        found.append((ctx.load(k, [*index[:axis], inside, *index[axis + 1 :]]), hit))
        start = start + size
    made = found[0][0] if found else ctx.literal(0, ctx.output.dtype.short)
    for element, hit in found[1:]:
        made = select(hit, element, made)
    return made


concat_pieces = row(
    "concat_pieces",
    "`concat`, each element read from its piece by the operation that needs it. Sizes along `axis` are numbers.",
    "*x",
    attrs={"axis": 0},
    prepare=concat.prepare,
    infer=concat.infer,
    eager=concat.eager,
    vjp=concat.vjp,
    lowering=Point(_pieces_point, cost=2),
    samples=lambda: [
        Sample((random_array(1, (3, 4)), random_array(2, (3, 2))), {"axis": 1}),
        Sample((random_array(1, (2, 3)), random_array(2, (1, 3)), random_array(3, (0, 3))), {}),
        Sample((np.arange(4), np.arange(3), np.arange(5)), {"axis": 0}),
    ],
    method=False,
    public=False,
    family="shape",
)


# windows along an axis

MOST_OVERLAPS = 8  # windows over one element whose parts are added as arrays


def _prepare_windows(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    return (x,), {**attrs, "axis": axis_index(attrs["axis"], x.ndim)}


def _infer_windows(x: TensorType, *, axis: int, size: int, step: int) -> TensorType:
    length = x.shape[axis]
    if isinstance(length, int) and size > length:
        raise ShapeError(f"windows of {size} elements don't fit an axis of {length}")
    count = floordiv(length - size, step) + 1
    return TensorType(x.dtype, (*x.shape[:axis], count, *x.shape[axis + 1 :], size))


def _windows_eager(x: Any, *, axis: int, size: int, step: int) -> Any:
    found = np.lib.stride_tricks.sliding_window_view(x, size, axis)
    return found[(slice(None),) * axis + (slice(None, None, step),)].copy()


def _windows_vjp(g: Any, y: Any, x: Any, *, axis: int, size: int, step: int) -> tuple[Any]:
    """Each window's part added where it came from; where few windows overlap, as that many arrays of whole steps."""
    shape, count = tuple(x.shape), y.shape[axis]
    g = OPS["transpose"](g, [*range(axis + 1), g.ndim - 1, *range(axis + 1, g.ndim - 1)])
    if -(-size // step) > MOST_OVERLAPS or size == 0:
        places = np.arange(count)[:, None] * step + np.arange(size)
        zeros = OPS["full"](shape, 0, x.dtype)
        return (OPS["scatter_add"](zeros, current().constant(places, int64), g, axis),)
    return (_overlapped(g, axis, step, shape[axis]),)


def _overlapped(g: Any, axis: int, step: int, length: DimLike) -> Any:
    """Windows [..., count, size, ...] every `step`-th added up to an axis of `length` elements."""
    count, size = g.shape[axis : axis + 2]
    moves = -(-size // step)
    total = None
    for move in range(moves):
        part = piece(g, axis + 1, move * step, min(step, size - move * step))
        room = {axis: (move, moves - 1 - move), axis + 1: (0, step - part.shape[axis + 1])}
        moved = pad(part, [room.get(k, (0, 0)) for k in range(g.ndim)])
        total = moved if total is None else total + moved
    whole = (count + moves - 1) * step
    flat = OPS["reshape"](total, (*g.shape[:axis], whole, *g.shape[axis + 2 :]))
    if whole >= length:
        return piece(flat, axis, 0, length)
    return pad(flat, [(0, length - whole if k == axis else 0) for k in range(flat.ndim)])


def _windows_point(ctx: PointContext, index: Index) -> Expr:
    axis, step = ctx.attrs["axis"], ctx.attrs["step"]
    *place, element = index
    start = place[axis] * step if step != 1 else place[axis]
    return ctx.load(0, [*place[:axis], start + element, *place[axis + 1 :]])


windows = row(
    "windows",
    "Windows of `size` elements along `axis`, every `step`-th, as a new last axis.",
    "x",
    attrs={"axis": REQUIRED, "size": REQUIRED, "step": 1},
    prepare=_prepare_windows,
    infer=_infer_windows,
    eager=_windows_eager,
    vjp=_windows_vjp,
    lowering=Point(_windows_point),
    samples=lambda: [
        Sample((random_array(1, (9,)),), {"axis": 0, "size": 4, "step": 2}),
        Sample((random_array(1, (3, 12, 2)),), {"axis": 1, "size": 5}),
        Sample((random_array(1, (3, 12), dtype="float32"),), {"axis": 0, "size": 1, "step": 2}),
        Sample((random_array(1, (20,)),), {"axis": 0, "size": 3, "step": 5}),
        Sample((random_array(1, (24,)),), {"axis": 0, "size": 20}),
        Sample((np.arange(7),), {"axis": 0, "size": 7}),
    ],
    method=False,
    public=False,
    family="view",
    bounds=first,
)
