"""Tensor methods from the op table: rows and functions marked as methods, in-place variants, and a few by hand."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np

from ..base.boundary import shorten
from ..base.dtype import always, as_dtype, never, widens
from ..base.errors import ArgumentError, GradientError, KindError, VitrifyError
from ..ops import functions, methods
from ..ops.argument_names import names_of
from ..ops.dispatch import bottoms, interpreters
from ..ops.mistakes import MISTAKES, plain
from ..ops.op import FUNCTIONS, OPS, Op
from . import draws, random_generators, storage
from .array_protocol import array_function, array_ufunc
from .dense import DenseTensor
from .eager import from_array
from .in_place_functions import (
    BY_HAND,
    IN_PLACE,
    RESHAPING_IN_PLACE,
    RETYPING_IN_PLACE,
    WIDENING_IN_PLACE,
    written,
)
from .tensor import Tensor
from .view_functions import attach as attach_views
from .views import is_in_order

KEPT = {name for name in vars(Tensor) if not name.startswith("_")}  # the table doesn't replace what the class defines
_by_hand: dict[str, Callable[..., Any]] = dict(BY_HAND)
_in_place: set[str] = set()
_first_names: dict[str, tuple[str, ...]] = {}  # variant -> how its function spells the tensor that is written


def attach() -> None:
    """Give Tensor a method for each row and function that wants one; safe to call again after registering more."""
    for name, fn in methods().items():
        if name not in KEPT:
            _set(name, fn)
        if isinstance(fn, Op) and fn.family == "elementwise":
            _set_in_place(name, fn)
    known = functions()
    for name in (*IN_PLACE, *RESHAPING_IN_PLACE):
        if name in known:
            _set_in_place(name, known[name])
    for name, fn in _by_hand.items():
        setattr(Tensor, name, fn)
    attach_views()


def _set(name: str, fn: Callable[..., Any]) -> None:
    def method(*args: Any, **kwargs: Any) -> Any:
        try:
            if kwargs and not (names := names_of(fn)).others.isdisjoint(kwargs):
                return names.call(name, fn, args, kwargs)
            return fn(*args, **kwargs)
        except MISTAKES as error:
            told = plain(error, name, fn, args, kwargs, 1)
            if told is None:
                raise
        raise told from None

    if isinstance(fn, Op):
        method = _of_row(fn)
    method.__name__, method.__qualname__, method.__doc__ = (
        name,
        f"Tensor.{name}",
        fn.doc if isinstance(fn, Op) else fn.__doc__,
    )
    setattr(Tensor, name, method)


def _of_row(op: Op) -> Callable[..., Any]:
    """A method that looks itself for a known call of the row: one call of Python less."""

    def method(*args: Any, **kwargs: Any) -> Any:
        try:
            if kwargs and not op.names.others.isdisjoint(kwargs):
                return op(*args, **kwargs)
            if not interpreters():
                made = bottoms[0].again(op, args, kwargs)
                if made is not NotImplemented:
                    return made
            return op.in_full(*args, **kwargs)
        except VitrifyError as error:
            if op.has_out(args):
                return op(*args, **kwargs)
            shorten(error)
            raise

    return method


def _set_in_place(name: str, fn: Callable[..., Any]) -> None:
    reshapes: bool = name in RESHAPING_IN_PLACE
    row = getattr(fn, "name", name)  # mul is multiply
    retypes = always if name in RETYPING_IN_PLACE else widens if row in WIDENING_IN_PLACE else never
    first = fn.operands[0] if isinstance(fn, Op) else next(iter(signature(fn).parameters))
    spellings = (first, *(other for other, own in names_of(fn).own.items() if own == first))

    def method(*args: Any, **kwargs: Any) -> Any:
        # Tensor.exp_(x=t) names the tensor
        x, *rest = args or (next((kwargs.pop(s) for s in spellings if s in kwargs), None),)
        try:
            return written(x, fn, tuple(rest), kwargs, reshapes=reshapes, retypes=retypes)
        except MISTAKES as error:
            told = plain(error, name, fn, (x, *rest), kwargs, 1)
            if told is None:
                raise
        raise told from None

    name += "_"
    method.__name__, method.__qualname__, method.__doc__ = name, f"Tensor.{name}", f"`{name[:-1]}`, written in place."
    if name not in KEPT:
        setattr(Tensor, name, method)
        _in_place.add(name)
        _first_names[name] = spellings


def in_place_functions() -> dict[str, Callable[..., Any]]:
    """The in-place methods as functions: `exp_(x)` for `x.exp_()`.

    >>> x = Tensor([4.0]); in_place_functions()["sqrt_"](x).tolist()
    [2.0]
    """
    drawn = {fn.__name__ for fn in (*random_generators.IN_PLACE, *draws.IN_PLACE)} - {"uniform_", "exponential_"}
    return {name: _calling(name) for name in sorted(_in_place | drawn | {"where_"})}


def _calling(name: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        x, *rest = args or (next((kwargs.pop(s) for s in _first_names.get(name, ("x",)) if s in kwargs), None),)
        if not isinstance(x, Tensor):
            raise KindError(f"{name} writes into a tensor, not into {type(x).__name__}")
        return getattr(x, name)(*rest, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`x.{name}()`: `{name[:-1]}`, written into x."
    return function


def _method(fn: Callable[..., Any]) -> Callable[..., Any]:
    _by_hand[fn.__name__] = fn
    return fn


@_method
def _grad_ivar(self: Tensor) -> Any:
    """`grad`, as Paddle's engine calls it."""
    return self.grad


