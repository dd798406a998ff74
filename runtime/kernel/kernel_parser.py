"""Kernels from their text: the reverse of the printer."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...base.errors import KernelError
from ...ops.kernel_expressions import ONE, ZERO, CallExpr, Expr, Literal, Load, Name, from_ast
from .statements import Do, Exit, For, If, Leave, Let, Local, Statement, Store, WhileLoop


def parse_kernel(text: str) -> list[Statement]:
    r"""The statements of `def body(…)`; comments are lost. KernelError if it says more than kernels can.

    >>> from vitrify.runtime.kernel.kernel_printer import print_kernel
    >>> text = "def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = i\n"
    >>> print_kernel(parse_kernel(text), 1, 0)[0] == text
    True
    """
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    return _block(function.body)


def _block(body: Sequence[ast.stmt]) -> list[Statement]:
    return [_statement(node) for node in body if not isinstance(node, ast.Pass)]


def _statement(node: ast.stmt) -> Statement:
    match node:
        case ast.Assign(targets=[target], value=value):
            return _assignment(from_ast(target), from_ast(value))
        case ast.AugAssign(target=target, op=operator, value=value):  # `x += y` of a row of a user's own
            return _assignment(from_ast(target), from_ast(ast.BinOp(target, operator, value)))
        case ast.Expr(value=value):
            call = from_ast(value)
            if isinstance(call, CallExpr):
                return Do(call)
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds)):
            start, stop, step = _range([from_ast(bound) for bound in bounds])
            return For(Name(name), start, stop, step, _block(node.body))
        case ast.While(test=test):
            return WhileLoop(from_ast(test), _block(node.body))
        case ast.If(test=test):
            return If(from_ast(test), _block(node.body), _block(node.orelse))
        case ast.Break():
            return Leave(Exit.BREAK)
        case ast.Continue():
            return Leave(Exit.CONTINUE)
        case ast.Return(value=None):
            return Leave(Exit.RETURN)
    raise KernelError(f"not a statement of kernels: {ast.unparse(node)!r}")


def _assignment(target: Expr, value: Expr) -> Statement:
    if isinstance(target, Load):
        return Store(target, value)
    if not isinstance(target, Name):
        raise KernelError(f"kernels can't assign to `{target}`")
    if isinstance(value, CallExpr) and value.function.startswith("local_"):
        (size,) = value.arguments
        assert isinstance(size, Literal)
        return Local(target, value.function.removeprefix("local_"), int(size.value))
    return Let(target, value)


def _range(bounds: Sequence[Expr]) -> tuple[Expr, Expr, Expr]:
    match bounds:
        case [stop]:
            return ZERO, stop, ONE
        case [start, stop]:
            return start, stop, ONE
        case [start, stop, step]:
            return start, stop, step
    raise KernelError("a range has one to three bounds")
