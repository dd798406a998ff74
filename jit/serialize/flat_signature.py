"""Methods of artifacts whose arguments and results are flat: tensors one by one."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.pytree import LEAF, Tree
from ...ir.core import Program
from ...runtime.artifact import Method


def flat_method(program: Program, names: Sequence[str] | None = None, *, stop_gradient: bool = False) -> Method:
    """The method that takes the program's feeds, by these names or their own, and gives one tensor or a tuple."""
    feeds = program.feeds if names is None else names
    leaf = {"kind": "leaf"}
    args = {"kind": "tuple", "children": [leaf] * len(feeds)}
    inputs = {
        "tree": {"kind": "tuple", "children": [args, {"kind": "dict", "keys": [], "children": []}]},
        "leaves": [{"name": n, "type": str(v.type)} for n, v in zip(feeds, program.feed_values, strict=True)],
    }
    count = len(program.fetches)
    results = {
        "tree": leaf if count == 1 else {"kind": "tuple", "children": [leaf] * count},
        "leaves": [{"kind": "fetch", "number": k, "stop_gradient": stop_gradient} for k in range(count)],
    }
    return Method(program, inputs, results)


def flat_results(tree: Tree) -> Tree:
    """The structure of a call's tensors alone: one of them, or a list of them all.

    A structure that depends on values stays as it is, and so does one without a tensor.

    >>> made = flat_results(Tree("dict", ("a", "b"), (LEAF, Tree("tuple", None, (LEAF, Tree("const", 3))))))
    >>> made.kind, made.leaf_count
    ('list', 2)
    """
    count = tree.leaf_count
    if not count or _depends_on_values(tree):
        return tree
    return LEAF if count == 1 else Tree("list", None, (LEAF,) * count)


def _depends_on_values(tree: Tree) -> bool:
    return tree.kind in ("either", "rows") or any(map(_depends_on_values, tree.children))
