"""Layers of sparse tensors. Convolutions of sparse voxels aren't here: use dense ones."""

from __future__ import annotations

from typing import Any

from ...base.suggest import tell_unknown_names as _tell_unknown_names
from ..nn.layer import Layer
from ..nn.norm import BatchNorm1D
from . import sparse_functional as functional

__all__ = ["BatchNorm", "LeakyReLU", "ReLU", "ReLU6", "Softmax", "functional"]


class ReLU(Layer):
    """The positive part of the values."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor."""
        return functional.relu(x)


class ReLU6(Layer):
    """The part of the values between 0 and 6."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__()

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor."""
        return functional.relu6(x)


class LeakyReLU(Layer):
    """The values, negative ones times `negative_slope`."""

    def __init__(self, negative_slope: float = 0.01, name: str | None = None) -> None:
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor."""
        return functional.leaky_relu(x, self.negative_slope)


class Softmax(Layer):
    """The softmax of each row's values."""

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor."""
        return functional.softmax(x, self.axis)


class BatchNorm(Layer):
    """Normalises the values [n, channels] of a sparse tensor whose last axis is dense, channel by channel."""

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NDHWC", use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.norm = BatchNorm1D(
            num_features, momentum, epsilon, weight_attr, bias_attr, use_global_stats=use_global_stats
        )

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor [..., channels]."""
        return x.with_values(self.norm(x.values()))


_tell_unknown_names(__name__)
