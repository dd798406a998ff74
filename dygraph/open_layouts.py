"""Where the elements of views lie in the memory of the tensor behind them, where sizes are known to a run only.

Sizes and strides are compared by their forms: an axis of open size counts as one of several elements, and products that
aren't of one form as different.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..ops.dims import Dim, DimLike, product, same_dim
from . import storage as cells
from .storage import Sharing, Storage, is_view


class Layout(NamedTuple):
    """Sizes and strides, in elements."""

    sizes: tuple[DimLike, ...]
    strides: tuple[DimLike, ...]


class OutsideLayout(NamedTuple):
    """How the elements of a tensor lie that a captured function was given.

    array: one with these strides, never to be read. order: the axes, from the outermost in memory, where nothing but
    their order differs from that of a tensor of its own. number: the size that an open one has in this call, or None.
    """

    array: Any
    order: tuple[int, ...] | None
    number: Callable[[Any], int | None]

    def strides(self, sizes: Sequence[DimLike]) -> tuple[DimLike, ...]:
        """The strides for other sizes, which may be open."""
        if self.order is None:
            return tuple([s // self.array.itemsize for s in self.array.strides])
        return strides_of(sizes, self.order)

    def fixed(self, part: Any) -> Any:
        """A part of a view with numbers for the sizes in it, as they are in this call."""
        if isinstance(part, Dim):
            found = self.number(part)
            return part if found is None else found
        if isinstance(part, (tuple, list)):
            return tuple([self.fixed(p) for p in part])
        if isinstance(part, slice):
            return slice(*[self.fixed(b) for b in (part.start, part.stop, part.step)])
        return part


IN_ORDER = "in order"


def given_layout(cell: Storage) -> OutsideLayout | None:
    """How the elements lie of a tensor that is no view, where that isn't in their order."""
    sharing = cell.shared
    if type(sharing) is Sharing and sharing.lies is not None:
        found: OutsideLayout = sharing.lies
        if found.array.shape == cell.payload.shape:  # else it was reshaped in place
            return found
    return None if cells.on_layout is None else cells.on_layout(cell)


def lie(cell: Storage, strides: tuple[int, ...]) -> None:
    """Let a tensor of its own count as one whose elements lie so, in memory that nobody else has."""
    found = _lying(cell.payload.shape, strides)
    if found is not None:
        sharing = cell.shared
        if type(sharing) is not Sharing:
            sharing = cell.shared = Sharing(sharing)
        sharing.lies = found


@lru_cache(maxsize=4096)
def _lying(shape: tuple[int, ...], strides: tuple[int, ...]) -> OutsideLayout | None:
    array = as_strided(_NOTHING, shape, strides)
    form = form_of(array)
    if form is IN_ORDER:
        return None
    return OutsideLayout(array, None if any(isinstance(part, tuple) for part in form) else form, _unknown)


_NOTHING = np.empty(1, np.int8)


def _unknown(size: Any) -> None:
    """The sizes of a tensor outside of captured code are numbers."""


