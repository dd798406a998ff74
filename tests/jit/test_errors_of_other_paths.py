"""Errors of Python and of operations on a path that a run doesn't take, and selections in which a run finds nothing."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def rank(x: Any, s: Any) -> Any:
    if x.sum() > 0:
        return s.shape[0]
    return x * 2


def rank_of_half(x: Any, s: Any) -> Any:
    if x.sum() > 0:
        return s.shape[0.5]
    return x * 2


def membership(x: Any, s: Any) -> Any:
    if x.sum() > 0:
        return 1 in 5  # type: ignore[operator]
    return x * 2


def percents(x: Any, s: Any) -> Any:
    if x.sum() > 0:
        return "%d" % "a"  # noqa: UP031 - the operator is what is tried
    return x * 2


def no_terms(x: Any, s: Any) -> Any:
    if x.sum() > 0:
        return vt.add_n([])
    return x * 2


def copies(x: Any, s: Any) -> Any:
    y = x * 2
    if x.sum() > 0:
        return copy.deepcopy([{}[3], y])  # type: ignore[index]
    return y


@pytest.mark.parametrize("fn", [rank, rank_of_half, membership, percents, no_terms, copies])
def test_an_error_is_that_of_its_path(fn: Callable[..., Any]) -> None:
    compiled, s = vt.to_static(fn), vt.to_tensor(3.0)
    assert compiled(vt.to_tensor([-1.0]), s).tolist() == [-2.0]
    with pytest.raises(Exception) as eager:
        fn(vt.to_tensor([1.0]), s)
    with pytest.raises(type(eager.value)):
        compiled(vt.to_tensor([1.0]), s)


SELECTED: dict[str, Callable[[Any], Any]] = {
    "differences": lambda x: vt.diff(x[x > 0]),
    "logsumexp": lambda x: x[x > 0].logsumexp(-1),
    "logsumexp of all axes": lambda x: vt.logsumexp(x.reshape([-1, 1])[x > 0]),
    "softmax": lambda x: vt.nn.functional.softmax(x[x > 0], -1),
    "log_softmax": lambda x: vt.nn.functional.log_softmax(x[x > 0], -1),
}


@pytest.mark.parametrize("name", SELECTED)
def test_selections_of_nothing(name: str) -> None:
    compiled = vt.to_static(SELECTED[name])
    for values in ([1.0, 2.0, -1.0], [-1.0, -2.0, -3.0], [5.0, -1.0, -1.0]):
        x = vt.to_tensor(values)
        assert vt.allclose(compiled(x), SELECTED[name](x), rtol=1e-6)
        assert compiled(x).shape == SELECTED[name](x).shape
