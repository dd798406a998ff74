"""Functions that write their result into a tensor given by the caller."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ..base.dtype import always, as_dtype, loses
from ..base.errors import ArgumentError, KindError
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS, OPS
from .modes import no_grad
from .number import Number
from .tensor import Tensor


def assign(x: Any, output: Tensor | None = None) -> Any:
    """A copy of a tensor, array, list or number; with `output`, written into that tensor, which is returned.

    Python's numbers keep their width: floats are float64, ints int64. A number is a tensor of shape [1], as in Paddle.
    An output takes on another shape. It keeps its dtype, but for fractions in integers and imaginary parts in real
    numbers, which would be lost: then it takes on that of `x`.

    Gradients flow through it. Errors: KindError for other objects; in a block of a program, ShapeError for an output of
    another rank; in a captured function DTypeError for an output of a dtype that would lose something.

    >>> assign([1.0, 2.0]).tolist()
    [1.0, 2.0]
    """
    if type(x) is Number or (isinstance(x, list | tuple) and any(type(part) is Number for part in x)):
        made = _of_numbers(x)
    elif isinstance(x, Tensor):
        made = OPS["assign"](x)
    elif isinstance(x, (bool, int, float, complex, list, tuple, np.ndarray, np.generic)):
        if isinstance(x, np.ndarray) and x.dtype == object:
            raise KindError("assign: the array holds Python objects", remedy="give an array of numbers")
        made = current().constant(_wide(x), None)
        if isinstance(x, (bool, int, float, complex, np.generic)) and (output is None or output.ndim):
            made = OPS["reshape"](made, (1,))
    else:
        raise KindError(f"assign takes a Tensor, array, list or number, not a {type(x).__name__}")
    if output is None:
        return made
    if current().give(output, made):  # a static variable made beforehand may have no value yet
        return output
    if made.dtype is not output.dtype and not loses(output.dtype, made.dtype):
        made = OPS["cast"](made, output.dtype)
    if made.dtype is output.dtype:
        output._write(made)
    else:
        output._update(lambda _: made, (), {}, reshapes=True, retypes=always)
    return output


def _of_numbers(x: Any) -> Any:
    """Numbers of a captured function, one or a list of them with others: of Python's width."""
    parts = list(x) if isinstance(x, list | tuple) else [x]
    kinds = {part.dtype if type(part) is Number else as_dtype(np.asarray(part).dtype) for part in parts}
    dtype = max(kinds, key=lambda kind: kind.category)
    made = [current().constant(part if type(part) is Number else np.asarray(part), dtype) for part in parts]
    return FUNCTIONS["stack"]([part.snapshot() if type(part) is Number else part for part in made])


def _wide(x: Any) -> Any:
    """Numbers and lists of them as NumPy makes arrays of them; a list that holds tensors as it is."""
    if isinstance(x, float | complex) or (isinstance(x, list | tuple) and all(map(_is_plain, x))):
        try:
            made = np.array(x)
        except ValueError:  # rows of unequal lengths: `constant` says so
            return x
        return made if made.size else x
    return x


def _is_plain(x: Any) -> bool:
    return all(map(_is_plain, x)) if isinstance(x, list | tuple) else isinstance(x, bool | int | float | complex)


def increment(x: Tensor, value: float = 1.0, name: str | None = None) -> Tensor:
    """Add `value` to a tensor of one element, in place; a leaf stays one. Errors: ArgumentError for more elements.

    >>> increment(assign([1.0])).tolist()
    [2.0]
    """
    if not isinstance(x, Tensor):
        raise KindError(f"increment needs a tensor, not a {type(x).__name__}")
    if any(d != 1 for d in x._storage.payload.shape):
        raise ArgumentError(f"increment needs a tensor of one element, not of shape {list(x.shape)}")
    recording: AbstractContextManager[Any] = no_grad() if x.is_leaf else nullcontext()
    with recording:
        assign(x + OPS["full"]((), value, x.dtype), x)
    return x


Tensor.increment = increment  # type: ignore[attr-defined]
