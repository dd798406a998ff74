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

import ast
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from ..analysis.exits import SCOPES
from ..source.names import Names
from ..source.template import place
from .nodes import assign, constant, load, store

LIMIT = 10_000  # calls of a function within each other
_BLOCKS = (ast.If,)


def as_loop(function: ast.FunctionDef, names: Names, file: str) -> bool:
    """Rewrite a function in place; whether it was one that this is for."""
    params = _params(function)
    calls = list(_tail_calls(function.body, function.name))
    if params is None or not calls or not _is_plain(function) or not all(_given(c, params) for c in calls):
        return False
    depth = names.fresh("depth")
    at = function.body[0]
    loop = ast.While(constant(True, at), [*_counted(function, depth, calls[0], file), *_looped(function, params)], [])
    function.body = [assign(depth, constant(0, at), at), ast.copy_location(loop, at)]
    return True


def _params(function: ast.FunctionDef) -> list[str] | None:
    args = function.args
    if args.vararg or args.kwarg or args.kwonlyargs:
        return None
    return [a.arg for a in (*args.posonlyargs, *args.args)]


def _is_plain(function: ast.FunctionDef) -> bool:
    inner = [node for statement in function.body for node in ast.walk(statement)]
    return not any(isinstance(n, (*SCOPES, ast.Lambda, ast.GeneratorExp, ast.Yield, ast.YieldFrom)) for n in inner)


def _tail_calls(statements: Sequence[ast.stmt], name: str) -> Iterator[ast.Call]:
    for statement in statements:
        if isinstance(statement, ast.Return):
            yield from _calls_of(statement.value, name)
        elif isinstance(statement, ast.If):
            yield from _tail_calls(statement.body, name)
            yield from _tail_calls(statement.orelse, name)


def _calls_of(value: ast.expr | None, name: str) -> Iterator[ast.Call]:
    if isinstance(value, ast.IfExp):
        yield from _calls_of(value.body, name)
        yield from _calls_of(value.orelse, name)
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name:
        yield value


def _given(call: ast.Call, params: Sequence[str]) -> bool:
    """Whether a call names every parameter once."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return False
    found = [*params[: len(call.args)], *(str(k.arg) for k in call.keywords)]
    return sorted(found) == sorted(params)


def _counted(function: ast.FunctionDef, depth: str, call: ast.Call, file: str) -> list[ast.stmt]:
    at = function.body[0]
    more: ast.expr = place(ast.BinOp(load(depth, at), ast.Add(), constant(1, at)), at)
    test: ast.expr = place(ast.Compare(load(depth, at), [ast.Gt()], [constant(LIMIT, at)]), at)
    message = f"`{function.name}` calls itself more than {LIMIT} times deep, at {PurePath(file).name}:{call.lineno}"
    error: ast.expr = place(ast.Call(load("RecursionError", call), [constant(message, call)], []), call)
    stop = ast.copy_location(ast.Raise(error, None), call)
    return [assign(depth, more, at), ast.copy_location(ast.If(test, [stop], []), at)]


def _looped(function: ast.FunctionDef, params: Sequence[str]) -> list[ast.stmt]:
    body = _rewritten(function.body, function.name, params)
    return [*body, ast.copy_location(ast.Return(None), function.body[-1])]


def _rewritten(statements: Sequence[ast.stmt], name: str, params: Sequence[str]) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.Return) and any(_calls_of(statement.value, name)):
            assert statement.value is not None
            made += _again(statement.value, statement, name, params)
            continue
        if isinstance(statement, ast.If):
            statement.body = _rewritten(statement.body, name, params)
            statement.orelse = _rewritten(statement.orelse, name, params)
        made.append(statement)
    return made


def _again(value: ast.expr, at: ast.stmt, name: str, params: Sequence[str]) -> list[ast.stmt]:
    if isinstance(value, ast.IfExp):
        sides = _again(value.body, at, name, params), _again(value.orelse, at, name, params)
        return [ast.copy_location(ast.If(value.test, *sides), at)]
    if not any(_calls_of(value, name)):
        return [ast.copy_location(ast.Return(value), at)]
    assert isinstance(value, ast.Call)
    given = dict(zip(params, value.args, strict=False)) | {str(k.arg): k.value for k in value.keywords}
    targets: ast.expr = place(ast.Tuple([store(p, at) for p in params], ast.Store()), at)
    values: ast.expr = place(ast.Tuple([given[p] for p in params], ast.Load()), at)
    return [place(ast.Assign([targets], values), at), ast.copy_location(ast.Continue(), at)]
