"""What constraints say about sizes."""

from __future__ import annotations

from vitrify.base.dtype import float32
from vitrify.ir.facts import SizeFacts, bound_symbols
from vitrify.ops.dims import Dim
from vitrify.ops.types import ListType, TensorType

N, M, K = map(Dim.symbol, "NMK")


def test_equalities_chain() -> None:
    facts = SizeFacts([("==", N - M), ("==", M - K)])
    assert facts.same_dim(N * 2 + 1, K * 2 + 1)
    assert not facts.same_dim(N, K + 1)
    assert facts.decide("==", N - K) is True
    assert facts.decide("==", N - K - 1) is False


def test_lower_bounds() -> None:
    facts = SizeFacts([(">=", N - 3)])
    assert facts.decide(">=", N - 1) is True
    assert facts.decide(">=", N - 4) is None
    assert facts.decide(">=", M) is True
    assert facts.decide("==", N - 4) is None


def test_what_bounds_rule_out() -> None:
    facts = SizeFacts([(">=", N - 5)])
    assert facts.decide(">=", 4 - N) is False
    assert facts.decide(">=", 5 - N) is None
    assert facts.decide("==", N - 4) is False
    assert facts.decide("==", 4 - N) is False
    assert SizeFacts([(">=", N - 4), (">=", 4 - N)]).decide("==", N - 4) is True


def test_types() -> None:
    facts = SizeFacts([("==", 2 * M - N)])
    a, b = TensorType(float32, (N, 3)), TensorType(float32, (2 * M, 3))
    assert facts.same_type(a, b)
    assert facts.same_type(ListType(a), ListType(b))
    assert not facts.same_type(a, ListType(b))
    assert not facts.same_types([a], [a, b])
    assert bound_symbols([a, b, ListType(a)]) == {"N"}
