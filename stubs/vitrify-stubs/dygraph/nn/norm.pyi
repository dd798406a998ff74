# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.layer_state import FormerItem as _FormerItem
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as _Tensor

class BatchNorm(_BatchNorm):
    """Batch normalisation of any of the ranks 2 to 5, channels on axis 1 (or the last, for NHWC), then `act`.

    is_test: it starts in evaluation mode. use_global_stats: the running statistics are used in training too;
    trainable_statistics: the batch's are used in evaluation too."""
    training: _Any
    stays_wide: _bool
    ranks: _tuple
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...
    def __init__(self, num_channels: _int, act: _str | None = None, is_test: _bool = False, momentum: _float = 0.9, epsilon: _float = 1e-05, param_attr: _Any = None, bias_attr: _Any = None, dtype: _Any = 'float32', data_layout: _str = 'NCHW', in_place: _bool = False, moving_mean_name: _str | None = None, moving_variance_name: _str | None = None, do_model_average_for_mean_and_var: _bool = True, use_global_stats: _bool = False, trainable_statistics: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class _BatchNorm(_Layer):
    """weight and bias [num_features]; parameters `_mean` and `_variance`, the running statistics, aren't trained."""
    ranks: _tuple[_int, ...]
    weight: _Parameter
    bias: _Parameter
    moved: _tuple
    @property
    def num_features(self: _Any) -> _Any: ...
    @num_features.setter
    def num_features(self, value: _Any) -> None: ...
    @property
    def momentum(self: _Any) -> _Any: ...
    @momentum.setter
    def momentum(self, value: _Any) -> None: ...
    @property
    def epsilon(self: _Any) -> _Any: ...
    @epsilon.setter
    def epsilon(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...
    @property
    def use_global_stats(self: _Any) -> _Any: ...
    @use_global_stats.setter
    def use_global_stats(self, value: _Any) -> None: ...
    def __init__(self, num_features: _int, momentum: _float = 0.9, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCHW', use_global_stats: _bool | None = None, name: _str | None = None, dtype: _Any = None, statistics: _tuple[_str | None, _str | None] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class BatchNorm1D(_BatchNorm):
    """Batch normalisation of [n, c] or sequences [n, c, l]; see functional.batch_norm.

    Source: Ioffe, Szegedy, Batch Normalization, 2015."""
    ranks: _tuple
    def __init__(self, num_features: _int, momentum: _float = 0.9, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCL', use_global_stats: _bool | None = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class BatchNorm2D(_BatchNorm):
    """Batch normalisation of images [n, c, h, w]; see functional.batch_norm.

    Errors: ShapeError for another rank or number of channels. Source: Ioffe, Szegedy, Batch Normalization, 2015.

    >>> from ...ops.create import zeros
    >>> BatchNorm2D(3)(zeros([2, 3, 4, 4])).shape
    [2, 3, 4, 4]"""
    ranks: _tuple

class BatchNorm3D(_BatchNorm):
    """Batch normalisation of volumes [n, c, d, h, w]; see functional.batch_norm."""
    ranks: _tuple
    def __init__(self, num_features: _int, momentum: _float = 0.9, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCDHW', use_global_stats: _bool | None = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class GroupNorm(_Layer):
    """Each image's groups of channels with mean 0 and variance 1; weight and bias [num_channels].

    Source: Wu, He, Group Normalization, 2018."""
    weight: _Parameter
    bias: _Parameter
    @property
    def num_groups(self: _Any) -> _Any: ...
    @num_groups.setter
    def num_groups(self, value: _Any) -> None: ...
    @property
    def num_channels(self: _Any) -> _Any: ...
    @num_channels.setter
    def num_channels(self, value: _Any) -> None: ...
    @property
    def epsilon(self: _Any) -> _Any: ...
    @epsilon.setter
    def epsilon(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...
    def __init__(self, num_groups: _int, num_channels: _int, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCHW', name: _str | None = None, *, affine: _bool = True, device: _Any = None, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class InstanceNorm1D(_InstanceNorm):
    """Each sequence's channel with mean 0 and variance 1; parameters `scale` and `bias` [num_features]."""
    rank: _int
    def __init__(self, num_features: _int, epsilon: _float = 1e-05, momentum: _float = 0.9, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCL', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class _InstanceNorm(_Layer):
    scale: _Parameter
    bias: _Parameter
    rank: _int
    @property
    def num_features(self: _Any) -> _Any: ...
    @num_features.setter
    def num_features(self, value: _Any) -> None: ...
    @property
    def momentum(self: _Any) -> _Any: ...
    @momentum.setter
    def momentum(self, value: _Any) -> None: ...
    @property
    def epsilon(self: _Any) -> _Any: ...
    @epsilon.setter
    def epsilon(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...
    def __init__(self, num_features: _int, epsilon: _float = 1e-05, momentum: _float = 0.9, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class InstanceNorm2D(_InstanceNorm):
    """Each image's channel with mean 0 and variance 1; parameters `scale` and `bias` [num_features]."""
    rank: _int

class InstanceNorm3D(_InstanceNorm):
    """Each volume's channel with mean 0 and variance 1; parameters `scale` and `bias` [num_features]."""
    rank: _int
    def __init__(self, num_features: _int, epsilon: _float = 1e-05, momentum: _float = 0.9, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCDHW', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class LayerNorm(_Layer):
    """The last axes, of sizes normalized_shape, with mean 0 and variance 1; times weight, plus bias.

    weight and bias have one axis, of as many elements as normalized_shape has.
    Source: Ba, Kiros, Hinton, Layer Normalization, 2016.

    >>> from ...ops.create import ones
    >>> LayerNorm(3)(ones([2, 3])).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]"""
    weight: _Parameter
    bias: _Parameter
    @property
    def normalized_shape(self: _Any) -> _Any: ...
    @normalized_shape.setter
    def normalized_shape(self, value: _Any) -> None: ...
    @property
    def epsilon(self: _Any) -> _Any: ...
    @epsilon.setter
    def epsilon(self, value: _Any) -> None: ...
    def __init__(self, normalized_shape: _Any, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, name: _str | None = None, *, elementwise_affine: _bool = True, bias: _bool = True, device: _Any = None, dtype: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def former_state(self) -> _tuple[_FormerItem, ...]:
        """Parameters that an earlier release kept under other names or in other shapes; they are read in both."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class RMSNorm(_Layer):
    """The last axes over the root of their mean square, times weight.

    Source: Zhang, Sennrich, Root Mean Square Layer Normalization, 2019."""
    normalized_shape: _Any
    epsilon: _float
    weight: _Parameter
    def __init__(self, normalized_shape: _Any, epsilon: _float = 1e-06, weight_attr: _Any = None, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class SpectralNorm(_Layer):
    """A weight over its largest singular value, estimated by power iterations: forward(weight).

    Parameters weight_u and weight_v, not trained: where the iterations begin. dim: the axis of the weight that
    is the matrix's rows. epsilon: another name of `eps`.
    Source: Miyato et al., Spectral Normalization for Generative Adversarial Networks, 2018."""
    def __init__(self, weight_shape: _Any, dim: _int = 0, power_iters: _int = 1, eps: _float = 1e-12, dtype: _Any = 'float32', name: _str | None = None, *, epsilon: _float | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class SyncBatchNorm(_BatchNorm):
    """Batch normalisation of tensors with 2 to 5 axes. On several ranks it trains with the statistics of all their
    batches together, which may differ in size, and gradients go through these; on one rank it is BatchNorm.

    All ranks have to run it. Gradients are those of the sum of all ranks' losses, as of any exchange."""
    ranks: _tuple
    def __init__(self, num_features: _int, momentum: _float = 0.9, epsilon: _float = 1e-05, weight_attr: _Any = None, bias_attr: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    @classmethod
    def convert_sync_batchnorm(cls, layer: _Layer) -> _Layer:
        """The layer with every batch normalisation in it made a SyncBatchNorm that has its parameters."""
