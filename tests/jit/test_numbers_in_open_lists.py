"""Lists of numbers whose length changes between calls, or that only a run knows: floats and tensors written into them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError

pytestmark = pytest.mark.filterwarnings("ignore::vitrify.jit.call.recompiles.RecompileWarning")


def sums(x: Any, n: Any) -> Any:
    q = [0 for _ in range(n + 1)]
    for k in range(n):
        q[k + 1] += x.sum() * (k + 1)
    return [float(v) / 2 for v in q]


def floats(x: Any, n: Any) -> Any:
    q = [0] * n
    for k in range(n):
        q[k] = float(x.sum()) * k
    return q


def tensors(x: Any, n: Any) -> Any:
    q = [0 for _ in range(n)]
    for k in range(n):
        q[k] = q[k] + x.mean()
    return vt.stack(q)


def appended(x: Any, n: Any) -> Any:
    q = []
    for _ in range(n):
        q.append(0)
    q[0] += x.mean()
    q[1] += 1.5
    return q


def in_a_loop(x: Any, n: Any) -> Any:
    q = [0 for _ in range(n)]
    for row in x:
        for k in range(n):
            q[k] += row.sum()
    return [float(v) for v in q]


def vectors(x: Any, n: Any) -> Any:
    q = [0] * n
    for k in range(n):
        q[k] = x * k
    return sum(q)


def truths(x: Any, n: Any) -> Any:
    q = [False] * n
    for k in range(n):
        q[k] = int(x.sum()) + k
    return q


def ints(x: Any, n: Any) -> Any:
    q = [0] * n
    q[int(x.argmax())] += 1
    return q


FORMS = [sums, floats, tensors, appended, in_a_loop, vectors, truths, ints]


def told(value: Any) -> Any:
    if isinstance(value, list):
        return [told(v) for v in value]
    return (type(value), value) if not isinstance(value, vt.Tensor) else (str(value.dtype), value.tolist())


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_of_a_length_that_changes(form: Callable[..., Any]) -> None:
    compiled = vt.to_static(form)
    for n in (2, 3, 4, 3, 5):
        x = vt.to_tensor([0.75, 0.5] if form is not in_a_loop else [[0.75, 0.5], [0.25, 1.0]])
        made, wanted = compiled(x, n), form(x, n)
        if form is appended:  # a list that grows in a loop holds tensors where it holds one
            made, wanted = ([float(v) for v in q] for q in (made, wanted))
        assert told(made) == told(wanted)


def test_of_a_length_that_only_a_run_knows() -> None:
    def fn(x: Any, t: Any) -> Any:
        q = [0 for _ in range(int(t))]
        q[0] = 0.5
        q[int(x.argmax())] += x.mean()
        return q

    compiled = vt.to_static(fn)
    for n in (2, 3, 4, 3):
        made, wanted = (call(vt.to_tensor([0.75, 0.5, 0.25]), vt.to_tensor(n)) for call in (compiled, fn))
        assert [float(v) for v in made] == [float(v) for v in wanted]


@pytest.mark.parametrize("form", [sums, tensors, in_a_loop], ids=lambda f: f.__name__)
def test_loops_over_lists_of_such_a_length_are_refused(form: Callable[..., Any]) -> None:
    with pytest.raises(CaptureError, match=r"one dtype and shape; this one holds int64\[\] and float32") as caught:
        vt.to_static(lambda x, t: form(x, int(t)))(vt.ones([2, 2]), vt.to_tensor(3))
    assert "`[0.0] * n` for `[0] * n`" in str(caught.value)
