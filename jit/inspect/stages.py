"""What a compiled function shows of itself: texts of stages, what each pass changed, kernels and the memory plan.

The stages are those of the program, then those of the steps that it becomes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...base.errors import ArgumentError
from ...base.html import code, folded, grid
from ...base.shown import Shown
from ...base.suggest import hint
from ...base.table import table
from ...ir.core import Operation, Program
from ...ir.diff import diff
from ...ir.printer import Printer
from ...ir.walk import clone_program, walk
from ...ops.dims import Dim, evaluate
from ...ops.types import TensorType
from ...passes.manager import PassManager

if TYPE_CHECKING:
    from ...runtime.kernel_cache import KernelSource  # loads LLVM

_WORDS = {"fusion": "fuse", "folding": "fold", "simplification": "simplify", "trace": "captured", "capture": "captured"}
BAR = 24  # characters of the time axis in a memory plan


# ---- stages


def stages(program: Program) -> list[tuple[str, str]]:
    """(stage, text) from the captured program to its last pass, then from its steps to the last pass of the schedule.

    Passes that run several times are numbered.
    """
    from ...runtime.schedule.pipeline import scheduled_stages  # loads LLVM

    made = clone_program(program)
    programs = program_stages(made)
    return [*programs, *scheduled_stages(made)]


def program_stages(program: Program) -> list[tuple[str, str]]:
    """(stage, program text) from the captured program to its last pass. The program goes through them."""
    from ...passes.pipelines import default_pipeline  # loads all passes

    manager = PassManager(default_pipeline(), keep=True)
    manager.run(program)
    often = Counter(name for name, _ in manager.stages)
    seen: Counter[str] = Counter()
    found = []
    for name, text in manager.stages:
        seen[name] += 1
        found.append((f"{name}.{seen[name]}" if often[name] > 1 else name, text))
    return found


def dump(program: Program, stage: str | None) -> Shown:
    """The text after a stage: "captured", "after fusion", "after loop_kernels" …; None: after the last program pass."""
    if stage is None:
        return Shown(program_stages(clone_program(program))[-1][1], "ir")
    found = stages(program)
    return Shown(found[_place(found, stage)][1], "ir")


def dump_diff(program: Program, stage: str | None, until: str | None) -> Shown:
    """What changed from one stage to another. One stage: what it changed; none: what each pass changed, in turn."""
    found = stages(program)
    if until is not None:
        first = 0 if stage is None else _place(found, stage)
        last = _place(found, until)
        _check_kinds(found[first], found[last])
        return Shown(_titled(found[first][0], found[last][0], diff(found[first][1], found[last][1])), "diff")
    if stage is not None:
        last = _place(found, stage)
        before = found[max(last - 1, 0)]
        _check_kinds(before, found[last])
        return Shown(_titled(before[0], found[last][0], diff(before[1], found[last][1])), "diff")
    pairs = [(one, other) for one, other in pairwise(found) if _is_of_steps(one) == _is_of_steps(other)]
    parts = [_titled(a, b, changed) for (a, x), (b, y) in pairs if (changed := diff(x, y))]
    return Shown("\n\n".join(parts) or "no pass changes this program", "diff")


def stage_program(program: Program, stage: str) -> Program:
    """The program itself after a stage, with the user's lines."""
    from ...passes.pipelines import default_pipeline

    place = _place(program_stages(clone_program(program)), stage)
    made = clone_program(program)
    PassManager(default_pipeline()[:place]).run(made)
    return made


def _is_of_steps(stage: tuple[str, str]) -> bool:
    """Whether a stage is one of the schedule: its text is of steps, not of a program."""
    return stage[1].startswith("steps @")


def _check_kinds(before: tuple[str, str], after: tuple[str, str]) -> None:
    if _is_of_steps(before) != _is_of_steps(after):
        raise ArgumentError(
            f"{before[0]!r} is a stage of the program, {after[0]!r} one of its steps: they have no lines in common",
            remedy="compare two stages before `linearised`, or two from there on; `dump` shows one alone",
        )


def _titled(before: str, after: str, changed: str) -> str:
    return f"--- {before}\n+++ {after}\n{changed or '  (the same)'}"


