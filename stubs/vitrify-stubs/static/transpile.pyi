# Written by `make stubs`; edits here are lost.

from builtins import str as _str
from typing import Any as _Any
from vitrify.static.program import Program as _Program
from vitrify.static.scope import Scope as _Scope

class InferenceTranspiler(Transpiler):
    """Fold what follows a convolution per channel (batch norm, bias) into its filters; drop what leads nowhere.

    It takes programs for testing, `clone(for_test=True)`, in which dropout does nothing. Results differ in rounding.

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> main, startup = vt.static.Program(), vt.static.Program()
    >>> with vt.static.program_guard(main, startup):
    ...     x = vt.static.data("image", [None, 3, 8, 8])
    ...     y = vt.static.nn.batch_norm(vt.static.nn.conv2d(x, 4, 3))
    >>> vt.static.Executor().run(startup)
    []
    >>> [op.type for op in InferenceTranspiler().transpile(main.clone(for_test=True)).global_block().ops]
    ['conv2d', 'elementwise_add']
    >>> vt.disable_static()"""
    name: _str
    def run(self, program: _Program, scope: _Scope) -> None:
        """Fold one convolution after the other."""

class Transpiler:
    """A pass with a name: `transpile(program)` changes the program and returns it."""
    name: _str
    def transpile(self, program: _Program, place: _Any = None, scope: _Scope | None = None) -> _Program:
        """Change the program in place. scope: where parameters are read and made (default: the one in force).

        Errors: KindError for anything but a program; MissingError for parameters without values."""
    def run(self, program: _Program, scope: _Scope) -> None:
        """What it does."""

class MemoryTranspiler(Transpiler):
    """Drop operations whose results nobody can ask for: they lead nowhere and no variable stands for them."""
    name: _str
    def run(self, program: _Program, scope: _Scope) -> None:
        """Drop them, the last ones first."""
