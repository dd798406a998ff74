"""Templates: real functions whose parameters are the holes (after Tangent's grammars).

A hole takes a `str` (renames), an expression, a list of statements (where it stands alone as a statement),
or a tuple of `str` (in `nonlocal` and `global`, which vanish when it is empty). The body is compiled once to
a tree of small makers, because a template is filled for every construct of every function.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import cached_property
from types import FunctionType
from typing import Any, TypeVar

import gast

from .gast_trees import to_gast

Node = TypeVar("Node", bound=gast.AST)
Hole = str | gast.expr | list[gast.stmt] | tuple[str, ...]
Holes = Mapping[str, Hole]
Maker = Callable[[Holes, gast.AST], Any]


class TemplateError(Exception):
    """A template filled with too few or too many holes: a mistake in this package."""


class Template:
    """A function used as a pattern of syntax."""

    def __init__(self, fn: FunctionType) -> None:
        self._fn = fn
        self.name = fn.__name__
        self.holes = frozenset(inspect.signature(fn).parameters)

    def statements(self, at: gast.AST, **holes: Hole) -> list[gast.stmt]:
        """The filled body; every generated node stands at the start of `at`."""
        if holes.keys() != self.holes:
            raise TemplateError(f"template {self.name} has the holes {sorted(self.holes)}, got {sorted(holes)}")
        made: list[gast.stmt] = self._body(holes, at)
        return made

    def expression(self, at: gast.AST, **holes: Hole) -> gast.expr:
        """The filled body of a template that is one expression."""
        (statement,) = self.statements(at, **holes)
        if not isinstance(statement, gast.Expr):
            raise TemplateError(f"template {self.name} is not one expression")
        return statement.value

    @cached_property
    def _body(self) -> Maker:
        tree = to_gast(ast.parse(textwrap.dedent(inspect.getsource(self._fn))).body[0])
        assert isinstance(tree, gast.FunctionDef)
        documented = gast.get_docstring(tree) is not None
        return _many(tree.body[documented:], self.holes)


def template(fn: Callable[..., Any]) -> Template:
    """Make a template of a function; its body is never run.

    >>> @template
    ... def SWAP(a, b):
    ...     a, b = b, a
    >>> SWAP.name
    'SWAP'
    """
    assert isinstance(fn, FunctionType)
    return Template(fn)


def _make(value: Any, holes: frozenset[str]) -> Maker | None:
    """A maker for a part of the pattern; None where it has no holes and no place, so that it can be shared."""
    if isinstance(value, list):
        return _many(value, holes)
    if isinstance(value, gast.Name) and value.id in holes:
        return _name(value)
    if isinstance(value, gast.Nonlocal | gast.Global):
        return _declaration(value)
    if isinstance(value, str):
        return (lambda filled, at: filled[value]) if value in holes else None
    return _node(value, holes) if isinstance(value, gast.AST) and value._fields else None


def _node(node: gast.AST, holes: frozenset[str]) -> Maker:
    kind = type(node)
    # A string is an identifier here (a name, an argument), except in constants and attributes.
    inner = frozenset[str]() if isinstance(node, gast.Constant | gast.Attribute) else holes
    parts = {
        field: (value, _make(value, inner if isinstance(value, str) else holes))
        for field, value in gast.iter_fields(node)
    }
    shared = {field: value for field, (value, maker) in parts.items() if maker is None}
    makers = [(field, maker) for field, (_, maker) in parts.items() if maker is not None]
    placed = "lineno" in node._attributes

    def make(filled: Holes, at: Any) -> gast.AST:
        made = kind.__new__(kind)  # gast's own constructor is slow, and there are hundreds in a function
        values = made.__dict__
        values.update(shared)
        for field, maker in makers:
            values[field] = maker(filled, at)
        return place(made, at) if placed else made

    return make


def _many(values: list[Any], holes: frozenset[str]) -> Maker:
    makers = [(_spliced(value, holes), _make(value, holes) or _shared(value)) for value in values]

    def make(filled: Holes, at: gast.AST) -> list[Any]:
        made: list[Any] = []
        for hole, maker in makers:
            if hole is not None and isinstance(block := filled[hole], list):
                made.extend(block)
            elif (one := maker(filled, at)) is not None:
                made.append(one)
        return made

    return make


def _spliced(value: gast.AST, holes: frozenset[str]) -> str | None:
    if isinstance(value, gast.Expr) and isinstance(value.value, gast.Name) and value.value.id in holes:
        return value.value.id
    return None


def _name(node: gast.Name) -> Maker:
    hole, context = node.id, node.ctx

    def make(filled: Holes, at: Any) -> gast.AST:
        value = filled[hole]
        return place(gast.Name(value, context, None, None), at) if isinstance(value, str) else value  # type: ignore[return-value]

    return make


def _shared(value: Any) -> Maker:
    return lambda filled, at: value


def _declaration(node: gast.Nonlocal | gast.Global) -> Maker:
    kind, (hole,) = type(node), node.names

    def make(filled: Holes, at: gast.AST) -> gast.AST | None:
        names = filled[hole]
        names = (names,) if isinstance(names, str) else names
        return place(kind(list(names)), at) if names else None  # type: ignore[arg-type]

    return make


def place(node: Node, at: Any) -> Node:
    """Put a generated node at the start of the one it replaces (end = start: CPython reports a call's last line)."""
    positioned: Any = node
    positioned.lineno = positioned.end_lineno = at.lineno
    positioned.col_offset = positioned.end_col_offset = at.col_offset
    return node
