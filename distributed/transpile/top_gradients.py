"""TopGradients: of each gradient only the largest elements travel; the others wait (deep gradient compression)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError
from ...ops.composite import topk
from ...ops.op import OPS
from ...static.cond_while import cond
from ..exchanges import all_gather_of, all_reduce_of
from .stages import Pairs, Stage, Then, TranspiledOptimizer


class TopGradients(Stage):
    """Exchange the largest elements of what each rank has gathered of a gradient, and keep the rest for later steps.

    sparsity: the share that stays; at least one element travels. Of several, each holds for an equal share of
    `rampup_step` steps behind step `rampup_begin_step`, and the last one from there on. Until that step whole
    gradients travel. momentum: each rank's own, applied before the choice and stopped where an element travels; train
    with SGD then. Ranks add in their order, so all have the same bits. What stays is in the optimizer's
    `state_dict`; it is this rank's own.
    Errors: ArgumentError for a sparsity that isn't from 0 to below 1, or none.
    Source: Lin et al., Deep Gradient Compression, 2018.

    >>> TopGradients(sparsity=0.9).chosen(100)
    10
    """

    name = "dgc"

    def __init__(
        self, sparsity: float | Sequence[float] = 0.999, momentum: float = 0.0, rampup_begin_step: int = 0,
        group: object = None, rampup_step: int = 1,
    ) -> None:  # fmt: skip
        super().__init__(group)  # type: ignore[arg-type]
        self.sparsities = tuple(map(float, sparsity if isinstance(sparsity, Sequence) else (sparsity,)))
        if not self.sparsities or not all(0.0 <= share < 1.0 for share in self.sparsities):
            raise ArgumentError(f"dgc needs a sparsity from 0 to below 1, not {sparsity}")
        self.momentum, self.begin, self.rampup_step = float(momentum), int(rampup_begin_step), int(rampup_step)

    def chosen(self, size: int, place: int = -1) -> int:
        """How many elements of a gradient of this size travel; place: at which of the sparsities (the last)."""
        return max(1, math.ceil(size * (1.0 - self.sparsities[place]) - 1e-9))

    def last_step(self, place: int) -> int:
        """The last step in which a sparsity holds, of all but the last one."""
        return self.begin + self.rampup_step * (place + 1) // len(self.sparsities)

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Exchange parts of the gradients, or whole ones as long as training warms up."""
        if self.begin <= 0 and len(self.sparsities) == 1:
            then([(p, self._exchanged(p, g, optimizer, 0)) for p, g in pairs])
            return
        steps = optimizer.counter("dgc_steps")
        now = steps + 1
        steps._write(now)
        for p, _ in pairs:
            self._kept(p, optimizer)

        def whole() -> list[Any]:
            return [all_reduce_of(g, "mean", self.group) for _, g in pairs]

        def top(place: int) -> Any:
            def exchanged() -> list[Any]:
                return [self._exchanged(p, g, optimizer, place) for p, g in pairs]

            if place == len(self.sparsities) - 1:
                return exchanged()
            return cond(now <= self.last_step(place), exchanged, lambda: top(place + 1))

        made = cond(now <= self.begin, whole, lambda: top(0)) if self.begin > 0 else top(0)
        then([(p, g) for (p, _), g in zip(pairs, made, strict=True)])

    def _kept(self, p: Any, optimizer: TranspiledOptimizer) -> tuple[Any, Any]:
        velocity = optimizer.kept("dgc_velocity", p) if self.momentum else None
        return optimizer.kept("dgc_waiting", p), velocity

    def _exchanged(self, p: Any, g: Any, optimizer: TranspiledOptimizer, place: int) -> Any:
        waiting, velocity = self._kept(p, optimizer)
        moved = g
        if velocity is not None:
            moved = velocity * self.momentum + g
        size = math.prod(p.shape)
        gathered = OPS["reshape"](waiting + moved, (size,))
        _, places = topk(OPS["abs"](gathered), self.chosen(size, place))
        values = OPS["gather"](gathered, places)
        left = OPS["put_along_axis"](gathered, places, OPS["full"](values.shape, 0, g.dtype), axis=0)
        waiting._write(OPS["reshape"](left, tuple(p.shape)))
        if velocity is not None:
            flat = OPS["reshape"](moved, (size,))
            stopped = OPS["put_along_axis"](flat, places, OPS["full"](values.shape, 0, g.dtype), axis=0)
            velocity._write(OPS["reshape"](stopped, tuple(p.shape)))
        everywhere, all_values = all_gather_of(places, self.group), all_gather_of(values, self.group)
        total = OPS["full"]((size,), 0, g.dtype)
        for k in range(self.group.nranks):
            total = OPS["scatter_add"](total, everywhere[k], all_values[k])
        return OPS["reshape"](total / self.group.nranks, tuple(p.shape))
