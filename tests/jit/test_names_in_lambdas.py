"""`:=` in a lambda's operands under a tensor's condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

LAMBDAS: dict[str, Callable[[Any], Any]] = {
    "a conditional": lambda x: (y := x.sum()) * y if x.sum() > 0 else x.sum(),
    "either side": lambda x: (y := x * 2).sum() + y if x.sum() > 0 else (y := x * 3) - y.sum(),
    "and": lambda x: (x.sum() > 0) and (y := x.sum()) > 2 and y < 9,
    "a parameter": lambda x: (x := x + 1).sum() * x if x.sum() > 0 else x - 1,
    "a comprehension": lambda x: [m + v for v in x if (m := v * 2) > 0],
    "read afterwards": lambda x: ((y := x.sum()) if x.sum() > 0 else (y := x.sum() * 0 + 1.0), y),
}


@pytest.mark.parametrize("name", LAMBDAS)
def test_a_lambda_binds_its_names_on_the_path_taken(name: str) -> None:
    fn = LAMBDAS[name]
    compiled = vt.to_static(lambda x: fn(x))
    for values in ([1.0, 2.0], [-1.0, -2.0], [3.0, 1.0]):
        ours, theirs = (vt.to_tensor(values, stop_gradient=False) for _ in range(2))
        found, expected = compiled(ours), fn(theirs)
        _same(found, expected)
        if isinstance(expected, vt.Tensor) and not expected.stop_gradient:
            found.sum().backward()
            expected.sum().backward()
            assert ours.grad.tolist() == pytest.approx(theirs.grad.tolist())


def _same(found: Any, expected: Any) -> None:
    if isinstance(expected, (list, tuple)):
        assert type(found) is type(expected)
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            _same(a, b)
    elif isinstance(expected, vt.Tensor):
        assert found.tolist() == pytest.approx(expected.tolist())
    else:
        assert found == expected
