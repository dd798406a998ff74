"""Fusion: puts operations that share an iteration space into `group` operations; each group becomes one kernel.

Groups are maps over a domain, or rows: maps and reductions over the same domain whose reductions fold the same axes,
so that a row stays in cache (softmax, layer norm, a loss). Producers that are cheap and used nowhere else are computed
inside their consumer at whatever index it asks for. A matmul with a custom kernel takes the map that reads it
as its epilogue (custom_gemm.py). Groups never create a dependency cycle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter

from ...base.ordering import in_order
from ...base.target import current_target
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import defined, is_dynamic, mentioned
from ...ir.walk import read_by, users_in, walk_from
from ...ops.dims import product, same_dim, same_shape
from ...ops.effects import Effect
from ...ops.types import Shape
from ..loops.loop_indices import index_range_of
from ..manager import Pass
from .contractions import reads_sums, takes_epilogue
from .custom_gemm import is_gemv
from .fusion_facts import (
    AxisMap,
    alias_offset,
    changes_only_ones,
    cost,
    domain_of,
    folds_transposed,
    innermost_reduced,
    is_free,
    is_map,
    is_native,
    is_put_once,
    is_reduce,
    is_resident,
    is_worth_keeping,
    joins_indices,
    lies_along_rows,
    reads_elsewhere,
    reads_of_each,
    repeated_work,
    rows_of,
    without_ones,
)
from .outline import join_pieces, outline

MAX_OPERATIONS = 96  # of a kernel: compiling takes longer than in proportion
LEAST_READ = 4096  # elements that read a column again, row by row: for fewer a kernel of its own costs more
LEAST_ROWS = 4  # times what is made, that reads it again


@dataclass(eq=False, slots=True)
class Unit:
    """A group in the making, or a single operation that stays alone (`fusible` False)."""

    operations: list[Operation]
    domain: Shape = ()
    axes: tuple[int, ...] | None = None
    fusible: bool = True
    reasons: list[str] = field(default_factory=list)
    first: int = 0
    rank: int = 0  # lower than that of all units that depend on it
    rows: dict[Value, AxisMap] = field(default_factory=dict)  # results that depend on its reductions, and their axes
    needs: set[Unit] = field(default_factory=set)  # units that must come before
    needed_by: set[Unit] = field(default_factory=set)

    @property
    def cost(self) -> int:
        return sum(cost(o) for o in self.operations)


@dataclass(frozen=True)
class Fuse(Pass):
    """Group operations over a common iteration space into kernels: elementwise chains, broadcasts, views and
    the reductions among them. Values used only inside a group are never stored.
    """

    name = "fuse"

    def run(self, program: Program) -> bool:
        return _fuse_block(program.body)


def _fuse_block(block: Block) -> bool:
    changed = False
    for operation in list(block.operations):
        for inner in () if operation.name == "group" else operation.blocks:
            changed |= _fuse_block(inner)
    return Fusion(block).run() or changed


class Fusion:
    """Fusion of one block."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.unit: dict[Operation, Unit] = {}
        self.position = {o: k for k, o in enumerate(block.operations)}
        previous: Operation | None = None
        self.sizes: dict[str, Operation] = {}  # run-time sizes: who defines them
        for operation in block.operations:
            for name in defined(operation):
                self.sizes.setdefault(name, operation)
        self.folds = {operation for operation in block.operations if is_reduce(operation)}
        self.effect_edge: dict[Operation, Operation] = {}
        for operation in block.operations[:-1]:
            unit = Unit([operation], fusible=_is_fusible(operation), first=self.position[operation])
            if unit.fusible:
                unit.domain = domain_of(operation)
                if operation in self.folds:
                    unit.axes = operation.attrs["axis"]
                    unit.rows = rows_of([operation], self.folds, unit.domain, unit.axes, {}) or {}
            self.unit[operation] = unit
            if (operation.blocks or operation.op.effect is not Effect.PURE) and not operation.is_pure:
                if previous is not None:
                    self.effect_edge[operation] = previous
                previous = operation
        for rank, (operation, unit) in enumerate(self.unit.items()):
            unit.rank = rank
            for producer in self._inputs(operation):
                if producer is not operation:
                    unit.needs.add(self.unit[producer])
                    self.unit[producer].needed_by.add(unit)

    def run(self) -> bool:
        self.gather()
        return self._outline()

    def gather(self) -> None:
        """Put the operations into units; the block stays as it is (unfused.py asks what is apart then, and why)."""
        for operation in self.block.operations[:-1]:
            if self.unit[operation].fusible:
                for producer in self._producers(operation):
                    self._try_chain(self.unit[producer], self.unit[operation])
        self._join_points()
        join_pieces(self, MAX_OPERATIONS)
        self._inline_producers()
        self._merge_siblings()
        self._join_concats()
        self._join_rows()
        self._join_epilogues()

    # -- questions ---------------------------------------------------------------------------------

    def _producers(self, operation: Operation) -> list[Operation]:
        return [p for v in operation.operands if (p := v.operation) in self.unit and p is not None]

    def _inputs(self, operation: Operation) -> Iterable[Operation]:
        """Operations of this block that must come before `operation`, reads inside its blocks included."""
        for value in read_by(operation):
            producer = value.operation
            if producer is not None and producer in self.unit:
                yield producer
        if operation in self.effect_edge:
            yield self.effect_edge[operation]
        if self.sizes:
            for inner in walk_from(operation):
                for name in mentioned(inner):
                    definer = self.sizes.get(name, operation)
                    if self.position[definer] < self.position[operation]:
                        yield definer

    def reaches(self, source: Unit, target: Unit, *, direct: bool) -> bool:
        """Whether `target` depends on `source` through some other unit (or directly, when `direct`)."""
        seen: set[Unit] = set()
        stack = [(u, True) for u in target.needs]
        while stack:
            unit, first = stack.pop()
            if unit is source:
                if direct or not first:
                    return True
                continue
            if unit in seen:
                continue
            seen.add(unit)
            if unit.rank < source.rank:
                continue
            stack.extend((u, False) for u in unit.needs)
        return False

    # -- merging -----------------------------------------------------------------------------------

    def _try_chain(self, producer: Unit, consumer: Unit) -> None:
        count = len(producer.operations) + len(consumer.operations)
        if producer is consumer or not producer.fusible or count > MAX_OPERATIONS:
            return
        if producer.axes is not None and consumer.axes is not None and _is_column(producer):
            return  # a reduction along axes of size 1 only: its result has its operand's shape
        shape = joint_domain(producer, consumer)
        if shape is None or self.reaches(producer, consumer, direct=False) or self.repeats(producer, consumer):
            return
        rows = joint_rows(self, producer, consumer, *shape)
        if rows is not None:
            self.merge(producer, consumer, *shape, "same domain", rows)

    def _join_points(self) -> None:
        """Have the one group that reads places of several axes (`x[i, j]`) read them where they come from: their concat
        needs no memory then.
        """
        for operation in self.block.operations[:-1]:
            if not joins_indices(operation) or not is_native(operation) or is_dynamic(operation):
                continue
            readers = {self.unit.get(user) for user in users_of(operation, self.block)}
            (reader,) = readers if len(readers) == 1 else (None,)
            if reader is None or not reader.fusible or len(reader.operations) >= MAX_OPERATIONS:
                continue
            unit = self.unit[operation]
            if not self.reaches(unit, reader, direct=False):
                self.merge(unit, reader, reader.domain, reader.axes, "indices read where they come from")

    def _inline_producers(self) -> None:
        stay = set[Unit]()  # as long as no others are merged
        for operation in reversed(self.block.operations[:-1]):
            unit = self.unit[operation]
            if unit in stay or not unit.fusible or unit.axes is not None:
                continue
            stay.add(unit)
            consumers = {self.unit.get(user) for o in unit.operations for user in users_of(o, self.block)}
            consumers.discard(unit)
            if len(consumers) != 1 or None in consumers:
                continue
            (consumer,) = consumers
            if consumer is None or not consumer.fusible or self.reaches(unit, consumer, direct=False):
                continue
            if not self._inlines_cheaply(unit, consumer) or self.repeats(unit, consumer):
                continue
            if _is_column(consumer) or folds_transposed(unit.operations, consumer.domain, consumer.axes):
                continue
            self.merge(unit, consumer, consumer.domain, consumer.axes, "cheap producer inlined")
            stay.clear()

    def _inlines_cheaply(self, unit: Unit, consumer: Unit) -> bool:
        if len(unit.operations) + len(consumer.operations) > MAX_OPERATIONS:
            return False
        if any(map(is_worth_keeping, unit.operations)) and self._is_read_again(unit, consumer):
            return False
        users = [u for o in unit.operations for u in users_of(o, self.block) if self.unit.get(u) is consumer]
        reads = sum(map(reads_of_each, users))
        pieces = all(user.name in ("slice", "split") or is_put_once(user, unit.domain, unit.cost) for user in users)
        passes = 1 if consumer.axes is None else 2
        return pieces or unit.cost * max(1, reads) * passes <= current_target().costs.duplicated

    def _is_read_again(self, unit: Unit, consumer: Unit) -> bool:
        """Whether each of a large consumer's rows reads all of a producer: then it is better made once, whole."""
        size, made = product(consumer.domain), product(unit.domain)
        if isinstance(size, int) and (size < LEAST_READ or (isinstance(made, int) and size < LEAST_ROWS * made)):
            return False
        inside = {*unit.operations, *consumer.operations}
        return any(lies_along_rows(o.result, inside) for o in unit.operations if is_worth_keeping(o))

    def repeats(self, producer: Unit, consumer: Unit) -> bool:
        """Whether the readers at several places would compute too much of a producer several times: all of them, since
        what one of them reads from memory is there for the others.
        """
        if not any(map(reads_elsewhere, consumer.operations)):
            return False
        readers = [u for o in producer.operations for u in users_of(o, self.block) if reads_elsewhere(u)]
        together = sorted({*producer.operations, *consumer.operations, *readers}, key=self.position.__getitem__)
        return repeated_work(together) > max(current_target().costs.repeated, repeated_work(consumer.operations))

    def _merge_siblings(self) -> None:
        """Join independent groups over one domain that read the same array: one pass over it instead of several."""
        readers: dict[Value, list[Unit]] = {}
        for operation in self.block.operations[:-1]:
            unit = self.unit[operation]
            if unit.fusible:
                for value in operation.operands:
                    if value.tensor_type.rank and same_shape(value.tensor_type.shape, unit.domain):
                        readers.setdefault(value, []).append(unit)
        for value, units in readers.items():
            operations = [u.operations[0] for u in dict.fromkeys(units)]
            for a, b in pairwise(operations):
                self._try_siblings(self.unit[a], self.unit[b], value)

    def _try_siblings(self, a: Unit, b: Unit, value: Value) -> None:
        if a is b or len(a.operations) + len(b.operations) > MAX_OPERATIONS:
            return
        shape = joint_domain(a, b)
        if shape is None or self.reaches(a, b, direct=True) or self.reaches(b, a, direct=True):
            return
        self.merge(a, b, *shape, "read the same array")  # neither reads the other's reductions

    def _join_concats(self) -> None:
        """Have the one group that makes all pieces of a concat store them where they belong, row by row."""
        for operation in self.block.operations[:-1]:
            makers = {self.unit.get(v.operation) if v.operation is not None else None for v in operation.operands}
            if operation.name != "concat" or len(makers) != 1 or not is_native(operation) or is_dynamic(operation):
                continue
            (maker,) = makers
            rows = operation.result.tensor_type.shape[: operation.attrs["axis"]]
            if maker is None or not maker.fusible or maker.axes is not None or all(same_dim(d, 1) for d in rows):
                continue
            whole = all(same_shape(v.tensor_type.shape, maker.domain) for v in operation.operands)
            own = self.unit[operation]  # in which something else may read it, over other elements
            if whole and len(own.operations) == 1 and len(maker.operations) < MAX_OPERATIONS:
                self.merge(own, maker, maker.domain, None, "pieces stored where they belong")

    def _join_rows(self) -> None:
        """Have the group that makes the row of an array which a loop fills store it there."""
        if not isinstance(self.block.parent, Operation) or self.block.parent.name != "for":
            return
        for operation in self.block.operations[:-1]:
            if operation.name != "select_update" or not is_native(operation) or is_dynamic(operation):
                continue
            array, row, index = operation.operands
            made = row.operation
            maker = self.unit.get(made) if made is not None else None
            if made is None or maker is None or not maker.fusible or maker.axes is not None:
                continue
            whole = same_shape(row.tensor_type.shape, maker.domain) or made.name == "concat"
            alone = array in self.block.args and len(array.uses) == 1
            indices = index_range_of(index)
            if not (whole and alone and indices is not None and indices.lies_in(array.shape[operation.attrs["axis"]])):
                continue
            unit = self.unit[operation]
            if len(maker.operations) < MAX_OPERATIONS and not self.reaches(maker, unit, direct=False):
                self.merge(unit, maker, maker.domain, None, "rows stored where they belong")

    def _join_epilogues(self) -> None:
        """Make elementwise operations that read a matmul its epilogue, if the matmul has a custom kernel."""
        for operation in self.block.operations[:-1]:
            if not takes_epilogue(operation):
                continue
            unit = self.unit[operation]
            for reader in dict.fromkeys(self.unit.get(u) for u in users_of(operation, self.block)):
                if reader is not None and not self.keeps_apart(unit, reader):
                    self.merge(unit, reader, reader.domain, None, "epilogue of the contraction")
                    break

    def keeps_apart(self, unit: Unit, reader: Unit) -> str:
        """Why the reader of a matmul with a custom kernel isn't its epilogue; empty where it is."""
        if is_gemv(unit.operations[0]) and isinstance(self.block.parent, Operation):
            return "in a loop or branch its row is one of many kernels that may become one"
        if not reader.fusible:
            return "its reader has a kernel of its own kind"
        if reader.axes is not None:
            return "its reader reduces whole rows"
        if len(reader.operations) >= MAX_OPERATIONS:
            return f"together they have more than {MAX_OPERATIONS} operations"
        why = reads_sums(unit.operations[0], reader.operations, reader.domain)
        if why or not self.reaches(unit, reader, direct=False):
            return why
        return "its reader waits for another of its readers"

    def merge(
        self, a: Unit, b: Unit, domain: Shape, axes: tuple[int, ...] | None, reason: str,
        rows: dict[Value, AxisMap] | None = None,
    ) -> None:  # fmt: skip
        """Make two units one, which is `b` then. rows: what `b` makes of its own and the other's reductions."""
        self._rank(a, b)
        a.rows.update(b.rows if rows is None else rows)
        b.rows = a.rows
        b.operations = sorted([*a.operations, *b.operations], key=self.position.__getitem__)
        b.domain, b.axes, b.first = domain, axes, min(a.first, b.first)
        b.reasons = [*a.reasons, *b.reasons, reason]
        for operation in a.operations:
            self.unit[operation] = b
        for unit in a.needs:
            unit.needed_by.discard(a)
            if unit is not b:
                unit.needed_by.add(b)
                b.needs.add(unit)
        for unit in a.needed_by:
            unit.needs.discard(a)
            if unit is not b:
                unit.needs.add(b)
                b.needed_by.add(unit)

    def _rank(self, a: Unit, b: Unit) -> None:
        """Rank the units between two that become `b` anew: it comes before all that depend on the earlier one.

        Source: Pearce, Kelly, A dynamic topological sort algorithm for directed acyclic graphs, 2007.
        """
        early, late = (a, b) if a.rank < b.rank else (b, a)
        if all(unit.rank < early.rank for unit in late.needs if unit is not early):
            b.rank = early.rank
        elif all(unit.rank > late.rank for unit in early.needed_by if unit is not late):
            b.rank = late.rank
        else:
            after, before = _behind(early, late.rank), _ahead(late, early.rank)
            ordered = [*sorted(before, key=_rank_of), b, *sorted(after, key=_rank_of)]
            free = sorted([early.rank, late.rank, *(unit.rank for unit in before | after)])
            for unit, rank in zip(ordered, free, strict=False):
                unit.rank = rank

    # -- outlining ---------------------------------------------------------------------------------

    def _outline(self) -> bool:
        units = self._schedule()
        terminator = self.block.terminator
        order: list[Operation] = []
        changed = False
        for unit in units:
            if unit.fusible and len(unit.operations) > 1:
                attrs = {"domain": unit.domain, "axes": unit.axes, "reason": ", ".join(dict.fromkeys(unit.reasons))}
                made = outline(unit.operations, attrs, self.block)
                if made.results:
                    order.append(made)
                else:  # nobody reads what it makes
                    made.parent = None
                    made.erase()
                changed = True
            else:
                order.extend(unit.operations)
        self.block.operations = [*order, terminator]
        return changed

    def _schedule(self) -> list[Unit]:
        """Units in dependency order, otherwise by the place of their last operation, as the user wrote them."""
        units = sorted(set(self.unit.values()), key=lambda u: max(self.position[o] for o in u.operations))
        return in_order(units, lambda unit: sorted(unit.needs, key=lambda u: u.first))