@_method
def gradient(self: Tensor) -> Any:
    """`.grad` as an array, or None."""
    return None if self.grad is None else self.grad.numpy()


@_method
def _set_grad_ivar(self: Tensor, value: Any) -> None:
    """Set `grad`, as Paddle's engine calls it."""
    self.grad = value


@_method
def astype(self: Tensor, dtype: Any) -> Any:
    """A copy of another dtype; the tensor itself where it has that dtype."""
    kind = as_dtype(dtype)
    return self if kind is self._dtype else OPS["cast"](self, kind)


@_method
def cast(x: Tensor, dtype: Any) -> Any:
    """A copy of another dtype; the tensor itself where it has that dtype."""
    return astype(x, dtype)


def _casting(name: str, dtype: str) -> None:
    def method(self: Tensor) -> Any:
        return astype(self, dtype)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Tensor.{name}", f"A copy of dtype {dtype}."
    _by_hand[name] = method


for _name, _dtype in {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "short": "int16",
    "int": "int32", "long": "int64", "char": "int8", "byte": "uint8", "bool": "bool", "cfloat": "complex64",
    "cdouble": "complex128",
}.items():  # fmt: skip
    _casting(_name, _dtype)


@_method
def apply(self: Tensor, func: Callable[[Any], Any]) -> Any:
    """`func(tensor)`. Errors: GradientError for a tensor that needs gradients: it would not see the function."""
    if not self.stop_gradient:
        raise GradientError("apply() isn't recorded: the tensor needs gradients", remedy="call func(tensor)")
    return func(self)


@_method
def apply_(self: Tensor, func: Callable[[Any], Any]) -> Any:
    """`func(tensor)`, written into the tensor. Errors: GradientError for a tensor that needs gradients."""
    return self.copy_(apply(self, func))


def _made(row: str) -> Callable[..., Any]:
    def method(self: Tensor, size: Any, *rest: Any, dtype: Any = None, **others: Any) -> Any:
        stops = others.pop("requires_grad", False) is False
        others.pop("device", None)
        made = functions()[row](size, *rest, dtype=self._dtype if dtype is None else dtype, **others)
        made.stop_gradient = stops
        return made

    method.__name__, method.__qualname__ = f"new_{row}", f"Tensor.new_{row}"
    method.__doc__ = f"`{row}` of this tensor's dtype, unless another is named."
    return method


for _name in ("zeros", "ones", "full", "empty"):
    _by_hand[f"new_{_name}"] = _made(_name)


@_method
def is_tensor(self: Tensor) -> bool:
    """Always true; `Tensor.is_tensor(x)` asks about any object."""
    return isinstance(self, Tensor)


