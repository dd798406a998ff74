"""Functions along one axis, for tensors without axes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from .arith import is_value
from .op import OPS

F = TypeVar("F", bound=Callable[..., Any])


def scalar_as_line(fn: F) -> F:
    """`fn(x, ..., axis, ...)` that takes a tensor without axes for a line of one element along axis 0, also named -1.

    The axis goes from the results again. The parameter is called `axis` or `dim`; None stays what `fn` makes of it.
    """
    parameters = inspect.signature(fn).parameters
    name = "axis" if "axis" in parameters else "dim"
    place, default = list(parameters).index(name) - 1, parameters[name].default

    @wraps(fn)
    def along(x: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_value(x) or x.ndim:
            return fn(x, *args, **kwargs)
        axis = kwargs[name] if name in kwargs else args[place] if place < len(args) else default
        if type(axis) is not int or axis not in (0, -1):
            return fn(x, *args, **kwargs)
        made = fn(OPS["reshape"](x, (1,)), *args, **kwargs)
        return tuple(OPS["reshape"](y, ()) for y in made) if isinstance(made, tuple) else OPS["reshape"](made, ())

    return cast(F, along)
