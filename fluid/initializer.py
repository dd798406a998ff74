"""Initialisers under their old names and signatures. A seed of its own makes a stream of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import DType
from ..base.errors import ArgumentError
from ..dygraph.nn import initializer as _now
from ..ops.dispatch import bottom

Initializer, NumpyArrayInitializer, BilinearInitializer = _now.Initializer, _now.Assign, _now.Bilinear
Bilinear = _now.Bilinear


class Constant(_now.Constant):
    """One number everywhere."""

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        super().__init__(value)


class Uniform(_now.Uniform):
    """Between `low` and `high`. `diag_num` elements of a matrix, `diag_step` rows and columns apart, are `diag_val`.

    Errors: ArgumentError where the diagonal is longer than the matrix.
    """

    def __init__(
        self, low: float = -1.0, high: float = 1.0, seed: int = 0, diag_num: int = 0, diag_step: int = 0,
        diag_val: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(low, high)
        _now.with_seed(self, seed)
        self.diagonal = (diag_num, diag_step, diag_val)
        self.draws_in_program = not diag_num

    def _make(self, shape: list[int], dtype: DType) -> Any:
        drawn = super()._make(shape, dtype)
        count, step, value = self.diagonal
        if not count:
            return drawn
        flat = np.array(drawn.numpy()).reshape(-1)
        if (count - 1) * (step + 1) >= flat.size:
            raise ArgumentError(f"Uniform: {count} elements {step + 1} apart don't fit into {flat.size}")
        flat[np.arange(count) * (step + 1)] = value
        return bottom().constant(flat.reshape(shape), dtype)


class Normal(_now.Normal):
    """The normal distribution around `loc`."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        super().__init__(loc, scale)
        _now.with_seed(self, seed)


class TruncatedNormal(_now.TruncatedNormal):
    """The normal distribution around `loc`, of numbers from `a` to `b`."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0, a: float = -2.0, b: float = 2.0) -> None:
        super().__init__(loc, scale, a, b)
        _now.with_seed(self, seed)


def Xavier(
    uniform: bool = True, fan_in: float | None = None, fan_out: float | None = None, seed: int = 0, gain: float = 1.0
) -> Any:
    """Glorot's initialiser, uniform or normal.

    >>> type(Xavier(uniform=False)).__name__
    'XavierNormal'
    """
    return _now.with_seed((_now.XavierUniform if uniform else _now.XavierNormal)(fan_in, fan_out, gain), seed)


def MSRA(
    uniform: bool = True, fan_in: float | None = None, seed: int = 0, negative_slope: float = 0.0,
    nonlinearity: str = "relu", mode: str = "fan_in",
) -> Any:  # fmt: skip
    """He's initialiser, uniform or normal.

    >>> type(MSRA()).__name__
    'KaimingUniform'
    """
    kind = _now.KaimingUniform if uniform else _now.KaimingNormal
    return _now.with_seed(kind(fan_in, negative_slope, nonlinearity, mode), seed)


ConstantInitializer, UniformInitializer, NormalInitializer = Constant, Uniform, Normal
TruncatedNormalInitializer, XavierInitializer, MSRAInitializer = TruncatedNormal, Xavier, MSRA

__all__ = [
    "MSRA",
    "Bilinear",
    "BilinearInitializer",
    "Constant",
    "ConstantInitializer",
    "Initializer",
    "MSRAInitializer",
    "Normal",
    "NormalInitializer",
    "NumpyArrayInitializer",
    "TruncatedNormal",
    "TruncatedNormalInitializer",
    "Uniform",
    "UniformInitializer",
    "Xavier",
    "XavierInitializer",
]
