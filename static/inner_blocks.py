"""Views of the blocks inside `if`, `while` and `for`, numbered in the order in which the program gets to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.errors import ModeError
from ..ir.core import Block as IrBlock
from ..ir.core import Operation, Value


@dataclass(frozen=True)
class BlockPlace:
    """A block of a program: its number, that of the block around it, and the blocks of the IR that it shows."""

    index: int
    parent: int
    parts: tuple[IrBlock, ...]
    owner: Operation | None = None

    @property
    def operations(self) -> list[Operation]:
        """Its operations, without what ends a block of the IR."""
        return [o for part in self.parts for o in part.operations if not o.is_terminator]


def places(body: IrBlock) -> list[BlockPlace]:
    """All blocks of a program; the outermost is the first. The body of a loop has its condition at its end."""
    found = [BlockPlace(0, -1, (body,))]
    for place in found:  # grows while it is walked
        for operation in place.operations:
            for parts in _inner(operation):
                found.append(BlockPlace(len(found), place.index, parts, operation))
    return found


def _inner(operation: Operation) -> Iterator[tuple[IrBlock, ...]]:
    if operation.name == "while":
        condition, body = operation.blocks
        yield (body, condition)
        return
    for block in operation.blocks:
        yield (block,)


def inner_view(outermost: type[Any]) -> type[Any]:
    """The class of views of inner blocks, over that of the outermost one."""

    class InnerBlock(outermost):  # type: ignore[misc]
        """A block inside an operation: to be read; what it holds is built by functions."""

        def __init__(self, program: Any, place: BlockPlace) -> None:
            super().__init__(program)
            self.place = place
            self.idx, self.parent_idx = place.index, place.parent

        def __eq__(self, other: object) -> bool:
            return isinstance(other, InnerBlock) and other.place.parts == self.place.parts

        def __hash__(self) -> int:
            return hash(self.place.parts)

        @property
        def operations(self) -> list[Operation]:
            """Its operations."""
            return self.place.operations

        @property
        def vars(self) -> dict[str, Any]:
            """The variables that have names and are made in it."""
            found = {}
            for name, variable in self.program.vars.items():
                payload = variable._storage.payload
                if isinstance(payload, Value) and payload.block in self.place.parts:
                    found[name] = variable
            return found

        def _refuse(self, *_: Any, **__: Any) -> Any:
            raise ModeError(
                f"block {self.idx} is inside an operation: it can be read, not added to",
                remedy="build it in the functions of cond, while_loop, case or switch_case",
            )

        append_op = create_var = create_parameter = _refuse

    return InnerBlock
