"""A reader of pickles that runs nothing: containers, numbers, strings, and what a table of allowed names makes of them.

Python's own `pickle` imports and calls whatever a file names. This machine knows the opcodes of data alone. A name of
the file means the entry of the caller's table, and a name outside of the table is refused.

Source: the list of opcodes in Python's module pickletools.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from .errors import ArtifactError

Names = Mapping[tuple[str, str], Any]
_MARK = object()
_MOST_STEPS = 4_000_000  # each makes an object of up to 64 bytes; a checkpoint with 10,000 tensors has 400,000


class Constructor:
    """Something that a pickle may call."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.make = make


class Buildable(ABC):
    """Something that a pickle makes first and gives its state later."""

    @abstractmethod
    def build(self, state: Any) -> None:
        """Take the state. Errors: ValueError, TypeError for another form."""


class PickleReader:
    """One pickle within `data`, from `start`. `end` is the place behind it, once it has been read."""

    def __init__(
        self, where: str, data: bytes, names: Names, start: int = 0, persistent: Callable[[Any], Any] | None = None
    ) -> None:
        self.where, self.data, self.names, self.at, self.persistent = where, data, names, start, persistent
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.end = start

    def read(self) -> Any:
        """The value. Errors: ArtifactError names the place of what is damaged, or what isn't data."""
        place = self.at
        try:
            for _ in range(_MOST_STEPS):
                place = self.at
                code = self.take(1)
                if code == b".":
                    break
                step = _STEPS.get(code)
                if step is None:
                    self.fail(f"opcode {code!r} isn't one of data", place)
                step(self)
            else:
                self.fail(f"over {_MOST_STEPS:,} opcodes", place)
            if len(self.stack) != 1:
                self.fail(f"it ends with {len(self.stack)} values", place)
        except (ValueError, TypeError, IndexError, KeyError, OverflowError, struct.error, AttributeError) as error:
            if isinstance(error, ArtifactError):
                raise
            raise self.error(f"damaged: {type(error).__name__}: {error}", place) from error
        self.end = self.at
        return self.stack.pop()

    def error(self, why: str, place: int, remedy: str | None = None) -> ArtifactError:
        return ArtifactError(f"{self.where}: pickle, byte {place}: {why}", remedy=remedy)

    def fail(self, why: str, place: int, remedy: str | None = None) -> NoReturn:
        raise self.error(why, place, remedy)

    # ---- bytes

    def take(self, count: int) -> bytes:
        if count < 0 or count > len(self.data) - self.at:
            self.fail(f"{count} bytes are announced, {len(self.data) - self.at} are left", self.at)
        found = self.data[self.at : self.at + count]
        self.at += count
        return found

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def line(self) -> str:
        stop = self.data.find(b"\n", self.at)
        if stop < 0:
            self.fail("a line without an end", self.at)
        return self.take(stop + 1 - self.at)[:-1].decode("utf-8")

    # ---- the stack

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def marked(self) -> list[Any]:
        """What lies above the last mark."""
        for k in range(len(self.stack) - 1, -1, -1):
            if self.stack[k] is _MARK:
                found = self.stack[k + 1 :]
                del self.stack[k:]
                return found
        raise self.error("no mark", self.at)

    def top(self, kind: type) -> Any:
        found = self.stack[-1]
        if not isinstance(found, kind):
            self.fail(f"a {kind.__name__} is extended, but there is a {type(found).__name__}", self.at)
        return found

    def put_items(self, items: list[Any]) -> None:
        into = self.top(dict)
        if len(items) % 2:
            self.fail("a key without a value", self.at)
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, str) and not (isinstance(key, int) and -(2**63) <= key < 2**63):
                self.fail(f"a key of type {type(key).__name__}; only strings and ints are read", self.at)
            into[key] = value

    # ---- names

    def name(self, module: str, name: str) -> None:
        found = self.names.get((module, name), _MARK)
        if found is _MARK:
            self.fail(
                f"it holds {module}.{name}; only arrays, numbers, strings and containers are read",
                self.at,
                "write the arrays alone (a state_dict), or use safetensors",
            )
        self.push(found)

    def stack_name(self) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            self.fail("a name that is no string", self.at)
        self.name(module, name)

    def call(self) -> None:
        arguments, what = self.stack.pop(), self.stack.pop()
        if not isinstance(what, Constructor) or not isinstance(arguments, tuple):
            self.fail(f"a call of a {type(what).__name__}", self.at)
        self.push(what.make(*arguments))

    def build(self) -> None:
        state, what = self.stack.pop(), self.stack[-1]
        if isinstance(what, Buildable):
            what.build(state)
        elif type(what) is not dict:  # an OrderedDict's attributes: torch keeps versions there
            self.fail(f"a state for a {type(what).__name__}", self.at)

    def persist(self) -> None:
        if self.persistent is None:
            self.fail("a reference to another file", self.at)
        self.push(self.persistent(self.stack.pop()))


