# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.ir.core import Program as _Program

class TranslatedLayer(_Layer):
    """A loaded artifact. Calling it runs `forward`; other saved methods are attributes."""
    is_state: _bool
    def __init__(self, artifact: _Any, path: _str, *, structured: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, *args: _Any, **kwargs: _Any) -> _Tensor:
        """Run the saved `forward`."""
    def program(self, method_name: _str = 'forward') -> _Program:
        """The program of a method."""
    def extra_repr(self) -> _str:
        """The path it was loaded from."""
