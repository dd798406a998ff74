"""Paddle's arrays of tensors: Python lists, written and read by functions that take a tensor as index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, AxisError, KindError
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS, OPS
from .tensor import Tensor


class TensorArray(list[Tensor]):
    """An array of a static program: a list that `is_tensor` takes for a variable, as in Paddle."""


def create_array(dtype: Any = "float32", initialized_list: Sequence[Tensor] | None = None) -> list[Tensor]:
    """A list of tensors, empty or with the tensors of `initialized_list`. Errors: KindError for other objects in it.

    >>> create_array("float32")
    []
    """
    as_dtype(dtype)
    if initialized_list is None:
        return _array([])
    if not isinstance(initialized_list, (list, tuple)):
        raise KindError(f"create_array: initialized_list must be a list, not a {type(initialized_list).__name__}")
    for x in initialized_list:
        if not isinstance(x, Tensor):
            raise KindError(f"create_array: initialized_list holds a {type(x).__name__}, not a tensor")
    return _array(initialized_list)


def _array(tensors: Sequence[Tensor]) -> list[Tensor]:
    return TensorArray(tensors) if current().is_static else list(tensors)


def array_write(x: Tensor, i: Any, array: list[Tensor] | None = None) -> list[Tensor]:
    """Set element i of the list, or put x at its end if i is its length; the list, a new one unless it was given.

    Errors: AxisError (an IndexError) for an index beyond the length; ArgumentError for one that only a run knows.

    >>> from .assignment import assign
    >>> len(array_write(assign([1.0]), 0))
    1
    """
    made = create_array(x.dtype) if array is None else _checked(array, "array_write")
    place = _index(i, "array_write")
    if place > len(made):
        raise AxisError(f"array_write: the array has {len(made)} elements, number {place} can't be set")
    if place == len(made):
        made.append(x)
    else:
        made[place] = x
    return made


def array_read(array: list[Tensor], i: Any) -> Tensor:
    """Element i of the list. Errors: AxisError (an IndexError) for an index that isn't there; else as `array_write`."""
    place = _index(i, "array_read")
    if not 0 <= place < len(_checked(array, "array_read")):
        raise AxisError(f"array_read: the array has {len(array)} elements, there is no number {place}")
    return array[place]


def tensor_array_to_tensor(
    input: list[Tensor], axis: int = 1, use_stack: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The tensors of a list joined along `axis` (stacked: along a new one), and their sizes along it, int32.

    Errors: KindError for what isn't a list.

    >>> from .assignment import assign
    >>> joined, sizes = tensor_array_to_tensor([assign([1.0]), assign([2.0, 3.0])], axis=0)
    >>> joined.tolist(), sizes.tolist()
    ([1.0, 2.0, 3.0], [1, 2])
    """
    parts = _checked(input, "tensor_array_to_tensor")
    sizes = [1 if use_stack else int(x.shape[axis]) for x in parts]
    join = FUNCTIONS["stack"] if use_stack else OPS["concat"]
    return join(parts, axis), current().constant(np.array(sizes, np.int32), None)


def array_length(array: list[Tensor]) -> Any:
    """How many elements the list has: a number, in a static program a tensor i64[1]."""
    count = len(_checked(array, "array_length"))
    return current().constant(np.array([count]), None) if current().is_static else count


def _checked(array: Any, who: str) -> list[Tensor]:
    if not isinstance(array, list):
        raise KindError(f"{who}: array must be a list made by create_array, not a {type(array).__name__}")
    return array


def _index(i: Any, who: str) -> int:
    if isinstance(i, (int, np.integer)):
        return int(i)
    if not isinstance(i, Tensor):
        raise KindError(f"{who}: i must be an integer tensor of one element, not a {type(i).__name__}")
    if any(d != 1 for d in i._storage.payload.shape):
        raise ArgumentError(f"{who}: i must have one element, not the shape {list(i.shape)}")
    array = current().known(i)
    if array is None and not current().is_static:
        return int(i.item())
    if array is None:
        raise ArgumentError(
            f"{who}: only a run of the program knows the index",
            remedy="use static.nn.while_loop with stacked tensors, or to_static with a list",
        )
    return int(array.item())
