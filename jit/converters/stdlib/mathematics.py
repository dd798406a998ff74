"""The `math` module over tensors with one element: floats of the run, with Python's errors for what has no value; what
NumPy makes of lists with numbers of the run.

As in eager mode, where `math.sqrt(t)` takes `float(t)`, gradients end here: `vt.sqrt(t)` has one.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ....base.dtype import float64, int64
from ....base.frame_marks import fails_for_caller
from ....base.pytree import flatten
from ....dygraph.array_functions import ARRAY_FUNCTIONS, over_values
from ....dygraph.array_protocol import COUNTERPARTS
from ....dygraph.number import Number, number_over
from ....dygraph.numpy_numbers import of_numbers
from ....dygraph.tensor import Tensor, wrap
from ....ops.dims import Dim
from ....ops.op import OPS
from ...trace.arrays.traced_arrays import holds_value, unhidden
from ...trace.state.traced_numbers import converted
from ...trace.tracer import Tracer
from .builtin import array_of_run, handler, handles
from .compared_keys import one_element

Check = Callable[[Any], Any]


def _below(bound: float, *, strict: bool) -> Check:
    """The test for arguments that aren't in reach; a NaN is in reach, and gives NaN."""
    return lambda x: OPS["less_equal" if strict else "less_than"](x, bound)


def _beyond_one(x: Any) -> Any:
    return OPS["greater_than"](OPS["abs"](x), 1.0)


def _one_or_more(x: Any) -> Any:
    return OPS["greater_equal"](OPS["abs"](x), 1.0)


_UNARY: dict[Any, tuple[str, Check | None]] = {
    math.sqrt: ("sqrt", _below(0.0, strict=False)), math.exp: ("exp", None), math.expm1: ("expm1", None),
    math.log2: ("log2", _below(0.0, strict=True)), math.log10: ("log10", _below(0.0, strict=True)),
    math.log1p: ("log1p", _below(-1.0, strict=True)), math.sin: ("sin", OPS["isinf"]), math.cos: ("cos", OPS["isinf"]),
    math.tan: ("tan", OPS["isinf"]), math.asin: ("asin", _beyond_one), math.acos: ("acos", _beyond_one),
    math.atan: ("atan", None), math.sinh: ("sinh", None), math.cosh: ("cosh", None), math.tanh: ("tanh", None),
    math.asinh: ("asinh", None), math.acosh: ("acosh", _below(1.0, strict=False)), math.atanh: ("atanh", _one_or_more),
    math.fabs: ("abs", None), math.erf: ("erf", None),
}  # fmt: skip
_GROWING = {math.exp, math.expm1, math.sinh, math.cosh}


@fails_for_caller
def _float(tracer: Tracer, x: Any) -> Any:
    """An argument as a float64 without axes."""
    if isinstance(x, Tensor):
        return wrap(tracer.value_of(converted(one_element(tracer, x), float)), float64)
    return tracer.constant(x if isinstance(x, Dim) else float(x), float64)


def _require(tracer: Tracer, bad: Any, message: str, error: str) -> None:
    with tracer.builder.active():
        good = OPS["logical_not"](tracer.value_of(bad))
    tracer.check(good, message, error)


def _is_symbolic(*args: Any) -> bool:
    return any(isinstance(x, (Tensor, Dim)) for x in args)


def _unary(own: Any, name: str, outside: Check | None) -> None:
    @handles(own)
    def unary(tracer: Tracer, *args: Any) -> Any:
        if len(args) != 1 or not _is_symbolic(*args):
            return own(*args)
        x = _float(tracer, args[0])
        if outside is not None:
            _require(tracer, outside(x), "math domain error", "ValueError")
        made = OPS[name](x)
        if own in _GROWING:
            too_large = OPS["logical_and"](OPS["isinf"](made), OPS["isfinite"](x))
            _require(tracer, too_large, "math range error", "OverflowError")
        return number_over(made)


for _own, (_name, _outside) in _UNARY.items():
    _unary(_own, _name, _outside)


def _test(own: Any, name: str) -> None:
    @handles(own)
    def test(tracer: Tracer, x: Any) -> Any:
        return number_over(OPS[name](_float(tracer, x))) if _is_symbolic(x) else own(x)


for _own, _name in ((math.isnan, "isnan"), (math.isinf, "isinf"), (math.isfinite, "isfinite")):
    _test(_own, _name)


