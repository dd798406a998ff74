# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import str as _str
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from vitrify.ir.literals import Constants as _Constants

class Printer:
    """The text of one program, a line at a time."""
    titles: _Any
    program: _Any
    locs: _bool
    constants: _Constants
    names: _Any
    def __init__(self, program: _Any, locs: _bool, constants: _dict[_str, _Any] | None, titles: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def lines(self) -> _Iterator[_str]: ...
    def header(self) -> _str: ...
    def fetches(self) -> _str: ...
    def argument(self, value: _Any, name: _str) -> _str: ...
    def outer_name(self, value: _Any, name: _str) -> _str:
        """The feed's or entry's name, where it isn't the value's."""
    def typed(self, value: _Any) -> _str: ...
    def block(self, block: _Any, indent: _str) -> _Iterator[_str]: ...
    def operation(self, operation: _Any, indent: _str) -> _Iterator[_str]: ...
    def call(self, operation: _Any) -> _str:
        """Op name, operands and attributes."""
    def block_args(self, block: _Any) -> _str: ...
