"""Normalisation layers: BatchNorm1D/2D, LayerNorm, GroupNorm, InstanceNorm1D/2D, RMSNorm."""

from __future__ import annotations

import math
from typing import Any

from ...base.errors import ArgumentError, ShapeError
from ...ops.dispatch import current
from ...ops.exchange import transport
from ...ops.infer import show_shape
from ...ops.op import OPS
from ..modes import GradMode
from . import functional as F
from .activation_layers import named_activation
from .alias import alias
from .initializer import Constant, Normal
from .layer import Layer
from .layer_settings import with_name
from .layer_state import FormerItem
from .linear_layers import chosen_attr, positive
from .param_attr import ParamAttr
from .parameter_utils import as_matrix, power_iterations
from .stochastic import sync_batch_norm

__all__ = [
    "BatchNorm",
    "BatchNorm1D",
    "BatchNorm2D",
    "BatchNorm3D",
    "GroupNorm",
    "InstanceNorm1D",
    "InstanceNorm2D",
    "InstanceNorm3D",
    "LayerNorm",
    "RMSNorm",
    "SpectralNorm",
    "SyncBatchNorm",
]


class _BatchNorm(Layer):
    """weight and bias [num_features]; parameters `_mean` and `_variance`, the running statistics, aren't trained."""

    ranks: tuple[int, ...] = ()
    moved = ("_mean", "_variance")
    num_features, momentum, epsilon = alias("_num_features"), alias("_momentum"), alias("_epsilon")
    data_format, use_global_stats = alias("_data_format"), alias("_use_global_stats")

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCHW", use_global_stats: bool | None = None,
        name: str | None = None, dtype: Any = None, statistics: tuple[str | None, str | None] = (None, None),
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        positive(num_features=num_features)
        if data_format not in ("NCHW", "NHWC", "NCL", "NLC", "NC", "NCDHW", "NDHWC"):
            raise ArgumentError(f"{type(self).__name__}: data_format must be like NCHW or NHWC, not {data_format!r}")
        if not 0.0 <= momentum <= 1.0:
            raise ArgumentError(f"momentum must be from 0 to 1, not {momentum}")
        self._num_features, self._momentum, self._epsilon = num_features, momentum, epsilon
        self.data_format, self._use_global_stats = data_format, use_global_stats
        self._weight_attr, self._bias_attr, self._name = weight_attr, bias_attr, name
        self.weight = self.create_parameter([num_features], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)
        for part, value, key in zip(("_mean", "_variance"), (0.0, 1.0), statistics, strict=True):
            key = key or (None if name is None else f"{name}{part}")
            attr = ParamAttr(key, Constant(value), trainable=False)
            setattr(self, part, self.create_parameter([num_features], attr))

    def forward(self, x: Any) -> Any:
        self._check_input(x)
        form = "NCHW" if x.ndim == 2 else self.data_format
        return F.batch_norm(
            x, self._mean, self._variance, self.weight, self.bias, self.training, self._momentum, self._epsilon, form,
            self._use_global_stats,
        )  # fmt: skip

    def _check_input(self, x: Any) -> None:
        channels = self._mean.shape[0]
        axis = x.ndim - 1 if self.data_format.endswith("C") and x.ndim > 2 else 1
        if x.ndim not in self.ranks or (isinstance(x.shape[axis], int) and x.shape[axis] != channels):
            ranks = " or ".join(map(str, self.ranks))
            raise ShapeError(
                f"{type(self).__name__}({channels}) needs rank {ranks} with {channels} channels"
                f" ({self.data_format}), got {show_shape(x.shape)}"
            )

    def extra_repr(self) -> str:
        text = f"num_features={self._num_features}, momentum={self._momentum}, epsilon={self._epsilon}"
        text += "" if self.data_format == "NCHW" else f", data_format={self.data_format}"
        return with_name(text, self._name)


class BatchNorm1D(_BatchNorm):
    """Batch normalisation of [n, c] or sequences [n, c, l]; see functional.batch_norm.

    Source: Ioffe, Szegedy, Batch Normalization, 2015.
    """

    ranks = (2, 3)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCL", use_global_stats: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)


class BatchNorm2D(_BatchNorm):
    """Batch normalisation of images [n, c, h, w]; see functional.batch_norm.

    Errors: ShapeError for another rank or number of channels. Source: Ioffe, Szegedy, Batch Normalization, 2015.

    >>> from ...ops.create import zeros
    >>> BatchNorm2D(3)(zeros([2, 3, 4, 4])).shape
    [2, 3, 4, 4]
    """

    ranks = (4,)


class BatchNorm3D(_BatchNorm):
    """Batch normalisation of volumes [n, c, d, h, w]; see functional.batch_norm."""

    ranks = (5,)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCDHW", use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)


