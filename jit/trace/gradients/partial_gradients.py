"""Gradients under a trace that only some runs have, each with the bool of the program that tells.

Eager mode gives the others None. What operations with blocks tell (see ../block_results.py) goes on through the tape:
the gradients that a step gives are there where one has arrived at it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ....dygraph.storage import CLEARED, Storage
from ....dygraph.tensor import Tensor, wrap
from ....ops.op import OPS
from ....passes.autodiff.reverse import Arrived


class RenewedGradients:
    """The `.grad`s that a function clears before it reads or adds to them, and makes anew: what was there before the
    call doesn't count. That holds for what the function does itself, outside of branches and loops.
    """

    def __init__(self) -> None:
        self._cleared: dict[int, Tensor] = {}  # and not made anew so far
        self._made: dict[int, Tensor] = {}

    def __contains__(self, x: Tensor) -> bool:
        return id(x) in self._made

    def write(self, tracer: Any, x: Tensor, gradient: Any) -> None:
        """`.grad` changes: `gradient` is added to it, it is cleared, or (None) set."""
        was_cleared = self._cleared.pop(id(x), None) is not None
        if len(tracer.blocks) > 1 or len(tracer.logs) > 1:
            return
        if gradient is CLEARED:
            if was_cleared or (id(x) not in tracer.logs[0].grads and id(x) not in tracer.grads_met):
                self._cleared[id(x)] = x
        elif was_cleared and (gradient is None or tracer.partial.flag(gradient) is None):
            self._made[id(x)] = x

    def read(self, x: Tensor) -> bool:
        """`.grad` is read, or looked at; whether it was cleared and not made anew."""
        return self._cleared.pop(id(x), None) is not None


class PartialGradients:
    """Which gradients of a trace are partial. value_of: the program's value of a tensor."""

    def __init__(self, value_of: Callable[[Tensor], Any]) -> None:
        self._value_of = value_of
        self._flags: weakref.WeakKeyDictionary[Storage, Tensor] = weakref.WeakKeyDictionary()
        self._inexact: weakref.WeakSet[Storage] = weakref.WeakSet()  # those that needn't be zeros where they aren't

    def flag(self, grad: Tensor) -> Tensor | None:
        """The bool that tells whether a gradient is there; None: it always is."""
        return self._flags.get(grad._storage)

    def resolve(self, grad: Tensor) -> None:
        """A gradient is there: the path that is traced is one that has it."""
        self._flags.pop(grad._storage, None)
        self._inexact.discard(grad._storage)

    def arrived(self, grad: Tensor) -> Arrived:
        """A gradient as one of the program."""
        flag = self.flag(grad)
        there = None if flag is None else self._value_of(flag)
        return Arrived(self._value_of(grad), there, grad._storage not in self._inexact)

    def made(self, arrived: Arrived) -> Tensor:
        """A gradient of the program as a tensor."""
        made = wrap(arrived.gradient, arrived.gradient.dtype)
        return made if arrived.there is None else self._with(made, wrap(arrived.there, arrived.there.dtype))

    def _with(self, grad: Tensor, flag: Tensor | None) -> Tensor:
        if flag is not None:
            self._flags[grad._storage] = flag
        return grad

    def pass_on(self, grads: Sequence[Any], results: Sequence[Any]) -> Any:
        """`results` are what a step of the tape made of `grads`; whether one of these is there: True, or a bool."""
        if not self._flags:
            return True
        flag = self._either(grads)
        for result in results:
            if flag is not None and result is not None and result._storage not in self._flags:
                self._flags[result._storage] = flag
                self._inexact.add(result._storage)
        return True if flag is None else flag

    def _either(self, grads: Sequence[Any]) -> Tensor | None:
        found = [self.flag(g) for g in grads if g is not None]
        flags = {id(f): f for f in found if f is not None}
        if not flags or any(f is None for f in found):
            return None
        joint: Tensor
        joint, *more = flags.values()
        for flag in more:
            joint = OPS["logical_or"](joint, flag)
        return joint

    def add(self, a: Tensor, b: Tensor) -> Tensor:
        """The sum of two gradients of one tensor."""
        made: Tensor = self.zeroed(a) + self.zeroed(b)
        return self._with(made, self._either([a, b]))

    def zeroed(self, grad: Tensor) -> Tensor:
        """A gradient, zeros where it isn't there."""
        if grad._storage not in self._inexact:
            return grad
        flag = self._flags[grad._storage]
        return self._with(OPS["where"](flag, grad, OPS["full"]((), 0, grad.dtype)), flag)
