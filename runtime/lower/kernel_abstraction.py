"""Kernels that differ in sizes only, as kernels of one text that takes those sizes as arguments: of all their sizes, or
of those that LLVM needn't know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from sys import maxsize
from typing import Protocol, TypeGuard

from ...ops.kernel_expressions import Binary, CallExpr, Expr, Literal, Name, SizeSymbol, replaced, walk
from ..kernel.call_facts import free_arguments, works_in_tiles
from ..kernel.kernel_call import Kernel
from ..kernel.kernel_printer import print_body
from ..kernel.loop_facts import iterations
from ..kernel.statements import (
    Body,
    Do,
    For,
    Let,
    LoopKind,
    Statement,
    Store,
    WhileLoop,
    assigned,
    blocks_of,
    expressions_of,
    rewritten,
    statements,
)

# Of index arithmetic. Numbers elsewhere are values, or lengths of arrays on the stack.
_SCALES = frozenset({"*", "//", "%"})
_FREE = frozenset({"*", "+", "-"})
LEAST_FREE = 2  # 0 and 1 are what indices lose altogether
LEAST_CLEARED = 16  # numbers in a row that one call of the C library sets to 0
LEAST_LONG = 512  # iterations of a loop, of which the last few count for nothing
MANY_ITERATIONS = 4  # fewer are straight code
LEAST_WORK = 128  # statements that follow a division by an argument, which takes the time of some twenty


class Traversal(Protocol):
    """A copy of a body with something in place of each of some literal sizes, asked for in an order of the text."""

    def __call__(self, body: Sequence[Statement], instead: Callable[[Literal], Expr]) -> list[Statement]: ...


def skeleton(kernel: Kernel, traversal: Traversal | None = None) -> tuple[object, list[int]]:
    """What kernels that `abstracted` makes into one have in common, and the sizes in which they may differ."""
    statements = kernel.statements
    text, sizes = statements.fact((skeleton, traversal), lambda: _with_holes(statements, traversal or with_sizes))
    return (text, kernel.fast, len(kernel.dims), tuple(slot.element for slot in kernel.slots)), sizes


def _with_holes(body: Body, traversal: Traversal) -> tuple[str, list[int]]:
    """The text with a name in place of each size that is asked for, and those sizes."""
    hole, sizes = Name("size"), list[int]()

    def note(size: Literal) -> Expr:
        sizes.append(int(size.value))
        return hole

    text = "\n".join(line for line, _ in print_body(traversal(body, note)))
    return text, sizes


def abstracted(
    kernels: Sequence[Kernel], sizes: Sequence[Sequence[int]], traversal: Traversal | None = None
) -> list[Kernel]:
    """The kernels, all of one skeleton, with one body: sizes in which they differ are dims behind those they have."""
    first, traversal = kernels[0], traversal or with_sizes
    columns = list(zip(*sizes, strict=True))
    added = list(dict.fromkeys(column for column in columns if len(set(column)) > 1))
    if not added:
        return list(kernels)
    names = {column: SizeSymbol(len(first.dims) + number) for number, column in enumerate(added)}
    following = iter(columns)
    body = Body(traversal(first.body, lambda size: names.get(next(following), size)))
    return [replace(k, body=body, dims=[*k.dims, *(c[row] for c in added)]) for row, k in enumerate(kernels)]


def apart(kernel: Kernel) -> tuple[Kernel, list[int]]:
    """The kernel with an argument of its own for each place that names a size, and which of its sizes each was.

    A generator that leaves sizes open names equal ones by one argument. They may be equal by chance, and differ in the
    next kernel of its kind; `merged` joins those that are equal in all.
    """
    if not kernel.dims:
        return kernel, []
    statements = kernel.statements
    body, numbers = statements.fact(apart, lambda: _with_own_arguments(statements))
    return replace(kernel, body=body, dims=[kernel.dims[number] for number in numbers]), numbers


def _with_own_arguments(body: Body) -> tuple[Body, list[int]]:
    numbers: list[int] = []

    def own(part: Expr) -> Expr | None:
        if not isinstance(part, SizeSymbol):
            return None
        numbers.append(part.number)
        return SizeSymbol(len(numbers) - 1)

    return Body(rewritten(body, own)), numbers


def merged(kernels: Sequence[Kernel]) -> list[Kernel]:
    """The kernels, all of one body, with one argument in place of those that are equal in each of them."""
    numbers: dict[object, int] = {}  # by what an argument is in each kernel; of an unknown size its place among those
    places = []
    for column in zip(*(kernel.dims for kernel in kernels), strict=True):
        key = tuple(size if isinstance(size, int) else str(size) for size in column)
        places.append(numbers.setdefault(key, len(numbers)))
    first = [places.index(number) for number in range(len(numbers))]

    def shared(part: Expr) -> Expr | None:
        return SizeSymbol(places[part.number]) if isinstance(part, SizeSymbol) else None

    body = Body(rewritten(kernels[0].body, shared))
    return [replace(kernel, body=body, dims=[kernel.dims[k] for k in first]) for kernel in kernels]


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


def with_free_sizes(body: Sequence[Statement], instead: Callable[[Literal], Expr]) -> list[Statement]:
    """As `with_sizes`, but only for sizes that LLVM needn't know, which cost no more than a register.

    These are factors and terms of what innermost loops don't change, lengths and steps of outer loops, and lengths of
    long ones; divisors where much work follows a division; where the work is in tiles, also limits, numbers that are
    stored, and what tiles use outside of their own innermost loops.
    """
    inner, is_tiled = _changed_innermost(body), works_in_tiles(body)
    symbols = _FREE | _SCALES if is_tiled or _divides_seldom(body) else _FREE

    def is_outer(part: Expr) -> bool:
        return not any(isinstance(name, Name) and name.name in inner for name in walk(part))

    def open_item(item: Expr) -> Expr:
        return instead(item) if _is_free_size(item) else replaced(item, opened)

    def opened(part: Expr) -> Expr | None:
        if isinstance(part, Binary):
            symbol, left, right = part.operator, part.left, part.right
            if symbol in ("+", "-") and _is_free_size(left) and is_outer(right):
                return Binary(symbol, instead(left), replaced(right, opened))
            if symbol in symbols and _is_free_size(right):
                return Binary(symbol, replaced(left, opened), instead(right)) if is_outer(left) else None
        elif isinstance(part, CallExpr) and part.function == "min" and is_outer(part):
            return CallExpr("min", tuple(map(open_item, part.arguments)))
        return None

    made = rewritten(body, opened)
    for statement in statements(made):
        match statement:
            case For():
                if not _is_innermost(statement):
                    statement.stop, statement.step = (
                        instead(n) if _is_free_size(n) else n for n in (statement.stop, statement.step)
                    )
                elif _is_size(statement.stop) and int(statement.stop.value) >= _least_length(statement):
                    statement.stop = instead(statement.stop)
            case Let(value=value) | Store(value=value) if is_tiled and _is_free_size(value):
                statement.value = instead(value)
            case Do(call):
                free = free_arguments(call)
                items = [instead(a) if k in free and _is_free_size(a) else a for k, a in enumerate(call.arguments)]
                statement.call = CallExpr(call.function, tuple(items))
    return made


def _divides_seldom(body: Sequence[Statement]) -> bool:
    """Whether a division by an argument takes little of the time of each iteration of an outer loop."""
    loops = [loop for loop in statements(body) if isinstance(loop, For) and not _is_innermost(loop)]
    return bool(loops) and all(_work(loop.body) >= LEAST_WORK for loop in loops if _divides(loop.body))


def _divides(body: Sequence[Statement]) -> bool:
    """Whether a block, apart from the loops in it, divides by a known size."""
    own = [part for inner in body for expression in expressions_of(inner) for part in walk(expression)]
    return any(isinstance(part, Binary) and part.operator in ("//", "%") and _is_size(part.right) for part in own)


def _work(body: Sequence[Statement]) -> int:
    """Statements that a block runs; a loop of unknown length counts as a short one."""
    total = 0
    for statement in body:
        inside = sum(_work(block) for block in blocks_of(statement))
        total += 1 + inside * (_length(statement) if isinstance(statement, For) else 1)
    return total


def _length(loop: For) -> int:
    """How often a loop runs, as far as it says so."""
    count = iterations(loop)
    return MANY_ITERATIONS if count is None else count


def _least_length(loop: For) -> int:
    """From which length on LLVM needn't know that of an innermost loop."""
    if loop.kind is LoopKind.BLOCK:
        return maxsize
    clears = all(isinstance(inner, Store) and _is_constant(inner.value) for inner in loop.body)
    return LEAST_CLEARED if clears else LEAST_LONG


def _is_constant(value: Expr) -> bool:
    return all(isinstance(part, Literal | CallExpr) for part in walk(value))


def _changed_innermost(body: Sequence[Statement]) -> set[str]:
    """The names of what innermost loops of many iterations change."""
    found: set[str] = set()
    for loop in statements(body):
        if isinstance(loop, For | WhileLoop) and _is_innermost(loop) and not _is_short(loop):
            found.update(assigned([loop]))
    return found


def _is_innermost(loop: For | WhileLoop) -> bool:
    """Whether a loop holds neither loops nor calls of tiles."""
    return not any(isinstance(inner, For | WhileLoop | Do) for inner in statements(loop.body))


def _is_short(loop: For | WhileLoop) -> bool:
    return isinstance(loop, For) and _is_size(loop.stop) and int(loop.stop.value) < MANY_ITERATIONS


def _is_free_size(part: Expr) -> TypeGuard[Literal]:
    return _is_size(part) and int(part.value) >= LEAST_FREE


def _is_size(part: Expr) -> TypeGuard[Literal]:
    return isinstance(part, Literal) and type(part.value) is int
