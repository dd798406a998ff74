"""What stands for a NumPy array in a captured function: a tensor that is written, copied and viewed as an array is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from ..base.dtype import DType, as_dtype, float64
from ..base.errors import CaptureError
from ..base.location import caller_loc
from ..base.pytree import flatten
from ..ops.dispatch import current
from ..ops.op import FUNCTIONS, OPS
from .number import Number
from .storage import Storage
from .tensor import Tensor, wrap

_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_BITS = ("and", "or", "xor", "lshift", "rshift")
_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
_OPERATORS = (
    *(f"__{side}{name}__" for name in (*_ARITHMETIC, *_BITS) for side in ("", "r")),
    *(f"__{name}__" for name in _COMPARED),
)
_COMPUTED = (
    *_OPERATORS,
    *(f"__{name}__" for name in ("neg", "pos", "abs", "invert", "array_ufunc", "array_function")),
    "astype", "flatten", "clip", "cumsum", "cumprod", "max", "min", "mean", "prod", "std", "sum", "var", "any", "all",
    "argmax", "argmin", "argsort", "round", "take", "conj",
)  # fmt: skip
_REMEDY = "pass a tensor, or write `a[...] = ...` to an array that is an argument"
_VIEWING = frozenset({
    np.transpose, np.reshape, np.ravel, np.squeeze, np.expand_dims, np.swapaxes, np.moveaxis, np.flip, np.flipud,
    np.fliplr, np.rot90, np.atleast_1d, np.atleast_2d,
})  # fmt: skip
_OF_FLOATS = ("__truediv__", "__rtruediv__", "mean", "std", "var")
_FLOATS_OF = (np.mean, np.std, np.var)
_JOINING = {np.where: 1, np.clip: 0}  # the first operand of those whose dtype the result has
_COPY = "copy it before the write: `a = a.copy()`"
_METHODS = ("partition", "put", "itemset", "resize", "setfield", "setflags")


class GivenArray(Tensor):
    """A tensor that stands for a NumPy array: one of the caller's, what NumPy computes from it, or a view of one.

    base: for a view, the array behind it. made: the operation that makes the view from the value of its base. seen: the
    base's value from which this one was made. cut: the operation's name, its further operands and attributes, and the
    number of its result. indexed: the array and the key that the view was indexed with, if it was.
    is_joint: the paths of an `if` or the iterations of a loop end with different arrays here, so that a write has no
    single target.
    """

    is_ndarray = True
    base: GivenArray | None = None
    made: Callable[[Any], Any] | None = None
    seen: Any = None
    cut: tuple[str, tuple[Any, ...], dict[str, Any], int] | None = None
    indexed: tuple[GivenArray, Any] | None = None
    is_joint: bool = False

    @property
    def shape(self) -> Any:
        """The sizes of the axes, a tuple as NumPy's."""
        return tuple(super().shape)

    def now(self, value_of: Callable[[Tensor], Any]) -> Any:
        """The value that a view has now: made anew where its base was written."""
        assert self.base is not None
        assert self.made is not None
        now = value_of(self.base)
        return self._storage.payload if now is self.seen else self.made(now)

    @property
    def root(self) -> Storage:
        """The cell that a write to this array changes."""
        return self._storage if self.base is None else self.base.root

    def snapshot(self, *, private: bool = False) -> GivenArray:
        """An array with the elements of now, for the end of a path."""
        return given_array(super().snapshot(private=private) if self.base is None else self.detach())

    def detach(self) -> Tensor:
        """A tensor with the same elements."""
        if self.base is not None:
            return wrap(current().value_of(self), self._dtype)
        made = Tensor.__new__(Tensor)
        made._storage, made._dtype = self._storage, self._dtype
        return made

    def copy(self, order: str = "C") -> GivenArray:
        """An array of its own: another value, too, so that a loop or branch that makes it is seen to leave another."""
        return given_array(OPS["assign"](self.detach()))

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if type(self) is GivenArray and not isinstance(found, GivenArray):  # elements that an array or mask picks
            return given_array(found.detach()) if found.ndim else element(found.detach())
        if not isinstance(found, GivenArray) or found.base is None:
            return found
        if not found.ndim:
            return element(found.detach())
        found.indexed = (self, index)
        return found

    def _write(self, value: Tensor, *, fresh: bool = False) -> None:
        if self.is_joint:
            refuse_write("an array that an `if` or a loop chooses among several", _COPY)
        if not value._stop:  # arrays have no gradients
            value = OPS["stop_gradient"](value)
        if self.base is None:
            super()._write(value, fresh=fresh)
        elif self.indexed is None and self._is_alone():
            self.base = None
            super()._write(value, fresh=fresh)
        elif self.indexed is None:
            refuse_write("a view of an array", _COPY)
        else:
            array, index = self.indexed
            array[index] = value

    def _is_alone(self) -> bool:
        """Whether nobody else can see the array behind a view: only this view refers to it."""
        base = self.base
        assert base is not None
        if base.is_joint or (base.base is not None and not base._is_alone()):
            return False
        is_current = current().value_of(base) is self.seen
        return is_current and sys.getrefcount(base) <= _ALONE

    def std(self, axis: Any = None, dtype: None = None, out: None = None, ddof: int = 0, keepdims: bool = False) -> Any:
        """The standard deviation; as NumPy has it, of a population."""
        return self._spread("std", axis, dtype, out, ddof, keepdims)

    def var(self, axis: Any = None, dtype: None = None, out: None = None, ddof: int = 0, keepdims: bool = False) -> Any:
        """The variance; as NumPy has it, of a population."""
        return self._spread("var", axis, dtype, out, ddof, keepdims)

    def _spread(self, name: str, axis: Any, dtype: Any, out: Any, ddof: int, keepdims: bool) -> Any:
        if dtype is not None or out is not None or ddof not in (0, 1):
            _refuse(f"{name}() of an array with dtype=, out= or another ddof than 0 and 1", "compute it by mean()")
        return FUNCTIONS[name](self, axis=axis, unbiased=bool(ddof), keepdim=keepdims)

    def dot(self, other: Any) -> Any:
        """The product of vectors or matrices."""
        if max(self.ndim, getattr(other, "ndim", 0)) > 2:
            _refuse("dot() of arrays with more than two axes", "use matmul or einsum")
        return self @ other

    def nonzero(self) -> NoReturn:
        """Refused: how many there are is known to a run only, and a tuple of arrays has to come out."""
        _refuse("nonzero() of an array", "use vt.nonzero(vt.to_tensor(a)), or a mask")

    def reshape(self, *shape: Any) -> Any:
        """A view of another shape."""
        tensor: Any = super()
        return tensor.reshape(shape[0] if len(shape) == 1 else list(shape))

    def fill(self, value: Any) -> None:
        """Set all elements."""
        self[...] = value

    def argsort(self, axis: int | None = -1, kind: Any = None, order: None = None, *, stable: Any = None) -> Any:
        """The places of the elements in rising order."""
        function: Any = np.argsort
        return function(self, axis, kind, order, stable=stable)

    def sort(self, axis: int = -1) -> None:
        """Sort in place."""
        self[...] = FUNCTIONS["sort"](self.detach(), axis=axis)


