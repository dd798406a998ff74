"""Losses as layers: each keeps its settings and calls the function of functional.py on (input, label)."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...ops.mistakes import named
from . import functional as F
from .alias import alias
from .layer import Layer

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "HingeEmbeddingLoss", "KLDivLoss", "L1Loss", "MSELoss",
    "MarginRankingLoss", "NLLLoss", "SmoothL1Loss", "TripletMarginLoss",
]  # fmt: skip


class _Loss(Layer):
    """reduction: "mean", "sum" or "none"; `weight` and other tensors are no parameters and aren't saved."""

    reductions: tuple[str, ...] = ("mean", "sum", "none")

    def __init__(self, reduction: str, name: str | None = None, **settings: Any) -> None:
        super().__init__()
        self.name = self._name = name
        if reduction not in self.reductions:
            raise ArgumentError(f"{type(self).__name__}: reduction must be one of {self.reductions}, not {reduction!r}")
        self.reduction = reduction
        for setting, value in settings.items():
            setattr(self, setting, value)

    def _as_called(self, made: Any) -> Any:
        """The loss; a variable of a static program has the layer's name."""
        return made if self._name is None else named(made, self._name, (), {"name": self._name})

    def extra_repr(self) -> str:
        return "" if self.reduction == "mean" else f"reduction={self.reduction!r}"


class CrossEntropyLoss(_Loss):
    """-log(softmax(input)) at the label: input [n, …, classes], labels [n, …] or [n, …, 1]; see F.cross_entropy.

    >>> from ..conversions import to_tensor
    >>> round(float(CrossEntropyLoss()(to_tensor([[0.0, 0.0]]), to_tensor([1]))), 4)
    0.6931
    """

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", soft_label: bool = False,
        axis: int = -1, use_softmax: bool = True, label_smoothing: float = 0.0, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            reduction, weight=weight, ignore_index=ignore_index, soft_label=soft_label, axis=axis,
            use_softmax=use_softmax, label_smoothing=label_smoothing, name=name,
        )  # fmt: skip

    def forward(self, input: Any, label: Any) -> Any:
        made = F.cross_entropy(
            input, label, self.weight, self.ignore_index, self.reduction, self.soft_label, self.axis,
            self.use_softmax, self.label_smoothing,
        )  # fmt: skip
        return self._as_called(made)


class NLLLoss(_Loss):
    """-input at the label, for log-probabilities [n, classes, …] and labels [n, …]."""

    weight, ignore_index, reduction = alias("_weight"), alias("_ignore_index"), alias("_reduction")

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__(reduction, _weight=weight, _ignore_index=ignore_index, name=name)

    def forward(self, input: Any, label: Any) -> Any:
        return self._as_called(F.nll_loss(input, label, self._weight, self._ignore_index, self._reduction))


class MSELoss(_Loss):
    """The square of input - label."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def forward(self, input: Any, label: Any) -> Any:
        return F.mse_loss(input, label, self.reduction)


class L1Loss(_Loss):
    """|input - label|."""

    def __init__(self, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__(reduction, name=name)

    def forward(self, input: Any, label: Any) -> Any:
        return self._as_called(F.l1_loss(input, label, self.reduction))


class SmoothL1Loss(_Loss):
    """Half the square of d = input - label where |d| <= delta, else delta * (|d| - delta / 2).

    is_huber=False: divided by delta.
    """

    def __init__(
        self, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True, name: str | None = None
    ) -> None:
        super().__init__(reduction, delta=delta, is_huber=is_huber, name=name)

    def forward(self, input: Any, label: Any) -> Any:
        return self._as_called(F.smooth_l1_loss(input, label, self.reduction, self.delta, self.is_huber))


class BCELoss(_Loss):
    """-(label * log(input) + (1 - label) * log(1 - input)) for probabilities."""

    def __init__(self, weight: Any = None, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__(reduction, weight=weight, name=name)

    def forward(self, input: Any, label: Any) -> Any:
        return self._as_called(F.binary_cross_entropy(input, label, self.weight, self.reduction))


class BCEWithLogitsLoss(_Loss):
    """BCELoss of sigmoid(logit), without overflow; pos_weight multiplies the loss of label 1."""

    def __init__(
        self, weight: Any = None, reduction: str = "mean", pos_weight: Any = None, name: str | None = None
    ) -> None:
        super().__init__(reduction, weight=weight, pos_weight=pos_weight, name=name)

    def forward(self, logit: Any, label: Any) -> Any:
        return self._as_called(
            F.binary_cross_entropy_with_logits(logit, label, self.weight, self.reduction, self.pos_weight)
        )


class KLDivLoss(_Loss):
    """label * (log(label) - input) for log-probabilities `input`; reduction also "batchmean"."""

    reductions = ("mean", "batchmean", "sum", "none")

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction, log_target=log_target)

    def forward(self, input: Any, label: Any) -> Any:
        return self._as_called(F.kl_div(input, label, self.reduction, self.log_target))


class HingeEmbeddingLoss(_Loss):
    """The input where the label is 1, max(0, margin - input) where it is -1."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__(reduction, margin=margin, name=name)

    def forward(self, input: Any, label: Any) -> Any:
        return self._as_called(F.hinge_embedding_loss(input, label, self.margin, self.reduction))


class MarginRankingLoss(_Loss):
    """max(0, -label * (input - other) + margin), for labels 1 and -1."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__(reduction, margin=margin, name=name)

    def forward(self, input: Any, other: Any, label: Any) -> Any:
        return self._as_called(F.margin_ranking_loss(input, other, label, self.margin, self.reduction))


class TripletMarginLoss(_Loss):
    """max(0, |input - positive| - |input - negative| + margin) over the last axis, in the p-norm."""

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, epsilon: float = 1e-6, swap: bool = False, reduction: str = "mean",
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(reduction, margin=margin, p=p, epsilon=epsilon, swap=swap, name=name)

    def forward(self, input: Any, positive: Any, negative: Any) -> Any:
        made = F.triplet_margin_loss(
            input, positive, negative, self.margin, self.p, self.epsilon, self.swap, self.reduction
        )
        return self._as_called(made)
