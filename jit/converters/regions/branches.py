"""Two pieces of code under a condition on a tensor -> one `if` of the program. All constructs with a choice use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....base.frame_marks import asks_for_caller
from ....ir.core import Block, Value
from ...trace.known_values import known_flag
from ...trace.tracer import Tracer
from ..raising import is_users_error, or_raised
from .decisions import decide
from .paths import join_paths, run_path
from .region_state import NO_STATE, Path, StateAccess


@asks_for_caller
def tried(tracer: Tracer, code: Callable[[], Any], functions: Sequence[Callable[..., Any]]) -> Path | None:
    """What a piece of code would do, recorded in a block of its own; None where it raises an error of the user's.

    The caller discards the block, or forgets what the trial gave.
    """
    try:
        return run_path(tracer, NO_STATE, code, functions, Block())
    except Exception as error:  # broad: any class that the user's code raises
        if not is_users_error(error):
            raise
        return None


@asks_for_caller
def run_branches(
    tracer: Tracer, flag: Value, then: Callable[[], Any], other: Callable[[], Any],
    names: StateAccess = NO_STATE, functions: Sequence[Callable[..., Any]] | None = None,
) -> Any:  # fmt: skip
    """Trace both, join their results, state and effects; returns the joint value of what they return.

    Where the code around is traced once per side, one of them simply runs.
    """
    codes = (then, other)
    known = known_flag(flag)
    known = tracer.condition_on_sizes(flag) if known is None else known
    known = tracer.conditions.known(tracer, flag) if known is None else known
    if known is not None:
        return codes[not known]()
    decision = decide(tracer, flag, getattr(then, "__code__", None))
    if decision.side is not None:
        tracer.rolling.passed += decision.loc in tracer.rolling.raising
        return codes[decision.side]()
    paths = [
        run_path(tracer, names, or_raised(tracer, code, decision), functions or codes, Block(), decision)
        for code in codes
    ]
    return join_paths(tracer, names, decision, paths)
