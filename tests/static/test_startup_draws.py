"""First values that a startup program draws."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.nn import initializer as init

pytestmark = pytest.mark.usefixtures("static_mode")


@pytest.mark.parametrize("initializer", [init.TruncatedNormal(0.5, 2.0, -1.0, 3.0), init.Orthogonal(2.0)])
def test_a_startup_program_draws_at_each_run(initializer: init.Initializer) -> None:
    start = static.Program()
    with static.program_guard(static.Program(), start):
        made = static.create_parameter([4, 3], "float32", attr=vt.ParamAttr(initializer=initializer))
    scopes = [static.Scope() for _ in range(3)]
    for seed, scope in zip((3, 3, 4), scopes, strict=True):
        vt.seed(seed)
        static.Executor().run(start, scope=scope)
    first, again, other = (np.array(scope.find_var(made.name).get_tensor()) for scope in scopes)
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    if isinstance(initializer, init.Orthogonal):
        np.testing.assert_allclose(first.T @ first, 4 * np.eye(3), atol=1e-5)
    else:
        assert (first >= -1).all()
        assert (first <= 3).all()


def test_counts_of_an_area_start_at_nothing() -> None:
    """As in PaddlePaddle, `auc` runs without its startup program."""
    with static.program_guard(main := static.Program(), static.Program()):
        scores = vt.to_tensor(np.array([[0.75, 0.25], [0.25, 0.75]], "float32"))
        area = static.auc(scores, vt.to_tensor([[0], [1]]))[0]
    assert static.Executor().run(main, fetch_list=[area], scope=static.Scope())[0] == 1.0