def _count_alone() -> int:
    """What `sys.getrefcount` gives in `_is_alone` for what only an attribute and a local variable refer to."""
    holder = SimpleNamespace(base=object())
    base = holder.base
    return sys.getrefcount(base)


_ALONE = _count_alone()


def given_array(x: Tensor) -> GivenArray:
    """`x`, which is without a gradient, as an array."""
    made = GivenArray.__new__(GivenArray)
    made._storage, made._dtype = x._storage, x._dtype
    return made


def element(x: Tensor) -> Tensor:
    """`x`, which has no axes, as a NumPy scalar: beside tensors it is as weak as a Python number."""
    if type(x) is not Number:
        x.is_element = True
    return x


def joint(x: Tensor, is_joint: bool) -> GivenArray:
    """`x`, which is an array on one path of an `if`, or in some iterations of a loop."""
    made = given_array(x)
    made.is_joint = is_joint
    return made


def view_of(base: GivenArray, seen: Any, x: Tensor, made: Callable[[Any], Any], cut: Any) -> GivenArray:
    """`x`, which `made` makes from the value of `base`, as a view of it. cut: as in GivenArray."""
    view = x if isinstance(x, GivenArray) else given_array(x)
    view.base, view.seen, view.made, view.cut = base, seen, made, cut
    return view


def refuse_write(what: str, remedy: str = _REMEDY) -> NoReturn:
    """A write that a program can't follow."""
    _refuse(f"{what} is written in place, which a captured function can't do", remedy)