@_method
def is_dense(self: Tensor) -> bool:
    """Always true: sparse tensors are of another class."""
    return True


@_method
def is_sparse(self: Tensor) -> bool:
    """Always false: sparse tensors are of another class."""
    return False


_by_hand["is_sparse_coo"] = _by_hand["is_sparse_csr"] = _by_hand["is_sparse"]


@_method
def to_dense(self: Tensor) -> Tensor:
    """The tensor itself."""
    return self


@_method
def to_sparse_coo(self: Tensor, sparse_dim: int | None = None) -> Any:
    """The elements that aren't 0, by coordinates of the first `sparse_dim` axes (all by default)."""
    return import_module(f"{__package__}.sparse.sparse_creation").to_sparse_coo(self, sparse_dim)


@_method
def to_sparse_csr(self: Tensor) -> Any:
    """The elements that aren't 0 of a matrix, or of a batch of them, in compressed rows."""
    return import_module(f"{__package__}.sparse.sparse_creation").to_sparse_csr(self)


@_method
def ndimension(self: Tensor) -> int:
    """The number of axes."""
    return self.ndim


@_method
def where_(self: Tensor, x: Tensor, y: Any) -> Tensor:
    """`where(self, x, y)`, written into x, which is returned."""
    if not isinstance(x, Tensor):
        raise ArgumentError(f"where_ writes into x, which must be a tensor, not {type(x).__name__}")
    made: Tensor = x._update(lambda kept: functions()["where"](self, kept, y), (), {})
    return made


@_method
def clone(self: Tensor) -> Any:
    """A copy in memory of its own; gradients flow through it."""
    return OPS["assign"](self)


@_method
def element_size(self: Tensor) -> int:
    """Bytes of one element."""
    return self._dtype.itemsize


def _itemsize(self: Tensor) -> int:
    """Bytes of one element."""
    return self._dtype.itemsize


def _nbytes(self: Tensor) -> Any:
    """Bytes of all elements."""
    return self._dtype.itemsize * self.size


def _matrices_transposed(self: Any) -> Any:
    """With the last two axes exchanged."""
    return self.matrix_transpose()


def _kind(self: Tensor) -> str:
    """The kind of variable: `base.core.VarDesc.VarType.DENSE_TENSOR`."""
    return "dense tensor"


_by_hand["type"] = property(_kind)  # type: ignore[assignment]
_by_hand["itemsize"] = property(_itemsize)  # type: ignore[assignment]
_by_hand["nbytes"] = property(_nbytes)  # type: ignore[assignment]
_by_hand["mT"] = property(_matrices_transposed)  # type: ignore[assignment]


_by_hand["__div__"] = lambda self, other: self / other  # Python 2's names, which Paddle has kept
_by_hand["__rdiv__"] = lambda self, other: other / self


@_method
def is_floating_point(self: Tensor) -> bool:
    """Whether the dtype is a float."""
    return self._dtype.is_floating


@_method
def is_integer(self: Tensor) -> bool:
    """Whether the dtype is an integer."""
    return self._dtype.is_integer


@_method
def is_complex(self: Tensor) -> bool:
    """Whether the dtype is complex."""
    return self._dtype.is_complex


@_method
def cpu(self: Tensor) -> Tensor:
    """The tensor itself."""
    return self


@_method
def cuda(self: Tensor, device_id: Any = None, blocking: bool = True) -> Tensor:
    """Errors: ArgumentError (a ValueError): there is no GPU."""
    raise ArgumentError("a tensor can't be moved to a GPU: vitrify runs on the CPU only", remedy="leave .cuda() out")


@_method
def pin_memory(self: Tensor, device: Any = None, blocking: bool = True) -> Tensor:
    """The tensor itself: there is no other memory to copy to."""
    return self


@_method
def value(self: Tensor) -> Tensor:
    """The tensor itself: in older programs a variable holds it."""
    return self


@_method
def get_tensor(self: Tensor) -> DenseTensor:
    """Its data, as executors hand them out."""
    return DenseTensor(self)


