# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Mapping as _Mapping
from typing import Any as _Any
from vitrify.ir.core import Operation as _Operation

class OpStep:
    """What a run of operations is for. kind: `mean_grad`, `sgd`; empty for an operation that stands for itself.

    subject: the parameter that is updated. number: tells the steps of a program apart. attrs: of an initializer's step."""
    role: _str
    kind: _str
    subject: _str
    number: _int
    attrs: _Mapping[_str, _Any]
    def title(self) -> _str:
        """The line above its operations in a program's text."""
    def __init__(self, role: _str, kind: _str = '', subject: _str = '', number: _int = 0, attrs: _Mapping[_str, _Any] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class Updates:
    """What an optimizer does with gradients: [(parameter, gradient)], and its operations. `startup` makes its state."""
    optimizer: _Any
    pairs: _list[_tuple[_Any, _Any]]
    operations: _list[_Operation]
    startup: _Any
    def __init__(self, optimizer: _Any, pairs: _list[_tuple[_Any, _Any]], operations: _list[_Operation], startup: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
