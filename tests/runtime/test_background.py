"""Compilation in the background and in other processes: results meanwhile, the switch, errors, no process left over."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError, KernelError, NonFiniteError
from vitrify.base.flags import flags
from vitrify.runtime import compiler, kernel_cache
from vitrify.runtime.background import BackgroundExecutable, InterpretedBound
from vitrify.runtime.codegen import workers
from vitrify.runtime.kernel_cache import KernelCompileError, KernelSource

BODY = "def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = p0[i] * f32({}) + f32(1.0)\n"


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Compilation waits until this is set."""
    event, compile_program = threading.Event(), compiler.compile_program

    def later(*args: Any, **kwargs: Any) -> Any:
        if kwargs["options"].compile == "background":
            assert event.wait(60)
        return compile_program(*args, **kwargs)

    monkeypatch.setattr(compiler, "compile_program", later)
    yield event
    event.set()
    for thread in threading.enumerate():
        if thread.name == "vitrify-compile":
            thread.join(60)


def executable_of(function: Any) -> Any:
    return function._last.runner.executable


def train(compile: str, seed: int = 3) -> tuple[Callable[..., Any], nn.Layer]:
    vt.seed(seed)
    net = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Dropout(0.25), nn.Linear(5, 1))
    optimizer = vt.optimizer.Adam(0.01, parameters=net.parameters())

    @vt.jit.to_static(compile=compile)
    def step(x: Any) -> Any:
        loss = (net(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step, net


X = np.random.default_rng(0).standard_normal((7, 6)).astype(np.float32)


def test_a_training_goes_on_over_the_switch(gate: threading.Event) -> None:
    x = vt.to_tensor(X)
    step, net = train("wait")
    expected = [float(step(x)) for _ in range(8)]
    weights = [p.numpy().copy() for p in net.parameters()]
    step, net = train("background")
    found = [float(step(x)) for _ in range(4)]
    made = executable_of(step)
    assert isinstance(made, BackgroundExecutable)
    assert made.native is None
    gate.set()
    made.wait(60)
    found += [float(step(x)) for _ in range(4)]
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    for parameter, weight in zip(net.parameters(), weights, strict=True):
        np.testing.assert_allclose(parameter.numpy(), weight, rtol=1e-4, atol=1e-6)
    (bound,) = next(iter(step._last.runner.free.values()))  # type: ignore[attr-defined]
    assert isinstance(bound, InterpretedBound)
    assert bound._native is not None  # the VM ran the last calls
    assert step.kernels  # type: ignore[attr-defined]
    assert step.memory_plan.peak > 0  # type: ignore[attr-defined]


def test_gradients_from_outside(gate: threading.Event) -> None:
    @vt.jit.to_static(compile="background")
    def energy(x: Any) -> Any:
        return vt.sin(x) * x

    x = vt.to_tensor(X, stop_gradient=False)
    for ready in (False, True):
        if ready:
            gate.set()
            executable_of(energy).wait(60)
        x.clear_grad()
        energy(x).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), np.cos(X) * X + np.sin(X), rtol=1e-5, atol=1e-6)


def test_several_threads_meet_the_switch(gate: threading.Event) -> None:
    @vt.jit.to_static(compile="background")
    def scale(x: Any, factor: Any) -> Any:
        return x * factor + 1

    wrong: list[Any] = []

    def work(number: int) -> None:
        factor = vt.to_tensor(np.float32(number))
        x = vt.to_tensor(X)
        for _ in range(150):
            found = scale(x, factor).numpy()
            if not np.allclose(found, X * number + 1):
                wrong.append(found)

    scale(vt.to_tensor(X), vt.to_tensor(np.float32(0)))
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_a_failed_call_leaves_while_interpreted(gate: threading.Event) -> None:
    total = vt.zeros([2])

    @vt.jit.to_static(compile="background")
    def add(x: Any, index: Any) -> Any:
        total.add_(x)
        return x[index]

    x = vt.to_tensor(np.ones(2, np.float32))
    add(x, vt.to_tensor(1))
    with pytest.raises(IndexError):
        add(x, vt.to_tensor(5))
    np.testing.assert_array_equal(total.numpy(), [1, 1])


