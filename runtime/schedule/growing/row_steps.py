"""Arrays whose number of rows only a run knows, as steps over lists of the VM (see row_values.py, list_numbers.py)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence

from ....ir.core import Operation, Program, Value
from ....ir.dynamic_sizes import defined
from ....ops.dims import DimLike, same_dim, same_shape
from ....ops.op import OPS
from ....ops.sizes import plain_names
from ....ops.types import TensorType
from ..function_calls import Calls, constant_word
from ..program_steps import WORD, AddStep, Buffer, CopyStep, HoldStep, InterpretedStep, ListPlace, RowStep, SetStep
from .list_numbers import ListNumbers
from .row_operations import row_of, split


class RowLists(Calls):
    """The lists that hold such arrays, and the sizes that the VM knows of them."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.rows = self.host.rows
        self.words = {name: Buffer(WORD, hint=name) for name in sorted(self.host.words)}
        numbers = ListNumbers(program, self.rows).of if self.rows is not None and self.rows.values else {}
        lists = {n: self._new_list() for n in sorted(set(numbers.values()))}
        self.listed = {value: lists[n] for value, n in numbers.items()}

    @abstractmethod
    def _extra(self, operation: Operation) -> Buffer:
        """The result of an operation that the program doesn't have."""

    # -- arrays that lists hold

    def learn(self, values: Iterable[Value]) -> None:
        """Note the sizes that arrays tell where they arise."""
        listed = [v for v in values if v in self.listed]
        for k, axis, name in plain_names(v.type for v in listed):
            if axis == 0 and name in self.words and self._defines(listed[k], name):
                self._row_step("length", listed[k], buffer=self.words[name])

    def _defines(self, value: Value, name: str) -> bool:
        assert self.rows is not None
        return value in self.rows.definers[name]

    def _believed(self, operation: Operation) -> list[tuple[int, str]]:
        """The results in lists that are taken to have as many rows as another array: which, and the size."""
        found = plain_names(r.type for r in operation.results)
        listed = [(k, name) for k, axis, name in found if not axis and operation.results[k] in self.listed]
        return [(k, n) for k, n in listed if n in self.words and not self._defines(operation.results[k], n)]

    def move_rows(self, pairs: Sequence[tuple[Value, Value]], operation: Operation) -> None:
        """Give arrays of lists (first of each pair) the contents of others, as if at once."""
        todo = [(made, self.listed[made], value) for made, value in pairs]
        todo = [(made, number, value) for made, number, value in todo if self.listed.get(value) != number]
        targets = {number for _, number, _ in todo}
        sources: dict[Value, int] = {}
        for made, _, value in todo:
            source = self.listed.get(value)
            if source in targets:
                sources[value] = self._new_list()
                self._store(made, sources[value], value, operation)
        for made, number, value in todo:
            if value in sources:
                self._refill(made, number, sources[value], operation)
            else:
                self._store(made, number, value, operation)

    def _store(self, made: Value, number: int, value: Value, operation: Operation) -> None:
        source = self.listed.get(value)
        if source is not None:
            self._refill(made, number, source, operation)
            return
        row = row_of(made.tensor_type)
        self._add(RowStep(operation, "clear", number, row))
        self._push(row, number, value, operation)

    def _refill(self, made: Value, number: int, source: int, operation: Operation) -> None:
        row = row_of(made.tensor_type)
        self._add(RowStep(operation, "clear", number, row))
        self._add(RowStep(operation, "extend", number, row, other=source))

    def _push(self, row: TensorType, number: int, value: Value, operation: Operation) -> None:
        if not same_dim(value.shape[0], 0):
            source = self._materialised(value)
            self._add(RowStep(operation, "push", number, row, source, many=value.shape[0]))

    def _row_step(
        self, action: str, value: Value, operation: Operation | None = None, *, buffer: Buffer | None = None,
        at: Buffer | None = None, count: Buffer | None = None, other: int = -1,
    ) -> None:  # fmt: skip
        number, row = self.listed[value], row_of(value.tensor_type)
        self._add(RowStep(operation, action, number, row, buffer, other, at, count))

    # -- sizes

    def feed_words(self) -> list[tuple[str, Buffer]]:
        """The sizes that arguments outside of lists tell: the call writes them down before it begins."""
        feeds = [v for v in self.program.feed_values if v not in self.listed]
        told = [(name, self.words[name]) for _, _, name in plain_names(v.type for v in feeds) if name in self.words]
        for _, word in told:
            self._add(HoldStep(None, word))
        return told

    def _word(self, dim: DimLike) -> Buffer:
        """A size as a number in memory."""
        found = split(dim)
        assert found is not None
        name, rest = found
        if name is not None and same_dim(rest, 0):
            return self.words[name]
        if name is None and isinstance(rest, int):
            return constant_word(rest)
        made = Buffer(WORD, hint="size")
        self._compute(made, name, rest)
        return made

    def _compute(self, target: Buffer, name: str | None, rest: DimLike) -> None:
        if name is None:
            self._add(SetStep(None, target, rest))
            return
        assert isinstance(rest, int)
        self._add(CopyStep(None, target, self.words[name]))
        if rest:
            self._add(AddStep(None, target, rest))

    # -- operations

    def _row_operation(self, operation: Operation) -> None:
        """The steps of an operation of the VM."""
        _STEPS[operation.name](self, operation)
        self.learn(operation.results)

    def _take_over(self, operation: Operation) -> Value:
        """Have the list of the result hold what the first operand is."""
        x, made = operation.operands[0], operation.results[0]
        if self.listed.get(x) != self.listed[made]:
            self._store(made, self.listed[made], x, operation)
        return made

    def _append(self, operation: Operation) -> None:
        made = self._take_over(operation)
        for value in operation.operands[1:]:
            if value in self.listed:
                self._row_step("extend", made, operation, other=self.listed[value])
            else:
                self._push(row_of(made.tensor_type), self.listed[made], value, operation)

    def _cut(self, operation: Operation) -> None:
        (x,), made = operation.operands, operation.result
        start, size = operation.attrs["starts"][0], operation.attrs["sizes"][0]
        if made not in self.listed:
            number, row = self.listed[x], row_of(x.tensor_type)
            at, place = self._word(start), self._place(made)
            self._add(RowStep(operation, "peek", number, row, place, at=at, many=size))
        elif self.listed[x] == self.listed[made]:
            self._row_step("trim", made, operation, count=self._word(size))
        else:
            at, count = self._word(start), self._word(size)
            self._row_step("clear", made, operation)
            self._row_step("extend", made, operation, other=self.listed[x], at=at, count=count)

    def _cut_between(self, operation: Operation) -> None:
        x, start, stop = operation.operands
        at, last = self._materialised(start), self._materialised(stop)
        self._row_step("cut", operation.result, operation, at=at, count=last, other=self.listed[x])

    def _read(self, operation: Operation) -> None:
        x, index = operation.operands
        at = self._materialised(index)
        self._row_step("peek", x, operation, buffer=self._place(operation.result), at=at)

    def _write(self, operation: Operation) -> None:
        _, value, index = operation.operands
        source, at = self._materialised(value), self._materialised(index)
        self._row_step("poke", self._take_over(operation), operation, buffer=source, at=at)

    def _sum_up(self, operation: Operation) -> None:
        x, value, index = operation.operands
        read = Operation(OPS["select"], [x, index], {"axis": 0}, [value.tensor_type], loc=operation.loc)
        self._read(read)
        total = self._extra(Operation(OPS["add"], [read.result, value], {}, [value.tensor_type], loc=operation.loc))
        read.drop_operands()
        self._row_step("poke", self._take_over(operation), operation, buffer=total, at=self._materialised(index))

    def _reshape(self, operation: Operation) -> None:
        made = self._take_over(operation)
        if not same_dim(operation.operands[0].tensor_type.size, made.tensor_type.size):
            self._row_step("expect", made, operation, count=self._word(made.shape[0]))

    def _fill(self, operation: Operation) -> None:
        made = operation.result
        row = (1, *made.shape[1:])
        if operation.operands and same_shape(operation.operands[0].shape, row):
            source = self._materialised(operation.operands[0])
        else:
            attrs = {**operation.attrs, "shape": row}
            kind = TensorType(made.dtype, row)
            source = self._extra(Operation(operation.op, list(operation.operands), attrs, [kind], loc=operation.loc))
        self._row_step("clear", made, operation)
        self._row_step("repeat", made, operation, buffer=source, count=self._word(made.shape[0]))

    def _tell(self, operation: Operation) -> None:
        found = split(operation.attrs["dim"])
        assert found is not None
        self._compute(self._place(operation.result), *found)

    def _bind(self, operation: Operation) -> None:
        source, name = self._materialised(operation.operands[0]), str(operation.attrs["defines"][0])
        if operation.result.uses:
            self._add(CopyStep(operation, self._place(operation.result), source))
        if name in self.words:
            self._add(CopyStep(operation, self.words[name], source))

    # -- operations of the host

    def _host(
        self, operation: Operation, inputs: Sequence[Value], kind: type[InterpretedStep] = InterpretedStep
    ) -> None:
        """A step that Python carries out."""
        given = [(v, self._where(v, self._materialised)) for v in inputs]
        made = [(r, self._where(r, self._place)) for r in operation.results]
        told = [(name, word) for name, word in self.words.items() if self._tells(operation, name)]
        believed = self._believed(operation)
        asked = self.host.read_by(operation) & self.words.keys() - defined(operation)
        sizes = [(name, self.words[name]) for name in sorted(asked.union(name for _, name in believed))]
        reason = self.host.operations.get(operation, "it doesn't fit all sizes")
        words = [(k, self.words[name]) for k, name in believed]
        self._add(kind(operation, given, made, reason, sizes, told, believed=words))
        self.learn(operation.results)

    def _tells(self, operation: Operation, name: str) -> bool:
        assert self.rows is not None
        return any(v.operation is operation and v not in self.listed for v in self.rows.definers[name])

    def _where(self, value: Value, place: Callable[[Value], Buffer]) -> Buffer | ListPlace | None:
        if value in self.listed:
            return ListPlace(self.listed[value])
        return None if self.host.has(value) else place(value)


_STEPS: Mapping[str, Callable[[RowLists, Operation], None]] = {
    "concat": RowLists._append, "slice": RowLists._cut, "slice_between": RowLists._cut_between,
    "select": RowLists._read, "select_update": RowLists._write, "select_add": RowLists._sum_up,
    "reshape": RowLists._reshape, "stop_gradient": RowLists._reshape, "after": RowLists._reshape,
    "broadcast_to": RowLists._fill, "full": RowLists._fill, "dim_value": RowLists._tell, "bind_size": RowLists._bind,
}  # fmt: skip