_rank_of = attrgetter("rank")


def _behind(unit: Unit, end: int) -> set[Unit]:
    """The units that wait for this one and have a lower rank than `end`."""
    found, left = set[Unit](), [unit]
    while left:
        for other in left.pop().needed_by:
            if other.rank < end and other not in found:
                found.add(other)
                left.append(other)
    return found


def _ahead(unit: Unit, start: int) -> set[Unit]:
    """The units that this one waits for and that have a higher rank than `start`."""
    found, left = set[Unit](), [unit]
    while left:
        for other in left.pop().needs:
            if other.rank > start and other not in found:
                found.add(other)
                left.append(other)
    return found


def users_of(operation: Operation, block: Block) -> list[Operation]:
    """Operations of `block` that use a result of `operation`, directly or inside their blocks."""
    return [user for result in operation.results for user in users_in(block, result)]


def _is_fusible(operation: Operation) -> bool:
    if is_free(operation) or not is_native(operation) or not (is_map(operation) or is_reduce(operation)):
        return False
    if changes_only_ones(operation):
        return not is_resident(operation.operands[0])
    if alias_offset(operation) is not None:
        # A contiguous piece of something in memory is only an address; of something computed, an index map.
        return operation.name != "reshape" and not is_resident(operation.operands[0])
    return True


