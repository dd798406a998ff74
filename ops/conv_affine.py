"""Convolutions with an epilogue: a factor and a term per channel, another image added, negative elements cut off.

Programs get these two rows from the pass `conv_epilogue` (passes/fusion/conv_epilogue.py), after differentiation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import ShapeError
from . import conv_kernels
from .arith import is_value
from .conv import WINDOW, conv2d_row, kernel_of
from .dims import assume_equal, product
from .infer import require_same_dtype, show_shape
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, Sample, random_array, row
from .types import TensorType

_ATTRS = {**WINDOW, "relu": False}


def _infer(x: TensorType, weight: TensorType, *others: TensorType, relu: bool, **window: Any) -> TensorType:
    made = conv2d_row.infer(x, weight, **window)
    assert isinstance(made, TensorType)
    require_same_dtype("a convolution with an epilogue", (made, *others))
    wanted = [(made.shape[1],), (made.shape[1],), made.shape]
    for value, shape in zip(others, wanted, strict=False):
        pairs = zip(value.shape, shape, strict=False)
        if len(value.shape) != len(shape) or any(assume_equal(a, b) is False for a, b in pairs):
            raise ShapeError(f"a convolution with an epilogue needs {show_shape(shape)}, got {show_shape(value.shape)}")
    return made


def _prepare(
    interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    kernel_of("a convolution with an epilogue", values[1])
    return tuple(v if is_value(v) else interpreter.constant(v, None) for v in values), attrs


def _eager(x: Any, weight: Any, scale: Any, shift: Any, *others: Any, relu: bool, **window: Any) -> Any:
    y = conv_kernels.conv2d(x, weight, **window) * scale[:, None, None] + shift[:, None, None]
    for other in others:
        y = y + other
    return np.maximum(y, y.dtype.type(0)) if relu else y


def _samples(added: bool) -> list[Sample]:
    out = []
    for x, w, y, attrs in (
        ((2, 3, 5, 6), (4, 3, 3, 3), (2, 4, 3, 4), {"relu": True}),
        ((1, 4, 6, 5), (2, 2, 2, 2), (1, 2, 4, 3), {"groups": 2, "stride": (2, 2), "padding": ((1, 1), (1, 0))}),
    ):
        full = {"stride": (1, 1), "padding": ((0, 0), (0, 0)), "dilation": (1, 1), "groups": 1, "relu": False} | attrs
        shapes = [x, w, w[:1], w[:1], *([y] if added else [])]
        out.append(Sample(tuple(random_array(k, shape) for k, shape in enumerate(shapes)), full))
    return out


conv2d_affine = row(
    "conv2d_affine",
    "conv2d times scale [out] plus shift [out], and with `relu` at least 0: what bias, normalisation and relu become.",
    "x weight scale shift",
    attrs=dict(_ATTRS),
    infer=_infer,
    eager=_eager,
    prepare=_prepare,
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("conv.conv2d_affine"),
    work=lambda given, made, **_: made[0].size * (2 * product(given[1].shape[1:]) + 2),
    samples=lambda: _samples(added=False),
    method=False,
    public=False,
)

conv2d_affine_add = row(
    "conv2d_affine_add",
    "conv2d_affine with an image of the result's shape added before relu.",
    "x weight scale shift other",
    attrs=dict(_ATTRS),
    infer=_infer,
    eager=_eager,
    prepare=_prepare,
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("conv.conv2d_affine"),
    work=lambda given, made, **_: made[0].size * (2 * product(given[1].shape[1:]) + 3),
    samples=lambda: _samples(added=True),
    method=False,
    public=False,
)
