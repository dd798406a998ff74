"""Built-in functions over tensors: `len`, `int`, `range`, `print` … where Python's own would need their values."""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.errors import ArgumentError
from ...base.location import caller_loc
from ...base.pytree import flatten, unflatten
from ...dygraph.eager import from_array
from ...dygraph.number import Number, number_over
from ...dygraph.tensor import Tensor
from ...ops.dims import Dim
from ...ops.dispatch import bottom, using
from ...ops.op import FUNCTIONS, OPS
from ..numbers import as_python
from ..numbers import converted as as_number
from ..tracer import Tracer
from . import text
from .turns import Enumerate, Range, Reversed, Turns, Zip, as_turns

Handler = Callable[..., Any]
_TABLE: dict[Any, Handler] = {}


def handler(fn: Any) -> Handler | None:
    """The handler of a built-in function, if there is one."""
    try:
        return _TABLE.get(fn)
    except TypeError:  # not hashable
        return None


def _handles(fn: Any) -> Callable[[Handler], Handler]:
    def add(made: Handler) -> Handler:
        _TABLE[fn] = made
        return made

    return add


def _is_symbolic(x: Any) -> bool:
    return isinstance(x, (Tensor, Dim))


def one_element(tracer: Tracer, x: Tensor) -> Any:
    """A tensor's only element, as a tensor without axes."""
    tracer.value_of(x)
    if any(d != 1 for d in x.shape):
        raise ArgumentError(
            f"a tensor of shape {x.shape} isn't one number", loc=caller_loc(), remedy="reduce it, or pick one element"
        )
    return x if not x.ndim else OPS["reshape"](x, ())


@_handles(int)
def _int(tracer: Tracer, *args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and isinstance(args[0], Dim):
        return args[0]
    if len(args) == 1 and isinstance(args[0], Tensor):
        return as_number(one_element(tracer, args[0]), int)
    return int(*args, **kwargs)


@_handles(isinstance)
def _isinstance(tracer: Tracer, x: Any, kinds: Any) -> bool:
    if type(x) is Number:
        return isinstance(x.kind(), kinds)
    return isinstance(0 if isinstance(x, Dim) else x, kinds)


@_handles(hasattr)
def _hasattr(tracer: Tracer, x: Any, name: str) -> bool:
    return hasattr(x.kind() if type(x) is Number else x, name)


@_handles(getattr)
def _getattr(tracer: Tracer, x: Any, *rest: Any) -> Any:
    return getattr(as_python(x), *rest)


@_handles(type)
def _type(tracer: Tracer, *args: Any, **kwargs: Any) -> Any:
    return args[0].kind if len(args) == 1 and type(args[0]) is Number else type(*args, **kwargs)


@_handles(str)
def _str(tracer: Tracer, *args: Any, **kwargs: Any) -> str:
    return str(text.shown(args[0])) if len(args) == 1 and not kwargs else str(*args, **kwargs)


@_handles(float)
def _float(tracer: Tracer, *args: Any) -> Any:
    if args and isinstance(args[0], Tensor):
        return as_number(one_element(tracer, args[0]), float)
    if args and isinstance(args[0], Dim):
        return as_number(tracer.constant(args[0], dt.int64), float)
    return float(*args)


@_handles(bool)
def _bool(tracer: Tracer, *args: Any) -> Any:
    return as_number(one_element(tracer, args[0]), bool) if args and isinstance(args[0], Tensor) else bool(*args)


@_handles(len)
def _len(tracer: Tracer, x: Any) -> Any:
    if isinstance(x, Tensor):
        if not x.ndim:
            raise TypeError("len() of a 0-d tensor")
        return x.shape[0]
    return x.count if isinstance(x, Turns) else len(x)


@_handles(range)
def _range(tracer: Tracer, *bounds: Any) -> Any:
    return Range(*bounds) if any(_is_symbolic(b) for b in bounds) else range(*bounds)


@_handles(enumerate)
def _enumerate(tracer: Tracer, iterable: Any, start: Any = 0) -> Any:
    turns = as_turns(iterable)
    return enumerate(iterable, start) if turns is None else Enumerate(turns, start)


@_handles(zip)
def _zip(tracer: Tracer, *iterables: Any, **options: Any) -> Any:
    parts = [as_turns(i) for i in iterables]
    if not parts or any(p is None for p in parts):
        return zip(*iterables, **options)  # noqa: B905 (the user's own options)
    return Zip([p for p in parts if p is not None])


@_handles(reversed)
def _reversed(tracer: Tracer, iterable: Any) -> Any:
    turns = as_turns(iterable)
    return reversed(iterable) if turns is None else Reversed(turns)


@_handles(abs)
def _abs(tracer: Tracer, x: Any) -> Any:
    return abs(x)


@_handles(round)
def _round(tracer: Tracer, x: Any, *digits: Any) -> Any:
    if not isinstance(x, Tensor):
        return round(x, *digits)
    if type(x) is Number:
        if x.kind is int and not digits:
            return x
        if digits and x.origin is not None:
            return round(as_python(x), *digits)  # to the last bit, as Python does it
        rounded = number_over(FUNCTIONS["round"](x, *digits))
        return rounded if digits else as_number(rounded, int)
    rounded = FUNCTIONS["round"](x, *digits)
    return rounded if digits else OPS["cast"](rounded, dt.int64)


@_handles(sum)
def _sum(tracer: Tracer, iterable: Any, start: Any = 0) -> Any:
    if isinstance(iterable, Tensor):
        total = OPS["sum"](iterable, 0)
        return total if isinstance(start, int) and start == 0 else total + start
    return sum(iterable, start)


def _extreme(name: str, own: Any) -> None:
    @_handles(own)
    def extreme(tracer: Tracer, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], Tensor) and not kwargs:
            return OPS[name](args[0], 0)
        items = list(args[0]) if len(args) == 1 else list(args)
        if kwargs or not any(isinstance(x, Tensor) for x in items):
            return own(items, **kwargs) if len(args) == 1 else own(*args, **kwargs)

        def better(a: Any, b: Any) -> Any:  # Python keeps the first of equal ones
            return (
                OPS["where"](b < a if name == "min" else b > a, b, a)
                if _is_symbolic(a) or _is_symbolic(b)
                else own(a, b)
            )

        return functools.reduce(better, items)


