"""Tiles of matrix products in explicit vectors: the innermost loops of convolutions, as LLVM that kernels can call.

A tile keeps its sums in registers. `outer_*` adds the outer products of a column of numbers and a row of vectors;
`inner_*` adds the products of vectors lane by lane, and the lanes at the end. Where the numbers of one step lie is read
from a table of pairs (offset in a, offset in b), so that any order of filter taps is one loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ...base.target import current_target
from .element_types import FLOAT_TYPES, INTEGER_TYPES
from .kernel_types import (
    INT64,
    VOID,
    IntegerLiteral,
    PointerKind,
    declared,
    intrinsic,
    intrinsic_of_literals,
    signature,
)

I1, I32, I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    out: dict[str, Any] = {}
    for name, held in FLOAT_TYPES.items():
        kind, element, lanes = held.kind, held.llvm, current_target().lanes(held.itemsize)
        out[f"outer_{name}"] = _outer(kind, element, lanes)
        out[f"inner_{name}"] = _inner(kind, element, lanes)
        out[f"strided_{name}"] = _strided(kind, element, lanes)
        out[f"tile_{name}"] = _strided(kind, element, lanes, called=True)
    for name in ("i32", "i64"):
        held = INTEGER_TYPES[name]
        out[f"tile_{name}"] = _strided(held.kind, held.llvm, current_target().lanes(held.itemsize), called=True)
    return out | {"pairs_i64": _pairs()}


@dataclass(frozen=True)
class Vectors:
    """Builds operations on vectors of `lanes` elements."""

    build: ir.IRBuilder
    element: ir.Type
    lanes: int

    @property
    def kind(self) -> ir.VectorType:
        return ir.VectorType(self.element, self.lanes)

    @property
    def size(self) -> int:
        """Bytes of an element."""
        if isinstance(self.element, ir.IntType):
            return int(self.element.width) // 8
        return 4 if isinstance(self.element, ir.FloatType) else 8

    def zero(self) -> ir.Constant:
        return ir.Constant(self.kind, [0 if isinstance(self.element, ir.IntType) else 0.0] * self.lanes)

    def at(self, pointer: ir.Value, *offsets: ir.Value | int) -> ir.Value:
        for offset in offsets:
            pointer = self.build.gep(pointer, [offset if isinstance(offset, ir.Value) else ir.Constant(I64, offset)])
        return pointer

    def load(self, pointer: ir.Value, valid: int) -> ir.Value:
        """`valid` elements, the other lanes 0 and their memory left alone."""
        place = self.build.bitcast(pointer, self.kind.as_pointer())
        if valid == self.lanes:
            made = self.build.load(place)
            made.align = self.size
            return made
        kinds = [place.type, I32, ir.VectorType(I1, self.lanes), self.kind]
        function = self.masked("load", ir.FunctionType(self.kind, kinds))
        return self.build.call(function, [place, self._alignment(), self._mask(valid), self.zero()])

    def store(self, value: ir.Value, pointer: ir.Value, valid: int) -> None:
        """The first `valid` lanes; the memory behind them is left alone."""
        place = self.build.bitcast(pointer, self.kind.as_pointer())
        if valid == self.lanes:
            self.build.store(value, place).align = self.size
            return
        kinds = [self.kind, place.type, I32, ir.VectorType(I1, self.lanes)]
        function = self.masked("store", ir.FunctionType(ir.VoidType(), kinds))
        self.build.call(function, [value, place, self._alignment(), self._mask(valid)])

    def load_some(self, pointer: ir.Value, count: ir.Value) -> ir.Value:
        """The first `count` elements, known only when it runs; the other lanes 0 and their memory left alone."""
        place = self.build.bitcast(pointer, self.kind.as_pointer())
        kinds = [place.type, I32, ir.VectorType(I1, self.lanes), self.kind]
        function = self.masked("load", ir.FunctionType(self.kind, kinds))
        return self.build.call(function, [place, self._alignment(), self._first(count), self.zero()])

    def store_some(self, value: ir.Value, pointer: ir.Value, count: ir.Value) -> None:
        """The first `count` lanes, known only when it runs."""
        place = self.build.bitcast(pointer, self.kind.as_pointer())
        kinds = [self.kind, place.type, I32, ir.VectorType(I1, self.lanes)]
        function = self.masked("store", ir.FunctionType(ir.VoidType(), kinds))
        self.build.call(function, [value, place, self._alignment(), self._first(count)])

    def _first(self, count: ir.Value) -> ir.Value:
        wide = ir.VectorType(I64, self.lanes)
        one = self.build.insert_element(ir.Constant(wide, ir.Undefined), count, ir.Constant(I32, 0))
        all_ = self.build.shuffle_vector(one, one, ir.Constant(ir.VectorType(I32, self.lanes), [0] * self.lanes))
        return self.build.icmp_signed("<", ir.Constant(wide, list(range(self.lanes))), all_)

    def masked(self, name: str, kind: ir.FunctionType) -> ir.Function:
        # LLVM spells the pointer's part of the name anew as it reads the text.
        letter = "i" if isinstance(self.element, ir.IntType) else "f"
        return declared(self.build.module, kind, f"llvm.masked.{name}.v{self.lanes}{letter}{8 * self.size}.p0")

    def _alignment(self) -> ir.Constant:
        return ir.Constant(I32, self.size)

    def _mask(self, valid: int) -> ir.Constant:
        return ir.Constant(ir.VectorType(I1, self.lanes), [int(k < valid) for k in range(self.lanes)])

    def splat(self, number: ir.Value) -> ir.Value:
        """The number in every lane."""
        undefined = ir.Constant(self.kind, ir.Undefined)
        first = self.build.insert_element(undefined, number, ir.Constant(I32, 0))
        return self.build.shuffle_vector(
            first, undefined, ir.Constant(ir.VectorType(I32, self.lanes), [0] * self.lanes)
        )

    def multiply_add(self, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
        """a * b + c; one instruction where the CPU has it. Integers wrap around."""
        if isinstance(self.element, ir.IntType):
            return self.build.add(self.build.mul(a, b), c)
        return self.build.fadd(self.build.fmul(a, b, flags=("contract",)), c, flags=("contract",))

    def shuffle(self, a: ir.Value, b: ir.Value, lanes: list[int]) -> ir.Value:
        return self.build.shuffle_vector(a, b, ir.Constant(ir.VectorType(I32, len(lanes)), lanes))

    def sums(self, values: list[ir.Value]) -> ir.Value:
        """The sum of the lanes of each vector, one lane each; at most `lanes` vectors. Always added in one order."""
        width, values = self.lanes, list(values)
        while len(values) & (len(values) - 1):
            values.append(self.zero())
        # Each vector holds `piece` partial sums of some of the values, side by side; halve them, join two.
        piece = self.lanes
        while len(values) > 1:
            half = piece // 2
            low = [k for k in range(2 * width) if k % piece < half]
            high = [k for k in range(2 * width) if k % piece >= half]
            values = [
                self.build.fadd(self.shuffle(a, b, low), self.shuffle(a, b, high))
                for a, b in zip(values[::2], values[1::2], strict=True)
            ]
            piece = half
        (value,) = values
        while piece > 1:
            lanes = value.type.count
            low = [k for k in range(lanes) if k % piece < piece // 2]
            high = [k for k in range(lanes) if k % piece >= piece // 2]
            value = self.build.fadd(self.shuffle(value, value, low), self.shuffle(value, value, high))
            piece //= 2
        return value


def literals(*values: Any) -> list[int] | None:
    """The numbers of literal types; None where one isn't."""
    if not all(isinstance(v, IntegerLiteral) for v in values):
        return None
    return [v.value for v in values]


