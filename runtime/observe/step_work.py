"""What a step of a compiled program costs: floating-point operations, bytes, whose work it is. Facts, not times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...ir.core import Operation
from ...ir.walk import walk
from ...ops.dims import DimLike
from ...ops.lowering import Scalar
from ...ops.work import bytes_of, work_of
from ...passes.fusion.custom_gemm import microkernel_of
from ...passes.fusion.fusion_facts import alias_offset, is_free
from ..schedule.program_steps import (
    AddStep,
    BatchedStep,
    Buffer,
    CheckStep,
    CopyStep,
    FallbackStep,
    GemmStep,
    HandOverStep,
    HoldStep,
    HostCallStep,
    InterpretedStep,
    JumpStep,
    KernelStep,
    Label,
    ListStep,
    LoopStep,
    PieceStep,
    ProgramStep,
    RowStep,
    SetStep,
)

GEMM, KERNEL, COPY, PYTHON, CONTROL = "gemm", "kernel", "copy", "python", "control"


@dataclass(frozen=True, slots=True)
class StepFacts:
    """One step. work: floating-point operations, None where nobody knows; bytes: read and written, each buffer once.

    functions: what of the work is that of functions like exp, whose polynomials run at another rate.
    """

    kind: str
    name: str
    work: DimLike | None
    bytes: DimLike
    functions: DimLike = 0


def facts_of(step: ProgramStep) -> StepFacts:
    """What is known of a step before it runs."""
    operation = step.operation
    moved = _bytes(step)
    match step:
        case LoopStep(kernel=kernel):
            return StepFacts(KERNEL, kernel.name, None, moved)
        case BatchedStep():
            name = f"{step.kernel.name} × {len(step.calls)}"
            costly = sum_of(map(_functions, step.operations))
            return StepFacts(KERNEL, name, _sum_of_known(map(work, step.operations)), moved, costly)
        case KernelStep():
            done, costly = (None, 0) if operation is None else (work(operation), _functions(operation))
            has_microkernel = operation is not None and any(map(microkernel_of, parts_of(operation)))
            return StepFacts(GEMM if has_microkernel else KERNEL, step.kernel.name, done, moved, costly)
        case GemmStep():
            return StepFacts(GEMM, "matmul", None if operation is None else work(operation), moved)
        case PieceStep(members=[_, _, *_] as members):
            parts = [facts_of(member) for member in members]
            names = "_".join(dict.fromkeys(m.operation.name for m in members if m.operation is not None))
            return StepFacts(PYTHON, f"{names} (Python)", _sum_of_known(p.work for p in parts), moved)
        case (
            SetStep() | AddStep() | HoldStep() | HandOverStep() | FallbackStep() | Label() | JumpStep() | ListStep()
            | RowStep() | CheckStep()
        ):  # fmt: skip
            return StepFacts(CONTROL, "control", 0, 0)
        case HostCallStep() | InterpretedStep():
            name = "?" if operation is None else str(operation.attrs.get("callee", operation.name))
            return StepFacts(PYTHON, f"{name} (Python)", None if operation is None else work(operation), moved)
        case CopyStep():
            return StepFacts(COPY, "copy", 0, moved)
    raise AssertionError(step)


def work(operation: Operation) -> DimLike | None:
    """Floating-point operations of an operation; those of a group are its parts' together."""
    return _sum_of_known(map(_own_work, parts_of(operation)))


def _sum_of_known(works: Iterable[DimLike | None]) -> DimLike | None:
    """The sum; None where one is unknown."""
    known = list(works)
    return None if None in known else sum_of(one for one in known if one is not None)


def sum_of(dims: Iterable[DimLike]) -> DimLike:
    """The sum of sizes, which may be open."""
    total: DimLike = 0
    for one in dims:
        total = total + one
    return total


def _functions(operation: Operation) -> DimLike:
    total: DimLike = 0
    for part in parts_of(operation):
        lowering = part.op.lowering
        if isinstance(lowering, Scalar) and lowering.cost > 1:
            total = total + (_own_work(part) or 0)
    return total


def parts_of(operation: Operation) -> Iterator[Operation]:
    """The operations that a step carries out: those of a group, else the operation itself."""
    if operation.name != "group":
        yield operation
        return
    yield from (o for o in walk(operation.blocks[0]) if not o.is_terminator)


def parts_of_step(step: ProgramStep) -> Iterator[Operation]:
    """The operations that a step carries out; for a loop kernel, those of an iteration."""
    if isinstance(step, LoopStep):
        for inner in step.inner:
            if isinstance(inner, KernelStep):
                yield from parts_of_step(inner)
        return
    for operation in step.operations:
        yield from parts_of(operation)


def unfused_bytes(operation: Operation) -> DimLike:
    """Bytes that the parts of an operation read and write when each has memory of its own."""
    total: DimLike = 0
    for part in parts_of(operation):
        if not is_free(part) and alias_offset(part) is None:
            read = [v for v in part.operands if v.operation is None or not is_free(v.operation)]
            total = total + bytes_of([v.type for v in (*read, *part.results)])
    return total


def _own_work(operation: Operation) -> DimLike | None:
    types = [[v.type for v in values] for values in (operation.operands, operation.results)]
    return work_of(operation.op, types[0], types[1], operation.attrs)


def _bytes(step: ProgramStep) -> DimLike:
    total: DimLike = 0
    seen: set[Buffer] = set()
    for buffer in (*step.reads(), *step.writes()):
        if buffer not in seen:
            seen.add(buffer)
            total = total + buffer.bytes
    return total


def dtype_of(step: ProgramStep) -> str:
    """The float type that a step computes in: "f64" or "f32"."""
    return "f64" if any(b.kind.dtype.short == "f64" for b in step.writes()) else "f32"
