"""Python's own syntax trees <-> gast's: the one joint each way.

Trees of gast look alike under every Python, so all between the reader and the loader is written once. Parameters are
`Name`s with the context `Param`, the name of an `except` is a `Name`, and lists of type parameters are always there.
The rules are gast's (a test compares them), with two differences. A node or field that one side doesn't know is an
error, where gast leaves it out. Every node has a place, the names that gast adds included. A table by node type makes
it a third of gast's own time.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType
from typing import Any

import gast

Tree = gast.FunctionDef | gast.Lambda
Rule = Callable[[Any], Any]
Fields = tuple[str, ...]
_WITHOUT_NODES = {"id", "attr", "asname", "module", "level", "conversion", "is_async", "simple", "type_comment", "kind"}


class UnknownNodeError(Exception):
    """A node, or a field of one, that the other side doesn't know."""

    def __init__(self, node: ast.AST, field: str = "") -> None:
        super().__init__(f"{type(node).__name__}.{field}" if field else type(node).__name__)
        self.node = node


def to_gast(tree: ast.AST) -> Any:
    """The same tree of gast's nodes. Errors: UnknownNodeError."""
    return _TO_GAST.visit(tree)


def to_ast(tree: gast.AST) -> Any:
    """The same tree of Python's own nodes, as the compiler takes it. Errors: UnknownNodeError."""
    return _TO_AST.visit(tree)


def text_of(tree: gast.AST) -> str:
    """A tree of gast's nodes as Python text."""
    return ast.unparse(to_ast(tree))


class _Translator:
    """Copies a tree into nodes of the same names in `target`; `rules` has what isn't a copy."""

    def __init__(self, target: ModuleType, rules: Mapping[type, Callable[[_Translator, Any], Any]]) -> None:
        self._target = target
        self._rules: dict[type, Rule] = {kind: partial(rule, self) for kind, rule in rules.items()}

    def visit(self, value: Any) -> Any:
        """The node (or list of nodes) of the other side; all else is kept."""
        rules = self._rules
        if rule := rules.get(type(value)):
            return rule(value)
        if type(value) is list:
            return [rules[kind](part) if (kind := type(part)) in rules else self.visit(part) for part in value]
        return self._learnt(value)(value) if isinstance(value, ast.AST) else value

    def _learnt(self, node: ast.AST) -> Rule:
        """The rule of a node type that wasn't met before."""
        kind = type(node)
        # a class of ours is what it derives from
        named = next(
            (base for base in kind.__mro__ if base.__module__ == gast.Name.__module__), kind
        )  # a class of ours
        target = getattr(self._target, named.__name__, None)
        if target is None:
            raise UnknownNodeError(node)
        if kind._fields or kind._attributes:
            plain = kind._fields if kind.__name__ == "Constant" else _WITHOUT_NODES
            inner = tuple(name for name in target._fields if name in kind._fields and name not in plain)
            missing = tuple(name for name in target._fields if name not in kind._fields)
            surplus = tuple(name for name in kind._fields if name not in target._fields)
            self._rules[kind] = partial(self._copied, target, inner, missing, surplus)
        else:  # contexts and operators: one for all, as the parser has it
            shared = target()
            self._rules[kind] = lambda node: shared
        return self._rules[kind]

    def _copied(
        self,
        target: type[ast.AST],
        inner: tuple[str, ...],
        missing: tuple[str, ...],
        surplus: tuple[str, ...],
        node: ast.AST,
    ) -> Any:
        made = target.__new__(target)
        values = made.__dict__
        values.update(node.__dict__)
        rules = self._rules
        for name in inner:
            if (value := values.get(name)) is not None:
                rule = rules.get(type(value))
                values[name] = self.visit(value) if rule is None else rule(value)
        for name in missing:
            values[name] = [] if name == "type_params" else None
        for name in surplus:
            if values.pop(name, None):
                raise UnknownNodeError(node, name)
        return made


def _place_of(node: ast.AST) -> dict[str, Any]:
    return {name: value for name, value in node.__dict__.items() if name in node._attributes}


def _parameter_to_gast(to: _Translator, node: ast.arg) -> Any:
    made = gast.Name(node.arg, gast.Param(), to.visit(node.annotation), node.type_comment)
    made.__dict__.update(_place_of(node))
    return made


def _handler_to_gast(to: _Translator, node: ast.ExceptHandler) -> Any:
    name = None
    if node.name is not None:  # Python doesn't say where it stands: at the start of its clause
        name = gast.Name(node.name, gast.Store(), None, None)
        name.lineno = name.end_lineno = node.lineno
        name.col_offset = name.end_col_offset = node.col_offset
    made = gast.ExceptHandler(to.visit(node.type), name, to.visit(node.body))
    made.__dict__.update(_place_of(node))
    return made


def _name_to_ast(to: _Translator, node: gast.Name) -> Any:
    if isinstance(node.ctx, gast.Param):
        return ast.arg(node.id, to.visit(node.annotation), node.type_comment, **_place_of(node))
    made = ast.Name.__new__(ast.Name)
    made.__dict__.update(node.__dict__, ctx=to.visit(node.ctx))
    made.__dict__.pop("annotation", None)
    made.__dict__.pop("type_comment", None)
    return made


def _handler_to_ast(to: _Translator, node: gast.ExceptHandler) -> Any:
    name = None if node.name is None else node.name.id
    return ast.ExceptHandler(to.visit(node.type), name, to.visit(node.body), **_place_of(node))


_TO_GAST = _Translator(gast, {ast.arg: _parameter_to_gast, ast.ExceptHandler: _handler_to_gast})
_TO_AST = _Translator(ast, {gast.Name: _name_to_ast, gast.ExceptHandler: _handler_to_ast})
