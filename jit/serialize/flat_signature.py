"""Methods of artifacts whose arguments and results are flat: tensors one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count

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
    made = len(program.fetches)
    results = {
        "tree": leaf if made == 1 else {"kind": "tuple", "children": [leaf] * made},
        "leaves": [{"kind": "fetch", "number": k, "stop_gradient": stop_gradient} for k in range(made)],
    }
    return Method(program, inputs, results)


def flat_results(tree: Tree) -> Tree:
    """The structure of a call's tensors alone: one of them, or a list of them all, in the order of `flat_order`.

    A structure that depends on values stays as it is, and so does one without a tensor.

    >>> made = flat_results(Tree("dict", ("a", "b"), (LEAF, Tree("tuple", None, (LEAF, Tree("const", 3))))))
    >>> made.kind, made.leaf_count
    ('list', 2)
    """
    leaves = tree.leaf_count
    if not leaves or depends_on_values(tree):
        return tree
    return LEAF if leaves == 1 else Tree("list", None, (LEAF,) * leaves)


def flat_order(tree: Tree) -> list[int]:
    """Which leaf comes when results are laid flat as PaddlePaddle does: a dict's by its sorted keys.

    Keys that can't be sorted stay in the dict's order, and so does a structure that depends on values.

    >>> flat_order(Tree("tuple", None, (LEAF, Tree("dict", ("b", "a"), (LEAF, LEAF)))))
    [0, 2, 1]
    """
    if depends_on_values(tree):
        return list(range(tree.leaf_count))
    return list(_order(tree, count()))


def _order(tree: Tree, numbers: Iterator[int]) -> Iterator[int]:
    if tree.kind in ("leaf", "number"):
        return iter([next(numbers)])
    parts = [list(_order(child, numbers)) for child in tree.children]
    keys = tree.data if tree.kind == "dict" else tree.data.keys if tree.kind == "mapping" else ()
    try:
        places = sorted(range(len(keys)), key=lambda k: keys[k])
    except TypeError:
        places = list(range(len(keys)))
    return chain.from_iterable(parts[k] for k in (*places, *range(len(keys), len(parts))))


def depends_on_values(tree: Tree) -> bool:
    """Whether flags of a run choose among the results."""
    return tree.kind in ("either", "rows") or any(map(depends_on_values, tree.children))
