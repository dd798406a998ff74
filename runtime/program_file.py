"""Programs, and what they were compiled to, as bytes: for the cache of this machine, which trusts its own files.

Operations, values and blocks refer to each other in circles, so they are numbered and written as a table. Types, places
in code, op rows and dtypes, which many share, have tables too. The rest is a pickle whose reader makes nothing but
this package's dataclasses, numbers, texts and arrays.
"""

from __future__ import annotations

import io
import itertools
import marshal
import pickle
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from threading import RLock
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import of_array
from ..base.location import Loc, Purpose
from ..ir.core import Block, Operation, Program, Value
from ..ops.create import ArrayData
from ..ops.dims import Dim
from ..ops.op import OPS, Op
from ..ops.sizes import note_name
from ..ops.types import TensorType

PicklingError, UnpicklingError = pickle.PicklingError, pickle.UnpicklingError
_PACKAGE = f"{__name__.partition('.')[0]}."


def to_bytes(*roots: Any) -> bytes:
    """The objects, with the programs that they are parts of. Equal programs of two processes give equal bytes.

    Errors: PicklingError for what isn't data, such as a function.
    """
    tables = _Tables()
    whole = _dumped(roots, tables)
    records: list[tuple[Any, ...]] = []
    others = _dumped([], tables)
    while len(records) < len(tables.parts):  # what isn't plain may name further parts
        records += [_record(part, tables) for part in _growing(tables.parts, len(records))]
        others = _dumped(tables.others, tables)
    kinds = bytes([_NUMBERS[type(part)] for part in tables.parts])
    types = _dumped([(kind.dtype, kind.shape) for kind in tables.types], tables)  # may name dtypes
    places = [_fields(place, tables) for place in tables.places]
    names = [op.name for op in tables.ops], [kind.name for kind in tables.dtypes]
    # The format without references: whether equal strings are one object must make no difference.
    parts = marshal.dumps((places, others, records), 2)  # of a program that only runs these stay bytes
    return marshal.dumps((names, kinds, types, _bodies(tables.parts, records), parts, whole), 2)


def fingerprint(program: Program) -> bytes:
    """Bytes that are equal for equal programs of two processes, and different for different ones: no way back.

    They cost half of `to_bytes`: values are numbered where they are made, so that they need no records of their own.

    Errors: PicklingError for what isn't data.
    """
    tables = _Tables()
    words: list[int] = []
    plain: list[Any] = []
    _put_block(program.body, tables, words, plain, itertools.count(_PART, 8))
    rest = _dumped([program, tables.others], tables)
    if tables.parts:  # something names an operation, or a value that stands elsewhere: which one, only the whole tells
        return to_bytes(program)
    types = _dumped([(kind.dtype, kind.shape) for kind in tables.types], tables)
    places = [_fields(place, tables) for place in tables.places]
    names = [op.name for op in tables.ops], [kind.name for kind in tables.dtypes]
    return marshal.dumps((names, places, types, rest, plain, array("q", words).tobytes()), 2)


def _put_block(block: Block, tables: _Tables, words: list[int], plain: list[Any], numbers: Iterator[int]) -> None:
    """Add a block to a fingerprint: what it takes, how many operations follow, and these. All lengths are told.

    It is one loop, which looks at each operation once: they are tens of thousands, and lie anywhere in memory.
    """
    known, number, push = tables.known, tables.number, words.append
    find = known.get
    known[id(block)] = next(numbers)
    words += len(block.operations), len(block.args)
    for value in block.args:
        known[id(value)] = next(numbers)
        push(_sure(number(value.type)))
    plain.append([v.hint for v in block.args])
    for operation in block.operations:
        op, loc, attrs = operation.op, operation.loc, operation.attrs
        operands, results, blocks = operation.operands, operation.results, operation.blocks
        words += (
            find(id(op)) or _sure(number(op)), find(id(loc)) or _sure(number(loc)), len(attrs), len(operands),
            len(results), len(blocks),
        )  # fmt: skip
        if attrs:
            plain.append(attrs if _is_plain(attrs) else _told(attrs, tables))
        for value in operands:
            push(find(id(value)) or _sure(number(value)))
        for value in results:
            kind = value.type
            known[id(value)] = next(numbers)
            push(find(id(kind)) or _sure(number(kind)))
            if value.hint:
                plain.append((len(words), value.hint))
        for inner in blocks:
            _put_block(inner, tables, words, plain, numbers)


def _told(attrs: dict[str, Any], tables: _Tables) -> list[Any]:
    """Attributes in a fingerprint that aren't all plain: in a list, which no plain one is."""
    told: list[Any] = []
    for name, value in attrs.items():
        reference = tables.reference(value)
        if reference is None and type(value) is ArrayData:  # of constants, thousands of which share it
            reference = tables.known.get(id(value))
        if reference is None:
            tables.others.append(value)
            reference = -len(tables.others)
            if type(value) is ArrayData:
                tables.known[id(value)] = reference
        told.append((name, reference))
    return told


