"""The tracer that whole functions are recorded by: the plain one (tracer.py), with loops, branches and PyLayers.

Converters speak to the plain tracer; what it needs of them is joined here, above both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.pytree import map_leaves
from ..dygraph.number import Number
from ..ir.core import Value
from .converters.for_loop import repeated
from .converters.regions.branches import run_branches
from .converters.regions.extras import decided_gradient
from .converters.regions.markers import Poison
from .trace.gradients.traced_pylayer import trace_layer
from .trace.state.traced_numbers import as_python
from .trace.tracer import Tracer


class ConstructTracer(Tracer):
    """Records one program, constructs of Python included."""

    def repeat(self, count: Any, step: Callable[[Any, Any], Any], state: Any) -> Any:
        """`state = step(k, state)` for k below `count`, a number that only a run knows, as a loop of the program."""
        return repeated(self, count, step, state)

    def run_where(self, flag: Value, update: Callable[[], None]) -> None:
        """Record `update()` so that a run does it only where `flag` holds."""
        run_branches(self, flag, update, _nothing, functions=(_nothing,))

    def decided(self, value: Any) -> Any:
        """A value that Python code looks at: paths diverge here if it is one or another."""
        return value.fail() if isinstance(value, Poison) else value

    def decided_gradient(self, tensor: Any, grad: Any) -> Any:
        """A gradient for Python code that looks at it: where only some runs have it, paths diverge here."""
        return decided_gradient(self, tensor, grad)

    def py_layer(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A PyLayer becomes a callback (see traced_pylayer.py)."""
        return trace_layer(self, cls, *map_leaves(as_python, (args, kwargs), lambda v: type(v) is Number))


def _nothing() -> None:
    pass
