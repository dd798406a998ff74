"""Generators of `Custom` lowerings by name, e.g. "window.max_pool2d": from an Operation to its Kernel; and those of
contractions, which take the operations that follow into their kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...base.errors import KernelError
from ...ir.core import Operation, Value
from ..kernel.kernel_call import Kernel


@dataclass(frozen=True)
class ContractionGroup:
    """A contraction, `head`, among the operations of one kernel, of which `outputs` are stored."""

    name: str
    head: Operation
    operations: Sequence[Operation]
    outputs: Sequence[Value]

    @staticmethod
    def alone(head: Operation) -> ContractionGroup:
        """A contraction that nothing follows."""
        return ContractionGroup(head.name, head, [head], head.results)


Generator: TypeAlias = Callable[[Operation], Kernel]
GroupGenerator: TypeAlias = Callable[[ContractionGroup], Kernel]
_GENERATORS: dict[str, Generator] = {}
_CONDITIONS: dict[str, Callable[[Operation], bool]] = {}
_CONTRACTIONS: dict[str, GroupGenerator] = {}


def generates(name: str, when: Callable[[Operation], bool] | None = None) -> Callable[[Generator], Generator]:
    """Declare a function as the generator of `Custom(name)`; `when`: for which operations, others are NumPy's."""

    def declare(function: Generator) -> Generator:
        _GENERATORS[name] = function
        if when is not None:
            _CONDITIONS[name] = when
        return function

    return declare


def generates_contraction(row: str, lowering: str = "") -> Callable[[GroupGenerator], GroupGenerator]:
    """Declare a function as the generator of a contraction's kernels, as head of a group; and of `Custom(lowering)`."""

    def declare(function: GroupGenerator) -> GroupGenerator:
        _CONTRACTIONS[row] = function
        if lowering:
            _GENERATORS[lowering] = lambda operation: function(ContractionGroup.alone(operation))
        return function

    return declare


def contraction_kernel(name: str, operations: Sequence[Operation], outputs: Sequence[Value]) -> Kernel | None:
    """The kernel of a group with a contraction in it, or of a contraction alone; None for other operations."""
    for head in operations:
        if head.name in _CONTRACTIONS:
            return _CONTRACTIONS[head.name](ContractionGroup(name, head, operations, outputs))
    return None


def generator(name: str) -> Generator:
    """The generator called `name`."""
    if name not in _GENERATORS:
        raise KernelError(f"no generator is called {name!r}")
    return _GENERATORS[name]


def has_generator(name: str, operation: Operation) -> bool:
    """Whether an operation with `Custom(name)` can be lowered natively; if not, the VM makes a host call, for NumPy."""
    return name in _GENERATORS and (name not in _CONDITIONS or _CONDITIONS[name](operation))
