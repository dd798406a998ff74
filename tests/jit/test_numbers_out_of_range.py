"""Numbers that change between calls, where eager mode looks at their values: whole or not, from 0 to 1 or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
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


def test_dropout_of_nothing_draws_nothing() -> None:
    def given(x: Any, p: float) -> Any:
        return F.dropout(x, p), vt.rand([1])

    def computed(x: Any, p: float) -> Any:
        return F.dropout(x, abs(p)), F.dropout2d(vt.ones([1, 4, 1, 1]), p / 2 + 0.25), vt.rand([1])

    def of_a_tensor(x: Any, p: float) -> Any:
        return F.dropout(x, (x[0] * p).item()), vt.rand([1])

    x = vt.ones([3])
    for way in (given, computed, of_a_tensor):
        seen = []
        for called in (vt.to_static(way), way):
            vt.seed(3)
            found = [[y.tolist() for y in called(x, p)] for p in (0.5, 0.25, 0.0, 0.5, 1.0, 0.25, -0.0, 0.75)]
            seen.append([*found, vt.rand([2]).tolist()])
        assert seen[0] == seen[1]


def test_dropout_takes_probabilities() -> None:
    def way(x: Any, p: float) -> Any:
        return F.dropout(x, p * 2)

    compiled = vt.to_static(way)
    for p in (0.1, 0.2, 0.3, 0.7, -0.1, 0.5):
        for called in (compiled, way):
            if 0 <= p <= 0.5:
                assert called(vt.ones([2]), p).shape == [2]
            else:
                with pytest.raises(ArgumentError, match="the probability of dropout must be from 0 to 1"):
                    called(vt.ones([2]), p)


def test_elements_that_masks_and_lists_pick_are_arrays() -> None:
    def picked(a: Any, k: Any) -> Any:
        mask = a > 1
        b = a[mask]
        b[0] = 9
        return a * 2, b, a[mask] * 2, a[[0, 1]], a[k], a[np.array([1, 2])].sum(), a[1:][[1, 0]]

    compiled = vt.to_static(picked)
    for values in ([1.0, 4.0, 0.5], [2.0, 3.0, 4.0]):
        ours, theirs = (np.array(values, "float32") for _ in range(2))
        for found, expected in zip(compiled(ours, [2, 0]), picked(theirs, [2, 0]), strict=True):
            assert isinstance(found, np.ndarray) == isinstance(expected, np.ndarray)
            assert np.asarray(found).tolist() == expected.tolist()
        assert ours.tolist() == theirs.tolist()
