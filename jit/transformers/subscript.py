"""`xs[i]` -> `vt_rt.item(xs, i)`, `xs[i] = v` -> `vt_rt.set_item(v, xs, i)`, `del xs[i]` -> `vt_rt.delete_item(xs, i)`.

A list may be one whose length only a run knows, and an index a tensor. Keys that no list takes (several axes, strings)
stay as they are. Targets among others (`a, xs[i] = …`) and `xs[i] += v` are taken apart first.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..source.template import place
from .nodes import assign, load, store
from .rewriter import Rewriter


def subscript(node: ast.Subscript, w: Rewriter) -> ast.AST:
    """Rewrite a read."""
    w.children(node)
    if not isinstance(node.ctx, ast.Load) or not _is_list_key(node.slice):
        return node
    return place(ast.Call(w.runtime("item", node), [node.value, _key(node.slice, w)], []), node)


def assignment(node: ast.Assign, w: Rewriter) -> list[ast.stmt]:
    """Rewrite an assignment to places of lists, or to several targets at once."""
    w.children(node)
    if any(isinstance(t, (ast.Tuple, ast.List)) for t in node.targets) and not isinstance(node.value, ast.Tuple):
        node.value = _unpacked(node.value, w)
    if len(node.targets) == 1 and not (isinstance(node.targets[0], (ast.Tuple, ast.List)) and _holds_places(node)):
        return [_assigned(node.targets[0], node.value, node, w)]
    if not _holds_places(node):
        return [node]
    whole = w.names.fresh("value")
    stored: list[ast.stmt] = [assign(whole, node.value, node)]
    for target in node.targets:
        stored += _one_by_one(target, load(whole, node), node, w)
    return [*stored, _forgotten([whole], node)]


def _holds_places(node: ast.Assign) -> bool:
    """Whether a place of a list is among the targets."""
    return any(
        isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and _is_list_key(part.slice)
        for target in node.targets
        for part in ast.walk(target)
    )


def _one_by_one(target: ast.expr, value: ast.expr, node: ast.Assign, w: Rewriter) -> list[ast.stmt]:
    """Assign the parts of a target in Python's order, each by a name of its own."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return [_assigned(target, value, node, w)]
    names = [w.names.fresh("part") for _ in target.elts]
    parts: list[ast.expr] = []
    rest: list[ast.stmt] = []
    for name, part in zip(names, target.elts, strict=True):
        made: ast.expr = store(name, node)
        parts.append(place(ast.Starred(made, ast.Store()), node) if isinstance(part, ast.Starred) else made)
        inner = part.value if isinstance(part, ast.Starred) else part
        rest += _one_by_one(inner, load(name, node), node, w)
    first = place(ast.Assign([place(ast.Tuple(parts, ast.Store()), node)], value), node)
    return [first, *rest, _forgotten(names, node)]


def _assigned(target: ast.expr, value: ast.expr, node: ast.stmt, w: Rewriter) -> ast.stmt:
    if not isinstance(target, ast.Subscript) or not _is_list_key(target.slice):
        return place(ast.Assign([target], value), node)
    parts = [value, target.value, _key(target.slice, w)]
    return place(ast.Expr(place(ast.Call(w.runtime("set_item", node), parts, []), node)), node)


def _forgotten(names: Sequence[str], node: ast.stmt) -> ast.stmt:
    """Delete names of ours: a tensor that they keep would count as still in use."""
    targets: list[ast.expr] = [place(ast.Name(name, ast.Del()), node) for name in names]
    return place(ast.Delete(targets), node)


def augmented_item(node: ast.AugAssign, w: Rewriter) -> list[ast.stmt] | None:
    """Rewrite `xs[i] += v`, whose children are rewritten already; None for other targets."""
    target = node.target
    if not isinstance(target, ast.Subscript) or not _is_list_key(target.slice):
        return None
    owner, key, old = (w.names.fresh(name) for name in ("owner", "key", "old"))
    read = place(ast.Call(w.runtime("item", node), [load(owner, node), load(key, node)], []), node)
    changed = place(ast.AugAssign(store(old, node), node.op, node.value), node)
    written: list[ast.expr] = [load(old, node), load(owner, node), load(key, node)]
    return [
        assign(owner, target.value, node),
        assign(key, _key(target.slice, w), node),
        assign(old, read, node),
        changed,
        place(ast.Expr(place(ast.Call(w.runtime("set_item", node), written, []), node)), node),
        _forgotten([owner, key, old], node),
    ]


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
