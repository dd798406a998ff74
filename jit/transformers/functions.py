"""Function definitions, lambdas and classes inside a converted function: converted in place, in their own scope."""

from __future__ import annotations

import gast

from .rewriter import Rewriter
from .variables import setter_functions, undefined


def function(node: gast.FunctionDef, w: Rewriter) -> gast.AST:
    """A nested `def`; its decorators and defaults are evaluated out here."""
    node.decorator_list = [w.expression(decorator) for decorator in node.decorator_list]
    _header(node, w)
    body(node, w)
    return node


def anonymous(node: gast.Lambda, w: Rewriter) -> gast.AST:
    """A lambda."""
    _header(node, w)
    with w.inside(w.facts.scopes[node]):
        node.body = w.expression(node.body)
    return node


def suspendable(node: gast.AsyncFunctionDef, w: Rewriter) -> gast.AST:
    """A coroutine stays as it is, but for reads of our variables."""
    body(node, w)
    return node


def class_body(node: gast.ClassDef, w: Rewriter) -> gast.AST:
    """A class keeps its body; only its methods are converted (a lambda of ours couldn't see the class's names)."""
    node.bases = [w.expression(base) for base in node.bases]
    for keyword in node.keywords:
        keyword.value = w.expression(keyword.value)
    node.decorator_list = [w.expression(decorator) for decorator in node.decorator_list]
    with w.at(class_name=node.name):
        for part in node.body:
            if isinstance(part, gast.FunctionDef | gast.AsyncFunctionDef):
                body(part, w)
    return node


def body(node: gast.FunctionDef | gast.AsyncFunctionDef, w: Rewriter) -> None:
    """Rewrite a function's body and put in front what it needs."""
    scope = w.facts.scopes[node]
    with w.inside(scope):
        if scope.suspendable:
            _reads_only(node, w)
            return
        lines = w.statements(node.body)
        marked = w.facts.definitions[scope].undefined & scope.bound & ~scope.params
        front = [
            *_declarations(node, w),
            *(undefined(name, node, w) for name in scope.named(marked)),
            *setter_functions(node, w),
        ]
    docstring = gast.get_docstring(node, clean=False) is not None
    node.body = [*lines[:docstring], *front, *lines[docstring:]]


def _declarations(node: gast.FunctionDef | gast.AsyncFunctionDef, w: Rewriter) -> list[gast.stmt]:
    scope = w.scope
    lines: list[gast.stmt] = []
    if names := list(scope.named(scope.globals)):
        lines.append(gast.copy_location(gast.Global(names), node))
    if names := list(scope.named(scope.nonlocals)):
        lines.append(gast.copy_location(gast.Nonlocal(names), node))
    return lines


def _reads_only(node: gast.AST, w: Rewriter) -> None:
    for parent in list(gast.walk(node)):
        for field, value in gast.iter_fields(parent):
            if isinstance(value, gast.Name) and value in w.facts.loads:
                setattr(parent, field, w.expression(value))
            elif isinstance(value, list):
                value[:] = [
                    w.expression(part) if isinstance(part, gast.Name) and part in w.facts.loads else part
                    for part in value
                ]


def _header(node: gast.FunctionDef | gast.Lambda, w: Rewriter) -> None:
    args = node.args
    args.defaults = [w.expression(default) for default in args.defaults]
    args.kw_defaults = [None if default is None else w.expression(default) for default in args.kw_defaults]
