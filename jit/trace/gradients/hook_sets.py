"""Sets of hooks on gradients that can be compared: what a program with them takes for granted."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any

from ....dygraph.hooks import Hook
from ..reachable import plain_of


class HookSet:
    """Some hooks in their order, equal to others that are the same, or functions of one piece of code and surroundings.

    >>> [HookSet([lambda g: g * 2]) for _ in range(2)]
    [1 hook, 1 hook]
    >>> first, second = [HookSet([lambda g: g * 2]) for _ in range(2)]
    >>> first == second, first == HookSet([print]), HookSet([print]) == HookSet([print])
    (True, False, True)
    """

    __slots__ = ("_hooks", "_key")

    def __init__(self, hooks: Iterable[Hook]) -> None:
        self._hooks = tuple(hooks)  # they stay alive, so that no other object gets the identity of one
        self._key = tuple([_identities(hook) for hook in self._hooks])

    def __len__(self) -> int:
        return len(self._hooks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HookSet) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return "1 hook" if len(self) == 1 else f"{len(self) or 'no'} hooks"


def _identities(hook: Hook) -> tuple[int, ...]:
    """What makes a hook the one that it is. A lambda in a loop is a new object each time."""
    plain = plain_of(hook)
    if isinstance(plain, types.FunctionType) and not hook.__dict__:
        parts: Iterable[Any] = (*(plain.__defaults__ or ()), *(plain.__kwdefaults__ or {}).values())
        return id(plain.__code__), id(plain.__globals__), *map(id, plain.__closure__ or ()), *map(id, parts)
    if isinstance(hook, types.MethodType):
        return id(hook.__func__), id(hook.__self__)
    if isinstance(hook, functools.partial):
        return *_identities(hook.func), *map(id, hook.args), *map(id, (*hook.keywords, *hook.keywords.values()))
    return (id(hook),)
