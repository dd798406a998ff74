"""Calls of programs that NumPy runs, operation by operation, in the program's order: `numerics="reference"`.

The functions are those of eager mode, on arrays of the same layout, so that results are equal to eager ones bit for bit
(as far as NumPy's own BLAS gives the same twice). Also what runs while kernels compile in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..base.errors import MissingError
from ..ir.core import Operation, Program, Value
from ..ir.interpret import Run, bind_sizes, interpret
from ..ir.walk import last_reads
from .failures import placed
from .vm.undoing import undoes

Array = np.ndarray[Any, Any]
Callbacks = Mapping[str, Callable[..., Any]]


class PlacedRun(Run):
    """A run with errors that carry the user's line, as the VM's do, and arrays laid out as in eager mode.

    last: the values that nothing reads behind an operation; they are let go, as eager mode lets go of them.
    """

    def __init__(
        self, sizes: dict[str, int], callbacks: Callbacks, last: Mapping[Operation, Sequence[Value]] | None = None
    ) -> None:
        super().__init__(sizes, callbacks)
        self._last = last or {}

    def evaluate(self, operation: Operation, operands: list[Any]) -> Sequence[Any]:
        # Sums go by memory: over a transposed view they add in another order.
        return [np.asarray(made, order="C") for made in super().evaluate(operation, operands)]

    def operation(self, operation: Operation) -> None:
        if operation.blocks:
            super().operation(operation)
        else:
            callee = operation.attrs.get("callee", "")
            noted = callee and not callee.startswith("raise ")
            with placed(operation, f"while the program called {callee}" if noted else ""):
                super().operation(operation)
        for value in self._last.get(operation, ()):
            del self.env[value]


_runs: list[type[Run]] = [PlacedRun]


def interpret_by(run: type[Run] | None) -> None:
    """Have calls interpreted by another kind of run until None is given."""
    _runs[1:] = [] if run is None else [run]


@undoes
def call_interpreted(
    program: Program, callbacks: Callbacks, feeds: Sequence[Array], state: Sequence[Array]
) -> list[Array]:
    """Run once. Results are arrays of their own; state is written only after the whole program went well."""
    make: Any = _runs[-1]
    if make is PlacedRun:
        make = partial(PlacedRun, last=last_reads(program.body))
    fetched, after = interpret(program, feeds, state, callbacks, make=make)
    made = [np.array(array, order="C") for array in fetched]
    for array, value in zip(state, [np.array(a) for a in after], strict=True):
        if array.flags.writeable:
            np.copyto(array, value)
    return made


class ReferenceExecutable:
    """A program without kernels, run by NumPy; several threads may call at once."""

    def __init__(self, program: Program, callbacks: Callbacks) -> None:
        self.program = program
        self.callbacks = callbacks
        self.report = SimpleNamespace(
            seconds=dict[str, float](),
            passes=dict[str, float](),
            schedule=dict[str, float](),
            stages=list[tuple[str, str]](),
        )  # nothing was compiled

    def bind(self, arrays: Sequence[Array]) -> ReferenceExecutable:
        """What runs calls with these sizes: itself. GuardError for sizes that the program excludes."""
        bind_sizes(self.program, arrays)
        return self

    def release(self, bound: ReferenceExecutable) -> None:
        """Nothing was taken."""

    def call(self, feeds: Sequence[Array], state: Sequence[Array]) -> list[Array]:
        """Run once; state arrays are updated in place."""
        return call_interpreted(self.program, self.callbacks, feeds, state)

    def run(self, feeds: Sequence[Array], state: Sequence[Array] = ()) -> list[Array]:
        """As Executable.run."""
        return self.bind([*feeds, *state]).call(feeds, state)

    def __getattr__(self, name: str) -> Any:
        raise MissingError(
            f'{self.program.name} has no {name}: with numerics="reference" NumPy runs it, without kernels or a plan',
            remedy='look at the same function with numerics="ieee"',
        )
