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


class AlexNet(nn.Layer):
    """For images f32[n, 3, 224, 224]; scores f32[n, num_classes].

    Source: Krizhevsky, Sutskever, Hinton, ImageNet classification with deep convolutional neural networks, 2012.
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = nn.Sequential(
            nn.Conv2D(3, 64, 11, stride=4, padding=2), nn.ReLU(), nn.MaxPool2D(3, 2),
            nn.Conv2D(64, 192, 5, padding=2), nn.ReLU(), nn.MaxPool2D(3, 2),
            nn.Conv2D(192, 384, 3, padding=1), nn.ReLU(),
            nn.Conv2D(384, 256, 3, padding=1), nn.ReLU(),
            nn.Conv2D(256, 256, 3, padding=1), nn.ReLU(), nn.MaxPool2D(3, 2),
        )  # fmt: skip
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Dropout(0.5), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(),
                nn.Dropout(0.5), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, num_classes),
            )  # fmt: skip

    def forward(self, inputs: Any) -> Any:
        """Scores of images."""
        x = self.features(inputs)
        return self.classifier(OPS["reshape"](x, (x.shape[0], 256 * 6 * 6))) if self.num_classes > 0 else x


def alexnet(pretrained: bool = False, **kwargs: Any) -> AlexNet:
    """AlexNet. Errors: ArgumentError for pretrained=True."""
    refuse(pretrained, "alexnet")
    return AlexNet(**kwargs)
