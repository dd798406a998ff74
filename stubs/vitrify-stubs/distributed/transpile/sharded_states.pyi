# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer
from vitrify.static.op_steps import Updates as _Updates
from vitrify.static.program import Program as _Program

class MemoryPlan:
    """Bytes that one rank keeps between steps (parameters, states) and at the most during one (gradients)."""
    parameters: _int
    gradients: _int
    states: _int
    @property
    def total(self) -> _int:
        """All of it."""
    def __init__(self, parameters: _int, gradients: _int, states: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class ShardedStates(_Stage):
    """Keep the optimizer's states of a part of each parameter on each rank; update that part; then gather the parts.

    level 1 ("os"): gradients arrive averaged (by DataParallel, GradAllReduce or another stage), and each rank's part is
    cut out of them. level 2 ("os_g"): a `reduce_scatter` gives each rank its part of the averaged gradient alone. In a
    captured step whole gradients end there; in eager mode they live until `step`. Elements are cut evenly, without
    regard to rows, so the bits are those of training without it, unless a norm is clipped at level 2: its sum is
    taken in another order. level 3 ("p_g_os"): for models whose parameters are parts already (`ShardedParameters`);
    those that are whole are treated as at level 2.
    Errors: ModeError for an optimizer whose update needs whole parameters (Lamb, LBFGS) or a clip of one's own.

    >>> ShardedStates(1).plan([], None).total
    0"""
    level: _int
    name: _str
    def __init__(self, level: _int = 1, group: _object = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def follows(self, before: _Sequence[_Stage]) -> None:
        """From level 2 on it exchanges the gradients itself. Errors: ModeError after a stage without parts to give."""
    def prepare(self, optimizer: _TranspiledOptimizer) -> None:
        """Errors: ModeError for an optimizer whose update can't be cut into parts."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Update this rank's parts and gather all."""
    def replaces(self, program: _Program, updates: _Updates) -> None:
        """Whole states that the optimizer made for a static program are no longer made."""
    def whole(self, state: _dict[_str, _Any], optimizer: _TranspiledOptimizer) -> _dict[_str, _Any]:
        """The states of whole parameters: all ranks gather them."""
    def parts(self, state: _dict[_str, _Any], optimizer: _TranspiledOptimizer) -> _dict[_str, _Any]:
        """This rank's parts of whole states."""
    def plan(self, parameters: _Sequence[_Any], optimizer: _Any) -> MemoryPlan:
        """What each rank keeps of parameters, gradients and states, to the byte."""
