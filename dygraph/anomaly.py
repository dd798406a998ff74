"""The search for the op that makes NaN or infinity: a check of every result, forward and backward."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..base.errors import NonFiniteError
from ..ops.dispatch import set_bottom
from ..ops.finite import REMEDY, complaint
from ..ops.op import Op
from .call_cache import EAGER
from .eager import EagerInterpreter

_asked: list[bool] = []  # whether a check was asked for, by the flag or by blocks around


class CheckingInterpreter(EagerInterpreter):
    """Eager mode whose float results must be finite."""

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        made = super().apply(op, args, attrs)
        several = isinstance(made, tuple)
        words = complaint(op, [r._storage.payload for r in (made if several else (made,))],
                          [x._storage.payload for x in args])  # fmt: skip
        if words is not None:
            raise NonFiniteError(words, remedy=REMEDY)
        return made


_CHECKING = CheckingInterpreter()
_watching: list[EagerInterpreter] = []  # those that report on operations, the last one in use
_listeners: list[Callable[[bool], None]] = []


def on_check(listener: Callable[[bool], None]) -> None:
    """Tell what runs programs whenever the check begins or ends."""
    _listeners.append(listener)


def _switch(enabled: bool) -> None:
    set_bottom(_watching[-1] if _watching else _CHECKING if enabled else EAGER)
    for listener in _listeners:
        listener(enabled)


def check_nan_inf(enabled: bool) -> None:
    """Check every result of every op from here on, or no more: Paddle's FLAGS_check_nan_inf. NonFiniteError names the
    op, your line and, inside compiled programs, the iteration of the loop. Compiled programs run operation by operation
    meanwhile (slowly); a call that fails leaves parameters and random state as they were.
    """
    _switch(bool(enabled))
    _asked[:] = [bool(enabled)]


def watch(interpreter: EagerInterpreter) -> None:
    """Let an interpreter carry out eager operations, in place of the checking one, until `unwatch`."""
    _watching.append(interpreter)
    set_bottom(interpreter)


def unwatch(interpreter: EagerInterpreter) -> None:
    """Take it out again."""
    if interpreter in _watching:
        _watching.remove(interpreter)
        _switch(is_checking())


def is_checking() -> bool:
    """Whether results are checked."""
    return bool(_asked and _asked[-1])


@contextmanager
def detect_anomaly(check_nan: bool = True) -> Iterator[None]:
    """Check every result inside the block, those of gradients and of compiled programs too, as `check_nan_inf` does."""
    before = is_checking()
    _switch(check_nan)
    _asked.append(check_nan)
    try:
        yield
    finally:
        _asked.pop()
        _switch(before)
