"""A whole call of a small compiled function in native code: its checks, its results, and the VM between them.

In Python these take six times as long as the run of a small program. The function here is the entry stub's sibling:
one piece of code for all, which finds what it needs in a block of words. Where something isn't as the block says it
gives `miss`, for the same call in Python: another size, another mode, state that must be looked at again. A run that
stops half way is Python's to go on with, and may raise. Nobody else uses the program's binding meanwhile: the GIL is
held, or the binding is out of the list of those at hand.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np

from ....base.memory import WORTH_IT
from ...codegen.target_machine import emit_object
from ...kernel_cache import addresses
from .. import shipped, virtual_machine
from ..entry_stub import c_method, new_function, place
from ..virtual_machine import ARRAY_DATA_OFFSET, Header
from .call_words import FETCHED, FLOAT, ITEMS, SIZE, TYPE, CallWord, Given, GivenWord, Result
from .made_later import MadeLater

NativeCall = Callable[[tuple[Any, ...], dict[str, Any]], Any]
Slot = tuple[Any, str]  # an object and the name of an attribute that has a place in its memory
_NUMBERS = {Given.FLOAT: np.dtype(np.float64), Given.INT: np.dtype(np.int64)}
_EQUAL_KEYS = (int, str, bytes)
_SPARE = 2  # small arrays that are kept for each result: a loop holds the one while it makes the other


@dataclass(frozen=True)
class TensorLayout:
    """What native code knows of tensors: the class, the names of its attributes, and the class of the cell."""

    tensor: type
    storage: type
    names: tuple[str, str, str]  # dtype, stop, storage
    payload: str  # the cell's attribute with the array
    fields: tuple[tuple[str, Any], ...]  # the others, with the values that a new cell has


@dataclass(frozen=True, slots=True)
class ArgumentPart:
    """What a value among the arguments must be.

    kind: which form it has; cls: its class. value: the dtype of a tensor, NumPy's of an array, or an object that it
    must be or be equal to. number: the number of the array, or of the number that the program takes. parts: what is in
    a container, `keys` those of a dict. facts: other attributes of a tensor, and the objects that they must be.
    """

    kind: Given
    cls: Any = None
    value: Any = None
    stop: bool = True
    shape: tuple[int, ...] = ()
    number: int = 0
    keys: tuple[Any, ...] = ()
    parts: tuple[ArgumentPart, ...] = ()
    facts: tuple[tuple[str, Any], ...] = ()


def sequence(parts: Sequence[ArgumentPart]) -> ArgumentPart:
    """A tuple of these."""
    return ArgumentPart(Given.SEQUENCE, tuple, parts=tuple(parts))


def mapping(keys: Sequence[Any], parts: Sequence[ArgumentPart]) -> ArgumentPart:
    """A dict with these keys in this order."""
    return ArgumentPart(Given.DICT, dict, keys=tuple(keys), parts=tuple(parts))


@dataclass(frozen=True)
class StateFacts:
    """The state of a program: the slot with the tuple of its arrays, how many, and which of them it writes.

    numbers: of the numbers among the arguments that it takes: (which one, its place among the arrays). looked_up: of
    others: (place, an array that `hold` writes). copied: the VM gets the arrays in each call; else the binding's
    `state` tells that it has them.
    """

    arrays: Slot
    count: int
    written: Sequence[int] = ()
    numbers: Sequence[tuple[int, int]] = ()
    looked_up: Sequence[tuple[int, Any]] = ()
    copied: bool = False


@dataclass(frozen=True)
class CallFacts:
    """One way of calling a program: its arguments, what else must be as it was, and what it makes.

    given, named: the arguments by position and by keyword. words: slots, and code and defaults of functions, that must
    stay the same objects. pairs: slots that must hold the same object. variables: context variables that must keep
    their values. hold: a function that tells whether all else is as it was. free: the list of bindings at hand. dtypes:
    those of the fetches, None where no tensor is made. results: rows of (kind, fetch or object or count, keys), an
    argument as its `ArgumentPart`. miss: the result of calls that aren't made. wrote, write: called after a run, the
    latter with the first `made` tensors, the tensors and arrays among the arguments, and the arrays of these and of the
    results. same: which arguments are one tensor (the number of the first) or share an array (~ of the first); None
    where that doesn't matter.
    """

    given: ArgumentPart
    named: ArgumentPart
    variables: Sequence[Any]
    free: list[Any]
    dtypes: Sequence[Any]
    results: Sequence[tuple[Result, Any, tuple[Any, ...]]]
    miss: Any
    words: Sequence[Slot] = ()
    pairs: Sequence[tuple[Slot, Slot]] = ()
    hold: Callable[[], bool] | None = None
    state: StateFacts | None = None
    wrote: Callable[[], None] | None = None
    write: Callable[[list[Any], tuple[Any, ...], tuple[Any, ...]], None] | None = None
    made: int = 0
    same: Sequence[int | None] | None = None


class _Block:
    """The words of one native call, and all that they point at."""

    def __init__(self) -> None:
        self.words = np.zeros(len(CallWord), np.int64)
        self.kept: list[Any] = []

    def set(self, **words: int) -> None:
        """Write words by their names."""
        for name, word in words.items():
            self.words[CallWord[name]] = word

    def table(self, values: Sequence[int]) -> int:
        """The address of some words."""
        made = np.array([*values, 0], np.int64)
        self.kept.append(made)
        return int(made.ctypes.data)

    def rows(self, name: str, count: str, rows: Sequence[Sequence[int]]) -> None:
        """Write the address of a table and how many rows it has."""
        self.set(**{name: self.table([word for row in rows for word in row]), count: len(rows)})

    def keep(self, value: Any) -> Any:
        """Hold an object from now on."""
        self.kept.append(value)
        return value

    def object(self, value: Any) -> int:
        """The address of an object, which is held from now on."""
        return id(self.keep(value))


def make_native_call(facts: CallFacts, layout: TensorLayout) -> NativeCall | None:
    """A function (arguments, keywords) for more calls like the present one; None where there can't be one."""
    bound = facts.free[-1] if facts.free else None
    if bound is None or bound.made is None or len(bound.made) != len(facts.dtypes):
        return None
    parts = list(_parts(facts))
    plain = all(_is_plain(part.cls, "__getattribute__") for _, part, _ in parts if part.kind is Given.TENSOR)
    if not plain or not is_possible():
        return None
    maker, offsets = _array_maker(), _offsets(layout)
    pairs = _pairs(facts, bound)
    if pairs is None or offsets is None or maker is None:
        return None
    block = _Block()
    for at, known in [(at, ctypes.c_int64.from_address(at).value) for at in pairs[1]]:
        pairs[0].append((at, block.table([known])))
    block.rows("PAIRS", "PAIR_COUNT", pairs[0])
    _set_machine(block, bound.header)
    _set_given(block, parts)
    values = [v.get() for v in facts.variables]
    block.rows("VARIABLES", "VARIABLE_COUNT", [*map(_ids, zip(facts.variables, values, strict=True))])
    numbers = _set_state(block, facts)
    _set_results(block, facts, bound.made, {id(part): at for at, part, _ in parts})
    block.set(NEW_ARRAY=maker, FREE=id(facts.free), BOUND=id(bound), LOUD=not bound.is_short, MISS=id(facts.miss))
    for name, function in (("HOLD", facts.hold), ("WROTE", facts.wrote), ("WRITE", facts.write)):
        block.set(**{name: 0 if function is None else block.object(function)})
    block.set(
        SAME=0 if facts.same is None else block.table(_groups(facts.same)),
        MADE_COUNT=facts.made,
        TRUE=id(True),
        RESUME=block.object(_resume(bound, facts.state, numbers)),
    )
    block.set(OBJECT_NEW=_object_maker(), NO_ARGUMENTS=block.object(()))
    block.set(TENSOR=id(layout.tensor), STORAGE=id(layout.storage), NDARRAY=id(np.ndarray), PAYLOAD=offsets[0])
    fields = zip(offsets[1:], layout.fields, strict=True)
    block.rows("FIELDS", "FIELD_COUNT", [(at, block.object(value)) for at, (_, value) in fields])
    names = [block.object(sys.intern(name)) for name in layout.names]
    block.set(DTYPE_NAME=names[0], STOP_NAME=names[1], STORAGE_NAME=names[2])
    words = [getattr(*pair) for pair in facts.words]
    held = (block.words, block.kept, facts, layout, bound, bound.made, values, words)
    made: NativeCall = new_function()(ctypes.addressof(native_method()), held, None)
    return made


