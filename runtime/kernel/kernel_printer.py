"""The text of kernels: what people read, and what kernels are compiled from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ...ir.core import Operation
from ...ops.kernel_expressions import Expr, Literal
from .statements import Do, For, If, Leave, Let, Local, Remark, Statement, Store, WhileLoop

Line: TypeAlias = tuple[str, "Operation | None"]
_INDENT = "    "


def print_body(body: Sequence[Statement], depth: int = 1) -> Iterator[Line]:
    """The lines of statements, each with the operation that it belongs to."""
    indent = _INDENT * depth
    for statement in body:
        origin = statement.origin
        match statement:
            case Let(name=target, value=value) | Store(target=target, value=value):
                yield f"{indent}{target} = {value}", origin
            case Local(name=name, element=element, size=size):
                yield f"{indent}{name} = local_{element}({size})", origin
            case Do(call=call):
                yield f"{indent}{call}", origin
            case Leave(where=where):
                yield f"{indent}{where.value}", origin
            case Remark(text=text):
                yield f"{indent}# {text}", origin
            case For(body=inner):
                yield f"{indent}for {statement.variable} in range({_range(statement)}):", origin
                yield from _block(inner, depth, origin)
            case WhileLoop(test=test, body=inner):
                yield f"{indent}while {test}:", origin
                yield from _block(inner, depth, origin)
            case If():
                yield from _choice(statement, depth)


def _block(body: Sequence[Statement], depth: int, origin: Operation | None) -> Iterator[Line]:
    if all(isinstance(statement, Remark) for statement in body):
        yield f"{_INDENT * (depth + 1)}pass", origin
    yield from print_body(body, depth + 1)


def _choice(statement: If, depth: int) -> Iterator[Line]:
    word = "if"
    while True:
        yield f"{_INDENT * depth}{word} {statement.test}:", statement.origin
        yield from _block(statement.body, depth, statement.origin)
        match statement.otherwise:
            case []:
                return
            case [If() as following]:
                statement, word = following, "elif"
            case others:
                yield f"{_INDENT * depth}else:", statement.origin
                yield from _block(others, depth, statement.origin)
                return


def _range(loop: For) -> str:
    if not _is(loop.step, 1):
        return f"{loop.start}, {loop.stop}, {loop.step}"
    return str(loop.stop) if _is(loop.start, 0) else f"{loop.start}, {loop.stop}"


def _is(expression: Expr, value: int) -> bool:
    return isinstance(expression, Literal) and expression.value == value


def print_kernel(body: Sequence[Statement], pointers: int, sizes: int) -> tuple[str, tuple[Operation | None, ...]]:
    """The text of a kernel, and the operation of each of its lines; the first line, the `def`, has none."""
    names = [*(f"p{k}" for k in range(pointers)), *(f"d{k}" for k in range(sizes)), "lo", "hi"]
    lines: list[Line] = [(f"def body({', '.join(names)}):", None), *print_body(body)]
    return "\n".join(text for text, _ in lines) + "\n", tuple(origin for _, origin in lines)
