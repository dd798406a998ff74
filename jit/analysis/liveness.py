"""Live variables: which names may be read after a construct (for a loop: at its head, so in the next round too).

Backward over structured code, uniting at joins; a loop's body is walked twice, which is its fixed point. Inside
`try` every point may continue at a handler, and a `with` may swallow an exception.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from .scopes import Construct, NameScope

Live = dict[gast.AST, int]


def live_after(scope: NameScope) -> Live:
    """For each `if`: the names read after it; for each loop: the names read at its head."""
    if isinstance(scope.node, gast.Lambda):
        return {}
    walk = _Walk(scope)
    walk.block(scope.node.body, 0, 0)
    return walk.live


class _Walk:
    def __init__(self, scope: NameScope) -> None:
        self.scope = scope
        self.live: Live = {}

    def block(self, statements: Sequence[gast.stmt], after: int, raised: int) -> int:
        """Names live before `statements`; `raised`: names live where an exception in them ends up."""
        for statement in reversed(statements):
            after = self._statement(statement, after, raised)
        return after

    def unit(self, key: gast.AST, after: int, raised: int) -> int:
        access = self.scope.access[key]
        return access.reads | (after & ~access.sure) | raised

    def _statement(self, node: gast.stmt, after: int, raised: int) -> int:
        match node:
            case gast.If():
                self._mark(node, after | raised)
                inside = self.block(node.body, after, raised) | self.block(node.orelse, after, raised)
                return self.unit(node.test, inside, raised)
            case gast.While():
                return self._while(node, after, raised)
            case gast.For():
                return self._for(node, after, raised)
            case gast.With() | gast.AsyncWith():
                after = self.block(node.body, after, raised | after)
                for item in reversed(node.items):
                    after = self.unit(item, after, raised)
                return after
            case gast.Try() | gast.TryStar():
                return self._try(node, after, raised)
            case gast.Match():
                for case in node.cases:
                    after |= self.unit(case, self.block(case.body, after, raised), raised)
                return self.unit(node.subject, after, raised)
            case gast.Global() | gast.Nonlocal():
                return after
            case gast.Return() | gast.Raise():
                return self.unit(node, 0, raised)
        return self.unit(node, after, raised)

    def _mark(self, node: Construct, live: int) -> None:
        self.live[node] = live | self.scope.lasting

    def _while(self, node: gast.While, after: int, raised: int) -> int:
        head = self.unit(node.test, after, raised)
        for _ in range(2):
            tested = after | self.block(node.body, head, raised)
            head = self.unit(node.test, tested, raised)
        self._mark(node, head | tested)  # the state moves on behind the test, which may write variables
        return head

    def _for(self, node: gast.For, after: int, raised: int) -> int:
        test = self.scope.tests.get(node)
        end = after | raised | (self.scope.access[test].reads if test else 0)
        head = end
        for _ in range(2):
            head = end | self.unit(node.target, self.block(node.body, head, raised), raised)
        self._mark(node, head)
        return self.unit(node.iter, head, raised)

    def _try(self, node: gast.Try | gast.TryStar, after: int, raised: int) -> int:
        end = self.block(node.finalbody, after | raised, raised)
        uncaught = end if node.finalbody else raised
        caught = uncaught
        for handler in node.handlers:
            caught |= self.unit(handler, self.block(handler.body, end, uncaught), uncaught)
        return self.block(node.body, self.block(node.orelse, end, uncaught), caught)
