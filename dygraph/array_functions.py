"""NumPy's functions that give arrays of whatever they are given (`np.full`), over values of a captured function.

In eager mode they get the elements. In a captured function operations compute what they give, without a gradient, and
a call with other elements of the same types tells its dtype, and whether it is an array or a scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtype import DType, as_dtype
from ..base.errors import KindError
from ..base.pytree import flatten
from ..ops.dims import Dim
from ..ops.dispatch import current
from ..ops.infer import as_dims
from ..ops.op import FUNCTIONS, OPS
from .array_protocol import Unfit
from .given_array import GivenArray, element, given_array
from .number import Number, number_over
from .numpy_numbers import as_numpys, sample_of_call
from .tensor import Tensor, wrap

ARRAY_FUNCTIONS: dict[Any, Callable[..., Any]] = {}  # by the dtype of the result, if it is known, and the arguments


_WRITING = (np.copyto, np.fill_diagonal)


def over_values(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`function(*args, **kwargs)` of such a function; NotImplemented where the options have no counterpart here."""
    sample = None if function in _WRITING else sample_of_call(function, args, kwargs)
    try:
        dtype = None if sample is None else as_dtype(sample.dtype)
        made = ARRAY_FUNCTIONS[function](dtype, *args, **kwargs)
    except (Unfit, KindError):  # the latter: an array of objects
        return NotImplemented
    if not isinstance(made, Tensor) or type(made) is Number:
        return made
    made = made if dtype is None or made.dtype is dtype else OPS["cast"](made, dtype)
    own = wrap(current().value_of(made), made.dtype)  # with memory of its own
    if sample is None:
        return as_numpys(own)
    return given_array(own) if isinstance(sample, np.ndarray) else element(own)


