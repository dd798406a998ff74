"""MobileNet, version 3: small and large."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...dygraph import nn
from ...ops.op import OPS
from .conv_norm import ConvNorm, divisible
from .pretrained import refuse

_Norm = partial(nn.BatchNorm2D, momentum=0.99, epsilon=0.001)
_SWISH, _RELU = nn.Hardswish, nn.ReLU

# (kernel, expanded channels, output channels, squeeze and excitation, activation, stride) of each block
SMALL = (
    (3, 16, 16, True, _RELU, 2), (3, 72, 24, False, _RELU, 2), (3, 88, 24, False, _RELU, 1),
    (5, 96, 40, True, _SWISH, 2), (5, 240, 40, True, _SWISH, 1), (5, 240, 40, True, _SWISH, 1),
    (5, 120, 48, True, _SWISH, 1), (5, 144, 48, True, _SWISH, 1), (5, 288, 96, True, _SWISH, 2),
    (5, 576, 96, True, _SWISH, 1), (5, 576, 96, True, _SWISH, 1),
)  # fmt: skip
LARGE = (
    (3, 16, 16, False, _RELU, 1), (3, 64, 24, False, _RELU, 2), (3, 72, 24, False, _RELU, 1),
    (5, 72, 40, True, _RELU, 2), (5, 120, 40, True, _RELU, 1), (5, 120, 40, True, _RELU, 1),
    (3, 240, 80, False, _SWISH, 2), (3, 200, 80, False, _SWISH, 1), (3, 184, 80, False, _SWISH, 1),
    (3, 184, 80, False, _SWISH, 1), (3, 480, 112, True, _SWISH, 1), (3, 672, 112, True, _SWISH, 1),
    (5, 672, 160, True, _SWISH, 2), (5, 960, 160, True, _SWISH, 1), (5, 960, 160, True, _SWISH, 1),
)  # fmt: skip


class SqueezeExcitation(nn.Layer):
    """Each channel times a weight from 0 to 1, computed from the means of all channels.

    Source: Hu, Shen, Sun, Squeeze-and-excitation networks, 2018.
    """

    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2D(1)
        self.fc1 = nn.Conv2D(channels, squeezed, 1)
        self.fc2 = nn.Conv2D(squeezed, channels, 1)
        self.activation = nn.ReLU()
        self.scale_activation = nn.Hardsigmoid()

    def forward(self, x: Any) -> Any:
        """The weighted channels."""
        return x * self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(x)))))


class SqueezedResidual(nn.Layer):
    """Expand by 1×1, convolve per channel, weigh channels, project by 1×1; a shortcut where shapes agree."""

    def __init__(self, inputs: int, config: Any, scale: float) -> None:
        super().__init__()
        kernel, expanded, outputs, excites, activation, stride = config
        hidden, outputs = divisible(expanded * scale), divisible(outputs * scale)
        self.use_res_connect = stride == 1 and inputs == outputs
        self.expand = inputs != hidden
        self.use_se = excites
        if self.expand:
            self.expand_conv = ConvNorm(inputs, hidden, 1, activation=activation, norm=_Norm)
        self.bottleneck_conv = ConvNorm(hidden, hidden, kernel, stride, hidden, activation=activation, norm=_Norm)
        if excites:
            self.mid_se = SqueezeExcitation(hidden, divisible(hidden // 4))
        self.linear_conv = ConvNorm(hidden, outputs, 1, activation=None, norm=_Norm)

    def forward(self, x: Any) -> Any:
        """The block's output."""
        y = self.bottleneck_conv(self.expand_conv(x) if self.expand else x)
        y = self.linear_conv(self.mid_se(y) if self.use_se else y)
        return x + y if self.use_res_connect else y


class MobileNetV3(nn.Layer):
    """Blocks `config`, then linear layers: images f32[n, 3, h, w] to scores f32[n, num_classes]. scale: of the widths.

    Source: Howard and others, Searching for MobileNetV3, 2019.
    """

    def __init__(
        self, config: Any, last_channel: int, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True
    ) -> None:
        super().__init__()
        self.config, self.scale, self.last_channel = config, scale, last_channel
        self.num_classes, self.with_pool = num_classes, with_pool
        channels = divisible(16 * scale)
        self.conv = ConvNorm(3, channels, 3, 2, activation=nn.Hardswish, norm=_Norm)
        blocks = []
        for block in config:
            blocks.append(SqueezedResidual(channels, block, scale))
            channels = divisible(block[2] * scale)
        self.blocks = nn.Sequential(*blocks)
        self.lastconv_output_channels = divisible(config[-1][1] * scale)
        self.lastconv = ConvNorm(channels, self.lastconv_output_channels, 1, activation=nn.Hardswish, norm=_Norm)
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Linear(self.lastconv_output_channels, last_channel), nn.Hardswish(), nn.Dropout(0.2),
                nn.Linear(last_channel, num_classes),
            )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = self.lastconv(self.blocks(self.conv(x)))
        if self.with_pool:
            x = self.avgpool(x)
        if self.num_classes > 0:
            x = self.classifier(OPS["reshape"](x, (x.shape[0], self.lastconv_output_channels)))
        return x


class MobileNetV3Small(MobileNetV3):
    """The small network of 11 blocks: images f32[n, 3, h, w] to scores f32[n, num_classes].

    Source: Howard and others, Searching for MobileNetV3, 2019.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__(SMALL, divisible(1024 * scale), scale, num_classes, with_pool)


class MobileNetV3Large(MobileNetV3):
    """The large network of 15 blocks: images f32[n, 3, h, w] to scores f32[n, num_classes].

    Source: Howard and others, Searching for MobileNetV3, 2019.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__(LARGE, divisible(1280 * scale), scale, num_classes, with_pool)


def mobilenet_v3_small(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Small:
    """MobileNet version 3, small."""
    refuse(pretrained, "mobilenet_v3_small")
    return MobileNetV3Small(scale, **kwargs)


def mobilenet_v3_large(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Large:
    """MobileNet version 3, large."""
    refuse(pretrained, "mobilenet_v3_large")
    return MobileNetV3Large(scale, **kwargs)
