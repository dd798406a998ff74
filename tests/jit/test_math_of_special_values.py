"""The `math` module over tensors: special values give what Python gives, its errors included."""

from __future__ import annotations

import math
from functools import partial
from itertools import product

import pytest

import vitrify as vt

VALUES = [0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan, 1e300, 5e-324, -0.7, 710.0]
OF_ONE = [math.sqrt, math.sinh, math.log1p, math.floor]
OF_TWO = [
    math.hypot,
    math.fmod,
    math.copysign,
    partial(math.isclose, rel_tol=0.5, abs_tol=1e-300),
    math.atan2,
    math.pow,
    math.log,
]


@pytest.mark.parametrize(
    ("own", "count"),
    [(own, 1) for own in OF_ONE] + [(own, 2) for own in OF_TWO],
    ids=lambda x: getattr(x, "__name__", str(x)),
)
def test_special_values_are_pythons(own, count):
    compiled = vt.to_static(lambda *given: own(*given))
    for values in product(VALUES, repeat=count):
        given = [vt.to_tensor(value, dtype="float64") for value in values]
        try:
            expected = own(*values)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            with pytest.raises(type(error)):
                compiled(*given)
            continue
        if own is math.floor and abs(expected) >= 2**63:
            with pytest.raises(OverflowError):
                compiled(*given)
            continue
        got = float(compiled(*given))
        assert got == pytest.approx(float(expected), rel=1e-12, abs=5e-324, nan_ok=True), values
        assert math.isnan(expected) or math.copysign(1, got) == math.copysign(1, expected), values


def test_isclose_takes_no_negative_tolerance():
    @vt.to_static
    def near(x, tolerance):
        return math.isclose(x, 1.0, abs_tol=tolerance)

    assert near(vt.to_tensor(1.5), vt.to_tensor(1.0))
    with pytest.raises(ValueError, match="tolerances must be non-negative"):
        near(vt.to_tensor(1.5), vt.to_tensor(-1.0))
