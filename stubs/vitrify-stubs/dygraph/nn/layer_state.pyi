# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Mapping as _Mapping
from typing import Any as _Any
from typing import NamedTuple as _NamedTuple

class StateMethods:
    """The methods of Layer that read and write its whole state."""
    def state_dict(self, destination: _dict[_str, _Any] | None = None, include_sublayers: _bool = True, structured_name_prefix: _str = '', use_hook: _bool = True) -> _dict[_str, _Any]:
        """Parameters and persistable buffers, themselves, by dotted name; a shared one under each of its names."""
    def to_static_state_dict(self) -> _dict[_str, _Any]:
        """Parameters and all buffers, also those that aren't persistable, by dotted name."""
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
