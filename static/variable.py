"""Variable: a Tensor of static mode. It has a shape, a dtype and a name, and a value only while a program runs."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.errors import KindError, ModeError
from ..base.size import Size
from ..dygraph.tensor import Tensor
from ..ir.core import Value
from ..ops.dims import Dim
from ..ops.op import OPS
from .scope import global_scope


class Unknown(Dim):
    """A size that only a run knows: it equals -1, as Paddle shows it, and computes as the symbol that it is."""

    __slots__ = ()

    def __init__(self, size: Dim) -> None:
        self.terms, self._hash = size.terms, size._hash

    def __eq__(self, other: object) -> bool:
        return other == -1 if type(other) is int and other < 0 else super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = Dim.__hash__


Number.register(Unknown)  # NumPy takes it for a scalar: `assert_equal(tuple(x.shape), (-1, 3))`


class VariableShape(Size):
    """The sizes of a Variable's axes; unknown ones are symbolic, print as -1 and equal -1."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return _plain(self) == _plain(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return repr(Size(_plain(self)))


def _plain(sizes: Any) -> list[Any]:
    return [-1 if isinstance(d, Dim) else d for d in sizes]


class Description:
    """A variable's name, shape, dtype and marks, asked for and set by functions."""

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    def name(self) -> str:
        """The variable's name."""
        return self._variable.name

    def shape(self) -> list[Any]:
        """The sizes of its axes, -1 for those left open."""
        return _plain(self._variable.shape)

    def dtype(self) -> Any:
        """The element type."""
        return self._variable.dtype

    def stop_gradient(self) -> bool:
        """Whether gradients end here."""
        return self._variable.stop_gradient

    def set_stop_gradient(self, value: bool) -> None:
        """Let gradients end here, or not."""
        self._variable.stop_gradient = value

    def persistable(self) -> bool:
        """Whether it keeps its value between runs."""
        return self._variable.persistable

    def need_check_feed(self) -> bool:
        """Whether what is fed to it has to be of its dtype, rank and known sizes."""
        return self._variable.need_check_feed

    def set_need_check_feed(self, value: bool) -> None:
        """Set that mark. Without it another dtype is converted, and the program compiled again for another shape."""
        self._variable.need_check_feed = value


class Variable(Tensor):
    """What ops return in static mode. `program.global_block().var(name)` finds it by its name."""

    is_data = False
    need_check_feed = False
    lod_level = 0
    recorder: Any = None
    stage: int | None = None  # the other stage of a pipeline that computes it

    _stop = False
    _persistable = False
    _maker = ""  # the function that made it of several operations

    @property
    def persistable(self) -> bool:
        """Whether it keeps its value between runs: a feed that does stays in the scope, and need not be fed again."""
        return self._persistable

    @persistable.setter
    def persistable(self, value: bool) -> None:
        self._persistable = bool(value)
        if value and self.recorder is not None:
            self.recorder.owner.keeps_feeds |= self.is_data

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients end here. Setting it to True lets none through, as far as they are taken afterwards."""
        return self._stop

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        self._stop = bool(value)
        payload = self._storage.payload
        if isinstance(payload, Value) and self.recorder is not None:
            (self.recorder.blocked.add if value else self.recorder.blocked.discard)(payload)

    def detach(self) -> Any:
        """The same value, through which no gradient flows."""
        return OPS["stop_gradient"](self)

    def _check_write(self) -> None:
        """Nothing: there is no tape that a write in place could disturb."""

    @property
    def shape(self) -> Any:
        """The sizes of its axes."""
        return VariableShape([Unknown(d) if type(d) is Dim else d for d in self._storage.payload.shape])

    @property
    def name(self) -> str:
        """Its name in the program; made up on the first look unless it was given."""
        if self._name is None:
            payload = self._storage.payload
            operation = payload.operation if isinstance(payload, Value) else None
            maker = self._maker or (operation.name if operation is not None else "variable")
            self._name = unique_name.generate(f"{maker}.tmp")
            self.recorder.owner.register(self)
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._name = value
        self.recorder.owner.register(self)

    @property
    def block(self) -> Any:
        """The block that it belongs to."""
        return self.recorder.owner.global_block()

    @property
    def program(self) -> Any:
        """The program that it belongs to."""
        return self.recorder.owner

    @property
    def grad_name(self) -> str:
        """The name of its gradient."""
        return f"{self.name}@GRAD"

    @property
    def op(self) -> Any:
        """The operation that makes it; None for data."""
        operation = self._storage.payload.operation
        return None if operation is None else self.recorder.owner.global_block().view_of(operation)

    @property
    def desc(self) -> Description:
        """Its facts as functions, as Paddle's engine describes it."""
        return Description(self)

    def get_value(self, scope: Any = None) -> Any:
        """Errors: ModeError: only persistable variables have a value between runs."""
        raise ModeError(f"the variable {self.name} has no value outside of a run", remedy="fetch it")

    def backward(self, *_: Any, **__: Any) -> None:
        """Errors: ModeError: static programs get their gradients from append_backward."""
        raise ModeError(
            f"backward() of the variable {self.name}: there is no tape in static mode",
            remedy="use static.append_backward, static.gradients or optimizer.minimize",
        )

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """Its name, type and kind."""
        kind = "persist " if self.persistable else ""
        stop = str(self.stop_gradient)
        return (
            f"{kind}var {self.name} : shape{tuple(_plain(self.shape))}.dtype({self.dtype.name}).stop_gradient({stop})"
        )

    __repr__ = __str__ = to_string

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        raise KindError("a Variable of a static program can't be copied", remedy="use paddle.assign")

    __hash__ = object.__hash__


class Persistable(Variable):
    """A variable that keeps its value between runs, in a scope."""

    _persistable = True

    def get_value(self, scope: Any = None) -> Any:
        """Its value in a scope, as a tensor. Errors: MissingError before the startup program has run."""
        return (scope or global_scope()).tensor_of(self.name)

    def set_value(self, value: Any, scope: Any = None) -> None:
        """Give it a value in a scope."""
        (scope or global_scope()).set(self.name, np.asarray(value, self.dtype.numpy))


class _AnyTensor(type):
    """Eager tensors are variables, too: programs of PaddlePaddle check for this class in either mode."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, Tensor)


class AnyVariable(Variable, metaclass=_AnyTensor):
    """What ops return in static mode, and eager tensors: both are instances.

    `program.global_block().var(name)` finds a program's variable by its name.
    """
