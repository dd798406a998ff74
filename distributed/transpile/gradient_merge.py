"""GradientMerge: gradients of several steps are added up before one exchange and one update."""

from __future__ import annotations

from ...base.errors import ArgumentError
from ...dygraph.optimizer.for_stages import kept_of
from ...ops.op import OPS
from .stages import Pairs, Stage, Then, TranspiledOptimizer


class GradientMerge(Stage):
    """Add the gradients of `k_steps` steps up; then update once, with their mean (avg) or their sum.

    The learning rate, clipping and weight decay are those of the update. A parameter without a gradient in some of
    the steps counts with zeros there. The sums are in the optimizer's `state_dict`.
    Errors: ArgumentError for k_steps below 1.

    >>> from vitrify.nn import Linear
    >>> from vitrify.optimizer import SGD
    >>> net = Linear(2, 1)
    >>> GradientMerge(4).optimizer(SGD(0.1, parameters=net.parameters()))
    SGD(learning_rate=0.1, parameters=2) with gradient_merge
    """

    name = "gradient_merge"
    exchanges = False

    def __init__(self, k_steps: int = 1, avg: bool = True) -> None:
        super().__init__()
        if k_steps < 1:
            raise ArgumentError(f"gradient_merge needs k_steps of at least 1, not {k_steps}")
        self.k_steps, self.avg = int(k_steps), bool(avg)

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Add; in every k-th step hand the sums on."""
        if not pairs:
            return
        for p, g in pairs:
            sums = optimizer.kept("merged_gradient", p)
            sums._write(sums + g)
        chosen = kept_of(optimizer.inner, "merged_gradient")

        def update() -> None:
            then([(p, sums / self.k_steps if self.avg else sums * 1) for p, sums in chosen])
            for _, sums in chosen:
                sums._write(OPS["full"](sums.shape, 0, sums.dtype))

        optimizer.every(self.k_steps, "merged_steps", update)
