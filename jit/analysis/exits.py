"""Where a statement may jump to, and whether a block can be left at its end.

Purely structural: `return`, `break` and `continue` are rewritten into flags before anything else is analysed
(transformers/early_exit.py), so that no control flow graph is needed later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Flag

import gast

LOOPS = (gast.For, gast.While)
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
TRIES = (gast.Try, gast.TryStar)


class Jump(Flag):
    """The kinds of jump out of a block."""

    NONE = 0
    RETURN = 1
    BREAK = 2
    CONTINUE = 4


_SIMPLE = {gast.Return: Jump.RETURN, gast.Break: Jump.BREAK, gast.Continue: Jump.CONTINUE}


def blocks(statement: gast.AST) -> Iterator[list[gast.stmt]]:
    """The blocks of statements that a compound statement holds."""
    for field in ("body", "orelse", "finalbody"):
        if block := getattr(statement, field, None):
            yield block
    for field in ("handlers", "cases"):
        for part in getattr(statement, field, ()):
            yield part.body


def jumps(statement: gast.stmt) -> Jump:
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


def jumps_of(block: Iterable[gast.stmt]) -> Jump:
    """The jumps in a block that leave it; those in code that is never reached don't count."""
    found = Jump.NONE
    for statement in block:
        found |= jumps(statement)
        if _exits(statement):
            break
    return found


def always_exits(block: Iterable[gast.stmt]) -> bool:
    """Whether control never reaches the end of `block`."""
    return any(_exits(statement) for statement in block)


def _exits(statement: gast.stmt) -> bool:
    match statement:
        case gast.Return() | gast.Raise() | gast.Break() | gast.Continue():
            return True
        case gast.If(body=body, orelse=orelse):
            return always_exits(body) and always_exits(orelse)
        case gast.While(body=body, orelse=orelse) | gast.For(body=body, orelse=orelse):
            return (is_endless(statement) or always_exits(orelse)) and not jumps_of(body) & Jump.BREAK
        case (
            gast.Try(body=body, handlers=handlers, orelse=orelse)
            | gast.TryStar(body=body, handlers=handlers, orelse=orelse)
        ):
            return always_exits([*body, *orelse]) and all(always_exits(handler.body) for handler in handlers)
        case gast.Match(cases=cases):
            return is_exhaustive(statement) and all(always_exits(case.body) for case in cases)
    return False  # a `with` may swallow the exception that was raised in it


def is_endless(loop: gast.stmt) -> bool:
    """Whether a loop is `while True`: it is left by a jump only."""
    return isinstance(loop, gast.While) and isinstance(loop.test, gast.Constant) and bool(loop.test.value)


def is_exhaustive(statement: gast.Match) -> bool:
    """Whether the last case takes everything."""
    last = statement.cases[-1]
    return last.guard is None and isinstance(last.pattern, gast.MatchAs) and last.pattern.pattern is None


def bound_in(node: gast.AST) -> Iterator[str]:
    """Names that a statement binds in its function."""
    match node:
        case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
            yield name
        case gast.FunctionDef(name=name) | gast.AsyncFunctionDef(name=name) | gast.ClassDef(name=name):
            yield name
        case gast.MatchAs(name=str(name)) | gast.MatchStar(name=str(name)):
            yield name
        case gast.MatchMapping(rest=str(name)):
            yield name
        case gast.alias(name=name, asname=asname):
            yield asname or name.split(".")[0]
    if isinstance(node, COMPREHENSIONS):  # its targets are its own; a walrus in it is not
        yield from (part.target.id for part in gast.walk(node) if isinstance(part, gast.NamedExpr))
    elif not isinstance(node, SCOPES):
        for child in gast.iter_child_nodes(node):
            yield from bound_in(child)


def own_nodes(function: gast.AST) -> Iterator[gast.AST]:
    """The nodes of a function's body, without those of functions and classes inside it."""
    pending = list(getattr(function, "body", ()))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, SCOPES):
            pending.extend(gast.iter_child_nodes(node))


def is_suspendable(function: gast.AST) -> bool:
    """Whether a function is a generator or a coroutine: its body can't be cut into functions."""
    return isinstance(function, gast.AsyncFunctionDef) or any(
        isinstance(node, gast.Yield | gast.YieldFrom) for node in own_nodes(function)
    )