def _is_column(unit: Unit) -> bool:
    """A reduction whose innermost axis is kept: it accumulates a whole row at a time."""
    return unit.axes is not None and not innermost_reduced(unit.domain, unit.axes)


def joint_domain(a: Unit, b: Unit) -> tuple[Shape, tuple[int, ...] | None] | None:
    """Domain and folded axes of the union; None when the two don't iterate together."""
    if a.axes is None and b.axes is None:
        return (b.domain, None) if same_shape(a.domain, b.domain) else None
    if a.axes is not None and b.axes is not None:
        return (a.domain, a.axes) if a.axes == b.axes and same_shape(a.domain, b.domain) else None
    rows, other = (a, b) if a.axes is not None else (b, a)
    assert rows.axes is not None
    if folds_transposed(other.operations, rows.domain, rows.axes):
        return None
    if same_shape(rows.domain, other.domain):
        if _is_column(rows) and rows is a:
            return None  # a column reduction is complete only after the whole sweep
        return rows.domain, rows.axes
    outer = tuple(d for k, d in enumerate(rows.domain) if k not in rows.axes)
    if rows is a and same_shape(without_ones(outer), without_ones(other.domain)):
        return rows.domain, rows.axes
    return None


def joint_rows(
    fusion: Fusion, producer: Unit, consumer: Unit, domain: Shape, axes: tuple[int, ...] | None
) -> dict[Value, AxisMap] | None:
    """The rows of a consumer in the group of both; None where it reads a reduction's result at another than its own."""
    if axes is None or not producer.rows:
        return consumer.rows
    return rows_of(consumer.operations, fusion.folds, domain, axes, producer.rows)
