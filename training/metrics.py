"""Metrics over batches: Accuracy, Precision, Recall, Auc."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.boundary import Created
from ..base.dtype import float32, float64, int64
from ..base.errors import ArgumentError, KindError, MemberError, ShapeError
from ..dygraph.tensor import Tensor
from ..ops.dispatch import current
from ..ops.op import OPS
from ..ops.orders import argsort
from ..ops.rearrange import unsqueeze
from ..static import accuracy as static_accuracy
from ..static import in_dynamic_mode

Array = npt.NDArray[Any]


class Metric(Created):
    """Counts over batches. `compute(pred, label)` prepares a batch's outputs (tensor code), its results go to `update`.

    A subclass gives `reset`, `update`, `accumulate` and `name`.
    """

    def reset(self) -> None:
        """Forget all batches."""
        raise NotImplementedError(f"{type(self).__name__} has no reset")

    def update(self, *args: Any) -> Any:
        """Take in a batch; returns the metric of this batch."""
        raise NotImplementedError(f"{type(self).__name__} has no update")

    def accumulate(self) -> Any:
        """The metric of all batches since `reset`."""
        raise NotImplementedError(f"{type(self).__name__} has no accumulate")

    def name(self) -> Any:
        """The name, or names, for logs."""
        raise NotImplementedError(f"{type(self).__name__} has no name")

    def compute(self, *args: Any) -> Any:
        """What `update` gets: here the outputs and labels as they are."""
        return args


def _array(value: Any) -> Array:
    return np.asarray(value._copied() if isinstance(value, Tensor) else value)


class Accuracy(Metric):
    """The share of samples whose label is among the k highest scores, for each k of `topk`.

    >>> metric = Accuracy()
    >>> right = metric.compute(Tensor([[0.1, 0.9], [0.8, 0.2]]), Tensor([[1], [1]]))
    >>> float(metric.update(right)), metric.accumulate()
    (0.5, 0.5)
    """

    def __init__(self, topk: int | Sequence[int] = (1,), name: str | None = None) -> None:
        self.topk = (topk,) if isinstance(topk, int) else tuple(topk)
        self.maxk = max(self.topk)
        self._name = name or "acc"
        self.reset()

    def compute(self, pred: Any, label: Any, *_: Any) -> Any:
        """Whether each of the best `maxk` classes is the label: f32[..., maxk].

        pred: scores [..., classes]; label: ints [...] or [..., 1], or one-hot [..., classes].
        """
        scores, wanted = current().constant(pred, None), current().constant(label, None)
        best = argsort(-scores, axis=-1)[..., : self.maxk]
        if wanted.ndim == scores.ndim and wanted.shape[-1] != 1:
            wanted = OPS["argmax"](wanted, -1)
        elif wanted.ndim == scores.ndim:
            wanted = wanted[..., 0]
        sizes = zip(wanted.shape, best.shape[:-1], strict=False)
        if wanted.ndim != best.ndim - 1 or any(a != b for a, b in sizes if isinstance(a, int) and isinstance(b, int)):
            raise ShapeError(f"Accuracy: labels of shape {list(wanted.shape)} don't fit scores {list(scores.shape)}")
        return OPS["cast"](OPS["equal"](best, unsqueeze(OPS["cast"](wanted, best.dtype), -1)), float32)

    def update(self, correct: Any, *_: Any) -> Any:
        """Take in what `compute` gave; returns the batch's accuracy (a list of them for several k)."""
        hits = _array(correct)
        count = int(np.prod(hits.shape[:-1]))
        found = [float(hits[..., :k].sum()) for k in self.topk]
        for place, number in enumerate(found):
            self.total[place] += number
            self.count[place] += count
        shares = [number / max(count, 1) for number in found]
        return shares[0] if len(shares) == 1 else shares

    def reset(self) -> None:
        """Forget all batches."""
        self.total = [0.0] * len(self.topk)
        self.count = [0] * len(self.topk)

    def accumulate(self) -> Any:
        """The accuracy of all samples (a list for several k)."""
        shares = [number / count if count else 0.0 for number, count in zip(self.total, self.count, strict=True)]
        return shares[0] if len(shares) == 1 else shares

    def name(self) -> list[str]:
        """`acc`, or `acc_top1`, `acc_top5` for several k."""
        return (
            [self._name] if len(self.topk) == 1 and self.topk[0] == 1 else [f"{self._name}_top{k}" for k in self.topk]
        )


class _Counts(Metric):
    """Counts of right and wrong positives; a prediction above 0.5 is a positive. At 0.5 itself precision counts one,
    recall doesn't, as in Paddle.
    """

    default = ""
    half_counts = False

    def __init__(self, name: str | None = None, *_: Any, **__: Any) -> None:
        self._name = name or self.default
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self.tp = self.fp = self.fn = 0

    def update(self, preds: Any, labels: Any) -> None:
        """Take in probabilities and labels 0 or 1 of equal size."""
        for what, x in (("predictions", preds), ("labels", labels)):
            if not isinstance(x, (Tensor, np.ndarray)):
                raise KindError(f"{type(self).__name__}: {what} must be a Tensor or an array, not a {type(x).__name__}")
        given, wanted = _array(preds).reshape(-1), _array(labels).reshape(-1)
        if given.shape != wanted.shape:
            raise ShapeError(f"{type(self).__name__}: {given.size} predictions for {wanted.size} labels")
        said, true = (given >= 0.5) & (given < 1.5) if self.half_counts else np.rint(given) == 1, wanted == 1
        self.tp += int((said & true).sum())
        self.fp += int((said & ~true).sum())
        self.fn += int((~said & true).sum())

    def name(self) -> str:
        """The name for logs."""
        return self._name


