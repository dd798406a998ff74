"""Cuts of arrays in eager mode: views with one node, and the stubs of the functions that give them.

What such a function cuts depends on the key of the call alone. The first calls of a key run in full; a later one cuts
the array, without the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ..ops.planned import KEY_IN_DETAIL
from .modes import is_recording
from .new_tensors import fresh, part_of, result
from .places import user_place
from .storage import Sharing, Storage, is_view
from .tape import Node, UnreadOperand, next_order
from .tensor import Tensor
from .views import SHAPE, STRIDED, ViewKind, is_dense, over, takes_shape

_new: Any = object.__new__


class CutNode(Node):
    """A cut of a tensor."""

    __slots__ = ("dtype", "kind", "named", "part", "shape")

    kind: ViewKind
    part: Any
    shape: tuple[int, ...]  # of the tensor when it was cut
    dtype: Any
    named: str

    @property
    def name(self) -> str:
        return self.named

    def backward(self, grads: tuple[Any, ...]) -> Sequence[Any]:
        if is_recording():
            whole = fresh(np.zeros(self.shape, self.dtype.numpy), self.dtype)
            return [self.kind.put(whole, self.part, grads[0])]
        assert self.kind.back is not None
        found = self.kind.back(grads[0]._storage.payload, self.part, self.shape)
        return [result(found, grads)]


def record_cut(made: Tensor, x: Tensor, kind: ViewKind, part: Any, name: str) -> None:
    """Put a cut on the tape."""
    node = _new(CutNode)
    node.kind, node.part, node.shape, node.dtype = kind, part, x._storage.payload.shape, x._dtype
    node.named = name
    above = x._node
    node.edges = ((x, 0) if above is None else (above, x._slot),)
    node.specs = (UnreadOperand(x._dtype, made._storage.payload.shape),)
    node.order, node.place = next_order(), user_place()
    node.hooks = node.retained = None
    node.released = False
    made._stop, made._node, made._slot = False, node, 0


class Cutting:
    """A function whose results are views of its first operand, in the place of an op in keys of the call cache."""

    key_form = KEY_IN_DETAIL

    def __init__(self, name: str, call: Callable[..., Any]) -> None:
        """call: gives views, by its arguments."""
        self.name, self.call = name, call

    def stub(self, args: Any, kwargs: dict[str, Any], operands: Sequence[Any]) -> FunctionType | None:
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
        return _stub_of_cut(kind, part, self.name if tracked else None)


def _stub_of_cut(kind: ViewKind, part: Any, name: str | None) -> Any:
    """name: of the nodes, None without."""
    cut, asks_form = kind.of_array, kind is SHAPE or kind is STRIDED

    def stub(x: Tensor) -> Any:
        cell = x._storage
        if asks_form and (sharing := cell.shared).__class__ is Sharing and sharing.base is not None:
            if not (sharing.dense or (takes_shape(x, part) if kind is SHAPE else is_dense(x))):
                return NotImplemented
        made = part_of(x, cut(cell.payload, part), kind, part)
        if name is not None:
            record_cut(made, x, kind, part, name)
        return made

    return stub


def _stub_of_parts(cuts: Sequence[tuple[ViewKind, Any]]) -> Any:
    def stub(x: Tensor) -> Any:
        array = x._storage.payload
        return [part_of(x, kind.of_array(array, part), kind, part) for kind, part in cuts]

    return stub
