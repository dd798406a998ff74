"""Which operations of a static program belong together: the gradient of an operation, an optimiser's update."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..base.errors import ArgumentError
from ..ir.core import Operation
from ..ops.op import OPS

if TYPE_CHECKING:
    from .recorder import Recorder

ROLES = {"forward": 0, "backward": 1, "optimize": 2}  # with the numbers of PaddlePaddle's `op_role`


@dataclass(frozen=True, slots=True)
class OpStep:
    """What a run of operations is for. kind: `mean_grad`, `sgd`; empty for an operation that stands for itself.

    subject: the parameter that is updated. number: tells the steps of a program apart. attrs: of an initializer's step.
    """

    role: str
    kind: str = ""
    subject: str = ""
    number: int = 0
    attrs: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def title(self) -> str:
        """The line above its operations in a program's text."""
        text = f"{self.role}: {self.kind}" if self.kind else self.role
        return f"{text} of {self.subject}" if self.subject else text


FORWARD = OpStep("forward")
CAST = OPS["cast"].name
_HALF, _LOW = ("float16",), ("float16", "bfloat16")
# initializers' operators without a kernel for such dtypes in PaddlePaddle: a cast of their results is another operator
CASTS = {"uniform_random": _HALF, "truncated_gaussian_random": _LOW, "assign_value": _LOW}


@dataclass(slots=True)
class Updates:
    """What an optimizer does with gradients: [(parameter, gradient)], and its operations. `startup` makes its state."""

    optimizer: Any
    pairs: list[tuple[Any, Any]]
    operations: list[Operation]
    startup: Any


def take_back(recorder: Recorder, operations: Sequence[Operation]) -> None:
    """Forget operations and what they write to state. Errors: ArgumentError where others read their results."""
    recorder.note_writes()
    gone = set(operations)
    for made in (r for o in operations for r in o.results):
        reader = next((user for user, _ in made.uses if user not in gone and user.parent is made.block), None)
        if reader is not None:
            raise ArgumentError(f"{reader.name} reads what an optimizer's update made", loc=reader.loc,
                                remedy="transpile before the program goes on")  # fmt: skip
    recorder.writes = [w for w in recorder.writes if w.value.operation not in gone]
    recorder.current = {id(w.cell): w.value for w in recorder.writes}
    for operation in reversed(operations):
        operation.forget()
        recorder.program.body.operations.remove(operation)
        recorder.roles.pop(operation, None)
        recorder.name_scopes.pop(operation, None)
        recorder.stages.pop(operation, None)


def forget_state(program: Any, startup: Any, x: Any) -> None:
    """A persistable variable that no operation reads any more leaves a program, and the one that makes it."""
    for owner in (program, startup):
        entry = owner.recorder.lifted.pop(id(x._storage), None)
        if entry is not None:
            made = owner.recorder.program
            kept = [(s, v) for s, v in zip(made.state, made.state_values, strict=True) if v is not entry.value]
            made.body.set_args([*made.feed_values, *(v for _, v in kept)])
            made.state = [s for s, _ in kept]
        owner.vars.pop(x.name, None)
    recorder = startup.recorder
    recorder.note_writes()
    if recorder.initialised.pop(id(x._storage), None) is not None:
        recorder.writes = [w for w in recorder.writes if w.cell is not x._storage]
        recorder.current.pop(id(x._storage), None)


def step_of(operation: Operation, roles: Mapping[Operation, str]) -> OpStep:
    """The step of an operation: told by the purpose that its place carries, or else by when it was recorded."""
    purpose, role = operation.loc.purpose, roles.get(operation, "forward")
    if purpose is None or role == "forward":
        return OpStep(role)
    if purpose.kind == "update":
        return OpStep(role, purpose.of.lower(), purpose.target, id(purpose))
    return OpStep(role, f"{purpose.of}_grad", "", id(purpose))


@contextmanager
def in_role(recorder: Recorder, role: str) -> Iterator[None]:
    """What is recorded meanwhile has this role."""
    known = set(recorder.program.body.operations)
    before, recorder.role = recorder.role, role
    try:
        yield
    finally:
        recorder.role = before
        for operation in recorder.program.body.operations:
            if operation not in known:
                recorder.roles.setdefault(operation, role)


@contextmanager
def as_initializer(recorder: Recorder, described: tuple[str, Mapping[str, Any]] | None, name: str) -> Iterator[None]:
    """What is recorded meanwhile are the first values of a parameter: one operator, which `described` tells."""
    body = recorder.program.body
    before = len(body.operations)
    yield
    made = body.operations[before:]
    if described is None or not made:
        return
    kind, attrs = described
    if len(made) > 1 and made[-1].name == CAST and made[-1].results[0].dtype.name in CASTS.get(kind, ()):
        made = made[:-1]
    if "seed" in attrs:
        attrs = {**attrs, "seed": attrs["seed"] or recorder.owner.random_seed}
    step = OpStep("forward", kind, name, id(made[0]), attrs)
    recorder.first_values.update(dict.fromkeys(made, step))


def grouped(operations: Sequence[Operation], recorder: Recorder) -> list[tuple[OpStep, list[Operation]]]:
    """Operations in order: those of one step together, all others each on its own."""
    found: list[tuple[OpStep, list[Operation]]] = []
    first, roles = recorder.first_values, recorder.roles
    for step, run in groupby(operations, key=lambda o: first.get(o) or step_of(o, roles)):
        members = list(run)
        found += [(step, members)] if step.kind else [(step, [o]) for o in members]
    return found


def titles(
    operations: Sequence[Operation], copies: Sequence[Operation], roles: Mapping[Operation, str]
) -> dict[Operation, str]:
    """The lines above the operations of a copied program: where a step or a role begins. Empty without gradients."""
    found: dict[Operation, str] = {}
    last: OpStep | None = None
    if not any(o in roles for o in operations):
        return found
    for operation, copy in zip(operations, copies, strict=False):
        step = step_of(operation, roles)
        if step != last:
            found[copy], last = step.title(), step
    return found