def _tuple(count: int) -> Callable[[PickleReader], None]:
    def step(r: PickleReader) -> None:
        if len(r.stack) < count:
            r.fail("too few values", r.at)
        found = tuple(r.stack[len(r.stack) - count :])
        del r.stack[len(r.stack) - count :]
        r.push(found)

    return step


def _append(r: PickleReader) -> None:
    value = r.stack.pop()
    r.top(list).append(value)


def _set_item(r: PickleReader) -> None:
    value, key = r.stack.pop(), r.stack.pop()
    r.put_items([key, value])


def _dict(r: PickleReader) -> None:
    items = r.marked()
    r.push({})
    r.put_items(items)


def _extend(r: PickleReader) -> None:
    items = r.marked()
    r.top(list).extend(items)


def _global(r: PickleReader) -> None:
    module = r.line()
    r.name(module, r.line())


def _int(r: PickleReader) -> None:
    text = r.line()
    r.push({"00": False, "01": True}[text] if text in ("00", "01") else _whole(text))


def _whole(text: str) -> int:
    if len(text) > 40:
        raise ValueError("a number with too many digits")
    return int(text.removesuffix("L"))


def _constant(value: Any) -> Callable[[PickleReader], None]:
    return lambda r: r.push(value)


def _fresh(kind: type) -> Callable[[PickleReader], None]:
    return lambda r: r.push(kind())


def _sized(form: str, decode: Callable[[bytes], Any]) -> Callable[[PickleReader], None]:
    return lambda r: r.push(decode(r.take(r.number(form))))


def _numbered(form: str) -> Callable[[PickleReader], None]:
    return lambda r: r.push(r.number(form))


def _put(form: str) -> Callable[[PickleReader], None]:
    return lambda r: r.memo.__setitem__(r.number(form), r.stack[-1])


def _get(form: str) -> Callable[[PickleReader], None]:
    return lambda r: r.push(r.memo[r.number(form)])


def _forget(_: Any) -> None:
    """Nothing stays of it."""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _latin(data: bytes) -> str:
    return data.decode("latin-1")


def _long(data: bytes) -> int:
    return int.from_bytes(data, "little", signed=True)


_STEPS: dict[bytes, Callable[[PickleReader], None]] = {
    b"\x80": lambda r: None if r.number("B") <= 5 else r.fail("a later protocol than 5", r.at),
    b"\x95": lambda r: _forget(r.take(8)),
    b"(": _constant(_MARK),
    b"0": lambda r: _forget(r.stack.pop()),
    b"1": lambda r: _forget(r.marked()),
    b"2": lambda r: r.push(r.stack[-1]),
    b"N": _constant(None), b"\x88": _constant(True), b"\x89": _constant(False),
    b"I": _int, b"L": lambda r: r.push(_whole(r.line())), b"F": lambda r: r.push(float(r.line())),
    b"J": _numbered("<i"), b"K": _numbered("B"), b"M": _numbered("<H"), b"G": _numbered(">d"),
    b"\x8a": _sized("B", _long), b"\x8b": _sized("<i", _long),
    b"T": _sized("<i", _latin), b"U": _sized("B", _latin),
    b"V": lambda r: r.push(r.line().encode("latin-1").decode("raw-unicode-escape")),
    b"X": _sized("<I", _text), b"\x8c": _sized("B", _text), b"\x8d": _sized("<Q", _text),
    b"B": _sized("<I", bytes), b"C": _sized("B", bytes), b"\x8e": _sized("<Q", bytes), b"\x96": _sized("<Q", bytes),
    b"]": _fresh(list), b"}": _fresh(dict), b")": _fresh(tuple), b"\x8f": _fresh(list),
    b"a": _append, b"e": _extend, b"\x90": _extend, b"l": lambda r: r.push(r.marked()),
    b"\x91": lambda r: r.push(tuple(r.marked())),
    b"t": lambda r: r.push(tuple(r.marked())), b"\x85": _tuple(1), b"\x86": _tuple(2), b"\x87": _tuple(3),
    b"d": _dict, b"s": _set_item, b"u": lambda r: r.put_items(r.marked()),
    b"c": _global, b"\x93": PickleReader.stack_name, b"R": PickleReader.call, b"b": PickleReader.build,
    b"Q": PickleReader.persist,
    b"p": lambda r: r.memo.__setitem__(_whole(r.line()), r.stack[-1]), b"q": _put("B"), b"r": _put("<I"),
    b"g": lambda r: r.push(r.memo[_whole(r.line())]), b"h": _get("B"), b"j": _get("<I"),
    b"\x94": lambda r: r.memo.__setitem__(len(r.memo), r.stack[-1]),
}  # fmt: skip