def _sure(number: int | None) -> int:
    assert number is not None
    return number


def from_bytes(data: bytes) -> Any:
    """What `to_bytes` was given, in a tuple. The bytes must come from there.

    A program that only runs is never looked at: its operations get their fields when something asks for one.

    Errors: UnpicklingError for what names anything but data.
    """
    try:
        (ops, dtypes), kinds, types, bodies, rest, whole = marshal.loads(data)
    except (EOFError, TypeError, ValueError) as error:
        raise UnpicklingError(f"this isn't the file of a program: {error}") from None
    found = _Found([OPS[name] for name in ops], [dt.as_dtype(name) for name in dtypes], kinds, rest)
    found.types += [TensorType(*fields) for fields in _Reader(types, found).load()]
    found.number()
    _fill_bodies(bodies, found)
    return _Reader(whole, found).load()


_KINDS: tuple[type, ...] = (Operation, Value, Block)
_NUMBERS = {kind: k for k, kind in enumerate(_KINDS)}
_PART, _TYPE, _PLACE, _OP, _DTYPE = range(5)  # of what a reference is: a part of its number


class _Tables:
    """What is written as a reference to a table."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.types: list[TensorType] = []
        self.places: list[Loc] = []
        self.ops: list[Op] = []
        self.dtypes: list[dt.DType] = []
        self.others: list[Any] = []  # fields of parts that are neither plain nor in a table
        self._alive: list[TensorType] = []
        self._equal: dict[Any, int] = {}  # types by what they consist of: their own hash is three calls
        self.known: dict[int, int] = {}  # references by identity; what they are to is in a table, and lives

    def reference(self, item: Any) -> int | None:
        """The number that stands for an object; None for one that is written as it is."""
        add = _REFERRED.get(type(item))
        if add is None:
            return None
        found = self.known.get(id(item))
        if found is None:
            found = self.known[id(item)] = add(self, item)
        return found

    def number(self, item: Any) -> int | None:
        """The number of a field of a part: of a table's entry, or below zero that of another object."""
        if item is None:
            return None
        reference = self.reference(item)
        if reference is not None:
            return reference
        self.others.append(item)
        return -len(self.others)

    def _part(self, item: Any) -> int:
        self.parts.append(item)
        return len(self.parts) * 8 - 8 + _PART

    def _type(self, item: TensorType) -> int:
        self._alive.append(item)  # what is referred to has to live as long as its number
        known = self._equal.get(fields := (item.dtype.name, item.shape))
        if known is None:
            self.types.append(item)
            known = self._equal[fields] = len(self.types) * 8 - 8 + _TYPE
        return known

    def _place(self, item: Loc) -> int:
        """Callers come before those that they call: the table is read from its start."""
        for other in (item.caller, item.purpose and item.purpose.place):
            if other is not None:
                self.reference(other)
        self.places.append(item)
        return len(self.places) * 8 - 8 + _PLACE

    def _op(self, item: Op) -> int:
        self.ops.append(item)
        return len(self.ops) * 8 - 8 + _OP

    def _dtype(self, item: dt.DType) -> int:
        self.dtypes.append(item)
        return len(self.dtypes) * 8 - 8 + _DTYPE


_REFERRED: dict[type, Callable[[_Tables, Any], int]] = {
    Operation: _Tables._part, Value: _Tables._part, Block: _Tables._part, TensorType: _Tables._type,
    Loc: _Tables._place, Op: _Tables._op, dt.DType: _Tables._dtype,
}  # fmt: skip


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, tables: _Tables) -> None:
        super().__init__(file, 5)
        self.persistent_id = tables.reference  # type: ignore[method-assign]

    def reducer_override(self, item: Any) -> Any:
        kind = type(item)
        if kind is Dim:
            return _dim, (item.terms,)
        if kind is Program:
            return Program, tuple(getattr(item, each.name) for each in fields(item))  # which its block needs to know
        if kind is ArrayData:
            return ArrayData, (item.array,)
        if kind is np.ndarray:
            return _array, (of_array(item).name, item.shape, item.tobytes())
        if isinstance(item, np.generic):
            return _scalar, (of_array(np.asarray(item)).name, item.tobytes())
        if not _holds_data(item if isinstance(item, type) else kind) and item not in _MAKERS.values():
            raise PicklingError(f"{item!r} can't be a part of a program's file")
        return NotImplemented


def _dumped(item: Any, tables: _Tables) -> bytes:
    file = io.BytesIO()
    _Writer(file, tables).dump(item)
    return file.getvalue()


def _growing(parts: list[Any], start: int) -> Iterator[Any]:
    """The parts from one on, with those that are added meanwhile."""
    k = start
    while k < len(parts):
        yield parts[k]
        k += 1


