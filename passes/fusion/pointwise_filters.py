"""The gradient of 1 x 1 filters is a sum of products of matrices, one of each image: GEMMs where images are small.

A filter's gradient sums over the pixels, which are the depth of the product [filters, pixels] x [pixels, channels]. The
convolution's own kernel keeps a tile of sums over all images, and wins where there are many pixels and few sums.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...ops.dims import DimLike
from ...ops.linalg import matmul, matmul_add
from ...ops.op import OPS
from ..manager import Pass


@dataclass(frozen=True)
class PointwiseFilters(Pass):
    """Gradients of 1 x 1 filters become GEMMs, added up over the images, where sizes are known and that is faster."""

    name = "pointwise_filters"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if o.name == "conv2d_weight_grad" and _pays(o)]
        for operation in found:
            operation.result.replace_by(_products(operation))
            operation.erase()
        return bool(found)


def _pays(operation: Operation) -> bool:
    """Whether there is BLAS, and enough sums for the pixels of an image: no margins, groups or gaps."""
    target, attrs = current_target(), operation.attrs
    image, gradient = (v.tensor_type.shape for v in operation.operands)
    sizes = (*image, *gradient)
    if not target.blas or attrs["kernel"] != (1, 1) or attrs["groups"] != 1 or any(map(any, attrs["padding"])):
        return False
    if operation.result.dtype.short not in ("f32", "f64") or not all(isinstance(n, int) and n for n in sizes):
        return False
    batch, filters, height, width = gradient
    few = batch <= target.gemm.images and height * width <= target.gemm.pixels
    return few and filters * image[1] >= target.gemm.filters


def _products(operation: Operation) -> Value:
    x, g = operation.operands
    batch, filters, height, width = g.tensor_type.shape
    channels, strides = x.tensor_type.shape[1], operation.attrs["stride"]
    with ahead_of(operation).active():
        if strides != (1, 1):
            x = OPS["slice"](x, [0] * 4, [batch, channels, height, width], [1, 1, *strides])
        made = None
        for k in range(batch):
            seen, wanted = (_matrix(v, k, rows, height * width) for v, rows in ((x, channels), (g, filters)))
            flags = {"transpose_x": False, "transpose_y": True}
            made = matmul(wanted, seen, **flags) if made is None else matmul_add(made, wanted, seen, **flags)
        made = OPS["reshape"](made, operation.result.tensor_type.shape)
    assert isinstance(made, Value)
    return made


def _matrix(images: Value, k: int, rows: DimLike, columns: DimLike) -> Value:
    """One image, as it lies in memory: [rows, columns]."""
    one = OPS["slice"](images, [k, 0, 0, 0], [1, *images.tensor_type.shape[1:]])
    made = OPS["reshape"](one, (rows, columns))
    assert isinstance(made, Value)
    return made
