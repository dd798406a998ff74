"""`x[key]` for ints, slices, None and an Ellipsis: a view, as NumPy cuts it, with one node. Other keys are ops.

No key is kept of such calls: each place of a loop would be a call of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ..base.boundary import shorten
from ..base.errors import VitrifyError
from ..ops.dispatch import bottoms, interpreters
from ..ops.indexing import getitem
from .call_cache import EAGER
from .modes import is_recording
from .new_tensors import fresh, result
from .places import user_place
from .plans import gradients_again
from .saved import hooks as saving
from .tape import Node, UnreadOperand, next_order
from .tensor import Parameter, Tensor
from .views import ITEM, link, plain_key

_new: Any = object.__new__
_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))
_BOUNDS = frozenset((int, type(None)))
_cutting: Callable[..., Any] = vars(getitem)["__wrapped__"]  # as ops, without a plan


class ItemNode(Node):
    """A cut of a tensor."""

    __slots__ = ("key", "shape", "x")

    key: Any
    shape: tuple[int, ...]  # of the tensor when it was cut
    x: Tensor | None

    @property
    def name(self) -> str:
        return "getitem"

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        assert self.x is not None
        if is_recording():
            return gradients_again(_cutting, (self.x, self.key), {}, grads)
        whole = np.zeros(self.shape, self.x._dtype.numpy)
        whole[self.key] = grads[0]._storage.payload
        return [fresh(whole, self.x._dtype)]

    def release(self) -> None:
        self.released = True
        self.x = None


def _item(x: Tensor, key: Any) -> Tensor | None:
    """`x[key]`; None for keys that NumPy doesn't cut by, and for those that it refuses."""
    array = x._storage.payload
    kind = type(key)
    if kind is tuple:
        for part in key:
            if type(part) not in _BASIC or (type(part) is slice and not _is_plain(part)):
                return None
    elif kind not in _BASIC or (kind is slice and not _is_plain(key)):
        return None
    asks = not x._stop and is_recording()
    if type(array) is not ndarray or (asks and x._dtype.category < 2):
        return None  # gradients of integers follow the rules of the rows
    try:
        cut = array[key]
    except (IndexError, ValueError, TypeError):
        return None  # the function itself says what is wrong
    if type(cut) is not ndarray:
        made = fresh(np.asarray(cut), x._dtype)  # a number
    elif not cut.flags.c_contiguous:
        made = fresh(cut.copy("C"), x._dtype)
    else:
        made = fresh(cut, x._dtype)
    if type(x) is Tensor or type(x) is Parameter:
        link(x, made, ITEM, key)
    elif cut is made._storage.payload:
        made = result(cut, (x,))
    if asks and x._dtype.category >= 2:
        node = _new(ItemNode)
        node.x, node.key, node.shape = x, key, array.shape
        above = x._node
        node.edges = ((x, 0) if above is None else (above, x._slot),)
        node.specs = (UnreadOperand(x._dtype, made._storage.payload.shape),)
        node.order, node.place = next_order(), user_place()
        node.hooks = node.retained = None
        node.released = False
        made._stop, made._node, made._slot = False, node, 0
    return made


def _is_plain(part: slice) -> bool:
    return type(part.start) in _BOUNDS and type(part.stop) in _BOUNDS and type(part.step) in _BOUNDS


def _getitem(self: Tensor, index: Any) -> Any:
    """The elements that `index` names: ints, slices, None, an Ellipsis, integer and bool tensors."""
    try:
        if not interpreters() and bottoms[0] is EAGER and not saving:
            made = _item(self, index)
            if made is not None:
                return made
        made = getitem(self, index)
        if type(made) is Tensor and (key := plain_key(self, index)) is not None:
            link(self, made, ITEM, key)
        return made
    except VitrifyError as error:
        shorten(error)
        raise


Tensor.__getitem__ = _getitem  # type: ignore[method-assign]
