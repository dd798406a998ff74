"""What a trace changed of tensors: their cells, `.grad`s and places in the graph, so that it can be put back.

A `Log` notes the state from before the first write of each thing. A region (a branch, one iteration of a loop) has a
log of its own: its writes are undone when it ends, and what they amount to is carried by the region's results.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....dygraph import storage as cells
from ....dygraph.storage import Sharing, Storage
from ....dygraph.tape import next_order
from ....dygraph.tensor import Tensor


@dataclass(slots=True)
class Log:
    """The state from before the first write, for everything written since the log was opened."""

    storages: dict[int, tuple[Storage, Any, int, Any, Any]] = field(
        default_factory=dict
    )  # payload, version, place, shared
    tensors: dict[int, tuple[Tensor, Any, int, bool]] = field(default_factory=dict)  # node, slot, stop_gradient
    grads: dict[int, tuple[Tensor, Any, bool]] = field(default_factory=dict)  # _grad, _grad_is_zero
    arrays: dict[int, tuple[Storage, Any]] = field(default_factory=dict)  # contents, where eager code wrote
    stops: dict[int, tuple[Tensor, bool]] = field(default_factory=dict)  # stop_gradient, of tensors from outside
    frozen: dict[int, tuple[Tensor, Exception]] = field(default_factory=dict)  # for some lines of a region
    freed: dict[Any, tuple[Any, Any]] = field(default_factory=dict)  # flags of steps that backward passes freed
    aliases: dict[int, weakref.ref[Tensor]] = field(default_factory=dict)  # made by detach() since the log was opened
    since: int = field(default_factory=next_order)  # steps of the tape that were made later have larger numbers

    def is_new(self, x: Tensor) -> bool:
        """Whether a tensor is an alias that nobody had when the log was opened."""
        ref = self.aliases.get(id(x))
        return ref is not None and ref() is x

    def write(self, x: Tensor) -> None:
        """`x` is about to be written in place."""
        cell = x._storage
        if id(cell) not in self.storages:
            self.storages[id(cell)] = (cell, cell.payload, cell.version, cell.place, cell.shared)
        self.write_place(x)

    def write_place(self, x: Tensor) -> None:
        """The place of `x` in the graph is about to change."""
        if id(x) not in self.tensors:
            self.tensors[id(x)] = (x, x._node, x._slot, x.stop_gradient)

    def write_eagerly(self, x: Tensor) -> None:
        """Eager code inside the trace (a trial run) is about to write the elements of `x`."""
        if id(x._storage) not in self.arrays and isinstance(x._storage.payload, np.ndarray):
            self.arrays[id(x._storage)] = (x._storage, x._storage.payload.copy())

    def write_grad(self, x: Tensor) -> None:
        """`x.grad` is about to change."""
        if id(x) not in self.grads:
            self.grads[id(x)] = (x, x._grad, x._grad_is_zero)

    def write_stop(self, x: Tensor) -> None:
        """`x.stop_gradient` is about to change."""
        self.stops.setdefault(id(x), (x, x._stop))

    def freeze(self, x: Tensor, refusal: Exception) -> bool:
        """Whether a region may change `x.stop_gradient`, of a tensor from outside: it sets it, and puts it back.

        refusal: what its end raises where it doesn't.
        """
        if x._stop and id(x) not in self.frozen:
            return False
        self.frozen.setdefault(id(x), (x, refusal))
        return True

    def refuse_frozen(self) -> None:
        """The region ends: what it has frozen needs gradients again, as before."""
        for x, refusal in self.frozen.values():
            if x._stop:
                raise refusal

    def thaw(self) -> None:
        """Let all that it has frozen need gradients again."""
        for x, _ in self.frozen.values():
            x._stop = False
            cells.counters.touched += 1
            cells.counters.stops += 1

    def free(self, graphs: Any, group: Any) -> None:
        """The flag of steps that a backward pass frees is about to change (see ../gradients/freed_graphs.py)."""
        self.freed.setdefault(group, (graphs, graphs.flags.get(group, False)))

    def undo(self) -> None:
        """Put everything back."""
        for group, (graphs, flag) in self.freed.items():
            graphs.flags[group] = flag
        for cell, payload, version, place, shared in self.storages.values():
            cell.payload, cell.version, cell.place = payload, version, place
            if type(cell.shared) is not Sharing:  # of views that are cut since
                cell.shared = shared
        for x, node, slot, stop in self.tensors.values():
            x._node, x._slot, x._stop = node, slot, stop
            cells.counters.touched += 1
            cells.counters.stops += 1
        for x, grad, is_zero in self.grads.values():
            x._grad, x._grad_is_zero = grad, is_zero
            cells.counters.touched += 1
        for x, stop in self.stops.values():
            x._stop = stop
            cells.counters.touched += 1
            cells.counters.stops += 1
        for cell, array in self.arrays.values():
            cell.replace(array)

    def join(self, inner: Log) -> None:
        """The inner log's region stays as it is: its writes count as writes of this one."""
        for name in ("storages", "tensors", "grads", "arrays", "stops", "freed", "aliases"):
            ours, theirs = getattr(self, name), getattr(inner, name)
            for key, entry in theirs.items():
                ours.setdefault(key, entry)
