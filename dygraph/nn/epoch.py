"""The one counter of changes to layers, which compiled functions compare instead of looking at every layer.

It moves when an attribute of a layer, an attribute or method of a layer's class, or an entry of its tables changes.
"""

from __future__ import annotations

from abc import ABCMeta
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Epoch:
    """A number that only grows."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0


layer_epoch = Epoch()


class LayerType(ABCMeta):
    """The class of layers' classes: to set or delete a method or attribute of one counts as a change of layers.

    It is an ABCMeta, so that a layer can be an abstract class, too. A metaclass of one's own is derived from it
    (`type(nn.Layer)`).
    """

    def __setattr__(cls, name: str, value: Any) -> None:
        layer_epoch.value += 1
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        layer_epoch.value += 1
        super().__delattr__(name)

    __instancecheck__ = type.__instancecheck__  # the plain check, which is several times faster
    __subclasscheck__ = type.__subclasscheck__


class CountedTable(dict[K, V], Generic[K, V]):
    """A table of a layer: parameters, sublayers, buffers, hooks; every change of it counts as a change of the layer."""

    def __setitem__(self, key: K, value: V) -> None:
        layer_epoch.value += 1
        super().__setitem__(key, value)

    def __delitem__(self, key: K) -> None:
        layer_epoch.value += 1
        super().__delitem__(key)

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]  # `|` gives a plain dict
        layer_epoch.value += 1
        return super().__ior__(other)

    def pop(self, *args: Any) -> Any:
        """Take an entry out."""
        layer_epoch.value += 1
        return super().pop(*args)

    def popitem(self) -> tuple[K, V]:
        """Take the last entry out."""
        layer_epoch.value += 1
        return super().popitem()

    def clear(self) -> None:
        """Take all entries out."""
        layer_epoch.value += 1
        super().clear()

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Set some entries."""
        layer_epoch.value += 1
        super().update(*args, **kwargs)

    def setdefault(self, key: K, default: Any = None) -> Any:
        """The entry under a key, set if there is none."""
        layer_epoch.value += 1
        return super().setdefault(key, default)
