"""Transformations of random variables: there and back, their stretch against a numeric one, shapes, and mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import vitrify as vt
from vitrify import distribution as D
from vitrify.base.errors import ArgumentError, KindError, ShapeError
from vitrify.distribution import constraint, variable

X = np.random.default_rng(0).uniform(0.2, 1.5, (2, 3))


def t(value: Any) -> Any:
    return vt.to_tensor(np.asarray(value, "float64"))


MAPS: list[tuple[str, Any, int]] = [
    ("affine", lambda: D.AffineTransform(t(1.0), t(-2.0)), 0), ("exp", D.ExpTransform, 0), ("tanh", D.TanhTransform, 0),
    ("power", lambda: D.PowerTransform(t(3.0)), 0), ("sigmoid", D.SigmoidTransform, 0),
    ("stick", D.StickBreakingTransform, 1), ("reshape", lambda: D.ReshapeTransform([3], [3, 1]), 1),
    ("chain", lambda: D.ChainTransform([D.ExpTransform(), D.AffineTransform(t(0.5), t(2.0))]), 0),
    ("chain of ranks", lambda: D.ChainTransform([D.TanhTransform(), D.StickBreakingTransform()]), 1),
    ("independent", lambda: D.IndependentTransform(D.ExpTransform(), 1), 1),
    ("stack", lambda: D.StackTransform([D.ExpTransform(), D.TanhTransform()], 0), 0),
]  # fmt: skip


@pytest.mark.parametrize(("make", "rank"), [m[1:] for m in MAPS], ids=[m[0] for m in MAPS])
def test_there_and_back_and_the_stretch(make: Any, rank: int) -> None:
    f = make()
    x = t(X)
    y = f.forward(x)
    np.testing.assert_allclose(f.inverse(y).numpy(), X, rtol=1e-8)
    assert list(y.shape) == list(f.forward_shape((2, 3)))
    assert list(f.inverse_shape(tuple(y.shape))) == [2, 3]
    stretch = f.forward_log_det_jacobian(x)
    np.testing.assert_allclose(-f.inverse_log_det_jacobian(y).numpy(), stretch.numpy(), rtol=1e-6, atol=1e-10)
    eps = 1e-6
    if rank == 0:
        slope = (f.forward(t(X + eps)).numpy() - f.forward(t(X - eps)).numpy()) / (2 * eps)
        want = np.log(np.abs(slope))
    else:
        jacobian = np.stack(
            [(f.forward(t(X + eps * e)).numpy() - f.forward(t(X - eps * e)).numpy()) / (2 * eps) for e in np.eye(3)], -1
        ).reshape(2, -1, 3)[:, :3]  # a stick's last share follows from the others
        want = np.log(np.abs(np.linalg.det(jacobian)))
    np.testing.assert_allclose(np.broadcast_to(stretch.numpy(), want.shape), want, rtol=1e-5, atol=1e-6)
    compiled = vt.to_static(lambda v: f.forward(v))(x)
    np.testing.assert_allclose(compiled.numpy(), y.numpy(), rtol=1e-10)


def test_maps_that_are_not_one_to_one() -> None:
    low, high = D.AbsTransform().inverse(t(2.0))
    assert (float(low), float(high)) == (-2.0, 2.0)
    assert D.AbsTransform().forward(t(-2.0)) == 2.0
    shares = D.SoftmaxTransform().forward(t(X))
    np.testing.assert_allclose(shares.numpy().sum(-1), 1.0)
    np.testing.assert_allclose(
        D.SoftmaxTransform().forward(D.SoftmaxTransform().inverse(shares)).numpy(), shares.numpy()
    )
    for f in (D.AbsTransform(), D.SoftmaxTransform()):
        with pytest.raises(NotImplementedError, match="one to one"):
            f.forward_log_det_jacobian(t(X))


def test_transformed_distributions() -> None:
    p = D.TransformedDistribution(D.Normal(t(0.5), t(0.7)), [D.ExpTransform(), D.AffineTransform(t(0.0), t(2.0))])
    known = st.lognorm(0.7, scale=2 * np.exp(0.5))
    np.testing.assert_allclose(p.log_prob(t([0.5, 3.0])).numpy(), known.logpdf([0.5, 3.0]), rtol=1e-8)
    vt.seed(1)
    assert st.kstest(p.sample([4000]).numpy(), known.cdf).pvalue > 1e-3
    stick = D.TransformedDistribution(D.Normal(t([0.0, 0.0]), t([1.0, 1.0])), [D.StickBreakingTransform()])
    assert (stick.batch_shape, stick.event_shape) == ((), (3,))
    assert stick.sample([5]).shape == [5, 3]
    assert stick.log_prob(stick.sample([5])).shape == [5]
    made = D.ExpTransform()(D.Normal(0.0, 1.0))
    assert isinstance(made, D.TransformedDistribution)
    assert isinstance(D.ExpTransform()(D.TanhTransform()), D.ChainTransform)
    assert float(D.ExpTransform()(t(0.0))) == 1.0
    assert D.TransformedDistribution(D.Normal(0.0, 1.0), []).batch_shape == ()


def test_kinds_of_variables() -> None:
    assert variable.real.constraint(t([1.0, np.nan])).tolist() == [True, False]
    assert variable.positive.constraint(t([1.0, -1.0])).tolist() == [True, False]
    assert variable.Independent(variable.positive, 1).constraint(t([[1.0, -1.0], [1.0, 1.0]])).tolist() == [False, True]
    stacked = variable.Stack([variable.real, variable.positive], 0)
    assert stacked.constraint(t([-1.0, -1.0])).tolist() == [True, False]
    assert (stacked.event_rank, stacked.is_discrete) == (0, False)
    assert constraint.Range(0, 1)(t([0.5, 2.0])).tolist() == [True, False]
    assert constraint.simplex(t([[0.5, 0.5], [0.5, 0.6]])).tolist() == [True, False]
    assert D.SoftmaxTransform()._codomain.event_rank == 1


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda: D.Transform().forward(t(X)), NotImplementedError, "no _forward"), (lambda: D.Transform().inverse(t(X)), NotImplementedError, "no _inverse"),
    (lambda: D.Transform().forward_log_det_jacobian(t(X)), NotImplementedError, "log_det"), (lambda: D.ExpTransform().forward(0), KindError, "tensor"),
    (lambda: D.Transform().inverse_log_det_jacobian(t(X)), NotImplementedError, "log_det"), (lambda: D.ExpTransform().forward_shape(0), KindError, "list or tuple"),
    (lambda: D.AffineTransform(0.0, t(1.0)), KindError, "loc must be"), (lambda: D.PowerTransform(2.0), KindError, "power must be"),
    (lambda: D.ReshapeTransform([1, 2], [1, 3]), ShapeError, "numbers of elements"), (lambda: D.ReshapeTransform(0, 0), KindError, "shapes"),
    (lambda: D.ReshapeTransform([3], [3, 1]).forward_shape((2, 4)), ShapeError, "ends with"), (lambda: D.ChainTransform([0]), KindError, "Transforms"),
    (lambda: D.IndependentTransform(D.ExpTransform(), -1), ArgumentError, "above 0"), (lambda: D.IndependentTransform(0, 1), KindError, "base"),
    (lambda: D.StackTransform([D.ExpTransform()], "a"), KindError, "axis"), (lambda: D.StackTransform([D.ExpTransform()], 0).forward(t(X)), ShapeError, "places"),
    (lambda: D.StickBreakingTransform().forward_shape(()), ShapeError, "one axis"), (lambda: D.SoftmaxTransform().inverse_shape(()), ShapeError, "one axis"),
    (lambda: D.SoftmaxTransform().forward(t(1.0)), ShapeError, "events with 1"), (lambda: D.TransformedDistribution(3, []), KindError, "Distribution"),
    (lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), [1]), KindError, "Transforms"),
    (lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), [D.StickBreakingTransform()]), ArgumentError, "events with 1"),
    (lambda: variable.Stack([variable.real], 0).constraint(t(X)), ArgumentError, "places"), (lambda: constraint.Constraint()(1), NotImplementedError, "lies in"),
    (lambda: variable.Independent(variable.real, 3).constraint(t(X)), ArgumentError, "at least 3"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "said"), WRONG)
def test_mistakes_are_named(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()