def _gives(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(made: Callable[..., Any]) -> Callable[..., Any]:
        ARRAY_FUNCTIONS.update(dict.fromkeys(functions, made))
        return made

    return add


def _require(fits: bool) -> None:
    if not fits:
        raise Unfit


def _are_ints(sizes: Any) -> bool:
    """Whether sizes or places are known: others are bound, or refused."""
    return all(isinstance(d, (int, np.integer)) for d in sizes)


def _value(x: Any, dtype: DType | None = None) -> Any:
    """What an argument holds, as a tensor without a gradient."""
    if isinstance(x, Tensor) and type(x) is not Number:
        made = x.detach()
    else:
        is_plain = not isinstance(x, (Number, Dim)) and not flatten(x, lambda v: isinstance(v, (Tensor, Dim)))[0]
        made = current().constant(np.asarray(x) if is_plain else x, dtype)
        made = wrap(current().value_of(made), made.dtype)
    return made if dtype is None or made.dtype is dtype else OPS["cast"](made, dtype)


@_gives(np.array, np.asarray, np.asanyarray)
def _array(wanted: DType | None, a: Any, *_: Any, **options: Any) -> Any:
    _require(wanted is not None and options.keys() <= {"dtype"})
    return _value(a, wanted)


@_gives(np.copy)
def _copy(wanted: DType | None, a: Any, order: str = "K", subok: bool = False) -> Any:
    return OPS["assign"](_value(a, wanted))


@_gives(np.full)
def _full(wanted: DType | None, shape: Any, fill_value: Any, *_: Any, **options: Any) -> Any:
    _require(options.keys() <= {"dtype"})
    return OPS["broadcast_to"](_value(fill_value, wanted), as_dims(shape))


@_gives(np.zeros, np.empty)
def _zeros(wanted: DType | None, shape: Any, *_: Any, **options: Any) -> Any:
    _require(wanted is not None and options.keys() <= {"dtype"})
    return OPS["full"](as_dims(shape), 0, wanted)


@_gives(np.ones)
def _ones(wanted: DType | None, shape: Any, *_: Any, **options: Any) -> Any:
    _require(wanted is not None and options.keys() <= {"dtype"})
    return OPS["full"](as_dims(shape), 1, wanted)


@_gives(np.arange)
def _arange(wanted: DType | None, *bounds: Any, **options: Any) -> Any:
    _require(wanted is not None and wanted.is_integer and len(bounds) < 4 and options.keys() <= {"dtype"})
    return FUNCTIONS["arange"](*bounds, dtype=wanted)


@_gives(np.empty_like)
def _empty_like(wanted: DType | None, prototype: Any, **options: Any) -> Any:
    _require(not options)
    return FUNCTIONS["zeros_like"](_value(prototype))


@_gives(np.copyto)
def _copyto(wanted: DType | None, dst: Any, src: Any, **options: Any) -> None:
    _require(isinstance(dst, GivenArray) and not options)
    dst[...] = src


@_gives(np.fill_diagonal)
def _fill_diagonal(wanted: DType | None, a: Any, val: Any, wrap: bool = False) -> None:
    _require(isinstance(a, GivenArray) and a.ndim == 2 and not wrap and all(type(d) is int for d in a.shape))
    places = np.arange(min(a.shape))
    a[places, places] = val


@_gives(np.linspace)
def _linspace(wanted: DType | None, start: Any, stop: Any, num: int = 50, endpoint: bool = True, **options: Any) -> Any:
    first, last = (_value(x, wanted) for x in (start, stop))
    _require(not options and wanted is not None and type(num) is int and num > 0 and first.ndim == last.ndim == 0)
    width, parts = last - first, num - 1 if endpoint else num
    places = _value(np.arange(num), wanted)
    if not parts:
        return OPS["reshape"](first, (1,))
    step = width / parts  # of numbers so near that it is zero NumPy divides later
    moved = OPS["where"](OPS["equal"](step, 0), places / parts * width, places * step) + first
    return moved if not endpoint else OPS["concat"]([moved[:-1], OPS["reshape"](last, (1,))], 0)


@_gives(np.diag)
def _diag(wanted: DType | None, v: Any, k: int = 0) -> Any:
    return FUNCTIONS["diag"](_value(v), k)


@_gives(np.diagonal)
def _diagonal(wanted: DType | None, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return FUNCTIONS["diagonal"](_value(a), offset, axis1, axis2)


@_gives(np.trace)
def _trace(wanted: DType | None, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return FUNCTIONS["trace"](_value(a, wanted), offset, axis1, axis2)


@_gives(np.append)
def _append(wanted: DType | None, arr: Any, values: Any, axis: int | None = None) -> Any:
    parts = [_value(x, wanted) for x in (arr, values)]
    return OPS["concat"](parts if axis is not None else [OPS["reshape"](x, (-1,)) for x in parts], axis or 0)


@_gives(np.roll)
def _roll(wanted: DType | None, a: Any, shift: Any, axis: Any = None) -> Any:
    _require(_are_ints(shift if isinstance(shift, tuple) else (shift,)))
    return FUNCTIONS["roll"](_value(a), shift, axis)


@_gives(np.tile)
def _tile(wanted: DType | None, A: Any, reps: Any) -> Any:
    times = list(reps) if isinstance(reps, (list, tuple)) else [reps]
    _require(_are_ints(times))
    return FUNCTIONS["tile"](_value(A), times)


@_gives(np.diff)
def _diff(wanted: DType | None, a: Any, n: int = 1, axis: int = -1) -> Any:
    return FUNCTIONS["diff"](_value(a), n, axis)


@_gives(np.kron)
def _kron(wanted: DType | None, a: Any, b: Any) -> Any:
    return FUNCTIONS["kron"](_value(a, wanted), _value(b, wanted))


def _stacking(function: Any, name: str) -> None:
    @_gives(function)
    def stacked(wanted: DType | None, tup: Any, **options: Any) -> Any:
        _require(not options)
        return FUNCTIONS[name]([_value(x, wanted) for x in tup])


for _name in ("vstack", "hstack", "dstack", "column_stack"):
    _stacking(getattr(np, _name), _name)


@_gives(np.linalg.norm)
def _norm(wanted: DType | None, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    value = _value(x, wanted)
    _require(ord is None and not value.dtype.is_complex)
    axes = list(axis) if isinstance(axis, tuple) else axis
    return OPS["sqrt"](FUNCTIONS["sum"](OPS["square"](value), axes, keepdim=keepdims))


def _pair(a: Any, b: Any) -> list[Any]:
    """Two arguments in the dtype in which NumPy compares them as floats."""
    values = [_value(x) for x in (a, b)]
    kinds = [x.kind if type(x) is Number else v.dtype.numpy for x, v in zip((a, b), values, strict=True)]
    weak = [kind(0) if isinstance(kind, type) and kind in (bool, int, float) else np.dtype(kind) for kind in kinds]
    wanted = as_dtype(np.result_type(*weak, 1.0))
    return [_value(v, wanted) for v in values]


@_gives(np.isclose)
def _isclose(
    wanted: DType | None, a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    return FUNCTIONS["isclose"](*_pair(a, b), rtol, atol, equal_nan)


@_gives(np.allclose)
def _allclose(
    wanted: DType | None, a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    return number_over(FUNCTIONS["allclose"](*_pair(a, b), rtol, atol, equal_nan).detach())


@_gives(np.array_equal)
def _array_equal(wanted: DType | None, a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    x, y = _value(a1), _value(a2)
    _require(not equal_nan and all(type(d) is int for v in (x, y) for d in v.shape))
    return tuple(x.shape) == tuple(y.shape) and number_over(OPS["all"](OPS["equal"](x, y)).detach())


@_gives(np.iscomplexobj)
def _iscomplexobj(wanted: DType | None, x: Any) -> bool:
    return bool(_value(x).dtype.is_complex)


@_gives(np.isrealobj)
def _isrealobj(wanted: DType | None, x: Any) -> bool:
    return not _value(x).dtype.is_complex
