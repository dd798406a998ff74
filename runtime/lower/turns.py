"""Kernels of a loop over elements (loop_parts.py): many turns for one block of elements, while it is in registers.

`advance` takes every block some turns further, from one side of two buffers to the other, and folds over the block in
each turn, as if the loop went on. `steer` then looks which turns really were the loop's: where it should have
ended earlier, `advance` is to do the same again with fewer turns. A block that a turn has left as it was is settled:
later turns leave it so too, and cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.dtype import BY_SHORT
from ...ir.core import Operation, Value
from ...ops.dims import same_dim
from ...ops.lowering import Index
from ...ops.types import TensorType
from ..target import vector_bytes, vector_registers
from .element import Elements, extreme
from .folds import accumulator_of, combine_of, finished, lowering_of, taken_in, template_of
from .kernel import Kernel, Parameters, Slot, Writer
from .loop_parts import LoopParts, is_single

PIECES = 32  # into which the blocks are divided; each has rows of its own for what is folded
MOST_TURNS = 128  # at once, where something is folded in each
CHECKED = 16  # turns after which a block is looked at whether it has settled
MOST_VECTORS, LEAST_VECTORS = 8, 2  # of an array's block: they hide how long an operation takes
WORK_AT_ONCE = 200_000_000  # simple operations until the machine looks for signals

Key = tuple[str, int]  # which buffer a pointer is for


@dataclass
class TurnsKernel:
    """A kernel, and which buffer each of its pointers is for."""

    kernel: Kernel
    keys: list[Key]


class _Kernels:
    """What both kernels have: pointers by key, elements that stop at the loop's carried values."""

    def __init__(self, parts: LoopParts, exact: bool, *, counts: bool) -> None:
        self.counts = counts
        self.parts, self.exact = parts, exact
        self.parameters = Parameters()
        self.writer = Writer()
        self.line = self.writer.line
        self.keys: dict[Key, str] = {}
        self.names: dict[Value, str] = {}
        self.elements = Elements(self.parameters, self.writer, set(parts.operations), self._resolve)
        self.block = block_size(parts)
        self.size = self.parameters.dim(parts.size)
        self.count = f"({self.size} + {self.block - 1}) // {self.block}"

    def pointer(self, what: str, number: int = 0, role: str = "in", element: str = "i64") -> str:
        key = what, number
        if key not in self.keys:
            self.keys[key] = self.parameters.add(Slot(role, None, None, element))
        return self.keys[key]

    def finish(self, name: str, extent: int, *, splittable: bool) -> TurnsKernel:
        parts = self.parts
        source = self.parameters.source(f"{name}_{_name_of(parts)}", self.writer.text(), exact=self.exact)
        kernel = Kernel(
            source, self.parameters.slots, self.parameters.dims, extent, parts.size * parts.weight * CHECKED,
            splittable=splittable, origins=self.writer.origins,
        )  # fmt: skip
        return TurnsKernel(kernel, list(self.keys))

    def _resolve(self, value: Value, index: Index) -> str | None:
        """Leaves have names; groups, branches and changes of shape are looked through."""
        origin = self.parts.origin(value)
        if origin is not value:
            return self.elements.value(origin, index_of(origin))
        if value in self.names:
            return self.names[value]
        operation = value.operation
        if operation is not None and operation.name == "if" and self.parts.inside(value):
            chosen = [operation.operands[0], *(block.yields[value.index] for block in operation.blocks)]
            names = [self.value(v) for v in chosen]
            return self.elements.bind(f"select({names[0]}, {names[1]}, {names[2]})")
        return self.element(value)

    def element(self, value: Value) -> str | None:
        """The element of an array that the loop carries or reads; None for what is computed."""
        return None

    def value(self, value: Value) -> str:
        origin = self.parts.origin(value)
        return self.elements.value(origin, index_of(origin))

    def load_number(self, key: Key, value: Value, name: str) -> None:
        """A number from memory into a local name."""
        pointer = self.pointer(*key, element=value.dtype.short)
        self.line(f"{name} = {f'({pointer}[0] != 0)' if value.dtype.is_bool else f'{pointer}[0]'}")

    def load_alone(self) -> None:
        """The numbers from outside."""
        for k, value in enumerate(self.parts.alone):
            self.load_number(("alone", k), value, f"c{k}")
            self.names[value] = f"c{k}"

    def rows(self, k: int, role: str) -> str:
        return self.pointer("rows", k, role, accumulator_of(self.parts.reductions[k]))

    def combined(self, k: int, a: str, b: str) -> str:
        """Two accumulators of a reduction as one."""
        operation = self.parts.reductions[k]
        merge = lowering_of(operation).merge
        return template_of(operation, merge or combine_of(operation, self.exact), a=a, x=b)

    def numbers_of_turn(self, which: Sequence[int]) -> None:
        """The next values of these numbers, then all of them at once; the turn's number too, if it is one."""
        parts = self.parts
        for k in which:
            self.line(f"n{k} = {self.value(parts.yields[k])}")
        for k in which:
            self.line(f"s{k} = n{k}")
        if parts.turn is not None and self.counts:
            self.line("turn += 1")

    def _name_numbers(self, which: Sequence[int]) -> None:
        self.names.update({self.parts.args[k]: f"s{k}" for k in which})
        if self.parts.turn is not None:
            self.names[self.parts.turn] = "turn"