def _ids(values: Sequence[Any]) -> tuple[int, ...]:
    return tuple(map(id, values))


def _parts(facts: CallFacts) -> Iterator[tuple[int, ArgumentPart, int]]:
    """Each value among the arguments with its place, and the place of the first of its parts; containers first."""
    waiting = [(0, facts.given), (1, facts.named)]
    free = 2
    while waiting:
        at, part = waiting.pop(0)
        yield at, part, free
        waiting += enumerate(part.parts, free)
        free += len(part.parts)


def _pairs(facts: CallFacts, bound: Any) -> tuple[list[tuple[int, int]], list[int]] | None:
    """Addresses of words that must be equal, and of those that must stay as they are; None where one isn't known."""
    state = facts.state
    pairs = [*facts.pairs, *([((bound, "state"), state.arrays)] if state is not None and not state.copied else ())]
    found = [(_slot_address(*a), _slot_address(*b)) for a, b in pairs]
    fixed = [_slot_address(*slot) for slot in [*facts.words, (bound, "made")]]
    known = [(a, b) for a, b in found if a is not None and b is not None]
    addresses_ = [at for at in fixed if at is not None]
    return (known, addresses_) if len(known) == len(found) and len(addresses_) == len(fixed) else None


def _groups(same: Sequence[int | None]) -> list[int]:
    """`SameWord` rows."""
    arrays: list[int] = []
    objects: list[int] = []
    for k, first in enumerate(same):
        arrays.append(k if first is None else arrays[first if first >= 0 else ~first])
        objects.append(k if first is None or first < 0 else first)
    return [word for row in zip(arrays, objects, strict=True) for word in row]


