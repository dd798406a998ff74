"""Single names, constants and tests, placed at the start of the node they stand for."""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from ..source.template import Node, place, template

_LOAD, _STORE = gast.Load(), gast.Store()


@template
def ASSIGN(target, value):
    target = value


def _leaf(kind: type[Node], at: gast.AST, /, **fields: object) -> Node:
    """A node at the start of `at`. Without gast's constructor, which takes longer than all the rest."""
    made = kind.__new__(kind)
    made.__dict__.update(fields)
    return place(made, at)


def load(name: str, at: gast.AST) -> gast.Name:
    """A read of `name`."""
    return _leaf(gast.Name, at, id=name, ctx=_LOAD, annotation=None, type_comment=None)


def store(name: str, at: gast.AST) -> gast.Name:
    """A binding of `name`."""
    return _leaf(gast.Name, at, id=name, ctx=_STORE, annotation=None, type_comment=None)


def constant(value: object, at: gast.AST) -> gast.Constant:
    """A constant."""
    return _leaf(gast.Constant, at, value=value, kind=None)


def strings(values: Iterable[str], at: gast.AST) -> gast.expr:
    """A tuple of strings."""
    return place(gast.Tuple([constant(value, at) for value in values], gast.Load()), at)


def assign(target: str, value: gast.expr, at: gast.AST) -> gast.stmt:
    """`target = value`."""
    return ASSIGN.statements(at, target=target, value=value)[0]


def none_of(flags: Sequence[str], at: gast.AST) -> gast.expr:
    """`not (a or b)`: no early exit has happened."""
    reads: list[gast.expr] = [load(flag, at) for flag in flags]
    inner = reads[0] if len(reads) == 1 else place(gast.BoolOp(gast.Or(), reads), at)
    return place(gast.UnaryOp(gast.Not(), inner), at)


def both(first: gast.expr, second: gast.expr, at: gast.AST) -> gast.expr:
    """`first and second`; just `first` where the second is constantly true."""
    if isinstance(second, gast.Constant) and second.value:
        return first
    return place(gast.BoolOp(gast.And(), [first, second]), at)
