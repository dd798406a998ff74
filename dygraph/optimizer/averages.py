"""Optimisers that look at the path of the parameters: slow weights, and averages of what they were."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ...base.dtype import float32, int64
from ...base.errors import ArgumentError, StateError
from ...ops.dispatch import bottom, current, is_captured, using
from ...ops.op import FUNCTIONS, OPS
from ..modes import GradMode
from .optimizer import Group, Optimizer

__all__ = ["LookAhead", "ModelAverage"]

_SUMMED = 16384  # values after which a sum goes on in another tensor, for its rounding


class LookAhead(Optimizer):
    """An optimiser's fast weights; every k steps, slow weights go `alpha` of the way to them, and they begin there.

    The slow weights begin where the fast ones are after the first step.
    Source: Zhang, Lucas, Hinton, Ba, Lookahead Optimizer, 2019.
    Errors: ArgumentError without an optimiser, for alpha outside [0, 1], for k below 1.

    >>> from .sgd import SGD
    >>> from ..tensor import Parameter
    >>> p = Parameter([1.0])
    >>> LookAhead(SGD(0.1, parameters=[p]), alpha=0.2, k=5).k
    5
    """

    def __init__(self, inner_optimizer: Any, alpha: float = 0.5, k: int = 5, name: str | None = None) -> None:
        if not isinstance(inner_optimizer, Optimizer):
            raise ArgumentError(f"LookAhead needs an optimiser, not a {type(inner_optimizer).__name__}")
        if not 0.0 <= alpha <= 1.0:
            raise ArgumentError(f"LookAhead: alpha must be from 0 to 1, not {alpha}")
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise ArgumentError(f"LookAhead: k must be an int of at least 1, not {k!r}")
        self.inner_optimizer, self.alpha, self.k = inner_optimizer, alpha, k
        super().__init__(alpha, inner_optimizer._parameter_list or None, None, None, name)

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"slow": {}, "step": {"shape": [1], "dtype": int64}}

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        slow = self._accumulator("slow", param)
        taken = self._accumulator("step", param, shape=[1], dtype=int64)
        step = taken + 1
        taken._write(step, fresh=True)
        begun = OPS["where"](OPS["reshape"](step, []) == 1, param, slow)
        meets = OPS["reshape"](step, []) % self.k == 0
        joined = param * self.alpha + begun * (1.0 - self.alpha)
        slow._write(OPS["where"](meets, joined, begun), fresh=True)
        param._write(OPS["where"](meets, joined, param), fresh=True)

    def step(self) -> None:
        """A step of the optimiser, and of the slow weights."""
        self.inner_optimizer.step()
        super().step()

    def minimize(
        self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None
    ) -> tuple[Any, list[tuple[Any, Any]]]:
        """As `minimize` of the optimiser, with a step of the slow weights."""
        operations, pairs = self.inner_optimizer.minimize(loss, startup_program, parameters, no_grad_set)
        self.apply_gradients(pairs)
        return operations, pairs


class ModelAverage(Optimizer):
    """Averages of parameters over their last steps: call `step()` after an optimiser's, and `apply()` to use them.

    A window closes when it holds min_average_window steps and average_window_rate of all steps so far (but
    max_average_window at most); the average is over the last closed window and the open one. In static mode it belongs
    to the default main program: make it after `minimize`, and each run is a step; `apply` works on the values in the
    scope that is in force.

    >>> from ..tensor import Parameter
    >>> p = Parameter([1.0])
    >>> average = ModelAverage(0.15, parameters=[p], min_average_window=2, max_average_window=10)
    >>> p.sum().backward()
    >>> average.step()
    >>> with average.apply():
    ...     p.shape
    [1]
    """

    def __init__(
        self, average_window_rate: float, parameters: Any = None, min_average_window: int = 10000,
        max_average_window: int = 10000, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(0.0, parameters, None, None, name)
        self.average_window = average_window_rate
        self.min_average_window, self.max_average_window = min_average_window, max_average_window
        self._in_program = current().is_static
        if self._in_program:  # each run of it is a step; what stands for gradients isn't read
            current().apply_gradients(self, [(p, p) for p in current().trained_parameters(parameters)])

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        counts = ("num_accumulates", "old_num_accumulates", "num_updates")
        sums: dict[str, dict[str, Any]] = {name: {} for name in ("sum_1", "sum_2", "sum_3", "restore")}
        return sums | {name: {"shape": [1], "dtype": int64} for name in counts}

    def _of(self, param: Any) -> dict[str, Any]:
        """The accumulators of a parameter."""
        kinds = self._accumulator_types(param)
        return {name: self._accumulator(name, param, **settings) for name, settings in kinds.items()}

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        where, cast, own = OPS["where"], OPS["cast"], self._of(param)
        updates, held = own["num_updates"] + 1, own["num_accumulates"] + 1
        first, second = own["sum_1"] + param, own["sum_2"]
        full = OPS["reshape"](updates, []) % _SUMMED == 0
        second = where(full, second + first, second)
        first = where(full, FUNCTIONS["zeros_like"](first), first)
        wanted = OPS["minimum"](cast(cast(updates, "float64") * self.average_window, int64), self.max_average_window)
        closes = OPS["logical_and"](held >= self.min_average_window, held >= wanted)
        closed = OPS["reshape"](closes, [])
        nothing = FUNCTIONS["zeros_like"](first)
        new = {
            "num_updates": updates, "num_accumulates": where(closes, 0, held),
            "old_num_accumulates": where(closes, held, own["old_num_accumulates"]),
            "sum_1": where(closed, nothing, first), "sum_2": where(closed, nothing, second),
            "sum_3": where(closed, first + second, own["sum_3"]),
        }  # fmt: skip
        for name, value in new.items():
            own[name]._write(value, fresh=True)

    def _get_accumulator(self, name: str, param: Any) -> Any:  # PaddlePaddle's name
        return self._of(param)[name]

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> None:  # type: ignore[override]
        """`step()`: the loss is looked at by the optimiser alone."""
        self.step()

    @contextlib.contextmanager
    def apply(self, executor: Any = None, need_restore: bool = True) -> Iterator[None]:
        """Let the parameters be their averages inside `with`, and after it unless need_restore.

        Errors: StateError before the first step.
        """
        with GradMode(False), self._values():
            for param in self._averaged():
                own = {name: self._read(x) for name, x in self._of(param).items()}
                counted = own["num_accumulates"] + own["old_num_accumulates"]
                if not is_captured() and int(counted) == 0:
                    raise StateError(f"{param.name} has no average yet", remedy="call step() before apply()")
                self._put(self._accumulator("restore", param), self._read(param))
                total = own["sum_1"] + own["sum_2"] + own["sum_3"]
                mean = OPS["cast"](total, float32) / OPS["cast"](counted, float32)
                self._put(param, OPS["cast"](OPS["reshape"](mean, list(param.shape)), param.dtype), fresh=True)
        try:
            yield
        finally:
            if need_restore:
                self.restore()

    def restore(self, executor: Any = None) -> None:
        """Give the parameters back what they were before `apply()`."""
        with GradMode(False), self._values():
            for param in self._averaged():
                self._put(param, self._read(self._accumulator("restore", param)))

    def _averaged(self) -> list[Any]:
        """The parameters that are trained: running statistics and frozen ones stay what they are."""
        return [p for p in self._parameter_list if not p.stop_gradient]

    def _values(self) -> contextlib.AbstractContextManager[None]:
        """Ops run at once on the values that a scope holds for a program; elsewhere in the mode in force."""
        return using(bottom()) if self._in_program else contextlib.nullcontext()

    def _read(self, x: Any) -> Any:
        return x.get_value() if self._in_program else x

    def _put(self, x: Any, value: Any, *, fresh: bool = False) -> None:
        if self._in_program:
            x.set_value(value)
        else:
            x._write(value, fresh=fresh)
