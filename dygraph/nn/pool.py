"""Pooling layers over sequences [n, c, l] and images [n, c, h, w]."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from . import functional as F
from .layer import Layer

__all__ = [
    "AdaptiveAvgPool1D", "AdaptiveAvgPool2D", "AdaptiveMaxPool1D", "AdaptiveMaxPool2D", "AvgPool1D", "AvgPool2D",
    "MaxPool1D", "MaxPool2D",
]  # fmt: skip


class _Pool(Layer):
    """Keeps the settings by name and shows them; `stride` defaults to the kernel's size."""

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self.__dict__["_shown"] = tuple(settings)
        for name, value in settings.items():
            setattr(self, name, value)

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={getattr(self, name)}" for name in self._shown)


class MaxPool1D(_Pool):
    """The maximum of each window of a sequence; with return_mask also its place."""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
        ceil_mode: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            kernel_size=kernel_size, stride=stride, padding=padding, return_mask=return_mask, ceil_mode=ceil_mode
        )

    def forward(self, x: Any) -> Any:
        return F.max_pool1d(x, self.kernel_size, self.stride, self.padding, self.return_mask, self.ceil_mode)


class MaxPool2D(_Pool):
    """The maximum of each window of an image; with return_mask also its place, row * width + column.

    >>> from ...ops.create import zeros
    >>> MaxPool2D(2)(zeros([1, 3, 8, 8])).shape
    [1, 3, 4, 4]
    """

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
        ceil_mode: bool = False, data_format: str = "NCHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            kernel_size=kernel_size, stride=stride, padding=padding, return_mask=return_mask, ceil_mode=ceil_mode,
            data_format=data_format,
        )  # fmt: skip

    def forward(self, x: Any) -> Any:
        return F.max_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.return_mask, self.ceil_mode, self.data_format
        )


class AvgPool1D(_Pool):
    """The average of each window of a sequence; `exclusive` leaves padding out of the count."""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: bool = True, ceil_mode: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            kernel_size=kernel_size, stride=stride, padding=padding, exclusive=exclusive, ceil_mode=ceil_mode
        )

    def forward(self, x: Any) -> Any:
        return F.avg_pool1d(x, self.kernel_size, self.stride, self.padding, self.exclusive, self.ceil_mode)


class AvgPool2D(_Pool):
    """The average of each window of an image; `exclusive` leaves padding out of the count."""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
        divisor_override: int | None = None, data_format: str = "NCHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            kernel_size=kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode, exclusive=exclusive,
            divisor_override=divisor_override, data_format=data_format,
        )  # fmt: skip

    def forward(self, x: Any) -> Any:
        return F.avg_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.exclusive, self.divisor_override,
            self.data_format,
        )  # fmt: skip


class AdaptiveAvgPool1D(_Pool):
    """Averages over output_size windows that cover the sequence."""

    def __init__(self, output_size: Any, name: str | None = None) -> None:
        super().__init__(output_size=output_size)

    def forward(self, x: Any) -> Any:
        return F.adaptive_avg_pool1d(x, self.output_size)


class AdaptiveAvgPool2D(_Pool):
    """Averages over a grid of output_size windows that cover the image; None keeps an axis.

    >>> from ...ops.create import zeros
    >>> AdaptiveAvgPool2D(1)(zeros([1, 3, 8, 8])).shape
    [1, 3, 1, 1]
    """

    def __init__(self, output_size: Any, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(output_size=output_size, data_format=data_format)

    def forward(self, x: Any) -> Any:
        return F.adaptive_avg_pool2d(x, self.output_size, self.data_format)


class AdaptiveMaxPool1D(_Pool):
    """Maxima over output_size windows that cover the sequence."""

    def __init__(self, output_size: Any, return_mask: bool = False, name: str | None = None) -> None:
        if return_mask:
            raise ArgumentError("AdaptiveMaxPool1D has no return_mask", remedy="use MaxPool1D(return_mask=True)")
        super().__init__(output_size=output_size)

    def forward(self, x: Any) -> Any:
        return F.adaptive_max_pool1d(x, self.output_size)


class AdaptiveMaxPool2D(_Pool):
    """Maxima over a grid of output_size windows that cover the image; None keeps an axis."""

    def __init__(self, output_size: Any, return_mask: bool = False, name: str | None = None) -> None:
        if return_mask:
            raise ArgumentError("AdaptiveMaxPool2D has no return_mask", remedy="use MaxPool2D(return_mask=True)")
        super().__init__(output_size=output_size)

    def forward(self, x: Any) -> Any:
        return F.adaptive_max_pool2d(x, self.output_size)
