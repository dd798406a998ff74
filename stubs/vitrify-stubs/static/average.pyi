# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import str as _str
from collections.abc import Iterator as _Iterator
from typing import Any as _Any

class ExponentialMovingAverage:
    """Moving averages of all trainable parameters: `average = decay * average + (1 - decay) * parameter` at each run.

    decay: in 0..1. thres_steps: a variable t; the decay is then at most (1 + t) / (10 + t). `update()` adds the
    operations to the default main program; inside `with average.apply(executor):` the parameters are their averages,
    divided by 1 minus the product of all decays, as they start from 0.
    Errors: ArgumentError for another decay.
    Source: Polyak and Juditsky, Acceleration of stochastic approximation by averaging, 1992."""
    def __init__(self, decay: _float = 0.999, thres_steps: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def update(self) -> None:
        """Add the operations that average to the default main program; call it after `minimize`."""
    def apply(self, executor: _Any, need_restore: _bool = True) -> _Iterator[None]:
        """The parameters are their averages inside; afterwards themselves, unless `need_restore` is off."""
    def restore(self, executor: _Any) -> None:
        """Give the parameters the values from before `apply`."""
