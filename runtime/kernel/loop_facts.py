"""What the text of a kernel says of its loops and indices: numbers, how often a loop runs, parts of a sum."""

from __future__ import annotations

from ...ops.kernel_expressions import Binary, Expr, Literal, Load, Name, SizeSymbol, Unary, walk
from .statements import Exit, For, Leave, Let, Store, WhileLoop, expressions_of, statements


def literal(value: Expr) -> int | None:
    """The integer that an expression is written as."""
    match value:
        case Literal(value=int() as number):
            return number
        case Unary(operator="-", operand=Literal(value=int() as number)):
            return -number
    return None


def is_size(value: Expr) -> bool:
    """Whether an expression is one of the kernel's sizes, which are above 0 where they are steps."""
    return isinstance(value, SizeSymbol)


def is_once(loop: For) -> bool:
    """Whether a loop is known to run once, from its start to its end: then it needs no blocks of its own."""
    start, stop = literal(loop.start), literal(loop.stop)
    is_one = start is not None and stop is not None and start < stop <= start + (literal(loop.step) or 0)
    return is_one and not any(isinstance(s, Leave) and s.where is not Exit.RETURN for s in statements(loop.body))


def iterations(loop: For) -> int | None:
    """How often a loop runs, if its text has that in numbers."""
    start, stop, step = map(literal, (loop.start, loop.stop, loop.step))
    return None if start is None or stop is None or not step else max(-((start - stop) // step), 0)


def is_innermost(loop: For) -> bool:
    """Whether there is no loop in a loop."""
    return not any(isinstance(s, WhileLoop) or (isinstance(s, For) and not is_once(s)) for s in statements(loop.body))


def picks(loop: For) -> int:
    """How many elements a loop's body reads where numbers say that it has read itself: by loads, no vectors."""
    read, found = set[Expr](), 0
    for statement in statements(loop.body):
        for expression in expressions_of(statement):
            found += sum(isinstance(e, Load) and _depends(e.index, read) for e in walk(expression))
        if isinstance(statement, Let) and _depends(statement.value, read):
            read.add(statement.name)
    return found


def scatters(loop: For) -> bool:
    """Whether a loop's body stores where numbers say that it has read: one element after another, no vectors."""
    read = set[Expr]()
    for statement in statements(loop.body):
        if isinstance(statement, Store) and _depends(statement.target.index, read):
            return True
        if isinstance(statement, Let) and _depends(statement.value, read):
            read.add(statement.name)
    return False


def _depends(expression: Expr, read: set[Expr]) -> bool:
    """Whether an expression is made of what lies in memory. read: the names of which that is known."""
    return any(isinstance(e, Load) or (isinstance(e, Name) and e in read) for e in walk(expression))


def split_index(index: Expr) -> tuple[Expr, int]:
    """An index `i * 2 + 1` as `i * 2` and 1, which gets an address of its own; others as they are, and 0.

    In one sum LLVM would make an `or` of it, and no longer know that the elements lie in a row.
    """
    if isinstance(index, Binary) and index.operator == "+" and isinstance(index.left, Binary):
        if index.left.operator == "*" and any(isinstance(part, Literal) for part in index.left.parts):
            constant = _constant(index.right)
            return (index, 0) if constant is None else (index.left, constant)
    return index, 0


def _constant(value: Expr) -> int | None:
    """The number that a sum of literals is."""
    if isinstance(value, Literal):
        return value.value if type(value.value) is int else None
    parts = [_constant(p) for p in value.parts] if isinstance(value, Binary) and value.operator == "+" else [None]
    return None if None in parts else sum(p for p in parts if p is not None)
