"""`a if c else b` -> `vt_rt.if_exp(c, lambda: a, lambda: b)`."""

from __future__ import annotations

import ast
from typing import no_type_check

from ..source.template import template
from .rewriter import Rewriter


@template
@no_type_check
def IF_EXP(rt, test, body, orelse):
    rt.if_exp(test, lambda: body, lambda: orelse)


def if_expression(node: ast.IfExp, w: Rewriter) -> ast.expr:
    """Rewrite one conditional expression."""
    return IF_EXP.expression(
        node, rt=w.rt, test=w.expression(node.test), body=w.thunk(node.body), orelse=w.thunk(node.orelse)
    )
