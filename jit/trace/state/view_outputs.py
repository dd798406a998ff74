"""Views among what a function gives to its caller: each call makes them views of what they are cut from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ....base.dtype import int64
from ....base.errors import CaptureError
from ....dygraph.storage import held, is_view, root_of
from ....dygraph.tensor import Tensor
from ....dygraph.views import UNTOLD, over, steps_of
from ....ops.dims import Dim
from ..traced import Cut, Hole, OutputLeaf


class ViewOutputs:
    """The tensors that come out, by the memory that they are in.

    It matters for views of tensors that the caller has, and for those that come out beside others of their memory.
    """

    def __init__(self, ending: Any) -> None:
        self.ending = ending
        self._found: list[tuple[Tensor, Any]] = []  # what one is cut from, and how; None: only some paths know
        self._there: dict[int, set[int]] = {}  # cell -> the tensors over it, and views of it, that come out
        self.cuts: list[Cut | None] = []

    def meet(self, leaf: OutputLeaf, x: Tensor) -> OutputLeaf:
        """A tensor that comes out as a fetch."""
        aliases = self.ending.tracer.aliases
        root = root_of(x._storage)
        self._there.setdefault(id(root), set()).add(id(x))
        if is_view(x._storage):
            self._found.append(steps_of(x))
        elif x._storage in aliases.of_views:
            sources = [cell for cell in aliases.sources(x._storage) if self._is_callers(cell)]
            if not sources:
                return leaf
            self._found.append((over(sources[0], x._dtype), None))
        else:
            return leaf
        return replace(leaf, view=len(self._found) - 1)

    def _is_callers(self, cell: Any) -> bool:
        ending = self.ending
        return isinstance(cell.payload, np.ndarray) or id(cell) in ending.owners or id(cell) in ending.tracer.lifted

    def settle(self) -> None:
        """When all has come out: find out which are views, and of what."""
        for root, steps in self._found:
            cell = root._storage
            if not self._is_callers(cell) and len(self._there[id(cell)]) < 2:
                self.cuts.append(None)
                continue
            base = self.ending.leaf(root)
            if base.form == "copy" or base.kind not in ("fetch", "argument", "state", "outside"):
                steps = None
            try:
                made = tuple((kind.name, _mapped(part, self._hole)) for kind, part in steps or ())
            except CaptureError:  # by what only a branch or loop knows
                made = ()
            self.cuts.append(Cut(base, made or ((UNTOLD.name, None),)))

    def _hole(self, x: Any) -> Hole:
        tracer = self.ending.tracer
        return Hole(self.ending.fetch(tracer.value_of(x if isinstance(x, Tensor) else tracer.constant(x, int64))))

    def cut(self, leaf: OutputLeaf, resolve: Callable[[OutputLeaf], OutputLeaf]) -> OutputLeaf:
        """A leaf with what its tensor is cut from."""
        found = None if leaf.view < 0 else self.cuts[leaf.view]
        return leaf if found is None else replace(leaf, cut=replace(found, base=resolve(found.base)))


def from_outside(x: Tensor) -> bool:
    """Whether a tensor is a view that was there before the function ran."""
    return is_view(x._storage) and isinstance(held(x), np.ndarray)


def _mapped(part: Any, made: Callable[[Any], Any]) -> Any:
    if isinstance(part, (Tensor, Dim, Hole)):
        return made(part)
    if isinstance(part, (tuple, list)):
        return tuple([_mapped(p, made) for p in part])
    if isinstance(part, slice):
        return slice(*[_mapped(p, made) for p in (part.start, part.stop, part.step)])
    return part


def filled(cut: Cut, number: Callable[[int], Any]) -> list[tuple[str, Any]]:
    """The steps of a cut, with the numbers of a run."""
    return [(kind, _mapped(part, lambda hole: number(hole.number))) for kind, part in cut.steps]