def _record(part: Any, tables: _Tables) -> tuple[Any, ...]:
    """All of a part but its uses, in numbers. Parts that it names are put into the table.

    Most are there already, thousands of times: only what isn't, or is the very first, needs a call.
    """
    known, number = tables.known.get, tables.number
    if type(part) is Value:
        kind, producer = part.type, part.producer
        return known(id(kind)) or number(kind), known(id(producer)) or number(producer), part.index, part.hint
    if type(part) is Block:
        parent = number(part.parent) if type(part.parent) is Operation else None
        return _numbers(part.args, tables), _numbers(part.operations, tables), parent
    op, attrs, loc, parent = part.op, part.attrs, part.loc, part.parent
    return (
        known(id(op)) or number(op), _numbers(part.operands, tables),
        attrs if not attrs or _is_plain(attrs) else number(attrs),
        _numbers(part.results, tables), _numbers(part.blocks, tables) if part.blocks else [],
        known(id(loc)) or number(loc), known(id(parent)) or number(parent),
    )  # fmt: skip


def _numbers(items: Sequence[Any], tables: _Tables) -> list[int | None]:
    known = tables.known.get
    return [known(id(item)) or tables.reference(item) for item in items]


def _is_plain(attrs: dict[str, Any]) -> bool:
    """Whether the attributes need no table: most operations have none, or a few numbers."""
    for value in attrs.values():
        if type(value) in _PLAIN:
            continue
        if type(value) is not tuple or not _PLAIN.issuperset(map(type, value)):
            return False
    return True


_PLAIN = frozenset({int, float, bool, str, type(None)})


def _bodies(parts: Sequence[Any], records: Sequence[tuple[Any, ...]]) -> list[tuple[int, list[tuple[Any, ...]]]]:
    """The numbers of the programs' blocks, and of each of its arguments the number, type, index and hint."""
    found = []
    for k, part in enumerate(parts):
        if type(part) is Block and records[k][2] is None:
            args = [(v >> 3, records[v >> 3]) for v in records[k][0]]
            found.append((k, [(v, kind, index, hint) for v, (kind, _, index, hint) in args]))
    return found


def _fill_bodies(bodies: Sequence[tuple[int, Sequence[tuple[Any, ...]]]], found: _Found) -> None:
    """Give programs what they take, which tells the sizes of a call."""
    for number, args in bodies:
        block = found.part(number)
        block.args, block.parent = [], None
        for k, kind, index, hint in args:
            value = found.part(k)
            value.type, value.producer, value.index, value.hint = found.item(kind), block, index, hint
            block.args.append(value)


def _fill(records: Sequence[tuple[Any, ...]], found: _Found) -> None:
    """Give each part what its record says. A part, row or place is its table's: only types may be among the others.

    What a program's block has is left alone. Values get their uses last: another thread that meets one without them
    waits until all are there.
    """
    parts = [found.part(k) for k in range(len(records))]
    item, types, places, ops = found.item, found.types, found.places, found.ops
    uses: list[dict[tuple[Operation, int], None]] = [{} for _ in parts]
    for part, record in zip(parts, records, strict=True):
        if type(part) is Value:
            kind, producer, index, hint = record
            maker = parts[producer >> 3]
            if type(maker) is not Block or records[producer >> 3][2] is not None:
                part.type = types[kind >> 3] if kind >= 0 else item(kind)
                part.producer, part.index, part.hint = maker, index, hint
        elif type(part) is Block:
            args, operations, parent = record
            part.operations = [parts[k >> 3] for k in operations]
            if parent is not None:
                part.args, part.parent = [parts[k >> 3] for k in args], parts[parent >> 3]
        else:
            op, operands, attrs, results, blocks, loc, parent = record
            part.op, part.loc = ops[op >> 3], places[loc >> 3]
            part.operands = [parts[k >> 3] for k in operands]
            part.results = [parts[k >> 3] for k in results]
            part.blocks = [parts[k >> 3] for k in blocks]
            part.attrs = attrs if type(attrs) is dict else item(attrs)
            part.parent = None if parent is None else parts[parent >> 3]
            for n, k in enumerate(operands):
                uses[k >> 3][part, n] = None
    for part, used in zip(parts, uses, strict=True):
        if type(part) is Value:
            part.uses = used


def _fields(place: Loc, tables: _Tables) -> tuple[Any, ...]:
    """A place; other places by their numbers in the table."""
    served = place.purpose
    purpose = None if served is None else (served.kind, served.of, _number(served.place, tables), served.target)
    caller = _number(place.caller, tables)
    return place.file, place.line, place.column, caller, place.layer, place.labels_of, purpose, place.function


def _number(place: Loc | None, tables: _Tables) -> int | None:
    reference = tables.reference(place)
    return None if reference is None else reference // 8


