# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Mapping as _Mapping
from typing import Any as _Any
from typing import NamedTuple as _NamedTuple
from vitrify.dygraph.hooks import QuietHandle as _QuietHandle

class StateMethods:
    """The methods of Layer that read and write its whole state."""
    parameters: _Callable[..., _Any]
    buffers: _Callable[..., _Any]
    named_sublayers: _Callable[..., _Iterator[_tuple[_str, _Any]]]
    add_sublayer: _Callable[..., _Any]
    add_parameter: _Callable[..., _Any]
    def state_dict(self, destination: _dict[_str, _Any] | None = None, include_sublayers: _bool = True, structured_name_prefix: _str = '', use_hook: _bool = True, keep_vars: _bool = True, *, prefix: _str = '') -> _dict[_str, _Any]:
        """Parameters and persistable buffers, themselves, by dotted name; a shared one under each of its names.

        keep_vars: False gives tensors that share the memory but no gradient. prefix: `structured_name_prefix`."""
    def to_static_state_dict(self, destination: _dict[_str, _Any] | None = None, include_sublayers: _bool = True, structured_name_prefix: _str = '', use_hook: _bool = True, keep_vars: _bool = True) -> _dict[_str, _Any]:
        """Parameters and all buffers, also those that aren't persistable, by dotted name."""
    def register_state_dict_hook(self, hook: _Callable[[_dict[_str, _Any]], _Any]) -> _QuietHandle:
        """Call `hook(state)` with what state_dict() gives; what it returns (unless None) takes its place."""
    def former_state(self) -> _tuple[FormerItem, ...]:
        """Parameters that an earlier release kept under other names or in other shapes; they are read in both."""
    def set_state_dict(self, state_dict: _Mapping[_str, _Any], use_structured_name: _bool = True, *, strict: _bool = False) -> _tuple[_list[_str], _list[_str]]:
        """Copy the entries of `state_dict` into the parameters and buffers of the same names (or `.name`s).

        Returns the names that are missing and those that are unexpected. Each problem warns and leaves that tensor as
        it is; a name with a wrong shape is in both lists. Errors: StateError with `strict`, and nothing is changed."""
    def set_dict(self, state_dict: _Mapping[_str, _Any], use_structured_name: _bool = True, *, strict: _bool = False) -> _tuple[_list[_str], _list[_str]]:
        """Copy the entries of `state_dict` into the parameters and buffers of the same names (or `.name`s).

        Returns the names that are missing and those that are unexpected. Each problem warns and leaves that tensor as
        it is; a name with a wrong shape is in both lists. Errors: StateError with `strict`, and nothing is changed."""
    def load_dict(self, state_dict: _Mapping[_str, _Any], use_structured_name: _bool = True, *, strict: _bool = False) -> _tuple[_list[_str], _list[_str]]:
        """Copy the entries of `state_dict` into the parameters and buffers of the same names (or `.name`s).

        Returns the names that are missing and those that are unexpected. Each problem warns and leaves that tensor as
        it is; a name with a wrong shape is in both lists. Errors: StateError with `strict`, and nothing is changed."""
    def load_state_dict(self, state_dict: _Mapping[_str, _Any], strict: _bool = True, assign: _bool = False) -> IncompatibleKeys:
        """`set_state_dict` in PyTorch's manner: the names that are missing, and those that are unexpected.

        Errors: StateKeyError (a RuntimeError) with `strict` where there are such; what fits has been copied then."""

class FormerItem(_NamedTuple):
    """How an earlier release kept the parameter or buffer `name`: as `key`, in `shape` (None: in that of today)."""
    key: _str
    name: _str
    shape: _tuple[_int, ...] | None
    @staticmethod
    def __new__(_cls, key: _Any, name: _Any, shape: _Any = None) -> _Any:
        """Create new instance of FormerItem(key, name, shape)"""
    def __getnewargs__(self) -> _Any:
        """Return self as a plain tuple.  Used by copy and pickle."""

class IncompatibleKeys(_NamedTuple):
    """What load_state_dict() found missing and unexpected."""
    missing_keys: _list[_str]
    unexpected_keys: _list[_str]
    @staticmethod
    def __new__(_cls, missing_keys: _Any, unexpected_keys: _Any) -> _Any:
        """Create new instance of IncompatibleKeys(missing_keys, unexpected_keys)"""
    def __getnewargs__(self) -> _Any:
        """Return self as a plain tuple.  Used by copy and pickle."""
