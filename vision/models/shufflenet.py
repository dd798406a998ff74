"""ShuffleNet, version 2."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...dygraph import nn
from ...ops.op import OPS
from .conv_norm import ConvNorm
from .pretrained import refuse

# channels of the first convolution, of the stages 2, 3 and 4, and of the last convolution, for each scale
WIDTHS = {
    0.25: (24, 24, 48, 96, 512), 0.33: (24, 32, 64, 128, 512), 0.5: (24, 48, 96, 192, 1024),
    1.0: (24, 116, 232, 464, 1024), 1.5: (24, 176, 352, 704, 1024), 2.0: (24, 224, 488, 976, 2048),
}  # fmt: skip
REPEATS = (4, 8, 4)  # units of the stages 2, 3 and 4
ACTIVATIONS = {"relu": nn.ReLU, "swish": nn.Swish, None: None}


class ShuffleUnit(nn.Layer):
    """Half of the channels pass three convolutions, the other half passes unchanged; then both are mixed."""

    def __init__(self, channels: int, activation: Any) -> None:
        super().__init__()
        half = channels // 2
        self._conv_pw = ConvNorm(half, half, 1, activation=activation)
        self._conv_dw = ConvNorm(half, half, 3, groups=half, activation=None)
        self._conv_linear = ConvNorm(half, half, 1, activation=activation)

    def forward(self, x: Any) -> Any:
        """The unit's output."""
        kept, x = x.split(2, axis=1)
        x = self._conv_linear(self._conv_dw(self._conv_pw(x)))
        return nn.functional.channel_shuffle(OPS["concat"]([kept, x], axis=1), 2)


class ShuffleDownUnit(nn.Layer):
    """Half of the height and width: all channels pass two paths, which give half of the outputs each."""

    def __init__(self, inputs: int, outputs: int, activation: Any) -> None:
        super().__init__()
        half = outputs // 2
        self._conv_dw_1 = ConvNorm(inputs, inputs, 3, 2, inputs, activation=None)
        self._conv_linear_1 = ConvNorm(inputs, half, 1, activation=activation)
        self._conv_pw_2 = ConvNorm(inputs, half, 1, activation=activation)
        self._conv_dw_2 = ConvNorm(half, half, 3, 2, half, activation=None)
        self._conv_linear_2 = ConvNorm(half, half, 1, activation=activation)

    def forward(self, x: Any) -> Any:
        """The unit's output."""
        one = self._conv_linear_1(self._conv_dw_1(x))
        two = self._conv_linear_2(self._conv_dw_2(self._conv_pw_2(x)))
        return nn.functional.channel_shuffle(OPS["concat"]([one, two], axis=1), 2)


class ShuffleNetV2(nn.Layer):
    """For images f32[n, 3, h, w]; scores f32[n, num_classes]. scale: of the widths; act: "relu", "swish" or None.

    Source: Ma, Zhang, Zheng, Sun, ShuffleNet V2: practical guidelines for efficient CNN architecture design, 2018.
    """

    def __init__(
        self, scale: float = 1.0, act: str | None = "relu", num_classes: int = 1000, with_pool: bool = True
    ) -> None:
        super().__init__()
        if scale not in WIDTHS:
            raise ArgumentError(f"ShuffleNetV2: scale must be one of {sorted(WIDTHS)}, not {scale}")
        if act not in ACTIVATIONS:
            raise ArgumentError(f'ShuffleNetV2: act must be "relu", "swish" or None, not {act!r}')
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        activation = ACTIVATIONS[act]
        channels, *stages, self.last_channel = WIDTHS[scale]
        self._conv1 = ConvNorm(3, channels, 3, 2, activation=activation)
        self._max_pool = nn.MaxPool2D(3, stride=2, padding=1)
        self._units: list[str] = []  # their names
        for stage, (outputs, repeats) in enumerate(zip(stages, REPEATS, strict=True), 2):
            units: list[nn.Layer] = [ShuffleDownUnit(channels, outputs, activation)]
            units += [ShuffleUnit(outputs, activation) for _ in range(1, repeats)]
            for k, unit in enumerate(units, 1):
                self.add_sublayer(f"{stage}_{k}", unit)
                self._units.append(f"{stage}_{k}")
            channels = outputs
        self._last_conv = ConvNorm(channels, self.last_channel, 1, activation=activation)
        if with_pool:
            self._pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self._fc = nn.Linear(self.last_channel, num_classes)

    def forward(self, inputs: Any) -> Any:
        """Scores of images."""
        x = self._max_pool(self._conv1(inputs))
        for name in self._units:
            x = getattr(self, name)(x)
        x = self._last_conv(x)
        if self.with_pool:
            x = self._pool2d_avg(x)
        return self._fc(OPS["reshape"](x, (x.shape[0], self.last_channel))) if self.num_classes > 0 else x


def _shufflenet(name: str, pretrained: bool, scale: float, act: str, **kwargs: Any) -> ShuffleNetV2:
    refuse(pretrained, f"shufflenet_v2_{name}")
    return ShuffleNetV2(scale, act, **kwargs)


def shufflenet_v2_x0_25(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNet version 2 of scale 0.25."""
    return _shufflenet("x0_25", pretrained, 0.25, "relu", **kwargs)


def shufflenet_v2_x0_33(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNet version 2 of scale 0.33."""
    return _shufflenet("x0_33", pretrained, 0.33, "relu", **kwargs)


def shufflenet_v2_x0_5(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNet version 2 of scale 0.5."""
    return _shufflenet("x0_5", pretrained, 0.5, "relu", **kwargs)


def shufflenet_v2_x1_0(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNet version 2 of scale 1.0."""
    return _shufflenet("x1_0", pretrained, 1.0, "relu", **kwargs)


def shufflenet_v2_x1_5(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNet version 2 of scale 1.5."""
    return _shufflenet("x1_5", pretrained, 1.5, "relu", **kwargs)


def shufflenet_v2_x2_0(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNet version 2 of scale 2.0."""
    return _shufflenet("x2_0", pretrained, 2.0, "relu", **kwargs)


def shufflenet_v2_swish(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
    """ShuffleNet version 2 of scale 1.0 with swish for ReLU."""
    return _shufflenet("swish", pretrained, 1.0, "swish", **kwargs)
