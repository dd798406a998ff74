"""Function definitions, lambdas and classes inside a converted function: converted in place, in their own scope."""

from __future__ import annotations

import ast

from .rewriter import Rewriter
from .variables import setter_functions, undefined


def function(node: ast.FunctionDef, w: Rewriter) -> ast.AST:
    """A nested `def`; its decorators and defaults are evaluated out here."""
    node.decorator_list = [w.expression(decorator) for decorator in node.decorator_list]
    _header(node, w)
    body(node, w)
    return node


def anonymous(node: ast.Lambda, w: Rewriter) -> ast.AST:
    """A lambda."""
    _header(node, w)
    with w.inside(w.facts.scopes[node]):
        node.body = w.expression(node.body)
    return node


def suspendable(node: ast.AsyncFunctionDef, w: Rewriter) -> ast.AST:
    """A coroutine stays as it is, but for reads of our variables."""
    body(node, w)
    return node


def class_body(node: ast.ClassDef, w: Rewriter) -> ast.AST:
    """A class keeps its body; only its methods are converted (a lambda of ours couldn't see the class's names)."""
    node.bases = [w.expression(base) for base in node.bases]
    for keyword in node.keywords:
        keyword.value = w.expression(keyword.value)
    node.decorator_list = [w.expression(decorator) for decorator in node.decorator_list]
    with w.at(class_name=node.name):
        for part in node.body:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                body(part, w)
    return node


def body(node: ast.FunctionDef | ast.AsyncFunctionDef, w: Rewriter) -> None:
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
    docstring = ast.get_docstring(node, clean=False) is not None
    node.body = [*lines[:docstring], *front, *lines[docstring:]]


def _declarations(node: ast.FunctionDef | ast.AsyncFunctionDef, w: Rewriter) -> list[ast.stmt]:
    scope = w.scope
    lines: list[ast.stmt] = []
    if names := list(scope.named(scope.globals)):
        lines.append(ast.copy_location(ast.Global(names), node))
    if names := list(scope.named(scope.nonlocals)):
        lines.append(ast.copy_location(ast.Nonlocal(names), node))
    return lines


def _reads_only(node: ast.AST, w: Rewriter) -> None:
    for parent in list(ast.walk(node)):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.Name) and value in w.facts.loads:
                setattr(parent, field, w.expression(value))
            elif isinstance(value, list):
                value[:] = [
                    w.expression(part) if isinstance(part, ast.Name) and part in w.facts.loads else part
                    for part in value
                ]


def _header(node: ast.FunctionDef | ast.Lambda, w: Rewriter) -> None:
    args = node.args
    args.defaults = [w.expression(default) for default in args.defaults]
    args.kw_defaults = [None if default is None else w.expression(default) for default in args.kw_defaults]
