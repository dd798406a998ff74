"""Objects whose state lies outside of Python's attributes: followed, asked again before each use, or refused."""

from __future__ import annotations

import argparse
import array
import concurrent.futures
import configparser
import ctypes
import dataclasses
import email.message
import functools
import hashlib
import inspect
import io
import mmap
import multiprocessing
import optparse
import threading
import types
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


class Pair(ctypes.Structure):
    """A structure of C's."""

    _fields_ = [("k", ctypes.c_int)]


def tree() -> Any:
    return ET.fromstring('<a k="1"><b k="1">1</b><b k="2">3</b></a>')


def settings() -> Any:
    made = configparser.ConfigParser()
    made.read_string("[a]\nk=1")
    return made


def scaled(k: int) -> Callable[[Any], Any]:
    return lambda x: x * k


def summed(o: Any, x: Any) -> Any:
    for b in o:
        x = x + float(b.get("k"))
    return x


def by_default(k: int = 1) -> int:
    return k


def fields_of(o: Any) -> Any:
    return o.__dataclass_fields__["a"]


READS: dict[str, tuple[Callable[[], Any], Callable[[Any, Any], Any], Callable[[Any, int], Any]]] = {
    "in a namespace": (lambda: argparse.Namespace(k=1), lambda o, x: x * (2 if "z" in o else 1), lambda o, i: setattr(o, "z", i)),
    "vars().get": (argparse.Namespace, lambda o, x: x * vars(o).get("z", 1), lambda o, i: setattr(o, "z", i)),
    "__dict__.get": (types.SimpleNamespace, lambda o, x: x * o.__dict__.get("z", 1), lambda o, i: setattr(o, "z", i)),
    "len(vars())": (argparse.Namespace, lambda o, x: x * len(vars(o)), lambda o, i: setattr(o, f"z{i}", i)),
    "shared number": (lambda: multiprocessing.Value("i", 1), lambda o, x: x * o.value, lambda o, i: setattr(o, "value", i)),
    "shared array": (lambda: multiprocessing.Array("d", [1, 2]), lambda o, x: x * (o[0] + sum(o)), lambda o, i: o.__setitem__(0, i)),
    "mapped memory": (lambda: mmap.mmap(-1, 8), lambda o, x: x * o[0], lambda o, i: o.__setitem__(0, i)),
    "array over memory": (lambda: mmap.mmap(-1, 8), lambda o, x: x * int(np.frombuffer(o, np.uint8)[0]), lambda o, i: o.__setitem__(0, i)),
    "memory view": (lambda: memoryview(bytearray(8)), lambda o, x: x * o[0], lambda o, i: o.__setitem__(0, i)),
    "number of C": (lambda: ctypes.c_int(1), lambda o, x: x * o.value, lambda o, i: setattr(o, "value", i)),
    "structure of C": (Pair, lambda o, x: x * o.k, lambda o, i: setattr(o, "k", i)),
    "array of C": (lambda: (ctypes.c_int * 3)(1, 2, 3), lambda o, x: x * o[1], lambda o, i: o.__setitem__(1, i)),
    "future": (concurrent.futures.Future, lambda o, x: x * (2 if o.done() else 1), lambda o, i: o.done() or o.set_result(i)),
    "lock": (threading.Lock, lambda o, x: x * (2 if o.locked() else 1), lambda o, i: o.acquire(False)),
    "attribute of XML": (tree, lambda o, x: x * float(o.get("k")) * float(o.attrib["k"]), lambda o, i: o.set("k", str(i))),
    "text of XML": (tree, lambda o, x: x * float(o.find("b").text) * float(o[1].text), lambda o, i: setattr(o[1], "text", str(i))),
    "loop over XML": (tree, summed, lambda o, i: o[1].set("k", str(i))),
    "size of XML": (tree, lambda o, x: x * len(o) * len(list(o.iter("b"))), lambda o, i: ET.SubElement(o, "b", k="1")),
    "polynomial": (lambda: np.poly1d([1.0, 0.0]), lambda o, x: x * o(2.0) * o[1], lambda o, i: o.coeffs.__setitem__(0, i)),
    "keywords of a partial": (lambda: functools.partial(lambda x, k: x * k, k=1), lambda o, x: o(x), lambda o, i: o.keywords.update(k=i)),
    "cell": (lambda: scaled(1), lambda o, x: x * o.__closure__[0].cell_contents, lambda o, i: setattr(o.__closure__[0], "cell_contents", i)),
    "signature": (lambda: types.FunctionType(by_default.__code__, {}, argdefs=(1,)), lambda o, x: x * inspect.signature(o).parameters["k"].default, lambda o, i: setattr(o, "__defaults__", (i,))),
    "fields": (lambda: dataclasses.make_dataclass("D", [("a", int, 1)]), lambda o, x: x * dataclasses.fields(o)[0].default, lambda o, i: setattr(fields_of(o), "default", i)),
    "hash": (hashlib.md5, lambda o, x: x * o.digest()[0], lambda o, i: o.update(b"a")),
    "message": (email.message.Message, lambda o, x: x * len(o.keys()), lambda o, i: o.add_header("k", "v")),
    "options": (lambda: optparse.Values({"k": 1}), lambda o, x: x * o.ensure_value("k", 5), lambda o, i: setattr(o, "k", i)),
    "configuration": (settings, lambda o, x: x * o.getint("a", "k") * float(o["a"]["k"]), lambda o, i: o["a"].update(k=str(i))),
}  # fmt: skip


