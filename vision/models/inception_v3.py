"""Inception, version 3."""

from __future__ import annotations

from typing import Any

from ...dygraph import nn
from ...ops.op import OPS
from .conv_norm import ConvNorm
from .pretrained import refuse

_WIDE, _HIGH = (1, 7), (7, 1)  # kernels


def _average() -> nn.Layer:
    return nn.AvgPool2D(3, stride=1, padding=1, exclusive=False)


class InceptionStem(nn.Layer):
    """The convolutions and poolings before the blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.conv_1a_3x3 = ConvNorm(3, 32, 3, 2, padding=0)
        self.conv_2a_3x3 = ConvNorm(32, 32, 3, padding=0)
        self.conv_2b_3x3 = ConvNorm(32, 64, 3)
        self.max_pool = nn.MaxPool2D(3, stride=2)
        self.conv_3b_1x1 = ConvNorm(64, 80, 1)
        self.conv_4a_3x3 = ConvNorm(80, 192, 3, padding=0)

    def forward(self, x: Any) -> Any:
        """The stem's output."""
        x = self.max_pool(self.conv_2b_3x3(self.conv_2a_3x3(self.conv_1a_3x3(x))))
        return self.max_pool(self.conv_4a_3x3(self.conv_3b_1x1(x)))


class InceptionA(nn.Layer):
    """Figure 5 of the paper: paths of 1×1, 5×5, two 3×3, and a pooling."""

    def __init__(self, inputs: int, pooled: int) -> None:
        super().__init__()
        self.branch1x1 = ConvNorm(inputs, 64, 1)
        self.branch5x5_1 = ConvNorm(inputs, 48, 1)
        self.branch5x5_2 = ConvNorm(48, 64, 5)
        self.branch3x3dbl_1 = ConvNorm(inputs, 64, 1)
        self.branch3x3dbl_2 = ConvNorm(64, 96, 3)
        self.branch3x3dbl_3 = ConvNorm(96, 96, 3)
        self.branch_pool = _average()
        self.branch_pool_conv = ConvNorm(inputs, pooled, 1)

    def forward(self, x: Any) -> Any:
        """The paths' channels."""
        five = self.branch5x5_2(self.branch5x5_1(x))
        double = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return OPS["concat"]([self.branch1x1(x), five, double, self.branch_pool_conv(self.branch_pool(x))], axis=1)


class InceptionB(nn.Layer):
    """Half of the height and width: paths of 3×3, two 3×3, and a pooling."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.branch3x3 = ConvNorm(inputs, 384, 3, 2, padding=0)
        self.branch3x3dbl_1 = ConvNorm(inputs, 64, 1)
        self.branch3x3dbl_2 = ConvNorm(64, 96, 3)
        self.branch3x3dbl_3 = ConvNorm(96, 96, 3, 2, padding=0)
        self.branch_pool = nn.MaxPool2D(3, stride=2)

    def forward(self, x: Any) -> Any:
        """The paths' channels."""
        double = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return OPS["concat"]([self.branch3x3(x), double, self.branch_pool(x)], axis=1)


class InceptionC(nn.Layer):
    """Figure 6 of the paper: 7×7 convolutions as rows and columns. hidden: channels inside of the paths."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.branch1x1 = ConvNorm(inputs, 192, 1)
        self.branch7x7_1 = ConvNorm(inputs, hidden, 1)
        self.branch7x7_2 = ConvNorm(hidden, hidden, _WIDE)
        self.branch7x7_3 = ConvNorm(hidden, 192, _HIGH)
        self.branch7x7dbl_1 = ConvNorm(inputs, hidden, 1)
        self.branch7x7dbl_2 = ConvNorm(hidden, hidden, _HIGH)
        self.branch7x7dbl_3 = ConvNorm(hidden, hidden, _WIDE)
        self.branch7x7dbl_4 = ConvNorm(hidden, hidden, _HIGH)
        self.branch7x7dbl_5 = ConvNorm(hidden, 192, _WIDE)
        self.branch_pool = _average()
        self.branch_pool_conv = ConvNorm(inputs, 192, 1)

    def forward(self, x: Any) -> Any:
        """The paths' channels."""
        seven = self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x)))
        double = self.branch7x7dbl_3(self.branch7x7dbl_2(self.branch7x7dbl_1(x)))
        double = self.branch7x7dbl_5(self.branch7x7dbl_4(double))
        return OPS["concat"]([self.branch1x1(x), seven, double, self.branch_pool_conv(self.branch_pool(x))], axis=1)


