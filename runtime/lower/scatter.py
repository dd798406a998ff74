"""Scatter-like kernels and concatenation. The result starts as a copy of its base; only named elements are touched."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.core import Operation, Value
from ...ops.dims import product
from .kernel import Kernel, Parameters, Writer
from .nest import Nest, size_of
from .registry import generates


def piece_kernel(operation: Operation, operand: Value) -> Kernel:
    """Copies one operand of a concat row by row to its place in the result's rows (the buffer's offset)."""
    parameters, writer, axis = Parameters(), Writer(), operation.attrs["axis"]
    shape, piece = operation.result.tensor_type.shape, operand.tensor_type.shape
    out, source = parameters.pointer(operation.result, "out"), parameters.pointer(operand)
    width, size = parameters.dim(product(shape[axis:])), parameters.dim(product(piece[axis:]))
    writer.line("for r in range(lo, hi):")
    writer.line(f"    for j in range({size}):")
    writer.line(f"        {out}[r * {width} + j] = {source}[r * {size} + j]")
    text = parameters.source("concat", writer.text())
    return Kernel(text, parameters.slots, parameters.dims, product(shape[:axis]), size_of(operand))


def _write(nest: Nest, target: str, value: str, add: bool) -> None:
    nest.line(f"{target} = {target} + {value}" if add else f"{target} = {value}")


def _store_form(nest: Nest, text: str) -> str:
    return f"u8({text})" if nest.result.dtype.is_bool else text


def _select_kernel(add: bool) -> Callable[[Operation], Kernel]:
    def generate(operation: Operation) -> Kernel:
        nest, axis = Nest(operation), operation.attrs["axis"]
        base, value, _ = operation.operands
        shape = base.tensor_type.shape
        with nest.block("for r in range(lo, hi)"):
            place = nest.index(2, shape[axis])
            with nest.loops(value.tensor_type.shape, "j") as index:
                target = nest.out([*index[:axis], place, *index[axis:]])
                _write(nest, target, _store_form(nest, nest.load(1, index)), add)
        return nest.finish(1, size_of(value), splittable=False, base=base)

    return generate


def _scatter_kernel(add: bool) -> Callable[[Operation], Kernel]:
    """base with updates [.., index shape .., ..] written or added at index along axis."""

    def generate(operation: Operation) -> Kernel:
        nest, axis = Nest(operation), operation.attrs["axis"]
        base, index, updates = operation.operands
        rank = index.tensor_type.rank
        with nest.block("for r in range(lo, hi)"), nest.loops(updates.tensor_type.shape, "j") as at:
            place = nest.checked(nest.load(1, at[axis : axis + rank]), base.tensor_type.shape[axis])
            target = nest.out([*at[:axis], place, *at[axis + rank :]])
            _write(nest, target, nest.load(2, at), add)
        return nest.finish(1, size_of(updates), splittable=False, base=base)

    return generate


def _along_kernel(add: bool) -> Callable[[Operation], Kernel]:
    """base with values written or added at the places that index (of the values' rank) names along axis."""

    def generate(operation: Operation) -> Kernel:
        nest, axis = Nest(operation), operation.attrs["axis"]
        base, index, values = operation.operands
        with nest.block("for r in range(lo, hi)"), nest.loops(values.tensor_type.shape, "j") as at:
            small = [
                "0" if isinstance(d, int) and d == 1 else i for i, d in zip(at, index.tensor_type.shape, strict=True)
            ]
            place = nest.checked(nest.load(1, small), base.tensor_type.shape[axis])
            target = nest.out([*at[:axis], place, *at[axis + 1 :]])
            _write(nest, target, _store_form(nest, nest.load(2, at)), add)
        return nest.finish(1, size_of(values), splittable=False, base=base)

    return generate


def _points_kernel(add: bool) -> Callable[[Operation], Kernel]:
    """base with updates written or added at points: the last axis of index holds places in base's first axes."""

    def generate(operation: Operation) -> Kernel:
        nest = Nest(operation)
        base, index, updates = operation.operands
        lead = index.tensor_type.rank - 1
        depth = index.tensor_type.shape[-1]
        assert isinstance(depth, int)
        with nest.block("for r in range(lo, hi)"), nest.loops(updates.tensor_type.shape, "j") as at:
            places = [nest.checked(nest.load(1, [*at[:lead], str(k)]), base.tensor_type.shape[k]) for k in range(depth)]
            _write(nest, nest.out([*places, *at[lead:]]), _store_form(nest, nest.load(2, at)), add)
        return nest.finish(1, size_of(updates), splittable=False, base=base)

    return generate


for _name, _generator in {
    "select_update": _select_kernel(False), "select_add": _select_kernel(True), "scatter_add": _scatter_kernel(True),
    "put_along_axis": _along_kernel(False), "put_along_axis_add": _along_kernel(True),
    "scatter_nd_update": _points_kernel(False), "scatter_nd_add": _points_kernel(True),
}.items():  # fmt: skip
    generates(f"index.{_name}")(_generator)
