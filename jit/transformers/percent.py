"""`a % b` -> `vt_rt.percent(a, b)`: a string may be formatted with values that only a run knows."""

from __future__ import annotations

import gast

from ..source.template import place
from .rewriter import Rewriter


def percent(node: gast.BinOp, w: Rewriter) -> gast.AST:
    """Rewrite the operator `%` of strings; what is on its left is no number that can be seen."""
    formats = isinstance(node.op, gast.Mod) and _may_be_text(node.left)
    w.children(node)
    if not formats:
        return node
    return place(gast.Call(w.runtime("percent", node), [node.left, node.right], []), node)


def _may_be_text(node: gast.expr) -> bool:
    return isinstance(node, (gast.JoinedStr, gast.Name, gast.Attribute)) or (
        isinstance(node, gast.Constant) and isinstance(node.value, str)
    )
