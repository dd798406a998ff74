# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.boundary import Created as _Created

class Accuracy(Metric):
    """The share of samples whose label is among the k highest scores, for each k of `topk`.

    >>> metric = Accuracy()
    >>> right = metric.compute(Tensor([[0.1, 0.9], [0.8, 0.2]]), Tensor([[1], [1]]))
    >>> float(metric.update(right)), metric.accumulate()
    (0.5, 0.5)"""
    topk: _Any
    maxk: _Any
    def __init__(self, topk: _int | _Sequence[_int] = ..., name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def compute(self, pred: _Any, label: _Any, *_: _Any) -> _Any:
        """Whether each of the best `maxk` classes is the label: f32[..., maxk].

        pred: scores [..., classes]; label: ints [...] or [..., 1], or one-hot [..., classes]."""
    def update(self, correct: _Any, *_: _Any) -> _Any:
        """Take in what `compute` gave; returns the batch's accuracy (a list of them for several k)."""
    def reset(self) -> None:
        """Forget all batches."""
    def accumulate(self) -> _Any:
        """The accuracy of all samples (a list for several k)."""
    def name(self) -> _list[_str]:
        """`acc`, or `acc_top1`, `acc_top5` for several k."""

class Metric(_Created):
    """Counts over batches. `compute(pred, label)` prepares a batch's outputs (tensor code), its results go to `update`.

    A subclass gives `reset`, `update`, `accumulate` and `name`."""
    def reset(self) -> None:
        """Forget all batches."""
    def update(self, *args: _Any) -> _Any:
        """Take in a batch; returns the metric of this batch."""
    def accumulate(self) -> _Any:
        """The metric of all batches since `reset`."""
    def name(self) -> _Any:
        """The name, or names, for logs."""
    def compute(self, *args: _Any) -> _Any:
        """What `update` gets: here the outputs and labels as they are."""

class Auc(Metric):
    """The area under the ROC curve, by counts in `num_thresholds` + 1 bins of the probability.

    >>> metric = Auc()
    >>> metric.update(np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), np.array([[0], [1], [0]]))
    >>> metric.accumulate()
    1.0"""
    num_thresholds: _int
    def __init__(self, curve: _str = 'ROC', num_thresholds: _int = 4095, name: _str = 'auc', *_: _Any, **__: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def update(self, preds: _Any, labels: _Any) -> None:
        """Take in probabilities [n, 2] (of no and yes), [n, 1] or [n], and labels 0 or 1."""
    def accumulate(self) -> _float:
        """The area so far; 0 if one class is missing."""
    def reset(self) -> None:
        """Forget all batches."""
    def name(self) -> _str:
        """The name for logs."""

class Precision(_Counts):
    """Right positives among all that were called positive.

    >>> metric = Precision()
    >>> metric.update(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 1]))
    >>> metric.accumulate()
    0.5"""
    default: _str
    half_counts: _bool
    def accumulate(self) -> _float:
        """The precision so far; 0 without positives."""

class _Counts(Metric):
    """Counts of right and wrong positives; a prediction above 0.5 is a positive. At 0.5 itself precision counts one,
    recall doesn't, as in Paddle."""
    default: _str
    half_counts: _bool
    def __init__(self, name: _str | None = None, *_: _Any, **__: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def reset(self) -> None:
        """Forget all batches."""
    def update(self, preds: _Any, labels: _Any) -> None:
        """Take in probabilities and labels 0 or 1 of equal size."""
    def name(self) -> _str:
        """The name for logs."""

class Recall(_Counts):
    """Right positives among all that are positive.

    >>> metric = Recall()
    >>> metric.update(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 1]))
    >>> metric.accumulate()
    0.5"""
    default: _str
    def accumulate(self) -> _float:
        """The recall so far; 0 without positive labels."""