def counted_loop(
    build: ir.IRBuilder, count: ir.Value, state: list[ir.Value], body: Callable[[ir.Value, list[ir.Value]], Any]
) -> list[ir.Value]:
    """state = body(k, state) for k in range(count); the last state."""
    before = build.block
    head, inside, behind = (build.append_basic_block(name) for name in ("head", "inside", "behind"))
    build.branch(head)
    build.position_at_end(head)
    counter = build.phi(I64)
    counter.add_incoming(ir.Constant(I64, 0), before)
    carried = []
    for value in state:
        phi = build.phi(value.type)
        phi.add_incoming(value, before)
        carried.append(phi)
    build.cbranch(build.icmp_signed("<", counter, count), inside, behind)
    build.position_at_end(inside)
    new = body(counter, carried)
    counter.add_incoming(build.add(counter, ir.Constant(I64, 1)), build.block)
    for phi, value in zip(carried, new, strict=True):
        phi.add_incoming(value, build.block)
    build.branch(head)
    build.position_at_end(behind)
    return carried


def called_function(build: ir.IRBuilder, name: str, values: Any, generate: Callable[[ir.IRBuilder, Any], None]) -> None:
    """Call what `generate` writes as a function of the module, made once; LLVM puts in what is constant in all calls.

    Not inlined: else what a kernel keeps in registers around a tile would take those of its sums.
    """
    made = build.module.globals.get(name)
    if made is None:
        made = ir.Function(build.module, ir.FunctionType(ir.VoidType(), [value.type for value in values]), name)
        made.linkage = "internal"
        made.attributes.add("noinline")
        inside = ir.IRBuilder(made.append_basic_block())
        generate(inside, made.args)
        inside.ret_void()
    build.call(made, values)


