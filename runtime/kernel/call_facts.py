"""What the compiler has to know of the calls in a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ...base.target import current_target
from ...ops.kernel_expressions import CallExpr
from .loop_facts import iterations
from .statements import Do, For, LoopKind, Statement, WhileLoop, statements

Unroll: TypeAlias = Literal["early", "late", "again", "never"]

# Families whose loops run over rows of a tile, one or two vectors long.
TILES = frozenset({"transpose", "tile", "outer", "inner", "tiles_out"})

# Arguments of calls that they use outside of their innermost loops: counts, distances of images and of rows of
# results. How far apart the rows of the first factor are is asked for in every step.
_FREE_ARGUMENTS = {
    "outer": frozenset({5, 6, 14}), "inner": frozenset({4, 5, 11, 14, 17}), "pairs": frozenset(range(1, 7)),
    "gemv_transposed": frozenset({0, 1}), "shifted": frozenset({4, 5, 6, 9, 12}), "columns": frozenset({1, 3, 7, 8}),
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

    Loops over a block in registers must become vectors first ("late"); where they stand in loops whose length changes,
    all passes run once more behind that ("again"). Loops over a tile would be unrolled before LLVM looks, and where all
    innermost loops are long, copies of them cost time to compile and nothing else.
    """
    if any(isinstance(loop, For) and loop.kind is LoopKind.BLOCK for loop in statements(body)):
        return "again" if any(isinstance(loop, WhileLoop) for loop in statements(body)) else "late"
    innermost = [loop for loop in statements(body) if isinstance(loop, For) and not _holds_loops(loop)]
    return "never" if works_in_tiles(body) or (innermost and all(map(_is_long, innermost))) else "early"


def works_in_tiles(body: Sequence[Statement]) -> bool:
    """Whether a kernel's innermost loops are those of tiles."""
    return any(isinstance(inner, Do) and family_of(inner.call) in TILES for inner in statements(body))


def _holds_loops(loop: For) -> bool:
    return any(isinstance(inner, For | WhileLoop) for inner in statements(loop.body))


def _is_long(loop: For) -> bool:
    """Whether a loop runs often enough for several vectors at once, as far as it says."""
    count = iterations(loop)
    return count is None or count >= current_target().long_loop
