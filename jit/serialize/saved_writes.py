"""What a saved program keeps of the state that its function writes: tensors that stay where they are, of one type.

A function that puts a new tensor into an attribute (`self.count += 1`) writes Python's object. In a saved model the
attribute is a state entry, and the write an update of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.location import caller_loc
from ...dygraph.tensor import Tensor
from ...ir.walk import clone_program
from ...ops.types import TensorType
from ..call.guards import look, place_of
from ..trace.state.containers import WHOLE, is_token
from ..trace.state.rollback import describe
from ..trace.traced import Assumption, AttributeWrite, StateTensor, Trace, TraceOutputs
from .joined_outputs import is_of_type


def with_replaced(trace: Trace) -> Trace:
    """The trace with a state entry for each tensor that the function replaces by another one of its type without
    reading it (`self.h = zeros([1, 2])`), where there was none.
    """
    known = {place_of(place) for s in trace.state if s.place is not None for place in (s.place, *s.others)}
    found: dict[tuple[int, Any], StateTensor] = {}
    for write in trace.attribute_writes:
        if is_token(write.owner) or write.name is WHOLE or write.appends or (id(write.owner), write.name) in known:
            continue
        place = Assumption(write.kind, write.owner, write.name, None)
        now = look(place)
        if not isinstance(now, Tensor) or type(now._storage.payload) is not np.ndarray or now._node is not None:
            continue
        if is_of_type(trace.program, write.value, TensorType(now._dtype, now._storage.payload.shape)):
            found[place_of(place)] = StateTensor(now, str(write.name), "buffer", place=place)
    if not found:
        return trace
    program = clone_program(trace.program)
    for entry in found.values():
        program.add_state(entry.name, TensorType(entry.tensor._dtype, entry.tensor._storage.payload.shape), "buffer")
    return replace(trace, program=program, state=[*trace.state, *found.values()])


def kept_writes(trace: Trace) -> dict[int, TraceOutputs]:
    """State entries whose tensor the function replaces by others of its type -> what is there afterwards."""
    places = {place_of(s.place): k for k, s in enumerate(trace.state) if s.place is not None and s.slot == "data"}
    found: dict[int, TraceOutputs] = {}
    for write in trace.attribute_writes:
        number = _entry_of(write, places)
        if number is None or trace.state[number].updated:
            continue
        if not _are_written_alike(trace, trace.state[number], write.value):
            continue
        if is_of_type(trace.program, write.value, trace.program.state_values[number].type):
            found[number] = write.value
    return found


def _are_written_alike(trace: Trace, entry: StateTensor, value: TraceOutputs) -> bool:
    """Whether the further places of a tensor get what its own gets, so that they go on holding one."""
    written = {(id(w.owner), w.name): w.value for w in trace.attribute_writes if not is_token(w.owner)}
    return all(written.get(place_of(place)) == value for place in entry.others)


def _entry_of(write: AttributeWrite, places: Mapping[tuple[int, Any], int]) -> int | None:
    return None if is_token(write.owner) else places.get((id(write.owner), write.name))


def warn_of_lost(trace: Trace, kept: Mapping[int, TraceOutputs]) -> None:
    """Say which writes the saved program doesn't have."""
    places = {place_of(at): k for k in kept if (s := trace.state[k]).place for at in (s.place, *s.others)}
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
