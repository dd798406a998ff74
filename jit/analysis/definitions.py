"""Definite assignment: which names may be unbound at a read, and which before a construct needs them.

Forward over structured code (no jumps are left), intersecting at joins; a name that is deleted anywhere counts
as never surely bound. After `raise` or `return` everything holds: that code isn't reached.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import gast

from .scopes import Access, NameScope

UNREACHED = -1  # all bits


@dataclass(slots=True)
class Definitions:
    """`before[construct]`: surely bound names; `undefined`: names to mark as unbound; `maybe`: doubtful reads."""

    undefined: int = 0
    maybe: set[gast.Name] = field(default_factory=set)
    before: dict[gast.AST, int] = field(default_factory=dict)


def definitions_of(scope: NameScope) -> Definitions:
    """Definite assignment in one function."""
    walk = _Walk(scope)
    if isinstance(scope.node, gast.Lambda):
        walk.unit(scope.node.body, walk.start)
    else:
        walk.block(scope.node.body, walk.start)
    # A walrus in a lambda is made by a setter function, which needs a variable to set.
    # A name bound in dead code only must stay local.
    walk.result.undefined |= (scope.in_thunk & scope.bound & ~scope.params) | scope.unreached
    return walk.result


class _Walk:
    def __init__(self, scope: NameScope) -> None:
        self.scope = scope
        self.result = Definitions()
        self.start = scope.params & ~scope.deleted
        self.depth = 0  # of constructs, whose blocks become functions

    def block(self, statements: Iterable[gast.stmt], defined: int) -> int:
        for statement in statements:
            defined = self._statement(statement, defined)
        return defined

    def unit(self, key: gast.AST, defined: int) -> int:
        access = self.scope.access[key]
        if access.reads & self.scope.bound & ~defined:
            self._doubt(access, defined)
        return defined | (access.sure & ~self.scope.deleted)

    def _doubt(self, access: Access, defined: int) -> None:
        bits = self.scope.bits
        if self.depth:  # Python would speak of a free variable there
            self.result.undefined |= access.reads & self.scope.bound & ~defined
        self.result.maybe.update(name for name in access.loads if bits[name.id] & self.scope.bound & ~defined)

    def _inside(self, statements: Iterable[gast.stmt], defined: int) -> int:
        """A block of a construct."""
        self.depth += 1
        defined = self.block(statements, defined)
        self.depth -= 1
        return defined

    def _statement(self, node: gast.stmt, defined: int) -> int:
        match node:
            case gast.If():
                self._enter(node, defined)
                defined = self.unit(node.test, defined)
                return self._inside(node.body, defined) & self._inside(node.orelse, defined)
            case gast.While():
                self._enter(node, defined)
                defined = self.unit(node.test, defined)
                self._inside(node.body, defined)
                return defined
            case gast.For():
                self._enter(node, defined)
                defined = self.unit(node.iter, defined)
                self._inside(node.body, self.unit(node.target, defined))
                return defined
            case gast.With() | gast.AsyncWith():
                for item in node.items:
                    defined = self.unit(item, defined)
                self.block(node.body, defined)
                return defined  # an exception may have been swallowed anywhere in the body
            case gast.Try() | gast.TryStar():
                return self._try(node, defined)
            case gast.Match():
                return self._match(node, defined)
            case gast.Global() | gast.Nonlocal():
                return defined
            case gast.Return() | gast.Raise():
                self.unit(node, defined)
                return UNREACHED
            case gast.FunctionDef():
                # A call of it may set our variables before we do.
                self.result.undefined |= self.scope.escaping & self.scope.bound & ~self._reached(defined)
        return self.unit(node, defined)

    def _enter(self, node: gast.If | gast.While | gast.For, defined: int) -> None:
        defined = self._reached(defined)
        self.result.before[node] = defined
        self.result.undefined |= self.scope.state(node) & self.scope.bound & ~defined

    def _reached(self, defined: int) -> int:
        return self.start if defined == UNREACHED else defined

    def _try(self, node: gast.Try | gast.TryStar, defined: int) -> int:
        after = self.block(node.orelse, self.block(node.body, defined))
        for handler in node.handlers:
            after &= self.block(handler.body, self.unit(handler, defined))
        return after | self.block(node.finalbody, defined) if node.finalbody else after

    def _match(self, node: gast.Match, defined: int) -> int:
        defined = self.unit(node.subject, defined)
        after = defined
        for case in node.cases:
            bound = self.scope.access[case].writes & ~self.scope.deleted
            self.block(case.body, self.unit(case, defined) | bound)
        return after
