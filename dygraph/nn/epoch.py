"""The one counter of changes to layers, which compiled functions compare instead of looking at every layer."""

from __future__ import annotations

from typing import Any


class Epoch:
    """A number that only grows."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0


layer_epoch = Epoch()


class CountedTable(dict[int, Any]):
    """A table of hooks; every change of it counts as a change of the layer."""

    def __setitem__(self, key: int, value: Any) -> None:
        layer_epoch.value += 1
        super().__setitem__(key, value)

    def pop(self, *args: Any) -> Any:
        """Take an entry out."""
        layer_epoch.value += 1
        return super().pop(*args)
