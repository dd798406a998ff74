"""Built-in functions over tensors: `len`, `int`, `range`, `print` … where Python's own would need their values."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....base import dtype as dt
from ....base.errors import CaptureError, NoSequenceError
from ....base.frame_marks import acts_for_caller, asks_for_caller
from ....base.location import caller_loc
from ....base.pytree import flatten
from ....dygraph.array_functions import over_values
from ....dygraph.given_array import GivenArray, given_array
from ....dygraph.number import Number, number_over
from ....dygraph.tensor import Tensor, wrap
from ....ops.dims import Dim, maximum, minimum, never_negative
from ....ops.infer import require_one
from ....ops.op import FUNCTIONS, OPS
from ...trace.arrays.traced_arrays import holds_value
from ...trace.state.dynamic_lists import is_run_time_sized, segment_in
from ...trace.state.escapes import is_told_by_call
from ...trace.state.outside_iterators import SequenceIterator
from ...trace.state.traced_numbers import as_python, dtype_among, is_number
from ...trace.state.traced_numbers import converted as as_number
from ...trace.tracer import Tracer
from ..logical import contains, is_undecided, not_
from ..regions.branches import run_branches
from ..regions.values import show
from ..while_loop import flag_of
from . import strings
from .compared_keys import is_of_run, known_order, less, one_element, order_of
from .iterations import Enumerate, Iterations, RangeIterations, Reversed, Zip, as_iterations
from .iterators import SideIterator
from .own_methods import own_check
from .run_lists.list_lengths import known_elements
from .run_lists.list_stacks import summed
from .run_lists.lists import permuted

Handler = Callable[..., Any]
_TABLE: dict[Any, Handler] = {}
_AN_ARRAY = np.empty(0)  # answers for the kind of what stands for an array


def handler(fn: Any) -> Handler | None:
    """The handler of a built-in function, if there is one."""
    try:
        return _TABLE.get(fn)
    except TypeError:  # not hashable
        return None


def handles(fn: Any) -> Callable[[Handler], Handler]:
    """Register the meaning of a function for calls in captured code."""

    def add(made: Handler) -> Handler:
        _TABLE[fn] = acts_for_caller(made)
        return made

    return add


def _is_symbolic(x: Any) -> bool:
    return isinstance(x, (Tensor, Dim))


def _told_late(tracer: Tracer, x: Any) -> Any:
    """A size that only a run knows, as a number of the program; anything else as it is."""
    return tracer.number_of(x) if is_undecided(x) else x


@asks_for_caller
def _converted(tracer: Tracer, x: Tensor, kind: Any, dtype: dt.DType) -> Any:
    """A number; of a tensor of several elements, which Python refuses, each element cast: Paddle's meaning. Several
    elements have no truth value.
    """
    x = tracer.only_element(x)
    tracer.value_of(x)
    if any(d != 1 for d in x.shape):
        if kind is bool:
            require_one(x.shape)
        return OPS["cast"](x, dtype)
    return as_number(OPS["reshape"](x, ()) if x.ndim else x, kind)


@handles(int)
def _int(tracer: Tracer, *args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and isinstance(args[0], Dim):
        return args[0]
    if len(args) == 1 and isinstance(args[0], Tensor):
        return _converted(tracer, args[0], int, dt.int64)
    return int(*args, **kwargs)


@handles(isinstance)
def _isinstance(tracer: Tracer, x: Any, kinds: Any) -> Any:
    told = own_check(tracer, isinstance, x, kinds)
    if told is not None:
        return told
    if isinstance(x, GivenArray):
        return isinstance(_AN_ARRAY, kinds)
    if type(x) is Number:
        return isinstance(x.kind(), kinds)
    return isinstance(0 if isinstance(x, Dim) else x, kinds)


@handles(hasattr)
def _hasattr(tracer: Tracer, x: Any, name: str) -> bool:
    if isinstance(x, GivenArray):
        return hasattr(_AN_ARRAY, name)
    tracer.asked.attribute(x, name)
    return hasattr(x.kind() if type(x) is Number else x, name)


@handles(getattr)
def _getattr(tracer: Tracer, x: Any, *rest: Any) -> Any:
    tracer.asked.attribute(x, rest[0] if rest else "")
    return getattr(as_python(x), *rest)


@handles(id)
def _id(tracer: Tracer, x: Any) -> int:
    if isinstance(x, Tensor):
        tracer.identity.number(x)
    return id(x)


@handles(hash)
def _hash(tracer: Tracer, x: Any) -> int:
    if isinstance(x, Tensor) and type(x) is not Number:
        tracer.identity.number(x)
    return hash(x)


@handles(type)
def _type(tracer: Tracer, *args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and isinstance(args[0], GivenArray):
        return np.ndarray
    if len(args) == 1 and isinstance(args[0], Dim):
        return int
    return args[0].kind if len(args) == 1 and type(args[0]) is Number else type(*args, **kwargs)


def array_of_run(tracer: Tracer, x: Any, *, has_sizes: bool = False) -> Any:
    """A list or tuple of Python numbers, some of which only a run knows, as an array; anything else as it is.

    has_sizes: also one of sizes that change between calls, and of other numbers that the program takes anew.
    """
    if not isinstance(x, (list, tuple)) or not all(map(is_number, x)):
        return x
    if not any((has_sizes and _is_symbolic(n)) or (type(n) is Number and n.origin is None) for n in x):
        return x
    dtype = max([dtype_among(n, n) for n in x], key=lambda dtype: dtype.category)
    parts = [wrap(tracer.value_of(tracer.constant(n, dtype)), dtype) for n in x]
    return given_array(FUNCTIONS["stack"](parts))


def _as_array(fn: Any) -> Handler:
    def handled(tracer: Tracer, x: Any, dtype: Any = None, **options: Any) -> Any:
        """What is a tensor becomes the array of a run, as `x.numpy()`; `np.array` copies one that is an array."""
        x = array_of_run(tracer, x) if not options else x
        if isinstance(x, (list, tuple)) and holds_value(x):
            made = over_values(fn, (x,), options if dtype is None else {**options, "dtype": dtype})
            return fn(x, dtype, **options) if made is NotImplemented else made
        if not isinstance(x, Tensor) or type(x) is Number or x.is_element or options:
            return fn(x, dtype, **options)
        if not isinstance(x, GivenArray):
            made = x.numpy()
        else:
            made = x.copy() if fn is np.array else x
        return made if dtype is None or np.dtype(dtype) == made.dtype else made.astype(dtype)

    return handled


for _fn in (np.array, np.asarray, np.asanyarray):
    handles(_fn)(_as_array(_fn))


@handles(np.isscalar)
def _isscalar(tracer: Tracer, element: Any) -> bool:
    return type(element) is Number or isinstance(element, Dim) or np.isscalar(element)


@handles(str)
def _str(tracer: Tracer, *args: Any, **kwargs: Any) -> str:
    string = str(strings.shown(args[0])) if len(args) == 1 and not kwargs else str(*args, **kwargs)
    made: str = strings.run_time_string(string)
    return made


@handles(repr)
def _repr(tracer: Tracer, x: Any) -> str:
    made: str = strings.run_time_string(str(strings.shown(x, "r")))
    return made


@handles(format)
def _format(tracer: Tracer, x: Any, spec: str = "") -> str:
    made: str = strings.run_time_string(format(strings.shown(x), spec))
    return made


@handles(float)
def _float(tracer: Tracer, *args: Any) -> Any:
    if args and isinstance(args[0], Tensor):
        return _converted(tracer, args[0], float, dt.float32)
    if args and isinstance(args[0], Dim):
        return as_number(tracer.constant(args[0], dt.int64), float)
    return float(*args)


@handles(bool)
def _bool(tracer: Tracer, *args: Any) -> Any:
    args = tuple(_told_late(tracer, x) for x in args)
    return _converted(tracer, args[0], bool, dt.bool_) if args and isinstance(args[0], Tensor) else bool(*args)


@handles(len)
def _len(tracer: Tracer, x: Any) -> Any:
    if isinstance(x, Tensor):
        if not x.ndim:
            raise NoSequenceError("a tensor of rank 0 has no length", loc=caller_loc())
        return x.shape[0]
    if isinstance(x, Iterations):
        if isinstance(x.count, Dim) and not never_negative(x.count):
            return maximum(x.count, 0)
        return number_over(x.count) if type(x.count) is Tensor else x.count
    return len(x)


@handles(range)
def _range(tracer: Tracer, *bounds: Any) -> Any:
    return RangeIterations(*bounds) if any(_is_symbolic(b) for b in bounds) else range(*bounds)


@handles(iter)
def _iter(tracer: Tracer, iterable: Any, *sentinel: Any) -> Any:
    if not sentinel and (is_run_time_sized(iterable) or type(iterable) is Tensor):
        return tracer.objects.new(SequenceIterator(iterable))
    return iter(iterable, *sentinel)


@handles(enumerate)
def _enumerate(tracer: Tracer, iterable: Any, start: Any = 0) -> Any:
    iterations = as_iterations(iterable)
    return (
        enumerate(iterable, start)
        if iterations is None
        else tracer.objects.new(SideIterator(Enumerate(iterations, start)))
    )


@handles(zip)
def _zip(tracer: Tracer, *iterables: Any, **options: Any) -> Any:
    if not options.get("strict"):
        iterables = _beside(tracer, iterables)
    if any(isinstance(i, Iterations) for i in iterables):
        iterables = tuple(RangeIterations(i.start, i.stop, i.step) if type(i) is range else i for i in iterables)
    parts = [as_iterations(i) for i in iterables]
    if not parts or any(p is None for p in parts):
        for segment in filter(None, map(segment_in, filter(is_run_time_sized, iterables))):
            segment.fail()
        return zip(*iterables, **options)  # noqa: B905 (the user's own options)
    return tracer.objects.new(SideIterator(Zip([p for p in parts if p is not None])))


def _beside(tracer: Tracer, iterables: tuple[Any, ...]) -> tuple[Any, ...]:
    """Lists of run-time length beside one of Python's: no more of their elements than that has are read."""
    known = [len(i) for i in iterables if isinstance(i, (Sequence, dict)) and not is_run_time_sized(i)]
    if not known or len(known) + sum(map(is_run_time_sized, iterables)) < len(iterables):
        return iterables
    made = [known_elements(tracer, i, min(known)) if is_run_time_sized(i) else i for i in iterables]
    return tuple(i if found is None else found for i, found in zip(iterables, made, strict=True))


