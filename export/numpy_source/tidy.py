"""Last touches on expressions: `np.float32` for dtypes in calls, `x[1:4]` for slices that are numbers."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

Tree = TypeVar("Tree", bound=ast.AST)


class _Tidy(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        node.args = [_class_of(a) for a in node.args]
        for word in node.keywords:
            word.value = _class_of(word.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        made = [_slice_of(p) for p in parts]
        if any(m is not p for m, p in zip(made, parts, strict=True)):
            node.slice = ast.Tuple(made, ast.Load()) if isinstance(node.slice, ast.Tuple) else made[0]
        return node


def _class_of(node: ast.expr) -> ast.expr:
    is_dtype = isinstance(node, ast.Call) and ast.unparse(node.func) == "np.dtype" and len(node.args) == 1
    return node.args[0] if is_dtype and isinstance(node, ast.Call) else node


def _slice_of(node: ast.expr) -> ast.expr:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "slice"):
        return node
    if len(node.args) == 1:
        given: list[ast.expr | None] = [None, node.args[0], None]
    else:
        given = [*node.args, None][:3]
    parts = [None if p is None or ast.unparse(p) == "None" else p for p in given]
    plain = parts[2] is not None and ast.unparse(parts[2]) == "1"
    return ast.Slice(parts[0], parts[1], None if plain else parts[2])


def tidied(node: Tree) -> Tree:
    """The same expression or function in its shortest usual spelling.

    >>> ast.unparse(tidied(ast.parse("x[slice(1, 4, 1), 0].astype(np.dtype(np.float32))", mode="eval").body))
    'x[1:4, 0].astype(np.float32)'
    """
    made: Tree = _Tidy().visit(node)
    return made
