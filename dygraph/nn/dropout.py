"""Dropout layers; they do nothing in evaluation mode (but see `mode`)."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError, KindError
from . import functional as F
from .layer import Layer
from .layer_settings import with_name

__all__ = ["AlphaDropout", "Dropout", "Dropout2D", "Dropout3D", "FeatureAlphaDropout"]


def _checked(p: Any) -> float:
    if hasattr(p, "item") and not getattr(p, "shape", None):
        p = p.item()  # a tensor or an array without axes
    if isinstance(p, bool) or not isinstance(p, (int, float)):
        raise KindError(f"the probability of dropout must be a number, not a {type(p).__name__}")
    if not 0.0 <= p <= 1.0:
        raise ArgumentError(f"the probability of dropout must be a number from 0 to 1, not {p!r}")
    return float(p)


class Dropout(Layer):
    """Each element is 0 with probability `p` while training; see functional.dropout for `axis` and `mode`.

    >>> from ..conversions import to_tensor
    >>> Dropout(0.9).eval()(to_tensor([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self, p: float = 0.5, inplace: Any = False, axis: Any = None, mode: str = "upscale_in_train",
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        if not isinstance(inplace, bool):  # older releases have the axis here
            inplace, axis = False, inplace
        self.inplace, self.name = inplace, name
        if mode not in ("upscale_in_train", "downscale_in_infer"):
            raise ArgumentError(f'mode must be "upscale_in_train" or "downscale_in_infer", not {mode!r}')
        self.p, self.axis, self.mode = _checked(p), axis, mode

    def forward(self, x: Any) -> Any:
        return F.dropout(x, self.p, self.axis, self.training, self.inplace, self.mode)

    def extra_repr(self) -> str:
        return with_name(f"p={self.p}, axis={self.axis}, mode={self.mode}", self.name) + f", inplace={self.inplace}"


class Dropout2D(Layer):
    """Whole channels of images [n, c, h, w] are 0 with probability `p` while training."""

    def __init__(self, p: float = 0.5, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(name)
        self.p, self.data_format, self.name = _checked(p), data_format, name

    def forward(self, x: Any) -> Any:
        return F.dropout2d(x, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        return with_name(f"p={self.p}, data_format={self.data_format}", self.name)


class AlphaDropout(Layer):
    """Dropout for networks with selu: keeps mean 0 and variance 1."""

    def __init__(self, p: float = 0.5, name: str | None = None) -> None:
        super().__init__(name)
        self.p, self.name = _checked(p), name

    def forward(self, x: Any) -> Any:
        return F.alpha_dropout(x, self.p, self.training)

    def extra_repr(self) -> str:
        return with_name(f"p={self.p}", self.name)


class FeatureAlphaDropout(AlphaDropout):
    """AlphaDropout of whole channels of [n, c, …]."""

    def forward(self, x: Any) -> Any:
        return F.feature_alpha_dropout(x, self.p, self.training)


class Dropout3D(Layer):
    """Whole channels of volumes [n, c, d, h, w] are 0 with probability `p` while training."""

    def __init__(self, p: float = 0.5, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__(name)
        self.p, self.data_format, self.name = _checked(p), data_format, name

    def forward(self, x: Any) -> Any:
        return F.dropout3d(x, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        return with_name(f"p={self.p}, data_format={self.data_format}", self.name)
