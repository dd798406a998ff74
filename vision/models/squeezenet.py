"""SqueezeNet, versions 1.0 and 1.1."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...dygraph import nn
from ...ops.op import OPS
from .pretrained import refuse

# (channels, kernel and padding of the first convolution; the fire modules that a pooling follows, counted from 1)
VERSIONS = {"1.0": (96, 7, 0, (3, 7)), "1.1": (64, 3, 1, (2, 4))}
# (squeezed channels, output channels) of each fire module
FIRES = ((16, 128), (16, 128), (32, 256), (32, 256), (48, 384), (48, 384), (64, 512), (64, 512))


class ConvAct(nn.Layer):
    """Convolution and ReLU."""

    def __init__(self, inputs: int, outputs: int, kernel: int) -> None:
        super().__init__()
        self._conv = nn.Conv2D(inputs, outputs, kernel, padding=(kernel - 1) // 2)

    def forward(self, x: Any) -> Any:
        """The unit's output."""
        return nn.functional.relu(self._conv(x))


class Fire(nn.Layer):
    """Squeeze channels by 1×1, then expand them by 1×1 and by 3×3, half of the outputs each."""

    def __init__(self, inputs: int, squeezed: int, outputs: int) -> None:
        super().__init__()
        self._conv = ConvAct(inputs, squeezed, 1)
        self._conv_path1 = ConvAct(squeezed, outputs // 2, 1)
        self._conv_path2 = ConvAct(squeezed, outputs // 2, 3)

    def forward(self, x: Any) -> Any:
        """The module's output."""
        x = self._conv(x)
        return OPS["concat"]([self._conv_path1(x), self._conv_path2(x)], axis=1)


class SqueezeNet(nn.Layer):
    """Fire modules: images f32[n, 3, h, w] to scores f32[n, num_classes]. version: "1.0" or "1.1".

    Source: Iandola, Han, Moskewicz, Ashraf, Dally, Keutzer, SqueezeNet: AlexNet-level accuracy with 50x fewer
    parameters and < 0.5MB model size, 2016.
    """

    def __init__(self, version: str, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        if version not in VERSIONS:
            raise ArgumentError(f"SqueezeNet: version must be one of {sorted(VERSIONS)}, not {version!r}")
        self.version, self.num_classes, self.with_pool = version, num_classes, with_pool
        channels, kernel, padding, self._pooled = VERSIONS[version]
        self._conv = nn.Conv2D(3, channels, kernel, stride=2, padding=padding)
        self._pool = nn.MaxPool2D(3, stride=2)
        for k, (squeezed, outputs) in enumerate(FIRES, 1):
            self.add_sublayer(f"_conv{k}", Fire(channels, squeezed, outputs))
            channels = outputs
        self._drop = nn.Dropout(0.5, mode="downscale_in_infer")
        self._conv9 = nn.Conv2D(channels, num_classes, 1) if num_classes > 0 else None
        self._avg_pool = nn.AdaptiveAvgPool2D(1)

    def forward(self, inputs: Any) -> Any:
        """Scores of images."""
        x = self._pool(nn.functional.relu(self._conv(inputs)))
        for k in range(1, len(FIRES) + 1):
            x = getattr(self, f"_conv{k}")(x)
            if k in self._pooled:
                x = self._pool(x)
        if self._conv9 is not None:
            x = nn.functional.relu(self._conv9(self._drop(x)))
        if self.with_pool:
            x = OPS["reshape"](self._avg_pool(x), (x.shape[0], x.shape[1]))
        return x


def squeezenet1_0(pretrained: bool = False, **kwargs: Any) -> SqueezeNet:
    """SqueezeNet version 1.0."""
    refuse(pretrained, "squeezenet1_0")
    return SqueezeNet("1.0", **kwargs)


def squeezenet1_1(pretrained: bool = False, **kwargs: Any) -> SqueezeNet:
    """SqueezeNet version 1.1."""
    refuse(pretrained, "squeezenet1_1")
    return SqueezeNet("1.1", **kwargs)
