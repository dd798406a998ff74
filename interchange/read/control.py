"""If, Loop and Scan: their graphs become blocks of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtype as dt
from ...ir.core import Block, Value
from ...ops.control import if_
from ...ops.dims import same_dim, same_shape
from ...ops.sizes import fresh_size, runtime_names
from ...ops.types import TensorType
from .node import Importer, Node, op, rows

_ITERATION = TensorType(dt.int64, ())
_MOST_ROUNDS = 4  # how often a loop is read again until the sizes that its iterations change are known


def _flag(value: Any) -> Any:
    flat = value if not value.shape else op.reshape(value, [])
    return flat if flat.dtype.is_bool else op.cast(flat, dt.bool_)


def _common(n: Node, before: TensorType, after: TensorType) -> TensorType:
    """A type for both: sizes that differ get a name of their own."""
    if before.dtype is not after.dtype or before.rank != after.rank:
        raise n.refuse(f"a value that is {before} on one path or iteration and {after} on another")
    return TensorType(
        before.dtype,
        tuple(a if same_dim(a, b) else fresh_size() for a, b in zip(before.shape, after.shape, strict=True)),
    )


def _if(n: Node) -> Any:
    blocks = []
    for name in ("then_branch", "else_branch"):
        block = Block()
        with n.graph.model.inside(block):
            made = n.graph.nested(n.required(name), []).run()
            n.graph.builder.yield_([_made_in(v, block) for v in made])
        blocks.append(block)
    then, other = (b.yields for b in blocks)
    kinds = [_common(n, a.tensor_type, b.tensor_type) for a, b in zip(then, other, strict=True)]
    return tuple(n.graph.builder.emit(if_, [_flag(n[0])], {}, kinds, blocks).results)


def _made_in(value: Value, block: Block) -> Value:
    """A value that the block made itself, so that its type is its own."""
    made: Value = value if value.block is block else rows.assign(value)
    return made


class _Body:
    """A loop's graph read as a block: it takes the iteration number and carried values, and yields the next ones."""

    def __init__(self, n: Node, kinds: Sequence[TensorType], read: Any) -> None:
        """read(args) -> the values that the iteration gives, as many as `kinds`."""
        self.n = n
        kept = list(kinds)
        for _ in range(_MOST_ROUNDS):
            block = Block([_ITERATION, *kept])
            with n.graph.model.inside(block):
                made = [_made_in(v, block) for v in read(block.args)]
                n.graph.builder.yield_(made)
            found = [self._next(k, v.tensor_type) for k, v in zip(kept, made, strict=True)]
            if all(same_shape(a.shape, b.shape) for a, b in zip(kept, found, strict=True)):
                self.block = block
                return
            n.graph.model.forget(block)
            kept = found
        raise n.refuse("a loop whose values change their sizes in ways that can't be followed")

    def _next(self, kept: TensorType, made: TensorType) -> TensorType:
        """The argument's type; an axis that differs after an iteration is of any size."""
        if kept.dtype is not made.dtype or kept.rank != made.rank:
            raise self.n.refuse(f"a value that is {kept} before an iteration and {made} after it")
        return TensorType(
            kept.dtype,
            tuple(
                a if same_dim(a, b) or _is_own(a) else fresh_size() for a, b in zip(kept.shape, made.shape, strict=True)
            ),
        )


def _is_own(dim: Any) -> bool:
    return bool(runtime_names(dim)) and str(dim).isidentifier()


def _empty(kind: TensorType) -> Any:
    """No elements yet of what a loop collects."""
    return (
        op.zeros([0, *kind.shape], kind.dtype) if not kind.dtype.is_bool else op.full([0, *kind.shape], False, dt.bool_)
    )


def _appended(collected: Any, element: Any) -> Any:
    return op.concat([collected, op.unsqueeze(element, 0)], axis=0)


def _types(n: Node, graph: Any, given: Sequence[TensorType], count: int) -> list[TensorType]:
    """The types of the last `count` outputs of a body, found by reading it once for nothing."""
    block = Block(list(given))
    with n.graph.model.inside(block):
        made = n.graph.nested(graph, block.args).run()
        kinds = [v.tensor_type for v in made[len(made) - count :]]
        n.graph.builder.yield_([])
    n.graph.model.forget(block)
    for kind in kinds:
        if runtime_names(kind.shape):
            raise n.refuse("collecting tensors whose sizes only a run knows")
    return kinds