@handles(reversed)
def _reversed(tracer: Tracer, iterable: Any) -> Any:
    iterations = as_iterations(iterable)
    return reversed(iterable) if iterations is None else tracer.objects.new(SideIterator(Reversed(iterations)))


@handles(abs)
def _abs(tracer: Tracer, x: Any) -> Any:
    return abs(x)


_MOST_EXACT = 22  # powers of ten that a float holds


@handles(round)
def _round(tracer: Tracer, x: Any, *digits: Any) -> Any:
    if not isinstance(x, Tensor):
        return round(x, *digits)
    if digits and type(digits[0]) is Number and is_told_by_call(tracer, digits[0]):
        digits = (as_python(digits[0]),)
    if type(x) is Number:
        if x.kind is int and not digits:
            return x
        if digits and x.origin is not None:
            return round(as_python(x), *digits)  # to the last bit, as Python does it
        if x.kind is not float and type(digits[0]) is int:
            return x + 0 if digits[0] >= 0 else _rounded(x, 10 ** -digits[0])
        if digits and type(digits[0]) is int and 0 <= digits[0] <= _MOST_EXACT:
            return _decimal(x, 10.0 ** digits[0])
        rounded = number_over(FUNCTIONS["round"](x, *digits))
        return rounded if digits else as_number(rounded, int)
    rounded = FUNCTIONS["round"](x, *digits)
    return rounded if digits else OPS["cast"](rounded, dt.int64)


