"""`x[key]` for ints, slices, None and an Ellipsis: a view, as NumPy cuts it, with one node. Other keys are ops.

No key is kept of such calls: each place of a loop would be a call of its own.
"""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from ..base.boundary import shorten
from ..base.errors import VitrifyError
from ..ops.dispatch import bottoms, interpreters
from ..ops.indexing import getitem, setitem
from . import storage as cells
from .call_cache import EAGER
from .cuts import record_cut
from .modes import is_recording
from .new_tensors import cut_of, part_of
from .saved import hooks as saving
from .tape import UnreadOperand
from .tensor import Parameter, Tensor
from .view_writes import is_untracked, write_array
from .views import ITEM, link, plain_key

_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))
_BOUNDS = frozenset((int, type(None)))


def _is_basic(key: Any) -> bool:
    """Whether NumPy cuts by a key, which later writes don't reach."""
    kind = type(key)
    if kind is slice:
        return type(key.start) in _BOUNDS and type(key.stop) in _BOUNDS and type(key.step) in _BOUNDS
    if kind is not tuple:
        return kind in _BASIC
    for part in key:
        if type(part) is slice:
            if not (type(part.start) in _BOUNDS and type(part.stop) in _BOUNDS and type(part.step) in _BOUNDS):
                return False
        elif type(part) not in _BASIC:
            return False
    return True


def _getitem(self: Tensor, index: Any) -> Any:
    """The elements that `index` names: ints, slices, None, an Ellipsis, integer and bool tensors."""
    try:
        if (type(index) is int or _is_basic(index)) and not interpreters() and bottoms[0] is EAGER and not saving:
            array, kind = self._storage.payload, type(self)
            asks = not self._stop and is_recording()
            # gradients of integers follow the rules of the rows
            if (
                type(array) is ndarray
                and (kind is Tensor or kind is Parameter)
                and not (asks and self._dtype.category < 2)
            ):
                try:
                    cut = array[index]
                except (IndexError, ValueError, TypeError):
                    pass  # the function itself says what is wrong
                else:
                    if type(index) is int and type(cut) is ndarray:
                        made = part_of(self, cut, ITEM, index, True)
                    else:
                        made = cut_of(self, cut, ITEM, index)
                    if asks:
                        specs = (UnreadOperand(self._dtype, made._storage.payload.shape),)
                        record_cut(made, self, ITEM, index, "getitem", specs, 3)
                    return made
        made = getitem(self, index)
        if type(made) is Tensor and (key := plain_key(self, index)) is not None:
            link(self, made, ITEM, key)
        return made
    except VitrifyError as error:
        shorten(error)
        raise


# by types of numbers, the categories of dtypes that take them as they are
_NUMBERS: dict[Any, tuple[int, ...]] = {float: (2,), int: (1, 2), bool: (0,)}


def _setitem(self: Tensor, index: Any, value: Any) -> None:
    """Write `value`, which broadcasts and takes this dtype, into the elements that `index` names."""
    if (type(index) is int or _is_basic(index)) and _has_written(self, index, value):
        return
    try:
        self._update(setitem, (index, value), {})
    except VitrifyError as error:
        shorten(error)
        raise


def _has_written(x: Tensor, key: Any, value: Any) -> bool:
    """Put an array or a number into the memory of a tensor, where nothing else has to be done."""
    kind = type(x)
    if interpreters() or bottoms[0] is not EAGER or cells.on_write is not None:
        return False
    if (kind is not Tensor and kind is not Parameter) or type(x._storage.payload) is not ndarray:
        return False
    kind = type(value)
    if kind is Tensor or kind is Parameter:
        if value._dtype is not x._dtype or type(value._storage.payload) is not ndarray:
            return False
        if is_recording() and not (value._stop and is_untracked(x)):
            return False
        value = value._storage.payload
    elif x._dtype.category not in _NUMBERS.get(kind, ()) or (is_recording() and not is_untracked(x)):
        return False
    try:
        write_array(x._storage, value, key)
    except (IndexError, ValueError, TypeError, OverflowError):
        return False  # the function itself says what is wrong
    return True


Tensor.__getitem__ = _getitem  # type: ignore[method-assign]
Tensor.__setitem__ = _setitem  # type: ignore[method-assign]
