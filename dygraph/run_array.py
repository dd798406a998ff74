"""`t.numpy()` of a captured function: an array whose elements only a run of the program knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.op import OPS
from .given_array import GivenArray
from .tensor import Tensor


class RunArray(GivenArray):
    """A tensor that stands for a NumPy array, without a gradient.

    It may be compared, indexed, iterated, tested, counted to (`range`), combined with tensors, and added to, subtracted
    from or multiplied by numbers of its category. All else, where NumPy's rules differ from those of tensors, is
    refused (jit/trace/arrays/traced_arrays.py). A captured function that returns it gives its caller an array.
    converted: its dtype was chosen by hand, so that arithmetic with numbers isn't followed any further.
    """

    converted: bool = False

    @property
    def shape(self) -> Any:
        """The sizes of the axes, a tuple as NumPy's."""
        return tuple(self._storage.payload.shape)

    def __getitem__(self, index: Any) -> Any:
        """Parts, as NumPy picks them; of arrays in the key the elements alone count."""
        keys = index if isinstance(index, tuple) else (index,)
        if not any(isinstance(key, (GivenArray, np.ndarray, list)) for key in keys):
            return super().__getitem__(index)
        given = tuple(key.detach() if isinstance(key, GivenArray) else key for key in keys)
        found = Tensor.__getitem__(self, given)
        return array_over(found.detach(), self.converted)

    def snapshot(self, *, private: bool = False) -> RunArray:
        """An array with the elements of now, for the end of a path."""
        return array_over(super().snapshot(private=private), self.converted)

    def copy(self, order: str = "C") -> RunArray:
        """An array of its own."""
        return array_over(OPS["assign"](self.detach()), self.converted)


def array_over(x: Tensor, converted: bool = False) -> RunArray:
    """`x`, which is without a gradient, as an array."""
    made = RunArray.__new__(RunArray)
    made._storage, made._dtype = x._storage, x._dtype
    made.converted = converted
    return made
