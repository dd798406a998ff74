"""`a < b <= c` -> `vt_rt.compare_chain(a, ("<", lambda: b), ("<=", lambda: c))`: each operand at most once, lazily.

A single comparison stays: the operator belongs to the value.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import ast

from ..source.template import place, template
from .nodes import constant
from .rewriter import Rewriter

SPELLING: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


@template
def LINK(operator, operand):
    (operator, lambda: operand)


def compare_chain(node: ast.Compare, w: Rewriter) -> ast.AST:
    """Rewrite a comparison of three or more operands."""
    if len(node.ops) == 1:
        return w.children(node)
    first = w.expression(node.left)
    links = [
        LINK.expression(operand, operator=constant(SPELLING[type(op)], operand), operand=w.thunk(operand))
        for op, operand in zip(node.ops, node.comparators, strict=True)
    ]
    return place(ast.Call(w.runtime("compare_chain", node), [first, *links], []), node)
