"""`xs[i]` -> `vt_rt.item(xs, i)`, `xs[i] = v` -> `vt_rt.set_item(v, xs, i)`, `del xs[i]` -> `vt_rt.delete_item(xs, i)`.

A list may be one whose length only a run knows, and an index a tensor. Keys that no list takes (several axes, strings)
stay as they are. Targets among others (`a, xs[i] = …`) and `xs[i] += v` are taken apart first.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from ..source.template import place
from .nodes import assign, constant, load, store
from .rewriter import Rewriter


def subscript(node: gast.Subscript, w: Rewriter) -> gast.AST:
    """Rewrite a read."""
    w.children(node)
    if not isinstance(node.ctx, gast.Load) or not _is_list_key(node.slice):
        return node
    return place(gast.Call(w.runtime("item", node), [node.value, _key(node.slice, w)], []), node)


def assignment(node: gast.Assign, w: Rewriter) -> list[gast.stmt]:
    """Rewrite an assignment to places of lists, or to several targets at once."""
    w.children(node)
    if any(isinstance(t, (gast.Tuple, gast.List)) for t in node.targets) and not isinstance(node.value, gast.Tuple):
        node.value = _unpacked(node.value, w)
    if len(node.targets) == 1 and not (isinstance(node.targets[0], (gast.Tuple, gast.List)) and _holds_places(node)):
        return [_assigned(node.targets[0], node.value, node, w)]
    if not _holds_places(node):
        return [node]
    whole = w.names.fresh("value")
    stored: list[gast.stmt] = [assign(whole, node.value, node)]
    for target in node.targets:
        stored += _one_by_one(target, load(whole, node), node, w)
    return [*stored, _forgotten([whole], node)]


def _holds_places(node: gast.Assign) -> bool:
    """Whether a place of a list is among the targets."""
    return any(
        isinstance(part, gast.Subscript) and isinstance(part.ctx, gast.Store) and _is_list_key(part.slice)
        for target in node.targets
        for part in gast.walk(target)
    )


def _one_by_one(target: gast.expr, value: gast.expr, node: gast.Assign, w: Rewriter) -> list[gast.stmt]:
    """Assign the parts of a target in Python's order, each by a name of its own."""
    if not isinstance(target, (gast.Tuple, gast.List)):
        return [_assigned(target, value, node, w)]
    names = [w.names.fresh("part") for _ in target.elts]
    parts: list[gast.expr] = []
    rest: list[gast.stmt] = []
    for name, part in zip(names, target.elts, strict=True):
        made: gast.expr = store(name, node)
        parts.append(place(gast.Starred(made, gast.Store()), node) if isinstance(part, gast.Starred) else made)
        inner = part.value if isinstance(part, gast.Starred) else part
        rest += _one_by_one(inner, load(name, node), node, w)
    first = place(gast.Assign([place(gast.Tuple(parts, gast.Store()), node)], value), node)
    return [first, *rest, _forgotten(names, node)]


def _assigned(target: gast.expr, value: gast.expr, node: gast.stmt, w: Rewriter) -> gast.stmt:
    if not isinstance(target, gast.Subscript) or not _is_list_key(target.slice):
        return place(gast.Assign([target], value), node)
    parts = [value, target.value, _key(target.slice, w)]
    return place(gast.Expr(place(gast.Call(w.runtime("set_item", node), parts, []), node)), node)


def _forgotten(names: Sequence[str], node: gast.stmt) -> gast.stmt:
    """Delete names of ours: a tensor that they keep would count as still in use."""
    targets: list[gast.expr] = [place(gast.Name(name, gast.Del(), None, None), node) for name in names]
    return place(gast.Delete(targets), node)


def augmented_item(node: gast.AugAssign, w: Rewriter) -> list[gast.stmt] | None:
    """Rewrite `xs[i] += v`, whose children are rewritten already; None for other targets."""
    target = node.target
    if not isinstance(target, gast.Subscript) or not _is_list_key(target.slice):
        return None
    owner, key, old = (w.names.fresh(name) for name in ("owner", "key", "old"))
    read = place(gast.Call(w.runtime("item", node), [load(owner, node), load(key, node)], []), node)
    changed = place(gast.AugAssign(store(old, node), node.op, node.value), node)
    written: list[gast.expr] = [load(old, node), load(owner, node), load(key, node)]
    return [
        assign(owner, target.value, node),
        assign(key, _key(target.slice, w), node),
        assign(old, read, node),
        changed,
        place(gast.Expr(place(gast.Call(w.runtime("set_item", node), written, []), node)), node),
        _forgotten([owner, key, old], node),
    ]


def source(node: gast.comprehension, w: Rewriter) -> gast.AST:
    """Rewrite what a comprehension goes through, like the value of `a, b = value`."""
    w.children(node)
    if not isinstance(node.iter, gast.Tuple):
        node.iter = _unpacked(node.iter, w)
    return node


def _unpacked(value: gast.expr, w: Rewriter) -> gast.expr:
    made: gast.expr = place(gast.Call(w.runtime("unpacked", value), [value], []), value)
    return made


def deletion(target: gast.Subscript, w: Rewriter) -> gast.stmt | None:
    """Rewrite the deletion of one place of a list; None: as it is."""
    if not _is_list_key(target.slice):
        return None
    w.children(target)
    called = place(gast.Call(w.runtime("delete_item", target), [target.value, _key(target.slice, w)], []), target)
    return place(gast.Expr(called), target)


def _is_list_key(key: gast.expr) -> bool:
    return not isinstance(key, (gast.Tuple, gast.Starred)) and not (
        isinstance(key, gast.Constant) and not isinstance(key.value, int)
    )


def _key(key: gast.expr, w: Rewriter) -> gast.expr:
    if not isinstance(key, gast.Slice):
        return key
    bounds = [constant(None, key) if part is None else part for part in (key.lower, key.upper, key.step)]
    made: gast.expr = place(gast.Call(w.runtime("slice", key), bounds, []), key)
    return made
