"""`round(x, digits)` of floats that only a run knows is Python's: by their exact values, not by a rounded product."""

import math
import random

import pytest

import vitrify as vt


def _numbers() -> list[float]:
    draw = random.Random(3)
    found = [0.35, 2.675, 0.15, 2.5, -0.35, 1.005, 1e300, math.inf, -math.inf, 0.0, -0.0, 5e-324, 123456789012345.67]
    found += [round(draw.uniform(-100, 100), 3) for _ in range(150)]
    found += [draw.randrange(-2000, 2000) / 8 for _ in range(150)]
    return found + [draw.uniform(-1e3, 1e3) for _ in range(100)]


@pytest.mark.parametrize("digits", [0, 1, 2, 6])
def test_it_is_pythons(digits: int) -> None:
    compiled = vt.to_static(lambda t: round(float(t), digits))
    for value in _numbers():
        assert repr(compiled(vt.to_tensor(value, dtype="float64"))) == repr(round(value, digits)), value


def test_what_is_no_number_stays_so() -> None:
    assert math.isnan(vt.to_static(lambda t: round(float(t), 2))(vt.to_tensor(math.nan, dtype="float64")))


def test_of_a_float_that_a_loop_changes() -> None:
    def fn(x: vt.Tensor) -> float:
        total = 0.0
        for v in x:
            total = round(total + float(v), 1)
        return total

    x = vt.to_tensor([0.15, 0.25, 0.35, 2.675], dtype="float64")
    assert vt.to_static(fn)(x) == fn(x)
