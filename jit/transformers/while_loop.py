"""`while` -> a test function, a body function and `vt_rt.while_loop`; exits are part of the test by now."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..source.template import template
from .rewriter import Rewriter
from .state import state_of


@template
def WHILE(rt, test_fn, body_fn, test, body, get_state, set_state, names, live, local, outer):
    def test_fn():
        nonlocal local
        global outer
        return test

    def body_fn():
        nonlocal local
        global outer
        body

    rt.while_loop(test_fn, body_fn, get_state, set_state, names, live)


def while_loop(node: gast.While, w: Rewriter) -> list[gast.stmt]:
    """Rewrite one `while`."""
    state = state_of(node, w)
    with w.at(in_block=True):
        test = w.expression(node.test)
    return state.functions + WHILE.statements(
        node,
        rt=w.rt,
        test_fn=w.names.fresh("test"),
        body_fn=w.names.fresh("body"),
        test=test,
        body=w.block(node.body, node),
        get_state=state.get_state,
        set_state=state.set_state,
        names=state.names,
        live=state.live,
        local=state.local,
        outer=state.outer,
    )
