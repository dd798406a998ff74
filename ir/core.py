"""The data model of programs: Value, Operation, Block, Program, with explicit use lists.

Program  body Block · inputs (feeds) · state entries · fetches (operands of `return`)
Block    arguments · operations, the last one a terminator
Operation  op row · operands · attributes · results · nested blocks · Loc
Value    a type · its producer (an Operation's result or a Block's argument) · its uses
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..base.dtype import DType
from ..base.html import code
from ..base.location import UNKNOWN, Loc
from ..ops.arith import Arithmetic
from ..ops.dims import Dim
from ..ops.effects import Effect
from ..ops.op import Op
from ..ops.types import ListType, Shape, TensorType, ValueType
from .printer import print_program


class ProgramPart:
    """What programs consist of: an operation, a value or a block.

    Those of a file may have no fields yet. Such a part has a `source`, which brings the fields of all of them when the
    first one is asked for; there is none in other parts.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """A field that isn't set."""
        source = getattr(self, "source", None) if name in _FIELDS else None
        if source is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        source()
        return object.__getattribute__(self, name)


class Value(Arithmetic, ProgramPart):
    """One SSA value: a type, the Operation or Block that makes it, and its uses (operation, operand number)."""

    __slots__ = ("hint", "index", "producer", "source", "type", "uses")

    def __init__(self, kind: ValueType, producer: Operation | Block, index: int, hint: str = "") -> None:
        self.type = kind
        self.producer = producer
        self.index = index
        self.uses: dict[tuple[Operation, int], None] = {}
        self.hint = hint

    @property
    def tensor_type(self) -> TensorType:
        """The type, which must be a tensor's."""
        assert isinstance(self.type, TensorType), self.type
        return self.type

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        kind = self.type  # asked of each operand of each operation, thus without a further call
        assert isinstance(kind, TensorType), kind
        return kind.dtype

    @property
    def shape(self) -> Shape:
        kind = self.type
        assert isinstance(kind, TensorType), kind
        return kind.shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def operation(self) -> Operation | None:
        """The operation that makes this value; None for a block argument."""
        return self.producer if isinstance(self.producer, Operation) else None

    @property
    def block(self) -> Block:
        """The block in which the value is made."""
        if isinstance(self.producer, Block):
            return self.producer
        assert self.producer.parent is not None
        return self.producer.parent

    def replace_by(self, other: Value) -> None:
        """Make all users of this value use `other`."""
        for operation, k in list(self.uses):
            operation.set_operand(k, other)
        if not other.hint:
            other.hint = self.hint

    def __repr__(self) -> str:
        name = self.hint or (self.producer.op.name if isinstance(self.producer, Operation) else "arg")
        return f"<%{name}#{self.index}: {self.type}>"


class Operation(ProgramPart):
    """An instance of an op row in a block. Compared by identity."""

    __slots__ = ("attrs", "blocks", "loc", "op", "operands", "parent", "results", "source")

    def __init__(
        self,
        op: Op,
        operands: Iterable[Value],
        attrs: dict[str, Any],
        result_types: Iterable[ValueType],
        blocks: Iterable[Block] = (),
        loc: Loc = UNKNOWN,
    ) -> None:
        self.op = op
        self.operands: list[Value] = list(operands)
        self.attrs = attrs
        self.results = [Value(t, self, k) for k, t in enumerate(result_types)]
        self.blocks: list[Block] = []
        self.loc = loc
        self.parent: Block | None = None
        for k, value in enumerate(self.operands):
            value.uses[self, k] = None
        for block in blocks:
            self.add_block(block)

    @property
    def name(self) -> str:
        return self.op.name

    @property
    def result(self) -> Value:
        """The only result."""
        (value,) = self.results
        return value

    @property
    def holder(self) -> Operation | None:
        """The operation in one of whose blocks it stands; None in the program's own block."""
        holder = self.parent.parent if self.parent is not None else None
        return holder if isinstance(holder, Operation) else None

    @property
    def is_terminator(self) -> bool:
        return self.op.effect is Effect.TERMINATOR

    @property
    def effects(self) -> set[Effect]:
        """Its own effect and those of everything in its blocks, terminators aside."""
        found = {self.op.effect}
        for block in self.blocks:
            for inner in block.operations:
                found |= inner.effects - {Effect.TERMINATOR}
        return found

    @property
    def is_pure(self) -> bool:
        return self.effects == {Effect.PURE}

    def add_operand(self, value: Value) -> None:
        value.uses[self, len(self.operands)] = None
        self.operands.append(value)

    def set_operand(self, k: int, value: Value) -> None:
        self.operands[k].uses.pop((self, k), None)
        self.operands[k] = value
        value.uses[self, k] = None

    def set_operands(self, values: Iterable[Value]) -> None:
        self.drop_operands()
        for value in values:
            self.add_operand(value)

    def drop_operands(self) -> None:
        for k, value in enumerate(self.operands):
            value.uses.pop((self, k), None)
        self.operands = []

    def add_result(self, kind: ValueType, hint: str = "") -> Value:
        value = Value(kind, self, len(self.results), hint)
        self.results.append(value)
        return value

    def set_results(self, kept: Sequence[Value]) -> None:
        """Keep only `kept` of its results, renumbered; the others must be unused."""
        self.results = list(kept)
        for k, value in enumerate(self.results):
            value.index = k

    def add_block(self, block: Block) -> Block:
        block.parent = self
        self.blocks.append(block)
        return block

    def erase(self) -> None:
        """Remove it, and everything in its blocks, from the program. Its results must be unused."""
        assert not any(r.uses for r in self.results), f"erasing {self.name}, whose results are used"
        self.forget()
        if self.parent is not None:
            self.parent.operations.remove(self)
            self.parent = None

    def forget(self) -> None:
        """Take this operation, and those in its blocks, from the uses of what they read."""
        self.drop_operands()
        for block in self.blocks:
            for inner in block.operations:
                inner.forget()

    def __repr__(self) -> str:
        return f"<{self.name} -> {', '.join(str(r.type) for r in self.results)}>"


