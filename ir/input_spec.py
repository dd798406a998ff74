"""InputSpec: what an argument of a compiled function looks like: a shape with holes, a dtype, a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..base.boundary import created
from ..base.dtype import DType, as_dtype
from ..base.errors import ArgumentError, KindError
from ..ops.dims import Dim, DimLike
from ..ops.sizes import is_runtime_name
from ..ops.types import TensorType
from .literals import is_symbol_name


class Symbols:
    """A supply of names for unknown sizes: N, M, K, … and then N1, N2, …; one for all arguments of a call.

    >>> supply = Symbols(["M"])
    >>> supply.fresh(), supply.fresh(), supply.named("batch")
    (N, K, batch)
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)

    def fresh(self) -> Dim:
        """A size with a new name."""
        name = next(n for n in _names() if n not in self.taken)
        return self.named(name)

    def named(self, name: str) -> Dim:
        """The size of this name."""
        self.taken.add(name)
        return Dim.symbol(name)


def _names() -> Iterator[str]:
    letters = "NMKLPQRSTUVWXYZ"
    yield from letters
    k = 1
    while True:
        yield f"N{k}"
        k += 1


class _Unsaid(str):
    """The default dtype, told apart from the same one given by hand."""

    __slots__ = ()


UNSAID = _Unsaid("float32")


@created
class InputSpec:
    """Shape, dtype and name of an argument. A size is an int, None or -1 (unknown), or a name.

    Axes of the same name have the same size. Without a dtype it is float32; calls may then come with another one.

    Errors: TypeError for a shape that is no list or tuple; ValueError for a size that is none of the above.

    >>> InputSpec([None, 784], "float32", "x")
    InputSpec(shape=(-1, 784), dtype=vitrify.float32, name=x, stop_gradient=False)
    """

    def __init__(
        self, shape: Iterable[Any], dtype: Any = UNSAID, name: str | None = None, stop_gradient: bool = False
    ) -> None:
        if not isinstance(shape, (list, tuple)):
            raise KindError(f"InputSpec's shape must be a list or tuple, not {type(shape).__name__}")
        self.shape: tuple[int | str, ...] = tuple(_checked_size(size, tuple(shape)) for size in shape)
        self.dtype: DType = as_dtype(dtype)
        self.dtype_given = dtype is not UNSAID
        self.name = name
        self.stop_gradient = bool(stop_gradient)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> InputSpec:
        """The spec of a tensor: its shape and dtype, and its name unless another is given.

        Symbolic sizes become unknown ones.
        """
        if not hasattr(tensor, "shape") or not hasattr(tensor, "dtype"):
            raise ArgumentError(f"InputSpec.from_tensor takes a tensor, not {type(tensor).__name__}")
        shape = [None if isinstance(d, Dim) else int(d) for d in tensor.shape]
        return cls(shape, tensor.dtype, name or getattr(tensor, "name", None))

    @classmethod
    def from_numpy(cls, ndarray: np.ndarray[Any, Any], name: str | None = None) -> InputSpec:
        """The spec of a NumPy array.

        >>> InputSpec.from_numpy(np.ones([2, 2], np.float32), "x").shape
        (2, 2)
        """
        return cls(list(ndarray.shape), ndarray.dtype, name)

    def batch(self, batch_size: Any) -> InputSpec:
        """Put an axis of this size in front, in place; returns the spec itself.

        >>> InputSpec([64]).batch(4).shape
        (4, 64)
        """
        size = batch_size
        if hasattr(size, "shape") and hasattr(size, "item"):
            if np.prod(tuple(size.shape)) != 1:
                raise ArgumentError(f"the batch size must have one element, not the shape {list(size.shape)}")
            size = size.item()
        elif isinstance(size, (list, tuple)):
            if len(size) != 1:
                raise ArgumentError(f"the batch size must have one element, not {len(size)}")
            size = size[0]
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)):
            raise KindError(f"the batch size must be an int, not {type(batch_size).__name__}")
        self.shape = (_checked_size(size, self.shape), *self.shape)
        return self

    def unbatch(self) -> InputSpec:
        """Take the first axis away, in place; returns the spec itself. ValueError for rank 0.

        >>> InputSpec([4, 64]).unbatch().shape
        (64,)
        """
        if not self.shape:
            raise ArgumentError("a spec without axes has no batch axis to take away")
        self.shape = self.shape[1:]
        return self

    def to_type(self, symbols: Symbols) -> TensorType:
        """The tensor type, unknown sizes named by `symbols`.

        >>> str(InputSpec([None, "batch", 3]).to_type(Symbols()))
        'f32[N, batch, 3]'
        """
        shape: list[DimLike] = []
        for size in self.shape:
            if isinstance(size, str):
                shape.append(symbols.named(size))
            else:
                shape.append(symbols.fresh() if size == -1 else size)
        return TensorType(self.dtype, tuple(shape))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InputSpec):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.stop_gradient))  # without the name, as in PaddlePaddle

    def _key(self) -> tuple[object, ...]:
        return self.shape, self.dtype, self.name, self.stop_gradient

    def __repr__(self) -> str:
        return (
            f"InputSpec(shape={self.shape}, dtype={self.dtype}, name={self.name}, stop_gradient={self.stop_gradient})"
        )


def input_types(specs: Iterable[InputSpec]) -> list[TensorType]:
    """The types of several arguments, with one supply of symbols: names the user gave are never given to other sizes.

    >>> [str(t) for t in input_types([InputSpec([None, 3]), InputSpec(["N"])])]
    ['f32[M, 3]', 'f32[N]']
    """
    listed = list(specs)
    symbols = Symbols(size for spec in listed for size in spec.shape if isinstance(size, str))
    return [spec.to_type(symbols) for spec in listed]


def _checked_size(size: Any, shape: tuple[Any, ...]) -> int | str:
    """A size as it is kept: an int, -1 for unknown, or a symbol's name."""
    if size is None:
        return -1
    if isinstance(size, str):
        if size == "None" or not is_symbol_name(size) or is_runtime_name(size):
            raise ArgumentError(
                f"a size can't be called {size!r} in InputSpec({list(shape)})", remedy="use a name like 'batch'"
            )
        return size
    if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < -1:
        raise ArgumentError(
            f"{size!r} is no size in InputSpec({list(shape)})",
            remedy="use an int, None or -1 for an unknown size, or a name",
        )
    return int(size)
