# Written by `make stubs`; edits here are lost.

"""The usual networks for images, without trained weights."""

from builtins import bool as _bool
from builtins import float as _float
from typing import Any as _Any
from vitrify.vision.models.lenet import AlexNet as AlexNet
from vitrify.vision.models.lenet import AlexNet as _AlexNet
from vitrify.vision.models.lenet import LeNet as LeNet
from vitrify.vision.models.mobilenet import MobileNetV1 as MobileNetV1
from vitrify.vision.models.mobilenet import MobileNetV1 as _MobileNetV1
from vitrify.vision.models.mobilenet import MobileNetV2 as MobileNetV2
from vitrify.vision.models.mobilenet import MobileNetV2 as _MobileNetV2
from vitrify.vision.models.resnet import ResNet as ResNet
from vitrify.vision.models.resnet import ResNet as _ResNet
from vitrify.vision.models.vgg import VGG as VGG
from vitrify.vision.models.vgg import VGG as _VGG

def alexnet(pretrained: _bool = False, **kwargs: _Any) -> _AlexNet:
    """AlexNet. Errors: ArgumentError for pretrained=True."""

def mobilenet_v1(pretrained: _bool = False, scale: _float = 1.0, **kwargs: _Any) -> _MobileNetV1:
    """MobileNet version 1."""

def mobilenet_v2(pretrained: _bool = False, scale: _float = 1.0, **kwargs: _Any) -> _MobileNetV2:
    """MobileNet version 2."""

def resnet101(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 101 layers."""

def resnet152(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 152 layers."""

def resnet18(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 18 layers.

    >>> sum(p.size for p in resnet18(num_classes=10).parameters())
    11181642"""

def resnet34(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 34 layers."""

def resnet50(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 50 layers."""

def vgg11(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 11 layers."""

def vgg13(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 13 layers."""

def vgg16(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 16 layers."""

def vgg19(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 19 layers."""