class InceptionD(nn.Layer):
    """Half of the height and width: paths of 3×3, 7×7 then 3×3, and a pooling."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.branch3x3_1 = ConvNorm(inputs, 192, 1)
        self.branch3x3_2 = ConvNorm(192, 320, 3, 2, padding=0)
        self.branch7x7x3_1 = ConvNorm(inputs, 192, 1)
        self.branch7x7x3_2 = ConvNorm(192, 192, _WIDE)
        self.branch7x7x3_3 = ConvNorm(192, 192, _HIGH)
        self.branch7x7x3_4 = ConvNorm(192, 192, 3, 2, padding=0)
        self.branch_pool = nn.MaxPool2D(3, stride=2)

    def forward(self, x: Any) -> Any:
        """The paths' channels."""
        three = self.branch3x3_2(self.branch3x3_1(x))
        seven = self.branch7x7x3_4(self.branch7x7x3_3(self.branch7x7x3_2(self.branch7x7x3_1(x))))
        return OPS["concat"]([three, seven, self.branch_pool(x)], axis=1)


class InceptionE(nn.Layer):
    """Figure 7 of the paper: 3×3 convolutions as a row and a column beside each other."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.branch1x1 = ConvNorm(inputs, 320, 1)
        self.branch3x3_1 = ConvNorm(inputs, 384, 1)
        self.branch3x3_2a = ConvNorm(384, 384, (1, 3))
        self.branch3x3_2b = ConvNorm(384, 384, (3, 1))
        self.branch3x3dbl_1 = ConvNorm(inputs, 448, 1)
        self.branch3x3dbl_2 = ConvNorm(448, 384, 3)
        self.branch3x3dbl_3a = ConvNorm(384, 384, (1, 3))
        self.branch3x3dbl_3b = ConvNorm(384, 384, (3, 1))
        self.branch_pool = _average()
        self.branch_pool_conv = ConvNorm(inputs, 192, 1)

    def forward(self, x: Any) -> Any:
        """The paths' channels."""
        three = self.branch3x3_1(x)
        double = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        paths = [
            self.branch1x1(x), self.branch3x3_2a(three), self.branch3x3_2b(three), self.branch3x3dbl_3a(double),
            self.branch3x3dbl_3b(double), self.branch_pool_conv(self.branch_pool(x)),
        ]  # fmt: skip
        return OPS["concat"](paths, axis=1)


class InceptionV3(nn.Layer):
    """For images f32[n, 3, h, w], 299×299 in the paper and 75×75 at least; scores f32[n, num_classes].

    Source: Szegedy, Vanhoucke, Ioffe, Shlens, Wojna, Rethinking the Inception architecture for computer vision, 2016.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self.inception_stem = InceptionStem()
        self.inception_block_list = nn.LayerList([
            *(InceptionA(inputs, pooled) for inputs, pooled in ((192, 32), (256, 64), (288, 64))),
            InceptionB(288),
            *(InceptionC(768, hidden) for hidden in (128, 160, 160, 192)),
            InceptionD(768),
            InceptionE(1280),
            InceptionE(2048),
        ])  # fmt: skip
        if with_pool:
            self.avg_pool = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.dropout = nn.Dropout(0.2, mode="downscale_in_infer")
            self.fc = nn.Linear(2048, num_classes)

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = self.inception_stem(x)
        for block in self.inception_block_list:
            x = block(x)
        if self.with_pool:
            x = self.avg_pool(x)
        return self.fc(self.dropout(OPS["reshape"](x, (x.shape[0], 2048)))) if self.num_classes > 0 else x


def inception_v3(pretrained: bool = False, **kwargs: Any) -> InceptionV3:
    """Inception version 3."""
    refuse(pretrained, "inception_v3")
    return InceptionV3(**kwargs)
