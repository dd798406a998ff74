"""Arithmetic of int64 numbers that wraps around, as NumPy's does: the plain operators of kernels are for indices."""

from __future__ import annotations

import ast

_NAMES = {ast.Add: "wrapping_add", ast.Sub: "wrapping_subtract", ast.Mult: "wrapping_multiply"}


def wrapped(text: str) -> str:
    """The expression with functions instead of `+`, `-` and `*`.

    >>> wrapped("(t1 * t2 + i64(1)) // t3")
    '(wrapping_add(wrapping_multiply(t1, t2), i64(1)) // t3)'
    >>> wrapped("floor_div_i64(t1, t2)")
    'floor_div_i64(t1, t2)'
    """
    if not any(sign in text for sign in "+-*"):
        return text
    made = _Wrapping().visit(ast.parse(text.strip(), mode="eval")).body
    return ast.unparse(made) if isinstance(made, ast.Call) else f"({ast.unparse(made)})"


class _Wrapping(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """One operator, its operands first."""
        self.generic_visit(node)
        name = _NAMES.get(type(node.op))
        return node if name is None else ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])
