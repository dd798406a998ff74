"""Every statement in an `if vt_rt.ONCE:` of its own, for functions with too many paths (see converters/steps.py).

Where the paths through a statement end with values of different kinds, only that statement is traced once per path, and
what follows goes on with values that are one thing or another.
"""

from __future__ import annotations

import ast

from ..analysis import Step
from ..source.names import Names
from ..source.template import place
from .nodes import assign, load

_STEPS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.For, ast.While, ast.Match, ast.Try, ast.With,
          ast.Assert)  # fmt: skip
_INSIDE = (ast.If, ast.For, ast.While)  # an exception must pass a `try` or `with` as Python has it


def in_steps(function: ast.FunctionDef, rt: str, names: Names) -> None:
    """Rewrite a function, whose jumps are removed, and those inside it, in place."""
    last = function.body[-1]
    if isinstance(last, ast.Return) and last.value is not None and not isinstance(last.value, ast.Name):
        result = names.fresh("result")
        function.body[-1:] = [assign(result, last.value, last), ast.copy_location(_read(result, last), last)]
    function.body = _wrapped(function.body, rt, names)


def _read(name: str, at: ast.AST) -> ast.Return:
    return ast.Return(load(name, at))


def _wrapped(statements: list[ast.stmt], rt: str, names: Names) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.FunctionDef):
            in_steps(statement, rt, names)
        elif isinstance(statement, _INSIDE):
            statement.body = _wrapped(statement.body, rt, names)
            statement.orelse = _wrapped(statement.orelse, rt, names)
        made.append(_step(statement, rt) if isinstance(statement, _STEPS) and not _is_text(statement) else statement)
    return made


def _step(statement: ast.stmt, rt: str) -> ast.stmt:
    once: ast.expr = place(ast.Attribute(load(rt, statement), "ONCE", ast.Load()), statement)
    return ast.copy_location(Step(once, [statement], []), statement)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
