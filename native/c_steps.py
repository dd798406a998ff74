"""Steps as C: straight-line code with jumps, which calls kernels on places in the arena, in inputs and in outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..base.errors import KernelError
from ..base.target import current_target
from ..ir.core import Operation
from ..ops.dims import DimLike
from ..runtime.kernel_cache import KernelSource
from ..runtime.schedule.program_steps import (
    ARENA,
    CONSTANT,
    FEED,
    FETCH,
    STATE,
    AddStep,
    Buffer,
    CheckStep,
    CopyStep,
    CustomGemmStep,
    GemmStep,
    HoldStep,
    HostCallStep,
    JumpStep,
    KernelStep,
    Label,
    ListStep,
    ProgramStep,
    SetStep,
)
from .c_sizes import c_size
from .c_text import c_text
from .plan import Constants, LibraryPlan, callback_name, callback_outputs, most_of

CHECK, LIMIT, CALLBACK = "CHECK", "LIMIT", "CALLBACK"


@dataclass
class StepWriter:
    """Writes the steps of one plan. kernels: the symbol of each kernel that is called, as it is met."""

    plan: LibraryPlan
    prefix: str
    constants: Constants
    kernels: dict[KernelSource, str] = field(default_factory=dict)
    labels: dict[Label, str] = field(default_factory=dict)
    numbers: dict[Buffer, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = {buffer: k for k, buffer in enumerate(self.plan.places)}

    def lines(self) -> Iterator[str]:
        """The body of the function that runs the program."""
        last: Operation | None = None
        for step in self.plan.steps.steps:
            if step.operation is not None and step.operation is not last:
                last = step.operation
                yield f"/* {last.name}  {last.loc.short()} */".replace("*//", "* //")
            yield from self.step(step)

    def step(self, step: ProgramStep) -> Iterator[str]:
        """One step."""
        match step:
            case CustomGemmStep(otherwise=library, least=least, most=most, done=done):
                size = c_size(step.size)
                yield f"if ({size} >= {least}" + ("" if most is None else f" && {size} <= {most}") + ") {"
                yield from self.kernel(step)
                if library is not None:
                    yield "} else {" if done is None else f"}} else if ({size} < {done[0]} || {size} > {done[1]}) {{"
                    yield from self.product(library)
                yield "}"
            case KernelStep():
                yield from self.kernel(step)
            case GemmStep():
                yield from self.product(step)
            case CopyStep(target=target, source=source):
                yield f"memmove({self.place(target)}, {self.place(source)}, {self.bytes(target)});"
            case SetStep(target=target, value=value):
                yield f"vt_set({self.place(target)}, {c_size(value)});"
            case AddStep(target=target, amount=amount):
                yield f"vt_set({self.place(target)}, vt_word({self.place(target)}) + {amount});"
            case Label():
                yield f"{self.label(step)}:;"
            case JumpStep():
                yield from self.jump(step)
            case ListStep():
                yield from self.list_step(step)
            case CheckStep(buffer=buffer):
                yield f"if (*{self.place(buffer)} == 0) {{ {self.failure(CHECK, self.check_text(step))} }}"
            case HoldStep():
                pass
            case HostCallStep():
                yield from self.callback(step)
            case _:
                raise KernelError(f"a library has no {type(step).__name__}")

    # ---- memory

    def place(self, buffer: Buffer) -> str:
        """The address of a buffer, as a pointer to bytes."""
        root, offset = buffer.root()
        start = {FEED: f"in{root.number}", FETCH: f"out{root.number}", ARENA: "arena", STATE: "arena"}.get(root.role)
        if root.role == CONSTANT:
            start, distance = self.constants.start, self.constants.places[id(root.data)]
            offset = offset + distance
        elif root.role == STATE:
            offset = offset + self.plan.state[root.number][2]
        elif root.role == ARENA and self.plan.limits:
            start = f"arena + model->places[{self.numbers[root]}]"
        elif root.role == ARENA:
            offset = offset + self.plan.places[root]
        return f"({start} + {c_size(offset)})"

    def bytes(self, buffer: Buffer) -> str:
        """How many bytes a buffer has."""
        return f"(size_t)({c_size(buffer.bytes)})"

    # ---- calls

    def kernel(self, step: KernelStep) -> Iterator[str]:
        """A call over the whole range."""
        kernel = step.kernel
        symbol = self.kernels.setdefault(kernel.source, f"k{len(self.kernels)}")
        pointers = [f"(int64_t)(uintptr_t){self.place(buffer)}" for buffer in step.buffers]
        yield "{"
        yield f"    const int64_t b[] = {{{', '.join(pointers) or '0'}}};"
        yield f"    {_words('d', kernel.dims)}"
        work, threads = most_of(kernel.work, self.plan.limits), current_target().threads
        if kernel.splittable and kernel.parts > 1 and work >= threads.pair:
            numbers = [c_size(kernel.extent), c_size(kernel.work), threads.pair, threads.chunk, kernel.parts]
            yield f"    vt_split(&model->team, {symbol}, b, d, {', '.join(map(str, numbers))});"
        else:
            yield f"    {symbol}((int64_t)(uintptr_t)b, (int64_t)(uintptr_t)d, 0, {c_size(kernel.extent)});"
        yield "}"

    def product(self, step: GemmStep) -> Iterator[str]:
        """A matrix product that has no kernel."""
        a, b = list(step.a.kind.shape), list(step.b.kind.shape)
        transpose_a, transpose_b = step.transpose_a and len(a) > 1, step.transpose_b and len(b) > 1
        a, b = [1, *a] if len(a) == 1 else a, [*b, 1] if len(b) == 1 else b
        m, k = (a[-1], a[-2]) if transpose_a else (a[-2], a[-1])
        n = b[-2] if transpose_b else b[-1]
        a_levels, b_levels, c_levels = _levels(a[:-2], b[:-2], (m * k, k * n, m * n))
        counts = [f"vt_max({x}, {y})" if "1" not in (x, y) and x != y else (y if x == "1" else x) for x, y in zip(
            [level[0] for level in a_levels], [level[0] for level in b_levels], strict=True)]  # fmt: skip
        single = step.out.kind.dtype.itemsize == 4
        kind = "float" if single else "double"
        yield "{"
        yield f"    const int64_t counts[] = {{{', '.join(counts) or '0'}}};"
        for name, levels in (("a_steps", a_levels), ("b_steps", b_levels), ("c_steps", c_levels)):
            yield f"    const int64_t {name}[] = {{{', '.join(step for _, step in levels) or '0'}}};"
        numbers = [c_size(size) for size in (m, n, k)] + [str(int(transpose_a)), str(int(transpose_b))]
        fields = [*numbers, str(len(counts)), repr(float(step.alpha)), repr(float(step.beta))]
        yield f"    const vt_product p = {{{', '.join(fields)}, counts, a_steps, b_steps, c_steps}};"
        pointers = [f"(const {kind} *){self.place(step.a)}", f"(const {kind} *){self.place(step.b)}"]
        function = "vt_product_f32" if single else "vt_product_f64"
        yield f"    {function}(&p, 0, {', '.join(pointers)}, ({kind} *){self.place(step.out)});"
        yield "}"

    def callback(self, step: HostCallStep) -> Iterator[str]:
        """A call of a function of the host's."""
        callee = callback_name(step)
        k, name = next((k, one.name) for k, one in enumerate(self.plan.callbacks) if one.callee == callee)
        shapes: list[str] = []
        arrays: list[str] = []
        outputs, handles = callback_outputs(step)
        for handle in handles:
            yield f"vt_set({self.place(handle)}, 0);"
        for group, buffers in (("i", step.inputs), ("o", outputs)):
            shapes += [_words(f"{group}{j}", buffer.kind.shape) for j, buffer in enumerate(buffers)]
            entries = ", ".join(f"{{{self.place(buffer)}, {group}{j}}}" for j, buffer in enumerate(buffers))
            arrays.append(f"const {self.prefix}_tensor {group}[] = {{{entries or '{0}'}}};")
        unbound = self.failure(CALLBACK, f"the callback {name} isn't bound: call {self.prefix}_bind")
        yield f"if (model->callbacks[{k}].function == NULL) {{ {unbound} }}"
        yield "{"
        yield from (f"    {line}" for line in (*shapes, *arrays))
        yield f"    if (model->callbacks[{k}].function(model->callbacks[{k}].user, i, o) != 0) {{"
        yield f"        {self.failure(CALLBACK, f'the callback {name} failed ({_line(step)})')}"
        yield "    }"
        yield "}"

    # ---- control flow

    def label(self, label: Label) -> str:
        """The name of a place to jump to."""
        return self.labels.setdefault(label, f"L{len(self.labels)}")

    def jump(self, step: JumpStep) -> Iterator[str]:
        """A jump, maybe under a condition."""
        target = self.label(step.target)
        if step.zero is not None:
            yield f"if (*{self.place(step.zero)} == 0) goto {target};"
        elif step.left is not None and step.right is not None:
            yield f"if (vt_word({self.place(step.left)}) >= vt_word({self.place(step.right)})) goto {target};"
        else:
            yield f"goto {target};"

    def list_step(self, step: ListStep) -> Iterator[str]:
        """A change of a list, which has room for as many items as were planned."""
        used, (start, room) = f"used{step.number}", self.plan.lists[step.number]
        if step.buffer is None:
            yield f"{used} = 0;"
            return
        place, count, item = self.place(step.buffer), self.bytes(step.buffer), f"(arena + {start} + {used})"
        if step.action == "push":
            full = self.failure(LIMIT, f"a list has more items than were planned for ({_line(step)})")
            yield f"if ({used} + (int64_t){count} > {room}) {{ {full} }}"
            yield f"memcpy({item}, {place}, {count});"
            yield f"{used} += (int64_t){count};"
        else:
            empty = self.failure(CHECK, f"a list is empty ({_line(step)})")
            yield f"if ({used} < (int64_t){count}) {{ {empty} }}"
            yield f"{used} -= (int64_t){count};"
            yield f"memcpy({place}, {item}, {count});"

    def failure(self, code: str, text: str) -> str:
        """Give up with an error."""
        return f'return fail(model, {self.prefix.upper()}_{code}, "{c_text(text)}");'

    def check_text(self, step: CheckStep) -> str:
        """What a failed check says."""
        return f"{step.error}: {step.message.partition(chr(10))[0]} ({_line(step)})"


