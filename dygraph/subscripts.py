"""`x[key]` for ints, slices, None and an Ellipsis: a view, as NumPy cuts it, with one node. Other keys are ops.

No key is kept of such calls: each place of a loop would be a call of its own.
"""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from ..base.boundary import shorten
from ..base.errors import VitrifyError
from ..ops.dispatch import bottoms, interpreters
from ..ops.indexing import getitem
from .call_cache import EAGER
from .cuts import record_cut
from .modes import is_recording
from .new_tensors import part_of, result
from .saved import hooks as saving
from .tensor import Parameter, Tensor
from .views import ITEM, link, plain_key

_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))
_BOUNDS = frozenset((int, type(None)))


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
    made = part_of(x, cut, ITEM, key) if type(x) is Tensor or type(x) is Parameter else result(cut, (x,))
    if asks:
        record_cut(made, x, ITEM, key, "getitem")
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
