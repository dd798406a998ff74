"""The arrays of an entry's state: taken once, and looked at again where something may have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ...dygraph import storage as cells
from ...dygraph.places import user_place
from ...dygraph.storage import Storage
from ...dygraph.tensor import Tensor
from ...dygraph.views import form_in_memory
from ...ops.types import TensorType
from ..trace.traced import StateTensor
from .guards import describe, look
from .written_arrays import require_apart


class StateArrays:
    """The arrays of an entry's state tensors, taken again only when some cell changed its array."""

    __slots__ = (
        "_arrays", "_can_follow", "_epoch", "_gradients", "_written", "fixed", "fixed_until", "ids", "looked_up",
        "numbers", "of_arguments", "placed", "state", "taken", "taken_until", "tensors", "types", "untouched_since",
        "updated",
    )  # fmt: skip

    def __init__(self, state: Sequence[StateTensor], types: Sequence[TensorType]) -> None:
        self.state = list(state)
        self.types = [(k.dtype, k.shape) for k in types]
        self.numbers = [(k, s) for k, s in enumerate(state) if s.slot == "number"]
        self.of_arguments = any(s.slot == "argument" for s in state)
        self.looked_up = [
            (k, s, *self.types[k]) for k, s in enumerate(state) if s.place is not None and s.slot == "data"
        ]
        self._can_follow = all(s.place is None or s.slot in ("data", "number") for s in state)
        self.placed: list[tuple[StateTensor, Any]] = []  # whose place is looked at, and what was there for `_arrays`
        self.updated = self._updated()
        self.tensors = [entry.tensor for entry in state]
        self.ids: set[int] = set()
        self._arrays: tuple[Any, ...] | None = None
        self._epoch = -1
        self.fixed: tuple[Any, ...] = ()  # the arrays, as long as the cells' epochs are these
        self.taken: tuple[Any, ...] = ()  # the same for native code, None for numbers
        self.fixed_until = self.taken_until = self.untouched_since = -1
        self._gradients: list[tuple[Any, Any, Storage, Any]] = []  # owner, its `.grad`, the cell, the array
        self._written: list[Storage] = []  # all cells that the program writes, those of gradients too

    def _updated(self) -> list[Storage]:
        """The cells that the program writes, as far as they are tensors' own."""
        return [s.tensor._storage for s in self.state if s.updated and s.slot == "data"]

    def arrays(self, numbers: Sequence[Any] = (), leaves: Sequence[Any] = ()) -> Sequence[Any] | None:
        """The arrays, in private memory where the program writes; None when one no longer fits.

        numbers, leaves: the Python numbers and the tensors among the arguments of the call.
        """
        found = self._tensors(leaves)
        if not self.numbers or found is None:
            return found
        made = list(found)
        for k, entry in self.numbers:
            place = entry.place
            assert place is not None
            value = numbers[place.name] if place.kind == "argument" else look(place)
            made[k] = np.array(value, entry.tensor._dtype.numpy)
        return made

    def _tensors(self, leaves: Sequence[Any]) -> tuple[Any, ...] | None:
        if self._epoch != cells.counters.epoch or self.of_arguments:
            return self._take(leaves)
        for tensor, grad, cell, array in self._gradients:
            if tensor._grad is not grad or grad._storage is not cell or cell.payload is not array:
                return self._take(leaves)
        for entry, tensor in self.placed:
            if look(entry.place) is not tensor:  # type: ignore[arg-type]
                return self._take(leaves)
        for cell in self._written:
            if cell.shared:
                return self._take(leaves)
        self.untouched_since = cells.counters.touched
        return self._arrays

    def _take(self, leaves: Sequence[Any]) -> tuple[Any, ...] | None:
        found: list[Any] = []
        gradients, written, placed = [], [], []
        self._epoch = self.fixed_until = self.taken_until = -1
        related = False  # whether views of what the program writes are among what it reads
        for entry, (dtype, shape) in zip(self.state, self.types, strict=True):
            if entry.slot == "number":
                found.append(None)
                continue
            if entry.slot != "argument" and entry.place is not None and not self.find(entry):
                return None
            if entry.slot != "argument" and entry.place is not None:
                placed.append((entry, entry.tensor))
            tensor = _tensor_at(entry, leaves)
            if tensor is None or tensor._dtype is not dtype:
                return None
            cell = tensor._storage
            if cells.is_view(cell):
                if entry.updated:
                    return None
                related = related or cells.root_of(cell) in self.updated
            if entry.updated and type(cell.shared) is cells.Sharing:
                require_apart(tensor, leaves)
            array = cell.own() if entry.updated else cell.payload
            if type(array) is not ndarray or not _fits(array.shape, shape):
                return None
            if entry.updated and not array.flags.writeable:
                cell.replace(array.copy())
            found.append(cell.payload.copy() if related and cells.is_view(cell) else cell.payload)
            if entry.updated:
                written.append(cell)
            if entry.slot == "grad":
                gradients.append((entry.tensor, tensor, cell, cell.payload))
        self._arrays, self._gradients, self._written, self.placed = tuple(found), gradients, written, placed
        self.ids = {id(a) for a, entry in zip(found, self.state, strict=True) if entry.updated}
        self._epoch, self.untouched_since = cells.counters.epoch, cells.counters.touched
        if related:
            self._epoch = self.untouched_since = -1
        elif not self.of_arguments:
            self.taken, self.taken_until = self._arrays, self._epoch
            if not (self.placed or self.numbers):
                self.fixed, self.fixed_until = self._arrays, self._epoch
        return self._arrays

    def follow(self) -> None:
        """Find the tensors that the program's own writes have put into the entries' places; keep their arrays.

        Where one isn't as the program takes it, all arrays are taken again at the next call.
        """
        known = self._can_follow and self._epoch == cells.counters.epoch and self._arrays is not None
        arrays, placed = list(self._arrays or ()), []
        for k, entry, dtype, shape in self.looked_up:
            if not self.find(entry):
                known = False
                continue
            tensor = entry.tensor
            array = tensor._storage.payload
            known = known and not entry.updated and tensor._dtype is dtype
            if not known or type(array) is not ndarray or not _fits(array.shape, shape):
                known = False
                continue
            arrays[k] = array
            placed.append((entry, tensor))
        if known:
            self._arrays, self.placed = tuple(arrays), placed
            self.taken, self.taken_until = self._arrays, self._epoch
        else:
            self._epoch = self.fixed_until = self.taken_until = -1

    def misfits(self) -> Iterator[tuple[str, str]]:
        """The tensors whose shapes aren't those that the program takes: their names, and how they differ, in words."""
        for entry, (_, shape) in zip(self.state, self.types, strict=True):
            x = look(entry.place) if entry.place is not None else entry.tensor
            if entry.slot == "data" and isinstance(x, Tensor) and not _fits(tuple(x.shape), shape):
                name = describe(entry.place) if entry.place is not None else entry.name
                yield name, f"the shape of {name} was {list(shape)}, now {list(x.shape)}"

    def in_place(self) -> bool:
        """Whether the tensors are still where the arrays were taken."""
        return all(look(entry.place) is tensor for entry, tensor in self.placed)  # type: ignore[arg-type]

    def find(self, entry: StateTensor) -> bool:
        """Look the tensor up that is in the entry's place now; whether the program can take it."""
        assert entry.place is not None
        now = look(entry.place)
        if now is entry.tensor:
            return True
        if type(now) is not type(entry.tensor) or now.stop_gradient is not entry.tensor.stop_gradient:
            return False
        if entry.form is not None and form_in_memory(now) != entry.form:
            return False
        others = self.updated
        if entry.updated:
            others = [s.tensor._storage for s in self.state if s is not entry and s.slot == "data"]
        if entry.slot == "data" and now._storage in others:
            return False  # one cell in two places, one of which is written
        if cells.is_view(now._storage) and not entry.is_cut and cells.root_of(now._storage) in others:
            return False
        entry.tensor = now
        self.tensors = [other.tensor for other in self.state]
        if entry.updated:
            self.updated = self._updated()
        return True

    def tensor(self, number: int, leaves: Sequence[Any]) -> Tensor:
        """The tensor of a state entry in a call with these arguments."""
        found: Tensor | None = _tensor_at(self.state[number], leaves)
        assert found is not None
        return found

    def wrote(self) -> None:
        """Count the writes that a run has done."""
        place = user_place()
        for cell in self.updated:
            cell.version += 1
            cell.place = place
            if type(cell.shared) is cells.Sharing:
                cell.shared.leave_stale()


def _tensor_at(entry: StateTensor, leaves: Sequence[Any]) -> Any:
    if entry.slot == "argument":
        assert entry.place is not None
        return leaves[entry.place.name]._grad
    return entry.tensor if entry.slot == "data" else entry.tensor._grad


def _fits(shape: tuple[int, ...], expected: tuple[Any, ...]) -> bool:
    return shape == expected or (
        len(shape) == len(expected)
        and all(not isinstance(e, int) or e == n for e, n in zip(expected, shape, strict=True))
    )
