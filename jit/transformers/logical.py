"""`and`, `or`, `not` -> `vt_rt.and_`, `or_`, `not_`, with the operands as lambdas: they stay lazy."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..source.template import place, template
from .rewriter import Rewriter


@template
def THUNK(value):
    lambda: value


def boolean(node: gast.BoolOp, w: Rewriter) -> gast.expr:
    """Rewrite `a and b` or `a or b`."""
    name = "and_" if isinstance(node.op, gast.And) else "or_"
    operands = [THUNK.expression(value, value=w.thunk(value)) for value in node.values]
    return place(gast.Call(w.runtime(name, node), operands, []), node)


def negation(node: gast.UnaryOp, w: Rewriter) -> gast.expr:
    """Rewrite `not a`; the other unary operators are the value's own."""
    operand = w.expression(node.operand)
    if isinstance(node.op, gast.Not):
        return place(gast.Call(w.runtime("not_", node), [operand], []), node)
    node.operand = operand
    return node