class Precision(_Counts):
    """Right positives among all that were called positive.

    >>> metric = Precision()
    >>> metric.update(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 1]))
    >>> metric.accumulate()
    0.5
    """

    default = "precision"
    half_counts = True

    def accumulate(self) -> float:
        """The precision so far; 0 without positives."""
        said = self.tp + self.fp
        return self.tp / said if said else 0.0


class Recall(_Counts):
    """Right positives among all that are positive.

    >>> metric = Recall()
    >>> metric.update(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 1]))
    >>> metric.accumulate()
    0.5
    """

    default = "recall"

    def accumulate(self) -> float:
        """The recall so far; 0 without positive labels."""
        true = self.tp + self.fn
        return self.tp / true if true else 0.0


class Auc(Metric):
    """The area under the ROC curve, by counts in `num_thresholds` + 1 bins of the probability.

    >>> metric = Auc()
    >>> metric.update(np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), np.array([[0], [1], [0]]))
    >>> metric.accumulate()
    1.0
    """

    def __init__(self, curve: str = "ROC", num_thresholds: int = 4095, name: str = "auc", *_: Any, **__: Any) -> None:
        if curve != "ROC":
            raise ArgumentError(f"Auc: the curve must be 'ROC', not {curve!r}")
        self._name, self.num_thresholds = name, num_thresholds
        self.reset()

    def update(self, preds: Any, labels: Any) -> None:
        """Take in probabilities [n, 2] (of no and yes), [n, 1] or [n], and labels 0 or 1."""
        chances, wanted = _array(preds), _array(labels).reshape(-1)
        chances = chances[:, -1] if chances.ndim == 2 else chances.reshape(-1)
        if chances.shape != wanted.shape:
            raise ShapeError(f"Auc: {chances.size} predictions for {wanted.size} labels")
        if chances.size and not ((chances >= 0) & (chances <= 1)).all():
            raise ArgumentError("Auc: predictions must be probabilities between 0 and 1")
        bins = (chances * self.num_thresholds).astype(np.int64)
        self._stat_pos += np.bincount(bins[wanted == 1], minlength=self.num_thresholds + 1)
        self._stat_neg += np.bincount(bins[wanted != 1], minlength=self.num_thresholds + 1)

    def accumulate(self) -> float:
        """The area so far; 0 if one class is missing."""
        pos, neg = np.cumsum(self._stat_pos[::-1]), np.cumsum(self._stat_neg[::-1])
        if not (pos.size and pos[-1] and neg[-1]):
            return 0.0
        heights = np.concatenate([[0], pos])
        widths = np.diff(np.concatenate([[0], neg]))
        return float((widths * (heights[1:] + heights[:-1]) / 2).sum() / (pos[-1] * neg[-1]))

    def reset(self) -> None:
        """Forget all batches."""
        self._stat_pos = np.zeros(self.num_thresholds + 1, np.int64)
        self._stat_neg = np.zeros(self.num_thresholds + 1, np.int64)

    def name(self) -> str:
        """The name for logs."""
        return self._name


def accuracy(
    input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None, name: str | None = None
) -> Tensor:
    """The share of rows whose label is among the k highest scores, as a 0-d tensor.

    input: scores [n, classes]; label: ints [n, 1] or [n]. `correct` and `total` (tensors) receive the counts.

    >>> accuracy(Tensor([[0.1, 0.9], [0.8, 0.2]]), Tensor([[1], [1]])).item()
    0.5
    """
    if not isinstance(input, Tensor):
        raise KindError(f"accuracy: input must be a Tensor, not a {type(input).__name__}")
    if not in_dynamic_mode():
        built: Tensor = static_accuracy(input, label, k)
        return built
    classes = input.shape[-1]
    if isinstance(classes, int) and k > classes:
        raise ArgumentError(f"accuracy: the {k} highest of {classes} scores are asked for", remedy=f"k <= {classes}")
    hits = Accuracy(k).compute(input, label)
    found, rows = OPS["sum"](OPS["cast"](hits, int64)), OPS["sum"](OPS["full"](hits.shape[:-1], 1, int64))
    for out, number in ((correct, found), (total, rows)):
        if out is not None:
            out.set_value(OPS["broadcast_to"](OPS["cast"](number, out.dtype), out.shape))
    share: Tensor = OPS["cast"](OPS["cast"](found, float64) / OPS["maximum"](rows, 1), float32)
    return share


def as_metrics(metrics: Any) -> list[Metric]:
    """A list of metrics from None, one, or several. Errors: MemberError for anything else."""
    found = [] if metrics is None else list(metrics) if isinstance(metrics, (list, tuple)) else [metrics]
    for metric in found:
        if not isinstance(metric, Metric):
            raise MemberError(f"metrics must be Metric objects, not a {type(metric).__name__}")
    return found
