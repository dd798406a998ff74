"""Convolutions over images [n, channels, height, width]: three rows, each the gradient of the other two.

The eager kernels are in conv_kernels.py. conv1d and conv2d_transpose are written with the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ..base.dtype import FLOATS
from ..base.errors import ArgumentError, ShapeError
from . import conv_kernels
from .arith import is_value
from .dims import Dim, DimLike, assume_equal, concrete, product
from .families import common_dtype
from .infer import require_dtype, require_same_dtype, require_shape, show_shape, window_size
from .interpreter import Interpreter
from .lowering import Custom
from .moves import FAR
from .op import OPS, Sample, composite, random_array, row
from .types import TensorType

Pair: TypeAlias = tuple[int, int]
Padding: TypeAlias = tuple[Pair, Pair]
Prepared: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]
WINDOW = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}


def pair(name: str, value: Any, *, least: int = 1) -> Pair:
    """Two ints from one int or two; ArgumentError for anything else or below `least`."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    items = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    items = items * 2 if len(items) == 1 else items
    if len(items) != 2 or not all(hasattr(v, "__index__") and least <= v.__index__() <= FAR for v in items):
        raise ArgumentError(f"{name} must be an int or two ints of at least {least}, not {value!r}")
    return int(items[0]), int(items[1])


def ints(name: str, value: Any, rank: int, *, least: int = 1) -> tuple[int, ...]:
    """`rank` ints from one int, a list of one or of `rank`, or a tensor of those; ArgumentError otherwise."""
    value = value.tolist() if hasattr(value, "tolist") else value
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    items = items * rank if len(items) == 1 else items
    items = [v.item() if hasattr(v, "item") and not hasattr(v, "__index__") else v for v in items]
    if len(items) != rank or not all(hasattr(v, "__index__") and least <= v.__index__() <= FAR for v in items):
        raise ArgumentError(f"{name} must be an int or {rank} ints of at least {least}, not {value!r}")
    return tuple(int(v) for v in items)


def padding_pairs(padding: Any, size: Sequence[DimLike], kernel: Pair, stride: Pair, dilation: Pair) -> Padding:
    """((top, bottom), (left, right)) from an int, 2 or 4 ints, pairs (those of n and c too), "SAME" or "VALID"."""
    if isinstance(padding, str):
        if padding.upper() == "VALID":
            return (0, 0), (0, 0)
        if padding.upper() != "SAME":
            raise ArgumentError(f'padding must be ints, "SAME" or "VALID", not {padding!r}')
        same = [same_padding(*args) for args in zip(size, kernel, stride, dilation, strict=True)]
        return same[0], same[1]
    padding = padding.tolist() if isinstance(padding, np.ndarray) else padding
    items = list(padding) if isinstance(padding, (list, tuple)) else [padding]
    if items and all(isinstance(p, (list, tuple)) for p in items):
        rows, columns = (pair("padding", p, least=0) for p in items[-2:])
        return rows, columns
    if len(items) == 4:
        return pair("padding", items[:2], least=0), pair("padding", items[2:], least=0)
    rows_, columns_ = pair("padding", padding, least=0)
    return (rows_, rows_), (columns_, columns_)


def spatial_padding(padding: Any, rank: int, channels_last: bool = False) -> Any:
    """A pair (before, after) for each of `rank` image axes, in every form Paddle takes; "SAME" and "VALID" stay.

    Forms: an int, `rank` ints, 2 * rank ints, `rank` pairs, or rank + 2 pairs with those of n and c, which must be 0.

    >>> spatial_padding([1, 2], 2), spatial_padding([[0, 0], [0, 0], [1, 2]], 1)
    ([(1, 1), (2, 2)], [(1, 2)])
    """
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise ArgumentError(f'padding must be ints, "SAME" or "VALID", not {padding!r}')
        return padding.upper()
    padding = padding.tolist() if isinstance(padding, np.ndarray) else padding
    items = list(padding) if isinstance(padding, (list, tuple)) else [padding]
    if items and all(isinstance(p, (list, tuple)) for p in items):
        if len(items) == rank + 2:
            inner = slice(1, -1) if channels_last else slice(2, None)
            outer = [items[0], items[-1] if channels_last else items[1]]
            if any(tuple(p) != (0, 0) for p in outer):
                raise ArgumentError(f"padding of the batch and channel axes must be 0, not {padding!r}")
            items = items[inner]
        if len(items) == rank:
            return [pair("padding", p, least=0) for p in items]
    elif len(items) in (1, rank):
        items = items * rank if len(items) == 1 else items
        return [pair("padding", p, least=0) for p in items]
    elif len(items) == 2 * rank:
        return [pair("padding", items[k : k + 2], least=0) for k in range(0, 2 * rank, 2)]
    raise ArgumentError(f"padding must be an int, {rank} or {2 * rank} ints, or {rank} pairs, not {padding!r}")


