"""What the tests of lists that functions append to share."""

from __future__ import annotations

from typing import Any

import vitrify as vt


def plain(value: Any) -> Any:
    """A value with tensors as arrays, to be compared."""
    if isinstance(value, vt.Tensor):
        return ("tensor", str(value.dtype), value.stop_gradient, value.numpy().tolist())
    if isinstance(value, (list, tuple)):
        return type(value)(plain(v) for v in value)
    return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def lists_of(owner: Any) -> Any:
    return plain({k: v for k, v in vars(owner).items() if isinstance(v, (list, dict))})


class Base:
    def __init__(self) -> None:
        self.losses: list[Any] = []
        self.history: dict[str, list[Any]] = {"loss": [], "n": []}
        self.w = vt.ones([4])