def _line(step: ProgramStep) -> str:
    return step.operation.loc.short() if step.operation is not None else "unknown line"


def _words(name: str, sizes: Sequence[DimLike]) -> str:
    known = all(isinstance(size, int) for size in sizes)
    return f"{'static ' if known else ''}const int64_t {name}[] = {{{', '.join(map(c_size, sizes)) or '0'}}};"


Level = tuple[str, str]  # a count and a stride


def _levels(
    a: Sequence[DimLike], b: Sequence[DimLike], sizes: tuple[DimLike, DimLike, DimLike]
) -> tuple[list[Level], list[Level], list[Level]]:
    """Counts and strides of the batch axes of both factors and the result, outermost first."""
    rank = max(len(a), len(b))
    a, b = [1] * (rank - len(a)) + list(a), [1] * (rank - len(b)) + list(b)
    size_a, size_b, size_c = sizes
    made: tuple[list[Level], list[Level], list[Level]] = ([], [], [])
    for x, y in zip(reversed(a), reversed(b), strict=True):
        count = y if isinstance(x, int) and x == 1 else x
        for levels, dim, size in ((made[0], x, size_a), (made[1], y, size_b), (made[2], count, size_c)):
            repeated = "0" if isinstance(dim, int) and dim == 1 else c_size(size)
            levels.insert(0, (c_size(dim), repeated))
        size_a, size_b, size_c = size_a * x, size_b * y, size_c * count
    return made
