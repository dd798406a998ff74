"""Destination passing: a value is computed in its final place if nothing still reads what is there until then."""

from __future__ import annotations

from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.walk import holder_in
from ...ops.dims import same_dim, same_shape
from ...ops.lowering import Custom
from ...passes.fusion.fusion_facts import alias_offset, is_map, is_native, is_reduce
from ..kernel.kernel_call import Kernel
from ..lower.equal_operations import EqualOperations
from ..lower.registry import has_generator
from .growing.host_placement import HostPlacement
from .operations import kernel_of, makes_memory, may_fail
from .program_steps import FETCH, STATE, Buffer


class Destinations:
    """The places that values of a program are computed in, and the kernels that say which inputs they may overwrite."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.host = HostPlacement(program)
        self.destinations: dict[Value, Buffer] = {}
        self.occupants: dict[Value, Value | None] = {}  # what a destination holds until then
        self.generated = EqualOperations(kernel_of)
        self.kernels: dict[Operation, Kernel] = {}
        self.positions: dict[Block, dict[Operation, int]] = {}
        places = self._positions(program.body)
        self.last_failure = max((k for o, k in places.items() if may_fail(o) or self.host.may_fail(o)), default=-1)

    def kernel(self, operation: Operation) -> Kernel:
        if operation not in self.kernels:
            self.kernels[operation] = self.generated.kernel(operation)
        return self.kernels[operation]

    def set_destination(self, value: Value, target: Buffer, block: Block, occupant: Value | None) -> None:
        """Have `value`, made in `block`, computed in `target`, which until then holds the value `occupant`.

        And what an update makes it of, and so on, where nothing else reads that later: all are made there in turn.
        """
        changed: Value | None = None
        link: tuple[Value, Buffer] | None = (value, target)
        while link is not None:
            value, target = link
            link = self._directed(value, target, block, occupant)
            is_there = self.destinations.get(value) is target
            if changed is not None and is_there:
                self.occupants[changed] = value
            changed = value if is_there else None

    def _directed(
        self, value: Value, target: Buffer, block: Block, occupant: Value | None
    ) -> tuple[Value, Buffer] | None:
        """Have a value computed in `target`; gives what is to be computed where then."""
        operation = value.operation
        if operation is None or operation.parent is not block or value in self.destinations or is_list(value):
            return None
        if self.host.holds_one(operation) and not operation.blocks:
            return None
        if self.host.has(value) or self.host.has(operation.operands[0] if operation.operands else value):
            return None
        if target.owner().role == STATE and self._may_fail_from(operation):
            return None
        if operation.name in ("for", "while"):
            if occupant is not None or target.role == FETCH:
                self._direct_carried(operation, value, target, block, occupant)
            return None
        offset = alias_offset(operation)
        if offset is not None and same_dim(offset, 0) and _is_all_of(value, operation.operands[0]):
            source = operation.operands[0]
            return source, Buffer(source.tensor_type, parent=target)
        if not same_shape(value.tensor_type.shape, target.kind.shape) or not makes_memory(operation):
            return None
        if occupant is not None and not self._is_given_up(occupant, value, block):
            return None
        self.destinations[value] = target
        self.occupants[value] = occupant
        return self._changed_there(value, target, block)

    def _changed_there(self, value: Value, target: Buffer, block: Block) -> tuple[Value, Buffer] | None:
        """That of which `value` is an update, if it may lie in `target` until then, with its place."""
        base = self._base_of(value)
        if base is None or not self._is_given_up(base, value, block):
            return None
        is_same = same_shape(base.tensor_type.shape, target.kind.shape)
        return base, target if is_same else Buffer(base.tensor_type, parent=target)

    def _base_of(self, value: Value) -> Value | None:
        """The value of which an update in place makes another, whatever shape it has there."""
        operation = value.operation
        assert operation is not None
        if not (operation.name == "group" or operation.op.writes_into_first) or not is_native(operation):
            return None
        base = self.kernel(operation).bases.get(value)
        while base is not None and base.operation is not None and alias_offset(base.operation) is not None:
            base = base.operation.operands[0]
        return base

    def _direct_carried(
        self, loop: Operation, value: Value, target: Buffer, block: Block, occupant: Value | None
    ) -> None:
        """Have what a loop carries lie in `target` from the start, if it keeps its shape."""
        start = loop.operands[value.index + (loop.name == "for")]
        arg = loop.blocks[-1].args[value.index + (loop.name == "for")]
        if not all(same_shape(v.tensor_type.shape, target.kind.shape) for v in (start, arg, value)):
            return
        if occupant is not None and not self._is_free_after(occupant, value, block):
            return
        self.destinations[value], self.occupants[value] = target, occupant
        if _goes_only_there(start, occupant):
            self.set_destination(start, target, block, occupant)

    def _is_given_up(self, occupant: Value, made: Value, block: Block) -> bool:
        """Whether `made` may lie where `occupant` does; what an `if` gives, where either branch allows it."""
        operation = made.operation
        assert operation is not None
        if operation.name != "if":
            return self._is_free_after(occupant, made, block)
        return self._is_free_after(occupant, made, block, in_branches=True) and all(
            self._is_left_by(branch, branch.yields[made.index], occupant) for branch in operation.blocks
        )

    def _is_left_by(self, branch: Block, given: Value, occupant: Value) -> bool:
        """Whether a branch gives the occupant itself, or what it makes in its place."""
        if given is occupant:
            return True
        operation = given.operation
        return operation is not None and operation.parent is branch and self._is_given_up(occupant, given, branch)

    def _is_free_after(self, occupant: Value, made: Value, block: Block, *, in_branches: bool = False) -> bool:
        """Whether nothing in `block` reads `occupant` once `made` is; reads by its own operation must be in place.

        in_branches: its operation is an `if`, and what its branches read is looked at there.
        """
        position = self._positions(block)
        assert made.operation is not None
        at = position[made.operation]
        stack = [occupant]
        while stack:
            value = stack.pop()
            for user, number in value.uses:
                outer = holder_in(block, user)
                if outer is None and alias_offset(user) is not None:
                    stack.extend(user.results)  # a part that was taken before, and may be read inside
                if outer is None or (outer.name == "update" and number == 0):
                    continue
                k = len(position) if outer.name == "update" else position[outer]  # state takes its value at the end
                if k == at and in_branches and user is not outer:
                    continue
                is_whole = _is_all_of(value, occupant)  # or in another shape
                if k == at and user is outer and is_whole and _is_start_of(made, number):
                    continue
                if k > at or (k == at and (outer.blocks and outer.name != "group")):
                    return False
                if k == at and not (is_whole and self._reads_in_place(made, value)):
                    return False
                if alias_offset(outer) is not None:
                    stack.extend(outer.results)
        return True

    def _may_fail_from(self, operation: Operation) -> bool:
        """Whether an operation of the program's own block, or one behind it, may fail: state must stay as it was."""
        return self._positions(self.program.body).get(operation, self.last_failure + 1) <= self.last_failure

    def _positions(self, block: Block) -> dict[Operation, int]:
        """The number of each operation of a block: blocks stay as they are while steps are made of them."""
        if block not in self.positions:
            self.positions[block] = {o: k for k, o in enumerate(block.operations)}
        return self.positions[block]

    def _reads_in_place(self, made: Value, occupant: Value) -> bool:
        operation = made.operation
        assert operation is not None
        lowering = operation.op.lowering
        if operation.name == "matmul_add":
            return operation.operands[0] is occupant and occupant not in operation.operands[1:]
        custom = isinstance(lowering, Custom) and has_generator(lowering.name, operation)
        if operation.name != "group" and not (custom or is_map(operation) or is_reduce(operation)):
            return False
        kernel = self.kernel(operation)
        if made in kernel.bases:
            return kernel.bases[made] is occupant and operation.operands.count(occupant) == 1
        return occupant in kernel.in_place.get(made, ())


def _is_all_of(view: Value, source: Value) -> bool:
    """Whether a part of an array is all of it; complex numbers of parts have other elements."""
    return same_dim(*(v.tensor_type.size * v.dtype.itemsize for v in (view, source)))


def _is_start_of(made: Value, number: int) -> bool:
    """Whether this operand of a loop is what the carried value starts from."""
    operation = made.operation
    return (
        operation is not None
        and operation.name in ("for", "while")
        and (number == made.index + (operation.name == "for"))
    )


def _goes_only_there(start: Value, occupant: Value | None) -> bool:
    """Whether nothing but one operation reads a value, or what it is another shape of; others read what is there."""
    while start is not occupant:
        if len(start.uses) != 1:
            return False
        operation = start.operation
        if operation is None or alias_offset(operation) is None:
            return True
        start = operation.operands[0]
    return True
