"""What code computes from `x.numel()`, which is a tensor, is known in a call as what it computes from sizes is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

SIZES = (2, 1, 4, 5, 1, 6, 3, 7)


def only(x: Any) -> Any:
    if x.numel() == 1:
        return x.item()
    return x * 2


def share(x: Any) -> Any:
    return vt.kthvalue(x, max(int(x.numel() * 0.7), 1))[0]


def half(x: Any) -> Any:
    return vt.topk(x, int(x.numel() + 1) // 2)[0]


def by_size(x: Any) -> Any:
    if x.numel() < 2:
        return "one"
    if x.numel() >= 5 and x.numel() != 6:
        return x[:5].sum()
    return "few" if x.numel() * 2 < 8 else x


def shown(made: Any) -> Any:
    return (str(made.dtype), made.tolist()) if isinstance(made, vt.Tensor) else (type(made), made)


@pytest.mark.parametrize("fn", [only, share, half, by_size])
def test_numbers_from_numel_are_known(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for n in SIZES:
        x = vt.to_tensor(np.cos(np.arange(n, dtype="float32")))
        assert shown(compiled(x)) == shown(fn(x)), n


@pytest.mark.parametrize("fn", [only, by_size])
def test_conditions_on_numel_do_not_make_a_program_per_size(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for n in (7, 8, 9, 10, 11):
        compiled(vt.to_tensor(np.ones(n, "float32")))
    assert len(compiled.program_cache) <= 2  # of one size, and of any of these
