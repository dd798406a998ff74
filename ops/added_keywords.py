"""Keywords that Paddle 3.3 adds to rows, said by other rows: `add(x, y, alpha=2)` is `add(x, 2 * y)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, KindError
from ..base.suggest import one_of
from .argument_names import KEYWORDS, Call
from .dispatch import current
from .infer import axis_index
from .op import OPS

ROUNDINGS = ("floor", "trunc", None)


def _with_operand(
    args: tuple[Any, ...], kwargs: dict[str, Any], place: int, name: str, change: Callable[[Any], Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call with one of the operands changed."""
    if place < len(args):
        return (*args[:place], change(args[place]), *args[place + 1 :]), kwargs
    return args, {k: change(v) if k == name else v for k, v in kwargs.items()}


def _alpha(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], alpha: Any) -> Any:
    """The second operand times a number."""
    if alpha == 1:
        return rest(args, kwargs)
    return rest(*_with_operand(args, kwargs, 1, "y", lambda y: y * alpha))


def _rounding_mode(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Any) -> Any:
    """A quotient rounded down, or towards 0: of integers an integer, too."""
    if mode not in ROUNDINGS:
        raise ArgumentError(f"divide: rounding_mode is {mode!r}", remedy=one_of(mode, ROUNDINGS))
    if mode is None:
        return rest(args, kwargs)
    found = dict(zip(("x", "y"), args, strict=False)) | kwargs
    x, y = (current().constant(found[name], None) for name in ("x", "y"))
    down = OPS["floor_divide"](x, y)
    if mode == "floor":
        return down
    if not down.dtype.is_integer:
        return OPS["trunc"](OPS["divide"](x, y))
    inexact = OPS["not_equal"](OPS["multiply"](down, y), x)
    below = OPS["logical_xor"](OPS["less_than"](x, 0), OPS["less_than"](y, 0))
    return OPS["add"](down, OPS["cast"](OPS["logical_and"](inexact, below), down.dtype))


def _summed_in(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], dtype: Any) -> Any:
    """The first operand in another dtype."""
    if dtype is None:
        return rest(args, kwargs)
    kind = as_dtype(dtype)
    return rest(*_with_operand(args, kwargs, 0, "x", lambda x: OPS["cast"](x, kind)))


def _first_axis(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], axis: Any) -> Any:
    """`dim0` and `dim1`: two axes change places, as `perm=[dim0, dim1]` says with these names."""
    if "dim1" not in kwargs or len(args) > 1 or "perm" in kwargs:
        raise KindError("transpose() takes dim0 with dim1, in place of perm")
    return rest(args, {**kwargs, "perm": axis})


def _second_axis(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], axis: Any) -> Any:
    if "perm" not in kwargs:
        raise KindError("transpose() takes dim1 with dim0, in place of perm")
    rank = (args[0] if args else kwargs["x"]).ndim
    first, second = (axis_index(k, rank) for k in (kwargs["perm"], axis))
    perm = list(range(rank))
    perm[first], perm[second] = second, first
    return rest(args, {**kwargs, "perm": perm})


KEYWORDS |= {
    "alpha": _alpha, "rounding_mode": _rounding_mode, "dtype": _summed_in, "dim0": _first_axis, "dim1": _second_axis,
}  # fmt: skip
