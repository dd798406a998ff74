"""The elements of a tensor as Python values and arrays. Under a trace the tracer is asked (`concretize`).

The half of the Tensor that looks at its payload; tensor.py has the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.boundary import shorten
from ..base.dtype import DType, leaving
from ..base.errors import ArgumentError, CaptureError, DTypeError, NoSequenceError, VitrifyError
from ..ops.arith import Arithmetic
from ..ops.dispatch import current
from ..ops.infer import show_shape
from . import storage as cells
from .storage import Storage


class TensorConversions(Arithmetic):
    """What Python's and NumPy's conversions ask of a tensor."""

    _storage: Storage
    _dtype: DType

    if TYPE_CHECKING:  # most methods are attached from the op table, out of a type checker's sight

        def __getattr__(self, name: str) -> Any: ...

    def _elements(self, kind: str) -> Any:
        """The array; under a trace what the tracer makes of a conversion to `kind` ("bool", "int", "numpy", ...)."""
        payload = self._storage.payload
        concrete = type(payload) is np.ndarray
        if concrete and cells.on_share is None:  # no trace runs anywhere
            return payload
        asked = current().concretize(self, kind)
        if asked is not NotImplemented:
            return asked
        if not concrete:
            raise escaped(self, f"{kind}()")
        return payload

    def numpy(self, writable: bool = True) -> Any:
        """A copy of the elements as an array; always one that can be written."""
        found = self._copied()
        return found if isinstance(found, TensorConversions) else leaving(found)

    def _copied(self) -> Any:
        """A copy of the elements for this package's own use: bfloat16 numbers stay numbers."""
        found = self._elements("numpy")
        return found if isinstance(found, TensorConversions) else np.array(found)

    def item(self, *index: Any) -> Any:
        """One element as a Python number: the only one, or the one at `index`."""
        if index and type(self._storage.payload) is not np.ndarray:
            place = index[0] if isinstance(index[0], tuple) else index
            whole: Any = self.reshape([-1]) if len(place) == 1 else self
            return whole[tuple(place)].item()
        try:
            return _item(self._elements("item"), index, self)
        except VitrifyError as error:
            shorten(error)
            raise

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        found = self._elements("tolist")
        return found if isinstance(found, (list, TensorConversions)) else found.tolist()

    def _number(self, kind: type) -> Any:
        try:
            found = self._elements(kind.__name__)
            return kind(_item(found, (), self)) if isinstance(found, np.ndarray) else found
        except VitrifyError as error:
            shorten(error)
            raise

    def __bool__(self) -> bool:
        return bool(self._number(bool))

    def __int__(self) -> int:
        return int(self._number(int))

    def __float__(self) -> float:
        return float(self._number(float))

    def __complex__(self) -> complex:
        return complex(self._number(complex))

    def __index__(self) -> int:
        if not (self._dtype.is_integer or self._dtype.is_bool):
            raise DTypeError(f"a {self._dtype.name} tensor can't be an index", remedy='convert with astype("int64")')
        return int(self._number(int))

    def __len__(self) -> int:
        if not self.ndim:
            raise NoSequenceError("a tensor of rank 0 has no length")
        return self.shape[0]  # type: ignore[no-any-return]

    def __contains__(self, value: object) -> bool:
        return bool((self._elements("in") == _plain(value)).any())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = leaving(self._elements("array"))
        if copy is False:
            if dtype is not None and np.dtype(dtype) != array.dtype:
                raise ArgumentError(f"{self._dtype.name} can't become {np.dtype(dtype)} without a copy")
            self._storage.share()
            array = array.view()
            array.flags.writeable = False
            return array
        return np.array(array, dtype)

    def __dlpack__(self, **options: Any) -> Any:
        array = self._elements("dlpack")
        self._storage.share()
        return array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def escaped(x: Any, where: str) -> CaptureError:
    """The error for a tensor of a trace that is used after or outside its trace."""
    what = f"f{x.shape}" if not isinstance(x, TensorConversions) else f"{x._dtype.short}{show_shape(x.shape)}"
    made = (
        getattr(getattr(x._storage, "payload", None), "operation", None) if isinstance(x, TensorConversions) else None
    )
    origin = f"\n  made here\n{made.loc.excerpt()}\n  used here" if made is not None and made.loc.file else ""
    return CaptureError(
        f"{where} got a tensor ({what}) that stands for a value inside a captured function; it escaped from its trace"
        + origin,
        remedy="return it from the function instead of storing it in an outer variable",
    )


def _plain(value: Any) -> Any:
    return value._elements("in") if isinstance(value, TensorConversions) else value


def _item(array: Any, index: tuple[int, ...], tensor: TensorConversions) -> Any:
    if not isinstance(array, np.ndarray):
        return array
    if not index and array.size != 1:
        raise ArgumentError(
            f"a tensor of {array.size} elements (shape {show_shape(tensor.shape)}) isn't one number",
            remedy="reduce it with any(), all() or sum(), or pick one element",
        )
    return array.item(*index)
