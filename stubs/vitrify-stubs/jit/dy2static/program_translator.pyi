# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from typing import Any as _Any

class ProgramTranslator:
    """Switches compiling on and off, and shows what becomes of a function. There is one object of the class.

    >>> import vitrify as vt
    >>> ProgramTranslator() is ProgramTranslator.get_instance()
    True
    >>> ProgramTranslator().get_output(lambda x: x + 1, vt.ones([1])).tolist()
    [2.0]"""
    @staticmethod
    def __new__(cls) -> ProgramTranslator:
        """Create and return a new object.  See help(type) for accurate signature."""
    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The one object."""
    @property
    def enable_to_static(self) -> _bool:
        """Whether compiled functions run compiled."""
    def enable(self, enable_to_static_flag: _bool) -> None:
        """As `vt.jit.enable_to_static`."""
    def get_code(self, function: _Any) -> _str:
        """The rewritten source of a function."""
    def get_func(self, function: _Any) -> _Callable[..., _Any]:
        """The function in its converted form."""
    def get_output(self, function: _Any, *args: _Any, **kwargs: _Any) -> _Any:
        """The result of a compiled call."""
    def get_program(self, function: _Any, *args: _Any, **kwargs: _Any) -> _tuple[_Any, _Any, _Any, _Any]:
        """The main program, the startup program (empty: parameters exist already), inputs and outputs."""
    @staticmethod
    def reset() -> None:
        """Compiling on, as at the start."""
