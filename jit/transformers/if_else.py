"""`if` -> two functions and `vt_rt.if_else`, which runs one of them or builds both into the program."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..source.template import template
from .rewriter import Rewriter
from .state import state_of


@template
def IF(rt, then_fn, else_fn, body, orelse, test, get_state, set_state, names, live, local, outer):
    def then_fn():
        nonlocal local
        global outer
        body

    def else_fn():
        nonlocal local
        global outer
        orelse

    rt.if_else(test, then_fn, else_fn, get_state, set_state, names, live)


def if_else(node: gast.If, w: Rewriter) -> list[gast.stmt]:
    """Rewrite one `if`; an `elif` is an `if` in the else part."""
    state = state_of(node, w)
    return state.functions + IF.statements(
        node,
        rt=w.rt,
        then_fn=w.names.fresh("then"),
        else_fn=w.names.fresh("else"),
        test=w.expression(node.test),
        body=w.block(node.body, node),
        orelse=w.block(node.orelse, node),
        get_state=state.get_state,
        set_state=state.set_state,
        names=state.names,
        live=state.live,
        local=state.local,
        outer=state.outer,
    )
