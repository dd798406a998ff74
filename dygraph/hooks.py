"""Tables of hooks in the order they were registered, and the handles that remove them. Tensors and layers use them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from ..ops.dispatch import current

Hook: TypeAlias = Callable[..., Any]
HookTable: TypeAlias = dict[int, Hook]

H = TypeVar("H", bound="HookHandle")
_keys = itertools.count()
changed = 0  # how often hooks on gradients were registered or removed


class HookHandle:
    """What registering a hook returns; `remove()` takes the hook out again, once.

    >>> table = {}
    >>> handle = register(table, print, HookHandle)
    >>> handle.remove(), handle.remove(), table
    (True, False, {})
    """

    __slots__ = ("_key", "_table")

    def __init__(self, table: HookTable, key: int) -> None:
        self._table = table
        self._key = key

    def remove(self) -> bool:
        """Take the hook out; whether it was still there."""
        global changed
        changed += 1
        current().changes_hooks(self._table)
        return self._taken()

    def _taken(self) -> bool:
        return self._table.pop(self._key, None) is not None


class QuietHandle(HookHandle):
    """A layer's handle, whose `remove()` tells nothing."""

    __slots__ = ()

    def remove(self) -> None:  # type: ignore[override]
        """Take the hook out."""
        self._taken()


def next_key() -> int:
    """A key above those of all hooks so far, and below those of later ones."""
    return next(_keys)


def register(table: HookTable, hook: Hook, kind: type[H], *, prepend: bool = False) -> H:
    """Put `hook` at the end of `table` (or the front) and return its handle, of a kind."""
    global changed
    changed += 1
    key = next(_keys)
    if prepend:
        rest = dict(table)
        table.clear()
        table[key] = hook
        table.update(rest)
    else:
        table[key] = hook
    return kind(table, key)


def hooks_of(x: Any) -> HookTable:
    """The hooks on a tensor's gradient."""
    found: HookTable | None = x._hooks if x._node is None else (x._node.hooks or {}).get(x._slot)
    return found or {}


def is_library_hook(hook: Any) -> bool:
    """Whether a hook is this package's own, as of DataParallel: it keeps books of its own, which no trace undoes."""
    fn = getattr(hook, "func", hook)
    return str(getattr(fn, "__module__", "")).startswith("vitrify.")


def users_hooks(table: HookTable) -> list[Hook]:
    """The hooks that users wrote."""
    return [hook for hook in table.values() if not is_library_hook(hook)]
