"""Two pieces of code under a tensor's test -> one `if` of the program. The constructs with a choice share it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.core import Block, Value
from ..tracer import Tracer
from .decisions import decide
from .paths import join_paths, run_path
from .raising import or_raised
from .state import NO_NAMES, Names


def run_branches(
    tracer: Tracer, flag: Value, then: Callable[[], Any], other: Callable[[], Any],
    names: Names = NO_NAMES, functions: Sequence[Callable[..., Any]] | None = None,
) -> Any:  # fmt: skip
    """Trace both, join their results, state and effects; returns the joint value of what they return.

    Where the code around is traced once per side, one of them simply runs.
    """
    codes = (then, other)
    decision = decide(tracer, flag)
    if decision.side is not None:
        return codes[decision.side]()
    paths = [
        run_path(tracer, names, or_raised(tracer, code, decision), functions or codes, Block(), decision)
        for code in codes
    ]
    return join_paths(tracer, names, decision, paths)
