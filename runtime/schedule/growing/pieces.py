"""Pieces: neighbouring steps over sizes that only a run knows, as one program, whose arguments tell these sizes.

By the time that such a step runs its sizes are known. So what kernels can do becomes a program of its own, in which
they are ordinary symbolic sizes: it is compiled as any other, when a run first has sizes that make it worth it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ....base import dtype as dt
from ....ir.core import Block, Operation, Program, Value
from ....ir.walk import clone_operation, map_attrs, map_type, walk_from
from ....ops.dims import Dim, DimLike
from ....ops.op import OPS
from ....ops.sizes import is_runtime_name, size_names
from ....ops.types import TensorType
from ....passes.fusion.outline import dissolve_groups
from ..program_steps import Buffer, CopyStep, GemmStep, InterpretedStep, KernelStep, ListPlace, PieceStep, ProgramStep
from .native_sizes import runs_natively

_Places = list[tuple[Value, "Buffer | ListPlace | None"]]


def joined_pieces(steps: Iterable[ProgramStep], fixed: Collection[ProgramStep] = ()) -> list[ProgramStep]:
    """The steps, with those that native code can do put together, also across native steps that may as well run before
    or after them: each piece is a call of its own. `fixed`: steps that stay where they are.
    """
    made: list[ProgramStep] = []
    joint = _Joint()
    for step in steps:
        if step in fixed:
            made += joint.end()
            made.append(step)
        elif isinstance(step, InterpretedStep) and step.operation is not None and runs_natively(step.operation):
            if not joint.admits(step) or joint.makes_view_for(step):
                made += joint.end()
            joint.members.append(step)
        elif joint.members and isinstance(step, _MOVABLE):
            if joint.admits(step) and not _depend(joint.members, step):
                made.append(step)
            else:
                joint.later.append(step)
        else:
            made += joint.end()
            made.append(step)
    return [*made, *joint.end()]


_MOVABLE = (KernelStep, GemmStep, CopyStep)  # what fails there is found by a check, which isn't moved


class _Joint:
    """The members of a piece that may still grow, and the native steps that wait for it."""

    def __init__(self) -> None:
        self.members: list[InterpretedStep] = []
        self.later: list[ProgramStep] = []

    def admits(self, step: ProgramStep) -> bool:
        """Whether a step may run before those that wait."""
        return not _depend(self.later, step)

    def makes_view_for(self, step: InterpretedStep) -> bool:
        """Whether a step reads what a member writes by another name: a view of it."""
        written = {_root(place) for m in self.members for _, place in (*m.outputs, *m.told) if place is not None}
        own = {value for m in self.members for value, _ in m.outputs}
        read = {_root(place) for value, place in step.inputs if place is not None and value not in own}
        return not written.isdisjoint(read)

    def end(self) -> list[ProgramStep]:
        """The piece and what waited for it; nothing is left."""
        made = [_piece(self.members), *self.later] if self.members else []
        self.members, self.later = [], []
        return made


def _depend(earlier: Iterable[ProgramStep], step: ProgramStep) -> bool:
    """Whether a step needs what these make, or they must be over before it writes."""
    reads, writes = _roots(step.reads()), _roots(step.writes())
    if isinstance(step, InterpretedStep):
        reads |= {value for value, place in step.inputs if place is None}
    for one in earlier:
        made = _roots(one.writes())
        if isinstance(one, InterpretedStep):
            made |= {value for value, place in one.outputs if place is None}
        if made & (reads | writes) or _roots(one.reads()) & writes:
            return True
    return False


def _root(place: Buffer | ListPlace) -> object:
    return place.owner() if isinstance(place, Buffer) else place


def _roots(buffers: Iterable[Buffer]) -> set[Buffer | Value]:
    return {b.owner() for b in buffers}


def _piece(members: Sequence[InterpretedStep]) -> PieceStep:
    operations = [m.operation for m in members if m.operation is not None]
    made = {v for m in members for v, _ in m.outputs}
    given = {v: place for m in members for v, place in m.inputs if v not in made}
    out: _Places = [(v, place) for m in members for v, place in m.outputs if _is_read_outside(v, operations)]
    program, told = _program(operations, list(given), [v for v, _ in out])
    sizes = {name: word for m in members for name, word in m.sizes}
    words = {name: word for m in members for name, word in m.told}
    return PieceStep(
        operations[0], list(given.items()), [pair for m in members for pair in m.outputs], members[0].reason,
        list(sizes.items()), list(words.items()), list(members), program, told, out, _work(operations),
    )  # fmt: skip


def _is_read_outside(value: Value, operations: Sequence[Operation]) -> bool:
    return any(not any(user is o for o in operations) for user, _ in value.uses)


def _program(
    operations: Sequence[Operation], given: Sequence[Value], out: Sequence[Value]
) -> tuple[Program, list[DimLike]]:
    """The operations as a program of `given`, and of an empty array for each size that none of these tells.

    Gives these sizes too.
    """
    names = sorted({name for o in operations for name in _names(o)})
    put = {name: Dim.symbol(f"run_{name}") for name in names if is_runtime_name(name)}
    program, mapping = Program("piece"), dict[Value, Value]()
    for k, value in enumerate(given):
        if value.operation is None or value.operation.name != "constant":
            mapping[value] = program.add_feed(f"in{k}", _typed(value, put))
    shown = {str(d) for v in program.feed_values for d in v.shape if isinstance(d, Dim)}
    untold = [Dim.symbol(name) for name in names if str(put.get(name, name)) not in shown]
    for k, dim in enumerate(untold):
        program.add_feed(f"size{k}", TensorType(dt.bool_, (dim.evaluate(put), 0)))
    for value in given:
        if value not in mapping:
            assert value.operation is not None
            program.body.append(clone_operation(value.operation, mapping))
    for operation in operations:
        copied = clone_operation(operation, mapping)
        for one in walk_from(copied):
            one.attrs = map_attrs(one.attrs, put)
            for value in _made_in(one):
                value.type = map_type(value.type, put)
        program.body.append(copied)
    program.body.append(Operation(OPS["return"], [mapping[v] for v in out], {}, []))
    program.fetch_names = [f"out{k}" for k in range(len(out))]
    dissolve_groups(program.body)
    return program, list(untold)


def _typed(value: Value, put: dict[str, Dim]) -> TensorType:
    kind = map_type(value.type, put)
    assert isinstance(kind, TensorType)
    return kind


def _made_in(operation: Operation) -> list[Value]:
    inside: list[Block] = list(operation.blocks)
    return [*operation.results, *(arg for block in inside for arg in block.args)]


def _names(operation: Operation) -> set[str]:
    """The sizes that an operation mentions, known or not."""
    inside = list(walk_from(operation))
    return size_names([[*one.attrs.values(), *(v.type for v in (*one.operands, *_made_in(one)))] for one in inside])


def _work(operations: Sequence[Operation]) -> DimLike:
    """How many elements the operations read and make."""
    total: DimLike = 0
    for operation in operations:
        for value in (*operation.operands, *operation.results):
            total = total + value.tensor_type.size
    return total
