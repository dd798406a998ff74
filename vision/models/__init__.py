"""The usual networks for images, without trained weights."""

from ...base.suggest import tell_unknown_names as _tell_unknown_names
from .lenet import AlexNet, LeNet, alexnet
from .mobilenet import MobileNetV1, MobileNetV2, mobilenet_v1, mobilenet_v2
from .resnet import ResNet, resnet18, resnet34, resnet50, resnet101, resnet152
from .vgg import VGG, vgg11, vgg13, vgg16, vgg19

__all__ = [
    "VGG",
    "AlexNet",
    "LeNet",
    "MobileNetV1",
    "MobileNetV2",
    "ResNet",
    "alexnet",
    "mobilenet_v1",
    "mobilenet_v2",
    "resnet18",
    "resnet34",
    "resnet50",
    "resnet101",
    "resnet152",
    "vgg11",
    "vgg13",
    "vgg16",
    "vgg19",
]

_tell_unknown_names(__name__)
