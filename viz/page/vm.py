"""What the VM does, as plain data: steps in order, kernels with their texts, buffers with place and lifetime."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...ir.core import Operation, Value
from ...ops.dims import Dim, DimLike, evaluate
from ...runtime.kernel.kernel_call import Kernel
from ...runtime.observe.machine_model import machine_model
from ...runtime.observe.step_titles import title_of_step
from ...runtime.observe.step_work import facts_of
from ...runtime.observe.subject import Part
from ...runtime.schedule.program_steps import (
    CONSTANT,
    FETCH,
    AddStep,
    BatchedStep,
    Buffer,
    CheckStep,
    CopyStep,
    CustomGemmStep,
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
from ...runtime.vm.binding import memory_plan
from .numbers import Numbers
from .stages import Story
from .times import PartTimes


def vm_data(part: Part, story: Story, numbers: Numbers) -> dict[str, Any]:
    """The entries "steps", "kernels" and "memory" of a part."""
    return _VirtualMachine(part, story, numbers).data()


def measured(times: PartTimes, numbers: Numbers) -> dict[str, Any]:
    """What a profile knows of a part.

    calls, wall: of the part, seconds per call; steps: [number, calls, seconds]; ops: [number, seconds per call];
    roof: operations per second in kernels and in matmuls, bytes per second.
    """
    model = machine_model()
    roof = [model.arithmetic["f32"], model.products["f32"], model.bandwidth[-1][1]]
    steps = [[k, calls, round(seconds, 9)] for k, calls, seconds in times.steps]
    ops = [[numbers[o], round(seconds, 9)] for o, seconds in times.operations.items()]
    return {"calls": times.calls, "wall": round(times.wall, 9), "steps": steps, "ops": ops, "roof": roof}


class _VirtualMachine:
    def __init__(self, part: Part, story: Story, numbers: Numbers) -> None:
        assert story.steps is not None
        self.part, self.story, self.numbers = part, story, numbers
        self.steps = story.steps.steps
        self.labels = {s: k for k, s in enumerate(s for s in self.steps if isinstance(s, Label))}
        self.kernels: dict[str, dict[str, Any]] = {}
        self.names = self._names()

    def data(self) -> dict[str, Any]:
        steps = [self._step(step) for step in self.steps]
        kernels = list(self.kernels.values())
        return {"steps": steps, "kernels": kernels, "memory": self._memory()}

    def _names(self) -> dict[Buffer, str]:
        """What each buffer holds, by the names of the program's text."""
        found: dict[Buffer, str] = {}
        known = self.story.names.of
        for step in self.steps:
            for value, buffer in _values(step):
                if value in known:
                    found.setdefault(buffer, known[value])
        return found

    def _name(self, buffer: Buffer) -> str:
        root = buffer.owner()
        known = self.names.get(buffer) or self.names.get(root)
        if known is not None:
            return known
        if root.role == FETCH:
            fetched = self.story.program.fetch_names
            return f"result {fetched[root.number] if root.number < len(fetched) else root.number}"
        return "constant" if root.role == CONSTANT else root.hint or "memory"

    def _size(self, dim: DimLike) -> int | None:
        found = evaluate(dim, self.part.sizes)
        return None if isinstance(found, Dim) else int(found)

    def _bytes(self, buffers: Any) -> int | None:
        sizes = [self._size(b.bytes) for b in dict.fromkeys(buffers)]
        return None if None in sizes else sum(s for s in sizes if s is not None)

    def _step(self, step: ProgramStep) -> dict[str, Any]:
        """kind, text, operation (all of a loop kernel as well), and what is read, written and computed."""
        made: dict[str, Any] = {"kind": _KINDS[type(step)], "text": self._text(step)}
        title = title_of_step(step)
        if title:
            made["title"] = title
        if step.operation is not None:
            made["op"] = self.numbers[step.operation]
        if isinstance(step, LoopStep):
            inner = dict.fromkeys(s.operation for s in step.inner if isinstance(s, KernelStep))
            made["ops"] = [self.numbers[o] for o in (step.operation, *inner) if o is not None]
        if isinstance(step, PieceStep):
            made["ops"] = [self.numbers[m.operation] for m in step.members if m.operation is not None]
        if isinstance(step, KernelStep):
            reason = step.reason if isinstance(step, LoopStep) else ""
            made["kernel"] = self._kernel(step.kernel, step.operation, reason)
            if any(step.kernel.origins):
                made["lines"] = [-1, *(-1 if o is None else self.numbers[o] for o in step.kernel.origins)]
        if isinstance(step, (KernelStep, GemmStep)):
            work = facts_of(step).work
            made["work"] = None if work is None else self._size(work)
        if not isinstance(step, (Label, JumpStep, HoldStep, HandOverStep)):
            made["reads"] = self._bytes(step.reads())
            made["writes"] = self._bytes(step.writes())
        return made

    def _kernel(self, kernel: Kernel, operation: Operation | None, reason: str) -> int:
        source = kernel.source
        known = self.kernels.get(source.identity)
        if known is None:
            known = self.kernels[source.identity] = {
                "number": len(self.kernels),
                "name": source.name,
                "lines": source.text.rstrip("\n").split("\n"),
                "reason": reason or ("" if operation is None else str(operation.attrs.get("reason", ""))),
                "calls": 0,
                "runs": self.part.steps is not None,
            }
        known["calls"] += 1
        return int(known["number"])

    def _text(self, step: ProgramStep) -> str:
        name = self._name
        match step:
            case KernelStep(kernel=kernel):
                written, read = self._listed(step.writes()), self._listed(step.reads())
                times = f" × {len(step.calls)} ({step.reason})" if isinstance(step, BatchedStep) else ""
                return f"{kernel.source.name}({read}) → {written}{times}"
            case GemmStep(a=a, b=b, out=out):
                transposed = "ᵀ" if step.transpose_a else "", "ᵀ" if step.transpose_b else ""
                more = f" + {name(out)}" if step.beta else ""
                return f"{name(a)}{transposed[0]} @ {name(b)}{transposed[1]}{more} → {name(out)}"
            case CopyStep(target=target, source=source):
                return f"copy {name(source)} → {name(target)}"
            case SetStep(target=target):
                return f"{step.value} → {name(target)}"
            case AddStep(target=target):
                return f"{name(target)} + {step.amount} → {name(target)}"
            case Label():
                return f"L{self.labels[step]}:"
            case JumpStep(target=target):
                return f"jump L{self.labels[target]}{self._condition(step)}"
            case RowStep():
                read, written = self._listed(step.reads()), self._listed(step.writes())
                return f"rows {step.number}: {step.action} {read}{' → ' + written if written else ''}".rstrip()
            case ListStep():
                return f"list {step.number}: {step.action}{'' if step.buffer is None else ' ' + name(step.buffer)}"
            case CheckStep():
                return f"check {step.error}: {step.message}"
            case HostCallStep() | InterpretedStep():
                called = step.operation.attrs.get("callee", step.operation.name) if step.operation is not None else ""
                return f"Python runs {called}"
            case HoldStep(buffer=buffer):
                return f"memory for {name(buffer)}"
            case HandOverStep(buffer=buffer):
                return f"result {name(buffer)}"
        raise AssertionError(step)

    def _listed(self, buffers: Iterable[Buffer]) -> str:
        names = dict.fromkeys(self._name(b) for b in buffers if b.owner().hint not in ("scratch", "status"))
        return ", ".join(names)

    def _condition(self, step: JumpStep) -> str:
        if step.zero is not None:
            return f" unless {self._name(step.zero)}"
        if step.left is not None and step.right is not None:
            return f" if {self._name(step.left)} ≥ {self._name(step.right)}"
        return ""

    def _memory(self) -> dict[str, Any] | None:
        """The plan of the arena; None where sizes are missing or nothing is stored."""
        steps = self.story.steps
        assert steps is not None
        if set(steps.symbols) - set(self.part.sizes):
            return None
        roots, made = memory_plan(steps, self.part.sizes)
        if not roots:
            return None
        writers = {b.owner(): s.operation for s in reversed(self.steps) for b in s.writes()}
        rows = []
        for root, offset in zip(roots, made.offsets, strict=True):
            writer = writers.get(root)
            number = -1 if writer is None else self.numbers[writer]
            rows.append(
                [self._name(root), str(root.kind), self._size(root.bytes), offset, root.first, root.last, number]
            )
        return {
            "peak": made.peak, "total": made.total, "bound": made.lower_bound, "buffers": rows,
            "steps": max(len(self.steps), *(root.last + 1 for root in roots)),
        }  # fmt: skip


