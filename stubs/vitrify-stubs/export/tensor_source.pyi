# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from numpy import ndarray as _ndarray
from typing import Any as _Any
from vitrify.base.shown import Shown as _Shown

class Source(_Shown):
    """Python source that runs. `load()` executes it and gives its function.

    constants: arrays that are too large for the text, `CONSTANTS[name]` in it. callbacks: the Python functions that the
    program calls, over NumPy arrays, `CALLBACKS[name]`. name: of the function. wrt: what `backward` gives gradients of."""
    name: _str
    wrt: _tuple[_str, ...]
    constants: _dict[_str, _ndarray[_Any, _Any]]
    callbacks: _dict[_str, _Callable[..., _Any]]
    def load(self) -> _Callable[..., _Any]:
        """The function that the text defines."""
