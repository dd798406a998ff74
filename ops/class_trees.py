"""Losses over very many classes: a tree of binary choices (hsigmoid_loss), clusters of rare classes
(adaptive_log_softmax_with_loss), a sample of the classes (class_center_sample); and beam search's gather_tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import int32, int64
from ..base.errors import ArgumentError, ShapeError
from .activation import as_float, log_softmax
from .along import take_along_axis
from .compare import logical_and, where
from .composite import linear
from .dispatch import current
from .elementwise import cast, clip
from .index import gather, wrapped
from .infer import require_dtype, show_shape
from .op import NONDIFFERENTIABLE, OPS, Sample, row
from .reduce import mean, sum_
from .transcendental import softplus
from .types import TensorType

__all__ = ["adaptive_log_softmax_with_loss", "gather_tree", "hsigmoid_loss"]


def _paths(num_classes: int) -> tuple[Any, Any]:
    """For each class the inner nodes on its way (-1 behind the end) and the branches, in a complete binary tree."""
    longest = int(num_classes - 1).bit_length()
    nodes, branches = np.full((num_classes, longest), -1), np.zeros((num_classes, longest), np.int64)
    for k in range(num_classes):
        code = k + num_classes
        for bit in range(code.bit_length() - 1):
            nodes[k, bit] = (code >> (bit + 1)) - 1
            branches[k, bit] = (code >> bit) & 1
    return nodes, branches


def hsigmoid_loss(
    input: Any, label: Any, num_classes: int, weight: Any, bias: Any = None, path_table: Any = None,
    path_code: Any = None, is_sparse: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The cross entropy [n, 1] of the binary choices on the way to each label, in a tree of the classes.

    input [n, d], weight [num_classes - 1, d], bias [num_classes - 1, 1]. path_table and path_code [n, length] give
    the nodes (-1 behind the end) and branches of a tree of one's own. As in Paddle, each step that a way is shorter
    than the longest one counts log 2. Source: Morin, Bengio, 2005.
    """
    if num_classes < 2:
        raise ArgumentError(f"hsigmoid_loss needs at least 2 classes, not {num_classes}")
    if (path_table is None) != (path_code is None):
        raise ArgumentError("hsigmoid_loss needs both of path_table and path_code, or neither")
    input = as_float(input)
    if input.ndim != 2:
        raise ShapeError(f"hsigmoid_loss needs input [n, features], got {show_shape(input.shape)}")
    if path_table is None:
        nodes, branches = (current().constant(table, int64) for table in _paths(num_classes))
        index = OPS["reshape"](label, (-1,))
        path_table, path_code = gather(nodes, index, 0), gather(branches, index, 0)
    inside = path_table >= 0
    safe = where(inside, path_table, 0)
    n, length = safe.shape
    chosen = gather(weight, safe, 0)
    score = sum_(chosen * OPS["reshape"](input, (n, 1, input.shape[1])), 2)
    if bias is not None:
        score = score + OPS["reshape"](gather(OPS["reshape"](bias, (-1,)), safe, 0), (n, length))
    score = where(inside, clip(score, -40.0, 40.0), 0.0)
    return sum_(softplus(score) - score * cast(path_code, score.dtype), 1, True)


def adaptive_log_softmax_with_loss(
    input: Any, label: Any, head_weight: Any, tail_weights: Sequence[Any], cutoffs: Sequence[int],
    head_bias: Any = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Log-probabilities [n] of the labels, rare classes in clusters with less room; and minus their mean.

    head_weight [features, cutoffs[0] + clusters]; tail_weights: two matrices for each cluster; cutoffs: where the
    clusters begin, ending with the number of classes. Source: Grave et al., Efficient softmax approximation, 2017.
    """
    input = as_float(input)
    single = input.ndim == 1
    if single:
        input, label = OPS["reshape"](input, (1, -1)), OPS["reshape"](label, (1,))
    if label.ndim != input.ndim - 1 or label.shape[0] != input.shape[0]:
        raise ShapeError(
            f"adaptive_log_softmax_with_loss: label {show_shape(label.shape)} doesn't fit {show_shape(input.shape)}"
        )
    head = log_softmax(linear(input, head_weight, head_bias), 1)
    bounds = [0, *cutoffs]
    column = OPS["reshape"](label, (-1, 1))
    total: Any = None
    for k in range(len(bounds) - 1):
        low, high = bounds[k], bounds[k + 1]
        inside = logical_and(column >= low, column < high)
        place = where(inside, column - low, 0)
        if k == 0:
            logp = take_along_axis(head, place, 1)
        else:
            first, second = tail_weights[k - 1]
            cluster = log_softmax(OPS["matmul"](OPS["matmul"](input, first), second), 1)
            at = cutoffs[0] + k - 1
            logp = take_along_axis(cluster, place, 1) + head[:, at : at + 1]
        logp = where(inside, logp, 0.0)
        total = logp if total is None else total + logp
    output = OPS["reshape"](total, () if single else (-1,))
    return output, -mean(output)


# ---- beam search


def _tree_infer(ids: TensorType, parents: TensorType) -> TensorType:
    for given in (ids, parents):
        require_dtype("gather_tree", given.dtype, (int32, int64))
    sizes = zip(ids.shape, parents.shape, strict=False)
    differ = any(a != b for a, b in sizes if isinstance(a, int) and isinstance(b, int))
    if ids.rank != 3 or parents.rank != 3 or differ:
        raise ShapeError(
            f"gather_tree needs ids and parents [time, n, beams], got {show_shape(ids.shape)} and"
            f" {show_shape(parents.shape)}"
        )
    return ids


def _tree_eager(ids: Any, parents: Any) -> Any:
    if ids.shape != parents.shape:  # sizes that only a run knows
        raise ShapeError(f"gather_tree: ids {list(ids.shape)} and parents {list(parents.shape)} differ in shape")
    out = np.empty_like(ids)
    places = np.broadcast_to(np.arange(ids.shape[2], dtype=parents.dtype), ids.shape[1:])
    for t in range(len(ids) - 1, -1, -1):
        out[t] = np.take_along_axis(ids[t], places, 1)
        places = np.take_along_axis(wrapped(parents[t], ids.shape[2]), places, 1)
    return out


tree_row = row(
    "gather_tree",
    "The whole sequences of a beam search: ids and parents [time, n, beams], followed back from the last time.",
    "ids parents",
    infer=_tree_infer,
    eager=_tree_eager,
    vjp=NONDIFFERENTIABLE,
    samples=lambda: [Sample((np.arange(12).reshape(3, 2, 2), np.array([[[0, 1], [1, 0]]] * 3)))],
    method=False,
    public=False,
)


def gather_tree(ids: Any, parents: Any) -> Any:
    """The whole sequences of a beam search: ids and parents [time, n, beams], followed back from the last time.

    Errors: DTypeError for ids or parents that aren't int32 or int64; ShapeError for other shapes.
    """
    _tree_infer(*(TensorType(v.dtype, tuple(v.shape)) for v in (ids, parents)))
    times = ids.shape[0]
    if not isinstance(times, int) or not times:
        return tree_row(ids, parents)
    # so many gathers, which native code and ONNX have
    steps = [ids[times - 1]]
    parent = parents[times - 1]
    for t in range(times - 2, -1, -1):
        steps.append(take_along_axis(ids[t], parent, 1))
        parent = take_along_axis(parents[t], parent, 1)
    return OPS["concat"]([OPS["reshape"](s, (1, *ids.shape[1:])) for s in reversed(steps)], axis=0)
