"""Generator functions, in two forms.

*push*: `yield v` -> `if not vt_emit(v): return`: the loop's body runs where the value arises, so that tensors may
decide which values there are. *pull*: still a generator, for who asks for one value at a time; statements with a
`yield` or a jump in them keep Python's control flow, all others are rewritten as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from ...base.errors import CaptureError
from ...base.location import Loc
from ..analysis.exits import SCOPES, TRIES, Jump, blocks, jumps
from ..source.names import Names
from ..source.template import place
from .nodes import constant, load, store

_YIELDS = (gast.Yield, gast.YieldFrom)


def has_yield(node: gast.AST) -> bool:
    """Whether a `yield` of the function that `node` belongs to stands in it."""
    if isinstance(node, _YIELDS):
        return True
    return not isinstance(node, SCOPES) and any(has_yield(child) for child in gast.iter_child_nodes(node))


def can_push(function: gast.FunctionDef) -> bool:
    """Whether each `yield` is a statement, and none stands where the loop's body would run inside a `try` or `with`."""
    return all(map(_can_push, function.body))


def _can_push(statement: gast.stmt) -> bool:
    if not has_yield(statement):
        return True
    if isinstance(statement, gast.Expr):
        value = statement.value
        return isinstance(value, _YIELDS) and not (value.value is not None and has_yield(value.value))
    if isinstance(statement, (gast.With, gast.AsyncWith)):
        return False
    if isinstance(statement, TRIES):
        guarded = [*(statement.body if statement.handlers else ()), *statement.finalbody]
        if any(map(has_yield, guarded)):
            return False
    inner = [part for block in blocks(statement) for part in block]
    heads = [child for child in gast.iter_child_nodes(statement) if isinstance(child, gast.expr)]
    return bool(inner) and not any(map(has_yield, heads)) and all(map(_can_push, inner))


def push_form(function: gast.FunctionDef, emit: str, names: Names) -> None:
    """Rewrite a generator function in place."""
    function.body = _pushed(function.body, emit, names)


def _pushed(statements: Iterable[gast.stmt], emit: str, names: Names) -> list[gast.stmt]:
    made: list[gast.stmt] = []
    for statement in statements:
        if isinstance(statement, gast.Return):  # nobody sees the value
            made += [gast.copy_location(gast.Expr(statement.value), statement)] if statement.value else []
            made.append(gast.copy_location(gast.Return(None), statement))
        elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Yield):
            made.append(_handed_over(statement, statement.value.value or constant(None, statement), emit))
        elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.YieldFrom):
            item = names.fresh("item")
            body = [_handed_over(statement, load(item, statement), emit)]
            loop = gast.For(store(item, statement), statement.value.value, body, [])
            made.append(gast.copy_location(loop, statement))
        else:
            if not isinstance(statement, SCOPES):
                for block in blocks(statement):
                    block[:] = _pushed(block, emit, names)
            made.append(statement)
    return made


def _handed_over(at: gast.stmt, value: gast.expr, emit: str) -> gast.stmt:
    goes_on = place(gast.Call(load(emit, at), [value], []), at)
    leave = gast.copy_location(gast.Return(None), at)
    return gast.copy_location(gast.If(place(gast.UnaryOp(gast.Not(), goes_on), at), [leave], []), at)


def kept_by_python(function: gast.FunctionDef, file: str) -> set[gast.AST]:
    """Statements whose control flow the pull form leaves to Python: those with a `yield` or a jump inside."""
    found: set[gast.AST] = set()
    pending = list(function.body)
    while pending:
        statement = pending.pop()
        _require_plain_yields(statement, file)
        if not isinstance(statement, SCOPES) and (has_yield(statement) or jumps(statement) is not Jump.NONE):
            found.add(statement)
            pending += [part for block in blocks(statement) for part in block]
    return found


def _require_plain_yields(statement: gast.stmt, file: str) -> None:
    whole = getattr(statement, "value", None)
    for child in gast.iter_child_nodes(statement):
        inner: gast.AST | None = child
        if isinstance(child, _YIELDS) and child is whole:
            inner = child.value
        if isinstance(inner, gast.expr) and has_yield(inner):
            raise CaptureError(
                "a `yield` inside an expression can't be captured",
                loc=Loc(file, inner.lineno, inner.col_offset),
                remedy="give it a statement of its own: `x = yield v`",
            )
