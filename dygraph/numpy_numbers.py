"""Python numbers of a captured function beside NumPy's arrays and scalars: what comes out is NumPy's, as is its dtype.

A ufunc becomes an operation of the program. Any other function gets the numbers as they are now, guarded; of numbers
that only a run knows, what tensors have in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import DType, as_dtype
from ..base.errors import KindError
from ..base.pytree import flatten, unflatten
from ..ops.dims import Dim
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS, OPS
from .array_protocol import UFUNCS, array_function, array_ufunc
from .given_array import GivenArray, element, given_array
from .number import Number
from .run_array import RunArray
from .tensor import Tensor, wrap


def _of_ufunc(self: Tensor, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """`ufunc(*inputs)` with a number, or what stands for an array, among the inputs."""
    if _has_tensors((inputs, options)) or any(type(x) is RunArray for x in inputs):
        return array_ufunc(self, ufunc, method, *inputs, **options)
    name = UFUNCS.get(ufunc.__name__)
    is_computed = name is not None and getattr(np, ufunc.__name__, None) is ufunc and method == "__call__"
    made = _computed(ufunc, str(name), inputs) if is_computed and not options else None
    if made is not None:
        return made
    if any(isinstance(x, GivenArray) for x in _leaves((inputs, options))):
        return array_ufunc(self, ufunc, method, *bound(inputs), **bound(options))
    return getattr(ufunc, method)(*bound(inputs), **bound(options))


def _of_function(self: Number, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Another function of NumPy's with a number among the arguments."""
    numbers = [x for x in _leaves((args, kwargs)) if type(x) is Number]
    if _has_tensors((args, kwargs)):
        return array_function(self, function, types, args, kwargs)
    if all(isinstance(x._storage.payload, np.ndarray) for x in numbers):
        return function(*bound(args), **bound(kwargs))
    return of_numbers(function, args, kwargs)


def of_numbers(function: Any, args: Any, kwargs: Any) -> Any:
    """A function of NumPy's with numbers of a run among the arguments, or in lists there.

    It computes at full width. A call with other numbers of the same types tells the dtype, and whether an array or a
    scalar comes out.
    """
    sample = sample_of_call(function, args, kwargs)
    made = array_function(None, function, (), _at_full_width(args), _at_full_width(kwargs))  # type: ignore[arg-type]
    if not isinstance(made, Tensor):
        return made
    if sample is None:
        return as_numpys(made)
    wanted = as_dtype(sample.dtype)
    made = made.detach() if made.dtype is wanted else OPS["cast"](made.detach(), wanted)
    return given_array(made) if isinstance(sample, np.ndarray) else element(made)


def sample_of_call(function: Any, args: Any, kwargs: Any) -> Any:
    """What the function gives for other numbers of the same types; None where that is no array or scalar."""
    leaves, tree = flatten((args, kwargs), _is_leaf)
    given = [_like(x) for x in leaves]
    if any(x is None for x in given):
        return None
    others, options = unflatten(tree, iter(given))
    try:
        made = function(*others, **options)
    except (TypeError, ValueError, IndexError, ArithmeticError):  # the call itself says what is wrong
        return None
    return made if isinstance(made, (np.ndarray, np.generic)) else None


def _like(x: Any) -> Any:
    """Something of the same type, dtype and shape as a number, array or size; None where a run makes the shape."""
    if type(x) is Number:
        return x.kind(1)
    if isinstance(x, Dim):
        return 1
    if not isinstance(x, Tensor):
        return x
    if not all(type(d) is int for d in x.shape):
        return None
    ones = np.ones(tuple(x.shape), x.dtype.numpy)
    return ones if isinstance(x, GivenArray) else ones[()]


def _at_full_width(given: Any) -> Any:
    """Arguments with the numbers in them as 64-bit ones of NumPy's."""
    if type(given) is Number:
        return element(wrap(current().value_of(given), given.dtype))
    if type(given) is float:
        return np.float64(given)
    if type(given) in (list, tuple):
        if _are_floats(given):
            return np.asarray(given)
        return type(given)([_at_full_width(x) for x in given])
    return {k: _at_full_width(x) for k, x in given.items()} if type(given) is dict else given


def _are_floats(given: Any) -> bool:
    """Whether a list holds Python numbers and lists of these, a float among them."""
    leaves = flatten(list(given), lambda x: not isinstance(x, (list, tuple)))[0]
    return all(type(x) in (bool, int, float) for x in leaves) and any(type(x) is float for x in leaves)


def as_numpys(made: Any) -> Any:
    """A tensor that was computed from what stands for arrays and scalars, as one."""
    if isinstance(made, GivenArray) or type(made) is Number:
        return made
    return given_array(made.detach()) if made.ndim else element(made.detach())


def bound(given: Any) -> Any:
    """Arguments with the numbers and sizes in them as they are now, guarded. Errors: CaptureError for one of a run."""
    leaves, tree = flatten(given, _is_leaf)
    made = [int(x) if isinstance(x, Dim) else x.plain() if type(x) is Number else x for x in leaves]
    return unflatten(tree, iter(made))


def _leaves(given: Any) -> list[Any]:
    return flatten(given, _is_leaf)[0]


def _is_leaf(x: object) -> bool:
    return isinstance(x, (Tensor, Dim, np.ndarray))


def _has_tensors(given: Any) -> bool:
    """Whether a tensor is among the arguments: what comes out is one."""
    return any(isinstance(x, Tensor) and not (_is_numpys(x) or x.is_literal) for x in _leaves(given))


def _is_numpys(x: Tensor) -> bool:
    return isinstance(x, (GivenArray, Number)) or x.is_element


def _computed(ufunc: Any, name: str, operands: tuple[Any, ...]) -> Any:
    """The result of a ufunc with NumPy's dtype; None where the program has no such operation."""
    try:
        kinds = [_kind(x) for x in operands]
        of_loop = [as_dtype(kind) for kind in ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout))]
    except (TypeError, KindError):  # of objects, texts, times
        return None
    values = [_as_value(x, dtype) for x, dtype in zip(operands, of_loop, strict=False)]
    made = (FUNCTIONS.get(name) or OPS[name])(*values)
    wanted = of_loop[len(operands)]
    return as_numpys(made if made.dtype is wanted else OPS["cast"](made, wanted))


def _kind(x: Any) -> Any:
    """What decides the dtype of a result: a dtype, or the type of a Python number, which is weak."""
    kind = x.kind if type(x) is Number else int if isinstance(x, Dim) else type(x)
    if kind in (int, float, complex):
        return kind
    return np.dtype(x.dtype.numpy) if isinstance(x, Tensor) and kind is not bool else np.asarray(x).dtype


def _as_value(x: Any, dtype: DType) -> Any:
    """An operand as a tensor of that dtype."""
    if isinstance(x, Tensor) and type(x) is not Number:
        x = x.detach()
        return x if x.dtype is dtype else OPS["cast"](x, dtype)
    made = current().constant(x if isinstance(x, (Number, Dim)) else np.asarray(x), dtype)
    return wrap(current().value_of(made), dtype)


_of_tensors: Any = GivenArray.__array_ufunc__  # type: ignore[attr-defined]


def _of_arrays(self: GivenArray, *args: Any, **options: Any) -> Any:
    return (_of_ufunc if type(self) is GivenArray else _of_tensors)(self, *args, **options)


Number.__array_ufunc__ = _of_ufunc  # type: ignore[attr-defined]
GivenArray.__array_ufunc__ = _of_arrays  # type: ignore[attr-defined]
Number.__array_function__ = _of_function  # type: ignore[attr-defined]