def _whole(own: Any, name: str) -> None:
    @handles(own)
    def whole(tracer: Tracer, x: Any) -> Any:
        if not _is_symbolic(x):
            return own(x)
        if isinstance(x, Dim):
            return x
        value = _float(tracer, x)
        _require(tracer, OPS["isnan"](value), "cannot convert float NaN to integer", "ValueError")
        _require(tracer, OPS["isinf"](value), "cannot convert float infinity to integer", "OverflowError")
        return converted(OPS[name](value), int)


for _own, _name in ((math.floor, "floor"), (math.ceil, "ceil"), (math.trunc, "trunc")):
    _whole(_own, _name)


@handles(math.log)
def _log(tracer: Tracer, x: Any, *base: Any) -> Any:
    if not _is_symbolic(x, *base):
        return math.log(x, *base)
    parts = [_float(tracer, part) for part in (x, *base)]
    for part in parts:
        _require(tracer, OPS["less_equal"](part, 0.0), "math domain error", "ValueError")
    logs = [OPS["log"](part) for part in parts]
    if len(logs) == 1:
        return number_over(logs[0])
    _require(tracer, OPS["equal"](logs[1], 0.0), "float division by zero", "ZeroDivisionError")
    return number_over(OPS["divide"](*logs))


@handles(math.pow)
def _pow(tracer: Tracer, x: Any, y: Any) -> Any:
    if not _is_symbolic(x, y):
        return math.pow(x, y)
    a, b = _float(tracer, x), _float(tracer, y)
    made = OPS["pow"](a, b)
    finite = OPS["logical_and"](OPS["isfinite"](a), OPS["isfinite"](b))
    undefined = OPS["logical_or"](OPS["isnan"](made), OPS["logical_and"](OPS["isinf"](made), OPS["equal"](a, 0.0)))
    _require(tracer, OPS["logical_and"](finite, undefined), "math domain error", "ValueError")
    _require(tracer, OPS["logical_and"](finite, OPS["isinf"](made)), "math range error", "OverflowError")
    return number_over(made)


@handles(math.atan2)
def _atan2(tracer: Tracer, y: Any, x: Any) -> Any:
    if not _is_symbolic(y, x):
        return math.atan2(y, x)
    return number_over(OPS["atan2"](_float(tracer, y), _float(tracer, x)))


@handles(math.hypot)
def _hypot(tracer: Tracer, *parts: Any) -> Any:
    if not _is_symbolic(*parts):
        return math.hypot(*parts)
    values = [OPS["abs"](_float(tracer, part)) for part in parts]
    largest = values[0]
    for value in values[1:]:
        largest = OPS["maximum"](largest, value)
    endless = OPS["equal"](values[0], math.inf)  # an infinite side makes infinity, of whatever else, NaN included
    for value in values[1:]:
        endless = OPS["logical_or"](endless, OPS["equal"](value, math.inf))
    divides = OPS["logical_and"](OPS["greater_than"](largest, 0.0), OPS["logical_not"](endless))
    scale = OPS["where"](divides, largest, tracer.constant(1.0, float64))
    total: Any = tracer.constant(0.0, float64)
    for value in values:  # scaled, so that squares of large and small ones stay in range
        total = OPS["add"](total, OPS["square"](OPS["divide"](value, scale)))
    result = OPS["multiply"](OPS["sqrt"](total), scale)
    return number_over(OPS["where"](endless, tracer.constant(math.inf, float64), result))


@handles(math.fmod)
def _fmod(tracer: Tracer, x: Any, y: Any) -> Any:
    if not _is_symbolic(x, y):
        return math.fmod(x, y)
    a, b = _float(tracer, x), _float(tracer, y)
    undefined = OPS["logical_or"](OPS["isinf"](a), OPS["equal"](b, 0.0))
    known = OPS["logical_not"](OPS["logical_or"](OPS["isnan"](a), OPS["isnan"](b)))
    _require(tracer, OPS["logical_and"](undefined, known), "math domain error", "ValueError")
    return number_over(_with_sign(OPS["remainder"](OPS["abs"](a), OPS["abs"](b)), a))


