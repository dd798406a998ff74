"""Names of eager mode in Paddle's older layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from ..base import unique_name
from ..dygraph.device import as_place
from ..dygraph.nn.param_attr import as_attr, make_parameter
from ..dygraph.random_generators import pin_initial_values
from ..dygraph.tensor import Parameter, Tensor

_root = __name__.partition(".")[0]


@contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """A block in eager mode, whatever the mode around it; names that are made up in it count from 0.

    >>> with guard():
    ...     print(to_variable([1.0]).shape)
    [1]
    """
    as_place(place)
    root = import_module(_root)
    was_static = not root.in_dynamic_mode()
    if was_static:
        root.disable_static()
    try:
        with unique_name.guard():
            yield
    finally:
        if was_static:
            root.enable_static()


@contextmanager
def static_guard() -> Iterator[None]:
    """A block in static mode, whatever the mode around it: what PaddlePaddle's `IrGuard` and `OldIrGuard` are.

    They also choose a kind of program there; there is one kind here.
    """
    root = import_module(_root)
    was_eager = root.in_dynamic_mode()
    if was_eager:
        root.enable_static()
    try:
        yield
    finally:
        if was_eager:
            root.disable_static()


def switch_to_static_graph(func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: the function runs in static mode; afterwards the mode is as before."""

    @wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        with static_guard():
            return func(*args, **kwargs)

    return run


def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None, dtype: Any = None) -> Tensor:
    """A tensor of an array, list or number; a tensor stays itself.

    >>> to_variable(np.ones(2)).shape
    [2]
    """
    if isinstance(value, Tensor):
        return value
    made = Tensor(np.asarray(value), dtype)
    if name is not None:
        made.name = name
    return made


def create_parameter(
    shape: Any, dtype: Any, name: str | None = None, attr: Any = None, is_bias: bool = False,
    default_initializer: Any = None,
) -> Parameter | None:  # fmt: skip
    """A parameter outside of any layer. Without an initializer: zeros for a bias, else XavierUniform.

    >>> create_parameter([2, 3], "float32").shape
    [2, 3]
    """
    chosen: Any = as_attr(attr)
    if chosen is not None and name is not None and chosen.name is None:
        chosen = copy(chosen)
        chosen.name = name
    chosen = False if chosen is None else chosen
    return make_parameter(shape, chosen, dtype, is_bias, default_initializer, "create_parameter")


def manual_program_seed(seed: int) -> None:
    """Set the seed of the default main and startup programs, and of each parameter's first values in eager mode."""
    pin_initial_values(seed)
    static = import_module(f"{_root}.static")
    static.default_main_program().random_seed = seed
    static.default_startup_program().random_seed = seed
