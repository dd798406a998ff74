"""Kernels of equal operations: layers of a network are alike, and the kernel of the first serves the others.

What a generator reads of an operation is its *form*: rows, attributes and types of it and of what is in its blocks, how
these are connected, and the little that generators ask of what is around it. Operations of one form have kernels that
differ in their values only. In verified mode (`VITRIFY_VERIFY`) each is generated anyway, and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from ...base.errors import KernelError
from ...base.flags import flags
from ...ir.core import Operation, Value
from ...ir.number_bounds import bounds_of
from ...ir.walk import attrs_key
from ...passes.loops.loop_indices import index_range_of, limits_of
from ..kernel.kernel_call import Kernel
from .groups.fetch import is_only_returned


class EqualOperations:
    """Gives operations of a program their kernels; `generate` makes that of one by itself."""

    def __init__(self, generate: Callable[[Operation], Kernel]) -> None:
        self.generate = generate
        self._known: dict[Hashable, _Known] = {}

    def kernel(self, operation: Operation) -> Kernel:
        """The kernel of an operation."""
        form = form_of(operation)
        if form is None:
            return self.generate(operation)
        known = self._known.get(form)
        if known is None:
            values = *operation.operands, *operation.results
            self._known[form] = known = _Known(operation, values, self.generate(operation))
            return known.kernel
        made = known.serving(operation)
        if made is None:
            return self.generate(operation)
        if flags.verify:
            other = self.generate(operation)
            if other.source != made.source:
                texts = f"{made.source.body}\n{other.source.body}"
                raise KernelError(f"equal operations have kernels that differ:\n{texts}", loc=operation.loc)
        return made


@dataclass(frozen=True, slots=True)
class _Known:
    """The first operation of a form, its operands and results (it may be erased meanwhile), and its kernel."""

    operation: Operation
    values: tuple[Value, ...]
    kernel: Kernel

    def serving(self, operation: Operation) -> Kernel | None:
        """The kernel for an equal operation; None where it names values that the operation doesn't."""
        first, kernel = self.operation, self.kernel
        new = dict(zip(self.values, [*operation.operands, *operation.results], strict=True))
        if any(slot.value is not None and slot.value not in new for slot in kernel.slots):
            return None
        return replace(
            kernel,
            slots=[slot if slot.value is None else replace(slot, value=new[slot.value]) for slot in kernel.slots],
            in_place={new[made]: tuple(new[v] for v in taken) for made, taken in kernel.in_place.items()},
            bases={new[made]: new[base] for made, base in kernel.bases.items()},
            stands_for=(first, operation),
        )


def form_of(operation: Operation) -> Hashable | None:
    """All that the generator of an operation reads of it; None where it may read what isn't part of the form."""
    numbers: dict[Value, int] = {}
    operands = tuple((numbers.setdefault(v, len(numbers)), v.type, _indices(v)) for v in operation.operands)
    used = tuple((r.type, bool(r.uses), is_only_returned(r)) for r in operation.results)
    outside = operation.name, operands, used, attrs_key(operation.attrs)
    if operation.name != "group":
        return None if operation.blocks or any(map(_may_be_written_out, operation.operands)) else outside
    (body,) = operation.blocks
    places = {arg: k for k, arg in enumerate(body.args)}
    inside = []
    for inner in body.operations:
        if inner.blocks:
            return None
        read = tuple(places[v] for v in inner.operands)
        inside.append((inner.name, read, attrs_key(inner.attrs), tuple(r.type for r in inner.results)))
        for made in inner.results:
            places[made] = len(places)
    return outside, tuple(arg.type for arg in body.args), tuple(inside)


def _indices(value: Value) -> Hashable:
    """What is known of an index: kernels don't check one that can't be out of range."""
    if not value.dtype.is_integer:
        return None
    return bounds_of(value), None if value.tensor_type.shape else (index_range_of(value), limits_of(value))


def _may_be_written_out(value: Value) -> bool:
    """Whether a kernel of one operation may hold the number that an operand is, in place of reading it."""
    operation = value.operation
    return operation is not None and (operation.op.is_literal or operation.name == "constant")
