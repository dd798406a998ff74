"""Whether two values that code reaches a point with are the same, so that a program needn't tell them apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....base.size import is_list
from ....dygraph.given_array import GivenArray
from ....dygraph.number import Number
from ....dygraph.storage import elements_of, held, is_view, root_of
from ....dygraph.tensor import Tensor
from ....dygraph.views import steps_of
from ....ir.core import Value
from ....ops.dims import Dim, same_dim
from ...trace.state.rollback import same
from .markers import Maybe, Poison, Undefined


def same_value(a: Any, b: Any, *, as_objects: bool = True) -> bool:
    """Whether two values are the same, so that nothing needs to be carried. as_objects: two equal lists are two."""
    if same(a, b):
        return True
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return (
            type(a) is type(b)
            and elements_of(a._storage) is elements_of(b._storage)
            and a.stop_gradient == b.stop_gradient
            and a._node is b._node
        )
    if isinstance(a, Dim) and isinstance(b, Dim):
        return same_dim(a, b)
    if type(a) is not type(b):
        return False
    if as_objects and (is_list(a) or isinstance(a, dict)):
        return False
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same_value(x, y, as_objects=as_objects) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same_value(a[k], b[k], as_objects=as_objects) for k in a)
    if isinstance(a, Maybe):
        return same_value(a.value, b.value) and same_value(a.flag, b.flag)
    if isinstance(a, Undefined):
        return not isinstance(a, Poison)
    return isinstance(a, (range, slice, frozenset)) and a == b


def is_plain_tensor(x: object) -> bool:
    """Whether a value is a tensor, and no number or array."""
    return isinstance(x, Tensor) and not isinstance(x, (Number, GivenArray))


def is_own_array(x: Any) -> bool:
    """Whether a value is an array with memory of its own."""
    return isinstance(x, GivenArray) and x.base is None and not x.is_joint


def same_rank(a: Any, b: Any) -> bool:
    """Whether two values are tensors of as many axes."""
    return isinstance(a, Tensor) and isinstance(b, Tensor) and len(a.shape) == len(b.shape)


def is_callers_view(x: object) -> bool:
    """Whether a tensor is a view of one that the caller has, and shows what that one holds, whatever the path."""
    if not is_told_view(x):
        return False
    payload = root_of(x._storage).payload  # type: ignore[attr-defined]
    return not isinstance(payload, Value) or payload.operation is None


def is_told_view(x: object) -> bool:
    """Whether a tensor is a view that code has made, by cuts that no run tells."""
    if not isinstance(x, Tensor) or not is_view(x._storage) or not x.stop_gradient or isinstance(held(x), np.ndarray):
        return False
    return not any(isinstance(part, (Tensor, Dim)) for part in _everything([p for _, p in steps_of(x)[1]]))


def _everything(part: Any) -> Iterator[Any]:
    if isinstance(part, (tuple, list)):
        for inner in part:
            yield from _everything(inner)
    elif isinstance(part, slice):
        yield from (part.start, part.stop, part.step)
    else:
        yield part
