"""`with` and `except`: the methods of users' context managers run in converted form, those of `contextmanager` too.

No handler of the user's ends a refusal to capture: eager code would not get there.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import sys
import types
from typing import Any

from ...base.errors import CaptureError
from ..trace.arrays.made_arrays import refuse
from ..trace.tracer import Tracer, active
from .generators import Generated
from .regions.items_in_doubt import look
from .stdlib.own_methods import is_users


def manager(x: Any) -> Any:
    """What a `with` statement enters and leaves for `x`."""
    tracer = active()
    if tracer is None:
        return x
    if isinstance(x, contextlib.suppress):
        return _Suppressing(tracer, x)
    if isinstance(x, contextlib._GeneratorContextManager):
        return _looking(tracer, _from_generator(tracer, x))
    own = [getattr(type(x), name, None) for name in ("__enter__", "__exit__")]
    return _Converted(tracer, x, *own) if all(map(is_users, own)) else _looking(tracer, x)


def _looking(tracer: Tracer, x: Any) -> Any:
    return _Looking(tracer, x) if tracer.style.in_steps and hasattr(x, "__exit__") else x


def _from_generator(tracer: Tracer, x: Any) -> Any:
    if not is_users(x.func):
        return x
    made = tracer.call(x.func, *x.args, **x.kwds)
    if isinstance(made, Generated):
        x.gen = made.pull()
    return x


def caught() -> None:
    """At the start of an `except` clause: what can't be captured is said, as eager code would not get here."""
    tracer, error = active(), sys.exception()
    if tracer is None or error is None:
        return
    refuse(tracer, error)
    if isinstance(error, CaptureError):
        raise error


class _Looking:
    """A manager that Python leaves, between two statements of a function in steps."""

    def __init__(self, tracer: Tracer, owner: Any) -> None:
        self.tracer = tracer
        self.owner = owner

    def __enter__(self) -> Any:
        return self.owner.__enter__()

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> Any:
        if kind is None or issubclass(kind, Exception):  # else the code is about to be traced again
            look(self.tracer, (self.owner,))
        return self.owner.__exit__(kind, *error)


class _Suppressing:
    """`contextlib.suppress`, which looks at errors as an `except` clause does."""

    def __init__(self, tracer: Tracer, owner: contextlib.suppress) -> None:
        self.tracer = tracer
        self.owner = owner

    def __enter__(self) -> None:
        self.tracer.catching.append(lambda kind: bool(self.owner.__exit__(kind, None, None)))
        self.owner.__enter__()

    def __exit__(self, *error: Any) -> Any:
        self.tracer.catching.pop()
        caught()
        return self.owner.__exit__(*error)


class _Converted:
    """A manager whose methods are converted where they are called."""

    def __init__(self, tracer: Tracer, owner: Any, enter: Any, leave: Any) -> None:
        self.tracer = tracer
        self.enter = types.MethodType(enter, owner)
        self.leave = types.MethodType(leave, owner)

    def __enter__(self) -> Any:
        entered = self.tracer.call(self.enter)
        if _may_swallow(self.leave.__func__.__code__):
            self.tracer.catching.append(lambda _: True)
        return entered

    def __exit__(self, *error: Any) -> Any:
        if _may_swallow(self.leave.__func__.__code__):
            self.tracer.catching.pop()
        if self.tracer.unwinding is not None:  # back to where paths diverge: nothing that happens here stays
            return self.leave(*error)
        return self.tracer.call(self.leave, *error)


@functools.lru_cache(maxsize=256)
def _may_swallow(code: types.CodeType) -> bool:
    """Whether an `__exit__` may return something true: anything but None or False that stands there."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    for before, step in zip([None, *steps], steps, strict=False):
        if step.opname == "RETURN_CONST" and step.argval:
            return True
        if step.opname == "RETURN_VALUE" and not (
            before is not None and before.opname == "LOAD_CONST" and not before.argval
        ):
            return True
    return False
