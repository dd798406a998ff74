"""The interpreter stack: who carries out an op call right now. The one interception point of the whole project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .interpreter import Interpreter

stack: ContextVar[tuple[Interpreter, ...]] = ContextVar("interpreters", default=())
interpreters = stack.get  # those that are active, the innermost last; none in eager mode
_aside: ContextVar[int] = ContextVar("aside", default=0)  # how many of the outermost have no part in what happens
bottoms: list[Interpreter] = []  # the one that is used then


def set_bottom(interpreter: Interpreter) -> None:
    """Install the interpreter used when no other is active (eager mode installs itself)."""
    bottoms[:] = [interpreter]


def current() -> Interpreter:
    """The active interpreter."""
    active = interpreters()
    return active[-1] if active else bottoms[0]


def bottom() -> Interpreter:
    """The interpreter at the bottom of the stack: eager mode."""
    return bottoms[0]


@contextmanager
def at_bottom(interpreter: Interpreter) -> Iterator[None]:
    """Use an interpreter in place of eager mode inside the block."""
    before = bottom()
    set_bottom(interpreter)
    try:
        yield
    finally:
        set_bottom(before)


def innermost(interpreter: Interpreter) -> Interpreter:
    """What an interpreter hands ops on to in the end; itself where it hands on nothing."""
    while interpreter.inner is not None:
        interpreter = interpreter.inner
    return interpreter


def is_captured() -> bool:
    """Whether ops are recorded or matched rather than run: the active interpreter isn't eager mode."""
    return innermost(current()) is not innermost(bottoms[0])


def trace_around() -> Interpreter | None:
    """The trace during which eager mode runs something now; None if there is none, or if operations are recorded."""
    active = interpreters()
    if not active or innermost(active[-1]) is not innermost(bottoms[0]):
        return None
    around = (innermost(each) for each in reversed(active[_aside.get() :]))
    return next((each for each in around if each.is_trace and not each.is_static), None)


@contextmanager
def outside_traces() -> Iterator[None]:
    """Eager mode inside the block: what it does there is no part of a program, whatever is active around it."""
    token = _aside.set(len(interpreters()))
    try:
        with using(bottoms[0]):
            yield
    finally:
        _aside.reset(token)


@contextmanager
def using(interpreter: Interpreter) -> Iterator[None]:
    """Make `interpreter` the active one inside the block."""
    token = stack.set((*stack.get(), interpreter))
    try:
        yield
    finally:
        stack.reset(token)
