"""Entry stubs: what a call's arrays pass on their way into the VM, in C and by hand."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.runtime.executable import Bound
from vitrify.runtime.vm import entry_stub, virtual_machine


def _bound(function: Any, *given: vt.Tensor) -> Bound:
    function(*given)
    found: Bound = next(iter(function._last.runner.free.values()))[0]
    return found


def _scaled(x: vt.Tensor, y: vt.Tensor) -> vt.Tensor:
    return x * 2.0 + y


def _by_hand(bound: Bound) -> entry_stub.EntryStub:
    return entry_stub._by_hand(bound.header, len(bound.binding.program.state))


@pytest.mark.parametrize("kind", ["in C", "by hand"])
def test_an_entry_stub_takes_arrays_in_their_order_and_gives_a_status(kind: str) -> None:
    bound = _bound(vt.to_static(_scaled), vt.ones([5]), vt.ones([5]))
    opened = bound.entry_stub if kind == "in C" else _by_hand(bound)
    x, y, made = np.arange(5, dtype="float32"), np.full(5, 7, "float32"), np.empty(5, "float32")
    for iteration in range(3):
        assert opened(x + iteration, y, made) == int(virtual_machine.Status.DONE)
        np.testing.assert_array_equal(made, 2 * (x + iteration) + y)


def test_an_entry_stub_leaves_the_state_before_its_arrays_alone() -> None:
    weight = vt.to_tensor([2.0, 3.0])
    bound = _bound(vt.to_static(lambda x: x * weight), vt.ones([2]))
    state = (weight._storage.payload,)
    for kind in (bound.entry_stub, _by_hand(bound)):
        bound.set_state(state)
        made = np.empty(2, "float32")
        assert kind(np.array([5.0, 7.0], "float32"), made) == 0
        np.testing.assert_array_equal(made, [10.0, 21.0])


@pytest.mark.parametrize("kind", ["in C", "by hand"])
def test_a_call_starts_at_the_beginning_even_if_nobody_reset_the_vm(kind: str) -> None:
    """A handler of a signal may raise between the VM's return and the code that resets it."""

    def counts(x: vt.Tensor) -> vt.Tensor:
        while x.sum() < 100.0:
            x = x + 1.0
        return x

    bound = _bound(vt.to_static(counts), vt.ones([8]))
    opened = bound.entry_stub if kind == "in C" else _by_hand(bound)
    x, made = np.ones(8, "float32"), np.empty(8, "float32")
    bound.header.interrupt()
    if opened(x, made) == int(virtual_machine.Status.INTERRUPTED):
        assert bound.header._view[virtual_machine.HeaderWord.PC] != 0  # in the middle of the loop
    else:
        bound.header._view[virtual_machine.HeaderWord.PC] = 1
    bound.header.interrupt(False)
    status = opened(np.full(8, 99.0, "float32"), made)
    if status != int(virtual_machine.Status.DONE):  # the watchdog asked it to come back
        bound.serve(status, [x, made])
    np.testing.assert_array_equal(made, np.full(8, 99.0, "float32"))


def test_without_python_s_c_interface_entry_stubs_are_python_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_stub.sys.implementation, "name", "other")
    function = vt.to_static(_scaled)
    assert function(vt.ones([3]), vt.ones([3])).tolist() == [3.0] * 3
    bound = _bound(function, vt.ones([3]), vt.ones([3]))
    assert bound.entry_stub.__module__ == entry_stub.__name__


def test_short_programs_keep_the_gil_and_long_ones_loops_and_callbacks_do_not() -> None:
    def counts(x: vt.Tensor) -> vt.Tensor:
        while x.sum() < 100.0:
            x = x + 1.0
        return x

    small, large = vt.ones([8]), vt.ones([1 << 16])
    brief = {
        name: _bound(vt.to_static(fn), x).binding.is_short_running()
        for name, fn, x in [
            ("small", lambda x: x * 2.0, small),
            ("large", lambda x: x * 2.0, large),
            ("loop", counts, small),
            ("small product", lambda x: x.reshape([2, 4]) @ x.reshape([4, 2]), small),
            ("large product", lambda x: x.reshape([256, 256]) @ x.reshape([256, 256]), large),
        ]
    }
    assert brief == {"small": True, "large": False, "loop": False, "small product": True, "large product": False}


def test_other_threads_go_on_while_a_long_program_runs() -> None:
    """The program ends only when another thread of Python has run."""
    seen = threading.Event()

    @vt.to_static
    def waits(x: vt.Tensor) -> vt.Tensor:
        while x[0] < 3e8:
            x = x + 1.0
        return x

    stop = vt.to_tensor([3e8], dtype="float64")
    waits(stop)
    running = vt.to_tensor([0.0], dtype="float64")
    ticks: list[float] = []

    def tick() -> None:
        while not seen.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        assert waits(running).item() == 3e8
    finally:
        seen.set()
        thread.join()
    assert len(ticks) > 2


def test_a_stand_in_for_the_vm_is_seen_by_entry_stubs_that_exist_already() -> None:
    function = vt.to_static(_scaled)
    x = vt.ones([4])
    bound = _bound(function, x, x)
    headers: list[int] = []

    def noting(header: int) -> int:
        headers.append(header)
        return virtual_machine.plainly(header)

    virtual_machine.enter_by(noting)
    try:
        assert (
            bound.entry_stub(np.ones(4, "float32"), np.ones(4, "float32"), np.empty(4, "float32"))
            == entry_stub.ELSEWHERE
        )
        assert function(x, x).tolist() == [3.0] * 4
    finally:
        virtual_machine.enter_by(None)
    assert headers == [bound.header.address]


def test_many_threads_share_a_function_whose_program_keeps_the_gil() -> None:
    function = vt.to_static(_scaled)
    function(vt.zeros([4]), vt.zeros([4]))

    def call(number: int) -> bool:
        given = vt.full([4], float(number))
        return all(bool((function(given, given).numpy() == 3 * number).all()) for _ in range(30))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, range(16)))
