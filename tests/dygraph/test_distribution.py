"""Random tensors and distributions: moments, densities against SciPy, divergences, eager = compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats

import vitrify as vt
from vitrify import distribution as D
from vitrify.base.errors import ArgumentError, DTypeError, KindError, ShapeError

N = 20_000


def wide(value: float) -> Any:
    return vt.full([N], value, "float64")


DRAWS: list[tuple[str, Any, float, float]] = [
    ("poisson", lambda: vt.poisson(wide(3.0)), 3.0, 3.0), ("binomial", lambda: vt.binomial(vt.full([N], 10), wide(0.3)), 3.0, 2.1),
    ("standard_gamma", lambda: vt.standard_gamma(wide(2.0)), 2.0, 2.0), ("rand_like", lambda: vt.rand_like(wide(0.0)), 0.5, 1 / 12),
    ("randn_like", lambda: vt.randn_like(wide(0.0), "float32"), 0.0, 1.0), ("log_normal", lambda: vt.log_normal(0.0, 0.5, [N]), np.exp(0.125), 0.3646),
    ("log_normal_", lambda: wide(0.0).log_normal_(0.0, 0.5), np.exp(0.125), 0.3646), ("exponential_", lambda: wide(0.0).exponential_(2.0), 0.5, 0.25),
    ("geometric_", lambda: wide(0.0).geometric_(0.5), 1 / np.log(2), 1 / np.log(2) ** 2),
    ("cauchy_", lambda: vt.atan(wide(0.0).cauchy_(0.0, 1.0)), 0.0, np.pi**2 / 12), ("float16", lambda: vt.rand([N], "float16").astype("float64"), 0.5, 1 / 12),
    ("multinomial", lambda: vt.multinomial(vt.to_tensor([1.0, 0.0, 3.0]), N, replacement=True).astype("float64"), 1.5, 0.75),
]  # fmt: skip


@pytest.mark.parametrize(("make", "mean", "variance"), [d[1:] for d in DRAWS], ids=[d[0] for d in DRAWS])
def test_moments_and_streams(make: Any, mean: float, variance: float) -> None:
    vt.seed(11)
    first = make().numpy().astype("float64")
    second = make().numpy()
    assert abs(first.mean() - mean) < 6 * np.sqrt(variance / N) + 1e-3
    assert first.var() == pytest.approx(variance, rel=0.1)
    assert not np.array_equal(first, second)
    vt.seed(11)
    np.testing.assert_allclose(vt.to_static(make)().numpy().astype("float64"), first, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(make().numpy(), second, rtol=1e-6, atol=1e-6)


def test_samples_without_replacement_are_different() -> None:
    vt.seed(0)
    made = vt.multinomial(vt.to_tensor(np.tile([1.0, 5.0, 0.0, 2.0], (200, 1))), 3).numpy()
    assert made.shape == (200, 3)
    assert all(sorted(row) == [0, 1, 3] for row in made.tolist())
    assert np.mean(made[:, 0] == 1) == pytest.approx(5 / 8, abs=0.1)
    assert made.dtype == np.int64
    assert sorted(vt.to_static(lambda: vt.randperm(7))().tolist()) == list(range(7))


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("replacement", [False, True])
def test_weights_of_categories_are_checked(replacement: bool, compiled: bool) -> None:
    def draw(weights: Any) -> Any:
        return (vt.multinomial(weights, 2, replacement),)

    draw = vt.to_static(draw) if compiled else draw
    assert draw(vt.to_tensor([0.5, 0.0, 0.5]))[0].shape == [2]
    for bad, words in [
        ([-1.0, 2.0, 1.0], "finite weights of at least 0"), ([np.nan, 1.0, 1.0], "finite weights"),
        ([np.inf, 1.0, 1.0], "finite weights"), ([0.0, 0.0, 0.0], "a weight above 0"),
    ]:  # fmt: skip
        with pytest.raises(ArgumentError, match=words):
            draw(vt.to_tensor(np.array(bad, "float32")))
    if not replacement:
        with pytest.raises(ArgumentError, match="2 samples without replacement need as many categories"):
            draw(vt.to_tensor([1.0, 0.0, 0.0]))
    assert draw(vt.to_tensor([0.0, 1.0, 2.0]))[0].shape == [2]


CASES: list[tuple[str, Any, Any, Any]] = [
    ("Normal", lambda: D.Normal([0.0, 1.0], [1.0, 2.0]), scipy.stats.norm([0, 1], [1, 2]), [0.3, -1.0]),
    ("LogNormal", lambda: D.LogNormal([0.0, 1.0], [1.0, 0.5]), scipy.stats.lognorm([1, 0.5], scale=np.exp([0, 1])), [0.3, 2.0]),
    ("Uniform", lambda: D.Uniform([0.0, -1.0], 2.0), scipy.stats.uniform([0, -1], [2, 3]), [0.5, 3.0]),
    ("Exponential", lambda: D.Exponential([1.0, 2.0]), scipy.stats.expon(scale=[1, 0.5]), [0.5, 3.0]),
    ("Laplace", lambda: D.Laplace([0.0, 1.0], 2.0), scipy.stats.laplace([0, 1], 2), [0.5, 3.0]),
    ("Gumbel", lambda: D.Gumbel([0.0, 1.0], 2.0), scipy.stats.gumbel_r([0, 1], 2), [0.5, 3.0]),
    ("Bernoulli", lambda: D.Bernoulli([0.2, 0.7]), scipy.stats.bernoulli([0.2, 0.7]), [0.0, 1.0]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "expected", "at"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_densities_and_moments_are_scipys(make: Any, expected: Any, at: Any) -> None:
    p = make()
    x = vt.to_tensor(at)
    log_prob = (
        expected.logpmf(at) if hasattr(expected, "logpmf") and isinstance(p, D.Bernoulli) else expected.logpdf(at)
    )
    np.testing.assert_allclose(p.log_prob(x).numpy(), log_prob, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(p.prob(x).numpy(), np.exp(log_prob), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(p.mean.numpy(), expected.mean(), rtol=1e-5)
    np.testing.assert_allclose(p.variance.numpy(), expected.var(), rtol=1e-4)
    np.testing.assert_allclose(p.entropy().numpy(), expected.entropy(), rtol=1e-4)
    vt.seed(2)
    drawn = p.sample([N])
    assert drawn.shape == [N, 2]
    assert drawn.stop_gradient
    np.testing.assert_allclose(
        drawn.numpy().mean(0), expected.mean(), atol=6 * np.max(expected.std()) / np.sqrt(N) + 1e-3
    )
    assert p.batch_shape == (2,)


def test_draws_carry_gradients() -> None:
    loc, scale = vt.to_tensor(0.5, stop_gradient=False), vt.to_tensor(2.0, stop_gradient=False)
    vt.seed(1)
    D.Normal(loc, scale).rsample([100]).sum().backward()
    vt.seed(1)
    assert float(loc.grad) == 100.0  # type: ignore[arg-type]
    assert float(scale.grad) == pytest.approx(float(vt.randn([100]).sum()), rel=1e-5)  # type: ignore[arg-type]
    p = vt.to_tensor([0.3], stop_gradient=False)
    D.Bernoulli(p).rsample([10], temperature=0.5).sum().backward()
    assert float(p.grad) > 0.0  # type: ignore[arg-type]


DIVERGENCES: list[tuple[Any, Any]] = [
    (lambda: D.Normal(0.5, 1.5), lambda: D.Normal(-1.0, 2.0)), (lambda: D.Exponential(1.5), lambda: D.Exponential(0.5)),
    (lambda: D.Laplace(0.0, 1.0), lambda: D.Laplace(1.0, 2.0)), (lambda: D.Bernoulli(0.3), lambda: D.Bernoulli(0.6)),
    (lambda: D.Uniform(0.0, 1.0), lambda: D.Uniform(-1.0, 2.0)),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), DIVERGENCES)
def test_divergences_are_expectations(first: Any, second: Any) -> None:
    p, q = first(), second()
    vt.seed(4)
    x = p.sample([N])
    estimate = float((p.log_prob(x) - q.log_prob(x)).mean())
    assert float(D.kl_divergence(p, q)) == pytest.approx(estimate, abs=0.05)
    assert float(p.kl_divergence(p)) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_draws_of_categories_take_logarithms_of_weights(compiled: bool) -> None:
    def draw(logits: Any) -> Any:
        return D.Categorical(logits=logits).sample([4000])

    draw = vt.to_static(draw) if compiled else draw
    for logits in ([-1.0, 2.0, 0.5], [-3.0, -3.0, -3.0], [500.0, 499.0, -np.inf], [0.1, 0.2, 0.7]):
        vt.seed(3)
        drawn = draw(vt.to_tensor(logits)).numpy()
        soft = np.exp(np.array(logits) - max(logits))
        np.testing.assert_allclose([(drawn == k).mean() for k in range(3)], soft / soft.sum(), atol=0.03)


def test_categories() -> None:
    weights = np.array([[1.0, 3.0], [2.0, 2.0]], "float32")
    p = D.Categorical(vt.to_tensor(weights))
    vt.seed(0)
    drawn = p.sample([4000])
    assert drawn.shape == [4000, 2]
    soft = np.exp(weights) / np.exp(weights).sum(1, keepdims=True)
    np.testing.assert_allclose(drawn.numpy().mean(0), soft[:, 1], atol=0.05)
    np.testing.assert_allclose(p.probs(vt.to_tensor([1, 0])).numpy(), [[0.75, 0.25], [0.5, 0.5]])
    np.testing.assert_allclose(
        p.log_prob(vt.to_tensor([[0, 0], [1, 1]])).numpy(), np.log([[0.25, 0.25], [0.5, 0.5]]), rtol=1e-6
    )
    np.testing.assert_allclose(p.entropy().numpy(), -(soft * np.log(soft)).sum(1), rtol=1e-5)
    q = D.Categorical(vt.to_tensor([1.0, 1.0]))
    np.testing.assert_allclose(
        p.kl_divergence(q).numpy(), (soft * np.log(soft / 0.5)).sum(1, keepdims=True), rtol=1e-4, atol=1e-6
    )
    np.testing.assert_allclose(q.probs(vt.to_tensor([0, 1, 1])).numpy(), [0.5] * 3)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: vt.multinomial(vt.ones([2, 2, 2])), ShapeError, "weights"), (lambda: vt.multinomial(vt.ones([2]), 0), ArgumentError, "above 0"),
        (lambda: vt.multinomial(vt.to_tensor([1.0, 0.0]), 2), ArgumentError, "replacement"),
        (lambda: vt.multinomial(vt.to_tensor([1.0, -1.0])), ArgumentError, "at least 0"), (lambda: vt.poisson(vt.to_tensor([np.nan])), ArgumentError, "at least -inf"),
        (lambda: vt.rand_like(vt.ones([2], "int64")), DTypeError, "floats"), (lambda: vt.ones([2]).geometric_(2.0), ArgumentError, "probs"),
        (lambda: D.Normal(0.0, 1.0).sample(3), KindError, "list or tuple"), (lambda: D.Categorical(1.0), ArgumentError, "one axis"),
        (lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Exponential(1.0)), NotImplementedError, "no formula"),
        (lambda: D.register_kl(int, D.Normal), KindError, "classes"), (lambda: D.Distribution().rsample(), NotImplementedError, "no draws"),
    ],
)  # fmt: skip
def test_mistakes_are_named(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


@pytest.mark.parametrize("compiled", [False, True])
def test_rates_below_0_give_0_and_no_gradient(compiled: bool) -> None:
    """As in PaddlePaddle."""
    x = vt.to_tensor([-1.0, -100.0, 0.0, 50.0], stop_gradient=False)
    made = (vt.to_static(vt.poisson) if compiled else vt.poisson)(x)
    assert made.tolist()[:3] == [0.0, 0.0, 0.0] and made.tolist()[3] > 0
    made.sum().backward()
    assert x.grad.tolist() == [0.0] * 4
