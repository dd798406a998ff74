"""Generators of `Custom` lowerings by name, e.g. "window.max_pool2d": from an Operation to its Kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...base.errors import KernelError
from ...ir.core import Operation
from .kernel import Kernel

Generator: TypeAlias = Callable[[Operation], Kernel]
_GENERATORS: dict[str, Generator] = {}


def generates(name: str) -> Callable[[Generator], Generator]:
    """Declare a function as the generator of `Custom(name)`."""

    def declare(function: Generator) -> Generator:
        _GENERATORS[name] = function
        return function

    return declare


def generator(name: str) -> Generator:
    """The generator called `name`."""
    if name not in _GENERATORS:
        raise KernelError(f"no generator is called {name!r}")
    return _GENERATORS[name]


def has_generator(name: str) -> bool:
    """Whether `Custom(name)` can be lowered natively; if not, the VM makes a host call, for NumPy."""
    return name in _GENERATORS
