"""Arguments of a call that the program writes: what comes out of a run goes into them, and their places in the graph.

A program takes each NumPy array among them for memory of its own. Before a run it is checked that nothing else that the
program reads lies in the same memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...base.errors import ArgumentError
from ...dygraph.modes import GradMode
from ...dygraph.storage import Sharing, root_of
from ...dygraph.tensor import Tensor
from ...dygraph.view_writes import renew
from ..trace.state.taped_memory import lead_to
from ..trace.traced import Moved, Trace

_MOST_WORK = 10_000  # of NumPy's exact search for a common element


def as_before(target: Tensor) -> Tensor:
    """An argument that a call is about to write, as its gradients need it: with its elements and its place."""
    made = target.snapshot()
    if not target._stop and target._node is None:
        lead_to(made, target)
    return made


def write_into(target: Tensor, value: Tensor, moved: Moved) -> None:
    """Put a run's result into an argument; recorded where that gives it another place in the graph."""
    with GradMode(moved is not Moved.NO):
        target._write(value.detach() if moved is Moved.OUT else value)


def give_place(target: Tensor, value: Tensor, moved: Moved) -> None:
    """Give a tensor that a run has written the place in the graph of a result."""
    source = value.detach() if moved is Moved.OUT else value
    target._node, target._slot, target.stop_gradient = source._node, source._slot, source._stop
    renew(target)


class WrittenArrays:
    """The arrays that one program writes; false if there are none."""

    def __init__(self, trace: Trace) -> None:
        self.writes = [w for w in trace.tensor_writes if w.is_array]
        self.trace = trace
        known = [x for assumed in trace.assumptions for x in (assumed.owner, assumed.value)] if self.writes else []
        self.outside = [x for x in known if isinstance(x, np.ndarray)]

    def __bool__(self) -> bool:
        return bool(self.writes)

    def checked(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """`run`, which looks at the arrays first. Errors: ArgumentError where a written one overlaps with another."""

        def checked_run(leaves: Sequence[Any], *rest: Any) -> Any:
            self.check(leaves)
            return run(leaves, *rest)

        return checked_run

    def check(self, leaves: Sequence[Any]) -> None:
        """ArgumentError where an array that is written shares elements with what the program takes for another."""
        for write in self.writes:
            target = leaves[write.argument]
            if (
                0 in target.strides
                and target.size
                and any(s == 0 and n > 1 for s, n in zip(target.strides, target.shape, strict=True))
            ):
                self._refuse(write.argument, "elements that share memory")
            for k, other in enumerate(leaves):
                array = other if isinstance(other, np.ndarray) else other._storage.payload
                if other is not target and _overlap(target, array):
                    self._refuse(write.argument, f"memory in common with the argument {self._name(k)}")
            for array in self.outside:
                if _overlap(target, array):
                    self._refuse(write.argument, "memory in common with an array that the function has from outside")

    def _name(self, number: int) -> str:
        return self.trace.inputs.leaves[number].name

    def _refuse(self, number: int, what: str) -> None:
        raise ArgumentError(
            f"the array argument {self._name(number)}, which the function writes in place, has {what}",
            remedy="pass a copy() of it, or the same array object twice",
        )

    def write(self, made: Sequence[Any], leaves: Sequence[Any]) -> None:
        """Put a run's fetches into the arrays. A read-only one that the run left as it was isn't touched."""
        for write in self.writes:
            target, elements = leaves[write.argument], made[write.fetch]._storage.payload
            if target.flags.writeable or target.tobytes() != elements.tobytes():
                target[...] = elements


def require_apart(written: Any, others: Iterable[Any]) -> None:
    """ArgumentError where one of `others` is a view of what the program writes, or of what that is a view of.

    A program takes each of them for memory of its own.
    """
    if type(written._storage.shared) is not Sharing:
        return
    root = root_of(written._storage)
    for x in others:
        if isinstance(x, Tensor) and x._storage is not written._storage and root_of(x._storage) is root:
            raise ArgumentError(
                f"the function writes {written.name} in place, and {x.name} is a view of the same memory",
                remedy="give it a clone() of one of them",
            )


def _overlap(a: Any, b: Any) -> bool:
    """Whether two arrays have an element in common; where that is too hard to say, they are taken to."""
    if not np.may_share_memory(a, b):
        return False
    try:
        return bool(np.shares_memory(a, b, max_work=_MOST_WORK))  # type: ignore[arg-type]  # NumPy takes any number
    except np.exceptions.TooHardError:
        return True
