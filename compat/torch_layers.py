"""`paddle.compat.nn`: layers with the arguments of PyTorch's of the same name."""

from __future__ import annotations

import math
from typing import Any

from ..dygraph.nn import pool_layers
from ..dygraph.nn.layer import Layer
from ..ops.argument_names import require_cpu
from . import init
from . import torch_nn_functions as functions


class _AvgPool(Layer):
    """Averages of windows. count_include_pad: the margin counts."""

    _of: Any

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, **divisor: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad
        settings = {"ceil_mode": ceil_mode, "exclusive": not count_include_pad} | divisor
        self._pool = self._of(kernel_size, stride, padding, **settings)

    def forward(self, input: Any) -> Any:
        """The averages."""
        return self._pool(input)


class AvgPool1D(_AvgPool):
    """Averages of windows of sequences [n, c, l].

    >>> import vitrify as vt
    >>> AvgPool1D(2)(vt.ones([1, 1, 4])).tolist()
    [[[1.0, 1.0]]]
    """

    _of = pool_layers.AvgPool1D


class AvgPool2D(_AvgPool):
    """Averages of windows of images [n, c, h, w]; divisor_override takes the place of their size."""

    _of = pool_layers.AvgPool2D


class AvgPool3D(_AvgPool):
    """Averages of windows of volumes [n, c, d, h, w]; divisor_override takes the place of their size."""

    _of = pool_layers.AvgPool3D


class Unfold(Layer):
    """The windows of images as columns."""

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input: Any) -> Any:
        """The columns."""
        return functions.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Linear(Layer):
    """input @ weightᵀ + bias; weight [out, in]. Both begin evenly from ±1 / sqrt(in), as in PyTorch.

    >>> Linear(3, 2).weight.shape
    [2, 3]
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        require_cpu(device)
        self.in_features, self.out_features = in_features, out_features
        self.weight = self.create_parameter([out_features, in_features], dtype=dtype)
        self.bias = self.create_parameter([out_features], dtype=dtype, is_bias=True) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew."""
        bound = 1 / math.sqrt(self.in_features) if self.in_features else 0.0
        for parameter in (self.weight, self.bias):
            if parameter is not None:
                init.uniform_(parameter, -bound, bound)

    def forward(self, input: Any) -> Any:
        """The products."""
        return functions.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Its sizes."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Softmax(Layer):
    """`softmax` of `paddle.compat.nn.functional` along `dim`."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self._dim = dim

    def forward(self, input: Any) -> Any:
        """The shares."""
        return functions.softmax(input, self._dim)

    def extra_repr(self) -> str:
        """Its axis."""
        return f"dim={self._dim}"
