"""GoogLeNet: the first Inception network."""

from __future__ import annotations

from typing import Any

from ...dygraph import nn
from ...ops.op import OPS
from .pretrained import refuse

# (name, input channels; outputs of 1×1, of the 3×3 path's two, of the 5×5 path's two, of the pooling path), with None
# for a pooling between modules
MODULES = (
    ("_ince3a", 192, 64, 96, 128, 16, 32, 32), ("_ince3b", 256, 128, 128, 192, 32, 96, 64), None,
    ("_ince4a", 480, 192, 96, 208, 16, 48, 64), ("_ince4b", 512, 160, 112, 224, 24, 64, 64),
    ("_ince4c", 512, 128, 128, 256, 24, 64, 64), ("_ince4d", 512, 112, 144, 288, 32, 64, 64),
    ("_ince4e", 528, 256, 160, 320, 32, 128, 128), None,
    ("_ince5a", 832, 256, 160, 320, 32, 128, 128), ("_ince5b", 832, 384, 192, 384, 48, 128, 128),
)  # fmt: skip


class BareConv(nn.Layer):
    """A convolution without a bias that keeps the size of images for stride 1."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1) -> None:
        super().__init__()
        self._conv = nn.Conv2D(inputs, outputs, kernel, stride=stride, padding=(kernel - 1) // 2, bias_attr=False)

    def forward(self, x: Any) -> Any:
        """The convolved images."""
        return self._conv(x)


class Inception(nn.Layer):
    """Convolutions of three sizes and a pooling beside each other."""

    def __init__(self, inputs: int, ones: int, three: tuple[int, int], five: tuple[int, int], pooled: int) -> None:
        super().__init__()
        self._conv1 = BareConv(inputs, ones, 1)
        self._conv3r = BareConv(inputs, three[0], 1)
        self._conv3 = BareConv(*three, 3)
        self._conv5r = BareConv(inputs, five[0], 1)
        self._conv5 = BareConv(*five, 5)
        self._pool = nn.MaxPool2D(3, stride=1, padding=1)
        self._convprj = BareConv(inputs, pooled, 1)

    def forward(self, x: Any) -> Any:
        """The four paths' channels, then ReLU."""
        paths = [
            self._conv1(x), self._conv3(self._conv3r(x)), self._conv5(self._conv5r(x)), self._convprj(self._pool(x)),
        ]  # fmt: skip
        return nn.functional.relu(OPS["concat"](paths, axis=1))


class GoogLeNet(nn.Layer):
    """For images f32[n, 3, 224, 224]: (scores, scores of a first branch, of a second), f32[n, num_classes] each.

    The branches leave after modules 4a and 4d; they help training. Scores need with_pool=True.
    Source: Szegedy and others, Going deeper with convolutions, 2015.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self._conv = BareConv(3, 64, 7, 2)
        self._pool = nn.MaxPool2D(3, stride=2)
        self._conv_1 = BareConv(64, 64, 1)
        self._conv_2 = BareConv(64, 192, 3)
        for module in MODULES:
            if module is not None:
                name, inputs, ones, three_in, three, five_in, five, pooled = module
                self.add_sublayer(name, Inception(inputs, ones, (three_in, three), (five_in, five), pooled))
        if with_pool:
            self._pool_5 = nn.AdaptiveAvgPool2D(1)
            self._pool_o1 = nn.AvgPool2D(5, stride=3)
            self._pool_o2 = nn.AvgPool2D(5, stride=3)
        if num_classes > 0:
            self._drop = nn.Dropout(0.4, mode="downscale_in_infer")
            self._fc_out = nn.Linear(1024, num_classes)
            self._conv_o1 = BareConv(512, 128, 1)
            self._fc_o1 = nn.Linear(1152, 1024)
            self._drop_o1 = nn.Dropout(0.7, mode="downscale_in_infer")
            self._out1 = nn.Linear(1024, num_classes)
            self._conv_o2 = BareConv(528, 128, 1)
            self._fc_o2 = nn.Linear(1152, 1024)
            self._drop_o2 = nn.Dropout(0.7, mode="downscale_in_infer")
            self._out2 = nn.Linear(1024, num_classes)

    def forward(self, inputs: Any) -> Any:
        """Three tensors of scores of images."""
        x = self._pool(self._conv(inputs))
        x = self._pool(self._conv_2(self._conv_1(x)))
        x = self._pool(self._ince3b(self._ince3a(x)))
        first = x = self._ince4a(x)
        second = x = self._ince4d(self._ince4c(self._ince4b(x)))
        x = self._pool(self._ince4e(x))
        x = self._ince5b(self._ince5a(x))
        if self.with_pool:
            x, first, second = self._pool_5(x), self._pool_o1(first), self._pool_o2(second)
        if self.num_classes > 0:
            x = self._fc_out(OPS["reshape"](self._drop(x), (x.shape[0], 1024)))
            first = OPS["reshape"](self._conv_o1(first), (first.shape[0], 1152))
            first = self._out1(self._drop_o1(nn.functional.relu(self._fc_o1(first))))
            second = OPS["reshape"](self._conv_o2(second), (second.shape[0], 1152))
            second = self._out2(self._drop_o2(self._fc_o2(second)))
        return x, first, second


def googlenet(pretrained: bool = False, **kwargs: Any) -> GoogLeNet:
    """GoogLeNet."""
    refuse(pretrained, "googlenet")
    return GoogLeNet(**kwargs)
