"""Methods of tensors that Paddle's engine has for itself, and that programs call now and then."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from .device import as_place
from .tensor import Tensor


def _copy_to(self: Tensor, place: Any = None, blocking: bool = True) -> Tensor:
    """A copy outside of the graph. Errors: ArgumentError for another device than the CPU."""
    as_place(place)
    copy = Tensor(np.array(self._copied()), self.dtype)
    copy.persistable = self.persistable
    return copy


def _is_initialized(self: Tensor) -> bool:
    """Whether it holds elements, or sizes without any."""
    return self.shape != [0]


def _md5sum(self: Tensor) -> str:
    """The MD5 sum of the elements' bytes."""
    return hashlib.md5(self._storage.payload.tobytes(), usedforsecurity=False).hexdigest()


def _place_str(self: Tensor) -> str:
    """The device in words."""
    return repr(self.place)


def _copy_gradient_from(self: Tensor, source: Tensor) -> None:
    """Take another tensor's elements as the gradient. Errors: ArgumentError for another shape or dtype."""
    if source.shape != self.shape or source.dtype != self.dtype:
        raise ArgumentError(
            f"a gradient must be {self.dtype.name} {list(self.shape)}, not {source.dtype.name} {list(source.shape)}"
        )
    self.grad = source.detach().clone()


for _name, _fn in {
    "_copy_to": _copy_to, "_is_initialized": _is_initialized, "_md5sum": _md5sum,
    "_copy_gradient_from": _copy_gradient_from, "_place_str": property(_place_str),
}.items():  # fmt: skip
    setattr(Tensor, _name, _fn)
