"""ShortGradients: gradients travel as 16-bit floats."""

from __future__ import annotations

from ...base.dtype import as_dtype
from ...base.errors import ArgumentError
from ...ops.op import OPS
from ..exchanges import all_reduce_of
from .stages import Pairs, Stage, Then, TranspiledOptimizer


class ShortGradients(Stage):
    """Average gradients that travel as float16 or bfloat16: half the bytes, and one rounding more on each side.

    The sum is taken in float32 and rounded once. A float16 gradient above 65504 becomes infinite: use bfloat16, or a
    GradScaler, which skips such a step.
    Errors: ArgumentError for another dtype.

    >>> ShortGradients("bfloat16").dtype.name
    'bfloat16'
    """

    name = "fp16_allreduce"

    def __init__(self, dtype: object = "float16", group: object = None) -> None:
        super().__init__(group)  # type: ignore[arg-type]
        self.dtype = as_dtype(dtype)
        if self.dtype.name not in ("float16", "bfloat16"):
            raise ArgumentError(f"gradients can travel as float16 or bfloat16, not as {self.dtype.name}")

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Round each gradient, exchange it, and widen it."""
        then([(p, OPS["cast"](all_reduce_of(OPS["cast"](g, self.dtype), "mean", self.group), g.dtype))
              for p, g in pairs])  # fmt: skip
