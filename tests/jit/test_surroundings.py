"""What code reads of its surroundings is looked at again at each call, or refused: never read once in silence."""

from __future__ import annotations

import array
import collections
import configparser
import contextvars
import glob
import itertools
import os
import pathlib
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

CONTEXT: contextvars.ContextVar[float] = contextvars.ContextVar("context", default=2.0)


class Holder:
    k = 2.0


HOLDER, OTHER = Holder(), Holder()
REFERENCE = weakref.ref(HOLDER)
BY_KEY: Any = weakref.WeakKeyDictionary({OTHER: 2.0})
NUMBERS = array.array("d", [2.0])
BYTES = bytearray(b"\x02")
VIEW = memoryview(bytearray(b"\x02"))
USER: Any = collections.UserDict(k=2.0)
CHAIN: Any = collections.ChainMap({"k": 2.0})
CONFIG = configparser.ConfigParser()
CONFIG["a"] = {"k": "2.0"}

Case = tuple[Callable[[Any], Any], Callable[[Any, Any], None]]
CASES: dict[str, Case] = {
    "an item of os.environ": (lambda x: x * float(os.environ["VT_K"]), lambda m, _: m.setenv("VT_K", "5")),
    "os.environ.get": (lambda x: x * float(os.environ.get("VT_NEW", "2")), lambda m, _: m.setenv("VT_NEW", "5")),
    "os.getenv": (lambda x: x * float(os.getenv("VT_K", "1")), lambda m, _: m.setenv("VT_K", "5")),
    "os.getenv, deleted": (lambda x: x * float(os.getenv("VT_K", "1")), lambda m, _: m.delenv("VT_K")),
    "in os.environ": (lambda x: x * 5 if "VT_NEW" in os.environ else x, lambda m, _: m.setenv("VT_NEW", "1")),
    "the size of os.environ": (lambda x: x * len(os.environ), lambda m, _: m.setenv("VT_NEW", "1")),
    "os.environb": (lambda x: x * float(os.environb[b"VT_K"]), lambda m, _: m.setenv("VT_K", "5")),
    "sys.argv": (lambda x: x * len(sys.argv), lambda m, _: m.setattr(sys, "argv", [*sys.argv, "more"])),
    "sys.argv in place": (lambda x: x * len(sys.argv), lambda m, _: sys.argv.append("more")),
    "os.getcwd": (lambda x: x * len(os.getcwd()), lambda m, _: m.chdir("/")),  # noqa: PTH109
    "os.path.exists": (lambda x: x * 5 if os.path.exists(_file()) else x, lambda m, p: p.write_text("")),  # noqa: PTH110
    "Path.exists": (lambda x: x * 5 if pathlib.Path(_file()).exists() else x, lambda m, p: p.write_text("")),
    "a context variable": (lambda x: x * CONTEXT.get(), lambda m, _: m.context(5.0)),
    "a weak reference": (lambda x: x * REFERENCE().k, lambda m, _: m.setattr(HOLDER, "k", 5.0)),  # type: ignore[union-attr]
    "a weak dictionary": (lambda x: x * BY_KEY[OTHER], lambda m, _: m.setitem(BY_KEY, OTHER, 5.0)),
    "an array": (lambda x: x * NUMBERS[0], lambda m, _: NUMBERS.__setitem__(0, 5.0)),
    "a bytearray": (lambda x: x * BYTES[0], lambda m, _: BYTES.__setitem__(0, 5)),
    "a memoryview": (lambda x: x * VIEW[0], lambda m, _: VIEW.__setitem__(0, 5)),
    "a UserDict": (lambda x: x * USER["k"], lambda m, _: m.setitem(USER, "k", 5.0)),
    "a ChainMap": (lambda x: x * CHAIN["k"], lambda m, _: m.setitem(CHAIN, "k", 5.0)),
    "a ConfigParser": (lambda x: x * float(CONFIG["a"]["k"]), lambda m, _: m.setitem(CONFIG["a"], "k", "5.0")),
    "the recursion limit": (
        lambda x: x * sys.getrecursionlimit(),
        lambda m, _: sys.setrecursionlimit(sys.getrecursionlimit() + 7),
    ),
    "the thread": (
        lambda x: x * len(threading.current_thread().name),
        lambda m, _: m.setattr(threading.current_thread(), "name", "another"),
    ),
}
_FILE: list[str] = [""]