def pool_padding(padding: Any, rank: int, last: bool, ceil_mode: bool) -> Any:
    """spatial_padding; ArgumentError for "VALID" with ceil_mode, whose last windows would reach over the edge."""
    pads = spatial_padding(padding, rank, last)
    if pads == "VALID" and ceil_mode:
        raise ArgumentError('padding="VALID" takes ceil_mode=False only', remedy="give the padding in numbers")
    return pads


def spread(padding: Any, dilation: Any) -> Any:
    """The dilation that counts: 1 beside padding="SAME", as in PaddlePaddle."""
    return 1 if padding == "SAME" else dilation


def same_padding(size: DimLike, kernel: int, stride: int, dilation: int) -> Pair:
    """The margins that make the result of a convolution as large as the image over the stride."""
    span = dilation * (kernel - 1) + 1
    if isinstance(size, Dim):
        if stride != 1:
            raise ArgumentError(
                f'padding="SAME" with stride {stride} needs a fixed image size, not {size}', remedy="give the padding"
            )
        total = span - 1
    else:
        total = max((-(-size // stride) - 1) * stride + span - size, 0)
    return total // 2, total - total // 2


def kernel_of(op: str, weight: Any) -> Pair:
    """Height and width of a filter [out, in / groups, height, width]."""
    rows, columns = weight.shape[2:]
    if rows < 1 or columns < 1:
        raise ShapeError(f"{op}: the filter {show_shape(weight.shape)} has no elements")
    return rows, columns


def of_known_size(weight: Any) -> Any:
    """A filter whose window's sizes are numbers: those of the call, for which a program that leaves them open is made.

    Errors: CaptureError for a size that only a run knows, or that an InputSpec leaves open without a call.
    """
    if not any(isinstance(size, Dim) for size in weight.shape[2:]):
        return weight
    ends, numbers = tuple(weight.shape[:2]), tuple(int(size) for size in weight.shape[2:])
    return OPS["reshape"](OPS["reshape"](weight, (*ends, product(numbers))), (*ends, *numbers))


def group_count(groups: Any) -> int:
    """The number of groups of a convolution. Errors: ArgumentError."""
    if not hasattr(groups, "__index__") or groups.__index__() < 1:
        raise ArgumentError(f"groups must be an int of at least 1, not {groups!r}")
    return int(groups)


def _window(attrs: dict[str, Any], size: Sequence[DimLike], kernel: Pair) -> dict[str, Any]:
    stride, dilation = pair("stride", attrs["stride"]), pair("dilation", attrs["dilation"])
    padding = padding_pairs(attrs["padding"], size, kernel, stride, dilation)
    return {"stride": stride, "padding": padding, "dilation": dilation, "groups": group_count(attrs["groups"])}


def _require_images(op: str, x: Any, weight: Any) -> None:
    if len(x.shape) != 4 or len(weight.shape) != 4:
        raise ShapeError(
            f"{op} needs images [n, channels, height, width] and filters [out, in / groups, height, width],"
            f" got {show_shape(x.shape)} and {show_shape(weight.shape)}",
            remedy="add the missing axis with unsqueeze",
        )


def output_size(size: Sequence[DimLike], kernel: Sequence[Any], a: dict[str, Any]) -> tuple[DimLike, ...]:
    """Height and width of the result of a convolution."""
    parts = zip(size, kernel, a["stride"], a["padding"], a["dilation"], strict=True)
    return tuple(window_size(n, k, s, p[0], p[1], d) for n, k, s, p, d in parts)


def _infer(x: TensorType, weight: TensorType, **a: Any) -> TensorType:
    dtype = require_same_dtype("conv2d", (x, weight))
    require_dtype("conv2d", dtype, FLOATS)
    _require_images("conv2d", x, weight)
    _check_channels("conv2d", x.shape[1], weight.shape, a["groups"])
    return TensorType(dtype, (x.shape[0], weight.shape[0], *output_size(x.shape[2:], weight.shape[2:], a)))


def _check_channels(op: str, channels: DimLike, weight: Sequence[DimLike], groups: int) -> None:
    if assume_equal(channels, weight[1] * groups) is False:
        raise ShapeError(
            f"{op}: images with {channels} channels don't fit filters {show_shape(weight)} in {groups} groups",
            remedy=f"the images need {weight[1] * groups} channels",
        )
    if isinstance(weight[0], int) and weight[0] % groups:
        raise ShapeError(f"{op}: {weight[0]} filters can't be split into {groups} groups")


def check_divides(op: str, channels: DimLike, groups: int) -> None:
    """ShapeError if the channels of a transposed convolution's images can't be split into groups."""
    if isinstance(channels, int) and channels % groups:
        raise ShapeError(f"{op}: {channels} channels can't be split into {groups} groups")


# ---- rows


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    x, weight = common_dtype(interpreter, values, to_float=True, allowed=FLOATS, name="conv2d")
    _require_images("conv2d", x, weight)
    weight = of_known_size(weight)
    return (x, weight), _window(attrs, x.shape[2:], kernel_of("conv2d", weight))


def _prepare_grad(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return tuple(v if is_value(v) else interpreter.constant(v, None) for v in values), attrs


def _vjp(g: Any, y: Any, x: Any, weight: Any, wanted: tuple[bool, ...] = (True, True), **a: Any) -> tuple[Any, ...]:
    return (
        conv2d_input_grad(g, weight, size=tuple(x.shape[2:]), **a) if wanted[0] else None,
        conv2d_weight_grad(x, g, kernel=tuple(weight.shape[2:]), **a) if wanted[1] else None,
    )


def _input_grad_vjp(g: Any, y: Any, dy: Any, weight: Any, *, size: Any, **a: Any) -> tuple[Any, ...]:
    return conv2d_row(g, weight, **a), conv2d_weight_grad(g, dy, kernel=tuple(weight.shape[2:]), **a)


def _weight_grad_vjp(g: Any, y: Any, x: Any, dy: Any, *, kernel: Any, **a: Any) -> tuple[Any, ...]:
    return conv2d_input_grad(dy, g, size=tuple(x.shape[2:]), **a), conv2d_row(x, g, **a)


def _input_grad_infer(g: TensorType, weight: TensorType, *, size: Any, **a: Any) -> TensorType:
    _require_images("conv2d_input_grad", g, weight)
    wanted = (weight.shape[0], *output_size(size, weight.shape[2:], a))
    require_shape("conv2d_input_grad", "g", g.shape[1:], wanted)
    return TensorType(
        require_same_dtype("conv2d_input_grad", (g, weight)), (g.shape[0], weight.shape[1] * a["groups"], *size)
    )


def _weight_grad_infer(x: TensorType, g: TensorType, *, kernel: Pair, **a: Any) -> TensorType:
    dtype = require_same_dtype("conv2d_weight_grad", (x, g))
    _require_images("conv2d_weight_grad", x, g)
    wanted = (x.shape[0], g.shape[1], *output_size(x.shape[2:], kernel, a))
    require_shape("conv2d_weight_grad", "g", g.shape, wanted)
    for channels in (x.shape[1], g.shape[1]):
        if isinstance(channels, int) and channels % a["groups"]:
            raise ShapeError(f"conv2d_weight_grad: {channels} channels in {a['groups']} groups")
    return TensorType(dtype, (g.shape[1], x.shape[1] // a["groups"], *kernel))


_CASES: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((2, 3, 5, 6), (4, 3, 3, 3), {}),
    ((1, 2, 6, 5), (3, 2, 3, 2), {"stride": (2, 1), "padding": ((1, 1), (0, 1))}),
    ((2, 4, 7, 7), (4, 2, 3, 3), {"groups": 2, "dilation": (2, 2), "padding": ((2, 2), (2, 2))}),
    ((1, 3, 6, 6), (3, 1, 2, 2), {"groups": 3, "stride": (2, 2)}),
    ((2, 3, 4, 4), (5, 3, 1, 1), {}),
]


def _full(attrs: dict[str, Any]) -> dict[str, Any]:
    return {"stride": (1, 1), "padding": ((0, 0), (0, 0)), "dilation": (1, 1), "groups": 1} | attrs


def _conv_samples() -> list[Sample]:
    return [Sample((random_array(1, x), random_array(2, w)), _full(a)) for x, w, a in _CASES]


def _gradient_samples(kind: str) -> list[Sample]:
    out = []
    for x, w, given in _CASES:
        a = _full(given)
        g = random_array(3, (x[0], w[0], *concrete(output_size(x[2:], (w[2], w[3]), a), {})))
        if kind == "input":
            out.append(Sample((g, random_array(2, w)), a | {"size": x[2:]}))
        else:
            out.append(Sample((random_array(1, x), g), a | {"kernel": w[2:]}))
    return out


def _taps(weight: TensorType) -> DimLike:
    """Multiplications with additions of one element of the result."""
    return product(weight.shape[1:])


conv2d_row = row(
    "conv2d",
    "The correlation of images [n, c, h, w] with filters [out, c / groups, kh, kw].",
    "x weight",
    attrs=dict(WINDOW),
    infer=_infer,
    eager=conv_kernels.conv2d,
    vjp=_vjp,
    prepare=_prepare,
    lowering=Custom("conv.conv2d"),
    work=lambda given, made, **_: 2 * made[0].size * _taps(given[1]),
    selective=True,
    samples=_conv_samples,
    method=False,
    public=False,
    onnx="Conv",
)
conv2d_input_grad = row(
    "conv2d_input_grad",
    "The gradient of conv2d with respect to its images, of height and width `size`; also a transposed convolution.",
    "g weight",
    attrs={"size": None, **WINDOW},
    infer=_input_grad_infer,
    eager=conv_kernels.input_grad,
    vjp=_input_grad_vjp,
    prepare=_prepare_grad,
    lowering=Custom("conv.conv2d_input_grad"),
    work=lambda given, made, **_: 2 * given[0].size * _taps(given[1]),
    samples=lambda: _gradient_samples("input"),
    method=False,
    public=False,
    onnx="ConvTranspose",
)
conv2d_weight_grad = row(
    "conv2d_weight_grad",
    "The gradient of conv2d with respect to its filters, of height and width `kernel`.",
    "x g",
    attrs={"kernel": None, **WINDOW},
    infer=_weight_grad_infer,
    eager=conv_kernels.weight_grad,
    vjp=_weight_grad_vjp,
    prepare=_prepare_grad,
    lowering=Custom("conv.conv2d_weight_grad"),
    work=lambda given, made, **_: 2 * given[1].size * _taps(made[0]),
    samples=lambda: _gradient_samples("weight"),
    method=False,
    public=False,
)

# ---- functions over the rows


def channels_first(x: Any, data_format: str) -> Any:
    """Images [n, h, w, c] as [n, c, h, w] (and other ranks alike) where `data_format` ends in C."""
    return OPS["transpose"](x, (0, x.ndim - 1, *range(1, x.ndim - 1))) if _is_channels_last(data_format) else x


def channels_as(x: Any, data_format: str) -> Any:
    """The inverse of channels_first."""
    return OPS["transpose"](x, (0, *range(2, x.ndim), 1)) if _is_channels_last(data_format) else x


FORMATS = {1: ("NCL", "NLC", "NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def _is_channels_last(data_format: str) -> bool:
    if not any(data_format in known for known in FORMATS.values()):
        raise ArgumentError(f"data_format must be NCHW, NHWC, NCL, NLC, NCDHW or NDHWC, not {data_format!r}")
    return data_format.endswith("C")


def channels_last(op: str, data_format: str, rank: int) -> bool:
    """Whether `data_format`, of images with `rank` axes, ends in the channels; ArgumentError for another format."""
    if data_format not in FORMATS[rank]:
        raise ArgumentError(f"{op}: data_format must be {' or '.join(FORMATS[rank][:2])}, not {data_format!r}")
    return data_format.endswith("C")


def add_bias(y: Any, bias: Any) -> Any:
    """y [n, c, …] + bias [c]; y itself for None."""
    return y if bias is None else y + OPS["reshape"](bias, (1, -1) + (1,) * (y.ndim - 2))


@composite(method=False)
def conv2d(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The correlation of images [n, c, h, w] with filters [out, c / groups, kh, kw], plus a bias [out].

    padding: an int, two (rows, columns), four (top, bottom, left, right), pairs, "SAME" (without dilation) or "VALID".
    """
    padding = spatial_padding(padding, 2, channels_last("conv2d", data_format, 2))
    y = conv2d_row(channels_first(x, data_format), weight, stride, padding, spread(padding, dilation), groups)
    return channels_as(add_bias(y, bias), data_format)


@composite(method=False)
def conv1d(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NCL", name: str | None = None,
) -> Any:  # fmt: skip
    """The correlation of sequences [n, c, l] with filters [out, c / groups, k], plus a bias [out]."""
    padding = row_padding(padding, channels_last("conv1d", data_format, 1))
    x = channels_first(x, data_format)
    if x.ndim != 3 or weight.ndim != 3:
        raise ShapeError(
            f"conv1d needs [n, c, l] and [out, c / groups, k], got {show_shape(x.shape)} and {show_shape(weight.shape)}"
        )
    y = conv2d_row(
        as_row(x),
        as_row(weight),
        (1, single("stride", stride)),
        padding,
        (1, single("dilation", spread(padding, dilation))),
        groups,
    )
    return channels_as(add_bias(from_row(y), bias), data_format)


def as_row(x: Any) -> Any:
    """[n, c, l] -> [n, c, 1, l]."""
    if x.ndim != 3:
        raise ShapeError(f"an input of three axes (batch, channels, length) is needed, not {show_shape(x.shape)}")
    return OPS["reshape"](x, (*x.shape[:2], 1, x.shape[2]))


def from_row(x: Any) -> Any:
    """[n, c, 1, l] -> [n, c, l]."""
    return OPS["reshape"](x, (*x.shape[:2], x.shape[3]))


def single(name: str, value: Any) -> int:
    """One int from an int or a list of one."""
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(items) != 1 or not hasattr(items[0], "__index__"):
        raise ArgumentError(f"{name} must be an int, not {value!r}")
    return int(items[0])


def row_padding(padding: Any, channels_last: bool = False) -> Any:
    """The padding of a sequence as that of an image of one row."""
    pairs = spatial_padding(padding, 1, channels_last)
    return pairs if isinstance(pairs, str) else [(0, 0), *pairs]


@composite(method=False)
def conv2d_transpose(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: int = 1,
    dilation: Any = 1, output_size: Any = None, data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The transposed convolution of images [n, c, h, w] with filters [c, out / groups, kh, kw], plus a bias [out].

    The size is (h - 1) * stride - padding + dilation * (kh - 1) + 1 + output_padding, or `output_size`.
    """
    padding = spatial_padding(padding, 2, channels_last("conv2d_transpose", data_format, 2))
    x = channels_first(x, data_format)
    _require_images("conv2d_transpose", x, weight)
    if assume_equal(x.shape[1], weight.shape[0]) is False:
        raise ShapeError(f"conv2d_transpose: images {show_shape(x.shape)} don't fit filters {show_shape(weight.shape)}")
    check_divides("conv2d_transpose", weight.shape[0], group_count(groups))
    weight = of_known_size(weight)
    kernel = kernel_of("conv2d_transpose", weight)
    given = {"stride": stride, "padding": padding, "dilation": spread(padding, dilation), "groups": groups}
    a = _window(given, x.shape[2:], kernel)
    size = transposed_size("conv2d_transpose", x.shape[2:], kernel, a, output_padding, output_size)
    return channels_as(add_bias(conv2d_input_grad(x, weight, size=size, **a), bias), data_format)


def transposed_size(
    op: str, shape: Sequence[DimLike], kernel: Sequence[int], a: dict[str, Any], output_padding: Any, output_size: Any
) -> tuple[DimLike, ...]:
    """The image size of a transposed convolution; at most one of output_padding and output_size may be given."""
    rank = len(kernel)
    extra = ints("output_padding", output_padding, rank, least=0)
    if output_size is not None and any(extra):
        raise ArgumentError(f"{op} takes output_padding or output_size, not both")
    parts = zip(shape, kernel, a["stride"], a["padding"], a["dilation"], extra, strict=True)
    least = [(n - 1) * s + (d * (k - 1) + 1 + e - p[0] - p[1]) for n, k, s, p, d, e in parts]
    if output_size is None:
        return tuple(least)
    size = ints("output_size", output_size, rank)
    for wanted, base, step in zip(size, least, a["stride"], strict=True):
        if isinstance(base, int) and not base <= wanted < base + step:
            raise ShapeError(f"{op}: output_size {wanted} must be from {base} to {base + step - 1}")
    return size
