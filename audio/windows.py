"""Windows by name, as formulas in double precision. Source: F. J. Harris, On the Use of Windows, 1978.

A symmetric window of n points samples its formula at n places from end to end; a periodic one is the symmetric window
of n + 1 points without the last.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..base.suggest import one_of

Array = np.ndarray[Any, Any]


def _cosines(n: int, *weights: float) -> Array:
    """A sum of cosines around the middle: weights[k] · cos(k · angle), angle from -π to π."""
    angle = np.linspace(-math.pi, math.pi, n)
    return np.asarray(sum(weight * np.cos(k * angle) for k, weight in enumerate(weights)))


def _from_middle(n: int) -> Array:
    return np.arange(n) - (n - 1) / 2


def _hamming(n: int, alpha: float = 0.54, beta: float = 0.46) -> Array:
    return _cosines(n, alpha, beta)


def _hann(n: int) -> Array:
    return _cosines(n, 0.5, 0.5)


def _blackman(n: int) -> Array:
    return _cosines(n, 0.42, 0.5, 0.08)


def _nuttall(n: int) -> Array:
    return _cosines(n, 0.3635819, 0.4891775, 0.1365995, 0.0106411)


def _bartlett(n: int) -> Array:
    return np.asarray(1 - np.abs(_from_middle(n)) * 2 / (n - 1))


def _triang(n: int) -> Array:
    return np.asarray(1 - np.abs(_from_middle(n)) * 2 / (n + n % 2))


def _cosine(n: int) -> Array:
    return np.asarray(np.sin(math.pi / n * (np.arange(n) + 0.5)))


def _bohman(n: int) -> Array:
    x = np.abs(np.linspace(-1, 1, n))
    made = (1 - x) * np.cos(math.pi * x) + np.sin(math.pi * x) / math.pi
    made[[0, -1]] = 0.0
    return made


def _kaiser(n: int, beta: float) -> Array:
    place = np.clip(1 - (_from_middle(n) * 2 / (n - 1)) ** 2, 0.0, None)
    return np.asarray(np.i0(beta * np.sqrt(place)) / np.i0(beta))


def _gaussian(n: int, std: float) -> Array:
    return np.asarray(np.exp(-0.5 * (_from_middle(n) / std) ** 2))


def _general_gaussian(n: int, p: float, sig: float) -> Array:
    return np.asarray(np.exp(-0.5 * np.abs(_from_middle(n) / sig) ** (2 * p)))


def _exponential(n: int, center: float | None = None, tau: float = 1.0) -> Array:
    middle = (n - 1) / 2 if center is None else center
    return np.asarray(np.exp(-np.abs(np.arange(n) - middle) / tau))


def _tukey(n: int, alpha: float = 0.5) -> Array:
    """Ones with the ends of a Hann window: alpha is the part that the ends take."""
    if alpha <= 0:
        return np.ones(n)
    if alpha >= 1:
        return _hann(n)
    edge = np.minimum(np.arange(n), n - 1 - np.arange(n))
    place = np.minimum(2 * edge / (alpha * (n - 1)), 1.0)
    return np.asarray(0.5 * (1 - np.cos(math.pi * place)))


def _taylor(n: int, nbar: int = 4, sll: float = 30, norm: bool = True) -> Array:
    """Side lobes of -sll decibels near the main one, `nbar` of them. Source: T. T. Taylor, 1955."""
    a = math.acosh(10 ** (sll / 20)) / math.pi
    scale = nbar**2 / (a**2 + (nbar - 0.5) ** 2)
    lobes = np.arange(1, nbar)
    weights = []
    for m in lobes:
        others = lobes[lobes != m]
        above = np.prod(1 - m**2 / scale / (a**2 + (lobes - 0.5) ** 2))
        weights.append((-1) ** (m + 1) * above / (2 * np.prod(1 - m**2 / others**2)))

    def at(place: Array | float) -> Array:
        angles = 2 * math.pi * np.multiply.outer(lobes, np.asarray(place) - n / 2 + 0.5) / n
        return np.asarray(1 + 2 * np.tensordot(np.array(weights), np.cos(angles), 1))

    made = at(np.arange(n))
    return made / at((n - 1) / 2) if norm else made


WINDOWS: dict[str, Callable[..., Array]] = {
    "bartlett": _bartlett, "blackman": _blackman, "bohman": _bohman, "cosine": _cosine, "exponential": _exponential,
    "gaussian": _gaussian, "general_gaussian": _general_gaussian, "hamming": _hamming, "hann": _hann,
    "kaiser": _kaiser, "nuttall": _nuttall, "taylor": _taylor, "triang": _triang, "tukey": _tukey,
}  # fmt: skip
# windows that mean nothing without their parameters
_ASKING = {"exponential", "gaussian", "general_gaussian", "kaiser", "taylor"}


def window(given: Any, length: int, periodic: bool) -> Array:
    """The window that a name, or a tuple of a name and parameters, stands for: f64[length].

    Errors: ArgumentError for an unknown window, a length below 0, or parameters that are missing.
    """
    name, parameters = (given[0], given[1:]) if isinstance(given, tuple) and given else (given, ())
    if not isinstance(name, str) or name not in WINDOWS:
        raise ArgumentError(f"there is no window {name!r}", remedy=one_of(str(name), WINDOWS))
    if int(length) != length or length < 0:
        raise ArgumentError(f"a window has a length of 0 or more, not {length}")
    if not isinstance(given, tuple) and name in _ASKING - {"exponential", "taylor"}:
        raise ArgumentError(
            f"the window {name!r} needs parameters",
            remedy=f"give a tuple of name and parameters: ({name!r}, 1.0)",
        )
    if length <= 1:
        return np.ones(int(length))
    made = WINDOWS[name](int(length) + periodic, *parameters)
    return made[:length]