def _refuse(message: str, remedy: str) -> NoReturn:
    raise CaptureError(message, loc=caller_loc(), remedy=remedy)


def _in_place(name: str) -> Callable[[GivenArray, Any], Any]:
    plain = getattr(Tensor, f"__{name}__")

    def method(self: GivenArray, other: Any) -> Any:
        made = plain(self, other)
        if made is NotImplemented or (type(self) is not GivenArray and not self.ndim):
            return made  # a number, to NumPy
        if made.dtype.category > self.dtype.category:
            refuse_write(f"an array of {self.dtype.name} given {made.dtype.name} elements")
        self[...] = made if made.dtype is self.dtype else OPS["cast"](made, self.dtype)
        return self

    method.__name__ = f"__i{name}__"
    return method


def _computed(name: str) -> Callable[..., Any]:
    plain = getattr(GivenArray, name)

    @wraps(plain)
    def method(self: GivenArray, *args: Any, **kwargs: Any) -> Any:
        is_exact = type(self) is GivenArray and self.dtype.category < float64.category
        if is_exact and name == "__array_function__":
            args = (*args[:2], _operands(args[0], args[2]), *args[3:])
        elif is_exact and not _has_tensors((args, kwargs)):
            wanted = float64 if name in _OF_FLOATS else _with_floats(self, name, args)
            if wanted is not self.dtype:
                self = given_array(OPS["cast"](self.detach(), wanted))  # as NumPy
        made = plain(self, *args, **kwargs)
        if name == "round" and self.dtype.is_integer:
            made = OPS["cast"](made.detach(), self.dtype)
        is_array = type(made) is Tensor and bool(made.ndim)
        if isinstance(made, GivenArray) and (made.base is not None or made._storage is self._storage):
            is_view = name == "__array_function__" and args[0] in _VIEWING
            return made if is_view else made.copy()  # in new memory, as NumPy's
        if _has_tensors((args, kwargs)) or not isinstance(made, Tensor):
            return made
        if not made.ndim:
            return element(made)
        return given_array(made) if is_array else made

    return method


def _operands(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a function of NumPy's with integers as the floats in which it computes."""
    first = 0 if function in _FLOATS_OF else _JOINING.get(function)
    if first is None:
        return args
    among = args[first : 1 if function in _FLOATS_OF else None]
    if function is np.where and all(type(x) in (bool, int, float) for x in among):
        return (*args[:first], *map(np.asarray, among))
    if function in _JOINING and not any(_is_float(x) for x in among):
        return args
    made = [given_array(OPS["cast"](x.detach(), float64)) if _is_whole(x) else x for x in among]
    return (*args[:first], *made, *args[first + len(among) :])


def _is_float(x: Any) -> bool:
    return type(x) is float or (type(x) is Number and x.kind is float)


def _is_whole(x: Any) -> bool:
    return isinstance(x, GivenArray) and x.dtype.category < float64.category


def _with_floats(array: GivenArray, name: str, args: tuple[Any, ...]) -> DType:
    """The dtype in which NumPy computes with integers beside floats."""
    other = args[0] if name in _OPERATORS and args else None
    if _is_float(other):
        return float64
    dtype = getattr(other, "dtype", None)
    dtype = dtype.numpy if isinstance(dtype, DType) else dtype
    is_floating = isinstance(dtype, np.dtype) and dtype.kind == "f" and type(other) is not Number
    return as_dtype(np.result_type(array.dtype.numpy, dtype)) if is_floating else array.dtype


def _has_tensors(given: Any) -> bool:
    """Whether a tensor is among some arguments: what comes out is one."""
    leaves = flatten(given, lambda v: isinstance(v, Tensor))[0]
    tensors = [x for x in leaves if isinstance(x, Tensor) and not isinstance(x, GivenArray)]
    return any(not (x.is_literal or type(x) is Number) for x in tensors)


def _refused(name: str) -> Callable[..., NoReturn]:
    def method(self: GivenArray, *args: Any, **kwargs: Any) -> NoReturn:
        refuse_write(f"an array argument with {name}()")

    return method


for _name in (*_ARITHMETIC, *_BITS):
    setattr(GivenArray, f"__i{_name}__", _in_place(_name))
for _name in _COMPUTED:
    if hasattr(Tensor, _name):
        setattr(GivenArray, _name, _computed(_name))
for _name in _METHODS:
    setattr(GivenArray, _name, _refused(_name))
