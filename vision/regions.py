"""Features of regions, and convolutions whose places are learned.

A bilinear sample is a product of two weights, one for its row and one for its column: `roi_align` is two small matrix
products for each region.
Sources: He et al., Mask R-CNN, 2017; Girshick, Fast R-CNN, 2015; Dai et al., Deformable Convolutional Networks, 2017.
"""

from __future__ import annotations

import math
from typing import Any

from ..base.errors import ArgumentError, ShapeError
from ..dygraph.nn.initializer import Normal
from ..dygraph.nn.layer import Layer
from ..ops.conv import pair
from ..ops.infer import require, show_shape
from ..ops.op import FUNCTIONS, OPS

__all__ = ["DeformConv2D", "PSRoIPool", "RoIAlign", "RoIPool", "deform_conv2d", "psroi_pool", "roi_align", "roi_pool"]
_MOST_ELEMENTS = 2**24  # of the images copied for regions at once


def images_of(boxes_num: Any, count: Any) -> Any:
    """For each of `count` regions the number of its image. Errors: ArgumentError unless boxes_num adds up to count."""
    ends = FUNCTIONS["cumsum"](OPS["cast"](boxes_num, "int64"), 0)
    if not isinstance(boxes_num.shape[0], int) or boxes_num.shape[0]:
        require(OPS["equal"](ends[-1], count), f"boxes_num must add up to the boxes, {count}")
    places = FUNCTIONS["unsqueeze"](FUNCTIONS["arange"](0, count, dtype="int64"), 1)
    return OPS["sum"](OPS["cast"](places >= ends, "int64"), 1)


def _check(op: str, x: Any, boxes: Any) -> None:
    if x.ndim != 4 or boxes.ndim != 2 or boxes.shape[1] != 4:
        told = f"{show_shape(x.shape)}, {show_shape(boxes.shape)}"
        raise ShapeError(f"{op} takes x [n, c, h, w] and boxes [m, 4], got {told}")


