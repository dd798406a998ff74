"""The outline of a program's exchanges: what its ranks compare when they first run it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.collective import WHOLE
from ..ops.exchange_outline import Exchanged, Group, Nested, Outline, Step
from .core import Block, Operation, Program


def outlines_of(program: Program) -> dict[Group, Outline]:
    """What a program exchanges in each group; the empty one stands for all ranks.

    A start counts as the whole exchange; the wait that belongs to it doesn't. Neither do sends and receives.
    """
    groups: dict[Group, None] = {}
    _collect(program.body, groups)
    return {group: Outline(program.name, _steps(program.body, group)) for group in groups}


def _collect(block: Block, groups: dict[Group, None]) -> None:
    for operation in block.operations:
        if _name(operation) is not None:
            groups[tuple(operation.attrs["group"])] = None
        for inner in operation.blocks:
            _collect(inner, groups)


def _steps(block: Block, group: Group) -> tuple[Step, ...]:
    made: list[Step] = []
    for operation in block.operations:
        name = _name(operation)
        if name is not None and tuple(operation.attrs["group"]) == group:
            made.append(_exchanged(name, operation))
        elif operation.blocks:
            blocks = tuple(_steps(inner, group) for inner in operation.blocks)
            if any(blocks):
                made.append(Nested(operation.name, blocks))
    return tuple(made)


def _name(operation: Operation) -> str | None:
    """The exchange of a group that an operation begins."""
    name = operation.name.removesuffix("_start")
    return name if name in WHOLE else None


def _exchanged(name: str, operation: Operation) -> Exchanged:
    dtype, sizes = "", tuple[int | str, ...]()
    if operation.operands:
        kind = operation.operands[0].tensor_type
        dtype, sizes = kind.dtype.short, tuple(map(_size, kind.shape))
    shown: dict[str, Callable[[Any], str]] = {"reduction": str, "root": lambda root: f"root {root}"}
    more = ", ".join(show(operation.attrs[key]) for key, show in shown.items() if key in operation.attrs)
    return Exchanged(name, dtype, sizes, more, operation.loc.file, operation.loc.line)


def _size(dim: Any) -> int | str:
    return dim if isinstance(dim, int) else str(dim)