class Block(ProgramPart):
    """A list of operations with arguments; the last operation is its terminator."""

    __slots__ = ("args", "operations", "parent", "source")

    def __init__(self, arg_types: Iterable[ValueType] = ()) -> None:
        self.args: list[Value] = []
        self.operations: list[Operation] = []
        self.parent: Operation | Program | None = None
        for kind in arg_types:
            self.add_arg(kind)

    def add_arg(self, kind: ValueType, hint: str = "") -> Value:
        value = Value(kind, self, len(self.args), hint)
        self.args.append(value)
        return value

    def set_args(self, kept: Sequence[Value]) -> None:
        """Keep only `kept` of its arguments, renumbered; the others must be unused."""
        self.args = list(kept)
        for k, value in enumerate(self.args):
            value.index = k

    def append(self, operation: Operation) -> Operation:
        operation.parent = self
        self.operations.append(operation)
        return operation

    def insert(self, position: int, operation: Operation) -> Operation:
        operation.parent = self
        self.operations.insert(position, operation)
        return operation

    @property
    def terminator(self) -> Operation:
        return self.operations[-1]

    @property
    def yields(self) -> list[Value]:
        """The operands of the terminator."""
        return self.operations[-1].operands

    @property
    def parent_block(self) -> Block | None:
        return self.parent.parent if isinstance(self.parent, Operation) else None

    def encloses(self, other: Block) -> bool:
        """Whether `other` is this block or nested anywhere inside it."""
        block: Block | None = other
        while block is not None:
            if block is self:
                return True
            block = block.parent_block
        return False

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.operations)


_FIELDS = frozenset({*Operation.__slots__, *Value.__slots__, *Block.__slots__} - {"source"})


@dataclass(slots=True)
class StateEntry:
    """A value that lives between runs. kind: parameter, buffer, moment, rng or other."""

    name: str
    kind: str = "parameter"


@dataclass(slots=True)
class Program:
    """A whole program. The body's arguments are the feeds, then the state entries; `return` holds the fetches.

    `constraints` are dims that must be 0 ("==") or at least 0 (">=") for the program to be valid: the trace's guesses.
    """

    name: str = "main"
    body: Block = field(default_factory=Block)
    feeds: list[str] = field(default_factory=list)
    state: list[StateEntry] = field(default_factory=list)
    fetch_names: list[str] = field(default_factory=list)
    constraints: list[tuple[str, Dim]] = field(default_factory=list)
    foreign: bool = False  # it came from a text: what it says of sizes is checked before it runs (concrete.py)

    def __post_init__(self) -> None:
        self.body.parent = self

    @property
    def feed_values(self) -> list[Value]:
        return self.body.args[: len(self.feeds)]

    @property
    def state_values(self) -> list[Value]:
        return self.body.args[len(self.feeds) :]

    @property
    def fetches(self) -> list[Value]:
        return self.body.yields

    def add_feed(self, name: str, kind: TensorType) -> Value:
        """A new feed, placed behind the other feeds."""
        value = Value(kind, self.body, len(self.feeds), name)
        self.body.args.insert(len(self.feeds), value)
        self.feeds.append(name)
        self.body.set_args(self.body.args)
        return value

    def add_state(self, name: str, kind: TensorType, role: str = "parameter") -> Value:
        """A new state entry, placed last."""
        self.state.append(StateEntry(name, role))
        return self.body.add_arg(kind, name)

    @property
    def symbols(self) -> list[str]:
        """Names of the symbolic sizes, in order of appearance in the arguments."""
        found: dict[str, None] = {}
        for value in self.body.args:
            if isinstance(value.type, TensorType):
                for dim in value.type.shape:
                    if isinstance(dim, Dim):
                        found.update(dict.fromkeys(sorted(dim.symbols())))
        return list(found)

    def __str__(self) -> str:
        return print_program(self)

    def _repr_html_(self) -> str:
        return code(print_program(self, constants={}), "ir")


def is_list(value: Value) -> bool:
    """Whether a value is a list of tensors."""
    return isinstance(value.type, ListType)
