"""Calls that begin in native code: what `__call__` would do happens all the same."""

from __future__ import annotations

import functools
import gc
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit.function import StaticFunction
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")


def _compiled(function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    compiled = vt.to_static(function)
    for _ in range(2):
        compiled(*given, **named)
    assert compiled._first.__name__ == "native_call"
    return compiled


def double(x: vt.Tensor, by: float = 2.0) -> vt.Tensor:
    return x * by


def test_no_frame_of_python_is_made() -> None:
    x = vt.ones([2])
    compiled, seen = _compiled(double, x), []

    def watch(frame: Any, event: str, what: Any) -> None:
        if event == "call":
            seen.append(frame.f_code.co_name)

    sys.setprofile(watch)
    try:
        made = compiled(x)
    finally:
        sys.setprofile(None)
    assert made.tolist() == [2.0, 2.0]
    assert seen == []


def test_all_ways_of_calling() -> None:
    x = vt.to_tensor([1.0, 2.0])
    given, nothing, both = [x], dict[str, Any](), {"x": x, "by": 3.0}
    compiled = _compiled(double, x)
    for _ in range(3):
        assert compiled(x).tolist() == [2.0, 4.0]
        assert compiled(x=x).tolist() == [2.0, 4.0]
        assert compiled(*given, **nothing).tolist() == [2.0, 4.0]
        assert compiled(x, 3.0).tolist() == compiled(x, by=3.0).tolist() == [3.0, 6.0]
        assert compiled(**both).tolist() == [3.0, 6.0]
        assert functools.partial(compiled, by=3.0)(x).tolist() == [3.0, 6.0]
        assert [y.tolist() for y in map(compiled, [x, x])] == [[2.0, 4.0]] * 2
        assert StaticFunction.__call__(compiled, x).tolist() == [2.0, 4.0]
        assert compiled.__call__(x).tolist() == [2.0, 4.0]


class Counting(StaticFunction):
    """A compiled function with a `__call__` of its own."""

    calls = 0

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        Counting.calls += 1
        return super().__call__(*args, **kwargs)


class Derived(StaticFunction):
    """A compiled function of another class."""


def test_classes_derived_from_it() -> None:
    x = vt.ones([2])
    _compiled(double, x)
    before = Counting.calls
    for kind in (Counting, Derived):
        made = kind(double)
        for _ in range(3):
            assert made(x).tolist() == [2.0, 2.0]
    assert Counting.calls == before + 3


def test_an_assigned_call_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    x = vt.ones([2])
    compiled = _compiled(double, x)
    with monkeypatch.context() as patch:
        patch.setattr(StaticFunction, "__call__", lambda self, *args: "instead")
        assert compiled(x) == "instead"
    assert compiled(x).tolist() == [2.0, 2.0]


def test_an_object_that_was_never_made_ready() -> None:
    _compiled(double, vt.ones([2]))
    with pytest.raises((SystemError, AttributeError)):
        object.__new__(StaticFunction)()
    with pytest.raises(AttributeError):
        StaticFunction.__new__(StaticFunction)()


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
def test_what_the_run_raises_is_shown_in_the_users_terms(kind: type[BaseException]) -> None:
    wrong = [False]

    class Checked(vt.autograd.PyLayer):
        """Raises where it should."""

        @staticmethod
        def forward(ctx: Any, x: vt.Tensor) -> vt.Tensor:
            if wrong[0]:
                raise kind("no such number")
            return x * 1.0

        @staticmethod
        def backward(ctx: Any, g: vt.Tensor) -> vt.Tensor:
            return g

    def run(x: vt.Tensor) -> vt.Tensor:
        return Checked.apply(x) * 2.0

    x = vt.ones([2])
    compiled = vt.to_static(run)
    for _ in range(3):
        compiled(x)
    wrong[0] = True
    for _ in range(2):
        with pytest.raises(kind, match="no such number") as caught:
            compiled(x)
        assert "forward" in "".join(traceback.format_tb(caught.value.__traceback__))
    wrong[0] = False
    assert compiled(x).tolist() == [2.0, 2.0]


@pytest.mark.usefixtures("others_set_aside")
def test_references_are_neither_kept_nor_lost() -> None:
    x, other = vt.ones([2]), vt.ones([3])
    compiled = _compiled(double, x)
    named = {"x": x}
    watched = [compiled, compiled._first, compiled._known, x, x._storage, named, native_call, (), StaticFunction]

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(item) for item in watched]

    for _ in range(3):
        compiled(x), compiled(other), compiled(**named), compiled(x, 2.0), compiled(x)
    watched[1] = compiled._first
    before = counts()
    for _ in range(1000):
        compiled(x)
        compiled(**named)
        compiled(x, 2.0)
    compiled(x)
    watched[1] = compiled._first
    assert [(a, b) for a, b in zip(before, counts(), strict=True) if abs(a - b) > 20] == []


def test_threads_that_change_the_kind_of_call() -> None:
    inputs = [vt.full([n], float(n)) for n in (1, 2, 3, 50_000)]
    compiled = vt.to_static(double)
    wrong = []

    def work(k: int) -> None:
        for n in range(400):
            x = inputs[(n + k) % 4]
            made = compiled(x) if n % 3 else compiled(x=x)
            if made.shape != x.shape or made[0].item() != 2.0 * x.shape[0]:
                wrong.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


_MILLION = """
import resource, sys, tracemalloc
import vitrify as vt

@vt.to_static
def double(x):
    return x * 2.0, x + 1.0

def run(count):
    for _ in range(count):
        y = double(x)

x = vt.ones([4])
run(1000)
tracemalloc.start()
run(1000)
before, _ = tracemalloc.get_traced_memory()
run(20_000)
after, _ = tracemalloc.get_traced_memory()
tracemalloc.stop()
run(100_000)
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
run(1_000_000)
print(after - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no `resource`")
def test_a_million_calls_take_no_memory(tmp_path: Any) -> None:
    file = tmp_path / "million.py"
    file.write_text(_MILLION)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
    traced, resident = map(int, done.stdout.split())
    assert traced < 20_000
    assert resident < 4_000  # KiB
