"""Writes to tensors that are views, or have some.

A write to a view goes into the base, by the inverse of the cut; a write to the base leaves its views stale, and gives
them new places in the graph where it is recorded.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from numpy import ndarray

from ..base.errors import ArgumentError, CaptureError, DTypeError
from ..base.location import caller_loc
from ..ops.dims import same_shape
from ..ops.dispatch import is_captured
from . import storage as cells
from .modes import GradMode, is_recording
from .places import user_place
from .storage import Sharing, Storage
from .tensor import Tensor
from .views import CHAIN, STRIDED, WINDOWS, base_of, over, steps_of

_ref = weakref.ref


def write(x: Tensor, value: Tensor, fresh: bool) -> None:
    """Write `value` into a tensor that is a view or has some."""
    cell = x._storage
    sharing: Any = cell.shared
    array = value._storage.payload
    if (
        sharing.base is not None and value._dtype is x._dtype and type(array) is ndarray
        and array.shape == cell.payload.shape and cells.on_write is None
        and (not is_recording() or (value._stop and is_untracked(x))) and not _may_overlap(sharing)
    ):  # fmt: skip
        write_array(cell, array)
        return
    if value._dtype is not x._dtype:
        raise DTypeError(
            f"can't write {value._dtype.name} into a {x._dtype.name} tensor", remedy="convert with astype()"
        )
    if not same_shape(value.shape, x.shape) and (sharing.base is not None or sharing.live()):
        raise ArgumentError(
            "a tensor that is a view, or has some, can't change its shape in place", remedy="write to a clone() of it"
        )
    if sharing.base is None:
        _write_base(x, value, fresh)
        return
    base, kind, part = base_of(sharing), sharing.kind, sharing.part
    if is_recording() and base._stop and not is_untracked(base):  # only what is behind it has a gradient
        base, part = steps_of(x)
        kind = CHAIN
    if _is_leaf(base):
        _write_in_leaf(x, value, fresh)
        return
    tracked = is_recording() and not (value._stop and base._stop and x._stop)
    source = base.snapshot() if tracked else base
    base._write(kind.put(source, part, value), fresh=True)


_OVERLAPPING = (STRIDED, WINDOWS)


def _may_overlap(sharing: Any) -> bool:
    """Whether elements of a view may be one in memory: then those that weren't changed aren't written back."""
    while sharing.__class__ is Sharing and (kind := sharing.kind) is not None:
        if kind in _OVERLAPPING or (kind is CHAIN and any(step in _OVERLAPPING for step, _ in sharing.part)):
            return True
        sharing = sharing.cell.shared
    return False


def _write_in_leaf(x: Tensor, value: Tensor, fresh: bool) -> None:
    """Write into a view of a leaf that needs a gradient: the leaf has other elements, and only the view a new place."""
    with GradMode(False):
        write(x, value, fresh)
    x._node, x._slot, x.stop_gradient = value._node, value._slot, value.stop_gradient
    renew(x)


def reform(x: Tensor, cut: Callable[[Tensor], Any]) -> Tensor:
    """Give a tensor that may be a view, or have some, the form that `cut` gives: it becomes a view of what it was."""
    x._check_write()
    if is_captured():
        raise CaptureError(
            "a tensor that is a view, or has some, gets another shape in place",
            loc=caller_loc(),
            remedy="use the form that makes a new tensor: `x = x.reshape(...)`",
        )
    old = over(x._storage, x._dtype)
    old._node, old._slot, old._stop = x._node, x._slot, x._stop
    sharing: Any = x._storage.shared
    for view in sharing.live():
        if view._storage.shared.base is x:
            view._storage.shared.base = old
    if sharing.base is not None:  # what `x` has been goes on as a view
        sharing.me = _ref(old)
        sharing.cell.shared.append(sharing.me)
    made = cut(old)
    root = cells.root_of(old._storage)
    root.version, root.place = root.version + 1, user_place()
    if made is old:
        return x
    x._storage = made._storage
    x._storage.version, x._storage.place = root.version, root.place
    if cells.is_view(x._storage):
        x._storage.shared.me = _ref(x)
        x._storage.shared.cell.shared.append(x._storage.shared.me)
    cells.counters.epoch += 1
    if is_recording():
        x._node, x._slot, x.stop_gradient = made._node, made._slot, made._stop
    return x


def check(x: Tensor) -> None:
    """Errors where a tensor behind a view may not be written."""
    while cells.is_view(x._storage):
        x = base_of(x._storage.shared)
        if _is_leaf(x) and is_captured() and not (cells.is_computed is not None and cells.is_computed(x)):
            raise CaptureError(
                "a view of a leaf that needs a gradient is written", loc=caller_loc(), remedy="write to a clone() of it"
            )


def _is_leaf(x: Tensor) -> bool:
    """Whether a recorded write would make a result of a tensor that is to get a gradient."""
    return not x._stop and x._node is None and is_recording() and x._dtype.is_differentiable


def retype(x: Tensor, value: Tensor) -> None:
    """Take over data of another dtype, with the aliases from detach(): in a new cell, as tapes know the old one."""
    x._check_write()
    old = x._storage
    if cells.is_view(old) or (type(old.shared) is Sharing and old.shared.live()):
        raise ArgumentError(
            "a tensor that is a view, or has some, can't change its dtype in place", remedy="write to a clone() of it"
        )
    old.version, old.place = old.version + 1, user_place()
    made = Storage(value._storage.payload.copy())
    made.version, made.place = old.version, old.place
    for alias in (x, *cells.tensors_of(old)):
        alias._storage, alias._dtype = made, value._dtype
    cells.counters.epoch += 1
    if is_recording():
        x._node, x._slot, x.stop_gradient = value._node, value._slot, value.stop_gradient


def is_untracked(x: Tensor) -> bool:
    """Whether no gradient has to learn of a write to a tensor, which may be a view."""
    if not x._stop:
        return False
    sharing = x._storage.shared
    while sharing.__class__ is Sharing and (base := sharing.base) is not None:
        if not base._stop and base._storage is sharing.cell:
            return False
        sharing = sharing.cell.shared
    return True


def write_array(cell: Storage, array: Any, key: Any = ...) -> None:
    """Put elements, or a number, into the memory of a tensor that may be a view. key: which part of it, as NumPy cuts.

    Errors: NumPy's, for what isn't there or doesn't fit; then nothing is written.
    """
    steps: list[Sharing] = []
    sharing: Any = cell.shared
    while sharing.__class__ is Sharing and sharing.base is not None:
        steps.append(sharing)
        cell = sharing.cell
        sharing = cell.shared
    target = cell.payload
    has_views = sharing.__class__ is Sharing
    if (sharing.others if has_views else sharing) or not target.flags.writeable:
        target = target.copy()
        cell.replace(target)
    for step in reversed(steps):
        target = step.kind.of_array(target, step.part)
    target[key] = array
    cell.version += 1
    cell.place = user_place()
    if has_views:
        sharing.leave_stale()


def _write_base(x: Tensor, value: Tensor, fresh: bool) -> None:
    sharing: Any = x._storage.shared
    sharing.fresh = False  # where nobody else sees the memory it is written as it is: views are to change with it
    x._put(value, fresh)
    sharing.leave_stale()
    if is_recording() and sharing.parts and (sharing.linked or not x._stop or is_captured()):
        renew(x)


def renew(x: Tensor) -> None:
    """Give the views of a tensor that was written their places in the graph."""
    sharing = x._storage.shared
    if type(sharing) is not Sharing:
        return
    views = sharing.live()
    for view in views:
        mine = view._storage.shared
        if mine.base is not x or (x._stop and view._node is None):
            continue
        try:
            made = mine.kind.cut(x, mine.part)
        except CaptureError:
            continue  # by an index of a loop that has ended: nobody can read it
        if cells.on_renewed is not None:
            cells.on_renewed(view)
        if type(made._storage.payload) is not ndarray:
            mine.cut_from(x._storage.payload, made._storage.payload)
        view._node, view._slot, view.stop_gradient = made._node, made._slot, made._stop
        renew(view)
    if sharing.parts:
        sharing.linked = any(view._node is not None for view in views)


cells.write_among_views, cells.check_views, cells.retype = write, check, retype
