"""LeNet and AlexNet."""

from __future__ import annotations

from typing import Any

from ...dygraph import nn
from ...ops.op import OPS
from .pretrained import refuse


class LeNet(nn.Layer):
    """For images f32[n, 1, 28, 28]; scores f32[n, num_classes] (without the linear layers for num_classes=0).

    Source: LeCun, Bottou, Bengio, Haffner, Gradient-based learning applied to document recognition, 1998.

    >>> import vitrify as vt
    >>> LeNet()(vt.zeros([2, 1, 28, 28])).shape
    [2, 10]
    """

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, stride=1, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
            nn.Conv2D(6, 16, 5, stride=1, padding=0), nn.ReLU(), nn.MaxPool2D(2, 2),
        )  # fmt: skip
        if num_classes > 0:
            self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, num_classes))

    def forward(self, inputs: Any) -> Any:
        """Scores of images."""
        x = self.features(inputs)
        return self.fc(OPS["reshape"](x, (x.shape[0], 400))) if self.num_classes > 0 else x


class ConvPool(nn.Layer):
    """Convolution, ReLU and a pooling by 3×3 windows, 2 apart."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, padding: int) -> None:
        super().__init__()
        self._conv = nn.Conv2D(inputs, outputs, kernel, stride=stride, padding=padding)
        self._pool = nn.MaxPool2D(3, stride=2)

    def forward(self, x: Any) -> Any:
        """The smaller images."""
        return self._pool(nn.functional.relu(self._conv(x)))


class AlexNet(nn.Layer):
    """For images f32[n, 3, 224, 224]; scores f32[n, num_classes].

    Source: Krizhevsky, Sutskever, Hinton, ImageNet classification with deep convolutional neural networks, 2012.
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.num_classes = num_classes
        self._conv1 = ConvPool(3, 64, 11, 4, 2)
        self._conv2 = ConvPool(64, 192, 5, 1, 2)
        self._conv3 = nn.Conv2D(192, 384, 3, padding=1)
        self._conv4 = nn.Conv2D(384, 256, 3, padding=1)
        self._conv5 = ConvPool(256, 256, 3, 1, 1)
        if num_classes > 0:
            self._drop1 = nn.Dropout(0.5, mode="downscale_in_infer")
            self._fc6 = nn.Linear(256 * 6 * 6, 4096)
            self._drop2 = nn.Dropout(0.5, mode="downscale_in_infer")
            self._fc7 = nn.Linear(4096, 4096)
            self._fc8 = nn.Linear(4096, num_classes)

    def forward(self, inputs: Any) -> Any:
        """Scores of images."""
        relu = nn.functional.relu
        x = self._conv2(self._conv1(inputs))
        x = self._conv5(relu(self._conv4(relu(self._conv3(x)))))
        if self.num_classes > 0:
            x = self._drop1(OPS["reshape"](x, (x.shape[0], 256 * 6 * 6)))
            x = self._drop2(relu(self._fc6(x)))
            x = self._fc8(relu(self._fc7(x)))
        return x


def alexnet(pretrained: bool = False, **kwargs: Any) -> AlexNet:
    """AlexNet. Errors: ArgumentError for pretrained=True."""
    refuse(pretrained, "alexnet")
    return AlexNet(**kwargs)
