"""`jit.sot`: compile a function, and the marks that programs set to watch where Paddle's capture breaks off.

There are no such breaks here: a function is compiled whole, or an error says why it can't be.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, TypeVar

from ..base.errors import AssertedError, CaptureError
from ..jit import to_static
from ..ops.dispatch import is_captured

F = TypeVar("F", bound=Callable[..., Any])

# Paddle's capture raises these for errors of the captured function and for what it can't capture. Here a function's
# errors come as they are.
InnerError = Exception
FallbackError = BreakGraphError = ExportError = CaptureError


def symbolic_translate(fn: Callable[..., Any], training: bool | None = None, **settings: Any) -> Callable[..., Any]:
    """The function, compiled as by `to_static`; the settings have no effect.

    >>> from vitrify import ones
    >>> symbolic_translate(lambda x: x + 1)(ones([1])).tolist()
    [2.0]
    """
    compiled: Callable[..., Any] = to_static(fn)
    return compiled


def check_no_breakgraph(fn: F) -> F:
    """The function itself: nothing is compiled in pieces."""
    return fn


check_no_fallback = try_ast_func = check_no_breakgraph


def breakgraph() -> None:
    """Nothing: see above."""


def fallback(recursive: bool = False) -> None:
    """Nothing: see above."""


def in_sot() -> bool:
    """Whether a function is being compiled.

    >>> in_sot()
    False
    """
    return is_captured()


def assert_true(input: bool) -> None:
    """Errors: AssertedError (an AssertionError) if `input` is False."""
    if not input:
        raise AssertedError("assert_true: the value is False")


print = builtins.print
