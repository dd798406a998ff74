"""Every statement in an `if vt_rt.ONCE:` of its own, for functions with too many paths (see converters/steps.py).

Where the paths through a statement end with values of different types, only that statement is traced once per path, and
what follows goes on with values that are one thing or another.
"""

from __future__ import annotations

import gast

from ..analysis import Step
from ..source.names import Names
from ..source.template import place
from .nodes import assign, load

_STEPS = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.If, gast.For, gast.While, gast.Match, gast.Try,
          gast.With, gast.Assert)  # fmt: skip
_INSIDE = (gast.If, gast.For, gast.While)  # an exception must pass a `try` or `with` as Python has it


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
            statement.body = _wrapped(statement.body, rt, names)
            statement.orelse = _wrapped(statement.orelse, rt, names)
        made.append(_step(statement, rt) if isinstance(statement, _STEPS) and not _is_text(statement) else statement)
    return made


def _step(statement: gast.stmt, rt: str) -> gast.stmt:
    once: gast.expr = place(gast.Attribute(load(rt, statement), "ONCE", gast.Load()), statement)
    return gast.copy_location(Step(once, [statement], []), statement)


def _is_text(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)
