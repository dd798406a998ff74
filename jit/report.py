"""What a compiled function shows of itself: texts of stages, kernels and the memory plan."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from typing import Any

from ..base.errors import ArgumentError
from ..base.table import table
from ..ir.core import Program
from ..ir.walk import clone_program, walk
from ..ops.dims import concrete
from ..ops.types import TensorType
from ..passes.manager import PassManager
from ..passes.pipelines import default_pipeline

_WORDS = {"fusion": "fuse", "folding": "fold", "simplification": "simplify", "trace": "captured", "capture": "captured"}


def stages(program: Program) -> list[tuple[str, str]]:
    """(stage, program text) from the captured program to the last pass."""
    manager = PassManager(default_pipeline(), keep=True)
    manager.run(clone_program(program))
    return manager.stages


def dump(program: Program, stage: str | None) -> str:
    """The program's text after a stage: "captured", "after fusion", "after cse" …; None: the last one."""
    found = stages(program)
    if stage is None:
        return found[-1][1]
    wanted = stage.strip().lower()
    word = wanted.removeprefix("after ")
    word = _WORDS.get(word, word)
    for name, text in reversed(found):
        if name in (wanted, word, f"after {word}"):
            return text
    names = [name for name, _ in found]
    close = difflib.get_close_matches(wanted, names, 1)
    raise ArgumentError(
        f"there is no stage {stage!r}",
        remedy=f"did you mean {close[0]!r}?" if close else "the stages are " + ", ".join(names),
    )


def kernels(executables: Sequence[Any]) -> dict[str, str]:
    """Name -> source of every kernel, each once."""
    out: dict[str, str] = {}
    for executable in executables:
        for name, text in executable.kernel_texts:
            key, k = name, 1
            while key in out and out[key] != text:
                k += 1
                key = f"{name}.{k}"
            out[key] = text
    return out


def _sum_of_intermediates(program: Program, sizes: dict[str, int]) -> int:
    """Bytes of all operations' results; constants are not intermediates."""
    results = [r.type for o in walk(program.body) if o.name != "constant" for r in o.results]
    kinds = [t for t in results if isinstance(t, TensorType)]
    return sum(math.prod(concrete(t.shape, sizes)) * t.dtype.itemsize for t in kinds)


class MemoryPlan:
    """Where every intermediate lies; prints as a table. All figures are bytes.

    peak: what the plan takes. total: the sum of all intermediates of the captured program, each in memory of its own
    (nested blocks counted once). stored: the sum of those that remain after fusion. lower_bound: the largest live set.
    """

    def __init__(self, binding: Any, captured: Program) -> None:
        plan = binding.plan
        self.sizes: dict[str, int] = dict(binding.sizes)
        self.peak: int = plan.peak
        self.total: int = _sum_of_intermediates(captured, self.sizes)
        self.stored: int = plan.total
        self.lower_bound: int = plan.lower_bound
        self.buffers: list[tuple[str, str, int, int, int, int]] = [
            (b.hint or f"%{k}", str(b.kind), binding._bytes(b), offset, b.first, b.last)
            for k, (b, offset) in enumerate(zip(binding._roots, plan.offsets, strict=True))
        ]

    def __str__(self) -> str:
        rows = [[n, kind, size, offset, f"{first}–{last}"] for n, kind, size, offset, first, last in self.buffers]
        lines = [table(["buffer", "type", "bytes", "offset", "steps"], rows, right=[2, 3])] if rows else []
        if self.sizes:
            lines.insert(0, "for " + ", ".join(f"{k} = {v}" for k, v in self.sizes.items()))
        share = f" ({self.peak / self.total:.0%} of it)" if self.total else ""
        lines.append(f"peak planned        {self.peak:>12,} bytes{share}")
        lines.append(f"sum of all          {self.total:>12,} bytes (every intermediate as captured)")
        lines.append(f"sum of stored       {self.stored:>12,} bytes (those left after fusion)")
        lines.append(f"lower bound         {self.lower_bound:>12,} bytes (largest live set)")
        return "\n".join(lines)

    __repr__ = __str__
