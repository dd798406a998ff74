"""`utils.flops.flops`: floating point operations of one operator, by its type and the shapes of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from math import prod
from typing import Any

Shapes = Mapping[str, Sequence[Sequence[int]]]

_A_ELEMENT = {
    "relu": 1,
    "relu6": 1,
    "elu": 1,
    "leaky_relu": 1,
    "prelu": 1,
    "silu": 1,
    "pool": 1,
    "softmax": 3,
    "gelu": 5,
}
_OF_TWO = ("elementwise_add", "elementwise_mul", "elementwise_div")


def flops(op_type: str, input_shapes: Shapes, attrs: Mapping[str, Any]) -> int:
    """The count for an operator of this type; 0 where it moves elements only, is unknown, or shapes don't suit it.

    >>> flops("elementwise_add", {"X": [[3, 4]], "Y": [[4]]}, {})
    12
    >>> flops("matmul", {"X": [[3, 8]], "Y": [[5, 8]]}, {"transpose_Y": True})
    240
    """
    try:
        if op_type in _A_ELEMENT:
            return _A_ELEMENT[op_type] * prod(input_shapes["X"][0])
        count = _COUNTS.get(op_type)
        return 0 if count is None else count(input_shapes, attrs)
    except (LookupError, TypeError, ValueError):
        return 0


def register_flops(op_type: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A decorator: `count(input_shapes, attrs)` counts for operators of this type."""

    def register(count: Callable[..., int]) -> Callable[..., int]:
        _A_ELEMENT.pop(op_type, None)
        _COUNTS[op_type] = count
        return count

    return register


def _common(x: Sequence[int], y: Sequence[int]) -> int:
    """Elements of what two shapes give together: the larger of two sizes that stand below each other."""
    return prod(max(pair) for pair in zip_longest(reversed(x), reversed(y), fillvalue=1))


def _of_two(shapes: Shapes, attrs: Mapping[str, Any]) -> int:
    return _common(shapes["X"][0], shapes["Y"][0])


def _product(shapes: Shapes, attrs: Mapping[str, Any]) -> int:
    """Two for each product of a row and a column."""
    (x, y), setting = (list((shapes[k] if k in shapes else shapes[k.lower()])[0]) for k in "XY"), attrs.get
    if setting("transpose_X") or setting("transpose_x") or setting("trans_x"):
        x[-2:] = x[:-3:-1]
    if setting("transpose_Y") or setting("transpose_y") or setting("trans_y"):
        y[-2:] = y[:-3:-1]
    return 2 * _common(x[:-2], y[:-2]) * x[-2] * x[-1] * y[-1]


def _convolution(shapes: Shapes, attrs: Mapping[str, Any]) -> int:
    """Two for each weight at each place of the result; one more for a bias."""
    image, kernel = shapes["Input"][0], shapes["Filter"][0]
    n = len(image) - 2

    def each(name: str) -> Sequence[int]:
        given: Any = attrs[name]
        return given if isinstance(given, (list, tuple)) else [given] * n

    spans = [d * (k - 1) + 1 for d, k in zip(each("dilations"), kernel[2:], strict=True)]
    places: int = image[0] * prod(
        (size + 2 * margin - span) // step + 1
        for size, margin, span, step in zip(image[2:], each("paddings"), spans, each("strides"), strict=True)
    )
    groups: int = attrs["groups"]
    weights = prod(kernel[2:]) * image[1] * (kernel[0] // groups)
    return places * (2 * weights + (kernel[0] if shapes.get("Bias") else 0))


def _layer_norm(shapes: Shapes, attrs: Mapping[str, Any]) -> int:
    return (8 if attrs.get("epsilon") else 7) * prod(shapes["X"][0])


_COUNTS: dict[str, Callable[..., int]] = {
    "matmul": _product, "matmul_v2": _product, "conv2d": _convolution, "layer_norm": _layer_norm,
    **dict.fromkeys(_OF_TWO, _of_two),
}  # fmt: skip
