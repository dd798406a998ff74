"""Tensors kept for backward, packed by the user's hooks: moved to disk, compressed, counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..base.errors import ArgumentError, KindError, ShapeError
from ..ops.dims import same_shape
from ..ops.infer import show_shape

hooks: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = []  # the innermost pair is the last


@contextmanager
def saved_tensors_hooks(pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> Iterator[None]:
    """What eager mode keeps for backward inside the block goes through pack_hook(tensor) when it is kept, and through
    unpack_hook(what pack_hook gave) when backward reads it, which must give an equal tensor.

    Calls of compiled programs keep what they need in memory of their own.
    """
    for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
        if not callable(hook):
            raise KindError(f"{name} must be callable, not a {type(hook).__name__}")
    hooks.append((pack_hook, unpack_hook))
    try:
        yield
    finally:
        hooks.pop()


class Packed:
    """What stands for a kept tensor."""

    __slots__ = ("link", "packed", "shape", "unpack")

    def __init__(self, tensor: Any, link: Callable[[Any], None]) -> None:
        pack, self.unpack = hooks[-1]
        entered = hooks[:]
        hooks.clear()  # what the hook computes isn't packed itself
        try:
            self.packed = pack(tensor.detach())
        finally:
            hooks[:] = entered
        self.shape, self.link = tensor.shape, link

    def restore(self) -> Any:
        """The tensor again, in its place in the graph."""
        made = self.unpack(self.packed)
        if not hasattr(made, "_storage"):
            raise ArgumentError(f"unpack_hook gave a {type(made).__name__}; it must give a Tensor")
        if not same_shape(made.shape, self.shape):
            raise ShapeError(f"unpack_hook gave shape {show_shape(made.shape)}, not {show_shape(self.shape)}")
        alias = made.detach()
        self.link(alias)
        return alias
