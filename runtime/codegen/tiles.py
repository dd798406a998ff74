"""Tiles of matrix products in explicit vectors: the innermost loops of convolutions, as LLVM that kernels can call.

A tile keeps its sums in registers. `outer_*` adds the outer products of a column of numbers and a row of vectors;
`inner_*` adds the products of vectors lane by lane, and the lanes at the end. Where the numbers of one step lie is read
from a table of pairs (offset in a, offset in b), so that any order of filter taps is one loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from llvmlite import ir

from ...base.target import current_target
from .element_types import FLOAT_TYPES, INTEGER_TYPES, NUMBER_TYPES, ElementType
from .kernel_types import (
    INT64,
    UINT8,
    VOID,
    IntegerLiteral,
    Intrinsic,
    Kind,
    PointerKind,
    declared,
    intrinsic_of_literals,
    signature,
    size_of,
)

I1, I32, I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    out: dict[str, Any] = {"pairs_i64": of_vectors("pairs", INTEGER_TYPES["i64"], 0, "pi i ii ii", _pairs)}
    for name, held in FLOAT_TYPES.items():
        out[f"outer_{name}"] = of_vectors("outer", held, 4, "wi i pii pi pii", _outer)
        out[f"inner_{name}"] = of_vectors("inner", held, 4, "ii wi piii pii pii", _inner)
        out[f"strided_{name}"] = of_vectors("strided", held, 4, "i piii pii pii", _strided, called=False)
    for name in (*FLOAT_TYPES, "i32", "i64"):
        out[f"tile_{name}"] = of_vectors("tile", NUMBER_TYPES[name], 4, "i piii pii pii", _strided)
    return out


def of_vectors(
    name: str, element: ElementType, count: int, kinds: str | Sequence[Kind], generate: Generate, result: Kind = VOID,
    *, called: bool = True, opened: Generate | None = None,
) -> Intrinsic:  # fmt: skip
    """An intrinsic of vectors: it takes `count` literals, and values of these kinds, which `generate` gets.

    kinds: a letter each: i a number, p a pointer to elements, w one to words, b one to bytes. called: whether it is a
    function that is called, so that what a kernel keeps in registers around it costs it none. opened: what gets the
    first arguments as values where they aren't literals.
    """
    letters: dict[str, Kind] = {
        "i": INT64, "p": PointerKind(element.kind), "w": PointerKind(INT64), "b": PointerKind(UINT8),
    }  # fmt: skip
    taken = [letters[kind] for kind in kinds.replace(" ", "")] if isinstance(kinds, str) else list(kinds)
    lanes = current_target().lanes(element.itemsize)

    @intrinsic_of_literals
    def define(*given: Kind) -> Any:
        sizes = literals(given[:count])
        if len(given) != count + len(taken) or (sizes is None and opened is None):
            return None

        def inside(build: ir.IRBuilder, values: Any) -> Any:
            return generate(Vectors(build, element.llvm, lanes), sizes, values)

        def write(build: Any, values: Any) -> Any:
            if sizes is None:
                assert opened is not None
                return opened(Vectors(build, element.llvm, lanes), values[:count], values[count:])
            if not called:
                return inside(build, values[count:])
            function = "_".join([name, str(element.llvm), *map(str, sizes)])
            return called_function(build, function, values[count:], inside)

        counts = [INT64] * count if sizes is None else given[:count]
        return signature(result, *counts, *taken), write

    return define


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
        return size_of(self.element)

    def zero(self) -> ir.Constant:
        return ir.Constant(self.kind, [0 if isinstance(self.element, ir.IntType) else 0.0] * self.lanes)

    def at(self, pointer: ir.Value, *offsets: ir.Value | int) -> ir.Value:
        for offset in offsets:
            pointer = self.build.gep(pointer, [offset if isinstance(offset, ir.Value) else I64(offset)])
        return pointer

    def place(self, pointer: ir.Value) -> ir.Value:
        """The address of a vector that starts at an element."""
        return self.build.bitcast(pointer, self.kind.as_pointer())

    def load(self, pointer: ir.Value, valid: int) -> ir.Value:
        """`valid` elements, the other lanes 0 and their memory left alone."""
        if valid != self.lanes:
            return self.load_where(pointer, self.mask(k < valid for k in range(self.lanes)))
        made = self.build.load(self.place(pointer))
        made.align = self.size
        return made

    def store(self, value: ir.Value, pointer: ir.Value, valid: int) -> None:
        """The first `valid` lanes; the memory behind them is left alone."""
        if valid != self.lanes:
            self.store_where(value, pointer, self.mask(k < valid for k in range(self.lanes)))
        else:
            self.build.store(value, self.place(pointer)).align = self.size

    def load_where(self, pointer: ir.Value, mask: ir.Value) -> ir.Value:
        """The elements whose lanes a mask has, the other lanes 0 and their memory left alone."""
        place = self.place(pointer)
        function = self._masked("load", ir.FunctionType(self.kind, [place.type, I32, mask.type, self.kind]))
        return self.build.call(function, [place, I32(self.size), mask, self.zero()])

    def store_where(self, value: ir.Value, pointer: ir.Value, mask: ir.Value) -> None:
        """The lanes that a mask has; the memory of the others is left alone."""
        place = self.place(pointer)
        function = self._masked("store", ir.FunctionType(ir.VoidType(), [self.kind, place.type, I32, mask.type]))
        self.build.call(function, [value, place, I32(self.size), mask])

    def mask(self, lanes: Iterable[bool]) -> ir.Constant:
        """Known lanes."""
        return ir.Constant(ir.VectorType(I1, self.lanes), [int(lane) for lane in lanes])

    def first(self, count: ir.Value) -> ir.Value:
        """A mask of the first `count` lanes, known only when it runs."""
        numbers = Vectors(self.build, I64, self.lanes)
        return self.build.icmp_signed("<", numbers.counted(), numbers.splat(count))

    def counted(self) -> ir.Constant:
        """0, 1, 2, ..., in vectors of integers."""
        return ir.Constant(self.kind, list(range(self.lanes)))

    def _masked(self, name: str, kind: ir.FunctionType) -> ir.Function:
        # LLVM spells the pointer's part of the name anew as it reads the text.
        return declared(self.build.module, kind, f"llvm.masked.{name}.{self.suffix}.p0")

    @property
    def suffix(self) -> str:
        """How the names of LLVM's functions end that are for these vectors."""
        return f"v{self.lanes}{'i' if isinstance(self.element, ir.IntType) else 'f'}{8 * self.size}"

    def splat(self, number: ir.Value) -> ir.Value:
        """The number in every lane."""
        undefined = ir.Constant(self.kind, ir.Undefined)
        first = self.build.insert_element(undefined, number, I32(0))
        return self.shuffle(first, undefined, [0] * self.lanes)

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


