"""Complex numbers: their parts, conjugates and angles. Gradients are Paddle's: d/d(re) + i d/d(im) of a real result."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import COMPLEX, FLOATS
from ..base.errors import DTypeError, ShapeError
from .activation import as_float
from .arith import is_value
from .dims import assume_equal
from .dispatch import current
from .families import common_dtype, real_dtype, sum_to
from .infer import broadcast_shapes, require_dtype, require_same_dtype, show_shape
from .interpreter import Interpreter
from .lowering import Point
from .op import FUNCTIONS, OPS, Op, Sample, composite, random_array, row
from .types import TensorType

Prepared = tuple[tuple[Any, ...], dict[str, Any]]


def _complex_array(seed: int, shape: tuple[int, ...], dtype: str = "complex128") -> Any:
    return (random_array(seed, shape) + 1j * random_array(seed + 50, shape)).astype(dtype)


def _samples() -> list[Sample]:
    return [Sample((_complex_array(1, (3, 4)),)), Sample((_complex_array(2, (), "complex64"),))]


def _part(name: str, doc: str, eager: Any, vjp: Any, *, real: bool) -> Op:
    def infer(x: TensorType) -> TensorType:
        require_dtype(name, x.dtype, COMPLEX)
        return TensorType(real_dtype(x.dtype) if real else x.dtype, x.shape)

    return row(name, doc, "x", infer=infer, eager=eager, vjp=vjp, samples=_samples)


_conj_row = _part(
    "conj", "The complex conjugate of every element.", np.conj, lambda g, y, x: (OPS["conj"](g),), real=False
)
_real_row = _part(
    "real", "The real part of every element.", lambda x: x.real.copy(),
    lambda g, y, x: (OPS["complex"](g, OPS["full"](g.shape, 0.0, g.dtype)),), real=True,
)  # fmt: skip
_imag_row = _part(
    "imag", "The imaginary part of every element.", lambda x: x.imag.copy(),
    lambda g, y, x: (OPS["complex"](OPS["full"](g.shape, 0.0, g.dtype), g),), real=True,
)  # fmt: skip


def _prepare_complex(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return common_dtype(interpreter, values, to_float=True, allowed=FLOATS, name="complex"), attrs


def _infer_complex(real: TensorType, imag: TensorType) -> TensorType:
    dtype = require_same_dtype("complex", (real, imag))
    require_dtype("complex", dtype, FLOATS)
    return TensorType(dt.complex128 if dtype is dt.float64 else dt.complex64, broadcast_shapes(real.shape, imag.shape))


def _complex_eager(real: Any, imag: Any) -> Any:
    made = np.empty(np.broadcast_shapes(real.shape, imag.shape), np.result_type(real.dtype, np.complex64))
    made.real, made.imag = real, imag
    return made


make_complex = row(
    "complex",
    "Complex numbers from their real and imaginary parts, which broadcast.",
    "real imag",
    prepare=_prepare_complex,
    infer=_infer_complex,
    eager=_complex_eager,
    vjp=lambda g, y, real, imag: (sum_to(OPS["real"](g), real.shape), sum_to(OPS["imag"](g), imag.shape)),
    samples=lambda: [
        Sample((random_array(1, (3, 1)), random_array(2, (4,)))),
        Sample((random_array(1, (), dtype="float32"), random_array(2, (), dtype="float32"))),
    ],
    method=False,
)


def _value(x: Any) -> Any:
    return x if is_value(x) else current().constant(x, None)


@composite("conj")
def conj(x: Any, name: str | None = None) -> Any:
    """The complex conjugate of every element; a real tensor as it is. Same shape and dtype."""
    x = _value(x)
    return _conj_row(x) if x.dtype.is_complex else x


@composite("real")
def real(x: Any, name: str | None = None) -> Any:
    """The real part of every element, in the float dtype of the parts; a real tensor as it is."""
    x = _value(x)
    return _real_row(x) if x.dtype.is_complex else x


@composite("imag")
def imag(x: Any, name: str | None = None) -> Any:
    """The imaginary part of every element, in the float dtype of the parts; zeros for a real tensor."""
    x = _value(x)
    return _imag_row(x) if x.dtype.is_complex else OPS["full"](x.shape, 0, x.dtype)


@composite()
def angle(x: Any, name: str | None = None) -> Any:
    """The angle of every element in the complex plane, from -pi to pi: 0 or pi for a real one; NaN stays."""
    x = _value(x)
    if x.dtype.is_complex:
        up, along = imag(x), real(x)
        origin = OPS["logical_and"](
            OPS["equal"](up, 0), OPS["equal"](along, 0)
        )  # where there is no slope: 0, as Paddle
        up = OPS["where"](origin, OPS["stop_gradient"](up), up)
        along = OPS["where"](origin, FUNCTIONS["copysign"](OPS["full"](along.shape, 1.0, along.dtype), along), along)
        return OPS["atan2"](up, along)
    if not x.dtype.is_floating:
        raise DTypeError(f"angle needs a float or complex tensor, not {x.dtype.name}", remedy="convert with astype()")
    return OPS["where"](x < 0, math.pi, OPS["where"](x >= 0, 0.0, 0.0 * x))


def _infer_joined(x: TensorType) -> TensorType:
    if not x.rank or assume_equal(x.shape[-1], 2) is False:
        raise ShapeError(f"as_complex needs a last axis of size 2, got shape {show_shape(x.shape)}")
    if x.dtype not in FLOATS:
        raise DTypeError(f"as_complex needs float32 or float64, not {x.dtype.name}", remedy="convert with astype()")
    return TensorType(dt.complex128 if x.dtype is dt.float64 else dt.complex64, x.shape[:-1])


def _infer_parts(x: TensorType) -> TensorType:
    if not x.dtype.is_complex:
        raise DTypeError(f"as_real needs a complex tensor, not {x.dtype.name}", remedy="use vt.complex to make one")
    return TensorType(real_dtype(x.dtype), (*x.shape, 2))


def _joined(x: Any) -> Any:
    made = np.empty(x.shape[:-1], np.result_type(x.dtype, np.complex64))
    made.real, made.imag = x[..., 0], x[..., 1]
    return made


# In memory both are the same: the parts of a number lie beside each other.
_SAME = Point(lambda ctx, index: ctx.load(0, index), inline=False, alias=lambda inputs, attrs: 0)

as_complex = row(
    "as_complex",
    "A real tensor [..., 2] of parts as complex numbers [...].",
    "x",
    infer=_infer_joined,
    eager=_joined,
    vjp=lambda g, y, x: (OPS["as_real"](g),),
    lowering=_SAME,
    samples=lambda: [Sample((random_array(1, (3, 2)),)), Sample((random_array(2, (2,), dtype="float32"),))],
)

as_real = row(
    "as_real",
    "Complex numbers [...] as their parts [..., 2].",
    "x",
    infer=_infer_parts,
    eager=lambda x: np.stack([x.real, x.imag], -1),
    vjp=lambda g, y, x: (OPS["as_complex"](g),),
    lowering=_SAME,
    samples=_samples,
)


@composite(method=False)
def polar(abs: Any, angle: Any, name: str | None = None) -> Any:
    """Complex numbers from their absolute values and angles; both broadcast."""
    abs, angle = as_float(abs), as_float(angle)
    return make_complex(abs * OPS["cos"](angle), abs * OPS["sin"](angle))


def _require_tensor(x: Any, what: str) -> None:
    if not is_value(x):
        raise DTypeError(f"{what} needs a Tensor, not {type(x).__name__}", remedy="use vt.to_tensor first")


@composite(method=False)
def is_complex(x: Any) -> bool:
    """Whether a tensor's dtype is complex. TypeError for what isn't a tensor."""
    _require_tensor(x, "is_complex")
    return bool(x.dtype.is_complex)


@composite(method=False)
def is_floating_point(x: Any) -> bool:
    """Whether a tensor's dtype is a float. TypeError for what isn't a tensor."""
    _require_tensor(x, "is_floating_point")
    return bool(x.dtype.is_floating)


@composite(method=False)
def is_integer(x: Any) -> bool:
    """Whether a tensor's dtype is an integer. TypeError for what isn't a tensor."""
    _require_tensor(x, "is_integer")
    return bool(x.dtype.is_integer)
