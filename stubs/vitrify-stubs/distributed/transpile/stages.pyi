# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.distributed.group import Group as _Group
from vitrify.dygraph.optimizer.optimizer import Optimizer as _Optimizer
from vitrify.static.op_steps import Updates as _Updates
from vitrify.static.program import Program as _Program
from vitrify.static.scope import Scope as _Scope
from vitrify.static.transpile import Transpiler as _Transpiler

class Stage(_Transpiler):
    """One step on the way from gradients to updates. `group`: the ranks that work together (default: all).

    `stage.optimizer(optimizer)` is an optimizer for eager mode and captured functions; `stage.transpile(program)`
    changes a static program, and `transpile_startup` lets its startup program give all ranks the same start."""
    group: _Any
    exchanges: _bool
    def __init__(self, group: _Group | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: TranspiledOptimizer) -> None:
        """Do the stage's part with [(parameter, gradient)]; `then` does the rest."""
    def prepare(self, optimizer: TranspiledOptimizer) -> None:
        """What has to be known before the first step. Errors: ModeError for an optimizer it doesn't suit."""
    def follows(self, before: _Sequence[Stage]) -> None:
        """Take note of the stages before it."""
    def whole(self, state: _dict[_str, _Any], optimizer: TranspiledOptimizer) -> _dict[_str, _Any]:
        """A saved state without traces of how many ranks there are."""
    def parts(self, state: _dict[_str, _Any], optimizer: TranspiledOptimizer) -> _dict[_str, _Any]:
        """The other way round: what this rank loads."""
    def optimizer(self, optimizer: _Any) -> TranspiledOptimizer:
        """An optimizer that trains with this stage (and with those that the given one has)."""
    def run(self, program: _Program, scope: _Scope) -> None:
        """Record the updates once more, with this stage. Errors: ArgumentError for a program without any."""
    def replaces(self, program: _Program, updates: _Updates) -> None:
        """What else has to go with updates that are recorded once more."""
    def transpile_startup(self, startup: _Program) -> _Program:
        """Let the startup program give every rank what the group's first made. Returns it."""

class TranspiledOptimizer:
    """An optimizer whose gradients pass through stages before its updates. All else is the optimizer's own."""
    inner: _Optimizer
    stages: _Any
    loss: _Any
    def __init__(self, inner: _Optimizer, stages: _Sequence[Stage]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def step(self) -> None:
        """Send the gradients that there are through the stages, then update."""
    def apply_gradients(self, params_grads: _Iterable[_tuple[_Any, _Any]]) -> _Any:
        """Clip, decay and update with these gradients instead of `.grad`."""
    def backward(self, loss: _Any, startup_program: _Any = None, parameters: _Any = None, no_grad_set: _Any = None, callbacks: _Any = None) -> _list[_tuple[_Any, _Any]]:
        """Compute the gradients of `loss`; the parameters that have one, with it."""
    def minimize(self, loss: _Any, startup_program: _Any = None, parameters: _Any = None, no_grad_set: _Any = None) -> _Any:
        """The optimizer's `minimize`, with the stages; in static mode the startup program gives all ranks one start."""
    def kept(self, name: _str, param: _Any, **settings: _Any) -> _Any:
        """A tensor that a stage keeps for a parameter: part of `state_dict`."""
    def counter(self, name: _str) -> _Any:
        """A number that a stage keeps for all parameters, i64[], zero at first."""
    def every(self, k: _int, counter: _str, act: _Callable[[], None]) -> None:
        """Count a step; each k-th one calls `act`."""
    def state_dict(self) -> _dict[_str, _Any]:
        """The optimizer's state, of whole parameters, with what the stages keep. Every rank of a group calls it."""
    def set_state_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Set what `state_dict` gave, on any number of ranks."""
    def set_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Set what `state_dict` gave, on any number of ranks."""
