"""Initialisers under the names that their files in PaddlePaddle give them; `seed` sets the generator, not they."""

from __future__ import annotations

from typing import Any

from ..dygraph.nn import initializer as now
from ..fluid.initializer import ConstantInitializer, NormalInitializer, NumpyArrayInitializer, UniformInitializer

__all__ = [
    "ConstantInitializer", "MSRAInitializer", "NormalInitializer", "NumpyArrayInitializer",
    "TruncatedNormalInitializer", "UniformInitializer", "XavierInitializer",
]  # fmt: skip


class TruncatedNormalInitializer(now.TruncatedNormal):
    """Of the normal distribution around `loc` the numbers from `a` to `b`."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0, a: float = -2.0, b: float = 2.0) -> None:
        super().__init__(loc, scale, a, b)


def XavierInitializer(
    uniform: bool = True, fan_in: float | None = None, fan_out: float | None = None, seed: int = 0, gain: float = 1.0
) -> Any:
    """Glorot's initialiser, uniform or normal.

    >>> type(XavierInitializer(uniform=False)).__name__
    'XavierNormal'
    """
    return (now.XavierUniform if uniform else now.XavierNormal)(fan_in, fan_out, gain)


def MSRAInitializer(
    uniform: bool = True, fan_in: float | None = None, seed: int = 0, negative_slope: float = 0,
    nonlinearity: str = "relu", mode: str = "fan_in",
) -> Any:  # fmt: skip
    """He's initialiser, uniform or normal.

    >>> type(MSRAInitializer()).__name__
    'KaimingUniform'
    """
    return (now.KaimingUniform if uniform else now.KaimingNormal)(fan_in, negative_slope, nonlinearity, mode)
