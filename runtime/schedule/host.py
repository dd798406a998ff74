"""What runs on the host: operations that touch a size which only a run knows (growing/host_placement.py finds them).

Their values live in a table of the call (`Bound.table`), as arrays that NumPy makes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from ...base.errors import ShapeError
from ...ir.core import Value, is_list
from ...ir.interpret import Run
from ...ops.sizes import plain_names
from ..failures import placed
from .program_steps import Buffer, InterpretedStep, ListPlace

Array = np.ndarray[Any, Any]


class Sized(Protocol):
    """Buffers whose sizes only a run knows."""

    def put(self, buffer: Buffer, array: Array, target: Callable[[], Array]) -> None:
        """Have a buffer hold an array; `target` gives one that knows its size."""


class HeldRows(Protocol):
    """The memory of a call: buffers, and lists that hold arrays."""

    @property
    def run_sizes(self) -> Sized:
        """The buffers whose sizes only the run knows."""

    def view(self, buffer: Buffer, arguments: list[Array]) -> Array:
        """A buffer as an array over its memory, given the arrays of the call."""

    def read(self, number: int, value: Value) -> Array:
        """What list `number` holds, a value; its memory is used again."""

    def write(self, number: int, array: Array) -> None:
        """Put an array into list `number`."""


class Place:
    """What a step of the host reads and writes: the table of the call, its sizes, memory of the VM, lists."""

    def __init__(self, table: dict[Value, Any], sizes: dict[str, int], lists: HeldRows, arguments: list[Array]) -> None:
        self.table = table
        self.sizes = sizes
        self.lists = lists
        self.arguments = arguments

    def view(self, buffer: Buffer) -> Array:
        """A buffer as an array over its memory."""
        return self.lists.view(buffer, self.arguments)

    def read(self, step: InterpretedStep) -> list[Array]:
        """The inputs of a step. Learns the sizes that it needs."""
        for name, word in step.sizes:
            self.sizes[name] = int(self.view(word))
        found = [self._read(value, place) for value, place in step.inputs]
        if step.learned is None:
            step.learned = list(plain_names(v.type for v, _ in step.inputs))
        for k, axis, name in step.learned:
            self.sizes[name] = found[k].shape[axis]
        return found

    def _read(self, value: Value, place: Buffer | ListPlace | None) -> Any:
        if place is None:
            return self.table[value]
        return self.lists.read(place.number, value) if isinstance(place, ListPlace) else self.view(place)

    def write(self, outputs: Sequence[tuple[Value, Buffer | ListPlace | None]], made: Sequence[Any]) -> None:
        """Put results where they belong."""
        for (value, place), array in zip(outputs, made, strict=True):
            if place is None:
                self.table[value] = array
            elif isinstance(place, ListPlace):
                self.lists.write(place.number, array)
            else:
                self.lists.run_sizes.put(place, array, partial(self.view, place))

    def tell(self, step: InterpretedStep) -> None:
        """Write down the sizes that the VM learns from a step."""
        for name, word in step.told:
            np.copyto(self.view(word), self.sizes[name])


def run_step(step: InterpretedStep, place: Place, callbacks: Mapping[str, Callable[..., Any]]) -> None:
    """Run one operation: values from and into the table, native memory and lists. Learns sizes as it goes."""
    operation = step.operation
    assert operation is not None
    given = place.read(step)
    known = [int(place.view(word)) for _, word in step.believed]
    run = Run(place.sizes, callbacks, step.facts)
    run.env.update((value, array) for (value, _), array in zip(step.inputs, given, strict=True))
    with np.errstate(all="ignore"), placed(operation):
        run.operation(operation)
    made: list[Any] = [tuple(map(_own, run.env[v])) if is_list(v) else _own(run.env[v]) for v, _ in step.outputs]
    for (k, _), size in zip(step.believed, known, strict=True):
        if len(made[k]) != size:
            raise ShapeError(
                f"{operation.name}: sizes that only a run knows don't fit: {list(made[k].shape)} where "
                f"{operation.results[k].type} has {size} rows",
                loc=operation.loc,
            )
    place.tell(step)
    place.write(step.outputs, made)


def _own(array: Array) -> Array:
    """The array row by row in memory of its own, as programs take it: NumPy makes `x.T + 1` column by column."""
    return array if array.base is None and array.flags.c_contiguous else array.copy()
