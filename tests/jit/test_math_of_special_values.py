"""The `math` module over tensors: special values give what Python gives, its errors included."""

from __future__ import annotations

import math
from itertools import product

import pytest

import vitrify as vt

VALUES = [0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan, 1e300, 5e-324, -0.7, 710.0]


@vt.to_static
def hypot(x, y):
    return math.hypot(x, y)


@vt.to_static
def fmod(x, y):
    return math.fmod(x, y)


@vt.to_static
def copysign(x, y):
    return math.copysign(x, y)


@vt.to_static
def isclose(x, y):
    return math.isclose(x, y, rel_tol=0.5, abs_tol=1e-300)


@vt.to_static
def atan2(x, y):
    return math.atan2(x, y)


@vt.to_static
def power(x, y):
    return math.pow(x, y)


@vt.to_static
def log(x, y):
    return math.log(x, y)


@vt.to_static
def sqrt(x, y):
    return math.sqrt(x)


@vt.to_static
def sinh(x, y):
    return math.sinh(x)


@vt.to_static
def log1p(x, y):
    return math.log1p(x)


@pytest.mark.parametrize("function", [hypot, fmod, copysign, isclose, atan2, power, log, sqrt, sinh, log1p])
def test_special_values_are_pythons(function):
    for x, y in product(VALUES, repeat=2):
        a, b = vt.to_tensor(x, dtype="float64"), vt.to_tensor(y, dtype="float64")
        try:
            expected = function.dygraph_function(a, b)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            with pytest.raises(type(error)):
                function(a, b)
            continue
        got = float(function(a, b))
        assert got == pytest.approx(float(expected), rel=1e-12, abs=5e-324, nan_ok=True), (x, y)
        assert math.isnan(expected) or math.copysign(1, got) == math.copysign(1, expected), (x, y)


def test_isclose_takes_no_negative_tolerance():
    @vt.to_static
    def near(x, tolerance):
        return math.isclose(x, 1.0, abs_tol=tolerance)

    assert near(vt.to_tensor(1.5), vt.to_tensor(1.0))
    with pytest.raises(ValueError, match="tolerances must be non-negative"):
        near(vt.to_tensor(1.5), vt.to_tensor(-1.0))