def _place(found: Sequence[tuple[str, str]], stage: str) -> int:
    """Where a stage stands; of a pass that runs several times, the last run, unless its number is given."""
    wanted = stage.strip().lower()
    word, _, number = wanted.removeprefix("after ").partition(".")
    word = _WORDS.get(word, word) + (f".{number}" if number else "")
    for k, (name, _) in reversed(list(enumerate(found))):
        if name == wanted or word in (plain := name.removeprefix("after "), plain.partition(".")[0]):
            return k
    names = [name for name, _ in found]
    raise ArgumentError(
        f"there is no stage {stage!r}", remedy=hint(wanted, names) or "the stages are " + ", ".join(names)
    )


# ---- kernels


class KernelText(Shown):
    """The source of one kernel, as a string.

    group: the operations it carries out, as program text. reason: why they stand together (empty for a single one).
    lines: the user's lines, `file:line   text`. calls: in how many places of the program it is used; tables: how many
    calls for all of them, as calls that don't wait for each other are made at once.
    """

    group: str
    reason: str
    lines: tuple[str, ...]
    calls: int
    tables: int
    source: KernelSource

    def llvm(self) -> Shown:
        """The LLVM that the kernel becomes, optimised for this CPU. Takes as long as compiling it."""
        return Shown(self.source.llvm(), "llvm")

    def assembly(self) -> Shown:
        """The instructions of this CPU that the kernel becomes. Takes as long as compiling it."""
        return Shown(self.source.assembly(), "asm")

    @classmethod
    def of(cls, source: KernelSource, printer: Printer, operation: Operation | None) -> KernelText:
        """The source of a kernel with what it comes from; printer: of the program."""
        made = cls(source.text, "python")
        made.source = source
        stands = operation is not None and operation.parent is not None  # in the program; steps may have made one more
        made.group = "\n".join(printer.operation(operation, "")) if operation is not None and stands else ""
        made.reason = "" if operation is None else str(operation.attrs.get("reason", ""))
        made.lines = () if operation is None else _lines_of(operation)
        made.calls = made.tables = 1
        return made


class KernelTexts(dict[str, KernelText]):
    """Name -> source of every kernel; prints each with its group, the reason for the group, and the user's lines."""

    def __str__(self) -> str:
        return "\n\n\n".join(_described(name, text) for name, text in self.items()) or "no kernels"

    def __repr__(self) -> str:
        return str(self)

    def __rich__(self) -> Any:
        return Shown(str(self), "python").__rich__()

    def _repr_html_(self) -> str:
        parts = [folded(f"{name}{f' × {t.calls}' if t.calls > 1 else ''}", _kernel_html(t)) for name, t in self.items()]
        return "".join(parts) or "<p>no kernels</p>"


def _kernel_html(text: KernelText) -> str:
    lines = code("\n".join(f"# {line}" for line in text.lines), "python") if text.lines else ""
    return (
        lines
        + code(text, "python")
        + (folded(text.reason or "operations", code(text.group, "ir")) if text.group else "")
    )


def _described(name: str, text: KernelText) -> str:
    times = f", used {text.calls} times" if text.calls > 1 else ""
    if text.tables < text.calls:
        times += f" by {text.tables} call{'s' if text.tables > 1 else ''} (none of them waits for another)"
    why = f": {text.reason}" if text.reason else ""
    head = [f"# {name}{times}{why}", *(f"#   {line}" for line in text.lines)]
    return "\n".join([*head, *(f"#     {line}" for line in text.group.splitlines()), str(text).rstrip()])


def _lines_of(operation: Operation) -> tuple[str, ...]:
    inner = [o for block in operation.blocks for o in walk(block)] or [operation]
    places = [o.loc for o in inner if o.loc.file and o.name not in ("constant", "yield")]
    return tuple(dict.fromkeys(f"{p.short()}   {p.text()}".rstrip() for p in places))


