"""Random programs: reproducible, runnable, tame, and varied enough to be worth their name."""

from __future__ import annotations

from collections import Counter

import numpy as np

from vitrify.ir.interpret import interpret
from vitrify.ir.walk import equal_programs, walk
from vitrify.testing.programs import random_program


def test_a_seed_gives_one_program() -> None:
    first, feeds, _ = random_program(11)
    second, again, _ = random_program(11)
    assert equal_programs(first, second)
    assert all(np.array_equal(a, b) for a, b in zip(feeds, again, strict=True))
    assert not equal_programs(first, random_program(12)[0])


def test_values_stay_small() -> None:
    for seed in range(40):
        program, feeds, state = random_program(seed)
        fetched, after = interpret(program, feeds, state)
        for array in (*fetched, *after):
            assert array.size == 0 or np.abs(array.astype(np.float64)).max() < 100


def test_all_parts_of_the_language_occur() -> None:
    found: Counter[str] = Counter()
    symbolic = 0
    for seed in range(60):
        program, _, _ = random_program(seed)
        symbolic += bool(program.symbols)
        found.update(operation.name for operation in walk(program.body))
    assert {"if", "while", "for", "update", "matmul", "sum", "where", "concat", "slice", "gather", "reshape"} <= set(
        found
    )
    assert 15 < symbolic < 45
