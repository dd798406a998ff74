"""What runs along an axis: products, extremes and their places, logarithms of sums of exponentials, places in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ir.core import Operation
from ...ops.types import TensorType
from ..writer import Writer
from .kinds import Emitter

Named = tuple[str, TensorType]  # of a tensor of the model
_NUMBER = TensorType(dt.int64, ())


def _scan(
    w: Writer, o: Operation, x: str, starts: Sequence[Named], step: Callable[[list[str], str], tuple[list[str], Named]]
) -> str:
    """A Scan along the axis of an operation. step: what is carried next, and one result, from what is carried and the
    elements of a place.
    """
    axis, backwards = o.attrs["axis"], int(o.attrs.get("reverse", False))
    kinds = [kind for _, kind in starts]
    names = [w.fresh("carried") for _ in starts]
    elements = w.fresh("elements")
    inputs = [w.info(name, kind, loose=True) for name, kind in zip(names, kinds, strict=True)]
    inputs.append(w.info(elements, _of_a_place(o), loose=True))

    def write() -> list[Named]:
        following, made = step(names, elements)
        return [*zip(following, kinds, strict=True), made]

    body = w.graph("body", inputs, write)
    ways: dict[str, Any] = {"scan_input_directions": [backwards], "scan_output_directions": [backwards]}
    places: dict[str, Any] = {"scan_input_axes": [axis], "scan_output_axes": [axis]}
    given = [*(name for name, _ in starts), x]
    return w.several("Scan", given, len(starts) + 1, body=body, num_scan_inputs=1, **places, **ways)[-1]


def _of_a_place(o: Operation) -> TensorType:
    kind, axis = o.operands[0].tensor_type, o.attrs["axis"]
    return TensorType(kind.dtype, (*kind.shape[:axis], *kind.shape[axis + 1 :]))


def _start(w: Writer, o: Operation, number: float) -> Named:
    kind = _of_a_place(o)
    return w.node("Expand", w.like(number, o.operands[0]), w.sizes(kind.shape)), kind


def _cumprod(w: Writer, o: Operation, x: str) -> str:
    def step(carried: list[str], elements: str) -> tuple[list[str], Named]:
        product = w.node("Mul", carried[0], elements)
        return [product], (product, _of_a_place(o))

    return _scan(w, o, x, [_start(w, o, 1)], step)


def _logcumsumexp(w: Writer, o: Operation, x: str) -> str:
    """The larger one and log(1 + exp(-difference)), which is log 2 of equal ones, infinite or not."""

    def step(carried: list[str], elements: str) -> tuple[list[str], Named]:
        apart = w.node("Exp", w.node("Neg", w.node("Abs", w.node("Sub", carried[0], elements))))
        more = w.node("Log", w.node("Add", apart, w.like(1, o.operands[0])))
        more = w.node("Where", w.node("Equal", carried[0], elements), w.like(np.log(2), o.operands[0]), more)
        total = w.node("Add", w.node("Max", carried[0], elements), more)
        return [total], (total, _of_a_place(o))

    return _scan(w, o, x, [_start(w, o, -np.inf)], step)


def _running(wants_place: bool) -> Emitter:
    def emit(w: Writer, o: Operation, x: str) -> str:
        """The best so far, its place, and the number of the place that is looked at; the last NaN wins."""
        largest, kind = o.attrs["largest"], o.operands[0].dtype
        worst: float = -np.inf if largest else np.inf
        if kind.is_integer:
            worst = np.iinfo(kind.numpy).min if largest else np.iinfo(kind.numpy).max
        at = TensorType(dt.int64, _of_a_place(o).shape)
        zero, one = w.constant(0, dt.int64), w.constant(1, dt.int64)

        def step(carried: list[str], elements: str) -> tuple[list[str], Named]:
            best, place, number = carried
            hit = w.node("GreaterOrEqual" if largest else "LessOrEqual", elements, best)
            if not kind.is_integer:
                hit = w.node("Or", hit, w.node("IsNaN", elements))
            best, place = w.node("Where", hit, elements, best), w.node("Where", hit, number, place)
            following = [best, place, w.node("Add", number, one)]
            return following, (place, at) if wants_place else (best, _of_a_place(o))

        starts = [_start(w, o, worst), (w.node("Expand", zero, w.sizes(at.shape)), at), (zero, _NUMBER)]
        return _scan(w, o, x, starts, step)

    return emit


def _searchsorted(w: Writer, o: Operation, sequence: str, values: str) -> str:
    """How many elements of a sequence are below a value, or not above it; NaN is above all numbers."""
    kind = o.operands[0].dtype
    if kind.is_integer and kind is not dt.int64:
        sequence, values = (w.node("Cast", each, to=w.element_type(dt.int64)) for each in (sequence, values))
    line, each = w.node("Unsqueeze", sequence, w.ints([-2])), w.node("Unsqueeze", values, w.ints([-1]))
    a, b = (each, line) if o.attrs["right"] else (line, each)
    below = w.node("Less", a, b)
    if not kind.is_integer:
        unlike = w.node("And", w.node("IsNaN", b), w.node("Not", w.node("IsNaN", a)))
        below = w.node("Or", below, unlike)
    counted = w.node("Not", below) if o.attrs["right"] else below
    return w.node("ReduceSum", w.node("Cast", counted, to=w.element_type(dt.int64)), w.ints([-1]), keepdims=0)


ROWS: dict[str, Emitter] = {
    "cumprod": _cumprod,
    "logcumsumexp": _logcumsumexp,
    "running_extreme": _running(wants_place=False),
    "running_place": _running(wants_place=True),
    "searchsorted": _searchsorted,
}
