"""A captured program under Paddle's names: blocks and operations to count and to look at. It is never changed here."""

from __future__ import annotations

from typing import Any

from ...ir.core import Block, Operation, Program


class OperationView:
    """One operation: `type`, `name()`, the attributes, the inner blocks."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation

    @property
    def type(self) -> str:
        """The row's name."""
        return self._operation.name

    def name(self) -> str:
        """The row's name, as `type`."""
        return self._operation.name

    def attrs(self) -> dict[str, Any]:
        """The attributes by name."""
        return dict(self._operation.attrs)

    def blocks(self) -> list[BlockView]:
        """The blocks that it runs."""
        return [BlockView(b) for b in self._operation.blocks]

    def __repr__(self) -> str:
        return f"<operation {self.type}>"


class BlockView:
    """A block: `ops`, without the operation that ends it."""

    def __init__(self, block: Block) -> None:
        self._block = block

    @property
    def ops(self) -> list[OperationView]:
        """The operations in order."""
        end = self._block.terminator
        return [OperationView(o) for o in self._block.operations if o is not end]

    def num_ops(self) -> int:
        """How many they are."""
        return len(self.ops)


class ProgramView:
    """What `main_program` gives: Paddle's names, then those of the program itself.

    >>> import vitrify as vt
    >>> fn = vt.to_static(lambda x: x * 2, input_spec=[vt.InputSpec([3])])
    >>> [op.type for op in fn.main_program.global_block().ops]
    ['constant', 'multiply']
    """

    def __init__(self, program: Program) -> None:
        self.ir = program

    def global_block(self) -> BlockView:
        """The outermost block."""
        return BlockView(self.ir.body)

    @property
    def blocks(self) -> list[BlockView]:
        """The outermost block, then the inner ones, each before its own."""
        found, waiting = list[BlockView](), [self.global_block()]
        while waiting:
            block = waiting.pop(0)
            found.append(block)
            waiting += [inner for op in block.ops for inner in op.blocks()]
        return found

    @property
    def num_blocks(self) -> int:
        """How many blocks there are."""
        return len(self.blocks)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ir, name)

    def __eq__(self, other: object) -> bool:
        return other.ir is self.ir if isinstance(other, ProgramView) else other is self.ir

    def __hash__(self) -> int:
        return hash(self.ir)

    def __str__(self) -> str:
        return str(self.ir)

    def _repr_html_(self) -> str:
        return self.ir._repr_html_()