def _set_machine(block: _Block, header: Header) -> None:
    block.set(HEADER=header.address, DESTINATION=header.arguments.ctypes.data, VM=virtual_machine.address())
    block.set(DIVERTED=virtual_machine.diverted.ctypes.data)
    set_functions(block.words, CallWord)


def set_functions(words: Any, names: type[IntEnum]) -> None:
    """Write the addresses of functions of Python's C interface into the words that have their names."""
    for word in names:
        if word.name.startswith(("Py", "_Py")):
            words[word] = place(getattr(ctypes.pythonapi, word.name))


def _set_given(block: _Block, parts: Sequence[tuple[int, ArgumentPart, int]]) -> None:
    rows = []
    for at, part, first in parts:
        row = [0] * GivenWord.WORDS
        row[GivenWord.KIND], row[GivenWord.PLACE] = part.kind, at
        row[GivenWord.CLASS] = 0 if part.cls is None else id(part.cls)
        if part.kind in (Given.TENSOR, Given.ARRAY):
            row[GivenWord.COUNT], row[GivenWord.TABLE] = len(part.shape), block.table(part.shape)
            row[GivenWord.FIRST], row[GivenWord.STOP] = part.number, id(part.stop)
            facts = [block.object(word) for name, value in part.facts for word in (sys.intern(name), value)]
            row[GivenWord.FACTS], row[GivenWord.FACT_COUNT] = block.table(facts), len(part.facts)
        elif part.kind in _NUMBERS:
            row[GivenWord.FIRST] = part.number
        else:
            row[GivenWord.COUNT], row[GivenWord.FIRST] = len(part.parts), first
        if part.kind is Given.DICT:
            keys = [(block.object(k), id(type(k)) if type(k) in _EQUAL_KEYS else 0) for k in part.keys]
            row[GivenWord.TABLE] = block.table([word for key in keys for word in key])
        bits = part.kind is Given.BITS
        row[GivenWord.DTYPE] = struct.unpack("q", struct.pack("d", part.value))[0] if bits else id(part.value)
        rows.append(row)
    feeds = [part for _, part, _ in parts if part.kind in (Given.TENSOR, Given.ARRAY)]
    block.rows("GIVEN", "GIVEN_COUNT", rows)
    block.set(VALUES=len(parts), FEED_COUNT=len(feeds))
    block.set(NUMBER_COUNT=sum(part.kind in _NUMBERS for _, part, _ in parts))


def _set_state(block: _Block, facts: CallFacts) -> dict[int, Any]:
    """The arrays of the numbers that the program takes, by their places in the state."""
    state, numbers = facts.state, dict[int, Any]()
    if state is None:
        return numbers
    kinds = {part.number: part.kind for _, part, _ in _parts(facts) if part.kind in _NUMBERS}
    rows = []
    for number, at in state.numbers:
        array = numbers[at] = np.zeros((), _NUMBERS[kinds[number]])
        rows.append((number, array.ctypes.data, block.object(array), at))
    for at, array in state.looked_up:
        numbers[at] = array
        rows.append((0, 0, block.object(array), at))
    block.rows("TAKEN", "TAKEN_COUNT", rows)
    block.set(STATE=_slot_address(*state.arrays) or 0, STATE_COUNT=state.count, COPIED=state.copied)
    block.rows("WRITTEN", "WRITTEN_COUNT", [(k,) for k in state.written])
    return numbers


