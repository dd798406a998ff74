"""Random functions that call themselves and each other: compiled and interpreted they equal eager mode, gradients too.

VITRIFY_FUZZ=N tries N modules, from VITRIFY_FUZZ_SEED on; a failure prints its text.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from tests.runtime.poison import Poison
from vitrify.testing.fuzz.functions import load_module
from vitrify.testing.recursive import random_recursion

COUNT = int(os.environ.get("VITRIFY_FUZZ", "4"))
FIRST = int(os.environ.get("VITRIFY_FUZZ_SEED", "0"))
BOUNDS = {"float64": (1e-8, 1e-10), "float32": (1e-3, 1e-5)}


def outcome(fn: Callable[..., Any], n: int, given: list[Any]) -> list[Any]:
    """Results and the gradients of the arguments."""
    arguments = [vt.to_tensor(a, stop_gradient=False) for a in given]
    made = fn(vt.to_tensor(n), *arguments)
    results = made if isinstance(made, tuple) else (made,)
    total = sum(r.sum() * (k + 1) for k, r in enumerate(results))
    if not total.stop_gradient:
        total.backward()
    gradients = [np.zeros_like(a) if x.grad is None else x.grad.numpy() for x, a in zip(arguments, given, strict=True)]
    return [*(r.numpy() for r in results), *gradients]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_compiled_is_eager_and_reads_nothing_that_a_call_left(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    poison = Poison(monkeypatch)
    text, count = random_recursion(seed)
    dtype, shape = ("float64", "float32")[seed % 2], ((), (3,))[seed // 2 % 2]
    given = [a.astype(dtype) for a in np.random.default_rng(seed).uniform(-1, 1, (count, *shape))]
    eager, fn = (load_module(text, f"<{k} recursion {seed}>")["f0"] for k in ("eager", "compiled"))
    compiled = vt.jit.to_static(fn)
    interpreted = vt.jit.to_static(fn, numerics="reference")
    rtol, atol = BOUNDS[dtype]
    for n in (3, 0, 1):
        want = outcome(eager, n, given)
        for found in (outcome(compiled, n, given), outcome(interpreted, n, given)):
            for a, b in zip(want, found, strict=True):
                assert a.dtype == b.dtype, text
                np.testing.assert_allclose(b, a, rtol, atol, err_msg=text)
    assert poison.left
