"""What follows a contraction element by element: the elements of its group, computed from a block of its sums.

Every kernel of a contraction puts its sums into a block that stays in the cache, and hands each of them to the
epilogue, with the place of the result that it belongs to. So whatever elementwise operations a group has behind its
contraction, they are written by the mechanism that writes groups without one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from ....ir.core import Operation, Value
from ....ops.dims import product as size_of
from ....ops.dims import same_dim
from ....ops.kernel_expressions import ZERO, Expr, Name, Operand
from ....ops.lowering import Index
from ...kernel.kernel_builder import KernelBuilder
from ..element import ElementWriter, are_alike, store_all
from ..groups.axes import Axis, decode, sweep_axes
from ..groups.folds import weight_of
from ..parameters import Parameters
from ..registry import ContractionGroup


class Epilogue:
    """The epilogue of a group's contraction."""

    def __init__(self, group: ContractionGroup, parameters: Parameters, builder: KernelBuilder) -> None:
        self.head, self.outputs = group.head, list(group.outputs)
        self.operations = [o for o in group.operations if o is not group.head]
        self.builder = builder
        self.elements = ElementWriter(parameters, builder, set(self.operations), self._sum)
        self._total: Expr = ZERO
        self._places: set[tuple[Expr, ...]] = set()  # at which elements are stored

    @property
    def is_empty(self) -> bool:
        """Whether the sums themselves are all that is stored: then they go to the result at once."""
        return self.outputs == [self.head.result]

    @property
    def weight(self) -> int:
        """Work per element, in simple operations."""
        return sum(weight_of(o) for o in self.operations)

    @contextmanager
    def loop(self, variable: str, start: Operand, stop: Operand) -> Iterator[Name]:
        """A loop, with a scope of its own for elements that are computed in it."""
        with self.builder.on_behalf_of(None), self.builder.loop(variable, start, stop) as name:
            self.elements.push()
            yield name
            self.elements.pop()

    def store(self, total: Expr, index: Index) -> None:
        """Store the elements at `index` of the result, where the sum is `total`."""
        self._total = total
        self._places.add(tuple(index))
        store_all(self.outputs, index, self.elements)

    def in_place(self, factors: Collection[Value]) -> dict[Value, tuple[Value, ...]]:
        """Results that may take the memory of what is read only at the element at hand, and is none of the factors.

        Only for kernels that store each element once.
        """
        read = [i for i, indices in self.elements.reads.items() if i not in factors and indices == self._places]
        return {value: tuple(i for i in read if are_alike(i, value)) for value in self.outputs}

    def _sum(self, value: Value, index: Index) -> Expr | None:
        return self.elements.bind(self._total) if value is self.head.result else None


class RowsOfSums:
    """Stores what an epilogue makes of blocks of a product's sums, row by row; rows are counted along all axes but the
    last one.
    """

    def __init__(self, epilogue: Epilogue, parameters: Parameters, builder: KernelBuilder) -> None:
        self._domain = epilogue.head.result.tensor_type.shape
        self._epilogue, self._parameters, self._builder = epilogue, parameters, builder
        self._index: Index = [ZERO] * len(self._domain)

    def store(self, sums: Expr, at: Operand, shape: tuple[int, Operand], row: Expr, column: Expr) -> None:
        """Of a block of (rows, columns) whose sums start at an element: its first row and column in the result."""
        builder, (rows, columns) = self._builder, shape
        axes = sweep_axes(self._domain, None, self._epilogue.operations)
        lead = [Axis(a.members, a.size, True) for a in axes if a.members[-1] != len(self._domain) - 1]
        joined = axes[-1].members[:-1]
        if joined:
            lead.append(Axis(joined, size_of(self._domain[k] for k in joined), True))
        with self._epilogue.loop("r", 0, rows) as r:
            decode(lead, builder.let("i1", row + r), self._index, self._parameters, builder, "1_")
            with self._epilogue.loop("j", 0, columns) as j:
                self._index[-1] = builder.let("c", column + j)
                self._epilogue.store(sums[at + r * columns + j], self._index)


def image_index(head: Operation, image: Expr, channel: Expr, pixel: Expr) -> Index:
    """The index of a pixel, counted through the whole image, of the images that a convolution makes."""
    last = 2 if same_dim(head.result.tensor_type.shape[3], 1) else 3
    return [image, channel, *(pixel if axis == last else ZERO for axis in (2, 3))]
