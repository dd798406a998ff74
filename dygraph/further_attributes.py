"""Attributes of tensors that Paddle 3.3 has from PyTorch: `requires_grad`, `device`, `stride()`, `random_` and such."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import DType, as_dtype, bfloat16, bool_, float16, float32
from ..base.errors import ArgumentError, DTypeError, KindError
from ..ops.dims import product, same_shape
from ..ops.infer import axis_index
from ..ops.op import FUNCTIONS, OPS
from .device import DEVICE, Device
from .random_generators import default_generator, refill
from .tensor import Tensor

_WHOLE = {float16: 2**11, bfloat16: 2**8, float32: 2**24}  # the floats up to here are all whole numbers


def _needs_gradient(self: Tensor) -> bool:
    """Whether gradients are wanted: `not stop_gradient`."""
    return not self.stop_gradient


def _set_needs_gradient(self: Tensor, asked: bool) -> None:
    self.stop_gradient = not asked


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set `requires_grad`; gives the tensor itself."""
    self.stop_gradient = not requires_grad
    return self


def _device(self: Tensor) -> Device:
    """The device: "cpu", with `type` and `index`."""
    return DEVICE


def _layout(self: Tensor) -> str:
    """The layout of images: always "NCHW"."""
    return "NCHW"


def stride(self: Tensor, dim: int | None = None) -> Any:
    """How many elements lie from one element to the next, along each axis or along one of them.

    >>> Tensor([[1.0, 2.0, 3.0]]).stride(), Tensor([[1.0, 2.0, 3.0]]).stride(0)
    ([3, 1], 3)
    """
    shape = self.shape
    steps = [product(shape[k + 1 :]) for k in range(self.ndim)]
    return steps if dim is None else steps[axis_index(dim, self.ndim)]


def _strides(self: Tensor) -> Any:
    """`stride()`."""
    return stride(self)


def get_strides(self: Tensor) -> Any:
    """`stride()`."""
    return stride(self)


def _offset(self: Tensor) -> int:
    """How many bytes lie before the first element: always 0."""
    return 0


def _is_cuda(self: Tensor) -> bool:
    """Always false: there is only the CPU."""
    return False


def is_same_shape(self: Tensor, y: Tensor) -> bool:
    """Whether another tensor has the same sizes."""
    return bool(same_shape(self.shape, y.shape))


def dense_dim(self: Tensor) -> int:
    """The number of axes that aren't sparse: all."""
    return self.ndim


def sparse_dim(self: Tensor) -> int:
    """The number of sparse axes: none."""
    return 0


def split_with_sizes(self: Tensor, split_sizes: Sequence[int], dim: int = 0) -> list[Any]:
    """Parts along an axis, of the sizes that are listed: `split`.

    >>> [x.tolist() for x in Tensor([1, 2, 3]).split_with_sizes([1, 2])]
    [[1], [2, 3]]
    """
    return FUNCTIONS["split"](self, list(split_sizes), dim)  # type: ignore[no-any-return]