class _Advance(_Kernels):
    """Writes `advance`."""

    def write(self) -> TurnsKernel:
        parts, line = self.parts, self.line
        self.locals = {v: f"l{k}" for k, v in enumerate([*(parts.args[k] for k in parts.arrays), *parts.read])}
        line("# in blocks")  # numba_backend.IN_BLOCKS
        for value, name in self.locals.items():
            line(f"{name} = local_{_stored(value)}({self.block})")
        line(f"turns = {self.pointer('turns')}[0]")
        self.load_alone()
        self._choose_sides()
        line(f"share = ({self.count} + {PIECES - 1}) // {PIECES}")
        line("for piece in range(lo, hi):")
        self.writer.depth += 1
        for k, operation in enumerate(parts.reductions):
            line("for k in range(turns):")
            line(f"    {self.rows(k, 'inout')}[piece * {MOST_TURNS} + k] = {_start(operation)}")
        line(f"for b in range(piece * share, min(piece * share + share, {self.count})):")
        self.writer.depth += 1
        self.elements.push()
        self._block()
        self.elements.pop()
        return self.finish("turns", PIECES, splittable=True)

    # -- memory ------------------------------------------------------------------------------------

    @property
    def keeps_old(self) -> bool:
        """Whether turns may have to be taken back, so that there are two sides."""
        return bool(self.parts.reductions)

    def _choose_sides(self) -> None:
        if self.keeps_old:
            self.line(f"side = {self.pointer('side')}[0] % 2")
            self.line(f"again = {self.pointer('again')}[0]")
        for k in self.parts.arrays:
            short = self.parts.args[k].dtype.short
            here = self.pointer("here", k, "inout", short)
            if self.keeps_old:
                there = self.pointer("there", k, "inout", short)
                self.line(f"x{k} = select(side == 0, {here}, {there})")
                self.line(f"y{k} = select(side == 0, {there}, {here})")
            else:
                self.line(f"x{k} = {here}")
                self.line(f"y{k} = {here}")

    def _block(self) -> None:
        line, parts = self.line, self.parts
        line(f"base = b * {self.block}")
        line(f"rest = min({self.block}, {self.size} - base)")
        if parts.may_settle:
            self._pass_settled()
        line(f"whole = rest == {self.block}")
        line("at = select(whole, base, 0)")
        line(f"to = select(whole, base, {self.block})")
        sources = [(f"x{k}", parts.args[k], ("edge", k)) for k in parts.arrays]
        sources += [
            (self.pointer("read", k, "in", v.dtype.short), v, ("edge of read", k)) for k, v in enumerate(parts.read)
        ]
        self._pad(sources)
        for n, (pointer, value, key) in enumerate(sources):
            edge = self.pointer(*key, "inout", value.dtype.short)
            line(f"u{n} = select(whole, {pointer}, {edge})")
        for k in parts.arrays:
            line(f"w{k} = select(whole, y{k}, {self.pointer('edge', k)})")
        line(f"for j in range({self.block}):")
        for n in range(len(self.locals)):
            line(f"    l{n}[j] = u{n}[at + j]")
        self._turns()
        line("if not whole:")
        line("    for j in range(rest):")
        for k in parts.arrays:
            line(f"        y{k}[base + j] = w{k}[to + j]")

    def _pad(self, sources: Sequence[tuple[str, Value, Key]]) -> None:
        """The last block is filled up with its last element, which changes no result, in memory of its own."""
        self.line("if not whole:")
        self.line(f"    for j in range({self.block}):")
        for pointer, value, key in sources:
            edge = self.pointer(*key, "inout", value.dtype.short)
            self.line(f"        {edge}[j] = {pointer}[base + min(j, rest - 1)]")

    def _pass_settled(self) -> None:
        """Blocks that have settled: once more, their elements go to the other side."""
        line, settled = self.line, self.pointer("settled", 0, "inout", "u8")
        old = f"{settled}[b] == 2 or ({settled}[b] == 1 and again == 0)" if self.keeps_old else f"{settled}[b] != 0"
        line(f"if {old}:")
        self.writer.depth += 1
        if self.keeps_old:
            line(f"if {settled}[b] == 1:")
            line(f"    {settled}[b] = u8(2)")
            line("    for j in range(rest):")
            for k in self.parts.arrays:
                line(f"        y{k}[base + j] = x{k}[base + j]")
        for k, operation in enumerate(self.parts.reductions):
            last = self.pointer("last", k, "inout", accumulator_of(operation))
            self._fold_rows(k, "0", f"{last}[b]")
        line("continue")
        self.writer.depth -= 1

    def _fold_rows(self, k: int, start: str, accumulator: str) -> None:
        place = f"{self.rows(k, 'inout')}[piece * {MOST_TURNS} + k]"
        self.line(f"for k in range({start}, turns):")
        self.line(f"    {place} = {self.combined(k, place, accumulator)}")

    # -- turns -------------------------------------------------------------------------------------

    def _turns(self) -> None:
        line, parts = self.line, self.parts
        for k in parts.needed:
            self.load_number(("first", k), parts.args[k], f"s{k}")
        if parts.uses_turn:
            line(f"turn = {self.pointer('first turn')}[0]")
        self._name_numbers(parts.needed)
        line("t = i64(0)")
        if parts.may_settle:
            line(f"check = min({CHECKED}, turns) - 1")
        line("while t < turns:")
        self.writer.depth += 1
        self.elements.push()
        if parts.may_settle:
            line("if t == check:")
            self._store(1)
        self._turn()
        if parts.may_settle:
            self._settle()
        line("t += 1")
        self.elements.pop()
        self.writer.depth -= 1
        self._store(0)

    def _store(self, depth: int) -> None:
        self.writer.depth += depth
        self.line(f"for j in range({self.block}):")
        for n, k in enumerate(self.parts.arrays):
            self.line(f"    w{k}[to + j] = l{n}[j]")
        self.writer.depth -= depth

    def _turn(self) -> None:
        """One turn of a block."""
        parts, line = self.parts, self.line
        for value in self._numbers_of_elements():
            self.value(value)  # before the elements, so that all of them share it
        for k, operation in enumerate(parts.reductions):
            line(f"a{k} = {_start(operation)}")
        line(f"for j in range({self.block}):")
        self.writer.depth += 1
        self.elements.push()
        folded = [taken_in(o, self.value(o.operands[0])) for o in parts.reductions]
        made = [self.value(parts.yields[k]) for k in parts.arrays]
        for k, (operation, element) in enumerate(zip(parts.reductions, folded, strict=True)):
            line(f"a{k} = {template_of(operation, combine_of(operation, self.exact), a=f'a{k}', x=element)}")
        for n, (k, name) in enumerate(zip(parts.arrays, made, strict=True)):
            line(f"l{n}[j] = {f'u8({name})' if parts.args[k].dtype.is_bool else name}")
        self.elements.pop()
        self.writer.depth -= 1
        for k in range(len(parts.reductions)):
            place = f"{self.rows(k, 'inout')}[piece * {MOST_TURNS} + t]"
            line(f"{place} = {self.combined(k, place, f'a{k}')}")
        self.numbers_of_turn(parts.needed)

    def _numbers_of_elements(self) -> list[Value]:
        """Numbers that are computed in a turn and read by elements."""
        parts = self.parts
        roots = [*(parts.yields[k] for k in parts.arrays), *(o.operands[0] for o in parts.reductions)]
        return [v for v in parts.behind(roots) if is_single(v) and parts.inputs(v)]

    def _settle(self) -> None:
        line, parts = self.line, self.parts
        line("if t == check:")
        self.writer.depth += 1
        line("changed = i64(0)")
        line(f"for j in range({self.block}):")
        for n, k in enumerate(parts.arrays):
            line(f"    changed = changed | i64(differ(l{n}[j], w{k}[to + j]))")
        line("if changed == 0:")
        self.writer.depth += 1
        line(f"{self.pointer('settled', 0, 'inout', 'u8')}[b] = u8(1)")
        for k, operation in enumerate(parts.reductions):
            line(f"{self.pointer('last', k, 'inout', accumulator_of(operation))}[b] = a{k}")
            self._fold_rows(k, "t + 1", f"a{k}")
        line("break")
        self.writer.depth -= 1
        line(f"check = min(check + {CHECKED}, turns - 1)")
        self.writer.depth -= 1

    def element(self, value: Value) -> str | None:
        name = self.locals.get(value)
        if name is None:
            return None
        return self.elements.bind(f"({name}[j] != 0)" if value.dtype.is_bool else f"{name}[j]")


