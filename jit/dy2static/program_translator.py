"""`ProgramTranslator` and its relatives under Paddle's names: thin, over StaticFunction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api import to_static
from ..function import StaticFunction
from ..inspect.function_views import ConcreteProgram
from ..switches import enable_to_static, is_enabled

ASTStaticFunction = SymbolicStaticFunction = StaticFunction


def convert_to_static(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function in its converted form, which runs in eager mode as the function itself does.

    >>> import vitrify as vt
    >>> def double(x):
    ...     return x * 2
    >>> convert_to_static(double)(vt.ones([1])).tolist()
    [2.0]
    """
    from .convert_call_func import convert_call

    return convert_call(_plain(function))


def _plain(function: Any) -> Any:
    return function.dygraph_function if isinstance(function, StaticFunction) else function


class ProgramTranslator:
    """Switches compiling on and off, and shows what becomes of a function. There is one object of the class.

    >>> import vitrify as vt
    >>> ProgramTranslator() is ProgramTranslator.get_instance()
    True
    >>> ProgramTranslator().get_output(lambda x: x + 1, vt.ones([1])).tolist()
    [2.0]
    """

    _instance: ProgramTranslator | None = None

    def __new__(cls) -> ProgramTranslator:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The one object."""
        return cls()

    @property
    def enable_to_static(self) -> bool:
        """Whether compiled functions run compiled."""
        return is_enabled()

    def enable(self, enable_to_static_flag: bool) -> None:
        """As `vt.jit.enable_to_static`."""
        enable_to_static(enable_to_static_flag)

    def get_code(self, function: Any) -> str:
        """The rewritten source of a function."""
        return str(self._static(function).code)

    def get_func(self, function: Any) -> Callable[..., Any]:
        """The function in its converted form."""
        return convert_to_static(function)

    def get_output(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """The result of a compiled call."""
        return self._static(function)(*args, **kwargs)

    def get_program(self, function: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """The main program, the startup program (empty: parameters exist already), inputs and outputs."""
        from ...ir.core import Program

        made, _ = self._static(function).get_concrete_program(*args, **kwargs)
        return made.main_program, Program("startup"), made.inputs, made.outputs

    @staticmethod
    def reset() -> None:
        """Compiling on, as at the start."""
        enable_to_static(True)

    @staticmethod
    def _static(function: Any) -> StaticFunction:
        made: StaticFunction = function if isinstance(function, StaticFunction) else to_static(function)
        return made


__all__ = ["ASTStaticFunction", "ConcreteProgram", "ProgramTranslator", "StaticFunction", "convert_to_static"]
