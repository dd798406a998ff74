# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.boundary import Created as _Created
from vitrify.dygraph.optimizer.rate import ReadByRuns as _ReadByRuns

class LRScheduler(_ReadByRuns, _Created):
    """Base: a subclass computes the rate of the step `last_epoch` in `get_lr()`.

    Calling the scheduler gives the current rate. Making one takes the first step, to last_epoch + 1."""
    base_lr: _Any
    last_lr: _Any
    last_epoch: _int
    verbose: _bool
    def __init__(self, learning_rate: _float = 0.1, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __call__(self) -> _float:
        """Call self as a function."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""
    def step(self, epoch: _int | None = None) -> None:
        """Move on by one, or to `epoch`. Inside a captured function this happens in each call."""
    def __getstate__(self) -> _dict[_str, _Any]:
        """For copies and pickles: without the tensors of optimisers, which bind theirs again."""
    def bind(self, tensor: _Any) -> None:
        """Keep the learning-rate tensor of an optimiser at this scheduler's rate."""
    def unbind(self, tensor: _Any) -> None:
        """Let go of a tensor (and of those that are gone)."""
    def state_keys(self) -> None:
        """Set `self.keys`, the names of what state_dict() holds; a subclass may name others."""
    def state_dict(self) -> _dict[_str, _Any]:
        """Where the schedule is, not its settings: what state_keys() names.

        >>> StepDecay(0.5, step_size=2).state_dict()
        {'last_epoch': 0, 'last_lr': 0.5}"""
    def set_state_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Go to where `state_dict` was taken. Errors: ArgumentError when it lacks an entry."""
    def set_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Go to where `state_dict` was taken. Errors: ArgumentError when it lacks an entry."""

class CosineAnnealingDecay(LRScheduler):
    """Between rate and eta_min along half a cosine of T_max steps (Loshchilov, Hutter, SGDR, 2017)."""
    T_max: _int
    eta_min: _float
    def __init__(self, learning_rate: _float, T_max: _int, eta_min: _float = 0, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class CosineAnnealingWarmRestarts(LRScheduler):
    """Half cosines of T_0, T_0 * T_mult, T_0 * T_mult², … steps, each from rate to eta_min (SGDR)."""
    T_0: _int
    T_mult: _int
    eta_min: _float
    def __init__(self, learning_rate: _float, T_0: _int, T_mult: _int = 1, eta_min: _float = 0, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class CyclicLR(LRScheduler):
    """Up from base to max_learning_rate in step_size_up steps and down again in step_size_down, over and over.

    mode: "triangular", "triangular2" (half as high each cycle) or "exp_range" (times exp_gamma ** step); or scale_fn
    of the cycle's number or, with scale_mode "iterations", of the step. Source: Smith, Cyclical Learning Rates, 2017."""
    scale_fn: _Any
    scale_mode: _Any
    max_lr: _Any
    cycle_size: _Any
    step_up_pct: _Any
    def __init__(self, base_learning_rate: _float, max_learning_rate: _float, step_size_up: _int, step_size_down: _int | None = None, mode: _str = 'triangular', exp_gamma: _float = 1.0, scale_fn: _Callable[[_float], _float] | None = None, scale_mode: _str = 'cycle', last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class ExponentialDecay(LRScheduler):
    """rate * gamma ** step.

    >>> ExponentialDecay(0.5, gamma=0.5, last_epoch=1)()
    0.125"""
    gamma: _float
    def __init__(self, learning_rate: _float, gamma: _float, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class InverseTimeDecay(ExponentialDecay):
    """rate / (1 + gamma * step)."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class LambdaDecay(LRScheduler):
    """rate * lr_lambda(step)."""
    lr_lambda: _Callable[[_int], _float]
    def __init__(self, learning_rate: _float, lr_lambda: _Callable[[_int], _float], last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class LinearLR(LRScheduler):
    """rate times a factor from start_factor to end_factor in total_steps; each rate is made from the one before."""
    total_steps: _int
    start_factor: _float
    end_factor: _float
    def __init__(self, learning_rate: _float, total_steps: _int, start_factor: _float = 0.3333333333333333, end_factor: _float = 1.0, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class LinearWarmup(LRScheduler):
    """From start_lr to end_lr in warmup_steps, then `learning_rate`: a number, or a scheduler that starts there."""
    learning_rate: _float | LRScheduler
    warmup_steps: _int
    start_lr: _float
    end_lr: _float
    def __init__(self, learning_rate: _float | LRScheduler, warmup_steps: _int, start_lr: _float, end_lr: _float, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""
    def state_dict(self) -> _dict[_str, _Any]:
        """Where the schedule is, not its settings: what state_keys() names.

        >>> StepDecay(0.5, step_size=2).state_dict()
        {'last_epoch': 0, 'last_lr': 0.5}"""
    def set_state_dict(self, state_dict: _dict[_str, _Any]) -> None:
        """Go to where `state_dict` was taken. Errors: ArgumentError when it lacks an entry."""

class MultiStepDecay(LRScheduler):
    """rate * gamma ** (how many milestones are reached)."""
    milestones: _Any
    gamma: _float
    def __init__(self, learning_rate: _float, milestones: _Sequence[_int], gamma: _float = 0.1, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class MultiplicativeDecay(LambdaDecay):
    """The rate times lr_lambda(1), lr_lambda(2), … of all steps so far."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class NaturalExpDecay(ExponentialDecay):
    """rate * exp(-gamma * step)."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class NoamDecay(LRScheduler):
    """rate * d_model^-0.5 * min(step^-0.5, step * warmup_steps^-1.5) (Vaswani et al., 2017)."""
    d_model: _int
    warmup_steps: _int
    def __init__(self, d_model: _int, warmup_steps: _int, learning_rate: _float = 1.0, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class OneCycleLR(LRScheduler):
    """Up from max_learning_rate / divide_factor, down to end_learning_rate (Smith, Topin, Super-Convergence, 2018).

    phase_pct: the share of total_steps that it goes up; three_phase: then as long down to the first rate, then to the
    end. anneal_strategy: "cos" or "linear". Errors: ArgumentError beyond total_steps."""
    max_lr: _Any
    initial_lr: _Any
    min_lr: _Any
    total_steps: _int
    anneal_strategy: _str
    def __init__(self, max_learning_rate: _float, total_steps: _int, divide_factor: _float = 25.0, end_learning_rate: _float = 0.0001, phase_pct: _float = 0.3, anneal_strategy: _str = 'cos', three_phase: _bool = False, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class PiecewiseDecay(LRScheduler):
    """values[k] before boundaries[k], the last value after them."""
    boundaries: _Any
    values: _Any
    def __init__(self, boundaries: _Sequence[_int], values: _Sequence[_float], last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class PolynomialDecay(LRScheduler):
    """From rate to end_lr in decay_steps, along (1 - step / decay_steps) ** power; `cycle`: again and again."""
    decay_steps: _int
    end_lr: _float
    power: _float
    cycle: _bool
    def __init__(self, learning_rate: _float, decay_steps: _int, end_lr: _float = 0.0001, power: _float = 1.0, cycle: _bool = False, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""

class ReduceOnPlateau(LRScheduler):
    """Multiplies the rate by `factor` when the metric given to `step` hasn't improved for more than `patience` steps.

    threshold: what counts as better, relative ("rel") or absolute ("abs"); cooldown: steps after a reduction whose
    metrics aren't looked at."""
    mode: _str
    factor: _float
    patience: _int
    cooldown: _int
    threshold: _float
    threshold_mode: _str
    min_lr: _float
    epsilon: _float
    cooldown_counter: _int
    num_bad_epochs: _int
    best: _Any
    def __init__(self, learning_rate: _float, mode: _str = 'min', factor: _float = 0.1, patience: _int = 10, threshold: _float = 0.0001, threshold_mode: _str = 'rel', cooldown: _int = 0, min_lr: _float = 0, epsilon: _float = 1e-08, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""
    def state_keys(self) -> None:
        """The step, the rate, the best metric and what is counted."""
    def step(self, metrics: _Any = None, epoch: _int | None = None) -> None:
        """Tell the metric (a number or a tensor with one element) of the step that ended."""

class StepDecay(LRScheduler):
    """rate * gamma ** (step // step_size).

    >>> scheduler = StepDecay(0.5, step_size=2, gamma=0.1)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates.append(round(scheduler(), 3))
    ...     scheduler.step()
    >>> rates
    [0.5, 0.5, 0.05, 0.05]"""
    step_size: _int
    gamma: _float
    def __init__(self, learning_rate: _float, step_size: _int, gamma: _float = 0.1, last_epoch: _int = -1, verbose: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_lr(self) -> _float:
        """The rate of step `last_epoch`."""
