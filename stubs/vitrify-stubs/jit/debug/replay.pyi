# Written by `make stubs`; edits here are lost.

from builtins import BaseException as _BaseException
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections import deque as _deque
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from numpy import ndarray as _ndarray
from typing import Any as _Any
from vitrify.base.location import Loc as _Loc
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.jit.function import StaticFunction as _StaticFunction

class Recording:
    """One call: the function, its arguments and the state that it read, as they were. `error`: how it ended.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> record(lambda x: x + 1, to_tensor([1.0, 2.0])).nbytes
    8"""
    function: _StaticFunction
    args: _tuple[_Any, ...]
    kwargs: _Mapping[_str, _Any]
    state: _Sequence[_tuple[_Tensor, _ndarray[_Any, _Any]]]
    error: _BaseException | None
    @property
    def nbytes(self) -> _int:
        """What it holds."""
    def __init__(self, function: _StaticFunction, args: _tuple[_Any, ...], kwargs: _Mapping[_str, _Any], state: _Sequence[_tuple[_Tensor, _ndarray[_Any, _Any]]] = ..., error: _BaseException | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Replay:
    """A call run again. `steps` are the operations up to the end, `here` the one that is looked at: at first the last.

    error: what ended the run: the user's exception, or NonFiniteError for the first NaN or infinity; None if the run
    stopped where it was told to, or went well."""
    name: _str
    steps: _deque[ReplayStep]
    position: _Any
    error: _BaseException | None
    frame: _Any | None
    def __init__(self, name: _str) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def here(self) -> ReplayStep:
        """The step that is looked at. Errors: ArgumentError where nothing ran."""
    @property
    def locals(self) -> _Mapping[_str, _Any]:
        """The user's variables at the step that is looked at; after an exception, those of the line that raised it."""
    def back(self, count: _int = 1) -> ReplayStep:
        """Look at an earlier step; at the first one if there aren't so many."""
    def forward(self, count: _int = 1) -> ReplayStep:
        """Look at a later step; at the last one if there aren't so many."""
    def find(self, *, line: _int | None = None, turn: _int | None = None, op: _str | None = None) -> ReplayStep:
        """Look at the first step of this line, innermost iteration and op. Errors: ArgumentError for none."""

class ReplayStep:
    """One operation that ran: its op, the user's line, the iterations of the loops around it, its operands and results.

    locals: the variables of the user's function at that time; tensors are copies."""
    op: _str
    loc: _Loc
    where: _str
    turns: _tuple[_int, ...]
    read: _tuple[_ndarray[_Any, _Any], ...]
    made: _tuple[_ndarray[_Any, _Any], ...]
    locals: _Mapping[_str, _Any]
    @property
    def turn(self) -> _int | None:
        """The number of the iteration of the innermost loop; None outside of loops."""
    def __init__(self, op: _str, loc: _Loc, where: _str, turns: _tuple[_int, ...], read: _tuple[_ndarray[_Any, _Any], ...], made: _tuple[_ndarray[_Any, _Any], ...], locals: _Mapping[_str, _Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
