"""`for` -> a body function that takes the item, and `vt_rt.for_loop`; what kind of iterable it is, is known later."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..source.template import template
from .nodes import constant, load
from .rewriter import Rewriter
from .state import state_of


@template
def FOR(
    rt, iterable, goes_on, body_fn, item, target, item_value, body, get_state, set_state, names, live, local, outer
):
    def body_fn(item):
        nonlocal local
        global outer
        target = item_value
        body

    rt.for_loop(iterable, goes_on, body_fn, get_state, set_state, names, live)


@template
def TEST(test):
    lambda: test


def for_loop(node: gast.For, w: Rewriter) -> list[gast.stmt]:
    """Rewrite one `for`; `EarlyExits.loop_tests` knows whether it has exits."""
    state = state_of(node, w)
    item = w.names.fresh("item")
    test = w.loop_tests.get(node)
    with w.at(in_block=True):
        target = w.expression(node.target)
    return state.functions + FOR.statements(
        node,
        rt=w.rt,
        iterable=w.expression(node.iter),
        goes_on=constant(None, node) if test is None else TEST.expression(node, test=w.thunk(test)),
        body_fn=w.names.fresh("body"),
        item=item,
        target=target,
        item_value=load(item, node),
        body=w.block(node.body, node),
        get_state=state.get_state,
        set_state=state.set_state,
        names=state.names,
        live=state.live,
        local=state.local,
        outer=state.outer,
    )
