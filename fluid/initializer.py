"""Initialisers under their old names and signatures. Seeds of their own aren't kept: `seed` sets the generator."""

from __future__ import annotations

from typing import Any

from ..dygraph.nn import initializer as _now

Initializer, NumpyArrayInitializer, BilinearInitializer = _now.Initializer, _now.Assign, _now.Bilinear
Bilinear = _now.Bilinear


class Constant(_now.Constant):
    """One number everywhere."""

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        super().__init__(value)


class Uniform(_now.Uniform):
    """Between `low` and `high`."""

    def __init__(self, low: float = -1.0, high: float = 1.0, seed: int = 0) -> None:
        super().__init__(low, high)


class Normal(_now.Normal):
    """The normal distribution around `loc`."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        super().__init__(loc, scale)


class TruncatedNormal(_now.TruncatedNormal):
    """The normal distribution within two standard deviations of `loc`."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        super().__init__(loc, scale)


def Xavier(uniform: bool = True, fan_in: float | None = None, fan_out: float | None = None, seed: int = 0) -> Any:
    """Glorot's initialiser, uniform or normal.

    >>> type(Xavier(uniform=False)).__name__
    'XavierNormal'
    """
    return (_now.XavierUniform if uniform else _now.XavierNormal)(fan_in, fan_out)


def MSRA(uniform: bool = True, fan_in: float | None = None, seed: int = 0) -> Any:
    """He's initialiser, uniform or normal.

    >>> type(MSRA()).__name__
    'KaimingUniform'
    """
    return (_now.KaimingUniform if uniform else _now.KaimingNormal)(fan_in)


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
