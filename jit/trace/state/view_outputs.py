"""Views among what a function gives to its caller: each call makes them views of what they are cut from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ....base.dtype import int64
from ....base.errors import CaptureError
from ....dygraph.open_layouts import open_layout_of, order_of
from ....dygraph.storage import held, is_view, root_of
from ....dygraph.tensor import Tensor
from ....dygraph.views import LIES, ORDER, UNTOLD, is_dense, over, steps_of
from ....ir.core import Value
from ....ops.dims import Dim
from ..traced import Cut, Hole, OutputLeaf


class ViewOutputs:
    """The tensors that come out, by the memory that they are in.

    It matters for views of tensors that the caller has, and for those that come out beside others of their memory.
    """

    def __init__(self, ending: Any) -> None:
        self.ending = ending
        # one, what it may be cut from, and how; None: only paths know; and what that may be, on some path
        self._found: list[tuple[Tensor, list[Tensor], Any, list[Tensor]]] = []
        self._there: dict[int, set[int]] = {}  # cell -> the tensors over it, and views of it, that come out
        self.cuts: list[Cut | None] = []
        self.shown: dict[int, Tensor] = {}  # fetch -> the first tensor that came out with its value

    def form_of(self, x: Tensor, number: int) -> Literal["same", "twin", "copy"]:
        """How a tensor that comes out relates to the first that came out with its value: it, its memory, its value."""
        first = self.shown.setdefault(number, x)
        if first is x:
            return "same"
        return "twin" if first._storage is x._storage and x._node is None else "copy"

    def meet(self, leaf: OutputLeaf, x: Tensor) -> OutputLeaf:
        """A tensor that comes out as a fetch."""
        aliases = self.ending.tracer.aliases
        self.ending.tracer.asked.layouts.meet(x._storage, comes_out=True)
        root = root_of(x._storage)
        self._there.setdefault(id(root), set()).add(id(x))
        sources = aliases.sources(root) if root in aliases.of_views else []
        for cell in sources:
            self._there.setdefault(id(cell), set()).add(id(x))
        others = [over(cell, x._dtype) for cell in sources]
        if is_view(x._storage):
            behind, steps = steps_of(x)
            self._found.append((x, [behind], steps, others))
        elif others:
            self._found.append((x, others, None, []))
        else:
            return leaf
        return replace(leaf, view=len(self._found) - 1)

    def _is_shown(self, x: Tensor, told: bool) -> bool:
        """Whether the caller has a tensor over this memory, but for one view of it. Where only paths know which view it
        is, others like it that come out beside it don't count: they may be views of one another.
        """
        ending, cell = self.ending, x._storage
        if isinstance(held(x), np.ndarray) or id(cell) in ending.owners or id(cell) in ending.tracer.lifted:
            return True
        return (told or cell not in ending.tracer.aliases.of_views) and len(self._there[id(cell)]) > 1

    def _is_open(self, x: Tensor) -> bool:
        """Whether a tensor is known at the end: not one that a branch or loop has made for itself."""
        payload = held(x)
        return not isinstance(payload, Value) or self.ending.tracer.is_outer(payload)

    def tell(self) -> None:
        """When all has come out: find out which are views, and of what."""
        for x, roots, steps, others in list(self._found):  # of what these are cut from nothing further is told
            bases = self._bases(roots, told=steps is not None)
            if not bases and others:
                bases, steps = self._bases(others, told=False), None
            if not bases:
                self.cuts.append(self._lying(x) if steps is not None else None)
                continue
            told = steps is not None and bases[0].form != "copy"
            try:
                made = tuple((kind.name, mapped(part, self._hole)) for kind, part in steps or ()) if told else ()
            except CaptureError:  # by what only a branch or loop knows
                made = ()
            self.cuts.append(Cut(bases[0], made or ((UNTOLD.name, None),), tuple(bases[1:])))

    def _lying(self, x: Tensor) -> Cut | None:
        """Of a view of memory that nobody else has: how its elements lie there, if not in their order."""
        if root_of(x._storage) in self.ending.tracer.aliases.of_views or is_dense(x):
            return None
        found = open_layout_of(x._storage)
        if found is None:
            return None
        order = order_of(found)
        if order is not None:
            return Cut(None, ((ORDER, order),))
        try:
            return Cut(None, ((LIES, mapped(found.strides, self._hole)),))
        except CaptureError:  # a size that only a branch or loop knows
            return None

    def _bases(self, roots: Sequence[Tensor], *, told: bool) -> list[OutputLeaf]:
        return [self.ending.leaf(x) for x in roots if self._is_shown(x, told) and self._is_open(x)]

    def _hole(self, x: Any) -> Hole:
        tracer = self.ending.tracer
        return Hole(self.ending.fetch(tracer.value_of(x if isinstance(x, Tensor) else tracer.constant(x, int64))))

    def cut(self, leaf: OutputLeaf, resolve: Callable[[OutputLeaf], OutputLeaf]) -> OutputLeaf:
        """A leaf with what its tensor is cut from."""
        found = self.cuts[leaf.view] if 0 <= leaf.view < len(self.cuts) else None
        if found is None:
            return leaf
        base = None if found.base is None else resolve(found.base)
        return replace(leaf, cut=replace(found, base=base, others=tuple(map(resolve, found.others))))


def from_outside(x: Tensor) -> bool:
    """Whether a tensor is a view that was there before the function ran."""
    return is_view(x._storage) and isinstance(held(x), np.ndarray)


def mapped(part: Any, made: Callable[[Any], Any]) -> Any:
    """A part of a cut with other things in the places of tensors and sizes."""
    if isinstance(part, (Tensor, Dim, Hole)):
        return made(part)
    if isinstance(part, (tuple, list)):
        return tuple([mapped(p, made) for p in part])
    if isinstance(part, slice):
        return slice(*[mapped(p, made) for p in (part.start, part.stop, part.step)])
    return part


def filled(cut: Cut, number: Callable[[int], Any]) -> list[tuple[str, Any]]:
    """The steps of a cut, with the numbers of a run."""
    return [(kind, mapped(part, lambda hole: number(hole.number))) for kind, part in cut.steps]
