"""Rows of large results go past the caches: which ones, and that it changes no value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import current_target, using_target
from vitrify.nn import functional as F
from vitrify.runtime.kernel_cache import KernelSource
from vitrify.testing.emulation import call_kernel

COPY = """def body(p0, p1, lo, hi):
    o0 = local_f32(64)
    for r in range(lo, hi):
        for j in range(48):
            o0[j] = p0[r * 48 + j]
        stream(p1, r * 48, o0, 48)
    fence()
"""


@pytest.mark.parametrize("offset", [0, 1, 4, 16], ids=lambda n: f"{n} elements off a line")
def test_streams_begin_anywhere(offset: int) -> None:
    x = np.random.default_rng(0).normal(size=(5, 48)).astype("float32")
    memory = np.zeros(5 * 48 + 64, "float32")
    first = -(memory.ctypes.data // 4) % 16 + offset
    out = memory[first : first + 5 * 48]
    call_kernel(KernelSource("copy", COPY, ("f32", "f32"), 0), [x, out], [], 5)
    np.testing.assert_array_equal(out, x.reshape(-1))
    assert memory[:first].sum() == 0 and memory[first + 240 :].sum() == 0


def _texts(function: Any) -> str:
    return "\n".join(text for _, text in function._last.runner.executable.kernel_texts)


OWN = current_target()
STREAMING = replace(OWN, core=replace(OWN.core, streams_up_to=1 << 30))
SMALL, LARGE = [96, 1024], [OWN.streamed_bytes // 4096, 1024]
CASES: dict[str, tuple[Callable[[vt.Tensor], Any], list[int], bool]] = {
    "large": (lambda x: F.softmax(x, -1), LARGE, True),
    "small": (lambda x: F.softmax(x, -1), SMALL, False),
    "rows of no whole lines": (lambda x: F.softmax(x, -1), [2100, 1001], False),
    "long rows": (lambda x: F.softmax(x, -1), [256, 8192], False),
    "read again": (lambda x: F.softmax(x, -1) @ vt.ones([1024, 2]), LARGE, False),
    "returned and read again": (lambda x: (y := F.softmax(x, -1), y.sum(0)), LARGE, False),
    "two results": (lambda x: (F.softmax(x, -1), x - x.max(-1, keepdim=True)), LARGE, True),
}


@pytest.mark.parametrize("case", CASES)
def test_large_results_that_only_the_caller_reads_are_streamed(case: str) -> None:
    function, shape, streamed = CASES[case]
    x = vt.to_tensor(np.random.default_rng(1).normal(size=shape).astype("float32"))
    compiled = vt.to_static(function)
    with using_target(STREAMING):
        for _ in range(2):
            made = compiled(x)
    assert ("stream(" in _texts(compiled)) is streamed
    wanted = function(x)
    for a, b in zip(*((v if isinstance(v, tuple) else (v,)) for v in (made, wanted)), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-6)


def test_streamed_values_are_those_of_ordinary_stores_on_one_thread_and_two() -> None:
    ordinary = replace(OWN, core=replace(OWN.core, streams_up_to=-1))
    huge = replace(STREAMING, caches=replace(OWN.caches, second=1 << 40))
    x = vt.to_tensor(np.random.default_rng(2).normal(size=LARGE).astype("float32"))
    before = vt.get_num_threads()
    try:
        found = []
        for target, threads in ((huge, 1), (ordinary, 1), (STREAMING, 1), (STREAMING, 2)):
            vt.set_num_threads(threads)
            compiled = vt.to_static(lambda x: F.softmax(x, -1))
            with using_target(target):
                found.append(compiled(x).numpy())
                assert ("stream(" in _texts(compiled)) is (target is STREAMING)
    finally:
        vt.set_num_threads(before)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)
