"""`with m as v:` -> `with vt_rt.manager(m) as v:`: the manager's own methods are converted too."""

from __future__ import annotations

import gast

from ..source.template import place
from .rewriter import Rewriter


def with_statement(node: gast.With, w: Rewriter) -> gast.AST:
    """Rewrite what is entered."""
    w.children(node)
    for item in node.items:
        item.context_expr = place(gast.Call(w.runtime("manager", item.context_expr), [item.context_expr], []), node)
    return node