def _decimal(x: Number, scale: float) -> Any:
    """A float to decimal places as Python does it: its exact value decides, of two that are as near the even one.

    scale: a power of ten that a float holds. The product with it is rounded; what that leaves out (Dekker, 1971)
    decides where the product is a half.
    """
    scaled = x * scale
    high, low = _halves(scale)
    upper, lower = _halves(x)
    error = ((upper * high - scaled) + upper * low + lower * high) + lower * low
    near = number_over(FUNCTIONS["round"](scaled))
    rest = scaled - near
    more = OPS["logical_and"](OPS["equal"](rest, 0.5), error > 0.0)
    less = OPS["logical_and"](OPS["equal"](rest, -0.5), error < 0.0)
    made = (near - (as_number(number_over(less), float) - as_number(number_over(more), float))) / scale  # -0.0 stays
    is_fine = abs(scaled) < 2.0**52  # else it has no such places; nor have infinities and NaN
    return number_over(OPS["where"](is_fine, made, x))


def _halves(x: Any) -> tuple[Any, Any]:
    """The upper and the lower bits of a float, whose products with others' are exact (Veltkamp)."""
    grown = x * 134217729.0
    upper = grown - (grown - x)
    return upper, x - upper


def _rounded(x: Number, unit: int) -> Any:
    """A whole number to a multiple of a power of ten, halves to the even one, as Python does it."""
    quotient, twice = x // unit, (x % unit) * 2
    is_odd = OPS["equal"](quotient % 2, 1)
    is_up = OPS["logical_or"](twice > unit, OPS["logical_and"](OPS["equal"](twice, unit), is_odd))
    return (quotient + as_number(is_up, int)) * unit


