"""First values of parameters: distributions, fans, seeds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import float32, float64
from vitrify.base.errors import ArgumentError, KindError, ShapeError
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn import initializer as init
from vitrify.dygraph.random_generators import seed


def values(made: init.Initializer, *shape: int) -> Any:
    return made.values(list(shape), float64).numpy()


@pytest.mark.parametrize(
    ("made", "std", "limit"),
    [
        (init.Normal(0.0, 0.5), 0.5, math.inf),
        (init.Uniform(-0.3, 0.3), 0.3 / math.sqrt(3), 0.3),
        (init.XavierNormal(), math.sqrt(2 / 500), math.inf),
        (init.XavierUniform(), math.sqrt(2 / 500), math.sqrt(6 / 500)),
        (init.XavierUniform(gain=2.0), 2 * math.sqrt(2 / 500), 2 * math.sqrt(6 / 500)),
        (init.KaimingNormal(), math.sqrt(2 / 200), math.inf),
        (init.KaimingUniform(), math.sqrt(2 / 200), math.sqrt(6 / 200)),
        (init.KaimingUniform(mode="fan_out", nonlinearity="linear"), math.sqrt(1 / 300), math.sqrt(3 / 300)),
        (init.TruncatedNormal(0.0, 1.0, -1.0, 1.0), 0.5396, 1.0),
    ],
)
def test_distribution(made: init.Initializer, std: float, limit: float) -> None:
    drawn = values(made, 200, 300)
    assert abs(drawn.mean()) < 0.02 * std * 3
    assert abs(drawn.std() / std - 1) < 0.02
    assert abs(drawn).max() <= limit


def test_fans_of_filters() -> None:
    assert init.fans([8, 4, 3, 3]) == (36.0, 72.0)
    assert init.fans([5, 7]) == (5.0, 7.0)
    weight = nn.Conv2D(16, 64, 3).weight
    assert abs(weight.numpy().std() / math.sqrt(2 / (16 * 9)) - 1) < 0.05


def test_the_seed_repeats_them() -> None:
    seed(5)
    a = nn.Linear(4, 4)
    seed(5)
    np.testing.assert_array_equal(nn.Linear(4, 4).weight.numpy(), a.weight.numpy())
    assert (nn.Linear(4, 4).weight.numpy() != a.weight.numpy()).any()


def test_constant_assign_orthogonal() -> None:
    assert (values(init.Constant(3.0), 2, 2) == 3).all()
    layer = nn.Linear(
        2, 1, weight_attr=init.Assign([[1.0], [2.0]]), bias_attr=nn.ParamAttr(initializer=init.Constant(5))
    )
    assert layer(to_tensor([[1.0, 1.0]])).tolist() == [[8.0]]
    assert init.Assign(to_tensor([1.0])).values([1], float32).tolist() == [1.0]
    q = values(init.Orthogonal(2.0), 3, 5)
    np.testing.assert_allclose(q @ q.T, 4 * np.eye(3), atol=1e-12)
    with pytest.raises(ShapeError, match=r"shape \[2\], the parameter \[3\]"):
        init.Assign([1.0, 2.0]).values([3], float32)
    with pytest.raises(ShapeError):
        values(init.Orthogonal(), 3)


def test_an_initializer_fills_a_tensor() -> None:
    x = to_tensor([1.0, 2.0])
    assert init.Constant(7.0)(x) is x
    assert x.tolist() == [7, 7]


def test_global_initializers() -> None:
    try:
        init.set_global_initializer(init.Constant(2.0), init.Constant(1.0))
        layer = nn.Linear(1, 1)
        assert (layer.weight.item(), layer.bias.item()) == (2.0, 1.0)
        assert nn.Linear(1, 1, weight_attr=init.Constant(3.0)).weight.item() == 3.0
    finally:
        init.set_global_initializer(None)
    with pytest.raises(KindError):
        init.set_global_initializer(3)  # type: ignore[arg-type]


def test_wrong_settings() -> None:
    for make in (
        lambda: init.Uniform(1.0, -1.0), lambda: init.TruncatedNormal(0, 1, 5, 6), lambda: init.KaimingNormal(mode="x"),
        lambda: init.KaimingNormal(nonlinearity="x"), lambda: init.calculate_gain("x"),
    ):  # fmt: skip
        with pytest.raises(ArgumentError):
            make()
    with pytest.raises(KindError):
        init.Assign("text")
    assert init.calculate_gain("leaky_relu", 1.0) == 1.0
    assert repr(init.Normal()) == "Normal(mean=0.0, std=1.0)"


def test_a_truncated_normal_as_wide_as_the_tails() -> None:
    drawn = values(init.TruncatedNormal(0.0, 1.0, -math.inf, math.inf), 200, 500)
    assert np.isfinite(drawn).all()
    assert abs(drawn.std() - 1) < 0.01
    assert abs(drawn).max() > 3.5
