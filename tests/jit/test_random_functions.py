"""Random Python functions over tensors: compiled equals eager in values, gradients and errors, or is refused by name.

VITRIFY_FUZZ=N tries N functions (a night: 2000 and more), from VITRIFY_FUZZ_SEED on; a failure prints its seed and text.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.testing.functions import random_arguments, random_function
from vitrify.testing.fuzz.functions import REFUSALS, equal, load_function, outcome

COUNT = int(os.environ.get("VITRIFY_FUZZ", "30"))
FIRST = int(os.environ.get("VITRIFY_FUZZ_SEED", "10"))  # seeds 1 and 8 have so many paths that they take half a minute
PART = 10  # functions per test


def try_function(seed: int) -> str:
    """Whether it is "equal" or "refused"; anything else is a failed assertion."""
    text = random_function(seed, size=5 + seed % 8)
    eager, compiled = load_function(text, f"<eager {seed}>"), vt.jit.to_static(load_function(text, f"<random {seed}>"))
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
