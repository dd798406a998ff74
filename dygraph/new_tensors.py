"""The tensors that eager mode and compiled calls make of their results: the one place that builds them.

`fresh` is for memory that nobody else has, `result` for any array that a kernel gave, which may be an operand or a
view of one. Stubs print the statements of `fresh` instead of calling it (`fresh_lines`).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ..base.dtype import DType, entering, of_array
from .storage import Sharing, Storage
from .tensor import Tensor

FRESH_NAMES: dict[str, Any] = {
    "new": object.__new__,
    "Tensor": Tensor,
    "Storage": Storage,
}  # what `fresh_lines` refers to

_dtypes: dict[Any, DType] = {}
_new: Any = object.__new__
_ref = weakref.ref


def fresh(array: Any, dtype: DType) -> Tensor:
    """A tensor over a contiguous array that nobody else has."""
    made: Tensor = _new(Tensor)
    made._dtype = dtype
    cell = made._storage = _new(Storage)
    cell.payload, cell.version, cell.place, cell.shared = array, 0, None, False
    return made


def part_of(x: Tensor, array: Any, kind: Any, part: Any, dense: bool) -> Tensor:
    """A view of the tensor `x`, which holds an array that is cut to `array` (see views.py), a contiguous one.

    dense: whether its elements are neighbours in the memory of `x`.
    """
    made: Tensor = _new(Tensor)
    made._dtype = x._dtype
    own = made._storage = _new(Storage)
    own.payload = array
    own.place = None
    cell = x._storage
    own.version = cell.version
    sharing: Any = cell.shared
    if sharing.__class__ is not Sharing:
        sharing = cell.shared = Sharing(sharing)
    mine = own.shared = _new(Sharing)
    mine.base = x
    mine.cell = cell
    mine.kind = kind
    mine.part = part
    mine.parts = ()
    mine.others = mine.fresh = False
    mine.dense = dense and sharing.is_plain()
    ref = mine.me = _ref(made)
    parts = sharing.parts
    if len(parts) == 1 and parts[0]() is None:  # the usual case of `append`
        parts[0] = ref
        sharing.stale = 0
    else:
        sharing.append(ref)
    if not sharing.fresh:
        sharing.show_fresh()
    return made


def cut_of(x: Tensor, array: Any, kind: Any, part: Any) -> Tensor:
    """`part_of` for an array in any order, or a number."""
    if type(array) is not ndarray:
        return part_of(x, np.asarray(array), kind, part, False)
    if array.flags.c_contiguous:
        return part_of(x, array, kind, part, True)
    return part_of(x, array.copy("C"), kind, part, False)


def fresh_lines(tensor: str, array: str, dtype: str, shared: str = "False") -> list[str]:
    """The statements of `fresh` for variables of these names; `shared`: the expression for `Storage.shared`."""
    return [
        f"{tensor} = new(Tensor)",
        f"{tensor}._dtype = {dtype}",
        f"cell = {tensor}._storage = new(Storage)",
        f"cell.payload = {array}",
        "cell.version = 0",
        "cell.place = None",
        f"cell.shared = {shared}",
    ]


def from_array(array: Any, dtype: DType | None = None, *, shared: bool = False) -> Tensor:
    """A tensor over `array` itself (a contiguous, aligned copy if need be); `shared`: others may see its memory."""
    if dtype is None:
        array = entering(array)
    if not (array.flags.c_contiguous and array.flags.aligned):
        array, shared = array.copy("C"), False
    made = fresh(array, dtype or of_array(array))
    made._storage.shared = shared
    return made


def result(made: Any, operands: Sequence[Any]) -> Tensor:
    """A tensor over what a kernel made of `operands`: an array, a number, an operand's array or a view of one."""
    if type(made) is not ndarray:
        made = np.asarray(made)
    if not (made.flags.c_contiguous and made.flags.aligned):
        made = made.copy("C")
    try:
        dtype = _dtypes[made.dtype]
    except KeyError:
        dtype = _dtypes[made.dtype] = of_array(made)
    tensor = fresh(made, dtype)
    if not operands:  # a row without operands may hand out an array that it keeps
        tensor._storage.shared = True
    if made.base is not None or any(x._storage.payload is made for x in operands):
        tensor._storage.shared = _mark_aliases(made, operands)
    return tensor


def _mark_aliases(made: Any, operands: Sequence[Any]) -> bool:
    """Whether `made` shares memory with an operand (which is told so) or with memory of unknown owners."""
    root = _root(made)
    shared = type(root) is not ndarray or not made.flags.writeable
    for x in operands:
        if _root(x._storage.payload) is root:
            shared = True
            x._storage.share()
    return shared


def _root(array: Any) -> Any:
    while type(array) is ndarray and array.base is not None:
        array = array.base
    return array
