"""Loop kernels: a loop over small arrays costs nanoseconds an iteration, not an instruction per operation.

The steps of such a loop are written into one kernel, kernel by kernel, with the loop's own control flow around them;
what only one iteration needs lies on the stack, where LLVM keeps it in registers. The VM runs a loop if something in it
needs the VM (calls of BLAS, Python, lists, run-time sizes), if its arrays are large enough for threads, or if a `while`
stands inside. So that handlers of signals can run, a loop must return to the VM now and then: its kernel does so
after some iterations, and is called again until the loop ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...base import dtype as dt
from ...ir.core import Operation
from ...ops.families import real_dtype
from ...ops.kernel_expressions import (
    ZERO,
    CallExpr,
    Expr,
    Literal,
    Load,
    Name,
    Pointer,
    call,
    differ,
    equal,
    replaced,
)  # fmt: skip
from ...ops.types import TensorType
from ..kernel.kernel_builder import KernelBuilder
from ..kernel.kernel_call import STATUS, Kernel, KernelSlot
from ..kernel.statements import Exit, For, LoopKind, Statement, assigned, rewritten, statements
from ..lower.element import literal
from ..lower.parameters import Parameters, stored_as
from .lifetimes import loops_of, measure_lifetimes
from .program_steps import (
    ARENA,
    CONSTANT,
    WORD,
    AddStep,
    Buffer,
    CheckStep,
    CopyStep,
    HoldStep,
    JumpStep,
    KernelStep,
    Label,
    LoopStep,
    ProgramStep,
    RowStep,
    SetStep,
    Steps,
)
from .schedule_pass import SchedulePass

LARGEST = 4096  # bytes of an array that a loop writes: larger ones gain little
MOST_MEMORY = 1 << 16  # bytes of the stack
MOST_STATEMENTS = 1200  # of a kernel: compiling takes longer than in proportion
WORK_AT_ONCE = 50_000_000  # simple operations until the kernel returns to the VM: some hundredths of a second
MOST_ITERATIONS = 1_000_000  # until then, too: of a loop whose iterations do next to nothing

BYTE = TensorType(dt.bool_, ())
_WRITTEN = (
    KernelStep,
    CopyStep,
    SetStep,
    AddStep,
    JumpStep,
    Label,
    CheckStep,
    HoldStep,
)  # have a text of their own


@dataclass(frozen=True)
class LoopKernels(SchedulePass):
    """Replace each loop that fits by one kernel, outer loops before inner ones; notes why others don't fit."""

    name = "loop_kernels"
    after = ("time_tiling",)

    def run(self, program: Steps) -> bool:
        if not any(True for _ in loops_of(program.steps)):
            return False
        measure_lifetimes(program)
        known = {step for step in program.steps if isinstance(step, LoopStep)}
        joined = _joined(program.steps, 0, len(program.steps), program)
        if all(step in known for step in joined if isinstance(step, LoopStep)):
            return False
        program.steps[:] = joined
        return True


class _NotOneKernel(Exception):
    """The VM runs a loop; the reason in words."""


def _joined(steps: Sequence[ProgramStep], start: int, stop: int, program: Steps) -> list[ProgramStep]:
    """The steps from `start` to `stop`, with loops joined."""
    ends = {s.closes: k for k, s in enumerate(steps) if isinstance(s, Label) and s.closes is not None}
    out: list[ProgramStep] = []
    k = start
    while k < stop:
        step = steps[k]
        end = ends.get(step) if isinstance(step, Label) else None
        if end is None:
            out.append(step)
            k += 1
            continue
        try:
            out += _LoopWriter(steps, k, end).write()
        except _NotOneKernel as reason:
            if step.operation is not None and step.operation.name != "function":
                note = program.loops.get(step.operation)
                why = "" if note is None else note.refusal
                text = f"{reason}, and time tiling is not for it: {why}" if why else str(reason)
                program.vm_loops.append((step.operation, text))
            out += [step, *_joined(steps, k + 1, end, program), steps[end]]
        k = end + 1
    return out


