"""Generators of `Custom` lowerings by name, e.g. "window.max_pool2d": from an Operation to its Kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...base.errors import KernelError
from ...ir.core import Operation
from .kernel import Kernel

Generator: TypeAlias = Callable[[Operation], Kernel]
_GENERATORS: dict[str, Generator] = {}
_CONDITIONS: dict[str, Callable[[Operation], bool]] = {}


def generates(name: str, when: Callable[[Operation], bool] | None = None) -> Callable[[Generator], Generator]:
    """Declare a function as the generator of `Custom(name)`; `when`: for which operations, others are NumPy's."""

    def declare(function: Generator) -> Generator:
        _GENERATORS[name] = function
        if when is not None:
            _CONDITIONS[name] = when
        return function

    return declare


def generator(name: str) -> Generator:
    """The generator called `name`."""
    if name not in _GENERATORS:
        raise KernelError(f"no generator is called {name!r}")
    return _GENERATORS[name]


def has_generator(name: str, operation: Operation) -> bool:
    """Whether an operation with `Custom(name)` can be lowered natively; if not, the VM makes a host call, for NumPy."""
    return name in _GENERATORS and (name not in _CONDITIONS or _CONDITIONS[name](operation))
