"""Data to tensors and back: `to_tensor`, DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, KindError
from ..ops.argument_names import require_cpu
from ..ops.dispatch import current
from ..ops.mistakes import public
from .dense import DenseTensor
from .eager import from_array
from .tensor import Tensor
from .tensor_arrays import TensorArray


@public
def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True) -> Tensor:
    """A new tensor with a copy of `data`: a number, a nested list (of numbers or tensors), an array or a tensor.

    Python floats become the default dtype and ints int64; arrays keep theirs. place: ignored, all is on the CPU.

    >>> to_tensor([[1, 2], [3, 4]]).dtype, to_tensor([1.5]).dtype
    (vitrify.int64, vitrify.float32)
    """
    dtype = None if dtype is False else dtype  # as in Paddle, where callers of release 1 have `stop_gradient` here
    made = current().constant(data, None if dtype is None else as_dtype(dtype))
    made = made.detach() if isinstance(data, Tensor) and made is data else made
    made = made.snapshot(private=True)
    if stop_gradient or made._node is None:
        made._node, made.stop_gradient = None, stop_gradient
    # a static program makes it one of its variables
    return current().assigned(made, stop_gradient)  # type: ignore[no-any-return]


def tensor(
    data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """`to_tensor` in torch's spelling, as Paddle has it. device and pin_memory: ignored, all is on the CPU.

    >>> tensor([1.0, 2.0], requires_grad=True).stop_gradient
    False
    """
    return to_tensor(data, dtype, device, stop_gradient=not requires_grad)


@public
def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """A new tensor with a copy of numbers, lists, an array or a tensor. Errors: ArgumentError for `copy=False`.

    >>> asarray([1, 2]).tolist()
    [1, 2]
    """
    if copy is False:
        raise ArgumentError("asarray always copies", remedy="leave copy=False out")
    require_cpu(device)
    return to_tensor(obj, dtype, stop_gradient=not requires_grad)


@public
def from_numpy(ndarray: Any) -> Tensor:
    """A new tensor with a copy of an array's elements. Errors: KindError for anything else.

    >>> from_numpy(np.arange(2)).tolist()
    [0, 1]
    """
    if not isinstance(ndarray, np.ndarray):
        raise KindError(f"from_numpy takes an array, not a {type(ndarray).__name__}", remedy="use to_tensor")
    return to_tensor(ndarray)


@public
def is_tensor(x: object) -> bool:
    """Whether `x` is a Tensor, or an array of a static program."""
    return isinstance(x, TensorArray) or (isinstance(x, Tensor) and not (x.weak or x.is_ndarray))


def to_dlpack(x: Tensor | DenseTensor) -> Any:
    """A DLPack capsule over the tensor's memory; of a scope's tensor over a copy."""
    return x._to_dlpack() if isinstance(x, DenseTensor) else x.__dlpack__()


class _Capsule:
    """A bare DLPack capsule as the object that NumPy wants."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def from_dlpack(dlpack: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of another library's array on the CPU (or a DLPack capsule); a write moves it first.

    copy=True: over memory of its own. In static mode it is a scope's tensor, which can be fed.
    Errors: ArgumentError for what can't be read, or a device other than the CPU.

    >>> from_dlpack(np.arange(3)).tolist()
    [0, 1, 2]
    """
    require_cpu(device)
    array = _read_dlpack(dlpack)
    if current().is_static:
        return _dense(array)  # type: ignore[return-value]  # eager functions make tensors
    return from_array(array.copy()) if copy else from_array(array, shared=True)


def dense_from_dlpack(dlpack: Any) -> DenseTensor:
    """A scope's tensor with the elements of another library's array: `base.core.from_dlpack`."""
    return _dense(_read_dlpack(dlpack))


def _dense(array: Any) -> DenseTensor:
    made = DenseTensor()
    made.set(array)
    return made


def _read_dlpack(dlpack: Any) -> Any:
    source = dlpack if hasattr(dlpack, "__dlpack__") else _Capsule(dlpack)
    try:
        return np.from_dlpack(source)
    except (TypeError, RuntimeError, BufferError, ValueError, AttributeError) as error:
        raise ArgumentError(f"{type(dlpack).__name__} can't be read by DLPack: {error}") from error
