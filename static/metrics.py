"""Measures of a network's predictions as operations of the program."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import unique_name
from ..base.errors import ArgumentError, KindError
from ..dygraph.assignment import assign
from ..dygraph.tensor import Tensor
from ..ops import functions
from ..ops.op import OPS
from .current import default_main_program


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None) -> Any:
    """The share of rows of `input` [n, classes] whose label [n, 1] is among the k highest, f32[]."""
    for x in (input, label):
        if not isinstance(x, Tensor):
            raise KindError(f"accuracy takes variables, not a {type(x).__name__}")
    # The highest one is a kernel; a sort isn't.
    places = OPS["argmax"](input, 1, True) if k == 1 else functions()["topk"](input, k)[1]
    wanted = label if len(label._storage.payload.shape) == 2 else OPS["reshape"](label, (-1, 1))
    hits = OPS["any"](OPS["equal"](places, OPS["cast"](wanted, places.dtype)), axis=[1])
    return OPS["mean"](OPS["cast"](hits, "float32"))


def auc(
    input: Any, label: Any, curve: str = "ROC", num_thresholds: int = 4095, topk: int = 1, slide_steps: int = 1,
    ins_tag_weight: Any = None,
) -> tuple[Any, Any, list[Any]]:  # fmt: skip
    """The area under the ROC curve: (over all runs, over this one, [positives and negatives of it, and of all runs]).

    Probabilities are put into `num_thresholds` + 1 buckets, whose counts are persistable variables.
    Shapes: input f[n, 2] (column 1: the probability of label 1) or f[n, 1]; label i[n, 1]; areas f64[].
    Errors: ArgumentError for another curve.
    """
    if curve != "ROC":
        raise ArgumentError(f"auc: only the ROC curve is there, not {curve!r}")
    chance = OPS["reshape"](functions()["slice"](input, [1], [-1], [2**31 - 1]), (-1,))
    bucket = OPS["cast"](chance * float(num_thresholds), "int64")
    positive = OPS["reshape"](OPS["cast"](label, "int64"), (-1,))
    kinds = functions()["one_hot"](bucket, num_thresholds + 1)
    hits = OPS["cast"](positive, "float32")
    batch = [_counts(kinds, hits), _counts(kinds, 1.0 - hits)]
    program = default_main_program()
    program.sums_up = True
    kept = []
    for name, now in zip(("stat_pos", "stat_neg"), batch, strict=True):
        start = np.zeros([num_thresholds + 1], np.int64)
        total = program.add_global(unique_name.generate(f"auc_{name}"), start)
        program.recorder.initialised[id(total._storage)] = total  # a scope without it counts from 0
        assign(total + now, total)
        kept.append(total)
    return _area(*kept), _area(*batch), [*batch, *kept]


def _counts(kinds: Any, weights: Any) -> Any:
    return OPS["cast"](OPS["sum"](kinds * OPS["reshape"](weights, (-1, 1)), axis=[0]), "int64")


def _area(positive: Any, negative: Any) -> Any:
    """The sum of trapezoids between buckets, from the highest probability down; 0 where a class is missing."""
    ups = OPS["cast"](functions()["flip"](positive, [0]), "float64")
    rights = OPS["cast"](functions()["flip"](negative, [0]), "float64")
    heights = functions()["cumsum"](ups)
    area = OPS["sum"](rights * (heights - ups / 2.0))
    whole = OPS["sum"](ups) * OPS["sum"](rights)
    one = OPS["full"]((), 1.0, "float64")
    return OPS["where"](OPS["equal"](whole, 0.0), OPS["full"]((), 0.0, "float64"), area / OPS["maximum"](whole, one))
