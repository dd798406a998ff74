"""Run-time sizes in programs: which operations define one, which mention one (see ops/sizes.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ops.sizes import any_issued, plain_names, runtime_names
from ..ops.types import ListType
from .core import Block, Operation, Value


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


def defined(operation: Operation) -> set[str]:
    """The names that an operation's results define: those in `defines`, and what results of blocks and lists tell."""
    if not any_issued():
        return set()
    names = runtime_names(operation.attrs.get("defines", ()))
    if operation.blocks or any(isinstance(v.type, ListType) for v in operation.operands):
        names |= {name for _, _, name in plain_names(r.type for r in operation.results)}
    return names


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
        _collect(block, found)
    return found


def _collect(block: Block, found: dict[str, list[Value]]) -> None:
    for name, values in told_by(block.args).items():
        found.setdefault(name, []).extend(values)
    for operation in block.operations:
        names = defined(operation)
        if names:
            told = told_by(operation.results)
            for name in names:
                found.setdefault(name, []).extend(told.get(name) or operation.results[:1])
        for inner in operation.blocks:
            _collect(inner, found)


def learn(kinds: Iterable[Any], arrays: Iterable[Any], sizes: dict[str, int]) -> None:
    """Note the sizes that values tell as they arise."""
    listed = list(kinds)
    given = list(arrays)
    for k, axis, name in plain_names(listed):
        sizes[name] = given[k].shape[axis]
