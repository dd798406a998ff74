"""NumPy arrays among what a function gives to its caller: one array stays one, and views are views of what they show.

Each call gives the arrays of a run with memory of their own. What shows the memory of an array among the arguments, or
of one that comes out, too, is cut from it again: by the same operations, which NumPy carries out without copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....base.dtype import ALL, int64
from ....base.errors import CaptureError
from ....dygraph.given_array import GivenArray, given_array, view_of
from ....dygraph.tensor import Tensor
from ....ops.op import OPS
from ..state.view_outputs import filled, mapped
from ..traced import Cut, Hole, OutputLeaf

Array = np.ndarray[Any, Any]
_FIRST = -2  # of the numbers that stand for arrays in `OutputLeaf.view` while the trace ends


class ArrayOutputs:
    """The arrays that come out, by the memory that they are in."""

    def __init__(self, ending: Any) -> None:
        self.ending = ending
        self._met: list[GivenArray] = []
        self._found: list[OutputLeaf | Cut | None] = []
        self._own: dict[int, OutputLeaf] = {}  # arrays that are more than one result, or part of one
        self._made: dict[int, tuple[Array, GivenArray]] = {}  # Python's own arrays, with what stands for them

    def is_made(self, v: Any) -> bool:
        """Whether something is an array that the function has made, and that each call makes anew: those from outside
        are read-only for now, but for views of them that the function has cut and gives out.
        """
        if type(v) is not np.ndarray:
            return False
        if not v.flags.writeable:
            root, locked = _memory_of(v), self.ending.tracer.objects.locked.arrays
            if not any(x is v for x in locked) and any(_memory_of(x) is root for x in locked):
                locked.append(v)  # is writable again when those are
            return False
        return _is_number_type(v.dtype)

    def of_run(self, array: Array) -> GivenArray:
        """What stands for such an array: its elements are part of the program."""
        if id(array) in self._made:
            return self._made[id(array)][1]
        root = _memory_of(array)
        value = self.ending.tracer.constant(array, None)
        made = given_array(value.detach())
        self._made[id(array)] = array, made
        if root is not array and root.flags.c_contiguous and root.dtype == array.dtype:
            base, payload = self.of_run(root), value._storage.payload
            where = {"shape": array.shape, "offset": _address(array) - _address(root), "strides": array.strides}
            view_of(base, base._storage.payload, made, lambda _: payload, ("strided", (), where, 0))
        return made

    def meet(self, leaf: OutputLeaf, x: GivenArray) -> OutputLeaf:
        """An array that comes out as a fetch."""
        self._met.append(x)
        return replace(leaf, view=_FIRST - len(self._met) + 1)

    def tell(self) -> None:
        """When all has come out: find out which show the memory of others."""
        shown = Counter(id(_root(x)) for x in self._met)
        for x in self._met:
            root = _root(x)
            try:
                base = self._base(root, shown[id(root)] > 1)
                steps = tuple(map(self._step, _cuts_of(x))) if base is not None else ()
            except CaptureError:  # by what only a branch or loop knows
                base, steps = None, ()
            self._found.append(Cut(base, steps) if base is not None and steps else base)

    def _base(self, root: GivenArray, is_shared: bool) -> OutputLeaf | None:
        """The array behind some that come out, as a result of its own; None where only one of them shows it."""
        number = self.ending.owners.get(id(root._storage))
        if number is not None:
            return OutputLeaf("argument", number)
        if is_shared and id(root) not in self._own:
            fetches = self.ending.fetches
            fetches.append(self.ending.tracer.value_of(root))  # in memory that nothing else is in
            self._own[id(root)] = OutputLeaf("array", len(fetches) - 1, form="copy")
        return self._own.get(id(root))

    def _step(self, cut: tuple[str, tuple[Any, ...], dict[str, Any], int]) -> tuple[str, Any]:
        """An operation as a step of a cut."""
        name, rest, attrs, number = cut
        operands = tuple([Hole(self.ending.fetch(value)) for value in map(self._outer, rest)])
        return name, (operands, mapped(tuple(attrs.items()), self._hole), number)

    def _outer(self, value: Any) -> Any:
        if not self.ending.tracer.is_outer(value):
            raise CaptureError("an index of a branch or loop isn't known at the end")
        return value

    def _hole(self, x: Any) -> Hole:
        tracer = self.ending.tracer
        return Hole(self.ending.fetch(tracer.value_of(x if isinstance(x, Tensor) else tracer.constant(x, int64))))

    def cut(self, leaf: OutputLeaf) -> OutputLeaf:
        """A leaf with the array whose memory it shows."""
        found = self._found[_FIRST - leaf.view] if leaf.view <= _FIRST else None
        if found is None:
            return leaf
        return found if isinstance(found, OutputLeaf) else replace(leaf, cut=found)


def _memory_of(array: Any) -> Any:
    """The array that has the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _address(array: Array) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


def _is_number_type(dtype: Any) -> bool:
    return any(d.numpy == dtype for d in ALL)


def _root(x: GivenArray) -> GivenArray:
    """The array that has the memory of a view."""
    while x.base is not None:
        x = x.base
    return x


def _cuts_of(x: GivenArray) -> list[tuple[str, tuple[Any, ...], dict[str, Any], int]]:
    """The operations that lead from the array behind a view to it."""
    found = []
    while x.base is not None:
        assert x.cut is not None
        found.append(x.cut)
        x = x.base
    return found[::-1]


# ---- at each call


def array_picker(leaf: OutputLeaf, picker: Callable[[OutputLeaf], Callable[..., Any]]) -> Callable[..., Any]:
    """What takes such an array from the results and arguments of a call. picker: makes this for any leaf."""
    cut, number = leaf.cut, leaf.number
    if cut is None or cut.base is None:
        return lambda made, given, state: _own_array(made[number])
    base, alone = picker(cut.base), picker(replace(leaf, cut=None))

    def pick(made: list[Any], given: Any, state: Any) -> Any:
        whole = base(made, given, state)
        found = _cut_from(whole, filled(cut, lambda k: made[k]._storage.payload.item()))
        is_view = isinstance(found, np.ndarray) and found.dtype == made[number]._storage.payload.dtype
        return found if is_view and np.may_share_memory(found, whole) else alone(made, given, state)

    return pick


def _own_array(x: Tensor) -> Any:
    """The array of a result that is asked for several times in a call."""
    known: dict[str, Any] = vars(x)
    if "array" not in known:
        known["array"] = np.array(x._storage.payload)
    return known["array"]


def _cut_from(array: Any, steps: Sequence[tuple[str, Any]]) -> Any:
    for name, (operands, attrs, number) in steps:
        if name == "strided":
            array = np.ndarray(dtype=array.dtype, buffer=array, **dict(attrs))
            continue
        if name == "select":  # whose eager form is a copy
            ((index,), ((_, axis),)) = operands, attrs
            array = array[(slice(None),) * axis + (index, ...)]
            continue
        made = OPS[name].eager(array, *operands, **dict(attrs))
        array = made[number] if isinstance(made, (tuple, list)) else made
    return array