def test_the_search_for_nan_sees_interpreted_calls(gate: threading.Event) -> None:
    @vt.jit.to_static(compile="background")
    def root(x: Any) -> Any:
        return vt.sqrt(x)

    x = vt.to_tensor(np.float32(-1.0))
    assert np.isnan(root(x).numpy())
    vt.set_flags({"FLAGS_check_nan_inf": True})
    try:
        with pytest.raises(NonFiniteError):
            root(x)
    finally:
        vt.set_flags({"FLAGS_check_nan_inf": False})


def broken(source: KernelSource, symbol: str) -> bytes:
    raise TypeError("no such instruction")


@pytest.fixture
def no_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is cached, and no kernel compiles."""
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "0")
    monkeypatch.setattr(kernel_cache, "_CACHE", kernel_cache._Cache())
    monkeypatch.setattr(KernelSource, "compile", broken)
    return tmp_path


def fresh(x: Any) -> Any:
    return vt.tanh(x * 3.03125) - x


@pytest.mark.parametrize("compile", ["wait", "background"])
def test_a_kernel_that_fails_names_its_source_and_its_operations(
    no_kernels: Path, gate: threading.Event, compile: str
) -> None:
    function = vt.jit.to_static(fresh, compile=compile)
    x = vt.to_tensor(X)
    if compile == "background":
        np.testing.assert_allclose(function(x).numpy(), np.tanh(X * 3.03125) - X, rtol=1e-5, atol=1e-6)
        gate.set()
        executable_of(function)._thread.join(60)
    for _ in range(2):
        with pytest.raises(KernelError, match="no such instruction") as caught:
            function(x)
        text = str(caught.value)
        (kept,) = [path for path in (no_kernels / "failed").iterdir() if str(path) in text]
        assert kept.read_text().startswith("def body(")
        assert "tanh f32[7, 6] : f32[7, 6]  (test_background.py:" in text


@pytest.mark.parametrize("name", ["later", "", 1])
def test_an_unknown_way_is_refused(name: Any) -> None:
    with pytest.raises(ArgumentError, match="unknown compile"):
        vt.jit.to_static(fresh, compile=name)


def test_the_flag_says_what_functions_without_a_choice_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "compile", "background")
    for choice, expected in ((None, True), ("wait", False)):
        function = vt.jit.to_static(fresh, compile=choice)
        function(vt.to_tensor(X))
        assert isinstance(executable_of(function), BackgroundExecutable) is expected


# ---- other processes -----------------------------------------------------------------------------------------------


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernel_cache, "_CACHE", kernel_cache._Cache())
    return tmp_path


def sources(count: int) -> list[KernelSource]:
    return [KernelSource("scale", BODY.format(float(k + 2)), ("f32",), 0) for k in range(count)]


def test_a_helper_compiles_what_this_process_would(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "1")
    monkeypatch.setattr(KernelSource, "compile", broken)  # here; not there
    wanted = sources(workers.WORTH_A_HELPER)
    found = kernel_cache.addresses(wanted, background=True)
    assert len(set(found)) == len(wanted)
    assert kernel_cache.stats().compiled == len(wanted)
    assert {f"{kernel_cache.key(s)}.o" for s in wanted} <= {p.name for p in empty_cache.iterdir()}
    assert not workers._running


def test_a_helper_says_what_is_wrong_and_lives_on(empty_cache: Path) -> None:
    helper = workers.Helper()
    try:
        answer = helper.compile(KernelSource("bad", "def body(p0, lo, hi):\n    p0[0] = nothing\n", ("f32",), 0), "a")
        assert isinstance(answer, str)
        assert "nothing" in answer
        assert isinstance(helper.compile(sources(1)[0], "b"), bytes)
        helper.kill()
        with pytest.raises(workers.HelperError):
            helper.compile(sources(1)[0], "c")
    finally:
        helper.close()
    assert helper._process.returncode is not None


def test_without_an_interpreter_this_process_compiles(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "1")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert all(kernel_cache.addresses(sources(workers.WORTH_A_HELPER)))


def test_the_memory_plan_of_a_program_of_any_size_has_the_sizes_of_a_call(gate: threading.Event) -> None:
    f = vt.to_static(lambda x: (x * 2).sum(0).exp(), compile="background")
    for n in (3, 5, 7):
        f(vt.ones([n, 4]))
    gate.set()
    assert "N = 5" in str(f.memory_plan)
    assert "N = 5" in str(f.memory_plan), "the same binding the second time"
    np.testing.assert_allclose(f(vt.ones([2, 4])).numpy(), np.full(4, np.exp(4.0)), rtol=1e-6)


def test_an_error_here_is_raised_and_no_helper_stays(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "1")
    monkeypatch.setattr(KernelSource, "compile", broken)
    with pytest.raises(KernelCompileError, match="no such instruction"):
        kernel_cache.addresses(sources(workers.WORTH_A_HELPER))
    assert not workers._running


def test_a_helper_that_does_not_start_holds_nobody_up(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "1")
    monkeypatch.setattr(workers, "_BOOT", "import time; time.sleep(600)")
    assert all(kernel_cache.addresses(sources(workers.WORTH_A_HELPER)))
    assert not workers._running


def test_a_kernel_that_a_helper_does_not_finish_is_compiled_here(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    def stuck(helper: workers.Helper, source: KernelSource, name: str) -> bytes:
        begun.set()
        helper._process.wait()  # until it is killed
        raise workers.HelperError("killed")

    def here(source: KernelSource, name: str) -> bytes:
        begun.wait()  # the helper has its kernel before this thread takes its first one
        return name.encode()

    monkeypatch.setattr(workers, "PATIENCE", 0.01)
    monkeypatch.setattr(workers.Helper, "wait", lambda helper: None)
    monkeypatch.setattr(workers.Helper, "compile", stuck)
    made = workers.compile_all([(source, f"k{k}") for k, source in enumerate(sources(3))], 1, here)
    assert made == {f"k{k}": f"k{k}".encode() for k in range(3)}
    assert not workers._running


@pytest.mark.skipif(not hasattr(os, "kill"), reason="signals")
def test_a_helper_ends_with_its_process() -> None:
    """Also with one that is killed: its pipe closes."""
    code = (
        "from vitrify.runtime.codegen.workers import Helper\n"
        "from vitrify.runtime.kernel_cache import KernelSource\n"
        f"helper = Helper(); helper.compile(KernelSource('k', {BODY.format(7.5)!r}, ('f32',), 0), 'a')\n"
        "import os, signal; print(helper._process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    pid = int(made.stdout)
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{pid}/stat").exists() and " Z " in Path(f"/proc/{pid}/stat").read_text():
            return  # it has ended; whoever inherited it hasn't looked yet
        time.sleep(0.05)
    pytest.fail("the helper is still there")


@pytest.mark.parametrize(
    ("cores", "kernels", "background", "expected"),
    [
        (2, 1, False, 0),
        (2, 5, False, 0),
        (2, 6, False, 1),
        (8, 100, False, 3),
        (1, 100, False, 0),
        (1, 1, True, 1),
        (8, 12, True, 2),
    ],
)
def test_how_many_helpers(
    monkeypatch: pytest.MonkeyPatch, cores: int, kernels: int, background: bool, expected: int
) -> None:
    monkeypatch.delenv("VITRIFY_COMPILE_PROCESSES", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert workers.helpers_for(kernels, background) == expected


def test_a_helper_that_started_early_ends_without_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "1")
    with kernel_cache.expected(workers.WORTH_AN_EARLY_HELPER - 1):
        assert not workers._early, "few operations are compiled before a helper is ready"
    with pytest.raises(ValueError, match="a pass fails"), kernel_cache.expected(workers.WORTH_AN_EARLY_HELPER):
        (helper,) = workers._early
        assert workers.helpers_for(2, background=False) == 1
        raise ValueError("a pass fails")
    assert not workers._early
    assert helper not in workers._running
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "0")
    with kernel_cache.expected(10_000):
        assert not workers._early


def test_a_helper_that_started_early_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRIFY_COMPILE_PROCESSES", "1")
    made = []
    with kernel_cache.expected(workers.WORTH_AN_EARLY_HELPER):
        (helper,) = workers._early
        helper.wait()
        monkeypatch.setattr(workers.Helper, "compile", lambda self, *job: made.append(self) or b"code")
        assert workers.compile_all([(sources(1)[0], "a")], 1, None) == {"a": b"code"}
        assert made == [helper]
        assert not workers._early