def form_of(array: Any) -> Any:
    """What tells arrays apart whose elements lie otherwise: IN_ORDER, the order of the axes, or sizes and strides."""
    if array.flags.c_contiguous:
        return IN_ORDER
    order = tuple(sorted(range(array.ndim), key=lambda axis: (-array.strides[axis], axis)))
    if array.transpose(order).flags.c_contiguous:
        return order
    return array.shape, tuple([s // array.itemsize for s in array.strides])


def in_order(sizes: Sequence[DimLike]) -> Layout:
    """The layout of a tensor whose elements are neighbours, in their order."""
    return Layout(tuple(sizes), tuple([product(sizes[k + 1 :]) for k in range(len(sizes))]))


def strides_of(sizes: Sequence[DimLike], order: Sequence[int]) -> tuple[DimLike, ...]:
    """The strides of neighbours with these axes from the outermost in memory."""
    found = in_order([sizes[axis] for axis in order]).strides
    return tuple([found[order.index(axis)] for axis in range(len(sizes))])


def order_of(layout: Layout) -> tuple[int, ...] | None:
    """The axes from the outermost in memory, where nothing but their order differs from that of a tensor of its own."""
    rest, order = list(range(len(layout.sizes))), list[int]()
    inner: DimLike = 1
    while rest:  # from the innermost
        found = next((k for k in reversed(rest) if same_dim(layout.strides[k], inner)), None)
        if found is None:
            return None
        rest.remove(found)
        order.insert(0, found)
        inner = inner * layout.sizes[found]
    return tuple(order)


def open_layout_of(cell: Storage) -> Layout | None:
    """The layout of a tensor that may be a view, given by its cell; None where nobody knows."""
    sizes = tuple(cell.payload.shape)
    if not is_view(cell):
        given = given_layout(cell)
        return in_order(sizes) if given is None else Layout(sizes, given.strides(sizes))
    sharing = cell.shared
    base = open_layout_of(sharing.cell)
    if base is None:
        return None
    kind, part = sharing.kind.name, sharing.part
    if kind == "shape":
        return _formed(base, sizes)
    strides = _STRIDES[kind](base.strides, part) if kind in _STRIDES else None
    return None if strides is None else Layout(sizes, tuple(strides))


def _of_item(strides: Sequence[DimLike], key: Any) -> list[DimLike] | None:
    parts = list(key) if type(key) is tuple else [key]
    places = [k for k, part in enumerate(parts) if part is Ellipsis] or [len(parts)]
    missing = len(strides) - sum(part is not None and part is not Ellipsis for part in parts)
    parts[places[0] : places[0] + 1] = [slice(None)] * missing
    rest = iter(strides)
    found: list[DimLike] = []
    for part in parts:
        stride = 0 if part is None else next(rest)
        if type(part) is slice:
            step = 1 if part.step is None else part.step
            if not isinstance(step, (int, Dim)):
                return None
            found.append(stride * step)
        elif part is None:
            found.append(stride)
    return found


def _of_diagonal(strides: Sequence[DimLike], part: tuple[int, int, int]) -> list[DimLike]:
    axes = [axis % len(strides) for axis in part[1:]]
    return [*[s for k, s in enumerate(strides) if k not in axes], strides[axes[0]] + strides[axes[1]]]


def _of_windows(strides: Sequence[DimLike], part: tuple[int, int, int]) -> list[DimLike]:
    axis, _, step = part
    return [*[s * step if k == axis else s for k, s in enumerate(strides)], strides[axis]]


_STRIDES: dict[str, Any] = {
    "item": _of_item, "axes": lambda strides, order: [strides[k] for k in order], "diagonal": _of_diagonal,
    "strided": lambda strides, part: part[1], "windows": _of_windows,
}  # fmt: skip


def _formed(old: Layout, sizes: Sequence[DimLike]) -> Layout | None:
    """The layout of other sizes over the same elements; None if these have to be moved for it."""
    kept = [(n, s) for n, s in zip(*old, strict=True) if not _is_one(n)]
    ends, goals = ([1, *accumulate(ns, mul)] for ns in ([n for n, _ in kept], sizes))
    goals[-1] = ends[-1]  # it is known that there are as many elements
    strides: list[DimLike] = []
    start = 0
    for end in range(1, len(ends)):
        goal = next((k for k in range(len(strides) + 1, len(goals)) if same_dim(goals[k], ends[end])), None)
        if goal is None:
            continue
        group = kept[start:end]
        if not all(same_dim(s, n * t) for (_, s), (n, t) in pairwise(group)):
            return None
        stride = group[-1][1]
        own = [stride * inner for inner in in_order(sizes[len(strides) : goal]).strides]
        strides, start = [*strides, *own], end
    if start != len(kept):
        return None
    return Layout(tuple(sizes), (*strides, *[1] * (len(sizes) - len(strides))))


def _is_one(size: DimLike) -> bool:
    return isinstance(size, int) and size == 1


def takes_open_shape(cell: Storage, shape: Sequence[DimLike]) -> bool:
    """Whether the elements of a view have another shape without being moved."""
    found = open_layout_of(cell)
    return found is not None and _formed(found, shape) is not None


def is_dense_and_open(cell: Storage) -> bool:
    """Whether the elements of a view are neighbours, in their order."""
    found = open_layout_of(cell)
    if found is None:
        return False
    pairs = zip(found.sizes, found.strides, in_order(found.sizes).strides, strict=True)
    return all(_is_one(n) or same_dim(a, b) for n, a, b in pairs)
