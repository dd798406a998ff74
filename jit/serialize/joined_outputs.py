"""Results that are one of two tensors by a flag, as one tensor: a file keeps values, not which objects they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from ...base.pytree import LEAF, Tree
from ...ir.builder import at_end
from ...ir.core import Program, Value
from ...ops.op import OPS
from ...ops.types import TensorType, ValueType
from ..trace.traced import OutputLeaf, TraceOutputs

Picked: TypeAlias = "int | tuple[int, Picked, Picked]"  # a value's number; or a flag's, and what it chooses between
_TENSORS = ("fetch", "argument", "state")


def joined(program: Program, tree: Tree, leaves: list[OutputLeaf]) -> tuple[Tree, list[OutputLeaf]]:
    """A structure without choices between two tensors of one type; what the choices give are fetches of the program."""
    made: list[OutputLeaf] = []
    return _walk(program, tree, iter(leaves), made), made


def is_of_type(program: Program, written: TraceOutputs, kind: ValueType) -> bool:
    """Whether what is written is one tensor of a type, or one of several by flags."""
    return _is_of(program, written.tree, iter(written.leaves), kind)


def _is_of(program: Program, tree: Tree, leaves: Iterator[OutputLeaf], kind: ValueType) -> bool:
    if tree.kind == "either":
        is_flag = next(leaves).kind == "number"
        return is_flag and all(_is_of(program, child, leaves, kind) for child in tree.children[1:])
    if tree != LEAF:
        return False
    leaf = next(leaves)
    return leaf.kind in _TENSORS and _value(program, leaf).type == kind


def one_value(program: Program, written: TraceOutputs) -> Value:
    """The value of what `is_of_type` tells of."""
    _, (leaf,) = joined(program, written.tree, list(written.leaves))
    return _value(program, leaf)


def picked(tree: Tree, values: Sequence[Value]) -> list[Picked]:
    """What a structure of these values gives, in order: of two paths with as many tensors of the same dtypes
    and numbers of axes one list, whatever their sizes; of others the flag and both.
    """
    numbers = iter(range(len(values)))

    def walk(part: Tree) -> list[Picked]:
        if not part.children:
            return [next(numbers)] if part.leaf_count else []
        found = [walk(child) for child in part.children]
        if part.kind != "either":
            return list(chain.from_iterable(found))
        (flag,), a, b = found
        if [_kind(values, each) for each in a] != [_kind(values, each) for each in b] or not isinstance(flag, int):
            return [flag, *a, *b]
        return [(flag, *pair) for pair in zip(a, b, strict=True)]

    return walk(tree)


def _kind(values: Sequence[Value], one: Picked) -> object:
    if not isinstance(one, int):
        return _kind(values, one[1])
    kind = values[one].type
    return (kind.dtype, kind.rank) if isinstance(kind, TensorType) else kind


def _walk(program: Program, tree: Tree, leaves: Iterator[OutputLeaf], made: list[OutputLeaf]) -> Tree:
    if not tree.children:
        if tree.leaf_count:
            made.append(next(leaves))
        return tree
    first = len(made)
    children = tuple([_walk(program, child, leaves, made) for child in tree.children])
    found = _chosen(program, made[first:]) if tree.kind == "either" and all(c == LEAF for c in children) else None
    if found is None:
        return replace(tree, children=children)
    made[first:] = [found]
    return LEAF


def _chosen(program: Program, parts: list[OutputLeaf]) -> OutputLeaf | None:
    """The tensor that a flag chooses of two; None where they aren't two tensors of one type."""
    flag, a, b = parts
    if flag.kind != "number" or a.kind not in _TENSORS or b.kind not in _TENSORS:
        return None
    values = [_value(program, leaf) for leaf in (a, b)]
    if values[0].type != values[1].type:
        return None
    stops = a.stop_gradient and b.stop_gradient
    if values[0] is values[1]:
        return replace(a, stop_gradient=stops)
    found = at_end(program.body).apply(OPS["where"], (program.fetches[flag.number], *values), {})
    if program.fetch_names:
        program.fetch_names = [*program.fetch_names, f"out{len(program.fetches)}"]
    program.body.terminator.set_operands([*program.fetches, found])
    return OutputLeaf("fetch", len(program.fetches) - 1, stops)


def _value(program: Program, leaf: OutputLeaf) -> Value:
    sources = {"argument": program.feed_values, "state": program.state_values}
    found: Value = sources.get(leaf.kind, program.fetches)[leaf.number]
    return found
