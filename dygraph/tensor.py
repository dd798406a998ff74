"""The Tensor of eager mode and of traces: a storage cell, a place on the tape, and Paddle's manners.

Its payload is a NumPy array, or a program's value while a function is captured; only code that needs elements looks.
Most methods come from the op table (methods.py). TensorConversions to Python and back: conversions.py.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.boundary import shorten
from ..base.changes import CountedSetting, CountedTable
from ..base.dtype import DType, Retyping, as_dtype, never
from ..base.errors import ArgumentError, DTypeError, GradientError, KindError, NoSequenceError, ShapeError, VitrifyError
from ..base.memory import aligned_copy
from ..base.size import Size
from ..ops.dims import same_shape
from ..ops.dispatch import current
from ..ops.indexing import getitem, setitem
from ..ops.infer import show_shape
from ..ops.op import OPS
from ..ops.sizes import element_count
from . import storage as cells
from .backward import backward_from, filled_like
from .device import CPU, CPUPlace
from .elements import TensorConversions
from .engine_arguments import engine_arguments, is_engine_form
from .hooks import HookHandle, HookTable, next_key, register
from .marks import Marks
from .modes import GradMode, is_recording, stop_flag
from .places import user_place
from .printing import AS_STR, format_tensor, show_tensor
from .storage import Storage
from .tape import Node


class Tensor(TensorConversions, Marks):
    """An array of numbers with a dtype, that may take part in gradients.

    `Tensor(data, dtype=None, stop_gradient=True)` copies numbers, nested lists or arrays, as `to_tensor` does.
    """

    _node: Node | None = None
    _slot: int = 0
    _grad: Tensor | None = None
    _grad_is_zero: bool = False
    _hooks: HookTable | None = None
    _name: str | None = None
    _stop: bool = True  # `stop_gradient`, for reading, and for writing in tensors that nobody has seen yet
    persistable: bool = False
    dynamic_dims: tuple[int, ...] = ()  # axes whose sizes vary (jit.marker.dynamic_dims)
    has_row_gradients: bool = False  # a sparse embedding's: no rows, thus no gradient, are left when it is cleared
    is_literal: bool = False  # under a trace: stands for a Python number in an operation

    def __init__(
        self, data: Any = None, dtype: Any = None, place: Any = None, stop_gradient: bool = True, *rest: Any, **kw: Any
    ) -> None:
        if is_engine_form(data, dtype, rest, kw):
            data, dtype, stop_gradient = engine_arguments(self, data, dtype, place, stop_gradient, rest, kw)
        data = np.zeros([0], "float32") if data is None else data  # Paddle's empty tensor, to be set later
        made = current().constant(data, None if dtype is None else as_dtype(dtype)).snapshot(private=True)
        self._storage, self._dtype, self._stop = made._storage, made._dtype, stop_gradient

    @property
    def shape(self) -> Size:
        """The sizes of the axes (ints; under a trace also symbolic sizes)."""
        if cells.on_sizes is not None:
            cells.on_sizes(self)
        return Size(self._storage.payload.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._storage.payload.shape if cells.on_sizes is None else self.shape)

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """The element type."""
        return self._dtype

    @property
    def size(self) -> Any:
        """The number of elements; `size()` and `size(k)` give sizes."""
        return element_count(self.shape)

    @property
    def name(self) -> str:
        """A name for messages and for optimiser state; made up on the first look unless it was set."""
        if self._name is None:
            self._name = unique_name.generate("generated_tensor")
        return cells.fact(self, "name", self._name)

    @name.setter
    def name(self, value: str) -> None:
        self._name = value

    @property
    def place(self) -> CPUPlace:
        """Always the CPU."""
        return CPU

    @property
    def T(self) -> Any:
        """The tensor with its axes reversed."""
        found: Any = self
        return found.transpose(list(range(self.ndim))[::-1])

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients end here: true unless the tensor asks for one or was made of some that do."""
        return self._stop if cells.on_stop_read is None else cells.on_stop_read(self)

    @stop_gradient.setter
    def stop_gradient(self, value: Any) -> None:
        if value is not True and value is not False:
            value = stop_flag(value)
        if (told := cells.on_stop if value is not self._stop else cells.on_stop_read) is not None:
            told(self)
        cells.counters.touched += 1
        cells.counters.stops += 1
        self._stop = value

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded op made it."""
        return cells.fact(self, "is_leaf", self._node is None)

    @property
    def inplace_version(self) -> int:
        """How often its data were written in place; of a view, those of the tensor behind it."""
        return cells.fact(x := cells.behind(self), "inplace_version", int(x._storage.version))

    @property
    def data(self) -> Tensor:
        """The same data without its history."""
        return self.detach()

    @data.setter
    def data(self, value: Any) -> None:
        self.set_value(value)

    def dim(self) -> int:
        """The number of axes."""
        return self.ndim

    # ---- aliases and copies

    def detach(self) -> Tensor:
        """The same data, cut from the graph: a write to one is seen by the other."""
        if type(self._storage.shared) is cells.Sharing and self._storage.shared.base is not None:
            return cells.alias_of_view(self)  # type: ignore[no-any-return]
        alias = Tensor.__new__(Tensor)
        alias._storage, alias._dtype = self._storage, self._dtype
        if cells.on_alias is not None:
            cells.on_alias(self, alias)
        return alias

    def snapshot(self, *, private: bool = False) -> Tensor:
        """The same value and place in the graph, unreached by later writes. private: copied now, not by a write."""
        copy = Tensor.__new__(Tensor)
        payload = self._storage.payload if cells.on_share is None else cells.on_share(self)
        if private and isinstance(payload, np.ndarray):
            copy._storage = Storage(aligned_copy(payload))
        else:
            self._storage.share()
            copy._storage = Storage(payload, shared=True)
        copy._dtype, copy._node, copy._slot, copy._stop = self._dtype, self._node, self._slot, self._stop
        return copy

    # ---- gradients

    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward` has added up, or None."""
        if cells.on_grad_read is not None:
            cells.on_grad_read(self)
        if self._grad_is_zero:
            if cells.on_grad_write is not None:
                cells.on_grad_write(self, None)
            cells.counters.touched += 1
            self._grad, self._grad_is_zero = filled_like(self, 0), False
        found: Any = self._grad
        return found if found is None or isinstance(found, Tensor) else current().decided(found)

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            value = value if isinstance(value, Tensor) else current().decided(value)
        if value is not None:
            if not isinstance(value, Tensor):
                raise DTypeError(f"grad must be a Tensor or None, not {type(value).__name__}")
            if not same_shape(value.shape, self.shape):
                raise ShapeError(f"grad has shape {show_shape(value.shape)}, the tensor {show_shape(self.shape)}")
        if cells.on_grad_write is not None:
            cells.on_grad_write(self, None)
        cells.counters.touched += 1
        self._grad, self._grad_is_zero = value, False

    def backward(self, grad_tensor: Any = None, retain_graph: bool = False, create_graph: bool = False) -> None:
        """Add the gradient of this tensor (weighted by `grad_tensor`, else ones) to `.grad` of every leaf behind it."""
        if grad_tensor is not None and not isinstance(grad_tensor, Tensor):
            grad_tensor = current().constant(grad_tensor, self._dtype)
        try:
            backward_from([self], [grad_tensor], retain_graph=retain_graph, create_graph=create_graph)
        except VitrifyError as error:
            shorten(error)
            raise

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Make `.grad` zero (at no cost until someone reads it), or None."""
        if cells.on_grad_write is not None:
            cells.on_grad_write(self, cells.CLEARED)
        cells.counters.touched += 1
        set_to_zero = set_to_zero and not self.has_row_gradients
        cleared = getattr(self._grad, "__cleared__", None)
        if set_to_zero and cleared is not None:  # it is there on some paths of a captured function only
            self._grad = cleared()
            return
        self._grad_is_zero = set_to_zero and (self._grad is not None or self._grad_is_zero)
        self._grad = None

    clear_gradient = clear_grad

    def zero_grad(self) -> None:
        """Forget `.grad`."""
        self.clear_grad(set_to_zero=False)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> HookHandle:
        """Call `hook(gradient)` when this tensor's gradient is known; what it returns replaces the gradient."""
        if not callable(hook):
            raise KindError(f"register_hook needs a function, not {hook!r:.60}")
        if self._stop:
            words = "a tensor with stop_gradient=True gets no gradient to hook"
            raise GradientError(words, remedy="set stop_gradient=False first")
        if self._node is None:
            table = self._hooks = {} if self._hooks is None else self._hooks
        else:
            self._node.hooks = {} if self._node.hooks is None else self._node.hooks
            table = self._node.hooks.setdefault(self._slot, {})
        current().watch_gradient(self, table)
        return register(table, hook, HookHandle)

    def retain_grads(self) -> None:
        """Keep `.grad` of this tensor, though it isn't a leaf: what earlier hooks make of it, before later ones.

        Without a gradient there is nothing to keep.
        """
        if self._node is not None and not self._stop:
            if self._node.retained is None:
                self._node.retained = {}
            known = self._node.retained.get(self._slot)
            if known is None or known[0]() is not self:
                self._node.retained[self._slot] = weakref.ref(self), next_key()

    # ---- writing in place

    def _check_write(self) -> None:
        is_leaf = not self._stop and self._node is None and is_recording() and self._dtype.is_differentiable
        if is_leaf and not (cells.is_computed is not None and cells.is_computed(self)):
            raise ArgumentError(
                f"leaf tensor {self.name} needs a gradient, so it can't be written in place",
                remedy="write under vt.no_grad(), use set_value(), or use the form that makes a new tensor",
            )
        if type(self._storage.shared) is cells.Sharing:
            cells.check_views(self)

    def _write(self, value: Tensor, *, fresh: bool = False) -> None:
        """Put `value` into this tensor: the one road of every in-place write.

        Gradients (when recorded) flow through `value` from here on. `fresh`: nobody else will use `value`.
        """
        self._check_write()
        if type(self._storage.shared) is cells.Sharing:
            cells.write_among_views(self, value, fresh)
        else:
            self._put(value, fresh)

    def _put(self, value: Tensor, fresh: bool) -> None:
        if cells.on_write is not None:
            cells.on_write(self)
        cell = self._storage
        old, new = cell.payload, value._storage.payload
        if value._dtype is not self._dtype:
            raise DTypeError(
                f"can't write {value._dtype.name} into a {self._dtype.name} tensor", remedy="convert with astype()"
            )
        if type(new) is np.ndarray and type(old) is np.ndarray:
            if not cell.shared and old.shape == new.shape:
                np.copyto(old, new)
            else:
                private = fresh and value._node is None and not value._storage.shared
                cell.replace(new if private else new.copy())
        else:
            cell.payload = new if cells.on_written is None else cells.on_written(self, value, old)
        cell.version += 1
        cell.place = user_place()
        if is_recording():
            self._node, self._slot, self.stop_gradient = value._node, value._slot, value.stop_gradient

    def _update(
        self,
        op: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        reshapes: bool = False,
        retypes: Retyping = never,
    ) -> Any:
        """Run `op(self, ...)` and write its result into this tensor; `reshapes`, `retypes`: it may differ there."""
        self._check_write()
        source = self
        if is_recording() and (not self._stop or _any_tracked(args) or _any_tracked(kwargs.values())):
            source = self.snapshot()  # so that the gradient rule reads the value from before the write
            args = tuple([source if a is self else a for a in args])
        result = op(source, *args, **kwargs)
        name = getattr(op, "name", getattr(op, "__name__", "op"))
        if not reshapes and not same_shape(result.shape, self.shape):
            raise ShapeError(
                f"{name}_ would change the shape {show_shape(self.shape)} to {show_shape(result.shape)} in place"
            )
        if result._dtype is not self._dtype:
            if retypes(self._dtype, result._dtype) and self._holds_array() and result._holds_array():
                cells.retype(self, result)
                return self
            raise DTypeError(
                f"{name}_ would change {self._dtype.name} to {result._dtype.name} in place",
                remedy="convert with astype() first",
            )
        if result._node is None and not result._stop and is_recording():  # a leaf that was given, as in `y[:] = w`
            result = OPS["assign"](result)
        self._write(result, fresh=True)
        return self

    def _holds_array(self) -> bool:
        return type(self._storage.payload) is np.ndarray

    def set_value(self, value: Any) -> None:
        """Overwrite the data with those of an array or tensor of the same shape. Not recorded."""
        if current().set_value(self, value):
            return
        with GradMode(False):
            given = current().constant(value, self._dtype)
            if not same_shape(given.shape, self.shape):
                raise ShapeError(
                    f"set_value got shape {show_shape(given.shape)}, the tensor has {show_shape(self.shape)}"
                )
            self._write(given)

    def copy_(self, other: Any, blocking: bool = True) -> Tensor:
        """Overwrite with `other`, broadcast to this shape; recorded: the gradient goes to `other` from here on."""
        given = current().constant(other, self._dtype)
        if (given is other and not given._stop) or given._dtype is not self._dtype:  # no step leads to a leaf
            given = OPS["cast"](given, self._dtype)
        if not same_shape(given.shape, self.shape):
            given = OPS["broadcast_to"](given, self.shape)
        self._write(given)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        self._update(setitem, (index, value), {})

    def __getitem__(self, index: Any) -> Any:
        return getitem(self, index)

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise NoSequenceError("can't iterate over a tensor of rank 0")
        return (self[k] for k in range(len(self)))

    # ---- being an object

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise GradientError("only leaf tensors are deep-copied", remedy="deep-copy detach() or clone() the tensor")
        if self._stop or isinstance(self._storage.payload, np.ndarray):
            copy = self.snapshot(private=True)
        else:  # in a program only an operation keeps the copy's gradient from this tensor
            copy = OPS["stop_gradient"](self)
            copy.stop_gradient = False
        copy.persistable = self.persistable
        memo[id(self)] = copy
        return copy

    def __copy__(self) -> Tensor:
        return self.snapshot()

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Plain data for pickle: the elements and what a leaf tensor is. Reading a pickle stays the reader's risk."""
        if type(self) not in (Tensor, Parameter):
            raise KindError(
                f"a {type(self).__name__} isn't pickled: it belongs to a program", remedy="pickle its value"
            )
        if not self.is_leaf and not self._stop:
            raise GradientError("only leaf tensors are pickled", remedy="pickle detach() of the tensor")
        if self._hooks:
            raise GradientError("a tensor with hooks isn't pickled", remedy="remove the hooks, or pickle detach()")
        array = np.asarray(self._elements("numpy"))
        plain = array if array.dtype.isbuiltin == 1 else array.view(f"u{array.itemsize}")
        extra = {k: dict(v) if type(v) is CountedTable else v for k, v in self.__dict__.items() if k in _PICKLED}
        return restored, (isinstance(self, Parameter), plain, self._dtype.name, self._stop, extra)

    __hash__ = cells.hashed

    def __repr__(self) -> str:
        return show_tensor(self)

    def __str__(self) -> str:
        return format_tensor(self, AS_STR)

    def __format__(self, spec: str) -> str:
        return format_tensor(self, spec)


