# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.optimizer.lr import CosineAnnealingDecay as CosineAnnealingDecay
from vitrify.dygraph.optimizer.lr import CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts
from vitrify.dygraph.optimizer.lr import CyclicLR as CyclicLR
from vitrify.dygraph.optimizer.lr import ExponentialDecay as ExponentialDecay
from vitrify.dygraph.optimizer.lr import InverseTimeDecay as InverseTimeDecay
from vitrify.dygraph.optimizer.lr import LRScheduler as LRScheduler
from vitrify.dygraph.optimizer.lr import LambdaDecay as LambdaDecay
from vitrify.dygraph.optimizer.lr import LinearLR as LinearLR
from vitrify.dygraph.optimizer.lr import LinearWarmup as LinearWarmup
from vitrify.dygraph.optimizer.lr import MultiStepDecay as MultiStepDecay
from vitrify.dygraph.optimizer.lr import MultiplicativeDecay as MultiplicativeDecay
from vitrify.dygraph.optimizer.lr import NaturalExpDecay as NaturalExpDecay
from vitrify.dygraph.optimizer.lr import NoamDecay as NoamDecay
from vitrify.dygraph.optimizer.lr import OneCycleLR as OneCycleLR
from vitrify.dygraph.optimizer.lr import PiecewiseDecay as PiecewiseDecay
from vitrify.dygraph.optimizer.lr import PolynomialDecay as PolynomialDecay
from vitrify.dygraph.optimizer.lr import ReduceOnPlateau as ReduceOnPlateau
from vitrify.dygraph.optimizer.lr import StepDecay as StepDecay

def linear_lr_warmup(learning_rate: _Any, warmup_steps: _int, start_lr: _float, end_lr: _float) -> _Any:
    """`LinearWarmup`, of a number or a scheduler.

    >>> linear_lr_warmup(0.5, 10, 0.0, 0.5).get_lr()
    0.0"""

def noam_decay(d_model: _float, warmup_steps: _int, learning_rate: _float = 1.0) -> _Any:
    """`NoamDecay`. Errors: OtherModeError in static mode, as for all of these."""

def piecewise_decay(boundaries: _Sequence[_int], values: _Sequence[_float]) -> _Any:
    """`PiecewiseDecay`."""

def polynomial_decay(learning_rate: _float, decay_steps: _int, end_learning_rate: _float = 0.0001, power: _float = 1.0, cycle: _bool = False) -> _Any:
    """`PolynomialDecay`."""
