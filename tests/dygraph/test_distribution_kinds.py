"""Further distributions: densities and moments against SciPy, draws, divergences as expectations, mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import vitrify as vt
from vitrify import distribution as D
from vitrify.base.errors import ArgumentError, KindError, ShapeError

N = 20_000


def t(*values: float, dtype: str = "float64") -> Any:
    return vt.to_tensor(np.array(values, dtype))


CASES: list[tuple[str, Any, Any, Any]] = [
    ("Cauchy", lambda: D.Cauchy(t(0.0, 1.0), t(1.0, 2.0)), st.cauchy([0, 1], [1, 2]), [0.3, -4.0]),
    ("StudentT", lambda: D.StudentT(t(5.0, 3.0), t(0.0, 1.0), t(1.0, 2.0)), st.t([5, 3], [0, 1], [1, 2]), [0.3, -4.0]),
    ("Gamma", lambda: D.Gamma(t(2.0, 0.5), t(1.0, 3.0)), st.gamma([2, 0.5], scale=[1, 1 / 3]), [0.3, 1.7]),
    ("Chi2", lambda: D.Chi2(t(3.0, 1.0)), st.chi2([3, 1]), [0.3, 1.7]),
    ("Beta", lambda: D.Beta(t(2.0, 0.5), t(1.0, 3.0)), st.beta([2, 0.5], [1, 3]), [0.3, 0.7]),
    ("Exponential", lambda: D.Exponential(t(2.0, 0.5)), st.expon(scale=[0.5, 2.0]), [0.3, 1.7]),
    ("LogNormal", lambda: D.LogNormal(t(0.0, 0.5), t(0.5, 0.3)), st.lognorm([0.5, 0.3], scale=np.exp([0, 0.5])), [0.3, 2.0]),
    ("Geometric", lambda: D.Geometric(t(0.25, 0.9)), st.geom([0.25, 0.9], loc=-1), [0, 3]),
    ("Poisson", lambda: D.Poisson(t(0.5, 7.0)), st.poisson([0.5, 7]), [0, 3]),
    ("Binomial", lambda: D.Binomial(t(3.0, 10.0), t(0.25, 0.9)), st.binom([3, 10], [0.25, 0.9]), [0, 8]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "known", "at"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_scipy_agrees(make: Any, known: Any, at: Any) -> None:
    p = make()
    discrete = hasattr(known.dist, "pmf")
    density = known.logpmf(at) if discrete else known.logpdf(at)
    x = vt.to_tensor(np.array(at, "float64"))
    np.testing.assert_allclose(p.log_prob(x).numpy(), density, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(p.prob(x).numpy(), np.exp(density), rtol=1e-6)
    np.testing.assert_allclose(p.entropy().numpy(), known.entropy(), rtol=1e-4)
    compiled = vt.to_static(lambda v: make().log_prob(v))(x)
    np.testing.assert_allclose(compiled.numpy(), density, rtol=1e-6, atol=1e-12)
    if not isinstance(p, D.Cauchy):
        np.testing.assert_allclose(p.mean.numpy(), known.mean(), rtol=1e-6)
        np.testing.assert_allclose(p.variance.numpy(), known.var(), rtol=1e-6)
        np.testing.assert_allclose(p.stddev.numpy(), known.std(), rtol=1e-6)


@pytest.mark.parametrize(("make", "known"), [c[1:3] for c in CASES], ids=[c[0] for c in CASES])
def test_draws_have_the_distribution(make: Any, known: Any) -> None:
    vt.seed(3)
    drawn = make().sample([N])
    assert drawn.shape == [N, 2]
    assert drawn.stop_gradient
    for column, q in ((0, 0.25), (1, 0.5), (0, 0.9)):
        edge = known.ppf(q)[column]
        expected = known.cdf([edge, edge])[column]
        assert float((drawn.numpy()[:, column] <= edge + 1e-9).mean()) == pytest.approx(expected, abs=0.02)


CUMULATIVE: list[tuple[Any, Any]] = [
    (lambda: D.Cauchy(0.5, 2.0), st.cauchy(0.5, 2)), (lambda: D.Laplace(0.5, 2.0), st.laplace(0.5, 2)),
    (lambda: D.Gumbel(0.5, 2.0), st.gumbel_r(0.5, 2)), (lambda: D.Exponential(2.0), st.expon(scale=0.5)),
    (lambda: D.Uniform(0.5, 2.0), st.uniform(0.5, 1.5)),
]  # fmt: skip


@pytest.mark.parametrize(("make", "known"), CUMULATIVE)
def test_cumulative_shares(make: Any, known: Any) -> None:
    at = np.array([0.6, 0.9, 1.7], "float32")
    np.testing.assert_allclose(make().cdf(vt.to_tensor(at)).numpy(), known.cdf(at), rtol=1e-5)
    if hasattr(make(), "icdf"):
        np.testing.assert_allclose(make().icdf(vt.to_tensor(known.cdf(at).astype("float32"))).numpy(), at, rtol=1e-4)
    np.testing.assert_allclose(D.Geometric(0.25).cdf(3).numpy(), st.geom.cdf(3, 0.25, loc=-1), rtol=1e-6)
    np.testing.assert_allclose(D.Geometric(0.25).pmf(3).numpy(), st.geom.pmf(3, 0.25, loc=-1), rtol=1e-6)


DIVERGENCES: list[tuple[Any, Any]] = [
    (lambda: D.Cauchy(0.0, 1.0), lambda: D.Cauchy(1.0, 2.0)), (lambda: D.Gumbel(0.0, 1.0), lambda: D.Gumbel(1.0, 2.0)),
    (lambda: D.Gamma(2.0, 1.0), lambda: D.Gamma(3.0, 2.0)), (lambda: D.Beta(2.0, 3.0), lambda: D.Beta(3.0, 2.0)),
    (lambda: D.Dirichlet([2.0, 3.0, 1.5]), lambda: D.Dirichlet([1.0, 1.0, 2.0])),
    (lambda: D.LogNormal(0.0, 0.5), lambda: D.LogNormal(0.3, 0.7)),
    (lambda: D.Geometric(0.4), lambda: D.Geometric(0.25)), (lambda: D.Poisson(3.0), lambda: D.Poisson(2.0)),
    (lambda: D.Binomial(10, 0.4), lambda: D.Binomial(10, 0.3)),
    (lambda: D.ContinuousBernoulli(0.3), lambda: D.ContinuousBernoulli(0.8)),
    (lambda: D.MultivariateNormal([0.0, 1.0], covariance_matrix=[[2.0, 0.5], [0.5, 1.0]]),
     lambda: D.MultivariateNormal([0.5, 0.0], scale_tril=[[1.0, 0.0], [0.3, 2.0]])),
    (lambda: D.Independent(D.Normal([0.0, 1.0], [1.0, 1.0]), 1), lambda: D.Independent(D.Normal([0.5, 1.0], [2.0, 1.0]), 1)),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), DIVERGENCES)
def test_divergences_are_expectations(first: Any, second: Any) -> None:
    p, q = first(), second()
    vt.seed(4)
    x = p.sample([N])
    estimate = float((p.log_prob(x) - q.log_prob(x)).mean())
    assert float(D.kl_divergence(p, q)) == pytest.approx(estimate, abs=0.06)
    assert float(p.kl_divergence(p)) == pytest.approx(0.0, abs=1e-5)


def test_shares_of_one() -> None:
    weights = np.array([[1.0, 2.0, 3.0], [0.5, 0.5, 4.0]])
    p = D.Dirichlet(vt.to_tensor(weights))
    at = np.array([[0.2, 0.3, 0.5], [0.1, 0.2, 0.7]])
    for row in range(2):
        known = st.dirichlet(weights[row])
        assert float(p.log_prob(vt.to_tensor(at))[row]) == pytest.approx(known.logpdf(at[row]), rel=1e-6)
        assert float(p.entropy()[row]) == pytest.approx(known.entropy(), rel=1e-6)
        np.testing.assert_allclose(p.mean[row].numpy(), known.mean(), rtol=1e-6)
        np.testing.assert_allclose(p.variance[row].numpy(), known.var(), rtol=1e-6)
    vt.seed(0)
    drawn = p.sample([N]).numpy()
    np.testing.assert_allclose(drawn.sum(-1), 1.0, rtol=1e-6)
    np.testing.assert_allclose(drawn.mean(0), weights / weights.sum(1, keepdims=True), atol=0.01)


def test_counts_of_categories() -> None:
    p = D.Multinomial(4, t(0.2, 0.3, 0.5))
    known = st.multinomial(4, [0.2, 0.3, 0.5])
    assert float(p.log_prob(t(1.0, 0.0, 3.0))) == pytest.approx(known.logpmf([1, 0, 3]), rel=1e-6)
    assert float(p.entropy()) == pytest.approx(float(known.entropy()), rel=1e-6)
    vt.seed(0)
    drawn = p.sample([5000]).numpy()
    assert (drawn.sum(-1) == 4).all()
    np.testing.assert_allclose(drawn.mean(0), [0.8, 1.2, 2.0], atol=0.05)
    np.testing.assert_allclose(p.variance.numpy(), np.diag(known.cov()), rtol=1e-6)


@pytest.mark.parametrize("probs", [0.1, 0.4999, 0.5, 0.9])
def test_continuous_bernoulli_is_a_density(probs: float) -> None:
    p = D.ContinuousBernoulli(t(probs))
    x = (np.arange(2000) + 0.5) / 2000
    density = p.prob(vt.to_tensor(x)).numpy()
    assert density.mean() == pytest.approx(1.0, rel=1e-5)
    assert float(p.mean) == pytest.approx((density * x).mean(), rel=1e-5)
    assert float(p.variance) == pytest.approx((density * x * x).mean() - (density * x).mean() ** 2, rel=1e-4)
    assert float(p.entropy()) == pytest.approx(-(density * np.log(density)).mean(), abs=1e-5)
    assert float(p.cdf(t(0.5))) == pytest.approx(density[:1000].mean() / 2, abs=1e-3)
    assert float(p.cdf(p.icdf(t(0.3)))) == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize("given", ["covariance_matrix", "precision_matrix", "scale_tril"])
def test_normal_vectors(given: str) -> None:
    covariance = np.array([[2.0, 0.6], [0.6, 1.0]])
    matrix = {
        "covariance_matrix": covariance,
        "precision_matrix": np.linalg.inv(covariance),
        "scale_tril": np.linalg.cholesky(covariance),
    }
    p = D.MultivariateNormal(t(1.0, -1.0), **{given: vt.to_tensor(matrix[given])})
    known = st.multivariate_normal([1, -1], covariance)
    at = np.array([[0.3, 0.2], [1.0, -1.0]])
    np.testing.assert_allclose(p.log_prob(vt.to_tensor(at)).numpy(), known.logpdf(at), rtol=1e-6)
    assert float(p.entropy()) == pytest.approx(float(known.entropy()), rel=1e-6)
    np.testing.assert_allclose(p.covariance_matrix.numpy(), covariance, rtol=1e-6)
    np.testing.assert_allclose(p.precision_matrix.numpy(), np.linalg.inv(covariance), rtol=1e-6)
    vt.seed(1)
    drawn = p.sample([N]).numpy()
    np.testing.assert_allclose(np.cov(drawn.T), covariance, atol=0.06)
    np.testing.assert_allclose(drawn.mean(0), [1.0, -1.0], atol=0.05)


@pytest.mark.parametrize("method", ["onion", "cvine"])
def test_factors_of_correlations(method: str) -> None:
    """Every correlation r has (r + 1) / 2 ~ Beta(a, a) with a = concentration + dim / 2 - 1."""
    vt.seed(5)
    p = D.LKJCholesky(3, 1.5, method)
    factors = p.sample([4000]).numpy()
    correlations = factors @ factors.swapaxes(-1, -2)
    np.testing.assert_allclose(np.diagonal(correlations, axis1=-2, axis2=-1), 1.0, rtol=1e-5)
    for i, j in ((1, 0), (2, 0), (2, 1)):
        shares = (correlations[:, i, j] + 1) / 2
        assert st.kstest(shares, st.beta(2.0, 2.0).cdf).pvalue > 1e-3
    a, b = p.log_prob(vt.to_tensor(factors[:2])).numpy()
    diagonals = np.diagonal(factors[:2], axis1=-2, axis2=-1)
    want = np.log(diagonals[:, 1:]) @ np.array([2.0, 1.0])  # dim - k + 2 (concentration - 1), k = 2, 3
    assert a - b == pytest.approx(want[0] - want[1], abs=1e-4)


def test_the_density_of_a_factor_integrates_to_one() -> None:
    x = (np.arange(4000) + 0.5) / 2000 - 1.0  # dim 2: the factor is [[1, 0], [r, sqrt(1 - r^2)]], dL = dr
    rows = np.zeros((4000, 2, 2))
    rows[:, 0, 0], rows[:, 1, 0], rows[:, 1, 1] = 1.0, x, np.sqrt(1 - x * x)
    p = D.LKJCholesky(2, t(2.5)[0])
    assert p.prob(vt.to_tensor(rows)).numpy().mean() * 2 == pytest.approx(1.0, rel=1e-3)


def test_gradients_flow_through_draws() -> None:
    for make in (
        lambda p: D.Cauchy(p, 1.0), lambda p: D.Laplace(p, 1.0), lambda p: D.Gumbel(p, 1.0), lambda p: D.LogNormal(p, 0.1),
        lambda p: D.ContinuousBernoulli(p), lambda p: D.Gamma(2.0, p), lambda p: D.Exponential(p),
    ):  # fmt: skip
        parameter = vt.to_tensor(0.4, stop_gradient=False)
        make(parameter).rsample([8]).sum().backward()
        assert abs(float(parameter.grad)) > 0.0  # type: ignore[arg-type]


def test_exponential_families() -> None:
    """Entropy and divergence from the normalizer equal the closed forms."""

    class Waiting(D.ExponentialFamily):
        _mean_carrier_measure = 0.0

        def __init__(self, rate: Any) -> None:
            self.rate = rate
            super().__init__(rate.shape)

        @property
        def _natural_parameters(self) -> tuple[Any, ...]:
            return (-self.rate,)

        def _log_normalizer(self, *parameters: Any) -> Any:
            return -vt.log(-parameters[0])

    own, other = Waiting(t(2.0, 3.0)), Waiting(t(1.0, 5.0))
    p, q = D.Exponential(own.rate), D.Exponential(other.rate)
    np.testing.assert_allclose(own.entropy().numpy(), p.entropy().numpy(), rtol=1e-6)
    np.testing.assert_allclose(own.kl_divergence(other).numpy(), p.kl_divergence(q).numpy(), rtol=1e-6)
    for a, b in ((D.Beta(2.0, 3.0), D.Beta(1.0, 2.0)), (D.Gamma(2.0, 3.0), D.Gamma(1.0, 2.0))):
        from_normalizer = vt.distribution.kl._kl_expfamily_expfamily(a, b)
        assert float(from_normalizer) == pytest.approx(float(a.kl_divergence(b)), rel=1e-4)


def test_values_of_another_dtype_warn() -> None:
    with pytest.warns(UserWarning, match="float64 becomes the parameters' float32"):
        assert D.Normal(0.0, 1.0).log_prob(t(0.0)).dtype == vt.float32


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda: D.Bernoulli(1.5), ArgumentError, "between 0 and 1"), (lambda: D.Geometric(2), ArgumentError, r"in \(0, 1\]"),
    (lambda: D.Cauchy([1.0], 2.0), KindError, "real number or a tensor"), (lambda: D.Normal(1j, 2.0), KindError, "complex"),
    (lambda: D.Cauchy(0.0, 1.0).mean, ArgumentError, "no mean"), (lambda: D.Cauchy(0.0, 1.0).stddev, ArgumentError, "no standard"),
    (lambda: D.Cauchy(0.0, 1.0).log_prob(1.0), KindError, "must be a tensor"),
    (lambda: D.Cauchy(0.0, 1.0).kl_divergence(D.Normal(0.0, 1.0)), KindError, "another Cauchy"),
    (lambda: D.Geometric(0.5).pmf([1, 2]), KindError, "whole numbers"), (lambda: D.Dirichlet(1.0), ArgumentError, "at least one axis"),
    (lambda: D.Beta(vt.zeros([0]), vt.zeros([0])), ArgumentError, "at least one alpha"), (lambda: D.Gamma(-1.0, 1.0), ArgumentError, "above 0"),
    (lambda: D.Multinomial(0, [0.5, 0.5]), ArgumentError, "above 0"), (lambda: D.Multinomial(2, 0.5), ArgumentError, "one axis"),
    (lambda: D.MultivariateNormal([0.0]), ArgumentError, "takes one of"), (lambda: D.LKJCholesky(1), ArgumentError, "at least 2"),
    (lambda: D.MultivariateNormal([0.0], scale_tril=[1.0]), ArgumentError, "square"), (lambda: D.LKJCholesky(2, 1.0, "x"), ArgumentError, "onion"),
    (lambda: D.Independent(D.Normal(0.0, 1.0), 1), ArgumentError, "reinterpreted_batch_rank"), (lambda: D.Independent(3, 1), KindError, "Distribution"),
    (lambda: D.Categorical(vt.ones([2, 3])).prob(vt.ones([3, 2], "int64")), ShapeError, "before the last axis"),
    (lambda: D.Normal(0.0, 1.0).sample([2], seed=1.0), KindError, "seed"), (lambda: D.StudentT(0.0, 0.0, 1.0), ArgumentError, "above 0"),
    (lambda: D.Distribution().cdf(0.0), NotImplementedError, "no cdf"), (lambda: D.ExponentialFamily().entropy(), NotImplementedError, "carrier"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "said"), WRONG)
def test_mistakes_are_named(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


def test_multinomial_counts_are_broadcast_before_they_are_summed():
    made = vt.distribution.Multinomial(10, vt.to_tensor([[0.2, 0.3], [0.5, 0.6]]))
    whole = made.log_prob(vt.to_tensor([[2.0, 2.0], [2.0, 2.0]]))
    np.testing.assert_allclose(made.log_prob(vt.to_tensor([2.0])).numpy(), whole.numpy(), rtol=1e-6)
