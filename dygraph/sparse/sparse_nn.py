"""Layers of sparse tensors."""

from __future__ import annotations

import math
from typing import Any

from ...base.errors import ArgumentError
from ...base.suggest import tell_unknown_names as _tell_unknown_names
from ...ops.conv import ints
from ..nn.alias import as_list
from ..nn.initializer import Normal
from ..nn.layer import Layer
from ..nn.layer_state import FormerItem
from ..nn.linear_layers import positive
from ..nn.norm import BatchNorm1D, BatchNorm2D, BatchNorm3D
from ..nn.norm import SyncBatchNorm as DenseSyncBatchNorm
from . import sparse_functional as functional

__all__ = [
    "BatchNorm", "Conv2D", "Conv3D", "LeakyReLU", "MaxPool3D", "ReLU", "ReLU6", "Softmax", "SubmConv2D", "SubmConv3D",
    "SyncBatchNorm", "functional",
]  # fmt: skip


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


class BatchNorm(BatchNorm1D):
    """Normalises the values [n, channels] of a sparse tensor whose last axis is dense, channel by channel."""

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NDHWC", use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        if data_format not in ("NDHWC", "NHWC"):
            raise ArgumentError(f"sparse BatchNorm: data_format must be NDHWC or NHWC, not {data_format!r}")
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, use_global_stats=use_global_stats)

    def former_state(self) -> tuple[FormerItem, ...]:
        return tuple(FormerItem(f"norm.{name}", name) for name in ("weight", "bias", "_mean", "_variance"))

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor [..., channels]."""
        return x.with_values(super().forward(x.values()))


class SyncBatchNorm(DenseSyncBatchNorm):
    """`BatchNorm` that trains with the statistics of all ranks' values together; see `nn.SyncBatchNorm`."""

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor [..., channels]."""
        return x.with_values(super().forward(x.values()))

    @classmethod
    def convert_sync_batchnorm(cls, layer: Any) -> Any:
        """The layer with every batch normalisation in it, dense or sparse, made one of all ranks."""
        if isinstance(layer, BatchNorm):
            made = cls(layer._num_features, layer._momentum, layer._epsilon, layer._weight_attr, layer._bias_attr)
            made.weight, made.bias = layer.weight, layer.bias
            made._mean, made._variance, made.training = layer._mean, layer._variance, layer.training
            return made
        if isinstance(layer, (BatchNorm1D, BatchNorm2D, BatchNorm3D)):
            return DenseSyncBatchNorm.convert_sync_batchnorm(layer)
        for name, sublayer in layer.named_children():
            setattr(layer, name, cls.convert_sync_batchnorm(sublayer))
        return layer


class _Conv(Layer):
    rank = 0
    function: Any = None

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None,
        data_format: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        rank, kind = self.rank, type(self).__name__
        if data_format not in (None, "NHWC" if rank == 2 else "NDHWC"):
            raise ArgumentError(f"sparse {kind}: the channels come last, data_format can't be {data_format!r}")
        positive(in_channels=in_channels, out_channels=out_channels)
        if groups != 1 or padding_mode != "zeros":
            raise ArgumentError(f"sparse {kind} takes groups=1 and padding_mode='zeros' only")
        self._in_channels, self._out_channels, self._groups = in_channels, out_channels, groups
        self._kernel_size = list(ints("kernel_size", kernel_size, rank))
        self._stride, self._dilation = as_list(stride, rank), as_list(dilation, rank)
        self._padding, self._padding_mode = padding, padding_mode
        self._data_format = data_format or ("NHWC" if rank == 2 else "NDHWC")
        self._param_attr, self._bias_attr = weight_attr, bias_attr
        start = Normal(0.0, math.sqrt(2.0 / (math.prod(self._kernel_size) * in_channels)))
        shape = [*self._kernel_size, in_channels, out_channels]
        self.weight = self.create_parameter(shape, weight_attr, default_initializer=start)
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor [n, ..., in_channels]."""
        return type(self).function(
            x, self.weight, self.bias, self._stride, self._padding, self._dilation, self._groups, self._data_format
        )

    def extra_repr(self) -> str:
        text = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        ones = [1] * self.rank
        for name, usual in (("stride", ones), ("padding", 0), ("dilation", ones)):
            if getattr(self, f"_{name}") != usual:
                text += f", {name}={getattr(self, f'_{name}')}"
        return f"{text}, data_format={self._data_format}"


class Conv2D(_Conv):
    """Correlation of sparse images [n, h, w, in] with filters [kh, kw, in, out]; see `functional.conv2d`."""

    rank = 2
    function = staticmethod(functional.conv2d)


class Conv3D(_Conv):
    """Correlation of sparse volumes [n, d, h, w, in] with filters [kd, kh, kw, in, out]; see `functional.conv3d`.

    >>> from vitrify import sparse
    >>> x = sparse.sparse_coo_tensor([[0, 0], [0, 0], [0, 0], [1, 3]], [[1.0], [2.0]], [1, 1, 1, 4, 1])
    >>> Conv3D(1, 5, (1, 1, 2))(x).shape
    [1, 1, 1, 3, 5]
    """

    rank = 3
    function = staticmethod(functional.conv3d)


class _SubmConv(_Conv):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, padding_mode: str = "zeros", key: str | None = None,
        weight_attr: Any = None, bias_attr: Any = None, data_format: str | None = None, backend: str | None = None,
    ) -> None:  # fmt: skip
        if backend not in (None, "igemm"):
            raise ArgumentError(f"sparse {type(self).__name__}: backend must be None or 'igemm', not {backend!r}")
        steps = (stride, padding, dilation, groups, padding_mode)
        super().__init__(in_channels, out_channels, kernel_size, *steps, weight_attr, bias_attr, data_format)
        self._key, self._backend = key, backend


class SubmConv2D(_SubmConv):
    """As `Conv2D`, with results at the sites of the input only; see `functional.subm_conv2d`."""

    rank = 2
    function = staticmethod(functional.subm_conv2d)


class SubmConv3D(_SubmConv):
    """As `Conv3D`, with results at the sites of the input only; see `functional.subm_conv3d`."""

    rank = 3
    function = staticmethod(functional.subm_conv3d)


class MaxPool3D(Layer):
    """The largest value of the sites under each window; see `functional.max_pool3d`. It gives no mask."""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
        ceil_mode: bool = False, data_format: str = "NDHWC", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if return_mask:
            raise ArgumentError("sparse MaxPool3D has no return_mask")
        self.ksize, self.stride, self.padding = kernel_size, stride, padding
        self.ceil_mode, self.data_format = ceil_mode, data_format

    def forward(self, x: Any) -> Any:
        """Of a sparse tensor [n, d, h, w, channels]."""
        return functional.max_pool3d(x, self.ksize, self.stride, self.padding, self.ceil_mode, self.data_format)

    def extra_repr(self) -> str:
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"


_tell_unknown_names(__name__)
