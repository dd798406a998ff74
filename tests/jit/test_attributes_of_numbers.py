"""`float(t)` and `int(t)` of compiled code have what Python's numbers have, and nothing of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

net = vt.nn.Linear(2, 1)


def backward(x: Any) -> Any:
    loss = float(net(x).sum())
    loss.backward()
    return loss


FUNCTIONS: list[Callable[[Any], Any]] = [
    backward, lambda x: float(x.sum()).shape, lambda x: float(x.sum()).name, lambda x: float(x.sum()).numpy(),
    lambda x: int(x.sum()).T, lambda x: float(x.sum()).foo, lambda x: x.sum().item().tolist(),
    lambda x: float(x.sum()).is_integer(), lambda x: float(x.sum() / 4).is_integer(),
    lambda x: (float(x.sum()).real, float(x.sum()).imag, float(x.sum()).conjugate()),
    lambda x: (int(x.sum()).numerator, int(x.sum()).denominator, int(x.sum()).real, int(x.sum()).imag),
    lambda x: 2 if hasattr(float(x.sum()), "shape") else 1,
]  # fmt: skip


def told(fn: Callable[..., Any]) -> Any:
    try:
        found = fn(vt.ones([1, 2]))
    except AttributeError as error:
        return str(error).splitlines()[0]
    return found, [type(x) for x in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_as_pythons_numbers(fn: Callable[..., Any]) -> None:
    assert told(vt.jit.to_static(fn)) == told(fn)


@pytest.mark.parametrize("name", ["hex", "as_integer_ratio"])
def test_what_a_program_cannot_compute_is_refused(name: str) -> None:
    with pytest.raises(vt.errors.CaptureError, match="only a run of the program knows"):
        vt.jit.to_static(lambda x: getattr(float(x.sum()), name)())(vt.ones([1]))
