"""Speculative time tiling: a loop over elements runs many iterations on each block of its arrays.

An iteration reads and writes all arrays of the loop, so that a loop over arrays runs at the speed of memory. If the
elements are independent, many iterations can run on a block while it is in registers; only the trip count depends on
all blocks. The kernels are those of lower/tiled_loops.py; this module decides, and writes

    iterations = 0; control
    while go:
        body        all blocks, `iterations` iterations
        control     checks how many were the loop's: sets how many come next, or that they run again

What is carried has two places, and iterations go from one to the other, so that they can run again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...ir.core import Operation, Value
from ...ops.op import OPS
from ...ops.types import TensorType
from ..lower.loops.body_kernel import body_kernel
from ..lower.loops.control_kernel import control_kernel
from ..lower.loops.loop_parts import LoopParts, NotByElements, loop_parts
from ..lower.loops.tiled_loops import Key, block_arrays, block_size
from .loop_kernels import LARGEST
from .program_steps import (
    Buffer,
    CopyStep,
    EmittedLoop,
    JumpStep,
    KernelStep,
    Label,
    LoopStep,
    ProgramStep,
    SetStep,
    Steps,
)
from .schedule_pass import SchedulePass


def tiling_parts(operation: Operation) -> LoopParts | str:
    """The parts of a loop that time tiling is for; else why not, empty where its arrays are small."""
    try:
        parts = loop_parts(operation)
    except NotByElements as reason:
        return str(reason)
    sizes = [parts.args[k].tensor_type.size * parts.args[k].dtype.itemsize for k in parts.arrays]
    if all(isinstance(size, int) and size <= LARGEST for size in sizes):
        return ""  # loop_kernels.py's
    return parts


def spread(parts: LoopParts, value: Value) -> Operation | None:
    """The operation that gives an array from outside the loop's shape, where it has another."""
    if parts.is_array(value) or value in parts.alone:
        return None
    kind = TensorType(value.dtype, parts.domain)
    return Operation(OPS["broadcast_to"], [value], {"shape": parts.domain}, [kind], loc=parts.operation.loc)


@dataclass(frozen=True)
class TimeTiling(SchedulePass):
    """Put the steps of speculative time tiling in the place of each loop over elements."""

    name = "time_tiling"

    def run(self, program: Steps) -> bool:
        loops = [loop for loop in program.loops.values() if loop.parts is not None]
        tiled = [_tile(program.steps, loop, loop.parts) for loop in loops if loop.parts is not None]
        return any(tiled)


def _tile(steps: list[ProgramStep], loop: EmittedLoop, parts: LoopParts) -> bool:
    """Put steps in the place of one loop, if it is still there."""
    if loop.start not in steps:
        return False
    places: dict[Key, Buffer] = {key: Buffer(kind, hint=key[0]) for key, kind in block_arrays(parts).items()}
    places.update({("here", k): buffer for k, buffer in enumerate(loop.carried)})
    keys = [*(("read", k) for k in range(len(parts.read))), *(("alone", k) for k in range(len(parts.alone)))]
    places.update(zip(keys, loop.outside, strict=True))
    if loop.count is not None:
        places["count", 0] = loop.count
    start, end = steps.index(loop.start), steps.index(loop.end)
    steps[start : end + 1] = _steps(parts, steps[start : end + 1], places)
    entry = steps.index(loop.entry) if loop.entry in steps[:start] else start
    steps[entry:entry] = loop.preparation
    return True


def _steps(parts: LoopParts, inner: Sequence[ProgramStep], places: Mapping[Key, Buffer]) -> list[ProgramStep]:
    operation = parts.operation
    body, control = body_kernel(parts), control_kernel(parts)

    def look() -> KernelStep:
        return KernelStep(None, control.kernel, [places[key] for key in control.keys])

    names = ("iterations", "side", "again", "done") if parts.reductions else ("iterations",)
    names = (*names, "iteration") if parts.is_counted else names
    start, end = Label(), Label()
    end.closes = start
    reason = f"time tiling, {block_size(parts)} elements at a time"
    tiled = LoopStep(operation, body.kernel, [places[key] for key in body.keys], list(inner), reason)
    made: list[ProgramStep] = [SetStep(None, places[name, 0], 0) for name in names]
    made += [look(), start, JumpStep(None, end, zero=places["go", 0]), tiled, look(), JumpStep(None, start), end]
    return [*made, *_home(parts, places)] if parts.reductions else made


def _home(parts: LoopParts, places: Mapping[Key, Buffer]) -> list[ProgramStep]:
    """After an odd number of times everything is in the other place."""
    end = Label()
    used = [k for k in parts.arrays if parts.operation.results[k].uses]
    copies = [CopyStep(None, places["here", k], places["there", k]) for k in used]
    return [JumpStep(None, end, zero=places["odd", 0]), *copies, end]