_KINDS: Mapping[type[ProgramStep], str] = {
    KernelStep: "kernel", LoopStep: "kernel", BatchedStep: "kernel", CustomGemmStep: "kernel", GemmStep: "gemm",
    CopyStep: "copy", SetStep: "set", AddStep: "add", Label: "label", JumpStep: "jump", ListStep: "list",
    RowStep: "list",
    CheckStep: "check", HostCallStep: "python", InterpretedStep: "python", PieceStep: "python", HoldStep: "hold",
    HandOverStep: "hold", FallbackStep: "python",
}  # fmt: skip


def _values(step: ProgramStep) -> list[tuple[Value, Buffer]]:
    """The values of a step with their buffers, results first."""
    if isinstance(step, LoopStep):
        return [pair for inner in step.inner for pair in _values(inner)]
    if isinstance(step, KernelStep):
        slots = zip(step.kernel.slots, step.buffers, strict=True)
        found = [(s.role, s.value, b) for s, b in slots if s.value is not None]
        return [(v, b) for _, v, b in sorted(found, key=lambda f: f[0] == "in")]
    operation = step.operation
    if isinstance(step, GemmStep) and operation is not None:
        read = [] if len(operation.operands) < 2 else list(zip(operation.operands[-2:], (step.a, step.b), strict=True))
        return [*((r, step.out) for r in operation.results[:1]), *read]
    if isinstance(step, HostCallStep) and operation is not None:
        written = list(zip(operation.results, step.outputs, strict=False))
        return [*written, *zip(operation.operands, step.inputs, strict=False)]
    if isinstance(step, InterpretedStep):
        return [(v, b) for v, b in (*step.outputs, *step.inputs) if isinstance(b, Buffer)]
    return []
