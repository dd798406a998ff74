"""A `return` in a loop of a tensor that the loop writes in place: no later iteration runs, so none writes it again."""

from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError


def _in_a_for(x: Any, n: Any) -> Any:
    g = x.clone()
    for k in range(int(n)):
        g[k] = 1
        if g.sum() > 3:
            return g
    return g


def _with_other_results(x: Any, n: Any) -> Any:
    g, k = x.clone(), 0
    while k < int(n):
        g[k] = 1
        if g.sum() > 3:
            return g, k
        k += 1
    return g, -1


def _endless(x: Any, n: Any) -> Any:
    g, k = x.clone(), 0
    while True:
        g[k] = 1
        if g.sum() > 3:
            return g * 2
        k += 1
        if k >= n:
            return g


def _in_a_loop_in_a_loop(x: Any, n: Any) -> Any:
    h = x.clone()
    for i in range(int(n)):
        for j in range(3):
            h[i] += j
            if h[i] > 2:
                return h
        if h.sum() > 7:
            return h
    return h


def _ant(x: Any, n: Any) -> Any:
    """Langton's: it walks over a field and turns each place round."""
    field, i, j, heading = x.reshape([3, 3]).clone(), 1, 1, 0
    for _ in range(int(n)):
        heading = (heading + 1) % 4 if field[i, j] == 0 else (heading - 1) % 4
        field[i, j] = 1 - field[i, j]
        if heading == 0:
            i -= 1
        elif heading == 1:
            j += 1
        elif heading == 2:
            i += 1
        else:
            j -= 1
        if not (0 <= i < 3 and 0 <= j < 3):
            return field, None
    return field, (i, j, heading)


def _told(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_told(v) for v in value]
    return value.tolist() if isinstance(value, vt.Tensor) else value


@pytest.mark.parametrize(
    "fn", [_in_a_for, _with_other_results, _endless, _in_a_loop_in_a_loop, _ant], ids=lambda fn: fn.__name__[1:]
)
def test_it_comes_out_as_it_is_then(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for n in (2, 5, 8, 1, 3):
        x = vt.zeros([9])
        assert _told(compiled(x, vt.to_tensor(n))) == _told(fn(x, vt.to_tensor(n)))
        assert x.tolist() == [0.0] * 9
    assert compiled.get_traced_count() <= 2


def test_gradients_through_it() -> None:
    def fn(x: Any, n: Any) -> Any:
        g = x * 2
        for k in range(int(n)):
            g[k] = x[k] * x[k]
            if g.sum() > 6:
                return g
        return g * 3

    compiled, found = vt.to_static(fn), []
    for each in (fn, compiled):
        for n in (1, 4):
            x = vt.to_tensor([1.0, 2.0, 0.5, 3.0], stop_gradient=False)
            each(x, vt.to_tensor(n)).sum().backward()
            found.append(x.grad.tolist())
    assert found[:2] == found[2:]


def test_a_list_that_comes_out_has_what_was_written() -> None:
    def fill(b: Any, x: Any) -> Any:
        i = 0
        while i < 3:
            if x[i] > 5:
                return b
            b[i] = 1
            i += 1
        return None

    def fn(x: Any) -> Any:
        return fill([0, 0, 0], x)

    for values in ([1.0, 0.0, 9.0], [9.0, 0.0, 0.0], [0.0, 0.0, 0.0]):
        x = vt.to_tensor(values)
        refused = False
        try:
            got = vt.to_static(fn)(x)
        except CaptureError:  # where it can't tell the two apart
            refused = True
        assert refused or got == fn(x)
