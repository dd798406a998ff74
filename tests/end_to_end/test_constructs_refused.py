"""What capture refuses (docs/limitations.md, docs/constructs.md): the error that each gets, at the user's line."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import CaptureError, LoopStateError

X = np.array([1.0, 2.0], np.float32)
N = np.array(2)


def runs_text(x, n):
    exec("y = 1")
    return x


def generator(x, n):
    yield x


async def coroutine(x, n):
    return x


def draws(x, n):
    return x * random.random()


def draws_by_numpy(x, n):
    return x * np.random.rand()


def jumps_out_of_finally(x, n):
    try:
        print(x)
    finally:
        return x  # noqa: B012 - it is what is refused


def locals_in_a_branch(x, n):
    if x.sum() > 0:
        return x * len(locals())
    return x


def text_leaves(x, n):
    return f"{x.sum()}"


def grows_into_plain_code(x, n):
    found = []
    for k in range(n):
        found.append(x * k)
    return sorted(found, key=str)


def two_kinds_in_a_growing_list(x, n):
    found = [x]
    for k in range(n):
        found.append(x[:1].astype("int64"))
    return found


def rank_changes_each_turn(x, n):
    y = x
    for _ in range(n):
        y = y.unsqueeze(0)
    return y


def structure_grows_each_turn(x, n):
    y = (x,)
    for _ in range(n):
        y = (y, x)
    return y


def too_many_ways(x, n):
    kinds = []
    for k in range(12):
        kinds.append(None if x.sum() > k else "text")
    return [len(str(kind)) for kind in kinds]


def endless(x, n):
    return x if n <= 0 else endless(vt.concat([x, x]), n - 1) + 1


def backward_into_an_earlier_turn(x, n):
    y = x * 1
    y.stop_gradient = False
    for _ in range(n):
        y = y * 2
        y.sum().backward()
    return y


def swapped_and_written(x, n):
    a, b = x * 1, x * 2
    for _ in range(n):
        b.add_(x)
        a, b = b, a
    return a, b


REFUSED: list[tuple[Callable[..., Any], type[Exception], str]] = [
    (runs_text, CaptureError, "exec"),
    (generator, CaptureError, "generator"),
    (coroutine, CaptureError, "coroutine"),
    (draws, CaptureError, "would draw once"),
    (draws_by_numpy, CaptureError, "would draw once"),
    (jumps_out_of_finally, CaptureError, "a jump out of `finally`"),
    (locals_in_a_branch, CaptureError, "`locals"),
    (text_leaves, CaptureError, "a string made from a tensor's value"),
    (grows_into_plain_code, CaptureError, "a list whose length only a run"),
    (two_kinds_in_a_growing_list, CaptureError, "list|kind"),
    (rank_changes_each_turn, LoopStateError, "before the loop"),
    (structure_grows_each_turn, LoopStateError, "before the loop"),
    (too_many_ways, CaptureError, "different ways"),
    (endless, CaptureError, "the types of the arguments differ for each depth"),
    (backward_into_an_earlier_turn, CaptureError, "a value from an earlier iteration"),
    (swapped_and_written, CaptureError, "becomes another variable's tensor"),
]


@pytest.mark.parametrize(("fn", "kind", "message"), REFUSED, ids=[r[0].__name__ for r in REFUSED])
def test_refused(fn: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        vt.to_static(fn)(vt.to_tensor(X), vt.to_tensor(N))
    error: Any = caught.value
    assert error.loc is not None, error
    assert error.remedy, error


DROPOUT = vt.nn.Dropout(0.5)


def switched_by_a_tensor(x, n):
    if x.sum() > 0:
        DROPOUT.eval()
    else:
        DROPOUT.train()
    return DROPOUT(x)


@pytest.mark.parametrize(
    ("fn", "name"),
    [
        (lambda x, n: vt.range(x[0], x[1], 1), "range"),
        (switched_by_a_tensor, "Dropout"),
    ],
)
def test_a_library_function_that_needs_a_python_value_is_named(fn: Any, name: str) -> None:
    with pytest.raises(CaptureError, match=f"`{name}` needs a Python value") as caught:
        vt.to_static(fn)(vt.to_tensor(X), vt.to_tensor(N))
    assert "known while the function is captured" in str(caught.value)


def test_joining_a_grown_list_of_numbers() -> None:
    def joined(x):
        found = []
        for row in x:
            found.append(row.sum())
            if row.sum() > 100:
                break
        return vt.concat(found)

    for fn in (joined, vt.to_static(joined)):
        with pytest.raises(vt.errors.AxisError, match="axis 0 is outside a tensor of rank 0"):
            fn(vt.ones([3, 2]))
