"""`incubate.optimizer.RecomputeOptimizer` of static programs: an optimizer whose program may compute values again."""

from __future__ import annotations

from typing import Any

from ..base.errors import KindError


class RecomputeOptimizer:
    """The optimizer itself: which values between the checkpoints are kept changes memory, no result.

    >>> from ..dygraph.nn import Linear
    >>> from ..dygraph.optimizer import SGD
    >>> RecomputeOptimizer(SGD(0.5, parameters=Linear(2, 1).parameters())).get_lr()
    0.5
    """

    def __init__(self, optimizer: Any) -> None:
        self._optimizer = optimizer
        self._checkpoints: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_optimizer"], name)

    def _set_checkpoints(self, checkpoints: list[Any]) -> None:
        """Variables, or their names. Errors: KindError for anything but a list."""
        if not isinstance(checkpoints, list):
            raise KindError(f"checkpoints must be a list of variables or names, not a {type(checkpoints).__name__}")
        self._checkpoints = checkpoints

    def load(self, state_dict: Any) -> None:
        """Errors: NotImplementedError, as in PaddlePaddle."""
        raise NotImplementedError("RecomputeOptimizer.load() is not supported: load the optimizer that it wraps")
