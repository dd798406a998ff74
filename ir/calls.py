"""Functions of a program that call themselves: which `function` a `call` means, and how deep calls may go.

`function` is an operation with a block, as `while` is: it runs the block on its operands where it stands. A `call`
inside the block runs the block again, with values of its own; it means the nearest `function` around it of that name.
Blocks read the values around them, so a function's block reads what was there when the function was entered.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..base.errors import DepthError
from .core import Block, Operation, Value
from .walk import walk


def callee_of(call: Operation) -> Operation | None:
    """The `function` that a `call` runs; None where none of that name is around it."""
    return enclosing(call.parent, call.attrs["callee"])


def enclosing(block: Block | None, name: str | None = None) -> Operation | None:
    """The nearest `function` around a block: of this name, where one is given."""
    while block is not None and isinstance(block.parent, Operation):
        owner = block.parent
        if owner.name == "function" and (name is None or owner.attrs["name"] == name):
            return owner
        block = owner.parent
    return None


def calls_of(function: Operation) -> list[Operation]:
    """The calls of a function within its own block."""
    return [o for o in walk(function.blocks[0]) if o.name == "call" and callee_of(o) is function]


def values_in(block: Block) -> list[Value]:
    """All values that a block and the blocks in it make."""
    found = list(block.args)
    for operation in walk(block):
        found += operation.results
        for inner in operation.blocks:
            found += inner.args
    return found


def too_deep(name: str, limit: int) -> DepthError:
    """The error of a call beyond the limit."""
    message, _, remedy = too_deep_text(name, limit).partition("\n  help: ")
    return DepthError(message, remedy=remedy)


def too_deep_text(name: str, limit: int) -> str:
    """The message of a call beyond the limit, with its remedy, as a `check` has them."""
    return (
        f"`{name}` calls itself more than {limit} times deep\n  help: see that it ends for these values; "
        "sys.setrecursionlimit() before the function is captured allows more"
    )


_FRAMES = 4  # of Python, that the interpreter takes for a block in another
_lock = threading.Lock()
_deep: list[int] = []  # what is allowed to each run that is in a function, beyond the usual limit
_usual = 0


@contextmanager
def room_for(function: Operation) -> Iterator[None]:
    """Let Python go as deep as the limit of a function takes. Its frames lie on the heap, not on the thread's stack."""
    global _usual
    frames = (function.attrs["limit"] + 1) * _FRAMES * (1 + _height(function.blocks[0]))
    with _lock:
        if not _deep:
            _usual = sys.getrecursionlimit()
        _deep.append(frames)
        sys.setrecursionlimit(_usual + sum(_deep))
    try:
        yield
    finally:
        with _lock:
            _deep.remove(frames)
            sys.setrecursionlimit(_usual + sum(_deep))


def _height(block: Block) -> int:
    return 1 + max((_height(inner) for o in block.operations for inner in o.blocks), default=0)