def _pairs() -> Any:
    words = PointerKind(INT64)

    @intrinsic
    def pairs(
        table: Any, at: Any, count: Any, a: Any, a_step: Any, b: Any, b_step: Any
    ) -> Any:  # fmt: skip
        """(table[at + 2 k], table[at + 2 k + 1]) = (a + k * a_step, b + k * b_step), for k < count."""

        def generate(build: Any, values: Any) -> Any:
            called_function(build, "pairs", values, _generate_pairs)
            return None

        return signature(VOID, words, *[INT64] * 6), generate

    return pairs


def _generate_pairs(build: ir.IRBuilder, values: Any) -> None:
    table, at, count, a, a_step, b, b_step = values
    start = build.gep(table, [at])

    def step(k: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        for word, value in enumerate(state):
            place = build.gep(start, [build.add(build.mul(k, ir.Constant(I64, 2)), ir.Constant(I64, word))])
            # Atomic in name only: LLVM would take longer to make vectors of this loop than it takes for the tile.
            build.store_atomic(value, place, "monotonic", 8)
        return [build.add(state[0], a_step), build.add(state[1], b_step)]

    counted_loop(build, count, [a, b], step)


def _outer(kind: Any, element: ir.Type, lanes: int) -> Any:
    pointer, words = PointerKind(kind), PointerKind(INT64)

    @intrinsic_of_literals
    def outer(
        rows: Any, vectors: Any, last: Any, adds: Any, table: Any, at: Any, depth: Any, a: Any, a_at: Any, a_row: Any,
        b: Any, b_at: Any, out: Any, out_at: Any, out_row: Any,
    ) -> Any:  # fmt: skip
        """out[out_at + i * out_row + j] = sum over k < depth of a[.. + i * a_row + ta(k)] b[.. + tb(k) + j]

        for i < rows and j < vectors * lanes, of the last vector only `last` lanes; the dots are a_at and b_at, and
        (ta, tb)(k) two words of the table from at + 2 k on. With `adds` added to what is there.
        """
        sizes = literals(rows, vectors, last, adds)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            name = "_".join(["outer", str(element), *map(str, sizes)])
            called_function(
                build, name, values[4:],
                lambda inside, given: _generate_outer(Vectors(inside, element, lanes), sizes, given),
            )  # fmt: skip
            return None

        parameters = [
            rows, vectors, last, adds, words, INT64, INT64, pointer, INT64, INT64, pointer, INT64, pointer, INT64,
            INT64,
        ]  # fmt: skip
        return signature(VOID, *parameters), generate

    return outer


def _strided(kind: Any, element: ir.Type, lanes: int, *, called: bool = False) -> Any:
    """called: as a function that is called, so that what a kernel keeps in registers around it costs the tile none."""
    pointer = PointerKind(kind)

    @intrinsic_of_literals
    def strided(
        rows: Any, vectors: Any, last: Any, adds: Any, depth: Any, a: Any, a_at: Any, a_step: Any,
        a_row: Any, b: Any, b_at: Any, b_step: Any, out: Any, out_at: Any, out_row: Any,
    ) -> Any:  # fmt: skip
        """out[out_at + i * out_row + j] = sum over k < depth of a[.. + k * a_step + i * a_row] b[.. + k * b_step + j]

        with a_at and b_at for the dots, for i < rows and j < vectors * lanes, of the last vector only `last` lanes;
        with `adds` added to what is there.
        """
        sizes = literals(rows, vectors, last, adds)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            if not called:
                _generate_strided(Vectors(build, element, lanes), sizes, values[4:])
                return None
            name = "_".join(["tile", str(element), *map(str, sizes)])
            called_function(
                build, name, values[4:],
                lambda inside, given: _generate_strided(Vectors(inside, element, lanes), sizes, given),
            )  # fmt: skip
            return None

        parameters = [
            rows, vectors, last, adds, INT64, pointer, INT64, INT64, INT64, pointer, INT64, INT64, pointer, INT64,
            INT64,
        ]  # fmt: skip
        return signature(VOID, *parameters), generate

    return strided


def _generate_strided(make: Vectors, sizes: list[int], values: Any) -> None:
    (rows, vectors, last, adds), build, lanes = sizes, make.build, make.lanes
    depth, a, a_at, a_step, a_row, b, b_at, b_step, out, out_at, out_row = values
    a, b, out = make.at(a, a_at), make.at(b, b_at), make.at(out, out_at)
    valid = [lanes] * (vectors - 1) + [last]
    steps = [build.mul(a_row, ir.Constant(I64, i)) for i in range(rows)]

    def step(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        column, line = make.at(a, build.mul(k, a_step)), make.at(b, build.mul(k, b_step))
        row = [make.load(make.at(line, j * lanes), n) for j, n in enumerate(valid)]
        numbers = [make.splat(build.load(make.at(column, place))) for place in steps]
        return [
            make.multiply_add(number, vector, sums[i * vectors + j])
            for i, number in enumerate(numbers)
            for j, vector in enumerate(row)
        ]

    places = [
        (make.at(out, build.mul(out_row, ir.Constant(I64, i)), j * lanes), valid[j])
        for i in range(rows)
        for j in range(vectors)
    ]
    start = [make.load(place, n) if adds else make.zero() for place, n in places]
    for total, (place, n) in zip(counted_loop(build, depth, start, step), places, strict=True):
        make.store(total, place, n)


def _generate_outer(make: Vectors, sizes: list[int], values: Any) -> None:
    (rows, vectors, last, adds), build, lanes = sizes, make.build, make.lanes
    table, at, depth, a, a_at, a_row, b, b_at, out, out_at, out_row = values
    a, b, out = make.at(a, a_at), make.at(b, b_at), make.at(out, out_at)
    table = make.at(table, at)
    valid = [lanes] * (vectors - 1) + [last]
    steps = [build.mul(a_row, ir.Constant(I64, i)) for i in range(rows)]

    def step(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        pair = make.at(table, build.mul(k, ir.Constant(I64, 2)))
        column, line = make.at(a, build.load(pair)), make.at(b, build.load(make.at(pair, 1)))
        row = [make.load(make.at(line, j * lanes), n) for j, n in enumerate(valid)]
        made = []
        for i in range(rows):
            number = make.splat(build.load(make.at(column, steps[i])))
            made += [make.multiply_add(number, row[j], sums[i * vectors + j]) for j in range(vectors)]
        return made

    def places() -> list[tuple[ir.Value, int]]:
        lines = [make.at(out, build.mul(out_row, ir.Constant(I64, i))) for i in range(rows)]
        return [(make.at(line, j * lanes), n) for line in lines for j, n in enumerate(valid)]

    start = [make.load(*place) for place in places()] if adds else [make.zero()] * (rows * vectors)
    sums = counted_loop(build, depth, start, step)
    for total, (place, n) in zip(sums, places(), strict=True):
        make.store(total, place, n)


def _inner(kind: Any, element: ir.Type, lanes: int) -> Any:
    pointer, words = PointerKind(kind), PointerKind(INT64)

    @intrinsic_of_literals
    def inner(
        rows: Any, columns: Any, last: Any, adds: Any, images: Any, vectors: Any, table: Any, at: Any,
        a: Any, a_at: Any, a_row: Any, a_image: Any, b: Any, b_at: Any, b_image: Any, out: Any, out_at: Any,
        out_row: Any,
    ) -> Any:  # fmt: skip
        """out[out_at + i * out_row + j] = sum over n < images and q of a[.. + i * a_row + q] b[.. + tb(j) + q]

        with a_at + n * a_image and b_at + n * b_image for the dots, for i < rows and j < columns. q covers `vectors`
        vectors and, where `last` isn't 0, that many elements more. tb(j) = table[at + 2 j + 1]. With `adds` added to
        what is there.
        """
        sizes = literals(rows, columns, last, adds)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            name = "_".join(["inner", str(element), *map(str, sizes)])
            called_function(
                build, name, values[4:],
                lambda inside, given: _generate_inner(Vectors(inside, element, lanes), sizes, given),
            )  # fmt: skip
            return None

        parameters = [
            rows, columns, last, adds, INT64, INT64, words, INT64, pointer, INT64, INT64, INT64, pointer, INT64, INT64,
            pointer, INT64, INT64,
        ]  # fmt: skip
        return signature(VOID, *parameters), generate

    return inner


def _generate_inner(make: Vectors, sizes: list[int], values: Any) -> None:
    (rows, columns, last, adds), build, lanes = sizes, make.build, make.lanes
    images, vectors, table, at, a, a_at, a_row, a_image, b, b_at, b_image, out, out_at, out_row = values
    a, b, out = make.at(a, a_at), make.at(b, b_at), make.at(out, out_at)
    a_lines = [make.at(a, build.mul(a_row, ir.Constant(I64, i))) for i in range(rows)]
    b_lines = [make.at(b, build.load(make.at(table, at, 2 * j + 1))) for j in range(columns)]

    def products(a_place: ir.Value, b_place: ir.Value, sums: list[ir.Value], valid: int) -> list[ir.Value]:
        lines = [make.load(make.at(line, b_place), valid) for line in b_lines]
        made = []
        for i in range(rows):
            row = make.load(make.at(a_lines[i], a_place), valid)
            made += [make.multiply_add(row, lines[j], sums[i * columns + j]) for j in range(columns)]
        return made

    def image(n: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        a_start, b_start = build.mul(n, a_image), build.mul(n, b_image)

        def step(q: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
            place = build.mul(q, ir.Constant(I64, lanes))
            return products(build.add(a_start, place), build.add(b_start, place), sums, lanes)

        sums = counted_loop(build, vectors, sums, step)
        if last:
            place = build.mul(vectors, ir.Constant(I64, lanes))
            sums = products(build.add(a_start, place), build.add(b_start, place), sums, last)
        return sums

    sums = counted_loop(build, images, [make.zero()] * (rows * columns), image)
    for i in range(rows):
        place = build.mul(out_row, ir.Constant(I64, i))
        for start in range(0, columns, lanes):
            count = min(lanes, columns - start)
            total = make.sums(sums[i * columns + start : i * columns + start + count])
            few, target = Vectors(build, make.element, total.type.count), make.at(out, place, start)
            if adds:
                total = build.fadd(few.load(target, count), total)
            few.store(total, target, count)
