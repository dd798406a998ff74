# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer

class AdaptiveLocalSGD(LocalSGD):
    """LocalSGD whose number of steps falls with the loss.

    The number is ceil(sqrt(k_steps * loss * first rate / (first loss * rate))), from 1 to 16. It is set anew when the
    parameters are averaged, by the mean of all ranks' losses; up to step `begin_step` they are averaged after each
    step. It needs the loss: update with `optimizer.minimize(loss)`.
    Errors: ModeError for `step()`, and for a static program that has its updates already.
    Source: Wang, Joshi, Adaptive Communication Strategies to Achieve the Best Error-Runtime Trade-off, 2019.

    >>> AdaptiveLocalSGD(4).k_steps
    4"""
    most: _int
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Update and count; average where that is due, and set the number of steps."""

class LocalSGD(_Stage):
    """Update with each rank's own gradients; every `k_steps` steps average the parameters over the group.

    Until step `begin_step` they are averaged after each step. States of the optimizer stay each rank's own.
    Source: Stich, Local SGD Converges Fast and Communicates Little, 2019.

    >>> LocalSGD(k_steps=4).k_steps
    4"""
    k_steps: _int
    begin_step: _int
    name: _str
    def __init__(self, k_steps: _int = 1, begin_step: _int = 1, group: _object = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Update, count, and average in every k-th step."""