def to(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """Another dtype, named in any position, or that of another tensor; devices are accepted and ignored.

    Errors: ArgumentError for a string that names neither a dtype nor a device.
    """
    for target in (*args, kwargs.get("dtype"), kwargs.get("other")):
        if isinstance(target, Tensor):
            return self.astype(target.dtype)
        is_device = isinstance(target, str) and target.partition(":")[0] in _DEVICES
        if target is None or isinstance(target, bool) or is_device:
            continue
        if not hasattr(target, "device_type") and repr(target) != "Place(cpu)":
            return self.astype(_dtype_of(target))
    return self


def _dtype_of(target: Any) -> DType:
    try:
        return as_dtype(target)
    except DTypeError as error:
        if not isinstance(target, str):
            raise
        raise ArgumentError(f"Tensor.to: {target!r} is neither a dtype nor a device") from error


_DEVICES = ("cpu", "gpu", "cuda", "xpu")


def random_(self: Tensor, from_: int = 0, to: int | None = None) -> Tensor:
    """Overwrite with whole numbers evenly from [from_, to), by default from all that the dtype has from 0 on.

    Errors: ArgumentError where from_ isn't below to.
    """
    kind = self.dtype
    if to is None:
        largest = 2 if kind is bool_ else _WHOLE.get(kind, 2**53 if kind.is_floating else np.iinfo(np.int64).max)
        to = min(largest, int(np.iinfo(kind.numpy).max) + 1 if kind.is_integer else largest)
    if from_ >= to:
        raise ArgumentError(f"random_ needs from_ < to, not {from_} and {to}")
    drawn = default_generator.draw("randint", self.shape, "int64", low=int(from_), high=int(to))
    return refill(self, OPS["cast"](drawn, kind))


def resize_(self: Tensor, shape: Sequence[int], fill_zero: bool = False) -> Tensor:
    """Take another shape in place: elements keep their order, what doesn't fit is dropped, what is new is 0.

    fill_zero changes nothing here. Errors: ArgumentError for a negative size or a leaf that needs a gradient.

    >>> Tensor([1, 2, 3]).resize_([2, 2]).tolist()
    [[1, 2], [3, 0]]
    """
    sizes = [int(size) for size in shape]
    if any(size < 0 for size in sizes):
        raise ArgumentError(f"resize_: the sizes {sizes} must be at least 0")

    def resized(x: Tensor) -> Any:
        flat, wanted = OPS["reshape"](x, [-1]), product(sizes)
        missing = wanted - flat.shape[0]
        if missing > 0:
            flat = OPS["concat"]([flat, OPS["full"]([missing], 0, x.dtype)], axis=0)
        return OPS["reshape"](flat[:wanted], sizes)

    return self._update(resized, (), {}, reshapes=True)  # type: ignore[no-any-return]


def set_(
    self: Tensor, source: Tensor | None = None, shape: Sequence[int] | None = None,
    stride: Sequence[int] | None = None, offset: int = 0,
) -> Tensor:  # fmt: skip
    """Take the elements of `source`, or none; a shape picks them by strides, from `offset` bytes on.

    The source as it is shares its memory; of a shape the tensor gets a copy. Errors: KindError for other kinds of
    source, DTypeError where its dtype differs, ArgumentError for a leaf that needs a gradient.

    >>> Tensor([1, 2]).set_(Tensor([1, 2, 3, 4]), [2, 2], [1, 2]).tolist()
    [[1, 3], [2, 4]]
    """
    if source is None:
        return resize_(self, [0] if shape is None else shape)
    if not isinstance(source, Tensor):
        raise KindError(f"set_ takes a tensor, not a {type(source).__name__}")
    if source.dtype is not self.dtype:
        raise DTypeError(f"set_: the source is {source.dtype.name}, the tensor {self.dtype.name}")
    if shape is None and not offset:
        self._check_write()
        source._share_buffer_to(self)
        return self
    sizes = list(source.shape if shape is None else shape)
    steps = [product(sizes[k + 1 :]) for k in range(len(sizes))] if stride is None else list(stride)
    first = offset // self.dtype.itemsize
    part = FUNCTIONS["as_strided"](source, sizes, steps, first)
    return self._update(lambda _: part, (), {}, reshapes=True)  # type: ignore[no-any-return]


for _name, _get in {
    "device": _device, "layout": _layout, "strides": _strides, "offset": _offset, "is_cuda": _is_cuda,
}.items():  # fmt: skip
    setattr(Tensor, _name, property(_get))
for _fn in (
    requires_grad_, stride, to, get_strides, is_same_shape, dense_dim, sparse_dim, split_with_sizes, random_,
    resize_, set_,
):  # fmt: skip
    setattr(Tensor, _fn.__name__, _fn)
setattr(Tensor, "requires_grad", property(_needs_gradient, _set_needs_gradient))  # noqa: B010 - as the others