def _processes() -> int:
    return transport().size


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation of tensors with 2 to 5 axes. On several ranks it trains with the statistics of all their
    batches together, which may differ in size, and gradients go through these; on one rank it is BatchNorm.

    All ranks have to run it. Gradients are those of the sum of all ranks' losses, as of any exchange.
    """

    ranks = (2, 3, 4, 5)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, None, name)

    def forward(self, x: Any) -> Any:
        ranks = current().ask(_processes)
        if not self.training or ranks == 1:
            return super().forward(x)
        self._check_input(x)
        return sync_batch_norm(
            x, (self._mean, self._variance), self.weight, self.bias, self._momentum, self._epsilon,
            "NCHW" if x.ndim == 2 else self.data_format, ranks,
        )  # fmt: skip

    @classmethod
    def convert_sync_batchnorm(cls, layer: Layer) -> Layer:
        """The layer with every batch normalisation in it made a SyncBatchNorm that has its parameters."""
        if isinstance(layer, _BatchNorm) and not isinstance(layer, SyncBatchNorm):
            made = cls(
                layer._num_features, layer._momentum, layer._epsilon, layer.weight is not None, layer.bias is not None,
                layer.data_format,
            )  # fmt: skip
            made.weight, made.bias = layer.weight, layer.bias
            made._mean, made._variance, made.training = layer._mean, layer._variance, layer.training
            return made
        for name, sublayer in layer.named_children():
            setattr(layer, name, cls.convert_sync_batchnorm(sublayer))
        return layer


class BatchNorm(_BatchNorm):
    """Batch normalisation of any of the ranks 2 to 5, channels on axis 1 (or the last, for NHWC), then `act`.

    is_test: it starts in evaluation mode. use_global_stats: the running statistics are used in training too;
    trainable_statistics: the batch's are used in evaluation too.
    """

    stays_wide = True
    ranks = (2, 3, 4, 5)
    data_format = alias("_data_layout")

    def __init__(
        self, num_channels: int, act: str | None = None, is_test: bool = False, momentum: float = 0.9,
        epsilon: float = 1e-5, param_attr: Any = None, bias_attr: Any = None, dtype: Any = "float32",
        data_layout: str = "NCHW", in_place: bool = False, moving_mean_name: str | None = None,
        moving_variance_name: str | None = None, do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False, trainable_statistics: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(
            num_channels, momentum, epsilon, param_attr, bias_attr, data_layout, use_global_stats, dtype=dtype,
            statistics=(moving_mean_name, moving_variance_name),
        )  # fmt: skip
        self._is_test, self._trainable_statistics, self.training = is_test, trainable_statistics, not is_test
        if act is not None:
            named_activation("BatchNorm", act)
        self._act, self._param_attr = act, param_attr

    def forward(self, x: Any) -> Any:
        self._check_input(x)
        trains = self.training or self._trainable_statistics
        y = F.batch_norm(
            x, self._mean, self._variance, self.weight, self.bias, trains, self._momentum, self._epsilon,
            "NCHW" if x.ndim == 2 else self._data_layout, self._use_global_stats or not trains,
        )  # fmt: skip
        return y if self._act is None else named_activation("BatchNorm", self._act)(y)


class LayerNorm(Layer):
    """The last axes, of sizes normalized_shape, with mean 0 and variance 1; times weight, plus bias.

    weight and bias have one axis, of as many elements as normalized_shape has.
    Source: Ba, Kiros, Hinton, Layer Normalization, 2016.

    >>> from ...ops.create import ones
    >>> LayerNorm(3)(ones([2, 3])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """

    normalized_shape, epsilon = alias("_normalized_shape"), alias("_epsilon")

    def __init__(
        self, normalized_shape: Any, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        name: str | None = None, *, elementwise_affine: bool = True, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        weight_attr = chosen_attr(elementwise_affine, weight_attr)
        bias_attr = chosen_attr(elementwise_affine and bias, bias_attr)
        self._normalized_shape = _sizes(normalized_shape)
        self._epsilon = epsilon
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        count = [math.prod(self._normalized_shape)]
        self.weight = self.create_parameter(count, weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter(count, bias_attr, is_bias=True)

    def former_state(self) -> tuple[FormerItem, ...]:
        return tuple(FormerItem(name, name, tuple(self._normalized_shape)) for name in ("weight", "bias"))

    def forward(self, x: Any) -> Any:
        return F.layer_norm(x, self._normalized_shape, self.weight, self.bias, self._epsilon)

    def extra_repr(self) -> str:
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


class RMSNorm(Layer):
    """The last axes over the root of their mean square, times weight.

    Source: Zhang, Sennrich, Root Mean Square Layer Normalization, 2019.
    """

    def __init__(
        self, normalized_shape: Any, epsilon: float = 1e-6, weight_attr: Any = None, name: str | None = None
    ) -> None:
        super().__init__(name)
        self.normalized_shape = _sizes(normalized_shape)
        self.epsilon = epsilon
        self.weight = self.create_parameter(self.normalized_shape, weight_attr, default_initializer=Constant(1.0))

    def forward(self, x: Any) -> Any:
        return F.rms_norm(x, self.normalized_shape, self.weight, None, self.epsilon)

    def extra_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}, epsilon={self.epsilon}"


class GroupNorm(Layer):
    """Each image's groups of channels with mean 0 and variance 1; weight and bias [num_channels].

    Source: Wu, He, Group Normalization, 2018.
    """

    num_groups, num_channels = alias("_num_groups"), alias("_num_channels")
    epsilon, data_format = alias("_epsilon"), alias("_data_format")

    def __init__(
        self, num_groups: int, num_channels: int, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW", name: str | None = None, *, affine: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        weight_attr, bias_attr = chosen_attr(affine, weight_attr), chosen_attr(affine, bias_attr)
        positive(num_groups=num_groups, num_channels=num_channels)
        if num_channels % num_groups:
            raise ArgumentError(f"num_channels ({num_channels}) must be a multiple of num_groups ({num_groups})")
        self._num_groups, self._num_channels, self._epsilon = num_groups, num_channels, epsilon
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self._data_format = data_format
        self.weight = self.create_parameter([num_channels], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_channels], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        return F.group_norm(x, self._num_groups, self._epsilon, self.weight, self.bias, self._data_format)

    def extra_repr(self) -> str:
        return f"num_groups={self._num_groups}, num_channels={self._num_channels}, epsilon={self._epsilon}"


class _InstanceNorm(Layer):
    rank = 0
    num_features, momentum = alias("_num_features"), alias("_momentum")
    epsilon, data_format = alias("_epsilon"), alias("_data_format")

    def __init__(
        self, num_features: int, epsilon: float = 1e-5, momentum: float = 0.9, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        positive(num_features=num_features)
        self._num_features, self._epsilon, self._momentum = num_features, epsilon, momentum
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self._data_format = data_format
        if (weight_attr is False) != (bias_attr is False):
            raise ArgumentError(f"{type(self).__name__}: weight_attr and bias_attr must be False together")
        self.scale = self.create_parameter([num_features], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        if x.ndim != self.rank:
            raise ShapeError(f"{type(self).__name__} needs rank {self.rank}, got {show_shape(x.shape)}")
        return F.instance_norm(x, weight=self.scale, bias=self.bias, eps=self._epsilon, data_format=self._data_format)

    def extra_repr(self) -> str:
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


class InstanceNorm1D(_InstanceNorm):
    """Each sequence's channel with mean 0 and variance 1; parameters `scale` and `bias` [num_features]."""

    rank = 3

    def __init__(
        self, num_features: int, epsilon: float = 1e-5, momentum: float = 0.9, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCL", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, epsilon, momentum, weight_attr, bias_attr, data_format, name)


class InstanceNorm2D(_InstanceNorm):
    """Each image's channel with mean 0 and variance 1; parameters `scale` and `bias` [num_features]."""

    rank = 4


class InstanceNorm3D(_InstanceNorm):
    """Each volume's channel with mean 0 and variance 1; parameters `scale` and `bias` [num_features]."""

    rank = 5

    def __init__(
        self, num_features: int, epsilon: float = 1e-5, momentum: float = 0.9, weight_attr: Any = None,
        bias_attr: Any = None, data_format: str = "NCDHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, epsilon, momentum, weight_attr, bias_attr, data_format, name)


class SpectralNorm(Layer):
    """A weight over its largest singular value, estimated by power iterations: forward(weight).

    Parameters weight_u and weight_v, not trained: where the iterations begin. dim: the axis of the weight that
    is the matrix's rows. epsilon: another name of `eps`.
    Source: Miyato et al., Spectral Normalization for Generative Adversarial Networks, 2018.
    """

    def __init__(
        self, weight_shape: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, dtype: Any = "float32",
        name: str | None = None, *, epsilon: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        self._weight_shape = _sizes(weight_shape)
        if not 0 <= dim < len(self._weight_shape) or power_iters < 0:
            raise ArgumentError(f"SpectralNorm: dim {dim} or power_iters {power_iters} is out of range")
        self._dim, self._power_iters, self._eps = dim, power_iters, eps if epsilon is None else epsilon
        rows = self._weight_shape[dim]
        for part, size in (("weight_u", rows), ("weight_v", math.prod(self._weight_shape) // rows)):
            setattr(self, part, self.create_parameter([size], ParamAttr(initializer=Normal(), trainable=False)))

    def forward(self, x: Any) -> Any:
        matrix = as_matrix(x, self._dim)
        with GradMode(False):
            u, v = power_iterations(matrix, self.weight_u, self.weight_v, self._power_iters, self._eps)
        return x / OPS["sum"](u * OPS["matmul"](matrix, OPS["reshape"](v, (-1, 1)))[:, 0])

    def extra_repr(self) -> str:
        return f"weight_shape={self._weight_shape}, dim={self._dim}, power_iters={self._power_iters}"


def _sizes(shape: Any) -> list[int]:
    sizes = list(shape) if isinstance(shape, (list, tuple)) else [shape]
    positive(**{f"normalized_shape[{k}]": size for k, size in enumerate(sizes)})
    if not sizes:
        raise ArgumentError("normalized_shape must not be empty")
    return [int(size) for size in sizes]
