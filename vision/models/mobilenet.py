"""MobileNet, versions 1 and 2."""

from __future__ import annotations

from typing import Any

from ...dygraph import nn
from ...ops.op import OPS
from .conv_norm import ConvNorm, divisible
from .pretrained import refuse


class DepthwiseSeparable(nn.Layer):
    """A convolution per channel, then one across channels."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self._depthwise_conv = ConvNorm(inputs, inputs, 3, stride, inputs)
        self._pointwise_conv = ConvNorm(inputs, outputs, 1)

    def forward(self, x: Any) -> Any:
        """The block's output."""
        return self._pointwise_conv(self._depthwise_conv(x))


class MobileNetV1(nn.Layer):
    """Depthwise-separable convolutions: images f32[n, 3, h, w] to scores f32[n, num_classes]. scale: of the widths.

    Source: Howard and others, MobileNets: efficient convolutional neural networks for mobile vision applications, 2017.
    """

    # (name, input, output, stride) of each depthwise-separable block
    BLOCKS = (
        ("conv2_1", 32, 64, 1), ("conv2_2", 64, 128, 2), ("conv3_1", 128, 128, 1), ("conv3_2", 128, 256, 2),
        ("conv4_1", 256, 256, 1), ("conv4_2", 256, 512, 2), *((f"conv5_{k}", 512, 512, 1) for k in range(1, 6)),
        ("conv5_6", 512, 1024, 2), ("conv6", 1024, 1024, 1),
    )  # fmt: skip

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.last_channel = int(1024 * scale)
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        self.conv1 = ConvNorm(3, int(32 * scale), 3, 2)
        for name, inputs, outputs, stride in self.BLOCKS:
            self.add_sublayer(name, DepthwiseSeparable(int(inputs * scale), int(outputs * scale), stride))
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.fc = nn.Linear(self.last_channel, num_classes)

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = self.conv1(x)
        for name, *_ in self.BLOCKS:
            x = getattr(self, name)(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.fc(OPS["reshape"](x, (x.shape[0], self.last_channel))) if self.num_classes > 0 else x


class InvertedResidual(nn.Layer):
    """Expand by 1×1, convolve per channel, project by 1×1; a shortcut where shapes agree."""

    def __init__(self, inputs: int, outputs: int, stride: int, expand_ratio: int) -> None:
        super().__init__()
        hidden = round(inputs * expand_ratio)
        self.use_res_connect = stride == 1 and inputs == outputs
        first = [] if expand_ratio == 1 else [ConvNorm(inputs, hidden, 1, activation=nn.ReLU6)]
        self.conv = nn.Sequential(
            *first,
            ConvNorm(hidden, hidden, 3, stride, hidden, activation=nn.ReLU6),
            nn.Conv2D(hidden, outputs, 1, bias_attr=False),
            nn.BatchNorm2D(outputs),
        )

    def forward(self, x: Any) -> Any:
        """The block's output."""
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Layer):
    """Inverted residuals: images f32[n, 3, h, w] to scores f32[n, num_classes]. scale: of the widths.

    Source: Sandler, Howard, Zhu, Zhmoginov, Chen, MobileNetV2: inverted residuals and linear bottlenecks, 2018.
    """

    # (expansion, output channels, blocks, stride of the first)
    STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        channels = divisible(32 * scale)
        features: list[nn.Layer] = [ConvNorm(3, channels, 3, 2, activation=nn.ReLU6)]
        for expansion, width, count, stride in self.STAGES:
            outputs = divisible(width * scale)
            for k in range(count):
                features.append(InvertedResidual(channels, outputs, stride if k == 0 else 1, expansion))
                channels = outputs
        self.last_channel = divisible(1280 * max(1.0, scale))
        features.append(ConvNorm(channels, self.last_channel, 1, activation=nn.ReLU6))
        self.features = nn.Sequential(*features)
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(self.last_channel, num_classes))

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = self.features(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.classifier(OPS["reshape"](x, (x.shape[0], self.last_channel))) if self.num_classes > 0 else x


def mobilenet_v1(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV1:
    """MobileNet version 1."""
    refuse(pretrained, "mobilenet_v1")
    return MobileNetV1(scale, **kwargs)


def mobilenet_v2(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV2:
    """MobileNet version 2."""
    refuse(pretrained, "mobilenet_v2")
    return MobileNetV2(scale, **kwargs)