class _Steer(_Kernels):
    """Writes `steer`."""

    def write(self) -> TurnsKernel:
        parts, line = self.parts, self.line
        self.load_alone()
        self._name_numbers(parts.numbers)
        line("for once in range(lo, hi):")
        self.writer.depth += 1
        line(f"turns = {self.pointer('turns', 0, 'inout')}[0]")
        line("if turns == 0:")
        line("    pass")
        if parts.may_settle:
            line(f"    for b in range({self.count}):")
            line(f"        {self.pointer('settled', 0, 'inout', 'u8')}[b] = u8(0)")
        if parts.reductions:
            line(f"elif {self.pointer('again', 0, 'inout')}[0] != 0:")
            line(f"    {self.pointer('again', 0, 'inout')}[0] = 0")
            line(f"    {self.pointer('side', 0, 'inout')}[0] += 1")
        line("else:")
        self.writer.depth += 1
        self._look_back()
        self.writer.depth -= 1
        if parts.reductions:
            line(f"if {self.pointer('again', 0, 'inout')}[0] == 0:")
            self.writer.depth += 1
        self._look_ahead()
        if parts.reductions:
            self.writer.depth -= 1
            line(f"{self.pointer('odd', 0, 'inout', 'u8')}[0] = u8({self.pointer('side')}[0] % 2)")
        line(f"{self.pointer('go', 0, 'inout', 'u8')}[0] = u8({self.pointer('turns')}[0] > 0)")
        return self.finish("steer", 1, splittable=False)

    def _load(self) -> None:
        for k in self.parts.numbers:
            value = self.parts.args[k]
            self.pointer("here", k, "inout", value.dtype.short)
            self.load_number(("here", k), value, f"s{k}")
        if self.parts.turn is not None:
            self.line(f"turn = {self.pointer('turn', 0, 'inout')}[0]")
        self.line("k = i64(0)")

    def _walk(self, limit: str, folded: Sequence[str]) -> None:
        """Take the numbers through turns, `k` of them, as long as the loop goes on. folded: the accumulators."""
        self.line(f"while k < {limit}:")
        self.writer.depth += 1
        self.elements.push()
        self.line(f"if not {self._condition()}:")
        self.line("    break")
        for k, (operation, text) in enumerate(zip(self.parts.reductions, folded, strict=True)):
            self.line(f"a{k} = {text}")
            self.line(f"r{k} = {finished(operation, f'a{k}')}")
            self.names[operation.result] = f"r{k}"
        self.numbers_of_turn(self.parts.numbers)
        self.line("k += 1")
        self.elements.pop()
        self.writer.depth -= 1

    def _condition(self) -> str:
        if self.parts.is_counted:
            return f"turn < {self.pointer('count')}[0]"
        return self.value(self.parts.operation.blocks[0].yields[0])

    def _look_back(self) -> None:
        """How many of the turns were the loop's."""
        parts, line = self.parts, self.line
        for k in range(len(parts.reductions)):
            rows = self.rows(k, "inout")
            line("for k in range(turns):")
            line(f"    for piece in range(1, {PIECES}):")
            line(f"        {rows}[k] = {self.combined(k, f'{rows}[k]', f'{rows}[piece * {MOST_TURNS} + k]')}")
        self._load()
        self._walk("turns", [f"{self.rows(k, 'inout')}[k]" for k in range(len(parts.reductions))])
        for k in parts.numbers:
            self.line(f"{self.pointer('here', k)}[0] = {self._stored_number(k)}")
        if parts.turn is not None:
            line(f"{self.pointer('turn')}[0] = turn")
        if parts.reductions:
            line(f"{self.pointer('done', 0, 'inout')}[0] += k")
            line("if k < turns:")
            line(f"    {self.pointer('again')}[0] = 1")
            line(f"    {self.pointer('turns')}[0] = k")
            line("else:")
            line(f"    {self.pointer('side')}[0] += 1")

    def _look_ahead(self) -> None:
        """How many turns come next: as many as the numbers allow if what is folded lets the loop go on."""
        parts, line = self.parts, self.line
        least = f"max({WORK_AT_ONCE // parts.weight} // ({self.size} + 1), 1)"
        most = f"min({MOST_TURNS}, max({self.pointer('done', 0, 'inout')}[0] // 2, 2))" if parts.reductions else ""
        line(f"limit = min({most}, {least})" if most else f"limit = {least}")
        line("most = i64(0)")
        line(f"for way in range({2 if parts.reductions else 1}):")
        self.writer.depth += 1
        self._load()
        self._walk("limit", [_either(operation) for operation in parts.reductions])
        line("most = max(most, k)")
        self.writer.depth -= 1
        line(f"{self.pointer('turns')}[0] = most")
        for k in parts.needed:
            short = parts.args[k].dtype.short
            line(f"{self.pointer('first', k, 'inout', short)}[0] = {self.pointer('here', k)}[0]")
        if parts.uses_turn:
            line(f"{self.pointer('first turn', 0, 'inout')}[0] = {self.pointer('turn')}[0]")

    def _stored_number(self, k: int) -> str:
        return f"u8(s{k})" if self.parts.args[k].dtype.is_bool else f"s{k}"


