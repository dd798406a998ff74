"""A function that ends by calling itself -> a loop, for recursion that only a tensor's value ends.

def power(x, n, made):               def power(x, n, made):
    if n <= 0:                           depth = 0
        return made                      while True:
    return power(x, n - 1, made * x)         depth = depth + 1
                                             if depth > LIMIT:
                                                 raise RecursionError(…)
                                             if n <= 0:
                                                 return made
                                             x, n, made = (x, n - 1, made * x)
                                             continue

Only calls in the place of a `return`'s value are taken, and only in functions without functions of their own, which
would see the variables of one call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

import gast

from ..analysis.exits import SCOPES
from ..source.names import Names
from ..source.template import place
from .nodes import assign, constant, load, store

LIMIT = 10_000  # calls of a function within each other
_BLOCKS = (gast.If,)


def as_loop(function: gast.FunctionDef, names: Names, file: str) -> bool:
    """Rewrite a function in place; whether it was one that this is for."""
    params = _params(function)
    calls = list(_tail_calls(function.body, function.name))
    if params is None or not calls or not _is_plain(function) or not all(_given(c, params) for c in calls):
        return False
    depth = names.fresh("depth")
    at = function.body[0]
    loop = gast.While(constant(True, at), [*_counted(function, depth, calls[0], file), *_looped(function, params)], [])
    function.body = [assign(depth, constant(0, at), at), gast.copy_location(loop, at)]
    return True


def _params(function: gast.FunctionDef) -> list[str] | None:
    args = function.args
    if args.vararg or args.kwarg or args.kwonlyargs:
        return None
    return [a.id for a in (*args.posonlyargs, *args.args)]


def _is_plain(function: gast.FunctionDef) -> bool:
    inner = [node for statement in function.body for node in gast.walk(statement)]
    return not any(isinstance(n, (*SCOPES, gast.Lambda, gast.GeneratorExp, gast.Yield, gast.YieldFrom)) for n in inner)


def _tail_calls(statements: Sequence[gast.stmt], name: str) -> Iterator[gast.Call]:
    for statement in statements:
        if isinstance(statement, gast.Return):
            yield from _calls_of(statement.value, name)
        elif isinstance(statement, gast.If):
            yield from _tail_calls(statement.body, name)
            yield from _tail_calls(statement.orelse, name)


def _calls_of(value: gast.expr | None, name: str) -> Iterator[gast.Call]:
    if isinstance(value, gast.IfExp):
        yield from _calls_of(value.body, name)
        yield from _calls_of(value.orelse, name)
    elif isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id == name:
        yield value


def _given(call: gast.Call, params: Sequence[str]) -> bool:
    """Whether a call names every parameter once."""
    if any(isinstance(a, gast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return False
    found = [*params[: len(call.args)], *(str(k.arg) for k in call.keywords)]
    return sorted(found) == sorted(params)


def _counted(function: gast.FunctionDef, depth: str, call: gast.Call, file: str) -> list[gast.stmt]:
    at = function.body[0]
    more: gast.expr = place(gast.BinOp(load(depth, at), gast.Add(), constant(1, at)), at)
    test: gast.expr = place(gast.Compare(load(depth, at), [gast.Gt()], [constant(LIMIT, at)]), at)
    message = f"`{function.name}` calls itself more than {LIMIT} times deep, at {PurePath(file).name}:{call.lineno}"
    error: gast.expr = place(gast.Call(load("RecursionError", call), [constant(message, call)], []), call)
    stop = gast.copy_location(gast.Raise(error, None), call)
    return [assign(depth, more, at), gast.copy_location(gast.If(test, [stop], []), at)]


def _looped(function: gast.FunctionDef, params: Sequence[str]) -> list[gast.stmt]:
    body = _rewritten(function.body, function.name, params)
    return [*body, gast.copy_location(gast.Return(None), function.body[-1])]


def _rewritten(statements: Sequence[gast.stmt], name: str, params: Sequence[str]) -> list[gast.stmt]:
    made: list[gast.stmt] = []
    for statement in statements:
        if isinstance(statement, gast.Return) and any(_calls_of(statement.value, name)):
            assert statement.value is not None
            made += _again(statement.value, statement, name, params)
            continue
        if isinstance(statement, gast.If):
            statement.body = _rewritten(statement.body, name, params)
            statement.orelse = _rewritten(statement.orelse, name, params)
        made.append(statement)
    return made


def _again(value: gast.expr, at: gast.stmt, name: str, params: Sequence[str]) -> list[gast.stmt]:
    if isinstance(value, gast.IfExp):
        sides = _again(value.body, at, name, params), _again(value.orelse, at, name, params)
        return [gast.copy_location(gast.If(value.test, *sides), at)]
    if not any(_calls_of(value, name)):
        return [gast.copy_location(gast.Return(value), at)]
    assert isinstance(value, gast.Call)
    given = dict(zip(params, value.args, strict=False)) | {str(k.arg): k.value for k in value.keywords}
    targets: gast.expr = place(gast.Tuple([store(p, at) for p in params], gast.Store()), at)
    values: gast.expr = place(gast.Tuple([given[p] for p in params], gast.Load()), at)
    return [place(gast.Assign([targets], values), at), gast.copy_location(gast.Continue(), at)]
