"""Every statement in a function of its own, for functions with too many paths (see converters/regions).

Where the paths through a statement end with values of different types, only that statement is traced once per path, and
what follows goes on with values that are one thing or another.
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..analysis import Step
from ..source.names import Names
from ..source.template import place, template
from .call import last_call
from .nodes import assign, constant, load
from .rewriter import Rewriter
from .state import state_of

_STEPS = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.If, gast.For, gast.While, gast.Match, gast.Try,
          gast.With, gast.Assert, gast.Delete)  # fmt: skip
_INSIDE = (gast.If, gast.For, gast.While, gast.Try, gast.With)


@template
def STEP(rt, step_fn, body, header, get_state, set_state, names, live, kept, local, outer):
    def step_fn():
        nonlocal local
        global outer
        body

    rt.step(step_fn, header, get_state, set_state, names, live, kept)


@template
def READS(names):
    lambda: names


@template
def LOOK(rt, reads):
    rt.look(reads)


def in_steps(function: gast.FunctionDef, rt: str, names: Names) -> None:
    """Rewrite a function, whose jumps are removed, and those inside it, in place."""
    last = function.body[-1]
    if isinstance(last, gast.Return) and last.value is not None and not isinstance(last.value, gast.Name):
        result = names.fresh("result")
        function.body[-1:] = [assign(result, last.value, last), gast.copy_location(_read(result, last), last)]
    function.body = _wrapped(function.body, rt, names)


def _read(name: str, at: gast.AST) -> gast.Return:
    return gast.Return(load(name, at))


def _wrapped(statements: list[gast.stmt], rt: str, names: Names) -> list[gast.stmt]:
    made: list[gast.stmt] = []
    for statement in statements:
        if isinstance(statement, gast.FunctionDef):
            in_steps(statement, rt, names)
        elif isinstance(statement, _INSIDE):
            _wrap_inside(statement, rt, names)
        if not _is_step(statement):
            made += [*_looks(statement, rt), statement]
            continue
        if isinstance(statement, (gast.Expr, gast.Assign)) and isinstance(statement.value, gast.Call):
            if isinstance(statement, gast.Expr) or isinstance(statement.targets[0], gast.Name):
                statement.value = last_call(statement.value)
        made.append(_step(statement))
    return made


def _looks(statement: gast.stmt, rt: str) -> list[gast.stmt]:
    """Tell the run-time what a statement reads that is no region."""
    parts: list[gast.AST]
    if isinstance(statement, gast.FunctionDef):
        args = statement.args
        parts = [*statement.decorator_list, *args.defaults, *(x for x in args.kw_defaults if x is not None)]
    else:
        parts = [statement] if isinstance(statement, (gast.Raise, gast.ClassDef)) else []
    return LOOK.statements(statement, rt=rt, reads=_reads(statement, parts)) if parts else []


def _wrap_inside(node: gast.AST, rt: str, names: Names) -> None:
    for field in ("body", "orelse", "finalbody"):
        if hasattr(node, field):
            setattr(node, field, _wrapped(getattr(node, field), rt, names))
    for handler in getattr(node, "handlers", ()):
        _wrap_inside(handler, rt, names)


def _step(statement: gast.stmt) -> gast.stmt:
    return gast.copy_location(Step(constant(True, statement), [statement], []), statement)


def _is_step(statement: gast.stmt) -> bool:
    if isinstance(statement, gast.Delete):  # a variable's name is no value that could be one of several
        return not any(isinstance(target, gast.Name) for target in statement.targets)
    is_text = isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)
    return isinstance(statement, _STEPS) and not is_text


def _header(node: gast.stmt) -> gast.expr:
    """A function that reads what a statement reads, without the statements in it; None for one without such."""
    if not isinstance(node, _INSIDE):
        return constant(None, node)
    return _reads(node, [getattr(node, field) for field in ("test", "iter", "items") if hasattr(node, field)])


def _reads(at: gast.stmt, parts: Sequence[Any]) -> gast.expr:
    """`lambda: (a, b)` of the names that some parts of a statement read."""
    found = [n for part in parts for one in (part if isinstance(part, list) else [part]) for n in gast.walk(one)]
    names = dict.fromkeys(n.id for n in found if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load))
    return READS.expression(at, names=place(gast.Tuple([load(name, at) for name in names], gast.Load()), at))


def step(node: Step, w: Rewriter) -> list[gast.stmt]:
    """Rewrite one statement in a function of its own."""
    state = state_of(node, w)
    return state.functions + STEP.statements(
        node,
        rt=w.rt,
        step_fn=w.names.fresh("step"),
        header=_header(node.body[0]),
        body=w.block(node.body, node),
        get_state=state.get_state,
        set_state=state.set_state,
        names=state.names,
        live=state.live,
        kept=state.kept,
        local=state.local,
        outer=state.outer,
    )