@handles(sum)
def _sum(tracer: Tracer, iterable: Any, start: Any = 0) -> Any:
    if not isinstance(iterable, Tensor):
        return sum(iterable, start)
    return summed(iterable) if isinstance(start, int) and start == 0 else summed(iterable) + start


def _is_whole(x: Any) -> bool:
    return isinstance(x, (int, Dim)) and not isinstance(x, bool)


def _extreme(name: str, own: Any) -> None:
    @handles(own)
    def extreme(tracer: Tracer, *args: Any, key: Any = None, **kwargs: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], Tensor) and args[0].ndim == 1 and key is None and not kwargs:
            return _extreme_row(tracer, name, args[0])
        items = list(args[0]) if len(args) == 1 else list(args)
        if key is None and any(map(is_undecided, items)) and all(map(_is_whole, items)):
            return functools.reduce(maximum if own is max else minimum, items)
        items = [_told_late(tracer, x) for x in items]
        keys = items if key is None else [_told_late(tracer, key(x)) for x in items]
        if len(items) < 2 or not any(map(is_of_run, keys)):
            chosen = dict(enumerate(keys))
            if not items or (kwargs and len(args) > 1):
                return own(items, **kwargs) if len(args) == 1 else own(*args, **kwargs)
            return items[own(range(len(items)), key=lambda k: chosen[k])]

        def better(a: Any, b: Any) -> Any:  # Python keeps the first of equal ones
            if not (is_of_run(a[0]) or is_of_run(b[0])):
                return own(a, b, key=operator.itemgetter(0))
            flag = less(tracer, b[0], a[0]) if name == "min" else less(tracer, a[0], b[0])
            if not isinstance(flag, Tensor):
                return b if flag else a
            return _either(tracer, flag, b[0], a[0]), _either(tracer, flag, b[1], a[1])

        return functools.reduce(better, zip(keys, items, strict=True))[1]


def _extreme_row(tracer: Tracer, name: str, x: Tensor) -> Tensor:
    """The first of the largest (smallest) elements of a line, as Python's comparisons find it, with its gradient.

    They pass over NaN, but keep one that comes first.
    """
    found = OPS["cast"](x.detach(), dt.int64) if x.dtype.is_bool else x.detach()
    if x.dtype.is_floating:
        worst = -math.inf if name == "max" else math.inf
        found = OPS["where"](OPS["isnan"](found), worst, found)
    at = OPS[f"arg{name}"](found, 0)
    with tracer.surely():
        if x.dtype.is_floating:
            at = OPS["where"](OPS["isnan"](x[0].detach()), 0, at)
        return OPS["select"](x, at, axis=0)  # type: ignore[no-any-return]


