"""Kernels that differ in sizes only, as kernels of one text that takes those sizes as arguments.

`abstracted` makes some kernels of a program into one. `open_sizes` leaves sizes open whatever other kernels there are:
where the work is in tiles of known sizes, all layers of a kind have one kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeGuard

from ...ops.dims import DimLike
from ...ops.kernel_expressions import Binary, CallExpr, Comparison, Expr, Literal, Name, Size, replaced
from ..kernel.kernel_call import Kernel
from ..kernel.kernel_printer import print_body
from ..kernel.statements import Do, For, Let, LoopKind, Statement, Store, blocks_of, rewritten, statements

# Of index arithmetic. Numbers elsewhere are values, or lengths of arrays on the stack.
_SCALES = frozenset({"*", "//", "%"})
_OPEN = frozenset({"*", "+", "-", "<", "<=", ">", ">="})  # what a size may be the right operand of, if it is left open
LARGE = 32  # sizes from here on are one argument wherever they are equal: small ones are equal by chance
LEAST_FACTOR = 8  # smaller factors are distances of pixels and sizes of tiles, which LLVM has to know
LEAST_STORED = 5  # smaller numbers that a local or a table gets are the same for all kernels of a kind


def skeleton(kernel: Kernel) -> object:
    """What kernels that `abstracted` makes into one have in common."""
    hole = Name("size")
    text = "\n".join(line for line, _ in print_body(with_sizes(kernel.body, lambda _: hole)))
    return text, kernel.fast, len(kernel.dims), tuple(slot.element for slot in kernel.slots)


def abstracted(kernels: Sequence[Kernel]) -> list[Kernel]:
    """The kernels, all of one skeleton, with one body: sizes in which they differ are dims behind those they have."""
    first = kernels[0]
    columns = list(zip(*(sizes_of(kernel) for kernel in kernels), strict=True))
    added = list(dict.fromkeys(column for column in columns if len(set(column)) > 1))
    if not added:
        return list(kernels)
    names = {column: Size(len(first.dims) + number) for number, column in enumerate(added)}
    following = iter(columns)
    body = with_sizes(first.body, lambda size: names.get(next(following), size))
    return [replace(k, body=body, dims=[*k.dims, *(c[row] for c in added)]) for row, k in enumerate(kernels)]


def sizes_of(kernel: Kernel) -> list[int]:
    """The literal sizes of a kernel, in the order in which `with_sizes` meets them."""
    found: list[int] = []

    def note(size: Literal) -> Expr:
        found.append(int(size.value))
        return size

    with_sizes(kernel.body, note)
    return found


def with_sizes(body: Sequence[Statement], instead: Callable[[Literal], Expr]) -> list[Statement]:
    """A copy with something in place of each literal size: of index arithmetic first, then of loops."""

    def scaled(part: Expr) -> Expr | None:
        if isinstance(part, Binary) and part.operator in _SCALES and _is_size(part.right):
            return Binary(part.operator, replaced(part.left, scaled), instead(part.right))
        return None

    made = rewritten(body, scaled)
    for loop in statements(made):
        if not isinstance(loop, For) or loop.kind is LoopKind.BLOCK:  # a block's length is one of the text
            continue
        if _is_size(loop.stop) and str(loop.start) == "0" and str(loop.step) == "1":
            loop.stop = instead(loop.stop)
    return made


def _is_size(part: Expr) -> TypeGuard[Literal]:
    return isinstance(part, Literal) and type(part.value) is int


def open_sizes(kernel: Kernel) -> Kernel:
    """The kernel with its sizes as arguments: factors, terms and limits of indices, and lengths of outer loops.

    Lengths of inner loops that compute stay numbers, as LLVM makes vectors of them. So do divisors, steps, and literal
    arguments of calls.
    """
    opener = _Opener(kernel.dims)
    body = rewritten(kernel.body, opener.part)
    for statement in statements(body):
        match statement:
            case For() if _may_open(statement):
                statement.stop = opener.size(statement.stop)
            case Let() | Store() if _is_size(statement.value) and int(statement.value.value) >= LEAST_STORED:
                statement.value = opener.size(statement.value)
    return replace(kernel, body=body, dims=opener.dims)


class _Opener:
    """Numbers the sizes of a kernel that are left open, behind those that it has."""

    def __init__(self, dims: Sequence[DimLike]) -> None:
        self.dims = list(dims)

    def size(self, part: Expr) -> Expr:
        """The argument in place of a literal size; anything else as it is."""
        if not _is_size(part) or int(part.value) < 2:
            return part
        size = int(part.value)
        if size >= LARGE and size in self.dims:
            return Size(self.dims.index(size))
        self.dims.append(size)
        return Size(len(self.dims) - 1)

    def side(self, side: Expr, least: int = LEAST_FACTOR) -> Expr:
        """A side of an operation: an argument in place of a size of `least` or more."""
        if _is_size(side):
            return self.size(side) if int(side.value) >= least else side
        return replaced(side, self.part)

    def part(self, part: Expr) -> Expr | None:
        """What stands in place of an expression, for `replaced`."""
        match part:
            case Binary(operator=symbol, left=left, right=right) if symbol in _OPEN:
                sides = (self.side(left), self.side(right, 2 if symbol != "*" else LEAST_FACTOR))
                return Binary(symbol, *sides)
            case Comparison(operator=symbol, left=left, right=right) if symbol in _OPEN and _is_size(right):
                return Comparison(symbol, replaced(left, self.part), self.side(right, 2))
            case CallExpr(function="min", arguments=items):
                return CallExpr("min", tuple(self.size(replaced(item, self.part)) for item in items))
        return None


def _may_open(loop: For) -> bool:
    """Whether LLVM needn't know a loop's length: it holds loops or calls of tiles."""
    if loop.kind is LoopKind.BLOCK:
        return False
    return any(blocks_of(inner) or isinstance(inner, Do) for inner in loop.body)
