"""Convolutions and maxima over sparse images and volumes: coordinates of the sites, values [n, channels].

Each site meets each element of the filter: the pairs whose result lies inside are found from the coordinates alone, the
products are one matrix product of all sites with all elements, and those of the pairs are added up at their results.
A submanifold convolution has results at the sites of its input only. Source: Graham, van der Maaten, Submanifold
Sparse Convolutional Networks, 2017.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

from ...base.errors import ArgumentError, ShapeError
from ...ops.conv import ints, spatial_padding
from ...ops.infer import show_shape
from ...ops.op import FUNCTIONS, OPS
from .sparse_tensor import SparseCooTensor, added_at, indices_of, keys_of

_FORMATS = {2: "NHWC", 3: "NDHWC"}


@dataclass(frozen=True)
class _Window:
    """Which sites an element of the result is made of."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    dilation: tuple[int, ...]

    def sizes(self, shape: Any) -> list[Any]:
        """The sizes of the result for those of the input."""
        found = []
        for k, size in enumerate(shape):
            reach = self.dilation[k] * (self.kernel[k] - 1) + 1
            found.append((size + self.before[k] + self.after[k] - reach) // self.stride[k] + 1)
        return found


def _window(rank: int, kernel: Any, stride: Any, padding: Any, dilation: Any) -> _Window:
    pairs = spatial_padding(padding, rank, channels_last=True)
    kernel = ints("kernel_size", kernel, rank)
    if pairs == "SAME":
        raise ArgumentError('sparse convolutions take padding in numbers, not "SAME"')
    pairs = [(0, 0)] * rank if pairs == "VALID" else pairs
    before, after = zip(*pairs, strict=True)
    return _Window(kernel, ints("stride", stride, rank), before, after, ints("dilation", dilation, rank))


def _check(what: str, x: Any, rank: int, data_format: str) -> None:
    if data_format != _FORMATS[rank]:
        raise ArgumentError(f"{what}: data_format must be {_FORMATS[rank]}, not {data_format!r}")
    if not isinstance(x, SparseCooTensor):
        raise ArgumentError(f"{what} takes a sparse tensor of coordinates, not a {type(x).__name__}")
    if x.ndim != rank + 2 or x.sparse_axes != rank + 1:
        wanted = f"{what} needs rank {rank + 2} with coordinates of all axes but the channels"
        raise ShapeError(f"{wanted}, got {show_shape(x.shape)} with {x.sparse_axes} sparse axes")


def _pairs(x: SparseCooTensor, window: _Window, sizes: list[Any]) -> tuple[Any, Any, Any]:
    """Of all pairs of an element of the filter and a site that have a result: i64[q] element, site, key of the result.

    Keys count the results in a tensor [n, *sizes].
    """
    stack, cast = FUNCTIONS["stack"], OPS["cast"]
    indices = cast(x._indices, "int64")
    elements = list(itertools.product(*(range(k) for k in window.kernel)))
    keys, inside = [], []
    for element in elements:
        fits: Any = None
        places = [indices[0]]
        for axis, at in enumerate(element):
            place = indices[axis + 1] + (window.before[axis] - at * window.dilation[axis])
            stride = window.stride[axis]
            good = OPS["logical_and"](place >= 0, place < sizes[axis] * stride)
            if stride > 1:
                good = OPS["logical_and"](good, place % stride == 0)
                place = place // stride
            fits = good if fits is None else OPS["logical_and"](fits, good)
            places.append(place)
        keys.append(keys_of(places, [x.shape[0], *sizes]))
        inside.append(fits)
    chosen = OPS["reshape"](FUNCTIONS["nonzero"](OPS["reshape"](stack(inside), [-1])), [-1])
    sites = x._values.shape[0]
    return chosen // sites, chosen % sites, OPS["gather"](OPS["reshape"](stack(keys), [-1]), chosen, 0)


def _convolved(x: Any, weight: Any, bias: Any, window: _Window, submanifold: bool) -> SparseCooTensor:
    channels, filters = weight.shape[-2], weight.shape[-1]
    if x.shape[-1] != channels:
        raise ShapeError(f"a filter {show_shape(weight.shape)} is of {channels} channels, the input has {x.shape[-1]}")
    sizes = list(x.shape[1:-1]) if submanifold else window.sizes(x.shape[1:-1])
    element, site, key = _pairs(x, window, sizes)
    count = math.prod(window.kernel)
    by_site = OPS["transpose"](OPS["reshape"](weight, [count, channels, filters]), [1, 0, 2])
    products = OPS["matmul"](x._values, OPS["reshape"](by_site, [channels, count * filters]))
    products = OPS["reshape"](products, [-1, filters])  # of every site and element
    parts = OPS["gather"](products, site * count + element, 0)
    if submanifold:
        indices, values = x._indices, _at_sites(x, sizes, key, parts)
    else:
        keys, places = FUNCTIONS["unique"](key, return_inverse=True)
        indices = OPS["cast"](indices_of(keys, [x.shape[0], *sizes]), x._indices.dtype)
        values = added_at(parts, places, keys.shape[0])
    values = values if bias is None else values + bias
    return SparseCooTensor(indices, values, [x.shape[0], *sizes, filters], True)


def _at_sites(x: Any, sizes: list[Any], key: Any, parts: Any) -> Any:
    """The parts added up at the sites that have their keys; those that no site has are left out."""
    own = keys_of(OPS["cast"](x._indices, "int64"), [x.shape[0], *sizes])  # rises: x is coalesced
    place = FUNCTIONS["searchsorted"](own, key)
    place = OPS["minimum"](place, own.shape[0] - 1)
    hit = OPS["reshape"](FUNCTIONS["nonzero"](OPS["gather"](own, place, 0) == key), [-1])
    return added_at(OPS["gather"](parts, hit, 0), OPS["gather"](place, hit, 0), own.shape[0])


def conv2d(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NHWC", name: str | None = None,
) -> Any:  # fmt: skip
    """The correlation of sparse images [n, h, w, c] with filters [kh, kw, c, out], plus a bias [out] where sites are.

    Results are where a site lies under the filter, sorted. Errors: ShapeError; ArgumentError for groups above 1.
    """
    return _convolution(2, x, (weight, bias), (stride, padding, dilation), groups, data_format)


def conv3d(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NDHWC", name: str | None = None,
) -> Any:  # fmt: skip
    """The correlation of sparse volumes [n, d, h, w, c] with filters [kd, kh, kw, c, out]; see `conv2d`.

    >>> from vitrify import ones, sparse
    >>> x = sparse.sparse_coo_tensor([[0, 0], [0, 0], [0, 0], [1, 3]], [[1.0], [2.0]], [1, 1, 1, 4, 1])
    >>> conv3d(x, ones([1, 1, 2, 1, 1])).values().tolist()
    [[1.0], [1.0], [2.0]]
    """
    return _convolution(3, x, (weight, bias), (stride, padding, dilation), groups, data_format)


def subm_conv2d(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NHWC", key: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """As `conv2d`, with the filter's middle at each site, and results at the sites of the input only.

    stride and padding mean nothing, as in PaddlePaddle. `key` is accepted: nothing is stored under it.
    Errors: ShapeError; ArgumentError for groups above 1, a dilation, or a filter of an even size.
    """
    return _convolution(2, x, (weight, bias), (1, None, dilation), groups, data_format)


def subm_conv3d(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NDHWC", key: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """As `subm_conv2d`, of sparse volumes [n, d, h, w, c] and filters [kd, kh, kw, c, out]."""
    return _convolution(3, x, (weight, bias), (1, None, dilation), groups, data_format)


subm_conv2d_igemm, subm_conv3d_igemm = subm_conv2d, subm_conv3d


def _convolution(rank: int, x: Any, weights: Any, steps: Any, groups: int, data_format: str) -> Any:
    """`steps` is (stride, padding, dilation); a padding of None means a submanifold convolution."""
    weight, bias = weights
    stride, padding, dilation = steps
    submanifold = padding is None
    what = f"sparse {'subm_' if submanifold else ''}conv{rank}d"
    _check(what, x, rank, data_format)
    if groups != 1:
        raise ArgumentError(f"{what}: groups must be 1, not {groups}")
    if weight.ndim != rank + 2:
        raise ShapeError(f"{what} needs a filter of rank {rank + 2}, got {show_shape(weight.shape)}")
    kernel = list(weight.shape[:rank])
    if submanifold:
        padding = [(k - 1) // 2 for k in kernel]
        if any(k % 2 == 0 for k in kernel) or set(ints("dilation", dilation, rank)) != {1}:
            raise ArgumentError(f"{what} needs odd sizes and no dilation, not {kernel} and {dilation}")
        x = x.coalesce()
    return _convolved(x, weight, bias, _window(rank, kernel, stride, padding, dilation), submanifold)


def max_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    data_format: str = "NDHWC", name: str | None = None,
) -> Any:  # fmt: skip
    """The largest value of the sites under each window of sparse volumes [n, d, h, w, c]; none where there is no site.

    stride: that of the windows, by default their size. Errors: ShapeError; ArgumentError for ceil_mode.

    >>> from vitrify import sparse
    >>> x = sparse.sparse_coo_tensor([[0, 0], [0, 0], [0, 0], [0, 1]], [[-1.0], [-2.0]], [1, 1, 1, 4, 1])
    >>> max_pool3d(x, [1, 1, 2]).values().tolist()
    [[-1.0]]
    """
    _check("sparse max_pool3d", x, 3, data_format)
    if ceil_mode:
        raise ArgumentError("sparse max_pool3d has no ceil_mode")
    window = _window(3, kernel_size, kernel_size if stride is None else stride, padding, 1)
    sizes, channels = window.sizes(x.shape[1:-1]), x.shape[-1]
    x = x.coalesce()
    _, site, key = _pairs(x, window, sizes)
    keys, places = FUNCTIONS["unique"](key, return_inverse=True)
    parts = OPS["gather"](x._values, site, 0)
    index = FUNCTIONS["expand"](OPS["reshape"](places, [-1, 1]), [places.shape[0], channels])
    zeros = FUNCTIONS["zeros"]([keys.shape[0], channels], parts.dtype)
    values = FUNCTIONS["put_along_axis"](zeros, index, parts, 0, "amax", False, broadcast=False)
    indices = OPS["cast"](indices_of(keys, [x.shape[0], *sizes]), x._indices.dtype)
    return SparseCooTensor(indices, values, [x.shape[0], *sizes, channels], True)
