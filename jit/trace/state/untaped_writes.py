"""In-place writes that the tape doesn't record: under `no_grad`, or through a detached alias.

Such a write changes the elements that other names of the memory see, and leaves those names where they are in the
graph: gradients flow on as if nothing had been written. In a program the new value takes the gradient of the old one.
"""

from __future__ import annotations

from typing import Any

from ....dygraph.modes import is_recording
from ....dygraph.storage import Storage
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ....ops.op import OPS


class UntapedWrites:
    """The cells that were written so in the outermost block: what they held before, and what they hold since."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[Storage, Value, Value, Tensor | None]] = {}

    def __bool__(self) -> bool:
        return bool(self._of)

    def holds(self, x: Tensor) -> bool:
        """Whether the memory of `x` was written so."""
        return id(x._storage) in self._of

    def written(self, tracer: Any, x: Tensor, value: Tensor, old: Any) -> Any:
        """`value` replaces the payload `old` of `x`; the payload to put there."""
        new, cell = value._storage.payload, x._storage
        if not isinstance(old, Value) or not x.dtype.is_differentiable:
            return new
        if not isinstance(new, Value):  # a tensor from outside that nothing has read yet
            new = tracer.value_of(value)
        if is_recording() and not x._stop:  # recorded: from here on `x` has the gradient of `value`
            self._of.pop(id(cell), None)
            return new
        if len(tracer.blocks) > 1:
            return straight(tracer, old, new) if not x._stop or old in tracer.reached else new
        known = self._of.get(id(cell))
        first = known[1] if known is not None and known[2] is old else old
        self._of[id(cell)] = (cell, first, new, x if is_recording() and not value._stop else None)
        return new

    def value_of(self, tracer: Any, x: Tensor, value: Value) -> Value:
        """The value of a tensor that needs a gradient, for an operation or a result."""
        source = self.source_of(x, value)
        return value if source is None else straight(tracer, source, value)

    def source_of(self, x: Tensor, value: Value) -> Value | None:
        """The value that gradients of `value` go to, where that is another one."""
        known = self._of.get(id(x._storage))
        return None if known is None or known[2] is not value or known[3] is x else known[1]


def straight(tracer: Any, old: Value, new: Value) -> Value:
    """The value `new` with the gradient of `old`."""
    made: Value = tracer.builder.apply(OPS["straight_through"], (old, new), {})
    return made
