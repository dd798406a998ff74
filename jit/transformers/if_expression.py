"""`a if c else b` -> `vt_rt.if_exp(c, lambda: a, lambda: b)`."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..source.template import template
from .rewriter import Rewriter


@template
def IF_EXP(rt, test, body, orelse):
    rt.if_exp(test, lambda: body, lambda: orelse)


def if_expression(node: gast.IfExp, w: Rewriter) -> gast.expr:
    """Rewrite one conditional expression."""
    return IF_EXP.expression(
        node, rt=w.rt, test=w.expression(node.test), body=w.thunk(node.body), orelse=w.thunk(node.orelse)
    )
