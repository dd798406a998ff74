"""Steps as text for people: what each does and with which buffers, then the buffers with their lifetimes.

Names stay the same from one stage to the next, and numbers of steps are written `#3`, so that ir/diff.py compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir.core import Value
from .lifetimes import measure_lifetimes
from .program_steps import (
    ARENA,
    CONSTANT,
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
    ListPlace,
    ListStep,
    LoopStep,
    PieceStep,
    ProgramStep,
    RowStep,
    SetStep,
    Steps,
)


def print_steps(program: Steps) -> str:
    """The steps of a program, a line each, and its buffers: type, role, and the steps between which each is in use."""
    measure_lifetimes(program)
    lines = [f"steps @{program.name} {{"]
    for k, (first, *more) in enumerate(described_steps(program)):
        lines += [f"  #{k} {first}", *(f"      {line}" for line in more)]
    printer = _Printer(program)
    lines += ["}", "buffers {"]
    lines += [f"  {printer.described(buffer)}" for buffer in _with_parents(program)]
    return "\n".join([*lines, "}"])


def described_steps(program: Steps) -> Iterator[list[str]]:
    """What each step does: a line, and one more for each call of a batched launch."""
    printer = _Printer(program)
    return (list(printer.lines(step)) for step in program.steps)


def _with_parents(program: Steps) -> list[Buffer]:
    """The buffers of all steps, with those that they are pieces of."""
    found: dict[Buffer, None] = {}
    for buffer in program.buffers:
        at: Buffer | None = buffer
        while at is not None:
            found[at] = None
            at = at.parent
    return list(found)


class _Printer:
    def __init__(self, program: Steps) -> None:
        self.known = program.labels
        self.used = set(self.known.values())

    def name(self, thing: Buffer | Label) -> str:
        """The name of a buffer or label, made where it hasn't one."""
        if thing not in self.known:
            plain = "L" if isinstance(thing, Label) else f"%{thing.hint or thing.role}"
            name, k = plain, 0
            while name in self.used:
                k += 1
                name = f"{plain}.{k}"
            self.used.add(name)
            self.known[thing] = name
        return self.known[thing]

    def names(self, buffers: Sequence[Buffer]) -> str:
        return ", ".join(map(self.name, buffers))

    def described(self, buffer: Buffer) -> str:
        """A buffer: its type, and where it lies."""
        head = f"{self.name(buffer)}: {buffer.kind}"
        if buffer.parent is not None:
            place = f"{buffer.offset} elements into" if str(buffer.offset) != "0" else "at the start of"
            return f"{head}, {place} {self.name(buffer.parent)}"
        if buffer.role == ARENA:
            where = "a list" if buffer.is_run_sized else "arena"
            return f"{head}, {where}, in use from #{buffer.first} to #{buffer.last}"
        return f"{head}, {buffer.role}" + ("" if buffer.role == CONSTANT else f" {buffer.number}")

    def lines(self, step: ProgramStep) -> Iterator[str]:
        """What a step does: a line, and one more for each call of a batched launch."""
        match step:
            case BatchedStep():
                yield f"batched {step.kernel.name}, {len(step.calls)} calls"
                yield from (f"({self.arguments(call)})" for call in step.calls)
            case LoopStep():
                yield f"loop {step.kernel.name}({self.arguments(step)}): {step.reason}"
            case CustomGemmStep(size=size, least=least, most=most):
                where = f"where {least} <= {size}" + ("" if most is None else f" <= {most}")
                library = "" if step.otherwise is None else ", else the library"
                if step.done is not None:
                    library += f" unless {step.done[0]} <= {size} <= {step.done[1]}"
                yield f"kernel {step.kernel.name}({self.arguments(step)}) {where}{library}"
            case KernelStep():
                yield f"kernel {step.kernel.name}({self.arguments(step)})"
            case GemmStep():
                yield self.gemm(step)
            case CopyStep(target=target, source=source):
                yield f"copy {self.name(target)} = {self.name(source)}"
            case SetStep(target=target, value=value):
                yield f"set {self.name(target)} = {value}"
            case AddStep(target=target, amount=amount):
                yield f"add {self.name(target)} += {amount}"
            case HoldStep(buffer=buffer):
                yield f"hold {self.name(buffer)}"
            case HandOverStep(buffer=buffer):
                yield f"hand over {self.name(buffer)}"
            case Label():
                yield self.label(step)
            case JumpStep():
                yield self.jump(step)
            case CheckStep(buffer=buffer, error=error, message=message):
                yield f"check {self.name(buffer)}, else {error}: {message}"
            case RowStep():
                yield self.rows(step)
            case ListStep(action=action, number=number, buffer=buffer):
                yield f"list {number} {action} {'' if buffer is None else self.name(buffer)}".rstrip()
            case HostCallStep(inputs=inputs, outputs=outputs):
                yield f"host call {_operation(step)}({self.names(inputs)}) to {self.names(outputs)}"
            case PieceStep(reason=reason, members=members):
                read, made = self._places(step.inputs), self._places(step.kept)
                yield f"piece {', '.join(map(_operation, members))} ({read}) to {made}: {reason}"
            case FallbackStep():
                read, made = self._places(step.inputs), self._places(step.outputs)
                yield f"or else {_operation(step)}({read}) to {made}: {step.reason}"
            case InterpretedStep(reason=reason):
                read, made = self._places(step.inputs), self._places(step.outputs)
                yield f"interpreter {_operation(step)}({read}) to {made}: {reason}"

    def rows(self, step: RowStep) -> str:
        text = f"rows {step.number} {step.action} {'' if step.buffer is None else self.name(step.buffer)}".rstrip()
        if step.other >= 0:
            text += f" by rows {step.other}"
        if step.at is not None:
            text += f" at {self.name(step.at)}"
        return text if step.count is None else f"{text} count {self.name(step.count)}"

    def arguments(self, step: KernelStep) -> str:
        pairs = zip(step.kernel.slots, step.buffers, strict=False)
        return ", ".join(f"{slot.role} {self.name(buffer)}" for slot, buffer in pairs)

    def gemm(self, step: GemmStep) -> str:
        a, b = self.name(step.a) + "^T" * step.transpose_a, self.name(step.b) + "^T" * step.transpose_b
        out = self.name(step.out)
        factor, added = f"{step.alpha} * " * (step.alpha != 1), f" + {step.beta} * {out}" * (step.beta != 0)
        return f"gemm {out} = {factor}{a} @ {b}{added}"

    def label(self, step: Label) -> str:
        if step.closes is not None:
            return f"label {self.name(step)}, end of {self.name(step.closes)}"
        return f"label {self.name(step)} {_operation(step)}".rstrip()

    def jump(self, step: JumpStep) -> str:
        to = f"jump to {self.name(step.target)}"
        if step.zero is not None:
            return f"{to} unless {self.name(step.zero)}"
        if step.left is not None and step.right is not None:
            return f"{to} if {self.name(step.left)} >= {self.name(step.right)}"
        return to

    def _places(self, pairs: Sequence[tuple[Value, Buffer | ListPlace | None]]) -> str:
        """Buffers by name, lists by number, values that only the call's table holds by their type."""
        return ", ".join(self._place(v, b) for v, b in pairs)

    def _place(self, value: Value, place: Buffer | ListPlace | None) -> str:
        if isinstance(place, Buffer):
            return self.name(place)
        return str(value.type) if place is None else f"rows {place.number}"


def _operation(step: ProgramStep) -> str:
    return "" if step.operation is None else step.operation.name
