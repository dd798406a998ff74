"""Cuts of arrays in eager mode: views with one node, and the stubs of the functions that give them.

What such a function cuts depends on the key of the call alone. The first calls of a key run in full; a later one cuts
the array, without the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ops.planned import KEY_IN_DETAIL
from .modes import is_recording
from .new_tensors import cut_of, fresh, part_of, result
from .places import user_place
from .storage import Sharing, Storage, is_view
from .tape import Node, UnreadOperand, next_order
from .tensor import Tensor
from .views import SHAPE, STRIDED, ViewKind, is_dense, over, takes_shape

_new: Any = object.__new__


class CutNode(Node):
    """A cut of a tensor."""

    __slots__ = ("kind", "named", "part", "shape")

    kind: ViewKind
    part: Any
    shape: tuple[int, ...]  # of the tensor when it was cut
    named: str

    @property
    def name(self) -> str:
        return self.named

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        if is_recording():
            dtype = self.specs[0].dtype
            return [self.kind.put(fresh(np.zeros(self.shape, dtype.numpy), dtype), self.part, grads[0])]
        assert self.kind.back is not None
        found = self.kind.back(grads[0]._storage.payload, self.part, self.shape)
        return [result(found, grads)]


def record_cut(made: Tensor, x: Tensor, kind: ViewKind, part: Any, name: str, specs: Any, depth: int) -> None:
    """Put a cut on the tape. specs: as a node has them. depth: frames of this package above the user's."""
    node = _new(CutNode)
    node.kind = kind
    node.part = part
    node.shape = x._storage.payload.shape
    node.named = name
    above = x._node
    node.edges = ((x, 0) if above is None else (above, x._slot),)
    node.specs = specs
    node.order = next_order()
    node.place = user_place(depth)
    node.hooks = node.retained = None
    node.released = False
    made._stop = False
    made._node = node
    made._slot = 0
    x._storage.shared.linked = True


class Cutting:
    """A function whose results are views of its first operand, in the place of an op in keys of the call cache."""

    key_form = KEY_IN_DETAIL

    def __init__(self, name: str, call: Callable[..., Any]) -> None:
        """call: gives views, by its arguments."""
        self.name, self.call = name, call

    def stub(self, args: Any, kwargs: dict[str, Any], operands: Sequence[Any]) -> Any:
        """The stub of calls like this one; None where a call gives something else, or that depends on more."""
        x = operands[0]
        if len(operands) > 1 or not isinstance(x, Tensor):
            return None
        base = over(Storage(x._storage.payload, True), x._dtype)  # no view: it takes any form
        named = {k: base if a is x else a for k, a in kwargs.items()}
        made = self.call(*[base if a is x else a for a in args], **named)
        cuts = []
        for y in made if type(made) is list else [made]:
            if y is base or not isinstance(y, Tensor) or not is_view(y._storage) or y._storage.shared.base is not base:
                return None
            cuts.append((y._storage.shared.kind, y._storage.shared.part))
        tracked = is_recording() and not x._stop
        if type(made) is list:
            return None if tracked else _stub_of_parts(cuts)
        ((kind, part),) = cuts
        if tracked and (kind.back is None or x._dtype.category < 2):
            return None
        specs = (UnreadOperand(x._dtype, made._storage.payload.shape),) if tracked else None
        return _stub_of_cut(kind, part, self.name, specs)


def _stub_of_cut(kind: ViewKind, part: Any, name: str, specs: Any) -> Any:
    """name, specs: of the nodes; None for specs without."""
    cut, shapes, asks = kind.of_array, kind is SHAPE, kind is SHAPE or kind is STRIDED

    def stub(x: Tensor) -> Any:
        cell = x._storage
        if asks and (sharing := cell.shared).__class__ is Sharing and not sharing.is_plain():
            if not (takes_shape(x, part) if shapes else is_dense(x)):
                if specs is not None or not shapes:
                    return NotImplemented
                return result(cell.payload.reshape(part), (x,))
        array = cut(cell.payload, part)
        made = part_of(x, array, kind, part, True) if shapes else cut_of(x, array, kind, part)
        if specs is not None:
            record_cut(made, x, kind, part, name, specs, 5)
        return made

    return stub


def _stub_of_parts(cuts: Sequence[tuple[ViewKind, Any]]) -> Any:
    def stub(x: Tensor) -> Any:
        array = x._storage.payload
        return [cut_of(x, kind.of_array(array, part), kind, part) for kind, part in cuts]

    return stub
