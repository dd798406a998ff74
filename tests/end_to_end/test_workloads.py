"""The benchmark suite's workloads: one thread and two give the same bits, kernels what the interpreter gives, and
steady calls allocate nothing.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import vitrify as vt

SUITE = Path(__file__).resolve().parents[2] / "benchmarks"
NAMES = (
    "dispatch", "gelu", "chain20", "bs_f32", "bs_f64", "softmax", "layernorm", "rowred", "lse_loss", "mlp_train",
    "mlp_train_pycb", "mlp_b1", "lenet_infer", "lenet_train", "resnet18_infer", "resnet20_train", "lstm_b1_fwd",
    "lstm_b1_fb", "lstm_b32_fwd", "lstm_b32_fb", "newton", "rk45", "mandelbrot", "collatz", "enc_fwd", "enc_train",
    "bert_mini", "adam", "tower",
)  # fmt: skip


@pytest.fixture(scope="module")
def suite() -> Iterator[tuple[ModuleType, ModuleType]]:
    sys.path.insert(0, str(SUITE))
    threads = vt.get_num_threads()
    try:
        yield importlib.import_module("workloads"), importlib.import_module("peers.p_vitrify")
    finally:
        sys.path.remove(str(SUITE))
        vt.set_num_threads(threads)


def first_results(suite: tuple[ModuleType, ModuleType], name: str, threads: int) -> tuple[list[Any], Callable[[], Any]]:
    workloads, ours = suite
    run, result = ours.load(name, threads)["build"][name](workloads.inputs_of(name))
    return [np.array(x) for x in result(run())], run


def test_all_workloads_are_here(suite: tuple[ModuleType, ModuleType]) -> None:
    workloads, ours = suite
    assert set(NAMES) == set(workloads.W) == set(ours.B)


@pytest.mark.parametrize("name", NAMES)
def test_a_workload(suite: tuple[ModuleType, ModuleType], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one, run = first_results(suite, name, 1)
    for _ in range(2):
        run()
    before = vt.jit.allocations()
    run()
    if name != "mlp_train_pycb":  # a callback gets arrays of its own, which it may keep
        assert vt.jit.allocations() == before
    two, _ = first_results(suite, name, 2)
    monkeypatch.setattr(vt, "to_static", functools.partial(vt.to_static, numerics="reference"))
    interpreted, _ = first_results(suite, name, 1)
    assert len(one) == len(two) == len(interpreted) > 0
    for a, b, c in zip(one, two, interpreted, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.shape == c.shape
        error, size = (float(np.linalg.norm(v)) for v in (a.astype(float) - c.astype(float), c.astype(float)))
        assert error <= suite[0].W[name].tol * max(size, 1e-9)  # the suite's own tolerance
