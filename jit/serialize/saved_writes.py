"""What a saved program keeps of the state that its function writes: tensors that stay where they are, of one type.

A function that puts a new tensor into an attribute (`self.count += 1`) writes Python's object. In a saved model the
attribute is a state entry, and the write an update of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from ...base.location import caller_loc
from ..call.guards import place_of
from ..trace.state.containers import is_token
from ..trace.state.rollback import describe
from ..trace.traced import AttributeWrite, Trace, TraceOutputs
from .joined_outputs import is_of_type


def kept_writes(trace: Trace) -> dict[int, TraceOutputs]:
    """State entries whose tensor the function replaces by others of its type -> what is there afterwards."""
    places = {place_of(s.place): k for k, s in enumerate(trace.state) if s.place is not None and s.slot == "data"}
    found: dict[int, TraceOutputs] = {}
    for write in trace.attribute_writes:
        number = _entry_of(write, places)
        if number is None or trace.state[number].updated:
            continue
        if is_of_type(trace.program, write.value, trace.program.state_values[number].type):
            found[number] = write.value
    return found


def _entry_of(write: AttributeWrite, places: Mapping[tuple[int, Any], int]) -> int | None:
    return None if is_token(write.owner) else places.get((id(write.owner), write.name))


def warn_of_lost(trace: Trace, kept: Mapping[int, TraceOutputs]) -> None:
    """Say which writes the saved program doesn't have."""
    places = {place_of(trace.state[k].place): k for k in kept}  # type: ignore[arg-type]
    lost = [w for w in trace.attribute_writes if _entry_of(w, places) is None]
    name = trace.program.name
    for write in lost:
        owner = "an argument" if is_token(write.owner) else describe(write.owner, write.name)
        remedy = "keep it in a buffer (register_buffer) of one shape and dtype, which a saved model updates"
        warn(f"{name} changes {owner}", "which stays as it is now in the saved model", remedy)
    others = [
        (trace.grad_writes, "gradients"),
        (trace.tensor_writes, "its arguments"),
        (trace.stop_writes, "stop_gradient"),
    ]
    for writes, what in others:
        if writes:
            warn(f"{name} changes {what}", "the saved program only computes", "return what callers need")


def warn(what: str, how: str, remedy: str) -> None:
    """A warning at the user's line that saves."""
    loc = caller_loc()
    warnings.warn_explicit(f"{what}, {how}; {remedy}", UserWarning, loc.file or "<unknown>", loc.line or 1)
