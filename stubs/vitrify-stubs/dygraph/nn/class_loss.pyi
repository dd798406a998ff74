# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.layer_settings import FunctionLayer as _FunctionLayer
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as _Tensor

class AdaptiveLogSoftmaxWithLoss(_Layer):
    """Softmax over many classes, rare ones in clusters; see functional.adaptive_log_softmax_with_loss.

    cutoffs: rising class numbers where the clusters begin; div_value: how much smaller each cluster's vectors are.
    Errors: ArgumentError for cutoffs that don't rise or reach n_classes."""
    in_features: _int
    n_classes: _int
    cutoffs: _Any
    div_value: _float
    shortlist_size: _Any
    n_clusters: _Any
    head_size: _Any
    head_weight: _Parameter
    head_bias: _Any
    def __init__(self, in_features: _int, n_classes: _int, cutoffs: _Sequence[_int], weight_attr: _Any = None, bias_attr: _Any = None, div_value: _float = 4.0, head_bias: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def tail_weights(self) -> _list[_list[_Any]]:
        """Two matrices for each cluster."""
    def forward(self, input: _Any, label: _Any) -> _tuple[_Tensor, _Tensor]:
        """What the layer computes; each subclass defines it."""
    def log_prob(self, input: _Any) -> _Any:
        """Log-probabilities [n, n_classes] of all classes."""
    def predict(self, input: _Any) -> _Any:
        """The most probable class [n]."""

class CTCLoss(_Layer):
    """-log of the probability of labels under scores [time, n, classes], over all alignments; see functional.ctc_loss.

    forward(log_probs, labels, input_lengths, label_lengths, norm_by_times=False)."""
    blank: _int
    reduction: _str
    zero_infinity: _bool
    def __init__(self, blank: _int = 0, reduction: _str = 'mean', zero_infinity: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, log_probs: _Any, labels: _Any, input_lengths: _Any, label_lengths: _Any, norm_by_times: _bool = False) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class CosineEmbeddingLoss(_SettingsLoss):
    """1 - cos(input1, input2) for label 1, max(0, cos - margin) for -1; forward(input1, input2, label). See
    functional.cosine_embedding_loss. margin: from -1 to 1."""
    @staticmethod
    def function(input1: _Any, input2: _Any, label: _Any, margin: _float = 0, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """1 - cos(input1, input2) where the label is 1, max(0, cos - margin) where it is -1; inputs [n, d] or [d]."""
    settings: _dict

class _SettingsLoss(_FunctionLayer):
    shows_name: _bool

class GaussianNLLLoss(_SettingsLoss):
    """-log of normal distributions: forward(input, label, variance). See functional.gaussian_nll_loss."""
    @staticmethod
    def function(input: _Any, label: _Any, variance: _Any, full: _bool = False, epsilon: _float = 1e-06, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """Half of log(variance) + (input - label)² / variance, plus log(2 pi) / 2 if `full`; the variance is at least
        epsilon.

        variance: in input's shape, without its last axis, or with size 1 there. Errors: ShapeError; ArgumentError (a
        ValueError) where it is below 0."""
    settings: _dict

class HSigmoidLoss(_Layer):
    """The cross entropy [n, 1] of binary choices in a tree of classes; see functional.hsigmoid_loss.

    weight [num_classes - 1, feature_size] and bias [num_classes - 1, 1]; with is_custom (a tree of one's own)
    num_classes of each. forward(input, label, path_table=None, path_code=None)."""
    weight: _Parameter
    bias: _Parameter
    def __init__(self, feature_size: _int, num_classes: _int, weight_attr: _Any = None, bias_attr: _Any = None, is_custom: _bool = False, is_sparse: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any, path_table: _Any = None, path_code: _Any = None) -> _Tensor:
        """What the layer computes; each subclass defines it."""

class MultiLabelMarginLoss(_SettingsLoss):
    """max(0, 1 - (input[target] - input[other])) over targets and other classes. See
    functional.multi_label_margin_loss."""
    @staticmethod
    def function(input: _Any, label: _Any, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """The sum of max(0, 1 - (input[target] - input[other])) over targets and other classes, by the number of classes.

        label [n, classes]: class numbers, up to the first below 0."""
    settings: _dict

class MultiLabelSoftMarginLoss(_SettingsLoss):
    """The mean over classes of the binary cross entropy with logits. See functional.multi_label_soft_margin_loss."""
    @staticmethod
    def function(input: _Any, label: _Any, weight: _Any = None, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """The mean over classes (last axis) of the binary cross entropy with logits, for labels 0 and 1."""
    settings: _dict

class MultiMarginLoss(_SettingsLoss):
    """The mean over other classes of max(0, margin - input[label] + input[other]) ** p. See
    functional.multi_margin_loss."""
    @staticmethod
    def function(input: _Any, label: _Any, p: _int = 1, margin: _float = 1.0, weight: _Any = None, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """The mean over other classes of max(0, margin - input[label] + input[other]) ** p; weight: [classes]."""
    settings: _dict

class PoissonNLLLoss(_SettingsLoss):
    """-log of the Poisson distribution with logarithms of rates as input. See functional.poisson_nll_loss."""
    @staticmethod
    def function(input: _Any, label: _Any, log_input: _bool = True, full: _bool = False, epsilon: _float = 1e-08, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """-log of the Poisson distribution: exp(input) - label * input, or input - label * log(input) without log_input.

        full: Stirling's formula for log(label!) is added where the label is above 1."""
    settings: _dict
    stored: _dict
    @property
    def log_input(self: _Any) -> _Any: ...
    @log_input.setter
    def log_input(self, value: _Any) -> None: ...
    @property
    def full(self: _Any) -> _Any: ...
    @full.setter
    def full(self, value: _Any) -> None: ...
    @property
    def epsilon(self: _Any) -> _Any: ...
    @epsilon.setter
    def epsilon(self, value: _Any) -> None: ...
    @property
    def reduction(self: _Any) -> _Any: ...
    @reduction.setter
    def reduction(self, value: _Any) -> None: ...

class RNNTLoss(_Layer):
    """-log of the probability of labels under a transducer's scores; see functional.rnnt_loss.

    forward(input, label, input_lengths, label_lengths)."""
    blank: _int
    fastemit_lambda: _float
    reduction: _str
    def __init__(self, blank: _int = 0, fastemit_lambda: _float = 0.001, reduction: _str = 'mean', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any, label: _Any, input_lengths: _Any, label_lengths: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class SoftMarginLoss(_SettingsLoss):
    """log(1 + exp(-label * input)) for labels 1 and -1. See functional.soft_margin_loss."""
    @staticmethod
    def function(input: _Any, label: _Any, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """log(1 + exp(-label * input)) for labels 1 and -1."""
    settings: _dict

class TripletMarginWithDistanceLoss(_SettingsLoss):
    """max(0, d(input, positive) - d(input, negative) + margin). See functional.triplet_margin_with_distance_loss."""
    @staticmethod
    def function(input: _Any, positive: _Any, negative: _Any, distance_function: _Callable[[_Any, _Any], _Any] | None = None, margin: _float = 1.0, swap: _bool = False, reduction: _str = 'mean', name: _str | None = None) -> _Any:
        """max(0, d(input, positive) - d(input, negative) + margin), d by default the Euclidean distance.

        swap: d(positive, negative) instead of d(input, negative) where it is smaller."""
    settings: _dict
