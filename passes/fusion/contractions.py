"""Which contractions have kernels that take what follows as their epilogue, and which operations they take.

A kernel of a contraction has its sums in a block that stays in the cache; elementwise operations behind it are computed
from there, whatever they are: bias, normalisation by fixed numbers, residuals, activations, masks of gradients.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.core import Operation, Value
from ...ops.dims import same_shape
from ...ops.lowering import Scalar
from ...ops.types import Shape
from .custom_gemm import adds_bytes, is_gemv, microkernel_of
from .fusion_facts import changes_only_ones, is_free, is_map, without_ones

# Elements of a filter for which there are kernels of tiles: per channel; of filters with more, in all; and of filters
# of one channel of their own, whose kernels write each out.
MAX_TAPS, MAX_ELEMENTS, MAX_OWN_TAPS = 1024, 16384, 200
FEW_TAPS = 128  # for which there are always kernels
BYTE_PRODUCT = "byte_matmul"
CONVOLUTIONS = ("conv2d", "conv2d_input_grad", "conv2d_winograd")


def takes_epilogue(operation: Operation) -> bool:
    """Whether there is a kernel for a contraction that computes what follows, too."""
    if operation.op.is_contraction:
        return microkernel_of(operation) is not None or is_gemv(operation)
    if operation.name == BYTE_PRODUCT:
        return adds_bytes(*(v.tensor_type for v in operation.operands))
    if operation.name == "conv2d_winograd":
        return operation.result.dtype.short in ("f32", "f64")
    return operation.name in CONVOLUTIONS and has_fixed_sizes(operation)


def is_head(operation: Operation) -> bool:
    """Whether an operation of a group is a contraction: a group has one at most."""
    return is_product(operation) or operation.name in CONVOLUTIONS


def is_product(operation: Operation) -> bool:
    """Whether an operation is a product of matrices, of bytes too."""
    return operation.op.is_contraction or operation.name == BYTE_PRODUCT


def has_fixed_sizes(convolution: Operation) -> bool:
    """Whether all sizes but the batch are known, and positive, and the filters small: there are kernels for these."""
    shapes = [v.tensor_type.shape for v in (*convolution.operands[:2], convolution.result)]
    known = all(isinstance(n, int) and n > 0 for shape in shapes for n in shape[1:])
    is_filter_gradient = convolution.name == "conv2d_weight_grad"
    channels, *kernel = shapes[2 if is_filter_gradient else 1][1:]
    return (
        known
        and convolution.result.dtype.short in ("f32", "f64")
        and (is_filter_gradient or isinstance(shapes[1][0], int))
        and _has_tiles(int(channels), int(kernel[0]) * int(kernel[1]), convolution.attrs["groups"])
    )


def _has_tiles(channels: int, taps: int, groups: int) -> bool:
    """Whether there are kernels of tiles for filters of so many elements: channels of a group, taps of each."""
    if taps <= FEW_TAPS:
        return True
    if channels == 1 and groups > 1:
        return taps <= MAX_OWN_TAPS
    return taps <= MAX_TAPS and channels * taps <= MAX_ELEMENTS


def reads_sums(head: Operation, readers: Sequence[Operation], domain: Shape) -> str:
    """Why the operations that read a contraction can't be its epilogue; empty where they can. readers: in order."""
    shape = head.result.tensor_type.shape
    if not same_shape(shape, domain):
        return "it runs over another shape"
    if is_product(head) and not all(isinstance(size, int) for size in shape):
        return "only a call tells how many rows it has: OpenBLAS may do it"
    if any(is_head(o) for o in readers):
        return "it is the epilogue of another contraction"
    depends = {head.result}
    for operation in readers:
        if not is_map(operation) and not is_free(operation):
            return f"{operation.name} stores elsewhere than at the element at hand"
        if depends.isdisjoint(operation.operands):
            continue
        if not isinstance(operation.op.lowering, Scalar) or not same_shape(operation.result.tensor_type.shape, shape):
            return f"{operation.name} reads other elements than the one at hand"
        depends.add(operation.result)
    return "" if is_product(head) else _reads_across(readers, domain)


def _reads_across(readers: Sequence[Operation], images: Shape) -> str:
    """Why the readers of images don't go through all pixels in one run; empty where they do."""
    for operation in readers:
        if is_free(operation):
            continue
        if isinstance(operation.op.lowering, Scalar):
            values: Sequence[Value] = [*operation.operands, operation.result]
        elif changes_only_ones(operation):
            values = operation.results
        else:
            return f"{operation.name} reads elements in another order"
        for value in values:
            if not _is_run(value.tensor_type.shape, images):
                return f"{operation.name} has an operand with other numbers for each row or column of an image"
    return ""


def _is_run(shape: Shape, images: Shape) -> bool:
    """Whether a value has an element for each pixel of the images, or the same one for all pixels of a channel."""
    window = (1, 1, *shape)[-2:]
    return not without_ones(window) or same_shape(window, images[-2:])