class Parameter(Tensor):
    """A leaf tensor that training changes. `trainable` is the opposite of `stop_gradient`."""

    persistable = True
    optimize_attr: Any = CountedSetting()
    regularizer: Any = CountedSetting()
    need_clip: Any = CountedSetting()

    def __init__(
        self,
        data: Any,
        dtype: Any = None,
        *,
        trainable: bool = True,
        name: str | None = None,
        optimize_attr: dict[str, Any] | None = None,
        regularizer: Any = None,
        need_clip: bool = True,
    ) -> None:
        super().__init__(data, dtype, stop_gradient=not trainable)
        self._name = name or unique_name.generate("param")
        self.optimize_attr = optimize_attr or CountedTable(learning_rate=1.0)
        self.regularizer = regularizer
        self.need_clip = need_clip

    @property
    def trainable(self) -> bool:
        """Whether training changes it."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise ArgumentError(f"trainable is True or False, not {value!r}")
        self.stop_gradient = not value

    @classmethod
    def from_tensor(cls, tensor: Tensor, **settings: Any) -> Parameter:
        """A parameter with a tensor's values and dtype; it shares nothing. settings: as the class takes them."""
        return cls(tensor._copied(), tensor.dtype, **settings)

    def initialize(self) -> None:
        """Nothing: it has its values since it was made (see `LazyGuard`)."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        copy = Parameter.__new__(Parameter)
        memo[id(self)] = copy
        copy.__dict__.update(
            self.snapshot(private=True).__dict__,
            _name=unique_name.generate(f"{self.name}_copy"),
            optimize_attr=CountedTable(self.optimize_attr),
            regularizer=self.regularizer,
            need_clip=self.need_clip,
        )
        return copy


_PICKLED = ("_name", "persistable", "optimize_attr", "regularizer", "need_clip")


def restored(is_parameter: bool, array: Any, dtype: str, stops: bool, extra: dict[str, Any]) -> Tensor:
    """The tensor that was pickled. Errors: KindError for what no pickled tensor has."""
    kind = as_dtype(dtype)
    if set(extra) - set(_PICKLED) or not isinstance(array, np.ndarray) or array.dtype.itemsize != kind.itemsize:
        raise KindError("this pickle of a tensor is damaged or foreign")
    made = Tensor.__new__(Parameter if is_parameter else Tensor)
    made._storage, made._dtype, made._stop = Storage(aligned_copy(array.view(kind.numpy))), kind, bool(stops)
    if "optimize_attr" in extra:
        extra["optimize_attr"] = CountedTable(extra["optimize_attr"])
    made.__dict__.update(extra)
    return made


def wrap(payload: Any, dtype: DType) -> Tensor:
    """A tensor over a payload (array or program value), with no place in the graph."""
    made = Tensor.__new__(Tensor)
    made._storage, made._dtype = Storage(payload), dtype
    return made


def _any_tracked(values: Any) -> bool:
    return any(isinstance(v, Tensor) and not v._stop for v in values)
