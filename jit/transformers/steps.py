"""Every statement in a function of its own, for functions with too many paths (see converters/regions).

Where the paths through a statement end with values of different types, only that statement is traced once per path, and
what follows goes on with values that are one thing or another.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

import gast

from ..analysis import Step
from ..source.names import Names
from ..source.template import template
from .nodes import assign, constant, load
from .rewriter import Rewriter
from .state import state_of

_STEPS = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.If, gast.For, gast.While, gast.Match, gast.Try,
          gast.With, gast.Assert)  # fmt: skip
_INSIDE = (gast.If, gast.For, gast.While, gast.Try, gast.With)


@template
def STEP(rt, step_fn, body, get_state, set_state, names, live, kept, local, outer):
    def step_fn():
        nonlocal local
        global outer
        body

    rt.step(step_fn, get_state, set_state, names, live, kept)


def in_steps(function: gast.FunctionDef, names: Names) -> None:
    """Rewrite a function, whose jumps are removed, and those inside it, in place."""
    last = function.body[-1]
    if isinstance(last, gast.Return) and last.value is not None and not isinstance(last.value, gast.Name):
        result = names.fresh("result")
        function.body[-1:] = [assign(result, last.value, last), gast.copy_location(_read(result, last), last)]
    function.body = _wrapped(function.body, names)


def _read(name: str, at: gast.AST) -> gast.Return:
    return gast.Return(load(name, at))


def _wrapped(statements: list[gast.stmt], names: Names) -> list[gast.stmt]:
    made: list[gast.stmt] = []
    for statement in statements:
        if isinstance(statement, gast.FunctionDef):
            in_steps(statement, names)
        elif isinstance(statement, _INSIDE):
            _wrap_inside(statement, names)
        made.append(_step(statement) if isinstance(statement, _STEPS) and not _is_text(statement) else statement)
    return made


def _wrap_inside(node: gast.AST, names: Names) -> None:
    for field in ("body", "orelse", "finalbody"):
        if hasattr(node, field):
            setattr(node, field, _wrapped(getattr(node, field), names))
    for handler in getattr(node, "handlers", ()):
        _wrap_inside(handler, names)


def _step(statement: gast.stmt) -> gast.stmt:
    return gast.copy_location(Step(constant(True, statement), [statement], []), statement)


def _is_text(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)


def step(node: Step, w: Rewriter) -> list[gast.stmt]:
    """Rewrite one statement in a function of its own."""
    state = state_of(node, w)
    return state.functions + STEP.statements(
        node,
        rt=w.rt,
        step_fn=w.names.fresh("step"),
        body=w.block(node.body, node),
        get_state=state.get_state,
        set_state=state.set_state,
        names=state.names,
        live=state.live,
        kept=state.kept,
        local=state.local,
        outer=state.outer,
    )
