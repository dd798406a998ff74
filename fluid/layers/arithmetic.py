"""Elementwise arithmetic with `axis` and `act`, reductions with `dim`, products of matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from .shared import activated, aligned, as_one, op


def _elementwise(old: str, today: str) -> Callable[..., Any]:
    def call(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
        return activated(op(today)(x, aligned(x, y, axis)), act)

    call.__name__ = call.__qualname__ = old
    call.__doc__ = (
        f"`{today}(x, y)`, the first axis of y meeting the axis `axis` of x (-1: the last axes meet), then `act`."
    )
    return call


elementwise_add = _elementwise("elementwise_add", "add")
elementwise_sub = _elementwise("elementwise_sub", "subtract")
elementwise_mul = _elementwise("elementwise_mul", "multiply")
elementwise_div = _elementwise("elementwise_div", "divide")
elementwise_max = _elementwise("elementwise_max", "maximum")
elementwise_min = _elementwise("elementwise_min", "minimum")
elementwise_pow = _elementwise("elementwise_pow", "pow")
elementwise_mod = _elementwise("elementwise_mod", "remainder")
elementwise_floordiv = _elementwise("elementwise_floordiv", "floor_divide")


def _reduction(old: str, today: str) -> Callable[..., Any]:
    def call(input: Any, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Any:
        return as_one(op(today)(input, axis=dim, keepdim=keep_dim))

    call.__name__ = call.__qualname__ = old
    call.__doc__ = f"`{today}` over the axes `dim` (None: all, with a result of shape [1])."
    return call


reduce_sum = _reduction("reduce_sum", "sum")
reduce_mean = _reduction("reduce_mean", "mean")
reduce_max = _reduction("reduce_max", "max")
reduce_min = _reduction("reduce_min", "min")
reduce_prod = _reduction("reduce_prod", "prod")
reduce_all = _reduction("reduce_all", "all")
reduce_any = _reduction("reduce_any", "any")


def mean(x: Any, name: str | None = None) -> Any:
    """The mean of all elements. Shapes: result [1].

    >>> import vitrify as vt
    >>> mean(vt.ones([2, 2])).shape
    [1]
    """
    return as_one(op("mean")(x))


def sums(input: Any, out: Any = None) -> Any:
    """The sum of the tensors in a list, written to `out` if that is given."""
    added = op("add_n")(list(input) if isinstance(input, (list, tuple)) else [input])
    return added if out is None else op("assign")(added, out)


def sum(x: Any) -> Any:
    """The sum of the tensors in a list."""
    return sums(x)


def scale(
    x: Any, scale: Any = 1.0, bias: float = 0.0, bias_after_scale: bool = True, act: str | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """`scale * x + bias`, or `scale * (x + bias)`; then `act`."""
    return activated(x * scale + bias if bias_after_scale else (x + bias) * scale, act)


def pow(x: Any, factor: Any = 1.0, name: str | None = None) -> Any:
    """x to the power of `factor`."""
    return op("pow")(x, factor)


def matmul(
    x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, alpha: float = 1.0, name: str | None = None
) -> Any:
    """`alpha` times the product of matrices."""
    made = op("matmul")(x, y, transpose_x, transpose_y)
    return made if alpha == 1.0 else made * alpha


def mul(x: Any, y: Any, x_num_col_dims: int = 1, y_num_col_dims: int = 1, name: str | None = None) -> Any:
    """The product of x and y as matrices: their first axes, `*_num_col_dims` of them, are the rows.

    Shapes: x f[a..., n...], y f[n..., b...]; result f[a..., b...]. Sizes of n and b must be known.
    """
    rows, inner = list(x.shape[:x_num_col_dims]), x.shape[x_num_col_dims:]
    left = op("reshape")(x, [-1, _size(inner)])
    right = op("reshape")(y, [_size(y.shape[:y_num_col_dims]), _size(y.shape[y_num_col_dims:])])
    return op("reshape")(op("matmul")(left, right), [*rows, *y.shape[y_num_col_dims:]])


def _size(shape: Sequence[Any]) -> Any:
    return prod(shape)
