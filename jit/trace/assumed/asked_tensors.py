"""What code asks of tensors from outside besides their elements: sizes, `stop_gradient`, whether there is a `.grad`.

The answers are those of one call: the program is used again where they are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....base.location import is_library_file
from ....dygraph.tensor import Parameter, Tensor
from ..traced import Assumption

_BUILTINS = "jit/converters/stdlib/builtin.py"  # it reads attributes for code that calls `getattr`
_TRAINABLE = Parameter.trainable.fget.__code__  # type: ignore[attr-defined]


class AskedTensors:
    """The tensors from outside that a trace was asked about, with the answers from before it."""

    def __init__(self) -> None:
        self.sizes: dict[int, Tensor] = {}  # by the identity of their cells
        self.stops: dict[int, tuple[Tensor, bool]] = {}  # by their own; `stop_gradient`
        self.names: dict[int, tuple[Tensor, str]] = {}
        self.grads: dict[int, tuple[Tensor, bool, bool]] = {}  # whether `.grad` is None; whether nothing is added to

    def __contains__(self, x: Tensor) -> bool:
        return id(x._storage) in self.sizes or id(x) in self.stops or id(x) in self.grads

    def grad(self, x: Tensor) -> None:
        """Code reads the `.grad` that there was before the call."""
        self.grads.setdefault(id(x), (x, x._grad is None and not x._grad_is_zero, x._grad is None))

    def assumptions(self) -> Iterator[Assumption]:
        """That gradients are there or not as they were, and names are."""
        yield from (Assumption("attribute", x, "name", name) for x, name in self.names.values())
        for x, absent, first in self.grads.values():
            yield Assumption("grad", x, f"{x.name}.grad", absent)
            yield Assumption("added", x, f"{x.name}.grad", first)

    def fact(self, x: Tensor, itself: Any) -> tuple[Callable[[Any], Any], Any]:
        """Of a tensor in whose place another one may stand: what is to be so of that one, and what is of `x` itself.

        itself: the tensor, where it has to be the very one.
        """
        if itself is x:
            return _itself, x
        if x not in self:
            return kind_of_tensor, (type(x), x._dtype)
        stop, grad = id(x) in self.stops, id(x) in self.grads
        sizes = id(x._storage) in self.sizes and isinstance(x._storage.payload, np.ndarray)

        def read(now: Any) -> Any:
            if not isinstance(now, Tensor):
                return type(now)
            absent = grad and now._grad is None and not now._grad_is_zero
            return *kind_of_tensor(now), now._storage.payload.shape if sizes else (), stop and now._stop, absent

        before = *kind_of_tensor(x), x._storage.payload.shape if sizes else (), stop and self.stops[id(x)][1]
        return read, (*before, grad and self.grads[id(x)][1])


def kind_of_tensor(now: Any) -> Any:
    """The class and dtype of a tensor; the class of what is none."""
    return (type(now), now._dtype) if isinstance(now, Tensor) else type(now)


def _itself(now: Any) -> Any:
    return now


def is_asked_by_user() -> bool:
    """Whether the code that reads an attribute of a tensor, three frames up, is the user's own."""
    frame = sys._getframe(3)
    if frame.f_code is _TRAINABLE and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename.endswith(_BUILTINS) or not is_library_file(frame.f_code.co_filename)
