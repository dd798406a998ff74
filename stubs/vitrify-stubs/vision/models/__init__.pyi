# Written by `make stubs`; edits here are lost.

"""The usual networks for images, without trained weights."""

from builtins import bool as _bool
from builtins import float as _float
from typing import Any as _Any
from vitrify.vision.models.densenet import DenseNet as DenseNet
from vitrify.vision.models.densenet import DenseNet as _DenseNet
from vitrify.vision.models.googlenet import GoogLeNet as GoogLeNet
from vitrify.vision.models.googlenet import GoogLeNet as _GoogLeNet
from vitrify.vision.models.inception_v3 import InceptionV3 as InceptionV3
from vitrify.vision.models.inception_v3 import InceptionV3 as _InceptionV3
from vitrify.vision.models.lenet import AlexNet as AlexNet
from vitrify.vision.models.lenet import AlexNet as _AlexNet
from vitrify.vision.models.lenet import LeNet as LeNet
from vitrify.vision.models.mobilenet import MobileNetV1 as MobileNetV1
from vitrify.vision.models.mobilenet import MobileNetV1 as _MobileNetV1
from vitrify.vision.models.mobilenet import MobileNetV2 as MobileNetV2
from vitrify.vision.models.mobilenet import MobileNetV2 as _MobileNetV2
from vitrify.vision.models.mobilenet_v3 import MobileNetV3Large as MobileNetV3Large
from vitrify.vision.models.mobilenet_v3 import MobileNetV3Large as _MobileNetV3Large
from vitrify.vision.models.mobilenet_v3 import MobileNetV3Small as MobileNetV3Small
from vitrify.vision.models.mobilenet_v3 import MobileNetV3Small as _MobileNetV3Small
from vitrify.vision.models.resnet import ResNet as ResNet
from vitrify.vision.models.resnet import ResNet as _ResNet
from vitrify.vision.models.shufflenet import ShuffleNetV2 as ShuffleNetV2
from vitrify.vision.models.shufflenet import ShuffleNetV2 as _ShuffleNetV2
from vitrify.vision.models.squeezenet import SqueezeNet as SqueezeNet
from vitrify.vision.models.squeezenet import SqueezeNet as _SqueezeNet
from vitrify.vision.models.vgg import VGG as VGG
from vitrify.vision.models.vgg import VGG as _VGG

def alexnet(pretrained: _bool = False, **kwargs: _Any) -> _AlexNet:
    """AlexNet. Errors: ArgumentError for pretrained=True."""

def densenet121(pretrained: _bool = False, **kwargs: _Any) -> _DenseNet:
    """DenseNet of 121 layers."""

def densenet161(pretrained: _bool = False, **kwargs: _Any) -> _DenseNet:
    """DenseNet of 161 layers."""

def densenet169(pretrained: _bool = False, **kwargs: _Any) -> _DenseNet:
    """DenseNet of 169 layers."""

def densenet201(pretrained: _bool = False, **kwargs: _Any) -> _DenseNet:
    """DenseNet of 201 layers."""

def densenet264(pretrained: _bool = False, **kwargs: _Any) -> _DenseNet:
    """DenseNet of 264 layers."""

def googlenet(pretrained: _bool = False, **kwargs: _Any) -> _GoogLeNet:
    """GoogLeNet."""

def inception_v3(pretrained: _bool = False, **kwargs: _Any) -> _InceptionV3:
    """Inception version 3."""

def mobilenet_v1(pretrained: _bool = False, scale: _float = 1.0, **kwargs: _Any) -> _MobileNetV1:
    """MobileNet version 1."""

def mobilenet_v2(pretrained: _bool = False, scale: _float = 1.0, **kwargs: _Any) -> _MobileNetV2:
    """MobileNet version 2."""

def mobilenet_v3_large(pretrained: _bool = False, scale: _float = 1.0, **kwargs: _Any) -> _MobileNetV3Large:
    """MobileNet version 3, large."""

def mobilenet_v3_small(pretrained: _bool = False, scale: _float = 1.0, **kwargs: _Any) -> _MobileNetV3Small:
    """MobileNet version 3, small."""

def resnet101(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 101 layers."""

def resnet152(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 152 layers."""

def resnet18(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 18 layers.

    >>> sum(p.size for p in resnet18(num_classes=10).parameters() if p.trainable)
    11181642"""

def resnet34(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 34 layers."""

def resnet50(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 50 layers."""

def resnext101_32x4d(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNeXt of 101 layers: 32 groups of 4 channels."""

def resnext101_64x4d(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNeXt of 101 layers: 64 groups of 4 channels."""

def resnext152_32x4d(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNeXt of 152 layers: 32 groups of 4 channels."""

def resnext152_64x4d(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNeXt of 152 layers: 64 groups of 4 channels."""

def resnext50_32x4d(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNeXt of 50 layers: 32 groups of 4 channels."""

def resnext50_64x4d(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNeXt of 50 layers: 64 groups of 4 channels."""

def shufflenet_v2_swish(pretrained: _bool = False, **kwargs: _Any) -> _ShuffleNetV2:
    """ShuffleNet version 2 of scale 1.0 with swish for ReLU."""

def shufflenet_v2_x0_25(pretrained: _bool = False, **kwargs: _Any) -> _ShuffleNetV2:
    """ShuffleNet version 2 of scale 0.25."""

def shufflenet_v2_x0_33(pretrained: _bool = False, **kwargs: _Any) -> _ShuffleNetV2:
    """ShuffleNet version 2 of scale 0.33."""

def shufflenet_v2_x0_5(pretrained: _bool = False, **kwargs: _Any) -> _ShuffleNetV2:
    """ShuffleNet version 2 of scale 0.5."""

def shufflenet_v2_x1_0(pretrained: _bool = False, **kwargs: _Any) -> _ShuffleNetV2:
    """ShuffleNet version 2 of scale 1.0."""

def shufflenet_v2_x1_5(pretrained: _bool = False, **kwargs: _Any) -> _ShuffleNetV2:
    """ShuffleNet version 2 of scale 1.5."""

def shufflenet_v2_x2_0(pretrained: _bool = False, **kwargs: _Any) -> _ShuffleNetV2:
    """ShuffleNet version 2 of scale 2.0."""

def squeezenet1_0(pretrained: _bool = False, **kwargs: _Any) -> _SqueezeNet:
    """SqueezeNet version 1.0."""

def squeezenet1_1(pretrained: _bool = False, **kwargs: _Any) -> _SqueezeNet:
    """SqueezeNet version 1.1."""

def vgg11(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 11 layers."""

def vgg13(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 13 layers."""

def vgg16(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 16 layers."""

def vgg19(pretrained: _bool = False, batch_norm: _bool = False, **kwargs: _Any) -> _VGG:
    """VGG of 19 layers."""

def wide_resnet101_2(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 101 layers with blocks of twice the width."""

def wide_resnet50_2(pretrained: _bool = False, **kwargs: _Any) -> _ResNet:
    """ResNet of 50 layers with blocks of twice the width."""
