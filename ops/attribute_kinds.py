"""What the attributes of the library's rows hold: one kind for each name of an attribute.

Calls convert their arguments (`prepare`), so programs that are captured hold nothing else. A program from a text may
hold anything, and kernels are written from it: the verifier compares each attribute with its kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.dtype import DType
from .combine import MODES as REDUCTIONS
from .create import ArrayData
from .dims import Dim
from .exchange import REDUCTIONS as JOINS
from .infer import dtype_bounds
from .lowering import Reduce
from .moves import MODES as PADDINGS
from .op import Op
from .orders import MOST_PLACES
from .types import ListType, TensorType

_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A set of values: its name in messages, and whether a value is one of them."""

    words: str
    holds: Callable[[Any], bool]

    def optional(self) -> Kind:
        """These values, or none."""
        return Kind(f"{self.words} or none", lambda v: v is None or self.holds(v))

    def each(self, words: str) -> Kind:
        """Tuples of these values."""
        return Kind(words, lambda v: isinstance(v, tuple) and all(map(self.holds, v)))


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(_LEAST <= value <= _MOST)


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_, float, np.floating)) or _is_int(value)


def _is_size(value: Any) -> bool:
    return isinstance(value, Dim) or (_is_int(value) and value >= 0)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(v, Dim) or _is_int(v) for v in value)


def _are_pairs_of_strings(value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(v, tuple) and len(v) == 2 and all(isinstance(x, str) for x in v) for v in value
    )


def _are_links(value: Any) -> bool:
    """Whether each entry has two places among the entries (-1: none) and a flag."""
    return isinstance(value, tuple) and all(
        isinstance(v, tuple)
        and len(v) == 3
        and isinstance(v[2], bool)
        and all(_is_int(x) and -1 <= x < len(value) for x in v[:2])
        for v in value
    )


def _of_class(words: str, *classes: type) -> Kind:
    return Kind(words, lambda v: isinstance(v, classes))


def _from(least: int) -> Kind:
    return Kind(f"an int of at least {least}", lambda v: _is_int(v) and v >= least)


def _one_of(*words: str) -> Kind:
    return Kind(" or ".join(f'"{w}"' for w in words), lambda v: isinstance(v, str) and v in words)


FLAG = _of_class("true or false", bool, np.bool_)
INT = Kind("an int of 64 bits", _is_int)
NUMBER = Kind("a number (an int has at most 64 bits)", _is_number)
COMPLEX = Kind("a number (an int has at most 64 bits)", lambda v: isinstance(v, complex) or _is_number(v))
STEP = Kind("a number other than 0", lambda v: _is_number(v) and v != 0)
SIZE = Kind("a size", _is_size)
SIZES = SIZE.each("a tuple of sizes")
SHIFTS = Kind("an int or a size", lambda v: isinstance(v, Dim) or _is_int(v)).each("a tuple of ints or sizes")
STRIDE = Kind("an int other than 0", lambda v: _is_int(v) and v != 0)
STEPS = STRIDE.each("a tuple of ints other than 0")
POSITIVE = _from(1).each("a tuple of ints above 0")
PAIRS = Kind("a tuple of pairs of ints", lambda v: isinstance(v, tuple) and all(map(_is_pair, v)))
AXIS, AXES = _from(0), _from(0).each("a tuple of axes, counted from 0")
STRING = _of_class("a string", str)
TYPE = _of_class("a type", TensorType, ListType)
NAMES = _of_class("a name", Dim).each("a tuple of names of sizes").optional()
TUPLE = _of_class("a tuple", tuple)

