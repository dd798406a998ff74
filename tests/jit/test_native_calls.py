"""Calls of small compiled functions in native code: whatever isn't as it was is left to Python, and nothing is kept."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.runtime.vm import virtual_machine
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")


def _compiled(function: Callable[..., Any], *given: Any) -> Any:
    compiled = vt.to_static(function)
    for _ in range(2):
        compiled(*given)
    return compiled


def _is_native(compiled: Any) -> bool:
    return bool(compiled._first.__name__ == "native_call")


def add(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return x + y


def _two() -> tuple[vt.Tensor, vt.Tensor]:
    return vt.to_tensor([1.0, 2.0, 3.0]), vt.to_tensor([10.0, 20.0, 30.0])


def test_a_result_is_a_tensor_like_others() -> None:
    x, y = _two()
    compiled = _compiled(add, x, y)
    assert _is_native(compiled)
    made = compiled(x, y)
    assert made.tolist() == [11.0, 22.0, 33.0]
    assert (made.dtype, made.shape, made.stop_gradient, made.place) == (x.dtype, [3], True, x.place)
    assert compiled(x, y) is not made
    made[0] = 5.0
    assert made.tolist() == [5.0, 22.0, 33.0]
    assert compiled(made, y).tolist() == [15.0, 42.0, 63.0]


@pytest.mark.parametrize("size", [20_000, 200_000], ids=["pooled", "without the lock"])
def test_results_of_the_pool_are_used_again_when_nobody_holds_them(size: int) -> None:
    x = vt.arange(0, size, dtype="float32")
    compiled = _compiled(lambda x: x + 1.0, x)
    assert _is_native(compiled)
    first = compiled(x)
    second = compiled(x)
    place = first._storage.payload.ctypes.data
    assert second._storage.payload.ctypes.data != place
    assert first.tolist() == second.tolist() == [k + 1.0 for k in range(size)]
    view = first._storage.payload[2:]
    del first
    assert all(compiled(x)._storage.payload.ctypes.data != place for _ in range(10))
    assert view[0] == 3.0
    del view
    held = [compiled(x) for _ in range(12)]
    assert len({made._storage.payload.ctypes.data for made in held}) == 12
    assert all(made.tolist() == second.tolist() for made in held)


def test_results_without_axes_and_without_elements() -> None:
    x = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    total = _compiled(lambda x: x.sum(), x)
    assert total(x).item() == 10.0
    assert total(x).shape == []
    none = vt.zeros([0, 2])
    assert _compiled(lambda x: x * 2.0, none)(none).shape == [0, 2]


class Named(vt.Tensor):
    """A tensor of another class."""


OTHERS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "sizes": lambda: (vt.ones([2]), vt.ones([2])),
    "rank": lambda: (vt.ones([3, 1]), vt.ones([3, 1])),
    "dtype": lambda: (vt.ones([3], dtype="float64"), vt.ones([3], dtype="float64")),
    "class": lambda: (Named([1.0, 2.0, 3.0]), vt.ones([3])),
    "gradient": lambda: (vt.ones([3]), vt.to_tensor([1.0, 1.0, 1.0], stop_gradient=False)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_arguments_are_left_to_python(name: str) -> None:
    x, y = _two()
    compiled = _compiled(add, x, y)
    for _ in range(3):
        a, b = OTHERS[name]()
        made, wanted = compiled(a, b), add(a, b)
        assert made.tolist() == wanted.tolist()
        assert (made.dtype, made.shape) == (wanted.dtype, wanted.shape)
        assert made.stop_gradient is wanted.stop_gradient
        assert compiled(x, y).tolist() == [11.0, 22.0, 33.0]


def test_a_wrong_count_and_keywords_are_left_to_python() -> None:
    x, y = _two()
    compiled = _compiled(add, x, y)
    assert compiled(x, y=y).tolist() == compiled(y=y, x=x).tolist() == [11.0, 22.0, 33.0]
    with pytest.raises(TypeError):
        compiled(x)
    with pytest.raises(TypeError):
        compiled(x, y, y)


def test_modes_are_seen() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    with vt.no_grad():
        compiled = _compiled(lambda x: x * 2.0, x)
        assert compiled(x).stop_gradient
    made = compiled(x)
    assert not made.stop_gradient
    made.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 2.0]


def test_replaced_code_and_defaults_are_seen() -> None:
    def scaled(x: vt.Tensor, by: float = 2.0) -> vt.Tensor:
        return x * by

    x = vt.to_tensor([1.0, 2.0])
    compiled = _compiled(scaled, x)
    assert compiled(x).tolist() == [2.0, 4.0]
    scaled.__defaults__ = (3.0,)
    assert compiled(x).tolist() == [3.0, 6.0]


def test_a_call_inside_a_capture_becomes_part_of_it() -> None:
    x, y = _two()
    inner = _compiled(add, x, y)
    outer = vt.to_static(lambda a: inner(a, y) * 2.0)
    assert outer(x).tolist() == [22.0, 44.0, 66.0]
    assert inner(x, y).tolist() == [11.0, 22.0, 33.0]
    for _ in range(2):
        y.set_value(vt.to_tensor([0.0, 0.0, 0.0]))
        assert outer(x).tolist() == [2.0, 4.0, 6.0]


@pytest.mark.filterwarnings("ignore:add runs uncompiled")
def test_switching_compilation_off_is_seen() -> None:
    x, y = _two()
    compiled = _compiled(add, x, y)
    vt.jit.enable_to_static(False)
    try:
        assert not _is_native(compiled)
        assert compiled(x, y).tolist() == [11.0, 22.0, 33.0]
    finally:
        vt.jit.enable_to_static(True)


def test_what_stands_for_the_vm_is_called() -> None:
    x, y = _two()
    compiled = _compiled(add, x, y)
    seen = []

    def watched(header: int) -> int:
        seen.append(header)
        return virtual_machine.plainly(header)

    virtual_machine.enter_by(watched)
    try:
        assert compiled(x, y).tolist() == [11.0, 22.0, 33.0]
    finally:
        virtual_machine.enter_by(None)
    assert len(seen) == 1


def test_a_binding_in_use_is_left_alone() -> None:
    x, y = _two()
    compiled = _compiled(add, x, y)
    free = next(iter(compiled._last.runner.free.values()))
    taken = free.pop()
    assert compiled(x, y).tolist() == [11.0, 22.0, 33.0]
    assert taken not in free
    free.append(taken)


@pytest.mark.usefixtures("others_set_aside")
def test_objects_are_neither_kept_nor_lost() -> None:
    x, y = _two()
    compiled = _compiled(add, x, y)
    other = vt.ones([2])
    compiled(other, other)
    compiled(x, y)
    watched = [x, y, x._storage, x._storage.payload, y._storage.payload, vt.Tensor, type(x._storage)]

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(item) for item in watched]

    before = counts()
    for _ in range(100):
        compiled(x, y)
        compiled(other, other)
    compiled(x, y)
    assert counts() == before


@pytest.mark.parametrize("size", [3, 200_000])
def test_threads_may_call_one_function_at_once(size: int) -> None:
    x = vt.ones([size])
    compiled = _compiled(add, x, x + 0.0)
    wrong = []

    def work(k: int) -> None:
        mine = vt.full([size], float(k))
        for _ in range(300):
            if set(compiled(x, mine).numpy().tolist()[:3]) != {1.0 + k}:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_error_of_the_run_is_raised_at_the_users_line() -> None:
    x, index = vt.to_tensor([1.0, 2.0, 3.0]), vt.to_tensor([0, 1])
    compiled = _compiled(lambda x, i: x[i] * 2.0, x, index)
    assert compiled(x, index).tolist() == [2.0, 4.0]
    for _ in range(2):
        with pytest.raises(IndexError):
            compiled(x, vt.to_tensor([0, 7]))
    assert compiled(x, index).tolist() == [2.0, 4.0]
