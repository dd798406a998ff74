# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any

class MachineModel:
    """Rates per second and seconds. bandwidth: (bytes of a working set, bytes per second), by growing sets."""
    bandwidth: _tuple[_tuple[_int, _float], ...]
    arithmetic: _dict[_str, _float]
    functions: _dict[_str, _float]
    products: _dict[_str, _float]
    call: _float
    threads: _int
    error: _float
    def bytes_per_second(self, moved: _float) -> _float:
        """The bandwidth of a working set, between measured ones on the scale of logarithms."""
    def seconds(self, kind: _str, work: _float, moved: _float, functions: _float = 0.0, dtype: _str = 'f32') -> _float:
        """The least time of a step: that of its arithmetic or of its memory traffic, whichever is longer."""
    def __init__(self, bandwidth: _tuple[_tuple[_int, _float], ...], arithmetic: _dict[_str, _float], functions: _dict[_str, _float], products: _dict[_str, _float], call: _float, threads: _int, error: _float = 0.0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
