"""Windows as functions of their own, which `vitrify` has at the top: hann_window(512) and its like."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError
from ..dygraph.conversions import to_tensor
from .windows import window

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]


def bartlett_window(window_length: int, periodic: bool = True, *, dtype: Any = "float32", **settings: Any) -> Any:
    """A triangle from 0 to 1 and back: [window_length]. The settings are those of `hann_window`.

    >>> bartlett_window(5, periodic=False).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return _made("bartlett", window_length, periodic, dtype, settings)


def blackman_window(window_length: int, periodic: bool = True, *, dtype: Any = "float32", **settings: Any) -> Any:
    """0.42 + 0.5 cos + 0.08 cos of the double angle: [window_length]. The settings are those of `hann_window`."""
    return _made("blackman", window_length, periodic, dtype, settings)


def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Any = "float32",
    **settings: Any,
) -> Any:  # fmt: skip
    """alpha + beta cos: [window_length]. The settings are those of `hann_window`.

    >>> [round(v, 2) for v in hamming_window(4, alpha=0.5, beta=0.5).tolist()]
    [0.0, 0.5, 1.0, 0.5]
    """
    return _made(("hamming", alpha, beta), window_length, periodic, dtype, settings)


def hann_window(window_length: int, periodic: bool = True, *, dtype: Any = "float32", **settings: Any) -> Any:
    """0.5 + 0.5 cos from one end to the other: [window_length].

    periodic: one period for transforms; False: symmetric, for filters. requires_grad: whether gradients reach it.
    `layout`, `device` and `pin_memory` are accepted and mean nothing on a CPU.
    Errors: ArgumentError for a length below 0, another setting, or a dtype that is no float.

    >>> [round(v, 4) for v in hann_window(5).tolist()]
    [0.0, 0.3455, 0.9045, 0.9045, 0.3455]
    """
    return _made("hann", window_length, periodic, dtype, settings)


def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Any = "float32", **settings: Any
) -> Any:
    """Kaiser's window, which narrows with beta: [window_length]. The settings are those of `hann_window`."""
    return _made(("kaiser", beta), window_length, periodic, dtype, settings)


def _made(kind: Any, length: int, periodic: bool, dtype: Any, settings: dict[str, Any]) -> Any:
    unknown = sorted(set(settings) - {"layout", "device", "pin_memory", "requires_grad"})
    if unknown:
        raise ArgumentError(f"a window has no setting {unknown[0]!r}")
    wanted = as_dtype("float32" if dtype is None else dtype)
    if not wanted.is_floating:
        raise ArgumentError(f"a window is of floats, not {wanted.name}")
    made = to_tensor(np.asarray(window(kind, length, periodic), wanted.numpy))
    made.stop_gradient = not settings.get("requires_grad", False)
    return made