def _take(self: Tensor, array: Any, place: Any = None) -> None:
    """Take an array's elements, shape and dtype. Errors: GradientError for a tensor that an operation made."""
    if self._node is not None:
        raise GradientError("set() on the result of an operation", remedy="make a new tensor, or use set_value")
    made = from_array(np.array(array))
    self._storage, self._dtype = made._storage, made._dtype


_by_hand["set"] = _take


@_method
def _copy_from(self: Tensor, source: Any, place: Any = None, count: int = -1) -> None:
    """`set` with the elements of another tensor, of its first `count` rows only unless that is -1."""
    array = np.asarray(source)
    _take(self, array if count < 0 else array[:count])


@_method
def _share_buffer_to(self: Tensor, other: Tensor) -> None:
    """Let another tensor have this one's memory."""
    other._storage, other._dtype = self.detach()._storage, self._dtype


@_method
def _is_shared_buffer_with(self: Tensor, other: Tensor) -> bool:
    """Whether both have one memory."""
    return bool(np.shares_memory(self._elements("data_ptr"), other._elements("data_ptr")))


_by_hand["_share_underline_tensor_to"] = _share_buffer_to
_by_hand["_is_shared_underline_tensor_with"] = _is_shared_buffer_with


@_method
def data_ptr(self: Tensor) -> int:
    """The address of the first element; a write in place may move the elements."""
    return int(self._elements("data_ptr").ctypes.data)


@_method
def _numel(self: Tensor) -> int:
    """How many elements there are, as a Python number."""
    return int(self.size)


@_method
def _slice(self: Tensor, begin: int, end: int) -> Any:
    """The rows from `begin` up to but without `end`."""
    return self[begin:end]


@_method
def _clear(self: Tensor) -> None:
    """Let go of the elements: an empty tensor is left."""
    _take(self, np.zeros([0], self._dtype.numpy))


@_method
def _bump_inplace_version(self: Tensor) -> None:
    """Count a write in place that happened elsewhere."""
    storage.count_write(self._storage)


@_method
def _grad_value(self: Tensor) -> Any:
    """`grad`, as Paddle's engine calls it."""
    return self.grad


@_method
def contiguous(self: Tensor) -> Any:
    """The tensor itself; a copy of a view whose elements aren't neighbours in the memory behind it."""
    return self if is_in_order(self) else OPS["assign"](self)


@_method
def is_contiguous(self: Tensor) -> bool:
    """Whether the elements are neighbours in memory: false of views that skip or reorder those of their base."""
    return is_in_order(self)


@_method
def detach_(self: Tensor) -> Tensor:
    """Cut this tensor from its graph."""
    self.stop_gradient = True  # first: a tracer looks at what the tensor was
    self._node = None
    return self


@_method
def __eq__(self: Tensor, other: object) -> Any:  # noqa: N807 - becomes Tensor.__eq__
    return NotImplemented if other is None or isinstance(other, (str, dict, set)) else OPS["equal"](self, other)


@_method
def __ne__(self: Tensor, other: object) -> Any:  # noqa: N807 - becomes Tensor.__ne__
    return NotImplemented if other is None or isinstance(other, (str, dict, set)) else OPS["not_equal"](self, other)


@_method
def __divmod__(self: Tensor, other: Any) -> Any:  # noqa: N807 - becomes Tensor.__divmod__
    return self // other, self % other


@_method
def __rdivmod__(self: Tensor, other: Any) -> Any:  # noqa: N807 - becomes Tensor.__rdivmod__
    return other // self, other % self


@_method
def __round__(self: Tensor, digits: int | None = None) -> Any:  # noqa: N807 - becomes Tensor.__round__
    rounded = FUNCTIONS["round"](self, digits or 0)
    return OPS["cast"](rounded, as_dtype("int64")) if digits is None else rounded


@_method
def __trunc__(self: Tensor) -> int:  # noqa: N807 - becomes Tensor.__trunc__
    return int(self)


_by_hand["__array_ufunc__"] = array_ufunc
_by_hand["__array_function__"] = array_function
attach()
