"""Functions along an axis of tensors without axes: 0 and -1 name the axis that a line of one element would have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import AxisError

ALONG: list[tuple[str, Callable[[Any, Any], Any], float]] = [
    ("sum", lambda x, a: vt.sum(x, axis=a), 2.5),
    ("mean", lambda x, a: vt.mean(x, axis=a), 2.5),
    ("max", lambda x, a: vt.max(x, axis=a), 2.5),
    ("logsumexp", lambda x, a: vt.logsumexp(x, axis=a), 2.5),
    ("softmax", lambda x, a: vt.nn.functional.softmax(x, axis=a), 1.0),
    ("log_softmax", lambda x, a: vt.nn.functional.log_softmax(x, axis=a), 0.0),
    ("cumsum", lambda x, a: vt.cumsum(x, axis=a), 2.5),
    ("cumprod", lambda x, a: vt.cumprod(x, dim=a), 2.5),
    ("logcumsumexp", lambda x, a: vt.logcumsumexp(x, axis=a), 2.5),
    ("sort", lambda x, a: vt.sort(x, axis=a), 2.5),
    ("argsort", lambda x, a: vt.argsort(x, axis=a), 0.0),
    ("argmax", lambda x, a: vt.argmax(x, axis=a), 0.0),
    ("argmin", lambda x, a: vt.argmin(x, a), 0.0),
    ("topk", lambda x, a: vt.topk(x, k=1, axis=a)[0], 2.5),
    ("topk's places", lambda x, a: vt.topk(x, 1, a)[1], 0.0),
    ("squeeze", lambda x, a: vt.squeeze(x, axis=a), 2.5),
]


@pytest.mark.parametrize(("fn", "wanted"), [(f, w) for _, f, w in ALONG], ids=[name for name, _, _ in ALONG])
@pytest.mark.parametrize("axis", [0, -1])
def test_along_the_only_imaginable_axis(fn: Callable[[Any, Any], Any], wanted: float, axis: int) -> None:
    x = vt.to_tensor(2.5, stop_gradient=False)
    y = fn(x, axis)
    assert y.shape == []
    np.testing.assert_allclose(y.numpy(), wanted, rtol=1e-6)
    compiled = vt.jit.to_static(lambda x: fn(x, axis))(x)
    np.testing.assert_allclose(compiled.numpy(), wanted, rtol=1e-6)
    if not y.stop_gradient:
        y.backward()
        assert x.grad.shape == []
    with pytest.raises(AxisError, match="axis 1 is outside a tensor of rank"):
        fn(x, 1)


def test_the_slope_of_one_number() -> None:
    x = vt.to_tensor(-2.0)
    assert vt.nn.functional.prelu(x, vt.to_tensor([0.25])).shape == []
    vt.enable_static()
    with vt.static.program_guard(vt.static.Program(), vt.static.Program()):
        assert vt.static.nn.prelu(vt.full([], -2.0), "all").shape == []
    vt.disable_static()


def test_rows_have_a_name_as_functions_do() -> None:
    assert (vt.tanh.__name__, vt.add.__name__) == ("tanh", "add")


def test_without_an_axis_scans_still_flatten() -> None:
    assert vt.cumsum(vt.to_tensor(2.0)).shape == [1]
    assert vt.logcumsumexp(vt.to_tensor(2.0)).shape == [1]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("fn", [vt.std, vt.var], ids=["std", "var"])
def test_the_variance_of_one_number_is_nan(fn: Any, compiled: bool) -> None:
    """As in PaddlePaddle 3.3.1, torch, and NumPy with ddof=1."""
    call = vt.to_static(lambda x: fn(x, axis=0)) if compiled else lambda x: fn(x, axis=0)
    for shape in ([3], [2], [1], [1, 2], [4]):  # the second size makes the axis symbolic
        x = vt.to_tensor(np.arange(np.prod(shape), dtype="float32").reshape(shape), stop_gradient=False)
        made = call(x)
        made.sum().backward()
        assert x.grad is not None
        assert np.isnan(made.numpy()).all() == (shape[0] == 1) == np.isnan(x.grad.numpy()).all()
    assert np.isnan(fn(vt.to_tensor(3.0)).item()) and fn(vt.to_tensor([3.0]), unbiased=False).item() == 0.0


def test_digamma_at_its_poles() -> None:
    x = vt.to_tensor([0.0, -0.0, -1.0])
    expected = [-np.inf, np.inf, np.nan]
    assert np.array_equal(vt.digamma(x).numpy(), expected, equal_nan=True)
    assert np.array_equal(vt.to_static(lambda x: vt.digamma(x))(x).numpy(), expected, equal_nan=True)


@pytest.mark.parametrize("overwrite", [True, False])
@pytest.mark.parametrize(("x", "updates"), [([1.0, 2.0, 3.0], 9.0), ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [7.0, 8.0])])
def test_scatter_at_one_place(x: Any, updates: Any, overwrite: bool) -> None:
    given = vt.to_tensor(x, stop_gradient=False)
    made = vt.scatter(given, vt.to_tensor(1), vt.to_tensor(updates), overwrite)
    wanted = np.array(x)
    wanted[1] = updates
    np.testing.assert_array_equal(made.numpy(), wanted)
    made.sum().backward()
    assert given.grad is not None
    np.testing.assert_array_equal(given.grad.numpy()[1], np.zeros_like(updates))
    with pytest.raises(ValueError, match="updates has shape"):
        vt.scatter(given, vt.to_tensor(1), vt.to_tensor([updates]))


def test_the_covariance_of_one_variable_is_a_number() -> None:
    x = np.array([1.0, 4.0, 9.0])
    assert vt.linalg.cov(vt.to_tensor(x)).shape == []
    np.testing.assert_allclose(vt.linalg.cov(vt.to_tensor(x)).numpy(), np.cov(x))
    np.testing.assert_allclose(vt.linalg.corrcoef(vt.to_tensor(x)).numpy(), 1.0)
