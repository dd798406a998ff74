# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.base.shown import Shown as _Shown
from vitrify.ir.core import Operation as _Operation
from vitrify.ir.core import Program as _Program
from vitrify.ir.printer import Printer as _Printer

class KernelTexts(_dict[_str, KernelText]):
    """Name -> source of every kernel; prints each with its group, the reason for the group, and the user's lines."""
    def __rich__(self) -> _Any: ...

class KernelText(_Shown):
    """The source of one kernel, as a string.

    group: the operations it carries out, as program text. reason: why they stand together (empty for a single one).
    lines: the user's lines, `file:line   text`. calls: in how many places of the program it is used; tables: how many
    calls for all of them, as calls that don't wait for each other are made at once."""
    group: _str
    reason: _str
    lines: _tuple[_str, ...]
    calls: _int
    tables: _int
    source: _Any
    def llvm(self) -> _Shown:
        """The LLVM that the kernel becomes, optimised for this CPU. Takes as long as compiling it."""
    def assembly(self) -> _Shown:
        """The instructions of this CPU that the kernel becomes. Takes as long as compiling it."""
    @classmethod
    def of(cls, source: _Any, printer: _Printer, operation: _Operation | None) -> KernelText:
        """The source of a kernel with what it comes from; printer: of the program."""

class MemoryPlan:
    """Where every intermediate lies, and when; prints as a table with a bar of its life. All figures are bytes.

    peak: what the plan takes. total: the sum of all intermediates of the captured program, each in memory of its own
    (nested blocks counted once; the `unknown` many whose size only a run knows not at all). stored: the sum of those
    that remain after fusion. lower_bound: the largest live set. buffers: (name, type, bytes, offset, first step, last)."""
    sizes: _dict[_str, _int]
    peak: _int
    total: _Any
    unknown: _Any
    stored: _int
    lower_bound: _int
    buffers: _list[_tuple[_str, _str, _int, _int, _int, _int]]
    def __init__(self, binding: _Any, captured: _Program) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
