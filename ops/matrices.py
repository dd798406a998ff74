"""What rows of square and stacked matrices share: type checks, adjoints, samples, NumPy's errors as typed ones."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtype import COMPLEX, FLOATS
from ..base.errors import ArgumentError, ShapeError
from .complex import conj
from .dims import DimLike, assume_equal, at_least
from .families import common_dtype
from .indexing import getitem
from .infer import require_dtype, show_shape
from .interpreter import Interpreter
from .op import OPS, random_array
from .rearrange import swapaxes
from .types import Shape, TensorType

Prepared = tuple[tuple[Any, ...], dict[str, Any]]
FIELDS = (*FLOATS, *COMPLEX)


def prepare_matrices(name: str) -> Callable[[Interpreter, list[Any], dict[str, Any]], Prepared]:
    """Operands in one float or complex dtype, integers made floats; attributes as they are."""

    def prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
        return common_dtype(interpreter, values, to_float=True, allowed=FIELDS, name=name), attrs

    return prepare


def require_matrix(name: str, x: TensorType | Any) -> tuple[Shape, DimLike, DimLike]:
    """Leading axes, rows and columns of a stack of matrices."""
    shape = tuple(x.shape)
    if len(shape) < 2:
        raise ShapeError(
            f"{name} needs a matrix or a stack of them, got shape {show_shape(shape)}", remedy="give at least two axes"
        )
    require_dtype(name, x.dtype, FIELDS)
    return shape[:-2], shape[-2], shape[-1]


def require_square(name: str, x: TensorType | Any) -> DimLike:
    """The size of square matrices."""
    _, rows, columns = require_matrix(name, x)
    if assume_equal(rows, columns) is False:
        raise ShapeError(f"{name} needs square matrices, got shape {show_shape(x.shape)}")
    return rows


def smaller(a: DimLike, b: DimLike) -> DimLike:
    """The lesser of two sizes; of symbolic ones by a question to the trace."""
    return a if at_least(b, a) else b


def transposed(x: Any) -> Any:
    """The last two axes exchanged."""
    return swapaxes(x, -1, -2)


def adjoint(x: Any) -> Any:
    """The conjugate transpose."""
    return conj(swapaxes(x, -1, -2))


def identity_like(x: Any) -> Any:
    """The identity matrix [n, n] in the dtype of square matrices x."""
    return OPS["eye"](x.shape[-1], None, x.dtype)


def zeros_like(x: Any) -> Any:
    """Zeros of the shape and dtype of a value or spec."""
    return OPS["full"](x.shape, 0, x.dtype)


def column(x: Any) -> Any:
    """[..., n] as [..., n, 1]."""
    return OPS["reshape"](x, (*x.shape, 1))


def row_vector(x: Any) -> Any:
    """[..., n] as [..., 1, n]."""
    return OPS["reshape"](x, (*x.shape[:-1], 1, x.shape[-1]))


def typed_errors(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """NumPy's LinAlgError as an ArgumentError that names the function."""

    def wrap(kernel: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(kernel)
        def run(*arrays: Any, **attrs: Any) -> Any:
            try:
                return kernel(*arrays, **attrs)
            except np.linalg.LinAlgError as error:
                raise ArgumentError(
                    f"{name}: {error}", remedy="check the input for singular matrices and NaN"
                ) from error

        return run

    return wrap


def columns(x: Any, start: Any, stop: Any = None) -> Any:
    """Some columns, or elements of the last axis."""
    return getitem(x, (..., slice(start, stop)))


def rows(x: Any, start: Any, stop: Any = None) -> Any:
    """Some rows, the last axis but one."""
    return getitem(x, (..., slice(start, stop), slice(None)))


def square_sample(seed: int, shape: tuple[int, ...], dtype: str = "float64") -> Any:
    """Random well-conditioned square matrices."""
    return (random_array(seed, shape, -1.0, 1.0) + 2.0 * np.eye(shape[-1])).astype(dtype)


def complex_sample(seed: int, shape: tuple[int, ...]) -> Any:
    """Random complex matrices."""
    return random_array(seed, shape, -1.0, 1.0) + 1j * random_array(seed + 50, shape, -1.0, 1.0)
