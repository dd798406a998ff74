"""VGG of 11 to 19 layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dygraph import nn
from ...ops.op import OPS
from .pretrained import refuse

# output channels of the convolutions of each stage; a pooling follows each stage
STAGES: dict[int, tuple[tuple[int, ...], ...]] = {
    11: ((64,), (128,), (256,) * 2, (512,) * 2, (512,) * 2),
    13: ((64,) * 2, (128,) * 2, (256,) * 2, (512,) * 2, (512,) * 2),
    16: ((64,) * 2, (128,) * 2, (256,) * 3, (512,) * 3, (512,) * 3),
    19: ((64,) * 2, (128,) * 2, (256,) * 4, (512,) * 4, (512,) * 4),
}


def make_layers(cfg: Sequence[int | str], batch_norm: bool = False) -> nn.Sequential:
    """The convolutions of a VGG: output channels of one each, and "M" for a pooling.

    >>> [type(layer).__name__ for layer in make_layers([4, "M"], batch_norm=True)]
    ['Conv2D', 'BatchNorm2D', 'ReLU', 'MaxPool2D']
    """
    layers: list[nn.Layer] = []
    channels = 3
    for part in cfg:
        if isinstance(part, str):
            layers.append(nn.MaxPool2D(2, 2))
            continue
        layers.append(nn.Conv2D(channels, part, 3, padding=1))
        layers += [nn.BatchNorm2D(part)] if batch_norm else []
        layers.append(nn.ReLU())
        channels = part
    return nn.Sequential(*layers)


class VGG(nn.Layer):
    """Convolutions `features`, then linear layers: images f32[n, 3, h, w] to scores f32[n, num_classes].

    Source: Simonyan, Zisserman, Very deep convolutional networks for large-scale image recognition, 2015.
    """

    def __init__(self, features: nn.Layer, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.features, self.num_classes, self.with_pool = features, num_classes, with_pool
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Linear(512 * 7 * 7, 4096), nn.ReLU(), nn.Dropout(),
                nn.Linear(4096, 4096), nn.ReLU(), nn.Dropout(), nn.Linear(4096, num_classes),
            )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = self.features(x)
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(OPS["reshape"](x, (x.shape[0], 512 * 7 * 7))) if self.num_classes > 0 else x


def _vgg(depth: int, pretrained: bool, batch_norm: bool, **kwargs: Any) -> VGG:
    refuse(pretrained, f"vgg{depth}")
    parts: list[int | str] = []
    for stage in STAGES[depth]:
        parts += [*stage, "M"]
    return VGG(make_layers(parts, batch_norm), **kwargs)


def vgg11(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 11 layers."""
    return _vgg(11, pretrained, batch_norm, **kwargs)


def vgg13(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 13 layers."""
    return _vgg(13, pretrained, batch_norm, **kwargs)


def vgg16(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 16 layers."""
    return _vgg(16, pretrained, batch_norm, **kwargs)


def vgg19(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """VGG of 19 layers."""
    return _vgg(19, pretrained, batch_norm, **kwargs)
