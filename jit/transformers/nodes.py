"""Single names, constants and tests, placed at the start of the node they stand for."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ..source.template import place, template


@template
def ASSIGN(target, value):
    target = value


def load(name: str, at: ast.AST) -> ast.Name:
    """A read of `name`."""
    return place(ast.Name(name, ast.Load()), at)


def store(name: str, at: ast.AST) -> ast.Name:
    """A binding of `name`."""
    return place(ast.Name(name, ast.Store()), at)


def constant(value: object, at: ast.AST) -> ast.Constant:
    """A constant."""
    return place(ast.Constant(value), at)  # type: ignore[arg-type]


def strings(values: Iterable[str], at: ast.AST) -> ast.expr:
    """A tuple of strings."""
    return place(ast.Tuple([constant(value, at) for value in values], ast.Load()), at)


def assign(target: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    """`target = value`."""
    return ASSIGN.statements(at, target=target, value=value)[0]


def none_of(flags: Sequence[str], at: ast.AST) -> ast.expr:
    """`not (a or b)`: no early exit has happened."""
    reads: list[ast.expr] = [load(flag, at) for flag in flags]
    inner = reads[0] if len(reads) == 1 else place(ast.BoolOp(ast.Or(), reads), at)
    return place(ast.UnaryOp(ast.Not(), inner), at)


def both(first: ast.expr, second: ast.expr, at: ast.AST) -> ast.expr:
    """`first and second`; just `first` where the second is constantly true."""
    if isinstance(second, ast.Constant) and second.value:
        return first
    return place(ast.BoolOp(ast.And(), [first, second]), at)