def _either(tracer: Tracer, flag: Tensor, new: Any, old: Any) -> Any:
    """`new if flag else old`."""
    if new is old:
        return new
    if type(new) is Tensor and type(old) is Tensor and new.dtype is old.dtype and new.shape == old.shape:
        return OPS["where"](flag, new, old)
    return run_branches(tracer, tracer.flag(flag), lambda: new, lambda: old)


_extreme("max", max)
_extreme("min", min)


@handles(sorted)
def _sorted(tracer: Tracer, iterable: Any, *, key: Any = None, reverse: Any = False) -> Any:
    items = list(iterable)
    keys = items if key is None else [key(x) for x in items]
    known = known_order(keys, descending=bool(reverse))
    if known is not None:
        return [items[k] for k in known]
    order = order_of(tracer, keys, descending=bool(reverse))
    trees = [flatten(x, _is_sortable) for x in items]
    if any(tree != trees[0][1] for _, tree in trees):
        raise CaptureError(
            "sorted() by a tensor's value over items that aren't tensors or numbers of one structure",
            loc=caller_loc(),
            remedy="sort tensors, numbers, or tuples of them",
        )
    for column in zip(*[leaves for leaves, _ in trees], strict=True):
        _require_alike(column)
    return permuted(tracer, items, order)


def _is_sortable(x: Any) -> bool:
    return _is_symbolic(x) or type(x) in (bool, int, float)


def _require_alike(column: Sequence[Any]) -> None:
    """CaptureError where one leaf of all items isn't of one type."""
    if is_number(column[0]):
        kinds: set[Any] = {dtype_among(x, x) if is_number(x) else None for x in column}
    else:
        kinds = {(x.dtype, tuple(x.shape)) if type(x) is Tensor else None for x in column}
    if len(kinds) > 1:
        raise CaptureError(
            f"sorted() by a tensor's value over items of different types: {', '.join(sorted(map(show, column)))}",
            loc=caller_loc(),
            remedy="give the items one dtype and shape",
        )


def _quantifier(own: Any, join: str) -> None:
    @handles(own)
    def quantifier(tracer: Tracer, iterable: Any) -> Any:
        if isinstance(iterable, Tensor):
            flags = iterable if iterable.dtype.is_bool else OPS["not_equal"](iterable, 0)
            whole = OPS[own.__name__](flags, 0)
            return number_over(whole) if not whole.ndim else whole
        items = [_told_late(tracer, x) for x in iterable]
        if not any(isinstance(x, Tensor) for x in items):
            return own(items)
        found: Any = None
        for item in items:
            flag = flag_of(tracer, item) if type(item) is Number else item
            flag = flag if isinstance(flag, Tensor) else tracer.constant(bool(flag), None)
            found = flag if found is None else OPS[join](found, flag)
        return number_over(found) if type(found) is Tensor and found.dtype.is_bool and not found.ndim else found


_quantifier(any, "logical_or")
_quantifier(all, "logical_and")


@handles(complex)
def _complex(tracer: Tracer, *args: Any) -> Any:
    if not any(_is_symbolic(x) for x in args):
        return complex(*args)
    if all(isinstance(x, (int, float, complex, Dim)) or type(x) is Number for x in args):
        return complex(*[int(x) if isinstance(x, Dim) else as_python(x) for x in args])
    parts = [OPS["cast"](one_element(tracer, tracer.constant(x, None)).detach(), dt.complex128) for x in args]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1] * 1j


@handles(operator.not_)
def _not(tracer: Tracer, x: Any) -> Any:
    return not_(x)


@handles(operator.truth)
def _truth(tracer: Tracer, x: Any) -> Any:
    return not_(not_(x))


@handles(operator.contains)
def _contains(tracer: Tracer, items: Any, x: Any) -> Any:
    return contains(x, items)
