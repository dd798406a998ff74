"""How compiled functions are pickled: by name, or as the function that is compiled anew. Programs stay behind."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import reduce
from typing import Any

from ..base.errors import KindError


def pickled(compiled: Any, instance: Any, function: Callable[..., Any], settings: tuple[Any, ...]) -> Any:
    """What `__reduce__` of a compiled function gives. Errors: KindError for one that has no name in a module."""
    name = function.__name__
    own = getattr(type(instance), name, None)
    if instance is not None and isinstance(own, type(compiled)) and own._function is function:
        return getattr, (instance, name)  # decorated in the class: its descriptor compiles it for the instance
    found = named(function)
    if instance is None and found is compiled:
        return function.__qualname__
    if found is not function:
        raise KindError(
            f"{function.__qualname__} can't be pickled: its module has no such name",
            remedy="define it at the top of a module, or save it with vt.jit.save",
        )
    return type(compiled), (function, *settings, instance)


def named(function: Callable[..., Any]) -> Any:
    """What a function's own name means in its module."""
    module = sys.modules.get(function.__module__)
    try:
        return reduce(getattr, function.__qualname__.split("."), module)
    except AttributeError:
        return None
