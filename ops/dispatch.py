"""The interpreter stack: who carries out an op call right now. The one interception point of the whole project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .interpreter import Interpreter

_stack: ContextVar[tuple[Interpreter, ...]] = ContextVar("interpreters", default=())
_bottom: list[Interpreter] = []


def set_bottom(interpreter: Interpreter) -> None:
    """Install the interpreter used when no other is active (eager mode installs itself)."""
    _bottom[:] = [interpreter]


def current() -> Interpreter:
    """The active interpreter."""
    stack = _stack.get()
    return stack[-1] if stack else _bottom[0]


def bottom() -> Interpreter:
    """The interpreter at the bottom of the stack: eager mode."""
    return _bottom[0]


def innermost(interpreter: Interpreter) -> Interpreter:
    """What an interpreter hands ops on to in the end; itself where it hands on nothing."""
    while interpreter.inner is not None:
        interpreter = interpreter.inner
    return interpreter


def is_captured() -> bool:
    """Whether ops are recorded or matched rather than run: the active interpreter isn't eager mode."""
    return innermost(current()) is not innermost(_bottom[0])


@contextmanager
def using(interpreter: Interpreter) -> Iterator[None]:
    """Make `interpreter` the active one inside the block."""
    token = _stack.set((*_stack.get(), interpreter))
    try:
        yield
    finally:
        _stack.reset(token)
