"""Random Python functions over tensors: compiled equals eager in values, gradients and errors, or is refused by name.

VITRIFY_FUZZ=N tries N functions (a night: 2000 and more), from VITRIFY_FUZZ_SEED on; a failure prints its seed and text.
"""

from __future__ import annotations

import linecache
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.base.pytree import flatten, map_leaves
from vitrify.testing.functions import random_arguments, random_function

COUNT = int(os.environ.get("VITRIFY_FUZZ", "200"))
FIRST = int(os.environ.get("VITRIFY_FUZZ_SEED", "0"))
PART = 20  # functions per test
# What a random function may be refused for; everything else has to be captured.
REFUSALS = (
    "the paths of this function end in more than",
    "a list whose length only a run of the program knows is read by code that isn't captured",
    "made in a branch or loop is used outside of it",
    "has one of several forms here",
    "whose value only a run of the program knows",
)


def load(text: str, name: str) -> Callable[..., Any]:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"vt": vt}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]  # type: ignore[no-any-return]


def is_tensor(x: object) -> bool:
    return isinstance(x, vt.Tensor)


def outcome(fn: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """(structure with arrays, gradients), or the error."""
    x, y = (vt.to_tensor(a, stop_gradient=False) for a in call[:2])
    try:
        made = fn(x, y, vt.to_tensor(call[2]), call[3])
    except (ValueError, IndexError, KeyError, TypeError, NameError, AttributeError, RuntimeError) as error:
        return error
    values = map_leaves(lambda t: t.numpy(), made, is_tensor)
    floats = [t.sum() for t in flatten(made, is_tensor)[0] if t.dtype.is_floating and not t.stop_gradient]
    if floats:
        sum(floats[1:], floats[0]).backward()
    return values, [np.zeros(3) if t.grad is None else t.grad.numpy() for t in (x, y)]


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        both = isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape
        return both and np.allclose(a, b, rtol=1e-4, atol=1e-5)
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(equal(a[k], b[k]) for k in a)
    return bool(a == b)


def try_function(seed: int) -> str:
    """Whether it is "equal" or "refused"; anything else is a failed assertion."""
    text = random_function(seed, size=8 + seed % 8)
    eager, compiled = load(text, f"<eager {seed}>"), vt.jit.to_static(load(text, f"<random {seed}>"))
    for call in random_arguments(seed, 3):
        expected, found = outcome(eager, call), outcome(compiled, call)
        if isinstance(found, CaptureError) and any(r in str(found) for r in REFUSALS):
            return "refused"
        told = f"seed {seed}, k={call[2].tolist()}, m={call[3]}\n{text}\neager    {expected}\ncompiled {found}"
        if isinstance(expected, Exception) or isinstance(found, Exception):
            assert type(expected).__name__ == type(found).__name__, told
            continue
        assert equal(expected[0], found[0]), told
        for a, b in zip(expected[1], found[1], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4, err_msg=told)
    return "equal"


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, PART))
def test_compiled_is_eager(first: int) -> None:
    counts = Counter(try_function(seed) for seed in range(first, min(first + PART, FIRST + COUNT)))
    print(f"seeds {first} to {first + counts.total() - 1}: {dict(counts)}")
    assert counts["equal"] >= 0.4 * counts.total()
