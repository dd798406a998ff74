"""Functions that write their result into their first operand: the names that end in `_`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtype import Retyping, never
from ..base.errors import KindError
from ..ops.arith import exact
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS
from . import storage as cells
from .modes import is_recording
from .places import loc_of, user_place
from .tensor import Tensor
from .view_functions import VIEWING
from .view_writes import reform

# functions (not elementwise rows, which all have one) with an in-place variant `name_`
IN_PLACE = (
    "addmm", "baddbmm", "bitwise_left_shift", "bitwise_right_shift", "clip", "copysign", "deg2rad",
    "fill_diagonal", "fill_diagonal_tensor", "frac", "gammaln", "heaviside", "hypot", "index_add", "index_fill",
    "index_put", "ldexp", "lerp", "lgamma", "logaddexp", "logit", "masked_fill", "masked_scatter", "multigammaln",
    "nan_to_num", "polygamma", "pow", "put_along_axis", "rad2deg", "renorm", "round", "scale", "scatter", "scatter_add",
    "sgn", "sigmoid", "sinc", "softmax", "stanh", "tril", "triu",
)  # fmt: skip
RESHAPING_IN_PLACE = ("cumprod", "cumsum", "flatten", "reshape", "squeeze", "t", "transpose", "unsqueeze")
RETYPING_IN_PLACE = (  # what they give may have another dtype, which the tensor takes on
    "cast", "cumprod", "cumsum", "equal", "exp", "greater", "greater_equal", "greater_than", "less", "less_equal",
    "less_than", "log", "log10", "log1p", "log2", "logical_and", "logical_not", "logical_or", "logical_xor",
    "not_equal",
)  # fmt: skip
WIDENING_IN_PLACE = (  # a float tensor takes on the wider dtype of the other operand, any tensor a complex one
    "add", "copysign", "divide", "floor_divide", "hypot", "ldexp", "multiply", "remainder", "subtract",
)  # fmt: skip


def written(
    x: Any,
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    *,
    reshapes: bool = False,
    retypes: Retyping = never,
) -> Any:
    """`fn(x, ...)` written into x, which is returned. While a program is built by hand nothing is written: as in
    Paddle, the result is a new variable, with a warning.

    Errors: KindError if x isn't a tensor; else as `fn`, and ArgumentError for a leaf that needs a gradient.
    """
    name = getattr(fn, "name", getattr(fn, "__name__", "op")).rstrip("_")
    if not isinstance(x, Tensor):
        raise KindError(f"{name}_ writes into a tensor, not into {type(x).__name__}")
    if not current().is_static:
        if reshapes and type(x._storage.shared) is cells.Sharing and name in VIEWING:
            return reform(x, lambda old: VIEWING[name](old, *args, **(kwargs or {})))
        return x._update(fn, args, kwargs or {}, reshapes=reshapes, retypes=retypes)
    place = loc_of(user_place())
    text = f"{name}_ writes nothing in place while a program is built: it is {name} there"
    warnings.warn_explicit(text, UserWarning, place.file, place.line)
    return fn(x, *args, **(kwargs or {}))


def array_to_overwrite(x: Any) -> np.ndarray[Any, Any] | None:
    """The contiguous array of a tensor that eager mode may write to as it is; None where a write has more to it."""
    if not isinstance(x, Tensor) or x._node is not None or cells.on_write is not None:
        return None
    cell = x._storage
    if cell.__class__ is not cells.Storage or cell.shared or (not x._stop and is_recording()):
        return None
    array = cell.payload
    return array if type(array) is np.ndarray and array.flags.c_contiguous else None


def overwrite(x: Tensor, made: Any) -> None:
    """Put an array's elements into a tensor that has an `array_to_overwrite`."""
    cell = x._storage
    np.copyto(cell.payload, made)
    cell.version += 1
    cell.place = user_place()


def fill_(x: Tensor, value: Any) -> Tensor:
    """Set every element to `value`: a number, or a tensor that broadcasts. Errors: KindError for a list."""
    if isinstance(value, (list, tuple)):
        raise KindError(f"fill_ takes a number, not a {type(value).__name__}")
    filled = exact(current().constant(value, x._dtype))
    if not x.stop_gradient and not x.is_leaf:  # what x came from gets zeros for a gradient
        filled = FUNCTIONS["where"](FUNCTIONS["full"](x.shape, False, "bool"), x, filled)
    return x.copy_(filled)


def zero_(x: Tensor) -> Tensor:
    """Set every element to zero."""
    return fill_(x, 0)


def clip_(x: Tensor, min: Any = None, max: Any = None, name: str | None = None) -> Tensor:
    """`clip`, written in place. Integers stay integers: what bounds have behind the point is dropped."""

    def clip(source: Tensor, min: Any, max: Any) -> Any:
        return FUNCTIONS["clip"](source, *[_whole(b, source) if source.dtype.is_integer else b for b in (min, max)])

    made: Tensor = written(x, clip, (min, max))
    return made


def _whole(bound: Any, x: Tensor) -> Any:
    if isinstance(bound, float):
        return int(bound) if math.isfinite(bound) else None if bound in (math.inf, -math.inf) else bound
    is_fraction = getattr(getattr(bound, "dtype", None), "is_floating", False) and not isinstance(bound, Tensor)
    return FUNCTIONS["cast"](bound, x.dtype) if is_fraction else bound


BY_HAND = {fn.__name__: fn for fn in (fill_, zero_, clip_)}
