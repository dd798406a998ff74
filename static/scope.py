"""Scopes: where the values of persistable variables live between runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.dtype import entering
from ..base.errors import ArgumentError, KindError, MissingError, ShapeError
from ..dygraph.dense import DenseTensor
from ..dygraph.eager import from_array
from ..dygraph.selected_rows import SelectedRows
from ..dygraph.tensor import Tensor
from ..ops.dispatch import bottom, using


class ScopeVariable:
    """A name's place in a scope."""

    def __init__(self, scope: Scope, name: str) -> None:
        self._scope, self.name = scope, name

    def get_tensor(self) -> Any:
        """Its data: read it as an array, or `set` it. Before there is any, `set` makes it."""
        return _Data(self._scope, self.name)

    get_lod_tensor = get_tensor

    def get_selected_rows(self) -> SelectedRows:
        """Its rows: a new, empty SelectedRows where it has none."""
        return self._scope.rows.setdefault(self.name, SelectedRows())

    def set_int(self, value: int) -> None:
        """Keep an int in place of a tensor."""
        self._scope.ints[self.name] = int(value)

    def is_int(self) -> bool:
        """Whether it has an int."""
        return self.name in self._scope.ints

    def get_int(self) -> int:
        """Its int. Errors: MissingError without one."""
        found = self._scope.ints.get(self.name)
        if found is None:
            raise MissingError(f"{self.name} has no int in this scope", remedy="give it one with set_int()")
        return found


class _Data(DenseTensor):
    def __init__(self, scope: Scope, name: str) -> None:
        super().__init__()
        self._scope, self._name = scope, name

    def _values(self) -> np.ndarray[Any, Any] | None:
        found = self._scope.tensors.get(self._name)
        return None if found is None else np.asarray(found._copied())

    def _replace(self, array: np.ndarray[Any, Any]) -> None:
        self._scope.set(self._name, array)


class Scope:
    """Values by name. `find_var(name).get_tensor()` reads and sets one.

    >>> scope = Scope()
    >>> scope.var("x").get_tensor().set(np.ones(2))
    >>> np.array(scope.find_var("x").get_tensor()).tolist()
    [1.0, 1.0]
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self._parent = parent
        self.tensors: dict[str, Tensor] = {}
        self.ints: dict[str, int] = {}
        self.rows: dict[str, SelectedRows] = {}
        self.names: dict[str, None] = {}
        self.changes = 0  # grows whenever a name gets another tensor, or goes
        self.kids: list[Scope] = []

    def var(self, name: str) -> ScopeVariable:
        """The place of a name, made if it isn't there."""
        self.names[name] = None
        return ScopeVariable(self, name)

    def find_var(self, name: str) -> ScopeVariable | None:
        """The place of a name, here or in the scopes that this one belongs to; None if there is none."""
        if name in self.tensors or name in self.names:
            return ScopeVariable(self, name)
        return None if self._parent is None else self._parent.find_var(name)

    def size(self) -> int:
        """How many names there are."""
        return len(self.local_var_names())

    def local_var_names(self) -> list[str]:
        """All names."""
        return list(dict.fromkeys([*self.tensors, *self.names]))

    def erase(self, names: list[str]) -> None:
        """Forget names."""
        self.changes += 1
        for name in names:
            self.tensors.pop(name, None)
            self.names.pop(name, None)
            self.ints.pop(name, None)

    def new_scope(self) -> Scope:
        """An empty scope that belongs to this one."""
        made = Scope(self)
        self.kids.append(made)
        return made

    def drop_kids(self) -> None:
        """Forget the scopes that belong to this one."""
        self.kids.clear()

    def tensor_of(self, name: str) -> Tensor:
        """The value of a name. Errors: MissingError."""
        found = self.tensors.get(name)
        if found is None:
            raise MissingError(f"{name} has no value in this scope", remedy="run the startup program first")
        return found

    def set(self, name: str, array: Any) -> Tensor:
        """Give a name a value of its own."""
        with using(bottom()):
            array = entering(array)
            found = self.tensors.get(name)
            if found is not None and tuple(found.shape) == tuple(array.shape) and found._copied().dtype == array.dtype:
                found._storage.own()
                np.copyto(found._storage.payload, array)
                return found
            self.changes += 1
            made = self.tensors[name] = from_array(np.array(array, order="C"))
            made.name = name
            return made

    def value_of(self, variable: Any) -> Tensor:
        """The value of a persistable variable: here by its name, or the tensor's own data."""
        if isinstance(variable._storage.payload, np.ndarray):
            return variable  # type: ignore[no-any-return]
        return self.tensor_of(variable.name)

    def assign(self, variable: Any, value: Any) -> None:
        """Give a persistable variable a value. Errors: ShapeError."""
        array = value._copied() if isinstance(value, Tensor) else entering(np.asarray(value))
        if tuple(array.shape) != tuple(variable.shape):
            raise ShapeError(f"{variable.name} has the shape {list(variable.shape)}, the value {list(array.shape)}")
        array = array.astype(variable.dtype.numpy, copy=False)
        if isinstance(variable._storage.payload, np.ndarray):
            variable._storage.own()
            np.copyto(variable._storage.payload, array)
        else:
            self.set(variable.name, array)


in_force: list[Scope] = [Scope()]


def global_scope() -> Scope:
    """The scope in force."""
    return in_force[-1]


@contextmanager
def scope_guard(scope: Scope) -> Iterator[None]:
    """Another scope in force inside the block. Errors: KindError."""
    if not isinstance(scope, Scope):
        raise KindError(f"scope_guard needs a Scope, not a {type(scope).__name__}")
    in_force.append(scope)
    try:
        yield
    finally:
        in_force.pop()


def checked(scope: Any) -> Scope:
    """A scope, the one in force for None. Errors: ArgumentError."""
    if scope is None:
        return global_scope()
    if not isinstance(scope, Scope):
        raise ArgumentError(f"scope must be a Scope, not a {type(scope).__name__}")
    return scope
