"""Kernels of a loop over elements (loop_parts.py): many iterations for one block of elements, while it is in registers.

The body kernel runs some iterations on every block, from one side of two buffers to the other, and reduces over the
block in each iteration, as if the loop went on. The control kernel then checks how many of them the loop's condition
allowed. If there were too many, the body kernel runs again with fewer. A block that an iteration left as it was has
converged: later iterations leave it so too, and cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ....base.dtype import BY_SHORT
from ....base.target import current_target
from ....ir.core import Value
from ....ops.dims import same_dim
from ....ops.kernel_expressions import ZERO, Expr, Load, Name, Operand, Pointer, expr, select
from ....ops.lowering import Index
from ....ops.types import TensorType
from ...kernel.kernel_builder import KernelBuilder
from ...kernel.kernel_call import Kernel, KernelSlot
from ..element import ElementWriter
from ..groups.folds import accumulator_of, merged
from ..parameters import Parameters, as_number
from .loop_parts import LoopParts

PIECES = 32  # into which the blocks are divided; each has rows of its own for what is folded
MOST_ITERATIONS = 64  # at once, where something is folded in each
USUAL_ITERATIONS = 4  # for the decision to split

Key = tuple[str, int]  # which buffer a pointer is for


@dataclass
class TiledKernel:
    """A kernel, and which buffer each of its pointers is for."""

    kernel: Kernel
    keys: list[Key]


class TilingWriter:
    """What both kernels have: pointers by key, elements that stop at the loop's carried values."""

    def __init__(self, parts: LoopParts, *, counts: bool) -> None:
        self.counts = counts
        self.parts = parts
        self.parameters = Parameters()
        self.builder = KernelBuilder()
        self.keys: dict[Key, Pointer] = {}
        self.names: dict[Value, Expr] = {}
        self.elements = ElementWriter(self.parameters, self.builder, set(parts.operations), self._resolve)
        self.block = block_size(parts)
        self.size = self.parameters.dim(parts.size)
        self.count = (self.size + (self.block - 1)) // self.block

    def pointer(self, what: str, number: int = 0, role: str = "in", element: str = "i64") -> Pointer:
        key = what, number
        if key not in self.keys:
            self.keys[key] = self.parameters.add(KernelSlot(role, None, None, element))
        return self.keys[key]

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Elements that are computed inside are known only there."""
        self.elements.push()
        yield
        self.elements.pop()

    def finish(self, name: str, extent: int, *, splittable: bool) -> TiledKernel:
        parts = self.parts
        work = parts.size * parts.weight * USUAL_ITERATIONS
        kernel = self.parameters.kernel(f"{name}_{_name_of(parts)}", self.builder, extent, work)
        return TiledKernel(replace(kernel, splittable=splittable), list(self.keys))

    def _resolve(self, value: Value, index: Index) -> Expr | None:
        """Leaves have names; groups, branches and changes of shape are looked through."""
        origin = self.parts.origin(value)
        if origin is not value:
            return self.elements.value(origin, index_of(origin))
        if value in self.names:
            return self.names[value]
        operation = value.operation
        if operation is not None and operation.name == "if" and self.parts.inside(value):
            chosen = [operation.operands[0], *(block.yields[value.index] for block in operation.blocks)]
            names = [self.value(v) for v in chosen]
            return self.elements.bind(select(*names))
        return self.element(value)

    def element(self, value: Value) -> Expr | None:
        """The element of an array that the loop carries or reads; None for what is computed."""
        return None

    def value(self, value: Value) -> Expr:
        origin = self.parts.origin(value)
        return self.elements.value(origin, index_of(origin))

    def load_number(self, key: Key, value: Value, name: str) -> Name:
        """A number from memory into a local name."""
        return self.builder.let(name, as_number(self.pointer(*key, element=value.dtype.short)[0], value))

    def load_alone(self) -> None:
        """The numbers from outside."""
        for k, value in enumerate(self.parts.alone):
            self.names[value] = self.load_number(("alone", k), value, f"c{k}")

    def rows(self, k: int, role: str) -> Pointer:
        return self.pointer("rows", k, role, accumulator_of(self.parts.reductions[k]))

    def lanes(self, k: int) -> int:
        """How many accumulators a reduction has in each iteration: those of numbers stay a vector until all is done."""
        if self.parts.reductions[k].result.dtype.is_bool:
            return 1
        return min(self.block, current_target().lanes(BY_SHORT[accumulator_of(self.parts.reductions[k])].itemsize))

    def row(self, k: int, iteration: Operand, lane: Operand = 0, piece: Operand = "piece") -> Load:
        """An accumulator of a piece and iteration."""
        lanes, place = self.lanes(k), expr(iteration)
        if expr(piece) != ZERO:
            place = expr(piece) * MOST_ITERATIONS + place
        if lanes > 1:
            place = place * lanes
            if expr(lane) != ZERO:
                place = place + lane
        return self.rows(k, "inout")[place]

    def merge(self, k: int, target: Load, other: Expr) -> None:
        """Take another accumulator of a reduction into one in memory."""
        self.builder.store(target, merged(self.parts.reductions[k], target, other))

    def next_numbers(self, which: Sequence[int]) -> None:
        """The next values of these numbers, then all of them at once; the iteration's number too, if it is one."""
        parts = self.parts
        for k in which:
            self.builder.let(f"n{k}", self.value(parts.yields[k]))
        for k in which:
            self.builder.let(f"s{k}", f"n{k}")
        if parts.iteration is not None and self.counts:
            self.builder.let("iteration", Name("iteration") + 1)

    def name_numbers(self, which: Sequence[int]) -> None:
        self.names.update({self.parts.args[k]: Name(f"s{k}") for k in which})
        if self.parts.iteration is not None:
            self.names[self.parts.iteration] = Name("iteration")