def kernels(executables: Sequence[Any]) -> KernelTexts:
    """Name -> source of every kernel, each once."""
    from ...runtime.schedule.program_steps import LoopStep  # loads LLVM

    out, known = KernelTexts(), dict[str, str]()
    for executable in executables:
        printer = Printer(executable.program, False, {})
        for step in executable.steps.steps:
            kernel = getattr(step, "kernel", None)
            if kernel is None:
                continue
            text = KernelText.of(kernel.source, printer, step.operation)
            text.calls = len(step.operations) or 1
            text.reason = step.reason if isinstance(step, LoopStep) else text.reason
            text.lines = tuple(dict.fromkeys(line for o in step.operations for line in _lines_of(o)))
            same = replace(kernel.source, batched=False).identity
            if same in known:
                before = out[known[same]]
                before.calls, before.tables = before.calls + text.calls, before.tables + 1
                before.lines = tuple(dict.fromkeys((*before.lines, *text.lines)))
                continue
            key, k = kernel.name, 1
            while key in out:
                k += 1
                key = f"{kernel.name}.{k}"
            known[same] = key
            out[key] = text
    return out


# ---- memory


def _sum_of_intermediates(program: Program, sizes: dict[str, int]) -> tuple[int, int]:
    """Bytes of all operations' results whose size is known (constants are none), and how many others there are."""
    total, unknown = 0, 0
    for operation in walk(program.body):
        for result in operation.results if operation.name != "constant" else ():
            if isinstance(result.type, TensorType):
                dims = [evaluate(d, sizes) for d in result.type.shape]
                if any(isinstance(d, Dim) for d in dims):
                    unknown += 1
                else:
                    total += int(math.prod(dims)) * result.type.dtype.itemsize
    return total, unknown


class MemoryPlan:
    """Where every intermediate lies, and when; prints as a table with a bar of its life. All figures are bytes.

    peak: what the plan takes. total: the sum of all intermediates of the captured program, each in memory of its own
    (nested blocks counted once; the `unknown` many whose size only a run knows not at all). stored: the sum of those
    that remain after fusion. lower_bound: the largest live set. buffers: (name, type, bytes, offset, first step, last).
    """

    def __init__(self, binding: Any, captured: Program) -> None:
        plan = binding.plan
        self.sizes: dict[str, int] = dict(binding.sizes)
        self.peak: int = plan.peak
        self.total, self.unknown = _sum_of_intermediates(captured, self.sizes)
        self.stored: int = plan.total
        self.lower_bound: int = plan.lower_bound
        self.buffers: list[tuple[str, str, int, int, int, int]] = [
            (b.hint or f"%{k}", str(b.kind), binding.bytes_of(b), offset, b.first, b.last)
            for k, (b, offset) in enumerate(zip(binding.roots, plan.offsets, strict=True))
        ]

    def __str__(self) -> str:
        most = max((last for *_, last in self.buffers), default=0) + 1
        rows = [
            [name, kind, f"{size:,}", f"{offset:,}", f"{first}–{last}", _bar(first, last, most)]
            for name, kind, size, offset, first, last in self.buffers
        ]
        header = ["buffer", "type", "bytes", "offset", "steps", f"in use, step 0–{most - 1}"]
        lines = [table(header, rows, right=[2, 3])] if rows else []
        if self.sizes:
            lines.insert(0, "for " + ", ".join(f"{k} = {v}" for k, v in self.sizes.items()))
        share = f" ({self.peak / self.total:.0%} of it)" if self.total else ""
        unsized = f", without {self.unknown} whose size only a run knows" if self.unknown else ""
        lines.append(f"peak planned        {self.peak:>12,} bytes{share}")
        lines.append(f"sum of all          {self.total:>12,} bytes (every intermediate as captured{unsized})")
        lines.append(f"sum of stored       {self.stored:>12,} bytes (those left after fusion)")
        lines.append(f"lower bound         {self.lower_bound:>12,} bytes (largest live set)")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [(n, kind, f"{s:,}", f"{o:,}", f"{first}–{last}") for n, kind, s, o, first, last in self.buffers]
        facts = (
            f"peak {self.peak:,} bytes, sum {self.total:,}, stored {self.stored:,}, lower bound {self.lower_bound:,}"
        )
        return f"<p>{facts}</p>" + folded(
            f"{len(rows)} buffers", grid(["buffer", "type", "bytes", "offset", "steps"], rows), open=len(rows) <= 40
        )


def _bar(first: int, last: int, most: int) -> str:
    """A lifetime on an axis of all steps: `··██████····`."""
    width = min(BAR, most)
    start, end = first * width // most, last * width // most
    return "·" * start + "█" * (end - start + 1) + "·" * (width - end - 1)