# What writes the instructions of an intrinsic: from the literals, and the values of its other arguments.
Generate: TypeAlias = Callable[[Vectors, Any, Any], Any]


def literals(kinds: Sequence[Kind]) -> list[int] | None:
    """The numbers of literal types; None where one isn't."""
    found = [kind.value for kind in kinds if isinstance(kind, IntegerLiteral)]
    return found if len(found) == len(kinds) else None


def counted_loop(
    build: ir.IRBuilder, count: ir.Value, state: list[ir.Value], body: Callable[[ir.Value, list[ir.Value]], Any]
) -> list[ir.Value]:
    """state = body(k, state) for k in range(count); the last state."""
    before = build.block
    head, inside, behind = (build.append_basic_block(name) for name in ("head", "inside", "behind"))
    build.branch(head)
    build.position_at_end(head)
    counter = build.phi(I64)
    counter.add_incoming(I64(0), before)
    carried = []
    for value in state:
        phi = build.phi(value.type)
        phi.add_incoming(value, before)
        carried.append(phi)
    build.cbranch(build.icmp_signed("<", counter, count), inside, behind)
    build.position_at_end(inside)
    new = body(counter, carried)
    counter.add_incoming(build.add(counter, I64(1)), build.block)
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


def _pairs(make: Vectors, _: list[int], values: Any) -> None:
    """(table[at + 2 k], table[at + 2 k + 1]) = (a + k * a_step, b + k * b_step), for k < count."""
    table, at, count, a, a_step, b, b_step = values
    build, start = make.build, make.at(table, at)

    def step(k: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        for word, value in enumerate(state):
            place = make.at(start, build.add(build.mul(k, I64(2)), I64(word)))
            # Atomic in name only: LLVM would take longer to make vectors of this loop than it takes for the tile.
            build.store_atomic(value, place, "monotonic", 8)
        return [build.add(state[0], a_step), build.add(state[1], b_step)]

    counted_loop(build, count, [a, b], step)


def _outer(make: Vectors, sizes: list[int], values: Any) -> None:
    """out[out_at + i * out_row + j] = sum over k < depth of a[.. + i * a_row + ta(k)] b[.. + tb(k) + j]

    for i < rows and j < vectors * lanes, of the last vector only `last` lanes; the dots are a_at and b_at, and
    (ta, tb)(k) two words of the table from at + 2 k on. With `adds` added to what is there.
    """
    table, at, depth, a, a_at, a_row, b, b_at, out, out_at, out_row = values
    a, b, table = make.at(a, a_at), make.at(b, b_at), make.at(table, at)

    def places(k: ir.Value) -> tuple[ir.Value, ir.Value]:
        pair = make.at(table, make.build.mul(k, I64(2)))
        return make.at(a, make.build.load(pair)), make.at(b, make.build.load(make.at(pair, 1)))

    _products(make, sizes, (depth, a_row), places, (make.at(out, out_at), out_row))


def _strided(make: Vectors, sizes: list[int], values: Any) -> None:
    """out[out_at + i * out_row + j] = sum over k < depth of a[.. + k * a_step + i * a_row] b[.. + k * b_step + j]

    with a_at and b_at for the dots, for i < rows and j < vectors * lanes, of the last vector only `last` lanes; with
    `adds` added to what is there.
    """
    depth, a, a_at, a_step, a_row, b, b_at, b_step, out, out_at, out_row = values
    a, b = make.at(a, a_at), make.at(b, b_at)

    def places(k: ir.Value) -> tuple[ir.Value, ir.Value]:
        return make.at(a, make.build.mul(k, a_step)), make.at(b, make.build.mul(k, b_step))

    _products(make, sizes, (depth, a_row), places, (make.at(out, out_at), out_row))


def _products(
    make: Vectors, sizes: list[int], factor: tuple[ir.Value, ir.Value],
    places: Callable[[ir.Value], tuple[ir.Value, ir.Value]], target: tuple[ir.Value, ir.Value],
) -> None:  # fmt: skip
    """A tile of sums of numbers times vectors. factor: how many products each adds, and from one number to the next.

    places: where the first number and the vectors of a step lie.
    """
    (rows, vectors, last, adds), (depth, a_row), (out, out_row), build = sizes, factor, target, make.build
    valid = [make.lanes] * (vectors - 1) + [last]
    steps = [build.mul(a_row, I64(i)) for i in range(rows)]

    def step(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        column, line = places(k)
        row = [make.load(make.at(line, j * make.lanes), n) for j, n in enumerate(valid)]
        made = []
        for i, place in enumerate(steps):
            number = make.splat(build.load(make.at(column, place)))
            made += [make.multiply_add(number, row[j], sums[i * vectors + j]) for j in range(vectors)]
        return made

    def results() -> list[tuple[ir.Value, int]]:
        lines = [make.at(out, build.mul(out_row, I64(i))) for i in range(rows)]
        return [(make.at(line, j * make.lanes), n) for line in lines for j, n in enumerate(valid)]

    start = [make.load(*place) for place in results()] if adds else [make.zero()] * (rows * vectors)
    for total, (place, n) in zip(counted_loop(build, depth, start, step), results(), strict=True):
        make.store(total, place, n)


def _inner(make: Vectors, sizes: list[int], values: Any) -> None:
    """out[out_at + i * out_row + j] = sum over n < images and q of a[.. + i * a_row + q] b[.. + tb(j) + q]

    with a_at + n * a_image and b_at + n * b_image for the dots, for i < rows and j < columns. q covers `vectors`
    vectors and, where `last` isn't 0, that many elements more. tb(j) = table[at + 2 j + 1]. With `adds` added to
    what is there.
    """
    (rows, columns, last, adds), build, lanes = sizes, make.build, make.lanes
    images, vectors, table, at, a, a_at, a_row, a_image, b, b_at, b_image, out, out_at, out_row = values
    a, b, out = make.at(a, a_at), make.at(b, b_at), make.at(out, out_at)
    a_lines = [make.at(a, build.mul(a_row, I64(i))) for i in range(rows)]
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
            place = build.mul(q, I64(lanes))
            return products(build.add(a_start, place), build.add(b_start, place), sums, lanes)

        sums = counted_loop(build, vectors, sums, step)
        if last:
            place = build.mul(vectors, I64(lanes))
            sums = products(build.add(a_start, place), build.add(b_start, place), sums, last)
        return sums

    sums = counted_loop(build, images, [make.zero()] * (rows * columns), image)
    for i in range(rows):
        place = build.mul(out_row, I64(i))
        for start in range(0, columns, lanes):
            count = min(lanes, columns - start)
            total = make.sums(sums[i * columns + start : i * columns + start + count])
            few, target = Vectors(build, make.element, total.type.count), make.at(out, place, start)
            if adds:
                total = build.fadd(few.load(target, count), total)
            few.store(total, target, count)