def advance_kernel(parts: LoopParts, exact: bool) -> TurnsKernel:
    """The kernel that takes blocks some turns further."""
    return _Advance(parts, exact, counts=parts.uses_turn).write()


def steer_kernel(parts: LoopParts, exact: bool) -> TurnsKernel:
    """The kernel that says how many turns come next, or that the last ones were too many."""
    return _Steer(parts, exact, counts=True).write()


def block_size(parts: LoopParts) -> int:
    """Elements of a block: as many vectors as half of the registers hold of all arrays."""
    computed = [v for o in parts.operations for v in (o.result, *o.operands) if parts.is_array(v)]
    widest = max(v.dtype.itemsize for v in (*computed, *parts.read, *(parts.args[k] for k in parts.arrays)))
    vectors = MOST_VECTORS
    while vectors > LEAST_VECTORS and vectors * (len(parts.arrays) + len(parts.read)) > vector_registers() // 2:
        vectors //= 2
    return vectors * vector_bytes() // widest


def index_of(value: Value) -> Index:
    """The index of an element of a value, all of whose axes are one."""
    return ["0" if same_dim(d, 1) else "j" for d in value.tensor_type.shape]


def block_arrays(parts: LoopParts) -> dict[Key, TensorType]:
    """What the kernels need of memory besides the loop's arrays and numbers, by key."""
    word, byte = BY_SHORT["i64"], BY_SHORT["u8"]
    blocks = (parts.size + block_size(parts) - 1) // block_size(parts)
    made: dict[Key, TensorType] = {("settled", 0): TensorType(byte, (blocks,))}
    made.update({(name, 0): TensorType(byte, ()) for name in ("go", "odd")})
    made.update({(name, 0): TensorType(word, ()) for name in ("turn", "first turn", "turns", "side", "again", "done")})
    for k, operation in enumerate(parts.reductions):
        kind = BY_SHORT[accumulator_of(operation)]
        made["rows", k] = TensorType(kind, (PIECES * MOST_TURNS,))
        made["last", k] = TensorType(kind, (blocks,))
    for k in parts.arrays:
        made["there", k] = parts.args[k].tensor_type
        made["edge", k] = TensorType(parts.args[k].dtype, (2 * block_size(parts),))
    for k, value in enumerate(parts.read):
        made["edge of read", k] = TensorType(value.dtype, (block_size(parts),))
    made.update({("first", k): parts.args[k].tensor_type for k in parts.needed})
    return made


def _either(operation: Operation) -> str:
    """An accumulator at one end of its range or, the other way, at the other end."""
    if operation.result.dtype.is_bool:
        return "i64(way)"
    short = accumulator_of(operation)
    return f"select(way == 1, {extreme(short, 1)}, {extreme(short, -1)})"


def _start(operation: Operation) -> str:
    return template_of(operation, lowering_of(operation).start)


def _stored(value: Value) -> str:
    return "u8" if value.dtype.is_bool else value.dtype.short


def _name_of(parts: LoopParts) -> str:
    return "_".join(list(dict.fromkeys(o.name for o in parts.operations))[:4])
