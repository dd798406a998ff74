# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.selected_rows import SelectedRows as _SelectedRows
from vitrify.dygraph.tensor import Tensor as _Tensor

class Scope:
    """Values by name. `find_var(name).get_tensor()` reads and sets one.

    >>> scope = Scope()
    >>> scope.var("x").get_tensor().set(np.ones(2))
    >>> np.array(scope.find_var("x").get_tensor()).tolist()
    [1.0, 1.0]"""
    tensors: _dict[_str, _Tensor]
    ints: _dict[_str, _int]
    rows: _dict[_str, _SelectedRows]
    names: _dict[_str, None]
    changes: _int
    kids: _list[Scope]
    def __init__(self, parent: Scope | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def var(self, name: _str) -> ScopeVariable:
        """The place of a name, made if it isn't there."""
    def find_var(self, name: _str) -> ScopeVariable | None:
        """The place of a name, here or in the scopes that this one belongs to; None if there is none."""
    def size(self) -> _int:
        """How many names there are."""
    def local_var_names(self) -> _list[_str]:
        """All names."""
    def erase(self, names: _list[_str]) -> None:
        """Forget names."""
    def new_scope(self) -> Scope:
        """An empty scope that belongs to this one."""
    def drop_kids(self) -> None:
        """Forget the scopes that belong to this one."""
    def tensor_of(self, name: _str) -> _Tensor:
        """The value of a name. Errors: MissingError."""
    def set(self, name: _str, array: _Any) -> _Tensor:
        """Give a name a value of its own."""
    def value_of(self, variable: _Any) -> _Tensor:
        """The value of a persistable variable: here by its name, or the tensor's own data."""
    def assign(self, variable: _Any, value: _Any) -> None:
        """Give a persistable variable a value. Errors: ShapeError."""

class ScopeVariable:
    """A name's place in a scope."""
    name: _str
    def __init__(self, scope: Scope, name: _str) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_tensor(self) -> _Any:
        """Its data: read it as an array, or `set` it. Before there is any, `set` makes it."""
    def get_lod_tensor(self) -> _Any:
        """Its data: read it as an array, or `set` it. Before there is any, `set` makes it."""
    def get_selected_rows(self) -> _SelectedRows:
        """Its rows: a new, empty SelectedRows where it has none."""
    def set_int(self, value: _int) -> None:
        """Keep an int in place of a tensor."""
    def is_int(self) -> _bool:
        """Whether it has an int."""
    def get_int(self) -> _int:
        """Its int. Errors: MissingError without one."""
