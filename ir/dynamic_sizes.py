"""Run-time sizes in programs: which operations define one, which mention one (see ops/sizes.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.errors import VitrifyError
from ..ops.dims import Dim, deciding
from ..ops.sizes import any_issued, enough_for, is_plain, is_runtime_name, plain_names, runtime_names
from ..ops.types import ListType
from .core import Block, Operation, Program, Value
from .walk import map_attrs, map_type


def mentioned(operation: Operation) -> set[str]:
    """Names of run-time sizes in an operation's attributes and results (its blocks not looked into)."""
    if not any_issued():
        return set()
    found = runtime_names(tuple(operation.attrs.values()))
    for result in operation.results:
        found |= runtime_names(result.type)
    return found


def is_dynamic(operation: Operation) -> bool:
    """Whether it names a run-time size, in its attributes, operands or results."""
    return any_issued() and (bool(mentioned(operation)) or any(runtime_names(v.type) for v in operation.operands))


def fits_any_size(operation: Operation) -> bool:
    """Whether an operation makes what it is said to make, and nobody has to say how sizes compare for that."""
    return bounds_of(operation) == []


def bounds_of(operation: Operation) -> list[Dim] | None:
    """What mustn't be below 0 for an operation to make what it is said to make; None where that isn't all."""
    asked: list[Dim] = []

    def decide(relation: str, dim: Dim) -> bool:
        asked.append(dim)
        if relation == "==":
            opposite = -dim
            assert isinstance(opposite, Dim)  # a question about numbers is asked of nobody
            asked.append(opposite)
        elif relation != ">=":
            raise _Undecided
        return True

    try:
        with deciding(decide):
            made = operation.op.infer(*[v.tensor_type for v in operation.operands], **operation.attrs)
    except (VitrifyError, _Undecided):
        return None
    kinds = made if isinstance(made, tuple) else (made,)
    asked = [dim for dim in asked if (enough_for(dim) or (None, 1))[1] > 0]
    return asked if kinds == tuple(r.type for r in operation.results) else None


def makes_what_it_says(operation: Operation) -> bool:
    """Whether an operation makes what it is said to make, or fails, for all sizes; these hang on one at the most."""
    bounds = bounds_of(operation)
    if bounds is None:
        return False
    found = [enough_for(dim) for dim in bounds]
    if any(one is None for one in found) or len({one[0] for one in found if one}) > 1:
        return False
    return all(_makes_what_it_says(operation, {one[0]: n}) for one in found if one for n in range(one[1]))


def _makes_what_it_says(operation: Operation, sizes: dict[str, int]) -> bool:
    given = [map_type(v.type, sizes) for v in operation.operands]
    try:
        made = operation.op.infer(*given, **map_attrs(operation.attrs, sizes))
    except VitrifyError:
        return True
    kinds = made if isinstance(made, tuple) else (made,)
    return kinds == tuple(map_type(r.type, sizes) for r in operation.results)


class _Undecided(Exception):
    """How sizes compare depends on the run."""


def defined(operation: Operation) -> set[str]:
    """The names that an operation's results define: those in `defines`, and what results of blocks and lists tell."""
    if not any_issued():
        return set()
    names = runtime_names(operation.attrs.get("defines", ()))
    if operation.blocks:
        for k, axis, name in plain_names(r.type for r in operation.results):
            if any(not _tells(v, axis, name) for v in _sources(operation, k)):
                names.add(name)
    elif any(isinstance(v.type, ListType) for v in operation.operands):
        names |= {name for _, _, name in plain_names(r.type for r in operation.results)}
    return names


def _sources(operation: Operation, k: int) -> list[Value]:
    """What result `k` of an operation with blocks starts from or is yielded by."""
    if operation.name in ("for", "while"):
        return [operation.operands[k + (operation.name == "for")]]
    return [block.yields[k] for block in operation.blocks]


def _tells(value: Value, axis: int, name: str) -> bool:
    dim = value.shape[axis]
    return isinstance(dim, Dim) and is_plain(dim) and str(dim) == name


def new_in_args(operation: Operation, block: Block) -> dict[str, list[Value]]:
    """The sizes that the arguments of a loop's block define: those that its iterations change."""
    found: dict[str, list[Value]] = {}
    skip = len(block.args) - len(operation.results)
    for k, axis, name in plain_names(a.type for a in block.args):
        if k < skip or not _tells(operation.operands[k - skip + (operation.name == "for")], axis, name):
            found.setdefault(name, []).append(block.args[k])
    return found


def told_by(values: Iterable[Value]) -> dict[str, list[Value]]:
    """The values whose shapes tell a run-time size, by its name."""
    found: dict[str, list[Value]] = {}
    listed = list(values)
    for k, _, name in plain_names(v.type for v in listed):
        found.setdefault(name, []).append(listed[k])
    return found


def definers(block: Block) -> dict[str, list[Value]]:
    """For each run-time size, the values (results, arguments of blocks) that define it, in a block and inside it."""
    found: dict[str, list[Value]] = {}
    if any_issued():
        if isinstance(block.parent, Operation) and block.parent.name in ("for", "while"):
            found.update(new_in_args(block.parent, block))
        elif not isinstance(block.parent, Operation):
            found.update(told_by(block.args))
        _collect(block, found)
    return found


def known_before(operation: Operation) -> set[str]:
    """The sizes that an operation may name: what stands before it, in its block or a block around it, defines them."""
    found: set[str] = set()
    inner: Operation | Program | None = operation
    while isinstance(inner, Operation) and inner.parent is not None:
        block = inner.parent
        found |= told_by(block.args).keys()
        for other in block.operations:
            if other is inner:
                break
            found |= defined(other)
        inner = block.parent
    return found


def _collect(block: Block, found: dict[str, list[Value]]) -> None:
    for operation in block.operations:
        names = defined(operation)
        if names:
            told = told_by(operation.results)
            for name in names:
                found.setdefault(name, []).extend(told.get(name) or operation.results[:1])
        for inner in operation.blocks:
            if operation.name in ("for", "while"):
                for name, values in new_in_args(operation, inner).items():
                    found.setdefault(name, []).extend(values)
            _collect(inner, found)


def learn(kinds: Iterable[Any], arrays: Iterable[Any], sizes: dict[str, int]) -> None:
    """Note the sizes that values tell as they arise."""
    listed = list(kinds)
    given = list(arrays)
    for k, axis, name in plain_names(listed):
        sizes[name] = given[k].shape[axis]


def known_symbols(program: Program) -> list[str]:
    """The sizes that are known before a run: those of the arguments."""
    return [name for name in program.symbols if not is_runtime_name(name)]
