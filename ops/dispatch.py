"""The interpreter stack: who carries out an op call right now. The one interception point of the whole project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from ..base.dtype import DType


class Interpreter(Protocol):
    """Carries out ops: eagerly on arrays, by recording them into a program, or by matching them as a pattern."""

    def apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Run or record one op on normalised operands and attributes; a value, or a tuple for several results."""

    def constant(self, data: Any, dtype: DType | None) -> Any:
        """A value holding `data` (number, NumPy array, symbolic Dim, nested list or a value, which is returned)."""


class Bottom(Interpreter, Protocol):
    """What runs ops when no other interpreter is active: eager mode."""

    def again(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A whole call as the user wrote it, where one like it was prepared before; NotImplemented otherwise."""


_stack: ContextVar[tuple[Interpreter, ...]] = ContextVar("interpreters", default=())
_bottom: list[Bottom] = []


def set_bottom(interpreter: Bottom) -> None:
    """Install the interpreter used when no other is active (eager mode installs itself)."""
    _bottom[:] = [interpreter]


def current() -> Interpreter:
    """The active interpreter."""
    stack = _stack.get()
    return stack[-1] if stack else _bottom[0]


def bottom() -> Bottom:
    """The interpreter at the bottom of the stack: eager mode."""
    return _bottom[0]


def is_captured() -> bool:
    """Whether ops are recorded or matched rather than run: the active interpreter isn't eager mode, seen through others
    that hand on to one as `inner`.
    """
    interpreter: Any = current()
    while "inner" in vars(interpreter):
        interpreter = interpreter.inner
    return interpreter is not _bottom[0]


@contextmanager
def using(interpreter: Interpreter) -> Iterator[None]:
    """Make `interpreter` the active one inside the block."""
    token = _stack.set((*_stack.get(), interpreter))
    try:
        yield
    finally:
        _stack.reset(token)