def _set_results(block: _Block, facts: CallFacts, made: Sequence[Any], places: dict[int, int]) -> None:
    fetches = []
    given_away = {which for kind, which, _ in facts.results if kind is Result.ARRAY}
    later = [k for k, one in enumerate(made) if isinstance(one, MadeLater)]
    order = [*(k for k in range(len(made)) if k not in later), *later]
    for k in order[: len(order) - len(later)]:
        (shape, element, pool), dtype = made[k], facts.dtypes[k]
        maker = id(element) if pool is None else 0
        if pool is None and k not in given_away:
            pool = block.keep([np.empty(shape, element) for _ in range(_SPARE)])
        places_ = 0 if pool is None else id(pool), 0 if dtype is None else id(dtype)
        fetches.append((maker, len(shape), block.table(shape), *places_, 0, 0, 0))
    for k in later:
        one, dtype = made[k], facts.dtypes[k]
        sizes = block.table([0] * len(one.sizes)), 0, 0 if dtype is None else id(dtype)
        lies = one.block, block.table([one.element.itemsize, *one.sizes]), block.object(one.take)
        fetches.append((id(one.element), len(one.sizes), *sizes, *lies))
    block.rows("FETCHES", "FETCH_COUNT", fetches)
    block.set(FETCH_COUNT=len(order) - len(later), LATER_COUNT=len(later), WORTH_IT=WORTH_IT)
    rows = []
    for kind, which, keys in facts.results:
        word = block.object(which) if kind is Result.OBJECT else places[id(which)] if kind is Result.VALUE else which
        if kind in FETCHED:
            word = order.index(which)
        rows.append((kind, word, block.table([block.object(key) for key in keys])))
    block.rows("RESULTS", "RESULT_COUNT", rows)


def _resume(bound: Any, state: StateFacts | None, numbers: dict[int, Any]) -> Callable[..., None]:
    """What goes on with a run that stopped half way, given its status, its arguments and its results."""

    def resume(status: int, arrays: tuple[Any, ...]) -> None:
        known = () if state is None else getattr(*state.arrays)
        bound.serve(status, [*(numbers.get(k, array) for k, array in enumerate(known)), *arrays])

    return resume


@cache
def is_possible() -> bool:
    """Whether this is CPython with a lock and its usual objects: a tuple's items, a dict's count, an array's sizes."""
    if sys.implementation.name != "cpython" or ARRAY_DATA_OFFSET is None or hasattr(sys, "gettotalrefcount"):
        return False
    if not getattr(sys, "_is_gil_enabled", lambda: True)() or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    read, probe, one = ctypes.c_int64.from_address, (object(), object()), {"a": 1}
    items, half, sizes = [probe[0]], 0.5, np.zeros((3, 5))
    part = sizes[:, 1:]
    place = id(sizes) + ARRAY_DATA_OFFSET
    rank, dims = ctypes.c_int32.from_address(place + 8).value, place + 16
    return (
        read(id(probe) + SIZE).value == 2
        and read(id(probe) + ITEMS).value == id(probe[0])
        and read(id(probe) + ITEMS + 8).value == id(probe[1])
        and read(id(one) + SIZE).value == 1
        and read(id({}) + SIZE).value == 0
        and read(id(items) + SIZE).value == 1
        and read(read(id(items) + ITEMS).value).value == id(probe[0])
        and read(id(probe) + TYPE).value == id(tuple)
        and ctypes.c_double.from_address(id(half) + FLOAT).value == half
        and rank == 2
        and read(read(dims).value + 8).value == 5
        and read(place + 40).value == id(sizes.dtype)
        and ctypes.c_int32.from_address(place + 48).value & 0x101 == 0x101
        and not ctypes.c_int32.from_address(id(part) + ARRAY_DATA_OFFSET + 48).value & 1
    )


def _is_plain(kind: type, method: str) -> bool:
    """Whether a class has the method of `object`."""
    return bool(getattr(kind, method) is getattr(object, method))


def _slot_address(owner: Any, name: str) -> int | None:
    """Where an object keeps an attribute of its own memory; None where that isn't known."""
    kind: Any = type(owner)
    offset = slot_offset(kind, name)
    return None if offset is None else id(owner) + offset


