"""NumPy's functions over tensors: `np.exp(t)`, `np.concatenate([t, u])`, `a * t` run as operations on tensors.

They give tensors, gradients flow through them, and captured functions hold them as operations. What has no counterpart
here gets the elements as arrays in eager mode; in a captured function that is the usual error with its remedy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops.op import FUNCTIONS, OPS
from .eager import constant
from .tensor import Tensor

_SAME = (
    "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_or", "bitwise_xor",
    "ceil", "conj", "cos", "cosh", "divide", "equal", "exp", "expm1", "floor", "floor_divide", "fmax", "fmin",
    "greater_equal", "isfinite", "isinf", "isnan", "less_equal", "log", "log10", "log1p", "log2", "logical_and",
    "logical_not", "logical_or", "logical_xor", "matmul", "maximum", "minimum", "multiply", "not_equal", "reciprocal",
    "remainder", "sign", "sin", "sinh", "sqrt", "square", "subtract", "tan", "tanh", "trunc",
)  # fmt: skip
_RENAMED = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "conjugate": "conj", "fabs": "abs", "greater": "greater_than",
    "invert": "bitwise_not", "less": "less_than", "negative": "neg", "power": "pow", "rint": "round",
    "true_divide": "divide",
}  # fmt: skip
UFUNCS = {**{name: name for name in _SAME}, **_RENAMED}
COUNTERPARTS: dict[Any, Callable[..., Any]] = {}  # of functions of NumPy's, by operations on tensors


class Unfit(Exception):
    """A call with options that the counterpart here lacks: NumPy takes it over."""


def array_ufunc(self: Tensor, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """`ufunc(*inputs)` as an operation on tensors."""
    name = UFUNCS.get(ufunc.__name__)
    is_numpys = vars(np).get(ufunc.__name__) == ufunc  # SciPy has ufuncs, too
    if name is None or not is_numpys or method != "__call__" or options:
        return _over_arrays(getattr(ufunc, method), inputs, options)
    return _named(name)(*[_operand(x) for x in inputs])


def array_function(self: Tensor, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """`function(*args, **kwargs)` of NumPy as operations on tensors."""
    made = COUNTERPARTS.get(function)
    if made is not None:
        try:
            return made(*args, **kwargs)
        except Unfit:
            pass
    return _over_arrays(function, args, kwargs)


def _named(name: str) -> Callable[..., Any]:
    return FUNCTIONS[name] if name in FUNCTIONS else OPS[name]


def _operand(x: Any) -> Any:
    return constant(x, None) if isinstance(x, (list, tuple, np.ndarray)) else x


def _over_arrays(function: Any, args: Any, kwargs: Any) -> Any:
    return function(*_arrays(args), **_arrays(kwargs))


def _arrays(x: Any) -> Any:
    if isinstance(x, Tensor):
        return np.asarray(x)
    if type(x) in (list, tuple):
        return type(x)(_arrays(part) for part in x)
    return {key: _arrays(part) for key, part in x.items()} if type(x) is dict else x


def _counterpart(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(made: Callable[..., Any]) -> Callable[..., Any]:
        COUNTERPARTS.update(dict.fromkeys(functions, made))
        return made

    return add


def _only_defaults(*options: Any) -> None:
    """Options that tensors' operations lack (out, dtype, where, ...) are NumPy's business."""
    if any(value is not None and value is not np._NoValue for value in options):
        raise Unfit


def _reduction(function: Any, name: str, *more: str) -> None:
    """A reduction whose arguments after `axis` are `more`, then `out` and `keepdims`."""
    names = ("axis", *more, "out", "keepdims")

    @_counterpart(function)
    def reduction(a: Any, *args: Any, **options: Any) -> Any:
        given = {**dict(zip(names, args, strict=False)), **options}
        axis, keepdim = given.pop("axis", None), given.pop("keepdims", False)
        extra = {}
        if name in ("std", "var"):
            freedom = given.pop("ddof", 0)
            if freedom not in (0, 1):
                raise Unfit
            extra["unbiased"] = bool(freedom)
        _only_defaults(*given.values())
        x = _operand(a)
        if name in ("all", "any") and not x.dtype.is_bool:
            x = OPS["not_equal"](x, 0)
        axis = list(axis) if isinstance(axis, tuple) else axis
        return _named(name)(x, axis, keepdim=keepdim is True, **extra)


for _name in ("sum", "mean", "prod"):
    _reduction(getattr(np, _name), _name, "dtype")
for _name in ("max", "min", "any", "all", "argmax", "argmin"):
    _reduction(getattr(np, _name), _name)
_reduction(np.amax, "max")
_reduction(np.amin, "min")
for _name in ("std", "var"):
    _reduction(getattr(np, _name), _name, "dtype", "out", "ddof")


@_counterpart(np.cumsum)
def _cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    _only_defaults(dtype, out)
    return FUNCTIONS["cumsum"](_operand(a), axis)


@_counterpart(np.cumprod)
def _cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    _only_defaults(dtype, out)
    return FUNCTIONS["cumprod"](_operand(a), axis)


@_counterpart(np.concatenate)
def _concatenate(arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = None) -> Any:
    _only_defaults(out, dtype, casting)
    parts = [_operand(x) for x in arrays]
    if axis is None:
        parts, axis = [OPS["reshape"](x, (-1,)) for x in parts], 0
    return OPS["concat"](parts, axis)


@_counterpart(np.stack)
def _stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: Any = None) -> Any:
    _only_defaults(out, dtype, casting)
    return FUNCTIONS["stack"]([_operand(x) for x in arrays], axis)


@_counterpart(np.where)
def _where(condition: Any, *choices: Any) -> Any:
    if len(choices) != 2:
        raise Unfit
    flag = _operand(condition)
    if isinstance(flag, Tensor) and not flag.dtype.is_bool:
        flag = OPS["not_equal"](flag, 0)
    return FUNCTIONS["where"](flag, *[_operand(x) for x in choices])


@_counterpart(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **options: Any) -> Any:
    low, high = options.pop("min", a_min), options.pop("max", a_max)
    _only_defaults(out, *options.values())
    found = _operand(a)
    found = found if low is None or low is np._NoValue else OPS["maximum"](found, _operand(low))
    return found if high is None or high is np._NoValue else OPS["minimum"](found, _operand(high))


@_counterpart(np.reshape)
def _reshape(a: Any, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    if order != "C":
        raise Unfit
    wanted = newshape if shape is None else shape
    return OPS["reshape"](_operand(a), [wanted] if isinstance(wanted, int) else wanted)


@_counterpart(np.ravel)
def _ravel(a: Any, order: str = "C") -> Any:
    if order != "C":
        raise Unfit
    return OPS["reshape"](_operand(a), (-1,))


@_counterpart(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Any:
    x = _operand(a)
    return OPS["transpose"](x, list(range(x.ndim))[::-1] if axes is None else list(axes))


@_counterpart(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    return FUNCTIONS["swapaxes"](_operand(a), axis1, axis2)


@_counterpart(np.moveaxis)
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    return FUNCTIONS["moveaxis"](_operand(a), source, destination)


@_counterpart(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Any:
    return _operand(a) if axis == () else FUNCTIONS["squeeze"](_operand(a), axis)  # NumPy's () names no axis


@_counterpart(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Any:
    return FUNCTIONS["unsqueeze"](_operand(a), list(axis) if isinstance(axis, tuple) else axis)


@_counterpart(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return OPS["broadcast_to"](_operand(array), (shape,) if isinstance(shape, int) else tuple(shape))


@_counterpart(np.flip)
def _flip(m: Any, axis: Any = None) -> Any:
    x = _operand(m)
    axes = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    return OPS["flip"](x, tuple(axes))


@_counterpart(np.sort)
def _sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    _only_defaults(order)
    return FUNCTIONS["sort"](OPS["reshape"](a, (-1,)) if axis is None else a, -1 if axis is None else axis)


@_counterpart(np.argsort)
def _argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    _only_defaults(order)
    x = OPS["reshape"](a, (-1,)) if axis is None else a
    axis = -1 if axis is None else axis
    if x.is_ndarray and kind not in ("stable", "mergesort") and not stable:
        return OPS["array_order"](x, axis)
    return FUNCTIONS["argsort"](x, axis, stable=True)


@_counterpart(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    _only_defaults(out)
    x, y = _operand(a), _operand(b)
    if not getattr(x, "ndim", 0) or not getattr(y, "ndim", 0):
        return OPS["multiply"](x, y)
    if (x.ndim > 2 and y.ndim > 1) or y.ndim > 2:
        raise Unfit
    return OPS["matmul"](x, y)


@_counterpart(np.einsum)
def _einsum(equation: Any, *operands: Any, **options: Any) -> Any:
    if not isinstance(equation, str) or options:
        raise Unfit
    return FUNCTIONS["einsum"](equation, *[_operand(x) for x in operands])


@_counterpart(np.outer)
def _outer(a: Any, b: Any, out: Any = None) -> Any:
    _only_defaults(out)
    return FUNCTIONS["outer"](OPS["reshape"](_operand(a), (-1,)), OPS["reshape"](_operand(b), (-1,)))


@_counterpart(np.round, np.around)
def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    _only_defaults(out)
    made = FUNCTIONS["round"](a, decimals)
    return OPS["cast"](made, a.dtype) if a.dtype.is_integer else made


@_counterpart(np.shape)
def _shape(a: Any) -> tuple[Any, ...]:
    return tuple(a.shape)


@_counterpart(np.ndim)
def _ndim(a: Any) -> int:
    return int(a.ndim)


def _triangle(function: Any, name: str) -> None:
    @_counterpart(function)
    def triangle(m: Any, k: int = 0) -> Any:
        return _named(name)(m, k)


_triangle(np.tril, "tril")
_triangle(np.triu, "triu")


def _filled_like(function: Any, name: str) -> None:
    @_counterpart(function)
    def filled_like(a: Any, *value: Any, **options: Any) -> Any:
        if len(value) > (name == "full_like") or options:
            raise Unfit
        return FUNCTIONS[name](a, *value)


_filled_like(np.zeros_like, "zeros_like")
_filled_like(np.ones_like, "ones_like")
_filled_like(np.full_like, "full_like")
