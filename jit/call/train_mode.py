"""Training and inference mode of compiled functions that belong to no layer; a layer's method has the layer's mode."""

from __future__ import annotations

from typing import Any, Self

from ...base.errors import ModeError
from ...dygraph.nn.layer import Layer
from .call_stubs import missed
from .signature import Signature


class TrainingMode:
    """`train()` and `eval()`: programs of one mode are not used in the other."""

    _instance: Any
    _signature: Signature
    _recent: tuple[Any, ...]
    _first: Any
    _mode: bool | None = None  # what train() or eval() said last

    @property
    def training(self) -> bool:
        """Whether the function, or the layer that it belongs to, is in training mode."""
        if isinstance(self._instance, Layer):
            return self._instance.training
        return self._mode is not False

    def train(self) -> Self:
        """Switch a function that belongs to no layer to training mode. Errors: RuntimeError for a layer's method."""
        return self._switch(True)

    def eval(self) -> Self:
        """Switch a function that belongs to no layer to inference mode. Errors: RuntimeError for a layer's method."""
        return self._switch(False)

    def _switch(self, mode: bool) -> Self:
        if isinstance(self._instance, Layer) and self._instance.training is not mode:
            raise ModeError(
                f"{self._signature.name} is a method of a layer, which has a mode of its own",
                remedy=f"call {'train' if mode else 'eval'}() of the layer",
            )
        self._mode = mode
        self._recent, self._first = (), missed
        return self
