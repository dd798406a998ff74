"""`assert c, m` -> `vt_rt.assert_(c, lambda: m)`; without a message the second argument is None."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..source.template import template
from .nodes import constant
from .rewriter import Rewriter


@template
def ASSERT(rt, test, message):
    rt.assert_(test, message)


@template
def MESSAGE(message):
    lambda: message


def assert_statement(node: gast.Assert, w: Rewriter) -> list[gast.stmt]:
    """Rewrite one assertion."""
    test = w.expression(node.test)
    message = constant(None, node) if node.msg is None else MESSAGE.expression(node, message=w.thunk(node.msg))
    return ASSERT.statements(node, rt=w.rt, test=test, message=message)
