"""What a kernel does, in a reader's words: "conv2d, add, relu", "gradient of matmul", "Adam update, 10 parameters"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...ir.core import Operation
from ...ops.types import TensorType
from ..schedule.program_steps import GemmStep, KernelStep, LoopStep, ProgramStep
from .step_work import parts_of_step

MOST_NAMES = 4
# they only bring values into another form
SILENT = frozenset(
    {"constant", "full", "yield", "stop_gradient", "reshape", "broadcast_to", "cast", "transpose", "update"}
)
WORDS = {"for": "loop", "while": "loop", "if": "branch", "full": "fill", "select": "index", "select_update": "set item"}
FORWARD, GRADIENT, UPDATE = range(3)


def role_of(operation: Operation) -> int:
    """Whether an operation computes a result, a gradient, or a parameter's update."""
    purpose = operation.loc.purpose
    return FORWARD if purpose is None else GRADIENT if purpose.kind == "gradient" else UPDATE


def title_of_step(step: ProgramStep) -> str:
    """What a kernel or a matmul does; empty for other steps."""
    if not isinstance(step, (KernelStep, GemmStep)):
        return ""
    made = title_of(list(parts_of_step(step)))
    if not made:  # a loop or a schedule made the step
        return "matmul" if isinstance(step, GemmStep) else step.kernel.name
    return f"loop: {made}" if isinstance(step, LoopStep) else made


def title_of(operations: Sequence[Operation]) -> str:
    """What some operations do together."""
    by_role: tuple[list[Operation], ...] = ([], [], [])
    for operation in operations:
        by_role[role_of(operation)].append(operation)
    forward, gradient, update = by_role
    if forward:  # the masks that a gradient will need are part of the kernel that computes a result
        gradient = [o for o in gradient if not _is_mask(o)]
    parts = [
        _listed(o.name for o in _loud(forward, only=not (gradient or update))),
        _gradients(gradient, only=not (forward or update)),
        _updates(update),
    ]
    return " + ".join(part for part in parts if part) or _listed(o.name for o in operations if o.name != "yield")


def _of(operation: Operation) -> str:
    purpose = operation.loc.purpose
    return operation.name if purpose is None else purpose.of


def _loud(operations: Sequence[Operation], only: bool) -> list[Operation]:
    """The operations that compute something; all but constants, where there is nothing else to say."""
    found = [o for o in operations if o.name not in SILENT]
    return found or ([o for o in operations if o.name not in ("constant", "yield")] if only else [])


def _is_mask(operation: Operation) -> bool:
    kinds = [r.type for r in operation.results]
    return bool(kinds) and all(isinstance(k, TensorType) and k.dtype.short == "bool" for k in kinds)


def _listed(names: Iterable[str]) -> str:
    found = list(dict.fromkeys(WORDS.get(name, name) for name in names))
    return ", ".join(found[:MOST_NAMES]) + (", …" if len(found) > MOST_NAMES else "")


def _gradients(operations: Sequence[Operation], only: bool) -> str:
    names = [_of(o) for o in _loud(operations, only)]
    loud = [name for name in names if name not in SILENT]
    shown = _listed(loud or (names if only else []))
    if only and loud and not set(loud) - {"for", "while", "if"}:  # what flows around a loop or a branch
        shown += ": " + _listed(o.name for o in operations if o.name not in ("constant", "yield"))
    return f"gradient of {shown}" if shown else ""


def _updates(operations: Sequence[Operation]) -> str:
    targets: dict[str, dict[str, None]] = {}
    for operation in operations:
        if operation.loc.purpose is not None and operation.name != "constant":
            targets.setdefault(operation.loc.purpose.of, {})[operation.loc.purpose.target] = None
    shown = []
    for optimiser, names in targets.items():
        which = f" of {next(iter(names))}" if len(names) == 1 else f", {len(names)} parameters"
        shown.append(f"{optimiser} update{which}")
    return " + ".join(shown)