def block_size(parts: LoopParts) -> int:
    """Elements of a block: as many vectors as half of the registers hold of all arrays."""
    computed = [v for o in parts.operations for v in (o.result, *o.operands) if parts.is_array(v)]
    widest = max(v.dtype.itemsize for v in (*computed, *parts.read, *(parts.args[k] for k in parts.arrays)))
    target = current_target()
    vectors, least = target.block_vectors
    while vectors > least and vectors * (len(parts.arrays) + len(parts.read)) > target.core.registers // 2:
        vectors //= 2
    return vectors * target.lanes(widest)


def index_of(value: Value) -> Index:
    """The index of an element of a value, all of whose axes are one."""
    return [ZERO if same_dim(d, 1) else Name("j") for d in value.tensor_type.shape]


def block_arrays(parts: LoopParts) -> dict[Key, TensorType]:
    """What the kernels need of memory besides the loop's arrays and numbers, by key."""
    word, byte = BY_SHORT["i64"], BY_SHORT["u8"]
    blocks = (parts.size + block_size(parts) - 1) // block_size(parts)
    made: dict[Key, TensorType] = {("converged", 0): TensorType(byte, (blocks,))}
    made.update({(name, 0): TensorType(byte, ()) for name in ("go", "odd")})
    words = ("iteration", "first iteration", "iterations", "side", "again", "done")
    made.update({(name, 0): TensorType(word, ()) for name in words})
    for k, operation in enumerate(parts.reductions):
        kind = BY_SHORT[accumulator_of(operation)]
        made["rows", k] = TensorType(kind, (PIECES * MOST_ITERATIONS * current_target().lanes(kind.itemsize),))
        made["last", k] = TensorType(kind, (blocks,))
    for k in parts.arrays:
        made["there", k] = parts.args[k].tensor_type
        made["edge", k] = TensorType(parts.args[k].dtype, (2 * block_size(parts),))
    for k, value in enumerate(parts.read):
        made["edge of read", k] = TensorType(value.dtype, (block_size(parts),))
    made.update({("first", k): parts.args[k].tensor_type for k in parts.needed})
    return made


def _name_of(parts: LoopParts) -> str:
    return "_".join(list(dict.fromkeys(o.name for o in parts.operations))[:4])
