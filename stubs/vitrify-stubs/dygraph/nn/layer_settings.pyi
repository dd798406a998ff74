# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import frozenset as _frozenset
from builtins import str as _str
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class FunctionLayer(_Layer):
    """Calls `function(*inputs, **settings)`. A subclass lists the settings' names and defaults, REQUIRED for none.

    Settings are attributes, which each call reads, under their names with `prefix` before, or as `stored` names them
    (PaddlePaddle's names); a setting that is stored under a name of `stored` has its own name too. `name` is kept as
    `name` and `_name`: some of PaddlePaddle's layers have the one, some the other.
    Errors: KindError (a TypeError) for settings that it hasn't, or without those it needs."""
    function: _Callable[..., _Any]
    settings: _dict[_str, _Any]
    stored: _dict[_str, _str]
    shown: _dict[_str, _str]
    told_if: _frozenset[_str]
    name: _Any
    prefix: _str
    shows_name: _bool
    def __init__(self, *args: _Any, **kwargs: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, *inputs: _Any, **given: _Any) -> _Tensor:
        """The function of the inputs; one that is named may be called as in the function, or `x` or `input`."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""
