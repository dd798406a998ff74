"""Programs that check what their operations make: run by the interpreter while a search for NaN and infinity is on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.errors import NonFiniteError
from ..ir.core import Operation
from ..ir.interpret import Run, interpret
from ..ops.finite import REMEDY, complaint
from .executable import Array, Bound, call_by
from .failures import placed
from .interpreted import interpret_by


class CheckedRun(Run):
    """A run whose float results must be finite; errors carry the user's line."""

    def operation(self, operation: Operation) -> None:
        if operation.blocks:
            super().operation(operation)
            return
        callee = operation.attrs.get("callee", "")
        with placed(operation, f"while the program called {callee}" if callee else ""):
            super().operation(operation)
        if operation.name == "update" or operation.name.startswith("list_"):
            return
        operands = [self.env[v] for v in operation.operands]
        words = complaint(operation.op, [self.env[v] for v in operation.results], operands)
        if words is not None:
            iterations = "".join(f", in {iteration}" for iteration in reversed(self.iterations))
            raise NonFiniteError(words + iterations, loc=operation.loc, remedy=REMEDY)


def call_checked(bound: Bound, feeds: Sequence[Array], state: Sequence[Array]) -> list[Array]:
    """What `Bound.call` is meanwhile. State is written only after the whole program went well."""
    executable = bound.executable
    fetched, after = interpret(executable.program, feeds, state, executable.callbacks, make=CheckedRun)
    made = [np.array(array, order="C") for array in fetched]
    for array, value in zip(state, [np.array(a) for a in after], strict=True):
        if array.flags.writeable:
            np.copyto(array, value)
    return made


def check_programs(enabled: bool) -> None:
    """Check all calls of compiled programs from here on, or no more."""
    call_by(call_checked if enabled else None)
    interpret_by(CheckedRun if enabled else None)
