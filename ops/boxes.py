"""The row that writes a box of elements where a run says: what assignments to parts of parts become in loops.

Boxes at places that are known: slices.py; one slice at an index that a run knows: select.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import ShapeError
from .dims import same_dim
from .index import Prepared, as_index, as_value, wrapped, zeros_of
from .infer import as_dims, show_shape
from .interpreter import Interpreter
from .lowering import Custom
from .op import OPS, REQUIRED, Sample, random_array, row
from .slices import check_piece, numpy_slices
from .types import Shape, TensorType


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x = as_value(interpreter, values[0])
    v, indices = as_value(interpreter, values[1], x.dtype), [as_index(interpreter, "select", i) for i in values[2:]]
    return (x, v, *indices), {
        "axes": tuple(attrs["axes"]), "starts": as_dims(attrs["starts"]),
        "strides": tuple(int(s) for s in attrs["strides"] or (1,) * x.ndim),
    }  # fmt: skip


def _infer(
    x: TensorType, v: TensorType, *indices: TensorType, axes: tuple[int, ...], starts: Shape, strides: tuple[int, ...]
) -> TensorType:
    known = len(axes) == len(indices) and not any(i.rank for i in indices) and len(set(axes)) == len(axes)
    fits = x.rank == v.rank == len(starts) == len(strides)
    if not (known and fits and all(same_dim(v.shape[k], 1) for k in axes)):
        raise ShapeError(f"box_update of {x} by {show_shape(v.shape)}: an index for each of the axes {list(axes)}")
    check_piece("box_update", x.shape, starts, v.shape, strides)
    return x


def _eager(x: Any, v: Any, *indices: Any, axes: tuple[int, ...], starts: Any, strides: Any) -> Any:
    out = np.array(x)
    first = list(starts)
    for axis, index in zip(axes, indices, strict=True):
        first[axis] = int(wrapped(index, x.shape[axis]))
    out[numpy_slices(first, v.shape, strides)] = v
    return out


def _vjp(g: Any, y: Any, x: Any, v: Any, *indices: Any, axes: Any, starts: Any, strides: Any) -> tuple[Any, ...]:
    sizes = [x.shape[k] if k in axes else n for k, n in enumerate(v.shape)]
    part = OPS["slice"](g, starts, sizes, strides)
    for axis, index in sorted(zip(axes, indices, strict=True), key=lambda p: -p[0]):
        part = OPS["select"](part, index, axis=axis)
    hole = OPS["box_update"](g, zeros_of(v.shape, v.dtype), list(indices), axes=axes, starts=starts, strides=strides)
    return hole, OPS["reshape"](part, tuple(v.shape)), *[None for _ in indices]


def _sample(
    shape: tuple[int, ...], sizes: tuple[int, ...], at: dict[int, int], starts: tuple[int, ...], **strides: Any
) -> Sample:
    indices = [np.array(i) for i in at.values()]
    attrs = {"axes": tuple(at), "starts": starts, **strides}
    return Sample((random_array(1, shape), random_array(2, sizes), *indices), attrs)


box_update = row(
    "box_update",
    "x with a box of elements replaced by v, of x's rank: along each of `axes` it is one element, at an index (0-d"
    " integer, known at run time; checked in this order); along the others it begins at one of `starts`, in steps of"
    " `strides`.",
    "x v *indices",
    attrs={"axes": REQUIRED, "starts": REQUIRED, "strides": None},
    prepare=_prepare,
    infer=_infer,
    eager=_eager,
    vjp=_vjp,
    lowering=Custom("index.box_update"),
    work=lambda given, made, **_: 0,
    samples=lambda: [
        _sample((5, 6), (1, 2), {0: 2}, (0, 3)),
        _sample((5, 6), (1, 1), {1: 0, 0: -1}, (0, 0)),
        _sample((4, 5, 3), (2, 1, 1), {1: -5}, (1, 0, 2)),
        _sample((4, 5), (1, 3), {}, (3, 1)),
        _sample((4, 7), (1, 3), {0: 1}, (0, 5), strides=(1, -2)),
    ],
    method=False,
    public=False,
    checked=False,
    writes_into_first=True,
)