@handles(math.copysign)
def _copysign(tracer: Tracer, x: Any, y: Any) -> Any:
    if not _is_symbolic(x, y):
        return math.copysign(x, y)
    return number_over(_with_sign(OPS["abs"](_float(tracer, x)), _float(tracer, y)))


def _with_sign(size: Any, sign: Any) -> Any:
    return OPS["where"](OPS["signbit"](sign), OPS["neg"](size), size)


@handles(math.isclose)
def _isclose(tracer: Tracer, a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    if not _is_symbolic(a, b, rel_tol, abs_tol):
        return math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    first, second, relative, absolute = (_float(tracer, x) for x in (a, b, rel_tol, abs_tol))
    for bound in (relative, absolute):
        _require(tracer, OPS["less_than"](bound, 0.0), "tolerances must be non-negative", "ValueError")
    distance = OPS["abs"](OPS["subtract"](first, second))
    near = OPS["less_equal"](distance, OPS["multiply"](relative, OPS["abs"](first)))
    near = OPS["logical_or"](near, OPS["less_equal"](distance, OPS["multiply"](relative, OPS["abs"](second))))
    near = OPS["logical_or"](near, OPS["less_equal"](distance, absolute))
    near = OPS["logical_and"](near, OPS["isfinite"](distance))  # an infinity is close to itself alone
    return number_over(OPS["logical_or"](near, OPS["equal"](first, second)))


@handles(math.degrees)
def _degrees(tracer: Tracer, x: Any) -> Any:
    if not _is_symbolic(x):
        return math.degrees(x)
    return number_over(OPS["multiply"](_float(tracer, x), 180.0 / math.pi))


@handles(math.radians)
def _radians(tracer: Tracer, x: Any) -> Any:
    if not _is_symbolic(x):
        return math.radians(x)
    return number_over(OPS["multiply"](_float(tracer, x), math.pi / 180.0))


@fails_for_caller
def _whole_number(tracer: Tracer, x: Any) -> Any:
    """An argument as an int64 without axes."""
    if not isinstance(x, Tensor):
        return tracer.constant(x if isinstance(x, Dim) else operator.index(x), int64)
    value = one_element(tracer, x)
    if value.dtype.is_floating:
        raise TypeError("'float' object cannot be interpreted as an integer")
    return converted(value, int)


@handles(math.gcd)
def _gcd(tracer: Tracer, *numbers: Any) -> Any:
    if not _is_symbolic(*numbers):
        return math.gcd(*numbers)
    found: Any = tracer.constant(0, int64)
    for number in numbers:
        found = OPS["gcd"](found, wrap(tracer.value_of(_whole_number(tracer, number)), int64))
    return number_over(found)


@handles(math.lcm)
def _lcm(tracer: Tracer, *numbers: Any) -> Any:
    if not _is_symbolic(*numbers):
        return math.lcm(*numbers)
    found: Any = tracer.constant(1, int64)
    for number in numbers:
        found = OPS["lcm"](found, wrap(tracer.value_of(_whole_number(tracer, number)), int64))
    return number_over(found)


def _reduced(own: Any) -> None:
    @handles(own)
    def reduced(tracer: Tracer, a: Any, *args: Any, **options: Any) -> Any:
        return own(array_of_run(tracer, a, has_sizes=True), *args, **options)


def _of_lists(own: Any) -> None:
    """NumPy itself doesn't look into its lists for what it can't compute with."""

    @handles(own)
    def called(tracer: Tracer, *args: Any, **options: Any) -> Any:
        numbers = flatten((args, options), lambda x: isinstance(x, Tensor))[0]
        if numbers and all(type(x) is Number and x.origin is None for x in numbers):
            return of_numbers(own, args, options)
        return own(*args, **options)


def _over_values(own: Any) -> None:
    """What gives arrays, whatever it is given: of values of a run an array of the run."""

    @handles(own)
    def called(tracer: Tracer, *args: Any, **options: Any) -> Any:
        made = over_values(own, args, options) if holds_value((args, options)) else NotImplemented
        return unhidden(tracer, own, *args, **options) if made is NotImplemented else made


for _own in ARRAY_FUNCTIONS:
    if handler(_own) is None:
        _over_values(_own)
for _own in (np.prod, np.sum, np.max, np.min, np.amax, np.amin, np.mean):
    _reduced(_own)
for _own in COUNTERPARTS:
    if handler(_own) is None:
        _of_lists(_own)
