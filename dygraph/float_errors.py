"""NumPy's warnings of overflow, division by zero and the like, off while a kernel runs: results are NaN and inf."""

from __future__ import annotations

from typing import Any

import numpy as np

try:  # np.errstate costs a microsecond; the variable behind it, a sixth of one
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    QUIET = _make_extobj(all="ignore")
    enter, leave = _extobj_contextvar.set, _extobj_contextvar.reset
except ImportError:  # pragma: no cover - other NumPy versions

    def enter(_: Any) -> Any:
        """Switch warnings off; what `leave` gets."""
        state = np.errstate(all="ignore")
        state.__enter__()
        return state

    def leave(state: Any) -> None:
        """Warn again as before `enter`."""
        state.__exit__(None, None, None)

    QUIET: Any = None  # type: ignore[no-redef]
