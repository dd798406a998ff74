# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class ResNet(_Layer):
    """For images f32[n, 3, h, w]; scores f32[n, num_classes]. depth: 18, 34, 50, 101 or 152.

    groups and width: of the 3×3 convolutions; a block of n output channels / 4 convolves n · width / 64 · groups.
    Sources: He, Zhang, Ren, Sun, Deep residual learning for image recognition, 2016; for groups Xie, Girshick, Dollár,
    Tu, He, Aggregated residual transformations for deep neural networks, 2017; for width Zagoruyko, Komodakis, Wide
    residual networks, 2016."""
    groups: _int
    base_width: _int
    inplanes: _int
    num_classes: _int
    with_pool: _bool
    dilation: _int
    conv1: _Any
    bn1: _Any
    relu: _Any
    maxpool: _Any
    layer1: _Any
    layer2: _Any
    layer3: _Any
    layer4: _Any
    avgpool: _Any
    fc: _Any
    def __init__(self, block: _Any, depth: _int = 50, width: _int = 64, num_classes: _int = 1000, with_pool: _bool = True, groups: _int = 1) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """Scores of images."""
