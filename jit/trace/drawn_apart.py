"""Numbers that eager mode draws while a function is captured: the first values of layers that the function makes.

The program is one for this call then, as the next call draws other ones. So its stream is known: where the program has
drawn before, the state is computed from that of the call, and the program moves on by what eager mode draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import CaptureError
from ...base.location import Loc, caller_loc
from ...dygraph.tensor import Tensor
from ...ir.core import Value
from ...ir.known_numbers import evaluated
from ...ops.effects import Effect
from ...ops.types import TensorType


class DrawnApart:
    """The draws of one trace."""

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.known: dict[Value, Any] = {}
        self.first: Loc | None = None  # of the draws

    def state_of(self, state: Tensor) -> Any:
        """What a generator's state holds. Errors: CaptureError where only a run knows it."""
        self.first = self.first or caller_loc()
        payload = state._storage.payload
        array = self._array(payload) if isinstance(payload, Value) else np.array(payload)
        if array is None:
            raise CaptureError(
                "first values of a layer are drawn where only a run knows how many random numbers were drawn before",
                loc=caller_loc(),
                remedy="make the layer outside of the compiled function, or before the condition or loop that draws",
            )
        return array

    def _array(self, value: Value) -> Any:
        if value not in self.known:
            self.known[value] = self._computed(value)
        return self.known[value]

    def _computed(self, value: Value) -> Any:
        for entry in self.tracer.lifted.values():
            if entry.value is value:
                return entry.array
        made, kind = value.operation, value.type
        if made is None or made.blocks or made.op.effect is not Effect.PURE or not isinstance(kind, TensorType):
            return None
        arrays = [self._array(operand) for operand in made.operands]
        return None if any(a is None for a in arrays) else evaluated(made, arrays, kind)