def _loop(n: Node) -> Any:
    graph = n.required("body")
    carried = list(n.inputs[2:])
    if any(v is None for v in carried):
        raise n.refuse("a carried value that isn't given")
    values: list[Any] = [rows.assign(v) for v in carried]
    scanned = len(graph.output) - 1 - len(values)
    kinds = (
        _types(n, graph, [_ITERATION, TensorType(dt.bool_, ()), *(v.type for v in values)], scanned) if scanned else []
    )
    start = [*values, *(_empty(k) for k in kinds)]
    limit = None if not n.has(0) else op.cast(op.reshape(n[0], []), dt.int64)
    keeps = n.graph.constant(True) if not n.has(1) else _flag(n[1])

    def read(args: Sequence[Value]) -> list[Any]:
        iteration, flag, *now = args
        made = n.graph.nested(graph, [iteration, flag, *now[: len(values)]]).run()
        grown = [_appended(a, b) for a, b in zip(now[len(values) :], made[1 + len(values) :], strict=True)]
        return [_flag(made[0]), *made[1 : 1 + len(values)], *grown]

    found = _Body(n, [TensorType(dt.bool_, ()), *(v.type for v in start)], read).block
    builder = n.graph.builder
    endless = limit is not None and _always(n, graph)
    if (endless and n.array(1) is not None) or (endless and not n.has(1)):
        return tuple(builder.for_(limit, [keeps, *start], found)[1:])
    condition = Block([a.type for a in found.args])
    with n.graph.model.inside(condition):
        iteration, flag, *_ = condition.args
        builder.yield_([flag if limit is None else op.logical_and(flag, op.less_than(iteration, limit))])
    with n.graph.model.again(found):
        following = [found.args[0] + 1, *found.yields]
    found.terminator.set_operands(following)
    zero = n.graph.constant(0)
    return tuple(builder.while_([zero, keeps, *start], condition, found)[2:])


def _always(n: Node, graph: Any) -> bool:
    """Whether the body hands its condition on, so that only the trip count ends the loop."""
    given, asked = graph.input[1].name, graph.output[0].name
    makers = {o: node for node in graph.node for o in node.output}
    while asked != given and asked in makers and makers[asked].op_type == "Identity":
        asked = makers[asked].input[0]
    if asked == given:
        first = n.array(1)
        return first is None or bool(first)
    maker = makers.get(asked)
    if maker is not None and maker.op_type == "Constant":
        value = next((a.t for a in maker.attribute if a.name == "value"), None)
        return value is not None and bool(n.graph.model.tensor(value, n.shown).all())
    return False


def _scan(n: Node) -> Any:
    graph, count = n.required("body"), int(n.required("num_scan_inputs"))
    if n.version < 9:
        raise n.refuse("Scan of opset 8")
    states, sequences = [rows.assign(v) for v in n.given[:-count]], n.given[-count:]
    outputs = len(graph.output) - len(states)
    axes = [int(a) for a in n.attribute("scan_input_axes", [0] * count)]
    reverse = [bool(d) for d in n.attribute("scan_input_directions", [0] * count)]
    out_axes = [int(a) for a in n.attribute("scan_output_axes", [0] * outputs)]
    out_reverse = [bool(d) for d in n.attribute("scan_output_directions", [0] * outputs)]
    axes = [a % x.ndim for a, x in zip(axes, sequences, strict=True)]
    trip_count = sequences[0].shape[axes[0]]
    slices = [TensorType(x.dtype, x.shape[:a] + x.shape[a + 1 :]) for a, x in zip(axes, sequences, strict=True)]
    kinds = _types(n, graph, [*(v.type for v in states), *slices], outputs)
    stores = [op.zeros([trip_count, *k.shape], k.dtype) for k in kinds]

    def at(iteration: Any, backwards: bool) -> Any:
        return rows.dim_value(trip_count) - 1 - iteration if backwards else iteration

    def read(args: Sequence[Value]) -> list[Any]:
        iteration, *now = args
        parts = [
            rows.select(x, at(iteration, back), axis=a) for x, a, back in zip(sequences, axes, reverse, strict=True)
        ]
        made = n.graph.nested(graph, [*now[: len(states)], *parts]).run()
        kept = [
            rows.select_update(store, part, at(iteration, back), axis=0)
            for store, part, back in zip(now[len(states) :], made[len(states) :], out_reverse, strict=True)
        ]
        return [*made[: len(states)], *kept]

    start = [*states, *stores]
    block = _Body(n, [v.type for v in start], read).block
    found = n.graph.builder.for_(rows.dim_value(trip_count), start, block)
    last = [
        op.moveaxis(y, 0, axis) if axis % y.ndim else y for y, axis in zip(found[len(states) :], out_axes, strict=True)
    ]
    return (*found[: len(states)], *last)


ROWS: dict[str, Importer] = {"If": _if, "Loop": _loop, "Scan": _scan}
