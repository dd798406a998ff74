"""Layers of networks in their old form: fc, pool2d, dropout, accuracy."""

from __future__ import annotations

from typing import Any

from ... import static
from ...base.errors import ArgumentError
from ...dygraph.nn import functional
from .shared import as_one, op


def fc(
    input: Any, size: int, num_flatten_dims: int = 1, param_attr: Any = None, bias_attr: Any = None,
    act: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A fully connected layer with parameters of its own, then `act`.

    Shapes: input f[a..., n...] with `num_flatten_dims` axes a; result f[a..., size]. A list of inputs is added up.
    """
    return static.nn.fc(input, size, num_flatten_dims, param_attr, bias_attr, act, name)


def dropout(
    x: Any, dropout_prob: float, is_test: bool = False, seed: int | None = None, name: str | None = None,
    dropout_implementation: str = "downgrade_in_infer",
) -> Any:  # fmt: skip
    """Elements set to 0 with the probability `dropout_prob` in training.

    dropout_implementation: "downgrade_in_infer" multiplies by 1 - dropout_prob in testing, "upscale_in_train" divides
    by it in training. Errors: ArgumentError (a ValueError) for another.
    """
    modes = {"downgrade_in_infer": "downscale_in_infer", "upscale_in_train": "upscale_in_train"}
    if dropout_implementation not in modes:
        raise ArgumentError(
            f"dropout: dropout_implementation is one of {', '.join(modes)}, not {dropout_implementation}"
        )
    return functional.dropout(x, dropout_prob, training=not is_test, mode=modes[dropout_implementation])


def pool2d(
    input: Any, pool_size: Any = -1, pool_type: str = "max", pool_stride: Any = 1, pool_padding: Any = 0,
    global_pooling: bool = False, use_cudnn: bool = True, ceil_mode: bool = False, name: str | None = None,
    exclusive: bool = True, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """Maxima or averages ("max", "avg") of windows; with `global_pooling` of whole images.

    Shapes: input f[n, c, h, w]; result f[n, c, h', w'].
    Errors: ArgumentError (a ValueError) for another pool_type, or no size.
    """
    if pool_type not in ("max", "avg"):
        raise ArgumentError(f"pool2d: pool_type must be 'max' or 'avg', not {pool_type!r}")
    if global_pooling:
        if pool_type == "avg":
            return functional.adaptive_avg_pool2d(input, 1, data_format)
        return op("amax")(input, axis=[2, 3] if data_format == "NCHW" else [1, 2], keepdim=True)
    if pool_size == -1:
        raise ArgumentError("pool2d: pool_size is needed unless global_pooling is on")
    settings: dict[str, Any] = {"ceil_mode": ceil_mode, "data_format": data_format}
    if pool_type == "max":
        return functional.max_pool2d(input, pool_size, pool_stride, pool_padding, **settings)
    return functional.avg_pool2d(input, pool_size, pool_stride, pool_padding, exclusive=exclusive, **settings)


def l2_normalize(x: Any, axis: int, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """x divided by its Euclidean norm along an axis: x / sqrt(sum(x * x) + epsilon)."""
    return x * op("rsqrt")(op("sum")(x * x, axis=axis, keepdim=True) + epsilon)


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None) -> Any:
    """The share of rows whose label is among the k largest. Shapes: input f[n, c], label i64[n, 1]; result f32[1]."""
    return as_one(static.accuracy(input, label, k, correct, total))


Print, Assert = static.Print, static.Assert