@cache
def slot_offset(kind: Any, name: str) -> int | None:
    """The offset of a slot, or of a function's code or defaults, in objects of this class; None if it isn't found."""
    if kind is FunctionType:
        return _function_offset(name)
    descriptor: Any = getattr(kind, name, None)
    if type(descriptor).__name__ != "member_descriptor":
        return None
    probe: Any = object.__new__(kind)
    value = object()
    found = _where(probe, kind.__basicsize__, value, lambda: descriptor.__set__(probe, value))
    descriptor.__delete__(probe)
    return found


def _where(probe: Any, size: int, value: Any, write: Callable[[], None]) -> int | None:
    """The offset of the only word of an object that `write` makes the address of `value`."""
    words = (ctypes.c_int64 * (size // 8)).from_address(id(probe))
    before = list(words)
    write()
    found = [8 * k for k, word in enumerate(words) if word == id(value) and before[k] != word]
    return found[0] if len(found) == 1 else None


@cache
def _function_offset(name: str) -> int | None:
    def probe() -> None:
        """A function whose parts are replaced."""

    value: Any = (lambda: None).__code__ if name == "__code__" else (0,) if name == "__defaults__" else {"a": 0}
    return _where(probe, type(probe).__basicsize__, value, lambda: setattr(probe, name, value))


_NEW_FROM_DESCR = 94  # of the table of NumPy's C interface, in which functions keep their numbers


@cache
def _array_maker() -> int | None:
    """The address of PyArray_NewFromDescr; None where NumPy has no such table."""
    try:
        table = import_module("._multiarray_umath", getattr(np, "_core", np).__name__)._ARRAY_API
    except (ImportError, AttributeError):
        return None
    find = ctypes.pythonapi.PyCapsule_GetPointer
    find.restype, find.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    functions = (ctypes.c_void_p * (_NEW_FROM_DESCR + 1)).from_address(find(table, None))
    return functions[_NEW_FROM_DESCR] if functions[2] == id(np.ndarray) else None


_TP_NEW = 65  # Py_tp_new of PyType_GetSlot


@cache
def _object_maker() -> int:
    """The address of what `object.__new__` runs: objects have their attributes in place, as those of Python code."""
    get = ctypes.pythonapi.PyType_GetSlot
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_int)
    found: int = get(object, _TP_NEW)
    return found


# Whether counts of references are words that every holder counts up and down; later, some objects live for good.
COUNTS_ARE_WORDS = sys.version_info < (3, 12)


@cache
def _offsets(layout: TensorLayout) -> tuple[int, ...] | None:
    """Where a cell has its payload and its other fields; None where that isn't known, or tensors are made elsewhere."""
    found = [slot_offset(layout.storage, name) for name in (layout.payload, *(name for name, _ in layout.fields))]
    plain = all(_is_plain(kind, "__new__") for kind in (layout.tensor, layout.storage))
    known = tuple([f for f in found if f is not None])
    return known if plain and len(known) == len(found) else None


@dataclass(frozen=True)
class NativeCallSource:
    """The code of every native call, for the cache of object code."""

    counts_are_words: bool = COUNTS_ARE_WORDS
    name: str = "native_call"
    body: str = f"PyObject *native_call(PyObject *self, PyObject **args, Py_ssize_t count), data at {ARRAY_DATA_OFFSET}"

    @property
    def identity(self) -> str:
        """All that tells this function from others."""
        return f"{self.body}, {len(CallWord)} words, form 10, {self.counts_are_words}"

    @property
    def shipped_as(self) -> str:
        """The name under which its code is shipped."""
        return f"{self.name} {'counted' if self.counts_are_words else 'immortal'}"

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`: what is shipped for it, else LLVM's of now."""
        ready = shipped.compile_shipped(self.shipped_as, self.identity, symbol, shipped.call_writers())
        return self.compile_anew(symbol) if ready is None else ready

    def compile_anew(self, symbol: str) -> bytes:
        """LLVM's object code for the current target."""
        import llvmlite.binding as llvm

        from ...codegen.calls.call_code import CallWriter
        from ...codegen.target_machine import run_pipeline

        assert ARRAY_DATA_OFFSET is not None
        module = llvm.parse_assembly(CallWriter(symbol, ARRAY_DATA_OFFSET, self.counts_are_words).text())
        run_pipeline(module)
        return emit_object(module)


@cache
def native_method() -> ctypes.Structure:
    """The definition that all native calls have in common."""
    return c_method(b"native_call", addresses([NativeCallSource()])[0])
