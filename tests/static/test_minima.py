"""Minima that a program searches while it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.incubate.optimizer.functional import minimize_bfgs, minimize_lbfgs

pytestmark = pytest.mark.usefixtures("static_mode")


@pytest.mark.parametrize(("search", "results"), [(minimize_bfgs, 6), (minimize_lbfgs, 5)])
def test_a_program_searches_where_a_function_is_least(search: Any, results: int) -> None:
    with static.program_guard(main := static.Program()):
        x, inverse = static.data("x", [2], "float64"), static.data("inverse", [2, 2], "float64")
        found = search(lambda p: ((p - 2.0) ** 2).sum(), x, initial_inverse_hessian_estimate=inverse, dtype="float64")
        far = (found[2] - x).sum()
    assert len(found) == results
    assert [list(part.shape) for part in found] == [[1], [1], [2], [], [2], [2, 2]][:results]
    for start in ([0.0, 5.0], [7.0, 1.0]):
        feed = {"x": np.array(start), "inverse": np.eye(2)}
        *made, distance = static.Executor().run(main, feed, [*found, far])
        assert made[0].tolist() == [True]
        np.testing.assert_allclose(made[2], [2, 2], rtol=1e-6)
        np.testing.assert_allclose(distance, 4 - sum(start), rtol=1e-6)


def test_what_a_program_can_not_search() -> None:
    with pytest.raises(ValueError, match="known number of elements"):
        minimize_bfgs(vt.sum, static.data("open", [None]))
    with pytest.raises(ValueError, match="float32 or float64"):
        minimize_bfgs(vt.sum, static.data("x", [2]), dtype="int32")