def _in_parts(x: Any, images: Any, boxes: Any, work: Any) -> Any:
    """`work(images of some regions, these regions)` for few regions at a time, so that the copies stay small."""
    count, size = boxes.shape[0], math.prod(s if isinstance(s, int) else 1 for s in x.shape[1:])
    step = max(1, _MOST_ELEMENTS // max(size, 1))
    if not isinstance(count, int) or count <= step:
        return work(OPS["gather"](x, images, 0), boxes)
    pieces = [slice(k, min(k + step, count)) for k in range(0, count, step)]
    return OPS["concat"]([work(OPS["gather"](x, images[p], 0), boxes[p]) for p in pieces], 0)


def _weights(start: Any, size: Any, bins: int, length: Any, sampling_ratio: int) -> Any:
    """[m, bins, length]: how much each row of an image counts in each bin of each region."""
    each = FUNCTIONS["unsqueeze"](size / bins, 1)  # [m, 1]
    samples = FUNCTIONS["full_like"](each, float(sampling_ratio)) if sampling_ratio > 0 else OPS["ceil"](each)
    most = sampling_ratio if sampling_ratio > 0 else OPS["cast"](_largest(samples), "int64")
    unsqueeze, arange = FUNCTIONS["unsqueeze"], FUNCTIONS["arange"]
    k = arange(0, most, dtype="int64")
    k = OPS["cast"](k, start.dtype)
    used = OPS["cast"](k < samples, start.dtype)  # [m, most]
    inside = (k + 0.5) * each / FUNCTIONS["where"](samples > 0, samples, FUNCTIONS["ones_like"](samples))
    base = unsqueeze(start, 1) + OPS["cast"](arange(0, bins, dtype="int64"), start.dtype) * each  # [m, bins]
    places = unsqueeze(base, 2) + unsqueeze(inside, 1)  # [m, bins, most]
    valid = OPS["cast"](OPS["logical_and"](places >= -1.0, places <= float(length)), start.dtype) * unsqueeze(used, 1)
    places = unsqueeze(FUNCTIONS["clip"](places, 0.0, length - 1.0), 3)
    near = OPS["relu"](1.0 - OPS["abs"](places - OPS["cast"](arange(0, length, dtype="int64"), start.dtype)))
    total = OPS["sum"](near * unsqueeze(valid, 3), 2)
    return total / unsqueeze(OPS["maximum"](samples, 1.0), 2)


def _largest(samples: Any) -> Any:
    """The largest number of some, 1 where there is none."""
    if not (isinstance(samples.shape[0], int) and samples.shape[0]):
        samples = OPS["concat"]([samples, FUNCTIONS["ones"]([1, 1], samples.dtype)], 0)
    return OPS["max"](samples)


def roi_align(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, sampling_ratio: int = -1,
    aligned: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """The features of each region, averaged from bilinear samples: [m, c, *output_size].

    x [n, c, h, w]; boxes [m, 4] in coordinates that `spatial_scale` turns into x's; boxes_num i32[n]: regions of each
    image. sampling_ratio: samples along each axis of a bin; as many as the bin has rows where it is not above 0.
    aligned: elements stand at their centres, half an element from the edge. Gradients go to x, none to boxes.

    >>> from vitrify import ones, to_tensor
    >>> roi_align(ones([1, 2, 8, 8]), to_tensor([[1.0, 1.0, 5.0, 5.0]]), to_tensor([1]), 3).shape
    [1, 2, 3, 3]
    """
    _check("roi_align", x, boxes)
    rows, columns = pair("output_size", output_size)
    boxes = boxes.detach()
    shift = 0.5 if aligned else 0.0
    height, width = x.shape[2:]

    def work(chosen: Any, some: Any) -> Any:
        edges = some * spatial_scale - shift
        sizes = [edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1]]
        if not aligned:
            sizes = [OPS["maximum"](size, 1.0) for size in sizes]
        down = FUNCTIONS["unsqueeze"](_weights(edges[:, 1], sizes[1], rows, height, sampling_ratio), 1)
        across = FUNCTIONS["unsqueeze"](_weights(edges[:, 0], sizes[0], columns, width, sampling_ratio), 1)
        return OPS["matmul"](OPS["matmul"](down, chosen), OPS["transpose"](across, (0, 1, 3, 2)))

    return _in_parts(x, images_of(boxes_num, boxes.shape[0]), boxes, work)


def roi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: str | None = None
) -> Any:
    """The largest feature in each bin of each region: [m, c, *output_size]; 0 in bins without an element."""
    _check("roi_pool", x, boxes)
    rows, columns = pair("output_size", output_size)
    least = float(x.dtype.numpy.type(-3.0e38)) if x.dtype.itemsize >= 4 else -6.0e4

    def bins(low: Any, high: Any, count: int, length: Any) -> Any:
        """[m, count, length]: whether a row of the image is in a bin."""
        each = OPS["maximum"](high - low + 1.0, 1.0) / count
        k, places = (OPS["cast"](FUNCTIONS["arange"](0, n, dtype="int64"), low.dtype) for n in (count, length))
        each, low = FUNCTIONS["unsqueeze"](each, 1), FUNCTIONS["unsqueeze"](low, 1)
        first, last = OPS["floor"](k * each) + low, OPS["ceil"]((k + 1.0) * each) + low
        first, last = FUNCTIONS["unsqueeze"](first, 2), FUNCTIONS["unsqueeze"](last, 2)
        return OPS["logical_and"](places >= first, places < last)

    def most(values: Any, mask: Any, axis: int) -> Any:
        return OPS["max"](FUNCTIONS["where"](mask, values, FUNCTIONS["full_like"](values, least)), axis)

    def work(chosen: Any, some: Any) -> Any:
        edges = OPS["floor"](some * spatial_scale + 0.5)
        down = bins(edges[:, 1], edges[:, 3], rows, x.shape[2])
        across = bins(edges[:, 0], edges[:, 2], columns, x.shape[3])
        lines = [most(chosen, OPS["reshape"](down[:, p], (-1, 1, x.shape[2], 1)), 2) for p in range(rows)]
        wide = FUNCTIONS["stack"](lines, 2)
        cells = [most(wide, OPS["reshape"](across[:, q], (-1, 1, 1, x.shape[3])), 3) for q in range(columns)]
        made = FUNCTIONS["stack"](cells, 3)
        return FUNCTIONS["where"](made > least, made, FUNCTIONS["zeros_like"](made))

    return _in_parts(x, images_of(boxes_num, boxes.shape[0]), boxes, work)


