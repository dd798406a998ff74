"""What values of a program are in the call that is captured, as far as that is known: the interpreter runs what leads
to them. An iteration's own values are unknown; in a branch they are what the branch gives if it is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....base.errors import CaptureError
from ....dygraph.tensor import Tensor
from ....ir.core import Operation, Value
from ....ir.interpret import Run
from ....ir.walk import free_values
from ..tracer import Tracer

Array = np.ndarray[Any, Any]


def example_values(tracer: Tracer, values: Sequence[Value], layers: Callable[[str], Any]) -> list[Array] | None:
    """The arrays that `values` are in this call; None if one of them is unknown.

    layers: gives what to call for a PyLayer's callback of that name; None for other callbacks.
    """
    try:
        run = Run(dict(tracer.hints or {}), _Callbacks(layers))
        run.env.update(_given(tracer))
        order = _order(values, run.env)
        with np.errstate(all="ignore"):
            for operation in order:
                run.operation(operation)
        return [np.array(run.env[v]) for v in values]
    except Exception:  # broad: whatever an operation raises for these elements, the run of the program will tell
        return None


class _Callbacks(dict[str, Any]):
    def __init__(self, layers: Callable[[str], Any]) -> None:
        super().__init__()
        self.layers = layers

    def __contains__(self, name: object) -> bool:
        return self.layers(str(name)) is not None

    def __getitem__(self, name: str) -> Any:
        return self.layers(name)


def _given(tracer: Tracer) -> dict[Value, Array]:
    """The arrays of arguments and of state."""
    found: dict[Value, Array] = {}
    for value, example in tracer.examples.items():
        array = example._copied() if isinstance(example, Tensor) else example
        if isinstance(array, np.ndarray):
            found[value] = array
    for entry in tracer.lifted.values():
        if isinstance(entry.array, np.ndarray):
            found[entry.value] = entry.array
    return found


def _order(values: Sequence[Value], known: dict[Value, Array]) -> list[Operation]:
    """The operations that lead to `values`, in order. CaptureError where a value is an iteration's."""
    order: list[Operation] = []
    seen: set[Operation] = set()
    stack: list[tuple[Value | Operation, bool]] = [(v, False) for v in reversed(values)]
    while stack:
        item, is_ready = stack.pop()
        if isinstance(item, Value):
            if item in known:
                continue
            if item.operation is None:
                raise CaptureError(f"%{item.hint} is unknown")
            item = item.operation
        if is_ready:
            order.append(item)
        elif item not in seen:
            seen.add(item)
            stack.append((item, True))
            stack += [(v, False) for v in (*item.operands, *(v for b in item.blocks for v in free_values(b)))]
    return order
