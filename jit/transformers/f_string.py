"""`f"{x}"` -> `f"{vt_rt.shown(x)}"`: a symbolic size is shown as the number that it has when the program runs."""

from __future__ import annotations

import ast

from ..source.template import place
from .rewriter import Rewriter


def formatted(node: ast.FormattedValue, w: Rewriter) -> ast.AST:
    """Rewrite one part of an f-string."""
    w.children(node)
    if not isinstance(node.value, ast.Constant):
        node.value = place(ast.Call(w.runtime("shown", node), [node.value], []), node)
    return node
