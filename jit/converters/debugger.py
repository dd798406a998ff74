"""`breakpoint()` and `pdb.set_trace()` in captured code: a debugger needs values, so the call runs eagerly."""

from __future__ import annotations

import builtins
import os
from typing import Any

from ...base.location import caller_loc
from ..tracebacks import DebuggerCalled, DebuggerError

_DEBUGGERS = frozenset({"pdb", "bdb", "ipdb", "pudb", "IPython", "rpdb", "remote_pdb", "web_pdb", "debugpy"})


def is_debugger(fn: Any) -> bool:
    """Whether calling this opens a debugger."""
    if fn is builtins.breakpoint:
        return os.environ.get("PYTHONBREAKPOINT") != "0"
    if getattr(fn, "__name__", None) not in ("set_trace", "breakpoint", "embed"):
        return False
    return (getattr(fn, "__module__", None) or "").partition(".")[0] in _DEBUGGERS


def stop_for_debugger(fn: Any) -> None:
    """End the capture where the code opens a debugger."""
    if is_debugger(fn):
        loc = caller_loc()
        raise DebuggerCalled(
            DebuggerError(
                f"{fn.__name__}() inside a captured function: a debugger needs the values of a run",
                loc=loc,
                remedy="call the function: while this line is there, calls that reach it run eagerly",
            )
        )
