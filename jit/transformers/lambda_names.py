"""`:=` in an operand in a lambda: `lambda x: (y := f(x)) + y if x > 0 else x`.

Operands become lambdas of ours, where `:=` would bind a name of theirs, and no function that binds the right one can be
put in front of an expression. So the names that such a lambda binds are items of a dict of its own:

    lambda x: (lambda names: rt.bound(names, "y", f(x)) + rt.named(names, "y") if x > 0 else x)({})
"""

# Templates are patterns, not code: their holes have no types, and a hole can be the name of a function.
# mypy: disable-error-code="no-untyped-def, no-redef"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..source.names import Names
from ..source.template import place, template
from .nodes import constant, load

_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


@template
def BOUND(rt, names, text, value):
    rt.bound(names, text, value)


@template
def NAMED(rt, names, text):
    rt.named(names, text)


@template
def WITH_NAMES(names, body, items):
    (lambda names: body)(items)


def names_in_dicts(tree: gast.AST, rt: str, names: Names) -> None:
    """Rewrite the lambdas of a tree in place that bind names in operands.

    Those stay where an inner function or comprehension has a variable of that name.
    """
    for node in list(gast.walk(tree)):
        if isinstance(node, gast.Lambda):
            bound = {part.target.id for part in _own(node.body) if isinstance(part, gast.NamedExpr)}
            if bound and any(map(_has_operands, _own(node.body))) and not bound & _inner_variables(node):
                _rewrite(node, bound, rt, names.fresh("names"))


def _own(node: gast.AST) -> Iterator[gast.AST]:
    """A node and all in it that belongs to the same lambda."""
    yield node
    for part in gast.iter_child_nodes(node):
        if not isinstance(part, gast.Lambda):
            yield from _own(part)


def _has_operands(node: gast.AST) -> bool:
    """Whether parts of an expression become lambdas."""
    chain = isinstance(node, gast.Compare) and len(node.ops) > 1
    return chain or isinstance(node, (gast.BoolOp, gast.IfExp, *_COMPREHENSIONS))


def _inner_variables(node: gast.Lambda) -> set[str]:
    """The variables of lambdas and comprehensions inside a lambda."""
    found: set[str] = set()
    for part in gast.walk(node.body):
        if isinstance(part, gast.Lambda):
            found |= {x.id for x in gast.walk(part.args) if isinstance(x, gast.Name) and isinstance(x.ctx, gast.Param)}
            found |= {x.target.id for x in _own(part.body) if isinstance(x, gast.NamedExpr)}
        elif isinstance(part, gast.comprehension):
            found |= {x.id for x in gast.walk(part.target) if isinstance(x, gast.Name)}
    return found


def _rewrite(node: gast.Lambda, bound: set[str], rt: str, names: str) -> None:
    parameters = {x.id for x in gast.walk(node.args) if isinstance(x, gast.Name) and isinstance(x.ctx, gast.Param)}
    given = sorted(bound & parameters)
    items: list[gast.expr] = [load(name, node) for name in given]
    known = place(gast.Dict([constant(name, node) for name in given], items), node)
    body = _Items(bound, rt, names).visit(node.body)
    node.body = WITH_NAMES.expression(node, names=names, body=body, items=known)


class _Items(gast.NodeTransformer):
    """Puts items of a dict in the place of variables."""

    def __init__(self, bound: set[str], rt: str, names: str) -> None:
        self.bound, self.rt, self.names = bound, rt, names

    def visit(self, node: gast.AST) -> Any:
        """The node, rewritten: a binding of one of the variables, or a read."""
        self.generic_visit(node)
        if isinstance(node, gast.NamedExpr) and node.target.id in self.bound:
            text = constant(node.target.id, node)
            return BOUND.expression(node, rt=self.rt, names=self.names, text=text, value=node.value)
        if isinstance(node, gast.Name) and node.id in self.bound and isinstance(node.ctx, gast.Load):
            return NAMED.expression(node, rt=self.rt, names=self.names, text=constant(node.id, node))
        return node