def psroi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: str | None = None
) -> Any:
    """The mean of each bin of each region, each bin from channels of its own: [m, c / (rows · columns), rows, columns].

    Channel (k · rows + i) · columns + j is that of bin (i, j) of result channel k; 0 in bins without an element.
    Source: Dai et al., R-FCN, 2016. Errors: ShapeError for channels that don't divide.

    >>> from vitrify import ones, to_tensor
    >>> psroi_pool(ones([1, 8, 6, 6]), to_tensor([[0.0, 0.0, 5.0, 5.0]]), to_tensor([1]), 2).shape
    [1, 2, 2, 2]
    """
    _check("psroi_pool", x, boxes)
    rows, columns = pair("output_size", output_size)
    channels, height, width = x.shape[1:]
    if channels % (rows * columns):
        raise ShapeError(f"psroi_pool: {channels} channels aren't a multiple of {rows} * {columns} bins")

    def bins(low: Any, high: Any, count: int, length: Any) -> Any:
        """[m, count, length]: 1 for a row of the image that is in a bin."""
        each = FUNCTIONS["unsqueeze"](OPS["maximum"](high - low, 0.1) / count, 1)
        k, places = (OPS["cast"](FUNCTIONS["arange"](0, n, dtype="int64"), low.dtype) for n in (count, length))
        low = FUNCTIONS["unsqueeze"](low, 1)
        first = FUNCTIONS["unsqueeze"](OPS["floor"](k * each + low), 2)
        last = FUNCTIONS["unsqueeze"](OPS["ceil"]((k + 1.0) * each + low), 2)
        return OPS["cast"](OPS["logical_and"](places >= first, places < last), x.dtype)

    def work(chosen: Any, some: Any) -> Any:
        near, far = (OPS["floor"](some[:, k : k + 2] + 0.5) for k in (0, 2))
        near, far = near * spatial_scale, (far + 1.0) * spatial_scale
        down, across = bins(near[:, 1], far[:, 1], rows, height), bins(near[:, 0], far[:, 0], columns, width)
        parts = OPS["reshape"](chosen, (-1, channels // (rows * columns), rows, columns, height, width))
        total = OPS["sum"](parts * OPS["reshape"](down, (-1, 1, rows, 1, height, 1)), 4)
        total = OPS["sum"](total * OPS["reshape"](across, (-1, 1, 1, columns, width)), 4)
        area = FUNCTIONS["unsqueeze"](OPS["sum"](down, 2), 2) * FUNCTIONS["unsqueeze"](OPS["sum"](across, 2), 1)
        return total / FUNCTIONS["unsqueeze"](OPS["maximum"](area, 1.0), 1)

    return _in_parts(x, images_of(boxes_num, boxes.shape[0]), boxes, work)


def _corner(flat: Any, y: Any, x: Any, height: int, width: int) -> Any:
    """The elements at whole places of flat [n, d, c, h·w]; 0 outside."""
    inside = OPS["logical_and"](OPS["logical_and"](y >= 0, y < height), OPS["logical_and"](x >= 0, x < width))
    place = FUNCTIONS["clip"](y, 0, height - 1) * width + FUNCTIONS["clip"](x, 0, width - 1)
    place = FUNCTIONS["unsqueeze"](OPS["cast"](place, "int64"), 2)  # [n, d, 1, places]
    found = OPS["take_along_axis"](flat, FUNCTIONS["expand"](place, [*flat.shape[:3], place.shape[3]]), axis=3)
    return found * FUNCTIONS["unsqueeze"](OPS["cast"](inside, flat.dtype), 2)


def deform_conv2d(
    x: Any, offset: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    deformable_groups: int = 1, groups: int = 1, mask: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A convolution whose filters read x at places moved by `offset`, weighted by `mask` if there is one.

    x [n, c, h, w]; offset [n, 2·d·kh·kw, oh, ow], (y, x) for each element of the filter and each of the d deformable
    groups; mask [n, d·kh·kw, oh, ow]; weight [out, c / groups, kh, kw].
    """
    (down, across), (top, left), (dy, dx) = (pair(n, v, least=0) for n, v in (
        ("stride", stride), ("padding", padding), ("dilation", dilation)))  # fmt: skip
    n, channels, height, width = x.shape
    out, _, kh, kw = weight.shape
    rows, columns = offset.shape[2:]
    parts, taps = deformable_groups, kh * kw
    if offset.shape[1] != 2 * parts * taps or channels % parts or channels % groups:
        told = f"offset {show_shape(offset.shape)} doesn't fit weight {show_shape(weight.shape)}"
        raise ShapeError(f"deform_conv2d: {told}, or the channels don't divide by the groups")
    reshape = OPS["reshape"]

    def line(count: int, step: int, shape: tuple[int, ...]) -> Any:
        return reshape(OPS["cast"](FUNCTIONS["arange"](0, count, dtype="int64"), x.dtype) * float(step), shape)

    moved = reshape(offset, (n, parts, kh, kw, 2, rows, columns))
    y = moved[:, :, :, :, 0] + line(kh, dy, (kh, 1, 1, 1)) + line(rows, down, (rows, 1)) - float(top)
    z = moved[:, :, :, :, 1] + line(kw, dx, (kw, 1, 1)) + line(columns, across, (columns,)) - float(left)
    y, z = (reshape(v, (n, parts, taps * rows * columns)) for v in (y, z))
    y0, z0 = OPS["floor"](y), OPS["floor"](z)
    fy, fz = FUNCTIONS["unsqueeze"](y - y0, 2), FUNCTIONS["unsqueeze"](z - z0, 2)
    flat = reshape(x, (n, parts, channels // parts, height * width))
    read = (
        _corner(flat, y0, z0, height, width) * (1.0 - fy) * (1.0 - fz)
        + _corner(flat, y0, z0 + 1.0, height, width) * (1.0 - fy) * fz
        + _corner(flat, y0 + 1.0, z0, height, width) * fy * (1.0 - fz)
        + _corner(flat, y0 + 1.0, z0 + 1.0, height, width) * fy * fz
    )
    if mask is not None:
        read = read * reshape(mask, (n, parts, 1, taps * rows * columns))
    cells = reshape(read, (n, groups, channels // groups * taps, rows * columns))
    filters = reshape(weight, (groups, out // groups, channels // groups * taps))
    made = reshape(OPS["matmul"](filters, cells), (n, out, rows, columns))
    return made if bias is None else made + reshape(bias, (out, 1, 1))


class DeformConv2D(Layer):
    """`deform_conv2d` with a weight [out, in / groups, kh, kw] and a bias [out]; called with x, offset and mask.

    >>> from vitrify import ones, zeros
    >>> DeformConv2D(2, 4, 3, padding=1)(ones([1, 2, 5, 5]), zeros([1, 18, 5, 5])).shape
    [1, 4, 5, 5]
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, deformable_groups: int = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if in_channels % groups:
            raise ArgumentError(f"in_channels ({in_channels}) must be a multiple of groups ({groups})")
        kernel = pair("kernel_size", kernel_size)
        self._settings = (stride, padding, dilation, deformable_groups, groups)
        normal = Normal(0.0, math.sqrt(2.0 / (math.prod(kernel) * in_channels)))
        shape = [out_channels, in_channels // groups, *kernel]
        self.weight = self.create_parameter(shape, weight_attr, default_initializer=normal)
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def forward(self, x: Any, offset: Any, mask: Any = None) -> Any:
        """The convolution."""
        return deform_conv2d(x, offset, self.weight, self.bias, *self._settings, mask)


class RoIAlign(Layer):
    """`roi_align` with its settings; called with x, boxes and boxes_num."""

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size, self._spatial_scale = output_size, spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any, aligned: bool = True) -> Any:
        """The features."""
        return roi_align(x, boxes, boxes_num, self._output_size, self._spatial_scale, aligned=aligned)


class RoIPool(Layer):
    """`roi_pool` with its settings; called with x, boxes and boxes_num."""

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size, self._spatial_scale = output_size, spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """The features."""
        return roi_pool(x, boxes, boxes_num, self._output_size, self._spatial_scale)


class PSRoIPool(Layer):
    """See psroi_pool."""

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """[m, c / (rows · columns), rows, columns]."""
        return psroi_pool(x, boxes, boxes_num, self.output_size, self.spatial_scale)
