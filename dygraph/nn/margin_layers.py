"""Layers that put margins around sequences, images and volumes, filled in one of four ways."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError, ShapeError
from ...ops.infer import show_shape
from ...ops.op import REQUIRED
from . import functional as F
from .alias import alias
from .layer_settings import FunctionLayer

__all__ = [
    "CircularPad1D", "CircularPad2D", "CircularPad3D", "ConstantPad1D", "ConstantPad2D", "ConstantPad3D", "Pad1D",
    "Pad2D", "Pad3D", "ReflectionPad1D", "ReflectionPad2D", "ReflectionPad3D", "ReplicationPad1D", "ReplicationPad2D",
    "ReplicationPad3D", "ZeroPad1D", "ZeroPad2D", "ZeroPad3D",
]  # fmt: skip


class _Pad(FunctionLayer):
    rank = 0
    fill = "constant"  # the mode of a class that takes none
    modes: tuple[str, ...] = ("constant", "reflect", "replicate", "circular")
    stored = {"mode": "_mode", "data_format": "_data_format"}
    mode, data_format = alias("_mode"), alias("_data_format")

    def _check(self, settings: dict[str, Any]) -> None:
        settings |= {"mode": self.fill, "value": 0.0} | settings
        mode = settings["mode"]
        if mode not in self.modes:
            raise ArgumentError(f"{type(self).__name__}: mode must be one of {', '.join(self.modes)}, not {mode!r}")
        padding = settings["padding"]
        padding = padding.tolist() if hasattr(padding, "tolist") else padding
        # margins by axis may be those of any rank, as in Paddle: `data_format` tells which
        is_listed = isinstance(padding, (list, tuple)) and len(padding) % 2 == 0
        if not is_listed and not isinstance(padding, int):
            told = f"{type(self).__name__}: padding must be a number, or two of each axis, not {padding!r}"
            raise ArgumentError(told, remedy=f"give {2 * self.rank} numbers, those of the last axis first")
        settings["padding"] = [padding] * (2 * self.rank) if isinstance(padding, int) else list(padding)

    def forward(self, x: Any) -> Any:
        if x.ndim != len(self._data_format):
            kind = type(self).__name__
            wanted = f"{kind} of {self._data_format} needs rank {len(self._data_format)}"
            raise ShapeError(f"{wanted}, got {show_shape(x.shape)}")
        return F.pad(x, self.padding, self._mode, self.value, self._data_format)

    def _told(self) -> str:
        return f"padding={self.padding}, mode={self._mode}, value={self.value}, data_format={self._data_format}"


class Pad1D(_Pad):
    """Margins (left, right) around sequences: constant, reflected, replicated or circular; an int is that of every
    side.
    """

    rank = 1
    settings = {"padding": REQUIRED, "mode": "constant", "value": 0.0, "data_format": "NCL"}


class ZeroPad1D(_Pad):
    """Margins of zeros (left, right) around sequences; an int is that of every side."""

    rank = 1
    settings = {"padding": REQUIRED, "data_format": "NCL"}


class Pad2D(_Pad):
    """Margins (left, right, top, bottom) around images: constant, reflected, replicated or circular; an int is that of
    every side.
    """

    rank = 2
    settings = {"padding": REQUIRED, "mode": "constant", "value": 0.0, "data_format": "NCHW"}


class ZeroPad2D(_Pad):
    """Margins of zeros (left, right, top, bottom) around images; an int is that of every side."""

    rank = 2
    settings = {"padding": REQUIRED, "data_format": "NCHW"}


class Pad3D(_Pad):
    """Margins (left, right, top, bottom, front, back) around volumes: constant, reflected, replicated or circular; an
    int is that of every side.
    """

    rank = 3
    settings = {"padding": REQUIRED, "mode": "constant", "value": 0.0, "data_format": "NCDHW"}


class ZeroPad3D(_Pad):
    """Margins of zeros (left, right, top, bottom, front, back) around volumes; an int is that of every side."""

    rank = 3
    settings = {"padding": REQUIRED, "data_format": "NCDHW"}


class ConstantPad1D(Pad1D):
    """Margins of one value (left, right) around sequences; an int is that of every side."""

    fill = "constant"
    settings = {"padding": REQUIRED, "value": REQUIRED, "data_format": "NCL"}


class ConstantPad2D(Pad2D):
    """Margins of one value (left, right, top, bottom) around images; an int is that of every side."""

    fill = "constant"
    settings = {"padding": REQUIRED, "value": REQUIRED, "data_format": "NCHW"}


class ConstantPad3D(Pad3D):
    """Margins of one value (left, right, top, bottom, front, back) around volumes; an int is that of every side."""

    fill = "constant"
    settings = {"padding": REQUIRED, "value": REQUIRED, "data_format": "NCDHW"}


class ReflectionPad1D(Pad1D):
    """Margins that mirror what is inside, without its edge, (left, right) around sequences; an int is that of
    every side.

    >>> from ..conversions import to_tensor
    >>> ReflectionPad1D([1, 0])(to_tensor([[[0.0, 1.0, 2.0]]])).tolist()
    [[[1.0, 0.0, 1.0, 2.0]]]
    """

    fill = "reflect"
    settings = {"padding": REQUIRED, "data_format": "NCL"}


class ReflectionPad2D(Pad2D):
    """Margins that mirror what is inside, without its edge, (left, right, top, bottom) around images; an int is
    that of every side.
    """

    fill = "reflect"
    settings = {"padding": REQUIRED, "data_format": "NCHW"}


class ReflectionPad3D(Pad3D):
    """Margins that mirror what is inside, without its edge, (left, right, top, bottom, front, back) around
    volumes; an int is that of every side.
    """

    fill = "reflect"
    settings = {"padding": REQUIRED, "data_format": "NCDHW"}


class ReplicationPad1D(Pad1D):
    """Margins that repeat the edge (left, right) around sequences; an int is that of every side.

    >>> from ..conversions import to_tensor
    >>> ReplicationPad1D([1, 0])(to_tensor([[[0.0, 1.0, 2.0]]])).tolist()
    [[[0.0, 0.0, 1.0, 2.0]]]
    """

    fill = "replicate"
    settings = {"padding": REQUIRED, "data_format": "NCL"}


class ReplicationPad2D(Pad2D):
    """Margins that repeat the edge (left, right, top, bottom) around images; an int is that of every side."""

    fill = "replicate"
    settings = {"padding": REQUIRED, "data_format": "NCHW"}


class ReplicationPad3D(Pad3D):
    """Margins that repeat the edge (left, right, top, bottom, front, back) around volumes; an int is that of
    every side.
    """

    fill = "replicate"
    settings = {"padding": REQUIRED, "data_format": "NCDHW"}


class CircularPad1D(Pad1D):
    """Margins that go on at the other end (left, right) around sequences; an int is that of every side.

    >>> from ..conversions import to_tensor
    >>> CircularPad1D([1, 0])(to_tensor([[[0.0, 1.0, 2.0]]])).tolist()
    [[[2.0, 0.0, 1.0, 2.0]]]
    """

    fill = "circular"
    settings = {"padding": REQUIRED, "data_format": "NCL"}


class CircularPad2D(Pad2D):
    """Margins that go on at the other end (left, right, top, bottom) around images; an int is that of every side."""

    fill = "circular"
    settings = {"padding": REQUIRED, "data_format": "NCHW"}


class CircularPad3D(Pad3D):
    """Margins that go on at the other end (left, right, top, bottom, front, back) around volumes; an int is that
    of every side.
    """

    fill = "circular"
    settings = {"padding": REQUIRED, "data_format": "NCDHW"}
