"""LocalSGD: each rank trains by itself, and from time to time the parameters are averaged."""

from __future__ import annotations

from ...base.dtype import int64
from ...base.errors import ArgumentError
from ...ops.op import OPS
from ...static.cond_while import cond
from ..exchanges import all_reduce_of
from .stages import Pairs, Stage, Then, TranspiledOptimizer


class LocalSGD(Stage):
    """Update with each rank's own gradients; every `k_steps` steps average the parameters over the group.

    Until step `begin_step` they are averaged after each step. States of the optimizer stay each rank's own.
    Source: Stich, Local SGD Converges Fast and Communicates Little, 2019.

    >>> LocalSGD(k_steps=4).k_steps
    4
    """

    name = "local_sgd"

    def __init__(self, k_steps: int = 1, begin_step: int = 1, group: object = None) -> None:
        super().__init__(group)  # type: ignore[arg-type]
        if k_steps < 1:
            raise ArgumentError(f"local_sgd needs k_steps of at least 1, not {k_steps}")
        self.k_steps, self.begin_step = int(k_steps), int(begin_step)

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Update, count, and average in every k-th step."""
        then(pairs)
        chosen = [p for p in optimizer.inner._parameter_list if not p.stop_gradient]

        def average() -> None:
            for p in chosen:
                p._write(all_reduce_of(p.detach(), "mean", self.group), fresh=True)

        if self.begin_step <= 1:
            optimizer.every(self.k_steps, "local_steps", average)
            return
        total, count = optimizer.counter("all_steps"), optimizer.counter("local_steps")
        at, now = total + 1, count + 1
        total._write(at)
        count._write(now)

        def then_average() -> None:
            average()
            count._write(OPS["full"]([], 0, int64))

        cond(OPS["logical_or"](at < self.begin_step, now >= self.k_steps), then_average, None)
