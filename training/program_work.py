"""How much arithmetic a loaded model takes: counted from its program, as it has no layers that run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dygraph.nn.layer import Layer
from ..ir.core import Operation, Program
from ..ops.dims import Dim, evaluate, product, same_dim
from ..ops.lowering import Custom, Library, Scalar
from ..ops.work import work_of

_PRODUCTS = ("conv.", "attention.")  # kernels whose work is two per multiplication with its addition


def is_loaded(layer: Layer) -> bool:
    """Whether a layer is what `jit.load` gave: one program, beside layers that only hold its parameters."""
    from ..jit.serialize.load import TranslatedLayer  # networks are summed up without the loader

    return isinstance(layer, TranslatedLayer)


def count_program(program: Program, inputs: Sequence[Any]) -> int | None:
    """Multiplications with additions (one each) of a run on these tensors, other operations one per element.

    None where only a run tells: of loops and branches, and of sizes that depend on values.
    """
    sizes: dict[str, int] = {}
    for value, x in zip(program.body.args[: len(program.feeds)], inputs, strict=False):
        for dim, size in zip(value.shape, x.shape, strict=True):
            if isinstance(dim, Dim):
                sizes.update({name: int(size) for name in dim.symbols() if same_dim(dim, Dim.symbol(name))})
    total = 0
    for operation in program.body.operations:
        if operation.blocks:
            return None
        count = _count(operation) if not operation.is_terminator else 0
        known = evaluate(count, sizes)
        if not isinstance(known, int):
            return None
        total += known
    return total


def _count(operation: Operation) -> Any:
    op, lowering = operation.op, operation.op.lowering
    if isinstance(lowering, Scalar):
        return product(operation.results[0].shape)
    work = work_of(op, [v.type for v in operation.operands], [v.type for v in operation.results], operation.attrs) or 0
    doubled = isinstance(lowering, Library) or (isinstance(lowering, Custom) and lowering.name.startswith(_PRODUCTS))
    return work // 2 if doubled else work
