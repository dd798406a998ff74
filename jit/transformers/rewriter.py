"""The walk that applies the rules: top down, each rule deciding when its children are rewritten."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gast

from ..analysis import Facts, NameScope
from ..source.names import Names
from ..source.template import place
from .nodes import load

Rewritten = gast.AST | list[gast.stmt]
Rule = Callable[..., Rewritten]
_LEAVES = (gast.Constant, gast.expr_context, gast.operator, gast.cmpop, gast.unaryop, gast.boolop)


@dataclass(slots=True)
class Position:
    """Where the walk stands."""

    scope: NameScope
    in_block: bool = False  # in the body of a construct, which becomes a function of its own
    in_thunk: bool = False  # in an operand, which becomes a lambda
    class_name: str | None = None  # for private names


class Rewriter:
    """Applies `rules` (by node type) to a tree."""

    def __init__(
        self,
        rules: Mapping[type, Rule],
        facts: Facts,
        names: Names,
        rt: str,
        file: str,
        loop_tests: Mapping[gast.For, gast.expr],
        position: Position,
        kept: Container[gast.AST] = (),
    ) -> None:
        self.rules = rules
        self.facts = facts
        self.names = names
        self.rt = rt
        self.file = file
        self.loop_tests = loop_tests
        self.position = position
        self.kept = kept  # statements whose control flow stays Python's
        self.orders = False  # whether any two values that are compared may be tuples
        self.setters: dict[str, str] = {}  # variable -> its setter, for a walrus in a lambda

    @property
    def scope(self) -> NameScope:
        """The function that the walk is in."""
        return self.position.scope

    def visit(self, node: gast.AST) -> Rewritten:
        """The rewritten node."""
        if isinstance(node, _LEAVES):
            return node
        rule = None if node in self.kept else self.rules.get(type(node))
        return self.children(node) if rule is None else rule(node, self)

    def children(self, node: gast.AST) -> gast.AST:
        """Rewrite what is in `node`, keep the node itself."""
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                if value:
                    setattr(node, name, self._many(value))
            elif isinstance(value, gast.AST):
                setattr(node, name, self.visit(value))
        return node

    def expression(self, node: gast.expr) -> gast.expr:
        """The rewritten expression."""
        made = self.visit(node)
        assert isinstance(made, gast.expr)
        return made

    def thunk(self, node: gast.expr) -> gast.expr:
        """The rewritten expression, to be put in a lambda."""
        with self.at(in_thunk=True):
            return self.expression(node)

    def block(self, statements: Sequence[gast.stmt], at: gast.AST) -> list[gast.stmt]:
        """The rewritten body of the construct `at`, never empty."""
        with self.at(in_block=True):
            return self.statements(statements) or [place(gast.Pass(), at)]

    def statements(self, statements: Sequence[gast.stmt]) -> list[gast.stmt]:
        """The rewritten statements."""
        made: list[gast.stmt] = self._many(statements)
        return made

    def _many(self, nodes: Sequence[Any]) -> list[Any]:
        made: list[Any] = []
        for node in nodes:
            new = self.visit(node) if isinstance(node, gast.AST) else node  # names of keywords in patterns are texts
            if isinstance(new, list):
                made.extend(new)
            else:
                made.append(new)
        return made

    @contextmanager
    def at(
        self, *, in_block: bool | None = None, in_thunk: bool | None = None, class_name: str | None = None
    ) -> Iterator[None]:
        """Move the walk's position for a while."""
        old = self.position
        self.position = Position(
            old.scope,
            old.in_block if in_block is None else in_block,
            old.in_thunk if in_thunk is None else in_thunk,
            old.class_name if class_name is None else class_name,
        )
        try:
            yield
        finally:
            self.position = old

    @contextmanager
    def inside(self, scope: NameScope) -> Iterator[None]:
        """Walk in another function, with setters of its own."""
        old, setters = self.position, self.setters
        self.position, self.setters = Position(scope, class_name=old.class_name), {}
        try:
            yield
        finally:
            self.position, self.setters = old, setters

    def runtime(self, name: str, at: gast.AST) -> gast.expr:
        """`vt_rt.name`."""
        return place(gast.Attribute(load(self.rt, at), name, gast.Load()), at)
