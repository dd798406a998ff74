"""`xs[i]` -> `vt_rt.item(xs, i)`, `xs[i] = v` -> `vt_rt.set_item(v, xs, i)`, `del xs[i]` -> `vt_rt.delete_item(xs, i)`.

A list may be one whose length only a run knows, and an index a tensor. Keys that no list takes (several axes, strings)
stay as they are, and so do targets among others (`a, xs[i] = …`) and `xs[i] += v`.
"""

from __future__ import annotations

import ast

from ..source.template import place
from .rewriter import Rewriter


def subscript(node: ast.Subscript, w: Rewriter) -> ast.AST:
    """Rewrite a read."""
    w.children(node)
    if not isinstance(node.ctx, ast.Load) or not _is_list_key(node.slice):
        return node
    return place(ast.Call(w.runtime("item", node), [node.value, _key(node.slice, w)], []), node)


def assignment(node: ast.Assign, w: Rewriter) -> ast.AST:
    """Rewrite an assignment to one place of a list, or to several targets at once."""
    w.children(node)
    target = node.targets[0]
    if any(isinstance(t, (ast.Tuple, ast.List)) for t in node.targets) and not isinstance(node.value, ast.Tuple):
        node.value = _unpacked(node.value, w)
    if len(node.targets) > 1 or not isinstance(target, ast.Subscript) or not _is_list_key(target.slice):
        return node
    parts = [node.value, target.value, _key(target.slice, w)]
    return place(ast.Expr(place(ast.Call(w.runtime("set_item", node), parts, []), node)), node)


def source(node: ast.comprehension, w: Rewriter) -> ast.AST:
    """Rewrite what a comprehension goes through, like the value of `a, b = value`."""
    w.children(node)
    if not isinstance(node.iter, ast.Tuple):
        node.iter = _unpacked(node.iter, w)
    return node


def _unpacked(value: ast.expr, w: Rewriter) -> ast.expr:
    made: ast.expr = place(ast.Call(w.runtime("unpacked", value), [value], []), value)
    return made


def deletion(target: ast.Subscript, w: Rewriter) -> ast.stmt | None:
    """Rewrite the deletion of one place of a list; None: as it is."""
    if not _is_list_key(target.slice):
        return None
    w.children(target)
    called = place(ast.Call(w.runtime("delete_item", target), [target.value, _key(target.slice, w)], []), target)
    return place(ast.Expr(called), target)


def _is_list_key(key: ast.expr) -> bool:
    return not isinstance(key, (ast.Tuple, ast.Starred)) and not (
        isinstance(key, ast.Constant) and not isinstance(key.value, int)
    )


def _key(key: ast.expr, w: Rewriter) -> ast.expr:
    if not isinstance(key, ast.Slice):
        return key
    bounds = [place(ast.Constant(None), key) if part is None else part for part in (key.lower, key.upper, key.step)]
    made: ast.expr = place(ast.Call(w.runtime("slice", key), bounds, []), key)
    return made
