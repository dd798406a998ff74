# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import list as _list
from builtins import set as _set
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.dtype import DType as _DType
from vitrify.base.location import Loc as _Loc

class Program:
    """A whole program. The body's arguments are the feeds, then the state entries; `return` holds the fetches.

    `constraints` are dims that must be 0 ("==") or at least 0 (">=") for the program to be valid: the trace's guesses."""
    name: _str
    body: Block
    feeds: _list[_str]
    state: _list[StateEntry]
    fetch_names: _list[_str]
    constraints: _list[_tuple[_str, _Any]]
    foreign: _bool
    @property
    def feed_values(self) -> _list[Value]: ...
    @property
    def state_values(self) -> _list[Value]: ...
    @property
    def fetches(self) -> _list[Value]: ...
    def add_feed(self, name: _str, kind: _Any) -> Value:
        """A new feed, placed behind the other feeds."""
    def add_state(self, name: _str, kind: _Any, role: _str = 'parameter') -> Value:
        """A new state entry, placed last."""
    @property
    def symbols(self) -> _list[_str]:
        """Names of the symbolic sizes, in order of appearance in the arguments."""
    def __init__(self, name: _str = 'main', body: Block = ..., feeds: _list[_str] = ..., state: _list[StateEntry] = ..., fetch_names: _list[_str] = ..., constraints: _list[_tuple[_str, _Any]] = ..., foreign: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Block(ProgramPart):
    """A list of operations with arguments; the last operation is its terminator."""
    def __init__(self, arg_types: _Iterable[_Any] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def add_arg(self, kind: _Any, hint: _str = '') -> Value: ...
    def set_args(self, kept: _Sequence[Value]) -> None:
        """Keep only `kept` of its arguments, renumbered; the others must be unused."""
    def append(self, operation: Operation) -> Operation: ...
    def insert(self, position: _int, operation: Operation) -> Operation: ...
    @property
    def terminator(self) -> Operation: ...
    @property
    def yields(self) -> _list[Value]:
        """The operands of the terminator."""
    @property
    def parent_block(self) -> Block | None: ...
    def encloses(self, other: Block) -> _bool:
        """Whether `other` is this block or nested anywhere inside it."""
    def __iter__(self) -> _Iterator[Operation]: ...

class ProgramPart:
    """What programs consist of: an operation, a value or a block.

    Those of a file may have no fields yet. Such a part has a `source`, which brings the fields of all of them when the
    first one is asked for; there is none in other parts."""

class Value(ProgramPart):
    """One SSA value: a type, the Operation or Block that makes it, and its uses (operation, operand number)."""
    def __init__(self, kind: _Any, producer: Operation | Block, index: _int, hint: _str = '') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def tensor_type(self) -> _Any:
        """The type, which must be a tensor's."""
    @property
    def dtype(self) -> _DType: ...
    @property
    def shape(self) -> _tuple[_int | _Any, ...]: ...
    @property
    def ndim(self) -> _int: ...
    @property
    def operation(self) -> Operation | None:
        """The operation that makes this value; None for a block argument."""
    @property
    def block(self) -> Block:
        """The block in which the value is made."""
    def replace_by(self, other: Value) -> None:
        """Make all users of this value use `other`."""

class Operation(ProgramPart):
    """An instance of an op row in a block. Compared by identity."""
    def __init__(self, op: _Any, operands: _Iterable[Value], attrs: _dict[_str, _Any], result_types: _Iterable[_Any], blocks: _Iterable[Block] = ..., loc: _Loc = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @property
    def name(self) -> _str: ...
    @property
    def result(self) -> Value:
        """The only result."""
    @property
    def holder(self) -> Operation | None:
        """The operation in one of whose blocks it stands; None in the program's own block."""
    @property
    def is_terminator(self) -> _bool: ...
    @property
    def effects(self) -> _set[_Any]:
        """Its own effect and those of everything in its blocks, terminators aside."""
    @property
    def is_pure(self) -> _bool: ...
    def add_operand(self, value: Value) -> None: ...
    def set_operand(self, k: _int, value: Value) -> None: ...
    def set_operands(self, values: _Iterable[Value]) -> None: ...
    def drop_operands(self) -> None: ...
    def add_result(self, kind: _Any, hint: _str = '') -> Value: ...
    def set_results(self, kept: _Sequence[Value]) -> None:
        """Keep only `kept` of its results, renumbered; the others must be unused."""
    def add_block(self, block: Block) -> Block: ...
    def erase(self) -> None:
        """Remove it, and everything in its blocks, from the program. Its results must be unused."""
    def forget(self) -> None:
        """Take this operation, and those in its blocks, from the uses of what they read."""

class StateEntry:
    """A value that lives between runs. kind: parameter, buffer, moment, rng or other."""
    name: _str
    kind: _str
    def __init__(self, name: _str, kind: _str = 'parameter') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
