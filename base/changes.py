"""The one counter of changes to layers and settings, which compiled functions compare instead of looking at each.

It moves when an attribute of a layer, an attribute or method of a layer's class, or an entry of its tables changes; and
when an attribute of another object changes whose class counts that (`Counted`): optimisers, their clips, distributions.
"""

from __future__ import annotations

from abc import ABCMeta
from typing import Any, ClassVar, Generic, TypeVar

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


class Counted:
    """Base of classes whose attributes are settings that captured code reads: to set or delete one is counted.

    Objects that tally what each step does (schedulers, metrics) are none: each step would be such a change.
    """

    __slots__ = ()
    read_by_runs: ClassVar[frozenset[str]] = frozenset()  # attributes that runs of a program read anew: not counted

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.read_by_runs:
            layer_epoch.value += 1
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        layer_epoch.value += 1
        object.__delattr__(self, name)


class CountedSetting:
    """An attribute of a class with many others; to set or delete it is counted. It stands in `__dict__` as usual."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        try:
            return instance.__dict__[self.name]
        except KeyError:
            raise AttributeError(f"{type(instance).__name__!r} object has no attribute {self.name!r}") from None

    def __set__(self, instance: Any, value: Any) -> None:
        layer_epoch.value += 1
        instance.__dict__[self.name] = value

    def __delete__(self, instance: Any) -> None:
        layer_epoch.value += 1
        del instance.__dict__[self.name]


class CountedTable(dict[K, V], Generic[K, V]):
    """A table of a layer (parameters, sublayers, buffers, hooks) or of settings; every change of it is counted."""

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
