"""Threads, processes and signals: many at once give what one alone gives, and nothing hangs, tears or leaks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.runtime.vm import team

from ..runtime.alarms import Alarm, alarm

LIMIT = 120  # seconds that a child process may take on a busy machine


@pytest.fixture(autouse=True)
def _two_threads() -> Any:
    before = team.get_num_threads()
    team.set_num_threads(2)
    yield
    team.set_num_threads(before)


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """`work(k)` in `count` threads that begin at once; their results."""
    ready = threading.Barrier(count)

    def run(k: int) -> Any:
        ready.wait()
        return work(k)

    with ThreadPoolExecutor(count) as pool:
        return [f.result(timeout=LIMIT) for f in [pool.submit(run, k) for k in range(count)]]


def inputs(count: int, *shape: int) -> list[Any]:
    rng = np.random.default_rng(count)
    return [vt.to_tensor(rng.standard_normal((n + 1, *shape)).astype(np.float32)) for n in range(count)]


def test_several_functions_share_parameters_among_threads() -> None:
    vt.seed(3)
    net = nn.Sequential(nn.Linear(6, 300), nn.GELU(), nn.LayerNorm(300), nn.Linear(300, 3))
    net.eval()
    functions = [
        vt.to_static(lambda x: net(x)),
        vt.to_static(lambda x: nn.functional.softmax(net(x), axis=-1)),
        vt.to_static(lambda x: (net(x) ** 2).sum()),
    ]
    batches = inputs(6, 6)
    with vt.no_grad():
        expected = [[np.asarray(fn.dygraph_function(x).numpy()) for x in batches] for fn in functions]

        def work(k: int) -> int:
            done = 0
            for turn in range(60):  # the first turns trace and compile, all threads at once
                i, j = (k + turn) % 3, (k * 5 + turn) % 6
                np.testing.assert_allclose(functions[i](batches[j]).numpy(), expected[i][j], rtol=2e-4, atol=2e-5)
                done += 1
            return done

        assert together(8, work) == [60] * 8
    assert [fn.get_traced_count() <= 3 for fn in functions] == [True] * 3


def test_gradients_in_threads_are_each_threads_own() -> None:
    fn = vt.to_static(lambda x: (vt.tanh(x) * x).sum())

    def work(k: int) -> bool:
        for turn in range(40):
            x = vt.full([5 + k % 2], 0.1 * (k + turn))
            x.stop_gradient = False
            fn(x).backward()
            v = x.numpy()
            np.testing.assert_allclose(x.grad.numpy(), np.tanh(v) + v * (1 - np.tanh(v) ** 2), rtol=1e-4, atol=1e-6)
        return True

    assert all(together(6, work))


def test_each_thread_trains_a_model_of_its_own() -> None:
    def train(k: int) -> list[float]:
        weight = vt.to_tensor(np.full((4, 2), 0.1 * (k + 1), np.float32), stop_gradient=False)
        x = inputs(3, 4)[2]

        @vt.to_static
        def step(x: Any) -> Any:
            loss = ((x @ weight) ** 2).mean()
            loss.backward()
            with vt.no_grad():
                weight.set_value(weight - 0.1 * weight.grad)
            weight.clear_grad()
            return loss

        return [float(step(x)) for _ in range(10)]

    alone = [train(k) for k in range(4)]
    at_once = together(4, train)
    np.testing.assert_allclose(at_once, alone, rtol=1e-5)


CHILD = """
import json, os, sys
import numpy as np
import vitrify as vt
from vitrify.runtime import kernel_cache; from vitrify.runtime.vm import team
team.set_num_threads(2)

@vt.to_static
def f(x, y):
    return vt.tanh(x * 1.5 + y).sum(axis=0), vt.exp(x - y).mean(), (x @ y.T)

x = vt.to_tensor(np.linspace(-1, 1, 3000, dtype=np.float32).reshape(60, 50))
made = [t.numpy() for t in f(x, x * 0.5)]
if "fork" in sys.argv:
    child = os.fork()
    if child == 0:
        again = [t.numpy() for t in f(x, x * 0.5)]
        more = f(x[:7], x[:7] * 2.0)[0].numpy()  # binds, and may compile
        g = vt.to_static(lambda t: vt.sin(t * 0.37) + 2.0)(x).numpy()
        right = all(np.array_equal(a, b) for a, b in zip(made, again))
        os._exit(0 if right and np.isfinite(more).all() and np.isfinite(g).all() else 3)
    _, status = os.waitpid(child, 0)
    again = [t.numpy() for t in f(x, x * 0.5)]
    assert all(np.array_equal(a, b) for a, b in zip(made, again))
    print(json.dumps(os.waitstatus_to_exitcode(status)))
else:
    stats = kernel_cache.stats()
    print(json.dumps([stats.compiled, stats.corrupt, [float(a.sum()) for a in made]]))
"""


def child(cache: Path, *arguments: str) -> subprocess.Popen[str]:
    """A process that captures a function and runs it, with its kernels in `cache`."""
    script = cache.parent / "child.py"  # beside the caches: captured functions need a file
    script.write_text(CHILD)
    return subprocess.Popen(
        [sys.executable, str(script), *arguments], env={**os.environ, "VITRIFY_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def said(process: subprocess.Popen[str]) -> Any:
    out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    return json.loads(out.splitlines()[-1])


def test_cold_processes_share_one_kernel_cache(tmp_path: Path) -> None:
    found = [said(p) for p in [child(tmp_path / "cache") for _ in range(3)]]
    assert [corrupt for _, corrupt, _ in found] == [0, 0, 0]
    assert found[0][2] == found[1][2] == found[2][2]
    left = [p.name for p in (tmp_path / "cache").rglob("*") if p.is_file() and p.suffix != ".o"]
    assert left == [".written"]
    compiled, corrupt, results = said(child(tmp_path / "cache"))
    assert (compiled, corrupt, results) == (0, 0, found[0][2])


def test_a_process_killed_while_it_fills_the_cache_does_no_harm(tmp_path: Path) -> None:
    expected = said(child(tmp_path / "whole"))[2]
    for k in range(2):
        process = child(tmp_path / "cut")
        time.sleep(1.2 + 0.6 * k)
        process.kill()
        process.communicate()
    _, corrupt, results = said(child(tmp_path / "cut"))
    assert (corrupt, results) == (0, expected)


def test_a_fork_after_compiling(tmp_path: Path) -> None:
    assert said(child(tmp_path / "cache", "fork")) == 0


def test_a_signal_ends_a_long_call_and_leaves_the_state() -> None:
    weight = vt.zeros([3])

    @vt.to_static
    def grind(n: Any) -> Any:
        i = vt.zeros([], "int64")
        while i < n:
            weight.set_value(weight + 1.0)
            i = i + 1
        return weight.sum()

    assert float(grind(vt.to_tensor(2))) == 6.0

    start = time.monotonic()
    with pytest.raises(Alarm), alarm():
        grind(vt.to_tensor(1 << 50))
    assert time.monotonic() - start < 30
    assert weight.tolist() == [2.0, 2.0, 2.0]
    assert float(grind(vt.to_tensor(1))) == 9.0