@dataclass(slots=True)
class _Memory:
    """A buffer that owns memory, as the kernel sees it."""

    name: str
    element: str
    size: int
    outside: bool
    written: bool = False
    direct: bool = False  # changed in its place: a check after the loop reads it, or it is large
    rows: bool = True  # nothing writes more of it than a row at a time


class _LoopWriter:
    """Writes the steps of one loop, `steps[start]` to `steps[end]`, as a kernel."""

    def __init__(self, steps: Sequence[ProgramStep], start: int, end: int) -> None:
        self.steps, self.start, self.end = steps, start, end
        self.operation = steps[start].operation
        self.builder = KernelBuilder()
        self.memory: dict[Buffer, _Memory] = {}
        self.checks: list[tuple[CheckStep, Buffer]] = []
        self.at = start
        self.count = 0
        self.work = 0

    # -- which memory ------------------------------------------------------------------------------

    def write(self) -> list[ProgramStep]:
        """The steps that take the loop's place. _NotOneKernel if it can't be one kernel."""
        inner = self.steps[self.start : self.end + 1]
        if not any(isinstance(step, KernelStep) for step in inner):
            raise _NotOneKernel("it contains no kernel")
        self._refuse(inner)
        for step in inner:
            self._gather(step)
        for memory in self.memory.values():
            if memory.written and memory.size * _width(memory.element) > LARGEST:
                if not memory.rows or not memory.outside:
                    raise _NotOneKernel(f"an array of it has more than {LARGEST} bytes")
                memory.direct = True
        if sum(m.size * _width(m.element) for m in self.memory.values() if m.written and not m.direct) > MOST_MEMORY:
            raise _NotOneKernel(f"its arrays have more than {MOST_MEMORY} bytes together")
        return self._steps(inner, self._body())

    def _refuse(self, inner: Sequence[ProgramStep]) -> None:
        for step in inner:
            if isinstance(step, RowStep):
                raise _NotOneKernel("an array or a list grows in it")
            if not isinstance(step, _WRITTEN):
                what = type(step).__name__.removesuffix("ProgramStep").lower()
                name = step.operation.name if step.operation is not None else what
                raise _NotOneKernel(f"{name} needs the VM")
            if isinstance(step, LoopStep):
                raise _NotOneKernel("a loop inside is time-tiled")
            if isinstance(step, SetStep) and not isinstance(step.value, int):
                raise _NotOneKernel("one of its sizes is known only at run time")
            if isinstance(step, Label) and step.closes is not None and step is not self.steps[self.end]:
                if step.operation is None or step.operation.name != "for":
                    raise _NotOneKernel("it contains a while")
            if isinstance(step, KernelStep):
                kernel = step.kernel
                if kernel.dims or not isinstance(kernel.extent, int) or not isinstance(kernel.work, int):
                    raise _NotOneKernel("one of its sizes is known only at run time")
                if kernel.checks and not any(s.role == STATUS for s in kernel.slots):
                    raise _NotOneKernel("a kernel in it checks in another way")
                self.work += kernel.work

    def _gather(self, step: ProgramStep) -> None:
        """Note the memory that a step touches, and as which type."""
        if isinstance(step, KernelStep):
            for slot, buffer in zip(step.kernel.slots, step.buffers, strict=True):
                memory = self._note(buffer, slot.element, slot.role != "in")
                memory.rows &= slot.role == "in" or slot.value in step.kernel.bases
        else:
            for buffer in step.writes():
                self._note(buffer, _element(buffer), True).rows &= isinstance(step, HoldStep)
            for buffer in step.reads():
                self._note(buffer, _element(buffer), False)
        if isinstance(step, CheckStep):
            for _, buffer in step.inputs:
                self._note(buffer, _element(buffer), False).direct = True

    def _note(self, buffer: Buffer, element: str, written: bool) -> _Memory:
        root, offset = buffer.root()
        element = stored_as(element)
        if not isinstance(root.bytes, int) or not isinstance(offset, int):
            raise _NotOneKernel("one of its sizes is known only at run time")
        memory = self.memory.get(root)
        if memory is None:
            size = root.bytes // _width(element)
            outside = root.role != ARENA or root.first < self.start or root.last > self.end
            memory = self.memory[root] = _Memory(f"m{len(self.memory)}", element, size, outside)
        if memory.element != element:
            if root.kind != WORD:
                raise _NotOneKernel("an array of it is read as two types")
            memory.element = "u8"  # the status of a kernel: set as a word, cleared as a byte
        memory.written |= written
        return memory

    # -- statements --------------------------------------------------------------------------------

    def _body(self) -> list[_Memory]:
        """Build the statements; gives the memory that is the kernel's arguments, in order."""
        builder = self.builder
        for memory in self.memory.values():
            if not memory.outside and not memory.direct:
                builder.local(memory.name, memory.element, max(1, memory.size))
        kept = [m for m in self.memory.values() if m.outside and m.written and not m.direct]
        for memory in kept:
            builder.local(memory.name, memory.element, max(1, memory.size))
            self._copy(Name(memory.name), 0, Name(f"g{memory.name}"), 0, memory.size)
        left = builder.let("left", call("i64", min(MOST_ITERATIONS, max(1, WORK_AT_ONCE // max(1, self.work)))))
        over = builder.let("over", call("u8", 0))
        with builder.repeat(left > 0):
            builder.let(left, left - 1)
            self.at = self.start + 1
            self._iteration(self.steps[self.start], over)
        for memory in kept:
            self._copy(Name(f"g{memory.name}"), 0, Name(memory.name), 0, memory.size)
        builder.store(Name("ended")[0], over)
        if sum(1 for _ in statements(builder.body)) > MOST_STATEMENTS:
            raise _NotOneKernel(f"its kernel would have more than {MOST_STATEMENTS} statements")
        return [m for m in self.memory.values() if m.outside or m.direct]

    def _iteration(self, start: ProgramStep, over: Name | None) -> None:
        """The condition and the body of a loop, `self.at` behind its label; ends behind its last label.

        over: set where the loop ends.
        """
        assert isinstance(start, Label)
        end = self._end_of(start)
        while self.steps[self.at] is not end:
            step = self.steps[self.at]
            if isinstance(step, JumpStep) and step.target is end:
                with self.builder.when(self._condition(step)):
                    if over is not None:
                        self.builder.let(over, call("u8", 1))
                    self.builder.leave(Exit.BREAK)
                self.at += 1
            elif isinstance(step, JumpStep) and step.target is start:
                self.at += 1
            else:
                self._step()
        self.at += 1

    def _end_of(self, start: Label) -> Label:
        return next(s for s in self.steps[self.at : self.end + 1] if isinstance(s, Label) and s.closes is start)

    def _condition(self, jump: JumpStep) -> Expr:
        if jump.zero is not None:
            return equal(self._element_of(jump.zero), 0)
        assert jump.left is not None and jump.right is not None
        return self._element_of(jump.left) >= self._element_of(jump.right)

    def _step(self) -> None:
        """Write the step at `self.at`, a whole branch or inner loop if one starts there."""
        step = self.steps[self.at]
        self.at += 1
        with self.builder.on_behalf_of(step.operation):
            match step:
                case Label():
                    with self.builder.repeat(True):
                        self._iteration(step, None)
                case JumpStep(zero=zero, target=otherwise) if zero is not None:
                    self._branches(zero, otherwise)
                case KernelStep():
                    self._kernel(step)
                case CopyStep(target=target, source=source):
                    (to, at), (origin, start) = self._at(target), self._at(source)
                    self._copy(to, at, origin, start, self._length(target))
                case SetStep(target=target, value=value):
                    assert isinstance(value, int)
                    self.builder.store(self._element_of(target), call(self.memory[target.owner()].element, value))
                case AddStep(target=target, amount=amount):
                    element = self._element_of(target)
                    self.builder.store(element, element + amount)
                case CheckStep():
                    self._check(step)
                case HoldStep():
                    pass
                case _:
                    raise AssertionError(step)

    def _branches(self, zero: Buffer, otherwise: Label) -> None:
        with self.builder.when(differ(self._element_of(zero), 0)):
            self._branch()
        last = self.steps[self.at]
        assert isinstance(last, JumpStep)
        assert self.steps[self.at + 1] is otherwise
        self.at += 2
        with self.builder.otherwise():
            self._branch()
        assert self.steps[self.at] is last.target
        self.at += 1

    def _branch(self) -> None:
        """The steps up to the jump or label that ends a branch."""
        while not self._ends_branch(self.steps[self.at]):
            self._step()

    def _ends_branch(self, step: ProgramStep) -> bool:
        if isinstance(step, JumpStep):
            return step.zero is None and step.left is None
        return isinstance(step, Label) and step.closes is None and not self._is_loop(step)

    def _is_loop(self, label: Label) -> bool:
        return any(isinstance(s, Label) and s.closes is label for s in self.steps[self.at : self.end])

    def _check(self, step: CheckStep) -> None:
        """Where a check fails the kernel returns, and the check behind the loop raises."""
        passed = Buffer(WORD, hint="passed")
        self.checks.append((step, passed))
        with self.builder.when(equal(self._element_of(step.buffer), 0)):
            self.builder.store(Name(f"passed{len(self.checks) - 1}")[0], call("u8", 0))
            self.builder.store(Name("ended")[0], call("u8", 1))
            self.builder.leave(Exit.RETURN)

    def _kernel(self, step: KernelStep) -> None:
        """The statements of a kernel, with its pointers and local names replaced."""
        kernel = step.kernel
        assert isinstance(kernel.extent, int)
        number, self.count = self.count, self.count + 1
        names: dict[str, Expr] = {name: Name(f"{name}_{number}") for name in assigned(kernel.body)}
        # Products of a row go through their matrix the other way in each iteration (gemv.py).
        names |= {"lo": ZERO, "hi": Literal(kernel.extent), "back": Name("left") & 1}
        inlined = inline(kernel.body, names, [self._at(buffer) for buffer in step.buffers])
        for statement in statements(inlined):
            statement.origin = statement.origin or step.operation
            if isinstance(statement, For):
                statement.kind = LoopKind.SERIAL
        for statement in inlined:
            self.builder.add(statement)

    def _copy(self, to: Expr, at: int, origin: Expr, start: int, count: int) -> None:
        if count == 1:
            self.builder.store(to[at], origin[start])
        elif count:
            with self.builder.loop("i", 0, count) as i:
                self.builder.store(to[at + i if at else i], origin[start + i if start else i])

    def _at(self, buffer: Buffer) -> tuple[Name, int]:
        """The name of the memory under a buffer, and where in it the buffer starts, in elements."""
        root, offset = buffer.root()
        memory = self.memory[root]
        assert isinstance(offset, int)
        return Name(memory.name), offset // _width(memory.element)

    def _element_of(self, buffer: Buffer) -> Expr:
        """The only element of a buffer."""
        root = buffer.owner()
        if root.role == CONSTANT and root.data is not None and root.data.size == 1 and not self.memory[root].written:
            return literal(root.data.reshape(-1)[0], dt.as_dtype(self.memory[root].element))
        name, at = self._at(buffer)
        return name[at]

    def _length(self, buffer: Buffer) -> int:
        """How many elements a buffer has, as the kernel sees its memory."""
        size = buffer.bytes
        if not isinstance(size, int):
            raise _NotOneKernel("one of its sizes is known only at run time")
        return size // _width(self.memory[buffer.owner()].element)

    # -- steps -------------------------------------------------------------------------------------

    def _steps(self, inner: Sequence[ProgramStep], arguments: Sequence[_Memory]) -> list[ProgramStep]:
        roots = {id(m): root for root, m in self.memory.items()}
        parameters = Parameters()
        names: dict[str, Pointer] = {}
        buffers: list[Buffer] = []

        def add(name: str, buffer: Buffer, role: str, element: str) -> None:
            names[name] = parameters.add(KernelSlot(role, None, None, element))
            buffers.append(buffer)

        for memory in arguments:
            name = f"g{memory.name}" if memory.written and not memory.direct else memory.name
            add(name, roots[id(memory)], "inout" if memory.written else "in", memory.element)
        ended = Buffer(BYTE, hint="ended")
        add("ended", ended, "out", "u8")
        for k, (_, passed) in enumerate(self.checks):
            add(f"passed{k}", passed, "inout", "u8")
        name = f"{self.operation.name if self.operation is not None else 'loop'}_{_name_of(inner)}"
        body = rewritten(self.builder.body, lambda part: names.get(part.name) if isinstance(part, Name) else None)
        kernel = Kernel(name, body, parameters.slots, [], 1, self.work, splittable=False)
        start = Label()
        made: list[ProgramStep] = [SetStep(check.operation, passed, 1) for check, passed in self.checks]
        made += [start, LoopStep(self.operation, kernel, buffers, list(inner), _reason(inner))]
        made += [
            CheckStep(check.operation, passed, check.error, check.message, check.inputs, check.outputs)
            for check, passed in self.checks
        ]
        return [*made, JumpStep(None, start, zero=ended), Label(None, closes=start)]


def _reason(inner: Sequence[ProgramStep]) -> str:
    kernels = sum(isinstance(step, KernelStep) for step in inner)
    return f"loop kernel over small arrays: {kernels} kernel{'s' * (kernels != 1)} per iteration"


def _name_of(inner: Sequence[ProgramStep]) -> str:
    """After the longest kernel of the loop."""
    found = [s.kernel for s in inner if isinstance(s, KernelStep)]
    return max(found, key=lambda kernel: len(kernel.source.body)).name if found else "copy"


def _element(buffer: Buffer) -> str:
    """What lies in a buffer, as kernels see it: bools as bytes, complex numbers as their parts."""
    return stored_as(real_dtype(buffer.kind.dtype).short)


def _width(element: str) -> int:
    return dt.as_dtype(element).itemsize


def inline(body: Sequence[Statement], names: Mapping[str, Expr], places: Sequence[tuple[Expr, int]]) -> list[Statement]:
    """A copy of a kernel's body with other names, and pointers as (memory, first element in it).

    _NotOneKernel if a pointer is used in another way than by its elements, or as an address in two arguments of a
    call: the pointer, and the number of the element to start with.
    """

    def instead(part: Expr) -> Expr | None:
        match part:
            case Load(pointer=Pointer(number=number), index=index):
                memory, first = places[number]
                at = replaced(index, instead)
                return memory[first + at if first else at]
            case CallExpr(function=function, arguments=arguments) if any(isinstance(a, Pointer) for a in arguments):
                return CallExpr(function, tuple(addresses(arguments)))
            case Pointer():
                raise _NotOneKernel("a kernel of it uses an address")
            case Name(name=name):
                return names.get(name)
        return None

    def addresses(arguments: Sequence[Expr]) -> Iterator[Expr]:
        following = iter(arguments)
        for argument in following:
            if not isinstance(argument, Pointer):
                yield replaced(argument, instead)
                continue
            memory, first = places[argument.number]
            at = next(following, None)
            if not isinstance(at, Literal):
                raise _NotOneKernel("a kernel of it uses an address")
            yield from (memory, Literal(first + at.value))

    return rewritten(body, instead)


def loop_notes(steps: Steps) -> Iterator[tuple[Operation, str]]:
    """Every loop of a program with what became of it: "one kernel", or why the VM runs it."""
    for step in steps.steps:
        if isinstance(step, LoopStep) and step.operation is not None:
            yield step.operation, f"one kernel ({step.reason})"
    for operation, reason in steps.vm_loops:
        yield operation, f"VM instructions: {reason}"
