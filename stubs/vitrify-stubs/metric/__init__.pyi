# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.training.metrics import Accuracy as Accuracy
from vitrify.training.metrics import Auc as Auc
from vitrify.training.metrics import Metric as Metric
from vitrify.training.metrics import Precision as Precision
from vitrify.training.metrics import Recall as Recall

def accuracy(input: _Any, label: _Any, k: _int = 1, correct: _Any = None, total: _Any = None, name: _str | None = None) -> _Tensor:
    """The share of rows whose label is among the k highest scores, as a 0-d tensor.

    input: scores [n, classes]; label: ints [n, 1] or [n]. `correct` and `total` (tensors) receive the counts.

    >>> accuracy(Tensor([[0.1, 0.9], [0.8, 0.2]]), Tensor([[1], [1]])).item()
    0.5"""