def _file() -> str:
    return _FILE[0]


class _Patch:
    """pytest's monkeypatch, and context variables."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.tokens: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.patch, name)

    def context(self, value: float) -> None:
        self.tokens.append(CONTEXT.set(value))


@pytest.mark.parametrize("name", CASES)
def test_what_changes_around_a_function_is_seen(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    fn, change = CASES[name]
    for numbers in (NUMBERS, BYTES, VIEW):
        numbers[0] = 2  # type: ignore[index]
    monkeypatch.setenv("VT_K", "2")
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    _FILE[0] = str(tmp_path / "file")
    patch = _Patch(monkeypatch)
    compiled, x, limit = vt.jit.to_static(fn), vt.to_tensor([1.0]), sys.getrecursionlimit()
    try:
        for _ in range(2):
            before = fn(x).tolist()
            assert compiled(x).tolist() == before
        assert compiled.get_traced_count() == 1
        change(patch, tmp_path / "file")
        expected = fn(x).tolist()
        assert expected != before
        for _ in range(2):
            assert compiled(x).tolist() == expected
    finally:
        sys.setrecursionlimit(limit)
        for token in patch.tokens:
            CONTEXT.reset(token)


COUNT, ITEMS = itertools.count(), zip([1.0, 2.0], strict=True)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x * len(os.listdir("/")), lambda x: x * len(glob.glob("/*")), lambda x: x * next(COUNT),  # noqa: PTH207, PTH208
        lambda x: x * next(ITEMS)[0], lambda x: (os.environ.update(A="1"), x)[1],
        lambda x: (os.environ.__setitem__("A", "1"), x)[1], lambda x: x * len(pathlib.Path("/etc/hosts").read_text()),
        lambda x: (subprocess.run(["true"]), x)[1], lambda x: (os.putenv("A", "1"), x)[1],
    ],
)  # fmt: skip
def test_what_would_happen_once_is_refused(fn: Any) -> None:
    with pytest.raises(CaptureError, match="once, while the function is captured"):
        vt.jit.to_static(fn)(vt.to_tensor([1.0]))


def test_iterators_of_the_function_itself_may_move_on() -> None:
    def fn(x: Any) -> Any:
        numbers = iter([2.0, 3.0])
        return x * next(numbers) * next(numbers)

    assert vt.jit.to_static(fn)(vt.to_tensor([1.0])).item() == 6.0


class Used:
    """An object that counts how often it was used, and holds a tensor."""

    def __init__(self) -> None:
        self.uses = 0
        self.total = vt.zeros([])

    def use(self, x: Any) -> Any:
        self.uses += 1
        self.total = self.total + x
        return x * self.uses


WEAK: dict[str, Callable[[Any, Any, Any], Any]] = {
    "get": lambda pool, group, x: pool.get("a").use(x),
    "item": lambda pool, group, x: pool["a"].use(x),
    "values": lambda pool, group, x: sum(used.use(x) for used in pool.values()),
    "setdefault": lambda pool, group, x: pool.setdefault("a", next(iter(group))).use(x),
    "set": lambda pool, group, x: sum(used.use(x) for used in group),
}


@pytest.mark.parametrize("name", WEAK)
def test_objects_behind_weak_collections_are_written_in_each_call(name: str) -> None:
    def run(compiles: Any) -> Any:
        used = Used()
        pool, group = weakref.WeakValueDictionary(a=used), weakref.WeakSet([used])
        call = compiles(lambda x: WEAK[name](pool, group, x))
        return [(call(vt.to_tensor(v)).item(), used.uses, used.total.item()) for v in (1.0, 2.0, 5.0)]

    assert run(vt.to_static) == run(lambda fn: fn)


@pytest.mark.parametrize("asks", [lambda: sys.exc_info()[0], lambda: type(sys.exception())])
def test_whether_the_caller_handles_an_error_is_asked_in_each_call(asks: Callable[[], Any]) -> None:
    def run(compiles: Any) -> Any:
        call, found = compiles(lambda x: (x, asks())), []
        for kind in (None, KeyError, None, ValueError, KeyError):
            try:
                if kind is not None:
                    raise kind
                found.append(call(vt.ones([1]))[1])
            except (KeyError, ValueError):
                found.append(call(vt.ones([1]))[1])
        return found

    assert run(vt.to_static) == run(lambda fn: fn)
