"""The usual networks for images, without trained weights."""

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