def _place(fields: tuple[Any, ...], known: list[Loc]) -> Loc:
    file, line, column, caller, layer, labels_of, purpose, function = fields
    if purpose is not None:
        kind, of, place, target = purpose
        purpose = Purpose(kind, of, None if place is None else known[place], target)
    return Loc(file, line, column, None if caller is None else known[caller], layer, labels_of, purpose, function)


class _Found:
    """The tables, as far as they were read. Parts are made where something names them, all of them by `fill`."""

    def __init__(self, ops: Sequence[Op], dtypes: Sequence[dt.DType], kinds: bytes, rest: bytes) -> None:
        self.types: list[TensorType] = []
        self.places: list[Loc] = []
        self.ops = ops
        self.others: list[Any] = []
        self.numbered = _Numbered(self)  # what references are to: asked tens of thousands of times
        self._dtypes = dtypes
        self._kinds = kinds
        self._parts: list[Any] = [None] * len(kinds)
        self._rest = rest  # places, others and records, until something needs them
        self._records: Sequence[tuple[Any, ...]] = ()
        self._filling = RLock()
        self._source = self.fill  # one object for all parts
        self.number()

    def number(self) -> None:
        """Number what has come into the tables: all of a table comes at once."""
        for k, table in (_TYPE, self.types), (_PLACE, self.places), (_OP, self.ops), (_DTYPE, self._dtypes):
            self.numbered.update(zip(range(k, 8 * len(table) + k, 8), table, strict=True))

    def part(self, k: int) -> Any:
        """An operation, value or block, maybe without its fields."""
        made = self._parts[k]
        if made is None:
            kind: Any = _KINDS[self._kinds[k]]
            made = self._parts[k] = kind.__new__(kind)
            made.source = self._source
        return made

    def open(self) -> None:
        """Read what the fields of parts are, once."""
        with self._filling:
            rest, self._rest = self._rest, b""
            if rest:
                places, others, self._records = marshal.loads(rest)
                for place in places:
                    self.places.append(_place(place, self.places))
                self.number()
                self.others += _Reader(others, self).load()

    def fill(self) -> None:
        """Give all parts their fields, once."""
        with self._filling:
            self.open()
            records, self._records = self._records, ()
            if records:
                _fill(records, self)

    def item(self, number: int | None) -> Any:
        """What `_Tables.number` gave this number."""
        if number is None:
            return None
        if number < 0:
            self.open()
            return self.others[-1 - number]
        return self.numbered[number]


class _Numbered(dict[int, Any]):
    """The entries of tables by the numbers of references."""

    def __init__(self, found: _Found) -> None:
        super().__init__()
        self._found = found

    def __missing__(self, number: int) -> Any:
        """A part that nothing named before, or a place while none was read."""
        if number & 7 == _PLACE:
            self._found.open()
            return self._found.places[number >> 3]
        made = self[number] = self._found.part(number >> 3)
        return made


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, found: _Found) -> None:
        super().__init__(io.BytesIO(data))
        self.persistent_load = found.numbered.__getitem__  # type: ignore[method-assign]

    def find_class(self, module: str, name: str) -> Any:
        """The classes of this package that hold data, and what makes arrays; nothing else is ever called."""
        if module == __name__ and name in _MAKERS:
            return _MAKERS[name]
        if module == "builtins" and name in _BUILTINS:
            return _BUILTINS[name]
        found = getattr(import_module(module), name, None) if module.startswith(_PACKAGE) else None
        if isinstance(found, type) and _holds_data(found):
            return found
        raise UnpicklingError(f"{module}.{name} isn't part of a compiled program")


def _holds_data(kind: type) -> bool:
    """Whether objects of a class are data of this package, or plain ones of Python's."""
    if not kind.__module__.startswith(_PACKAGE):
        return kind in _BUILTINS.values()
    return is_dataclass(kind) or issubclass(kind, (Enum, ArrayData, tuple))


def _array(dtype: str, shape: tuple[int, ...], data: bytes) -> np.ndarray[Any, Any]:
    """An array that was written."""
    return np.frombuffer(data, dt.as_dtype(dtype).numpy).reshape(shape).copy()


def _scalar(dtype: str, data: bytes) -> Any:
    """A number of NumPy's that was written."""
    return np.frombuffer(data, dt.as_dtype(dtype).numpy)[0]


def _dim(terms: tuple[Any, ...]) -> Dim:
    """A size that was written: its hash is another one in each process, and its names may be new here."""
    made = Dim(dict(terms))
    for name in made.symbols():
        note_name(name)
    return made


_MAKERS: dict[str, Callable[..., Any]] = {"_array": _array, "_scalar": _scalar, "_dim": _dim}
_BUILTINS: dict[str, type] = {kind.__name__: kind for kind in (set, frozenset, slice, complex)}
