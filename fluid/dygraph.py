"""fluid.dygraph: eager mode under its old names. Layers take `act` and the old names of arguments."""

from __future__ import annotations

from typing import Any

from ..compat.dygraph import to_variable
from ..dygraph.grad import grad
from ..dygraph.modes import no_grad
from ..dygraph.nn import (
    BatchNorm,
    Dropout,
    GroupNorm,
    Layer,
    LayerList,
    LayerNorm,
    ParameterList,
    PReLU,
    Sequential,
)
from ..dygraph.nn import Conv2D as _Conv2D
from ..dygraph.nn import Embedding as _Embedding
from ..dygraph.nn import Linear as _Linear
from ..dygraph.optimizer.lr import (
    CosineAnnealingDecay as CosineDecay,
)
from ..dygraph.optimizer.lr import (
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
    ReduceOnPlateau,
    StepDecay,
)
from ..dygraph.serialize import load, save
from ..jit import ProgramTranslator
from ..jit import to_static as declarative
from .layers.blocks import pool2d
from .layers.shared import activated
from .mode import disable_imperative as disable_dygraph
from .mode import enable_imperative as enable_dygraph
from .mode import guard
from .mode import in_dygraph_mode as enabled

dygraph_to_static_func = declarative

__all__ = [
    "BatchNorm",
    "Conv2D",
    "CosineDecay",
    "Dropout",
    "Embedding",
    "ExponentialDecay",
    "GroupNorm",
    "InverseTimeDecay",
    "LambdaDecay",
    "Layer",
    "LayerList",
    "LayerNorm",
    "Linear",
    "MultiStepDecay",
    "NaturalExpDecay",
    "NoamDecay",
    "PReLU",
    "ParameterList",
    "PiecewiseDecay",
    "PolynomialDecay",
    "Pool2D",
    "ProgramTranslator",
    "ReduceOnPlateau",
    "Sequential",
    "StepDecay",
    "declarative",
    "disable_dygraph",
    "dygraph_to_static_func",
    "enable_dygraph",
    "enabled",
    "grad",
    "guard",
    "load_dygraph",
    "no_grad",
    "save_dygraph",
    "to_variable",
]

__path__: list[str] = []  # so that the modules of compat/tables.py below it can be imported


class Linear(_Linear):
    """A fully connected layer, then `act`. Shapes: input f[..., input_dim]; result f[..., output_dim]."""

    def __init__(
        self, input_dim: int, output_dim: int, param_attr: Any = None, bias_attr: Any = None, act: str | None = None,
        dtype: Any = "float32",
    ) -> None:  # fmt: skip
        super().__init__(input_dim, output_dim, param_attr, bias_attr)
        self._act = act

    def forward(self, input: Any) -> Any:
        """The layer's result for a tensor."""
        return activated(super().forward(input), self._act)


class Conv2D(_Conv2D):
    """A convolution of images, then `act`. Shapes: input f[n, num_channels, h, w]; result f[n, num_filters, h', w']."""

    def __init__(
        self, num_channels: int, num_filters: int, filter_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int | None = None, param_attr: Any = None, bias_attr: Any = None,
        use_cudnn: bool = True, act: str | None = None, dtype: Any = "float32",
    ) -> None:  # fmt: skip
        super().__init__(
            num_channels, num_filters, filter_size, stride, padding, dilation, groups or 1,
            weight_attr=param_attr, bias_attr=bias_attr,
        )  # fmt: skip
        self._act = act

    def forward(self, input: Any) -> Any:
        """The layer's result for images."""
        return activated(super().forward(input), self._act)


class Embedding(_Embedding):
    """Rows of a table of shape `size`. Shapes: input i[...]; result f[..., size[1]]."""

    def __init__(
        self, size: Any, is_sparse: bool = False, is_distributed: bool = False, padding_idx: int | None = None,
        param_attr: Any = None, dtype: Any = "float32",
    ) -> None:  # fmt: skip
        super().__init__(size[0], size[1], padding_idx, weight_attr=param_attr)


class Pool2D(Layer):
    """`fluid.layers.pool2d` as a layer."""

    def __init__(
        self, pool_size: Any = -1, pool_type: str = "max", pool_stride: Any = 1, pool_padding: Any = 0,
        global_pooling: bool = False, use_cudnn: bool = True, ceil_mode: bool = False, exclusive: bool = True,
        data_format: str = "NCHW",
    ) -> None:  # fmt: skip
        super().__init__()
        self._settings: dict[str, Any] = {
            "pool_size": pool_size, "pool_type": pool_type, "pool_stride": pool_stride, "pool_padding": pool_padding,
            "global_pooling": global_pooling, "ceil_mode": ceil_mode, "exclusive": exclusive,
            "data_format": data_format,
        }  # fmt: skip

    def forward(self, input: Any) -> Any:
        """The pooled images."""
        return pool2d(input, **self._settings)


def save_dygraph(state_dict: dict[str, Any], model_path: str) -> None:
    """Save a layer's state as `model_path.pdparams`, an optimiser's as `model_path.pdopt`."""
    of_optimizer = "LR_Scheduler" in state_dict or not all(hasattr(v, "trainable") for v in state_dict.values())
    save(state_dict, model_path + (".pdopt" if of_optimizer else ".pdparams"))


def load_dygraph(model_path: str, **_: Any) -> tuple[Any, Any]:
    """What `save_dygraph` saved under a path: (a layer's state, an optimiser's state), None for what isn't there."""
    from pathlib import Path

    files = [Path(model_path.removesuffix(".pdparams").removesuffix(".pdopt") + end) for end in (".pdparams", ".pdopt")]
    found = [load(str(file)) if file.is_file() else None for file in files]
    return found[0], found[1]
