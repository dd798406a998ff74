# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import list as _list
from builtins import str as _str
from typing import Any as _Any

class Loaded:
    """What `load_torch_state` did: names of the layer, and names of the file."""
    loaded: _dict[_str, _str]
    transposed: _list[_str]
    missing: _list[_str]
    unexpected: _list[_str]
    misfits: _dict[_str, _str]
    def __init__(self, loaded: _dict[_str, _str], transposed: _list[_str], missing: _list[_str], unexpected: _list[_str], misfits: _dict[_str, _str]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
