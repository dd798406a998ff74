"""Numbers that change between calls, where eager mode looks at their values: whole or not, from 0 to 1 or not."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import ArgumentError


def test_infinities_and_nan_are_not_whole() -> None:
    compiled = vt.to_static(lambda x, n: (n.is_integer(), x.item().is_integer()))
    for n in (0.5, 2.0, -1.5, float("inf"), float("-inf"), float("nan"), 1e300, -0.0):
        x = vt.to_tensor(n, "float64")
        assert compiled(x, n) == (n.is_integer(), n.is_integer())


@pytest.mark.parametrize("fn", [vt.quantile, vt.nanquantile])
def test_quantiles_are_from_0_to_1(fn: Any) -> None:
    def of_one(x: Any, q: float) -> Any:
        return fn(x, q)

    def of_several(x: Any, q: float) -> Any:
        return fn(x, [0.5, q * 2])

    x = vt.to_tensor([1.0, 2.0, 4.0])
    for way in (of_one, of_several):
        compiled = vt.to_static(way)
        for q in (0.2, 0.4, 0.1, 0.0, 0.5):
            assert compiled(x, q).tolist() == pytest.approx(way(x, q).tolist())
        for q in (-0.2, 1.5, float("nan")):
            for called in (compiled, way):
                with pytest.raises(ArgumentError, match="q must be from 0 to 1"):
                    called(x, q)
        assert compiled(x, 0.3).tolist() == pytest.approx(way(x, 0.3).tolist())


def test_several_elements_have_no_truth_value() -> None:
    def plain(x: Any) -> Any:
        return bool(x)

    def handled(x: Any) -> Any:
        try:
            found = bool(x)
        except ValueError:
            return "error"
        return found

    compiled = vt.to_static(handled)
    for values in ([1.0, 2.0], [1.0], [0.0], [], [3.0], [0.0, 0.0, 0.0]):
        x = vt.to_tensor(values, "float32")
        assert compiled(x) == handled(x)
        if len(values) == 1:
            assert vt.to_static(plain)(x) is plain(x)
            continue
        for way in (vt.to_static(plain), plain):
            with pytest.raises(ArgumentError, match="isn't one number"):
                way(x)
