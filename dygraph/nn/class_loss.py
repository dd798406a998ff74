"""More losses as layers: of margins, distributions, alignments of sequences and very many classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError
from ...ops.activation import log_softmax
from ...ops.op import OPS
from . import functional as F
from .initializer import Uniform
from .layer import Layer
from .layer_settings import FunctionLayer, underscored
from .linear_layers import positive

__all__ = [
    "AdaptiveLogSoftmaxWithLoss", "CTCLoss", "CosineEmbeddingLoss", "GaussianNLLLoss", "HSigmoidLoss",
    "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "PoissonNLLLoss", "RNNTLoss",
    "SoftMarginLoss", "TripletMarginWithDistanceLoss",
]  # fmt: skip


class _SettingsLoss(FunctionLayer):
    shows_name = False

    def _check(self, settings: dict[str, Any]) -> None:
        if settings["reduction"] not in ("mean", "sum", "none"):
            raise ArgumentError(
                f'{type(self).__name__}: reduction must be "mean", "sum" or "none", not {settings["reduction"]!r}'
            )


class CosineEmbeddingLoss(_SettingsLoss):
    """1 - cos(input1, input2) for label 1, max(0, cos - margin) for -1; forward(input1, input2, label). See
    functional.cosine_embedding_loss. margin: from -1 to 1.
    """

    function = staticmethod(F.cosine_embedding_loss)
    settings = {"margin": 0, "reduction": "mean"}

    def _check(self, settings: dict[str, Any]) -> None:
        if not -1 <= settings["margin"] <= 1:
            raise ArgumentError(f"CosineEmbeddingLoss: margin must be from -1 to 1, not {settings['margin']!r}")
        super()._check(settings)


class GaussianNLLLoss(_SettingsLoss):
    """-log of normal distributions: forward(input, label, variance). See functional.gaussian_nll_loss."""

    function = staticmethod(F.gaussian_nll_loss)
    settings = {"full": False, "epsilon": 1e-06, "reduction": "mean"}


class MultiLabelMarginLoss(_SettingsLoss):
    """max(0, 1 - (input[target] - input[other])) over targets and other classes. See
    functional.multi_label_margin_loss.
    """

    function = staticmethod(F.multi_label_margin_loss)
    settings = {"reduction": "mean"}


class MultiLabelSoftMarginLoss(_SettingsLoss):
    """The mean over classes of the binary cross entropy with logits. See functional.multi_label_soft_margin_loss."""

    function = staticmethod(F.multi_label_soft_margin_loss)
    settings = {"weight": None, "reduction": "mean"}


class MultiMarginLoss(_SettingsLoss):
    """The mean over other classes of max(0, margin - input[label] + input[other]) ** p. See
    functional.multi_margin_loss.
    """

    function = staticmethod(F.multi_margin_loss)
    settings = {"p": 1, "margin": 1.0, "weight": None, "reduction": "mean"}


class PoissonNLLLoss(_SettingsLoss):
    """-log of the Poisson distribution with logarithms of rates as input. See functional.poisson_nll_loss."""

    function = staticmethod(F.poisson_nll_loss)
    settings = {"log_input": True, "full": False, "epsilon": 1e-08, "reduction": "mean"}
    stored = underscored(settings)


class SoftMarginLoss(_SettingsLoss):
    """log(1 + exp(-label * input)) for labels 1 and -1. See functional.soft_margin_loss."""

    function = staticmethod(F.soft_margin_loss)
    settings = {"reduction": "mean"}


class TripletMarginWithDistanceLoss(_SettingsLoss):
    """max(0, d(input, positive) - d(input, negative) + margin). See functional.triplet_margin_with_distance_loss."""

    function = staticmethod(F.triplet_margin_with_distance_loss)
    settings = {"distance_function": None, "margin": 1.0, "swap": False, "reduction": "mean"}


class CTCLoss(Layer):
    """-log of the probability of labels under scores [time, n, classes], over all alignments; see functional.ctc_loss.

    forward(log_probs, labels, input_lengths, label_lengths, norm_by_times=False).
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(
        self, log_probs: Any, labels: Any, input_lengths: Any, label_lengths: Any, norm_by_times: bool = False
    ) -> Any:
        return F.ctc_loss(
            log_probs, labels, input_lengths, label_lengths, self.blank, self.reduction, norm_by_times,
            self.zero_infinity,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return f"blank={self.blank}, reduction={self.reduction!r}"


class RNNTLoss(Layer):
    """-log of the probability of labels under a transducer's scores; see functional.rnnt_loss.

    forward(input, label, input_lengths, label_lengths).
    """

    def __init__(
        self, blank: int = 0, fastemit_lambda: float = 0.001, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__(name)
        self.blank, self.fastemit_lambda, self.reduction = blank, fastemit_lambda, reduction

    def forward(self, input: Any, label: Any, input_lengths: Any, label_lengths: Any) -> Any:
        return F.rnnt_loss(input, label, input_lengths, label_lengths, self.blank, self.fastemit_lambda, self.reduction)

    def extra_repr(self) -> str:
        return f"blank={self.blank}, fastemit_lambda={self.fastemit_lambda}, reduction={self.reduction!r}"


class HSigmoidLoss(Layer):
    """The cross entropy [n, 1] of binary choices in a tree of classes; see functional.hsigmoid_loss.

    weight [num_classes - 1, feature_size] and bias [num_classes - 1, 1]; with is_custom (a tree of one's own)
    num_classes of each. forward(input, label, path_table=None, path_code=None).
    """

    def __init__(
        self, feature_size: int, num_classes: int, weight_attr: Any = None, bias_attr: Any = None,
        is_custom: bool = False, is_sparse: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        positive(feature_size=feature_size)
        if num_classes < 2:
            raise ArgumentError(f"HSigmoidLoss needs at least 2 classes, not {num_classes}")
        self._num_classes, self._is_custom, self._is_sparse = num_classes, is_custom, is_sparse
        rows = num_classes if is_custom else num_classes - 1
        limit = 1.0 / math.sqrt(feature_size)
        self.weight = self.create_parameter(
            [rows, feature_size], weight_attr, default_initializer=Uniform(-limit, limit)
        )
        self.bias = self.create_parameter([rows, 1], bias_attr, is_bias=True)

    def forward(self, input: Any, label: Any, path_table: Any = None, path_code: Any = None) -> Any:
        return F.hsigmoid_loss(
            input, label, self._num_classes, self.weight, self.bias, path_table, path_code, self._is_sparse
        )


class AdaptiveLogSoftmaxWithLoss(Layer):
    """Softmax over many classes, rare ones in clusters; see functional.adaptive_log_softmax_with_loss.

    cutoffs: rising class numbers where the clusters begin; div_value: how much smaller each cluster's vectors are.
    Errors: ArgumentError for cutoffs that don't rise or reach n_classes.
    """

    def __init__(
        self, in_features: int, n_classes: int, cutoffs: Sequence[int], weight_attr: Any = None, bias_attr: Any = None,
        div_value: float = 4.0, head_bias: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        positive(in_features=in_features, n_classes=n_classes)
        cuts = list(cutoffs)
        if not cuts or cuts != sorted(set(cuts)) or cuts[0] < 1 or cuts[-1] >= n_classes:
            raise ArgumentError(
                f"cutoffs should be a sequence of unique, rising integers from 1 to below n_classes = {n_classes}, "
                f"not {cuts}"
            )
        self.in_features, self.n_classes, self.cutoffs, self.div_value = (
            in_features,
            n_classes,
            [*cuts, n_classes],
            div_value,
        )
        self.shortlist_size, self.n_clusters = cuts[0], len(cuts)
        self.head_size = cuts[0] + len(cuts)
        self.head_weight = self.create_parameter([in_features, self.head_size], weight_attr)
        self.head_bias = self.create_parameter([self.head_size], bias_attr, is_bias=True) if head_bias else None
        for k in range(self.n_clusters):
            inner = max(int(in_features // div_value ** (k + 1)), 1)
            size = self.cutoffs[k + 1] - self.cutoffs[k]
            for part, shape in (("tail_{}_0", [in_features, inner]), ("tail_{}_1", [inner, size])):
                setattr(self, part.format(k), self.create_parameter(shape, weight_attr))

    @property
    def tail_weights(self) -> list[list[Any]]:
        """Two matrices for each cluster."""
        return [[getattr(self, f"tail_{k}_0"), getattr(self, f"tail_{k}_1")] for k in range(self.n_clusters)]

    def forward(self, input: Any, label: Any) -> tuple[Any, Any]:
        return F.adaptive_log_softmax_with_loss(
            input, label, self.head_weight, self.tail_weights, self.cutoffs, self.head_bias
        )

    def log_prob(self, input: Any) -> Any:
        """Log-probabilities [n, n_classes] of all classes."""
        head = log_softmax(F.linear(input, self.head_weight, self.head_bias), 1)
        parts = [head[:, : self.shortlist_size]]
        for k, (first, second) in enumerate(self.tail_weights):
            cluster = log_softmax(OPS["matmul"](OPS["matmul"](input, first), second), 1)
            at = self.shortlist_size + k
            parts.append(cluster + head[:, at : at + 1])
        return OPS["concat"](parts, axis=1)

    def predict(self, input: Any) -> Any:
        """The most probable class [n]."""
        return OPS["argmax"](self.log_prob(input), 1, False)
