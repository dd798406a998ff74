# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import frozenset as _frozenset
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Iterable as _Iterable
from typing import Any as _Any
from vitrify.base.changes import Counted as _Counted
from vitrify.dygraph.optimizer.clip import ClipGradBase as _ClipGradBase
from vitrify.dygraph.optimizer.lr import LRScheduler as _LRScheduler
from vitrify.dygraph.optimizer.regularizer import Decay as _Decay

class Optimizer(_Counted):
    """Base of optimisers.

    parameters: a list of parameters, or of dicts {"params": [...], "learning_rate": factor, "weight_decay": ...,
    "grad_clip": ...} and options of the subclass. weight_decay: a number (L2), L1Decay or L2Decay, unless the parameter
    has a regularizer. Order: clip, decay, update. Parameters without a gradient are skipped.
    Errors: MissingError (an AttributeError) without parameters; KindError (a TypeError) for other kinds of arguments."""
    is_elementwise: _bool
    read_by_runs: _frozenset
    def __init__(self, learning_rate: _float | _LRScheduler = 0.001, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _ClipGradBase | None = None, name: _str | None = None, **options: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def regularization(self) -> _Decay | None:
        """The weight decay of all groups that have none of their own; another one can be set, as in PaddlePaddle."""
    @regularization.setter
    def regularization(self, value: _Any) -> None: ...
    def get_lr(self) -> _float:
        """The learning rate now."""
    def set_lr(self, value: _float) -> None:
        """Set the learning rate; inside a captured function each call does. Errors: RateError (a RuntimeError) while a
        scheduler sets it."""
    def set_lr_scheduler(self, scheduler: _LRScheduler) -> None:
        """Let another scheduler set the learning rate."""
    def append_regularization_ops(self, parameters_and_grads: _Iterable[_tuple[_Any, _Any]], regularization: _Any = None) -> _list[_tuple[_Any, _Any]]:
        """The pairs with weight decay (the parameter's own, else `regularization`) in the gradients."""
    def step(self) -> None:
        """Update every parameter that has a gradient."""
    def clear_grad(self, set_to_zero: _bool = True) -> None:
        """Make the gradients of all parameters zero (at no cost), or None."""
    def clear_gradients(self, set_to_zero: _bool = True) -> None:
        """Make the gradients of all parameters zero (at no cost), or None."""
    def zero_grad(self, set_to_none: _bool = True) -> None:
        """Forget all gradients, or make them zero."""
    def backward(self, loss: _Any, startup_program: _Any = None, parameters: _Any = None, no_grad_set: _Any = None, callbacks: _Any = None) -> _list[_tuple[_Any, _Any]]:
        """Compute the gradients of `loss`; the parameters that have one, with it."""
    def apply_gradients(self, params_grads: _Iterable[_tuple[_Any, _Any]]) -> _Any:
        """Clip, decay and update with these gradients instead of `.grad`."""
    def minimize(self, loss: _Any, startup_program: _Any = None, parameters: _Any = None, no_grad_set: _Any = None) -> _tuple[_list[_Any], _list[_tuple[_Any, _Any]]]:
        """Update with the gradients that are there (call `loss.backward()` first): ([], [(parameter, gradient)])."""
    @property
    def type(self) -> _str:
        """The kind of optimiser, as Paddle spells it: "adam", "momentum", ..."""
    def get_opti_var_name_list(self) -> _list[_str]:
        """The names of the accumulators that there are."""
    def __getstate__(self) -> _dict[_str, _Any]:
        """For copies and pickles: the accumulators by the places of their parameters, whose identities differ there."""
    def __setstate__(self, state: _dict[_str, _Any]) -> None: ...
    def state_dict(self) -> _dict[_str, _Any]:
        """Accumulators, themselves, as `<parameter>_<accumulator>_0`, the scheduler's state, the parameters' names.

        Where ranks have parts of the accumulators, those are whole ones, and every rank has to call it."""
    def set_state_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Copy the state of an optimiser of the same kind in, by the parameters' names, or by their order when the
        names differ; also what PaddlePaddle has saved (`.pdopt`). Errors: StateError, before anything is changed."""
    def set_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Copy the state of an optimiser of the same kind in, by the parameters' names, or by their order when the
        names differ; also what PaddlePaddle has saved (`.pdopt`). Errors: StateError, before anything is changed."""
