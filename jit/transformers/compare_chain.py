"""`a < b <= c` -> `vt_rt.compare_chain(a, ("<", lambda: b), ("<=", lambda: c))`: each operand at most once, lazily.

A single comparison stays: the operator belongs to the value. `a in b` -> `vt_rt.contains(a, b)`: it asks for truth values.
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
    """Rewrite a comparison of three or more operands, and `in`."""
    if len(node.ops) == 1:
        return _membership(node, w) if isinstance(node.ops[0], ast.In | ast.NotIn) else w.children(node)
    first = w.expression(node.left)
    links = [
        LINK.expression(operand, operator=constant(SPELLING[type(op)], operand), operand=w.thunk(operand))
        for op, operand in zip(node.ops, node.comparators, strict=True)
    ]
    return place(ast.Call(w.runtime("compare_chain", node), [first, *links], []), node)


def _membership(node: ast.Compare, w: Rewriter) -> ast.AST:
    operands = [w.expression(node.left), w.expression(node.comparators[0])]
    made: ast.expr = place(ast.Call(w.runtime("contains", node), operands, []), node)
    return made if isinstance(node.ops[0], ast.In) else place(ast.Call(w.runtime("not_", node), [made], []), node)
