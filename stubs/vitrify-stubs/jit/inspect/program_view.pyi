# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from typing import Any as _Any
from vitrify.ir.core import Block as _Block
from vitrify.ir.core import Operation as _Operation
from vitrify.ir.core import Program as _Program

class ProgramView:
    """What `main_program` gives: Paddle's names, then those of the program itself.

    >>> import vitrify as vt
    >>> fn = vt.to_static(lambda x: x * 2, input_spec=[vt.InputSpec([3])])
    >>> [op.type for op in fn.main_program.global_block().ops]
    ['constant', 'multiply']"""
    ir: _Program
    def __init__(self, program: _Program) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def global_block(self) -> BlockView:
        """The outermost block."""
    @property
    def blocks(self) -> _list[BlockView]:
        """The outermost block, then the inner ones, each before its own."""
    @property
    def num_blocks(self) -> _int:
        """How many blocks there are."""
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""

class BlockView:
    """A block: `ops`, without the operation that ends it."""
    def __init__(self, block: _Block) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def ops(self) -> _list[OperationView]:
        """The operations in order."""
    def num_ops(self) -> _int:
        """How many they are."""

class OperationView:
    """One operation: `type`, `name()`, the attributes, the inner blocks."""
    def __init__(self, operation: _Operation) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def type(self) -> _str:
        """The row's name."""
    def name(self) -> _str:
        """The row's name, as `type`."""
    def attrs(self) -> _dict[_str, _Any]:
        """The attributes by name."""
    def blocks(self) -> _list[BlockView]:
        """The blocks that it runs."""
