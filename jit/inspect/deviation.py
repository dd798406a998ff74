"""How far kernels are from NumPy: each result and each updated state of one call, in units in the last place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.table import table
from ...ir.interpret import interpret
from ..debug.comparison import largest_ulp
from ..trace.traced import Trace

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class OutputDeviation:
    """One output: the largest distance in units in the last place and in size, and its largest element."""

    name: str
    ulp: float
    difference: float
    scale: float


class Deviations(tuple[OutputDeviation, ...]):
    """One entry per output; prints as a table."""

    @property
    def ulp(self) -> float:
        """The largest of all."""
        return max((d.ulp for d in self), default=0.0)

    def __str__(self) -> str:
        rows = [[d.name, f"{d.ulp:.4g}", f"{d.difference:.3g}", f"{d.scale:.3g}"] for d in self]
        return table(["output", "ULP", "largest difference", "largest element"], rows, right=[1, 2, 3])

    __repr__ = __str__


def deviations(trace: Trace, feeds: Sequence[Array], state: Sequence[Array]) -> Deviations:
    """Run a captured program by NumPy and by kernels, on copies of these arrays; nothing of the user's changes."""
    from ...runtime.compiler import compile_program  # loads LLVM

    program = trace.program
    expected, after = interpret(program, [a.copy() for a in feeds], [a.copy() for a in state], trace.callbacks)
    updated = [np.array(a, order="C") for a in state]
    found = compile_program(program, callbacks=trace.callbacks).run([a.copy() for a in feeds], updated)
    names = program.fetch_names or [f"out{k}" for k in range(len(expected))]
    made = list(zip(names, expected, found, strict=True))
    made += [(s.name, after[k], updated[k]) for k, s in enumerate(trace.state) if s.updated]
    return Deviations(_deviation(*one) for one in made)


def _deviation(name: str, expected: Array, found: Array) -> OutputDeviation:
    if expected.dtype.kind not in "fc" or not expected.size:
        return OutputDeviation(name, largest_ulp(expected, found), 0.0, 0.0)
    with np.errstate(all="ignore"):
        apart = np.nan_to_num(np.abs(expected - found), nan=0.0)
        return OutputDeviation(name, largest_ulp(expected, found), float(apart.max()), float(np.abs(expected).max()))
