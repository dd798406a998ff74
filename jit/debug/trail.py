"""What a run of the interpreter went through: one record per operation run, with the arrays it read and made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ir.core import Operation, Program, Value
from ...ir.interpret import Iteration, Run, interpret
from ...passes.autodiff.reverse import inputs_of

Array = np.ndarray[Any, Any]
Callbacks = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class OperationRun:
    """One operation run: in which iterations of which loops, what it read (with what its blocks read), what it made."""

    operation: Operation
    iterations: tuple[Iteration, ...]
    read: tuple[Any, ...]
    made: tuple[Any, ...]

    @property
    def where(self) -> str:
        """`iteration 3 of the loop at model.py:10`, the innermost loop first; empty outside of loops."""
        return ", ".join(str(iteration) for iteration in reversed(self.iterations))


class Trail:
    """A whole run. `failure` is the exception that ended it, raised by `failed`."""

    def __init__(self) -> None:
        self.events: list[OperationRun] = []
        self.values: dict[Value, list[Any]] = {}  # every array that a value stood for, in order
        self.fetched: list[Array] = []
        self.after: list[Array] = []
        self.sizes: dict[str, int] = {}
        self.failure: BaseException | None = None
        self.failed: Operation | None = None
        self.failed_iterations: tuple[Iteration, ...] = ()
        self.failed_read: tuple[Any, ...] = ()

    @classmethod
    def of(
        cls, program: Program, feeds: Sequence[Array], state: Sequence[Array], callbacks: Callbacks | None = None,
        seen: Callable[[OperationRun], None] | None = None,
    ) -> Trail:  # fmt: skip
        """Run a program and keep everything. seen: told of each event; what it raises ends the run."""
        trail = cls()

        class RecordingRun(Run):
            def operation(self, operation: Operation) -> None:
                trail._run(self, operation, super().operation, seen)

        try:
            trail.fetched, trail.after = interpret(program, feeds, state, callbacks, make=RecordingRun)
        except Exception as error:  # broad: whatever ends the run is what somebody asks for
            trail.failure = error
        return trail

    def _run(
        self,
        run: Run,
        operation: Operation,
        step: Callable[[Operation], None],
        seen: Callable[[OperationRun], None] | None,
    ) -> None:
        iterations = tuple(Iteration(t.loop, t.number) for t in run.iterations)
        read = tuple(run.env[v] for v in inputs_of(operation))
        self.sizes = run.sizes
        try:
            step(operation)
        except Exception:  # broad: whatever it is, it is noted and goes on
            if self.failed is None:
                self.failed, self.failed_iterations, self.failed_read = operation, iterations, read
            raise
        for block in operation.blocks:
            for value in block.args:
                if value in run.env:
                    self.values.setdefault(value, []).append(run.env[value])
        event = OperationRun(operation, iterations, read, tuple(run.env[v] for v in operation.results))
        for value, array in zip(operation.results, event.made, strict=True):
            self.values.setdefault(value, []).append(array)
        self.events.append(event)
        if seen is not None:
            try:
                seen(event)
            except Exception:  # broad: as above
                if self.failed is None:
                    self.failed, self.failed_iterations, self.failed_read = operation, iterations, read
                raise
