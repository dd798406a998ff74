"""What a program costs before it runs: operations, bytes, calls and memory, as polynomials of sizes and trip counts.

Counted over the steps that will run, so fusion, reuse in place and loops are as they will be. Where a program branches
the dearer branch counts. Times are estimates by the machine model, with the error that it was measured to have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ...base.errors import ArgumentError
from ...base.html import code
from ...base.memory import shown_bytes
from ...base.table import table
from ...ir.core import Operation, Program, Value
from ...ir.walk import clone_program
from ...ops.dims import Dim, DimLike, evaluate, maximum
from ...ops.sizes import size_names
from ...passes.manager import PassManager
from ...passes.pipelines import default_pipeline
from ..schedule.linearise import linearise
from ..schedule.pipeline import run_schedule
from ..schedule.program_steps import ARENA, Buffer, CustomGemmStep, JumpStep, Label, LoopStep, ProgramStep, Steps
from ..vm.binding import memory_plan
from .machine_model import MachineModel, machine_model
from .step_work import CONTROL, COPY, PYTHON, StepFacts, dtype_of, facts_of, sum_of, unfused_bytes

T = TypeVar("T")
WORDS = ("work", "bytes_before", "bytes_after", "calls", "python_calls")


@dataclass(frozen=True)
class Cost:
    """What one call costs. Ints, or polynomials of open sizes and of trip counts of loops; `at` fills those in.

    work: floating-point operations, as far as they are known (`unknown` lists what isn't). bytes_before, bytes_after:
    read and written with memory of its own for each operation, and by the fused steps. calls: kernels, matmuls and
    copies. python_calls: operations that NumPy or your callbacks run. peak: bytes of intermediates: exactly what the
    plan takes where all sizes are known, else the largest live set, to which `at` gives the exact figure. arguments,
    results: bytes of what goes in (weights included) and comes out. turns: what the symbols of loops stand for.
    """

    name: str
    work: DimLike
    bytes_before: DimLike
    bytes_after: DimLike
    calls: DimLike
    python_calls: DimLike
    peak: DimLike
    arguments: DimLike
    results: DimLike
    turns: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)
    steps: Steps | None = field(default=None, repr=False)
    backward: Cost | None = None

    @property
    def symbols(self) -> tuple[str, ...]:
        """Sizes and trip counts that are open."""
        found = size_names([getattr(self, word) for word in (*WORDS, "peak", "arguments", "results")])
        if self.steps is not None:
            found |= set(self.steps.symbols) - set(self.sizes)
        return tuple(sorted(found))

    def at(self, **sizes: int) -> Cost:
        """The cost for these sizes and trip counts; what isn't named stays open.

        Errors: ArgumentError for a name that isn't open.
        """
        wrong = [name for name in sizes if name not in self.symbols]
        if wrong:
            open_ = ", ".join(self.symbols)
            raise ArgumentError(
                f"{wrong[0]!r} is no open size of {self.name}",
                remedy=f"the open ones are {open_}" if open_ else "all its sizes are known",
            )
        known = {**self.sizes, **sizes}
        filled: dict[str, Any] = {
            w: evaluate(getattr(self, w), known) for w in (*WORDS, "peak", "arguments", "results")
        }
        turns = {name: what for name, what in self.turns.items() if name not in sizes}
        made = replace(self, **filled, turns=turns, sizes=known)
        if self.steps is not None and set(self.steps.symbols) <= known.keys():
            made = replace(made, peak=memory_plan(self.steps, known)[1].peak)
        if self.backward is None:
            return made
        inner = {name: size for name, size in sizes.items() if name in self.backward.symbols}
        return replace(made, backward=self.backward.at(**inner))

    def time(self, model: MachineModel | None = None) -> Estimate:
        """Seconds of one call by the machine model (this machine's, measured at its first use), with the model's error.

        Operations that run in Python or whose work is unknown count by their bytes only: then it is a lower bound.
        Errors: ArgumentError while sizes or trip counts are open.
        """
        if self.symbols or self.steps is None:
            raise ArgumentError(
                f"the time of {self.name} depends on {', '.join(self.symbols)}", remedy="fill them in with .at(...)"
            )
        chosen = machine_model() if model is None else model
        known = dict(self.sizes)

        def seconds(step: ProgramStep, facts: StepFacts) -> Sequence[float]:
            if facts.kind == CONTROL:
                return (0.0,)
            work, moved, costly = (float(_whole(d, known)) for d in (facts.work or 0, facts.bytes, facts.functions))
            return (chosen.seconds(facts.kind, work, moved, costly, dtype_of(step)),)

        (total,) = _Fold(self.steps, seconds, known, max).run()
        backward = None if self.backward is None else self.backward.time(chosen)
        added = 0.0 if backward is None else backward.seconds
        return Estimate(chosen.call + float(total) + added, chosen.error, bool(self.unknown) or bool(self.python_calls))

    def to_dict(self) -> dict[str, Any]:
        """Plain data; polynomials as text."""
        words = (*WORDS, "peak", "arguments", "results")
        made: dict[str, Any] = {"name": self.name, **{w: _plain(getattr(self, w)) for w in words}}
        made |= {"turns": dict(self.turns), "unknown": list(self.unknown), "sizes": dict(self.sizes)}
        return made | {"backward": None if self.backward is None else self.backward.to_dict()}

    def __str__(self) -> str:
        return _text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return code(str(self))


@dataclass(frozen=True)
class Estimate:
    """Seconds, and by which share the model was off, typically, when it was measured. partial: a lower bound only."""

    seconds: float
    error: float
    partial: bool = False

    def __str__(self) -> str:
        word = "at least " if self.partial else ""
        return f"{word}{self.seconds * 1e6:,.1f} µs (the model is off by {self.error:.0%}, typically)"


def steps_of(program: Program) -> Steps:
    """The steps that a captured program comes to, without compiling a kernel."""
    made = clone_program(program)
    PassManager(default_pipeline()).run(made)
    return run_schedule(linearise(made))


def cost_of(steps: Steps, backward: Cost | None = None) -> Cost:
    """The cost of a program's steps."""
    counted: set[Operation] = set()
    unknown: dict[str, None] = {}

    def count(step: ProgramStep, facts: StepFacts) -> Sequence[DimLike]:
        work, before = facts.work, facts.bytes
        new = [o for o in step.operations if o not in counted and facts.kind not in (CONTROL, COPY)]
        if new:
            counted.update(new)
            before = sum_of(map(unfused_bytes, new))
        elif facts.kind != COPY:
            before, work = 0, 0
        if work is None:
            unknown[facts.name] = None
        native = int(facts.kind not in (CONTROL, PYTHON))
        return (work or 0, 0 if facts.kind == COPY else before, facts.bytes, native, int(facts.kind == PYTHON))

    fold = _Fold(steps, count, {}, _larger)
    totals = fold.run()
    known = not steps.symbols
    peak: DimLike = memory_plan(steps, {})[1].peak if known else _largest_live_set(steps)
    sums = [sum_of(b.bytes for b in group) for group in ([*steps.feeds, *steps.state], steps.fetches)]
    work, before, after, calls, python = totals
    return Cost(
        steps.name, work, before, after, calls, python, peak, sums[0], sums[1], fold.turns, tuple(unknown), {}, steps,
        backward,
    )  # fmt: skip


class _Fold:
    """Adds up a tuple of figures over steps: the trip counts of loops multiply, of branches the larger one counts."""

    def __init__(
        self, steps: Steps, figures: Callable[[ProgramStep, StepFacts], Sequence[Any]], known: Mapping[str, int],
        larger: Callable[[Any, Any], Any],
    ) -> None:  # fmt: skip
        self.steps = steps
        self.figures = figures
        self.known = known
        self.larger = larger
        self.turns: dict[str, str] = {}

    def run(self) -> list[Any]:
        """The totals."""
        frames = [_Frame(None, [])]
        for step in _with_loops(self.steps.steps):
            operation = step.operation
            if isinstance(step, JumpStep) and operation is not None:
                if operation.name == "if" and step.zero is not None:
                    frames.append(_Frame(operation, []))
                elif operation.name in ("while", "for") and (step.zero is not None or step.left is not None):
                    frames[-1].switch_to(1)
            elif isinstance(step, Label) and operation is not None:
                if operation.name == "if" and frames[-1].side == 0:
                    frames[-1].switch_to(1)
                elif operation.name != "if" and step.closes is None:
                    frames.append(_Frame(operation, [], self._iterations(operation)))
                else:
                    self._close(frames)
            elif not isinstance(step, CustomGemmStep) or step.otherwise is not None:  # else another step may do it
                frames[-1].add(self.figures(step, facts_of(step)))
        (top,) = frames
        return top.sums[0] or [0] * len(self.figures(ProgramStep(None), StepFacts(CONTROL, "", 0, 0)))

    def _close(self, frames: list[_Frame]) -> None:
        frame = frames.pop()
        first, second = (sums or [0] * frame.width for sums in frame.sums)
        if frame.operation is not None and frame.operation.name == "if":
            frames[-1].add([self.larger(a, b) for a, b in zip(first, second, strict=True)])
        else:
            frames[-1].add([a * (frame.trips + 1) + b * frame.trips for a, b in zip(first, second, strict=True)])

    def _iterations(self, loop: Operation) -> DimLike:
        """How often a loop's body runs: known, or a symbol of its own."""
        if loop.name == "for":
            count = _known(loop.operands[0])
            if count is not None:
                return evaluate(count, self.known)
        name = f"T{len(self.turns) + 1}"
        what = "recursive calls of the function" if loop.name == "function" else "iterations of the loop"
        self.turns[name] = f"{what} at {loop.loc.short()}"
        return self.known[name] if name in self.known else Dim.symbol(name)


@dataclass(slots=True)
class _Frame:
    """What was added up inside a loop or branch: sides 0 and 1 are condition and body, or the two branches."""

    operation: Operation | None
    first: list[Any]
    trips: Any = 1
    side: int = 0
    second: list[Any] = field(default_factory=list)

    @property
    def sums(self) -> list[list[Any]]:
        return [self.first, self.second]

    @property
    def width(self) -> int:
        return max(len(self.first), len(self.second))

    def switch_to(self, side: int) -> None:
        self.side = side

    def add(self, more: Sequence[Any]) -> None:
        sums = self.second if self.side else self.first
        sums[:] = [a + b for a, b in zip(sums, more, strict=True)] if sums else list(more)


def _with_loops(steps: Iterable[ProgramStep]) -> Iterator[ProgramStep]:
    """The steps with those of loops in the place of their loop kernel."""
    for step in steps:
        if isinstance(step, LoopStep):
            yield from step.inner
        else:
            yield step


def _known(value: Value) -> DimLike | None:
    """The number that a program computes a count as: a constant, or a size."""
    operation = value.operation
    while operation is not None and operation.name == "cast":
        operation = operation.operands[0].operation
    if operation is None:
        return None
    if operation.name == "constant":
        return int(operation.attrs["data"].array)
    found = operation.attrs.get("value", operation.attrs.get("dim")) if not operation.operands else None
    return found if isinstance(found, (int, Dim)) and not isinstance(found, bool) else None


def _largest_live_set(steps: Steps) -> DimLike:
    """The largest sum of buffers that are in use at once; candidates that another one covers are left out."""
    roots: dict[Buffer, None] = {}
    for buffer in steps.buffers:
        root = buffer.owner()
        if root.role == ARENA:
            roots[root] = None
    sums: list[DimLike] = []
    for start in sorted({b.first for b in roots}):
        live = sum_of(_aligned(b.bytes) for b in roots if b.first <= start <= b.last)
        if not any(_covers(other, live) for other in sums):
            sums = [*(other for other in sums if not _covers(live, other)), live]
    total: DimLike = 0
    for one in sums:
        total = _larger(total, one)
    return total


def _aligned(size: DimLike) -> DimLike:
    return (size + 63) // 64 * 64


def _covers(a: DimLike, b: DimLike) -> bool:
    """Whether a >= b shows in the form of the difference: no negative coefficient."""
    difference = a - b
    if isinstance(difference, int):
        return difference >= 0
    return all(k >= 0 for _, k in difference.terms)


def _larger(a: DimLike, b: DimLike) -> DimLike:
    return a if _covers(a, b) else b if _covers(b, a) else maximum(a, b)


def _whole(dim: DimLike, known: Mapping[str, int]) -> int:
    value = evaluate(dim, known)
    return value if isinstance(value, int) else 0


def _plain(value: DimLike) -> int | str:
    return value if isinstance(value, int) else str(value)


def _text(cost: Cost) -> str:
    rows = [
        ["operations", _shown(cost.work), "floating-point; " + _unknown(cost)],
        ["bytes before fusion", _shown(cost.bytes_before), "each operation with memory of its own"],
        ["bytes after fusion", _shown(cost.bytes_after), _saved(cost)],
        ["kernel calls", _shown(cost.calls), ""],
        ["Python calls", _shown(cost.python_calls), ""],
        ["peak of intermediates", _shown(cost.peak), "planned" if isinstance(cost.peak, int) else "largest live set"],
        ["arguments", _shown(cost.arguments), "inputs and weights"],
        ["results", _shown(cost.results), ""],
    ]
    lines = [f"cost of one call of {cost.name}", table(["", "", ""], rows).partition("\n")[2].partition("\n")[2]]
    lines += [f"{name}: {what}" for name, what in cost.turns.items()]
    if cost.sizes:
        lines.append("for " + ", ".join(f"{k} = {v}" for k, v in cost.sizes.items()))
    if cost.backward is not None:
        lines.append(f"and backward:\n{cost.backward}")
    return "\n".join(lines)


def _shown(value: DimLike) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _unknown(cost: Cost) -> str:
    return f"without {', '.join(cost.unknown)}" if cost.unknown else "all of them known"


def _saved(cost: Cost) -> str:
    if isinstance(cost.bytes_before, int) and isinstance(cost.bytes_after, int) and cost.bytes_before:
        return f"{cost.bytes_after / cost.bytes_before:.0%} of it"
    return ""


def exceeded(cost: Cost, limits: Mapping[str, int]) -> list[str]:
    """Which limits (by the names of Cost's figures) a cost goes beyond, in words. ArgumentError for open figures."""
    found = []
    for name, limit in limits.items():
        value = getattr(cost, name)
        if not isinstance(value, int):
            open_ = ", ".join(cost.symbols)
            raise ArgumentError(f"the {name} of {cost.name} depends on {open_}", remedy=f"give sizes: {open_}")
        if value > limit:
            is_bytes = name in ("peak", "bytes_after", "bytes_before")
            shown = (shown_bytes(value), shown_bytes(limit)) if is_bytes else (f"{value:,}", f"{limit:,}")
            found.append(f"{name} is {shown[0]}, the budget {shown[1]}")
    return found
