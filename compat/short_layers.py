"""Convolutions and margins with PyTorch's names, and its spelling `bias=False`, as PaddlePaddle 3.3 has them."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError
from ..dygraph.nn.conv_layers import Conv1D, Conv2D, Conv3D
from ..dygraph.nn.layer import Layer
from ..dygraph.nn.vision_layers import Pad1D, Pad2D, Pad3D


def _without_bias(settings: dict[str, Any]) -> dict[str, Any]:
    """`bias=False` is `bias_attr=False`; where a tensor lies is no question on a CPU. Errors: ArgumentError."""
    bias = settings.pop("bias", True)
    settings.pop("device", None)
    if not bias and settings.get("bias_attr") not in (None, False):
        raise ArgumentError("bias=False contradicts bias_attr: give one of the two")
    return settings if bias else settings | {"bias_attr": False}


class _Short(Layer):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, *, dtype: Any = None, **settings: Any,
    ) -> None:  # fmt: skip
        window = (kernel_size, stride, padding, dilation, groups)
        super().__init__(in_channels, out_channels, *window, **_without_bias(settings))  # type: ignore[call-arg, arg-type]
        if dtype is not None:
            self.to(dtype=dtype)


class Conv1d(_Short, Conv1D):
    """`Conv1D`, with `bias`, `device` and `dtype` by name.

    >>> Conv1d(3, 4, 3, bias=False).bias is None
    True
    """


class Conv2d(_Short, Conv2D):
    """`Conv2D`, with `bias`, `device` and `dtype` by name."""


class Conv3d(_Short, Conv3D):
    """`Conv3D`, with `bias`, `device` and `dtype` by name."""


def _margin(name: str, base: Any, mode: str, layout: str) -> type:
    """A class of layers whose margins are filled in one way."""

    def __init__(self: Any, padding: Any, data_format: str = layout, name: str | None = None) -> None:  # noqa: N807
        base.__init__(self, padding, mode, data_format=data_format)

    members = {"__init__": __init__, "__doc__": f"`{base.__name__}` with mode={mode!r}.", "__module__": __name__}
    return type(name, (base,), members)


ReflectionPad1d = _margin("ReflectionPad1d", Pad1D, "reflect", "NCL")
ReflectionPad2d = _margin("ReflectionPad2d", Pad2D, "reflect", "NCHW")
ReflectionPad3d = _margin("ReflectionPad3d", Pad3D, "reflect", "NCDHW")
ReplicationPad1d = _margin("ReplicationPad1d", Pad1D, "replicate", "NCL")
ReplicationPad2d = _margin("ReplicationPad2d", Pad2D, "replicate", "NCHW")
ReplicationPad3d = _margin("ReplicationPad3d", Pad3D, "replicate", "NCDHW")
CircularPad1d = _margin("CircularPad1d", Pad1D, "circular", "NCL")
CircularPad2d = _margin("CircularPad2d", Pad2D, "circular", "NCHW")
CircularPad3d = _margin("CircularPad3d", Pad3D, "circular", "NCDHW")
