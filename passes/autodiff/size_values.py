"""Run-time sizes in gradients: a backward block that names a size of the forward block is told it, as a value is.

The forward block ends with `dim_value`, the backward one begins with `bind_size` of that; in between the value travels
as any other residual does (residuals.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.builder import Builder
from ...ir.core import Block, Value
from ...ir.dynamic_sizes import definers, mentioned, told_by
from ...ir.walk import walk
from ...ops.dims import Dim, same_shape
from ...ops.op import OPS
from ...ops.sizes import any_issued, runtime_names
from ...ops.types import TensorType, ValueType


def fitted(value: Value, kind: ValueType) -> Value:
    """A gradient in the type of what it is the gradient of: where only a run knows the sizes, names may differ."""
    if not isinstance(kind, TensorType) or not any_issued() or same_shape(value.shape, kind.shape):
        return value
    if len(value.shape) != kind.rank or not (runtime_names(value.type) or runtime_names(kind)):
        return value
    made: Value = OPS["reshape"](value, kind.shape)
    return made


def unknown_names(block: Block) -> set[str]:
    """The sizes that a block, or a block inside it, names but doesn't define."""
    if not any_issued():
        return set()
    named = {name for operation in walk(block) for name in mentioned(operation)}
    return named - definers(block).keys()


def tell_sizes(forward: Block, backward: Block, more: Iterable[Value] = (), repeated: Iterable[Value] = ()) -> None:
    """Let `backward` know the sizes of `forward` that it names: by reads of forward values, which are residuals then.

    more: values of `forward` whose types it will name besides; repeated: those that it will compute again.
    """
    names = unknown_names(backward)
    for value in more:
        names |= runtime_names(value.type)
    if not names:
        return
    names &= definers(forward).keys() - told_by(repeated).keys()
    end = Builder(forward, before=forward.terminator)
    end.loc = forward.terminator.loc
    values = {name: end.apply(OPS["dim_value"], (), {"dim": Dim.symbol(name)}) for name in sorted(names)}
    put_sizes(backward, values)


def put_sizes(block: Block, values: dict[str, Value]) -> None:
    """Begin a block by saying what some sizes are."""
    if not block.operations:
        return
    start = Builder(block, before=block.operations[0])
    for name, value in values.items():
        start.apply(OPS["bind_size"], (value,), {"defines": (Dim.symbol(name),)})
