"""Several small exchanges become one: an exchange costs its latency, however little it carries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import attrs_key, walk
from ...ops.op import OPS
from ...ops.types import TensorType
from ..manager import Pass

_AXES = {"all_reduce": (0, 0), "all_gather": (0, 1), "reduce_scatter": (1, 0)}
"""Exchanges that may share a bucket: along which axis of operand and result the elements of one rank are."""


@dataclass(frozen=True)
class BucketExchanges(Pass):
    """Join exchanges of one kind that follow each other: their operands in one array (a *bucket*), then views of it.

    Each element is exchanged as before, so the bits stay. Between the first and the last no other operation may have
    an effect or read a result. A bucket is filled where its last operand is made, so that its exchange may begin
    there (`overlap_exchanges`). small: arrays of more bytes stay alone, as copying them would cost more than the
    exchange. full: bytes that close a bucket. A large one would wait for the last gradient, and nothing would be left
    to compute meanwhile; so many bytes travel for much longer than an exchange's latency.
    """

    name = "bucket_exchanges"
    small: int = 1 << 20
    full: int = 1 << 19

    def run(self, program: Program) -> bool:
        blocks = [program.body, *(b for o in walk(program.body) if o.name != "group" for b in o.blocks)]
        found = [bucket for block in blocks for bucket in self._buckets(block)]
        for bucket in found:
            _join(bucket)
        return bool(found)

    def _buckets(self, block: Block) -> Iterator[list[Operation]]:
        """Runs of at least two exchanges that may become one."""
        bucket: list[Operation] = []
        made: set[Value] = set()
        held = 0
        for operation in [*block.operations]:
            size = self._bytes(operation)
            fits = size is not None and (not bucket or _kind(operation) == _kind(bucket[0]))
            if bucket and (_reads(operation, made) or (not operation.is_pure and not (fits and held < self.full))):
                if len(bucket) > 1:
                    yield bucket
                bucket, made, held = [], set(), 0
            if size is not None:
                bucket.append(operation)
                made.update(operation.results)
                held += size
        if len(bucket) > 1:
            yield bucket

    def _bytes(self, operation: Operation) -> int | None:
        """How much an exchange of a small array of known size carries; None for any other operation."""
        if operation.name not in _AXES:
            return None
        kind = operation.operands[0].tensor_type
        if not isinstance(kind.size, int) or kind.size * kind.dtype.itemsize > self.small:
            return None
        return kind.size * kind.dtype.itemsize


def _reads(operation: Operation, values: set[Value]) -> bool:
    """Whether an operation, or one in its blocks, reads one of these values."""
    inside = (o for block in operation.blocks for o in walk(block))
    return any(value in values for o in (operation, *inside) for value in o.operands)


def _kind(operation: Operation) -> object:
    """What exchanges of one bucket have in common."""
    return operation.name, operation.result.dtype, attrs_key(operation.attrs)


def _join(bucket: list[Operation]) -> None:
    """One exchange in place of the last; the results of all are views of its result."""
    first, last = bucket[0], bucket[-1]
    block = last.parent
    assert block is not None
    place = _filled(block, bucket)

    def add(name: str, operands: list[Value], attrs: dict[str, object], at: Operation) -> Value:
        nonlocal place
        op = OPS[name]
        kind = op.infer(*[v.tensor_type for v in operands], **attrs)
        assert isinstance(kind, TensorType)
        made = Operation(op, operands, attrs, [kind], (), at.loc)
        block.insert(place, made)
        place += 1
        return made.result

    ranks = first.attrs["ranks"]
    given, got = _AXES[first.name]
    sizes = [_each(operation) for operation in bucket]
    flat = [
        add("reshape", [o.operands[0]], {"shape": (ranks, n)[1 - given :]}, o)
        for o, n in zip(bucket, sizes, strict=True)
    ]
    joined = add("concat", flat, {"axis": given}, first)
    place = block.operations.index(last)
    whole = add(first.name, [joined], dict(first.attrs), first)
    start = 0
    for operation, size in zip(bucket, sizes, strict=True):
        part = add("slice", [whole], _slice(start, size, (ranks,)[1 - got :]), operation)
        view = add("reshape", [part], {"shape": operation.result.tensor_type.shape}, operation)
        operation.result.replace_by(view)
        start += size
    for operation in bucket:
        operation.forget()
        block.operations.remove(operation)


def _filled(block: Block, bucket: list[Operation]) -> int:
    """Where all operands of a bucket have been made."""
    makers = {o.operands[0].operation for o in bucket}
    return max((k + 1 for k, o in enumerate(block.operations) if o in makers), default=0)


def _each(operation: Operation) -> int:
    """How many elements one rank gives (of `reduce_scatter`: gets)."""
    size = operation.operands[0].tensor_type.size
    assert isinstance(size, int)  # `_bytes` says so
    return size // int(operation.attrs["ranks"]) if _AXES[operation.name][0] else size


def _slice(start: int, size: int, before: tuple[int, ...]) -> dict[str, object]:
    """Some elements of the last axis; `before`: sizes of the axes before it."""
    none = (0,) * len(before)
    return {"starts": (*none, start), "sizes": (*before, size), "strides": (1,) * (len(before) + 1)}
