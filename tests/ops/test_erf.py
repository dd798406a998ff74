"""The error function over arrays: many at once as exact as one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vitrify.ops.special import erf


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("count", [0, 1, 256, 257, 30_000])
def test_every_element_is_the_c_librarys(kind: type, count: int) -> None:
    rng = np.random.default_rng(count)
    x = np.where(rng.random(count) < 0.5, rng.normal(size=count) * 2, 10.0 ** rng.uniform(-40, 4, count)).astype(kind)
    x[::2] *= -1
    wanted = np.array([math.erf(v) for v in x.tolist()], kind)
    found = erf(x)
    assert found.dtype == kind
    assert np.count_nonzero(found != wanted) <= 1  # one whose exact value lies next to the middle of two float32
    np.testing.assert_array_max_ulp(found, wanted, 1)


@pytest.mark.parametrize("repeat", [1, 100])
def test_special_values(repeat: int) -> None:
    x = np.tile(
        np.array([[0.0, -0.0, np.inf], [-np.inf, np.nan, 4.0], [1e-45, -1e-45, -3.9999998]], np.float32), repeat
    )
    found = erf(x)
    assert found.shape == x.shape
    np.testing.assert_array_equal(found, np.vectorize(math.erf)(x.astype(np.float64)).astype(np.float32))
    assert (np.signbit(found) == np.signbit(x))[~np.isnan(x)].all()
