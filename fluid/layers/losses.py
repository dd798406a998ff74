"""Losses in their old form: one value per row, labels of shape [n, 1]."""

from __future__ import annotations

from typing import Any

from ...dygraph.nn import functional
from .shared import op

softmax_with_cross_entropy = functional.softmax_with_cross_entropy
square_error_cost = functional.square_error_cost
log_loss = functional.log_loss
label_smooth = functional.label_smooth


def softmax(input: Any, use_cudnn: bool = False, name: str | None = None, axis: int = -1) -> Any:
    """Exponentials divided by their sum along an axis."""
    return functional.softmax(input, axis)


def cross_entropy(input: Any, label: Any, soft_label: bool = False, ignore_index: int = -100) -> Any:
    """Minus the logarithm of the probability of the label. `input` holds probabilities, softmax's result.

    Shapes: input f[n, c], label i64[n, 1] (with soft_label f[n, c]); result f[n, 1].

    >>> import vitrify as vt
    >>> cross_entropy(vt.to_tensor([[0.5, 0.5]]), vt.to_tensor([[1]])).shape
    [1, 1]
    """
    return functional.cross_entropy(
        input, label, ignore_index=ignore_index, reduction="none", soft_label=soft_label, use_softmax=False
    )


def sigmoid_cross_entropy_with_logits(
    x: Any, label: Any, ignore_index: int = -100, name: str | None = None, normalize: bool = False
) -> Any:
    """The cross entropy of sigmoid(x), element by element; 0 where the label is `ignore_index`.

    normalize: divide by the number of labels that aren't ignored. Shapes: x, label and result f[...].
    """
    kept = op("cast")(op("not_equal")(label, float(ignore_index)), x.dtype)
    loss = functional.binary_cross_entropy_with_logits(x, label, reduction="none") * kept
    return loss / op("maximum")(op("sum")(kept), op("full")([], 1.0, x.dtype)) if normalize else loss


def mse_loss(input: Any, label: Any) -> Any:
    """The mean of the squared differences. Shapes: result [1]."""
    return op("reshape")(op("mean")(op("square")(input - label)), [1])


def huber_loss(input: Any, label: Any, delta: float) -> Any:
    """Half the square of the difference up to `delta`, linear beyond, element by element."""
    return functional.smooth_l1_loss(input, label, reduction="none", delta=delta)
