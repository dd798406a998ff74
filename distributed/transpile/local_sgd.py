"""LocalSGD: each rank trains by itself, and from time to time the parameters are averaged."""

from __future__ import annotations

from ...base.dtype import float64, int64
from ...base.errors import ArgumentError, ModeError
from ...dygraph.optimizer.for_stages import rate_of
from ...ops.op import OPS
from ...ops.rearrange import stack
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

        def average() -> None:
            self._average(optimizer)

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

    def _average(self, optimizer: TranspiledOptimizer) -> None:
        for p in optimizer.inner._parameter_list:
            if not p.stop_gradient:
                p._write(all_reduce_of(p.detach(), "mean", self.group), fresh=True)


class AdaptiveLocalSGD(LocalSGD):
    """LocalSGD whose number of steps falls with the loss.

    The number is ceil(sqrt(k_steps * loss * first rate / (first loss * rate))), from 1 to 16. It is set anew when the
    parameters are averaged, by the mean of all ranks' losses; up to step `begin_step` they are averaged after each
    step. It needs the loss: update with `optimizer.minimize(loss)`.
    Errors: ModeError for `step()`, and for a static program that has its updates already.
    Source: Wang, Joshi, Adaptive Communication Strategies to Achieve the Best Error-Runtime Trade-off, 2019.

    >>> AdaptiveLocalSGD(4).k_steps
    4
    """

    most = 16

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Update and count; average where that is due, and set the number of steps."""
        loss = optimizer.loss
        if loss is None:
            raise ModeError("adaptive local_sgd needs the loss of each step",
                            remedy="call optimizer.minimize(loss) with the stage's optimizer")  # fmt: skip
        then(pairs)
        total, count, steps = (optimizer.counter(name) for name in ("all_steps", "local_steps", "adaptive_steps"))
        first = optimizer.kept("first_loss", optimizer.inner._parameter_list[0], shape=(2,), dtype=float64)
        at, now = total + 1, count + 1
        total._write(at)
        count._write(now)
        rate = rate_of(optimizer.inner)

        def then_average() -> None:
            self._average(optimizer)
            mean = all_reduce_of(OPS["cast"](OPS["reshape"](loss.detach(), ()), float64), "mean", self.group)
            first._write(OPS["where"](at == 1, stack([mean, rate]), first))
            root = OPS["sqrt"](first[1] * mean / (rate * first[0]) * float(self.k_steps))
            chosen = OPS["minimum"](OPS["maximum"](OPS["ceil"](root), 1.0), float(self.most))
            steps._write(OPS["where"](at <= max(self.begin_step, 1), self.k_steps, OPS["cast"](chosen, int64)))
            count._write(OPS["full"]([], 0, int64))

        cond(OPS["logical_or"](at <= max(self.begin_step, 1), now >= steps), then_average, None)
