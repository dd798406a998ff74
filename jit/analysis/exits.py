"""Where a statement may jump to, and whether a block can be left at its end.

Purely structural: `return`, `break` and `continue` are rewritten into flags before anything else is analysed
(transformers/early_exit.py), so that no control flow graph is needed later.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from enum import Flag

LOOPS = (ast.For, ast.While)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
TRIES = (ast.Try, ast.TryStar)


class Jump(Flag):
    """The kinds of jump out of a block."""

    NONE = 0
    RETURN = 1
    BREAK = 2
    CONTINUE = 4


_SIMPLE = {ast.Return: Jump.RETURN, ast.Break: Jump.BREAK, ast.Continue: Jump.CONTINUE}


def blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of statements that a compound statement holds."""
    for field in ("body", "orelse", "finalbody"):
        if block := getattr(statement, field, None):
            yield block
    for field in ("handlers", "cases"):
        for part in getattr(statement, field, ()):
            yield part.body


def jumps(statement: ast.stmt) -> Jump:
    """The jumps in `statement` that leave it; a loop keeps its own `break` and `continue`."""
    if simple := _SIMPLE.get(type(statement)):
        return simple
    if isinstance(statement, SCOPES):
        return Jump.NONE
    if isinstance(statement, LOOPS):
        return (jumps_of(statement.body) & Jump.RETURN) | jumps_of(statement.orelse)
    found = Jump.NONE
    for block in blocks(statement):
        found |= jumps_of(block)
    return found


def jumps_of(block: Iterable[ast.stmt]) -> Jump:
    """The jumps in a block that leave it; those in code that is never reached don't count."""
    found = Jump.NONE
    for statement in block:
        found |= jumps(statement)
        if _exits(statement):
            break
    return found


def always_exits(block: Iterable[ast.stmt]) -> bool:
    """Whether control never reaches the end of `block`."""
    return any(_exits(statement) for statement in block)


def _exits(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
            return True
        case ast.If(body=body, orelse=orelse):
            return always_exits(body) and always_exits(orelse)
        case ast.While(body=body, orelse=orelse) | ast.For(body=body, orelse=orelse):
            return (is_endless(statement) or always_exits(orelse)) and not jumps_of(body) & Jump.BREAK
        case (
            ast.Try(body=body, handlers=handlers, orelse=orelse)
            | ast.TryStar(body=body, handlers=handlers, orelse=orelse)
        ):
            return always_exits([*body, *orelse]) and all(always_exits(handler.body) for handler in handlers)
        case ast.Match(cases=cases):
            return is_exhaustive(statement) and all(always_exits(case.body) for case in cases)
    return False  # a `with` may swallow the exception that was raised in it


def is_endless(loop: ast.stmt) -> bool:
    """Whether a loop is `while True`: it is left by a jump only."""
    return isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and bool(loop.test.value)


def is_exhaustive(statement: ast.Match) -> bool:
    """Whether the last case takes everything."""
    last = statement.cases[-1]
    return last.guard is None and isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None


def bound_in(node: ast.AST) -> Iterator[str]:
    """Names that a statement binds in its function."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=name, asname=asname):
            yield asname or name.split(".")[0]
    if isinstance(node, COMPREHENSIONS):  # its targets are its own; a walrus in it is not
        yield from (part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
    elif not isinstance(node, SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from bound_in(child)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions and classes inside it."""
    pending = list(getattr(function, "body", ()))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, SCOPES):
            pending.extend(ast.iter_child_nodes(node))


def is_suspendable(function: ast.AST) -> bool:
    """Whether a function is a generator or a coroutine: its body can't be cut into functions."""
    return isinstance(function, ast.AsyncFunctionDef) or any(
        isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function)
    )
