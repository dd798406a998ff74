"""Leading sizes of a network's arguments: open from its first call, so that another batch runs the same program.

Which axes will differ isn't known at a first call. Networks (functions that read parameters) are called with batches,
and their kernels are as fast with a leading size that is an argument (decision 0055). So such a function is traced with
these sizes open, and that trace is kept where it has the same operations on arrays as one without, and no condition
that pins a size. Other functions keep the sizes that they are called with until one differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any

from ..dygraph.nn.layer import Layer
from ..dygraph.optimizer.optimizer import Optimizer
from ..ir.core import Block, Operation, Value
from ..ir.walk import walk
from ..ops.control import if_
from ..ops.effects import Effect
from ..ops.sizes import is_divisibility
from ..ops.types import TensorType
from .call.cache import Family
from .call.known_sizes import Place, Shapes
from .trace.reachable import roots_of
from .trace.traced import Trace


def places_to_open(family: Family, shapes: Shapes) -> set[Place]:
    """The leading axes of arguments at a family's first call, where nobody said which sizes are open.

    A size of 1 may broadcast, and one of 0 holds nothing: they stay.
    """
    if family.entries or family.dynamic or family.static_only or any(family.specs):
        return set()
    return {(k, 0) for k, shape in enumerate(shapes) if shape and shape[0] > 1}


def names_network(function: Callable[..., Any]) -> bool:
    """Whether a function is a layer's, or names a layer or an optimizer: most likely, its trace reads parameters."""
    if isinstance(function, MethodType) and isinstance(function.__self__, Layer):
        return True
    return any(isinstance(root, (Layer, Optimizer)) for root in roots_of([function]))


def is_network(trace: Trace) -> bool:
    """Whether a trace reads parameters."""
    return any(entry.role == "parameter" for entry in trace.state)


def is_plain(opened: Trace) -> bool:
    """Whether a network's trace with open sizes needs no comparison: none of them decides anything.

    What decides is the condition of an `if`, where it is made of sizes alone, or the number of a loop's iterations.
    """
    return is_network(opened) and _is_general(opened) and all(map(_is_by_data, walk(opened.program.body)))


def _is_by_data(operation: Operation) -> bool:
    """Whether an operation has no blocks, or chooses one by what a run computes of elements or draws."""
    return not operation.blocks or (operation.op is if_ and _reads_elements(operation.operands[0]))


def _reads_elements(value: Value) -> bool:
    """Whether a value is made of more than constants and sizes, so that no trace knows it."""
    met, stack = {value}, [value]
    while stack:
        operation = stack.pop().operation
        if operation is None or operation.blocks or operation.op.effect is not Effect.PURE:
            return True
        new = set(operation.operands) - met
        met |= new
        stack += new
    return False


def leaves_nothing(trace: Trace) -> bool:
    """Whether a trace made nothing outside of itself that is dropped with it: layers, hooks, random numbers."""
    return not trace.new_state and not trace.hooks and not trace.of_one_call


def is_same(trace: Trace, opened: Trace) -> bool:
    """Whether a trace with open sizes has the operations of one without, and holds for all sizes but 0 and 1."""
    return _is_general(opened) and _operations(trace.program.body) == _operations(opened.program.body)


def _is_general(opened: Trace) -> bool:
    return not opened.known and all(r != "==" or is_divisibility(d) for r, d in opened.program.constraints)


def _operations(block: Block) -> Sequence[Any]:
    """The operations of a block by name, those of inner blocks within; without arithmetic of single numbers."""
    return [(o.op, *map(_operations, o.blocks)) for o in block.operations if o.blocks or not _is_of_numbers(o)]


def _is_of_numbers(operation: Operation) -> bool:
    """Whether all that it reads and makes is single numbers: what is computed of sizes is constant where they are."""
    values = [*operation.operands, *operation.results]
    return all(isinstance(v.type, TensorType) and not v.type.shape for v in values)