_extreme("max", max)
_extreme("min", min)


@_handles(sorted)
def _sorted(tracer: Tracer, iterable: Any, **options: Any) -> Any:
    items = list(iterable)
    if "key" in options or not any(isinstance(x, Tensor) for x in items):
        return sorted(items, **options)
    ordered = FUNCTIONS["sort"](tracer.constant(items, None), 0, bool(options.get("reverse", False)))
    return [ordered[k] for k in range(len(items))]


def _quantifier(own: Any, join: str) -> None:
    @_handles(own)
    def quantifier(tracer: Tracer, iterable: Any) -> Any:
        if isinstance(iterable, Tensor):
            return (
                OPS[own.__name__](OPS["not_equal"](iterable, 0), 0)
                if not iterable.dtype.is_bool
                else OPS[own.__name__](iterable, 0)
            )
        items = list(iterable)
        if not any(isinstance(x, Tensor) for x in items):
            return own(items)
        found: Any = None
        for item in items:
            flag = item if isinstance(item, Tensor) else tracer.constant(bool(item), None)
            found = flag if found is None else OPS[join](found, flag)
        return found


_quantifier(any, "logical_or")
_quantifier(all, "logical_and")


def _values_in(tracer: Tracer, x: Any) -> list[Any]:
    return text.tensors_in(tracer, x) if isinstance(x, str) else [tracer.constant(x, None)]


def _filler(tracer: Tracer, x: Any) -> Callable[[list[Tensor]], Any]:
    if isinstance(x, str):
        return text.filler(tracer, x)
    plain = isinstance(x, Tensor) and not x.weak
    return operator.itemgetter(0) if plain else lambda values: values[0].item()


@_handles(print)
def _print(tracer: Tracer, *args: Any, **options: Any) -> None:
    leaves, tree = flatten((args, options), lambda v: _is_symbolic(v) or text.holds_tensors(v))
    needed = [_values_in(tracer, x) for x in leaves]
    fills = [_filler(tracer, x) for x in leaves]
    stops = [x.stop_gradient for xs in needed for x in xs]

    def show(*arrays: Any) -> None:
        with using(bottom()):
            tensors = []
            for array, stop in zip(arrays, stops, strict=True):
                made = from_array(np.array(array))
                made.stop_gradient = stop
                tensors.append(made)
            given = iter(tensors)
            parts = [fill([next(given) for _ in xs]) for fill, xs in zip(fills, needed, strict=True)]
            shown, named = unflatten(tree, iter(parts))
            builtins.print(*shown, **named)

    values = [tracer.value_of(x) for xs in needed for x in xs]
    name = tracer.callback_name("print")
    tracer.callbacks[name] = show
    tracer.builder.callback(name, values, [])