KINDS: dict[str, Kind] = {
    **dict.fromkeys(
        (
            "causal", "ceil_mode", "complete", "descending", "exclusive", "forward", "full_matrices", "hermitian",
            "include_self", "inverse", "keepdim", "largest", "normalized", "relu", "reverse", "right", "transpose",
            "transpose_x", "transpose_y", "transposed", "unitriangular", "upper",
        ), FLAG,
    ),
    **dict.fromkeys(
        (
            "alpha", "beta", "fastemit", "high", "iou_threshold", "low", "max", "mean", "min", "n", "negative_slope",
            "scale", "start",
            "std", "threshold",
        ), NUMBER,
    ),
    **dict.fromkeys(("fill_value", "value"), COMPLEX),
    **dict.fromkeys(("count", "dim", "length", "num_columns", "num_rows"), SIZE),
    **dict.fromkeys(("shape", "sizes", "starts"), SIZES),
    **dict.fromkeys(("dilation", "kernel", "stride"), POSITIVE),
    **dict.fromkeys(("padding", "pads"), PAIRS),
    **dict.fromkeys(("blank", "divisor", "heads"), _from(0)),
    **dict.fromkeys(("bins", "groups", "limit"), _from(1)),
    **dict.fromkeys(("callee", "error", "message", "name", "reason"), STRING),
    "UPLO": _one_of("L", "U"),
    "axes": AXES,
    "causes": Kind("a tuple of pairs of strings", _are_pairs_of_strings),
    "data": _of_class("an array", ArrayData),
    "defines": NAMES,
    "diagonal": Kind("an int of 62 bits or a size", lambda v: isinstance(v, Dim) or (_is_int(v) and abs(v) <= 1 << 62)),
    "domain": TUPLE,
    "dtype": _of_class("a dtype", DType),
    "element": TYPE,
    "form": _one_of("array", "layer", "partial layer"),
    "gradient": STRING.optional(),
    "group": _from(0).each("a tuple of ranks"),
    "links": Kind("a tuple of two places and a flag for each exception", _are_links),
    "k": Kind(f"an int from 1 to {MOST_PLACES}", lambda v: _is_int(v) and 1 <= v <= MOST_PLACES),
    "mode": _one_of(*PADDINGS),
    "norm": _one_of("backward", "forward", "ortho"),
    "outputs": TYPE.each("a tuple of types"),
    "perm": AXES,
    **dict.fromkeys(("peer", "root"), _from(0)),
    "ranks": _from(1),
    "rcond": NUMBER.optional(),
    "reduce": _one_of(*REDUCTIONS),
    "reduction": _one_of(*JOINS),
    "shifts": SHIFTS,
    "size": Kind("a size, or a tuple of sizes", lambda v: SIZE.holds(v) or SIZES.holds(v)),
    "step": STEP,
    "strides": STEPS,
}  # fmt: skip
_ORDER = Kind("a whole number of at least 0", lambda v: _is_number(v) and v >= 0 and float(v).is_integer())
_EXCEPTIONS: dict[tuple[str, str], Kind] = {
    ("flip", "axis"): AXES,
    ("group", "axes"): TUPLE.optional(),
    ("patches", "step"): POSITIVE,
    ("put_between", "step"): STRIDE,
    ("slice_between", "step"): STRIDE,
    ("randint", "high"): INT,
    ("randint", "low"): INT,
    ("polygamma", "n"): _ORDER,
    ("roll", "axis"): AXES,
    ("unique_parts", "axis"): AXIS.optional(),
    ("unique_values", "axis"): AXIS.optional(),
}
_ELEMENTS = frozenset({"fill_value", "max", "min", "start", "step", "value"})  # that become elements of the result


def kind_of(op: Op, name: str) -> Kind:
    """What an attribute of a row of the library holds.

    >>> from vitrify.ops.op import OPS
    >>> kind_of(OPS["sum"], "keepdim").words
    'true or false'
    """
    if name == "axis" and (op.name, name) not in _EXCEPTIONS:
        return AXES if isinstance(op.lowering, Reduce) else AXIS
    return _EXCEPTIONS.get((op.name, name)) or KINDS[name]


def with_numbers(op: Op, attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a row of the library for a program.

    A size of a dynamic shape, where the row takes none, becomes a number (see `Dim.__index__`).
    """
    sized = [name for name, value in attrs.items() if _has_size(value)]
    if not sized:
        return attrs
    return attrs | {name: _number_in(attrs[name]) for name in sized if not kind_of(op, name).holds(attrs[name])}


def _has_size(value: Any) -> bool:
    return isinstance(value, Dim) or (isinstance(value, tuple) and any(map(_has_size, value)))


def _number_in(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_number_in(v) for v in value])
    return int(value) if isinstance(value, Dim) else value


def beyond(op: Op, name: str, value: Any, dtype: DType) -> bool:
    """Whether an attribute that becomes an element of the result isn't one of the result's dtype."""
    if name not in _ELEMENTS or isinstance(value, Dim) or kind_of(op, name) in (STRIDE, POSITIVE):
        return False
    if isinstance(value, complex):
        return not dtype.is_complex
    if not (dtype.is_integer or dtype.is_bool):
        return False
    least, most = (0, 1) if dtype.is_bool else dtype_bounds(dtype)
    return not math.isfinite(value) or value != int(value) or not least <= value <= most
