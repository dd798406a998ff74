"""Kernels that differ in sizes only, as kernels of one text that takes those sizes as arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeGuard

from ...ops.kernel_expressions import Binary, Expr, Literal, Name, Size, replaced
from ..kernel.kernel_call import Kernel
from ..kernel.kernel_printer import print_body
from ..kernel.statements import For, LoopKind, Statement, rewritten, statements

# Of index arithmetic. Numbers elsewhere are values, or lengths of arrays on the stack.
_SCALES = frozenset({"*", "//", "%"})


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
