"""`a < b <= c` -> `vt_rt.compare_chain(a, ("<", lambda: b), ("<=", lambda: c))`: each operand at most once, lazily.

A single comparison stays: the operator belongs to the value. An order of tuples doesn't: `(a, b) < (c, d)` is a chain
of one link; so is `a < b`, in a second attempt, where these were found to be tuples. Nor do `in` and `is`, which no
value answers itself: `a in b` -> `vt_rt.contains(a, b)`, `a is b` -> `vt_rt.identical(a, b)`; and `==` where a side may
be a list of tensors, or an object that tells itself what it is equal to: `a == b` -> `vt_rt.equals(a, b)`.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..source.template import place, template
from .nodes import constant
from .rewriter import Rewriter

SPELLING: dict[type[gast.cmpop], str] = {
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}


QUESTIONS: dict[type[gast.cmpop], str] = {
    gast.In: "contains", gast.NotIn: "contains", gast.Is: "identical", gast.IsNot: "identical",
    gast.Eq: "equals", gast.NotEq: "differ",
}  # fmt: skip


@template
def LINK(operator, operand):
    (operator, lambda: operand)


def compare_chain(node: gast.Compare, w: Rewriter) -> gast.AST:
    """Rewrite a comparison of three or more operands, and of `in` and `is`."""
    if len(node.ops) == 1 and not _is_order_of_tuples(node, w):
        return _asked(node, w) if _is_question(node) else w.children(node)
    first = w.expression(node.left)
    links = [
        LINK.expression(operand, operator=constant(SPELLING[type(op)], operand), operand=w.thunk(operand))
        for op, operand in zip(node.ops, node.comparators, strict=True)
    ]
    return place(gast.Call(w.runtime("compare_chain", node), [first, *links], []), node)


def _is_question(node: gast.Compare) -> bool:
    """Whether a single comparison is asked for by a function: `==` only of what may be lists or objects."""
    operator = type(node.ops[0])
    if operator in (gast.Eq, gast.NotEq):
        return any(isinstance(side, _MAYBE_LISTS) for side in (node.left, node.comparators[0]))
    return operator in QUESTIONS


def _is_order_of_tuples(node: gast.Compare, w: Rewriter) -> bool:
    """Whether a tuple or list that stands there, or may come from elsewhere, is compared by `<` and the like."""
    sides = (node.left, node.comparators[0])
    if not isinstance(node.ops[0], (gast.Lt, gast.LtE, gast.Gt, gast.GtE)):
        return False
    return any(isinstance(side, (gast.Tuple, gast.List)) for side in sides) or (
        w.orders and all(isinstance(side, _MAYBE_LISTS) for side in sides)
    )


_MAYBE_LISTS = (gast.Name, gast.Attribute, gast.Subscript, gast.Call, gast.List, gast.Tuple, gast.ListComp)


def _asked(node: gast.Compare, w: Rewriter) -> gast.AST:
    operands = [w.expression(node.left), w.expression(node.comparators[0])]
    operator = type(node.ops[0])
    made: gast.expr = place(gast.Call(w.runtime(QUESTIONS[operator], node), operands, []), node)
    negative = operator in (gast.NotIn, gast.IsNot)
    return place(gast.Call(w.runtime("not_", node), [made], []), node) if negative else made
