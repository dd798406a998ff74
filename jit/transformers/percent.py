"""`a % b` -> `vt_rt.percent(a, b)`: a text may be formatted with values that only a run knows."""

from __future__ import annotations

import ast

from ..source.template import place
from .rewriter import Rewriter


def percent(node: ast.BinOp, w: Rewriter) -> ast.AST:
    """Rewrite the operator `%` of texts; what is on its left is no number that can be seen."""
    formats = isinstance(node.op, ast.Mod) and _may_be_text(node.left)
    w.children(node)
    if not formats:
        return node
    return place(ast.Call(w.runtime("percent", node), [node.left, node.right], []), node)


def _may_be_text(node: ast.expr) -> bool:
    return isinstance(node, (ast.JoinedStr, ast.Name, ast.Attribute)) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
