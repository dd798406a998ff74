"""If, Loop and Scan: their graphs become blocks of the program."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ir.core import Block, Value
from ...jit.serialize.read_blocks import LoopBody, while_loop
from ...jit.trace.known_values import known_array
from ...ops.sizes import runtime_names
from ...ops.types import TensorType
from .node import Importer, Node, op, rows

_MOST_UNROLLED = 1024  # iterations that carry sequences
_ITERATION = TensorType(dt.int64, ())


def _flag(value: Any) -> Any:
    flat = value if not value.shape else op.reshape(value, [])
    return flat if flat.dtype.is_bool else op.cast(flat, dt.bool_)


def _if(n: Node) -> Any:
    known = n.array(0)
    if known is not None:
        chosen = "then_branch" if bool(np.ravel(known)[0]) else "else_branch"
        return tuple(n.graph.nested(n.required(chosen), []).run())

    def read(name: str) -> Any:
        made = n.graph.nested(n.required(name), []).run()
        if not all(isinstance(v, Value) for v in made):
            n.constant(0, "condition, which chooses a sequence,")
        return made

    reads = [partial(read, name) for name in ("then_branch", "else_branch")]
    return tuple(n.graph.model.blocks.branches(_flag(n[0]), reads, n.refuse))


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
    blocks = n.graph.model.blocks
    with blocks.inside(block):
        made = n.graph.nested(graph, block.args).run()
        kinds = [v.tensor_type for v in made[len(made) - count :]]
        n.graph.builder.yield_([])
    blocks.forget(block)
    for kind in kinds:
        if runtime_names(kind.shape):
            raise n.refuse("collecting tensors whose sizes only a run knows")
    return kinds


def _loop(n: Node) -> Any:
    graph = n.required("body")
    carried = list(n.inputs[2:])
    if any(isinstance(v, list) for v in carried):
        return _unrolled(n, graph, carried)
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

    blocks = n.graph.model.blocks
    body = LoopBody(blocks, [TensorType(dt.bool_, ()), *(v.type for v in start)], read, n.refuse)
    endless = limit is not None and _always(n, graph)
    if (endless and n.array(1) is not None) or (endless and not n.has(1)):
        return tuple(n.graph.builder.for_(limit, [keeps, *start], body.block)[1:])

    def goes_on(iteration: Any, flag: Any) -> Any:
        return flag if limit is None else op.logical_and(flag, op.less_than(iteration, limit))

    return tuple(while_loop(blocks, [keeps, *start], body, goes_on)[1:])


def _unrolled(n: Node, graph: Any, carried: Sequence[Any]) -> Any:
    """A loop that carries sequences, iteration after iteration: their lengths have to be known."""
    count, flag = int(n.number(0, "trip count")) if n.has(0) else _MOST_UNROLLED, n.array(1)
    values, collected = list(carried), list[list[Any]]()
    if count > _MOST_UNROLLED or (n.has(1) and flag is None):
        raise n.refuse("a sequence that is carried through iterations of unknown number")
    for k in range(count if flag is None or bool(np.ravel(flag)[0]) else 0):
        constants = [n.graph.constant(np.int64(k)), n.graph.constant(np.bool_(True))]
        asked, *made = n.graph.nested(graph, [*constants, *values]).run()
        values, rest = made[: len(values)], made[len(values) :]
        collected.append(rest)
        known = known_array(asked)
        if known is None:
            raise n.refuse("a sequence that is carried while a condition of the run holds")
        if not bool(np.ravel(known)[0]):
            break
    return (*values, *(op.stack(list(each), 0) for each in zip(*collected, strict=True)))


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
    body = LoopBody(n.graph.model.blocks, [v.type for v in start], read, n.refuse)
    found = n.graph.builder.for_(rows.dim_value(trip_count), start, body.block)
    last = [
        op.moveaxis(y, 0, axis) if axis % y.ndim else y for y, axis in zip(found[len(states) :], out_axes, strict=True)
    ]
    return (*found[: len(states)], *last)


ROWS: dict[str, Importer] = {"If": _if, "Loop": _loop, "Scan": _scan}
