"""What the compiler has to know of the calls in a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ...ops.kernel_expressions import CallExpr
from .statements import For, LoopKind, Statement, nodes, statements

Unroll: TypeAlias = Literal["early", "late", "never"]

# Families whose loops run over rows of a tile, one or two vectors long.
TILES = frozenset({"transpose", "tile", "outer", "inner", "tiles_out"})

# Arguments of calls of tiles that they use outside of their innermost loops: counts, distances of images and of rows of
# results. How far apart the rows of the first factor are is asked for in every step.
_FREE_ARGUMENTS = {
    "outer": frozenset({4, 5, 13}), "inner": frozenset({4, 5, 11, 14, 17}), "pairs": frozenset(range(1, 7)),
}  # fmt: skip


def free_arguments(call: CallExpr) -> frozenset[int]:
    """The numbers of the arguments of a tile that LLVM needn't know."""
    return _FREE_ARGUMENTS.get(family_of(call), frozenset())


def family_of(call: CallExpr) -> str:
    """The function without the type of its elements.

    >>> family_of(CallExpr("multiply_add_f32", ()))
    'multiply_add'
    """
    family, _, element = call.function.rpartition("_")
    return family if element[:1] in "fiu" and element[1:].isdigit() else call.function


def unroll_of(body: Sequence[Statement]) -> Unroll:
    """When LLVM unrolls the loops of a kernel: before it looks for vectors ("early"), behind that, or never.

    Loops over a block in registers must become vectors first; loops over a tile would be unrolled before LLVM looks.
    """
    if any(isinstance(loop, For) and loop.kind is LoopKind.BLOCK for loop in statements(body)):
        return "late"
    in_tiles = any(isinstance(part, CallExpr) and family_of(part) in TILES for part in nodes(body))
    return "never" if in_tiles else "early"
