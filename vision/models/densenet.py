"""DenseNet of 121 to 264 layers."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...dygraph import nn
from ...ops.op import OPS
from .pretrained import refuse

# (channels of the first convolution, channels that each layer adds, layers of each block)
DEPTHS = {
    121: (64, 32, (6, 12, 24, 16)), 161: (96, 48, (6, 12, 36, 24)), 169: (64, 32, (6, 12, 32, 32)),
    201: (64, 32, (6, 12, 48, 32)), 264: (64, 32, (6, 12, 64, 48)),
}  # fmt: skip


class ConvThenNorm(nn.Layer):
    """Convolution, batch norm, ReLU."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int) -> None:
        super().__init__()
        self._conv = nn.Conv2D(inputs, outputs, kernel, stride=stride, padding=(kernel - 1) // 2, bias_attr=False)
        self._batch_norm = nn.BatchNorm(outputs, act="relu")

    def forward(self, x: Any) -> Any:
        """The unit's output."""
        return self._batch_norm(self._conv(x))


class NormThenConv(nn.Layer):
    """Batch norm, ReLU, convolution."""

    def __init__(self, inputs: int, outputs: int, kernel: int) -> None:
        super().__init__()
        self._batch_norm = nn.BatchNorm(inputs, act="relu")
        self._conv = nn.Conv2D(inputs, outputs, kernel, padding=(kernel - 1) // 2, bias_attr=False)

    def forward(self, x: Any) -> Any:
        """The unit's output."""
        return self._conv(self._batch_norm(x))


class DenseLayer(nn.Layer):
    """Adds `growth` channels, computed from all channels so far."""

    def __init__(self, inputs: int, growth: int, bn_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.bn_ac_func1 = NormThenConv(inputs, bn_size * growth, 1)
        self.bn_ac_func2 = NormThenConv(bn_size * growth, growth, 3)
        if dropout:
            self.dropout_func = nn.Dropout(dropout, mode="downscale_in_infer")

    def forward(self, x: Any) -> Any:
        """x and the new channels."""
        new = self.bn_ac_func2(self.bn_ac_func1(x))
        return OPS["concat"]([x, self.dropout_func(new) if self.dropout else new], axis=1)


class Transition(nn.Layer):
    """Half of the channels, and half of the height and width."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.conv_ac_func = NormThenConv(inputs, outputs, 1)
        self.pool2d_avg = nn.AvgPool2D(2, stride=2)

    def forward(self, x: Any) -> Any:
        """The smaller images."""
        return self.pool2d_avg(self.conv_ac_func(x))


class DenseNet(nn.Layer):
    """For images f32[n, 3, h, w]; scores f32[n, num_classes]. layers: 121, 161, 169, 201 or 264.

    bn_size: channels between a layer's two convolutions, for each channel that it adds.
    Source: Huang, Liu, van der Maaten, Weinberger, Densely connected convolutional networks, 2017.
    """

    def __init__(
        self, layers: int = 121, bn_size: int = 4, dropout: float = 0.0, num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if layers not in DEPTHS:
            raise ArgumentError(f"DenseNet: layers must be one of {sorted(DEPTHS)}, not {layers}")
        self.num_classes, self.with_pool = num_classes, with_pool
        channels, growth, counts = DEPTHS[layers]
        self.conv1_func = ConvThenNorm(3, channels, 7, 2)
        self.pool2d_max = nn.MaxPool2D(3, stride=2, padding=1)
        self._stages: list[str] = []  # the names of the blocks and transitions
        for stage, count in enumerate(counts, 2):
            block = nn.Sequential()
            for k in range(count):
                block.add_sublayer(f"conv{stage}_{k + 1}", DenseLayer(channels, growth, bn_size, dropout))
                channels += growth
            self.add_sublayer(f"db_conv_{stage}", block)
            self._stages.append(f"db_conv_{stage}")
            if stage <= len(counts):
                self.add_sublayer(f"tr_conv{stage}_blk", Transition(channels, channels // 2))
                self._stages.append(f"tr_conv{stage}_blk")
                channels //= 2
        self.last_channel = channels
        self.batch_norm = nn.BatchNorm(channels, act="relu")
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.out = nn.Linear(channels, num_classes)

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = self.pool2d_max(self.conv1_func(x))
        for name in self._stages:
            x = getattr(self, name)(x)
        x = self.batch_norm(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.out(OPS["reshape"](x, (x.shape[0], self.last_channel))) if self.num_classes > 0 else x


def _densenet(layers: int, pretrained: bool, **kwargs: Any) -> DenseNet:
    refuse(pretrained, f"densenet{layers}")
    return DenseNet(layers, **kwargs)


def densenet121(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 121 layers."""
    return _densenet(121, pretrained, **kwargs)


def densenet161(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 161 layers."""
    return _densenet(161, pretrained, **kwargs)


def densenet169(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 169 layers."""
    return _densenet(169, pretrained, **kwargs)


def densenet201(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 201 layers."""
    return _densenet(201, pretrained, **kwargs)


def densenet264(pretrained: bool = False, **kwargs: Any) -> DenseNet:
    """DenseNet of 264 layers."""
    return _densenet(264, pretrained, **kwargs)