def added(o: Any, x: Any, k: int) -> Any:
    o.value += k
    return x * o.value


def with_lock(o: Any, x: Any, k: int) -> Any:
    with o.get_lock():
        o.value += k
    return x


def constant(o: Any, x: Any, k: int) -> Any:
    o.value = 5
    return x


def grown(o: Any, x: Any, k: int) -> Any:
    ET.SubElement(o, "b")
    return x


def texts(o: Any, x: Any, k: int) -> Any:
    o.text = "t"
    o.set("k", "v")
    o.attrib["n"] = str(int(o.attrib.get("n", "0")) + 1)
    return x


def keyword(o: Any, x: Any, k: int) -> Any:
    o.keywords["k"] = k
    o.keywords["n"] += 1
    return o(x)


def first(o: Any, x: Any, k: int) -> Any:
    o[0] = k
    return x


def hashed(o: Any, x: Any, k: int) -> Any:
    o.update(b"a")
    return x


def reset(o: Any, name: str, value: Any) -> None:
    setattr(o, name, value)


WRITES: dict[str, tuple[Callable[[], Any], Callable[..., Any], Callable[[Any], Any]]] = {
    "shared number": (lambda: multiprocessing.Value("i", 0), added, lambda o: o.value),
    "shared number with its lock": (lambda: multiprocessing.Value("i", 0), with_lock, lambda o: o.value),
    "number of C": (lambda: ctypes.c_int(0), added, lambda o: o.value),
    "the same again": (lambda: ctypes.c_int(0), constant, lambda o: (o.value, reset(o, "value", 0))),
    "child of XML": (tree, grown, len),
    "parts of XML": (tree, texts, lambda o: (o.text, dict(o.attrib), reset(o, "text", None))),
    "keywords": (lambda: functools.partial(lambda x, k, n: x * k * n, k=3, n=1), keyword, lambda o: dict(o.keywords)),
    "shared array": (lambda: multiprocessing.Array("d", 2), first, lambda o: (o[0], o.__setitem__(0, 0))),
    "mapped memory": (lambda: mmap.mmap(-1, 8), first, lambda o: (o[0], o.__setitem__(0, 0))),
    "hash": (hashlib.md5, hashed, lambda o: o.hexdigest()),
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_reads_are_as_in_eager_mode(name: str) -> None:
    make, read, change = READS[name]

    def run(fn: Callable[..., Any]) -> list[float]:
        o, found = make(), []
        for i in (2, 3, 4):
            found.append(float(fn(o, vt.to_tensor(1.0))))
            change(o, i)
        return found

    assert run(vt.jit.to_static(read)) == run(read)


@pytest.mark.parametrize("name", WRITES)
def test_writes_are_as_in_eager_mode(name: str) -> None:
    make, write, look = WRITES[name]

    def run(fn: Callable[..., Any]) -> list[Any]:
        o, found = make(), []
        for k in (2, 3, 3, 3):
            found.append((fn(o, vt.ones([1]), k).tolist(), look(o)))
        return found

    assert run(vt.jit.to_static(write)) == run(write)


REFUSED: dict[str, tuple[Callable[[], Any], Callable[[Any, Any], Any], Callable[[Any], Any], str]] = {
    "compressed": (zlib.compressobj, lambda o, x: x * len(o.compress(b"a")), lambda o: None, "Compress.compress"),
    "child": (tree, lambda o, x: (x, ET.SubElement(o, "b"))[0], len, "SubElement"),
    "array": (lambda: array.array("d", [1.0]), lambda o, x: (x, o.append(2.0))[0], list, "array.append"),
    "bytes": (lambda: bytearray(b"a"), lambda o, x: x * o.pop(), bytes, "bytearray.pop"),
    "function of C": (lambda: ctypes.CDLL(None).abs, lambda o, x: x * o(-3), lambda o: None, "changes an object"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_happen_once_is_refused_and_undone(name: str) -> None:
    make, fn, look, words = REFUSED[name]
    o = make()
    before = look(o)
    with pytest.raises(vt.errors.CaptureError, match=words) as error:
        vt.jit.to_static(fn)(o, vt.ones([1]))
    assert "test_state_outside_of_attributes.py" in str(error.value)
    assert look(o) == before


def test_write_tells_how_many_characters() -> None:
    @vt.jit.to_static
    def fn(x: Any, out: Any) -> Any:
        return x, out.write("abc")

    out = io.StringIO()
    assert [fn(vt.ones([1]), out)[1] for _ in range(2)] == [3, 3]
    assert out.getvalue() == "abcabc"


def test_how_long_a_text_of_a_run_is_is_refused() -> None:
    @vt.jit.to_static
    def fn(x: Any, out: Any) -> Any:
        return x * out.write(f"{x.sum()}")

    with pytest.raises(vt.errors.CaptureError, match="only a run of the program knows"):
        fn(vt.ones([1]), io.StringIO())
