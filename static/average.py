"""Averages of parameters over the steps of training, and to run with them in the parameters' place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.errors import ArgumentError
from ..dygraph.assignment import assign
from .current import default_main_program
from .scope import global_scope


class ExponentialMovingAverage:
    """Moving averages of all trainable parameters: `average = decay * average + (1 - decay) * parameter` at each run.

    decay: in 0..1. thres_steps: a variable t; the decay is then at most (1 + t) / (10 + t). `update()` adds the
    operations to the default main program; inside `with average.apply(executor):` the parameters are their averages,
    divided by 1 minus the product of all decays, as they start from 0.
    Errors: ArgumentError for another decay.
    Source: Polyak and Juditsky, Acceleration of stochastic approximation by averaging, 1992.
    """

    def __init__(self, decay: float = 0.999, thres_steps: Any = None, name: str | None = None) -> None:
        if not 0 <= decay <= 1:
            raise ArgumentError(f"ExponentialMovingAverage: decay must be from 0 to 1, not {decay}")
        self._decay, self._steps = decay, thres_steps
        self._name = name or "exponential_moving_average"
        self._averages: dict[str, tuple[Any, Any]] = {}  # parameter's name -> parameter, average
        self._product: Any = None
        self._kept: dict[str, Any] = {}

    def update(self) -> None:
        """Add the operations that average to the default main program; call it after `minimize`."""
        program = default_main_program()
        decay: Any = self._decay
        if self._steps is not None:
            steps = self._steps.astype("float32").reshape([])
            limit = (steps + 1.0) / (steps + 10.0)
            decay = limit.minimum(limit * 0.0 + self._decay)
        if self._product is None:
            self._product = program.add_global(unique_name.generate(f"{self._name}_decay"), np.ones([], np.float32))
        assign(self._product * decay, self._product)
        for param in program.all_parameters():
            if not param.trainable:
                continue
            key = unique_name.generate(f"{param.name}_{self._name}")
            average = program.add_global(key, np.zeros(tuple(param.shape), param.dtype.numpy))
            assign(average * decay + param * (1.0 - decay), average)
            self._averages[param.name] = param, average

    @contextmanager
    def apply(self, executor: Any, need_restore: bool = True) -> Iterator[None]:
        """The parameters are their averages inside; afterwards themselves, unless `need_restore` is off."""
        scope = global_scope()
        product = float(scope.value_of(self._product).numpy()) if self._product is not None else 0.0
        share = 1.0 - product if product < 1.0 else 1.0
        for name, (param, average) in self._averages.items():
            self._kept[name] = scope.value_of(param).numpy().copy()
            scope.assign(param, scope.value_of(average).numpy() / share)
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    def restore(self, executor: Any) -> None:
        """Give the parameters the values from before `apply`."""
        for name, values in self._kept.items():
            global_scope().assign(self._averages[name][0], values)
        self._kept.clear()
