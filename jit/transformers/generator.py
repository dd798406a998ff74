"""Generator functions, in two forms.

*push*: `yield v` -> `if not vt_emit(v): return`: the loop's body runs where the value arises, so that tensors may
decide which values there are. *pull*: still a generator, for who asks for one value at a time; statements with a
`yield` or a jump in them keep Python's control flow, all others are rewritten as everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ...base.errors import CaptureError
from ...base.location import Loc
from ..analysis.exits import SCOPES, TRIES, Jump, blocks, jumps
from ..source.names import Names
from ..source.template import place
from .nodes import constant, load, store

_YIELDS = (ast.Yield, ast.YieldFrom)


def has_yield(node: ast.AST) -> bool:
    """Whether a `yield` of the function that `node` belongs to stands in it."""
    if isinstance(node, _YIELDS):
        return True
    return not isinstance(node, SCOPES) and any(has_yield(child) for child in ast.iter_child_nodes(node))


def can_push(function: ast.FunctionDef) -> bool:
    """Whether each `yield` is a statement, and none stands where the loop's body would run inside a `try` or `with`."""
    return all(map(_can_push, function.body))


def _can_push(statement: ast.stmt) -> bool:
    if not has_yield(statement):
        return True
    if isinstance(statement, ast.Expr):
        value = statement.value
        return isinstance(value, _YIELDS) and not (value.value is not None and has_yield(value.value))
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return False
    if isinstance(statement, TRIES):
        guarded = [*(statement.body if statement.handlers else ()), *statement.finalbody]
        if any(map(has_yield, guarded)):
            return False
    inner = [part for block in blocks(statement) for part in block]
    heads = [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.expr)]
    return bool(inner) and not any(map(has_yield, heads)) and all(map(_can_push, inner))


def push_form(function: ast.FunctionDef, emit: str, names: Names) -> None:
    """Rewrite a generator function in place."""
    function.body = _pushed(function.body, emit, names)


def _pushed(statements: Iterable[ast.stmt], emit: str, names: Names) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.Return):  # nobody sees the value
            made += [ast.copy_location(ast.Expr(statement.value), statement)] if statement.value else []
            made.append(ast.copy_location(ast.Return(None), statement))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield):
            made.append(_handed_over(statement, statement.value.value or constant(None, statement), emit))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.YieldFrom):
            item = names.fresh("item")
            body = [_handed_over(statement, load(item, statement), emit)]
            loop = ast.For(store(item, statement), statement.value.value, body, [])
            made.append(ast.copy_location(loop, statement))
        else:
            if not isinstance(statement, SCOPES):
                for block in blocks(statement):
                    block[:] = _pushed(block, emit, names)
            made.append(statement)
    return made


def _handed_over(at: ast.stmt, value: ast.expr, emit: str) -> ast.stmt:
    goes_on = place(ast.Call(load(emit, at), [value], []), at)
    leave = ast.copy_location(ast.Return(None), at)
    return ast.copy_location(ast.If(place(ast.UnaryOp(ast.Not(), goes_on), at), [leave], []), at)


def kept_by_python(function: ast.FunctionDef, file: str) -> set[ast.AST]:
    """Statements whose control flow the pull form leaves to Python: those with a `yield` or a jump inside."""
    found: set[ast.AST] = set()
    pending = list(function.body)
    while pending:
        statement = pending.pop()
        _require_plain_yields(statement, file)
        if not isinstance(statement, SCOPES) and (has_yield(statement) or jumps(statement) is not Jump.NONE):
            found.add(statement)
            pending += [part for block in blocks(statement) for part in block]
    return found


def _require_plain_yields(statement: ast.stmt, file: str) -> None:
    whole = getattr(statement, "value", None)
    for child in ast.iter_child_nodes(statement):
        inner: ast.AST | None = child
        if isinstance(child, _YIELDS) and child is whole:
            inner = child.value
        if isinstance(inner, ast.expr) and has_yield(inner):
            raise CaptureError(
                "a `yield` inside an expression can't be captured",
                loc=Loc(file, inner.lineno, inner.col_offset),
                remedy="give it a statement of its own: `x = yield v`",
            )
