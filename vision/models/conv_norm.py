"""The unit that most networks for images repeat: convolution, batch norm, activation."""

from __future__ import annotations

from typing import Any

from ...dygraph import nn


class ConvNorm(nn.Sequential):
    """Convolution without a bias, batch norm and an activation.

    padding: None keeps the size of images for stride 1. norm: makes the norm from the number of channels.
    """

    def __init__(
        self, inputs: int, outputs: int, kernel: Any, stride: int = 1, groups: int = 1, *,
        activation: Any = nn.ReLU, padding: Any = None, norm: Any = nn.BatchNorm2D,
    ) -> None:  # fmt: skip
        if padding is None:
            padding = (kernel - 1) // 2 if isinstance(kernel, int) else tuple((size - 1) // 2 for size in kernel)
        parts = [
            nn.Conv2D(inputs, outputs, kernel, stride=stride, padding=padding, groups=groups, bias_attr=False),
            norm(outputs),
        ]
        super().__init__(*parts, *([activation()] if activation is not None else []))


def divisible(width: float, by: int = 8) -> int:
    """The nearest multiple of `by`, but never more than a tenth below."""
    near = max(by, int(width + by / 2) // by * by)
    return near + by if near < 0.9 * width else near
