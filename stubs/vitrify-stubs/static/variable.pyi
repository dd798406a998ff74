# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.tensor import Tensor as _Tensor

class AnyVariable(Variable):
    """What ops return in static mode, and eager tensors: both are instances.

    `program.global_block().var(name)` finds a program's variable by its name."""

class Variable(_Tensor):
    """What ops return in static mode. `program.global_block().var(name)` finds it by its name."""
    recorder: _Any
    stage: _int | None
    is_data: _bool
    need_check_feed: _bool
    lod_level: _int
    @property
    def persistable(self) -> _bool:
        """Whether it keeps its value between runs: a feed that does stays in the scope, and need not be fed again."""
    @persistable.setter
    def persistable(self, value: _Any) -> None: ...
    @property
    def stop_gradient(self) -> _bool:
        """Whether gradients end here. Setting it to True lets none through, as far as they are taken afterwards."""
    @stop_gradient.setter
    def stop_gradient(self, value: _Any) -> None: ...
    def detach(self) -> _Any:
        """The same value, through which no gradient flows."""
    @property
    def shape(self) -> _Any:
        """The sizes of its axes."""
    @property
    def name(self) -> _str:
        """Its name in the program; made up on the first look unless it was given."""
    @name.setter
    def name(self, value: _Any) -> None: ...
    @property
    def block(self) -> _Any:
        """The block that it belongs to."""
    @property
    def program(self) -> _Any:
        """The program that it belongs to."""
    @property
    def grad_name(self) -> _str:
        """The name of its gradient."""
    @property
    def op(self) -> _Any:
        """The operation that makes it; None for data."""
    @property
    def desc(self) -> Description:
        """Its facts as functions, as Paddle's engine describes it."""
    def get_value(self, scope: _Any = None) -> _Any:
        """Errors: ModeError: only persistable variables have a value between runs."""
    def backward(self, *_: _Any, **__: _Any) -> None:
        """Errors: ModeError: static programs get their gradients from append_backward."""
    def to_string(self, throw_on_error: _bool = True, with_details: _bool = False) -> _str:
        """Its name, type and kind."""

class Description:
    """A variable's name, shape, dtype and marks, asked for and set by functions."""
    def __init__(self, variable: Variable) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def name(self) -> _str:
        """The variable's name."""
    def shape(self) -> _list[_Any]:
        """The sizes of its axes, -1 for those left open."""
    def dtype(self) -> _Any:
        """The element type."""
    def stop_gradient(self) -> _bool:
        """Whether gradients end here."""
    def set_stop_gradient(self, value: _bool) -> None:
        """Let gradients end here, or not."""
    def persistable(self) -> _bool:
        """Whether it keeps its value between runs."""
    def need_check_feed(self) -> _bool:
        """Whether what is fed to it has to be of its dtype, rank and known sizes."""
    def set_need_check_feed(self, value: _bool) -> None:
        """Set that mark. Without it another dtype is converted, and the program compiled again for another shape."""
