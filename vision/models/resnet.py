"""ResNet of 18 to 152 layers, ResNeXt and wide ResNet."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...dygraph import nn
from ...ops.op import OPS
from .pretrained import refuse


class BasicBlock(nn.Layer):
    """Two 3×3 convolutions and the shortcut around them."""

    expansion = 1

    def __init__(
        self, inplanes: int, planes: int, stride: int = 1, downsample: Any = None, groups: int = 1,
        base_width: int = 64, dilation: int = 1, norm_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        norm = norm_layer or nn.BatchNorm2D
        if dilation > 1:
            raise ArgumentError("BasicBlock: dilation above 1 isn't supported")
        self.conv1 = nn.Conv2D(inplanes, planes, 3, padding=1, stride=stride, bias_attr=False)
        self.bn1 = norm(planes)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = norm(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """The block's output."""
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class BottleneckBlock(nn.Layer):
    """1×1, 3×3 and 1×1 convolutions and the shortcut around them."""

    expansion = 4

    def __init__(
        self, inplanes: int, planes: int, stride: int = 1, downsample: Any = None, groups: int = 1,
        base_width: int = 64, dilation: int = 1, norm_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        norm = norm_layer or nn.BatchNorm2D
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = nn.Conv2D(inplanes, width, 1, bias_attr=False)
        self.bn1 = norm(width)
        self.conv2 = nn.Conv2D(
            width, width, 3, padding=dilation, stride=stride, groups=groups, dilation=dilation, bias_attr=False
        )
        self.bn2 = norm(width)
        self.conv3 = nn.Conv2D(width, planes * self.expansion, 1, bias_attr=False)
        self.bn3 = norm(planes * self.expansion)
        self.relu = nn.ReLU()
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """The block's output."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn3(self.conv3(self.relu(self.bn2(self.conv2(out)))))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


LAYERS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


class ResNet(nn.Layer):
    """For images f32[n, 3, h, w]; scores f32[n, num_classes]. depth: 18, 34, 50, 101 or 152.

    groups and width: of the 3×3 convolutions; a block of n output channels / 4 convolves n · width / 64 · groups.
    Sources: He, Zhang, Ren, Sun, Deep residual learning for image recognition, 2016; for groups Xie, Girshick, Dollár,
    Tu, He, Aggregated residual transformations for deep neural networks, 2017; for width Zagoruyko, Komodakis, Wide
    residual networks, 2016.
    """

    def __init__(
        self,
        block: Any,
        depth: int = 50,
        width: int = 64,
        num_classes: int = 1000,
        with_pool: bool = True,
        groups: int = 1,
    ) -> None:
        super().__init__()
        if depth not in LAYERS:
            raise ArgumentError(f"ResNet: depth must be one of {sorted(LAYERS)}, not {depth}")
        layers = LAYERS[depth]
        self.groups, self.base_width, self.inplanes = groups, width, 64
        self.num_classes, self.with_pool = num_classes, with_pool
        self._norm_layer, self.dilation = nn.BatchNorm2D, 1
        self.conv1 = nn.Conv2D(3, 64, 7, stride=2, padding=3, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2D(3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2)
        self.layer3 = self._make_layer(block, 256, layers[2], 2)
        self.layer4 = self._make_layer(block, 512, layers[3], 2)
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = nn.Linear(512 * block.expansion, num_classes)

    def _make_layer(  # by PaddlePaddle's name, as networks that derive from this one call it
        self, block: Any, planes: int, blocks: int, stride: int = 1, dilate: bool = False
    ) -> nn.Sequential:
        norm, dilation, downsample = self._norm_layer, self.dilation, None
        if dilate:
            self.dilation, stride = dilation * stride, 1
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(
                nn.Conv2D(self.inplanes, planes * block.expansion, 1, stride=stride, bias_attr=False),
                norm(planes * block.expansion),
            )
        kinds = {"groups": self.groups, "base_width": self.base_width, "norm_layer": norm}
        made = [block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, dilation, norm)]
        self.inplanes = planes * block.expansion
        made += [block(self.inplanes, planes, **kinds) for _ in range(1, blocks)]
        return nn.Sequential(*made)

    def forward(self, x: Any) -> Any:
        """Scores of images."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        if self.with_pool:
            x = self.avgpool(x)
        if self.num_classes > 0:
            x = self.fc(OPS["reshape"](x, (x.shape[0], self.inplanes)))
        return x


def _resnet(block: Any, depth: int, pretrained: bool, **kwargs: Any) -> ResNet:
    refuse(pretrained, f"resnet{depth}")
    return ResNet(block, depth, **kwargs)


def _resnext(depth: int, groups: int, pretrained: bool, **kwargs: Any) -> ResNet:
    refuse(pretrained, f"resnext{depth}_{groups}x4d")
    return ResNet(BottleneckBlock, depth, width=4, groups=groups, **kwargs)


def _wide(depth: int, pretrained: bool, **kwargs: Any) -> ResNet:
    refuse(pretrained, f"wide_resnet{depth}_2")
    return ResNet(BottleneckBlock, depth, width=128, **kwargs)


def resnet18(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 18 layers.

    >>> sum(p.size for p in resnet18(num_classes=10).parameters() if p.trainable)
    11181642
    """
    return _resnet(BasicBlock, 18, pretrained, **kwargs)


def resnet34(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 34 layers."""
    return _resnet(BasicBlock, 34, pretrained, **kwargs)


def resnet50(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 50 layers."""
    return _resnet(BottleneckBlock, 50, pretrained, **kwargs)


def resnet101(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 101 layers."""
    return _resnet(BottleneckBlock, 101, pretrained, **kwargs)


def resnet152(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 152 layers."""
    return _resnet(BottleneckBlock, 152, pretrained, **kwargs)


def resnext50_32x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 50 layers: 32 groups of 4 channels."""
    return _resnext(50, 32, pretrained, **kwargs)


def resnext50_64x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 50 layers: 64 groups of 4 channels."""
    return _resnext(50, 64, pretrained, **kwargs)


def resnext101_32x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 101 layers: 32 groups of 4 channels."""
    return _resnext(101, 32, pretrained, **kwargs)


def resnext101_64x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 101 layers: 64 groups of 4 channels."""
    return _resnext(101, 64, pretrained, **kwargs)


def resnext152_32x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 152 layers: 32 groups of 4 channels."""
    return _resnext(152, 32, pretrained, **kwargs)


def resnext152_64x4d(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNeXt of 152 layers: 64 groups of 4 channels."""
    return _resnext(152, 64, pretrained, **kwargs)


def wide_resnet50_2(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 50 layers with blocks of twice the width."""
    return _wide(50, pretrained, **kwargs)


def wide_resnet101_2(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """ResNet of 101 layers with blocks of twice the width."""
    return _wide(101, pretrained, **kwargs)
