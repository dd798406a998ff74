"""`a < b <= c` -> `vt_rt.compare_chain(a, ("<", lambda: b), ("<=", lambda: c))`: each operand at most once, lazily.

A single comparison stays: the operator belongs to the value. Not so `in` and `is`, which no value answers itself:
`a in b` -> `vt_rt.contains(a, b)`, `a is b` -> `vt_rt.identical(a, b)`; and `==` where both sides may be lists of
tensors: `a == b` -> `vt_rt.equals(a, b)`.
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


QUESTIONS: dict[type[ast.cmpop], str] = {
    ast.In: "contains", ast.NotIn: "contains", ast.Is: "identical", ast.IsNot: "identical",
    ast.Eq: "equals", ast.NotEq: "differ",
}  # fmt: skip


@template
def LINK(operator, operand):
    (operator, lambda: operand)


def compare_chain(node: ast.Compare, w: Rewriter) -> ast.AST:
    """Rewrite a comparison of three or more operands, and of `in` and `is`."""
    if len(node.ops) == 1:
        return _asked(node, w) if _is_question(node) else w.children(node)
    first = w.expression(node.left)
    links = [
        LINK.expression(operand, operator=constant(SPELLING[type(op)], operand), operand=w.thunk(operand))
        for op, operand in zip(node.ops, node.comparators, strict=True)
    ]
    return place(ast.Call(w.runtime("compare_chain", node), [first, *links], []), node)


def _is_question(node: ast.Compare) -> bool:
    """Whether a single comparison is asked for by a function: `==` only between what may be lists."""
    operator = type(node.ops[0])
    if operator in (ast.Eq, ast.NotEq):
        return all(isinstance(side, _MAYBE_LISTS) for side in (node.left, node.comparators[0]))
    return operator in QUESTIONS


_MAYBE_LISTS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Tuple, ast.ListComp)


def _asked(node: ast.Compare, w: Rewriter) -> ast.AST:
    operands = [w.expression(node.left), w.expression(node.comparators[0])]
    operator = type(node.ops[0])
    made: ast.expr = place(ast.Call(w.runtime(QUESTIONS[operator], node), operands, []), node)
    negative = operator in (ast.NotIn, ast.IsNot)
    return place(ast.Call(w.runtime("not_", node), [made], []), node) if negative else made
